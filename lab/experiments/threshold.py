# SPDX-License-Identifier: GPL-2.0
"""One marking threshold cannot serve all RTTs: the ECN# paper's Fig. 2 and 3."""

from lab.experiments.shared import alone
from lab.experiments.shared.settings import StarSetting, keys
from lab.experiments.shared.spreads import SPREADS
from lab.host import aqm
from lab.host.keys import Key, size
from lab.host.units import Refused
from lab.report import plot
from lab.report.experiment import Experiment, Figure, Run, ratio_row
from lab.report.paper_value import PaperValue, TESTBED

SUMMARY = "a single RED threshold at half load (ECN# Fig. 2, 3)"
ROWS = ("S0-2", "S0-3")
KEYS = keys(load="0.5", aqm="threshold", conn="pool") + [
    Key("threshold", "250k", size("3k", "100m"), "marking threshold of RED, 3k to 100m; Fig. 2 has 50k to 250k"),
]


class Setting(StarSetting):
    """As fct, with RED at one threshold in the place of an AQM."""

    def __init__(self, p, seed):
        if p["aqm"] != "threshold":
            raise Refused("aqm: this scenario is about RED's threshold; other qdiscs run in the scenario fct")
        super().__init__({**p, "aqm": aqm.red(p["threshold"], p["buffer"])}, seed)

    def groups(self):
        yield self.poisson()


# One marking threshold cannot serve all RTTs: Fig. 2 and 3.

PAPER = {
    "threshold-short": PaperValue(
        "S0-2", "2", "2.3", f"{TESTBED}, web search, 50 % load", "short flows, 99th percentile, 250 KB to 50 KB",
        581, 265, "us", "short flows suffer from 119.2% longer 99th percentile FCT (581us to 265us)"),
    "threshold-all": PaperValue(
        "S0-2", "2", "2.3", f"{TESTBED}, web search, 50 % load", "FCT, 100 KB to 250 KB",
        3701, 3426, "us", "using average RTT (100KB) causes 8% throughput degradation (3701us to 3426us)"),
    "spread2-all": PaperValue(
        "S0-3", "3", "2.3", f"{TESTBED} to 140 us, web search, 50 % load", "FCT, average to tail threshold",
        3375, 3163, "us", "the average RTT leads to 6.7% throughput loss (3375us to 3163us)"),
    "spread2-short": PaperValue(
        "S0-3", "3", "2.3", f"{TESTBED} to 140 us, web search, 50 % load", "short flows, p99, tail to average threshold",
        404, 287, "us", "increased from 41.1% (404us to 287us)"),
    "spread5-all": PaperValue(
        "S0-3", "3", "2.3", f"{TESTBED} to 350 us, web search, 50 % load", "FCT, average to tail threshold",
        4464, 3439, "us", "The gap increases to 29.8% (4464us to 3439us) when the RTT variation reaches 5x"),
    "spread5-short": PaperValue(
        "S0-3", "3", "2.3", f"{TESTBED} to 350 us, web search, 50 % load", "short flows, p99, tail to average threshold",
        995, 334, "us", "to 198.0% (995us to 334us) when the RTT variations rise from 2x to 5x"),
}


KILOBYTES = (50, 100, 150, 200, 250)
FOLDS = (2, 3, 5)
DURATION_S, COST_S = 5, 30
METRICS = {"short flows, p99": "flows.short.p99_us", "large flows, mean": "flows.large.mean_us",
           "all flows, mean": "flows.all.mean_us"}


# Thresholds of the runs of long flows alone: average and tail; Fig. 9's rows paper_value that for RED-AVG too.
ALONE_KB = {fold: tuple(sorted({SPREADS[fold].average_kb, SPREADS[fold].tail_kb} | ({80} if fold == 3 else set()))) for fold in FOLDS}


def case(fold, kilobytes):
    return f"threshold/{fold}/{kilobytes}"


def _average(fold):
    return case(fold, SPREADS[fold].average_kb)


def _tail(fold):
    return case(fold, SPREADS[fold].tail_kb)


def _runs(seeds):
    wanted = [(3, kilobytes) for kilobytes in KILOBYTES]
    wanted += [(fold, kilobytes) for fold in FOLDS if fold != 3
               for kilobytes in (SPREADS[fold].average_kb, SPREADS[fold].tail_kb)]
    made = [Run(case(fold, kilobytes), "threshold",
                (f"threshold={kilobytes}k", f"rtt={SPREADS[fold].rtt}", f"duration={DURATION_S}s"), seed, COST_S)
            for seed in seeds for fold, kilobytes in wanted]
    for fold, thresholds in ALONE_KB.items():
        made += alone.runs(fold, thresholds, seeds)
    return tuple(made)


def _thresholds(fold):
    """Average and tail, KB."""
    return SPREADS[fold].average_kb, SPREADS[fold].tail_kb


def _cause_large(fold):
    return alone.cause(fold, *_thresholds(fold), _average(fold), _tail(fold))


def _cause_short(paper_value, low, high):
    """Cause of the ratio of two cases, the lower threshold's first."""
    def cause(data):
        tops, slow = ([data.mean(where, path) for where in (low, high)]
                      for path in ("queue.p99_pkts", "flows.short.p99_us"))
        return (f"the queue's 99th percentile is {tops[0]:.0f} packets at the lower threshold and {tops[1]:.0f} at the higher; "
                f"the slowest short flows take {slow[1] - slow[0]:.0f} us longer there, and {slow[0]:.0f} us to begin with, the paper's "
                f"{PAPER[paper_value].base} us")
    return cause


def _rows():
    yield ratio_row(PAPER["threshold-short"], "RTTs 3x: short flows' p99, threshold 250 KB / 50 KB", case(3, 250), case(3, 50),
                    "flows.short.p99_us", cause=_cause_short("threshold-short", case(3, 50), case(3, 250)))
    yield ratio_row(PAPER["threshold-all"], "RTTs 3x: all flows' mean, threshold 100 KB / 250 KB", case(3, 100), case(3, 250),
                    "flows.all.mean_us", cause=_cause_large(3))
    for fold in (2, 5):
        yield ratio_row(PAPER[f"spread{fold}-all"], f"RTTs {fold}x: all flows' mean, average / tail threshold", _average(fold),
                        _tail(fold), "flows.all.mean_us", cause=_cause_large(fold))
        yield ratio_row(PAPER[f"spread{fold}-short"], f"RTTs {fold}x: short flows' p99, tail / average threshold", _tail(fold),
                        _average(fold), "flows.short.p99_us",
                        cause=_cause_short(f"spread{fold}-short", _average(fold), _tail(fold)))


def _by_threshold(data):
    return plot.Lines(
        name="threshold", xlabel="marking threshold, KB", ylabel="completion time / at 50 KB",
        series={label: [(kilobytes, data.ratio(case(3, kilobytes), case(3, 50), path)) for kilobytes in KILOBYTES]
                for label, path in METRICS.items()}, line=1, line_label="at 50 KB")


def _by_spread(data):
    def points(path):
        return [(fold, data.ratio(_tail(fold), _average(fold), path)) for fold in FOLDS]
    return plot.Lines(
        name="spread", xlabel="longest RTT / shortest", ylabel="tail threshold / average threshold",
        series={label: points(path) for label, path in METRICS.items()}, line=1, line_label="average threshold")


def experiment(seeds):
    """For the report."""
    return Experiment("threshold", _runs(seeds), tuple(_rows()), (
        Figure("threshold", "Completion times under RED as its one threshold grows", "Fig. 2 of the paper: web search at half "
              "load. Short flows wait longer as the threshold grows; what large flows win by it is what the paper's "
              "dilemma is about.", _by_threshold, ("threshold/3",)),
        Figure("spread", "The price of a threshold for the longest RTT, as RTTs spread", "Fig. 3 of the paper. Above the line "
              "the tail threshold is slower than the average one.", _by_spread, ("threshold",))), (alone.grid(ALONE_KB),))
