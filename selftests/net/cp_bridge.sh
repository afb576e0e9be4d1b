#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The qdisc cp on a bridge: accounts, PAUSE, CNMs, marks, see cp_bridge.py; in a network namespace of its own.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
skip() { echo "1..0 # SKIP $*"; exit 4; }

[ "$(id -u)" = 0 ] || skip "needs root"
modprobe -q sch_cp || [ -d /sys/module/sch_cp ] || skip "no module sch_cp: make install"
command -v ip >/dev/null || skip "needs ip"
exec unshare --net --mount python3 "$here/cp_bridge.py" "$@"
