#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: carry out a plan of flows, one measurement a line, and say what each took.
#
#   guest_flows.sh <PLAN
#
# A line is KEY KIND LAPS PACKETS FLOWS BYTES FAMILY PEER ARGS... (see flows.py). KINDs:
#   open fill new  as benchflow has them; ARGS are a qdisc in tc's syntax
#   receive        likewise; ARGS are "none", or arguments of "onrampctl acker set"
#   acks           PACKETS full packets of a flow come in a burst, LAPS times, each after a rest; ARGS are as of receive
#   memory         FLOWS flows have had PACKETS packets: what the kernel holds more than before
#   hook           a driver's hook of Tx, called PACKETS times; ARGS are a qdisc
#   rxhook         that of Rx, likewise; ARGS are as of receive
#   whole segments TCP between two namespaces, FLOWS connections by iperf3, 10 MiB and then PACKETS more: in large packets
#                  all the way, or segmented behind the qdisc; ARGS are "acker" or "none", and the sender's qdisc. Times are
#                  what all programs and threads ran, and what the receiver's did
# For each line it prints "took KEY NS NS ...", two times for each lap (of TCP two times and the bytes, of two transfers), or
# "memory KEY BYTES", and "stats KEY JSON", what tc reports afterwards; for receive, acks and rxhook what onrampctl reported
# before and afterwards; for TCP both.
set -eu

DEV=bench0
FLOW=/sys/module/benchflow/parameters
HOOK=/sys/module/benchhook/parameters
TCP=/sharpramp/bench/tcp_rounds.py
# Seconds within which the module closes its taps, once nobody uses them: ONRAMP_TAPS_LINGER and a grace period.
CLOSING=1.2
# Whether they may be open.
tapped=no

die() { echo "failed $*"; exit 1; }

setup() {
	# Nobody else sends, by IPv6 either.
	echo 1 >/proc/sys/net/ipv6/conf/$DEV/addr_gen_mode
	echo 0 >/proc/sys/net/ipv6/conf/$DEV/router_solicitations
	# Below a full packet: an OR-ACK for each, if it is configured.
	ip link set $DEV mtu 1280 up
	ip addr add 192.0.2.1/24 dev $DEV
	# Where OR-ACKs go; the device throws them away.
	ip neigh add 192.0.2.9 lladdr 02:00:00:00:00:09 dev $DEV nud permanent
	ip route add 198.18.0.0/15 via 192.0.2.9 dev $DEV
	# A queue that is drained goes in one run.
	echo 1000000 >/proc/sys/net/core/dev_weight
	onrampctl limits set flows 262144 memory 1073741824
	onrampctl clock set system error 1us
	onrampctl peers add 198.18.0.0/15
	# The hook is called by a module of its own, not by the device.
	onrampctl stamps set dev $DEV tx tracepoint rx tracepoint
}

# without_taps: packets of this measurement pass no tap, which those before may have left open
without_taps() {
	[ $tapped = no ] || sleep $CLOSING
	tapped=no
}

# The clock that a qdisc and its receivers use: a line over the system's, or that itself
clock() {
	onrampctl clock clear published
	echo 0 >$FLOW/epoch
	case $* in
	*"clock published"*)
		onrampctl clock set published offset 0s drift -100 error 1us valid 600s epoch 1 base realtime ref "$(date +%s)s"
		echo 1 >$FLOW/epoch ;;
	esac
}

# attach ARGS...
attach() {
	tc qdisc del dev $DEV root 2>/dev/null || :
	clock "$@"
	case $* in
	*"mode hold"* | *"mode observe"*) tapped=yes ;;
	*) without_taps ;;
	esac
	case $* in
	noqueue)
		tc qdisc add dev $DEV root noqueue ;;
	*)
		tc -batch - <<-EOT
		qdisc add dev $DEV root handle 1: mq
		qdisc add dev $DEV parent 1:1 handle 10: $*
		EOT
		;;
	esac
}

# flows KIND LAPS PACKETS FLOWS: of this line's BYTES, FAMILY and PEER
flows() { echo "$* $shape" >$FLOW/run || die "$key: benchflow: $*"; }

# Counters of the acker
acker() { onrampctl -j acker show | tr -d '\n'; }

# receiver ARGS...: an acker, unless there is none to be
receiver() {
	if [ "$*" != none ]; then
		tapped=yes
		onrampctl acker set "$@"
		onrampctl acker dev add $DEV
	else
		without_taps
	fi
}

# connect KIND ACKER ARGS...: namespaces tx and rx
connect() {
	how=$1 acks=$2
	shift 2
	for ns in tx rx; do
		ip netns add $ns
		ip netns exec $ns sysctl -qw net.ipv6.conf.default.disable_ipv6=1
	done
	ip link add tx0 netns tx type veth peer name rx0 netns rx
	ip -n tx addr add 198.51.100.1/24 dev tx0
	ip -n rx addr add 198.51.100.2/24 dev rx0
	ip -n rx link set rx0 up
	ip -n tx link set tx0 up
	for ns in tx rx; do
		ip netns exec $ns onrampctl clock set system error 1us
	done
	ip netns exec rx ethtool -K rx0 gro on
	# Or softirqs of the receiver run wherever the sender is.
	ip netns exec rx sh -c 'echo 1 >/sys/class/net/rx0/threaded'
	if [ "$how" = segments ]; then
		ip netns exec tx ethtool -K tx0 tso off
		# ACKs are then processed in the sender's NAPI thread, not in the thread that sent them.
		ip netns exec rx ethtool -K rx0 tso off
		ip netns exec tx ethtool -K tx0 gro on
		ip netns exec tx sh -c 'echo 1 >/sys/class/net/tx0/threaded'
		ip netns exec tx onrampctl stamps set dev tx0 tx qdisc
	fi
	# The windows of the first lap are then as large as those of the last.
	ip netns exec tx sysctl -qw net.ipv4.tcp_slow_start_after_idle=0 net.ipv4.tcp_wmem="4096 4194304 4194304"
	ip netns exec rx sysctl -qw net.ipv4.tcp_rmem="4096 4194304 4194304"
	if [ "$acks" = acker ]; then
		ip netns exec rx onrampctl peers add 198.51.100.1
		ip netns exec rx onrampctl acker dev add rx0
	fi
	tc -n tx qdisc add dev tx0 root handle 10: "$@"
}

# tcp KIND LAPS ROUNDS CONNECTIONS ACKER ARGS...
tcp() {
	kind=$1 laps=$2 rounds=$3 connections=$4 fifo=/run/tcp_rounds polled=rx0
	shift 4
	tc qdisc del dev $DEV root 2>/dev/null || :
	without_taps
	connect "$kind" "$@" >&2 || return
	tapped=yes
	[ "$kind" = whole ] || polled="rx0 tx0"
	mkfifo $fifo
	ip netns exec rx "$TCP" receive $fifo "$connections" "$rounds" &
	reader=$!
	# Where nobody takes OR-ACKs an acker that gets the error would send no more: they come to a socket that nobody reads.
	ip netns exec tx python3 -c 'import socket, time; s = socket.socket(2, 2); s.bind(("", 31901)); time.sleep(1e6)' &
	sink=$!
	# shellcheck disable=SC2086 # they are several
	took=$(ip netns exec tx "$TCP" send $fifo "$connections" "$rounds" "$laps" 198.51.100.2 $polled)
	wait $reader
	kill "$sink"
	wait "$sink" || :
	rm $fifo
	echo "took $key $(echo "$took" | tr '\n' ' ')"
	echo "stats $key {\"qdisc\":$(tc -n tx -s -j qdisc show dev tx0 | tr -d '\n'),\"acker\":$(ip netns exec rx onrampctl -j acker show | tr -d '\n')}"
	ip netns del tx
	ip netns del rx
}

# Bytes in the kernel's slabs when what is to be freed after grace periods is.
slabs() {
	sleep 1
	sed -n 's/^Slab: *\([0-9]*\) kB$/\1/p' /proc/meminfo
}

# measure KIND LAPS PACKETS FLOWS ARGS...
measure() {
	kind=$1 laps=$2 packets=$3 count=$4
	shift 4
	case $kind in
	receive)
		tc qdisc del dev $DEV root 2>/dev/null || :
		receiver "$@"
		before=$(acker)
		flows receive "$laps" "$packets" "$count"
		echo "took $key $(cat $FLOW/ns)"
		echo "stats $key [$before,$(acker)]"
		[ "$*" = none ] || onrampctl acker dev del $DEV
		return ;;
	acks)
		tc qdisc del dev $DEV root 2>/dev/null || :
		ip link set $DEV mtu 1500
		receiver "$@"
		before=$(acker)
		while [ "$laps" -gt 0 ]; do
			flows receive 1 "$packets" "$count"
			sleep 0.01
			laps=$((laps - 1))
		done
		echo "took $key $(cat $FLOW/ns)"
		echo "stats $key [$before,$(acker)]"
		onrampctl acker dev del $DEV
		ip link set $DEV mtu 1280
		return ;;
	whole | segments)
		tcp "$kind" "$laps" "$packets" "$count" "$@"
		return ;;
	rxhook)
		tc qdisc del dev $DEV root 2>/dev/null || :
		onrampctl stamps set dev $DEV rx driver
		receiver "$@"
		before=$(acker)
		echo "rx $laps $packets" >$HOOK/run || die "$key: benchhook"
		echo "took $key $(cat $HOOK/ns)"
		echo "stats $key [$before,$(acker)]"
		[ "$*" = none ] || onrampctl acker dev del $DEV
		onrampctl stamps set dev $DEV rx tracepoint
		return ;;
	memory)
		# The memory of packets themselves is there before.
		attach pfifo limit 1000000
		flows fill 1 "$count" 1
		attach "$@"
		before=$(slabs)
		flows fill 1 "$packets" "$count"
		echo "memory $key $((($(slabs) - before) * 1024))" ;;
	hook)
		onrampctl stamps set dev $DEV tx driver
		attach "$@"
		flows open 1 1 1
		echo "tx $laps $packets" >$HOOK/run || die "$key: benchhook"
		echo "took $key $(cat $HOOK/ns)"
		onrampctl stamps set dev $DEV tx tracepoint ;;
	*)
		attach "$@"
		flows "$kind" "$laps" "$packets" "$count"
		echo "took $key $(cat $FLOW/ns)" ;;
	esac
	echo "stats $key $(tc -s -j qdisc show dev $DEV | tr -d '\n')"
}

setup
while read -r key kind laps packets count bytes family peer args; do
	shape="$bytes $family $peer"
	# shellcheck disable=SC2086 # several arguments
	measure "$kind" "$laps" "$packets" "$count" $args || die "$key: $args"
done
