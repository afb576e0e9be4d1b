# SPDX-License-Identifier: GPL-2.0
"""Standing queue, and the effect of a burst on it: the ECN# paper's Fig. 16.

16 senders with RTTs of 80 to 240 us. The paper lets data-mining flows accumulate for 4 s until long ones
share the link; here `long` of them run from the start, with the arriving ones. At `at`, `fanin` query
flows of 3 to 60 KB start at once, with an initial window of 2 segments (see incast). `standing` is the
queue in the 20 ms before that, `burst` the 5 ms after.
"""

import os

from lab.experiments.shared.settings import StarSetting, keys
from lab.host import aqm, results
from lab.host.keys import Key, number, time
from lab.host.network import EPOCH_NS
from lab.host.units import Refused
from lab.report import plot, verdict
from lab.report.experiment import Column, Experiment, Figure, Grid, Row, Run, ratio_row
from lab.report.paper_value import MICRO, PaperValue
from lab.report.run_data import mean

SUMMARY = "standing queue and a burst of queries, 16 senders to 1 receiver (ECN# Fig. 16)"
ROWS = ("S0-16",)
STANDING_NS = 20_000_000
BURST_NS = 5_000_000
KEYS = keys(workload="datamining", load="0.3", senders="16", rtt="80us-240us", buffer="500", initcwnd="2",
            duration="200ms") + [
    Key("fanin", "100", number(0, 4096), "query flows that start together, 0 for none"),
    Key("at", "150ms", time("0ns", "1000s"), "when they start"),
    Key("long", "4", number(0, 1024), "flows that last the whole duration"),
]


class Setting(StarSetting):
    """Background flows, long flows, and one burst of queries."""

    aqm_setup = aqm.SIMULATION
    trace_ns = 5_000

    def __init__(self, p, seed):
        if not STANDING_NS <= p["at"] <= p["duration"] - BURST_NS:
            raise Refused("at: must leave 20ms before it and 5ms of the duration after it")
        super().__init__(p, seed)

    def groups(self):
        p = self.p
        if p["long"]:
            yield f"group long kind=long {self.common()} flows={p['long']} until={p['duration']}ns"
        yield self.poisson()
        if p["fanin"]:
            yield (f"group query kind=query {self.common()} conn=new at={p['at']}ns flows={p['fanin']} "
                   "lo=3000 hi=60000")

    def more(self, raw, flows):
        trace = results.read_trace(os.path.join(raw, "bottleneck.trace"), EPOCH_NS)
        at = self.p["at"]
        query = [flow for flow in flows if flow.group == "query"]
        return {
            "standing": self.span(trace, at - STANDING_NS, at),
            "burst": self.span(trace, at, at + BURST_NS),
            "query": {**results.summarise_flows(query), "retransmits": sum(flow.retrans for flow in query)},
        }

    def span(self, trace, start, end):
        """Mean, weighted by time, and maximum of the queue between two times."""
        inside = [(max(t, start), pkts) for t, pkts, _ in trace if start <= t < end]
        area = sum(pkts * (later - t) for (t, pkts), (later, _) in zip(inside, inside[1:]))
        length = inside[-1][0] - inside[0][0] if len(inside) > 1 else 0
        return {"mean_pkts": results.quotient(area, length), "max_pkts": max((n for _, n in inside), default=0)}


# The queue before, in and after a burst: Fig. 16.

PAPER = {
    "standing": PaperValue(
        "S0-16", "16", "5.4", f"{MICRO}, data mining and 100 query flows", "queue before the burst, ECN# to RED-Tail",
        8, 182, "packets", "much lower queue occupancy (8 packets) compared to DCTCP-RED-Tail (182 packets)"),
    "drops-ecnsharp": PaperValue(
        "S0-16", "16", "5.4", f"{MICRO}, data mining and 100 query flows", "drops in the burst, ECN#",
        0, None, "packets", "no packets drop"),
    "drops-red-tail": PaperValue(
        "S0-16", "16", "5.4", f"{MICRO}, data mining and 100 query flows", "drops in the burst, RED-Tail",
        0, None, "packets", "comparable results in handling bursty query traffic (no packet drops) with DCTCP-RED-Tail"),
    "drops-codel": PaperValue(
        "S0-16", "16", "5.4", f"{MICRO}, data mining and 100 query flows", "drops in the burst, CoDel",
        125, None, "packets", "outperforming CoDel (drop 125 packets)"),
}


MS = 10**6
AQMS = ("ecnsharp", "red-tail", "codel")
# Part of the trace: the paper's Fig. 16 shows 5 ms; this one begins as long before the burst.
BURST_AT_NS = 150 * MS
TRACE_NS = (BURST_AT_NS - 5 * MS, BURST_AT_NS + 8 * MS)
STEP_NS = 20_000
COST_S = 2
# Long flows with nothing else: how the standing queue depends on their number.
COUNTS = (1, 2, 4, 8, 16)
PLAIN_HOSTS = "queue-plain-hosts"


def _figure(data):
    """Trace of the first seed: a mean of traces would show none."""
    marks = {"ecnsharp": (PAPER["standing"].value, "the paper's mean: 8"),
             "red-tail": (PAPER["standing"].base, "the paper's mean: 182")}
    series = {aqm: [((at - BURST_AT_NS) / MS, pkts) for at, pkts in data.results(f"queue/{aqm}")[0].peaks(STEP_NS)]
              for aqm in AQMS}
    peak = max(pkts for points in series.values() for _, pkts in points)
    return plot.Traces(
        name="queue", xlabel="time after the burst, ms", ylabel="queue, packets", series=series, levels=marks,
        top=peak * 1.05, xrange=tuple((at - BURST_AT_NS) / MS for at in TRACE_NS))


def _cause_standing(data):
    standing = [[data.mean(_alone(aqm, count), "standing.mean_pkts") for count in COUNTS] for aqm in ("ecnsharp", "red-tail")]
    lists = [", ".join(f"{number:.0f}" for number in numbers) for numbers in standing]
    paper_value = PAPER["standing"]
    near = any(abs(number / paper_value.value - 1) < 1 / 2 for number in standing[0])
    return (f"it depends on how many long flows share the link, which the paper does not say: {', '.join(map(str, COUNTS))} alone leave {lists[0]} "
            f"packets under ECN# and {lists[1]} under RED-Tail; "
            + ("one of these" if near else "none of these") + f" is near the paper's {paper_value.value}"
            + ("" if near else ", so their number does not explain it; nor do segmentation offload and delayed acknowledgements, which a "
               f"simulator's hosts lack: without them it is {data.mean(PLAIN_HOSTS, 'standing.mean_pkts'):.0f} (`{_plain_run(1).command()}`). What does "
               "was not found"))


def _alone(aqm, count):
    return f"queue-alone/{count}/{aqm}"


def _plain_run(seed):
    """With hosts as a simulator has them."""
    return Run(PLAIN_HOSTS, "queue", ("aqm=ecnsharp", "gso=off", "delack=off"), seed, COST_S)


def still(aqm):
    """The same without the burst."""
    return f"queue-still/{aqm}"


def still_run(aqm, seed, spec=None):
    """One run without the burst; spec is the argument of lab/run, if it is not the name."""
    return Run(still(aqm), "queue", (f"aqm={spec or aqm}", "fanin=0"), seed, COST_S)


def burst_drops(data, aqm):
    """Packets dropped beyond those that are without the burst, which the other flows lose; the mean over the seeds."""
    pairs = zip(data.values(f"queue/{aqm}", "drops"), data.values(still(aqm), "drops"))
    return mean([burst - without for burst, without in pairs])


def _drops_row(aqm):
    def detail(data):
        whole, without = (data.values(case, "drops") for case in (f"queue/{aqm}", still(aqm)))
        if not any(whole):
            return ""
        return f"{', '.join(map(str, whole))} in the run, {', '.join(map(str, without))} without the burst, a seed each"
    return Row(PAPER[f"drops-{aqm}"], f"burst of 100: packets dropped, {plot.label(aqm)}", lambda data: burst_drops(data, aqm), detail,
               (f"queue/{aqm}", still(aqm)), verdict.of_count, "count")


def _grid(counts):
    def of(aqm, path):
        return lambda data, count: data.mean(_alone(aqm, count), path)
    return Grid(
        "queue-alone", "Standing queue of long flows alone",
        "The standing queue's row is compared with these runs, which have only long flows that never end, at Fig. 16's RTTs and buffer.", "long flows",
        tuple((str(count), count) for count in counts),
        tuple(Column(f"{title}: {head}", of(aqm, path)) for aqm, title in (("ecnsharp", "ECN#"), ("red-tail", "RED-Tail"))
              for head, path in (("packets", "standing.mean_pkts"), ("utilisation", "utilisation"))), ("queue-alone",))


def experiment(seeds, counts=()):
    """For the demo and, with counts, the report."""
    every = [Run(f"queue/{aqm}", "queue", (f"aqm={aqm}",), seed, COST_S, TRACE_NS) for seed in seeds for aqm in AQMS]
    every += [Run(_alone(aqm, count), "queue", (f"aqm={aqm}", "load=0.001", f"long={count}"), seed, COST_S)
              for seed in seeds for count in counts for aqm in ("ecnsharp", "red-tail")]
    every += [still_run(aqm, seed) for seed in seeds for aqm in AQMS]
    every += [_plain_run(seed) for seed in seeds if counts]
    rows = (
        ratio_row(PAPER["standing"], "standing queue, ECN# / RED-Tail", "queue/ecnsharp", "queue/red-tail", "standing.mean_pkts",
                  unit="packets", cause=_cause_standing if counts else None),
        *map(_drops_row, AQMS),
    )
    return Experiment("queue", tuple(every), rows, (Figure(
        "queue", "The queue before, in and after a burst of 100 query flows",
        "The bottleneck's queue, long flows running throughout (Fig. 16). What stands before the burst delays every "
        "packet; what does not fit into the buffer (500 packets) is lost.", _figure, ("queue",)),), (_grid(counts),) if counts else ())
