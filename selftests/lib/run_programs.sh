#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run test programs that print TAP, and make one numbered list of them.
#
#   run_programs.sh [--missing 'NAME # SKIP REASON'] PROGRAM...
#
# A program that ends badly without a failed test, or tests nothing, counts as a failed test.
set -u

n=0 failed=0

if [ "${1-}" = --missing ]; then
	n=1
	echo "ok 1 - $2"
	shift 2
fi

lines=$(mktemp)
trap 'rm -f "$lines"' EXIT

for program; do
	name=$(basename "$(dirname "$program")")/$(basename "$program")
	name=${name#./}
	status=0
	"$program" > "$lines" 2>&1 || status=$?
	awk -v n="$n" -v name="$name" '
		/^(not )?ok [0-9]+ - / {
			result = /^not/ ? "not ok" : "ok"
			sub(/^(not )?ok [0-9]+ - /, "")
			print result " " ++n " - " name ": " $0
			next
		}
		/^1\.\.[0-9]+$/ { next }
		{ sub(/^# /, ""); print "# " name ": " $0 }
	' "$lines"
	n=$((n + $(grep -cE '^(not )?ok [0-9]+ - ' "$lines")))
	bad=$(grep -cE '^not ok [0-9]+ - ' "$lines")
	failed=$((failed + bad))
	if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		n=$((n + 1)) failed=$((failed + 1))
		echo "not ok $n - $name: ended with status $status"
	elif ! grep -qE '^(not )?ok [0-9]+ - ' "$lines"; then
		n=$((n + 1)) failed=$((failed + 1))
		echo "not ok $n - $name: tested nothing"
	fi
done
echo "1..$n"
[ "$failed" -eq 0 ]
