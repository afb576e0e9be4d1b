#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Everything can be changed while packets flow, and nothing is lost track of.
#
# +------------+      +-----------------------------+      +--------------+
# | H1      h1 +------+ r1   R   r2: tbf, ecnsharp  +------+ h2        H2 |
# |  192.0.2.1 |      |                             |      | 198.51.100.2 |
# +------------+      +-----------------------------+      +--------------+

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

# shown ARGS: the qdisc shows them
shown()
{
	rtc -d qdisc show dev r2 | grep -qF -- "$1"
}

expect_flow()
{
	local now

	now=$(stat 10: packets)
	busywait stat_ge 10: packets $((now + 20))
}

# change ARGS [SHOWN]
change()
{
	# shellcheck disable=SC2086 # several arguments
	expect_done "change $1" rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp $1
	expect_done "showing ${2-$1}" shown "${2-$1}"
	expect_flow
	result "under traffic: $1"
}

changes()
{
	change "limit 50" "limit 50p"
	change "memory_limit 1mb" "memory_limit 1Mb"
	change "ins_target 1ms"
	change "pst_target 1ns"
	change "pst_interval 1us"
	change "preset simulation" "ins_target 220us pst_target 10us pst_interval 240us"
	change "rtt_avg 100us rtt_tail 200us transport dctcp" "transport dctcp"
	change "lambda 0.5"
	change "kmin 10us kmax 1ms pmax 0.5"
	change "ins_target 1ns"
	change "signal length rate 1gbit" "signal length rate 1Gbit"
	change "kmin 1kb kmax 100kb pmax 0.5" "kmin 1Kb kmax 100Kb pmax 0.5"
	change "ins_target 1us signal sojourn" "ins_target 1us"
	change "instantaneous off"
	change "instantaneous on persistent off" "instantaneous on persistent off"
	change "persistent on"
	change "nonect drop"
	change "nonect pass"
	change "split_gso on"
	change "split_gso off"
	change "bypass on"
	change "bypass off"
	change "limit 1" "limit 1p"
	change "limit 1000" "limit 1000p"
}

# The kernel reads our counters and its own one after the other: what leaves in between is in one of them.
agrees()
{
	stats 10:
	[ "${STAT[tx_packets]} ${STAT[tx_bytes]}" = "${STAT[packets]} ${STAT[bytes]}" ]
}

# Counters only grow, whatever is changed.
monotone()
{
	local key
	local -A before

	stats 10:
	for key in "${!STAT[@]}"; do
		before[$key]=${STAT[$key]}
	done
	rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp ins_target 1ns pst_target 1ns pst_interval 1us
	expect_flow
	stats 10:
	for key in bytes packets drops overlimits ins_marks pst_marks both_marks ce_seen nonect_seen nonect_passed \
		nonect_dropped mark_failed pst_saturated pst_episodes drop_limit drop_memory_limit tx_packets tx_bytes \
		marked_bytes backlog_byte_us sojourn_max_ns split_gso drop_gso stamp_ns; do
		expect_ge "$key" "${STAT[$key]}" "${before[$key]}"
	done
	expect_ge "backlog_byte_us" "${STAT[backlog_byte_us]}" $((before[backlog_byte_us] + 1))
	busywait agrees
	result "counters never go back"
}

replaced()
{
	local round

	for round in 1 2 3 4 5; do
		expect_done "replacing by pfifo" rtc qdisc replace dev r2 parent 1:1 handle 11: pfifo limit 100
		expect_done "replacing by ecnsharp" rtc qdisc replace dev r2 parent 1:1 handle 10: ecnsharp limit $((100 + round))
		expect_done "deleting" rtc qdisc del dev r2 parent 1:1 handle 10:
		expect_done "adding" rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp
	done
	expect_flow
	result "under traffic: replaced, deleted and added, five times"
}

at_the_root()
{
	local round

	for round in 1 2 3 4 5; do
		expect_done "replacing the root by ecnsharp" rtc qdisc replace dev r2 root handle 20: ecnsharp ins_target "${round}ns"
		expect_done "replacing the root by tbf" rtc qdisc replace dev r2 root handle 1: tbf rate 50mbit burst 5kb limit 1mb
		expect_done "adding" rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp
	done
	expect_flow
	result "under traffic: at the root and back, five times"
}

flooded()
{
	rtc qdisc del dev r2 root
	rtc qdisc add dev r2 root handle 1: tbf rate 50mbit burst 5kb limit 1mb
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp
	flood 4 100 1000 0123
	expect_flow
	changes
	monotone
	replaced
	at_the_root
	stop_flood
}

# A limit below the backlog: the oldest packets are dropped, the parent's counters follow, the rest is delivered. The packet
# that tbf has peeked at was already judged and counted as sent; it stays.
shrink()
{
	hold
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp
	empty_bucket
	send 4 50 1000 2
	stats 10:
	local each=$((STAT[backlog] / 50))
	expect_stat qlen=50
	rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp limit 10
	stats 10:
	local backlog=${STAT[backlog]}
	expect_stat qlen=10 backlog=$((10 * each)) drop_limit=40 drops=40
	stats 1:
	expect_stat qlen=10 backlog="$backlog"
	rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp limit 11
	listen 11
	release
	received
	stats 10:
	expect_stat qlen=0 backlog=0 memory_bytes=0 tx_packets=12 packets=12
	stats 1:
	expect_stat qlen=0 backlog=0
	result "limit lowered below the backlog"

	hold
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp
	empty_bucket
	send 4 100 1000 2
	stats 10:
	each=$((STAT[memory_bytes] / 99))
	rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp memory_limit 64kb
	stats 10:
	# Only what has memory here goes: one is parked.
	expect_stat qlen=$((1 + 65536 / each)) memory_bytes=$((65536 / each * each))
	local qlen=${STAT[qlen]} backlog=${STAT[backlog]}
	expect "queued and dropped" $((qlen + STAT[drop_memory_limit])) 100
	expect_ge drop_memory_limit "${STAT[drop_memory_limit]}" 1
	expect_ge "memory_limit" 65536 "${STAT[memory_bytes]}"
	stats 1:
	expect_stat qlen="$qlen" backlog="$backlog"
	result "memory_limit lowered below the backlog"

	rtc qdisc replace dev r2 parent 1:1 handle 11: pfifo
	stats 1:
	expect_stat qlen=0 backlog=0
	result "replaced with a backlog: the parent is notified"
}

now_us()
{
	echo "${EPOCHREALTIME//[!0-9]/}"
}

# The integral grows by what waits in the queue, for as long as it waits; what a parent has parked waits in the parent.
integral()
{
	local waiting=10 before after outer inner length grown stamp exact

	hold
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp
	empty_bucket
	send 4 1 1000 2
	stats 10:
	expect_stat qlen=1
	length=${STAT[backlog]} before=${STAT[backlog_byte_us]}
	sleep 0.1
	stats 10:
	expect_stat backlog="$length" backlog_byte_us="$before"
	result "backlog_byte_us: a parked packet does not count"

	send 4 $waiting 1000 2
	outer=$(now_us)
	stats 10:
	before=${STAT[backlog_byte_us]} stamp=${STAT[stamp_ns]} inner=$(now_us)
	expect_stat qlen=$((waiting + 1))
	sleep 0.1
	inner=$(($(now_us) - inner))
	stats 10:
	after=${STAT[backlog_byte_us]} outer=$(($(now_us) - outer))
	grown=$((after - before))
	# Each clock may have rounded by a microsecond.
	expect_ge "growth over $inner us" "$grown" $((waiting * length * (inner - 2)))
	expect_ge "growth over $outer us at most" $((waiting * length * (outer + 2))) "$grown"
	result "backlog_byte_us: what waits counts, while it waits"

	# Both readings round down to whole byte-us.
	stamp=$((STAT[stamp_ns] - stamp))
	exact=$((waiting * length * stamp / 1000))
	expect_ge "time between the readings" "$stamp" $(((inner - 2) * 1000))
	expect_ge "time between the readings at most" $(((outer + 2) * 1000)) "$stamp"
	expect_ge "growth over $stamp ns" "$grown" "$exact"
	expect_ge "growth over $stamp ns at most" $((exact + 1)) "$grown"
	result "stamp_ns: the backlog's integral is as of that moment"
}

# A reset (the link goes down) throws the queue away.
reset()
{
	hold
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp
	empty_bucket
	send 4 50 1000 2
	ip -n "$R" link set r2 down
	stats 10:
	expect_stat qlen=0 backlog=0 memory_bytes=0 pst_state=0
	stats 1:
	expect_stat qlen=0 backlog=0
	ip -n "$R" link set r2 up
	result "the link went down: the queue is empty"
}

# At the root what meets an empty queue passes it, if it may: the stack counts it, and nobody judges it.
bypass()
{
	rtc qdisc replace dev r2 root handle 10: ecnsharp ins_target 1ns bypass on
	send 4 20 1000 2
	expect_stat_of 10: packets=20 tx_packets=0 drops=0 qlen=0 backlog=0
	expect tx_bytes "${STAT[tx_bytes]}" "${STAT[bytes]}"
	result "bypass on: what meets an empty queue passes it"

	rtc qdisc change dev r2 root handle 10: ecnsharp bypass off
	send 4 20 1000 2
	expect_stat_of 10: packets=40 tx_packets=20 drops=0 qlen=0 backlog=0
	result "bypass off, by change: it is queued again"

	rtc qdisc change dev r2 root handle 10: ecnsharp bypass on
	send 4 20 1000 2
	expect_stat_of 10: packets=60 tx_packets=20 drops=0 qlen=0 backlog=0
	result "bypass on, by change: it passes again"

	rtc qdisc replace dev r2 root handle 1: tbf rate 50mbit burst 5kb limit 1mb
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp ins_target 1ns bypass on
	send 4 20 1000 2
	busywait stat_ge 10: packets 20
	expect_stat_of 10: packets=20 tx_packets=20
	result "bypass on: nothing passes a queue below a parent"
	rtc qdisc del dev r2 root
}

# expect_stat_of HANDLE NAME=VALUE...
expect_stat_of()
{
	stats "$1"
	shift
	expect_stat "$@"
}

require
setup_path
bypass
shrink
integral
flooded
reset
finish
