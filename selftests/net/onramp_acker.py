#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The receiver of On-Ramp in a kernel, as TAP: the packets that it acks, the contents of OR-ACKs, the packets that it ignores.

    a (10.0.0.1) v ==[tbf 100 Mbit/s]==> v (10.0.0.2) b

a sends TCP data. A packet socket in b records each packet and its arrival time, and one in a records the OR-ACKs. The
expected OR-ACKs are computed here from the recorded packets. `delay` and idle time differ much from the gaps between
packets, so the result is the same in real and in virtual time.
"""

import errno
import ipaddress
import os
import random
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from acker_hosts import (ALLOWED, ATTR, Bench, CROWD, DELAY_NS, EVERY, IDLE_NS, MOST, MTU, STAMP_NS, acks_of, data_of, Flow, frame,
                         Genl, grid_of, Listener, mac_of, on_grid, owed, soon)
from onramp_hosts import ACKED, Allocations
from probes import Holds
from script import BUDGETS, Inside, become_tenant, budget, connections, finish, result as ok, run, skip, virtual
from siphash import trailer


def requests(bench):
    """Refusals, and kept state."""
    acker = bench.acker
    before = acker.get()
    for values in ({"every": 0}, {"every": 1001}, {"delay": 999}, {"delay": 100_000_001}, {"idle": 9999},
                   {"idle": 10_000_000_001}, {"rate": 0}, {"rate": 10_000_001}, {"max_flows": 0},
                   {"max_flows": (1 << 20) + 1}, {"rate": 5, "every": 0}):
        code, message = acker.settings(**values)
        ok(code and message and acker.get() == before, f"refused: {values}", message)
    for prefix, message in (("10.0.0.1/24", "bits beyond"), ("10.0.0.0/33", "0 to 32"), ("fd00::1/64", "bits beyond"),
                             ("::ffff:10.0.0.0/120", "4 bytes")):
        ok(message in acker.peer("ADD", prefix)[1], f"refused: prefix {prefix}", acker.peer("ADD", prefix))
    ok("not on the list" in acker.peer("DEL", "10.0.0.0/24")[1], "refused: a prefix that is not there")
    ok(acker.device("ADD", 9999)[0] and acker.device("DEL", bench.dev)[0], "refused: devices that are not there")
    ok(acker.device("ADD", bench.dev)[0] == 0 and acker.device("ADD", bench.dev)[0], "a device is attached, once")
    ok([struct.unpack("=I", reply[ATTR["ONRAMP_A_IFINDEX"]])[0] for reply in acker.dump("ACKER_DEV_GET")] == [bench.dev],
       "it is dumped", acker.dump("ACKER_DEV_GET"))
    acker.settings(every=20, delay=DELAY_NS * 2, idle=IDLE_NS * 2, rate=77, max_flows=100)
    ok(acker.get() == {"EVERY": 20, "DELAY": DELAY_NS * 2, "IDLE": IDLE_NS * 2, "RATE": 77, "MAX_FLOWS": 100},
       "settings are reported as set", acker.get())
    acker.settings(**{name.lower(): value for name, value in before.items()})
    ok(acker.get() == before and (before["EVERY"], before["DELAY"], before["IDLE"]) == (10, 20_000, 100_000),
       "and set back", acker.get())
    acker.settings(every=EVERY, delay=DELAY_NS, idle=IDLE_NS)


def tenants():
    """Root of a user namespace alone has as many flows as the default at most, which nobody is charged for."""
    name = "a tenant has fewer flows, or as many as the default, and no more"
    child = os.fork()
    if not child:
        if not become_tenant():
            os._exit(2)
        acker = Genl(None)
        before, refused, unchanged = acker.get()["MAX_FLOWS"], acker.settings(max_flows=16385)[0], acker.get()["MAX_FLOWS"]
        less, most = acker.settings(max_flows=1)[0], acker.settings(max_flows=16384)[0]
        os._exit((before, refused, unchanged, less, most) != (16384, errno.EPERM, 16384, 0, 0))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ok(not status, f"{name} # SKIP no user namespaces" if status == 2 else name, status)


def acked_of_tenant(count, idle=100_000):
    """As a tenant so many flows come: how many are followed, how many were forgotten for others, and did some find no space?"""
    if not become_tenant():
        return None
    acker = Genl(None)
    acker.settings(idle=idle)
    acker.peer("ADD", "127.0.0.0/8")
    acker.device("ADD", socket.if_nametoindex("lo"))
    kept = connections(count)
    stats = acker.stats()
    return (stats["flows"], stats["flows_evicted"], stats["flows_failed"] > 0), kept


def acked_of_host(bench):
    """Where tenants may have nothing, the host's flows are followed."""
    with open(BUDGETS + "acked_flows", "r+", encoding="ascii") as file:
        was = file.read()
        file.seek(0)
        file.write("0")
        file.flush()
        _, heads, _, count = bench.transfer(100000)
        file.seek(0)
        file.write(was)
    ok(heads and count["flows"] == 1 and not count["flows_evicted"] and not count["flows_failed"],
       "the host's flows are none of the tenants' budget", count)


def allow_list(bench):
    data, heads, _, count = bench.transfer(100000)
    ok(data and not heads and count["packets"] == count["not_peer"] == len(data), "no allow-list: nothing is acked", count)
    bench.acker.peer("ADD", "::/0")
    data, heads, _, count = bench.transfer(100000)
    ok(data and not heads and count["not_peer"] == len(data), "one of IPv6 alone says nothing of IPv4", count)
    bench.acker.peer("DEL", "::/0")
    for prefix in ALLOWED:
        bench.acker.peer("ADD", prefix)
    ok(len(bench.acker.dump("PEER_GET")) == 4 and bench.acker.peer("ADD", "10.0.0.0/25")[0],
       "the list is dumped without duplicates", bench.acker.dump("PEER_GET"))


def contents(bench, what, address, tos=0, error=None, twice=False):
    """Bursts of many lengths: each entry is what is owed, and says the truth."""
    data, heads, entries, count = bench.transfer((100, 1000, 20000, 100000, 1448 * 11, 300000), address, tos, twice)
    expected = owed(data)
    ok(len(expected) > 30 and [entry[1:5] for entry in entries] == [packet[1:] for _, packet in expected],
       f"{what}: what is owed is acked, {len(expected)} of {len(data)} packets",
       f"{len(entries)} entries; owed: {[(why, packet[3] - data[0][3]) for why, packet in expected]}",
       f"acked: {[entry[3] - data[0][3] for entry in entries]}")
    off = max((abs(entry[0] - packet[0]) for entry, (_, packet) in zip(entries, expected)), default=10**9)
    ok(off <= STAMP_NS, f"{what}: the time is that of the arrival", f"{off} ns off")
    ok({entry[5:] for entry in entries} == {(6, 1)}, f"{what}: protocol and stamp")
    flags = 2 if error is None else 0
    ok(heads and all(head["version"] == 1 and head["flags"] == flags and head["clock"] == 1 and head["epoch"] == 0 and
                     head["rest"] == 0 and head["dsfield"] == tos & 0xFC and
                     (error is None or head["error"] == error) for head in heads), f"{what}: headers", heads[:2])
    ok(all((two["serial"] - one["serial"]) % 2**32 == 1 for one, two in zip(heads, heads[1:])), f"{what}: serials")
    why = [cause for cause, _ in expected]
    ok((count["entries_first"], count["entries_every"], count["entries_last"]) ==
       tuple(why.count(cause) for cause in ("first", "every", "last")) and
       count["entries"] == len(entries) and count["datagrams"] == len(heads) and count["packets"] == len(data),
       f"{what}: counters", count)


def batches(bench):
    """Entries that become due at once are one datagram; and there is space for so many flows only."""
    flows = [Flow("a", "b", "10.0.0.2") for _ in range(70)]
    bench.acker.settings(delay=100_000_000, idle=10_000_000_000, every=1000)
    for _ in range(2):
        bench.forget()
        for flow in flows:
            flow.out.send(bytes(1000))
        time.sleep(0.02)
    done = sum(on_grid(packet, grid_of(1000)) for packet in data_of(bench.far.packets()))
    ok(len(acks_of(bench.near.packets())[1]) == done < 6, "70 flows wait for more data", done, bench.since())
    bench.acker.settings(delay=1000)
    time.sleep(0.02)
    heads, entries = acks_of(bench.near.packets())
    ok([head["count"] for head in heads] == [64, 6 - done] and len({entry[1:3] for entry in entries}) == 70 - done,
       "of 70 flows in two datagrams", done, heads)
    bench.acker.settings(delay=100_000_000)
    flows[0].out.send(bytes(1000))
    time.sleep(0.005)
    # The flow that the timer was set for is forgotten by this.
    bench.acker.settings(max_flows=8, delay=1_000_000)
    bench.forget()
    for _ in range(2):
        flows[1].out.send(bytes(1000))
        time.sleep(0.005)
    count = bench.since()
    ok(count["entries_first"] == count["entries_last"] == 1, "a shorter delay counts at once", count)
    bench.acker.settings(delay=DELAY_NS, idle=IDLE_NS, every=EVERY)
    time.sleep(0.03)
    bench.forget()
    for flow in flows:
        flow.out.send(bytes(1000))
    time.sleep(0.02)
    count = bench.since()
    ok(bench.acker.stats()["flows"] == 8 and count["flows_evicted"] == 62 and count["entries_first"] == 70,
       "with space for 8 flows 62 are evicted, and all acked", count)
    for flow in flows:
        flow.close()
    bench.acker.settings(max_flows=16384)


def one_round(bench):
    """Entries of several flows for packets of one round of receiving come in one datagram."""
    flows = [Flow("a", "b", "10.0.0.2") for _ in range(4)]
    for flow in flows:
        flow.send(60000)    # space in the congestion window for what is to come at once

    def together(size):
        """Bytes of each flow, which its host keeps until all are there; the heads and entries that they bring."""
        run("tc -n a qdisc del dev v root")     # one that was released would stay so
        run("tc -n a qdisc add dev v root plug limit 1000000")
        bench.forget()
        for flow in flows:
            flow.out.send(bytes(size))
        run("tc -n a qdisc change dev v root plug release_indefinite")
        time.sleep(0.004)       # some 6 ms later TCP sends the last again, which may be on the grid
        return *acks_of(bench.near.packets()), bench.since()

    ports = {flow.out.getsockname()[1] for flow in flows}
    bench.acker.settings(delay=100_000_000, idle=20_000_000)
    time.sleep(0.05)
    heads, entries, count = together(1000)
    ok([head["count"] for head in heads] == [4] and {entry[1] for entry in entries} == ports and count["entries_first"] == 4,
       "first packets of four flows in one round: one datagram", heads, entries, count)
    few = 3                 # MTUs: so many of each flow TCP hands to the qdisc at once
    bench.acker.settings(every=few, idle=10_000_000_000)
    heads, entries, count = together((few + 1) * MTU)
    ok([head["count"] for head in heads] == [count["entries_every"]] == [count["entries"]] and {entry[1] for entry in entries} == ports,
       f"and what is on the grid of {few} MTUs in one round: one datagram", heads, entries, count)
    for flow in flows:
        flow.close()
    run("tc -n a qdisc replace dev v root tbf rate 100mbit burst 1600 limit 1mb")
    bench.acker.settings(every=EVERY, delay=DELAY_NS, idle=IDLE_NS)


def signed(bench, address):
    """Each datagram has a trailer that is right, of the key that signs, and loses nothing by that."""
    group, one, two = struct.pack("=I", 7), bytes(range(16)), bytes(range(16, 32))
    packed = socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)
    peer = {"group": group, "prefix": packed[:-1] + b"\1", "prefix_len": bytes([8 * len(packed)])}
    acker = bench.acker

    def all_signed(heads, key, number):
        return heads and all(head["rest"] == 12 and head["flags"] & 1 and bytes(head["data"][-12:]) ==
                             trailer(key, number, head["source"], head["target"], bytes(head["data"][:-12])) for head in heads)

    ok(not acker.key("ADD", group=group, key_id=b"\5", key=one)[0] and not acker.key("PEER_ADD", **peer)[0],
       f"{address}: a key for the peer")
    for number, key in ((5, one), (6, two)):
        data, heads, entries, count = bench.transfer((100, 1000, 20000, 100000, 300000), address)
        expected = owed(data)
        ok(all_signed(heads, key, number), f"{address}: signed with key {number}", heads[:2])
        ok([entry[1:5] for entry in entries] == [packet[1:] for _, packet in expected] and not count["send_failed"],
           f"{address}: what is owed is acked, with key {number}", count)
        if number == 5:
            ok(not acker.key("ADD", group=group, key_id=b"\6", key=two)[0] and
               not acker.key("ROTATE", group=group, key_id=b"\6")[0], f"{address}: rotated")
    ok(not acker.key("PEER_DEL", **peer)[0], f"{address}: the prefix is taken off")
    _, heads, _, _ = bench.transfer(100000, address)
    ok(heads and all(not head["rest"] and not head["flags"] & 1 for head in heads), f"{address}: nothing is signed without a key",
       heads[:2])
    ok(not acker.key("DEL", group=group)[0] and not acker.dump("KEY_GET"), f"{address}: the group is forgotten")


def sizes(bench):
    """Memory of a flow that is acked, and of a path: not the largest part of the tenants' maximum."""
    name, allocations = "a flow that is acked takes 192 bytes, and so does its path", Allocations(r"acker_(?:flow|path)_\w+")
    if not allocations.exists:
        skip(name, "this kernel has no trace events, or looks for errors")
        return
    bench.transfer(10000, tos=0x60)
    taken = allocations.taken()
    ok([given for _, given in taken] == [ACKED, ACKED], name, taken)


def limits(bench):
    bench.acker.settings(rate=1)
    data, heads, entries, count = bench.transfer(300000)
    # A datagram may have more entries than its first, and after a second another one may be sent.
    seconds = (data[-1][0] - data[0][0]) / 1e9
    ok(len(heads) <= 1 + seconds and count["rate_limited"] >= len(owed(data)) - len(entries) > 0, "rate limit",
       f"{len(heads)} datagrams in {seconds} s, {len(entries)} of {len(owed(data))} entries", count)
    bench.acker.settings(rate=1000000)
    # Another DSCP is another path, which has earned nothing yet.
    bench.forget()
    flow = Flow("a", "b", "10.0.0.2", tos=0x20)
    for _ in range(100):
        flow.send(1)
    flow.close()
    data = data_of(bench.far.packets())
    heads, _ = acks_of(bench.near.packets())
    size = sum(head["bytes"] for head in heads)
    count = bench.since()
    ok(len(data) == 100 and size <= 100 and count["unearned"] >= 98, "no more bytes out than data came in",
       f"{size} bytes", count)


def silences(bench):
    """A refusal soon after a back-off doubles it, up to 64 s: then OR-ACKs are tried again, and not before."""
    time.sleep(10)
    good = []
    for length in (1, 2, 4, 8, 16, 32, 64, 64):
        begun = time.monotonic()
        routes = [bench.transfer(300000)[1]]
        time.sleep(begun + length * 0.6 - time.monotonic())
        routes.append(bench.transfer(10000)[1])
        good.append(bool(routes[0]) and not routes[1])
        time.sleep(begun + length + 0.3 - time.monotonic())
    ok(all(good), "each back-off is twice as long, and none longer than 64 s", good)


def refusals(bench):
    """No socket listens: a back-off of a second, and then again."""
    bench.listener.sock.close()
    _, heads, _, count = bench.transfer(300000)
    ok(0 < len(heads) < 5 and count["backed_off"] > 5, "a port that is unreachable is left alone", count)
    _, other, _, count = bench.transfer(10000, tos=0x20)
    ok(not other and count["backed_off"], "by another DSCP, too", count)
    time.sleep(1.1)
    _, again, _, count = bench.transfer(300000)
    ok(0 < len(again) < 5, "and looked up again later", count)
    time.sleep(1.5)
    _, heads, _, count = bench.transfer(300000)
    ok(not heads and count["backed_off"], "after twice as long", count)
    _, six, _, _ = bench.transfer(300000, "fd00:0::2")
    _, heads, _, count = bench.transfer(300000, "fd00:0::2")
    ok(six and not heads and count["backed_off"], "IPv6 likewise, and apart", count)
    if virtual():
        silences(bench)
    bench.listener = Listener("a")
    time.sleep(3)


def vlan(bench):
    for name, host in (("a", 1), ("b", 2)):
        run(f"ip -n {name} link add link v name v.5 type vlan id 5")
        run(f"ip -n {name} addr add 10.5.0.{host}/24 dev v.5")
        run(f"ip -n {name} addr add fd00:5::{host}/64 dev v.5 nodad")
        run(f"ip -n {name} link set v.5 up")
    contents(bench, "VLAN", "10.5.0.2", error=1000)
    run("ip netns exec a ethtool -K v tx-vlan-hw-insert off")
    contents(bench, "VLAN, tag in the data", "fd00:5::2", error=1000)
    run("ip netns exec a ethtool -K v tx-vlan-hw-insert on")


class Raw:
    """Frames from a to b, one at a time."""

    def __init__(self, bench):
        self.bench, self.mac = bench, mac_of("b", "v")
        with Inside("a"):
            self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            self.sock.bind(("v", 0))

    def counters(self, source, target, mac=None):
        """Counters of the acker for one: (packets, not_peer, not_ours)."""
        before = self.bench.acker.stats()
        self.sock.send(frame(mac or self.mac, source, target))
        time.sleep(0.001)
        now = self.bench.acker.stats()
        return tuple(now[name] - before[name] for name in ("packets", "not_peer", "not_ours"))


def of_others(bench):
    """A frame for another host, which a NIC that listens to all gets: not seen. The same for this host is."""
    raw = Raw(bench)
    for mac, seen in ((b"\2\0\0\0\0\x99", 0), (raw.mac, 1)):
        counters = raw.counters("10.0.0.1", "10.0.0.2", mac)
        ok(counters == (seen, 0, 0), f"a frame for {'this' if seen else 'another'} host is {'' if seen else 'not '}seen", counters)


def crowded(bench):
    """Where many flows go at once, the lock that packets wait for is held for a few of them at a time."""
    holds, raw = Holds("onramp_acker", "python", "kfree"), Raw(bench)
    if not holds.exists:
        skip("for how many flows the acker's lock is held", "this kernel has no kprobes, or locks that sleep")
        return
    before = bench.acker.get()["MAX_FLOWS"]
    for what, leave, back in (("its peer is one no more", lambda: bench.acker.peer("DEL", ALLOWED[0]), lambda: bench.acker.peer("ADD", ALLOWED[0])),
                              ("the table is another", lambda: bench.acker.settings(max_flows=before // 2), lambda: bench.acker.settings(max_flows=before))):
        others = bench.acker.stats()["flows"]
        for number in range(CROWD):
            raw.sock.send(frame(raw.mac, "10.0.0.1", "10.0.0.2", 20000 + number))
        ok(soon(lambda: bench.acker.stats()["flows"] >= CROWD), f"many flows, before {what}", bench.acker.stats())
        start = holds.totals()[1]
        outcome = leave()
        left = bench.acker.stats()["flows"]
        most, freed = holds.totals()
        ok(outcome[0] == 0 and left <= others and freed - start >= CROWD and 0 < most <= MOST, f"as {what} the lock is held for {MOST} of {CROWD} flows at most",
           outcome, others, left, most, freed - start)
        back()
    holds.end()
    raw.sock.send(frame(raw.mac, "10.0.0.1", "10.0.0.2"))
    ok(soon(lambda: bench.acker.stats()["flows"] == 1), "and then there is space again", bench.acker.stats())


def listed(bench):
    """Prefixes inside others, adjacent and apart: which addresses are on the list is computed here once more."""
    draw, raw, prefixes, wrong = random.Random(28), Raw(bench), set(), []
    for prefix in ALLOWED:
        bench.acker.peer("DEL", prefix)
    for base, least, most in (("10.32.0.0", 12, 32), ("fd77::", 32, 128)):
        first = ipaddress.ip_network(f"{base}/{least}")
        for _ in range(30):
            inside = ipaddress.ip_network((int(first[0]) + draw.getrandbits(most - least), draw.randint(least + 1, most)), strict=False)
            prefixes |= {inside, inside.supernet()} if draw.random() < 0.3 else {inside}
    prefixes = sorted(prefixes, key=lambda prefix: draw.random())
    for prefix in prefixes:
        bench.acker.peer("ADD", str(prefix))
    for _ in range(2):
        for prefix in prefixes:
            for number in (int(prefix[0]) - 1, int(prefix[0]), int(prefix[-1]), int(prefix[-1]) + 1):
                source = type(prefix[0])(number)
                is_peer = any(source.version == other.version and source in other for other in prefixes)
                counters = raw.counters(str(source), "10.99.0.1" if source.version == 4 else "fd99::1")
                if counters != (1, 1 - is_peer, int(is_peer)):
                    wrong.append((str(source), is_peer, counters))
        for prefix in prefixes[::2]:
            bench.acker.peer("DEL", str(prefix))
        prefixes = prefixes[1::2]
    ok(not wrong, "the allow-list has what its prefixes have, and no more", wrong[:5])
    for prefix in prefixes:
        bench.acker.peer("DEL", str(prefix))
    none = raw.counters("10.32.0.1", "10.99.0.1"), raw.counters("fd77::1", "fd99::1")
    ok(none == ((1, 1, 0), (1, 1, 0)) and not bench.acker.dump("PEER_GET"), "and an empty one has none", none)
    for prefix in ALLOWED:
        bench.acker.peer("ADD", prefix)


def changing(bench):
    """Verdicts are remembered, and forgotten when addresses, routes or the allow-list change."""
    raw = Raw(bench)

    def twice(source, target):
        found = [raw.counters(source, target) for _ in range(2)]
        # An OR-ACK that waits for more packets finds its address gone, which counts as well: none waits behind this.
        time.sleep(0.2)
        return found

    counters = []
    for command in ("", "addr add 10.0.0.77/32 dev v", "addr del 10.0.0.77/32 dev v", "route add local 10.0.0.77/32 dev lo table local",
                  "route del local 10.0.0.77/32 dev lo table local"):
        if command:
            run(f"ip -n b {command}")
        counters += twice("10.0.0.1", "10.0.0.77")
    ok(counters == [(1, 0, not_ours) for not_ours in (1, 1, 0, 0, 1, 1, 0, 0, 1, 1)], "an address that is local for a while is acked meanwhile", counters)
    counters = []
    for command in ("", "addr add fd00:0::77/128 dev v nodad", "addr del fd00:0::77/128 dev v"):
        if command:
            run(f"ip -n b {command}")
        counters += twice("fd00:0::1", "fd00:0::77")
    ok(counters == [(1, 0, not_ours) for not_ours in (1, 1, 0, 0, 1, 1)], "IPv6 likewise", counters)
    counters = []
    for verb in ("DEL", "ADD"):
        bench.acker.peer(verb, "10.0.0.0/25")
        counters += [raw.counters("10.0.0.1", "10.0.0.2") for _ in range(2)]
    ok(counters == [(1, not_peer, 0) for not_peer in (1, 1, 0, 0)], "what the allow-list says counts at once", counters)


def shaped(bench):
    """Packets that the receiver shapes are seen once, as they arrived: a shaper of half the wire's rate is not in the stamps."""
    if subprocess.run(["modprobe", "-q", "ifb", "numifbs=0"], check=False).returncode:
        skip("a receiver that shapes", "this kernel has no ifb")
        return
    for command in ("ip link add i type ifb", "ip link set i up", "tc qdisc add dev i root tbf rate 50mbit burst 3000 limit 1mb",
                  "tc qdisc add dev v clsact", "tc filter add dev v ingress matchall action mirred egress redirect dev i"):
        run(f"ip netns exec b {command}")
    contents(bench, "shaped", "10.0.0.2", error=1000, twice=True)
    contents(bench, "shaped, IPv6", "fd00:0::2", error=1000, twice=True)
    run("ip netns exec b tc qdisc del dev v clsact")
    run("ip -n b link del i")


def main():
    run("modprobe onramp_acker")
    bench = Bench()
    requests(bench)
    tenants()
    budget("acked_flows", acked_of_tenant, ((4, (3, 0, False), (1, 2, False)), (0, (0, 0, True), (0, 0, True)),
                                            (4, (3, 0, False), (1, 2, False))))
    budget("acked_flows", lambda count: acked_of_tenant(count, 10_000_000_000), ((4, (3, 0, False), (1, 0, True)),),
           "and none that is not idle makes space for another")
    allow_list(bench)
    acked_of_host(bench)
    contents(bench, "no clock", "10.0.0.2")
    ok(bench.acker.clock(1000)[0] == 0, "the clock is set", bench.acker.clock(1000))
    contents(bench, "IPv4", "10.0.0.2", tos=0xB8 | 2, error=1000)
    contents(bench, "IPv6", "fd00:0::2", tos=0x28, error=1000)
    signed(bench, "10.0.0.2")
    signed(bench, "fd00:0::2")
    batches(bench)
    one_round(bench)
    sizes(bench)
    limits(bench)
    of_others(bench)    # before there is anything above the NIC
    vlan(bench)
    changing(bench)
    crowded(bench)
    listed(bench)
    shaped(bench)
    refusals(bench)
    for name in "ab":
        run(f"ip netns del {name}")
    run("rmmod onramp_acker")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
