# SPDX-License-Identifier: GPL-2.0
"""ECN# in the bands of PIAS: Fig. 22."""

import figures
from exhibit import Exhibit, Plate, ratio_row
from runs import Run

LOADS = ("0.5", "0.7", "0.9")
AQMS = ("ecnsharp", "red-tail")
DURATION_S, COST_S = 3, 30


def case(load, aqm):
    return f"pias/{load}/{aqm}"


def _cause(load):
    def cause(evidence):
        tail, ours = (evidence.mean(case(load, aqm), "flows.short.mean_us") for aqm in ("red-tail", "ecnsharp"))
        wait, less = (evidence.mean(case(load, aqm), "queue.mean_sojourn_us") for aqm in ("red-tail", "ecnsharp"))
        return (f"short flows take {tail:.0f} us under PIAS with RED-Tail and {ours:.0f} us with ECN#, while all packets wait "
                f"{wait:.0f} and {less:.0f} us on average: they pass the queue that ECN# shortens in a band of their own")
    return cause




def _figure(evidence):
    metrics = (("short, mean", "flows.short.mean_us"), ("short, p99", "flows.short.p99_us"), ("all, mean", "flows.all.mean_us"))
    return figures.Lines(
        name="pias", xlabel="load, %", ylabel="PIAS with ECN# / with RED-Tail",
        series={label: [(100 * float(load), evidence.ratio(case(load, "ecnsharp"), case(load, "red-tail"), path))
                        for load in LOADS] for label, path in metrics}, line=1, line_label="PIAS")


def exhibit(seeds):
    """For the report."""
    every = tuple(Run(case(load, aqm), "pias", (f"aqm={aqm}", f"load={load}", f"duration={DURATION_S}s"), seed,
                      COST_S * float(load)) for load in LOADS for aqm in AQMS for seed in seeds)
    rows = tuple(row for load in ("0.9",) for row in (
        ratio_row("pias-short", f"PIAS at {float(load) * 100:.0f} %: short flows' mean, with ECN# / without", case(load, "ecnsharp"),
                  case(load, "red-tail"), "flows.short.mean_us", cause=_cause(load)),
        ratio_row("pias-overall", f"PIAS at {float(load) * 100:.0f} %: all flows' mean, with ECN# / without",
                  case(load, "ecnsharp"), case(load, "red-tail"), "flows.all.mean_us")))
    return Exhibit("pias", every, rows, (Plate(
        "pias", "What ECN# adds to PIAS", "Fig. 22 of the paper: web search, four priority bands; each band marks at RED-Tail's "
        "threshold or is ECN#.", _figure, ("pias",)),))
