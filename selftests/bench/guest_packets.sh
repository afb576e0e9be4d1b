#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: carry out a plan, one measurement a line, and say what each took.
#
#   guest_packets.sh <PLAN
#
# A line is KEY CASE LAPS ARGS...: ARGS are a qdisc in tc's syntax. Cases (see plan.py):
#   empty  the qdisc of the device's queue, which never fills
#   leaf   likewise, below a prio
#   full   behind DEPTH packets that wait
#   drain  DEPTH packets wait, the next one lets all go
#   root-empty, root-short, root-full, root-drain
#          likewise, short with 1 packet that waits, with the qdisc at the root, of packets that came by the device in0,
#          which has a qdisc cp as bench0 has
# For each line it prints "took KEY PACKETS NS...", the times of so many packets each, and "stats KEY JSON", what
# tc says of the qdisc afterwards.
set -eu

DEPTH=1023
DEV=bench0
INPUT=in0
DEVICE=/sys/module/benchdev/parameters
PKTGEN=/proc/net/pktgen

die() { echo "failed $*"; exit 1; }

# pktgen: each line of standard input is a command for our device
pktgen() {
	while read -r command; do
		echo "$command" >"$PKTGEN/$DEV" || die "pktgen: $command"
	done
}

setup() {
	# Nobody but pktgen sends.
	echo 1 >/proc/sys/net/ipv6/conf/$DEV/disable_ipv6
	ip link set $DEV up
	echo rem_device_all >$PKTGEN/kpktgend_0
	echo "add_device $DEV" >$PKTGEN/kpktgend_0
	# 60 bytes: the qdisc is what is timed, not the packet. ECT(0), so that it can be marked.
	pktgen <<-EOF
	xmit_mode queue_xmit
	flag !SHARED
	flag NO_TIMESTAMP
	pkt_size 60
	delay 0
	tos 02
	dst 192.0.2.1
	dst_mac 02:00:00:00:00:01
	EOF
	# A queue that is drained goes in one run.
	echo 1000000 >/proc/sys/net/core/dev_weight
}

# attach CASE ARGS...
attach() {
	where=$1
	shift
	tc qdisc del dev $DEV root 2>/dev/null || :
	echo 0 >$DEVICE/iif
	case $*/$where in
	*/root-*)
		[ -d /sys/class/net/$INPUT ] || ip link add $INPUT type dummy
		cat /sys/class/net/$INPUT/ifindex >$DEVICE/iif
		tc qdisc del dev $INPUT root 2>/dev/null || :
		case $1 in cp) tc qdisc add dev $INPUT root handle 11: "$@" ;; esac
		tc qdisc add dev $DEV root handle 10: "$@" ;;
	noqueue/*)
		tc qdisc add dev $DEV root noqueue ;;
	*/leaf)
		tc -batch - <<-EOF
		qdisc add dev $DEV root handle 1: mq
		qdisc add dev $DEV parent 1:1 handle 2: prio bands 2 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
		qdisc add dev $DEV parent 2:1 handle 10: $*
		EOF
		;;
	*)
		tc -batch - <<-EOF
		qdisc add dev $DEV root handle 1: mq
		qdisc add dev $DEV parent 1:1 handle 10: $*
		EOF
		;;
	esac
}

# send COUNT
send() {
	echo "count $1" >$PKTGEN/$DEV
	echo start >$PKTGEN/pgctrl
	grep -q "Result: OK.* $1 (" $PKTGEN/$DEV || die "$key: pktgen: $(grep Result $PKTGEN/$DEV)"
	grep -q "errors: 0\$" $PKTGEN/$DEV || die "$key: pktgen: $(grep errors: $PKTGEN/$DEV)"
}

# measure CASE LAPS
measure() {
	packets=1024
	case $1 in
	*drain)
		packets=$DEPTH
		echo 1 >$DEVICE/burst
		echo $DEPTH >$DEVICE/depth
		echo 1 >$DEVICE/laps
		send $(($2 * 1024)) ;;
	*full | *short)
		depth=$DEPTH
		case $1 in *short) depth=1 ;; esac
		echo $depth >$DEVICE/depth
		send $depth
		echo 1 >$DEVICE/laps
		send $(($2 * 1024 + 1)) ;;
	*)
		echo 1 >$DEVICE/laps
		send $(($2 * 1024 + 1)) ;;
	esac
	echo "took $key $packets $(cat $DEVICE/laps)"
	echo 0 >$DEVICE/depth
	echo 0 >$DEVICE/burst
}

setup
while read -r key where laps args; do
	# shellcheck disable=SC2086 # several arguments
	attach "$where" $args || die "$key: tc refused $args"
	measure "$where" "$laps"
	# An input's congestion point counts at its device.
	case $where in
	root-*) echo "stats $key $(tc -s -j qdisc show | tr -d '\n')" ;;
	*) echo "stats $key $(tc -s -j qdisc show dev $DEV | tr -d '\n')" ;;
	esac
done
