#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Nearly all packets that onramp_acker reports are among those that onramp remembers, as TAP.

    a (10.0.0.1) v: onramp ====> v (10.0.0.2) b: acker

Both have their defaults. In virtual time, trains of packets are sent at 10 Gbit/s, so the sender remembers few of them. In real
time they are sent as fast as the CPU allows.
"""

import random
import socket
import struct
import subprocess
import json
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from acker_hosts import Genl, frame, index_of, mac_of, pair
from script import Inside, exact, finish, result, run

FULL, SEGMENTS = 1448, 45
LEAST = 0.98
TRAIN, TRAIN_NS = 64, 64 * FULL * 8 // 10       # at 10 Gbit/s
SOL_PACKET, PACKET_VNET_HDR = 263, 15
OTHERS_MAC = b"\2\0\0\0\0\x63"                  # b sees such a frame, and it is not for b: lost


class Wire:
    """Frames from a to b, and what both count of them."""

    def __init__(self):
        pair("a", "b", "v", 0)
        run("tc -n a qdisc replace dev v root handle 1: onramp mode observe clock system error 1us limit 10000 flow_limit 10000")
        self.mac, self.acker, self.sport, self.sent = mac_of("b", "v"), Genl("b"), 20000, 0
        with Inside("a"):
            self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            self.sock.bind(("v", 0))
        self.sock.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        self.acker.clock(1000)
        self.acker.peer("ADD", "10.0.0.0/24")
        self.acker.device("ADD", index_of("b", "v"))
        time.sleep(0.1)

    def send(self, sport, seq, size, lost=False):
        """Larger packets are cut into full segments behind the qdisc."""
        header = struct.pack("=BBHHHH", 1, 1, 54, FULL, 34, 16) if size > FULL else bytes(10)
        self.sock.send(header + frame(OTHERS_MAC if lost else self.mac, "10.0.0.1", "10.0.0.2", sport, seq % 2**32, size))
        self.sent += 1
        if exact() and self.sent % max(TRAIN * FULL // size, 1) == 0:
            time.sleep(TRAIN_NS / 1e9)

    def counts(self, rest=0.1):
        """Records and samples of the sender, entries of the receiver."""
        time.sleep(rest)
        shown = json.loads(subprocess.run("tc -n a -s -j qdisc show dev v".split(), stdout=subprocess.PIPE, check=True).stdout)
        qdisc = [entry for entry in shown if entry["kind"] == "onramp"][0]
        return {"records": qdisc["records"], "samples": qdisc["samples"], "entries": self.acker.stats()["entries"]}

    def matched(self, transfer):
        """Carry it out; how much of each counter it was since it yielded."""
        run = transfer(self)
        next(run)
        before = self.counts(0 if exact() else 0.1)
        for _ in run:
            pass
        return {name: value - before[name] for name, value in self.counts().items()}

    def flow(self):
        self.sport += 1
        return self.sport


def stream(count, flows, size):
    """Flows that alternate, from a random sequence number on; packets are lost and sent again later. With many flows, none begins in the measurement."""
    def transfer(wire):
        draw = random.Random(count + flows + size)
        sports = [wire.flow() for _ in range(flows)]
        seqs = {sport: draw.getrandbits(32) for sport in sports}
        begun = 2 * flows if flows > 100 else 0
        for number in range(begun + count):
            if number == begun:
                yield
            sport = sports[number % flows]
            lost = draw.random() < 0.002
            wire.send(sport, seqs[sport], size, lost)
            if lost:
                wire.send(sport, seqs[sport], size)
            seqs[sport] += size
    return transfer


def short(flows, packets):
    """Flows that end before they find that their receiver has another grid."""
    def transfer(wire):
        yield
        for _ in range(flows):
            sport = wire.flow()
            for number in range(packets):
                wire.send(sport, 1 + number * FULL, FULL)
    return transfer


def judge(wire, name, transfer, fewer=None):
    """Nearly all reports are samples; where fewer packets are to be remembered than were sent, so they are."""
    found = wire.matched(transfer)
    result(found["samples"] >= LEAST * found["entries"] > 0, f"{name}: {LEAST} of the reports are samples", found)
    if fewer:
        result(found["records"] < fewer, f"{name}: and not since all are remembered", found, fewer)


def main():
    run("modprobe -a sch_onramp onramp_acker")
    wire = Wire()
    count = 20000 if exact() else 4000
    for flows in (1, 12, 1000):
        judge(wire, f"{flows} flows of full packets", stream(count, flows, FULL), count / 4 if exact() else None)
    for flows in (1, 12):
        judge(wire, f"{flows} flows of packets of 64 KB, cut behind the qdisc", stream(count // SEGMENTS, flows, SEGMENTS * FULL))
    if exact():
        wire.acker.settings(every=1)
        found = wire.matched(short(40, 20))
        result(found["samples"] < 0.5 * found["entries"], "a receiver that reports each packet of short flows: most are not", found)
    for name in "ab":
        run(f"ip netns del {name}")
    run("rmmod onramp_acker")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
