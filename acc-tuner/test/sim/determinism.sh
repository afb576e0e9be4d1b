#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A run of the model has the same result whatever compiles it, as TAP: digest.c by gcc and clang, without and with optimization.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/determinism.sh
. "$here/../../../selftests/lib/determinism.sh"
tree=$here/../../..
more="-D_GNU_SOURCE -I $tree/acc-tuner/sim $(echo "$tree"/acc-tuner/sim/*.c) $tree/lib/fail.c $tree/lib/units.c"
for noun in cdf flows parse rng; do
	more="$more $tree/lab/traffic/$noun.c"
done

digest "gcc -O0" gcc -O0
digest "gcc -O2" gcc -O2
digest "clang -O0" clang -O0
digest "clang -O2" clang -O2

[ "$("$out/digest" 1)" = "$first" ] && [ "$("$out/digest" 2)" != "$first" ]
tap_ok $? "another seed has another result"
tap_done
