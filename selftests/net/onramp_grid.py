#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Which packets onramp_acker reports of a flow, as TAP.

    a (10.0.0.1) v ====> v (10.0.0.2) b

Frames go one at a time.  In virtual time a frame takes none, and what is reported is exactly what a model says; elsewhere only
what does not depend on a few microseconds is compared.
"""

import ctypes
import random
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from acker_hosts import (ETH_P_8021Q, FRESH_NS, Genl, Listener, STATS, Tap, acks_of, frame, grid_of, index_of, mac_of, owed, pair)
from script import Inside, exact, finish, result as ok, run

GRID = grid_of(10)
# Where time stands still while frames are sent; elsewhere far from what sending takes.
DELAY_NS, IDLE_NS = (20_000, 1_000_000) if exact() else (2_000_000, 100_000_000)
FULL = 1400          # also over IPv6
DENSE_GRIDS = 6     # a path that has more at once is dense
IPV4, IPV6, LINK = ("10.0.0.1", "10.0.0.2"), ("fd00:0::1", "fd00:0::2"), ("fe80::1", "fe80::2")
PEERS = tuple(f"10.0.0.{100 + number}" for number in range(60))     # of many flows, so that none of their paths is dense
PR_SET_TIMERSLACK = 29


class Wire:
    """Frames from a to b, and what b says of them."""

    def __init__(self):
        pair("a", "b", "v", 0)
        self.mac, self.near, self.acker, self.listener = mac_of("b", "v"), Tap("a", "v"), Genl("b"), Listener("a")
        with Inside("a"):
            self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            self.sock.bind(("v", 0))
        for prefix in ("10.0.0.0/24", "fd00::/16", "fe80::/64"):
            self.acker.peer("ADD", prefix)
        self.acker.device("ADD", index_of("b", "v"))
        self.acker.settings(delay=DELAY_NS, idle=IDLE_NS)
        self.sport = 20000
        time.sleep(2)

    def send(self, seq, size=100, sport=None, vlan=None, ends=IPV4):
        sport = sport or self.sport
        data = frame(self.mac, *ends, sport, seq % 2**32, size)
        if vlan:
            data = data[:12] + struct.pack("!HH", ETH_P_8021Q, vlan) + data[12:]
        self.sock.send(data)

    def begin(self):
        """Another flow, without any OR-ACK."""
        time.sleep(0.01)
        self.near.packets()
        self.sport += 1
        self.before = self.acker.stats()

    def since(self):
        """Counters that changed, and the entries that came."""
        time.sleep(0.01)
        now = self.acker.stats()
        counts = {name: now[name] - self.before[name] for name in STATS}
        return counts, acks_of(self.near.packets())[1]

    def causes(self):
        """Packets, and entries by cause: first, every, last."""
        counts = self.since()[0]
        return tuple(counts[name] for name in ("packets", "entries_first", "entries_every", "entries_last"))


def sleep_ns(ns):
    """Sleep for so long, and exactly so where time is virtual."""
    until = time.monotonic_ns() + ns
    while (left := until - time.monotonic_ns()) > 0:
        time.sleep(left / 1e9)


def after_the_grid(wire, family, ends):
    """Just after a packet on the grid none is the last; after the first packet, or a while later, one is."""
    wire.begin()
    for seq in (1, 101, 201):
        wire.send(seq, ends=ends)
    ok(wire.causes() == (3, 1, 0, 1), f"{family}: a short burst: its first and its last", wire.since())
    wire.begin()
    for seq in (1, GRID, GRID + 100):
        wire.send(seq, ends=ends)
    sleep_ns(FRESH_NS * 2)
    wire.send(GRID + 200, ends=ends)
    found = wire.causes()
    ok(found == (4, 1, 1, 1), f"{family}: a while after a packet on the grid the last is reported", found)
    if not exact():
        return
    wire.begin()
    for seq in (1, GRID, GRID + 100, GRID + 200, GRID + 300):
        wire.send(seq, ends=ends)
    found = wire.causes()
    ok(found == (5, 1, 1, 0), f"{family}: just after it none is", found)


def idle(wire):
    """A burst goes on while packets come, those that are not looked at among them."""
    for gap, first in ((IDLE_NS - 1000, 1), (IDLE_NS, 2)):
        wire.begin()
        wire.send(1)
        wire.send(GRID)
        sleep_ns(FRESH_NS - 10_000)
        wire.send(GRID + 100)
        sleep_ns(gap)
        wire.send(GRID + 200)
        found = wire.causes()
        ok(found[:3] == (4, first, 1), f"a packet {gap} ns after one just after the grid {'begins a burst' if first == 2 else 'does not begin one'}", found)


def dense(wire, family, ends):
    """If a peer sends so much that it remembers few packets, only those on the grid are reported, whatever their flow."""
    other = (ends[0][:-1] + "3", ends[1])
    wire.begin()
    for number in range(12 * DENSE_GRIDS):
        wire.send(1 + FULL * number, FULL, ends=ends)
    for number in range(2):
        wire.send(1 + 100 * number, ends=ends, sport=1000)
    found = wire.causes()
    ok(found[1:] == (2, DENSE_GRIDS, 1), f"{family}: a path is not dense yet: of another flow the first and the last are reported", found)

    wire.begin()
    for number in range(20 * DENSE_GRIDS):
        wire.send(1 + FULL * number, FULL, ends=ends)
    sent, grids = 20 * DENSE_GRIDS, 20 * DENSE_GRIDS * FULL // GRID
    for sport in (1001, 1002):
        for number in range(2):
            wire.send(1 + 100 * number, ends=ends, sport=sport)
        sent += 2
    found = wire.causes()
    ok(found == (sent, 1, grids, 0), f"{family}: it is dense: of other flows neither the first nor the last", found, sent, grids)
    for sport in (1003, 1004):
        wire.send(1, ends=ends, sport=sport)
    found = wire.causes()
    ok(found[1:] == (3, grids, 0), f"{family}: it is not dense any more: the first of flows", found)

    wire.begin()
    for number in range(20 * DENSE_GRIDS):
        wire.send(1 + FULL * number, FULL, ends=ends)
    wire.send(1, ends=other, sport=1005)
    found = wire.causes()
    ok(found[1:] == (2, grids, 0), f"{family}: of another peer the first of a flow is", found)


def changes(wire):
    """Other settings count at once."""
    wire.begin()
    wire.send(1)
    wire.send(GRID)
    wire.acker.settings(every=5)
    wire.send(GRID + GRID // 2)
    wire.acker.settings(every=10)
    found = wire.causes()
    ok(found == (3, 1, 2, 0), "a finer grid counts at once", found)


def tags(wire):
    """A flow of a VLAN with the same addresses and ports, which are a link's, is another."""
    run("ip -n b link add link v name v.9 type vlan id 9")
    run("ip -n b link set v.9 up")
    for dev in ("v", "v.9"):
        run(f"ip -n b addr add fe80::2/64 dev {dev} nodad")
    wire.begin()
    for seq, vlan in ((1, None), (GRID, None), (GRID + 100, 9)):
        wire.send(seq, vlan=vlan, ends=LINK)
    found = wire.causes()
    ok(found == (3, 2, 1, 0), "a packet with a VLAN tag is another flow's first", found)


def strangers(wire):
    """A peer that is taken off the list is not reported any more."""
    wire.begin()
    wire.send(1)
    wire.send(GRID)
    wire.acker.peer("DEL", "10.0.0.0/24")
    wire.send(GRID + 100)
    wire.send(2 * GRID)
    counts, entries = wire.since()
    wire.acker.peer("ADD", "10.0.0.0/24")
    ok(counts["not_peer"] == 2 and len(entries) == 2, "an allow-list that is shorter counts at once", counts, entries)


def more_peers(wire):
    """More addresses of a, of which data came for which OR-ACKs may be sent."""
    for address in PEERS:
        run(f"ip -n a addr add {address}/24 dev v")
        for number in range(3):
            wire.send(1 + FULL * number, FULL, ends=(address, IPV4[1]))
    time.sleep(1)


def model(wire, seed, flows):
    """Flows in any order, with losses, packets that are sent again and pauses about the algorithm's times."""
    draw = random.Random(seed)
    sports = range(30000 + seed * 1000, 30000 + seed * 1000 + flows)
    ends = {sport: (PEERS[number % len(PEERS)], IPV4[1]) for number, sport in enumerate(sports)}
    seqs, data = {sport: draw.getrandbits(32) for sport in sports}, {sport: [] for sport in sports}
    wire.begin()
    for _ in range(flows * 40):
        sport = draw.choice(sports)
        size = draw.choice((1, 100, 1448, 1448, 1448))
        kind = draw.random()
        seq = seqs[sport] - (draw.randrange(1, 20000) if kind < 0.1 else 0)
        seqs[sport] = seq + size + (draw.choice((1448, 20000)) if 0.1 < kind < 0.2 else 0)
        data[sport].append((time.monotonic_ns(), sport, 7002, seq % 2**32, size))
        wire.send(seq, size, sport, ends=ends[sport])
        if draw.random() < 4 / flows:
            sleep_ns(draw.choice((1000, DELAY_NS - 1000, DELAY_NS, DELAY_NS + 1000, FRESH_NS - 1000, FRESH_NS, FRESH_NS + 1000,
                                  FRESH_NS - DELAY_NS, IDLE_NS - 1000, IDLE_NS, IDLE_NS + 1000)))
    counts, entries = wire.since()
    expected = [entry for sport in sports for entry in owed(data[sport], 10, DELAY_NS, IDLE_NS)]
    causes = [cause for cause, _ in expected]
    found = sorted(entry[1:5] for entry in entries)
    ok(found == sorted(packet[1:] for _, packet in expected), f"{flows} flows, seed {seed}: what the model says is reported",
       f"{len(found)} of {len(expected)}", counts)
    numbers = {cause: causes.count(cause) for cause in ("first", "every", "last")}
    ok(counts["packets"] == sum(map(len, data.values())) and all(counts[f"entries_{cause}"] == number > 0 for cause, number in numbers.items()),
       f"{flows} flows, seed {seed}: for the reasons that it says", numbers, counts)


def main():
    ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0)
    run("modprobe onramp_acker")
    wire = Wire()
    after_the_grid(wire, "IPv4", IPV4)
    after_the_grid(wire, "IPv6", IPV6)
    if exact():
        idle(wire)
        for family, ends in (("IPv4", IPV4), ("IPv6", IPV6)):
            dense(wire, family, ends)
        more_peers(wire)
        for seed, flows in ((1, 4), (2, 40), (3, 400)):
            model(wire, seed, flows)
        changes(wire)
    tags(wire)
    strangers(wire)
    for name in "ab":
        run(f"ip netns del {name}")
    run("rmmod onramp_acker")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
