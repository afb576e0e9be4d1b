#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The algorithms compute the same to the bit whatever compiles them, as TAP: digest.c by gcc and clang, at several levels, and for
# a processor that could fuse products and sums. A lab's run must repeat, and hosts of other builds are in one mesh.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/determinism.sh
. "$here/../../../selftests/lib/determinism.sh"

digest "gcc -O0" gcc -O0
digest_fused clang
if [ "${FULL-}" ]; then
	digest "gcc -O2" gcc -O2
	digest "clang -O2" clang -O2
	digest_fused gcc
fi
tap_done
