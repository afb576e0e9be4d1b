#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# acc-tuner, and a burst that meets a queue that was idle: it drops no more than static thresholds do, and drops end tuning.
#
# The path is that of acc_tuner.sh.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"
# shellcheck source=acc.sh
. "$(dirname -- "$0")/acc.sh"

# Half of them ECN-capable.
PACKETS=100

# idle SETTINGS...: a queue that takes 9 ms for a packet, much longer than a burst takes to come, and nothing in it
idle()
{
	rtc qdisc del dev r2 root 2>/dev/null || true
	rtc qdisc add dev r2 root handle 2: htb default 1
	rtc class add dev r2 parent 2: classid 2:1 htb rate 1mbit quantum 1600
	rtc qdisc add dev r2 parent 2:1 handle 10: ecnsharp "$@"
	BEFORE=$(dump)
}

empty()
{
	stat_is 10: qlen 0
}

# burst: after 100 ms without packets; the packets that were dropped are left in DROPPED, those that came in CAME
burst()
{
	stats 10:
	local drops=${STAT[drop_limit]} packets=${STAT[packets]}

	sleep 0.1
	ip netns exec "$H1" "$UDP" send 198.51.100.2 $((PACKETS / 2)) 1000 02 >/dev/null
	busywait empty
	stats 10:
	DROPPED=$((STAT[drop_limit] - drops))
	CAME=$((STAT[packets] - packets + DROPPED))
}

# start_forced: the rule can choose one template alone, a step at 840us
start_forced()
{
	configure tune r2 $'[limits]\nkmin_least = 840us'
	start
	busywait state_is r2/10: tuned
	busywait dump_differs "$BEFORE"
}

# There is space for all.
roomy()
{
	idle limit 1000
	burst
	expect "packets dropped, static" "$DROPPED" 0
	configure tune r2
	start
	busywait state_is r2/10: tuned
	busywait dump_differs "$BEFORE"
	burst
	expect "packets that came" "$CAME" "$PACKETS"
	expect "packets dropped, tuned" "$DROPPED" 0
	expect "fallbacks" "$(counter fallback_drops)" 0
	expect "state" "$(state r2/10:)" tuned
	stop TERM
	expect "the dump" "$(dump)" "$BEFORE"
	result "a burst of $PACKETS onto a tuned idle queue with space: no drop, as with static thresholds"
}

# The queue is too short for the burst, whatever the thresholds.
short()
{
	local static

	idle limit 40
	burst
	static=$DROPPED
	expect_ge "packets dropped, static" "$static" 40
	start_forced
	shows 10: "kmin 840us" || FINDINGS+=("kmin is not forced: $(dump)")
	burst
	expect "packets that came" "$CAME" "$PACKETS"
	# While the burst comes one or two may leave.
	expect_ge "packets dropped, tuned, below 3 more than static" $((static + 2)) "$DROPPED"
	echo "# dropped of $PACKETS: static $static, tuned $DROPPED"
	busywait state_is r2/10: holdoff
	expect "fallbacks by drops" "$(counter fallback_drops)" 1
	expect "the dump" "$(dump)" "$BEFORE"
	result "drops with forced thresholds of 840us: as many as static, then static thresholds"

	burst
	expect_ge "packets dropped" "$DROPPED" 40
	sleep 0.1
	expect "state" "$(state r2/10:)" holdoff
	expect "fallbacks by drops" "$(counter fallback_drops)" 1
	expect "the dump" "$(dump)" "$BEFORE"
	stop TERM
	expect "status" "$STATUS" 0
	result "drops under static thresholds are nobody's fault: no second fallback"
}

require acc-tuner accctl
setup_path
roomy
short
rm -rf "$SCRATCH"
finish
