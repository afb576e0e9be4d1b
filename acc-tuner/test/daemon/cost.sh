#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Instructions of the daemon itself for an interval of 48 queues, by valgrind's callgrind, as TAP. OUT= the folder of cost.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/tap.sh
. "$here/../../../selftests/lib/tap.sh"
# Line 23 of the design allows this with the kernel's part, which is more than half.
LIMIT=100000
INTERVALS=60

# instructions [anew]: of an interval
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no --toggle-collect=interval "$OUT/cost" "$@" 2>&1 |
		awk -v of="$INTERVALS" '/Collected/ { print int($NF / of) }'
}

command -v valgrind >/dev/null || { tap_skip "instructions of the daemon" "no valgrind"; tap_done; exit; }
took=$(instructions)
anew=$(instructions anew)
echo "# an interval of 48 queues: $took instructions, with settings read each time $anew"
tap_ok "$([ "${took:-0}" -gt 0 ] && [ "$took" -le $LIMIT ]; echo $?)" "48 queues take $LIMIT instructions of the daemon at most" "$took"
tap_ok "$([ "${anew:-0}" -gt $((took * 5 / 4)) ]; echo $?)" "reading settings each time takes a quarter more, so the measure sees it" "$anew"
tap_done
