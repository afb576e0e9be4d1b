#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same packets through fq and through onramp, see onramp_fq.py; in a network namespace of its own.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
skip() { echo "1..0 # SKIP $*"; exit 4; }

[ "$(id -u)" = 0 ] || skip "needs root"
for kind in onramp fq; do
	unshare --net "$(command -v tc)" qdisc add dev lo root "$kind" || skip "no qdisc $kind"
done
exec unshare --net python3 "$here/onramp_fq.py"
