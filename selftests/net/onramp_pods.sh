#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Pods, as docs/kubernetes.md says: a network namespace has nothing of the host's, and these capabilities suffice to configure it.
#
#   node $H vh -- vp pod $P

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

# CAP_NET_ADMIN, and CAP_SYS_ADMIN: those of contrib/kubernetes.
NET_ADMIN=12 SYS_ADMIN=21
HOST=$HERE/../../operations/onramp-host
WITHOUT=$HERE/without.py

node() { ip netns exec "$H" "$@"; }
pod() { ip netns exec "$P" "$@"; }

connect()
{
	ip -n "$H" link add vh type veth peer name vp netns "$P"
	ip -n "$H" addr add 192.0.2.1/24 dev vh
	ip -n "$P" addr add 192.0.2.2/24 dev vp
	ip -n "$H" link set vh up
	ip -n "$P" link set vp up
}

settings()
{
	local other

	node sh -c 'echo 1 >/proc/sys/net/ipv4/tcp_ecn; echo reno >/proc/sys/net/ipv4/tcp_congestion_control'
	for other in tcp_ecn tcp_congestion_control; do
		expect "$other of a pod that the node starts" "$(node unshare --net cat /proc/sys/net/ipv4/$other)" "$(cat /proc/sys/net/ipv4/$other)"
	done
	expect "tcp_ecn of the node" "$(node cat /proc/sys/net/ipv4/tcp_ecn)" 1
	result "a pod has tcp_ecn and a congestion control of its own"

	expect "default_qdisc there" "$(pod sh -c 'ls /proc/sys/net/core/default_qdisc 2>/dev/null || echo none')" none
	expect "qdiscs of its card" "$(pod tc -j qdisc show dev vp | grep -c '"kind":"noqueue"')" 1
	result "it has no default_qdisc, and its card has no queue"
}

state()
{
	node onrampctl peers add 192.0.2.0/24
	node onrampctl hold off test
	expect "peers of the pod" "$(pod onrampctl -j peers)" "[]"
	expect "the switch of the node" "$(node onrampctl hold | grep -c test)" 1
	expect "that of the pod" "$(pod onrampctl hold | grep -c test)" 0
	node onrampctl hold on
	result "peers and the switch are the node's alone"
}

receiver()
{
	expect_done "peers" pod "$WITHOUT" "but:$NET_ADMIN" onrampctl peers add 192.0.2.0/24
	expect_done "the acker" pod "$WITHOUT" "but:$NET_ADMIN" onrampctl acker dev add vp
	expect "devices of the acker" "$(pod onrampctl -j acker | grep -c '"vp"')" 1
	result "NET_ADMIN suffices for an acker in a pod"
	expect_refused "a device" "not permitted" pod "$WITHOUT" "but:$SYS_ADMIN" onrampctl acker dev del vp
	expect_refused "a prefix" "not permitted" pod "$WITHOUT" "but:$SYS_ADMIN" onrampctl peers add 198.51.100.0/24
	result "without NET_ADMIN nothing is changed"
}

sender()
{
	local folder

	folder=$(mktemp -d)
	printf '%s\n' 'ONRAMP_PEERS="192.0.2.0/24"' 'ONRAMP_HOSTS="192.0.2.1 192.0.2.2"' 'ONRAMP_CLOCK="system error 2us"' >"$folder/settings"
	expect_refused "onramp-host" "CAP_SYS_ADMIN" \
		node env SHARPRAMP_DEFAULT="$folder/settings" "$WITHOUT" "but:$NET_ADMIN" sh "$HOST"
	expect "onramp on the card" "$(node tc qdisc show dev vh | grep -c onramp)" 0
	result "NET_ADMIN alone does not suffice for onramp-host"
	expect_done "onramp-host" node env SHARPRAMP_DEFAULT="$folder/settings" "$WITHOUT" "but:$NET_ADMIN,$SYS_ADMIN" sh "$HOST"
	expect "onramp on the card" "$(node tc qdisc show dev vh | grep -c '^qdisc onramp .* mode observe')" 1
	expect "the card with the acker" "$(node onrampctl -j acker | grep -c '"vh"')" 1
	result "NET_ADMIN and SYS_ADMIN suffice where the modules are loaded"
	rm -r "$folder"
}

require onrampctl onramp-mq python3
require_module sch_onramp
require_module onramp_acker
setup_ns H P
connect
settings
state
receiver
sender
finish
