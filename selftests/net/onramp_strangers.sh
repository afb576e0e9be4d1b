#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp where many connections go to strangers: the list of peers, which of both are measured, and which entries are evicted.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
exec python3 "$HERE/onramp_strangers.py"
