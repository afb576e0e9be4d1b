#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp_acker.ko between namespaces of its own.
#
#   onramp_acker.sh [TEST.py]
#
# Without TEST.py: onramp_acker.py.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

require_root
modinfo onramp_acker >/dev/null 2>&1 || skip_all "no module onramp_acker"
[ ! -d /sys/module/onramp_acker ] || skip_all "onramp_acker is loaded, and these tests unload it"
for name in a b c d e f x0 x1 x2 x3 y0 y1 y2 y3; do
	[ ! -e "/run/netns/$name" ] || skip_all "there is a namespace $name"
done
exec python3 "$HERE/${1-onramp_acker.py}"
