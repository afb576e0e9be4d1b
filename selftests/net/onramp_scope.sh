#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp where the same addresses mean several hosts: VRFs, and links with link-local addresses.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
modprobe -q vrf || skip_all "no module vrf"
exec python3 "$HERE/onramp_scope.py"
