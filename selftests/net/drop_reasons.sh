#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Reasons of drops, by this project's qdiscs and by the kernel's, see drop_reasons.py; in a network namespace of its own.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

require_root tc
for kind in onramp ecnsharp "cp law none" fq codel "tbf rate 1mbit burst 2000 latency 1s"; do
	# shellcheck disable=SC2086 # words
	unshare --net "$(command -v tc)" qdisc add dev lo root $kind 2>/dev/null || modinfo "sch_${kind%% *}" >/dev/null 2>&1 || skip_all "no qdisc $kind"
done
exec unshare --net python3 "$HERE/drop_reasons.py"
