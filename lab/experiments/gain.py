# SPDX-License-Identifier: GPL-2.0
"""How large the gain is, and what it depends on: ECN# over RED-Tail as one condition changes at a time."""

import re
from dataclasses import dataclass

from lab.experiments.fct import DATAMINING, WEBSEARCH, Workload
from lab.experiments.shared.spreads import SPREADS
from lab.host.aqm import red
from lab.report.experiment import Column, Experiment, Grid, Run

BUFFER_PKTS = 2000


@dataclass(frozen=True)
class Condition:
    """A difference from Fig. 9's web search or Fig. 10's data mining at the paper's load, and the schemes that it is for."""

    group: str
    label: str
    arguments: tuple = ()
    ecnsharp: str = "ecnsharp"
    red: str = "red-tail"
    workload: Workload = WEBSEARCH

    def case(self, aqm):
        """A condition that leaves one scheme as it is shares that one's runs."""
        if self._leaves(aqm):
            return self.workload.case(self.workload.load, aqm)
        slug = re.sub(r"[^a-z0-9]+", "-", f"{self.workload.name} {self.group} {self.label}".lower()).strip("-")
        return f"gain/{slug}/{aqm}"

    def _leaves(self, aqm):
        return not self.arguments and (self.ecnsharp if aqm == "ecnsharp" else self.red) == aqm

    def runs(self, seeds):
        for aqm, spec in (("ecnsharp", self.ecnsharp), ("red-tail", self.red)):
            if not self._leaves(aqm):
                keys = {"workload": self.workload.name, "load": self.workload.load,
                         "duration": f"{self.workload.duration_s}s"}
                keys.update(argument.split("=", 1) for argument in self.arguments)
                for seed in seeds:
                    yield Run(self.case(aqm), "fct", (f"aqm={spec}", *(f"{k}={v}" for k, v in keys.items())), seed,
                              2 + self.workload.cost_s * float(keys["load"]))
            else:
                yield from self.workload.runs((self.workload.load,), (aqm,), seeds)


def _rtts():
    for fold, spread in SPREADS.items():
        if fold != 3:
            yield Condition("RTTs", f"spread {fold}x ({spread.rtt}), thresholds to match", (f"rtt={spread.rtt}",),
                            spread.ecnsharp(), red(spread.tail_kb * 1000, BUFFER_PKTS))
    yield Condition("RTTs", "all 70us", ("rtt=70us",))
    yield Condition("RTTs", "all 210us", ("rtt=210us",))
    yield Condition("RTTs", "uniform 70us to 210us", ("rtt=uniform:70us-210us",))


CONDITIONS = (
    Condition("base", "as Fig. 9"),
    *(Condition("pst_target", f"{us}us", ecnsharp=f"ecnsharp preset testbed pst_target {us}us")
      for us in (10, 20, 40, 60, 120)),
    Condition("base", "as Fig. 10", workload=DATAMINING),
    *(Condition("pst_target", f"{us}us, data mining", ecnsharp=f"ecnsharp preset testbed pst_target {us}us",
                workload=DATAMINING) for us in (10, 20, 40)),
    *_rtts(),
    *(Condition("buffer", f"{pkts} packets", (f"buffer={pkts}",)) for pkts in (250, 500, 8000)),
    *(Condition("pst_interval", f"{us}us", ecnsharp=f"ecnsharp preset testbed pst_interval {us}us")
      for us in (100, 400, 800)),
    *(Condition("DCTCP", f"g = 1/{1 << shift}", (f"dctcp_shift_g={shift}",)) for shift in (2, 6)),
    Condition("DCTCP", "a connection a flow", ("conn=new",)),
    Condition("DCTCP", "initial window 2", ("initcwnd=2",)),
    Condition("DCTCP", "initial window 40", ("initcwnd=40",)),
    Condition("DCTCP", "without delayed acknowledgements", ("delack=off",)),
    Condition("DCTCP", "CUBIC in its place", ("cc=cubic",)),
    *(Condition("hosts", f"interrupts up to {us}us late", (f"coalesce={us}us",)) for us in (10, 30)),
    Condition("hosts", "no TSO and GSO", ("gso=off",)),
    Condition("senders", "16 in the place of 7", ("senders=16",)),
    *(Condition("load", f"{load} %", (f"load={load / 100}",)) for load in (50, 95, 98)),
    *(Condition("load", f"{load} %, and 4 flows that never end", (f"load={load / 100}", "long=4")) for load in (10, 50)),
)


def experiment(seeds):
    """For the report."""
    def ratio(path):
        return lambda data, condition: data.ratio(condition.case("ecnsharp"), condition.case("red-tail"), path)

    def extreme(which, path):
        return lambda data, condition: which(data.ratios(condition.case("ecnsharp"), condition.case("red-tail"), path))

    def of(aqm, path):
        return lambda data, condition: data.mean(condition.case(aqm), path)

    every = tuple({run.name: run for condition in CONDITIONS for run in condition.runs(seeds)}.values())
    change = "{:.3f}".format
    return Experiment("gain", every, grids=(Grid(
        "gain", "Size of the gain in other conditions",
        "ECN#'s completion times over RED-Tail's, with one condition changed at a time from those of Fig. 9 (web search at "
        "90 % load) or Fig. 10 (data mining at 80 %). Means of three seeds, and the least and the most of them. The paper has 0.766 and 0.688 for short flows' mean, 0.628 and 0.624 "
        "for their 99th percentile.",
        "condition", tuple((f"{condition.group}: {condition.label}", condition) for condition in CONDITIONS),
        (Column("short, mean", ratio("flows.short.mean_us"), change), *(Column(f"{which.__name__} of a seed", extreme(which, "flows.short.mean_us"), change) for which in (min, max)),
         Column("short, p99", ratio("flows.short.p99_us"), change),
         Column("large, mean", ratio("flows.large.mean_us"), change), Column("all, mean", ratio("flows.all.mean_us"), change),
         Column("RED-Tail: wait, us", of("red-tail", "queue.mean_sojourn_us")),
         Column("ECN#: wait, us", of("ecnsharp", "queue.mean_sojourn_us")),
         Column("RED-Tail: short mean, us", of("red-tail", "flows.short.mean_us"))),
        tuple(dict.fromkeys(run.case for run in every))),))
