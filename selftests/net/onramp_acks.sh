#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp.ko between two namespaces: TCP from one, and OR-ACKs made by hand, true and false, from the other.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
exec python3 "$HERE/onramp_acks.py"
