# SPDX-License-Identifier: GPL-2.0
"""What a threshold costs in throughput: four long flows and nothing else.

Poisson arrivals all end in the same time under any threshold, so the link is used alike whatever it is; only flows that
never end show what a threshold leaves unused.
"""

from exhibits.spreads import SPREADS
from runs import Run   # first: it says where the next one is
from aqm import red

BUFFER_PKTS = 2000
COST_S = 2


def case(fold, kilobytes):
    """RTTs whose longest is `fold` times the shortest, RED with this threshold."""
    return f"alone/{fold}/{kilobytes}"


def words(rtt, threshold_bytes):
    """For lab/run queue: at fct's RTTs and buffer."""
    return (f"aqm={red(threshold_bytes, BUFFER_PKTS)}", "fanin=0", "load=0.001", "long=4", "senders=7", f"rtt={rtt}",
            f"buffer={BUFFER_PKTS}")


def runs(fold, thresholds, seeds):
    """Of thresholds in KB."""
    return tuple(Run(case(fold, kilobytes), "queue", words(SPREADS[fold].rtt, kilobytes * 1000), seed, COST_S)
                 for kilobytes in thresholds for seed in seeds)


def cause(fold, low, high):
    """Why large flows lose little at the lower of two thresholds, in KB."""
    def text(evidence):
        fills = [evidence.mean(case(fold, kilobytes), "utilisation") for kilobytes in (low, high)]
        return (f"four long flows alone use {fills[0] * 100:.1f} % of the link at {low} KB and {fills[1] * 100:.1f} % at {high} KB: the "
                f"lower threshold costs this DCTCP {max(0, fills[1] - fills[0]) * 100:.1f} % of the link; what large flows lose beyond that, "
                "flows that begin beside them gain")
    return text
