#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The same packets through fq and through onramp, see onramp_fq.py; in a network namespace of its own.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

require_root tc
for kind in onramp fq; do
	unshare --net "$(command -v tc)" qdisc add dev lo root "$kind" || skip_all "no qdisc $kind"
done
exec unshare --net python3 "$HERE/onramp_fq.py"
