#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# huygens-lite in mode steer turns CLOCK_REALTIME, and with reference utc: follows it. That is the machine's own clock, so
# this is only for a machine that nobody else uses: selftests/qemu/boot_vm.py's, or one where OUR_CLOCK=yes says so.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

[ "${OUR_CLOCK:-no}" = yes ] || grep -q sharpramp.verdict= /proc/cmdline || skip_all "turns the machine's clock: OUR_CLOCK=yes allows it"
modinfo onramp >/dev/null 2>&1 || skip_all "no module onramp"
command -v huygens-lite >/dev/null || skip_all "no huygens-lite"
exec python3 "$HERE/huygens_steer.py"
