#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A machine that is suspended, and wakes. So this is only for one that nobody else uses: selftests/qemu/boot_vm.py's, or one where
# OUR_CLOCK=yes says so.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

[ "${OUR_CLOCK:-no}" = yes ] || grep -q sharpramp.verdict= /proc/cmdline || skip_all "suspends the machine: OUR_CLOCK=yes allows it"
grep -qw deep /sys/power/mem_sleep 2>/dev/null || skip_all "a kernel that does not suspend"
[ -w /sys/class/rtc/rtc0/wakealarm ] || skip_all "no clock that wakes the machine"
modinfo onramp >/dev/null 2>&1 || skip_all "no module onramp"
command -v huygens-lite >/dev/null || skip_all "no huygens-lite"
exec python3 "$HERE/huygens_suspend.py"
