#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# nonect drop: packets that cannot be marked are dropped as they leave, and no parent loses count.
#
# +------------+      +----------------------------------------+      +------------+
# | H1         |      | R                                      |      |         H2 |
# |  192.0.2.1 |      |  r2: tbf (holds, then releases)        |      |            |
# |         h1 +------+ r1   prio, drr, ets, htb or nothing    +------+ h2         |
# |            |      |        ecnsharp nonect drop            |      | 198.51.100.2
# +------------+      +----------------------------------------+      +------------+
#
# tbf asks by ->peek, prio passes that on, drr and ets peek at their classes themselves, htb takes.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

FILL=30		# packets waiting
ABOVE=10	# packets left behind up to which none is dropped

# The level is what is left behind, 1 ns a byte; packets are judged by their place in the queue alone.
ECNSHARP=(ecnsharp signal length rate 8gbit persistent off nonect drop)

# A parent NAME between tbf (1:) and ecnsharp (10:) has handle 2:.
under_tbf()
{
	rtc qdisc add dev r2 parent 1:1 handle 10: "${ECNSHARP[@]}" "$@"
}

under_prio()
{
	rtc qdisc add dev r2 parent 1:1 handle 2: prio bands 3 priomap 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
	rtc qdisc add dev r2 parent 2:2 handle 10: "${ECNSHARP[@]}" "$@"
}

under_ets()
{
	rtc qdisc add dev r2 parent 1:1 handle 2: ets strict 1 quanta 3000 3000 priomap 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
	rtc qdisc add dev r2 parent 2:2 handle 10: "${ECNSHARP[@]}" "$@"
}

# The strict band of ets dequeues by another path than the others.
under_ets_strict()
{
	rtc qdisc add dev r2 parent 1:1 handle 2: ets strict 2 priomap 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
	rtc qdisc add dev r2 parent 2:2 handle 10: "${ECNSHARP[@]}" "$@"
}

under_drr()
{
	rtc qdisc add dev r2 parent 1:1 handle 2: drr
	rtc class add dev r2 parent 2: classid 2:1 drr quantum 1600
	rtc filter add dev r2 parent 2: protocol all matchall classid 2:1
	rtc qdisc add dev r2 parent 2:1 handle 10: "${ECNSHARP[@]}" "$@"
}

under_htb()
{
	rtc qdisc add dev r2 parent 1:1 handle 2: htb default 1
	rtc class add dev r2 parent 2: classid 2:1 htb rate 1gbit quantum 1600
	rtc qdisc add dev r2 parent 2:1 handle 10: "${ECNSHARP[@]}" "$@"
}

# Everything above ecnsharp is empty: none has lost count.
expect_drained()
{
	local handle

	for handle in 1: 2: 10:; do
		[ "$handle" != 2: ] || [ "$1" != tbf ] || continue
		stats $handle
		expect "qlen of $handle" "${STAT[qlen]}" 0
		expect "backlog of $handle" "${STAT[backlog]}" 0
	done
}

# A queue of one packet after the other still gets through: the parents have not put us to sleep.
expect_alive()
{
	local before

	before=$(stat 10: packets)
	listen 3
	send 4 3 1000 0
	received
	stats 10:
	expect "packets after the drops" "${STAT[packets]}" $((before + 3))
}

# How many are dropped is known to the packet.
drops()
{
	local parent=$1 length dropped

	hold
	"under_$parent"
	empty_bucket
	send 4 $FILL 1000 0
	# The next packet is kept in ecnsharp by parents that peek, and in the parent by the others.
	stats 10:
	expect_stat qlen=$((FILL - PARKS[$parent]))
	length=$((STAT[backlog] / STAT[qlen]))
	stats 1:
	expect_stat qlen=$FILL backlog=$((FILL * length))
	rtc qdisc change dev r2 handle 10: parent "${STAT_PARENT[$parent]}" ecnsharp ins_target $((ABOVE * length))ns
	# FILL - 1 waiting packets leave FILL - 1 to 1 behind.
	dropped=$((FILL - 1 - ABOVE))
	listen $((FILL + 1 - dropped))
	release
	received
	expect_stat not_ect=$((FILL + 1 - dropped)) ce=0
	stats 10:
	expect_stat nonect_dropped=$dropped drops=$dropped nonect_passed=0 ins_marks=0 nonect_seen=$((FILL + 2)) \
		packets=$((FILL + 2 - dropped)) tx_packets=$((FILL + 2 - dropped)) memory_bytes=0
	expect_drained "$parent"
	expect_alive
	result "$parent: drops what it cannot mark, and the parents know"
}

# ECN-capable packets are marked where the others are dropped.
mixed()
{
	local parent=$1

	hold
	"under_$parent" ins_target 1ns
	empty_bucket
	send 4 10 1000 021
	stats 1:
	expect_stat qlen=30
	# The first of the not-ECT is parked and gone, the other 9 leave something behind.
	listen 22
	release
	received
	expect_stat not_ect=2 ce=20 ect0=0 ect1=0
	stats 10:
	expect_stat nonect_dropped=9 ins_marks=20
	expect_drained "$parent"
	result "$parent: marks and drops side by side"
}

# The queue would lose all its packets but the last.
all_but_one()
{
	local parent=$1

	hold
	"under_$parent" ins_target 1ns
	empty_bucket
	send 4 $FILL 1000 0
	listen 2
	release
	received
	stats 10:
	expect_stat nonect_dropped=$((FILL - 1))
	expect_drained "$parent"
	expect_alive
	result "$parent: a packet that leaves nothing behind is never dropped"
}

# As fast as they come, through a bottleneck, sojourn times and all; limits refuse packets too.
flooded()
{
	local parent=$1 sent=1000 passed

	rtc qdisc del dev r2 root
	rtc qdisc add dev r2 root handle 1: tbf rate 10mbit burst 5kb limit 10mb
	"under_$parent" limit 100
	rtc qdisc change dev r2 handle 10: parent "${STAT_PARENT[$parent]}" ecnsharp signal sojourn \
		ins_target 100us persistent on pst_target 50us pst_interval 1ms
	send 4 $sent 1000 0
	busywait stat_is 1: qlen 0
	expect_drained "$parent"
	stats 10:
	passed=$((STAT[packets] + STAT[nonect_dropped] + STAT[drop_limit]))
	expect "passed and dropped" "$passed" $sent
	expect_stat drops=$((STAT[nonect_dropped] + STAT[drop_limit]))
	expect_ge nonect_dropped "${STAT[nonect_dropped]}" 1
	expect_alive
	result "$parent: a flood is accounted for to the packet"
}

# notified: how often htb was notified that a class ran empty
notified()
{
	grep -c notified: "$TRACE/trace" || true
}

# htb must not be notified that a class is empty while it dequeues from it: it would remove the class from its lists twice. Of
# these parents only htb dequeues without a peek.
never_notified_empty()
{
	local name="htb: is not notified of an empty class while it dequeues"

	if ! echo "p:$PROBE htb_qlen_notify" 2>/dev/null >>/sys/kernel/tracing/kprobe_events; then
		result_skip "$name" "needs kprobes"
		return 0
	fi
	hold
	under_htb ins_target 1ns
	empty_bucket
	send 4 $FILL 1000 0
	mkdir "$TRACE"
	echo 1 >"$TRACE/events/$PROBE/enable"
	listen 2
	release
	received
	stats 10:
	expect_stat nonect_dropped=$((FILL - 1))
	expect "notifications of htb" "$(notified)" 0
	# A queue that is thrown away is notified: the probe works.
	# shellcheck disable=SC2086 # several arguments
	retune $HOLD_TBF
	send 4 5 1000 0
	rtc qdisc replace dev r2 parent 2:1 handle 11: pfifo
	expect_ge "notifications of htb in the end" "$(notified)" 1
	result "$name"
}

remove_probe()
{
	if [ -d "$TRACE" ]; then
		echo 0 >"$TRACE/events/$PROBE/enable"
		rmdir "$TRACE"
		echo "-:$PROBE" >>/sys/kernel/tracing/kprobe_events
	fi
	cleanup
}

# htb at the root takes packets instead of peeking.
htb_at_the_root()
{
	local sent=1000

	rtc qdisc del dev r2 root
	rtc qdisc add dev r2 root handle 1: htb default 1
	rtc class add dev r2 parent 1: classid 1:1 htb rate 10mbit burst 5kb quantum 1600
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp nonect drop limit 100 ins_target 100us persistent off
	send 4 $sent 1000 0
	busywait stat_is 1: qlen 0
	stats 10:
	expect_stat qlen=0 backlog=0 drops=$((STAT[nonect_dropped] + STAT[drop_limit]))
	expect "passed and dropped" $((STAT[packets] + STAT[drops])) $sent
	expect_ge nonect_dropped "${STAT[nonect_dropped]}" 1
	stats 1:
	expect_stat qlen=0 backlog=0
	expect_alive
	result "htb at the root: a flood is accounted for to the packet"
}

require
declare -A STAT_PARENT=([tbf]=1:1 [prio]=2:2 [ets]=2:2 [ets_strict]=2:2 [drr]=2:1 [htb]=2:1)
# 1 if the packet at the head waits in the parent
declare -A PARKS=([tbf]=0 [prio]=0 [ets]=1 [ets_strict]=1 [drr]=1 [htb]=1)
setup_path
TRACE=/sys/kernel/tracing/instances/ecnsharp-$$
PROBE=ecnsharp_$$/notified
trap remove_probe EXIT
for parent in tbf prio ets ets_strict drr htb; do
	drops $parent
	mixed $parent
	all_but_one $parent
	flooded $parent
done
never_notified_empty
htb_at_the_root
finish
