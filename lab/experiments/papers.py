# SPDX-License-Identifier: GPL-2.0
"""Request completion by the On-Ramp paper's own baseline and T, and by this project's: its Fig. 9 to 14 and 25."""

from dataclasses import dataclass

from lab.experiments import rct
from lab.experiments.shared.requests import (BBR, BIG2, BIG20, Baseline, CUBIC, FCT, HADOOP, LOAD60, LOAD80, RCT, T_US,
                                             cause_fct, cause_rct, cause_suspect, count_row, fct_rows, fct_value, measured, rct_rows,
                                             rct_value, theirs)
from lab.experiments.shared.senders import TIGHT_US, WIDE_US
from lab.report import verdict
from lab.report.experiment import Column, Experiment, Grid, Row, ratio_row, seeds as spread_of
from lab.report.paper_value import CLOUDLAB, GCP, PaperValue
from lab.report.run_data import mean, within
from lab.report.table import show, show_paper

BARE = f"{CLOUDLAB}, CUBIC, web search 60 %, 2 KB incast 2 %"
_13 = "the total number of timeouts is reduced by 21x and 13x in the cases of 20% and 2% incast load respectively"
_14 = "the mean and tail RCTs of an incast request improves by 2.3x - 4.1x"
_14B = "improved by 23%, 20%, 4% across flows of small, medium and large sizes respectively"
_11 = "In all three environments, On-Ramp also improves the flow completion time of non-incast background traffic"
_11A = "On the Google Cloud Platform, On-Ramp improves the 99th percentile request completion time (RCT) of incast traffic"
_12 = "The performance gains achieved by On-Ramp are larger under higher loads"


def _hadoop(what, says):
    """A value of Fig. 11, for which the text has no number of its own."""
    return PaperValue("S3-10", "11", "abstract, 5.2.1", f"{GCP}, CUBIC, FB_Hadoop 40 %, 2 KB incast 2 %", f"{what}, On-Ramp to without", 0.9, 1, "change", says)


def _loads(what):
    return PaperValue("S3-11", "12, 25", "5.2.1", f"{GCP}, CUBIC, web search 40 to 80 %, 2 KB incast 2 %", f"{what}, the gain at 80 % load to that at 40 %", 1.1, 1,
                 "change", _12)


PAPER = {
    **rct.PAPER,
    "hadoop-rct-p99": _hadoop("request completion, 99th percentile", _11A),
    "hadoop-fct": _hadoop("all flows of the background, mean", _11),
    **{f"loads-rct-{name}": _loads(f"request completion, {name}") for name in ("mean", "p99")},
    **{f"loads-fct-{size}": _loads(f"{size} flows, mean") for size in ("small", "medium", "large")},
    "timeouts-20": PaperValue("S3-12", "13", "5.2.1", f"{GCP}, CUBIC, web search 40 %, 500 KB incast 20 %", "TCP timeouts, On-Ramp to without",
                         1 / 21, 1, "times", _13),
    "timeouts-2": PaperValue("S3-12", "13", "5.2.1", f"{GCP}, CUBIC, web search 40 %, 500 KB incast 2 %", "TCP timeouts, On-Ramp to without",
                        1 / 13, 1, "times", _13),
    "rct-60-least": rct_value("S3-13", "14a", "5.2.2", BARE, "the least gain", 2.3, _14),
    "rct-60-most": rct_value("S3-13", "14a", "5.2.2", BARE, "the greatest gain", 4.1, _14),
    "fct-60-small": fct_value("S3-13", "14b", "5.2.2", BARE, "small flows, mean", 23, _14B),
    "fct-60-medium": fct_value("S3-13", "14b", "5.2.2", BARE, "medium flows, mean", 20, _14B),
    "fct-60-large": fct_value("S3-13", "14b", "5.2.2", BARE, "large flows, mean", 4, _14B),
}


# The same traffic but for its load.
RISING, RISING_PERCENT = (CUBIC, LOAD60, LOAD80), "40, 60, 80"


def _listed(numbers, show="{:.0f}"):
    """Numbers of RISING's settings as text, in its order."""
    return ", ".join("none" if number is None else show.format(number) for number in numbers)


def _rise(numbers):
    """How many times the first the last is; None without either."""
    least, *_, most = numbers
    return most / least if least and most else None


@dataclass(frozen=True)
class Rising:
    """Whether On-Ramp gains more at the highest load than at the least: all three are reported, as the middle one may differ."""

    baselines: tuple      # one of each of RISING

    def common(self, data):
        """Data of the seeds that all of these have."""
        return data.only(set.intersection(*(set(data.seeds(case)) for baseline in self.baselines for case in baseline.pair)))

    def gains(self, data, path):
        """How many times as long the number is without On-Ramp as with it, at each load; None without both."""
        ratios = (self.common(data).ratio(*baseline.pair, path) for baseline in self.baselines)
        return [1 / ratio if ratio else None for ratio in ratios]

    def growth(self, data, path):
        """From the least load to the highest."""
        return _rise(self.gains(data, path))

    def growths(self, data, path):
        """The same, one a seed."""
        each = (self.growth(data.only({seed}), path) for seed in self.common(data).seeds(self.baselines[0].pair[0]))
        return [number for number in each if number is not None]

    def means(self, data, path):
        """Without On-Ramp and with it, at each load."""
        return [[self.common(data).mean(case, path) for case in cases] for cases in reversed(tuple(zip(*(baseline.pair for baseline in self.baselines))))]


def _gain_row(paper_value, what, path):
    here, measured = Rising(tuple(map(theirs, RISING))), Rising(tuple(map(Baseline, RISING)))
    base = here.baselines[0].base

    def detail(data):
        free, held = map(_listed, here.means(data, path))
        return (f"at {RISING_PERCENT} % load {_listed(here.gains(data, path), '{:.2f}x')}: {base} {free} us, On-Ramp {held} us"
                f"{spread_of(here.growths(data, path))}; T = {T_US} us / fq: {show('ratio', measured.growth(data, path))}")

    def cause(data):
        rise = [_listed([_rise(numbers)], "{:.2f}") for numbers in here.means(data, path)]
        waits, drops, late = (list(map(_listed, here.means(data, path))) for path in ("queue.mean_sojourn_us", "drops", "late_syns"))
        return (f"from the least load to the highest {base}'s number grows to {rise[0]} times itself and On-Ramp's to {rise[1]}; at {RISING_PERCENT} % load "
                f"a packet waits {waits[0]} us in the switch under {base} and {waits[1]} us under On-Ramp, the switch drops {drops[0]} and {drops[1]} packets of "
                f"a run; late SYNs, a second each in the sum of some class, are {late[0]} and {late[1]}")
    return Row(PAPER[paper_value], f"CUBIC: {what}: {base} / On-Ramp, T = {WIDE_US} us, 80 % load / 40 % load", lambda data: here.growth(data, path), detail,
               tuple(case for baseline in reversed(here.baselines) for case in baseline.pair), verdict.of_direction, "direction", cause=cause,
               ratios=lambda data: here.growths(data, path))


def _load_rows():
    """Rows of loads above the basic scenario's."""
    return (*(_gain_row(f"loads-rct-{name}", f"RCT, {name}", path) for name, path in (RCT[0], RCT[-1])),
            *(_gain_row(f"loads-fct-{size}", f"{size} flows, mean", path) for size, path in FCT))


def _hadoop_rows():
    """Fig. 11, of which the text says no more than of all that it has."""
    baseline = theirs(HADOOP)
    return tuple(ratio_row(PAPER[f"hadoop-{name}"], f"{HADOOP.title}: {what}, {baseline.label}", *baseline.pair, path, judge=verdict.of_direction, kind="direction",
                           cause=cause, also=measured(baseline)) for name, what, path, cause in (
        ("rct-p99", "RCT, p99", "requests.p99_us", cause_rct(baseline)), ("fct", "all flows, mean", "flows.all.mean_us", cause_fct(baseline, "all"))))


def _rows():
    """Rows of Fig. 9 to 14 and 25, by the paper's own baseline and T."""
    cubic, bbr, metal = theirs(CUBIC), theirs(BBR), theirs(LOAD60, TIGHT_US)
    return (
        *rct_rows(cubic, {name: PAPER[f"rct-cubic-{name}"] for name, _ in RCT}),
        *fct_rows(cubic, {size: PAPER[f"fct-cubic-{size}"] for size, _ in FCT}),
        count_row(cubic, PAPER["again-cubic"], "sent again, % of segments", "retransmit_percent"),
        *rct_rows(bbr, {"mean": PAPER["rct-bbr-least"], "p99": PAPER["rct-bbr-most"]}),
        *fct_rows(bbr, {size: PAPER[f"fct-bbr-{size}"] for size, _ in FCT}),
        *fct_rows(bbr, {size: PAPER[f"fct-bbr-{size}-p95"] for size in ("small", "medium")}, "p95"),
        count_row(bbr, PAPER["again-bbr"], "sent again, % of segments", "retransmit_percent"),
        *_hadoop_rows(), *_load_rows(),
        *(count_row(baseline, PAPER[paper_value], "timeouts", "timeouts", cause_suspect(baseline)) for baseline, paper_value in ((theirs(BIG20), "timeouts-20"), (theirs(BIG2), "timeouts-2"))),
        *rct_rows(metal, {"mean": PAPER["rct-60-least"], "p99": PAPER["rct-60-most"]}),
        *fct_rows(metal, {size: PAPER[f"fct-60-{size}"] for size, _ in FCT}),
    )


# The rows of CUBIC that have a baseline: (the paper's number, what, path, settings: of several by what the gain grows from the first to the last).
BASED = (
    *((f"rct-cubic-{name}", f"RCT, {name}", path, (CUBIC,)) for name, path in RCT),
    *((f"fct-cubic-{size}", f"{size} flows, mean", path, (CUBIC,)) for size, path in FCT),
    ("again-cubic", "sent again", "retransmit_percent", (CUBIC,)),
    ("hadoop-rct-p99", "RCT, p99", "requests.p99_us", (HADOOP,)), ("hadoop-fct", "all flows, mean", "flows.all.mean_us", (HADOOP,)),
    *((f"loads-rct-{name}", f"RCT, {name}", path, RISING) for name, path in (RCT[0], RCT[-1])),
    *((f"loads-fct-{size}", f"{size} flows, mean", path, RISING) for size, path in FCT),
    ("timeouts-20", "timeouts", "timeouts", (BIG20,)), ("timeouts-2", "timeouts", "timeouts", (BIG2,)),
    *((f"rct-60-{which}", f"RCT, {name}", path, (LOAD60,)) for which, (name, path) in (("least", RCT[0]), ("most", RCT[-1]))),
    *((f"fct-60-{size}", f"{size} flows, mean", path, (LOAD60,)) for size, path in FCT),
)
CONDITIONS = tuple((threshold_us, base) for threshold_us in (WIDE_US, TIGHT_US) for base in ("fq_codel", "fq"))


def _based_line(paper_value, what, path, settings):
    value = PAPER[paper_value]
    number = show_paper("direction", value) if value.unit == "change" else f"{value.ratio:.3f}"
    title = settings[0].title if len(settings) == 1 else "CUBIC, 80 % load / 40 %"
    return f"{title}: {what} ({value.row}, paper {number})", (path, settings)


def _based(threshold_us, base):
    """A cell: the mean of the quotients, the least and the most."""
    def number(data, key):
        path, settings = key
        baselines = tuple(Baseline(setting, threshold_us, base) for setting in settings)
        if len(baselines) == 1:
            ratios = data.ratios(*baselines[0].pair, path)
            return (mean(ratios), ratios) if ratios else None
        rising = Rising(baselines)
        growth = rising.growth(data, path)
        return (growth, rising.growths(data, path)) if growth else None
    return number


def _based_grid():
    lines = tuple(_based_line(*based) for based in BASED)
    return Grid(
        "baselines", "Gain of On-Ramp with CUBIC, compared with fq_codel and fq",
        f"The numbers are On-Ramp's over those of hosts without it, for both qdiscs of these and for both T; in S3-11 the gain at 80 % load over that at 40 %. Means of "
        f"three seeds, in brackets the least and the most. T = {WIDE_US} us compared with fq_codel is the paper's condition in its cloud, by which the rows above are judged; "
        f"on bare metal, S3-13, that is T = {TIGHT_US} us compared with fq_codel.", "number",
        lines, tuple(Column(f"T = {threshold_us} us, {base}", _based(threshold_us, base), lambda ratio: within(*ratio)) for threshold_us, base in CONDITIONS),
        tuple(dict.fromkeys(setting.case(scheme, threshold_us) for *_, settings in BASED for setting in settings
                            for scheme, threshold_us in (("fq_codel", T_US), ("fq", T_US), ("onramp", WIDE_US), ("onramp", TIGHT_US)))))


def experiment(seeds):
    """Fig. 9 to 14 and 25 by the paper's own baseline and T, and by this project's."""
    settings = tuple(dict.fromkeys(setting for *_, settings in BASED for setting in settings))
    every = (*(run for setting in settings for run in (*setting.runs(("fq_codel", "fq", "onramp"), seeds), *setting.runs(("onramp",), seeds, WIDE_US))),
             *BBR.runs(("fq", "onramp"), seeds), *BBR.runs(("onramp",), seeds, WIDE_US))
    return Experiment("papers", every, _rows(), (), (_based_grid(),))
