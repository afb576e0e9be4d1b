#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# FECN's reaction point and reflection point of the qdisc onramp, see onramp_fecn.py; in a network namespace of its own.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

require_root ip
require_module sch_onramp
require_module sch_cp
exec unshare --net --mount python3 "$HERE/onramp_fecn.py" "$@"
