# SPDX-License-Identifier: GPL-2.0
"""Three classes 2:1:1 with an AQM in each: Fig. 19 and 20."""

import plot
import paper
import verdict
from run_data import mean
from experiment import Column, Experiment, Grid, Figure, Row, ratio_row
from runs import Run

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
    """Of a class's long flow in a phase, Gbit/s; mean over the seeds."""
    seeds = data.results(where)
    return sum(result.document["phases"][phase]["goodput_gbps"][index] for result in seeds) / len(seeds)


def _rows():
    """The paper's six goodputs, from runs without short flows; then the short flows."""
    alone = ("scheduler/long", 0, 0)
    yield Row("share-1-1", "1 of the long flows: flow 1's goodput, Gbit/s", lambda data: _goodput(data, *alone),
              lambda data: "", ("scheduler/long",), verdict.of_rate, "rate")
    for phase, count in ((1, 2), (2, 3)):
        for index in range(count):
            flow = ("scheduler/long", phase, index)
            yield Row(f"share-{count}-{index + 1}", f"{count} of the long flows: flow {index + 1}'s goodput, of flow 1's alone",
                      lambda data, flow=flow: _goodput(data, *flow) / _goodput(data, *alone),
                      lambda data, flow=flow: f"{_goodput(data, *flow):.4g} of {_goodput(data, *alone):.4g} Gbit/s",
                      ("scheduler/long",), verdict.of_share, "share")
    for scheduler in SCHEDULERS:
        label = "{}: short flows' mean, ECN# / TCN 150us".format
        first = SCHEDULERS[0]
        yield ratio_row("scheduler-short", label(scheduler), case(scheduler, "ecnsharp"), case(scheduler, "tcn"), "flows.short.mean_us",
                        cause=_cause(scheduler), repeats="" if scheduler == first else label(first))


def _cause(scheduler):
    def cause(data):
        tcn, ours = (data.mean(case(scheduler, aqm), "queue.mean_sojourn_us") for aqm in ("tcn", "ecnsharp"))
        return f"a packet waits {tcn:.0f} us on average under TCN and {ours:.0f} us under ECN#"
    return cause


def _figure(data):
    names = ["flow 1", "flow 2", "flow 3"]
    paper_values = [(names[index], phase, paper.PAPER_VALUES[f"share-{phase + 1}-{index + 1}"].value)
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
        paper=[("ecnsharp", 0, paper.PAPER_VALUES["scheduler-short"].ratio)], line=1, line_label="TCN")


def _of_three(name, index=None):
    """Of the phase with three long flows, the mean over the seeds."""
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
        "The paper does not say which RTTs its long flows had; the rows above have three of the middle. Where they spread (`lab/run help "
        "scheduler`), drr with ECN# is further off, and with TCN it is not. A class whose queue runs empty gets less than its share, and under ECN# the "
        "queues are shorter; that those of long RTTs run empty is a guess.", "long flows", LONG,
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
