# SPDX-License-Identifier: GPL-2.0
"""Flow completion times under load: the ECN# paper's Fig. 9 (web search), 10 (data mining), 11 (wider RTTs).

Requests go over persistent connections (conn=pool), as those of the traffic generator that the paper's
testbed used: a flow starts with its connection's DCTCP estimate and threshold. conn=new gives every flow a
connection of its own, whose first mark halves its window.
"""

from lab.experiments.shared import alone
from lab.experiments.shared.settings import StarSetting, keys
from lab.host.keys import Key, number
from lab.report import plot, verdict
from lab.report.experiment import Experiment, Figure, Run, extreme_row, ratio_row
from lab.report.paper_value import PaperValue, TESTBED

SUMMARY = "flow completion times, 7 senders to 1 receiver (ECN# Fig. 9, 10, 11)"
ROWS = ("S0-5", "S0-6", "S0-7", "S0-8", "S0-9", "S0-10", "S0-11", "S0-12")
KEYS = keys(conn="pool") + [
    Key("long", "0", number(0, 1024), "flows that last the whole duration, in addition to those that arrive"),
]


class Setting(StarSetting):
    """Poisson arrivals of flows whose sizes follow the workload."""

    def groups(self):
        p = self.p
        yield self.poisson()
        if p["long"]:
            yield f"group long kind=long {self.common()} flows={p['long']} until={p['duration']}ns"


# Flow completion times over load: Fig. 9 (web search), Fig. 10 (data mining).

PAPER = {
    "ws-overall": PaperValue(
        "S0-8", "9a", "5.2", f"{TESTBED}, web search", "all flows, mean FCT, ECN# to RED-Tail, worst load",
        2240, 2148, "us", "its overall FCT degradation is within 4.2% (2240us to 2148us) compared to DCTCP-RED-Tail at 10% load"),
    "dm-overall": PaperValue(
        "S0-8", "10a", "5.2", f"{TESTBED}, data mining", "all flows, mean FCT, ECN# to RED-Tail, worst load",
        1, 1, "ratio", "In data mining workload, ECN# performs the best at all loads"),
    "ws-short-mean": PaperValue(
        "S0-5", "9b", "5.2", f"{TESTBED}, web search, 90 % load", "short flows, mean FCT, ECN# to RED-Tail",
        738, 964, "us", "up to 23.4% (964us to 738us at 90% load)"),
    "dm-short-mean": PaperValue(
        "S0-5", "10b", "5.2", f"{TESTBED}, data mining, 80 % load", "short flows, mean FCT, ECN# to RED-Tail",
        377, 548, "us", "31.2% (548us to 377us at 80% load)"),
    "ws-short-p99": PaperValue(
        "S0-6", "9c", "5.2", f"{TESTBED}, web search, 90 % load", "short flows, 99th percentile, ECN# to RED-Tail",
        3287, 5242, "us", "up to 37.2% (5242us to 3287us at 90% load)"),
    "dm-short-p99": PaperValue(
        "S0-6", "10c", "5.2", f"{TESTBED}, data mining, 80 % load", "short flows, 99th percentile, ECN# to RED-Tail",
        1347, 2161, "us", "37.6% (2161us to 1347us at 80% load)"),
    "ws-large-avg": PaperValue(
        "S0-7", "9d", "5.2", f"{TESTBED}, web search, 80 % load", "large flows, mean FCT, ECN# to RED-AVG",
        70192, 94411, "us", "up to 25.6% (94411us to 70192us at 80% load) lower FCT compared to DCTCP-RED-AVG"),
    "dm-large-avg": PaperValue(
        "S0-7", "10d", "5.2", f"{TESTBED}, data mining, 80 % load", "large flows, mean FCT, ECN# to RED-AVG",
        833396, 1049035, "us", "up to 20.5% (1049035us to 833396us at 80% load)"),
    "large-tail": PaperValue(
        "S0-15", "9d, 10d, 14d", "5.2, 5.3", TESTBED, "large flows, mean FCT, ECN# to RED-Tail",
        1, 1, "ratio", "ECN# achieves similar results as DCTCP-RED-Tail"),
    "ws-red-avg-large": PaperValue(
        "S0-10", "9d", "5.2", f"{TESTBED}, web search", "large flows, mean FCT, RED-AVG to RED-Tail",
        1.2, 1, "ratio", "it adversely hurts the FCT of large flows, e.g., over 20% for the web search workload"),
    "short-codel": PaperValue(
        "S0-9", "9b, 10b", "5.2", TESTBED, "short flows, mean FCT, ECN# to CoDel",
        0.5, 1, "ratio", "CoDel achieves very bad performance for short flows [...] frequent TCP timeouts"),
}


SCHEMES = ("ecnsharp", "red-tail", "red-avg", "codel")


class Workload:
    """One of the paper's two: how long its runs are, where the paper quotes it."""

    def __init__(self, name, title, short, load, duration_s, cost_s):
        self.name = name
        self.title = title
        self.short = short              # prefix of its quotations
        self.load = load                # at which the paper quotes short flows
        self.duration_s = duration_s
        self.cost_s = cost_s            # wall seconds of a run at full load

    def case(self, load, aqm):
        return f"{self.name}/{load}/{aqm}"

    def run(self, load, aqm, seed, spec=None, *, case=None, arguments=()):
        """One run; spec is the argument of lab/run, if it is not the name, case and arguments what differs from the figure's."""
        return Run(case or self.case(load, aqm), "fct",
                   (f"aqm={spec or aqm}", f"workload={self.name}", f"load={load}", f"duration={self.duration_s}s", *arguments), seed,
                   2 + self.cost_s * float(load))

    def runs(self, loads, aqms, seeds):
        return tuple(self.run(load, aqm, seed) for seed in seeds for load in loads for aqm in aqms)


WEBSEARCH = Workload("websearch", "web search", "ws", "0.9", 5, 30)
DATAMINING = Workload("datamining", "data mining", "dm", "0.8", 10, 35)
THRESHOLDS_KB = (80, 250)       # RED-AVG's and RED-Tail's of the testbed
TIGHT_PKTS = 250                # a buffer that bursts overrun; fct's has 2000


def tight(workload, aqm):
    """Fig. 9 or 10 with little buffer, at the load where the paper quotes short flows."""
    return f"tight/{workload.name}/{aqm}"


def tight_runs(workload, seeds):
    return tuple(workload.run(workload.load, aqm, seed, case=tight(workload, aqm), arguments=(f"buffer={TIGHT_PKTS}",))
                 for aqm in ("ecnsharp", "codel") for seed in seeds)


def tight_row(workload):
    title = f"{workload.title} {float(workload.load) * 100:.0f} %, {TIGHT_PKTS} packets of buffer"

    def cause(data):
        ecnsharp, codel = (", ".join(map(str, data.values(tight(workload, aqm), "drops"))) for aqm in ("ecnsharp", "codel"))
        return f"{codel} packets are dropped under CoDel and {ecnsharp} under ECN#, a seed each"
    return ratio_row(PAPER["short-codel"], f"{title}: short flows, mean, ECN# / CoDel", tight(workload, "ecnsharp"), tight(workload, "codel"),
                     "flows.short.mean_us", cause=cause)


def cause_short(workload, load):
    """A short flow gains what its packets wait less."""
    def cause(data):
        tail, ecnsharp = (data.mean(workload.case(load, aqm), "queue.mean_sojourn_us") for aqm in ("red-tail", "ecnsharp"))
        fct_tail, fct = (data.mean(workload.case(load, aqm), "flows.short.mean_us") for aqm in ("red-tail", "ecnsharp"))
        return (f"a packet waits {tail:.0f} us on average under RED-Tail and {ecnsharp:.0f} us under ECN#; short flows end "
                f"{fct_tail - fct:.0f} us sooner, {(fct_tail - fct) / (tail - ecnsharp):.1f} times the difference. A shorter queue "
                "saves a flow no more than its few passages through it")
    return cause


def cause_tail(tail, ecn):
    """The slowest short flows meet the longest queues, and those differ least. Cases of RED-Tail and of ECN#."""
    def cause(data):
        means, tops = ([data.mean(case, f"queue.{number}") for case in (tail, ecn)]
                       for number in ("mean_sojourn_us", "p99_pkts"))
        return (f"what the slowest flows meet is the queue at its longest: its 99th percentile is {tops[0]:.0f} packets under "
                f"RED-Tail and {tops[1]:.0f} under ECN# ({(tops[1] / tops[0] - 1) * 100:+.0f} %), where a packet's mean wait goes from "
                f"{means[0]:.0f} to {means[1]:.0f} us ({(means[1] / means[0] - 1) * 100:+.0f} %)")
    return cause


def short_rows(workload, load):
    """Rows of one workload's short flows."""
    ecn, tail, _, codel = (workload.case(load, aqm) for aqm in SCHEMES)
    title = f"{workload.title} {float(load) * 100:.0f} %"
    why = cause_short(workload, load)
    return (
        ratio_row(PAPER[f"{workload.short}-short-mean"], f"{title}: short flows, mean, ECN# / RED-Tail", ecn, tail,
                  "flows.short.mean_us", cause=why),
        ratio_row(PAPER[f"{workload.short}-short-p99"], f"{title}: short flows, p99, ECN# / RED-Tail", ecn, tail,
                  "flows.short.p99_us", cause=cause_tail(tail, ecn)),
        ratio_row(PAPER["short-codel"], f"{title}: short flows, mean, ECN# / CoDel", ecn, codel, "flows.short.mean_us",
                  cause=cause_codel(workload, load)),
    )


def large_rows(workload, load):
    """Rows of its large flows."""
    ecn, tail, avg, _ = (workload.case(load, aqm) for aqm in SCHEMES)
    title = f"{workload.title} {float(load) * 100:.0f} %: large flows"
    pairs = [("large-tail", "ECN# / RED-Tail", ecn, tail, None),
             (f"{workload.short}-large-avg", "ECN# / RED-AVG", ecn, avg, alone.cause(3, *THRESHOLDS_KB, ecn, avg))]
    if workload.short == "ws":
        pairs.append(("ws-red-avg-large", "RED-AVG / RED-Tail", avg, tail, alone.cause(3, *THRESHOLDS_KB, avg, tail)))
    return tuple(ratio_row(PAPER[paper_value], f"{title}, {label}", over, under, "flows.large.mean_us", scale=1000, unit="ms",
                           cause=cause) for paper_value, label, over, under, cause in pairs)


def cause_codel(workload, load):
    def cause(data):
        case = workload.case(load, "codel")
        return (f"CoDel drops {data.mean(case, 'drops'):.0f} packets in a run here, and {data.mean(case, 'timeouts'):.0f} "
                "timeouts follow: with 2000 packets of buffer, bursts seldom overrun it. The paper does not give its buffer; the report "
                f"has a row with {TIGHT_PKTS}, too")
    return cause


def worst_overall_row(workload, loads):
    """S0-8: how much worse than RED-Tail all flows together fare, at the load where it is worst."""
    return extreme_row(PAPER[f"{workload.short}-overall"], f"{workload.title}: all flows, worst load, ECN# / RED-Tail", max, loads,
                       lambda load: tuple(workload.case(load, aqm) for aqm in ("ecnsharp", "red-tail")), "flows.all.mean_us",
                       judge=verdict.of_bound, kind="bound")


METRICS = (("short flows, mean", "flows.short.mean_us"), ("short flows, 99th percentile", "flows.short.p99_us"),
           ("large flows, mean", "flows.large.mean_us"), ("all flows, mean", "flows.all.mean_us"))


def bars(workload, load):
    """Everything at one load, divided by RED-Tail's."""
    paper_values = PAPER

    def figure(data):
        tail = workload.case(load, "red-tail")
        shown = [(label.replace(" flows", "").replace("99th percentile", "p99"), path) for label, path in METRICS
                 if data.mean(tail, path) is not None]
        # RED-AVG's is quoted against ECN#'s, which the paper calls similar to RED-Tail's.
        known = {"flows.short.mean_us": ("ecnsharp", paper_values[f"{workload.short}-short-mean"].ratio),
                 "flows.short.p99_us": ("ecnsharp", paper_values[f"{workload.short}-short-p99"].ratio),
                 "flows.large.mean_us": ("red-avg", 1 / paper_values[f"{workload.short}-large-avg"].ratio)}
        return plot.Bars(
            name=workload.name, ylabel="completion time / RED-Tail's", groups=[label for label, _ in shown],
            series={aqm: [data.ratio(workload.case(load, aqm), tail, path) for _, path in shown]
                    for aqm in SCHEMES if aqm != "red-tail"},
            paper=[(known[path][0], index, known[path][1]) for index, (_, path) in enumerate(shown) if path in known],
            line=1, line_label="RED-Tail")
    return figure


def over_loads(workload, loads, number, aqms=SCHEMES):
    """One metric over load, divided by RED-Tail's."""
    label, path = METRICS[number]

    def figure(data):
        def points(aqm):
            made = ((100 * float(load), data.ratio(workload.case(load, aqm), workload.case(load, "red-tail"), path))
                    for load in loads)
            return [(load, ratio) for load, ratio in made if ratio is not None]
        return plot.Lines(
            name=f"{workload.name}-{number}", xlabel="load, %", ylabel=f"{label.replace('99th percentile', 'p99')} / RED-Tail's",
            series={aqm: points(aqm) for aqm in aqms if aqm != "red-tail"}, line=1, line_label="RED-Tail")
    return figure


def at_one_load(workload, load, seeds, text):
    """An experiment of the demo."""
    return Experiment(workload.name, workload.runs((load,), SCHEMES, seeds) + alone.runs(3, THRESHOLDS_KB, seeds),
                   short_rows(workload, load) + large_rows(workload, load), (Figure(
        workload.name, f"Flow completion times of {workload.title} at {float(load) * 100:.0f} % load, relative to RED-Tail",
        text, bars(workload, load), (workload.name,)),))


def at_all_loads(workload, fig, loads, seeds):
    """An experiment of the report: a figure for each of the paper's panels."""
    figures = [Figure(f"{workload.name}-{number}", f"{workload.title}: {METRICS[number][0]}, relative to RED-Tail's",
                    f"Fig. {fig}{panel} of the paper. Below the line is faster than RED-Tail.",
                    over_loads(workload, loads, number), (workload.name,))
              for panel, number in zip("abcd", (3, 0, 1, 2))]
    return Experiment(workload.name, workload.runs(loads, SCHEMES, seeds) + alone.runs(3, THRESHOLDS_KB, seeds) + tight_runs(workload, seeds),
                   (*short_rows(workload, workload.load), tight_row(workload), *large_rows(workload, "0.8"),
                    worst_overall_row(workload, loads)), tuple(figures))

