# SPDX-License-Identifier: GPL-2.0
"""Long flows to one receiver, more of them for part of the time: the On-Ramp paper's Fig. 5 and 24.

A flow from each sender: `first` of them last the whole duration, the others from `join` to `leave`. The paper's Fig. 5 is
the default with all times ten times as long; Fig. 24 is senders=12. The receiver's port drops at its tail when it holds
`buffer` bytes. Every sender has the qdisc `host` at its root.

`owd` is the true one-way delay of a full frame from the first sender's card to the receiver: the idle path's `base_us`,
and the bytes that it finds in the port's queue. Nobody's clock is asked. `empty` is the share of the time in which that
queue is empty: what undershooting costs. `phases` are the times before, while and after the others send: goodput of each
flow, and Jain's index of the fairness among those that send. `series` has a point each `step`: the least, mean and
largest delay since the last one, and what each flow received; and one each `poll` of every number that the first
sender's qdisc prints of itself. `thresholds` are those of the senders' qdiscs, if they have any, in the senders' order: at the
first sample, `settle` after the sender's flow began, at the last one while all send, the least and largest of those, and the
largest rise from one to a later one.

With onramp, `holds` is what the senders' qdiscs together say of their holds, each as long as it lasted until it ended or another
took its place: `bounded` were cut to max_hold, `shortened` ended early, `new_flows` began a flow, `observed` mode observe
would have set; `packets` left later than all else asked for, by `packet_mean_us`. `owd_error` is by how much the delays that
senders went by were longer than the true ones, of one in 64 of them: the mean, and the sizes of the errors. clock_error and the
other keys of clocks say how wrong the hosts' clocks are, with clock=own. `or_acks` is what receivers told senders, see rct.
"""

import itertools
import json
import os

import clocks
import results
from network import EPOCH_NS, SHORT_DELAY_NS
from scenarios import common
from keys import Key, number, time
from switch import LINKS
from units import Refused, time_ns, wire_ns

SUMMARY = "one-way delay and rates of long flows that start and end, 2 or 12 senders to 1 receiver (On-Ramp Fig. 5, 24)"
ROWS = ("S3-3", "S3-5")
ALSO = (("overhead", "acker='every 1' host='onramp mode hold threshold 150us clock system error 1us'", "what OR-ACKs cost long flows (On-Ramp 4.1)"),)
FULL_FRAME = 1514
# Preamble, checksum and gap of a frame, bytes.
WIRE_EXTRA = 24
# One sample per line of the counters of a sender's qdisc.
POLLED = "sender-qdisc-"
KEYS = [
    common.AQM,
    *common.keys(without=("aqm", "buffer", "workload", "load", "conn"), cc="cubic", rtt="25us", duration="2s", rto_min="200ms",
                 shape=(Key("senders", "2", number(1, 250), "number of senders, 1 to 250"),)),
    common.BUFFER,
    common.HOST,
    common.ACKER,
    clocks.ERROR,
    Key("first", "1", number(1, 250), "flows that last the whole duration, at most one for each sender"),
    Key("join", "600ms", time("0ns", "1000s"), "when the others start"),
    Key("leave", "1600ms", time("1ms", "1000s"), "when they stop"),
    Key("settle", "50ms", time("0ns", "100s"), "how much of the beginning, and of each phase's, is not measured"),
    Key("step", "10ms", time("100us", "10s"), "from one point of the series to the next"),
    Key("poll", "100ms", time("10ms", "100s"), "time between two samples of the senders' qdiscs"),
]


class Setting(common.StarSetting):
    """A flow from each sender."""

    def __init__(self, p, seed):
        if p["first"] > p["senders"]:
            raise Refused("first: there is a flow for each sender, not more")
        if not p["settle"] < p["join"] < p["leave"] - p["settle"]:
            raise Refused("settle, join, leave: each phase must be longer than settle")
        if p["leave"] + p["settle"] >= p["duration"]:
            raise Refused("leave: the duration must go on for longer than settle")
        if p["step"] > p["duration"]:
            raise Refused("step: must not be longer than the duration")
        super().__init__({**common.tail_drop(p), "conn": "new"}, seed)
        self.series_ns = p["step"]

    def window(self):
        return self.p["settle"], self.p["duration"]

    def watches(self):
        yield from super().watches()
        for host, port in self.network.sending:
            yield f"spawn {host} poll {port} {self.p['poll'] / 10**9:g} /run/lab/result/{POLLED}{host}"

    def groups(self):
        for number_, sender in enumerate(self.star.senders, 1):
            start, end = self.sends(number_)
            yield f"group {_flow(number_)} kind=long {self.ends([sender], [self.star.receiver])} from={start}ns until={end}ns"

    def sends(self, number_):
        """When a sender's flow begins and ends."""
        p = self.p
        return (0, p["duration"]) if number_ <= p["first"] else (p["join"], p["leave"])

    def classes(self, flows):
        """All are endless."""
        return {}

    def base_ns(self):
        """One-way delay of a full frame from the first sender over the idle path."""
        return self.star.delays_ns[0] + SHORT_DELAY_NS + LINKS * wire_ns(FULL_FRAME, self.p["rate"])

    def delays(self, raw):
        """[(ns after the epoch, one-way delay of a full frame that comes to the port then), ...]"""
        base, rate_bps = self.base_ns(), self.p["rate"]
        trace = results.read_trace(os.path.join(raw, "bottleneck.trace"), EPOCH_NS)
        return [(at, base + (size + WIRE_EXTRA * pkts) * 8 * 10**9 // rate_bps) for at, pkts, size in trace]

    def more(self, raw, flows):
        p = self.p
        series = results.read_series(os.path.join(raw, "series.csv"))
        delays = self.delays(raw)
        bins = results.read_port(raw, "bottleneck").bins
        spans = (("before", p["settle"], p["join"]), ("during", p["join"] + p["settle"], p["leave"]),
                 ("after", p["leave"] + p["settle"], p["duration"]))
        polled = [self.polled(raw, host) for host, _ in self.network.sending]
        return {
            "owd": {"base_us": results.quotient(self.base_ns(), 1000), **summary(delays, *self.window()),
                    "empty": results.quotient(bins.get(0, 0), sum(bins.values()), 4)},
            "phases": {name: self.phase(series, delays, start, end, name == "during") for name, start, end in spans},
            **self.sent_again(raw),
            **drifts(polled, [self.sends(number_)[0] + p["settle"] for number_ in range(1, p["senders"] + 1)], p["leave"]),
            "sender_qdiscs": self.sender_qdiscs(raw),
            "series": {"owd": self.owd_series(delays), "rates": self.rate_series(series), "sender_qdisc": polled[0]},
        }

    def phase(self, series, delays, start, end, all_send):
        """What happened between two times."""
        sending = range(1, (self.p["senders"] if all_send else self.p["first"]) + 1)
        sizes = [results.received(series[_flow(number_)], start, end) for number_ in sending]
        return {
            "goodput_gbps": [results.quotient(8 * size, end - start) for size in sizes],
            "total_gbps": results.quotient(8 * sum(sizes), end - start),
            "fairness": results.quotient(sum(sizes)**2, len(sizes) * sum(size * size for size in sizes), 4),
            "owd": summary(delays, start, end),
        }

    def owd_series(self, delays):
        """A list of [ms, least, mean, largest in us] of each step."""
        points, place = [], 0
        start, end = self.window()
        for until in range(start + self.p["step"], end + 1, self.p["step"]):
            first = place
            while place < len(delays) and delays[place][0] < until:
                place += 1
            found = summary(delays[first:place + 1], until - self.p["step"], until)
            points.append([results.quotient(until, 10**6), found["min_us"], found["mean_us"], found["max_us"]])
        return points

    def polled(self, raw, host):
        """A list of [ms, numbers that a sender's qdisc prints of itself]."""
        found = []
        with open(os.path.join(raw, f"{POLLED}{host}"), encoding="ascii") as file:
            for line in file:
                boot_s, said = line.split(" ", 1)
                at = time_ns(f"{boot_s}s") - EPOCH_NS
                if 0 <= at < self.p["duration"]:
                    root = results.root(json.loads(said))
                    found.append([results.quotient(at, 10**6), results.numbers({**root.get("options", {}), **root})])
        return found

    def rate_series(self, series):
        """A list of [ms, Gbit/s] of each flow."""
        return {name: [[results.quotient(at, 10**6), results.quotient(8 * (size - before), at - since)]
                       for (since, before), (at, size) in zip(points, points[1:]) if at > since]
                for name, points in series.items()}


def _flow(number_):
    return f"flow{number_}"


def drifts(polled, starts, end):
    """How the senders' thresholds moved, each from a time of its own to a common one, if they have any."""
    seen = [[said["threshold_ns"] for at_ms, said in samples if start <= at_ms * 10**6 < end and said.get("threshold_ns")]
            for samples, start in zip(polled, starts)]
    if not any(seen):
        return {}
    return {"thresholds": [drift(marks) for marks in seen]}


def drift(marks):
    """Of one, in us; nothing of one that was never seen."""
    if not marks:
        return {}
    rise = max(mark - least for mark, least in zip(marks, itertools.accumulate(marks, min)))
    named = {"first": marks[0], "last": marks[-1], "min": min(marks), "max": max(marks), "rise": rise}
    return {f"{name}_us": results.quotient(ns, 1000) for name, ns in named.items()}


def summary(delays, start, end):
    """Least, mean, percentiles and largest of delays between two times, weighted by how long they were so."""
    later = [at for at, _ in delays[1:]] + [end]
    inside = sorted((delay, min(until, end) - max(at, start)) for (at, delay), until in zip(delays, later)
                    if at < end and until > start)
    total, seen, marks = sum(ns for _, ns in inside), 0, {}
    for delay, ns in inside:
        seen += ns
        for percent in (1, 50, 99):
            if seen * 100 >= total * percent:
                marks.setdefault(percent, delay)

    def micro(value):
        return None if value is None else results.quotient(value, 1000)

    return {
        "min_us": micro(inside[0][0] if inside else None),
        "mean_us": results.quotient(sum(delay * ns for delay, ns in inside), 1000 * total),
        **{f"p{percent}_us": micro(marks.get(percent)) for percent in (1, 50, 99)},
        "max_us": micro(inside[-1][0] if inside else None),
    }
