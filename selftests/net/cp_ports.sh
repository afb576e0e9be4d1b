#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The qdisc cp on ports of several kinds, in VLANs, down, changed while frames wait, see cp_ports.py; in a network namespace
# of its own.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

require_root ip
require_module sch_cp
modprobe -q tun || :
exec unshare --net --mount python3 "$HERE/cp_ports.py" "$@"
