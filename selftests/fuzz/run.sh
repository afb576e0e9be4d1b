#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Fuzz parsers of messages and files, as TAP.
#
#   run.sh RUNS         replay the kept corpora, then RUNS inputs a parser from a fixed seed
#   run.sh SECONDSs     replay the kept corpora, then fuzz each parser for so long from a new seed, which is printed
#
# Run `make all` first; O is its output folder. An input that breaks a parser is left in O/. Add it to corpus/ with
# the fix.
set -eu

case ${1-} in
*[!0-9s]* | '' | s* | *s?*)
	echo "usage: ${0##*/} RUNS|SECONDSs" >&2
	exit 2
	;;
esac

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cd "$here"
O=${O-../../build/selftests/fuzz}
# shellcheck source=selftests/lib/tap.sh
. "$here/../lib/tap.sh"

# verdict NAME COMMAND...: passes if the command succeeds; of its output the end, without libFuzzer's progress
verdict() {
	name=$1
	shift
	if "$@" > "$O/log" 2>&1; then
		tap_ok 0 "$name"
	else
		tap_ok 1 "$name" "$(grep -vE '^#[0-9]+[[:space:]]' "$O/log" | tail -n 30)"
	fi
}

case $1 in
*s)
	seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
	runs=200000
	limit="-max_total_time=${1%s}"
	echo "# seed $seed"
	;;
*)
	seed=1
	runs=$1
	limit="-runs=$runs"
	;;
esac

fuzz() {
	target=$1
	if [ -x "$O/${target}_fuzz" ]; then
		rm -rf "$O/found"	# of a run that was ended, it would be where this one begins
		mkdir "$O/found"
		verdict "$target: the kept corpus and libFuzzer, $2" "$O/${target}_fuzz" "$limit" -seed="$seed" -max_len=1536 \
			-artifact_prefix="$O/" -print_final_stats=1 "$O/found" "corpus/$target"
		rm -rf "$O/found"
	else
		verdict "$target: the kept corpus, gcc" "$O/${target}_replay" "corpus/$target"/*
		verdict "$target: mutations of the kept corpus, gcc" "$O/${target}_replay" -s "$seed" -n "$((runs / 10))" "corpus/$target"/*
		tap_skip "$target: libFuzzer" "needs clang and libclang-rt-dev"
	fi
}

for name in onramp_wire l2_wire huygens_wire huygens_conf huygens_keys huygens_drift acc_model acc_conf acc_queue onrampctl_key \
	json_read flowgen_cdf flowgen_traffic; do
	fuzz "$name" "$1"
done

tap_done
