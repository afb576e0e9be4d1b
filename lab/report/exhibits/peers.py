# SPDX-License-Identifier: GPL-2.0
"""Why not just ...: what Linux offers already, over the same flows, bursts and fan-ins."""

from exhibit import Column, Exhibit, Grid
from exhibits.fct import DATAMINING, WEBSEARCH
from exhibits import incast, queue
from runs import Run

# Name in the cases -> (label in the table, what lab/run is told if not the name). dualpi2 is not in 6.12; its step is
# TCN's law at another threshold.
PEERS = {
    "ecnsharp": ("ECN#", None),
    "red-tail": ("red, 250 KB", None),
    "red-avg": ("red, 80 KB", None),
    "codel": ("codel ecn", None),
    "codel-ce": ("codel ce_threshold 200us", None),
    "fq_codel": ("fq_codel ecn", None),
    "fq-200us": ("fq ce_threshold 200us", "fq flow_limit 2000 ce_threshold 200us"),
    "fq-85us": ("fq ce_threshold 85us", "fq flow_limit 2000 ce_threshold 85us"),
    "tcn": ("TCN 200us", None),
    "tcn-1ms": ("dualpi2's step, 1ms, as TCN", "ecnsharp ins_target 1ms persistent off"),
    "tcn-85us": ("TCN 85us", "ecnsharp ins_target 85us persistent off"),
}
FANIN = 100


def _runs(seeds):
    for seed in seeds:
        for aqm, (_, spec) in PEERS.items():
            trace = queue.TRACE_NS if aqm in queue.AQMS else ()
            yield WEBSEARCH.run("0.9", aqm, seed, spec)
            yield DATAMINING.run("0.8", aqm, seed, spec)
            yield Run(f"queue/{aqm}", "queue", (f"aqm={spec or aqm}",), seed, queue.COST_S, trace)
            yield queue.still_run(aqm, seed, spec)
            yield Run(incast.case(aqm, FANIN), "incast", (f"aqm={spec or aqm}", f"fanin={FANIN}"), seed, incast.COST_S)


def _of_fct(workload, load, path, scale=1):
    def number(evidence, aqm):
        value = evidence.mean(workload.case(load, aqm), path)
        return None if value is None else value / scale
    return number


def _columns():
    for workload, load, title in ((WEBSEARCH, "0.9", "web search"), (DATAMINING, "0.8", "data mining")):
        yield Column(f"{title}: short mean, us", _of_fct(workload, load, "flows.short.mean_us"))
        yield Column("short p99, us", _of_fct(workload, load, "flows.short.p99_us"))
        yield Column("large, ms", _of_fct(workload, load, "flows.large.mean_us", 1000))
    yield Column("standing queue, packets", lambda evidence, aqm: evidence.mean(f"queue/{aqm}", "standing.mean_pkts"))
    yield Column("drops in a burst of 100", queue.burst_drops)
    yield Column("query of 100, p99, ms",
                 lambda evidence, aqm: evidence.mean(incast.case(aqm, FANIN), "query.p99_us") / 1000)


def exhibit(seeds):
    """For the report."""
    every = tuple(_runs(seeds))
    cases = tuple(dict.fromkeys(run.case for run in every))
    return Exhibit("peers", every, grids=(Grid(
        "peers", "Why not just codel, fq_codel, fq with ce_threshold, dualpi2's step?",
        "Every scheme saw the same flows: web search at 90 % load, data mining at 80 %, a burst of 100 query flows, whose drops are "
        "those beyond what the same run drops without it. fq and "
        "fq_codel give each flow a queue of its own, which a switch cannot; dualpi2 is not in Linux 6.12, its step marks as "
        "TCN does. PRED (NSDI 2025) reports p99 of short flows of 1.4 ms where it has ECN# at 4.34 and CoDel at 6.68 "
        "(web search, 90 %); its code is not public, so only ECN# and CoDel can be set beside that.",
        "scheme", tuple((label, aqm) for aqm, (label, _) in PEERS.items()), tuple(_columns()), cases),))
