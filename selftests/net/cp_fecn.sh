#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Law fecn of the qdisc cp on a bridge: rates in RD frames, see cp_fecn.py; in a network namespace of its own.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

require_root ip
require_module sch_cp
exec unshare --net --mount python3 "$HERE/cp_fecn.py" "$@"
