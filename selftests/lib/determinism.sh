# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Are the results of a folder's algorithms the same to the bit with each compiler? Sourced by a test next to its digest.c, which
# sets $here to its own folder, and $more to further flags and files of the compiler if it needs any; TAP. With FULL in the environment
# a test compares what is between the extremes too.
algo=$here/../../algo
unit=$here/../../../selftests/unit
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck source=selftests/lib/tap.sh
. "$here/../../../selftests/lib/tap.sh"
first=
more=

# digest_build COMPILER FLAG...: $out/digest. Flags that come later count.
digest_build() {
	compiler=$1
	shift
	# shellcheck disable=SC2086 # several arguments
	"$compiler" -std=gnu11 -w -ffp-contract=off "$@" -I "$here" -I "$algo" -I "$unit" -o "$out/digest" "$here/digest.c" \
		"$algo"/*.c $more -lnettle -lm
}

# digest NAME COMPILER FLAG...
digest() {
	name=$1
	shift
	if ! command -v "$1" > /dev/null; then
		tap_skip "$name" "no $1"
		return
	fi
	if ! digest_build "$@" 2> "$out/log"; then
		tap_ok 1 "$name: does not compile" "$(head -n 5 "$out/log")"
		return
	fi
	output=$("$out/digest")
	first=${first:-$output}
	if [ -n "$output" ] && [ "$output" = "$first" ]; then
		tap_ok 0 "$name: $output"
	else
		tap_ok 1 "$name: ${output:-nothing}, not $first"
	fi
}

# digest_fused COMPILER: which may multiply and add in one, on a processor that can
digest_fused() {
	if grep -qw fma /proc/cpuinfo; then
		digest "$1 -O3 for x86-64-v3" "$1" -O3 -march=x86-64-v3
	else
		tap_skip "$1 -O3 for x86-64-v3" "this processor cannot"
	fi
}
