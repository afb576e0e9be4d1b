#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run test programs under valgrind, as TAP: one result a program, which fails if a test of its own does, if it touches memory
# that is not its own or was never written, or loses some.
#
#   memcheck.sh 'PROGRAM [ARGUMENT...]' ...
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/tap.sh
. "$here/../../selftests/lib/tap.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for words; do
	name=$(basename "${words%% *}")
	# shellcheck disable=SC2086 # several arguments
	if valgrind -q --error-exitcode=9 --leak-check=full $words > "$log" 2>&1 < /dev/null; then
		tap_ok 0 "$name: valgrind reports nothing"
	else
		tap_ok 1 "$name: valgrind reports nothing" "$(grep -v '^ok ' "$log" | tail -n 40)"
	fi
done
tap_done
