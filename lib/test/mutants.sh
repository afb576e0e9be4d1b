#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# selftests/lib/mutants.sh tells mutants apart: one that a test notices, one that survives, one that does not end, and one whose test
# is slow because others have the processor. TAP.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../..
# shellcheck source=selftests/lib/tap.sh
. "$root/selftests/lib/tap.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$root/selftests" "$folder/selftests"
mkdir -p "$folder/part/algo" "$folder/part/test/algo"

cat > "$folder/part/algo/sum.c" <<'C'
#include "sum.h"

int sum(int n)
{
	int total = 0, i;

	for (i = 1; i <= n; i++)
		total += i;
	return total;
}
C
echo 'int sum(int n);' > "$folder/part/algo/sum.h"

# Two seconds without the processor, as on a machine that is busy: more than the limit of CPU time.
cat > "$folder/part/test/algo/sums.c" <<'C'
#include <unistd.h>
#include "sum.h"

int main(void)
{
	sleep(2);
	return sum(4) != 10;
}
C
cat > "$folder/part/test/algo/mutants.sh" <<'SH'
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tests=sums level=-O0 seconds=1
rounds() { :; }
. "$here/../../../selftests/lib/mutants.sh"
mutant sums sum 'wrong' 's/total += i/total -= i/'
mutant sums sum 'equal' 's/i = 1;/i = 0;/'
mutant sums sum 'endless' 's/i++/i = 1/'
mutant sums sum 'crash' 's/int total = 0, i;/int total = 0, i; __builtin_trap();/'
mutant sums sum 'absent' 's/product/total/'
mutant sums sum 'broken' 's/return/retrun/'
tap_done
SH

sh "$folder/part/test/algo/mutants.sh" > "$folder/printed" 2> "$folder/errors"
status=$?

# printed LINE: among what it prints
printed() { tap_run "it prints: $1" grep -qxF "$1" "$folder/printed"; }

printed 'ok 1 - sums passes as it is'
printed 'ok 2 - wrong: killed by sums'
printed 'not ok 3 - equal: survived'
printed 'ok 4 - endless: killed by the limit of 1 s of CPU time, sums does not end'
printed 'ok 5 - crash: killed by sums'
printed 'not ok 6 - absent: the mutation does not apply to sum.c'
printed 'not ok 7 - broken: does not compile'
[ "$status" -ne 0 ]
tap_ok $? 'a mutant that survives fails the list'
tap_done
