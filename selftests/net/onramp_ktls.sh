#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp remembers packets that kernel TLS replaces behind the qdisc.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo sch_onramp tls tlsdev >/dev/null 2>&1 || skip_all "no module sch_onramp, tls or tlsdev"
exec python3 "$HERE/onramp_ktls.py"
