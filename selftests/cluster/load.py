# SPDX-License-Identifier: GPL-2.0
"""Traffic of the machines and its results: long flows by iperf3, and requests that many flows answer at once."""

import csv
import dataclasses
import io
import re

import fleet

SECONDS = 18                # of the long flows
FLOWS = 4
# The receiver asks, and what comes are as many answers, all by the router's one queue.
FANOUT, ANSWER, REQUESTS = 24, 4000, 16
BEGIN_S, PERIOD_MS = 3, 800
GROUP = (f"incast kind=query flows={FANOUT} lo={ANSWER} hi={ANSWER} at={BEGIN_S}s period={PERIOD_MS}ms count={REQUESTS}")
SUM = re.compile(r"\[SUM\] .*?([\d.]+) Mbits/sec.*(sender|receiver)")


@dataclasses.dataclass
class Carried:
    """One load: of the requests the ms until the last answer was there, sorted, and bytes as both ends counted them."""

    requests: list
    requested: int
    sent: int
    received: int
    mbit: float             # the long flows' at the receiver
    counted: dict           # {machine: {counter: by how much it grew}}

    def at(self, part):
        """The time within which such a part of the requests was answered."""
        return self.requests[min(len(self.requests) - 1, int(part * len(self.requests)))] if self.requests else float("nan")


def requests(text):
    """(ms of each query, bytes that came) from flowgen's list of flows."""
    begun, ended, received = {}, {}, 0
    for flow in csv.DictReader(io.StringIO(text)):
        received += int(flow["bytes"] or 0)
        if flow["end"] == "done":
            start = int(flow["start_ns"])
            begun[flow["query"]] = min(start, begun.get(flow["query"], start))
            ended.setdefault(flow["query"], []).append(start + int(flow["fct_ns"]))
    whole = [query for query, ends in ended.items() if len(ends) == FANOUT]
    return sorted((max(ended[query]) - begun[query]) / 1e6 for query in whole), received


def numbers(found, into):
    """All numbers of JSON, by their names."""
    for name, value in found.items() if isinstance(found, dict) else enumerate(found):
        if isinstance(value, (dict, list)):
            numbers(value, into)
        elif isinstance(value, int):
            into[name] = value
    return into


def counters(console):
    """{machine: {counter: how much}}"""
    marker = [qdisc for qdisc in console.json("router", "tc -s -j qdisc show dev eth1") if qdisc["kind"] == "ecnsharp"]
    found = {"router": numbers(marker, {})}
    for name, command in (("sender", "stats"), ("receiver", "acker")):
        there = "onramp" in console.ask(name, "cut -d ' ' -f 1 /proc/modules").split()
        found[name] = numbers(console.json(name, f"onrampctl -j {command}"), {}) if there else {}
    return found


def carry(console, looks=()):
    """The load; what is to be looked at on the sender while it lasts is shown. Return what became of it."""
    before = counters(console)
    console.ask("sender", "flowgen --serve --summary /run/served >/run/flowgen 2>&1 &")
    console.ask("receiver", "iperf3 -s -1 -D >/dev/null; sleep 1")
    console.ask("sender", f"iperf3 -c {fleet.ADDRESS['receiver']} -P {FLOWS} -t {SECONDS} -f m >/run/iperf3 2>&1 &")
    ask = f"flowgen --to {fleet.ADDRESS['sender']}:5000 --flows /run/flows.csv --group '{GROUP}' 2>&1"
    console.hosts["receiver"].tell(ask)
    for look in looks:
        console.show("sender", look)
    console.answer("receiver", ask)
    console.ask("sender", "while pgrep -x iperf3 >/dev/null; do sleep 0.2; done; pkill -x flowgen; sleep 1")
    times, received = requests(console.ask("receiver", "cat /run/flows.csv"))
    mbit = {end: float(rate) for rate, end in SUM.findall(console.ask("sender", "cat /run/iperf3"))}
    after = counters(console)
    grown = {name: {key: value - before[name].get(key, 0) for key, value in found.items()} for name, found in after.items()}
    served = numbers(console.json("sender", "cat /run/served"), {})
    return Carried(times, FANOUT * ANSWER * REQUESTS, served["bytes"], received, mbit.get("receiver", 0.0), grown)
