#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# TCP by iperf3 through onramp, as through fq in the same boot: CUBIC and BBR, with and without an acker, and paced.
#
# +----------------------+      +-----------------------+      +------------------+
# | H1   h1: fq, onramp  +------+ r1   R   r2: tbf      +------+ h2: acker     H2 |
# |           192.0.2.1  |      |                       |      | 198.51.100.2     |
# +----------------------+      +-----------------------+      +------------------+
#
# Times are compared with fq's, never with a clock.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

: "${BYTES:=4000000}"
TO=198.51.100.2
HOLD=(mode hold clock system error 1us)

# ctl NS ARGS...
ctl()
{
	local ns=$1

	shift
	ip netns exec "$ns" onrampctl "$@"
}

# sum KEY: one of core's counters in H1
sum()
{
	json_number "$(ctl "$H1" -j stats)" "\"$1\":"
}

# sender ARGS...: the qdisc at h1
sender()
{
	tc -n "$H1" qdisc del dev h1 root 2>/dev/null || true
	tc -n "$H1" qdisc add dev h1 root handle 1: "$@"
}

# near WHAT GOT OTHER PERCENT: they differ by so much at most
near()
{
	[ "$2" -ge $(($3 * (100 - $4) / 100)) ] && [ "$2" -le $(($3 * (100 + $4) / 100)) ] ||
		FINDINGS+=("$1 is $2, not within $4 % of $3")
}

# through CC: a transfer that loses nothing at h1
#
# The send buffer is small: its contents have not been sent when the sender is done, and more remains while the flow is held.
through()
{
	transfer "$1" $TO -w 256K
	expect_ge "bytes received" "$RECEIVED" $((BYTES * 2 / 3))	# when the sender was done
	stats 1: "$H1" h1
	expect_stat drops=0
}

# A bottleneck of 50 Mbit/s with a buffer of 40 ms, where packets wait or are dropped.
compared()
{
	local cc=$1 fq_ms before

	sender fq
	through "$cc"
	fq_ms=$MS
	sender onramp
	through "$cc"
	near "time" "$MS" "$fq_ms" 10
	result "$cc through onramp takes the time that it takes through fq ($MS and $fq_ms ms)"

	sender onramp "${HOLD[@]}"
	before=$(sum acks)
	through "$cc"
	near "time without an acker" "$MS" "$fq_ms" 10
	expect "acks" "$(sum acks)" "$before"
	result "$cc with mode hold and no acker: nothing is held"

	ctl "$H2" peers add 192.0.2.0/24
	before=$(sum holds)
	through "$cc"
	expect_ge "acks" "$(sum acks)" 10
	expect_ge "samples" "$(sum samples)" 10
	expect "samples without a clock" "$(sum no_clock)" 0
	expect_ge "holds" "$(sum holds)" $((before + 1))
	near "time with an acker" "$MS" "$fq_ms" 15
	ctl "$H2" peers del 192.0.2.0/24
	result "$cc with an acker: held while the queue is long, and still as fast ($MS and $fq_ms ms)"
}

# measured CC: gaps between packets of a flow at 20 Mbit/s at most, into GAPS: packets, 10, 50, 90 %
measured()
{
	local seen pid

	seen=$(mktemp)
	ip netns exec "$R" "$HERE/gaps.py" r1 >"$seen" &
	pid=$!
	PIDS+=("$pid")
	busywait grep -q ready "$seen"
	transfer "$1" $TO --fq-rate 20M
	kill "$pid"
	wait "$pid" || true
	read -r -a GAPS < <(tail -n 1 "$seen")
	rm -f "$seen"
}

paced()
{
	local cc=$1 fq_gaps fq_ms

	sender fq
	measured "$cc"
	fq_gaps=("${GAPS[@]}") fq_ms=$MS
	sender onramp
	measured "$cc"
	expect_ge "packets" "${GAPS[0]}" 50
	stats 1: "$H1" h1
	expect_ge "throttled by the qdisc" "${STAT[throttled]}" $((GAPS[0] / 2))
	near "packets" "${GAPS[0]}" "${fq_gaps[0]}" 10
	near "gap, median" "${GAPS[2]}" "${fq_gaps[2]}" 5
	near "gap, 10 %" "${GAPS[1]}" "${fq_gaps[1]}" 10
	near "gap, 90 %" "${GAPS[3]}" "${fq_gaps[3]}" 10
	near "time" "$MS" "$fq_ms" 10
	# 1000 bytes at 20 Mbit/s are 400 us: it was pacing that was measured.
	near "fq's gap, median" "${fq_gaps[2]}" 400000 10
	result "$cc is paced as under fq: ${GAPS[*]:1} and ${fq_gaps[*]:1} ns for 1000 bytes"
}

# queue NUMBER KEY: of lab0's byte queue limits
queue()
{
	ip netns exec "$H1" cat "/sys/class/net/lab0/queues/tx-$1/byte_queue_limits/$2"
}

# labnic is a NIC with rings, interrupts and byte queue limits; each of its queues gets onramp.
byte_queue_limits()
{
	local number moved=0

	ip -n "$H1" link add lab0 numtxqueues 4 type labnic
	ip -n "$H1" link set labnic0 netns "$H2" name lab1
	ip -n "$H1" -batch - <<<"$(end lab0 203.0.113 2001:db8:3 1 2 99)"
	ip -n "$H1" link set lab0 address 02:00:00:00:00:98
	ip -n "$H2" link set lab1 address 02:00:00:00:00:99
	ip -n "$H2" -batch - <<<"$(end lab1 203.0.113 2001:db8:3 2 1 98)"
	expect_done "onramp-mq" ip netns exec "$H1" onramp-mq lab0 "${HOLD[@]}"
	ctl "$H2" acker dev add lab1
	ctl "$H2" peers add 203.0.113.0/24
	transfer cubic 203.0.113.2 -P 4
	expect_ge "bytes received" "$RECEIVED" $((BYTES * 3 / 4))
	expect "retransmits" "$RETRANSMITS" 0
	for number in 0 1 2 3; do
		expect "in flight in queue $number" "$(queue $number inflight)" 0
		moved=$((moved + ($(queue $number limit) > 0)))
	done
	expect_ge "queues whose limit moved" $moved 1
	expect "qdiscs" "$(tc -n "$H1" qdisc show dev lab0 | grep -c '^qdisc onramp')" 4
	result "mq, onramp a queue, over a NIC with byte queue limits: they move, and none is stuck"
}

require iperf3 awk onrampctl
modinfo sch_onramp onramp_acker >/dev/null 2>&1 || skip_all "no modules sch_onramp, onramp_acker"
for module in sch_onramp onramp_acker tcp_bbr; do
	modprobe -q $module || true
done
setup_path
rtc qdisc add dev r2 root handle 1: tbf rate 50mbit burst 10kb limit 250kb
ctl "$H2" clock set system error 1us
ctl "$H2" acker dev add h2
for cc in cubic bbr; do
	if ! grep -qw $cc /proc/sys/net/ipv4/tcp_available_congestion_control; then
		result_skip "$cc" "not in this kernel"
		continue
	fi
	compared $cc
	paced $cc
done
if modprobe -q labnic; then
	byte_queue_limits
else
	result_skip "mq, onramp a queue, over a NIC with byte queue limits" "no such NIC in this kernel"
fi
finish
