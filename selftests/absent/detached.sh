#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the guest: is a driver queried for its clock only while its device is there, by locks that it wants? And are packets that a qdisc
# drops on dequeue freed behind its lock, where the kernel can? TAP.
set -u
# shellcheck source=selftests/lib/tap.sh
. /sharpramp/selftests/lib/tap.sh
params=/sys/module/absentdev/parameters

# expect NAME WHAT IT_IS IT_SHOULD_BE
expect()
{
	[ "$2" = "$3" ]
	tap_ok $? "$1" "$2, not $3"
}

# counted PARAMETER: how often since the last call of forget
counted()
{
	cat "$params/$1"
}

forget()
{
	for what in queries queries_absent outside asleep unlocked queries_phy; do
		echo 0 >"$params/$what"
	done
}

# refused DEVICE: does the kernel say that it has no clock?
refused()
{
	onrampctl stamps set dev "$1" tx hardware >/run/output 2>&1 && return 1
	grep -q 'no hardware clock' /run/output
}

TRACE=/sys/kernel/tracing
SEND='import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(20):
    s.sendto(bytes(1000), ("10.9.0.2", 9))'

# freed QDISC...: the functions that free packets that the qdisc drops on dequeue because they waited too long
freed()
{
	tc qdisc replace dev absent0 root "$@"
	echo 1 >$params/stopped
	python3 -c "$SEND"
	sleep 0.1
	echo >$TRACE/trace
	echo 1 >$TRACE/events/skb/kfree_skb/enable
	echo 0 >$params/stopped
	sleep 0.1
	echo 0 >$TRACE/events/skb/kfree_skb/enable
	sed -n 's/.*protocol=2048 location=\([^ +]*\).*QDISC.*/\1/p' $TRACE/trace | sort -u
}

modprobe -a onramp onramp_acker absentdev 8021q
forget
onrampctl stamps >/run/output 2>&1
expect "a dump tells the device" "$(grep -c '^absent0' /run/output)" 1
onrampctl stamps set dev absent0 tx hardware
expect "a device that is there may stamp" $? 0
expect "it was queried, between begin and complete" "$([ "$(counted queries)" -gt 0 ] && echo yes) $(counted outside)" "yes 0"
expect "awake, and with the lock that its driver wants" "$(counted asleep) $(counted unlocked)" "0 0"
onrampctl stamps set dev absent0 tx auto
echo 1 >$params/phy
forget
onrampctl stamps set dev absent0 tx hardware
expect "one whose PHY has a clock may stamp" $? 0
expect "the PHY was queried for it" "$([ "$(counted queries_phy)" -gt 0 ] && echo yes) $(counted queries)" "yes 0"
onrampctl stamps set dev absent0 tx auto
echo 0 >$params/phy
ip link add link absent0 name absent0.5 type vlan id 5
echo 0 >$params/present
forget
onrampctl stamps >/run/output 2>&1
expect "a dump tells devices that are away" "$(grep -c '^absent0' /run/output)" 2
refused absent0
expect "one that is away may not stamp" $? 0
refused absent0.5
expect "nor may a VLAN on it" $? 0
expect "its driver was not queried" "$(counted queries) $(counted queries_absent) $(counted outside)" "0 0 0"
echo 1 >$params/present
onrampctl stamps set dev absent0 rx hardware
expect "one that is back may stamp" $? 0
# With the driver's lock held: tc, the notifiers of a link that comes, and a request.
tc qdisc add dev absent0 root onramp mode observe
expect "tc adds onramp to it" $? 0
ip link set absent0 up
onrampctl acker dev add absent0
expect "the acker is attached to it" $? 0
onrampctl stamps >/run/output
tc qdisc del dev absent0 root
ip link set absent0 down
expect "a link that comes and goes, and requests, wait for no lock that they have" "$(grep -c '^absent0' /run/output)" 2
ip link set absent0 up
ip addr add 10.9.0.1/24 dev absent0
ip neigh add 10.9.0.2 lladdr 02:00:00:00:00:02 dev absent0
[ -d $TRACE/events ] || mount -t tracefs none $TRACE
theirs=$(freed codel target 1us interval 1us noecn)
own=$(freed ecnsharp ins_target 1ms pst_target 500us nonect drop)
echo "# codel's are freed by: $theirs; ecnsharp's by: $own"
case $theirs in
'' | *codel*) echo "# this kernel frees packets in the function that drops them" ;;
*) expect "packets that ecnsharp drops on dequeue are freed where codel's are" "$own" "$theirs" ;;
esac
tap_done
