#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Packets that are marked, packets that are not, and counters that agree to the packet.
#
# +---------+       +------------------------+       +---------+
# | H1      |       | R                      |       |      H2 |
# |  192.0.2.1/24   |   198.51.100.1/24  plain  198.51.100.2  |
# |      h1 +-------+ r1      r2: ecnsharp +-------+ h2        |
# |         |       |   203.0.113.1/24  tag 10  203.0.113.2   |
# |         |       |   198.18.0.1/24  tags 20, 30 198.18.0.2 |
# +---------+       +------------------------+       +---------+
# and 2001:db8:1:: to 2001:db8:4:: likewise. Nobody but the test sends anything.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

N=25	# packets of each codepoint

# all_codepoints PATH QDISC_ARGUMENTS: send N of each; receiver's counts end in STAT
all_codepoints()
{
	local path=$1

	shift
	rtc qdisc replace dev r2 root handle 10: pfifo
	rtc qdisc replace dev r2 root handle 1: ecnsharp "$@"
	listen $((4 * N))
	send "$path" $N 1000 0123
	received
}

# Every packet waits longer than 1 ns: each ECN-capable one is marked, CE stays and is not ecnsharp's.
marked()
{
	local path

	for path in "$@"; do
		all_codepoints "$path" ins_target 1ns persistent off
		expect_stat received=$((4 * N)) not_ect=$N ect1=0 ect0=0 ce=$((3 * N))
		stats 1:
		expect_stat packets=$((4 * N)) tx_packets=$((4 * N)) tx_bytes="${STAT[bytes]}" ins_marks=$((2 * N)) \
			pst_marks=0 both_marks=0 ce_seen=$N nonect_seen=$N nonect_passed=$N nonect_dropped=0 \
			mark_failed=0 drops=0 qlen=0 backlog=0 memory_bytes=0 marked_bytes=$((STAT[bytes] / 2))
		result "marks ECT(0) and ECT(1), counts CE and not-ECT apart: $path"
	done
}

# No packet waits 1 s.
unmarked()
{
	local path

	for path in "$@"; do
		all_codepoints "$path" ins_target 1s pst_target 1s pst_interval 1s
		expect_stat not_ect=$N ect1=$N ect0=$N ce=$N
		stats 1:
		expect_stat packets=$((4 * N)) ins_marks=0 pst_marks=0 both_marks=0 marked_bytes=0 ce_seen=$N nonect_seen=$N \
			nonect_passed=0 pst_episodes=0
		result "marks nothing below the targets: $path"
	done
}

tags_in_data()
{
	command -v ethtool >/dev/null || { result_skip "tags in the packet's data" "needs ethtool"; return; }
	ip netns exec "$R" ethtool -K r2 tx-vlan-hw-insert off tx-vlan-stag-hw-insert off >/dev/null
	marked 4v 6v 4q 6q
	ip netns exec "$R" ethtool -K r2 tx-vlan-hw-insert on tx-vlan-stag-hw-insert on >/dev/null
}

# fill QDISC_ARGUMENTS: 1 packet gone, 1 parked, FILL - 1 waiting, all ECT(0) but the first
FILL=20
fill()
{
	hold
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp "$@"
	empty_bucket
	send 4 $FILL 1000 2
	stats 10:
	LENGTH=$((STAT[backlog] / FILL))
	expect_stat qlen=$FILL backlog=$((FILL * LENGTH)) packets=2
}

# With signal length all is exact: at 8 Gbit/s a byte is a nanosecond. A packet is marked if it leaves
# strictly more than M packets behind; the last to come is the one that release sends.
step_of_length()
{
	local m

	for m in 0 5 $((FILL - 1)) $FILL; do
		fill signal length rate 8gbit persistent off ins_target 1ns
		[ "$m" = 0 ] || rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp ins_target $((m * LENGTH))ns
		listen $((FILL + 1))
		release
		received
		# Waiting were FILL - 1, which left FILL - 1 to 1 behind: those above m are marked.
		local marks=$((m < FILL ? FILL - 1 - m : 0))
		expect_stat ce=$marks ect0=$((FILL - marks)) not_ect=1
		stats 10:
		expect_stat ins_marks=$marks pst_marks=0 both_marks=0 qlen=0 backlog=0 \
			marked_bytes=$((marks * LENGTH)) sojourn_max_ns=$(((FILL - 1) * LENGTH))
		stats 1:
		expect_stat qlen=0 backlog=0
		result "signal length marks strictly above the target: $m of $FILL packets"
	done
}

ramp_of_length()
{
	fill signal length rate 8gbit persistent off kmin 0b kmax 1b pmax 1
	listen $((FILL + 1))
	release
	received
	expect_stat ce=$((FILL - 1)) ect0=1 not_ect=1
	stats 10:
	expect_stat ins_marks=$((FILL - 1))
	result "a ramp marks all above kmax, nothing at kmin"

	fill signal length rate 8gbit persistent off kmin $((FILL * 2000))b kmax $((FILL * 2000))b pmax 1
	listen $((FILL + 1))
	release
	received
	expect_stat ce=0 ect0=$FILL not_ect=1
	result "a ramp marks nothing below kmin"
}

# The queue stays above the target for far longer than the interval: one episode, which the last
# packet ends, its marks growing in frequency.
episode()
{
	fill signal length rate 8gbit instantaneous off pst_target 1ns pst_interval 1us
	listen $((FILL + 1))
	release
	received
	local ce=${STAT[ce]}
	stats 10:
	expect_stat pst_episodes=1 pst_state=0 pst_count=0 ins_marks=0 both_marks=0 pst_marks="$ce"
	expect_ge pst_marks "${STAT[pst_marks]}" 1
	result "a persistent queue is marked, and its end ends the episode"

	fill signal length rate 8gbit instantaneous off pst_target 1ns pst_interval 1s
	listen $((FILL + 1))
	release
	received
	expect_stat ce=0 ect0=$FILL
	stats 10:
	expect_stat pst_episodes=0 pst_marks=0
	result "a queue that does not last an interval is not persistent"

	fill signal length rate 8gbit ins_target 1ns pst_target 1ns pst_interval 1us
	listen $((FILL + 1))
	release
	received
	expect_stat ce=$((FILL - 1))
	stats 10:
	expect "marks by all causes" $((STAT[ins_marks] + STAT[both_marks])) $((FILL - 1))
	expect_stat pst_marks=0 pst_episodes=1
	expect_ge both_marks "${STAT[both_marks]}" 1
	result "marks that both signals want are counted apart"
}

limits()
{
	hold
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp limit 7
	empty_bucket
	send 4 20 1000 2
	stats 10:
	expect_stat qlen=7 drops=13 drop_limit=13 overlimits=13 drop_memory_limit=0
	stats 1:
	expect_stat qlen=7
	result "limit refuses packets"

	hold
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp memory_limit 64kb
	empty_bucket
	send 4 100 1000 2
	stats 10:
	local qlen=${STAT[qlen]}
	expect "all packets" $((qlen + STAT[drop_memory_limit])) 100
	expect_stat drops="${STAT[drop_memory_limit]}" drop_limit=0
	expect_ge drop_memory_limit "${STAT[drop_memory_limit]}" 1
	expect_ge memory_limit 65536 "${STAT[memory_bytes]}"
	stats 1:
	expect_stat qlen="$qlen"
	result "memory_limit refuses packets"
	listen "$qlen"
	release		# whose own packet finds no space either
	received
	stats 10:
	expect_stat qlen=0 backlog=0 memory_bytes=0
	result "memory is given back"
}

require
setup_path
setup_vlans
marked 4 6 4v 6v 4q 6q
unmarked 4 6 4q
tags_in_data
step_of_length
ramp_of_length
episode
limits
finish
