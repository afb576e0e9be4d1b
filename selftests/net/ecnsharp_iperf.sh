#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# TCP that understands ECN, by iperf3, through a bottleneck: it is marked, not dropped.
#
# +------------+      +------------------------------------+      +--------------+
# | H1      h1 +------+ r1   R   r2: tbf 50mbit, ecnsharp  +------+ h2        H2 |
# |  192.0.2.1 |      |                                    |      | 198.51.100.2 |
# +------------+      +------------------------------------+      +--------------+

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

: "${BYTES:=4000000}"

bottleneck()
{
	rtc qdisc del dev r2 root 2>/dev/null || true
	rtc qdisc add dev r2 root handle 1: tbf rate 50mbit burst 10kb limit 100mb
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp "$@"
}

# ecn VALUE [VALUE]: tcp_ecn of the sender, which connects, and of the receiver
ecn()
{
	# shellcheck disable=SC2016
	ip netns exec "$H1" sh -c 'echo "$1" >/proc/sys/net/ipv4/tcp_ecn' - "$1" 2>/dev/null &&
		ip netns exec "$H2" sh -c 'echo "$1" >/proc/sys/net/ipv4/tcp_ecn' - "${2:-$1}" 2>/dev/null
}

# marked CC ADDRESS [OF WHAT]
marked()
{
	local cc=$1 to=$2 marks

	bottleneck ins_target 5ms pst_target 2ms pst_interval 5ms
	transfer "$cc" "$to"
	expect_ge "bytes received" "$RECEIVED" $((BYTES * 3 / 4))	# when the sender was done
	expect "retransmits" "$RETRANSMITS" 0
	stats 10:
	marks=$((STAT[ins_marks] + STAT[pst_marks] + STAT[both_marks]))
	expect_ge "marks" "$marks" 1
	expect_ge "tx_bytes" "${STAT[tx_bytes]}" "$RECEIVED"
	expect_stat drops=0 drop_limit=0 mark_failed=0 nonect_dropped=0
	result "$cc over $to${3:+, $3,} is marked and loses nothing"
}

# With no signal that could mark, the queue fills: the marks above were ecnsharp's.
unmarked()
{
	bottleneck ins_target 1s pst_target 1s pst_interval 1s
	transfer "$1" "$2"
	stats 10:
	expect_stat ins_marks=0 pst_marks=0 both_marks=0
	result "$1 over $2 is not marked below the targets"
}

# cubic without ECN: dropped where it would be marked, and still it gets through.
dropped()
{
	ecn 0
	bottleneck ins_target 5ms pst_target 2ms pst_interval 5ms nonect drop
	transfer cubic 198.51.100.2
	expect_ge "bytes received" "$RECEIVED" $((BYTES * 3 / 4))	# when the sender was done
	stats 10:
	expect_stat ins_marks=0 pst_marks=0 both_marks=0 drop_limit=0
	expect_ge nonect_dropped "${STAT[nonect_dropped]}" 1
	stats 1:
	expect_stat qlen=0 backlog=0
	result "cubic without ECN gets through with nonect drop"
}

# Accurate ECN, since Linux 6.18: 3 requests it, 4 ECN as before and 5 nothing, and all three accept it.
accurate()
{
	local pair

	if ! ecn 3; then
		result_skip "AccECN" "tcp_ecn has no value 3 in this kernel"
		return
	fi
	for pair in "3 3" "3 5" "4 3" "3 1"; do
		# shellcheck disable=SC2086
		ecn $pair
		marked cubic 198.51.100.2 "tcp_ecn ${pair/ / and }"
	done
	ecn 5 3
	bottleneck ins_target 5ms pst_target 2ms pst_interval 5ms
	transfer cubic 198.51.100.2
	stats 10:
	expect_stat ins_marks=0 pst_marks=0 both_marks=0
	expect_ge nonect_seen "${STAT[nonect_seen]}" 1
	result "cubic with tcp_ecn 5 requests no ECN, and is not marked"
	ecn 1
}

require iperf3
setup_path
ecn 1
modprobe -q tcp_dctcp || true
for to in 198.51.100.2 2001:db8:2::2; do
	marked cubic $to
	if grep -qw dctcp /proc/sys/net/ipv4/tcp_available_congestion_control; then
		marked dctcp $to
	else
		result_skip "dctcp over $to is marked and loses nothing" "no dctcp in this kernel"
	fi
done
unmarked cubic 198.51.100.2
accurate
dropped
finish
