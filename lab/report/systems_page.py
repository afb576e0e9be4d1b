# SPDX-License-Identifier: GPL-2.0
"""Text of the report of all systems side by side around its tables, and the table of what each needs."""

import math
from dataclasses import dataclass

from lab.experiments import systems
from lab.report.run_data import RunData

TITLE = "ECN#, On-Ramp, acc-tuner, PAUSE, QCN and FECN with the same traffic"

INTRO = (
    "One bridge in the laboratory's virtual time, with links of 10 Gbit/s and 1 us. All traffic is TCP. A system is a set of qdiscs at the bridge's ports and at the "
    "hosts, with a congestion control. The question is which one an operator should take for which traffic.",)


def notes():
    """Notes on the tables."""
    return (
        "Ports of systems that drop have 660 packets, 1 MB. With PAUSE an input has 150 KB, of which 40 KB are headroom, and hosts' MACs obey PAUSE to the nanosecond. FECN's ports "
        "have 1000 KB and pause at 700 KB.",
        "A host has a queue for each flow (fq or onramp), and TCP makes GSO packets of 64 KB, as Linux does: 43 frames of a flow leave one after the other, and fill the buffers of slow "
        "receivers' ports one after the other while others are empty. Lines with 4 KB show what that costs systems with PAUSE. Least retransmission timeout 5 ms. On-Ramp holds above T = 50 us and has perfect clocks with a stated "
        "error of 1 us. DCTCP's threshold is a wait of 78 us, 65 packets.",
        "The rates of reaction points recover over tens of milliseconds (802.1Qau's timer has 15 ms): a run of 200 ms begins with the full rate of all flows, so that it shows the cuts and "
        "part of the recovery.",
        "All results have one seed. All systems have the same flows at the same times, up to what the congestion control does with them. PAUSE, CNMs and RD frames do not cross routers; ECN# and On-Ramp do not need a bridge.",
        "Goodput is compared with the largest of the same traffic. Web search's is that of the flows that arrived, which end after the measured time, and is not compared.")


@dataclass(frozen=True)
class Standing:
    """A system among all: ratios of a number to the best of each traffic."""

    ratios: dict    # traffic -> ratio

    def mean(self):
        """Geometric."""
        return math.exp(sum(map(math.log, self.ratios.values())) / len(self.ratios)) if self.ratios else None

    def worst(self, choose=max):
        """(traffic, ratio)"""
        return choose(self.ratios.items(), key=lambda item: item[1])


def standings(data, path, best, traffics):
    """System -> Standing."""
    numbers = {traffic: {name: data.mean(systems.case(traffic, name), path) for name in systems.SYSTEMS} for traffic in traffics}
    return {name: Standing({traffic: found[name] / best(found.values()) for traffic, found in numbers.items()}) for name in systems.SYSTEMS}


def parts(found):
    """Lines before the tables."""
    data = RunData(found)
    times = standings(data, "short.p99_us", min, systems.TRAFFIC)
    rates = standings(data, "goodput_gbps", max, systems.SATURATED)
    yield from ("## Which one", "", "The 99th percentile of short flows and requests is divided by that of the best system with the same traffic; the mean is over the seven kinds of traffic. "
                "Goodput is that of traffic that fills links.", "",
                "| system | switch needs | hosts need | p99 / the best's, mean | slowest with | least goodput | drops, all runs |", "|---|---|---|---|---|---|---|")
    for name, (label, _, switch, host) in sorted(systems.SYSTEMS.items(), key=lambda item: times[item[0]].mean()):
        (slow, ratio), (least, share) = times[name].worst(), rates[name].worst(min)
        drops = sum(data.mean(systems.case(traffic, name), "drops") for traffic in systems.TRAFFIC)
        yield f"| {label} | {switch} | {host} | {times[name].mean():.2f} | {slow}: {ratio:.1f} | {least}: {share:.2f} | {drops:.0f} |"
    yield ""
