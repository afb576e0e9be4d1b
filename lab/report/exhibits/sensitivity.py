# SPDX-License-Identifier: GPL-2.0
"""How much ECN#'s parameters matter: Fig. 18."""

import figures
import verdict
from exhibit import Exhibit, Plate, Row
from runs import Run

LOAD = "0.7"
WORKLOADS = {"websearch": ("web search", 3, 30), "datamining": ("data mining", 5, 35)}
FACTORS = ("0.5x", "1x", "2x")
BASE = ("1x", "1x")
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
    return [evidence.ratio(case(workload, point), case(workload, BASE), "flows.all.mean_us") for point in POINTS]


def _cause(workload):
    """Of half the interval: what the queue loses and large flows pay."""
    def cause(evidence):
        half, base = (case(workload, point) for point in (("1x", "0.5x"), BASE))
        waits = [evidence.mean(where, "queue.mean_sojourn_us") for where in (base, half)]
        changes = [(evidence.ratio(half, base, f"flows.{name}.mean_us") - 1) * 100 for name in ("short", "large")]
        return (f"half the pst_interval takes a packet's mean wait from {waits[0]:.0f} to {waits[1]:.0f} us; short flows' mean "
                f"changes by {changes[0]:+.1f} % and large ones' by {changes[1]:+.1f} %: pst_interval trades the one for the "
                "other here")
    return cause


def _spread_row(workload, quote):
    title = WORKLOADS[workload][0]
    return Row(quote, f"{title}: all flows, half and twice pst_target and pst_interval, worst / best",
               lambda evidence: max(_ratios(evidence, workload)) / min(_ratios(evidence, workload)),
               lambda evidence: ", ".join(f"{target}/{interval}: {ratio:.3f}" for (target, interval), ratio
                                          in zip(POINTS, _ratios(evidence, workload))),
               tuple(case(workload, point) for point in POINTS), verdict.of_bound, "bound", cause=_cause(workload))


def _interval_row(workload, quote):
    def ours(evidence):
        return evidence.ratio(case(workload, ("1x", "0.5x")), case(workload, BASE), "flows.all.mean_us")
    return Row(quote, f"{WORKLOADS[workload][0]}: all flows, half the pst_interval", ours,
               lambda evidence: "", (case(workload, ("1x", "0.5x")), case(workload, BASE)), verdict.of_small,
               cause=_cause(workload))


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
