#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp among what else a host has: several queues, connection tracking, TCP small queues.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
exec python3 "$HERE/onramp_stack.py"
