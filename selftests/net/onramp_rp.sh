#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The reaction point of the qdisc onramp: which CNMs are accepted, and what a rate does, see onramp_rp.py.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

require_root ip
require_module sch_onramp
require_module sch_cp
exec unshare --net --mount python3 "$HERE/onramp_rp.py" "$@"
