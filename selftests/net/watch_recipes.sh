#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# contrib/bpftrace where bpftrace or perf is: each runs, under traffic that makes something of each kind, and shows it.
#
# +-----------------+     +-------------------------+     +-----------------------+
# | A   a0: onramp  +-----+ ra  R (bridge)  rb: tbf +-----+ b0: ecnsharp, acker B |
# |     192.0.2.1   |     +-------------------------+     |     192.0.2.2         |
# +-----------------+                                     +-----------------------+
#
# Twice what rb carries is sent, so that a queue is there to be held for.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

SECONDS_EACH=3	# how long a recipe looks
RECIPES=$HERE/../../contrib/bpftrace

[ "$(id -u)" = 0 ] || skip_all "needs root"
[ -d /sys/kernel/tracing/events ] || skip_all "needs tracefs at /sys/kernel/tracing"
for module in sch_onramp onramp_acker sch_ecnsharp; do
	modprobe "$module" 2>/dev/null || skip_all "no module $module"
done
[ -d "$RECIPES" ] || skip_all "no contrib/bpftrace"
command -v bpftrace >/dev/null || command -v perf >/dev/null || skip_all "neither bpftrace nor perf"

talk()
{
	setup_ns A R B
	ip -n "$R" link add name sw type bridge
	ip -n "$R" link set sw up
	ip -n "$A" link add a0 type veth peer name ra netns "$R"
	ip -n "$B" link add b0 type veth peer name rb netns "$R"
	ip -n "$R" link set ra master sw up
	ip -n "$R" link set rb master sw up
	tc -n "$R" qdisc add dev rb root tbf rate 10mbit burst 3000 latency 50ms
	ip -n "$A" addr add 192.0.2.1/24 dev a0
	ip -n "$B" addr add 192.0.2.2/24 dev b0
	ip -n "$A" link set a0 up
	ip -n "$B" link set b0 up
	tc -n "$A" qdisc add dev a0 root onramp mode hold clock system error 1us threshold auto
	tc -n "$B" qdisc add dev b0 root ecnsharp ins_target 1ns
	ip netns exec "$B" onrampctl clock set system error 1us
	ip netns exec "$B" onrampctl peers add 192.0.2.0/24
	ip netns exec "$B" onrampctl acker dev add b0
	ip netns exec "$B" sysctl -qw net.ipv4.tcp_ecn=1
	ip netns exec "$A" sysctl -qw net.ipv4.tcp_ecn=1
	ip netns exec "$B" iperf3 -s >/dev/null 2>&1 &
	PIDS+=($!)
	busywait serving
	ip netns exec "$A" iperf3 -c 192.0.2.2 --bidir -t 80000 -b 20M >/dev/null 2>&1 &
	PIDS+=($!)
}

serving()
{
	ip netns exec "$B" cat /proc/net/tcp /proc/net/tcp6 | grep -qi ':1451 .* 0A '
}

# shows RECIPE PATTERN: what a recipe prints
shows()
{
	local recipe=$1 pattern=$2 program=perf status=0

	[ "${recipe##*.}" = sh ] || program=bpftrace
	if ! command -v "$program" >/dev/null; then
		result_skip "$recipe" "no $program"
		return
	fi
	if [ "$program" = perf ]; then
		"$RECIPES/$recipe" "$SECONDS_EACH" >"$OUTPUT" 2>&1 || status=$?
	else
		# The command starts when the probes are attached, and bpftrace ends with it: however slowly it began.
		bpftrace -c "$(command -v sleep) $SECONDS_EACH" "$RECIPES/$recipe" >"$OUTPUT" 2>&1 || status=$?
	fi
	expect "status of $recipe" "$status" 0
	grep -qE "$pattern" "$OUTPUT" || FINDINGS+=("$recipe shows no $pattern: $(head -c 400 "$OUTPUT")")
	result "$recipe"
}

OUTPUT=$(mktemp)
MODULES+=(onramp_acker)
talk
shows ecnsharp-sojourn.bt '@sojourn_us\['
shows ecnsharp-marks.bt '@instantaneous\[[0-9]+\]: [1-9]'
shows ecnsharp-marks.sh '[1-9].* ecnsharp:ecnsharp_mark'
shows onramp-owd.bt '@owd_us\['
shows onramp-owd.sh '^[0-9]+ [1-9][0-9]* '
shows onramp-holds.bt '@hold_us'
ip netns exec "$A" onrampctl hold off
shows onramp-fail-open.bt '@why\[8\]: [1-9]'
shows onramp-fail-open.sh '[1-9][0-9]* 8$'
rm -f "$OUTPUT"
finish
