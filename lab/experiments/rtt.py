# SPDX-License-Identifier: GPL-2.0
"""Gain by the spread of RTTs: Fig. 11."""

from lab.experiments.fct import WEBSEARCH, cause_tail
from lab.experiments.shared.spreads import SPREADS
from lab.host.aqm import red
from lab.report import plot, verdict
from lab.report.experiment import Experiment, Figure, Run, extreme_row, ratio_row
from lab.report.paper_value import PaperValue, TESTBED

PAPER = {
    "rtt3-short": PaperValue(
        "S0-11", "11b", "5.2", f"{TESTBED}, web search, 90 % load", "short flows, p99, ECN# to RED-Tail, RTTs 3x",
        3287, 5242, "us", "up to 37.3% (5242us to 3287us at 90% load) lower FCT when the RTT variation is 3x"),
    "rtt4-short": PaperValue(
        "S0-11", "11b", "5.2", f"{TESTBED} to 280 us, web search", "short flows, p99, ECN# to RED-Tail, RTTs 4x",
        1 - 0.712, 1, "best", "The advantage is enlarged to 71.2% and 73.4% when the variation is 4x and 5x"),
    "rtt5-short": PaperValue(
        "S0-11", "11b", "5.2", f"{TESTBED} to 350 us, web search", "short flows, p99, ECN# to RED-Tail, RTTs 5x",
        1 - 0.734, 1, "best", "The advantage is enlarged to 71.2% and 73.4% when the variation is 4x and 5x"),
    "rtt5-overall": PaperValue(
        "S0-12", "11a", "5.2", f"{TESTBED} to 350 us, web search", "all flows, mean FCT, ECN# to RED-Tail, worst load",
        2854, 2650, "us", "the FCT degradation is within 7.6%(2854us to 2650us at 30% load)"),
}


LOADS = ("0.3", "0.5", "0.7", "0.9")
FOLDS = (3, 4, 5)
BUFFER_PKTS = 2000


def case(fold, load, aqm):
    """RTTs of 3-fold spread are those of Fig. 9: the same runs."""
    return WEBSEARCH.case(load, aqm) if fold == 3 else f"rtt/{fold}/{load}/{aqm}"


def _runs(seeds):
    yield from WEBSEARCH.runs(LOADS, ("ecnsharp", "red-tail"), seeds)
    for fold in FOLDS[1:]:
        spread = SPREADS[fold]
        for aqm, spec in (("ecnsharp", spread.ecnsharp()), ("red-tail", red(spread.tail_kb * 1000, BUFFER_PKTS))):
            for load in LOADS:
                for seed in seeds:
                    yield Run(case(fold, load, aqm), "fct",
                              (f"aqm={spec}", f"rtt={spread.rtt}", "workload=websearch", f"load={load}",
                               f"duration={WEBSEARCH.duration_s}s"), seed, 2 + WEBSEARCH.cost_s * float(load))


def _ratio(data, fold, load, path):
    return data.ratio(case(fold, load, "ecnsharp"), case(fold, load, "red-tail"), path)


def _cases(fold):
    return lambda load: (case(fold, load, "ecnsharp"), case(fold, load, "red-tail"))


def _best_row(fold):
    """The paper says "up to", not at which load: compared is the best of these loads."""
    return extreme_row(PAPER[f"rtt{fold}-short"], f"RTTs {fold}x: short flows' p99, best load, ECN# / RED-Tail", min, LOADS,
                       _cases(fold), "flows.short.p99_us",
                       cause=lambda data, load: cause_tail(case(fold, load, "red-tail"), case(fold, load, "ecnsharp"))(data))


def _overall_row():
    return extreme_row(PAPER["rtt5-overall"], "RTTs 5x: all flows, worst load, ECN# / RED-Tail", max, LOADS,
                       _cases(5), "flows.all.mean_us",
                       judge=verdict.of_bound, kind="bound")


def _figure(number, path, label):
    def figure(data):
        return plot.Lines(
            name=f"rtt-{number}", xlabel="load, %", ylabel=f"{label}, ECN# / RED-Tail",
            series={f"RTTs {fold}x": [(100 * float(load), _ratio(data, fold, load, path)) for load in LOADS]
                    for fold in FOLDS}, line=1, line_label="RED-Tail")
    return figure


def experiment(seeds):
    """For the report."""
    rows = (ratio_row(PAPER["rtt3-short"], "RTTs 3x: short flows' p99 at 90 %, ECN# / RED-Tail", case(3, "0.9", "ecnsharp"),
                      case(3, "0.9", "red-tail"), "flows.short.p99_us",
                      cause=cause_tail(case(3, "0.9", "red-tail"), case(3, "0.9", "ecnsharp")),
                      repeats="web search 90 %: short flows, p99, ECN# / RED-Tail"),
            _best_row(4), _best_row(5), _overall_row())
    cases = ("rtt", *(WEBSEARCH.case(load, aqm) for load in LOADS for aqm in ("ecnsharp", "red-tail")))
    return Experiment("rtt", tuple(_runs(seeds)), rows, (
        Figure("rtt-all", "All flows as RTTs spread further", "Fig. 11a of the paper: web search.",
              _figure(0, "flows.all.mean_us", "all flows, mean"), cases),
        Figure("rtt-short", "Short flows' 99th percentile as RTTs spread further", "Fig. 11b of the paper: web search. Each "
              "spread has the thresholds that its own average and 90th percentile call for.",
              _figure(1, "flows.short.p99_us", "short flows, p99"), cases)))
