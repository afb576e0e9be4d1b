# SPDX-License-Identifier: GPL-2.0
"""What a study is made of: its runs, the rows of its table, its figures. The demo's are here.

Rows and figures are data about runs by name; table.py, figures.py and page.py know none of them.
"""

import math
from dataclasses import dataclass
from typing import Callable

import figures
import paper
from runs import Run

MS = 10**6

# The budget. Wall time of one run, with another beside it, on two shared cores of about 2.5 GHz; what a
# study may cost is the sum over its runs divided by two.
#   batch       scenario  parameters common to the batch                     aqm                 s a run
FCT = ("ecnsharp", "red-tail", "red-avg", "codel")
MICRO = ("ecnsharp", "red-tail", "codel")
BATCHES = (
    ("websearch", "fct", "workload=websearch load=0.9 duration=5s", FCT, 45),
    ("datamining", "fct", "workload=datamining load=0.8 duration=10s", FCT, 50),
    ("queue", "queue", "", MICRO, 4),
)
FANINS = (25, 50, 75, 100, 125, 150, 175, 200)
INCAST = ("incast", "", MICRO, 3)

# Of the queue's trace: the paper's Fig. 16 shows 5 ms; ours begins as long before the burst.
BURST_AT_NS = 150 * MS
TRACE_NS = (BURST_AT_NS - 5 * MS, BURST_AT_NS + 8 * MS)


def demo_runs(seed=1):
    """The runs of `make demo`."""
    runs = []
    for batch, scenario, words, aqms, cost in BATCHES:
        for aqm in aqms:
            trace = TRACE_NS if scenario == "queue" else ()
            runs.append(Run(f"{batch}/{aqm}", scenario, (f"aqm={aqm}", *words.split()), seed, cost, trace))
    scenario, words, aqms, cost = INCAST
    for fanin in FANINS:
        for aqm in aqms:
            runs.append(Run(f"incast/{aqm}/{fanin}", scenario, (f"aqm={aqm}", f"fanin={fanin}", *words.split()),
                            seed, cost))
    return runs


def value(found, run, path):
    """A number of a run's JSON, such as flows.short.mean_us."""
    node = found[run].document
    for name in path.split("."):
        node = node[name]
    return node


def quotient(found, over, under, path):
    """None where either run has no such flows."""
    top, bottom = value(found, over, path), value(found, under, path)
    return top / bottom if top is not None and bottom else None


def first_trouble(found, aqm, path):
    """Least fan-in of the sweep at which path is above 0; None if at none."""
    for fanin in FANINS:
        if value(found, f"incast/{aqm}/{fanin}", path):
            return fanin
    return None


# The verdicts. A difference below NOISE is none: that much two seeds differ. An effect has the paper's size
# if, as a logarithm of the ratio, it is between 2/3 and 3/2 of the paper's; where the paper says "similar",
# SIMILAR is the issue's own limit.
NOISE = 0.03
SIMILAR = 0.05
SAME_SIZE, SAME, LARGER, SMALLER, NOT = (
    "same size", "same direction", "same direction, larger", "same direction, smaller", "not shown")


def judge_ratio(quote, ours):
    """Words for our ratio beside the paper's."""
    if ours is None or ours <= 0:
        return NOT
    if quote.ratio == 1:
        return SAME_SIZE if abs(ours - 1) <= SIMILAR else NOT
    want, have = math.log(quote.ratio), math.log(ours)
    if abs(ours - 1) < NOISE or want * have < 0:
        return NOT
    share = have / want
    return SMALLER if share < 2 / 3 else LARGER if share > 3 / 2 else SAME_SIZE


def judge_drops(quote, ours):
    """None stays none; some are some."""
    if not quote.value:
        return NOT if ours else SAME_SIZE
    if not ours:
        return NOT
    return SAME_SIZE if 2 / 3 <= ours / quote.value <= 3 / 2 else SAME


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    quote: str              # key in paper.QUOTES
    label: str
    ours: Callable          # found -> number or None
    detail: Callable        # found -> text: the numbers behind it
    judge: Callable = judge_ratio
    kind: str = "ratio"     # or "count"


def ratio_row(quote, label, over, under, path, scale=1, unit="us"):
    """The quotient of one number of two runs."""
    def detail(found):
        return " / ".join(f"{value(found, run, path) / scale:.4g}" if value(found, run, path) is not None else "none"
                          for run in (over, under)) + f" {unit}"
    return Row(quote, label, lambda found: quotient(found, over, under, path), detail)


def fct_rows(batch, short, title):
    """What the paper says of one workload; short is the prefix of its quotations."""
    ecn, tail, avg, codel = (f"{batch}/{aqm}" for aqm in FCT)
    rows = [
        ratio_row(f"{short}-short-mean", f"{title}: short flows, mean, ECN# / RED-Tail", ecn, tail,
                  "flows.short.mean_us"),
        ratio_row(f"{short}-short-p99", f"{title}: short flows, p99, ECN# / RED-Tail", ecn, tail, "flows.short.p99_us"),
        ratio_row("large-tail", f"{title}: large flows, ECN# / RED-Tail", ecn, tail, "flows.large.mean_us", 1000, "ms"),
        ratio_row(f"{short}-large-avg", f"{title}: large flows, ECN# / RED-AVG", ecn, avg,
                  "flows.large.mean_us", 1000, "ms"),
    ]
    if short == "ws":
        rows.append(ratio_row("ws-red-avg-large", f"{title}: large flows, RED-AVG / RED-Tail", avg, tail,
                              "flows.large.mean_us", 1000, "ms"))
    rows.append(ratio_row("short-codel", f"{title}: short flows, mean, ECN# / CoDel", ecn, codel,
                          "flows.short.mean_us"))
    return rows


def count_row(quote, label, run, path):
    return Row(quote, label, lambda found: value(found, run, path), lambda found: "", judge_drops, "count")


def fanin_quotient(found):
    """How many times CoDel's fan-in ECN# bears without loss, from the sweep; None if CoDel bears all."""
    ecn, codel = (first_trouble(found, aqm, "drops") for aqm in ("ecnsharp", "codel"))
    # Beyond the sweep counts as its end: the true quotient is at least this.
    return (ecn or FANINS[-1]) / codel if codel else None


def fanin_detail(found):
    words = []
    for aqm in ("ecnsharp", "codel"):
        first = first_trouble(found, aqm, "drops")
        words.append(str(first) if first else f"above {FANINS[-1]}")
    return " / ".join(words) + " senders"


DEMO_ROWS = (
    *fct_rows("websearch", "ws", "web search 90 %"),
    *fct_rows("datamining", "dm", "data mining 80 %"),
    ratio_row("standing", "standing queue, ECN# / RED-Tail", "queue/ecnsharp", "queue/red-tail", "standing.mean_pkts",
              unit="packets"),
    count_row("drops-ecnsharp", "burst of 100: packets dropped, ECN#", "queue/ecnsharp", "drops"),
    count_row("drops-codel", "burst of 100: packets dropped, CoDel", "queue/codel", "drops"),
    Row("fanin", "fan-in with the first loss, ECN# / CoDel", fanin_quotient, fanin_detail),
)


@dataclass(frozen=True)
class Plate:
    """A figure of a page: what it shows, how it is drawn, how to have it again."""

    name: str
    title: str              # says what is seen
    text: str               # what to look at
    figure: Callable        # found -> a description for figures.draw
    runs: Callable          # run name -> whether the figure shows it


def fct_figure(batch, short):
    metrics = (("short, mean", "flows.short.mean_us"), ("short, p99", "flows.short.p99_us"),
               ("large, mean", "flows.large.mean_us"), ("all, mean", "flows.all.mean_us"))
    quotes = paper.QUOTES

    def build(found):
        shown = [(label, path) for label, path in metrics if value(found, f"{batch}/red-tail", path) is not None]
        # RED-AVG's is quoted against ECN#'s, which the paper calls similar to RED-Tail's.
        known = {"flows.short.mean_us": ("ecnsharp", quotes[f"{short}-short-mean"].ratio),
                 "flows.short.p99_us": ("ecnsharp", quotes[f"{short}-short-p99"].ratio),
                 "flows.large.mean_us": ("red-avg", 1 / quotes[f"{short}-large-avg"].ratio)}
        return figures.Bars(
            name=batch, ylabel="completion time / RED-Tail's", groups=[label for label, _ in shown],
            series={aqm: [quotient(found, f"{batch}/{aqm}", f"{batch}/red-tail", path) for _, path in shown]
                    for aqm in FCT if aqm != "red-tail"},
            paper=[(known[path][0], index, known[path][1]) for index, (_, path) in enumerate(shown) if path in known],
            line=1, line_label="RED-Tail")
    return build


def queue_figure(found):
    marks = {"ecnsharp": (paper.QUOTES["standing"].value, "the paper's mean: 8"),
             "red-tail": (paper.QUOTES["standing"].base, "the paper's mean: 182")}
    series = {aqm: [((at - BURST_AT_NS) / MS, pkts) for at, pkts in thin(found[f"queue/{aqm}"].trace)] for aqm in MICRO}
    peak = max(pkts for points in series.values() for _, pkts in points)
    return figures.Traces(
        name="queue", xlabel="time after the burst, ms", ylabel="queue, packets", series=series, levels=marks,
        top=peak * 1.05, xrange=tuple((at - BURST_AT_NS) / MS for at in TRACE_NS))


def thin(points, step_ns=20_000):
    """The greatest of each step: a burst's peak stays in the figure."""
    best = {}
    for at, pkts in points:
        slot = at // step_ns
        if slot not in best or pkts > best[slot][1]:
            best[slot] = (at, pkts)
    return [best[slot] for slot in sorted(best)]


def incast_figure(found):
    series, marked = {}, {}
    for aqm in MICRO:
        points = [(fanin, value(found, f"incast/{aqm}/{fanin}", "query.p99_us") / 1000,
                   value(found, f"incast/{aqm}/{fanin}", "drops")) for fanin in FANINS]
        series[aqm] = [(fanin, ms) for fanin, ms, _ in points]
        marked[aqm] = [(fanin, ms) for fanin, ms, lost in points if lost]
    quote = paper.QUOTES["fanin"]
    return figures.Lines(
        name="incast", xlabel="query flows that start together", ylabel="query completion, p99, ms", series=series,
        marked=marked, marked_label="packets lost",
        verticals=[(quote.base, "paper: CoDel loses", "codel"), (quote.value, "paper: ECN# loses", "ecnsharp")])


def below(prefix):
    return lambda name: name.startswith(prefix + "/")


DEMO_PLATES = (
    Plate("websearch", "Flow completion times of web search at 90 % load, relative to RED-Tail",
          "Flow completion times at 90 % load, each divided by RED-Tail's. Below the line is faster. "
          "The diamonds are the paper's (Fig. 9: short flows of ECN# at 90 %, large flows of RED-AVG at 80 %).",
          fct_figure("websearch", "ws"), below("websearch")),
    Plate("datamining", "Flow completion times of data mining at 80 % load, relative to RED-Tail",
          "At 80 % load, as Fig. 10. Large flows are few here: their means rest on some dozens of flows.",
          fct_figure("datamining", "dm"), below("datamining")),
    Plate("queue", "The queue before, in and after a burst of 100 query flows",
          "The bottleneck's queue, long flows running throughout (Fig. 16). What stands before the burst delays every "
          "packet; what does not fit into the buffer (500 packets) is lost.",
          queue_figure, below("queue")),
    Plate("incast", "Query completion time as more senders answer at once",
          "99th percentile of query completion at growing fan-in (Fig. 17); a cross says that packets were dropped.",
          incast_figure, below("incast")),
)
