#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# onramp and ecnsharp at every queue of a device, by onramp-mq and ecnsharp-mq: what they set up, what they refuse, and that packets
# go through.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

ALL=20		# queues of mq0: the numbers of classes are hexadecimal

# mq ARGS...: onramp-mq in $R
mq()
{
	ip netns exec "$R" onramp-mq "$@"
}

# leaves DEV [PATTERN]: how many of its qdiscs are onramp at a queue, and match
leaves()
{
	rtc qdisc show dev "$1" | grep "^qdisc onramp .* parent " | grep -c -- "${2-}" || true
}

# qdiscs DEV: what is there
qdiscs()
{
	rtc -d qdisc show dev "$1" | sort
}

# unchanged WHAT TEXT ARGS...: it must be refused, say TEXT, and change nothing
unchanged()
{
	local what=$1 text=$2 before

	shift 2
	before=$(qdiscs mq0)
	expect_refused "$what" "$text" mq "$@"
	expect "what is there after $what" "$(qdiscs mq0)" "$before"
	result "refused: $what"
}

refusals()
{
	unchanged "no such device" "no such network device" nobody mode off
	unchanged "an unknown argument" 'bogus' mq0 bogus
	unchanged "a value out of range" "out of range" mq0 limit 0
	unchanged "what only the kernel refuses" "clock system" mq0 clock system
	unchanged "a right argument before a wrong one" "not one of" mq0 limit 5 mode wrong
	unchanged "an option that is none" "unknown option" --bogus
	expect_refused "no device" "Usage: onramp-mq" mq
	result "refused: no device"
}

fresh()
{
	expect_done "onramp-mq" mq mq0 limit 77 g 1/8 mode observe clock system error 5us
	expect "the root" "$(rtc qdisc show dev mq0 root | cut -d ' ' -f 2)" mq
	expect "leaves" "$(leaves mq0)" "$ALL"
	expect "leaves with its arguments" "$(leaves mq0 'limit 77p .* mode observe .* g 1/8 .* error 5us')" "$ALL"
	result "$ALL queues, all with the same arguments"
}

# Whatever the names that this tc takes.
alternative()
{
	local name=mq0-has-a-long-name-too

	ip -n "$R" link property add dev mq0 altname $name
	expect_done "onramp-mq" mq $name flow_limit 8
	expect "leaves with the new argument" "$(leaves mq0 'flow_limit 8p')" "$ALL"
	expect_done "onrampctl" ip netns exec "$R" onrampctl stamps set dev $name tx qdisc
	expect_refused "another name" "no such device" ip netns exec "$R" onrampctl stamps set dev $name-2 tx qdisc
	expect_done "onrampctl" ip netns exec "$R" onrampctl stamps set dev $name tx auto
	expect_done "onrampctl flows" ip netns exec "$R" onrampctl flows dev $name
	result "a device by its alternative name"
}

changed()
{
	local before

	before=$(qdiscs mq0 | cut -d ' ' -f 1-6)
	expect_done "onramp-mq" mq mq0 flow_limit 9
	expect "leaves with old and new arguments" "$(leaves mq0 'limit 77p flow_limit 9p .* mode observe')" "$ALL"
	expect "the qdiscs" "$(qdiscs mq0 | cut -d ' ' -f 1-6)" "$before"
	result "again: what is not named stays, with the qdiscs"
}

# Eight sockets, five packets each, in whatever queues their hashes choose.
packets()
{
	local queue sum=0 used=0

	for _ in 1 2 3 4 5 6 7 8; do
		ip netns exec "$R" "$UDP" send 198.51.100.130 5 1000 0
	done
	while read -r queue; do
		stats "$queue" "$R" mq0
		sum=$((sum + STAT[packets]))
		used=$((used + (STAT[packets] > 0)))
	done < <(rtc qdisc show dev mq0 | sed -n 's/^qdisc onramp \([0-9a-f]*:\) .*/\1/p')
	expect "packets of all queues" $sum 40
	expect_ge "queues that were used" $used 2
	stats "$(rtc qdisc show dev mq0 root | cut -d ' ' -f 3)" "$R" mq0
	expect_stat packets=40 qlen=0 backlog=0 drops=0
	result "packets go through all queues, and mq counts them"
}

replaced()
{
	rtc qdisc replace dev mq0 parent "$(rtc qdisc show dev mq0 root | cut -d ' ' -f 3)3" pfifo
	expect "leaves" "$(leaves mq0)" $((ALL - 1))
	expect_done "onramp-mq" mq mq0 limit 5
	expect "leaves" "$(leaves mq0)" "$ALL"
	result "a queue that has another qdisc gets onramp"

	rtc qdisc replace dev mq0 root pfifo
	expect_done "onramp-mq" mq mq0 limit 5
	expect "leaves" "$(leaves mq0 'limit 5p')" "$ALL"
	result "a root that is no mq becomes one"

	rtc qdisc del dev mq0 root
	expect "leaves" "$(leaves mq0)" 0
	result "and out again"
}

one_queue()
{
	ip -n "$R" link add one type dummy
	ip -n "$R" link set one up
	expect_done "onramp-mq" mq one limit 7
	expect "the root" "$(rtc qdisc show dev one | grep -c '^qdisc onramp .* root .* limit 7p')" 1
	expect_done "onramp-mq" mq one flow_limit 8
	expect "the root" "$(rtc qdisc show dev one | grep -c '^qdisc onramp .* root .* limit 7p flow_limit 8p')" 1
	result "a device with one queue: onramp at the root"
}

# On the queues that have onramp: another kind takes their place, with its own parameters and refusals.
ecnsharp()
{
	local before

	modinfo sch_ecnsharp >/dev/null 2>&1 || { result_skip "ecnsharp at every queue" "no module sch_ecnsharp"; return; }
	expect_done "onramp-mq" mq mq0 limit 77
	before=$(qdiscs mq0)
	expect_refused "a parameter of onramp" 'mode' ip netns exec "$R" ecnsharp-mq mq0 mode hold
	expect_refused "a value out of range" 'out of range' ip netns exec "$R" ecnsharp-mq mq0 limit 0
	expect "what is there after refusals" "$(qdiscs mq0)" "$before"
	expect_done "ecnsharp-mq" ip netns exec "$R" ecnsharp-mq mq0 limit 88
	expect "leaves of onramp" "$(leaves mq0)" 0
	expect_done "ecnsharp-mq" ip netns exec "$R" ecnsharp-mq mq0 rtt_avg 100us rtt_tail 200us
	expect "leaves with old and new arguments" \
		"$(rtc qdisc show dev mq0 | grep -c '^qdisc ecnsharp .* parent .* limit 88p')" "$ALL"
	result "ecnsharp-mq: ecnsharp at $ALL queues, that keep what is not named"
	rtc qdisc del dev mq0 root
	expect_done "ecnsharp-mq" ip netns exec "$R" ecnsharp-mq one limit 7
	expect "the root" "$(rtc qdisc show dev one | grep -c '^qdisc ecnsharp .* root .* limit 7p')" 1
	result "ecnsharp-mq: a device with one queue has it at the root"
}

require onramp-mq
modinfo sch_onramp >/dev/null 2>&1 || skip_all "no module sch_onramp"
setup_ns R
ip -n "$R" link add mq0 numtxqueues $ALL type dummy
ip -n "$R" link set mq0 up
ip -n "$R" addr add 198.51.100.129/25 dev mq0
ip -n "$R" neigh add 198.51.100.130 lladdr 02:00:00:00:00:99 dev mq0 nud permanent
unchanged "a wrong argument on a device that has nothing yet" bogus mq0 bogus
fresh
refusals
alternative
changed
packets
replaced
one_queue
ecnsharp
finish
