#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The qdisc cp changed, replaced and deleted under traffic, with its ports, bridge and namespace, see cp_churn.py.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

require_root ip
require_module sch_cp
exec unshare --net --mount python3 "$HERE/cp_churn.py" "$@"
