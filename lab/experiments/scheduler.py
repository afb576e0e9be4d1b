# SPDX-License-Identifier: GPL-2.0
"""An AQM in each class of a scheduler: the ECN# paper's Fig. 19 and 20.

Three classes, weights 2:1:1. A long flow runs in class 1 from the start, another in class 2 from `turn` on and one in
class 3 from 2 `turn` on: the three phases. `short` flows of 3 to 60 KB in each class start at random times from the
other senders. Each class may hold `buffer` packets.

The paper does not say which RTTs its long flows had. long=middle takes the three senders in the middle of the
distribution, long=spread one in the middle of each third. A class gets less than its share while its queue is empty,
and ECN#'s pst_target of 10 us, two packets of a quarter of 10 Gbit/s, empties that of a long RTT now and then.

`goodput_gbps` of a phase is what each class's long flow received, without the first `settle`; `class_gbps` and
`shares` are the whole class's, its short flows too; `off` is the largest difference of a share from its weight's among
the classes that have a long flow.
"""

import os

from lab.experiments.shared.settings import StarSetting, keys
from lab.host import aqm, classes, results
from lab.host.keys import Key, choice, number, time
from lab.host.units import Refused
from lab.report import plot, verdict
from lab.report.experiment import Column, Experiment, Figure, Grid, Row, Run, ratio_row
from lab.report.paper_value import MICRO, PaperValue
from lab.report.run_data import mean

SUMMARY = "three classes 2:1:1, long flows in turn, short flows (ECN# Fig. 19, 20)"
ROWS = ("S0-19", "S0-20")
WEIGHTS = (2, 1, 1)
CLASSES = len(WEIGHTS)
KEYS = keys(without=("workload", "load"), senders="16", rtt="80us-240us", buffer="600", duration="300ms") + [
    Key("scheduler", "drr", choice("drr", "ets"), "what shares the bottleneck: drr, ets"),
    Key("turn", "100ms", time("1ms", "100s"), "from the start of one class's long flow to that of the next's"),
    Key("settle", "20ms", time("0ns", "100s"), "how much of each phase's beginning is not measured"),
    Key("long", "middle", choice("middle", "spread"), "senders of the long flows: of middle RTTs, or spread over them"),
    Key("short", "100", number(0, 100000), "short flows in each class, 0 to 100000"),
]


class Setting(StarSetting):
    """A star whose bottleneck has classes."""

    aqm_setup = aqm.SCHEDULER
    series_ns = 1_000_000

    def __init__(self, p, seed):
        if p["senders"] < CLASSES + 1:
            raise Refused(f"senders: there must be at least {CLASSES + 1}, one of them for the short flows")
        if p["settle"] >= p["turn"]:
            raise Refused("settle: must be shorter than the turn")
        if p["duration"] < CLASSES * p["turn"]:
            raise Refused(f"duration: must be at least {CLASSES} times the turn")
        super().__init__(p, seed)
        senders = self.star.senders
        if p["long"] == "middle":
            first = (len(senders) - CLASSES) // 2
            self.long = senders[first:first + CLASSES]
        else:
            self.long = [senders[(2 * i + 1) * len(senders) // (2 * CLASSES)] for i in range(CLASSES)]
        self.short = [name for name in senders if name not in self.long]

    def tc(self, port):
        return classes.discipline(port, self.p["scheduler"], WEIGHTS, self.qdisc)

    def script(self):
        yield from super().script()
        # A sender's SYN-ACK is in its flow's class.
        yield from (f"sysctl {host} net.ipv4.tcp_reflect_tos 1" for host in self.star.senders)

    def groups(self):
        p = self.p
        for index, sender in enumerate(self.long):
            common = f"receivers={self.star.receiver} cc={p['cc']} dscp={classes.dscp(index + 1)}"
            yield (f"group long{index + 1} kind=long senders={sender} {common} "
                   f"from={index * p['turn']}ns until={p['duration']}ns")
            if p["short"]:
                yield (f"group short{index + 1} kind=query senders={','.join(self.short)} {common} conn={p['conn']} "
                       f"flows={p['short']} lo=3000 hi=60000 jitter={p['duration']}ns")

    def more(self, raw, flows):
        series = results.read_series(os.path.join(raw, "series.csv"))
        return {
            "phases": [self.phase(series, flows, index) for index in range(CLASSES)],
            "short_by_class": [results.summarise_flows([flow for flow in flows if flow.group == f"short{number}"])
                               for number in range(1, CLASSES + 1)],
            "classes": list(classes.read([os.path.join(raw, "bottleneck.tc.json")], CLASSES)),
        }

    def phase(self, series, flows, index):
        """Numbers from the start of long flow index + 1 to that of the next."""
        p = self.p
        start, end = index * p["turn"], (index + 1) * p["turn"] if index + 1 < CLASSES else p["duration"]

        def received(kind):
            return [results.received(series.get(f"{kind}{number}", ()), start + p["settle"], end)
                    for number in range(1, CLASSES + 1)]

        long = received("long")
        whole = [a + b for a, b in zip(long, received("short"))]
        span = end - start - p["settle"]
        return {
            "goodput_gbps": [results.quotient(8 * size, span) for size in long],
            "class_gbps": [results.quotient(8 * size, span) for size in whole],
            "shares": [results.quotient(size, sum(whole), 4) for size in whole],
            "off": max(results.quotient(abs(size * sum(WEIGHTS[:index + 1]) - weight * sum(whole[:index + 1])),
                                        weight * sum(whole[:index + 1]), 4)
                       for weight, size in zip(WEIGHTS, whole[:index + 1])),
            "short": results.summarise_flows([flow for flow in flows if flow.size and start <= flow.start_ns < end]),
        }


# Three classes 2:1:1 with an AQM in each: Fig. 19 and 20.

PAPER = {
    "share-1-1": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 1 of 1, Gbit/s", 9.6, None, "Gbit/s",
        "flow 1 achieves around 9.6Gbps goodput"),
    "share-2-1": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 1 of 2, to flow 1 alone", 6.42, 9.6, "Gbit/s",
        "flow 1 achieves 6.42Gbps goodput while flow 2 achieves 3.18Gbps goodput"),
    "share-2-2": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 2 of 2, to flow 1 alone", 3.18, 9.6, "Gbit/s",
        "flow 1 achieves 6.42Gbps goodput while flow 2 achieves 3.18Gbps goodput"),
    "share-3-1": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 1 of 3, to flow 1 alone", 4.82, 9.6, "Gbit/s",
        "flow 1, flow 2 and flow 3 achieve around 4.82Gbps, 2.40Gbps and 2.40Gbps goodput"),
    "share-3-2": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 2 of 3, to flow 1 alone", 2.4, 9.6, "Gbit/s",
        "flow 1, flow 2 and flow 3 achieve around 4.82Gbps, 2.40Gbps and 2.40Gbps goodput"),
    "share-3-3": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 3 of 3, to flow 1 alone", 2.4, 9.6, "Gbit/s",
        "flow 1, flow 2 and flow 3 achieve around 4.82Gbps, 2.40Gbps and 2.40Gbps goodput"),
    "scheduler-short": PaperValue(
        "S0-20", "20b", "5.4", f"{MICRO}, DWRR 2:1:1", "short flows, mean FCT, ECN# to TCN",
        2341, 2913, "us", "ECN# achieves 19.6% better average FCT (2913us to 2341us) for short flows"),
}


SCHEDULERS = ("drr", "ets")
AQMS = ("ecnsharp", "tcn")
COST_S = 12
# Long flows alone: the senders that they are at and the AQM of each class.
LONG = (
    ("three middle RTTs, ECN#", "scheduler/long"),
    ("RTTs spread, ECN#", "scheduler/spread/ecnsharp"),
    ("RTTs spread, TCN 150us", "scheduler/spread/tcn"),
)


def case(scheduler, aqm):
    return f"scheduler/{scheduler}/{aqm}"


def _goodput(data, where, phase, index):
    """Goodput of a class's long flow in a phase, Gbit/s; mean over the seeds."""
    seeds = data.results(where)
    return sum(result.document["phases"][phase]["goodput_gbps"][index] for result in seeds) / len(seeds)


def _rows():
    """The paper's six goodputs, from runs without short flows; then the short flows."""
    alone = ("scheduler/long", 0, 0)
    yield Row(PAPER["share-1-1"], "1 of the long flows: flow 1's goodput, Gbit/s", lambda data: _goodput(data, *alone),
              lambda data: "", ("scheduler/long",), verdict.of_rate, "rate")
    for phase, count in ((1, 2), (2, 3)):
        for index in range(count):
            flow = ("scheduler/long", phase, index)
            yield Row(PAPER[f"share-{count}-{index + 1}"], f"{count} of the long flows: flow {index + 1}'s goodput, of flow 1's alone",
                      lambda data, flow=flow: _goodput(data, *flow) / _goodput(data, *alone),
                      lambda data, flow=flow: f"{_goodput(data, *flow):.4g} of {_goodput(data, *alone):.4g} Gbit/s",
                      ("scheduler/long",), verdict.of_share, "share")
    for scheduler in SCHEDULERS:
        label = "{}: short flows' mean, ECN# / TCN 150us".format
        first = SCHEDULERS[0]
        yield ratio_row(PAPER["scheduler-short"], label(scheduler), case(scheduler, "ecnsharp"), case(scheduler, "tcn"), "flows.short.mean_us",
                        cause=_cause(scheduler), repeats="" if scheduler == first else label(first))


def _cause(scheduler):
    def cause(data):
        tcn, ecnsharp = (data.mean(case(scheduler, aqm), "queue.mean_sojourn_us") for aqm in ("tcn", "ecnsharp"))
        return f"a packet waits {tcn:.0f} us on average under TCN and {ecnsharp:.0f} us under ECN#"
    return cause


def _figure(data):
    names = ["flow 1", "flow 2", "flow 3"]
    paper_values = [(names[index], phase, PAPER[f"share-{phase + 1}-{index + 1}"].value)
              for phase in range(3) for index in range(phase + 1)]
    return plot.Bars(
        name="scheduler", ylabel="goodput, Gbit/s", groups=["one flow", "two flows", "three flows"],
        series={name: [_goodput(data, "scheduler/long", phase, index) if index <= phase else None for phase in range(3)]
                for index, name in enumerate(names)}, paper=paper_values)


def _short_figure(data):
    return plot.Bars(
        name="scheduler-short", ylabel="short flows' completion time / TCN's", groups=["mean", "p99"],
        series={"ecnsharp": [data.ratio(case("drr", "ecnsharp"), case("drr", "tcn"), f"flows.short.{number}")
                             for number in ("mean_us", "p99_us")]},
        paper=[("ecnsharp", 0, PAPER["scheduler-short"].ratio)], line=1, line_label="TCN")


def _of_three(name, index=None):
    """A number of the phase with three long flows, the mean over the seeds."""
    def number(data, where):
        values = [result.document["phases"][2][name] for result in data.results(where)]
        return mean(values if index is None else [value[index] for value in values])
    return number


def _wait(index):
    return lambda data, where: mean([result.document["classes"][index]["mean_wait_us"] for result in data.results(where)])


def _grid():
    share = "{:.4f}".format
    return Grid(
        "shares", "Shares of 2:1:1 with three long flows, by their RTTs",
        "The paper does not give the RTTs of its long flows; the rows above have three from the middle. If RTTs are spread (`lab/run help "
        "scheduler`), the shares of drr deviate more with ECN#, and not with TCN. A class whose queue runs empty gets less than its share, and with ECN# the "
        "queues are shorter. A likely cause, which was not measured, is that queues of flows with long RTTs run empty.", "long flows", LONG,
        (*(Column(f"class {index + 1}", _of_three("shares", index), share) for index in range(3)),
         Column("furthest off, %", lambda data, where: 100 * _of_three("off")(data, where), "{:.1f}".format),
         *(Column(f"wait in class {index + 1}, us", _wait(index)) for index in range(3))), tuple(where for _, where in LONG))


def experiment(seeds):
    """For the report."""
    every = [Run("scheduler/long", "scheduler", ("scheduler=drr", "aqm=ecnsharp", "short=0"), seed, COST_S) for seed in seeds]
    every += [Run(f"scheduler/spread/{aqm}", "scheduler", ("scheduler=drr", f"aqm={aqm}", "long=spread", "short=0"), seed, COST_S)
              for aqm in AQMS for seed in seeds]
    every += [Run(case(scheduler, aqm), "scheduler", (f"scheduler={scheduler}", f"aqm={aqm}"), seed, COST_S)
              for scheduler in SCHEDULERS for aqm in AQMS for seed in seeds]
    return Experiment("scheduler", tuple(every), tuple(_rows()), (
        Figure("scheduler-short", "Short flows in classes of weights 2:1:1, relative to TCN",
              "Fig. 20b of the paper: drr. ets serves packets in the same order and gives the same times.", _short_figure,
              ("scheduler/drr",)), Figure(
        "scheduler", "Goodput of long flows in classes of weights 2:1:1, started in turn",
        "Fig. 20a of the paper: drr with ECN# in each class.", _figure, ("scheduler/long",)),), (_grid(),))
