#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# acc-tuner on a router: it observes without a change, tunes without a drop, and gives back what it found.
#
# +------------+      +-------------------------------------+      +--------------+
# | H1      h1 +------+ r1   R   r2: tbf 100mbit, ecnsharp  +------+ h2        H2 |
# |  192.0.2.1 |      |                                     |      | 198.51.100.2 |
# +------------+      +-------------------------------------+      +--------------+

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"
# shellcheck source=acc.sh
. "$(dirname -- "$0")/acc.sh"

observes()
{
	local before

	bottleneck
	ip netns exec "$R" tc monitor >>"$SCRATCH/monitor" &
	PIDS+=("$!")
	by_hand
	before=$(dump)
	configure observe '*'
	start
	busywait counter_ge decisions 200
	expect "its capabilities" "$(grep CapEff "/proc/$DAEMON/status" | cut -f 2)" 0000000000000000
	expect "state" "$(state r2/10:)" observed
	expect "changes" "$(counter changes)" 0
	ctl hold r2/10: 2>/dev/null && FINDINGS+=("hold was accepted")
	stop TERM
	expect "status" "$STATUS" 0
	expect "the dump" "$(dump)" "$before"
	expect "what tc monitor saw" "$(grep qdisc "$SCRATCH/monitor" || true)" ""
	[ ! -e "$SCRATCH/saved" ] || FINDINGS+=("it wrote a file")
	result "mode observe decides and changes nothing, without a capability"
	by_hand
	result "tc monitor sees a change by hand"
}

tunes()
{
	tuned
	expect_ge "changes" "$(counter changes)" 3
	expect "changes that failed" "$(counter failed)" 0
	[[ $(dump) == *"kmin 6.5us"* ]] || FINDINGS+=("not the rule's kmin: $(dump)")
	stats 10:
	expect_stat drops=0 drop_limit=0 drop_memory_limit=0
	expect_ge "marks" "$((STAT[ins_marks]))" 1
	expect "saved queues" "$(tail -n 1 "$SCRATCH/saved")" "end 1"
	stop TERM
	expect "status" "$STATUS" 0
	expect "the dump" "$(dump)" "$BEFORE"
	[ ! -e "$SCRATCH/saved" ] || FINDINGS+=("the file of own settings is still there")
	result "policy follow changes kmax under traffic, drops nothing, and SIGTERM gives back what was there"
}

# killed NAME SETTINGS...: kill -9, then accctl restore
killed()
{
	local name=$1

	shift
	tuned "$@"
	stop KILL
	dump_differs "$BEFORE" || FINDINGS+=("kill -9 gave back what was there")
	expect "saved queues" "$(tail -n 1 "$SCRATCH/saved")" "end ${#LEAVES[@]}"
	expect "accctl restore" "$(restore)" "$(printf 'r2/%s has its own settings again\n' "${LEAVES[@]}")"
	expect "the dump" "$(dump)" "$BEFORE"
	[ ! -e "$SCRATCH/saved" ] || FINDINGS+=("the file of own settings is still there")
	expect "accctl restore, again" "$(restore)" "$SCRATCH/saved is not there: no queue was left tuned"
	result "kill -9, accctl restore: $name is back"
}

# below ABOVE QUEUE MORE LEAVES...: the same where ecnsharp is elsewhere
below()
{
	local ABOVE=$1 QUEUE=$2 MORE=$3 LEAVES=("${@:4}")

	killed "default settings, ecnsharp below $1"
}

# The leaves of mq are one queue. Where nothing waits for the link, a rate that is far too low makes of the time in the qdisc a delay.
elsewhere()
{
	local slow=$'[queues]\nrate = r2=10kbit'
	local ABOVE=mq QUEUE=r2/2: MORE=$slow LEAVES=(10: 20:)

	below htb r2/10: "" 10:
	below drr r2/10: "" 10:
	below ets r2/10: "" 10:
	below prio r2/10: "" 10:
	below root r2/10: "$slow" 10:
	below mq r2/2: "$slow" 20: 10:

	tuned
	rtc qdisc change dev r2 parent 2:2 handle 20: ecnsharp limit 77
	busywait state_is r2/2: foreign
	busywait shows 10: "ins_target 200us"
	shows 20: "limit 77p" || FINDINGS+=("not theirs: $(dump)")
	stop TERM
	result "another's change of one leaf of mq: the other one has its own settings"
}

# After kill -9 another changed it, or the daemon comes back: the latter restores, too.
killed_otherwise()
{
	local theirs

	tuned
	stop KILL
	rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp limit 77
	theirs=$(dump)
	expect "accctl restore" "$(restore)" "r2/10: was changed by another and stays as it is"
	expect "the dump" "$(dump)" "$theirs"
	result "kill -9, another's change: accctl restore leaves it alone"

	tuned
	stop KILL
	rtc qdisc del dev r2 root
	expect "accctl restore" "$(restore)" "r2/10: is gone"
	result "kill -9, deleted: accctl restore says so"

	tuned
	stop KILL
	configure tune r1
	start
	expect "the dump" "$(dump)" "$BEFORE"
	stop TERM
	result "kill -9, started again: the daemon gives back what was there first"
}

# SIGHUP is all or nothing, with the model; own settings are in force before the new ones are used.
reloaded()
{
	tuned
	configure tune r2 $'[limits]\nkmax_most = 1ns'
	reloads "not reloaded.*kmax_most"
	configure observe r2
	reloads "not reloaded.*mode"
	configure tune r2 $'[tuner]\npolicy = ddqn\nmodel = /nowhere/x.accm'
	reloads "not reloaded.*/nowhere/x.accm"
	expect "state" "$(state r2/10:)" tuned
	configure tune r1
	reloads "reloaded $SCRATCH/conf"
	busywait state_is r2/10: ""
	expect "the dump" "$(dump)" "$BEFORE"
	configure tune r2 $'[limits]\nkmin_least = 44us'
	reloads "reloaded $SCRATCH/conf"
	busywait dump_differs "$BEFORE"
	[[ $(dump) == *"kmin 44us"* ]] || FINDINGS+=("not the new limit: $(dump)")
	stop TERM
	expect "the dump" "$(dump)" "$BEFORE"
	result "SIGHUP: whole or not at all"
}

foreign()
{
	local theirs

	tuned
	rtc qdisc change dev r2 parent 1:1 handle 10: ecnsharp kmin 3ms kmax 4ms pmax 0.5
	theirs=$(dump)
	busywait state_is r2/10: foreign
	sleep 0.5
	expect "the dump" "$(dump)" "$theirs"
	expect "changes by others" "$(counter foreign)" 1
	result "another's change is noticed, and left alone"
	ctl resume r2/10:
	busywait state_is r2/10: tuned
	busywait dump_differs "$theirs"
	stop TERM
	expect "the dump" "$(dump)" "$theirs"
	result "resumed it is tuned, and gets their settings back at the end"
}

held()
{
	tuned
	ctl hold r2/10:
	expect "the dump" "$(dump)" "$BEFORE"
	expect "state" "$(state r2/10:)" held
	sleep 0.5
	expect "the dump" "$(dump)" "$BEFORE"
	ip -n "$R" link set r2 down
	sleep 0.5
	expect "state, link down" "$(state r2/10:)" held
	ip -n "$R" link set r2 up
	sleep 0.5
	expect "state, link up again" "$(state r2/10:)" held
	expect "the dump" "$(dump)" "$BEFORE"
	ctl resume r2
	busywait dump_differs "$BEFORE"
	stop TERM
	result "held, also while the link was down, and resumed"
}

unwritable()
{
	bottleneck
	BEFORE=$(dump)
	configure tune r2
	sed -i "s:^saved = .*:saved = $SCRATCH/not/at/all/saved:" "$SCRATCH/conf"
	start
	busywait counter_ge failed 100
	expect "changes" "$(counter changes)" 0
	expect "the dump" "$(dump)" "$BEFORE"
	expect "times that it is logged" "$(grep -c 'at/all/saved: ' "$SCRATCH/log")" 1
	stop TERM
	result "own settings that cannot be saved: nothing is changed, and it is logged once"
}

comes_and_goes()
{
	local before=

	tuned
	rtc qdisc del dev r2 parent 1:1 handle 10:
	busywait state_is r2/10: ""
	[ ! -e "$SCRATCH/saved" ] || FINDINGS+=("the file of own settings is still there")
	rtc qdisc add dev r2 parent 1:1 handle 10: ecnsharp ins_target 333us
	before=$(dump)
	busywait state_is r2/10: tuned
	busywait dump_differs "$before"
	ip -n "$R" link set r2 down
	busywait state_is r2/10: down
	expect "the dump, link down" "$(dump)" "$before"
	ip -n "$R" link set r2 up
	busywait state_is r2/10: tuned
	busywait dump_differs "$before"
	result "deleted, added, link down and up: its own settings, then tuned"
	ip -n "$R" link set r2 down
	ip -n "$R" link set r2 name r9
	ip -n "$R" link set r9 up
	busywait state_is r2/10: ""
	sleep 0.5
	expect "the dump, renamed" "$(rtc -d qdisc show dev r9)" "${before//r2/r9}"
	ip -n "$R" link set r9 down
	ip -n "$R" link set r9 name r2
	ip -n "$R" link set r2 up
	busywait state_is r2/10: tuned
	stop TERM
	expect "the dump" "$(dump)" "$before"
	result "renamed to what is not named: its own settings; and back"
}

# refusal NAME WHY QDISC...: of r1
refusal()
{
	local name=$1 why=$2

	shift 2
	rtc qdisc replace dev r1 root "$@"
	busywait state_is "r1/[0-9a-f]+:" "$name"
	[[ $(ctl queues) == *"$why"* ]] || FINDINGS+=("not the reason: $(ctl queues)")
	result "refused: $name"
	rtc qdisc del dev r1 root
}

refuses()
{
	rtc qdisc del dev r2 root
	ip -n "$R" link add d0 type dummy
	ip -n "$R" link set d0 up
	rtc qdisc add dev d0 root handle 20: ecnsharp
	configure observe 'r1 d0 r7'
	start
	busywait state_is d0/20: no-rate
	[[ $(ctl queues) == *"[queues] rate = d0/20:=RATE"* ]] || FINDINGS+=("not the reason: $(ctl queues)")
	grep -q 'r7 is not there' "$SCRATCH/log" || FINDINGS+=("the missing device is not named: $(cat "$SCRATCH/log")")
	result "refused: no rate, and a device that is not there"
	refusal red "tc qdisc replace dev r1 root ecnsharp" handle 20: red limit 1mb avpkt 1000 min 10kb max 30kb burst 20
	refusal bypass "tc qdisc change dev r1 root handle 20: ecnsharp bypass off" handle 20: ecnsharp bypass on
	refusal off "instantaneous on" handle 20: ecnsharp instantaneous off
	refusal stab "size table" handle 20: stab overhead 4 linklayer ethernet ecnsharp
	busywait state_is r1/0: noqueue
	[[ $(ctl queues) == *"tc qdisc replace dev r1 root ecnsharp"* ]] || FINDINGS+=("not the reason: $(ctl queues)")
	result "refused: noqueue"
	stop TERM
	configure observe 'r1 d0' $'[queues]\nrate = d0=1gbit'
	start
	busywait state_is d0/20: observed
	rtc qdisc add dev r1 root handle 20: ecnsharp
	busywait state_is r1/20: observed
	result "with a rate, and without a fault, they are observed"
	expect_refused "a second daemon" "already" ip netns exec "$R" acc-tuner -f "$SCRATCH/conf"
	expect_refused "restore next to a daemon" "already" restore
	result "one at a time in a network namespace"
	stop TERM
}

require acc-tuner accctl
setup_path numtxqueues 2
traffic
observes
tunes
killed "a step" ins_target 150us
killed "the rule" rtt_avg 100us rtt_tail 200us transport dctcp
killed "a ramp" kmin 10us kmax 100us pmax 0.5
killed "signal length" signal length rate 100mbit ins_target 500us
killed_otherwise
elsewhere
reloaded
foreign
held
unwritable
comes_and_goes
refuses
rm -rf "$SCRATCH"
finish
