#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Distributions of delays in ecnsharp's and onramp's statistics, see delay_hist.py; in a network namespace of its own.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

require_root tc
require_module sch_onramp
require_module sch_ecnsharp
unshare --net "$(command -v tc)" qdisc add dev lo root tbf rate 1mbit burst 2000 latency 1s 2>/dev/null || skip_all "no qdisc tbf"
exec unshare --net python3 "$HERE/delay_hist.py"
