# SPDX-License-Identifier: GPL-2.0
"""ECN# in the bands of PIAS: Fig. 22."""

import figures
from evidence import mean
from exhibit import Exhibit, Plate, extreme_row
from exhibits import fabric, link, owners
from runs import Run

LOADS = ("0.5", "0.7", "0.9")
AQMS = ("ecnsharp", "tcn")
# Bytes after which a flow goes down a band: the authors' simulation's, which leave all short flows in the first
# band, and others within a short flow's 100 KB. The paper prints none.
DEMOTIONS = {"140kb": "140kb,280kb,420kb", "10kb": "10kb,20kb,30kb"}
DURATION_S, COST_S = 2, 15
METRICS = (("short, mean", "flows.short.mean_us"), ("short, p99", "flows.short.p99_us"), ("all, mean", "flows.all.mean_us"))


def case(demotion, load, aqm):
    return f"pias/{demotion}/{load}/{aqm}"


def _ratio(evidence, demotion, load, path):
    return evidence.ratio(case(demotion, load, "ecnsharp"), case(demotion, load, "tcn"), path)


def _waits(evidence, where):
    """Of a byte in each band, us, mean over the seeds."""
    bands = [[band["mean_wait_us"] for band in result.document["bands"]] for result in evidence.results(where)]
    return [mean(column) for column in zip(*bands)]


def _cause(demotion):
    def cause(evidence, load):
        waits = [", ".join(f"{wait:.3g}" for wait in _waits(evidence, case(demotion, load, aqm))) for aqm in ("tcn", "ecnsharp")]
        return (f"a packet waits {waits[0]} us in the four bands without ECN# and {waits[1]} us with it: what flows "
                f"send in the first band waits little under either; {fabric.SUSPECT}")
    return cause


def _cause_all(demotion):
    """Who loses it, what the link loses, and how the last band's queue changes; why is not measured."""
    def cause(evidence, load):
        pair = case(demotion, load, "ecnsharp"), case(demotion, load, "tcn")
        tcn, ours = (_waits(evidence, where)[-1] for where in reversed(pair))
        return (f"{owners.told(evidence, *pair)}; {link.told(evidence, *pair)}; a packet waits {tcn:.0f} us in the last band without ECN# and "
                f"{ours:.0f} us with it; {fabric.SUSPECT}")
    return cause


def _rows(demotion):
    steps = DEMOTIONS[demotion].replace(",", ", ").replace("kb", " KB")

    def cases(load):
        return tuple(case(demotion, load, aqm) for aqm in AQMS)

    def row(quote, label, choose, path, why):
        return extreme_row(quote, f"PIAS on one port (paper: fabric), demotion at {steps}: {label}, with ECN# / without", choose, LOADS,
                           cases, path, cause=why)
    return (row("pias-short", "short flows' mean, best load", min, "flows.short.mean_us", _cause(demotion)),
            row("pias-overall", "all flows' mean, worst load", max, "flows.all.mean_us", _cause_all(demotion)))


def _figure(demotion):
    return lambda evidence: figures.Lines(
        name=f"pias-{demotion}", xlabel="load, %", ylabel="PIAS with ECN# / without",
        series={label: [(100 * float(load), _ratio(evidence, demotion, load, path)) for load in LOADS]
                for label, path in METRICS}, line=1, line_label="PIAS")


def exhibit(seeds):
    """For the report."""
    every = tuple(Run(case(demotion, load, aqm), "pias",
                      (f"aqm={aqm}", f"demote={steps}", f"load={load}", f"duration={DURATION_S}s"), seed, COST_S * float(load))
                  for demotion, steps in DEMOTIONS.items() for load in LOADS for aqm in AQMS for seed in seeds)
    return Exhibit("pias", every, _rows("140kb") + _rows("10kb"), tuple(Plate(
        f"pias-{demotion}", f"What ECN# adds to PIAS that demotes at {steps.replace(',', ', ')}",
        "Fig. 22 of the paper: web search, four priority bands, in each TCN alone or ECN#.", _figure(demotion),
        (f"pias/{demotion}",)) for demotion, steps in DEMOTIONS.items()))
