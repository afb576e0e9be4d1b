#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# An agent learns the same to the bit whatever compiles it, as TAP: digest.c by gcc and clang, at several levels, and for a
# processor that could fuse products and sums. The same model must come from the same command on another machine.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
algo=$here/../../algo
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck source=selftests/lib/tap.sh
. "$here/../../../selftests/lib/tap.sh"
first=

# digest NAME COMPILER FLAG...
digest() {
	name=$1
	shift
	if ! command -v "$1" > /dev/null; then
		tap_skip "$name" "no $1"
		return
	fi
	if ! "$@" -std=gnu11 -w -ffp-contract=off -I "$here" -I "$algo" -o "$out/digest" "$here/digest.c" "$algo"/*.c \
		-lnettle -lm 2> "$out/log"; then
		tap_ok 1 "$name: does not compile" "$(head -n 5 "$out/log")"
		return
	fi
	said=$("$out/digest")
	first=${first:-$said}
	if [ -n "$said" ] && [ "$said" = "$first" ]; then
		tap_ok 0 "$name: $said"
	else
		tap_ok 1 "$name: ${said:-nothing}, not $first"
	fi
}

digest "gcc -O0" gcc -O0
digest "gcc -O2" gcc -O2
digest "gcc as the programs are built" gcc -O3 -fno-math-errno
digest "clang -O0" clang -O0
digest "clang -O2" clang -O2
# Multiplies and adds in one, if it is let.
if grep -qw fma /proc/cpuinfo; then
	digest "gcc -O3 for x86-64-v3" gcc -O3 -march=x86-64-v3
	digest "clang -O3 for x86-64-v3" clang -O3 -march=x86-64-v3
else
	tap_skip "for x86-64-v3" "this processor cannot"
fi

# The comparison must be able to fail: products and sums in one rounding, or another order.
if grep -qw fma /proc/cpuinfo; then
	gcc -O3 -march=x86-64-v3 -std=gnu11 -w -ffp-contract=fast -I "$here" -I "$algo" -o "$out/digest" "$here/digest.c" \
		"$algo"/*.c -lnettle -lm
	[ "$("$out/digest")" != "$first" ]
	tap_ok $? "fused products and sums are noticed"
fi
tap_done
