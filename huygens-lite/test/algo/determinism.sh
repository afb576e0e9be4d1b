#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The algorithms compute the same to the bit whatever compiles them, as TAP: digest.c by gcc and clang, at several levels, and for
# a processor that could fuse products and sums. A lab's run must repeat, and hosts of other builds are in one mesh.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
algo=$here/../../algo
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
n=0 failed=0
first=

# digest NAME COMPILER FLAG...
digest() {
	name=$1
	shift
	n=$((n + 1))
	if ! command -v "$1" > /dev/null; then
		echo "ok $n - $name # SKIP no $1"
		return
	fi
	if ! "$@" -std=gnu11 -w -ffp-contract=off -I "$here" -I "$algo" -I "$here/../../../selftests/unit" -o "$out/digest" \
		"$here/digest.c" "$algo"/*.c -lm 2> "$out/log"; then
		echo "not ok $n - $name: does not compile"
		sed 's/^/# /' "$out/log" | head -n 5
		failed=$((failed + 1))
		return
	fi
	said=$("$out/digest")
	first=${first:-$said}
	if [ -n "$said" ] && [ "$said" = "$first" ]; then
		echo "ok $n - $name: $said"
	else
		echo "not ok $n - $name: ${said:-nothing}, not $first"
		failed=$((failed + 1))
	fi
}

digest "gcc -O0" gcc -O0
digest "gcc -O2" gcc -O2
digest "clang -O2" clang -O2
# Multiplies and adds in one, if it is let.
if grep -qw fma /proc/cpuinfo; then
	digest "gcc -O3 for x86-64-v3" gcc -O3 -march=x86-64-v3
	digest "clang -O3 for x86-64-v3" clang -O3 -march=x86-64-v3
else
	n=$((n + 1))
	echo "ok $n - for x86-64-v3 # SKIP this processor cannot"
fi
echo "1..$n"
[ "$failed" -eq 0 ]
