#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tracepoints say what the counters say. In an instance of tracefs of our own.
#
# +------------+      +-----------------------------+      +--------------+
# | H1      h1 +------+ r1   R   r2: tbf, ecnsharp  +------+ h2        H2 |
# |  192.0.2.1 |      |                             |      | 198.51.100.2 |
# +------------+      +-----------------------------+      +--------------+

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

FILL=20

lines()
{
	grep -c "$1" "$TRACE/trace" || true
}

# fill and release: see ecnsharp_mark.sh
run()
{
	hold
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp signal length rate 8gbit "$@"
	empty_bucket
	send 4 $FILL 1000 2
	echo >"$TRACE/trace"
	listen $((FILL + 1))
	release
	heard
	stats 10:
}

marks()
{
	run persistent off ins_target 1ns
	expect_stat ins_marks=$((FILL - 1))
	expect "lines of ecnsharp_mark" "$(lines ecnsharp_mark:)" $((FILL - 1))
	expect "of them by the instantaneous signal" "$(lines 'ecnsharp_mark:.* handle=10:0 parent=1:1 .* by=i .*count=0')" \
		$((FILL - 1))
	expect "lines about episodes" "$(lines ecnsharp_episode)" 0
	result "every mark is traced"
}

episodes()
{
	run instantaneous off pst_target 1ns pst_interval 1us
	expect "lines of ecnsharp_mark" "$(lines 'ecnsharp_mark:.* by=p ')" "${STAT[pst_marks]}"
	expect_ge "persistent marks" "${STAT[pst_marks]}" 1
	expect "episodes" "${STAT[pst_episodes]}" 1
	expect "lines of ecnsharp_episode_begin" "$(lines 'ecnsharp_episode_begin:.*count=1$')" 1
	expect "lines of ecnsharp_episode_end" "$(lines "ecnsharp_episode_end:.*count=${STAT[pst_marks]}\$")" 1
	result "both ends of an episode are traced"
}

remove_instance()
{
	rmdir "$TRACE" 2>/dev/null || true
	cleanup
}

require
[ -w /sys/kernel/tracing/instances ] || skip_all "needs tracefs at /sys/kernel/tracing"
setup_path
TRACE=/sys/kernel/tracing/instances/ecnsharp-$$
mkdir "$TRACE"
trap remove_instance EXIT
echo 1 >"$TRACE/events/ecnsharp/enable"
marks
episodes
echo 0 >"$TRACE/events/ecnsharp/enable"
finish
