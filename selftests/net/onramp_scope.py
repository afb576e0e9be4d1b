#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp on a NIC above which are VLANs with the same addresses, in VRFs or of links, as TAP.

One namespace sends: its NIC has the qdisc and is in no VRF, its VLANs 10 and 20 are. Behind each VLAN is a receiver of its own, with
the address of the other one. Connections through both have the same addresses and ports.
"""

import json
import os
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
# pylint: disable=wrong-import-position
import onramp_genl as genl
from onramp_hosts import ENTRY, HEADER, PORT
from script import Inside, finish, leave, result, run

N, _ = genl.numbers(os.path.join(HERE, "../.."))
A = f"onramp-sa-{os.getpid()}"
VLANS = {"red": 10, "blue": 20}
FAR = {name: f"onramp-s{name}-{os.getpid()}" for name in VLANS}
NEAR = {name: f"onramp-p{name}-{os.getpid()}" for name in VLANS}
HERE_4, THERE_4, CONTAINER = "192.0.2.1", "192.0.2.2", "198.51.100.2"
HERE_6, THERE_6 = "fe80::1", "fe80::2"
HERE_LINK, THERE_LINK = "169.254.0.1", "169.254.0.2"
SERVER, DELAY_NS = 5001, {"red": 20_000_000, "blue": 70_000_000}


def setup():
    """The sender, its VLANs, and a receiver behind each."""
    run("modprobe sch_onramp")
    for name in (A, *FAR.values(), *NEAR.values()):
        run(f"ip netns add {name}")
    run(f"ip -n {A} link add va type veth peer name vb")
    run(f"ip -n {A} link set va up")
    run(f"ip -n {A} link set vb up")
    run(f"ip netns exec {A} tc qdisc add dev va root onramp mode observe clock system error 10us threshold auto record_idle 60s")
    for name, number in VLANS.items():
        run(f"ip -n {A} link add link va name {name}10 type vlan id {number}")
        run(f"ip -n {A} link add link vb name far type vlan id {number}")
        run(f"ip -n {A} link set far netns {FAR[name]}")
        for space, dev, four, six, link in ((A, f"{name}10", HERE_4, HERE_6, HERE_LINK), (FAR[name], "far", THERE_4, THERE_6, THERE_LINK)):
            run(f"ip -n {space} link set {dev} up")
            run(f"ip -n {space} addr add {four}/24 dev {dev}")
            run(f"ip -n {space} addr add {six}/64 dev {dev} nodad")
            run(f"ip -n {space} addr add {link}/16 dev {dev} scope link")


def into_vrfs():
    """Each VLAN into a VRF of its own, and a container behind a bridge that is in it too; both have the same address."""
    with Inside(A), open("/proc/sys/net/ipv4/ip_forward", "w", encoding="ascii") as file:
        file.write("1")
    for name, number in VLANS.items():
        run(f"ip -n {A} link add {name} type vrf table {number}")
        run(f"ip -n {A} link set {name} up")
        run(f"ip -n {A} link set {name}10 master {name}")
        run(f"ip -n {A} link add {name}br type bridge")
        run(f"ip -n {A} link set {name}br master {name}")
        run(f"ip -n {A} link set {name}br up")
        run(f"ip -n {A} addr add 198.51.100.1/24 dev {name}br")
        run(f"ip -n {A} link add {name}p master {name}br type veth peer name eth0 netns {NEAR[name]}")
        run(f"ip -n {A} link set {name}p up")
        run(f"ip -n {NEAR[name]} addr add {CONTAINER}/24 dev eth0")
        run(f"ip -n {NEAR[name]} link set eth0 up")
        run(f"ip -n {NEAR[name]} route add default via 198.51.100.1")
        run(f"ip -n {FAR[name]} route add 198.51.100.0/24 via {HERE_4}")


class Connection:
    """From the sender, or a container, through a VLAN to the receiver behind it, with what that sees of it."""

    def __init__(self, name, near, source, target, bound=None):
        family = socket.AF_INET6 if ":" in target else socket.AF_INET
        with Inside(FAR[name]):
            scope = socket.if_nametoindex("far")
            self.listener = socket.create_server((target, SERVER, 0, scope) if family == socket.AF_INET6 else (target, SERVER),
                                                 family=family)
            self.tap = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x86dd if family == socket.AF_INET6 else 0x0800))
            self.tap.bind(("far", 0x86dd if family == socket.AF_INET6 else 0x0800))
            self.tap.settimeout(10)
            self.udp = socket.socket(family, socket.SOCK_DGRAM)
            self.udp.bind((target, PORT, 0, scope) if family == socket.AF_INET6 else (target, PORT))
        self.to = (source, PORT, 0, scope) if family == socket.AF_INET6 else (source, PORT)
        with Inside(near):
            self.client = socket.socket(family, socket.SOCK_STREAM)
            self.client.settimeout(10)
            self.client.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if bound:
                self.client.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, bound.encode())
            if family == socket.AF_INET6:
                scope = socket.if_nametoindex(f"{name}10")
                self.client.bind((source, 40001, 0, scope))
                self.client.connect((target, SERVER, 0, scope))
            else:
                self.client.bind((source, 40001))
                self.client.connect((target, SERVER))
        self.server = self.listener.accept()[0]
        self.header = 40 if family == socket.AF_INET6 else 20

    def send(self, count=500):
        """Send bytes; return seq, length and time of the packet, as it came."""
        self.client.sendall(bytes(count))
        while True:
            packet, where = self.tap.recvfrom(65536)
            rx_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
            at = self.header
            if where[2] == socket.PACKET_OUTGOING or packet[6 if at == 40 else 9] != socket.IPPROTO_TCP:
                continue
            sport, _, seq = struct.unpack_from(">HHI", packet, at)
            length = count if len(packet) >= at + count else 0
            if length and sport == 40001:
                return seq, length, rx_ns

    def ack(self, seen, later_ns):
        """Send an OR-ACK of a packet that says it came later."""
        seq, length, rx_ns = seen
        self.udp.sendto(HEADER.pack(1, 0, 1, 1, 0, 1000, 1) + ENTRY.pack(40001, SERVER, seq, length, 6, 1, rx_ns + later_ns), self.to)

    def close(self):
        """All of its sockets, and nothing of it in TIME_WAIT."""
        self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        for sock in (self.client, self.server, self.listener, self.tap, self.udp):
            sock.close()


def dumped(kind, source):
    """{scope: (samples, base)} of the flows or paths of an address, as the dump of the sender's namespace has them."""
    with Inside(A):
        family = genl.Family("onramp")
    found = []
    for reply in family.ask(N[f"ONRAMP_CMD_{kind}_GET"], flags=genl.DUMP):
        one = genl.attributes(reply[N[f"ONRAMP_A_{kind}"]])
        if one[N["ONRAMP_A_SADDR"]] == socket.inet_pton(socket.AF_INET6 if ":" in source else socket.AF_INET, source):
            scope = one.get(N.get("ONRAMP_A_SCOPE", -1), bytes(4))
            base = one.get(N["ONRAMP_A_BASE"])
            found.append((struct.unpack("=I", scope)[0], struct.unpack("=Q", one[N["ONRAMP_A_SAMPLES"]])[0],
                          struct.unpack("=q", base)[0] if base else None))
    family.socket.close()
    return sorted(found)


def index(dev):
    """The sender's ifindex of a device."""
    with Inside(A):
        return socket.if_nametoindex(dev)


def apart(what, source, scopes, make):
    """Two connections that differ in nothing but where they go: two flows, two paths, each with the delay of its own receiver."""
    both = {name: make(name) for name in VLANS}
    seen = {name: both[name].send() for name in VLANS}
    time.sleep(0.05)
    flows, paths = dumped("FLOW", source), dumped("PATH", source)
    wanted = sorted(scopes.values())
    result([flow[0] for flow in flows] == wanted and [path[0] for path in paths] == wanted,
           f"{what}: two flows, two paths, each with its scope", wanted, flows, paths)
    for name in VLANS:
        both[name].ack(seen[name], DELAY_NS[name])
        time.sleep(0.05)
    paths = {path[0]: path for path in dumped("PATH", source)}
    bases = {name: paths.get(scopes[name], (0, 0, None)) for name in VLANS}
    result(all(base[1] == 1 and base[2] and DELAY_NS[name] <= base[2] < DELAY_NS[name] + 40_000_000 for name, base in bases.items()),
           f"{what}: an OR-ACK is of the flow where it comes from, and each path has its own base", bases, dumped("FLOW", source))
    # An OR-ACK from the wrong VLAN matches no packet of that VLAN.
    again = both["red"].send()
    both["blue"].ack(again, 0)
    time.sleep(0.05)
    after = {path[0]: path for path in dumped("PATH", source)}
    result(all(after.get(scopes[name], (0, 0, None))[1] == 1 for name in VLANS), f"{what}: nobody acks what went elsewhere", after)
    for one in both.values():
        one.close()


def shown(scopes):
    """How onrampctl names the scopes of flows and paths."""
    for what in ("flows", "paths"):
        done = subprocess.run(["ip", "netns", "exec", A, "onrampctl", "-j", what], check=False, capture_output=True, text=True)
        named = {row.get("scope") for row in json.loads(done.stdout or "[]")}
        result(named == scopes, f"onrampctl names the VRFs and links of {what}", done.stdout, done.stderr)


def main():
    """Set up, test, clear away."""
    try:
        setup()
        links = {name: index(f"{name}10") for name in VLANS}
        apart("link-local on two links", HERE_6, links, lambda name: Connection(name, A, HERE_6, THERE_6))
        apart("IPv4 link-local on two links", HERE_LINK, links, lambda name: Connection(name, A, HERE_LINK, THERE_LINK, f"{name}10"))
        into_vrfs()
        vrfs = {name: index(name) for name in VLANS}
        apart("two VRFs", HERE_4, vrfs, lambda name: Connection(name, A, HERE_4, THERE_4, name))
        apart("containers behind bridges in two VRFs", CONTAINER, vrfs, lambda name: Connection(name, NEAR[name], CONTAINER, THERE_4))
        shown({*VLANS, *(f"{name}10" for name in VLANS)})
    finally:
        leave()
        for name in (A, *FAR.values(), *NEAR.values()):
            subprocess.run(["ip", "netns", "del", name], check=False)
    for _ in range(50):
        gone = subprocess.run(["rmmod", "sch_onramp", "onramp"], check=False, capture_output=True, text=True)
        if not gone.returncode:
            break
        time.sleep(0.2)
    result(not gone.returncode, "the modules unload after their namespaces went", gone.stderr)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
