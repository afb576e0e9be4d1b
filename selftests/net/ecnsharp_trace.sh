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
SLOW_TBF="rate 100kbit burst 2000 limit 1mb"	# 85 ms a packet

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
	received
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

# Packets that come at once and leave one by one: the second is parked, alone, as it comes, the third begins what is
# observed when the second leaves, and from the fourth on every one is marked; the last leaves nothing behind.
queue()
{
	rtc qdisc del dev r2 root
	# shellcheck disable=SC2086 # several arguments
	rtc qdisc add dev r2 root handle 1: tbf $SLOW_TBF
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp instantaneous off pst_target 1ns pst_interval 1us
	echo >"$TRACE/trace"
	send 4 "$1" 1000 2
}

# The marks of an episode are counted up, by the last as by the others; $1 of them, and one end.
expect_counted_up()
{
	expect "counts of the marks" "$(sed -n 's/.*ecnsharp_mark:.* by=p .*count=//p' "$TRACE/trace" | xargs)" \
		"$(seq "$1" | xargs)"
	expect "counts at the end" "$(sed -n 's/.*ecnsharp_episode_end:.*count=//p' "$TRACE/trace" | xargs)" "$1"
}

runs_empty()
{
	queue 8
	busywait stat_is 1: qlen 0
	stats 10:
	expect_ge "persistent marks" "${STAT[pst_marks]}" 2
	expect_stat pst_episodes=1 pst_state=0 pst_count=0
	expect_counted_up "${STAT[pst_marks]}"
	result "the packet that leaves the queue empty is the last of its episode"
}

# interrupted HOW COMMAND...: an episode is ended by a command
interrupted()
{
	local how=$1

	shift
	queue 30
	busywait stat_ge 10: pst_count 2
	# shellcheck disable=SC2086 # several arguments
	retune $HOLD_TBF
	# Another rate fills the bucket, for one more packet, which leaves when the next would have.
	sleep 0.2
	stats 10:
	expect_stat pst_state=1
	expect "ends before" "$(lines ecnsharp_episode_end)" 0
	expect_done "$how" "$@"
	expect_counted_up "${STAT[pst_count]}"
	result "an episode that ends by $how"
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
runs_empty
interrupted "persistent off" rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp instantaneous on persistent off
interrupted "a reset" ip -n "$R" link set r2 down
ip -n "$R" link set r2 up
interrupted "deleting the qdisc" rtc qdisc del dev r2 root
echo 0 >"$TRACE/events/ecnsharp/enable"
finish
