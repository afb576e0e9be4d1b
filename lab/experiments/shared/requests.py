# SPDX-License-Identifier: GPL-2.0
"""Request completion with background flows: the settings, baselines, rows and columns that several experiments share."""

from dataclasses import dataclass

from lab.experiments.shared.senders import MARKED, TIGHT_US, WIDE_US, schemes
from lab.report import verdict
from lab.report.experiment import Column, Grid, Run, digits, ratio_row
from lab.report.paper_value import PaperValue
from lab.report.run_data import mean, within

COST_S = 35
T_US = TIGHT_US
HOLDING = ("onramp", "nic_comp", "final", "strawman")
# A least retransmission timeout as the paper's hosts have, 200 ms, is longer than a run: see SLOW.
COMMON = {"rto_min": "5ms", "duration": "100ms"}


@dataclass(frozen=True)
class Setting:
    """Traffic and network: arguments of lab/run rct other than the hosts' qdisc."""

    name: str
    title: str
    arguments: tuple
    cost: float = 1     # of the plain one's
    once: bool = False  # with the first seed alone, where others have every one

    def case(self, scheme, threshold_us=T_US):
        """Name of a case; a scheme that holds nothing has no T, and one case for all."""
        if threshold_us == T_US or scheme not in HOLDING:
            return f"rct/{self.name}/{scheme}"
        return f"rct/{self.name}/{threshold_us}us" + ("" if scheme == "onramp" else f"-{scheme}")

    def run(self, scheme, seed, spec=None, arguments=()):
        """spec: what host= is, if the scheme's name does not say it."""
        return self._run(self.case(scheme), seed, spec or schemes(T_US)[scheme], arguments)

    def runs(self, names, seeds, threshold_us=T_US):
        return tuple(self._run(self.case(scheme, threshold_us), seed, schemes(threshold_us if scheme in HOLDING else T_US)[scheme])
                     for seed in seeds for scheme in names)

    def _run(self, case, seed, host, arguments=()):
        parameters = {**COMMON, **dict(argument.split("=", 1) for argument in self.arguments), "host": host}
        return Run(case, "rct", (*(f"{key}={value}" for key, value in parameters.items()), *arguments), seed, COST_S * self.cost)


CUBIC = Setting("cubic", "CUBIC", ("cc=cubic",))
BBR = Setting("bbr", "BBR", ("cc=bbr",))
# Runs of the criteria: with every seed, and with what shows that On-Ramp's holds do it.
BOTH = (CUBIC, BBR)
LOAD60, LOAD80, BBR60, BBR80 = (Setting(f"{cc}-{load}", f"{cc.upper()}, {load} % load", (f"cc={cc}", f"load=0.{load // 10}"), load / 40)
                                for cc in ("cubic", "bbr") for load in (60, 80))
# Ten times the requests: a shorter run has enough.
OFTEN = Setting("often", "CUBIC, 2 KB incast at 20 %", ("cc=cubic", "request_load=0.20", "duration=30ms"), 2, True)
DCTCP = Setting("dctcp", "DCTCP, marked at 65 packets", ("cc=dctcp", *MARKED))
DCTCP60, DCTCP80 = (Setting(f"dctcp-{load}", f"DCTCP, {load} % load", ("cc=dctcp", f"load=0.{load // 10}", *MARKED), load / 40, True) for load in (60, 80))
HADOOP, *HADOOPS = (Setting(f"{case}{suffix}", f"{cc}, FB_Hadoop{title}", (f"cc={cc.lower()}", "workload=fbhadoop", *arguments), cost, case + suffix != "hadoop")
                    for cc, case in (("CUBIC", "hadoop"), ("BBR", "hadoop-bbr"))
                    for suffix, title, arguments, cost in (("", "", (), 1.5), ("-60", ", 60 % load", ("load=0.6",), 2.3), ("-80", ", 80 % load", ("load=0.8",), 3)))
HADOOP_DCTCP = Setting("hadoop-dctcp", "DCTCP, FB_Hadoop", ("cc=dctcp", "workload=fbhadoop", *MARKED), 1.5, True)
# Requests so few and so long that a run must be longer.
BIG2, BIG20 = (Setting(f"big-{percent}", f"CUBIC, 500 KB incast at {percent} %",
                       ("cc=cubic", "request=500k", f"request_load=0.{percent:02}", f"duration={duration}"), cost)
               for percent, duration, cost in ((2, "400ms", 4), (20, "200ms", 3)))
SHALLOW, DEEP = (Setting(f"buffer-{size}", f"CUBIC, buffer {show}", ("cc=cubic", f"buffer={size}")) for size, show in (("250k", "250 KB"), ("4m", "4 MB")))
# Linux's own least timeout, the paper's.
SLOW = Setting("rto-200ms", "CUBIC, rto_min 200 ms", ("cc=cubic", "rto_min=200ms"), 1.3)
# Paper values of experiments beyond the criteria.
LOADS, BIG, BUFFERS = (LOAD60, LOAD80, BBR60, BBR80, DCTCP60, DCTCP80, OFTEN, HADOOP, *HADOOPS, HADOOP_DCTCP), (BIG20, BIG2), (SHALLOW, DEEP, SLOW, DCTCP)
# Values that between() shows.
ENDS = "Brackets have the lowest and highest of three seeds; lines without brackets have the first seed alone."
# Why a class's mean can be many times another's: explained where that column is.
LATE_SYNS = ("A late SYN is a measured flow on a new connection that waited for a timeout and took over a second: TCP's first timeout is 1 s, "
             "regardless of rto_min. One such flow multiplies the mean of a class of some hundred flows that end within a millisecond.")
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
        """Name of a quotient."""
        return f"On-Ramp, T = {self.threshold_us} us / {self.base}"


def theirs(setting, threshold_us=WIDE_US):
    """As the paper has it: its T in the cloud, and Linux's default without On-Ramp, fq_codel for CUBIC and fq for BBR (footnote 6)."""
    return Baseline(setting, threshold_us, "fq" if setting is BBR else "fq_codel")


def pair(setting):
    """On-Ramp and fq, as everywhere here."""
    return Baseline(setting).pair


def measured(baseline):
    """Our own condition, in addition to the paper's."""
    return ((f"T = {T_US} us / fq:", *pair(baseline.setting)),)


def rct_rows(baseline, paper_values):
    """paper_values: metric -> PaperValue."""
    return tuple(ratio_row(paper_value, f"{baseline.setting.title}: RCT, {name}, {baseline.label}", *baseline.pair, dict(RCT)[name], cause=cause_rct(baseline),
                           also=measured(baseline)) for name, paper_value in paper_values.items())


def fct_rows(baseline, paper_values, number="mean"):
    return tuple(ratio_row(paper_value, f"{baseline.setting.title}: {size} flows, {number}, {baseline.label}", *baseline.pair, f"flows.{size}.{number}_us",
                           cause=cause_fct(baseline, size), also=measured(baseline)) for size, paper_value in paper_values.items())


def count_row(baseline, paper_value, what, path, cause=None):
    """A row of a number that On-Ramp may reduce to none."""
    return ratio_row(paper_value, f"{baseline.setting.title}: {what}, {baseline.label}", *baseline.pair, path, unit=what.split(",")[-1].strip(),
                     judge=verdict.of_fewer, cause=cause or cause_rct(baseline), also=measured(baseline))


def cause_rct(baseline):
    def cause(data):
        drops, packets = ([data.mean(case, path) for case in reversed(baseline.pair)] for path in ("drops", "queue.mean_pkts"))
        return (f"switches drop {drops[0]:.0f} packets of a run under {baseline.base} and {drops[1]:.0f} under On-Ramp, and hold {packets[0]:.0f} and "
                f"{packets[1]:.0f} on average: all traffic here goes through one switch whose ports have 1 MB each unless the row says "
                "otherwise, and OWDs are exact to the clocks; the paper's cloud says neither its buffers nor its paths")
    return cause


def late_syns(data, cases):
    """How many each run had, without On-Ramp and with it."""
    return ["+".join(map(str, data.values(case, "late_syns"))) for case in reversed(cases)]


def cause_fct(baseline, size):
    def cause(data):
        waits = [data.mean(case, "queue.mean_sojourn_us") for case in reversed(baseline.pair)]
        late, median = late_syns(data, baseline.pair), data.ratio(*baseline.pair, f"flows.{size}.p50_us")
        # Each adds at least a second to the sum of some class: what it is of a mean depends on whose it is.
        chance = (f"{late[0]} late SYNs under {baseline.base} and {late[1]} under On-Ramp, a second each in the sum of some class; "
                  if "".join(late).strip("0+") else "")
        return (f"{chance}the median, which they do not move, changes by {(median - 1) * 100:+.0f} %; a packet waits {waits[0]:.0f} us in a switch under "
                f"{baseline.base} and {waits[1]:.0f} us under On-Ramp on average, of which each of a flow's round trips gains")
    return cause


def cause_suspect(baseline):
    """Cause of losses that remain although flows are held."""
    def cause(data):
        suspicions, suspect, samples = (data.mean(baseline.pair[0], f"sender_qdiscs.{name}") for name in ("suspicions", "suspect", "samples"))
        return (f"{cause_rct(baseline)(data)}. Clocks are perfect, and yet paths became suspect {suspicions:.0f} times, in which {suspect:.0f} of "
                f"{samples:.0f} delays held nothing: on a path whose trip was never seen without a queue both ways, one that others keep up for two windows of 50 ms "
                "passes for a step of a clock")
    return cause


def between(ratios):
    """The mean of some quotients, and where there are several the least and the most."""
    return within(mean(ratios), ratios)


def _columns(seeds):
    def common(data, key):
        """Compared are the same seeds, of those that were requested."""
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
    """A grid of (label, (case of fq, case compared with it)) pairs; of these seeds alone, if any are given."""
    return Grid(name, title, text, head, lines, _columns(seeds), tuple(dict.fromkeys(case for _, key in lines for case in key)))


def rct_value(row, figure, section, setup, what, times, says):
    return PaperValue(row, figure, section, setup, f"request completion, {what}, On-Ramp to without", 1 / times, 1, "times", says)


def fct_value(row, figure, section, setup, what, percent, says):
    return PaperValue(row, figure, section, setup, f"{what}, On-Ramp to without", 1 - percent / 100, 1, "ratio of means", says)
