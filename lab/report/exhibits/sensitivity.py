# SPDX-License-Identifier: GPL-2.0
"""How much ECN#'s parameters matter: Fig. 18."""

import figures
import verdict
from evidence import mean
from exhibit import Exhibit, Plate, Row, seeds as apart
from exhibits import fabric, owners
from runs import Run

LOAD = "0.7"
WORKLOADS = {"websearch": ("web search", 3, 30), "datamining": ("data mining", 5, 35)}
FACTORS = ("0.5x", "1x", "2x")
BASE = ("1x", "1x")
PATH = "flows.all.mean_us"
# One parameter at a time.
POINTS = tuple(dict.fromkeys([(target, "1x") for target in FACTORS] + [("1x", interval) for interval in FACTORS]))


def case(workload, point):
    return f"sensitivity/{workload}/{point[0]}-{point[1]}"


def _runs(seeds):
    for workload, (_, duration_s, cost_s) in WORKLOADS.items():
        for target, interval in POINTS:
            for seed in seeds:
                yield Run(case(workload, (target, interval)), "sensitivity",
                          (f"workload={workload}", f"load={LOAD}", f"pst_target={target}", f"pst_interval={interval}",
                           f"duration={duration_s}s"), seed, cost_s)


def _ratios(evidence, workload):
    """Of all flows' mean to that of the rule of thumb, the points in their order."""
    return [evidence.ratio(case(workload, point), case(workload, BASE), PATH) for point in POINTS]


def _change(evidence, over, under):
    """What a packet waits at two points, whose the change of all flows' mean is, and how far seeds lie apart in it."""
    waits = [evidence.mean(where, "queue.mean_sojourn_us") for where in (under, over)]
    ratios = evidence.ratios(over, under, PATH)
    # Those on both sides of none say so themselves.
    little = max(ratios) - min(ratios) > abs(mean(ratios) - 1) and not min(ratios) < 1 < max(ratios)
    return (f"a packet waits {waits[0]:.0f} and {waits[1]:.0f} us; {owners.told(evidence, over, under)}{apart(ratios)}"
            + (", so it is no more than they differ by" if little else ""))


def _ends(evidence, workload):
    """The points where all flows take longest and shortest."""
    ranked = sorted(zip(_ratios(evidence, workload), POINTS))
    return ranked[-1][1], ranked[0][1]


def _cause(workload):
    """Of both ends: each is held against the rule of thumb's own."""
    def cause(evidence):
        base = case(workload, BASE)
        parts = [f"{name}, pst_target {point[0]} pst_interval {point[1]}, against 1x 1x: {_change(evidence, case(workload, point), base)}"
                 for name, point in zip(("worst", "best"), _ends(evidence, workload)) if point != BASE]
        return f"{'. '.join(parts)}; {fabric.SUSPECT}"
    return cause


def _cause_interval(workload):
    def cause(evidence):
        return (f"half the pst_interval: {_change(evidence, case(workload, ('1x', '0.5x')), case(workload, BASE))}; {fabric.SUSPECT}")
    return cause


def _by_seed(evidence, workload, point):
    return evidence.ratios(case(workload, point), case(workload, BASE), PATH)


def _spread_row(workload, quote):
    title = WORKLOADS[workload][0]

    def detail(evidence):
        words = (f"{target}/{interval}: {ratio:.3f} ({', '.join(f'{each:.3f}' for each in _by_seed(evidence, workload, (target, interval)))})"
                 for (target, interval), ratio in zip(POINTS, _ratios(evidence, workload)) if (target, interval) != BASE)
        return f"{'; '.join(words)} of 1x/1x, each seed's in brackets"
    return Row(quote, f"{title} on one port (paper: fabric): all flows, half and twice pst_target and pst_interval, worst / best",
               lambda evidence: max(_ratios(evidence, workload)) / min(_ratios(evidence, workload)), detail,
               tuple(case(workload, point) for point in POINTS), verdict.of_bound, "bound", cause=_cause(workload),
               show=lambda evidence: [case(workload, point) for point in _ends(evidence, workload)])


def _interval_row(workload, quote):
    pair = case(workload, ("1x", "0.5x")), case(workload, BASE)
    return Row(quote, f"{WORKLOADS[workload][0]} on one port (paper: fabric): all flows, half the pst_interval",
               lambda evidence: evidence.ratio(*pair, PATH), lambda evidence: apart(evidence.ratios(*pair, PATH)).lstrip("; "), pair,
               verdict.of_small, cause=_cause_interval(workload))


def _figure(evidence):
    groups = [f"{target} / {interval}" for target, interval in POINTS]
    return figures.Bars(
        name="sensitivity", ylabel="all flows, mean / rule of thumb", groups=groups,
        series={title: _ratios(evidence, workload) for workload, (title, _, _) in WORKLOADS.items()}, line=1,
        line_label="rule of thumb")


def exhibit(seeds):
    """For the report."""
    return Exhibit("sensitivity", tuple(_runs(seeds)), (
        _spread_row("websearch", "sensitivity-ws"), _spread_row("datamining", "sensitivity-dm"),
        _interval_row("websearch", "interval-ws"), _interval_row("datamining", "interval-dm")), (Plate(
            "sensitivity", "All flows' mean as pst_target / pst_interval are half or twice the rule of thumb's",
            f"Fig. 18 of the paper, on a star at {float(LOAD) * 100:.0f} % load.", _figure, ("sensitivity",)),))
