#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What drops say of why, by our qdiscs and by the kernel's, see drop_reasons.py; in a network namespace of its own.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
skip() { echo "1..0 # SKIP $*"; exit 4; }

[ "$(id -u)" = 0 ] || skip "needs root"
for kind in onramp ecnsharp fq codel tbf; do
	unshare --net "$(command -v tc)" qdisc add dev lo root $kind 2>/dev/null || modinfo "sch_$kind" >/dev/null 2>&1 || skip "no qdisc $kind"
done
exec unshare --net python3 "$here/drop_reasons.py"
