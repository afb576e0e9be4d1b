# SPDX-License-Identifier: GPL-2.0
"""A port whose ECN thresholds acc-tuner chooses, compared with static ones: ACC, Yan et al., SIGCOMM 2021.

Senders around one switch send Poisson arrivals of the workload to one receiver, and `long` flows that last the whole duration. The
daemon runs in the switch's namespace as it would on a router, on the lab's clock; its CPU costs no time there. `aqm` is what the queue
has without it: the names secn0, secn1, secn2 (the paper's static settings, as times at 10 Gbit/s), vendor and vendor-storage (vendors'),
ramp-TIME (marks with a probability that grows from 0 at 6.5 us to 1 at that time), or what the other scenarios take. With tuner=follow and the others
these thresholds are in force for the first tenth of a second, and for `share` percent of the time.

The controls spoil the network, or the way from it to the queue, and must be worse than it: permuted (another template than the one
that it chose), negated (the worst template is chosen), frozen (it sees means instead of the queue), untrained, shuffled (it was
trained with rewards of other times), chance (templates at random, as often as the network takes them, by tc, without the daemon).

With tuner=online the daemon trains the network of `model` while it uses it, with tuner=learn one of random weights. The network at the end of
the run is result/learned.accm in the folder of lab/run's --keep, and can be the model of other runs; the result has its SHA-256.

With cc=dcqcn flows are as in the scenario probabilistic, and need a deep buffer: buffer=40000.
"""

import math
from dataclasses import dataclass

from lab.experiments.shared.settings import StarSetting, keys
from lab.experiments.shared.tuned import Tuned
from lab.host import acc, dcqcn, results
from lab.host.keys import Key, choice, number, size
from lab.host.units import Refused
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, Run, ratio_row
from lab.report.paper_value import CLOS, STORAGE, PaperValue
from lab.report.run_data import mean

SUMMARY = "one port whose ECN thresholds acc-tuner chooses, 7 senders to 1 receiver (ACC)"
ROWS = ("S1-12", "S1-13")
CC = ("dctcp", "cubic", "reno", "bbr", "dcqcn")
# Keys that only cc=dcqcn has, without the ramp: here aqm= is that.
PACED = tuple(key for key in dcqcn.KEYS if key.name in ("rp", "burst"))
KEYS = [
    *(Key("cc", "dctcp", choice(*CC), f"congestion control: {', '.join(CC)}") if key.name == "cc" else key for key in keys(aqm="secn2", conn="pool")),
    *acc.KEYS,
    Key("long", "0", number(0, 1024), "flows that last the whole duration, in addition to those that arrive"),
    Key("depth", "0", number(0, 1024), "workers, each of which requests a flow when its last has ended; load=0.001 leaves them alone"),
    Key("lo", "1k", size("1b", "1g"), "bytes of a worker's smallest request"),
    Key("hi", "64k", size("1b", "1g"), "bytes of its largest"),
    *PACED,
]
# Ranges of one worker, as flowgen takes them.
MOST = 100_000
STANDARD = {key.name: key.parse(key.default) for key in PACED}


class TunedSetting(Tuned, StarSetting):
    """A star with thresholds at its bottleneck that may be tuned."""

    def __init__(self, p, seed, paced=False):
        self.paced = p["cc"] == "dcqcn"
        memory = ""
        if self.paced or paced:
            p = {**p, "host": dcqcn.HOST}
            memory = dcqcn.memory(p)
        elif changed := [name for name, value in STANDARD.items() if p[name] != value]:
            raise Refused(f"{changed[0]}: only with cc=dcqcn")
        if self.paced:
            self.trips = dcqcn.TRIPS
            p = {**p, "conn": "new"}
        super().__init__({**p, "aqm": acc.aqm(p["aqm"], memory)}, seed)
        acc.check(p, self.qdisc)
        self.tuner = acc.Tuner(p, seed, self.star.ports["bottleneck"][1])

    def own(self):
        """Settings of a group that its congestion control needs."""
        return dcqcn.arguments(self.p) if self.paced else ""

    def more(self, raw, flows):
        return {**(dcqcn.figures(raw, flows) if self.paced else {}), **self.tuner.figures(raw)}


class Setting(TunedSetting):
    """Poisson arrivals, long flows, and workers."""

    def __init__(self, p, seed):
        if p["lo"] > p["hi"]:
            raise Refused("lo: must not be above hi")
        super().__init__(p, seed)

    def groups(self):
        p = self.p
        yield self.poisson() + self.own()
        if p["long"]:
            yield f"group long kind=long {self.common()}{self.own()} flows={p['long']} until={p['duration']}ns"
        if p["depth"]:
            yield (f"group workers kind=closed {self.common()}{self.own()} conn={p['conn']} depth={p['depth']} count={self.requests()} "
                   f"lo={p['lo']} hi={p['hi']} until={p['duration']}ns")

    def requests(self):
        """More than a worker can have in the time: each takes an RTT, and all together the link's rate."""
        p = self.p
        alone = p["duration"] // min(self.star.rtts_ns) + 1
        equal = p["duration"] * p["rate"] // (4 * 10**9 * (p["lo"] + p["hi"]) * p["depth"])
        return min(MOST, alone, 10 * equal + 100)

    def more(self, raw, flows):
        p, found = self.p, super().more(raw, flows)
        if p["long"]:
            size = sum(flow.bytes for flow in flows if flow.group == "long")
            found["long_gbps"] = results.quotient(8 * size, p["duration"])
        if p["depth"]:
            ended = [flow for flow in flows if flow.group == "workers" and flow.fct_ns is not None and flow.start_ns + flow.fct_ns <= p["duration"]]
            found["requests_per_s"] = results.quotient(len(ended) * 10**9, p["duration"])
        return found


# The report's part: all settings in each condition.

PAPER = {
    "all-secn1": PaperValue("S1-11", "12a", "5.4", CLOS, "all flows, mean FCT, ACC to SECN1", 1 - 0.058, 1, "best",
                            "to SECN1, ACC achieves 5.8% lower overall average FCT at 90% load"),
    "all-secn2": PaperValue("S1-11", "12a", "5.4", CLOS, "all flows, mean FCT, ACC to SECN2", 1 - 0.166, 1, "best",
                            "Compared to SECN2, ACC achieves 16.6% lower overall average FCT"),
    "short-secn1": PaperValue("S1-12", "12b", "5.4", CLOS, "mice, mean FCT, ACC to SECN1", 1 - 0.057, 1, "best",
                              "ACC reduces the average and 99th percentile FCT for mice flows by up to 5.7% and 15.8% at 90% load"),
    "p99-secn1": PaperValue("S1-12", "12c", "5.4", CLOS, "mice, 99th percentile FCT, ACC to SECN1", 1 - 0.158, 1, "best",
                            "ACC reduces the average and 99th percentile FCT for mice flows by up to 5.7% and 15.8% at 90% load"),
    "short-secn2": PaperValue("S1-12", "12b", "5.4", CLOS, "mice, mean FCT, ACC to SECN2", 1 - 0.173, 1, "best",
                              "Compared to SECN2, ACC achieves 17.3% and 47.5% lower average FCT and 99th percentile FCT"),
    "p99-secn2": PaperValue("S1-12", "12c", "5.4", CLOS, "mice, 99th percentile FCT, ACC to SECN2", 1 - 0.475, 1, "best",
                            "Compared to SECN2, ACC achieves 17.3% and 47.5% lower average FCT and 99th percentile FCT"),
    "large-secn2": PaperValue("S1-13", "12d", "5.4", CLOS, "elephants, mean FCT, ACC to SECN2", 1 - 0.044, 1, "best",
                              "compared to SECN2, ACC presents 4.4% lower average FCT for elephant flows at 90% load"),
    "queue-secn1": PaperValue("S1-5", "7c", "5.2", "2 senders, 1 receiver, 25G, 60 % load", "mean queue, ACC to SECN1", 5.6, 20.4, "KB",
                              "the average queue size of ACC is 5.6KB [...] of SECN1 are 20.4KB and 49.6KB, and for SECN2 they are 37.5KB"),
    "queue-secn2": PaperValue("S1-5", "7c", "5.2", "2 senders, 1 receiver, 25G, 60 % load", "mean queue, ACC to SECN2", 5.6, 37.5, "KB",
                              "the average queue size of ACC is 5.6KB [...] of SECN1 are 20.4KB and 49.6KB, and for SECN2 they are 37.5KB"),
    "iops": PaperValue("S1-7", "9c", "5.3.1", f"{STORAGE}, VDI, IO depth 128", "requests a second, ACC to SECN", 1.153, 1, "best",
                       "For IOdepth of 128, ACC increases 15.3% IOPS"),
    "backup-iops": PaperValue("S1-8", "9f", "5.3.1", f"{STORAGE}, file backup", "requests a second, ACC to SECN", 1.3, 1, "best",
                              "For the FileBackup (Figure 9(f)), the improvement of IOPS for ACC is as large as 30% compared to the static ECN setting"),
}

@dataclass(frozen=True)
class Condition:
    """Traffic that settings are compared under."""

    name: str
    title: str
    arguments: tuple
    cost_s: float
    group: str          # title of its bars; empty: it is in the table of all conditions alone, with the settings of BASES
    rate: str = "flows.large.mean_us"   # what large flows get: a time, or of endless flows a rate

    def case(self, setting):
        return f"tune/{self.name}/{setting}"


DCQCN, NEAR = ("cc=dcqcn", "buffer=40000"), ("rtt=8us",)
CONDITIONS = (
    Condition("ws80", "DCTCP, web search 80 %", ("load=0.8", "duration=1s"), 9, "web search, high load"),
    Condition("ws50", "DCTCP, web search 50 %", ("load=0.5", "duration=600ms"), 4, "web search, middling load"),
    Condition("long", "DCTCP, 4 long flows and web search 20 %", ("load=0.2", "long=4", "duration=300ms"), 4, "long flows", "long_gbps"),
    Condition("paced50", "DCQCN, web search 50 %", (*DCQCN, "load=0.5", "duration=300ms"), 6, "DCQCN"),
    Condition("dm80", "DCTCP, data mining 80 %", ("workload=datamining", "load=0.8", "duration=2s"), 18, ""),
    Condition("paced80", "DCQCN, web search 80 %", (*DCQCN, "load=0.8", "duration=500ms"), 12, ""),
    Condition("paced-dm70", "DCQCN, data mining 70 %", (*DCQCN, "workload=datamining", "load=0.7", "duration=1s"), 20, ""),
    Condition("paced-long", "DCQCN, 4 long flows and web search 20 %", (*DCQCN, "load=0.2", "long=4", "duration=300ms"), 6, "", "long_gbps"),
    Condition("near-ws80", "DCTCP, web search 80 %, RTT 8 us", (*NEAR, "load=0.8", "duration=1s"), 9, ""),
    Condition("near-ws50", "DCTCP, web search 50 %, RTT 8 us", (*NEAR, "load=0.5", "duration=600ms"), 4, ""),
    Condition("near-long", "DCTCP, 4 long flows and web search 20 %, RTT 8 us", (*NEAR, "load=0.2", "long=4", "duration=300ms"), 4, "", "long_gbps"),
    Condition("near-paced50", "DCQCN, web search 50 %, RTT 8 us", (*NEAR, *DCQCN, "load=0.5", "duration=300ms"), 6, ""),
)
BEST = "ramp-420us"
RAMPS = tuple(f"ramp-{time}us" for time in (52, 150, 210, 420, 840))
PUBLISHED = {
    "secn0": "SECN0: step at 5.8 us", "secn1": "SECN1: 1.6/64 us 1 %", "secn2": "SECN2: 32/128 us 20 %",
    "vendor": "a vendor's guide: 2.2/48 us 30 %", "vendor-storage": "a vendor's, storage: 9.6/86 us 10 %",
}
OTHERS = {
    "ecnsharp": ("ECN#, preset testbed", "ecnsharp"), "rule": ("ECN#, rule of RTTs", "ecnsharp rtt_avg 110us rtt_tail 200us"),
    "tcn": ("TCN 85 us", "ecnsharp ins_target 85us persistent off"), "codel-ce": ("CoDel, ce_threshold 200 us", "codel-ce"),
}
# With the thresholds of BEST as well, and other marks by chance: what two runs of one setting differ by.
OBSERVED = {"observe": "6.5/420 us 100 % again, acc-tuner observes: chance alone"}
TUNED = {"follow": "acc-tuner, policy follow", "ddqn": "acc-tuner, policy ddqn"}
CONTROLS = {
    "permuted": "control: templates permuted", "negated": "control: values negated", "shuffled": "control: trained with shuffled rewards",
    "frozen": "control: features frozen at their means", "chance": "control: the network's templates at random",
}
SETTINGS = {
    **{name: (title, (f"aqm={name}",)) for name, title in PUBLISHED.items()},
    **{name: (title, (f"aqm={spec}",)) for name, (title, spec) in OTHERS.items()},
    **{name: (f"static ramp, 6.5/{name.removeprefix('ramp-').removesuffix('us')} us 100 %", (f"aqm={name}",)) for name in RAMPS},
    **{name: (title, (f"aqm={BEST}", f"tuner={name}")) for name, title in {**OBSERVED, **TUNED, **CONTROLS}.items()},
}
STATICS = (*PUBLISHED, *OTHERS, *RAMPS)
# Settings that are compared in each condition.
BASES = ("secn1", "secn2", *RAMPS)
COMPARED = (*BASES, *OBSERVED, *TUNED)


def cost(data, condition, setting):
    """J: half the logarithm of short flows' mean, and of large flows', or minus that of long flows' goodput; mean of the seeds."""
    case = condition.case(setting)
    if not data.knows(case):
        return None
    sign = -1 if condition.rate == "long_gbps" else 1
    pairs = zip(data.values(case, "flows.short.mean_us"), data.values(case, condition.rate))
    return mean([None if None in pair else (math.log(pair[0]) + sign * math.log(pair[1])) / 2 for pair in pairs])


def oracle(data, condition):
    """The static setting of the lowest J."""
    known = {setting: number for setting in STATICS if (number := cost(data, condition, setting)) is not None}
    return min(known, key=known.get)


def loss(data, condition, setting, base=None):
    """By how much a setting is worse than the oracle, or than another setting, as a fraction."""
    numbers = [cost(data, condition, name) for name in (setting, base or oracle(data, condition))]
    return None if None in numbers else math.exp(numbers[0] - numbers[1]) - 1


def known(data):
    """Conditions of which there are runs."""
    return [condition for condition in CONDITIONS if data.knows(condition.case(BEST))]


def whole(data):
    """Those that have all settings."""
    return [condition for condition in known(data) if condition.group]


def mean_loss(data, setting, base=None):
    """Over the conditions that have it."""
    return mean([loss(data, condition, setting, base) for condition in known(data)])


def worst_loss(data, setting):
    return max((number for condition in known(data) if (number := loss(data, condition, setting)) is not None), default=None)


def _percent(number):
    return f"{100 * number:+.1f} %"


def counted(name):
    """A counter of the daemon; none of a setting without it."""
    def number(data, case):
        values = [result.document["acc"][name] for result in data.results(case) if "acc" in result.document]
        return mean(values)
    return number


def _grid(condition):
    large = ("long flows, Gbit/s", "long_gbps", 1) if condition.rate == "long_gbps" else ("large, mean, ms", condition.rate, 1000)

    def of(path, scale=1):
        return lambda data, case: None if not data.knows(case) or data.mean(case, path) is None else data.mean(case, path) / scale

    def setting(case):
        return case.rpartition("/")[2]

    return Grid(
        condition.name, condition.title, "The loss compares J with that of the best static setting of the table, the oracle. All settings have the same flows.", "setting",
        tuple((title, condition.case(name)) for name, (title, _) in SETTINGS.items()), (
            Column("loss", lambda data, case: loss(data, condition, setting(case)), _percent),
            Column("short, mean, us", of("flows.short.mean_us"), "{:.0f}".format), Column("short, p99, us", of("flows.short.p99_us"), "{:.0f}".format),
            Column(large[0], of(large[1], large[2]), "{:.2f}".format), Column("all, mean, us", of("flows.all.mean_us"), "{:.0f}".format),
            Column("wait, us", of("queue.mean_sojourn_us"), "{:.1f}".format), Column("drops", of("drops"), "{:.0f}".format),
            Column("changes", counted("changes"), "{:.0f}".format), Column("fallbacks", lambda data, case: fallbacks(data, case), "{:.0f}".format)),
        (f"tune/{condition.name}",))


CAUSES = ("drops", "marks", "delay", "comparison")


def fallbacks(data, case):
    """How often the guard returned to static thresholds; none without the daemon."""
    found = [counted(f"fallback_{cause}")(data, case) for cause in CAUSES]
    return None if None in found else sum(found)


def _all_conditions():
    """A line a condition."""
    def to(name, base):
        return lambda data, case: loss(data, by_name[case.split("/")[1]], name, base)

    by_name = {condition.name: condition for condition in CONDITIONS}
    return Grid(
        "conditions", "All conditions", "By how much J is worse than with another setting; negative: better. Chance is the static ramp of 6.5/420 us, once more, compared with "
        "itself. In conditions without a table below, the other published settings were not run.", "condition",
        tuple((condition.title, condition.case("ddqn")) for condition in CONDITIONS), (
            *(Column(f"{name} to {title}", to(name, base), _percent) for name in TUNED for base, title in
              (("secn1", "SECN1"), ("secn2", "SECN2"), ("ramp-150us", "the ramp of 150 us"), (BEST, "that of 420 us"))),
            Column("chance", to("observe", BEST), _percent)), tuple(f"tune/{condition.name}" for condition in CONDITIONS if not condition.group))


def experiment(seeds):
    """For the report."""
    every = tuple(Run(condition.case(name), "tune", (*condition.arguments, *SETTINGS[name][1]), seed, condition.cost_s)
                  for condition in CONDITIONS for seed in seeds for name in (SETTINGS if condition.group else COMPARED))
    return Experiment("tune", every, tuple(_rows()), (Figure(
        "loss", "By how much settings are worse than the best static one in each condition", "J of short and large flows, see the tables. Above the line is worse.", _figure,
        ("tune",)),), (_all_conditions(), *(_grid(condition) for condition in CONDITIONS if condition.group)))


SHOWN = ("secn1", "secn2", "ramp-150us", "follow", "ddqn", "negated")


def _figure(data):
    conditions = whole(data)
    return plot.Bars(
        name="loss", ylabel="e^J / the best static setting's", groups=[condition.group for condition in conditions],
        series={SETTINGS[name][0].partition(":")[0] if name in PUBLISHED else SETTINGS[name][0].removeprefix("acc-tuner, policy "): [
            1 + loss(data, condition, name) for condition in conditions] for name in SHOWN}, line=1, line_label="best static")


def _waits(data, over, under):
    return "a packet waits {:.0f} us on average under {} and {:.0f} us under acc-tuner".format(
        data.mean(under, "queue.mean_sojourn_us"), under.rpartition("/")[2].upper(), data.mean(over, "queue.mean_sojourn_us"))


def _rows():
    """Rows of the paper's network, with this one in the same place."""
    for name, condition, label, path in (
            ("all-secn1", "ws80", "all flows, mean", "flows.all.mean_us"), ("all-secn2", "ws80", "all flows, mean", "flows.all.mean_us"),
            ("short-secn1", "ws80", "short flows, mean", "flows.short.mean_us"), ("p99-secn1", "ws80", "short flows, p99", "flows.short.p99_us"),
            ("short-secn2", "ws80", "short flows, mean", "flows.short.mean_us"), ("p99-secn2", "ws80", "short flows, p99", "flows.short.p99_us"),
            ("large-secn2", "ws80", "large flows, mean", "flows.large.mean_us"),
            ("queue-secn1", "ws50", "queue, mean", "queue.mean_pkts"), ("queue-secn2", "ws50", "queue, mean", "queue.mean_pkts")):
        base = name.rpartition("-")[2]
        cases = f"tune/{condition}/ddqn", f"tune/{condition}/{base}"
        title = next(one.title for one in CONDITIONS if one.name == condition)
        yield ratio_row(PAPER[name], f"one port (paper: {'fabric' if condition == 'ws80' else '25G'}), {title}: {label}, acc-tuner ddqn / {base.upper()}", *cases, path,
                        unit="packets" if "queue" in name else "us", cause=lambda data, cases=cases: _waits(data, *cases))


# Workers of a closed loop: ACC's Fig. 9.

REQUESTED = (*STATICS, *TUNED)
# Name -> (paper's value, bytes of the smallest request, the same as text).
BLOCKS = {"requests": ("iops", "1k", "1 to 64 KB"), "backup": ("backup-iops", "16k", "16 to 64 KB")}


def requests(seeds, name="requests"):
    """Completions a second of 128 workers that request blocks."""
    def requested(setting):
        return f"{name}/{setting}"

    paper, least, sizes = BLOCKS[name]
    arguments = ("load=0.001", "depth=128", f"lo={least}", "hi=64k", "duration=300ms")
    every = tuple(Run(requested(setting), "tune", (*arguments, *SETTINGS[setting][1]), seed, 6) for seed in seeds for setting in REQUESTED)
    pair = requested("ddqn"), requested("vendor-storage")
    row = ratio_row(PAPER[paper], f"128 workers, {sizes}: requests a second, acc-tuner ddqn / a vendor's for storage", *pair, "requests_per_s", unit="a second",
                    cause=lambda data: f"{_waits(data, *pair)}; a link that is full serves no more")
    return Experiment(name, every, (row,), grids=(Grid(
        name, f"128 workers in a closed loop, {sizes}", f"Each worker requests {sizes} when its last request has ended; senders have DCTCP.", "setting",
        tuple((SETTINGS[setting][0], requested(setting)) for setting in REQUESTED), (
            Column("requests a second", lambda data, case: data.mean(case, "requests_per_s"), "{:.0f}".format),
            Column("mean, us", lambda data, case: data.mean(case, "flows.all.mean_us"), "{:.0f}".format),
            Column("p99, us", lambda data, case: data.mean(case, "flows.all.p99_us"), "{:.0f}".format),
            Column("wait, us", lambda data, case: data.mean(case, "queue.mean_sojourn_us"), "{:.1f}".format)), (name,)),))
