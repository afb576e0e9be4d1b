# SPDX-License-Identifier: GPL-2.0
"""The queue before, in and after a burst: Fig. 16."""

import figures
import paper
from exhibit import Exhibit, Plate, count_row, ratio_row
from runs import Run

MS = 10**6
AQMS = ("ecnsharp", "red-tail", "codel")
# Of the trace: the paper's Fig. 16 shows 5 ms; ours begins as long before the burst.
BURST_AT_NS = 150 * MS
TRACE_NS = (BURST_AT_NS - 5 * MS, BURST_AT_NS + 8 * MS)
COST_S = 4


def _thin(points, step_ns=20_000):
    """The greatest of each step: a burst's peak stays in the figure."""
    best = {}
    for at, pkts in points:
        slot = at // step_ns
        if slot not in best or pkts > best[slot][1]:
            best[slot] = (at, pkts)
    return [best[slot] for slot in sorted(best)]


def _figure(evidence):
    """Of the first seed: a mean of traces would show none."""
    marks = {"ecnsharp": (paper.QUOTES["standing"].value, "the paper's mean: 8"),
             "red-tail": (paper.QUOTES["standing"].base, "the paper's mean: 182")}
    series = {aqm: [((at - BURST_AT_NS) / MS, pkts) for at, pkts in _thin(evidence.results(f"queue/{aqm}")[0].trace)]
              for aqm in AQMS}
    peak = max(pkts for points in series.values() for _, pkts in points)
    return figures.Traces(
        name="queue", xlabel="time after the burst, ms", ylabel="queue, packets", series=series, levels=marks,
        top=peak * 1.05, xrange=tuple((at - BURST_AT_NS) / MS for at in TRACE_NS))


def _cause_standing(evidence):
    ours, tail = (evidence.mean(f"queue/{aqm}", "standing.mean_pkts") for aqm in ("ecnsharp", "red-tail"))
    return (f"{ours:.0f} packets stand under ECN# and {tail:.0f} under RED-Tail. The paper sampled 5 ms of one run; ours is the "
            "mean of 20 ms, with data-mining flows arriving all the while")


def exhibit(seeds):
    """For the demo and the report."""
    every = tuple(Run(f"queue/{aqm}", "queue", (f"aqm={aqm}",), seed, COST_S, TRACE_NS) for seed in seeds for aqm in AQMS)
    rows = (
        ratio_row("standing", "standing queue, ECN# / RED-Tail", "queue/ecnsharp", "queue/red-tail", "standing.mean_pkts",
                  unit="packets", cause=_cause_standing),
        count_row("drops-ecnsharp", "burst of 100: packets dropped, ECN#", "queue/ecnsharp", "drops"),
        count_row("drops-codel", "burst of 100: packets dropped, CoDel", "queue/codel", "drops"),
    )
    return Exhibit("queue", every, rows, (Plate(
        "queue", "The queue before, in and after a burst of 100 query flows",
        "The bottleneck's queue, long flows running throughout (Fig. 16). What stands before the burst delays every "
        "packet; what does not fit into the buffer (500 packets) is lost.", _figure, ("queue",)),))
