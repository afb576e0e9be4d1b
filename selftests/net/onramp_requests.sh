#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp.ko: requests that are refused and change nothing, limits and budgets of tenants, and the privileges of requests.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
exec python3 "$HERE/onramp_requests.py"
