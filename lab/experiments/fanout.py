# SPDX-License-Identifier: GPL-2.0
"""One sender with flows to slow receivers, and one to an idle port that is innocent: the victim of head-of-line blocking.

                                  +--- r1 (1 Gbit/s)
        s1 (10 Gbit/s) --- bridge +--- ...              f1..fN: s1 to r1..rN, each as fast as it can
                                  +--- rN
                                  +--- idle (10 Gbit/s) victim: s1 to idle, `offer`

With cc=cbr all flows are UDP: those to slow receivers at the sender's link's rate, waiting where the host has no space. With
cc=dctcp all are TCP, and the victim's is paced at `offer`. `victim` is the rate that the victim got, as a share of what it offers,
in the time after `settle`; `others` the least and largest rate of the other flows, relative to a receiver's. With requests=on s1
also sends 2 KB over TCP to idle every 250 us in the mean; `requests` has the times of those that began after `settle`.

With bridges=2 all receivers are at a second bridge, behind a link of the sender's rate that this one pauses:

        s1 (10 Gbit/s) --- bridge --- bridge --- r1..rN, idle
"""

from lab.experiments.shared import lossless
from lab.host import results
from lab.host.keys import Key, choice, number, rate, time
from lab.host.units import Refused
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, Run
from lab.report.run_data import mean

SUMMARY = "8 flows of a host to slow receivers, and its innocent one to an idle port, through a lossless bridge"
ROWS = ()
KEYS = [
    *lossless.keys(),
    Key("cc", "cbr", choice("cbr", "dctcp"), "all flows: cbr (UDP), dctcp"),
    Key("receivers", "8", number(1, 100), "number of slow receivers, 1 to 100"),
    Key("slow", "1gbit", rate("10mbit", "100gbit"), "rate of their links"),
    Key("offer", "1900mbit", rate("10mbit", "100gbit"), "rate that the victim offers"),
    Key("bridges", "1", number(1, 2), "bridges: 1, or 2, with all receivers at the second"),
    lossless.on_off("requests", "on", "requests of 2 KB from the sender to the idle host"),
    Key("settle", "150ms", time("0ns", "100s"), "how much of the beginning is not measured"),
]

# Bytes of a request, and from one to the next.
REQUEST, PERIOD_NS = 2000, 250_000


class Setting(lossless.LanSetting):
    """The fan-out."""

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        self.slow = [f"r{index + 1}" for index in range(p["receivers"])]
        super().__init__(p, lossless.lan(p, seed, ("s1",), (*self.slow, "idle"), {host: p["slow"] for host in self.slow},
                                          p["bridges"] == 2))

    def windows(self):
        return [(self.p["settle"], self.p["duration"])]

    def groups(self):
        p = self.p
        for index, host in enumerate(self.slow, 1):
            yield self.long(f"f{index}", "s1", host, f"cc=cbr rate={p['rate']}" if p["cc"] == "cbr" else "cc=dctcp")
        # TCP's pacing counts payload.
        pace = p["offer"] if p["cc"] == "cbr" else p["offer"] * lossless.PAYLOAD // lossless.WIRE
        yield self.long("victim", "s1", "idle", f"cc={p['cc']} rate={pace}")
        if p["requests"] == "on":
            yield (f"group requests kind=query senders=s1 receivers=idle cc=dctcp conn=pool flows=1 pick=random lo={REQUEST} hi={REQUEST} "
                   f"spacing=poisson period={PERIOD_NS}ns until={p['duration']}ns")

    def results(self, raw, summary):
        found = super().results(raw, summary)
        got = {name: rates[0] for name, rates in found["rates_gbps"].items()}
        others = [got[f"f{index + 1}"] for index in range(self.p["receivers"])]
        share = [results.quotient(round(gbps * 10**9), bps, 4) for gbps, bps in
                 ((got["victim"], self.p["offer"]), (min(others), self.p["slow"]), (max(others), self.p["slow"]))]
        return {"victim": share[0], "others": share[1:], "paused": found["ports"]["s1"]["paused"], "requests": self.requests(raw), **found}

    def requests(self, raw):
        """Completion times of requests."""
        return results.summarise_flows([flow for flow in self.flows(raw) if flow.group == "requests" and flow.start_ns >= self.p["settle"]])


# The report's part: what the victim gets, whatever that is.

# Name -> (label, arguments).
SETTINGS = {
    "lossy": ("UDP, no PAUSE, tail drop", ("aqm=lossy", "pause=off")),
    "pause": ("UDP, PAUSE only", ("aqm=pause",)),
    **{f"cnm-{name}": (f"UDP, CNM, {label}", (f"aqm=cnm-{name}", f"host={lossless.RP}")) for name, label in (
        ("output", "congestion point at outputs"), ("standard", "the same with 802.1Qau's set point, 26 KB"),
        ("arrival", "at inputs, by arrival"), ("largest", "at inputs, largest"), ("random", "at inputs, random occupancy"))},
    "dctcp-lossy": ("DCTCP, ECN#, no PAUSE", ("cc=dctcp", "aqm=ecnsharp", "pause=off")),
    "dctcp-pause": ("DCTCP, PAUSE only", ("cc=dctcp", "aqm=pause")),
    "dctcp-pause-4k": ("DCTCP, PAUSE only, GSO of 4 KB", ("cc=dctcp", "aqm=pause", "gso_size=4096b")),
    **{f"ecn-{name}": (f"DCTCP, ECN, {label}", ("cc=dctcp", f"aqm=ecn-{name}")) for name, label in (
        ("output", "congestion point at outputs"), ("arrival", "at inputs, by arrival"), ("largest", "at inputs, largest"),
        ("random", "at inputs, random occupancy"))},
}
# Those in which frames may be lost.
LOSSY = ("lossy", "dctcp-lossy")
TWO_TEXT = ("The second bridge pauses the link between the bridges. While it is paused all frames for it wait at the first bridge, the victim's, too, and "
            "by occupancy the victim can be a culprit there. This was expected to do harm, and does not here: the second bridge's "
            "notifications keep the link from being paused, and the first sends few. One seed.")
# Where what one bridge pauses waits at another.
TWO = {
    **{f"two-{name}": (f"two bridges, {SETTINGS[name][0]}", (*SETTINGS[name][1], "bridges=2")) for name in ("pause", "cnm-random", "dctcp-pause", "ecn-random")},
}
COST_S = 15


def case(name):
    return f"fanout/{name}"


def _of(path, scale=1):
    def number(data, where):
        value = data.mean(where, path)
        return None if value is None else value * scale
    return number


def _other(place):
    return lambda data, where: mean([result.document["others"][place] for result in data.results(where)])


def _summed(name):
    """A counter of all ports of the bridge."""
    ports = ("s1", *(f"r{index}" for index in range(1, 9)), "idle")
    return lambda data, where: mean([sum(result.document["ports"][port][name] for port in ports) for result in data.results(where)])


def _rates(data):
    """The victim's rate over time, of the first seed."""
    shown = [name for name in ("pause", "cnm-output", "cnm-random", "ecn-random") if data.knows(case(name))]
    return plot.Lines(name="fanout", xlabel="ms", ylabel="victim, Gbit/s", series={
        SETTINGS[name][0]: [tuple(point) for point in data.results(case(name))[0].document["series"]["victim"]] for name in shown})


def experiment(seeds):
    """For the report."""
    every = tuple(Run(case(name), "fanout", arguments, seed, COST_S) for seed in seeds for name, (_, arguments) in SETTINGS.items())
    every += tuple(Run(case(name), "fanout", arguments, seeds[0], COST_S) for name, (_, arguments) in TWO.items())
    columns = (
        Column("victim, share of what it offers", _of("victim"), "{:.3f}".format),
        Column("slowest other flow, share of its receiver's rate", _other(0), "{:.3f}".format),
        Column("fastest", _other(1), "{:.3f}".format),
        Column("sender paused, %", _of("paused", 100), "{:.2f}".format),
        Column("2 KB requests, p50, us", _of("requests.p50_us"), "{:.0f}".format),
        Column("p99, us", _of("requests.p99_us"), "{:.0f}".format),
        Column("drops", _of("drops"), "{:.0f}".format),
        Column("CNMs", _of("ports.s1.cnm_tx"), "{:.0f}".format),
        Column("marks", _summed("marks"), "{:.0f}".format),
    )
    return Experiment("fanout", every, figures=(Figure(
        "fanout", "The rate of an innocent flow next to eight that are congested", "The first seed; the victim offers 1.9 "
        "Gbit/s to an idle port.",
        _rates, ("fanout",)),), grids=(Grid(
            "fanout", "One sender, eight flows to slow receivers, one to an idle port",
            "A host with 10 Gbit/s has eight flows to receivers with 1 Gbit/s each, and one flow of 1.9 Gbit/s to an idle "
            "port. The buffer of the sender's port has 150 KB, "
            "PAUSE begins at 110 KB and ends at 44 KB. From 150 to 300 ms; means of the seeds.", "signal",
            tuple((label, case(name)) for name, (label, _) in SETTINGS.items()), columns, ("fanout",)),
            Grid("fanout-two", "The same with the receivers at a second bridge", TWO_TEXT, "signal",
                 tuple((label, case(name)) for name, (label, _) in TWO.items()),
                 (*columns[:4], Column("link between the bridges paused, %", _of("ports.sw.paused", 100), "{:.2f}".format), *columns[4:6],
                  Column("CNMs of the first bridge", _of("ports.s1.cnm_tx"), "{:.0f}".format),
                  Column("of the second", _of("ports.sw.cnm_tx"), "{:.0f}".format)), ("fanout",))))
