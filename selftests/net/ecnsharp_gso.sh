#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# GSO packets: a mark reaches every segment; split_gso queues and counts segments one by one.
#
# +------------+      +------------------------+      +--------------+
# | H1      h1 +------+ r1   R   r2: ecnsharp  +------+ h2        H2 |
# |  192.0.2.1 |      |                        |      | 198.51.100.2 |
# +------------+      +------------------------+      +--------------+

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

SEGMENTS=10 SEGMENT=1000 BUFFERS=4

# Sends BUFFERS of SEGMENTS each.
send_gso()
{
	send "$1" $BUFFERS $((SEGMENTS * SEGMENT)) "$2" $SEGMENT
}

whole()
{
	local path=$1

	rtc qdisc replace dev r2 root handle 10: pfifo
	rtc qdisc replace dev r2 root handle 1: ecnsharp ins_target 1ns persistent off
	listen $((2 * BUFFERS * SEGMENTS))
	send_gso "$path" 02
	received
	expect_stat ce=$((BUFFERS * SEGMENTS)) not_ect=$((BUFFERS * SEGMENTS)) ect0=0
	stats 1:
	expect_stat tx_packets=$((2 * BUFFERS)) ins_marks=$BUFFERS nonect_seen=$BUFFERS split_gso=0 \
		marked_bytes=$((STAT[tx_bytes] / 2)) packets=$((2 * BUFFERS * SEGMENTS))
	result "a mark on a GSO packet is on each of its segments: $path"
}

split()
{
	local path=$1

	rtc qdisc replace dev r2 root handle 10: pfifo
	rtc qdisc replace dev r2 root handle 1: ecnsharp ins_target 1ns persistent off split_gso on
	listen $((2 * BUFFERS * SEGMENTS))
	send_gso "$path" 02
	received
	expect_stat ce=$((BUFFERS * SEGMENTS)) not_ect=$((BUFFERS * SEGMENTS))
	stats 1:
	expect_stat tx_packets=$((2 * BUFFERS * SEGMENTS)) ins_marks=$((BUFFERS * SEGMENTS)) \
		split_gso=$((2 * BUFFERS)) qlen=0 backlog=0 memory_bytes=0
	result "split_gso marks segments one by one: $path"
}

# under PARENT: ecnsharp (10:) below tbf (1:), below prio (2:) if selected
under()
{
	local parent=$1

	shift
	hold
	if [ "$parent" = prio ]; then
		rtc qdisc add dev r2 parent 1:1 handle 2: prio bands 3 priomap 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
		PARENT=2:2
	else
		PARENT=1:1
	fi
	rtc qdisc add dev r2 parent $PARENT handle 10: ecnsharp "$@"
	empty_bucket
}

# The backlog that the parents have must be that of the queue.
expect_agreed()
{
	local qlen backlog handle

	stats 10:
	qlen=${STAT[qlen]} backlog=${STAT[backlog]}
	expect "qlen" "$qlen" "$2"
	for handle in 1: 2:; do
		[ "$handle" != 2: ] || [ "$1" = prio ] || continue
		stats $handle
		expect "qlen of $handle" "${STAT[qlen]}" "$qlen"
		expect "backlog of $handle" "${STAT[backlog]}" "$backlog"
	done
}

counts()
{
	local parent=$1 queued=$((BUFFERS * SEGMENTS))

	under "$parent" split_gso on ins_target 1ns persistent off
	send_gso 4 2
	expect_agreed "$parent" $queued
	listen $((queued + 1))
	release
	received
	expect_stat ce=$queued
	expect_agreed "$parent" 0
	result "split_gso: $parent counts segments"

	under "$parent" split_gso off ins_target 1ns persistent off
	send_gso 4 2
	expect_agreed "$parent" $BUFFERS
	listen $((queued + 1))
	release
	received
	expect_stat ce=$queued
	expect_agreed "$parent" 0
	result "GSO packets whole: $parent counts packets"
}

# The limit is reached within a GSO packet: the rest of it is refused, none is forgotten.
limit_within()
{
	local parent=$1 limit=25 queued=$((BUFFERS * SEGMENTS))

	under "$parent" split_gso on limit $limit
	send_gso 4 0
	expect_agreed "$parent" $limit
	expect_stat_of_ecnsharp drop_limit=$((queued - limit))
	result "split_gso: $parent and a limit within a GSO packet"

	rtc qdisc change dev r2 parent $PARENT handle 10: ecnsharp limit 4
	expect_agreed "$parent" 4
	expect_stat_of_ecnsharp drop_limit=$((queued - 4))
	send_gso 4 0
	expect_agreed "$parent" 4
	expect_stat_of_ecnsharp drop_limit=$((2 * queued - 4))
	listen 4
	release		# whose own packet finds no space
	received
	expect_agreed "$parent" 0
	result "split_gso: $parent and a queue that is full"
}

expect_stat_of_ecnsharp()
{
	stats 10:
	expect_stat "$@"
}

# Notifications to drr that a class became empty, by a probe in an instance of tracefs of our own.
PROBE=ecnsharp_gso_$$

set_probe()
{
	[ -w /sys/kernel/tracing/kprobe_events ] && modprobe -q sch_drr || return 1
	echo "p:$PROBE drr_qlen_notify" >>/sys/kernel/tracing/kprobe_events 2>/dev/null || return 1
	TRACE=/sys/kernel/tracing/instances/$PROBE
	trap remove_probe EXIT
	mkdir "$TRACE" && echo 1 >"$TRACE/events/kprobes/$PROBE/enable"
}

remove_probe()
{
	rmdir "$TRACE" 2>/dev/null || true
	echo "-:$PROBE" >>/sys/kernel/tracing/kprobe_events
	cleanup
}

notified()
{
	grep -c "$PROBE" "$TRACE/trace" || true
}

# below_drr: drr (3:) below tbf (1:), where it parks the first packet that it is given
below_drr()
{
	hold
	rtc qdisc add dev r2 parent 1:1 handle 3: drr
	rtc class add dev r2 parent 3: classid 3:1 drr
	rtc filter add dev r2 parent 3: protocol all matchall classid 3:1
}

# One segment fits: a parent that counts no packet yet must not be taken for one that became empty.
one_of_many()
{
	if ! set_probe; then
		result_skip "split_gso: one segment below prio below drr" "needs sch_drr and kprobes"
		return
	fi
	below_drr
	rtc qdisc add dev r2 parent 3:1 handle 2: prio bands 3 priomap 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
	rtc qdisc add dev r2 parent 2:2 handle 10: ecnsharp split_gso on limit 1
	empty_bucket
	echo >"$TRACE/trace"
	send_gso 4 0
	expect "notifications of drr of an empty class" "$(notified)" 0
	expect_stat_of_ecnsharp qlen=1 drop_limit=$((BUFFERS * SEGMENTS - 2))
	local backlog=${STAT[backlog]}
	stats 2:
	expect_stat qlen=1 backlog="$backlog"
	stats 3:
	expect_stat qlen=2
	listen 2
	release		# whose own packet finds no space
	received
	for handle in 10: 2: 3: 1:; do
		stats $handle
		expect_stat qlen=0 backlog=0
	done
	result "split_gso: one segment below prio below drr"

	below_drr
	rtc qdisc add dev r2 parent 3:1 handle 10: ecnsharp split_gso on limit 1
	empty_bucket
	send_gso 4 0
	echo >"$TRACE/trace"
	rtc qdisc replace dev r2 parent 3:1 handle 11: pfifo
	expect "notifications of drr of a class whose qdisc went with its packet" "$(notified)" 1
	stats 3:
	expect_stat qlen=1
	result "a qdisc that goes with one segment leaves drr the packet that is parked"
}

# GSO packets, from r itself, that have a TCP header but a protocol that nobody can segment.
send_unsplittable()
{
	ip netns exec "$R" python3 -c '
import socket, struct
SOL_PACKET, PACKET_VNET_HDR, PROTOCOL = 263, 15, 0x88b5
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
out.bind(("r2", PROTOCOL))
# Checksum to be made at 34 + 16, TCPv4, 54 bytes of headers, segments of 1000.
header = struct.pack("=BBHHHH", 1, 1, 54, 1000, 34, 16)
frame = bytes.fromhex("020000000022020000000021") + struct.pack("!H", PROTOCOL) + bytes(20)
frame += bytes(12) + bytes([5 << 4]) + bytes(2980)  # the length of the TCP header is looked at
for _ in range(3):
    try:
        out.send(header + frame)
    except OSError as why:
        if why.errno != 105:  # ENOBUFS: the qdisc dropped it
            raise'
}

cannot_split()
{
	local dropped

	rtc qdisc del dev r2 root
	rtc qdisc add dev r2 root handle 1: ecnsharp split_gso on
	expect_done "sending" send_unsplittable
	stats 1:
	dropped=${STAT[drops]}
	expect_stat drop_gso=3 drops=3 drop_limit=0 drop_memory_limit=0 split_gso=0 qlen=0 backlog=0
	rtc qdisc change dev r2 root handle 1: ecnsharp split_gso off
	expect_done "sending" send_unsplittable
	stats 1:
	expect_stat drop_gso="$dropped" tx_packets=3
	result "a GSO packet that cannot be segmented is counted as such"
}

require python3
setup_path
for path in 4 6; do
	whole $path
	split $path
done
for parent in tbf prio; do
	counts $parent
	limit_within $parent
done
one_of_many
cannot_split
finish
