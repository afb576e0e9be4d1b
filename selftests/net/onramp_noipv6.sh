#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# An acker where IPv6 was turned off at boot (ipv6.disable=1): others may send it all the same.
#
#   h1 192.0.2.1 ---- h2 192.0.2.2, acker, of any peer

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

# counted KEY: of the acker
counted()
{
	json_number "$(ip netns exec "$H2" onrampctl -j acker)" "\"$1\":"
}

counted_ge()
{
	[ "$(counted "$1")" -ge "$2" ]
}

# frame: TCP over IPv6 with payload, to h2's own MAC address; the acker sees it before anybody asks for its protocol
frame()
{
	ip netns exec "$H1" python3 - <<-'EOF'
	import socket, struct
	address = bytes.fromhex("20010db8000000000000000000000000")
	tcp = struct.pack("!HHIIBBHHH", 5001, 5002, 1, 1, 0x50, 0x18, 1000, 0, 0) + bytes(100)
	ip = struct.pack("!IHBB", 6 << 28, len(tcp), 6, 64) + address[:15] + b"\1" + address[:15] + b"\2"
	sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
	sock.bind(("h1", 0))
	sock.send(bytes.fromhex("020000000022020000000011" "86dd") + ip + tcp)
	EOF
}

six()
{
	local before

	before=$(counted not_ours)
	expect_done "a frame" frame
	busywait counted_ge packets 1
	busywait counted_ge not_ours $((before + 1))
	expect "datagrams" "$(counted datagrams)" 0
	result "what comes by IPv6 is seen, and is for no address of this host"
}

four()
{
	transfer cubic 192.0.2.2
	busywait counted_ge datagrams 1
	result "what comes by IPv4 is acked"
}

: "${BYTES:=400000}"
[ ! -d /proc/sys/net/ipv6 ] || skip_all "IPv6 is there: boot with ipv6.disable=1"
require onrampctl iperf3 python3
modprobe -q onramp_acker || skip_all "no module onramp_acker"
setup_ns H1 H2
link_pair "$H1" h1 11 "$H2" h2 22
ip -n "$H1" -batch - <<-'EOF'
	link set h1 up
	addr add 192.0.2.1/24 dev h1
EOF
ip -n "$H2" -batch - <<-'EOF'
	link set h2 up
	addr add 192.0.2.2/24 dev h2
EOF
settle "$H1" h1
ip netns exec "$H2" onrampctl clock set system error 1us
ip netns exec "$H2" onrampctl peers add ::/0
ip netns exec "$H2" onrampctl peers add 0.0.0.0/0
ip netns exec "$H2" onrampctl acker dev add h2
six
four
finish
