#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# huygens-lite on hosts whose address is on a device in a VRF.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

command -v huygens-lite >/dev/null || skip_all "no huygens-lite"
modprobe -q vrf || true
ip link add huygens-vrf type vrf table 77 2>/dev/null || skip_all "no VRFs"
ip link del huygens-vrf
exec python3 "$HERE/huygens_vrf.py"
