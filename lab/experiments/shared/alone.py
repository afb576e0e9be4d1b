# SPDX-License-Identifier: GPL-2.0
"""The throughput that a threshold costs: four long flows and nothing else.

Poisson arrivals all end in the same time under any threshold, so the link is used alike whatever it is; only flows that
never end show what a threshold leaves unused.
"""

from lab.experiments.shared import owners
from lab.experiments.shared.spreads import SPREADS
from lab.host.aqm import red
from lab.report.experiment import Column, Grid, Run

BUFFER_PKTS = 2000
COST_S = 2


def case(fold, kilobytes):
    """RTTs whose longest is `fold` times the shortest, RED with this threshold."""
    return f"alone/{fold}/{kilobytes}"


def arguments(rtt, threshold_bytes):
    """For lab/run queue: at fct's RTTs and buffer."""
    return (f"aqm={red(threshold_bytes, BUFFER_PKTS)}", "fanin=0", "load=0.001", "long=4", "senders=7", f"rtt={rtt}",
            f"buffer={BUFFER_PKTS}")


def runs(fold, thresholds, seeds):
    """Runs of thresholds in KB."""
    return tuple(Run(case(fold, kilobytes), "queue", arguments(SPREADS[fold].rtt, kilobytes * 1000), seed, COST_S)
                 for kilobytes in thresholds for seed in seeds)


def grid(thresholds):
    """The grid that causes refer to, with its commands: thresholds in KB by spread."""
    lines = tuple((f"RTTs {fold}x ({SPREADS[fold].rtt}), {kilobytes} KB", case(fold, kilobytes)) for fold, every in thresholds.items() for kilobytes in every)
    return Grid("alone", "Four long flows alone under one threshold", "The throughput that a threshold costs, with only four flows that never end, under RED "
                "at Fig. 9's buffer.", "RTTs, threshold", lines,
                (Column("utilisation", lambda data, where: data.mean(where, "utilisation"), "{:.4f}".format),
                 Column("queue, packets", lambda data, where: data.mean(where, "queue.mean_pkts"))), ("alone",))


def cause(fold, low, high, over, under):
    """The cost of the lower of two thresholds, in KB, to four long flows, and the losers between two cases."""
    def text(data):
        fills = [data.mean(case(fold, kilobytes), "utilisation") for kilobytes in (low, high)]
        return (f"four long flows alone use {fills[0] * 100:.1f} % of the link at {low} KB and {fills[1] * 100:.1f} % at {high} KB: the "
                f"lower threshold costs this DCTCP {max(0, fills[1] - fills[0]) * 100:.1f} % of the link; "
                f"{owners.sentence(data, over, under)}")
    return text
