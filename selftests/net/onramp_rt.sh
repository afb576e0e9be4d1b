#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# On-Ramp in a kernel with PREEMPT_RT. Until 7.0 its tracepoints call with preemption off, where On-Ramp's locks would sleep.
#
# There what leaves is stamped by the qdisc by itself, what comes by drivers' hooks alone; the rest is refused, with a reason.
# Since 7.1 tracepoints do for both.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

: "${BYTES:=4000000}"

# ctl NS ARGS...
ctl()
{
	local ns=$1

	shift
	ip netns exec "$ns" onrampctl "$@"
}

# stamped: where the packets that leave by h1 are
stamped()
{
	ctl "$H1" -j stamps | tr -d ' \n' | grep -oE '"dev":"h1"[^}]*' | grep -oE '"stamp_tx":"[a-z]*"' | cut -d '"' -f 4
}

refused()
{
	local way

	for way in tx rx; do
		expect_refused "tracepoint for $way" "PREEMPT_RT" ctl "$H1" stamps set dev h1 "$way" tracepoint
	done
	result "refused: tracepoints"
	expect_refused "the device of an acker" "PREEMPT_RT" ctl "$H2" acker dev add h2
	expect "devices" "$(ctl "$H2" -j acker | tr -d ' \n' | grep -c '"devices":\[\]')" 1
	result "refused: an acker where no driver shows what comes"
}

sent()
{
	local before

	tc -n "$H1" qdisc add dev h1 root handle 1: onramp mode hold clock system error 1us
	expect "stamps of what leaves" "$(stamped)" qdisc
	before=$(json_number "$(ctl "$H1" -j stats)" '"records":')
	transfer cubic 198.51.100.2
	expect_ge "records" "$(json_number "$(ctl "$H1" -j stats)" '"records":')" $((before + BYTES / 2 / 65536))	# when the sender was done
	stats 1: "$H1" h1
	expect_stat drops=0 qlen=0
	result "what leaves is stamped by the qdisc, and noted"
	expect_done "auto" ctl "$H1" stamps set dev h1 tx auto
	expect "stamps of what leaves" "$(stamped)" qdisc
	result "auto is the qdisc's"
	for mode in off observe hold off; do
		expect_done "mode $mode" tc -n "$H1" qdisc change dev h1 handle 1: root onramp mode $mode
	done
	expect_done "its end" tc -n "$H1" qdisc del dev h1 root
	result "modes change under it, and out again"
}

# is_since VERSION: is the kernel of this version, or newer?
is_since()
{
	[ "$(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]
}

accepted()
{
	local way

	for way in tx rx; do
		expect_done "tracepoint for $way" ctl "$H1" stamps set dev h1 "$way" tracepoint
		expect_done "auto for $way" ctl "$H1" stamps set dev h1 "$way" auto
	done
	expect_done "the device of an acker" ctl "$H2" acker dev add h2
	expect_done "its peer" ctl "$H2" peers add 192.0.2.1/32
	result "tracepoints are taken for both ways"
	expect_done "a qdisc" tc -n "$H1" qdisc add dev h1 root handle 1: onramp mode hold clock system error 1us
	expect "stamps of what leaves" "$(stamped)" tracepoint
	transfer cubic 198.51.100.2
	expect_ge "samples" "$(json_number "$(ctl "$H1" -j stats)" '"samples":')" $((BYTES / 2 / 65536))
	result "packets are noted, acked and measured"
	for mode in off observe hold off; do
		expect_done "mode $mode" tc -n "$H1" qdisc change dev h1 handle 1: root onramp mode $mode
	done
	expect_done "its end" tc -n "$H1" qdisc del dev h1 root
	expect_done "the acker's end" ctl "$H2" acker dev del h2
	result "modes change under it, and out again"
}

uname -v | grep -q PREEMPT_RT || skip_all "the kernel has no PREEMPT_RT"
require onrampctl iperf3
modprobe -q -a sch_onramp onramp_acker || skip_all "no module sch_onramp or onramp_acker"
setup_path
if is_since 7.1; then
	accepted
else
	refused
	sent
fi
finish
