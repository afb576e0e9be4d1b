#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp where routes change and hosts have several addresses or namespaces, as TAP."""

import contextlib
import os
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import onramp_genl as genl
from onramp_hosts import A, B, ADDRESS_A, ADDRESS_B, LEAF, N, PORT, STATS, TCP_ACK, Hosts, frame, in_a, network, root, tc
from script import enter, finish, result, run, skip


def roams(hosts):
    """A flow that leaves by another device and comes back is measured where it leaves, before long, and in between it is not twice."""
    other = "onramp mode hold clock system error 10us threshold 1s record_idle 10s"
    root(other)
    run(f"ip -n {A} link add vc type veth peer name vd netns {B}")
    for ns, dev in ((A, "vc"), (B, "vd")):
        run(f"ip -n {ns} link set {dev} up")
        run(f"ip netns exec {ns} sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.{dev}.rp_filter=0")
    tc(f"qdisc replace dev vc root handle 2: {other}")
    hosts.send()

    def recorded(dev):
        """Records of a device's qdisc."""
        return tc(f"-s -j qdisc show dev {dev}")[0]["records"]

    def send(seconds):
        """So long, twenty packets a second; return what both devices record of the last of them."""
        for _ in range(seconds * 20):
            hosts.client.sendall(b"x")
            hosts.server.recv(1)
            time.sleep(0.05)
        before = [recorded(dev) for dev in ("va", "vc")]
        hosts.client.sendall(b"x")
        hosts.server.recv(1)
        return [recorded(dev) - was for dev, was in zip(("va", "vc"), before)]

    here = send(0)
    in_a(f"ip route replace {ADDRESS_B}/32 dev vc")
    there = send(0)
    in_a(f"ip route replace {ADDRESS_B}/32 dev va")
    soon = send(0)
    back = send(4)
    stays = send(1)
    result(here == back == stays == [1, 0] and there == [0, 1] and soon == [0, 0],
           "a flow that comes back to a device is measured there, from two seconds on", here, there, soon, back, stays)
    run(f"ip -n {A} link del vc")
    in_a(f"ip route del {ADDRESS_B}/32 dev va")
    hosts.drain()


def balanced(hosts):
    """A bond sends a flow by two links in turn: each packet is recorded by its link's queue, and each report finds its packet."""
    made = subprocess.run(["ip", "-n", A, "link", "add", "bond9", "type", "bond", "mode", "balance-rr"], check=False, capture_output=True)
    if made.returncode:
        skip("a flow that a bond sends by two links in turn", made.stderr.decode().strip())
        return
    for dev in ("d1", "d2"):
        run(f"ip -n {A} link add {dev} type dummy")
        run(f"ip -n {A} link set {dev} master bond9")
        tc(f"qdisc replace dev {dev} root handle 1: onramp {LEAF}")
    run(f"ip -n {A} link set bond9 up")
    count = 20
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.bind(("bond9", 0x0800))
        change = hosts.changed(lambda: [wire.send(frame(TCP_ACK, 1000 * number, 1000, sport=13)) for number in range(1, count + 1)])
    each = [tc(f"-s -j qdisc show dev {dev}")[0]["records"] for dev in ("d1", "d2")]
    result(change.get("records") == count and change.get("flows") == 1 and each == [count / 2, count / 2],
           "a flow that a bond sends by two links in turn: each records what it sends", change, each)
    now_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
    change = hosts.changed(lambda: [hosts.ack((1000 * number, 1000, now_ns), sport=13) for number in range(1, count + 1)])
    result(change.get("samples") == count and "unmatched" not in change, "and each report is a sample", change)
    for dev in ("bond9", "d1", "d2"):
        run(f"ip -n {A} link del {dev}")


C, ADDRESS_C, GATEWAY = f"onramp-c-{os.getpid()}", "198.51.100.2", "198.51.100.1"


def counted(name, path, group, counter):
    """A number of /proc/net/snmp in a namespace."""
    text = subprocess.run(["ip", "netns", "exec", name, "cat", path], check=True, capture_output=True, text=True).stdout
    names, numbers = [line.split()[1:] for line in text.splitlines() if line.startswith(f"{group}:")]
    return int(dict(zip(names, numbers))[counter])


@contextlib.contextmanager
def behind():
    """A container behind the sender's host, with an onramp of its own."""
    run(f"ip netns add {C}")
    try:
        run(f"ip -n {A} link add vh type veth peer name vi netns {C}")
        for name, dev, address in ((A, "vh", GATEWAY), (C, "vi", ADDRESS_C)):
            run(f"ip -n {name} addr add {address}/24 dev {dev}")
            run(f"ip -n {name} link set {dev} up")
        run(f"ip -n {C} route add default via {GATEWAY}")
        run(f"ip -n {B} route add {ADDRESS_C}/32 via {ADDRESS_A}")
        in_a("echo 1 >/proc/sys/net/ipv4/ip_forward")
        run(f"ip netns exec {C} tc qdisc add dev vi root handle 1: onramp {LEAF}")
        yield
    finally:
        subprocess.run(["ip", "netns", "del", C], check=False)
        subprocess.run(["ip", "-n", B, "route", "del", f"{ADDRESS_C}/32"], check=False)


def contained(hosts):
    """A container's onramp behind its host's: both have delays; a container without one does not have the receiver refused."""
    root(f"onramp {LEAF}")
    hosts.drain()
    with behind():
        enter(C)
        client = socket.create_connection((ADDRESS_B, 5001))
        inner = genl.Family("onramp")
        enter(A)
        server = hosts.listener.accept()[0]
        outer, hosts.client = hosts.client, client

        def samples(family):
            """Counters of a namespace."""
            reply = family.ask(N["ONRAMP_CMD_STATS_GET"])[0]
            return dict(zip(STATS, struct.unpack(f"={len(STATS)}q", reply[N["ONRAMP_A_STATS"]])))["samples"]

        def acked(**other):
            """One packet, and an OR-ACK of it: samples in the host and in the container, and what the host counts."""
            client.sendall(b"x")
            server.recv(1)
            hosts.drain()
            client.sendall(bytes(500))
            taken = 0
            while taken < 500:
                taken += len(server.recv(500 - taken))
            seen = None
            while not seen:
                packet, where = hosts.tap.recvfrom(65536)
                at = (packet[0] & 15) * 4
                if where[2] != socket.PACKET_OUTGOING and packet[9] == socket.IPPROTO_TCP and packet[12:16] == socket.inet_aton(ADDRESS_C):
                    length = struct.unpack_from(">H", packet, 2)[0] - at - (packet[at + 12] >> 4) * 4
                    if length:
                        seen = struct.unpack_from(">I", packet, at + 4)[0], length, time.clock_gettime_ns(time.CLOCK_REALTIME)
            data = hosts.orack(seen, target=ADDRESS_C, **other)
            before = samples(inner)
            change = hosts.changed(lambda: hosts.udp.sendto(data, (ADDRESS_C, PORT)))
            for _ in range(20):
                if samples(inner) > before:
                    break
                time.sleep(0.05)
            return change.get("samples", 0), samples(inner) - before, change

        both = acked()
        result(both[:2] == (1, 1) and both[2].get("acks_forwarded") == 1, "an OR-ACK of a flow of a container is its host's sample and its own", both)
        bad = acked(version=2)
        result(bad[:2] == (0, 0) and bad[2].get("acks_bad") == 1 and "acks_forwarded" not in bad[2], "what is no OR-ACK is nobody's", bad)
        run(f"ip netns exec {C} tc qdisc del dev vi root")
        unreachable = counted(B, "/proc/net/snmp", "Icmp", "InDestUnreachs")
        none = [acked() for _ in range(3)]
        time.sleep(0.2)
        unreachable = counted(B, "/proc/net/snmp", "Icmp", "InDestUnreachs") - unreachable
        unanswered = counted(C, "/proc/net/snmp", "Udp", "NoPorts")
        result([each[0] for each in none] == [1, 1, 1] and unanswered <= 2 and not unreachable,
               "without onramp it is not queried again at once, and the receiver gets no refusal", none, unanswered, unreachable)
        inner.socket.close()
        client.close()
        server.close()
        hosts.client = outer


def main():
    """Set up, test, clear away."""
    with network(LEAF, queues=2):
        hosts = Hosts()
        roams(hosts)
        balanced(hosts)
        contained(hosts)
        hosts.close()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
