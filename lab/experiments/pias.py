# SPDX-License-Identifier: GPL-2.0
"""An AQM under flow scheduling: the ECN# paper's Fig. 22.

With pias=on the bottleneck is prio with a band for each part of a flow, the first bytes' first, and the AQM in each
band; every sender demotes its flow's packets to the next band at the thresholds of `demote`, exactly (flowgen(1)).
Each band may hold `buffer` packets. With pias=off the AQM stands alone, and nobody demotes.

The paper gives no thresholds; with those of its authors' simulation all flows of up to 100 KB stay in the first band,
which carries so little that nothing waits in it; demote=10k,20k,30k lets them meet queues.

Every flow has a connection of its own, as in the paper's simulations: from a pool (conn=pool) a flow starts with the
window that the last one of its connection left, whatever band that ended in. `bands` is what each band sent, and the
payload that the flows' sizes put there.
"""

import os

from lab.experiments.shared import leafspine, link, owners
from lab.experiments.shared.settings import StarSetting, keys
from lab.host import aqm, pias
from lab.report import plot
from lab.report.experiment import Experiment, Figure, Run, extreme_row, ratio_row
from lab.report.paper_value import FABRIC, PaperValue
from lab.report.run_data import mean

SUMMARY = "PIAS: priority bands, flows demoted as they are sent (ECN# Fig. 22)"
ROWS = ("S0-22",)
KEYS = keys(senders="16", rtt="80us-240us") + pias.keys("on")


class Setting(StarSetting):
    """Poisson arrivals, scheduled by what a flow has sent."""

    aqm_setup = aqm.SIMULATION

    def __init__(self, p, seed):
        super().__init__(p, seed)
        self.bands = pias.Bands(p)

    def tc(self, port):
        return self.bands.tc(port, self.qdisc) if self.bands else super().tc(port)

    def groups(self):
        yield self.poisson() + self.bands.arguments()

    def more(self, raw, flows):
        return {"bands": self.bands.results([os.path.join(raw, "bottleneck.tc.json")], flows)} if self.bands else {}


# ECN# in the bands of PIAS: Fig. 22.

PAPER = {
    "pias-short": PaperValue(
        "S0-22", "22b", "5.4", f"{FABRIC}, web search", "short flows, mean FCT, PIAS with ECN# to PIAS",
        1 - 0.101, 1, "best", "ECN# can further optimize FCT for short flows by up to 10.1%"),
    "pias-overall": PaperValue(
        "S0-22", "22a", "5.4", f"{FABRIC}, web search", "all flows, mean FCT, PIAS with ECN# to PIAS",
        1, 1, "ratio", "ECN# does not impact the overall FCT of all flows"),
}


LOADS = ("0.5", "0.7", "0.9")
AQMS = ("ecnsharp", "tcn")
# Bytes after which a flow goes down a band: the authors' simulation's, which leave all short flows in the first
# band, and others within a short flow's 100 KB. The paper prints none.
DEMOTIONS = {"140k": "140k,280k,420k", "10k": "10k,20k,30k"}
DURATION_S, COST_S = 2, 15
FABRIC_LOAD = "0.9"
METRICS = (("short, mean", "flows.short.mean_us"), ("short, p99", "flows.short.p99_us"), ("all, mean", "flows.all.mean_us"))


def case(demotion, load, aqm):
    return f"pias/{demotion}/{load}/{aqm}"


def fabric_case(demotion, aqm):
    return f"pias-fabric/{demotion}/{aqm}"


def _ratio(data, demotion, load, path):
    return data.ratio(case(demotion, load, "ecnsharp"), case(demotion, load, "tcn"), path)


def _waits(data, where):
    """Wait of a byte in each band, us, mean over the seeds."""
    bands = [[band["mean_wait_us"] for band in result.document["bands"]] for result in data.results(where)]
    return [mean(column) for column in zip(*bands)]


def _sentence(data, over, under):
    waits = [", ".join(f"{wait:.3g}" for wait in _waits(data, where)) for where in (under, over)]
    return f"a packet waits {waits[0]} us in the four bands without ECN# and {waits[1]} us with it"


def _there(data, demotion, path):
    return leafspine.sentence(data, *(fabric_case(demotion, aqm) for aqm in AQMS), path, FABRIC_LOAD)


def _cause(demotion):
    def cause(data, load):
        pair = [case(demotion, load, aqm) for aqm in AQMS]
        return (f"{_sentence(data, *pair)}: what flows send in the first band waits little under either; "
                f"{_there(data, demotion, 'flows.short.mean_us')}")
    return cause


def _cause_all(demotion):
    """Flows that lose, the link's loss, and the change of the bands' queues."""
    def cause(data, load):
        pair = [case(demotion, load, aqm) for aqm in AQMS]
        return (f"{owners.sentence(data, *pair)}; {link.sentence(data, *pair)}; {_sentence(data, *pair)}; "
                f"{_there(data, demotion, 'flows.all.mean_us')}")
    return cause


def _fabric_rows(demotion):
    pair = tuple(fabric_case(demotion, aqm) for aqm in AQMS)
    title = f"PIAS on {leafspine.percent(FABRIC_LOAD)}, demotion at {_steps(demotion)}"

    def cause(data):
        return f"{_sentence(data, *pair)}, which is not all of it: what waits in the hosts' own queues was not measured"

    def cause_all(data):
        return f"{_sentence(data, *pair)}; {owners.sentence(data, *pair)}"
    return (ratio_row(PAPER["pias-short"], f"{title}: short flows' mean, with ECN# / without", *pair, "flows.short.mean_us", cause=cause),
            ratio_row(PAPER["pias-overall"], f"{title}: all flows' mean, with ECN# / without", *pair, "flows.all.mean_us", cause=cause_all))


def _steps(demotion):
    return DEMOTIONS[demotion].replace(",", ", ").replace("k", " KB")


def _rows(demotion):
    def cases(load):
        return tuple(case(demotion, load, aqm) for aqm in AQMS)

    def row(paper_value, label, choose, path, why):
        return extreme_row(PAPER[paper_value], f"PIAS on one port (paper: fabric), demotion at {_steps(demotion)}: {label}, with ECN# / without", choose, LOADS,
                           cases, path, cause=why)
    return (row("pias-short", "short flows' mean, best load", min, "flows.short.mean_us", _cause(demotion)),
            row("pias-overall", "all flows' mean, worst load", max, "flows.all.mean_us", _cause_all(demotion)))


def _figure(demotion):
    return lambda data: plot.Lines(
        name=f"pias-{demotion}", xlabel="load, %", ylabel="PIAS with ECN# / without",
        series={label: [(100 * float(load), _ratio(data, demotion, load, path)) for load in LOADS]
                for label, path in METRICS}, line=1, line_label="PIAS")


def experiment(seeds):
    """For the report."""
    every = tuple(Run(case(demotion, load, aqm), "pias",
                      (f"aqm={aqm}", f"demote={steps}", f"load={load}", f"duration={DURATION_S}s"), seed, COST_S * float(load))
                  for demotion, steps in DEMOTIONS.items() for load in LOADS for aqm in AQMS for seed in seeds)
    every += tuple(leafspine.run(fabric_case(demotion, aqm), FABRIC_LOAD, seeds[0], f"aqm={aqm}", "pias=on", f"demote={steps}")
                   for demotion, steps in DEMOTIONS.items() for aqm in AQMS)
    rows = tuple(row for make in (_rows, _fabric_rows) for demotion in DEMOTIONS for row in make(demotion))
    return Experiment("pias", every, rows, tuple(Figure(
        f"pias-{demotion}", f"What ECN# adds to PIAS that demotes at {steps.replace(',', ', ')}",
        "Fig. 22 of the paper: web search, four priority bands, in each TCN alone or ECN#.", _figure(demotion),
        (f"pias/{demotion}",)) for demotion, steps in DEMOTIONS.items()))
