#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp at a sender some of whose connections go to peers, and many to strangers, as TAP.

One namespace sends, the other one has whole prefixes of addresses, so that a connection to each is a path of its own.
"""

import errno
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
from onramp_hosts import ENTRY, HEADER
from script import Inside, in_child, become_tenant, finish, leave, result, run, skip

N, STATS = genl.numbers(os.path.join(HERE, "../.."))
A, B = f"onramp-ta-{os.getpid()}", f"onramp-tb-{os.getpid()}"
PEERS, MANY, SERVER, LISTENER = "10.9.0.0/24", 256, 5001, {}
FOLLOW = ("all", "peers", "keys")


def setup():
    """The sender, and a host that has all addresses."""
    run("modprobe sch_onramp")
    for name in (A, B):
        run(f"ip netns add {name}")
    run(f"ip -n {A} link add va type veth peer name vb netns {B}")
    for name, dev, number in ((A, "va", 1), (B, "vb", 2)):
        run(f"ip -n {name} link set lo up")
        run(f"ip -n {name} link set {dev} up")
        run(f"ip -n {name} addr add 192.0.2.{number}/24 dev {dev}")
        run(f"ip -n {name} addr add 2001:db8::{number}/64 dev {dev} nodad")
    run(f"ip -n {A} route add 10.9.0.0/16 via 192.0.2.2")
    run(f"ip -n {A} -6 route add 2001:db8:9::/64 via 2001:db8::2")
    run(f"ip -n {B} route add local 10.9.0.0/16 dev lo")
    run(f"ip -n {B} -6 route add local 2001:db8:9::/64 dev lo")
    run(f"ip netns exec {A} tc qdisc add dev va root handle 1: onramp mode observe clock system error 10us threshold 1s record_idle 60s")


def prefix_of(text):
    """The attributes of a prefix."""
    address, _, length = text.partition("/")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return (("PREFIX", socket.inet_pton(family, address)), ("PREFIX_LEN", bytes((int(length),))))


def qdisc(settings):
    """Change the sender's."""
    run(f"ip netns exec {A} tc qdisc change dev va root handle 1: onramp {settings}")


class Sender:
    """The sender's socket of the family, and its requests."""

    def __init__(self):
        with Inside(A):
            self.family = genl.Family("onramp")

    def ask(self, command, *pairs, flags=genl.ACK):
        """A request that must be accepted."""
        return self.family.ask(N[f"ONRAMP_CMD_{command}"], b"".join(genl.attribute(N[f"ONRAMP_A_{kind}"], data) for kind, data in pairs), flags)

    def refused(self, name, number, text, command, *pairs):
        """A request that must be refused, with an error and a text or, if that is empty, the attribute's place, and change nothing."""
        before = self.state()
        try:
            self.ask(command, *pairs)
        except genl.Refused as why:
            result(why.errno == number and text in why.text and (text or why.attribute) and self.state() == before, f"refused: {name}",
                   f"{errno.errorcode[why.errno]} '{why.text}' attribute at {why.attribute}", before, self.state())
            return
        result(False, f"refused: {name}", "it was accepted")

    def state(self):
        """State that requests set: the list of peers, and limits."""
        reply = self.ask("STATS_GET")[0]
        return self.peers(), [reply[N[f"ONRAMP_A_{name}"]] for name in ("MAX_FLOWS", "MAX_PATHS", "MAX_MEMORY", "FOLLOW")]

    def peers(self):
        """The list of peers."""
        return [(reply[N["ONRAMP_A_PREFIX"]], reply[N["ONRAMP_A_PREFIX_LEN"]][0]) for reply in self.ask("PEER_GET", flags=genl.DUMP)]

    def limits(self, **values):
        """Set some; follow by its name."""
        pairs = []
        for name, value in values.items():
            if name == "follow":
                pairs.append(("FOLLOW", bytes((FOLLOW.index(value),))))
            else:
                pairs.append((f"MAX_{name.upper()}", struct.pack("=Q" if name == "memory" else "=I", value)))
        self.ask("LIMITS_SET", *pairs)

    def stats(self):
        """Counters of the namespace, and levels."""
        reply = self.ask("STATS_GET")[0]
        found = dict(zip(STATS, struct.unpack(f"={len(STATS)}q", reply[N["ONRAMP_A_STATS"]])))
        for name in ("FLOWS", "PATHS", "MEMORY", "MAX_MEMORY", "FLOWS_EVICTED", "NOT_FOLLOWED"):
            data = reply[N[f"ONRAMP_A_{name}"]]
            found[f"now_{name.lower()}"] = int.from_bytes(data, sys.byteorder)
        return found

    def measured(self):
        """The destinations, as text, and source ports of flows."""
        flows = [genl.attributes(reply[N["ONRAMP_A_FLOW"]]) for reply in self.ask("FLOW_GET", flags=genl.DUMP)]
        return {(socket.inet_ntop(socket.AF_INET if len(flow[N["ONRAMP_A_DADDR"]]) == 4 else socket.AF_INET6, flow[N["ONRAMP_A_DADDR"]]),
                 struct.unpack(">H", flow[N["ONRAMP_A_SPORT"]])[0]) for flow in flows}


class Connection:
    """To an address; each send is a packet with a byte of payload."""

    def __init__(self, address):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with Inside(A):
            self.client = socket.socket(family, socket.SOCK_STREAM)
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.client.settimeout(10)
        self.client.connect((address, SERVER))
        self.server = LISTENER[family].accept()[0]
        self.server.settimeout(10)
        self.end = address, self.client.getsockname()[1]

    def send(self):
        """A byte, and wait until it is there."""
        self.client.sendall(b"x")
        self.server.recv(1)
        return self

    def close(self):
        """Both ends, and nothing of it in TIME_WAIT."""
        for sock in (self.client, self.server):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.close()


def listen():
    """Where all connections come to."""
    with Inside(B):
        LISTENER[socket.AF_INET] = socket.create_server(("", SERVER), backlog=64)
        LISTENER[socket.AF_INET6] = socket.create_server(("::", SERVER), family=socket.AF_INET6, backlog=64)


def strangers(count, first=1):
    """Connections to as many addresses of one /64, each a path of its own."""
    made = []
    for number in range(first, first + count):
        made.append(Connection(f"2001:db8:9::{number:x}").send())
        time.sleep(0.011)       # a table that is full is tried again
    return made


def list_refused(sender):
    """Requests for the list of peers, of a sender without an acker."""
    for name, number, text, command, pairs in (
            ("no prefix", errno.EINVAL, "prefix is missing", "PEER_ADD", ()),
            ("a prefix without a length", errno.EINVAL, "prefix_len is missing", "PEER_ADD", prefix_of(PEERS)[:1]),
            ("a length without a prefix", errno.EINVAL, "prefix is missing", "PEER_ADD", prefix_of(PEERS)[1:]),
            ("a prefix of 5 bytes", errno.EINVAL, "4 or 16", "PEER_ADD", (("PREFIX", bytes(5)), ("PREFIX_LEN", bytes(1)))),
            ("33 bits of IPv4", errno.ERANGE, "0 to 32", "PEER_ADD", prefix_of("10.0.0.0/33")),
            ("129 bits of IPv6", errno.ERANGE, "", "PEER_ADD", prefix_of("::/129")),
            ("bits beyond the length", errno.EINVAL, "beyond prefix_len", "PEER_ADD", prefix_of("10.9.0.1/24")),
            ("IPv4 in 16 bytes", errno.EINVAL, "has 4 bytes", "PEER_ADD", prefix_of("::ffff:10.9.0.0/120")),
            ("a peer in a group", errno.EINVAL, "", "PEER_ADD", (*prefix_of(PEERS), ("GROUP", struct.pack("=I", 1)))),
            ("a prefix off an empty list", errno.ENOENT, "not on the list", "PEER_DEL", prefix_of(PEERS))):
        sender.refused(name, number, text, command, *pairs)
    sender.ask("PEER_ADD", *prefix_of(PEERS))
    sender.refused("a prefix twice", errno.EEXIST, "on the list already", "PEER_ADD", *prefix_of(PEERS))
    sender.refused("a part of a prefix off the list", errno.ENOENT, "not on the list", "PEER_DEL", *prefix_of("10.9.0.0/25"))
    for number in range(1, MANY):
        sender.ask("PEER_ADD", *prefix_of(f"10.8.{number}.0/24"))
    sender.refused("a prefix too many", errno.ENOSPC, f"is full, with {MANY}", "PEER_ADD", *prefix_of("10.8.0.0/24"))
    result(len(sender.peers()) == MANY and sender.peers()[0] == (socket.inet_aton("10.9.0.0"), 24), "the list is dumped in its order, without an acker",
           sender.peers())
    with Inside(A):
        slow = genl.Family("onramp", 4096)
    dumped = slow.ask(N["ONRAMP_CMD_PEER_GET"], flags=genl.DUMP)
    quiet = slow.interrupted
    slow.ask(N["ONRAMP_CMD_PEER_GET"], flags=genl.DUMP, meanwhile=lambda: sender.ask("PEER_DEL", *prefix_of("10.8.7.0/24")))
    result(len(dumped) == MANY and not quiet and slow.interrupted, "in several parts, too, and one during which it changes says so", len(dumped), quiet)
    slow.socket.close()
    for _, address in enumerate(sender.peers()[1:]):
        sender.ask("PEER_DEL", ("PREFIX", address[0]), ("PREFIX_LEN", bytes((address[1],))))
    result(sender.peers() == [(socket.inet_aton("10.9.0.0"), 24)], "and it is as short again", sender.peers())


def acker_comes_and_goes(sender):
    """The list is the namespace's: the acker that comes has it, and as it goes it stays."""
    name = "the list stays as the acker comes, and as it goes"
    if subprocess.run(["modprobe", "onramp_acker"], check=False, capture_output=True).returncode:
        skip(name, "no module onramp_acker")
        return
    there = sender.peers()
    run("rmmod onramp_acker")
    result(there == sender.peers() == [(socket.inet_aton("10.9.0.0"), 24)], name, there, sender.peers())


def limits_refused(sender):
    """Requests about limits."""
    u8, u32, u64 = (struct.Struct(f"={kind}").pack for kind in "BIQ")
    for name, number, text, pairs in (
            ("nothing at all", errno.EINVAL, "follow must be given", ()),
            ("follow 3", errno.ERANGE, "", (("FOLLOW", u8(3)),)),
            ("follow 255", errno.ERANGE, "", (("FOLLOW", u8(255)),)),
            ("follow of 4 bytes", errno.EINVAL, "", (("FOLLOW", u32(1)),)),
            ("no memory", errno.ERANGE, "", (("MAX_MEMORY", u64(0)),)),
            ("memory below 64 KB", errno.ERANGE, "", (("MAX_MEMORY", u64(65535)),)),
            ("memory above 1 TB", errno.ERANGE, "", (("MAX_MEMORY", u64(2**40 + 1)),)),
            ("memory of 4 bytes", errno.EINVAL, "", (("MAX_MEMORY", u32(65536)),)),
            ("a read-only attribute",  errno.EINVAL, "", (("MEMORY", u64(65536)),)),
            ("good memory with a bad follow", errno.ERANGE, "", (("MAX_MEMORY", u64(65536)), ("FOLLOW", u8(3)))),
            ("a good follow with no flows", errno.ERANGE, "", (("FOLLOW", u8(1)), ("MAX_FLOWS", u32(0))))):
        sender.refused(name, number, text, "LIMITS_SET", *pairs)


def tenant():
    """As root of a user namespace alone: memory above the default, and below."""
    if not become_tenant():
        return None
    family, errors = genl.Family("onramp"), []
    for value in (2**28 + 1, 2**28, 65536):
        try:
            family.ask(N["ONRAMP_CMD_LIMITS_SET"], genl.attribute(N["ONRAMP_A_MAX_MEMORY"], struct.pack("=Q", value)), genl.ACK)
            errors.append(0)
        except genl.Refused as why:
            errors.append(why.errno)
    return errors


def tenants_refused():
    """A tenant has no more memory than the default."""
    errors, name = in_child(tenant), "a tenant has no more memory than the default, and may have less"
    if errors == "None":
        skip(name, "no user namespaces")
    else:
        result(errors == repr([errno.EPERM, 0, 0]), name, errors)


def follow_peers(sender):
    """Which flows are measured as the setting, and the list, change."""
    peer, other = Connection("10.9.0.1"), Connection("10.9.1.1")

    def send():
        peer.send()
        other.send()
        return sender.measured() & {peer.end, other.end}

    result(send() == {peer.end, other.end}, "follow all: both are measured", sender.measured())
    sender.limits(follow="peers")
    left = sender.measured()
    result(peer.end in left and other.end not in left, "a stranger's flow is let go at once, a peer's stays", left)
    before = sender.stats()
    found = send()
    after = sender.stats()
    result(found == {peer.end} and after["now_not_followed"] > before["now_not_followed"] and after["flows_failed"] == before["flows_failed"],
           "a stranger is not followed: its packet leaves and is counted, and no flow is made", found, before, after)
    sender.ask("PEER_ADD", *prefix_of("10.9.1.0/24"))
    result(send() == {peer.end, other.end}, "one that is put on the list is, with its next packet", sender.measured())
    sender.ask("PEER_DEL", *prefix_of(PEERS))
    gone = sender.measured()
    result(peer.end not in gone and other.end in gone and send() == {other.end}, "and one that is taken off no more", gone, sender.measured())
    sender.ask("PEER_DEL", *prefix_of("10.9.1.0/24"))
    result(not send(), "nobody's flow, if nobody is on the list", sender.measured())
    sender.limits(follow="keys")
    sender.ask("PEER_ADD", *prefix_of("10.9.1.0/24"))
    result(not send(), "a sender without a key is not followed, on the list or not", sender.measured())
    group = ("GROUP", struct.pack("=I", 1))
    sender.ask("KEY_ADD", group, ("KEY_ID", b"\1"), ("KEY", bytes(16)))
    result(not send(), "nor is anybody by a group without peers", sender.measured())
    sender.ask("KEY_PEER_ADD", group, *prefix_of(PEERS))
    result(send() == {peer.end}, "a sender in a group with keys is", sender.measured())
    sender.ask("KEY_DEL", group)
    result(peer.end not in sender.measured() and not send(), "and not without the group", sender.measured())
    sender.limits(follow="all")
    result(send() == {peer.end, other.end}, "follow all: again both are measured", sender.measured())
    sender.ask("PEER_DEL", *prefix_of("10.9.1.0/24"))
    for one in (peer, other):
        one.close()


def held_and_let_go(sender):
    """A packet that is held leaves as its flow is let go, long before the hold would end; a new one is not held."""
    qdisc("mode hold threshold 50us max_hold 1s law strawman record_idle 60s")
    one = Connection("10.9.0.1").send()
    with Inside(B):
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("10.9.0.1", 31901))
        tap = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
        tap.bind(("vb", 0x0800))
        tap.settimeout(10)
    one.send()
    while True:
        packet, where = tap.recvfrom(65536)
        rx_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
        at = (packet[0] & 15) * 4
        size = struct.unpack_from(">H", packet, 2)[0]
        if where[2] != socket.PACKET_OUTGOING and packet[9] == socket.IPPROTO_TCP and size - at - (packet[at + 12] >> 4) * 4 == 1:
            break
    seq = struct.unpack_from(">I", packet, at + 4)[0]
    time.sleep(1.2)
    udp.sendto(HEADER.pack(1, 0, 1, 1, 0, 1000, 1) + ENTRY.pack(one.end[1], SERVER, seq, 1, 6, 1, rx_ns + 1_000_000_000), ("192.0.2.1", 31901))
    time.sleep(0.05)
    holds = sender.stats()["holds"]
    one.client.sendall(b"x")
    one.server.settimeout(0.2)
    try:
        one.server.recv(1)
        early = True
    except TimeoutError:
        early = False
    one.server.settimeout(10)
    start = time.monotonic()
    sender.limits(follow="keys")
    one.server.recv(1)
    took = time.monotonic() - start
    result(holds and not early and took < 0.5, "what a flow holds leaves as it is let go", holds, early, took)
    sender.limits(follow="all")
    one.send()
    result(one.end in sender.measured(), "and it is measured again, by the same queue", sender.measured())
    for sock in (udp, tap):
        sock.close()
    one.close()
    qdisc("mode observe threshold 1s record_idle 60s")


def paths_full(sender):
    """Strangers have all paths, and then all flows: a peer is measured all the same."""
    for what, name in (("paths", "a peer is measured though strangers have all paths"), ("flows", "and though they have all flows")):
        sender.limits(**{what: 16})
        many = strangers(32)
        before = sender.stats()
        full = sender.measured()
        time.sleep(0.02)        # a table that is full is not tried again at once
        peer = Connection("10.9.0.7").send()
        after = sender.stats()
        result(before[f"now_{what}"] <= 16 and before["flows_failed"] and peer.end in sender.measured() and
               after["now_flows_evicted"] > before["now_flows_evicted"] and after[f"now_{what}"] <= 16, name, before, after, full)
        peers = [Connection(f"10.9.0.{number}").send() for number in range(20, 35)]
        time.sleep(0.02)
        many += strangers(16, 101)
        there = {one.end for one in (peer, *peers)} & sender.measured()
        result(len(there) == 16, f"no stranger takes the place of a peer ({what})", len(there), sender.measured())
        for one in (peer, *peers, *many):
            one.close()
        forget(sender)


def failed_apart(sender):
    """That strangers found no space a moment ago keeps no peer from trying."""
    sender.limits(paths=8)
    many, missed, failed = strangers(12), [], sender.stats()["flows_failed"]
    for number in range(5):
        many.append(Connection(f"2001:db8:9::{number + 500:x}"))
        many.append(Connection(f"10.9.0.{number + 40}"))
        many[-2].send()
        many[-1].send()
        if many[-1].end not in sender.measured():
            missed.append(many[-1].end)
    after = sender.stats()
    result(not missed and after["flows_failed"] > failed, "a stranger that finds no space keeps no peer from trying", missed, failed, after)
    for one in many:
        one.close()
    forget(sender)


def without_peers(sender):
    """Nobody is a peer: a flow that is idle makes space, one that is not does not."""
    sender.ask("PEER_DEL", *prefix_of(PEERS))
    qdisc("mode observe threshold 1s record_idle 1s")
    sender.limits(paths=4)
    first = strangers(4)
    late = Connection("2001:db8:9::99").send()
    result(late.end not in sender.measured(), "without peers no flow that sends makes space", sender.measured())
    time.sleep(2.5)
    late.send()
    result(late.end in sender.measured(), "without peers an idle flow makes space", sender.measured())
    time.sleep(2.5)
    for one in first[:3]:
        one.send()
    result({one.end for one in first[:3]} <= sender.measured(), "which is measured again when it sends, in an idle one's place", sender.measured())
    for one in (*first, late):
        one.close()
    qdisc("mode observe threshold 1s record_idle 60s")
    sender.ask("PEER_ADD", *prefix_of(PEERS))
    forget(sender)


def memory(sender):
    """Memory has a bound, of which strangers have half, and it is given back."""
    start = sender.stats()
    path = start["now_memory"] // start["now_paths"]
    many = strangers(8, 1000)
    one = (sender.stats()["now_memory"] - start["now_memory"]) // 8
    for each in many:
        each.close()
    # Their memory differs from kernel to kernel; 64 KB have space for ten flows at least.
    result(0 < path < one < 6554, "a flow, its path and its records take memory", path, one)
    forget(sender)
    sender.limits(memory=65536)
    count = 65536 // one + 8
    many = strangers(count, 2000)
    after = sender.stats()
    result(after["now_memory"] - start["now_memory"] <= 65536 // 2 and 0 < after["now_flows"] < count and after["flows_failed"] > start["flows_failed"],
           "strangers have half of the memory", after, count, one)
    peers = [Connection(f"10.9.0.{number + 1}").send() for number in range(65536 // 2 // one - 1)]
    there = {each.end for each in peers} & sender.measured()
    after = sender.stats()
    result(len(there) == len(peers) and after["now_memory"] <= 65536, "strangers have half of the memory, and a peer the rest", len(there),
           len(peers), after)
    sender.limits(memory=2**28)
    for each in (*peers, *many):
        each.close()
    forget(sender)
    left = sender.stats()
    result(left["now_memory"] == left["now_paths"] * path, "and all of it is given back", left, path)


def none_left(sender):
    """Until no flow is left: no queue watches one, and none is to be remembered."""
    qdisc("record_idle 100ms")
    qdisc("mode off")
    for _ in range(100):
        if not sender.stats()["now_flows"]:
            break
        time.sleep(0.1)
    qdisc("mode observe record_idle 60s")


def forget(sender):
    """Until no flow is left, since no queue watches those that ended, and one path."""
    none_left(sender)
    sender.limits(paths=1, flows=65536)
    for number in range(100, 200):
        if sender.stats()["now_paths"] <= 1:
            break
        Connection(f"10.9.0.{number}").send().close()
        time.sleep(0.011)
    none_left(sender)
    sender.limits(paths=16384)


def main():
    """Set up, test, clear away."""
    try:
        setup()
        sender = Sender()
        list_refused(sender)
        acker_comes_and_goes(sender)
        limits_refused(sender)
        tenants_refused()
        listen()
        follow_peers(sender)
        sender.ask("PEER_ADD", *prefix_of(PEERS))
        held_and_let_go(sender)
        forget(sender)
        memory(sender)
        paths_full(sender)
        failed_apart(sender)
        without_peers(sender)
        for listener in LISTENER.values():
            listener.close()
        sender.family.socket.close()
    finally:
        leave()
        for name in (A, B):
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
