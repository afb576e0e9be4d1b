#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module comes and goes cleanly; so do its qdiscs with their devices and namespaces.
#
# +------------+      +------------------------+      +--------------+
# | H1      h1 +------+ r1   R   r2: ecnsharp  +------+ h2        H2 |
# |  192.0.2.1 |      |                        |      | 198.51.100.2 |
# +------------+      +------------------------+      +--------------+

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

users()
{
	cat /sys/module/sch_ecnsharp/refcnt
}

in_use()
{
	local before

	before=$(users)
	rtc qdisc add dev r2 root handle 1: ecnsharp
	expect "users" "$(users)" $((before + 1))
	expect_refused "rmmod" "in use" rmmod sch_ecnsharp
	expect_done "the qdisc" rtc qdisc change dev r2 handle 1: root ecnsharp limit 5
	rtc qdisc del dev r2 root
	expect "users" "$(users)" "$before"
	result "rmmod is refused while a qdisc is there"
}

rounds()
{
	local before round

	before=$(users)
	for round in $(seq 50); do
		echo "qdisc add dev r2 root handle 1: ecnsharp limit $round"
		echo "qdisc change dev r2 root handle 1: ecnsharp nonect drop"
		echo "qdisc del dev r2 root"
	done | expect_done "fifty rounds" rtc -batch -
	expect "users" "$(users)" "$before"
	result "fifty rounds of add, change, delete"
}

refused_adds()
{
	local before round

	before=$(users)
	for round in 1 2 3 4 5; do
		expect_refused "add $round" "must not both be off" \
			rtc qdisc add dev r2 root handle 1: ecnsharp instantaneous off persistent off
	done
	expect "users" "$(users)" "$before"
	result "a refused add leaves no user behind"
}

many_queues()
{
	local queue

	ip -n "$R" link add mq0 numtxqueues 8 type dummy
	ip -n "$R" link set mq0 up
	rtc qdisc add dev mq0 root handle 1: mq
	for queue in 1 2 3 4 5 6 7 8; do
		rtc qdisc add dev mq0 parent 1:$queue handle 1$queue: ecnsharp limit $queue
	done
	ip -n "$R" addr add 198.51.100.129/25 dev mq0
	ip -n "$R" neigh add 198.51.100.130 lladdr 02:00:00:00:00:99 dev mq0 nud permanent
	for queue in 1 2 3 4 5 6 7 8; do
		ip netns exec "$R" "$UDP" send 198.51.100.130 5 1000 0
	done
	local packets=0
	for queue in 1 2 3 4 5 6 7 8; do
		stats 1$queue: "$R" mq0
		packets=$((packets + STAT[packets]))
	done
	expect "packets of all queues" $packets 40
	stats 1: "$R" mq0
	expect_stat packets=40 qlen=0 backlog=0
	rtc qdisc change dev mq0 parent 1:3 handle 13: ecnsharp limit 33
	rtc qdisc replace dev mq0 parent 1:4 handle 24: pfifo
	rtc qdisc del dev mq0 parent 1:5 handle 15:
	ip -n "$R" link del mq0
	result "at every queue of mq"
}

# Namespaces go while packets are queued and more arrive.
teardown()
{
	local before round

	before=$(users)
	for round in 1 2 3; do
		setup_path
		rtc qdisc add dev r2 root handle 1: tbf rate 10mbit burst 5kb limit 1mb
		rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp ins_target 1ns
		flood 4 100 1000 02
		busywait stat_ge 10: packets 50
		ip netns del "$R"
		ip netns del "$H2"
		stop_flood
		ip netns del "$H1"
		NAMESPACES=()
	done
	busywait users_are "$before"
	expect "users" "$(users)" "$before"
	result "namespaces deleted under traffic, three times"
}

users_are()
{
	[ "$(users)" = "$1" ]
}

unload()
{
	local round

	if [ "$(users)" != 0 ] || ! modinfo sch_ecnsharp >/dev/null 2>&1; then
		result_skip "rmmod and modprobe" "others use the module, or modprobe does not find it"
		return
	fi
	for round in 1 2 3; do
		expect_done "rmmod $round" rmmod sch_ecnsharp
		expect_done "modprobe $round" modprobe sch_ecnsharp
	done
	result "rmmod and modprobe, three times"

	rmmod sch_ecnsharp
	setup_path
	expect_done "adding a qdisc without the module" rtc qdisc add dev r2 root handle 1: ecnsharp
	expect "module there" "$([ -d /sys/module/sch_ecnsharp ] && echo yes)" yes
	result "the kernel loads the module by its alias"
}

require
setup_path
in_use
rounds
refused_adds
many_queues
ip netns del "$H1"
ip netns del "$R"
ip netns del "$H2"
NAMESPACES=()
teardown
unload
finish
