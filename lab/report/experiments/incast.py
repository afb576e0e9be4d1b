# SPDX-License-Identifier: GPL-2.0
"""Query completion as more senders answer at once: Fig. 17."""

import plot
import paper
from run_data import mean
from experiment import Experiment, Figure, Row
from runs import Run

AQMS = ("ecnsharp", "red-tail", "codel")
FANINS = (25, 50, 75, 100, 125, 150, 175, 200)
COST_S = 2


def case(aqm, fanin):
    return f"incast/{aqm}/{fanin}"


def _losses(data, aqm):
    """Drops at each fan-in, a list a seed, beyond those at the least: what the other flows lose is no loss of the queries'."""
    columns = [data.values(case(aqm, fanin), "drops") for fanin in FANINS]
    return [[drops - seed[0] for drops in seed] for seed in zip(*columns)]


def _first_losses(data, aqm):
    """Least fan-in of the sweep with more drops than at its first, one a seed; None if at none."""
    return [next((fanin for fanin, drops in zip(FANINS, seed) if drops > 0), None) for seed in _losses(data, aqm)]


def _quotient(data):
    """How many times CoDel's fan-in ECN# bears without loss; None if CoDel bears all."""
    # Beyond the sweep counts as its end: the true quotient is at least this.
    pairs = zip(_first_losses(data, "ecnsharp"), _first_losses(data, "codel"))
    return mean([(ours or FANINS[-1]) / codel for ours, codel in pairs if codel])


def _detail(data):
    ours, codel, tail = (", ".join(str(first) if first else f"above {FANINS[-1]}" for first in _first_losses(data, aqm))
                         for aqm in ("ecnsharp", "codel", "red-tail"))
    others = ", ".join(map(str, data.values(case("codel", FANINS[0]), "drops")))
    return f"{ours} / {codel} senders, red at 275 KB {tail} (the paper's: as ECN#); beyond the drops at {FANINS[0]} ({others} under CoDel, a seed each), which are the other flows'"


def _figure(data):
    series, marked = {}, {}
    for aqm in AQMS:
        points = [(fanin, data.mean(case(aqm, fanin), "query.p99_us") / 1000, max(lost) > 0)
                  for fanin, lost in zip(FANINS, zip(*_losses(data, aqm)))]
        series[aqm] = [(fanin, ms) for fanin, ms, _ in points]
        marked[aqm] = [(fanin, ms) for fanin, ms, lost in points if lost]
    paper_value = paper.PAPER_VALUES["fanin"]
    return plot.Lines(
        name="incast", xlabel="query flows that start together", ylabel="query completion, p99, ms", series=series,
        marked=marked, marked_label="packets lost",
        verticals=[(paper_value.base, "paper: CoDel loses", "codel"), (paper_value.value, "paper: ECN# loses", "ecnsharp")])


def experiment(seeds):
    """For the demo and the report."""
    every = tuple(Run(case(aqm, fanin), "incast", (f"aqm={aqm}", f"fanin={fanin}"), seed, COST_S)
                  for seed in seeds for fanin in FANINS for aqm in AQMS)
    row = Row("fanin", "fan-in with the first loss, ECN# / CoDel", _quotient, _detail,
              tuple(case(aqm, fanin) for aqm in AQMS for fanin in FANINS))
    return Experiment("incast", every, (row,), (Figure(
        "incast", "Query completion time as more senders answer at once",
        "99th percentile of query completion at growing fan-in (Fig. 17); a cross says that more packets were dropped "
        f"than at {FANINS[0]}.",
        _figure, ("incast",)),))
