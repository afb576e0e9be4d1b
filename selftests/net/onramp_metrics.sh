#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onrampctl metrics on a real kernel: every counter of qdiscs, core and acker, before traffic and after.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

for module in sch_onramp onramp_acker sch_ecnsharp; do
	modinfo "$module" >/dev/null 2>&1 || skip_all "no module $module"
done
for program in onrampctl tc; do
	command -v "$program" >/dev/null || skip_all "no $program"
done
exec python3 "$HERE/onramp_metrics.py"
