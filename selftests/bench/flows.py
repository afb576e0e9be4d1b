# SPDX-License-Identifier: GPL-2.0
"""What is measured of On-Ramp: sch_onramp beside fq over flows, TCP, the acker, hooks, memory; and how the guest's answers are read."""

import json
import random
from dataclasses import dataclass

import stats
from failed import BenchFailed

# Room for all that waits; a flow may be all of it; a bucket and a hash for each flow.
ROOM = "limit 1000000 flow_limit 1000000 buckets 131072 orphan_mask 1048575"
# A path that is acked, and a threshold that no delay here reaches: nothing is held. A host's default is a published clock.
LAW = "threshold 1s"
HOLD = f"{LAW} clock system error 1us"
WORDS = {
    "noqueue": "noqueue",
    "fq": f"fq {ROOM}",
    "off": f"onramp {ROOM} mode off",
    "observe": f"onramp {ROOM} mode observe {HOLD}",
    "hold": f"onramp {ROOM} mode hold {HOLD}",
    "published": f"onramp {ROOM} mode hold {LAW} clock published",
    "remember 0": f"onramp {ROOM} mode hold {HOLD} remember 0",
}
REFERENCE = "fq"
QDISCS = ("fq", "off", "hold", "published")
RECORDS = ("observe", "hold", "published", "remember 0")
GOALS = {"off": 1.05, "hold": 1.15, "published": 1.15}     # of fq's time, issue's words
PROBES = 2              # OR-ACKs of each path that come in a lap
PATH_FLOWS = 50000      # of each path

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
    laps: int           # in the lab kernel; few, or a flow's records become more than it has in a second
    times: int          # of each round there, each with a new qdisc: as many as make the interval of mode off narrow
    means: str          # for people
    qdiscs: tuple = QDISCS


CASES = (
    Case("idle", "open", 1, 1024, 20, 4, "every packet leaves as it comes, all of one flow; fq has a way for that which does without flows",
         ("noqueue", *QDISCS)),
    Case("1 flow", "fill", 1, 1024, 20, 2, "1024 packets of a flow come while the device is stopped, then all leave"),
    Case("1,000 flows", "fill", 1000, 4000, 5, 8, "likewise, four packets of each of 1,000 flows"),
    Case("100,000 flows", "fill", 100000, 100000, 2, 4, "likewise, a packet of each of 100,000 flows, which are more than caches hold"),
    Case("new flows", "new", 1000, 1000, 8, 8, "likewise, a packet of each of 1,000 flows that were not there before"),
    Case("64 KB", "gso", 1, 1024, 20, 2, "as 1 flow, of packets of 45 segments, 65160 bytes, which the device takes whole"),
)
MEMORY_FLOWS = 20000

# What OR-ACKs cost a network: bursts of so many packets of a flow, and how many of them, each after a rest. Settings are the
# acker's defaults.
BURSTS = {"a long flow": (11000, 1), "bursts of 100 packets": (100, 20), "bursts of 10 packets": (10, 50),
          "bursts of 2 packets": (2, 100), "single packets": (1, 100)}
USUAL = "every 10 delay 20us idle 100us rate 1000000"

# What comes through a driver's hook, and who listens: nobody, or the acker, which acks hardly any packet or as it usually does.
RX_HOOK = {"nobody": "none", "no OR-ACK": f"every 1000 {ACKER}", "usual": USUAL}

# TCP between two namespaces: whose qdisc the sender has, and whether the receiver acks. WORDS in the guest's order.
TCP_HOLD = f"onramp mode hold {HOLD}"
TCP = {
    "fq": "none fq",
    "fq_codel": "none fq_codel",
    "off": "none onramp mode off",
    "fq, acker": "acker fq",
    "hold, acker": f"acker {TCP_HOLD}",
}
TCP_KINDS = {
    "whole": "packets of up to 64 KB go through the veth as they are, so that the receiver has as few as the sender",
    "segments": "the veth segments behind the qdisc, as a card would (`tso off`, and stamps `tx qdisc`), and GRO joins what comes (`gro on`): the "
                "sender records one packet of up to 64 KB, the receiver reads each segment",
}
TCP_MIB = 40            # a lap is two transfers: one has so many MiB more than the other
TCP_LEAST = 10          # which has so many
TCP_LAPS = 9            # the first of them is not counted
MIB = 1 << 20

# The paper's CPU, %: of a sender and of the receiver, and of a host of section 5 (docs/results/not-reproduced.md has the rows).
TABLE_1 = {"fq": (1.01, 5.50), "fq_codel": (1.41, 5.68), "hold, acker": (1.04, 6.99)}
SENDERS = 2
SECTION_4_1 = (15.1, 18.7)

OTHERS = ("receive", "acks", "memory", "hook", "tcp")
FULL = 1448             # bytes of data in a packet
FRAME, ENTRY = 58, 20   # bytes of an OR-ACK's frame before its entries, as IPv4 on Ethernet, and of an entry: docs/wire.md


@dataclass(frozen=True)
class Measurement:
    """One line of the guest's plan."""

    key: str
    round: int
    group: str          # "case", or one of OTHERS
    name: str           # of the case
    who: str            # of WORDS, RECEIVERS, RX_HOOK or TCP
    kind: str
    laps: int           # the first of them is not counted
    packets: int
    flows: int
    words: str

    def line(self):
        return f"{self.key} {self.kind} {self.laps} {self.packets} {self.flows} {self.words}"


def _keyed(made):
    return [Measurement(f"f{number}", *fields) for number, fields in enumerate(made)]


def _cases(chance, number, names, laps, times):
    for case in CASES:
        for _ in range(times(case) if case.name in names else 0):
            for who in chance.sample(case.qdiscs, len(case.qdiscs)):
                yield (number, "case", case.name, who, case.kind, laps(case) + 1, case.packets, case.flows, WORDS[who])


def in_time(rounds, seed, names):
    """For the lab kernel: in each round, each case's qdiscs in an order drawn anew, as often as the case has it."""
    chance = random.Random(seed)
    return _keyed([fields for number in range(rounds) for fields in _cases(chance, number, names, lambda case: case.laps, lambda case: case.times)])


def _others():
    """What is counted beside the cases."""
    for who, words in RECEIVERS.items():
        yield (0, "receive", "receive", who, "receive", 3, 1024, 1, words)
    for name, (packets, bursts) in BURSTS.items():
        yield (0, "acks", name, "acker", "acks", bursts, packets, 1, USUAL)
    for who in QDISCS[:3]:
        yield (0, "memory", "memory", who, "memory", 1, MEMORY_FLOWS, MEMORY_FLOWS, WORDS[who])
    for who in ("fq", "hold"):
        yield (0, "hook", "hook", who, "hook", 3, 1024, 1, WORDS[who])
    for who, words in RX_HOOK.items():
        yield (0, "hook", "hook of Rx", who, "rxhook", 3, 1024, 1, words)
    for kind in TCP_KINDS:
        for who, words in TCP.items():
            yield (0, "tcp", kind, who, kind, TCP_LAPS, TCP_MIB, 1, words)


def in_instructions(names):
    """For the stock kernel, where one round says it all; names are of cases and of others that are counted there."""
    made = list(_cases(random.Random(1), 0, names, lambda _: 3, lambda _: 1))
    return _keyed(made + [fields for fields in _others() if fields[1] in names])


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


def _check_hook(item, document, what):
    """Each packet of each lap came to the acker, or none if nobody listens."""
    came, acked = (document[1][name] - document[0][name] for name in ("packets", "entries"))
    sent = item.laps * item.packets
    if came != (0 if item.who == "nobody" else sent):
        raise BenchFailed(f"{what}: {came} of {sent} packets came to the acker")
    if item.who == "no OR-ACK" and acked > 0.01 * sent or item.who == "usual" and acked < 0.05 * sent:
        raise BenchFailed(f"{what}: {acked} of {sent} packets were acked")


def _check_picked(item, qdisc, what):
    """Some packets were recorded, of flows or of what is acked, where not all are remembered."""
    records, sent = qdisc.get("records", 0), item.laps * (item.packets + PROBES * (1 + item.flows // PATH_FLOWS))
    if not 0 < records <= sent:
        raise BenchFailed(f"{what}: {records} of {sent} packets were recorded")
    _check_calm(qdisc, what)


def _check_recorded(qdisc, sent, what):
    """Each packet, and nothing else but what is acked, which is a sample."""
    records, samples = qdisc.get("records", 0), qdisc.get("samples", 0)
    if records - samples != sent:
        raise BenchFailed(f"{what}: {records - samples} of {sent} packets were recorded")
    _check_calm(qdisc, what)


def _check_calm(qdisc, what):
    """Nothing was held, and no path was unacknowledged."""
    for name in ("unacked", "holds", "no_clock"):
        if qdisc.get(name, 0):
            raise BenchFailed(f"{what}: {name} {qdisc[name]}")


def _check_tcp(item, document, what):
    """Packets were as large as the kind says, where they were sent and where they came; what is to be acked was."""
    qdisc, acker = _qdisc_of(item.words.split()[1], document["qdisc"], what), document["acker"]
    sent = item.laps * (2 * TCP_LEAST + item.packets) * MIB
    least, most = (sent / 65536, sent / 32768) if item.name == "whole" else (sent / 1460, sent / 1400)
    if item.words.startswith("none"):
        least, most = 0, 0
    if not least <= acker["packets"] <= most or acker["entries"] < 0.05 * acker["packets"]:
        raise BenchFailed(f"{what}: {acker['packets']} packets came to the acker, {acker['entries']} were acked, of {sent} bytes")
    if "hold" not in item.words:
        return
    if not sent / 65536 <= qdisc["records"] <= sent / 32768 or qdisc["samples"] < 0.9 * acker["entries"]:
        raise BenchFailed(f"{what}: {qdisc['records']} records, {qdisc['samples']} samples, of {sent} bytes")
    _check_recorded({**qdisc, "samples": 0}, qdisc["records"], what)


def _qdisc_of(kind, document, what):
    """What tc shows of a qdisc, which dropped nothing."""
    found = [qdisc for qdisc in document if qdisc["kind"] == kind]
    if not found:
        raise BenchFailed(f"{what}: tc shows {', '.join(qdisc['kind'] for qdisc in document)}")
    if found[0].get("drops"):
        raise BenchFailed(f"{what}: {found[0]['drops']} packets were dropped")
    return found[0]


def check(item, document):
    """Refuse a measurement in which packets were lost, or On-Ramp did not do what is being timed."""
    what = f"{item.name}, {item.who}"
    if item.group == "receive":
        _check_acked(item, document, what)
    elif item.group == "acks":
        came = document[1]["packets"] - document[0]["packets"]
        if came != item.laps * item.packets or document[1]["entries_first"] - document[0]["entries_first"] < item.laps:
            raise BenchFailed(f"{what}: {came} packets came, and not each burst's first was acked: {document}")
    elif item.kind == "rxhook":
        _check_hook(item, document, what)
    elif item.group == "tcp":
        _check_tcp(item, document, what)
    else:
        qdisc = _qdisc_of(item.words.split()[0], document, what)
        if item.who in RECORDS and item.group != "hook":
            if qdisc.get("samples", 0) < PROBES * item.laps:
                raise BenchFailed(f"{what}: {qdisc.get('samples', 0)} OR-ACKs in {item.laps} laps")
            if item.who == "remember 0":
                _check_recorded(qdisc, item.laps * item.packets, what)
            else:
                _check_picked(item, qdisc, what)


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
    """What a measurement says: for each packet, ns to come and to leave; of a hook the ns of it; of TCP those of a MiB, the median, least and most of the laps; of memory bytes for a flow; of
    OR-ACKs their part of the data."""
    if item.group == "memory":
        return numbers[0] / item.flows
    if item.group == "acks":
        return _part_of_data(item, document)
    laps = _pairs(numbers)
    if len(numbers) != 2 * item.laps or min(come for come, _ in laps) <= 0:
        raise BenchFailed(f"{item.name}, {item.who}: times of {len(laps)} laps, not {item.laps}: {numbers}")
    laps = laps[1:]
    if item.group == "tcp":
        # Who runs when differs between laps, so that no lap is the true one.
        each = [(large - small) / item.packets for small, large in laps]
        return [stats.median(each), min(each), max(each)]
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
