# SPDX-License-Identifier: GPL-2.0
"""Why not just ...: what Linux offers already, over the same flows, bursts and fan-ins."""

from lab.experiments import incast, queue
from lab.experiments.fct import DATAMINING, WEBSEARCH
from lab.host import aqm as qdiscs
from lab.report.experiment import Column, Experiment, Grid, Run

# Name in the cases -> (label in the table, lab/run's argument if not the name): one qdisc, with the testbed's constants, in every
# column. dualpi2 is not in 6.12; its step is TCN's algorithm at another threshold.
PEERS = {
    "ecnsharp": ("ECN#", None),
    "ecnsharp-10us": ("ECN#, pst_target 10us", "ecnsharp preset testbed pst_target 10us"),
    "red-tail": ("red, 250 KB", None),
    "red-avg": ("red, 80 KB", None),
    "codel": ("codel ecn", None),
    "codel-ce": ("codel ce_threshold 200us", None),
    "codel-ce-10us": ("codel ce_threshold 200us, target 10us", "codel target 10us interval 200us ce_threshold 200us ecn"),
    "fq_codel": ("fq_codel ecn", None),
    "fq-200us": ("fq ce_threshold 200us", "fq flow_limit 2000 ce_threshold 200us"),
    "fq-85us": ("fq ce_threshold 85us", "fq flow_limit 2000 ce_threshold 85us"),
    "tcn": ("TCN 200us", None),
    "tcn-1ms": ("dualpi2's step, 1ms, as TCN", "ecnsharp ins_target 1ms persistent off"),
    "tcn-85us": ("TCN 85us", "ecnsharp ins_target 85us persistent off"),
}
FANIN = 100
# Packets, of the scenarios queue and incast.
BUFFER = 500


def behind(aqm):
    """(name in the cases, the argument of lab/run) in queue and incast, where a name by itself has the simulations' constants."""
    spec = PEERS[aqm][1]
    return (aqm, spec) if spec else (f"{aqm}-testbed", " ".join(qdiscs.spec(aqm, qdiscs.TESTBED, BUFFER)))


def _runs(seeds):
    for seed in seeds:
        for aqm, (_, spec) in PEERS.items():
            name, setting = behind(aqm)
            yield WEBSEARCH.run("0.9", aqm, seed, spec)
            yield DATAMINING.run("0.8", aqm, seed, spec)
            yield Run(f"queue/{name}", "queue", (f"aqm={setting}",), seed, queue.COST_S)
            yield queue.still_run(name, seed, setting)
            yield Run(incast.case(name, FANIN), "incast", (f"aqm={setting}", f"fanin={FANIN}"), seed, incast.COST_S)


def _of_fct(workload, load, path, scale=1):
    def number(data, aqm):
        value = data.mean(workload.case(load, aqm), path)
        return None if value is None else value / scale
    return number


def _columns():
    for workload, load, title in ((WEBSEARCH, "0.9", "web search"), (DATAMINING, "0.8", "data mining")):
        yield Column(f"{title}: short mean, us", _of_fct(workload, load, "flows.short.mean_us"))
        yield Column("short p99, us", _of_fct(workload, load, "flows.short.p99_us"))
        yield Column("large, ms", _of_fct(workload, load, "flows.large.mean_us", 1000))
    yield Column("standing queue, packets", lambda data, aqm: data.mean(f"queue/{behind(aqm)[0]}", "standing.mean_pkts"))
    yield Column("drops in a burst of 100", lambda data, aqm: queue.burst_drops(data, behind(aqm)[0]))
    yield Column("query of 100, p99, ms",
                 lambda data, aqm: data.mean(incast.case(behind(aqm)[0], FANIN), "query.p99_us") / 1000)


def experiment(seeds):
    """For the report."""
    every = tuple(_runs(seeds))
    cases = tuple(dict.fromkeys(run.case for run in every))
    return Experiment("peers", every, grids=(Grid(
        "peers", "Comparison with codel, fq_codel, fq with ce_threshold, dualpi2's step",
        "All schemes saw the same flows. Each row is one qdisc with the constants of the paper's testbed, unless it names others (ECN# `preset testbed`, which has "
        "`pst_target 85us`, CoDel `target 85us interval 200us`). "
        "The first columns are web search at 90 % load and data mining at 80 %, with 7 senders, base RTTs of 70 to 210 us, and a buffer of 2000 packets. The last three columns are data mining "
        "at 30 % and four flows that never end, without and with 100 flows of a query at once, with 16 senders, 80 to 240 us, 500 packets, and an initial window of 2. The drops of a burst are "
        "those beyond the drops of the same run without it. fq and "
        "fq_codel have a queue for each flow, which a switch does not have. dualpi2 is not in Linux 6.12; its step marks as "
        "TCN does. PRED (NSDI 2025) reports a p99 of short flows of 1.4 ms, compared with 4.34 for ECN# and 6.68 for CoDel "
        "(web search, 90 %). Its code is not public, so only ECN# and CoDel can be compared with that.",
        "scheme", tuple((label, aqm) for aqm, (label, _) in PEERS.items()), tuple(_columns()), cases),))
