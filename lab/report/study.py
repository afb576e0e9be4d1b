# SPDX-License-Identifier: GPL-2.0
"""The studies: which experiments the demo shows, and which the report."""

from lab.experiments import (bursts, clock, coexist, combine, daemons, e2e, explicit, fabric, fanin, fanout, fct, gain, gso, incast, overhead, papers, peers, pias,
                             probabilistic, queue, ramp, rct, rtt, scheduler, sensitivity, share, shift, signal, stamps, storage, sweep, systems,
                             threshold, tune)
from lab.report.experiment import Study


def demo(seed=1):
    """The study of the demo, of ten minutes."""
    seeds = (seed,)
    # A 99th percentile of one run is too uncertain.
    three = (seed, seed + 1, seed + 2)
    return Study((
        fct.at_one_load(fct.WEBSEARCH, "0.9", three, "Flow completion times at 90 % load, each divided by RED-Tail's. Below "
                        "the line is faster. The diamonds are the paper's (Fig. 9: short flows of ECN# at 90 %, large "
                        "flows of RED-AVG at 80 %)."),
        queue.experiment(seeds),
        incast.experiment(seeds),
        rct.short(three),
        ramp.short(three),
        e2e.short(seeds),
    ))


def report(seeds=(1, 2, 3)):
    """Every row of the paper's that the lab can run."""
    loads = tuple(f"0.{n}" for n in range(1, 10))
    return Study((
        threshold.experiment(seeds),
        fct.at_all_loads(fct.WEBSEARCH, "9", loads, seeds),
        fct.at_all_loads(fct.DATAMINING, "10", loads, seeds),
        rtt.experiment(seeds),
        queue.experiment(seeds, queue.COUNTS),
        incast.experiment(seeds),
        fabric.experiment(seeds[:1], seeds),
        sensitivity.experiment(seeds),
        scheduler.experiment(seeds),
        pias.experiment(seeds),
        probabilistic.experiment(loads[4:8], seeds),
        peers.experiment(seeds),
        gain.experiment(seeds),
    ))


def onramp(seeds=(1, 2, 3)):
    """On-Ramp's paper, as far as hosts around one switch can run it."""
    return Study((
        rct.experiment(seeds),
        papers.experiment(seeds),
        ramp.experiment(seeds),
        ramp.steady(seeds),
        ramp.transports(seeds),
        signal.experiment(seeds),
        stamps.experiment(seeds[:1]),
        rct.clock_errors(seeds),
        rct.loads(seeds),
        rct.big(seeds),
        rct.buffers(seeds),
        sweep.experiment(seeds),
        gso.experiment(seeds),
        coexist.experiment(seeds),
        storage.experiment(seeds),
        overhead.experiment(seeds),
        combine.experiment(seeds),
    ))


def clocks(seeds=(1,)):
    """The study of huygens-lite's clocks, and of On-Ramp on them."""
    return Study((
        clock.loads(seeds),
        clock.sizes(seeds),
        clock.degrees(seeds),
        clock.coded(seeds),
        clock.packets(seeds),
        bursts.experiment(seeds),
        clock.failures(seeds),
        e2e.experiment(clock.SEEDS),
        daemons.experiment(seeds),
    ))


def acc(seeds=(1,)):
    """ACC: tuned thresholds, compared with static ones."""
    return Study((
        tune.experiment(seeds),
        shift.experiment(seeds),
        share.experiment(seeds),
        *(tune.requests(seeds, name) for name in tune.BLOCKS),
    ))


def lossless(seeds=(1, 2, 3)):
    """A LAN that loses nothing: congestion points at inputs, and culprits by occupancy."""
    return Study((
        fanout.experiment(seeds),
        fanin.experiment(seeds),
    ))


def fecn(seeds=(1, 2, 3)):
    """Explicit rates: FECN's tables, and what the other systems do with a flow that joins."""
    return Study((
        explicit.experiment(seeds),
        explicit.late(seeds[:1]),
    ))


def side_by_side(seeds=(1,)):
    """All systems of this project with the same traffic."""
    return Study((systems.experiment(seeds),))
