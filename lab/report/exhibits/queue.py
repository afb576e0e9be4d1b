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
# Long flows with nothing else: how the standing queue depends on their number.
COUNTS = (1, 2, 4, 8, 16)


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
    standing = [", ".join(f"{evidence.mean(_alone(aqm, count), 'standing.mean_pkts'):.0f}" for count in COUNTS)
                for aqm in ("ecnsharp", "red-tail")]
    return (f"it depends on how many long flows share the link: {', '.join(map(str, COUNTS))} alone leave {standing[0]} packets "
            f"under ECN# and {standing[1]} under RED-Tail. The paper does not say how many it had")


def _alone(aqm, count):
    return f"queue-alone/{count}/{aqm}"


def exhibit(seeds, counts=()):
    """For the demo and, with counts, the report."""
    every = [Run(f"queue/{aqm}", "queue", (f"aqm={aqm}",), seed, COST_S, TRACE_NS) for seed in seeds for aqm in AQMS]
    every += [Run(_alone(aqm, count), "queue", (f"aqm={aqm}", "load=0.001", f"long={count}"), seed, COST_S)
              for seed in seeds for count in counts for aqm in ("ecnsharp", "red-tail")]
    rows = (
        ratio_row("standing", "standing queue, ECN# / RED-Tail", "queue/ecnsharp", "queue/red-tail", "standing.mean_pkts",
                  unit="packets", cause=_cause_standing if counts else None),
        count_row("drops-ecnsharp", "burst of 100: packets dropped, ECN#", "queue/ecnsharp", "drops"),
        count_row("drops-red-tail", "burst of 100: packets dropped, RED-Tail", "queue/red-tail", "drops"),
        count_row("drops-codel", "burst of 100: packets dropped, CoDel", "queue/codel", "drops"),
    )
    return Exhibit("queue", tuple(every), rows, (Plate(
        "queue", "The queue before, in and after a burst of 100 query flows",
        "The bottleneck's queue, long flows running throughout (Fig. 16). What stands before the burst delays every "
        "packet; what does not fit into the buffer (500 packets) is lost.", _figure, ("queue",)),))
