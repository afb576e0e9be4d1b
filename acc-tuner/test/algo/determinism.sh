#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# An agent learns the same to the bit whatever compiles it, as TAP: digest.c by gcc and clang, at several levels, and for a
# processor that could fuse products and sums. The same model must come from the same command on another machine.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/determinism.sh
. "$here/../../../selftests/lib/determinism.sh"

digest "gcc -O0" gcc -O0
digest "gcc as the programs are built" gcc -O3 -fno-math-errno
digest_fused clang
if [ "${FULL-}" ]; then
	digest "gcc -O2" gcc -O2
	digest "clang -O0" clang -O0
	digest "clang -O2" clang -O2
	digest_fused gcc
fi

# The comparison must be able to fail: products and sums in one rounding, or another order.
if grep -qw fma /proc/cpuinfo; then
	digest_build gcc -O3 -march=x86-64-v3 -ffp-contract=fast
	[ "$("$out/digest")" != "$first" ]
	tap_ok $? "fused products and sums are noticed"
fi
tap_done
