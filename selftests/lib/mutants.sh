# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # the caller's variables
# Break a folder's algorithms, one place at a time, and see whether their tests notice: a test per mutant, which passes if the
# mutant is killed: a test fails, or does not end within $seconds of CPU time. A mutation that no longer applies fails too. Sourced by
# a script in the tests' folder, which sets $here to its own folder, $tests to their names and $level to a level of optimization, and
# has rounds TEST, which prints the test's options; TAP. $algo is the folder, ../../algo; $others are sources that the algorithms need
# in addition, $options more options of the compiler.
algo=${algo-$here/../../algo}
seconds=${seconds-20}
unit=$here/../../../selftests/unit
CC=${CC-gcc}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck source=selftests/lib/tap.sh
. "$here/../../../selftests/lib/tap.sh"
# shellcheck source=selftests/lib/cpu_limit.sh
. "$here/../../../selftests/lib/cpu_limit.sh"

# compile WHAT FILE: an object
# shellcheck disable=SC2086 # an option and its value
compile() { (cd "$here" && "$CC" -std=gnu11 "$level" -w -ffp-contract=off -I. -I"$algo" ${options-} -I"$unit" -c -o "$1" "$2"); }

# Code that is not changed is compiled once.
mkdir "$out/algo" "$out/test"
for file in "$algo"/*.c ${others-}; do
	compile "$out/algo/$(basename "$file" .c).o" "$file" || exit 1
done
for test in $tests; do
	compile "$out/test/$test.o" "$here/$test.c" || exit 1
done

# passes TEST: with the objects in $out/algo; $cpu_exceeded if it does not end
passes() {
	"$CC" -o "$out/program" "$out/test/$1.o" "$out"/algo/*.o -lm || return 1
	# shellcheck disable=SC2046 # an option and its value
	cpu_limited "$seconds" "$out/program" $(rounds "$1") > "$out/log" 2>&1
}

# mutant TEST FILE NAME SED-SCRIPT
mutant() {
	sed -e "$4" "$algo/$2.c" > "$out/$2.c"
	if cmp -s "$algo/$2.c" "$out/$2.c"; then
		tap_ok 1 "$3: the mutation does not apply to $2.c"
		return
	fi
	mv "$out/algo/$2.o" "$out/$2.o"
	if ! compile "$out/algo/$2.o" "$out/$2.c" 2> "$out/log"; then
		tap_ok 1 "$3: does not compile" "$(head -n 5 "$out/log")"
	else
		passes "$1"
		case $? in
		0) tap_ok 1 "$3: survived" ;;
		"$cpu_exceeded") tap_ok 0 "$3: killed by the limit of $seconds s of CPU time, $1 does not end" ;;
		*) tap_ok 0 "$3: killed by $1" ;;
		esac
	fi
	mv "$out/$2.o" "$out/algo/$2.o"
}

# Unchanged code must pass, or every mutant would fail for the wrong reason.
for test in $tests; do
	tap_run "$test passes as it is" passes "$test"
done
