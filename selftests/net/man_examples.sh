#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Commands of README.md, the pages for operators, and the man pages whose commands need a kernel, as somebody types them.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

for module in sch_onramp onramp_acker sch_cp sch_ecnsharp; do
	modinfo "$module" >/dev/null 2>&1 || skip_all "no module $module"
done
for program in onrampctl onramp-mq huygens-lite awk xxd; do
	command -v "$program" >/dev/null || skip_all "no $program"
done
exec python3 "$HERE/man_examples.py"
