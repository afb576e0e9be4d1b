# SPDX-License-Identifier: GPL-2.0
"""One marking threshold cannot serve all RTTs: Fig. 2 and 3."""

import plot
import paper
from experiment import Experiment, Figure, ratio_row
from experiments import alone
from experiments.spreads import SPREADS
from runs import Run

KILOBYTES = (50, 100, 150, 200, 250)
FOLDS = (2, 3, 5)
DURATION_S, COST_S = 5, 30
METRICS = {"short flows, p99": "flows.short.p99_us", "large flows, mean": "flows.large.mean_us",
           "all flows, mean": "flows.all.mean_us"}


# Of the runs of long flows alone: average and tail; Fig. 9's rows paper_value that for RED-AVG too.
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
                (f"threshold={kilobytes}kb", f"rtt={SPREADS[fold].rtt}", f"duration={DURATION_S}s"), seed, COST_S)
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
    """Of two cases, the lower threshold's first."""
    def cause(data):
        tops, slow = ([data.mean(where, path) for where in (low, high)]
                      for path in ("queue.p99_pkts", "flows.short.p99_us"))
        return (f"the queue's 99th percentile is {tops[0]:.0f} packets at the lower threshold and {tops[1]:.0f} at the higher; "
                f"the slowest short flows take {slow[1] - slow[0]:.0f} us longer there, and {slow[0]:.0f} us to begin with, the paper's "
                f"{paper.PAPER_VALUES[paper_value].base} us")
    return cause


def _rows():
    yield ratio_row("threshold-short", "RTTs 3x: short flows' p99, threshold 250 KB / 50 KB", case(3, 250), case(3, 50),
                    "flows.short.p99_us", cause=_cause_short("threshold-short", case(3, 50), case(3, 250)))
    yield ratio_row("threshold-all", "RTTs 3x: all flows' mean, threshold 100 KB / 250 KB", case(3, 100), case(3, 250),
                    "flows.all.mean_us", cause=_cause_large(3))
    for fold in (2, 5):
        yield ratio_row(f"spread{fold}-all", f"RTTs {fold}x: all flows' mean, average / tail threshold", _average(fold),
                        _tail(fold), "flows.all.mean_us", cause=_cause_large(fold))
        yield ratio_row(f"spread{fold}-short", f"RTTs {fold}x: short flows' p99, tail / average threshold", _tail(fold),
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
