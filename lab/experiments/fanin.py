# SPDX-License-Identifier: GPL-2.0
"""Four flows to one receiver, for a time five, and one next to them that is innocent: the QCN paper's Fig. 2 and 3.

        s1 ---+                        f1..f4: s1..s4 to r1; f5: s5 to r1 from `join` to `leave`
        ...   +--- bridge --- r1       victim=on: f6: s1 to r2 at 7 of 10 Gbit/s, and f1 at 3
        s5 ---+       +------ r2

Flows are UDP at the link's rate; with full=wait they wait where their host has no space, with full=drop they drop.
`rates_gbps` are those of each flow in the second halves of the times before, while and after f5 sends.
"""

from lab.experiments.shared import lossless
from lab.host.keys import Key, choice, time
from lab.host.units import Refused
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, Run
from lab.report.run_data import mean

SUMMARY = "4 or 5 flows to one receiver through a lossless bridge, and an innocent one (QCN Fig. 2, 3)"
ROWS = ("S4-1", "S4-2", "S4-3", "S4-4", "S4-5", "S4-6")
KEYS = [
    *lossless.keys(),
    lossless.on_off("victim", "off", "the innocent flow f6"),
    Key("full", "wait", choice("wait", "drop"), "flows at a host without room: wait, drop"),
    Key("join", "100ms", time("2ms", "1000s"), "when f5 starts"),
    Key("leave", "200ms", time("2ms", "1000s"), "when it stops"),
]
SENDERS = ("s1", "s2", "s3", "s4", "s5")


class Setting(lossless.LanSetting):
    """The fan-in."""

    def __init__(self, p, seed):
        if not p["join"] < p["leave"] < p["duration"]:
            raise Refused("join, leave: f5 must start before it stops, and stop before the end")
        super().__init__(p, lossless.lan(p, seed, SENDERS, ("r1", "r2")))

    def windows(self):
        p = self.p
        return [((start + end) // 2, end) for start, end in ((0, p["join"]), (p["join"], p["leave"]), (p["leave"], p["duration"]))]

    def groups(self):
        p = self.p
        times = {"f5": (p["join"], p["leave"])}
        for number, sender in enumerate(SENDERS, 1):
            name = f"f{number}"
            rate = p["rate"] * 3 // 10 if name == "f1" and p["victim"] == "on" else p["rate"]
            yield self.long(name, sender, "r1", f"cc=cbr rate={rate} full={p['full']}", *times.get(name, ()))
        if p["victim"] == "on":
            yield self.long("f6", "s1", "r2", f"cc=cbr rate={p['rate'] * 7 // 10} full={p['full']}")


# The report's part: rows S4-1 to S4-6, each with the control that must fail it.

# Name -> (label, arguments).
SETTINGS = {
    "output": ("CNM, congestion point at outputs, fifo", ("aqm=cnm-output", f"host={lossless.RP}")),
    "input-rr": ("CNM, at inputs, by arrival, round robin", ("aqm=cnm-arrival service rr", f"host={lossless.RP}")),
    "input-fifo": ("CNM, at inputs, by arrival, fifo", ("aqm=cnm-arrival", f"host={lossless.RP}")),
    "pause": ("PAUSE only", ("aqm=pause",)),
    "lossy": ("neither PAUSE nor CNM", ("aqm=lossy", "pause=off")),
}
WITH_VICTIM = {
    **{name: (f"CNM, at inputs, {label}", ("victim=on", f"aqm=cnm-{name}", f"host={lossless.RP}")) for name, label in (
        ("arrival", "by arrival"), ("largest", "largest"), ("random", "random occupancy"))},
    "drop": ("PAUSE only, hosts with one FIFO that drops", ("victim=on", "aqm=pause", "full=drop", "host=pfifo limit 100")),
    "fair": ("PAUSE only, hosts with a queue for each flow", ("victim=on", "aqm=pause")),
}
COST_S = 25
FLOWS = ("f1", "f2", "f3", "f4")


def case(name):
    return f"fanin/{name}"


def victim_case(name):
    return f"fanin/victim/{name}"


def rates(document, window, flows=FLOWS):
    """Gbit/s of flows in one of the windows: before, while and after f5 sends."""
    return [document["rates_gbps"][flow][window] for flow in flows]


def spread(document):
    """The fastest of the four flows over the slowest, before f5 comes."""
    found = rates(document, 0)
    return max(found) / min(found) if min(found) else float("inf")


def off(document):
    """By how much a flow is off its fair share at most, in percent: of 10 Gbit/s, in each window."""
    worst = 0
    for window, flows in enumerate((FLOWS, (*FLOWS, "f5"), FLOWS)):
        worst = max(worst, *(abs(len(flows) * rate / 10 - 1) for rate in rates(document, window, flows)))
    return 100 * worst


def paused(document):
    """Share of the time in which the four senders were paused, the most of them, in percent."""
    return 100 * max(document["ports"][f"s{index}"]["paused"] for index in range(1, 5))


def between(document):
    """CNMs by the input that they left by, of the four senders: most over fewest."""
    found = [document["ports"][f"s{index}"]["cnm_tx"] for index in range(1, 5)]
    return max(found) / min(found) if min(found) else float("inf")


def _mean(read):
    return lambda data, where: mean([read(result.document) for result in data.results(where)])


def _rate(flow, window):
    return _mean(lambda document: document["rates_gbps"][flow][window])


def _over_time(name, flows):
    def drawn(data):
        series = data.results(name)[0].document["series"]
        return plot.Lines(name=name.replace("/", "-"), xlabel="ms", ylabel="Gbit/s", series={flow: [tuple(point) for point in series[flow]] for flow in flows})
    return drawn


def experiment(seeds):
    """For the report."""
    every = tuple(Run(case(name), "fanin", arguments, seed, COST_S) for seed in seeds for name, (_, arguments) in SETTINGS.items())
    every += tuple(Run(victim_case(name), "fanin", arguments, seed, COST_S) for seed in seeds for name, (_, arguments) in WITH_VICTIM.items())
    common = (Column("paused, %", _mean(paused), "{:.1f}".format), Column("drops", _mean(lambda document: document["drops"]), "{:.0f}".format),
              Column("CNMs", _mean(lambda document: sum(document["ports"][name]["cnm_tx"] for name in SENDERS)), "{:.0f}".format))
    titles = (("output", "Four flows, then five, then four: congestion point at the output", (*FLOWS, "f5")),
              ("input-fifo", "The same, congestion points at the inputs", (*FLOWS, "f5")))
    figures = [Figure(f"fanin-{name}", title, "The paper's Fig. 2. The first seed.", _over_time(case(name), flows), (case(name),)) for name, title, flows in titles]
    figures += [Figure(f"fanin-victim-{name}", f"f6 to an idle port, f1 from the same host: culprits {label}", "The paper's Fig. 3. The first seed.",
                       _over_time(victim_case(name), ("f1", "f2", "f6")), (victim_case(name),))
                for name, label in (("arrival", "by arrival"), ("random", "by random occupancy"))]
    return Experiment("fanin", every, figures=tuple(figures), grids=(
        Grid("fanin", "Fan-in: f1 to f4, and f5 from 100 to 200 ms", "UDP flows at the link's rate to one receiver. Off: the largest deviation from the fair share, in all windows.",
             "congestion point", tuple((label, case(name)) for name, (label, _) in SETTINGS.items()),
             (Column("fastest of f1 to f4 over slowest, 50 to 100 ms", _mean(spread), "{:.2f}".format), Column("off, %", _mean(off), "{:.1f}".format),
              Column("f5, 150 to 200 ms", _rate("f5", 1), "{:.2f}".format), *common), ("fanin",)),
        Grid("fanin-victim", "The same with f6, 7 Gbit/s from f1's host to an idle port", "f1 offers 3 Gbit/s. Gbit/s, from 250 to 300 ms.", "culprit",
             tuple((label, victim_case(name)) for name, (label, _) in WITH_VICTIM.items()),
             (Column("f1", _rate("f1", 2), "{:.2f}".format), Column("f2", _rate("f2", 2), "{:.2f}".format), Column("f6", _rate("f6", 2), "{:.2f}".format), *common),
             ("fanin/victim",))))
