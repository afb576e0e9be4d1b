# SPDX-License-Identifier: GPL-2.0
"""Many flows to one receiver whose port advertises a rate: FECN's tables, and what becomes of flows that ignore it.

        s1 ----+                       f1..fN: s1..sN to r, `offer` each, from the start
        ...    +--- bridge --- r       late: one more, from `join`
        sN ----+                       rude: `rude` of 10 Gbit/s from `join` to `leave`, which ignores rates

Flows of one rate that start together send their packets together, and the queue is as long as there are flows at these instants: the
key `spread`. With cc=cbr flows are UDP and wait where their host has no space; with cc=dctcp they are endless. `windows` has for each of three
times the sum of rates as a share of the receiver's link, Jain's index of f1..fN, and by how much the rate of any of them is off its
fair share at most, in any step. The times are before `join`, up to `leave` and after it, each without its first `settle`.
`converged_ms` is after what time from `join` on the late flow stays within 10 % of its fair share.
"""

import random

from lab.experiments.shared import lossless
from lab.host import results
from lab.host.keys import Key, choice, fraction, number, rate, time
from lab.host.units import Refused

SUMMARY = "flows to one port that advertises a rate, and some that ignore it (FECN's tables)"
ROWS = ()
KEYS = [
    *lossless.keys(aqm="fecn", host=lossless.RP_FECN, duration="500ms", pause="off"),
    Key("cc", "cbr", choice("cbr", "dctcp"), "all flows: cbr (UDP), dctcp"),
    Key("flows", "100", number(1, 1000), "number of flows, each of a host of its own"),
    Key("offer", "200mbit", rate("1mbit", "100gbit"), "rate that each offers, with cc=cbr"),
    Key("pattern", "cbr", choice("cbr", "bernoulli", "onoff"), "how UDP flows offer it: cbr, bernoulli, onoff (bursts of 10 ms, Pareto with shape 1.5)"),
    Key("spread", "1ms", time("0ns", "1s"), "time in which the flows start, at random; with 0ns they send their packets all at once"),
    Key("late", "off", choice("on", "off"), "one more flow, from `join` on: on, off"),
    Key("rude", "0", fraction(0, 1), "part of the receiver's link that a flow takes from `join` to `leave` that ignores rates"),
    Key("join", "200ms", time("2ms", "1000s"), "when the late and the rude flow start"),
    Key("leave", "350ms", time("2ms", "1000s"), "when the rude one stops"),
    Key("settle", "100ms", time("1ms", "1000s"), "how much of the beginning of each time is not measured"),
]
# An RD frame on the wire.
RD_WIRE = 84


def jain(rates):
    """Jain's index of fairness."""
    squares = sum(rate * rate for rate in rates)
    return results.quotient(round(10**9 * sum(rates) ** 2), round(10**9 * len(rates) * squares), 5) if squares else None


class Setting(lossless.LanSetting):
    """The flows."""

    def __init__(self, p, seed):
        if not p["join"] < p["leave"] < p["duration"]:
            raise Refused("join, leave: the rude flow must start before it stops, and stop before the end")
        self.own = [f"s{index + 1}" for index in range(p["flows"])]
        self.others = [host for host, used in (("late", p["late"] == "on"), ("rude", p["rude"])) if used]
        super().__init__(p, lossless.lan(p, seed, (*self.own, *self.others), ("r",)))
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
        chance = random.Random(self.network.seed)
        for host in self.own:
            yield self.long(host, host, "r", more, chance.randrange(p["spread"] + 1))
        if "late" in self.others:
            yield self.long("late", "late", "r", more, p["join"])
        if "rude" in self.others:
            yield self.long("rude", "rude", "r", f"cc=cbr rate={p['rate'] * p['rude'] // 1000}", p["join"], p["leave"])

    def fair(self, at):
        """The fair share of a flow at a time, Gbit/s."""
        p = self.p
        rude = p["rate"] * p["rude"] // 1000 if p["join"] < at <= p["leave"] else 0
        count = p["flows"] + ("late" in self.others and at > p["join"])
        share = (p["rate"] - rude) / count
        return min(share, p["offer"] if p["cc"] == "cbr" else share) / 10**9

    def window_of(self, found, place):
        """Of one of the windows."""
        start, end = self.windows()[place]
        rates = {name: of[place] for name, of in found["rates_gbps"].items()}
        own = [rates[host] for host in self.own]
        steps = [gbps / self.fair(at * 10**6) - 1 for host in self.own for at, gbps in found["series"][host] if start < at * 10**6 - self.p["step"] and at * 10**6 <= end]
        return {
            "used": results.quotient(round(10**9 * sum(rates.values())), self.p["rate"], 5),
            "jain": jain(own),
            "off": max(map(abs, steps)) if steps else None,
            "rude": rates.get("rude"),
        }

    def converged(self, found):
        """ms from `join` on."""
        points = [(at - self.p["join"] / 10**6, gbps / self.fair(at * 10**6)) for at, gbps in found["series"].get("late", []) if at * 10**6 > self.p["join"]]
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
