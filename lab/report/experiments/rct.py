# SPDX-License-Identifier: GPL-2.0
"""Request completion times beside background flows: On-Ramp's Fig. 9 to 14, 18 and 25."""

from dataclasses import dataclass

import plot
import onramp_paper
import verdict
from run_data import mean, within
from experiment import Column, Experiment, Grid, Figure, Row, digits, ratio_row, seeds as told_seeds
from experiments.senders import MARKED, TIGHT_US, WIDE_US, onramp, schemes
from runs import Run
from table import show, show_paper

COST_S = 35
T_US = TIGHT_US
HOLDING = ("onramp", "nic_comp", "final", "strawman")
# A least retransmission timeout as the paper's hosts have, 200 ms, is longer than a run: see SLOW.
COMMON = {"rto_min": "5ms", "duration": "100ms"}


@dataclass(frozen=True)
class Setting:
    """Traffic and network: what lab/run rct is told beside the hosts' qdisc."""

    name: str
    title: str
    words: tuple
    cost: float = 1     # of the plain one's
    once: bool = False  # with the first seed alone, where others have every one

    def case(self, scheme, threshold_us=T_US):
        """What holds nothing has no T, and one case for all of them."""
        if threshold_us == T_US or scheme not in HOLDING:
            return f"rct/{self.name}/{scheme}"
        return f"rct/{self.name}/{threshold_us}us" + ("" if scheme == "onramp" else f"-{scheme}")

    def run(self, scheme, seed, spec=None, words=()):
        """spec: what host= is, if the scheme's name does not say it."""
        return self._run(self.case(scheme), seed, spec or schemes(T_US)[scheme], words)

    def runs(self, names, seeds, threshold_us=T_US):
        return tuple(self._run(self.case(scheme, threshold_us), seed, schemes(threshold_us if scheme in HOLDING else T_US)[scheme])
                     for seed in seeds for scheme in names)

    def _run(self, case, seed, host, words=()):
        told = {**COMMON, **dict(word.split("=", 1) for word in self.words), "host": host}
        return Run(case, "rct", (*(f"{key}={value}" for key, value in told.items()), *words), seed, COST_S * self.cost)


CUBIC = Setting("cubic", "CUBIC", ("cc=cubic",))
BBR = Setting("bbr", "BBR", ("cc=bbr",))
# What the criteria are about: with every seed, and with what shows that On-Ramp's holds do it.
BOTH = (CUBIC, BBR)
CONTROLS = ("fq", "off", "strawman", "onramp")
# What is at the T of all that On-Ramp must do, too.
REQUIRED = {CUBIC: ("strawman", "onramp"), BBR: ("onramp",)}
LOAD60, LOAD80, BBR60, BBR80 = (Setting(f"{cc}-{load}", f"{cc.upper()}, {load} % load", (f"cc={cc}", f"load=0.{load // 10}"), load / 40)
                                for cc in ("cubic", "bbr") for load in (60, 80))
# Ten times the requests: a shorter run has enough.
OFTEN = Setting("often", "CUBIC, 2 KB incast at 20 %", ("cc=cubic", "request_load=0.20", "duration=30ms"), 2, True)
DCTCP = Setting("dctcp", "DCTCP, marked at 65 packets", ("cc=dctcp", *MARKED))
DCTCP60, DCTCP80 = (Setting(f"dctcp-{load}", f"DCTCP, {load} % load", ("cc=dctcp", f"load=0.{load // 10}", *MARKED), load / 40, True) for load in (60, 80))
HADOOP, *HADOOPS = (Setting(f"{case}{suffix}", f"{cc}, FB_Hadoop{title}", (f"cc={cc.lower()}", "workload=fbhadoop", *words), cost, case + suffix != "hadoop")
                    for cc, case in (("CUBIC", "hadoop"), ("BBR", "hadoop-bbr"))
                    for suffix, title, words, cost in (("", "", (), 1.5), ("-60", ", 60 % load", ("load=0.6",), 2.3), ("-80", ", 80 % load", ("load=0.8",), 3)))
HADOOP_DCTCP = Setting("hadoop-dctcp", "DCTCP, FB_Hadoop", ("cc=dctcp", "workload=fbhadoop", *MARKED), 1.5, True)
# Of so few, and so long, requests that a run must be longer.
BIG2, BIG20 = (Setting(f"big-{percent}", f"CUBIC, 500 KB incast at {percent} %",
                       ("cc=cubic", "request=500kb", f"request_load=0.{percent:02}", f"duration={duration}"), cost)
               for percent, duration, cost in ((2, "400ms", 4), (20, "200ms", 3)))
SHALLOW, DEEP = (Setting(f"buffer-{size}", f"CUBIC, buffer {show}", ("cc=cubic", f"buffer={size}")) for size, show in (("250kb", "250 KB"), ("4mb", "4 MB")))
# Linux's own least timeout, the paper's.
SLOW = Setting("rto-200ms", "CUBIC, rto_min 200 ms", ("cc=cubic", "rto_min=200ms"), 1.3)
# Of experiments that ask more than what is required.
LOADS, BIG, BUFFERS = (LOAD60, LOAD80, BBR60, BBR80, DCTCP60, DCTCP80, OFTEN, HADOOP, *HADOOPS, HADOOP_DCTCP), (BIG20, BIG2), (SHALLOW, DEEP, SLOW, DCTCP)

# The same traffic but for its load.
RISING, RISING_PERCENT = (CUBIC, LOAD60, LOAD80), "40, 60, 80"

CLOCK_ERRORS_US = (0, 1, 10, 30, 100, 300)

# What between() shows.
ENDS = "In brackets are the least and the most of three seeds; a line without has the first alone."
# Why a class's mean can be many times another's: said where that column is.
LATE_SYNS = ("A late SYN is a measured flow on a new connection that waited for a timeout and took over a second: TCP's first timeout is 1 s, "
             "whatever rto_min is. One such flow makes the mean of a class of some hundred that are done within a millisecond many times as long.")

RCT = (("mean", "requests.mean_us"), ("p90", "requests.p90_us"), ("p95", "requests.p95_us"), ("p99", "requests.p99_us"))
FCT = (("small", "flows.small.mean_us"), ("medium", "flows.medium.mean_us"), ("large", "flows.large.mean_us"))


@dataclass(frozen=True)
class Baseline:
    """On-Ramp at some T in a setting, and the hosts without it that it is compared with."""

    setting: Setting
    threshold_us: int = T_US
    base: str = "fq"

    @property
    def pair(self):
        """The case of On-Ramp and that of the others."""
        return self.setting.case("onramp", self.threshold_us), self.setting.case(self.base)

    @property
    def label(self):
        """Of a quotient."""
        return f"On-Ramp, T = {self.threshold_us} us / {self.base}"


def theirs(setting, threshold_us=WIDE_US):
    """As the paper has it: its T in the cloud, and Linux's default without On-Ramp, fq_codel for CUBIC and fq for BBR (footnote 6)."""
    return Baseline(setting, threshold_us, "fq" if setting is BBR else "fq_codel")


def pair(setting):
    """On-Ramp and fq, as all else here is told."""
    return Baseline(setting).pair


def _also(baseline):
    """Our own condition, beside the paper's."""
    return ((f"T = {T_US} us / fq:", *pair(baseline.setting)),)


def _rct_rows(baseline, paper_values):
    """paper_values: metric -> the paper's number."""
    return tuple(ratio_row(paper_value, f"{baseline.setting.title}: RCT, {name}, {baseline.label}", *baseline.pair, dict(RCT)[name], cause=_cause_rct(baseline),
                           also=_also(baseline)) for name, paper_value in paper_values.items())


def _fct_rows(baseline, paper_values, number="mean"):
    return tuple(ratio_row(paper_value, f"{baseline.setting.title}: {size} flows, {number}, {baseline.label}", *baseline.pair, f"flows.{size}.{number}_us",
                           cause=_cause_fct(baseline, size), also=_also(baseline)) for size, paper_value in paper_values.items())


def _count_row(baseline, paper_value, what, path, cause=None):
    """Of what On-Ramp may do away with altogether."""
    return ratio_row(paper_value, f"{baseline.setting.title}: {what}, {baseline.label}", *baseline.pair, path, unit=what.split(",")[-1].strip(),
                     judge=verdict.of_fewer, cause=cause or _cause_rct(baseline), also=_also(baseline))


def _cause_rct(baseline):
    def cause(data):
        drops, packets = ([data.mean(case, path) for case in reversed(baseline.pair)] for path in ("drops", "queue.mean_pkts"))
        return (f"switches drop {drops[0]:.0f} packets of a run under {baseline.base} and {drops[1]:.0f} under On-Ramp, and hold {packets[0]:.0f} and "
                f"{packets[1]:.0f} on average: all traffic here goes through one switch whose ports have 1 MB each unless the row says "
                "otherwise, and OWDs are exact to the clocks; the paper's cloud says neither its buffers nor its paths")
    return cause


def late_syns(data, cases):
    """How many each run had, without On-Ramp and with it."""
    return ["+".join(map(str, data.values(case, "late_syns"))) for case in reversed(cases)]


def _cause_fct(baseline, size):
    def cause(data):
        waits = [data.mean(case, "queue.mean_sojourn_us") for case in reversed(baseline.pair)]
        late, median = late_syns(data, baseline.pair), data.ratio(*baseline.pair, f"flows.{size}.p50_us")
        # Each adds at least a second to the sum of some class: what it is of a mean depends on whose it is.
        chance = (f"{late[0]} late SYNs under {baseline.base} and {late[1]} under On-Ramp, a second each in the sum of some class; "
                  if "".join(late).strip("0+") else "")
        return (f"{chance}the median, which they do not move, changes by {(median - 1) * 100:+.0f} %; a packet waits {waits[0]:.0f} us in a switch under "
                f"{baseline.base} and {waits[1]:.0f} us under On-Ramp on average, of which each of a flow's round trips gains")
    return cause


def _cause_suspect(baseline):
    """Of losses that remain though flows are held."""
    def cause(data):
        suspicions, told, samples = (data.mean(baseline.pair[0], f"sender_qdiscs.{name}") for name in ("suspicions", "suspect", "samples"))
        return (f"{_cause_rct(baseline)(data)}. Clocks are perfect, and yet paths became suspect {suspicions:.0f} times, in which {told:.0f} of "
                f"{samples:.0f} delays held nothing: on a path whose trip was never seen without a queue both ways, one that others keep up for two windows of 50 ms "
                "passes for a step of a clock")
    return cause


def _listed(numbers, show="{:.0f}"):
    """Of RISING, in its order."""
    return ", ".join("none" if number is None else show.format(number) for number in numbers)


def _rise(numbers):
    """How many times the first the last is; None without either."""
    least, *_, most = numbers
    return most / least if least and most else None


@dataclass(frozen=True)
class Rising:
    """Whether On-Ramp gains more at the highest load than at the least: all three are told, since the one between may be neither's."""

    baselines: tuple      # one of each of RISING

    def common(self, data):
        """Of the seeds that all of these have."""
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
    here, ours = Rising(tuple(map(theirs, RISING))), Rising(tuple(map(Baseline, RISING)))
    base = here.baselines[0].base

    def detail(data):
        free, held = map(_listed, here.means(data, path))
        return (f"at {RISING_PERCENT} % load {_listed(here.gains(data, path), '{:.2f}x')}: {base} {free} us, On-Ramp {held} us"
                f"{told_seeds(here.growths(data, path))}; T = {T_US} us / fq: {show('ratio', ours.growth(data, path))}")

    def cause(data):
        rise = [_listed([_rise(numbers)], "{:.2f}") for numbers in here.means(data, path)]
        waits, drops, late = (list(map(_listed, here.means(data, told))) for told in ("queue.mean_sojourn_us", "drops", "late_syns"))
        return (f"from the least load to the highest {base}'s number grows to {rise[0]} times itself and On-Ramp's to {rise[1]}; at {RISING_PERCENT} % load "
                f"a packet waits {waits[0]} us in the switch under {base} and {waits[1]} us under On-Ramp, the switch drops {drops[0]} and {drops[1]} packets of "
                f"a run; late SYNs, a second each in the sum of some class, are {late[0]} and {late[1]}")
    return Row(paper_value, f"CUBIC: {what}: {base} / On-Ramp, T = {WIDE_US} us, 80 % load / 40 % load", lambda data: here.growth(data, path), detail,
               tuple(case for baseline in reversed(here.baselines) for case in baseline.pair), verdict.of_direction, "direction", cause=cause,
               ratios=lambda data: here.growths(data, path))


def _load_rows():
    """What the paper says of loads above the basic scenario's."""
    return (*(_gain_row(f"loads-rct-{name}", f"RCT, {name}", path) for name, path in (RCT[0], RCT[-1])),
            *(_gain_row(f"loads-fct-{size}", f"{size} flows, mean", path) for size, path in FCT))


def _hadoop_rows():
    """Fig. 11, of which the text says no more than of all that it has."""
    baseline = theirs(HADOOP)
    return tuple(ratio_row(f"hadoop-{name}", f"{HADOOP.title}: {what}, {baseline.label}", *baseline.pair, path, judge=verdict.of_direction, kind="direction",
                           cause=cause, also=_also(baseline)) for name, what, path, cause in (
        ("rct-p99", "RCT, p99", "requests.p99_us", _cause_rct(baseline)), ("fct", "all flows, mean", "flows.all.mean_us", _cause_fct(baseline, "all"))))


def _rows():
    """What the paper prints of Fig. 9 to 14 and 25, by its own baseline and T."""
    cubic, bbr, metal = theirs(CUBIC), theirs(BBR), theirs(LOAD60, TIGHT_US)
    return (
        *_rct_rows(cubic, {name: f"rct-cubic-{name}" for name, _ in RCT}),
        *_fct_rows(cubic, {size: f"fct-cubic-{size}" for size, _ in FCT}),
        _count_row(cubic, "again-cubic", "sent again, % of segments", "retransmit_percent"),
        *_rct_rows(bbr, {"mean": "rct-bbr-least", "p99": "rct-bbr-most"}),
        *_fct_rows(bbr, {size: f"fct-bbr-{size}" for size, _ in FCT}),
        *_fct_rows(bbr, {size: f"fct-bbr-{size}-p95" for size in ("small", "medium")}, "p95"),
        _count_row(bbr, "again-bbr", "sent again, % of segments", "retransmit_percent"),
        *_hadoop_rows(), *_load_rows(),
        *(_count_row(baseline, paper_value, "timeouts", "timeouts", _cause_suspect(baseline)) for baseline, paper_value in ((theirs(BIG20), "timeouts-20"), (theirs(BIG2), "timeouts-2"))),
        *_rct_rows(metal, {"mean": "rct-60-least", "p99": "rct-60-most"}),
        *_fct_rows(metal, {size: f"fct-60-{size}" for size, _ in FCT}),
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
    told = onramp_paper.PAPER_VALUES[paper_value]
    number = show_paper("direction", told) if told.unit == "change" else f"{told.ratio:.3f}"
    title = settings[0].title if len(settings) == 1 else "CUBIC, 80 % load / 40 %"
    return f"{title}: {what} ({told.row}, paper {number})", (path, settings)


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
        "baselines", "What On-Ramp gains with CUBIC beside fq_codel and beside fq",
        f"On-Ramp's number over that of hosts without it, for each qdisc that these may have and for both T; in S3-11 the gain at 80 % load over that at 40 %. Means of "
        f"three seeds, in brackets the least and the most. T = {WIDE_US} us beside fq_codel is the paper's condition in its cloud, by which the rows above are judged; "
        f"on bare metal, S3-13, that is T = {TIGHT_US} us beside fq_codel.", "number",
        lines, tuple(Column(f"T = {threshold_us} us, {base}", _based(threshold_us, base), lambda told: within(*told)) for threshold_us, base in CONDITIONS),
        tuple(dict.fromkeys(setting.case(scheme, threshold_us) for *_, settings in BASED for setting in settings
                            for scheme, threshold_us in (("fq_codel", T_US), ("fq", T_US), ("onramp", WIDE_US), ("onramp", TIGHT_US)))))


def papers(seeds):
    """Fig. 9 to 14 and 25 by the paper's own baseline and T, and by ours."""
    settings = tuple(dict.fromkeys(setting for *_, settings in BASED for setting in settings))
    every = (*(run for setting in settings for run in (*setting.runs(("fq_codel", "fq", "onramp"), seeds), *setting.runs(("onramp",), seeds, WIDE_US))),
             *BBR.runs(("fq", "onramp"), seeds), *BBR.runs(("onramp",), seeds, WIDE_US))
    return Experiment("papers", every, _rows(), (), (_based_grid(),))


def _bars(name, baseline, metrics, names, what, paper_values):
    """Everything over the paper's baseline."""
    def figure(data):
        shown = [number for number, paper_value in enumerate(paper_values) if paper_value]
        return plot.Bars(
            name=name, ylabel=f"{what} / {baseline.base}'s", groups=[label for label, _ in metrics],
            series={scheme: [data.ratio(baseline.setting.case(scheme, baseline.threshold_us), baseline.pair[1], path) for _, path in metrics] for scheme in names},
            top=1.6, paper=[("onramp", number, paper_values[number]) for number in shown], line=1, line_label=baseline.base)
    return figure


def _figures(setting, names, fig, rct, fct):
    baseline = theirs(setting)
    cases = tuple(setting.case(scheme, baseline.threshold_us) for scheme in (*names, baseline.base))
    return (
        Figure(f"rct-{setting.name}", f"{setting.title}: time until a request's 40 answers are there, relative to {baseline.base}'s",
              f"Fig. {fig}a of the paper: 2 KB from each of 40 hosts, with background web-search flows at 40 % load; T = {baseline.threshold_us} us and {baseline.base}, as the "
              "paper has them. Below the line is faster; the diamonds are the paper's.", _bars(f"rct-{setting.name}", baseline, RCT, names, "RCT", rct), cases),
        Figure(f"fct-{setting.name}", f"{setting.title}: mean completion times of the background's flows, relative to {baseline.base}'s",
              f"Fig. {fig}b of the paper: up to 10 KB, up to 1 MB, and larger.", _bars(f"fct-{setting.name}", baseline, FCT, names, "FCT", fct), cases),
    )


QUOTED = {"cubic": ((1 / 2.6, 1 / 3.0, 1 / 3.1, 1 / 2.8), (0.79, 0.81, 0.93)), "bbr": ((1 / 4.2, None, None, 1 / 5.6), (0.72, 0.75, 1.0))}


def _clock_case(error_us):
    return CUBIC.case(f"clock-{error_us}us")


def _clock_runs(seed):
    """T is as far above the idle path's delay as Fig. 18 has it: by two standard deviations more."""
    for error_us in CLOCK_ERRORS_US:
        spec = onramp(T_US + 2 * error_us, error_us=max(1, 3 * error_us))
        yield CUBIC.run(f"clock-{error_us}us", seed, spec, ("clock=own", f"clock_error={error_us}us"))


def _clock_figure(data):
    return plot.Bars(
        name="clocks", ylabel="RCT / fq's", groups=[str(error_us) for error_us in CLOCK_ERRORS_US[:-1]] + [f"{CLOCK_ERRORS_US[-1]} us"],
        series={name: [data.ratio(_clock_case(error_us), CUBIC.case("fq"), path) for error_us in CLOCK_ERRORS_US]
                for name, path in (RCT[0], RCT[3])}, line=1, line_label="fq")


def between(ratios):
    """The mean of some quotients, and where there are several the least and the most."""
    return within(mean(ratios), ratios)


def _columns(seeds):
    def common(data, key):
        """Compared are the same seeds, of those asked for."""
        return data.only(set(data.seeds(key[0])) & set(data.seeds(key[1])) & set(seeds or data.seeds(key[0])))

    def over(path):
        return lambda data, key: common(data, key).ratios(key[1], key[0], path) or None

    def of(place, path):
        return lambda data, key: common(data, key).mean(key[place], path)

    def change(ratios):
        return f"{mean(ratios):.3f}"

    return (
        Column("RCT mean, us: fq", of(0, "requests.mean_us")), Column("here", of(1, "requests.mean_us")),
        Column("RCT p99, us: fq", of(0, "requests.p99_us")), Column("here", of(1, "requests.p99_us")), Column("p99 / fq's", over("requests.p99_us"), between),
        *(Column(f"{name} / fq's", over(path), between) for name, path in FCT),
        *(Column(f"{name}, median / fq's", over(path.replace("mean", "p50")), change) for name, path in FCT),
        Column("sent again, %: fq", of(0, "retransmit_percent")), Column("here", of(1, "retransmit_percent")),
        Column("drops: fq", of(0, "drops"), "{:.0f}".format), Column("here", of(1, "drops"), "{:.0f}".format),
        Column("timeouts: fq", of(0, "timeouts"), "{:.0f}".format), Column("here", of(1, "timeouts"), "{:.0f}".format),
        Column("late SYNs: fq", of(0, "late_syns"), digits), Column("here", of(1, "late_syns"), digits),
    )


def wide_grid(name, title, text, head, lines, seeds=()):
    """Of (label, (case of fq, case beside it)) pairs; of these seeds alone, if any are given."""
    return Grid(name, title, text, head, lines, _columns(seeds), tuple(dict.fromkeys(case for _, key in lines for case in key)))


def experiment(seeds):
    """For the report: Fig. 9 and 10, what shows that it is the holds, and the same with the T of all that On-Ramp must do."""
    every = (*(run for setting in BOTH for run in setting.runs(CONTROLS, seeds)),
             *(run for setting in BOTH for run in setting.runs(("onramp",), seeds, WIDE_US)), *CUBIC.runs(("strawman",), seeds, WIDE_US),
             *CUBIC.runs(("fq_codel",), seeds), *CUBIC.runs(("nic_comp",), seeds[:1]))
    figures = (*_figures(CUBIC, ("fq", "strawman", "onramp"), "9", *QUOTED["cubic"]), *_figures(BBR, ("off", "onramp"), "10", *QUOTED["bbr"]))

    def said(scheme, threshold_us):
        return plot.label(scheme) + (f", T = {threshold_us} us" if scheme in HOLDING else "")

    lines = tuple((f"{setting.title}, {said(scheme, threshold_us)}", (setting.case("fq"), setting.case(scheme, threshold_us)))
                  for setting, names in ((CUBIC, (*CONTROLS[1:], "nic_comp", "fq_codel")), (BBR, CONTROLS[1:])) for scheme in names
                  for threshold_us in ((WIDE_US, T_US) if scheme in REQUIRED[setting] else (T_US,)))
    return Experiment("rct", every, (), figures, (wide_grid(
        "rct", "Request completion, background flows and losses", f"Means of the seeds, nic_comp of one, each beside fq with the same seeds. What is required is so at "
        f"T = {WIDE_US} us. With mode off the same qdisc holds nothing, whatever T is. {ENDS} {LATE_SYNS}",
        "hosts", lines),))


def _wider(name, title, text, settings, seeds):
    """fq and On-Ramp in other settings."""
    every = tuple(run for setting in settings for run in setting.runs(("fq", "onramp"), seeds[:1] if setting.once else seeds))
    return Experiment(name, every, (), (), (wide_grid(
        name, title, f"{text} T = {T_US} us. Means of the seeds. {ENDS}", "setting", tuple((setting.title, pair(setting)[::-1]) for setting in settings)),))


def loads(seeds):
    """Fig. 11, 12, 14 and 25."""
    return _wider("loads", "Other loads and another workload", "2 KB incast at 2 %, but where 20 % are said: the paper has larger gains at higher loads (Fig. 12, "
                  f"25), of which the rows S3-11 above say where it is so here, and gains with FB_Hadoop's flows (Fig. 11). "
                  f"The switch marks DCTCP's packets from 65 on. {LATE_SYNS}", LOADS, seeds)


def big(seeds):
    """Fig. 13."""
    return _wider("big", "Requests of 500 KB from each host", f"Web search at 40 % beside incast at 20 and at 2 % (Fig. 13 of the paper). {LATE_SYNS}", BIG, seeds)


def buffers(seeds):
    """What the paper does not say of its network, and DCTCP."""
    return _wider("buffers", "Other buffers, Linux's own rto_min, and DCTCP", "Web search at 40 %, 2 KB incast at 2 %.", BUFFERS, seeds)


def clocks(seeds):
    """Fig. 18."""
    every, base = tuple(_clock_runs(seeds[0])), CUBIC.case("fq")
    return Experiment("clocks", (*CUBIC.runs(("fq",), seeds[:1]), *every), (), (Figure(
        "clocks", "What clocks that are off cost, CUBIC, relative to fq",
        "Fig. 18 of the paper: the hosts' clocks are off by a normal error with this standard deviation, and T is 50 us and twice that.", _clock_figure,
        (base, *(run.case for run in every))),), (wide_grid(
            "clocks", "How much clocks matter", "The hosts' clocks are off by a normal error; T is 50 us and twice its standard deviation. The first seed.",
            "standard deviation", tuple((f"{error_us} us", (base, _clock_case(error_us))) for error_us in CLOCK_ERRORS_US), seeds[:1]),))


def short(seeds):
    """For the demo: what holds nothing beside what does, by the paper's baseline and T."""
    every, rows, figures = [], [], []
    for baseline, fig, least, most in ((theirs(CUBIC), "9", "mean", "p99"), (theirs(BBR), "10", "least", "most")):
        setting = baseline.setting
        every += [*setting.runs((baseline.base, "off"), seeds), *setting.runs(("onramp",), seeds, baseline.threshold_us)]
        rows += [*_rct_rows(baseline, {"mean": f"rct-{setting.name}-{least}", "p99": f"rct-{setting.name}-{most}"}),
                 *_fct_rows(baseline, {size: f"fct-{setting.name}-{size}" for size, _ in FCT}),
                 _count_row(baseline, f"again-{setting.name}", "sent again, % of segments", "retransmit_percent")]
        figures.append(Figure(
            f"rct-{setting.name}", f"On-Ramp, {setting.title}: time until a request's 40 answers are there, relative to {baseline.base}'s",
            f"41 hosts; 2 KB from each of 40 hosts, with background web-search flows at 40 % load, T = {baseline.threshold_us} us (On-Ramp's Fig. {fig}a). Below the line is "
            "faster; the diamonds are the paper's. With mode off the same qdisc, which is a fair queue as fq is, holds nothing.",
            _bars(f"rct-{setting.name}", baseline, RCT, ("off", "onramp"), "RCT", QUOTED[setting.name][0]), (f"rct/{setting.name}",)))
    return Experiment("rct", tuple(every), tuple(rows), tuple(figures))
