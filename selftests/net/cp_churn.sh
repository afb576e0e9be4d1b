#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The qdisc cp changed, replaced and deleted under traffic, with its ports, bridge and namespace, see cp_churn.py.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
skip() { echo "1..0 # SKIP $*"; exit 4; }

[ "$(id -u)" = 0 ] || skip "needs root"
modprobe -q sch_cp || [ -d /sys/module/sch_cp ] || skip "no module sch_cp: make install"
command -v ip >/dev/null || skip "needs ip"
exec unshare --net --mount python3 "$here/cp_churn.py" "$@"
