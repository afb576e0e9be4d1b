# SPDX-License-Identifier: GPL-2.0
"""Measurements of On-Ramp: sch_onramp and fq over flows, TCP, the acker, hooks, memory."""

import random
from dataclasses import dataclass

import tcp_rounds

# Space for all that waits; a flow may be all of it; a bucket and a hash for each flow.
AMPLE = "limit 1000000 flow_limit 1000000 buckets 131072 orphan_mask 1048575"
# A path that is acked, and a threshold that no delay here reaches: nothing is held. A host's default is a published clock.
THRESHOLD = "threshold 1s"
HOLD = f"{THRESHOLD} clock system error 1us"
# Where a flow of another path is held, for what its packets took and not less for what was held before.
HELD = "threshold 2ms max_hold 100ms law strawman clock system error 1us"
ARGS = {
    "noqueue": "noqueue",
    "fq": f"fq {AMPLE}",
    "off": f"onramp {AMPLE} mode off",
    "observe": f"onramp {AMPLE} mode observe {HOLD}",
    "hold": f"onramp {AMPLE} mode hold {HOLD}",
    "published": f"onramp {AMPLE} mode hold {THRESHOLD} clock published",
    "remember 0": f"onramp {AMPLE} mode hold {HOLD} remember 0",
}
REFERENCE = "fq"
QDISCS = ("fq", "off", "hold", "published", "remember 0")
FEW = ("fq", "off", "hold")
RECORDS = ("observe", "hold", "published", "remember 0")
OFF_GOAL, GOAL, IDLE_GOAL, NEW_GOAL = 1.05, 1.15, 1.3, 1.5      # of fq's time
IPV6_GOAL = 0.05        # that a ratio over IPv6 may be above IPv4's
PROBES = 2              # OR-ACKs of each path that come in a lap
LATE_PROBES = 3         # packets of the path whose flow is held
PATH_FLOWS = 50000      # of each path

# The acker: an OR-ACK for each packet, or hardly any. Nobody waits for the timers.
ACKER = "delay 100ms idle 10s rate 10000000"
RECEIVERS = {
    "no acker": "none",
    "no OR-ACK": f"every 1000 {ACKER}",
    "OR-ACK for each": f"every 1 {ACKER}",
    "usual": "every 10 delay 20us idle 100us rate 1000000",
}
# Packets of as many flows, those of each together, as the segments of large packets come.
RECEIVED = {"receive": (1024, 1), "receive, 1,000 flows": (45000, 1000)}


SHORT, FULL = 6, 1448   # bytes of data in a packet: an IPv4 frame of 60, and as many as MTU 1500 has


@dataclass(frozen=True)
class Shape:
    """Traffic of flows, and their receiver: see benchflow_main.c."""

    bytes: int = SHORT
    family: int = 4
    peer: str = "grid"

    def line(self):
        return f"{self.bytes} {self.family} {self.peer}"


@dataclass(frozen=True)
class Case:
    """One way to make packets of flows pass."""

    name: str
    kind: str           # as benchflow calls it
    flows: int
    packets: int        # of a lap
    laps: int           # in the lab kernel; few, or a flow's records become more than it has in a second
    times: int          # of each round there, each with a new qdisc: as many as make the interval of mode off narrow
    means: str          # for people
    qdiscs: tuple = FEW
    shape: Shape = Shape()
    goal: float = GOAL  # of hold; 0: none

    def arguments(self, variant):
        """The qdisc, in tc's syntax."""
        return ARGS[variant].replace(HOLD, HELD) if self.shape.peer == "held" else ARGS[variant]


CASES = (
    Case("idle", "open", 1, 1024, 20, 4, "every packet leaves as it comes, all of one flow; fq has a way for that which does without flows",
         ("noqueue", *QDISCS), goal=IDLE_GOAL),
    Case("1 flow", "fill", 1, 1024, 20, 2, "1024 packets of a flow come while the device is stopped, then all leave", QDISCS),
    Case("1,000 flows", "fill", 1000, 4000, 5, 8, "likewise, four packets of each of 1,000 flows", QDISCS),
    Case("100,000 flows", "fill", 100000, 100000, 2, 4, "likewise, a packet of each of 100,000 flows, which are more than caches hold", QDISCS),
    Case("new flows", "new", 1000, 1000, 8, 8, "likewise, a packet of each of 1,000 flows that were not there before", QDISCS, goal=NEW_GOAL),
    Case("64 KB", "fill", 1, 1024, 20, 2, "as 1 flow, of packets of 45 segments, 65160 bytes, which the device takes whole", QDISCS, Shape(45 * FULL)),
    Case("4 KB", "fill", 1, 1024, 20, 2, "likewise, of three segments, 4344 bytes", shape=Shape(3 * FULL)),
    Case("idle, full-size", "open", 1, 1024, 20, 2, "as idle, of packets of 1448 bytes", shape=Shape(FULL), goal=IDLE_GOAL),
    Case("1 flow, full-size", "fill", 1, 1024, 20, 2, "as 1 flow, likewise", shape=Shape(FULL)),
    Case("1,000 flows, full-size", "fill", 1000, 4000, 5, 4, "as 1,000 flows, likewise", shape=Shape(FULL)),
    Case("100,000 flows, full-size", "fill", 100000, 100000, 2, 4, "as 100,000 flows, likewise", shape=Shape(FULL)),
    Case("idle, IPv6", "open", 1, 1024, 20, 2, "as idle, over IPv6", shape=Shape(family=6), goal=IDLE_GOAL),
    Case("1 flow, IPv6", "fill", 1, 1024, 20, 2, "as 1 flow, over IPv6", shape=Shape(family=6)),
    Case("1,000 flows, IPv6", "fill", 1000, 4000, 5, 4, "as 1,000 flows, over IPv6", shape=Shape(family=6)),
    Case("another held", "fill", 1, 1024, 20, 2, "as 1 flow, while a flow of another path is held", shape=Shape(peer="held"), goal=0),
    Case("another grid", "fill", 1, 1024, 20, 2, "as 1 flow, whose receiver has another grid, so that all of its packets are remembered",
         shape=Shape(peer="none"), goal=0),
)
CACHED = 1024           # packets that a cache of 1 MiB may have, with what their qdisc knows of them
MEMORY_FLOWS = 20000

# Cost of OR-ACKs for a network: bursts of so many packets of a flow, and how many of them, each after a rest. Settings are the
# acker's defaults.
BURSTS = {"a long flow": (11000, 1), "bursts of 100 packets": (100, 20), "bursts of 10 packets": (10, 50),
          "bursts of 2 packets": (2, 100), "single packets": (1, 100)}
USUAL = RECEIVERS["usual"]

# Packets through a driver's hook, and the listener: none, or the acker, which acks hardly any packet or as it usually does.
RX_HOOK = {"nobody": "none", "no OR-ACK": f"every 1000 {ACKER}", "usual": USUAL}

# TCP between two namespaces: whose qdisc the sender has, and whether the receiver acks. ARGS in the guest's order.
TCP_HOLD = f"onramp mode hold {HOLD}"
TCP = {
    "fq": "none fq",
    "fq_codel": "none fq_codel",
    "off": "none onramp mode off",
    "fq, acker": "acker fq",
    "hold, acker": f"acker {TCP_HOLD}",
}


@dataclass(frozen=True)
class Transfer:
    """A way to transfer by TCP."""

    name: str
    kind: str           # what the guest's script calls it
    connections: int
    rounds: int         # of a lap, as tcp_rounds.py has them
    means: str          # for people


TRANSFERS = (
    Transfer("whole", "whole", 1, 320, "packets go through the veth as they are, so that the receiver has as few as the sender"),
    Transfer("segments", "segments", 1, 320, "the veth segments behind the qdisc, as a NIC would (`tso off`, and stamps "
             "`tx qdisc`), and GRO joins what comes (`gro on`): the sender records one packet of 64 KB, the receiver reads each segment"),
    Transfer("1,000 connections", "segments", 1000, 1, "likewise, of 1,000 connections in turn"),
)
TCP_LAPS = 6            # as few as have an interval of 95 %
MIB = 1 << 20

# The paper's CPU, %: of a sender and of the receiver, and of a host of section 5 (docs/results/not-reproduced.md has the rows).
TABLE_1 = {"fq": (1.01, 5.50), "fq_codel": (1.41, 5.68), "hold, acker": (1.04, 6.99)}
SENDERS = 2
SECTION_4_1 = (15.1, 18.7)

OTHERS = ("receive", "acks", "memory", "hook", "tcp")
FRAME, ENTRY = 58, 20   # bytes of an OR-ACK's frame before its entries, as IPv4 on Ethernet, and of an entry: docs/wire.md


@dataclass(frozen=True)
class Measurement:
    """One line of the guest's plan."""

    key: str
    round: int
    group: str          # "case", or one of OTHERS
    name: str           # of the case
    variant: str            # of ARGS, RECEIVERS, RX_HOOK or TCP
    kind: str
    laps: int           # the first of them is not counted, but for TCP
    packets: int        # of TCP: rounds of a lap
    flows: int
    arguments: str
    shape: Shape = Shape()

    def line(self):
        return f"{self.key} {self.kind} {self.laps} {self.packets} {self.flows} {self.shape.line()} {self.arguments}"


def _keyed(made):
    return [Measurement(f"f{number}", *fields) for number, fields in enumerate(made)]


def _cases(chance, number, names, laps, times):
    for case in CASES:
        for _ in range(times(case) if case.name in names else 0):
            for variant in chance.sample(case.qdiscs, len(case.qdiscs)):
                yield (number, "case", case.name, variant, case.kind, laps(case) + (2 if case.shape.peer == "none" else 1), case.packets, case.flows, case.arguments(variant), case.shape)


def in_time(rounds, seed, names):
    """For the lab kernel: in each round, each case's qdiscs in an order drawn anew, as often as the case has it."""
    chance = random.Random(seed)
    return _keyed([fields for number in range(rounds) for fields in _cases(chance, number, names, lambda case: case.laps, lambda case: case.times)])


def _others():
    """Counts in addition to the cases."""
    for name, (packets, count) in RECEIVED.items():
        for variant, arguments in RECEIVERS.items():
            if count == 1 or variant in ("no acker", "usual"):
                yield (0, "receive", name, variant, "receive", 3, packets, count, arguments, Shape(FULL))
    for name, (packets, bursts) in BURSTS.items():
        yield (0, "acks", name, "acker", "acks", bursts, packets, 1, USUAL, Shape(FULL))
    for variant in (*FEW, "remember 0"):
        yield (0, "memory", "memory", variant, "memory", 1, MEMORY_FLOWS, MEMORY_FLOWS, ARGS[variant])
    for variant in ("fq", "hold"):
        yield (0, "hook", "hook", variant, "hook", 3, 1024, 1, ARGS[variant])
    for variant, arguments in RX_HOOK.items():
        yield (0, "hook", "hook of Rx", variant, "rxhook", 3, 1024, 1, arguments)
    for way in TRANSFERS:
        for variant, arguments in TCP.items():
            yield (0, "tcp", way.name, variant, way.kind, TCP_LAPS, way.rounds, way.connections, arguments)


def tcp_bytes(item):
    """Payload that TCP sends in a measurement, with the rounds that belong to no lap."""
    return (tcp_rounds.first_rounds(item.flows) + item.laps * item.packets) * item.flows * tcp_rounds.BYTES


def in_lines(names):
    """For the stock kernel and a cache: the cases with so many packets or flows that they do not fit in it."""
    large = {case.name for case in CASES if case.packets > CACHED} & set(names)
    return _keyed(list(_cases(random.Random(1), 0, large, lambda _: 2, lambda _: 1)))


def in_instructions(names):
    """For the stock kernel, where one round says it all; names are of cases and of others that are counted there."""
    made = list(_cases(random.Random(1), 0, names, lambda _: 3, lambda _: 1))
    return _keyed(made + [fields for fields in _others() if fields[1] in names or fields[1] == "tcp" and fields[2] in names])
