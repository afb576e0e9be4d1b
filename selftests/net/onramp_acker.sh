#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# onramp_acker.ko between namespaces of its own.
#
#   onramp_acker.sh [TEST.py]
#
# Without TEST.py: onramp_acker.py.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
skip() { echo "1..0 # SKIP $*"; exit 4; }

[ "$(id -u)" = 0 ] || skip "needs root"
modinfo onramp_acker >/dev/null 2>&1 || skip "no module onramp_acker"
[ ! -d /sys/module/onramp_acker ] || skip "onramp_acker is loaded, and these tests unload it"
for name in a b c d e f x0 x1 x2 x3 y0 y1 y2 y3; do
	[ ! -e "/run/netns/$name" ] || skip "there is a namespace $name"
done
exec python3 "$here/${1-onramp_acker.py}"
