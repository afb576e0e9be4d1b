# SPDX-License-Identifier: GPL-2.0
"""128 hosts in a leaf-spine network: Fig. 13 (web search) and 14 (data mining)."""

import plot
from experiment import Column, Experiment, Grid, Figure, ratio_row
from experiments import leafspine
from experiments.fct import DATAMINING, WEBSEARCH

AQMS = ("ecnsharp", "red-tail", "red-avg")
WORKLOADS = (WEBSEARCH, DATAMINING)
METRICS = (("short, mean", "flows.short.mean_us"), ("short, p99", "flows.short.p99_us"),
           ("large, mean", "flows.large.mean_us"), ("all, mean", "flows.all.mean_us"))


def case(workload, load, aqm):
    return f"fabric/{workload.name}/{load}/{aqm}"


def run(workload, load, aqm, seed):
    return leafspine.run(case(workload, load, aqm), load, seed, f"aqm={aqm}", f"workload={workload.name}")


def loads(workload):
    """The second is the one at which the paper quotes its numbers."""
    return ("0.5", workload.load)


def _label(workload, load):
    """What is not the port's workload says so; see the report's end."""
    cut = " cut at 30 MB" if workload is DATAMINING else ""
    return f"{workload.title}{cut} {float(load) * 100:.0f} %"


def _cause(workload, load):
    def cause(data):
        tail, ours = (data.mean(case(workload, load, aqm), "queue.mean_sojourn_us") for aqm in ("red-tail", "ecnsharp"))
        return f"a packet waits {tail:.0f} us on average at a queue under RED-Tail and {ours:.0f} us under ECN#"
    return cause


def _rows(workload, load):
    short = workload.short
    title = f"fabric, {_label(workload, load)}"
    pair = (case(workload, load, "ecnsharp"), case(workload, load, "red-tail"))
    why = _cause(workload, load)
    # The paper's text has short flows at one load; that all and large flows fare alike it says of all loads.
    shorts = () if load != workload.load else (
        ratio_row(f"fabric-{short}-mean", f"{title}: short flows' mean, ECN# / RED-Tail", *pair, "flows.short.mean_us", cause=why),
        ratio_row(f"fabric-{short}-p99", f"{title}: short flows' p99, ECN# / RED-Tail", *pair, "flows.short.p99_us", cause=why),
    )
    return shorts + (
        ratio_row("fabric-overall", f"{title}: all flows' mean, ECN# / RED-Tail", *pair, "flows.all.mean_us"),
        ratio_row("large-tail", f"{title}: large flows' mean, ECN# / RED-Tail", *pair, "flows.large.mean_us", scale=1000,
                  unit="ms"),
    )


def _figure(workload, load):
    def figure(data):
        tail = case(workload, load, "red-tail")
        shown = [(label, path) for label, path in METRICS if data.mean(tail, path) is not None]
        return plot.Bars(
            name=f"fabric-{workload.name}-{load[-1]}", ylabel="completion time / RED-Tail's", groups=[label for label, _ in shown],
            series={aqm: [data.ratio(case(workload, load, aqm), tail, path) for _, path in shown]
                    for aqm in AQMS if aqm != "red-tail"}, line=1, line_label="RED-Tail")
    return figure


def _grid(port_seeds):
    def ratio(path):
        return lambda data, key: data.ratio(case(*key, "ecnsharp"), case(*key, "red-tail"), path)

    def of(aqm, path):
        return lambda data, key: data.mean(case(*key, aqm), path)

    change = "{:.3f}".format
    return Grid(
        "fabric", "128 hosts at two loads", "ECN#'s completion times over RED-Tail's; the wait is a packet's mean at a queue. The last "
        f"column is that of the testbed's one port at the same load ({len(port_seeds)} seeds).",
        "", tuple((_label(workload, load), (workload, load)) for workload in WORKLOADS
                  for load in loads(workload)),
        (*(Column(label, ratio(path), change) for label, path in METRICS),
         Column("RED-Tail: wait, us", of("red-tail", "queue.mean_sojourn_us")),
         Column("ECN#: wait, us", of("ecnsharp", "queue.mean_sojourn_us")),
         Column("RED-Tail: short mean, us", of("red-tail", "flows.short.mean_us")),
         Column("one port: all, mean", lambda data, key: data.only(port_seeds).ratio(
             *(key[0].case(key[1], aqm) for aqm in AQMS[:2]), "flows.all.mean_us"), change)), ("fabric",))


def experiment(seeds, port_seeds):
    """For the report: 0.2 s of arrivals, as long as the hours allow; of the testbed's port, which costs less, more seeds."""
    every = tuple(run(workload, load, aqm, seed) for workload in WORKLOADS for load in loads(workload) for aqm in AQMS for seed in seeds)
    every += tuple(run for workload in WORKLOADS for run in workload.runs(loads(workload), AQMS[:2], port_seeds))
    rows, figures = (), ()
    for number, workload in zip((13, 14), WORKLOADS):
        for load in loads(workload):
            rows += _rows(workload, load)
            figures += (Figure(f"fabric-{workload.name}-{load[-1]}",
                             f"128 hosts, {workload.title}, {float(load) * 100:.0f} % load, relative to RED-Tail",
                             f"Fig. {number} of the paper.", _figure(workload, load),
                             tuple(case(workload, load, aqm) for aqm in AQMS)),)
    return Experiment("fabric", every, rows, figures, (_grid(port_seeds),))
