#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp.ko: OR-ACKs that are taken and those that are passed on, dumps and refusals.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
exec python3 "$HERE/onramp_core.py"
