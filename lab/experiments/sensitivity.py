# SPDX-License-Identifier: GPL-2.0
"""How much ECN#'s parameters matter: the ECN# paper's Fig. 18.

As fct, at the paper's simulated RTTs, with its parameters there (pst_target 10 us, pst_interval 240 us) or others:
times, or multiples of those such as 0.5x. Every flow has a connection of its own, as in the paper's simulations.
"""

from dataclasses import dataclass
from typing import Callable

from lab.experiments import fabric
from lab.experiments.fct import DATAMINING, WEBSEARCH
from lab.experiments.shared import leafspine, owners
from lab.experiments.shared.settings import StarSetting, keys
from lab.host import aqm
from lab.host.keys import Key, multiple, time
from lab.report import plot, verdict
from lab.report.experiment import Experiment, Figure, Row, Run, seeds as apart
from lab.report.paper_value import FABRIC, PaperValue
from lab.report.run_data import mean

SUMMARY = "flow completion times as pst_target and pst_interval vary (ECN# Fig. 18)"
ROWS = ("S0-18",)
KEYS = keys(without=("aqm",), senders="16", rtt="80us-240us") + [
    Key("pst_target", "1x", multiple("10us", time("100ns", "10ms")), "level of a persistent queue: a time, 100ns to "
        "10ms, or a multiple of 10us such as 2x"),
    Key("pst_interval", "1x", multiple("240us", time("1us", "100ms")), "how long a queue must persist: a time, 1us to "
        "100ms, or a multiple of 240us such as 0.5x"),
]


class Setting(StarSetting):
    """As fct, with ecnsharp at these parameters."""

    aqm_setup = aqm.SIMULATION

    def __init__(self, p, seed):
        qdisc = f"ecnsharp {self.aqm_setup.ecnsharp} pst_target {p['pst_target']}ns pst_interval {p['pst_interval']}ns"
        super().__init__({**p, "aqm": qdisc}, seed)

    def groups(self):
        yield self.poisson()


# How much ECN#'s parameters matter: Fig. 18.

PAPER = {
    "sensitivity-ws": PaperValue(
        "S0-18", "18", "5.4", f"{FABRIC}, web search", "all flows, mean FCT, worst to best of the settings",
        1.01, 1, "us", "The difference is within 1% for web search workload"),
    "sensitivity-dm": PaperValue(
        "S0-18", "18", "5.4", f"{FABRIC}, data mining", "all flows, mean FCT, worst to best of the settings",
        1.002, 1, "us", "and 0.2% for data mining workload"),
    "interval-ws": PaperValue(
        "S0-18", "18", "5.4", f"{FABRIC}, web search", "all flows, mean FCT, a shorter pst_interval to the rule of thumb's",
        0.99, 1, "us", "for web search workload, ECN# performs 1% better"),
    "interval-dm": PaperValue(
        "S0-18", "18", "5.4", f"{FABRIC}, data mining", "all flows, mean FCT, a shorter pst_interval to the rule of thumb's",
        1.002, 1, "us", "For data mining workloads, ECN# performs slightly worse (0.2% longer FCT)"),
}


LOAD, FABRIC_LOAD = "0.7", "0.5"
# How long their runs are here, and what they cost.
WORKLOADS = {WEBSEARCH: (3, 30), DATAMINING: (5, 35)}
FACTORS = {"0.5x": 0.5, "1x": 1, "2x": 2}
BASE, HALF_INTERVAL = ("1x", "1x"), ("1x", "0.5x")
PATH = "flows.all.mean_us"
# One parameter at a time.
POINTS = tuple(dict.fromkeys([(target, "1x") for target in FACTORS] + [("1x", interval) for interval in FACTORS]))


@dataclass(frozen=True)
class Place:
    """Where the parameters are varied."""

    title: str
    case: Callable      # (workload, point)


PORT = Place(f"one port, {float(LOAD) * 100:.0f} % load (paper: fabric)", lambda workload, point: f"sensitivity/{workload.name}/{point[0]}-{point[1]}")


def _fabric_case(workload, point):
    return fabric.case(workload, FABRIC_LOAD, "ecnsharp") if point == BASE else f"sensitivity-fabric/{workload.name}/{point[0]}-{point[1]}"


HOSTS = Place(leafspine.percent(FABRIC_LOAD), _fabric_case)


def _runs(seeds):
    for workload, (duration_s, cost_s) in WORKLOADS.items():
        for target, interval in POINTS:
            for seed in seeds:
                yield Run(PORT.case(workload, (target, interval)), "sensitivity",
                          (f"workload={workload.name}", f"load={LOAD}", f"pst_target={target}", f"pst_interval={interval}",
                           f"duration={duration_s}s"), seed, cost_s)


def _fabric_runs(seed):
    for workload in WORKLOADS:
        yield fabric.run(workload, FABRIC_LOAD, "ecnsharp", seed)
        for point in POINTS:
            if point != BASE:
                target, interval = (FACTORS[factor] for factor in point)
                yield leafspine.run(HOSTS.case(workload, point), FABRIC_LOAD, seed, f"workload={workload.name}",
                                    f"aqm=ecnsharp preset simulation pst_target {10 * target:g}us pst_interval {240 * interval:g}us")


def _by_seed(data, place, workload, point):
    """Ratio of all flows' mean to that of the rule of thumb."""
    return data.ratios(place.case(workload, point), place.case(workload, BASE), PATH)


def _ratios(data, place, workload):
    """Means over the seeds, the points in their order."""
    return [mean(_by_seed(data, place, workload, point)) for point in POINTS]


def _change(data, over, under):
    """A packet's wait at two points, the classes that change all flows' mean, and the spread of the seeds."""
    waits = [data.mean(where, "queue.mean_sojourn_us") for where in (under, over)]
    ratios = data.ratios(over, under, PATH)
    # Those on both sides of none say so themselves.
    little = max(ratios) - min(ratios) > abs(mean(ratios) - 1) and not min(ratios) < 1 < max(ratios)
    return (f"a packet waits {waits[0]:.3g} and {waits[1]:.3g} us; {owners.sentence(data, over, under)}{apart(ratios)}"
            + (", so it is no more than they differ by" if little else ""))


def _ends(data, place, workload):
    """The points where all flows take longest and shortest."""
    ranked = sorted(zip(_ratios(data, place, workload), POINTS))
    return ranked[-1][1], ranked[0][1]


def _spread(data, place, workload):
    ratios = _ratios(data, place, workload)
    return max(ratios) / min(ratios)


def _cause(place, workload):
    """Causes of both ends: each is compared with the rule of thumb's own."""
    def cause(data):
        base = place.case(workload, BASE)
        parts = [f"{name}, pst_target {point[0]} pst_interval {point[1]}, against 1x 1x: {_change(data, place.case(workload, point), base)}"
                 for name, point in zip(("worst", "best"), _ends(data, place, workload)) if point != BASE]
        there = "" if place is HOSTS else f". On {HOSTS.title}, worst / best is {(_spread(data, HOSTS, workload) - 1) * 100:+.1f} %"
        return ". ".join(parts) + there
    return cause


def _halved(place, workload):
    """Half the pst_interval, and what it is held against."""
    return place.case(workload, HALF_INTERVAL), place.case(workload, BASE)


def _cause_interval(place, workload):
    def cause(data):
        there = "" if place is HOSTS else f"; {leafspine.sentence(data, *_halved(HOSTS, workload), PATH, FABRIC_LOAD)}"
        return f"half the pst_interval: {_change(data, *_halved(place, workload))}{there}"
    return cause


def _spread_row(place, workload, paper_value):
    def detail(data):
        several = len(data.seeds(place.case(workload, BASE))) > 1
        parts = []
        for point in (point for point in POINTS if point != BASE):
            ratios = _by_seed(data, place, workload, point)
            each = f" ({', '.join(f'{ratio:.3f}' for ratio in ratios)})" if several else ""
            parts.append(f"{point[0]}/{point[1]}: {mean(ratios):.3f}{each}")
        return f"{'; '.join(parts)} of 1x/1x, " + ("each seed's in brackets" if several else "one seed")
    return Row(PAPER[paper_value], f"{workload.title} on {place.title}: all flows, half and twice pst_target and pst_interval, worst / best",
               lambda data: _spread(data, place, workload), detail,
               tuple(place.case(workload, point) for point in POINTS), verdict.of_bound, "bound", cause=_cause(place, workload),
               show=lambda data: [place.case(workload, point) for point in _ends(data, place, workload)])


def _interval_row(place, workload, paper_value):
    pair = _halved(place, workload)
    return Row(PAPER[paper_value], f"{workload.title} on {place.title}: all flows, half the pst_interval",
               lambda data: data.ratio(*pair, PATH), lambda data: apart(data.ratios(*pair, PATH)).lstrip("; "), pair,
               verdict.of_small, cause=_cause_interval(place, workload))


def _figure(place, name):
    def figure(data):
        groups = [f"{target} / {interval}" for target, interval in POINTS]
        return plot.Bars(
            name=name, ylabel="all flows, mean / rule of thumb", groups=groups,
            series={workload.title: _ratios(data, place, workload) for workload in WORKLOADS}, line=1,
            line_label="rule of thumb")
    return figure


def experiment(seeds):
    """For the report."""
    rows = tuple(row for place in (PORT, HOSTS) for row in (
        _spread_row(place, WEBSEARCH, "sensitivity-ws"), _spread_row(place, DATAMINING, "sensitivity-dm"),
        _interval_row(place, WEBSEARCH, "interval-ws"), _interval_row(place, DATAMINING, "interval-dm")))
    title = "All flows' mean as pst_target / pst_interval are half or twice the rule of thumb's"
    return Experiment("sensitivity", tuple(_runs(seeds)) + tuple(_fabric_runs(seeds[0])), rows, (
        Figure("sensitivity", title, f"Fig. 18 of the paper, on a star at {float(LOAD) * 100:.0f} % load.", _figure(PORT, "sensitivity"),
              ("sensitivity",)),
        Figure("sensitivity-fabric", f"{title}: {HOSTS.title}", "Fig. 18 of the paper, one seed.", _figure(HOSTS, "sensitivity-fabric"),
              ("sensitivity-fabric", *(HOSTS.case(workload, BASE) for workload in WORKLOADS)))))
