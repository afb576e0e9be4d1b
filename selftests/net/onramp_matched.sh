#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Nearly all that an acker reports is of packets that the sender remembers.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp onramp_acker >/dev/null 2>&1 || skip_all "no modules sch_onramp, onramp_acker"
exec python3 "$HERE/onramp_matched.py"
