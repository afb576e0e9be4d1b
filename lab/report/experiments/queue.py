# SPDX-License-Identifier: GPL-2.0
"""The queue before, in and after a burst: Fig. 16."""

import plot
import paper
import verdict
from run_data import mean
from experiment import Column, Experiment, Grid, Figure, Row, ratio_row
from runs import Run

MS = 10**6
AQMS = ("ecnsharp", "red-tail", "codel")
# Of the trace: the paper's Fig. 16 shows 5 ms; ours begins as long before the burst.
BURST_AT_NS = 150 * MS
TRACE_NS = (BURST_AT_NS - 5 * MS, BURST_AT_NS + 8 * MS)
STEP_NS = 20_000
COST_S = 2
# Long flows with nothing else: how the standing queue depends on their number.
COUNTS = (1, 2, 4, 8, 16)
PLAIN_HOSTS = "queue-plain-hosts"


def _figure(data):
    """Of the first seed: a mean of traces would show none."""
    marks = {"ecnsharp": (paper.PAPER_VALUES["standing"].value, "the paper's mean: 8"),
             "red-tail": (paper.PAPER_VALUES["standing"].base, "the paper's mean: 182")}
    series = {aqm: [((at - BURST_AT_NS) / MS, pkts) for at, pkts in data.results(f"queue/{aqm}")[0].peaks(STEP_NS)]
              for aqm in AQMS}
    peak = max(pkts for points in series.values() for _, pkts in points)
    return plot.Traces(
        name="queue", xlabel="time after the burst, ms", ylabel="queue, packets", series=series, levels=marks,
        top=peak * 1.05, xrange=tuple((at - BURST_AT_NS) / MS for at in TRACE_NS))


def _cause_standing(data):
    standing = [[data.mean(_alone(aqm, count), "standing.mean_pkts") for count in COUNTS] for aqm in ("ecnsharp", "red-tail")]
    words = [", ".join(f"{number:.0f}" for number in numbers) for numbers in standing]
    paper_value = paper.PAPER_VALUES["standing"]
    near = any(abs(number / paper_value.value - 1) < 1 / 2 for number in standing[0])
    return (f"it depends on how many long flows share the link, which the paper does not say: {', '.join(map(str, COUNTS))} alone leave {words[0]} "
            f"packets under ECN# and {words[1]} under RED-Tail; "
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
    """One run without the burst; spec is what lab/run is told if the name does not say it."""
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
    return Row(f"drops-{aqm}", f"burst of 100: packets dropped, {plot.label(aqm)}", lambda data: burst_drops(data, aqm), detail,
               (f"queue/{aqm}", still(aqm)), verdict.of_count, "count")


def _grid(counts):
    def of(aqm, path):
        return lambda data, count: data.mean(_alone(aqm, count), path)
    return Grid(
        "queue-alone", "What stands in the queue when long flows alone share the link",
        "What the standing queue's row is held against: nothing but so many flows that never end, at Fig. 16's RTTs and buffer.", "long flows",
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
        ratio_row("standing", "standing queue, ECN# / RED-Tail", "queue/ecnsharp", "queue/red-tail", "standing.mean_pkts",
                  unit="packets", cause=_cause_standing if counts else None),
        *map(_drops_row, AQMS),
    )
    return Experiment("queue", tuple(every), rows, (Figure(
        "queue", "The queue before, in and after a burst of 100 query flows",
        "The bottleneck's queue, long flows running throughout (Fig. 16). What stands before the burst delays every "
        "packet; what does not fit into the buffer (500 packets) is lost.", _figure, ("queue",)),), (_grid(counts),) if counts else ())
