#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Which packets onramp remembers, and how it tells them from others behind the qdisc.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
exec python3 "$HERE/onramp_remember.py"
