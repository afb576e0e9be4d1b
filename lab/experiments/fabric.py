# SPDX-License-Identifier: GPL-2.0
"""Flow completion times in a leaf-spine network: the ECN# paper's Fig. 13 (web search), 14 (data mining).

Every host sends to every host below other leaves, each flow on a connection of its own. Runs with one seed have the
same flows on the same paths, whatever the AQM. `load` is relative to what a leaf can send to the others, here 8 uplinks
for 16 hosts: above half of the hosts' own links nothing can be carried. Queues are those of all ports that carry data:
from leaf to spine (`up`), from spine to leaf (`down`) and from leaf to host (`receiving`, of which `utilisation` is the
mean). `ecmp` is how much more than the mean a leaf's most used uplink carried, for the mean and the worst leaf.

With cc=dcqcn flows are as in the scenario probabilistic, which says what aqm=ramp and ramp+pst are and why its buffer
is deep: cc=dcqcn aqm=ramp+pst buffer=40000. With pias=on they are as in the scenario pias, with bands at all ports, whose
sums `bands` has.

A run goes on until every flow has ended; flows larger than `largest` are that large instead, so that what begins in
0.2 s is mostly carried in 0.2 s (of data mining's bytes, seven eighths are in flows of above 100 MB). The paper does not
say how large its buffers were; with less than the default some AQMs drop SYNs, and Linux waits a second before it sends
one again.
"""

import os
from dataclasses import replace

from lab.experiments import fct
from lab.experiments.fct import DATAMINING, WEBSEARCH
from lab.experiments.shared import leafspine, settings as common
from lab.host import aqm, dcqcn, pias, results
from lab.host.keys import Key, choice, size
from lab.host.leafspine import LeafSpine, SHAPE
from lab.host.units import Refused
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, ratio_row
from lab.report.paper_value import FABRIC, PaperValue

SUMMARY = "flow completion times, 128 hosts, 8 leaves, 8 spines (ECN# Fig. 12, 13, 14; 18, 21, 22)"
ROWS = ("S0-13", "S0-14", "S0-15", "S0-18", "S0-21", "S0-22")
CC = ("dctcp", "cubic", "reno", "bbr", "dcqcn")
# Keys that UDP does not have.
TCP = ("conn", "rto_min", "initcwnd", "delack", "dctcp_shift_g", "gso", "gso_size")
KEYS = common.keys(without=("cc",), shape=SHAPE, rtt="80us-240us", duration="200ms") + [
    Key("cc", "dctcp", choice(*CC), "congestion control: " + ", ".join(CC)),
    Key("largest", "30m", size("1b", "1000g"), "no flow is larger; the load stays what it is"),
    *pias.keys("off"),
    *(replace(key, help=f"cc=dcqcn: {key.help}") for key in dcqcn.KEYS),
]


def refuse(p, names, why):
    """Keys without effect, given the others, are refused unless they have their default value."""
    for key in KEYS:
        if key.name in names and p[key.name] != key.parse(key.default):
            raise Refused(f"{key.name}: {why}")


class Setting(common.LeafSpineSetting):
    """Poisson arrivals from all hosts to all below other leaves."""

    aqm_setup = aqm.SIMULATION

    def __init__(self, p, seed):
        self.paced = p["cc"] == "dcqcn"
        self.bands = pias.Bands(p)
        if not self.bands:
            refuse(p, ("demote",), "only with pias=on")
        if not self.paced:
            refuse(p, [key.name for key in dcqcn.KEYS], "only with cc=dcqcn")
            if p["aqm"] in ("ramp", "ramp+pst"):
                raise Refused(f"aqm: {p['aqm']} is for cc=dcqcn")
        else:
            refuse(p, TCP, "TCP's, not with cc=dcqcn")
            refuse(p, ("pias",), "not with cc=dcqcn, whose flows keep their codepoint")
            p = {**p, "host": dcqcn.HOST, "aqm": dcqcn.aqm(p)}
            self.trips = dcqcn.TRIPS
        super().__init__(p, LeafSpine(p, seed))

    def tc(self, port):
        return self.bands.tc(port, self.qdisc) if self.bands else super().tc(port)

    def groups(self):
        """One for each leaf as the destination: together they are uniform over all pairs of different leaves."""
        network = self.network
        for leaf in network.leaves:
            here = network.below(leaf)
            senders = [host for host in network.hosts if host not in here]
            group = self.arrivals(f"to-leaf{leaf}", self.ends(senders, here), network.leaf_bps())
            yield f"{group} ports=flow largest={self.p['largest']}{self.bands.arguments()}{dcqcn.arguments(self.p) if self.paced else ''}"

    def more(self, raw, flows):
        ports = {name: results.read_port(raw, name) for name in self.network.up}
        return {
            "tiers": self.tiers(raw),
            "ecmp": self.ecmp(ports),
            **({"bands": self.bands.results([os.path.join(raw, f"{name}.tc.json") for name, _ in self.aqm_ports()], flows)} if self.bands else {}),
            **(dcqcn.figures(raw, flows) if self.paced else {}),
        }

    def ecmp(self, ports):
        """How evenly each leaf used its uplinks: bytes of the one used most over the mean."""
        spines = len(self.network.spines)
        shares = []
        for leaf in self.network.leaves:
            carried = [ports[f"leaf{leaf}.to-spine{spine}"].head["departed_bytes"] for spine in self.network.spines]
            shares.append(max(carried) * spines * 1000 // max(1, sum(carried)))
        return {"mean": results.quotient(sum(shares), 1000 * len(shares)), "worst": results.quotient(max(shares), 1000)}


# 128 hosts in a leaf-spine network: Fig. 13 (web search) and 14 (data mining).

PAPER = {
    "large-tail": fct.PAPER["large-tail"],
    "fabric-ws-mean": PaperValue(
        "S0-13", "13b", "5.3", f"{FABRIC}, web search, 90 % load", "short flows, mean FCT, ECN# to RED-Tail",
        738, 964, "us", "23.4% (964us to 738us at 90% load)"),
    "fabric-dm-mean": PaperValue(
        "S0-13", "14b", "5.3", f"{FABRIC}, data mining, 80 % load", "short flows, mean FCT, ECN# to RED-Tail",
        377, 548, "us", "31.3% (548us to 377us at 80% load)"),
    "fabric-ws-p99": PaperValue(
        "S0-14", "13c", "5.3", f"{FABRIC}, web search, 90 % load", "short flows, 99th percentile, ECN# to RED-Tail",
        3287, 5242, "us", "37.3% (5242us to 3287us at 90% load)"),
    "fabric-dm-p99": PaperValue(
        "S0-14", "14c", "5.3", f"{FABRIC}, data mining, 80 % load", "short flows, 99th percentile, ECN# to RED-Tail",
        1347, 2161, "us", "37.6% (2161us to 1347us at 80% load)"),
    "fabric-overall": PaperValue(
        "S0-15", "13a, 14a", "5.3", FABRIC, "all flows, mean FCT, ECN# to RED-Tail",
        1, 1, "ratio", "With both workloads, ECN# achieves similar results as DCTCP-RED-Tail"),
}


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
    """Name of a workload; one that differs from the port's is named so, see the report's end."""
    cut = " cut at 30 MB" if workload is DATAMINING else ""
    return f"{workload.title}{cut} {float(load) * 100:.0f} %"


def _cause(workload, load):
    def cause(data):
        tail, ecnsharp = (data.mean(case(workload, load, aqm), "queue.mean_sojourn_us") for aqm in ("red-tail", "ecnsharp"))
        return f"a packet waits {tail:.0f} us on average at a queue under RED-Tail and {ecnsharp:.0f} us under ECN#"
    return cause


def _rows(workload, load):
    short = workload.short
    title = f"fabric, {_label(workload, load)}"
    pair = (case(workload, load, "ecnsharp"), case(workload, load, "red-tail"))
    why = _cause(workload, load)
    # The paper's text has short flows at one load; that all and large flows fare alike it says of all loads.
    shorts = () if load != workload.load else (
        ratio_row(PAPER[f"fabric-{short}-mean"], f"{title}: short flows' mean, ECN# / RED-Tail", *pair, "flows.short.mean_us", cause=why),
        ratio_row(PAPER[f"fabric-{short}-p99"], f"{title}: short flows' p99, ECN# / RED-Tail", *pair, "flows.short.p99_us", cause=why),
    )
    return shorts + (
        ratio_row(PAPER["fabric-overall"], f"{title}: all flows' mean, ECN# / RED-Tail", *pair, "flows.all.mean_us"),
        ratio_row(PAPER["large-tail"], f"{title}: large flows' mean, ECN# / RED-Tail", *pair, "flows.large.mean_us", scale=1000,
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
