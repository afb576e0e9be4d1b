# SPDX-License-Identifier: GPL-2.0
"""The results of one port in the paper's own network of 128 hosts: Fig. 18, 21 and 22, at one load with one seed.

A run there costs what three to thirteen cost at one port, so one port has the loads and the seeds. Where the paper's
number is had here and not at one port, it may be the topology's, or the load's, if that differs.
"""

from lab.experiments.shared import owners
from lab.report.experiment import Run
from lab.report.table import show

COST_S = 190    # at full load


def run(case, load, seed, *arguments, cost_s=COST_S):
    """One of the scenario fabric's; cost_s is at full load."""
    return Run(case, "fabric", (*arguments, f"load={load}"), seed, cost_s * float(load))


def percent(load):
    """As a title says it."""
    return f"128 hosts, {float(load) * 100:.0f} % load"


def sentence(data, over, under, path, load):
    """Half a sentence for the row of one port."""
    return f"on {percent(load)}, the same quotient is {show('ratio', data.ratio(over, under, path))}"


def cause(data, over, under):
    """Whose the change is, and what the queues were."""
    without, with_ = (data.mean(case, "queue.mean_sojourn_us") for case in (under, over))
    return f"{owners.sentence(data, over, under)}; a packet waits {without:.3g} us at a queue without and {with_:.3g} us with it"
