#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# net.core.default_qdisc: ecnsharp and onramp at each queue of a new device, without a command of tc.
#
# The sysctl is that of the whole machine, so this is only for a machine that nobody else uses: selftests/qemu/boot_vm.py's, or
# one where DEFAULT_QDISC=yes says so.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

SYSCTL=/proc/sys/net/core/default_qdisc
[ "${DEFAULT_QDISC:-no}" = yes ] || grep -q sharpramp.verdict= /proc/cmdline || skip_all "sets a sysctl of the machine: DEFAULT_QDISC=yes allows it"

# device QUEUES: a new one in $R, which is up
device()
{
	ip -n "$R" link del ifb9 2>/dev/null || true
	ip -n "$R" link add ifb9 numtxqueues "$1" type ifb && ip -n "$R" addr add 192.0.2.99/24 dev ifb9 && ip -n "$R" link set ifb9 up
}

# qdiscs KIND: how many the device has
qdiscs()
{
	rtc qdisc show dev ifb9 | grep -c "^qdisc $1 " || true
}

# default KIND: at the root of a device of one queue, at each queue of another; packets leave through it
default()
{
	local kind=$1

	modprobe -r "sch_$kind" 2>/dev/null || true
	echo "$kind" >"$SYSCTL"
	expect "the sysctl" "$(cat "$SYSCTL")" "$kind"
	expect "the module" "$(grep -c "^sch_$kind " /proc/modules)" 1
	result "default_qdisc $kind loads the module"

	device 1
	expect "the root" "$(qdiscs "$kind")" 1
	ip netns exec "$R" ping -q -c 3 -i 0.01 -W 0.01 192.0.2.98 >/dev/null 2>&1 || true
	expect_ge "packets through it" "$(rtc -s qdisc show dev ifb9 | sed -n 's/ Sent [0-9]* bytes \([0-9]*\) pkt.*/\1/p')" 1
	result "default_qdisc $kind is the root of a device of one queue"

	device 4
	expect "the root" "$(qdiscs mq)" 1
	expect "its leaves" "$(qdiscs "$kind")" 4
	result "default_qdisc $kind is at each queue of another"

	rtc qdisc replace dev ifb9 root handle 1: mq
	expect "leaves" "$(qdiscs "$kind")" 4
	result "and likewise below an mq that tc adds"
	ip -n "$R" link del ifb9
}

require ping
modinfo sch_ecnsharp sch_onramp >/dev/null 2>&1 || skip_all "no modules"
modprobe -q ifb numifbs=0 || skip_all "no ifb"
setup_ns R
before=$(cat "$SYSCTL")
trap 'echo "$before" >"$SYSCTL"; cleanup' EXIT
for kind in ecnsharp onramp; do
	default $kind
done
echo "$before" >"$SYSCTL"
device 4
expect "leaves" "$(qdiscs "$before")" 4
result "control: with $before they are that"
finish
