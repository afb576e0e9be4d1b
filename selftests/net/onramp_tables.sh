#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp.ko: its tables of flows, paths and records: how large they grow, what makes space, and what is forgotten when.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
exec python3 "$HERE/onramp_tables.py"
