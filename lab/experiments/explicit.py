# SPDX-License-Identifier: GPL-2.0
"""Many flows to one receiver whose port advertises a rate: FECN's tables, and what becomes of flows that ignore it.

        s1 ----+                       f1..fN: s1..sN to r, `offer` each, from the start
        ...    +--- bridge --- r       late: one more, from `join`
        sN ----+                       rude: `rude` of 10 Gbit/s from `join` to `leave`, which ignores rates

With `slow` receivers are at a second bridge, and every second flow goes to one with a link of that rate. Fair is then what max-min fairness gives:

        s1..sN --- bridge --- bridge --- r, r2 (`slow`)

Flows of one rate that start together send their packets together, and the queue is as long as there are flows at these instants: the
key `spread`. With cc=cbr flows are UDP and wait where their host has no space; with cc=dctcp they are endless. `windows` has for each of three
times the sum of rates as a share of the receiver's link, Jain's index of the flows' parts of their fair shares, and by how much the rate of any of them is off its
fair share at most, in any step. The times are before `join`, up to `leave` and after it, each without its first `settle`.
`converged_ms` is after what time from `join` on the late flow stays within 10 % of its fair share.
"""

import random

from lab.experiments.shared import lossless
from lab.experiments.shared.senders import AMPLE, TIGHT_US, onramp
from lab.host import results
from lab.host.keys import Key, choice, fraction, number, rate, time
from lab.host.units import Refused
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, Run
from lab.report.run_data import mean

SUMMARY = "flows to one port that advertises a rate, and some that ignore it (FECN's tables)"
ROWS = ("S2-1", "S2-2", "S2-3", "S2-4")
KEYS = [
    *lossless.keys(aqm="fecn", host=lossless.RP_FECN, duration="500ms", pause="off"),
    Key("cc", "cbr", choice("cbr", "dctcp"), "all flows: cbr (UDP), dctcp"),
    Key("flows", "100", number(1, 1000), "number of flows, each of a host of its own"),
    Key("offer", "200mbit", rate("1mbit", "100gbit"), "rate that each offers, with cc=cbr"),
    Key("pattern", "cbr", choice("cbr", "bernoulli", "onoff"), "how UDP flows offer it: cbr, bernoulli, onoff (bursts of 10 ms, Pareto with shape 1.5)"),
    Key("line", "0bit", lambda text: 0 if text == "0bit" else rate("1mbit", "100gbit")(text),
        "rate at which bernoulli and onoff send: twice `offer` makes onoff's bursts and pauses equally long, as in ns-2; 0bit: that of the links, "
        "where a pause of onoff is 10 ms for each `offer` that the links have more"),
    Key("spread", "1ms", time("0ns", "1s"), "time in which the flows start, at random; with 0ns they send their packets all at once"),
    Key("slow", "0bit", lambda text: 0 if text == "0bit" else rate("10mbit", "100gbit")(text), "rate of the link of a second receiver behind a second bridge; 0bit: there is none"),
    Key("late", "off", choice("on", "off"), "one more flow, from `join` on: on, off"),
    Key("rude", "0", fraction(0, 1), "part of the receiver's link that a flow takes from `join` to `leave` that ignores rates"),
    Key("join", "200ms", time("2ms", "1000s"), "when the late and the rude flow start"),
    Key("leave", "350ms", time("2ms", "1000s"), "when the rude one stops"),
    Key("settle", "100ms", time("1ms", "1000s"), "how much of the beginning of each time is not measured"),
]
# Of flowgen: a flow sends at most so many times as fast as it offers.
SPAN = 1000
# An RD frame on the wire.
RD_WIRE = 84


def jain(rates):
    """Jain's index of fairness."""
    squares = sum(rate * rate for rate in rates)
    return results.quotient(round(10**9 * sum(rates) ** 2), round(10**9 * len(rates) * squares), 5) if squares else None


class Setting(lossless.LanSetting):
    """The flows."""

    def __init__(self, p, seed):
        if p["slow"] and p["flows"] < 2:
            raise Refused("slow: needs at least 2 flows, one for each receiver")
        if not p["join"] < p["leave"] < p["duration"]:
            raise Refused("join, leave: the rude flow must start before it stops, and stop before the end")
        self.own = [f"s{index + 1}" for index in range(p["flows"])]
        self.others = [host for host, used in (("late", p["late"] == "on"), ("rude", p["rude"])) if used]
        receivers, rates = (("r", "r2"), {"r2": p["slow"]}) if p["slow"] else (("r",), None)
        if p["line"] and (p["cc"] != "cbr" or p["pattern"] == "cbr"):
            raise Refused("line: only with pattern=bernoulli or pattern=onoff")
        if p["line"] and not p["offer"] <= p["line"] <= min(p["rate"], SPAN * p["offer"]):
            raise Refused(f"line: must be from offer to rate, and at most {SPAN} times offer")
        super().__init__(p, lossless.lan(p, seed, (*self.own, *self.others), receivers, rates, bool(p["slow"])))
        if any(end - start <= p["settle"] for start, end in self.times()):
            raise Refused("settle: must be shorter than the times before `join`, from there to `leave`, and after it")

    def host_qdisc(self, host):
        return lossless.FQ.split() if host == "rude" else super().host_qdisc(host)

    def times(self):
        p = self.p
        return [(0, p["join"]), (p["join"], p["leave"]), (p["leave"], p["duration"])]

    def windows(self):
        return [(start + self.p["settle"], end) for start, end in self.times()]

    def groups(self):
        p = self.p
        more = "cc=dctcp" if p["cc"] == "dctcp" else f"cc=cbr rate={p['offer']} pattern={p['pattern']}"
        # `rate` is the mean; each frame or burst is sent at the rate `line`.
        more += "" if p["cc"] == "dctcp" or p["pattern"] == "cbr" else f" line={p['line'] or p['rate']}"
        chance = random.Random(self.network.seed)
        for host in self.own:
            yield self.long(host, host, self.receiver(host), more, chance.randrange(p["spread"] + 1))
        if "late" in self.others:
            yield self.long("late", "late", "r", more, p["join"])
        if "rude" in self.others:
            yield self.long("rude", "rude", "r", f"cc=cbr rate={p['rate'] * p['rude'] // 1000}", p["join"], p["leave"])

    def receiver(self, host):
        """Where a host's flow goes."""
        return "r2" if self.p["slow"] and self.own.index(host) % 2 else "r"

    def fair(self, host, at):
        """The fair share of a host's flow at a time, Gbit/s: what its own bottleneck leaves, once those that get less elsewhere have theirs."""
        p = self.p
        rude = p["rate"] * p["rude"] // 1000 if p["join"] < at <= p["leave"] else 0
        count = p["flows"] + ("late" in self.others and at > p["join"])
        equal, slow = (p["rate"] - rude) / count, p["flows"] // 2
        if p["slow"] and p["slow"] / slow < equal:
            equal = p["slow"] / slow if host in self.own and self.receiver(host) == "r2" else (p["rate"] - rude - p["slow"]) / (count - slow)
        return min(equal, p["offer"] if p["cc"] == "cbr" else equal) / 10**9

    def window_of(self, found, place):
        """Use of the link and fairness in one of the windows."""
        start, end = self.windows()[place]
        rates = {name: of[place] for name, of in found["rates_gbps"].items()}
        shares = [rates[host] / self.fair(host, end) for host in self.own]
        steps = [gbps / self.fair(host, at * 10**6) - 1 for host in self.own for at, gbps in found["series"][host] if start < at * 10**6 - self.p["step"] and at * 10**6 <= end]
        return {
            "used": results.quotient(round(10**9 * sum(rates.values())), self.p["rate"], 5),
            "jain": jain(shares),
            "off": max(map(abs, steps)) if steps else None,
            "rude": rates.get("rude"),
        }

    def converged(self, found):
        """ms from `join` on."""
        points = [(at - self.p["join"] / 10**6, gbps / self.fair("late", at * 10**6)) for at, gbps in found["series"].get("late", []) if at * 10**6 > self.p["join"]]
        last = max((at for at, share in points if not 0.9 <= share <= 1.1), default=0)
        return last if points and last < points[-1][0] else None

    def results(self, raw, summary):
        found = super().results(raw, summary)
        onramps = self.sum_qdiscs(raw, [(host, port) for host, port in self.qdisc_ports() if "onramp" in self.host_qdisc(host)])
        sent = {name: onramps.get(name, 0) for name in ("rds", "rds_answered", "rds_late", "rds_bad", "rds_unanswered", "rds_reflected", "rds_limited", "rds_hot", "tx_bytes")}
        delivered = sum(of[place] * (end - start) for of in found["rates_gbps"].values() for place, (start, end) in enumerate(self.windows())) / 8
        share = sum(end - start for start, end in self.windows()) / self.p["duration"]
        ports = found.pop("ports")
        senders = found.pop("senders")
        return {
            "windows": [self.window_of(found, place) for place in range(3)],
            "converged_ms": self.converged(found) if "late" in self.others else None,
            "rds": sent,
            "rd_share": round(RD_WIRE * sent["rds"] * share / delivered, 5) if delivered else None,
            "port": ports["r"],
            "paused": max(ports[host]["paused"] for host in self.own),
            "held": max(of["held"] for of in senders.values()),
            "sender_drops": sum(of["drops"] for of in senders.values()),
            **found,
        }


# The report's part: FECN's tables, faults, and how soon a late flow has its share.

TIMES = ("duration=300ms", "join=120ms", "leave=210ms", "settle=60ms")
LOSSY = ("aqm=lossy", f"host={lossless.FQ}")
# Qon and Qoff of the paper, 90 and 80 packets of 1500 bytes, its buffer of 100, and one with headroom for two frames of each of 100 ports.
PAUSING = "fecn weight 1 pause output xoff 135000b xon 120000b limit"
TIGHT, HEADROOM = (f"{PAUSING} {limit}b" for limit in (150_000, 150_000 + 100 * 2 * lossless.WIRE))
# Offered in another way than evenly; bursts and pauses of onoff are equally long, as in ns-2.
PATTERNS = {"bernoulli": ("pattern=bernoulli",), "onoff": ("pattern=onoff", "line=400mbit")}
# Name -> (label, arguments).
TABLES = {
    **{f"gamma-{gamma}": (f"gamma {gamma}", TIMES + (f"aqm=fecn gamma {gamma}",)) for gamma in ("0.98", "0.99", "1")},
    "lossy": ("no law, tail drop", TIMES + LOSSY),
    **{f"{pattern}-{stages}-{weight}": (f"{pattern}, {'hyperbola' if not stages else f'{stages} stages'}, weight {weight}",
                                        TIMES + PATTERNS[pattern] + (f"aqm=fecn stages {stages} weight {weight}",))
       for pattern, weights in (("bernoulli", ("0.5", "1")), ("onoff", ("0.5",))) for weight in weights for stages in (0, 2, 3)},
    "cbr-0-1": ("cbr, hyperbola, weight 1", TIMES + ("aqm=fecn weight 1",)),
    "tight": ("PAUSE at 90 packets of a buffer of 100, weight 1", TIMES + ("pause=on", f"aqm={TIGHT}")),
    "headroom": ("PAUSE at 90 packets, headroom, weight 1", TIMES + ("pause=on", f"aqm={HEADROOM}")),
    "no-pause": ("the same buffer, hosts ignore PAUSE", TIMES + (f"aqm={HEADROOM}",)),
    "two": ("every second flow to a link of 2 Gbit/s at a second bridge", TIMES + ("slow=2gbit",)),
    "step": ("a flow of half the link ignores rates", TIMES + ("rude=0.5",)),
    "unanswered": ("receiver answers 2000 RD frames a second", TIMES + (f"host={lossless.RP_FECN} rd_reflect 2000",)),
}
# Settings that are run with every seed.
REPEATED = ("gamma-0.98", "gamma-0.99", "gamma-1", "lossy")
# The fair share of five flows on a link of 10 Gbit/s, in Gbit/s, and the time at which the last of them starts, in ms.
SHARE_GBPS, JOIN_MS = 2, 200
# A fifth endless flow with four others of TCP: all systems that share a link.
JOINING = ("flows=4", "cc=dctcp", "late=on", "duration=500ms", f"join={JOIN_MS}ms", "leave=450ms", "settle=20ms")
LATE = {
    "fecn": ("FECN", ("aqm=fecn", f"host={lossless.RP_FECN.partition(' rd_initial')[0]}")),
    "qcn": ("QCN, congestion point at outputs", ("pause=on", "aqm=cnm-output", f"host={lossless.RP}")),
    "qcn-input": ("QCN, at inputs, random occupancy", ("pause=on", "aqm=cnm-random", f"host={lossless.RP}")),
    "dctcp": ("DCTCP, one threshold", ("aqm=ecnsharp limit 660 ins_target 78us persistent off", f"host=fq {AMPLE}")),
    "ecnsharp": ("DCTCP, ECN#", ("aqm=ecnsharp limit 660 ins_target 78us pst_interval 80us pst_target 40us", f"host=fq {AMPLE}")),
    "onramp": ("On-Ramp, DCTCP without marks", ("aqm=pfifo limit 660", f"host={onramp(TIGHT_US)}")),
}
COST_S = 20


def case(name):
    return f"explicit/{name}"


def late_case(name):
    return f"late/{name}"


def _of(place, name, scale=1):
    """A number of a window."""
    def number_(data, where):
        return mean([result.document["windows"][place][name] * scale for result in data.results(where)]) if data.knows(where) else None
    return number_


def _whole(path, scale=1):
    def number_(data, where):
        value = data.mean(where, path) if data.knows(where) else None
        return None if value is None else value * scale
    return number_


def _lost(data, where):
    """Percent of the frames that came to the port."""
    return mean([100 * result.document["drops"] / (result.document["drops"] + result.document["conservation"]["delivered"]["packets"])
                 for result in data.results(where)]) if data.knows(where) else None


def _queue_kb(data, where):
    """Longest queue of the port; only cp counts it."""
    return _whole("port.q_max_bytes", 1e-3)(data, where) or None


def _reached(data, where):
    """ms from its start until the late flow first has 90 % of its fair share."""
    times = [next((at - JOIN_MS for at, gbps in result.document["series"]["late"] if at > JOIN_MS and gbps >= 0.9 * SHARE_GBPS), None)
             for result in (data.results(where) if data.knows(where) else ())]
    return mean(times) if times and None not in times else None


def _late(data):
    """The late flow's rate over time, of the first seed."""
    shown = [name for name in LATE if data.knows(late_case(name))]
    return plot.Lines(name="late", xlabel="ms", ylabel="the late flow, Gbit/s", line=SHARE_GBPS, line_label="fair share", series={
        LATE[name][0]: [tuple(point) for point in data.results(late_case(name))[0].document["series"]["late"] if point[0] > 190] for name in shown})


def experiment(seeds):
    """Rates that ports advertise."""
    every = tuple(Run(case(name), "explicit", arguments, seed, COST_S) for name, (_, arguments) in TABLES.items()
                  for seed in (seeds if name in REPEATED else seeds[:1]))
    return Experiment("explicit", every, grids=(Grid(
        "explicit", "100 flows that offer 200 Mbit/s each, to one port of 10 Gbit/s",
        "Used is the share of the link in 60 to 120, 180 to 210 and 270 to 300 ms; in the second of them a flow of half the link ignores rates, where the line says so. "
        "Off is the largest deviation of any flow from its fair share in any 5 ms of the last. The first four lines are means of the seeds, the others have one seed.", "setting",
        tuple((label, case(name)) for name, (label, _) in TABLES.items()), (
            *(Column(f"used, {title}", _of(place, "used"), "{:.3f}".format) for place, title in enumerate(("1st", "2nd", "3rd"))),
            Column("off, %", _of(2, "off", 100), "{:.1f}".format), Column("Jain's index", _of(2, "jain"), "{:.4f}".format),
            Column("longest queue, KB", _whole("port.q_max_bytes", 1e-3), "{:.0f}".format), Column("lost, %", _lost, "{:.2f}".format),
            Column("RD frames, % of bytes", _whole("rd_share", 100), "{:.2f}".format)), ("explicit",)),))


def late(seeds):
    """How soon a flow that joins has its share."""
    every = tuple(Run(late_case(name), "explicit", (*JOINING, *arguments), seed, COST_S) for seed in seeds for name, (_, arguments) in LATE.items())
    return Experiment("late", every, figures=(Figure(
        "late", "Rate of a flow that joins four others", "The first seed; all flows are endless and TCP.", _late, ("late",)),), grids=(Grid(
            "late", "A fifth flow joins four endless ones", "The first column is the time from its start until the late flow first has 90 % of its fair share; with QCN and On-Ramp it starts at the link's rate. "
            "Converged is after what time from its start the late flow stays within 10 % of its fair share, "
            "in steps of 5 ms, if it does within 0.3 s. One seed.", "system",
            tuple((label, late_case(name)) for name, (label, _) in LATE.items()), (
                Column("90 % of its share, after ms", _reached, "{:.0f}".format),
                Column("converged, ms", _whole("converged_ms"), "{:.0f}".format), Column("used, before", _of(0, "used"), "{:.3f}".format),
                Column("after", _of(1, "used"), "{:.3f}".format), Column("Jain's index of the four, after", _of(1, "jain"), "{:.4f}".format),
                Column("longest queue of cp, KB", _queue_kb, "{:.0f}".format),
                Column("drops", _whole("drops"), "{:.0f}".format)), ("late",)),))
