# SPDX-License-Identifier: GPL-2.0
"""Traffic that changes in phases, at a port whose ECN thresholds acc-tuner chooses or not: ACC's Fig. 6 and 16.

traffic=flows: `few` and `many` long flows take turns, a phase each, `few` first. No static threshold suits both: one that keeps the queue short with few
flows makes many of them wait for each other's turn, and one that suits many lets few fill it. traffic=workloads: Poisson arrivals of
`workload` and of `other` take turns at one `load`. Keys of the tuner and names of thresholds are those of the scenario tune.

`phases` of the result has for each its mean queue, goodput, completion times of flows that began in it, and `settled_ms`: from its begin
until no bin of 10 ms has a mean queue above one and a half times that of the phase's last half any more. `bins` has mean completion
times of flows that began in each half second.
"""

import os

from lab.experiments import tune
from lab.experiments.shared.settings import READING, workload
from lab.host import results
from lab.host.keys import Key, choice, number
from lab.host.network import EPOCH_NS
from lab.host.units import Refused, show_time
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, Row, Run
from lab.report.paper_value import PaperValue
from lab.report.run_data import mean

SUMMARY = "traffic that changes in phases, thresholds that acc-tuner chooses (ACC Fig. 6, 16)"
ROWS = ("S1-3", "S1-16")
WITHOUT = ("long", "depth", "lo", "hi")
DEFAULTS = {"duration": "1200ms"}
KEYS = [
    *(Key(key.name, DEFAULTS.get(key.name, key.default), key.read, key.help) for key in tune.KEYS if key.name not in WITHOUT),
    Key("traffic", "flows", choice("flows", "workloads"), "what takes turns: flows (few and many), workloads"),
    Key("other", "datamining", workload, f"what takes turns with workload: {READING}"),
    Key("few", "2", number(1, 1024), "long flows of the first phase, the third ..."),
    Key("many", "32", number(1, 1024), "long flows of the second phase, the fourth ..."),
    Key("phases", "4", number(2, 100), "number of phases, which last equally long"),
]
BIN_NS = 10_000_000
FCT_NS = 500_000_000


class Setting(tune.TunedSetting):
    """Groups that follow one another."""

    series_ns = BIN_NS

    def __init__(self, p, seed):
        if p["few"] > p["many"]:
            raise Refused("few: must not be above many")
        self.phase_ns = p["duration"] // p["phases"]
        if self.phase_ns < 2 * BIN_NS:
            raise Refused(f"phases: each must last {show_time(2 * BIN_NS)}, here it is {show_time(self.phase_ns)}")
        super().__init__(p, seed)

    def files(self):
        return {**super().files(), "other.cdf": self.p["other"].source}

    def groups(self):
        p = self.p
        for place in range(p["phases"]):
            begin, end = place * self.phase_ns, (place + 1) * self.phase_ns
            head, times = f"group phase{place + 1} {self.common()}{self.own()}", f"from={begin}ns until={end}ns"
            if p["traffic"] == "flows":
                yield f"{head} kind=long flows={p['many' if place % 2 else 'few']} {times}"
            else:
                yield (f"{head} kind=poisson conn={p['conn']} cdf={'other' if place % 2 else 'workload'}.cdf rate={p['rate']} "
                       f"load={p['load'] / 1000:.3f} {times}")

    def more(self, raw, flows):
        trace = results.read_trace(os.path.join(raw, "bottleneck.trace"), EPOCH_NS)
        bins = list(mean_queue(trace, self.p["duration"]))
        series = results.read_series(os.path.join(raw, "series.csv"))
        return {
            **super().more(raw, flows),
            "phases": [self.phase(bins, series, flows, place) for place in range(self.p["phases"])],
            "bins": [results.summarise_flows([flow for flow in flows if flow.size and begin <= flow.start_ns < begin + FCT_NS])["mean_us"]
                     for begin in range(0, self.p["duration"], FCT_NS)],
        }

    def phase(self, bins, series, flows, place):
        """Results of one phase."""
        begin, end = place * self.phase_ns, (place + 1) * self.phase_ns
        mine = bins[begin // BIN_NS:end // BIN_NS]
        size = sum(results.received(points, begin, end) for points in series.values())
        return {
            "queue_pkts": results.quotient(sum(mine), len(mine) * BIN_NS),
            "goodput_gbps": results.quotient(8 * size, end - begin),
            "settled_ms": settled(mine) * BIN_NS // 10**6,
            "flows": results.classes([flow for flow in flows if begin <= flow.start_ns < end]),
        }


def mean_queue(trace, duration_ns):
    """Packets times ns in each bin: a sample holds until the next."""
    sums = [0] * -(-duration_ns // BIN_NS)
    for (at_ns, pkts, _), (until_ns, *_) in zip(trace, [*trace[1:], (duration_ns,)]):
        at_ns, until_ns = max(0, at_ns), min(until_ns, duration_ns)
        while at_ns < until_ns:
            place = at_ns // BIN_NS
            step_ns = min(until_ns, (place + 1) * BIN_NS)
            sums[place] += pkts * (step_ns - at_ns)
            at_ns = step_ns
    return sums


def settled(bins):
    """How many bins there are until the last that is well above the last half's mean."""
    half = bins[len(bins) // 2:]
    return max((place + 1 for place, queue in enumerate(bins) if 2 * queue * len(half) > 3 * sum(half)), default=0)


# The report's part.

PAPER = {
    "queue": PaperValue("S1-3", "6", "5.2", "25G, incast and flows that change", "queue, ACC to a mismatched static setting", 1, 10, "ratio",
                        "to reduce an order of magnitude of queue length and achieves 26.1% improvement of the average throughput"),
    "goodput": PaperValue("S1-3", "6", "5.2", "25G, incast and flows that change", "throughput, ACC to static settings", 1.261, 1, "best",
                          "to reduce an order of magnitude of queue length and achieves 26.1% improvement of the average throughput"),
}

COMPARED = (*tune.STATICS, *tune.TUNED, "negated")
# The static settings that a tuner's queue and goodput are judged by: longer queues than theirs would make that easier.
JUDGED = ("secn0", "secn1", "secn2", *tune.RAMPS[1:4:2])


def case(setting):
    return f"shift/{setting}"


def of_phases(data, where, name, parity):
    """Mean of the phases of few flows (0) or of many (1) after the first of each, in which a tuner's first tenth of a second is static; None without runs."""
    if not data.knows(where):
        return None
    return mean([phase[name] for result in data.results(where) for phase in result.document["phases"][2 + parity::2]])


def experiment(seeds):
    """For the report."""
    every = tuple(Run(case(name), "shift", tune.SETTINGS[name][1], seed, 10) for seed in seeds for name in COMPARED)

    def column(head, name, parity, show):
        return Column(head, lambda data, where: of_phases(data, where, name, parity), show.format)

    columns = [column(f"{label}: {head}", name, parity, show) for parity, label in enumerate(("2 flows", "32 flows"))
               for head, name, show in (("queue, packets", "queue_pkts", "{:.1f}"), ("Gbit/s", "goodput_gbps", "{:.3f}"), ("settled, ms", "settled_ms", "{:.0f}"))]
    columns.append(Column("idle intervals", tune.counted("idle_skipped"), "{:.0f}".format))
    return Experiment("shift", every, tuple(_rows()), (Figure(
        "shift", "Mean queue with 2 long flows and with 32", "Phases of 300 ms alternate. A short queue is a gain only with full goodput, which the table has.",
        _figure, ("shift",)),), grids=(Grid(
        "shift", "2 and 32 long flows alternate", "Phases have 300 ms, senders DCTCP. The last two of four phases are shown. Settled is the time from the change until the mean queue of 10 ms "
        "was last above one and a half times that of the phase's last half. The network does not decide in idle intervals, in which the mean queue is shorter than kmin; "
        "`follow` decides in each interval.", "setting",
        tuple((tune.SETTINGS[name][0], case(name)) for name in COMPARED), tuple(columns), ("shift",)),))


def _figure(data):
    return plot.Bars(
        name="shift", ylabel="mean queue, packets", groups=["2 flows", "32 flows"],
        series={name: [of_phases(data, case(name), "queue_pkts", parity) for parity in (0, 1)] for name in ("secn1", "secn2", tune.BEST, "follow", "ddqn")})


def _quotients(data, over, under, name, parity):
    numbers = [of_phases(data.only({seed}), case(setting), name, parity) for seed in data.seeds(case(over)) for setting in (over, under)]
    return [top / bottom for top, bottom in zip(numbers[::2], numbers[1::2])]


def _rows():
    """Rows of the phase in which a static setting is wrong: the static that fills the queue most, and the one that leaves the link idle most."""
    for key, label, name, parity, base in (("queue", "32 flows: mean queue", "queue_pkts", 1, tune.BEST), ("goodput", "2 flows: goodput", "goodput_gbps", 0, "secn0")):
        def measured(data, name=name, parity=parity, base=base):
            return mean(_quotients(data, "ddqn", base, name, parity))

        def detail(data, name=name, parity=parity, base=base):
            return "{:.4g} / {:.4g}".format(*(of_phases(data, case(setting), name, parity) for setting in ("ddqn", base)))

        def cause(data, name=name, parity=parity):
            best = [of_phases(data, case(setting), name, parity) for setting in JUDGED]
            return f"the static settings have {min(best):.4g} to {max(best):.4g} in this phase"
        yield Row(PAPER[key], f"{label}, acc-tuner ddqn / {tune.SETTINGS[base][0]}", measured, detail, (case("ddqn"), case(base)), cause=cause)
