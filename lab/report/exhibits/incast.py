# SPDX-License-Identifier: GPL-2.0
"""Query completion as more senders answer at once: Fig. 17."""

import figures
import paper
from evidence import mean
from exhibit import Exhibit, Plate, Row
from runs import Run

AQMS = ("ecnsharp", "red-tail", "codel")
FANINS = (25, 50, 75, 100, 125, 150, 175, 200)
COST_S = 3


def case(aqm, fanin):
    return f"incast/{aqm}/{fanin}"


def _first_losses(evidence, aqm):
    """Least fan-in of the sweep with a drop, one a seed; None if at none."""
    columns = [evidence.values(case(aqm, fanin), "drops") for fanin in FANINS]
    return [next((fanin for fanin, drops in zip(FANINS, seed) if drops), None) for seed in zip(*columns)]


def _quotient(evidence):
    """How many times CoDel's fan-in ECN# bears without loss; None if CoDel bears all."""
    # Beyond the sweep counts as its end: the true quotient is at least this.
    pairs = zip(_first_losses(evidence, "ecnsharp"), _first_losses(evidence, "codel"))
    return mean([(ours or FANINS[-1]) / codel for ours, codel in pairs if codel])


def _detail(evidence):
    words = []
    for aqm in ("ecnsharp", "codel"):
        losses = [str(first) if first else f"above {FANINS[-1]}" for first in _first_losses(evidence, aqm)]
        words.append(", ".join(dict.fromkeys(losses)))
    return " / ".join(words) + " senders"


def _figure(evidence):
    series, marked = {}, {}
    for aqm in AQMS:
        points = [(fanin, evidence.mean(case(aqm, fanin), "query.p99_us") / 1000,
                   evidence.mean(case(aqm, fanin), "drops")) for fanin in FANINS]
        series[aqm] = [(fanin, ms) for fanin, ms, _ in points]
        marked[aqm] = [(fanin, ms) for fanin, ms, lost in points if lost]
    quote = paper.QUOTES["fanin"]
    return figures.Lines(
        name="incast", xlabel="query flows that start together", ylabel="query completion, p99, ms", series=series,
        marked=marked, marked_label="packets lost",
        verticals=[(quote.base, "paper: CoDel loses", "codel"), (quote.value, "paper: ECN# loses", "ecnsharp")])


def exhibit(seeds):
    """For the demo and the report."""
    every = tuple(Run(case(aqm, fanin), "incast", (f"aqm={aqm}", f"fanin={fanin}"), seed, COST_S)
                  for seed in seeds for fanin in FANINS for aqm in AQMS)
    row = Row("fanin", "fan-in with the first loss, ECN# / CoDel", _quotient, _detail,
              tuple(case(aqm, fanin) for aqm in ("ecnsharp", "codel") for fanin in FANINS))
    return Exhibit("incast", every, (row,), (Plate(
        "incast", "Query completion time as more senders answer at once",
        "99th percentile of query completion at growing fan-in (Fig. 17); a cross says that packets were dropped.",
        _figure, ("incast",)),))
