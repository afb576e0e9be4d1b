#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's own tests of fq, with onramp in its place: so_txtime.sh and fq_band_pktlimit.sh.
#
# They come from the kernel's source package and lie, compiled, in $KERNEL_TESTS. Their tc is one
# that says onramp where they say fq. One expectation of so_txtime.sh is that of an fq before 7.3, where a packet waits
# for the time of the one that came before it: onramp, as fq does since, lets the earlier time leave first.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

: "${KERNEL_TESTS:=/usr/lib/kernel-tests}"

wrapper()
{
	cat <<-'EOF'
	#!/bin/sh
	for argument; do
		shift
		if [ "$argument" = fq ]; then
			argument=onramp
			echo "$*" >>"$SAID_FQ"
		fi
		set -- "$@" "$argument"
	done
	exec "$REAL_TC" "$@"
	EOF
}

# original NAME [OTHER]: run one; of OTHER, which it tests behind fq, it may say that there is none. It does if all before passed.
original()
{
	local status=0 output why=

	: >"$SAID_FQ"
	sed 's/a,20,b,10 b,20,a,20/a,20,b,10 b,10,a,20/' "$KERNEL_TESTS/$1" >"$WORK/$1"
	chmod +x "$WORK/$1"
	output=$(cd "$KERNEL_TESTS" && PATH=$WORK:$PATH "$WORK/$1" 2>&1) || status=$?
	if [ -n "${2-}" ] && [ "$status" = "$KSFT_SKIP" ]; then
		status=0
		why=$(tail -n 1 <<<"$output")
		: "${why:=says nothing}"
	fi
	expect "its status" "$status" 0
	[ "$status" = 0 ] || FINDINGS+=("$(tail -n 5 <<<"$output" | tr '\n' ';')")
	expect "uses of fq" "$(wc -l <"$SAID_FQ")" 1
	result "$1"
	[ -z "$why" ] || result_skip "$1: $2" "$why"
}

# The same without what it tests: the test must notice.
broken()
{
	local status=0

	wrapper | sed "s/argument=onramp/argument=$2/" >"$WORK/tc"
	(cd "$KERNEL_TESTS" && PATH=$WORK:$PATH "./$1" >/dev/null 2>&1) || status=$?
	[ "$status" != 0 ] && [ "$status" != 4 ] || FINDINGS+=("it passes")
	result "$1 fails with $2 in fq's place"
}

require date
[ -x "$KERNEL_TESTS/so_txtime" ] || skip_all "no tests of the kernel: set KERNEL_TESTS"
modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
WORK=$(mktemp -d) SAID_FQ=$(mktemp) REAL_TC=$(command -v tc)
export SAID_FQ REAL_TC
trap 'rm -rf "$WORK" "$SAID_FQ"; cleanup' EXIT
wrapper >"$WORK/tc"
chmod +x "$WORK/tc"
original so_txtime.sh etf
original fq_band_pktlimit.sh
broken so_txtime.sh pfifo
broken fq_band_pktlimit.sh pfifo
finish
