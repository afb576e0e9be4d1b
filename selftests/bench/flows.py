# SPDX-License-Identifier: GPL-2.0
"""What is measured of On-Ramp: sch_onramp beside fq over flows, the acker, hooks, memory; and how the guest's answers are read."""

import json
import random
from dataclasses import dataclass

import stats
from failed import BenchFailed

# Room for all that waits; a flow may be all of it; a bucket and a hash for each flow.
ROOM = "limit 1000000 flow_limit 1000000 buckets 131072 orphan_mask 1048575"
HOLD = "threshold 50us clock system error 1us"
WORDS = {
    "noqueue": "noqueue",
    "fq": f"fq {ROOM}",
    "off": f"onramp {ROOM} mode off",
    "observe": f"onramp {ROOM} mode observe {HOLD}",
    "hold": f"onramp {ROOM} mode hold {HOLD}",
}
REFERENCE = "fq"
QDISCS = ("fq", "off", "hold")
GOALS = {"off": 1.05, "hold": 1.15}     # of fq's time, issue's words

# The acker: an OR-ACK for each packet, or hardly any. Nobody waits for the timers.
ACKER = "delay 100ms idle 10s rate 10000000"
RECEIVERS = {
    "no acker": "none",
    "no OR-ACK": f"every 1000 {ACKER}",
    "OR-ACK for each": f"every 1 {ACKER}",
}


@dataclass(frozen=True)
class Case:
    """One way to make packets of flows pass."""

    name: str
    kind: str           # what the guest's script calls it
    flows: int
    packets: int        # of a lap
    laps: int           # in the lab kernel
    means: str          # for people
    qdiscs: tuple = QDISCS


CASES = (
    Case("idle", "open", 1, 1024, 20, "every packet leaves as it comes, all of one flow; fq has a way for that which does without flows",
         ("noqueue", *QDISCS)),
    Case("1 flow", "fill", 1, 1024, 20, "1024 packets of a flow come while the device is stopped, then all leave"),
    Case("1,000 flows", "fill", 1000, 4000, 5, "likewise, four packets of each of 1,000 flows"),
    Case("100,000 flows", "fill", 100000, 100000, 2, "likewise, a packet of each of 100,000 flows, which are more than caches hold"),
    Case("new flows", "new", 1000, 1000, 8, "likewise, a packet of each of 1,000 flows that were not there before"),
)
MEMORY_FLOWS = 20000

# What OR-ACKs cost a network: bursts of so many packets of a flow, and how many of them, each after a rest. Settings are the
# acker's defaults.
BURSTS = {"a long flow": (11000, 1), "bursts of 100 packets": (100, 20), "bursts of 10 packets": (10, 50),
          "bursts of 2 packets": (2, 100), "single packets": (1, 100)}
USUAL = "every 10 delay 20us idle 100us rate 1000000"
FULL = 1448             # bytes of data in a packet
FRAME, ENTRY = 58, 20   # bytes of an OR-ACK's frame before its entries, as IPv4 on Ethernet, and of an entry: docs/wire.md


@dataclass(frozen=True)
class Measurement:
    """One line of the guest's plan."""

    key: str
    round: int
    group: str          # "case", "receive", "acks", "memory" or "hook"
    name: str           # of the case
    who: str            # of WORDS or RECEIVERS
    kind: str
    laps: int           # the first of them is not counted
    packets: int
    flows: int
    words: str

    def line(self):
        return f"{self.key} {self.kind} {self.laps} {self.packets} {self.flows} {self.words}"


def _keyed(made):
    return [Measurement(f"f{number}", *fields) for number, fields in enumerate(made)]


def _cases(chance, number, names, laps):
    for case in CASES:
        if case.name in names:
            for who in chance.sample(case.qdiscs, len(case.qdiscs)):
                yield (number, "case", case.name, who, case.kind, laps(case) + 1, case.packets, case.flows, WORDS[who])


def in_time(rounds, seed, names):
    """For the lab kernel: in each round, each case's qdiscs in an order drawn anew."""
    chance = random.Random(seed)
    return _keyed([fields for number in range(rounds) for fields in _cases(chance, number, names, lambda case: case.laps)])


def in_instructions(names, whole):
    """For the stock kernel, where one round says it all; with all else that is counted there if the whole is wanted."""
    made = list(_cases(random.Random(1), 0, names, lambda case: 1 if case.flows > 1000 else 3))
    if whole:
        made += [(0, "receive", "receive", who, "receive", 3, 1024, 1, words) for who, words in RECEIVERS.items()]
        made += [(0, "acks", name, "acker", "acks", bursts, packets, 1, USUAL) for name, (packets, bursts) in BURSTS.items()]
        made += [(0, "memory", "memory", who, "memory", 1, MEMORY_FLOWS, MEMORY_FLOWS, WORDS[who]) for who in QDISCS]
        made += [(0, "hook", "hook", who, "hook", 3, 1024, 1, WORDS[who]) for who in ("fq", "hold")]
    return _keyed(made)


def _pairs(numbers):
    return list(zip(numbers[::2], numbers[1::2]))


def _check_acked(item, document, what):
    """Counters are a namespace's, so that they may hold what was acked before."""
    packets = item.packets * item.laps
    if item.who == "OR-ACK for each" and document["entries"] < packets:
        raise BenchFailed(f"{what}: {document['entries']} of {packets} packets were acked")
    if item.who == "no acker" and document["packets"]:
        raise BenchFailed(f"{what}: {document['packets']} packets came to the acker")
    if item.who == "no OR-ACK" and not 0 < document["entries"] < 0.01 * packets:
        raise BenchFailed(f"{what}: {document['entries']} of {packets} packets were acked")


def check(item, document):
    """Refuse a measurement in which packets were lost, or On-Ramp did not do what is being timed."""
    what = f"{item.name}, {item.who}"
    if item.group == "receive":
        _check_acked(item, document, what)
        return
    if item.group == "acks":
        came = document[1]["packets"] - document[0]["packets"]
        if came != item.laps * item.packets or document[1]["entries_first"] - document[0]["entries_first"] < item.laps:
            raise BenchFailed(f"{what}: {came} packets came, and not each burst's first was acked: {document}")
        return
    kind = "onramp" if item.words.startswith("onramp") else item.words.split()[0]
    found = [qdisc for qdisc in document if qdisc["kind"] == kind]
    if not found:
        raise BenchFailed(f"{what}: tc shows {', '.join(qdisc['kind'] for qdisc in document)}")
    if found[0].get("drops"):
        raise BenchFailed(f"{what}: {found[0]['drops']} packets were dropped")
    if item.who in ("hold", "observe") and item.group != "hook":
        records, sent = found[0].get("records", 0), item.laps * item.packets
        if records != sent:
            raise BenchFailed(f"{what}: {records} of {sent} packets were recorded")


def _number_lines(output):
    """{key: numbers} of what the guest measured, and {key: document} of what it showed."""
    took, shown = {}, {}
    for line in output.splitlines():
        word, _, rest = line.partition(" ")
        key, _, rest = rest.partition(" ")
        if word in ("took", "memory"):
            took[key] = [int(value) for value in rest.split()]
        elif word == "stats":
            try:
                shown[key] = json.loads(rest)
            except json.JSONDecodeError as why:
                raise BenchFailed(f"{key}: what is shown is not JSON: {why}") from why
        elif word == "failed":
            raise BenchFailed(f"{key} {rest}")
    return took, shown


def _part_of_data(item, document):
    """OR-ACKs' bytes in frames, % of the data's without headers."""
    before, after = document
    acks = sum(size * (after[name] - before[name]) for name, size in (("datagrams", FRAME), ("entries", ENTRY)))
    return 100 * acks / (item.laps * item.packets * FULL)


def value_of(item, numbers, document, of_laps):
    """What a measurement says: for each packet, ns to come and to leave; of a hook the ns of it; of memory bytes for a flow; of
    OR-ACKs their part of the data."""
    if item.group == "memory":
        return numbers[0] / item.flows
    if item.group == "acks":
        return _part_of_data(item, document)
    laps = _pairs(numbers)
    if len(numbers) != 2 * item.laps or min(come for come, _ in laps) <= 0:
        raise BenchFailed(f"{item.name}, {item.who}: times of {len(laps)} laps, not {item.laps}: {numbers}")
    laps = laps[1:]
    if item.group == "hook":
        return of_laps([(hook - bare) / item.packets for hook, bare in laps])
    return [of_laps([lap[part] for lap in laps]) / item.packets for part in (0, 1)]


def read(plan, output, of_laps=stats.median):
    """Return {group: {name: {who: [value of each round]}}}, complete or not at all.

    Whatever else a machine does in a lap only adds to it: where instructions are counted, the least of a measurement's laps
    is what it is about (of_laps=min).
    """
    took, shown = _number_lines(output)
    found = {}
    for item in plan:
        if item.key not in took or item.key not in shown:
            raise BenchFailed(f"{item.name}, {item.who}: round {item.round + 1} is missing")
        check(item, shown[item.key])
        found.setdefault(item.group, {}).setdefault(item.name, {}).setdefault(item.who, []).append(value_of(item, took[item.key], shown[item.key], of_laps))
    return found
