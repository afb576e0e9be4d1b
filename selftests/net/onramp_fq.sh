#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same packets through fq and through onramp, see onramp_fq.py; in a network namespace of its own.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
skip() { echo "1..0 # SKIP $*"; exit 4; }

[ "$(id -u)" = 0 ] || skip "needs root"
for module in sch_onramp sch_fq; do
	modprobe -q "$module" || [ -d "/sys/module/$module" ] || skip "no module $module"
done
tc qdisc add dev lo root onramp help 2>&1 | grep -q horizon_cap || skip "tc has no onramp: make install"
exec unshare --net python3 "$here/onramp_fq.py"
