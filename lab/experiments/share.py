# SPDX-License-Identifier: GPL-2.0
"""Classes of weights 7:3 at a port whose ECN thresholds acc-tuner chooses or not: ACC's Fig. 8.

Class 1 has DCQCN's flows, which represent RDMA, and class 2 has TCP's. drr divides the port between them 7:3, and each class has an AQM. `paced` flows
of DCQCN and `tcp` flows of TCP last the whole duration. The last of the `senders` sends TCP, the others send DCQCN. A class gets less than its share
while its queue is empty, which happens if its thresholds are too low for its flows. The tuner's keys and the names of thresholds are those of the
scenario tune. A tuner tunes each class's queue separately.

`shares` are computed from the bytes that receivers read after `settle`. `off` is the deviation of class 1's share from its weight, in percent of the port.
"""

import os

from lab.experiments import tune
from lab.host import classes, dcqcn, results
from lab.host.keys import Key, choice, number, time
from lab.host.units import Refused
from lab.report import verdict
from lab.report.experiment import Column, Experiment, Grid, Row, Run
from lab.report.paper_value import SHARED, PaperValue
from lab.report.run_data import mean

SUMMARY = "DCQCN and TCP share a port 7:3, thresholds that acc-tuner chooses (ACC Fig. 8)"
ROWS = ("S1-6",)
WEIGHTS = (7, 3)
WITHOUT = ("long", "workload", "load", "conn", "depth", "lo", "hi", "cc")
DEFAULTS = {"buffer": "4000", "duration": "250ms"}
KEYS = [
    *(Key(key.name, DEFAULTS.get(key.name, key.default), key.read, key.help) for key in tune.KEYS if key.name not in WITHOUT),
    Key("cc", "dctcp", choice("dctcp", "cubic"), "congestion control of class 2: dctcp, cubic"),
    Key("paced", "8", number(1, 1024), "long flows of DCQCN"),
    Key("tcp", "8", number(1, 1024), "long flows of TCP"),
    Key("settle", "150ms", time("0ns", "100s"), "how much of the beginning is not measured"),
]


class Setting(tune.TunedSetting):
    """A star whose bottleneck has two classes."""

    series_ns = 1_000_000

    def __init__(self, p, seed):
        if p["senders"] < 2:
            raise Refused("senders: there must be at least 2, one of them for TCP")
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        if p["tuner"] == "chance":
            raise Refused("tuner: chance is of one queue, here are two")
        super().__init__(p, seed, paced=True)

    def tc(self, port):
        return classes.discipline(port, "drr", WEIGHTS, self.qdisc)

    def groups(self):
        p, (*paced, tcp) = self.p, self.star.senders
        until = f"until={p['duration']}ns"
        yield (f"group paced kind=long senders={','.join(paced)} receivers={self.star.receiver} cc=dcqcn{dcqcn.arguments(p)} "
               f"flows={p['paced']} {until}")
        yield f"group tcp kind=long senders={tcp} receivers={self.star.receiver} cc={p['cc']} dscp={classes.dscp(2)} flows={p['tcp']} {until}"

    def more(self, raw, flows):
        series = results.read_series(os.path.join(raw, "series.csv"))
        sizes = [results.received(series.get(name, ()), self.p["settle"], self.p["duration"]) for name in ("paced", "tcp")]
        return {
            **super().more(raw, flows),
            "goodput_gbps": results.quotient(8 * sum(sizes), self.p["duration"] - self.p["settle"]),
            "shares": [results.quotient(size, sum(sizes), 4) for size in sizes],
            "off": results.quotient(100 * abs(sum(WEIGHTS) * sizes[0] - WEIGHTS[0] * sum(sizes)), sum(WEIGHTS) * sum(sizes), 2),
            "classes": list(classes.read([os.path.join(raw, "bottleneck.tc.json")], len(WEIGHTS))),
        }


# The report's part.

PAPER = {
    "share": PaperValue("S1-6", "8", "5.2", SHARED, "RDMA's share with ACC", 0.7, 1, "ratio",
                        "with static ECN TCP occupies 10% to 20% more bandwidth than allocated bandwidth [...] In contrast, ACC can significantly improve the fairness"),
}

COMPARED = (*tune.STATICS, *tune.TUNED)


def case(setting):
    return f"share/{setting}"


def experiment(seeds):
    """For the report."""
    every = tuple(Run(case(name), "share", tune.SETTINGS[name][1], seed, 12) for seed in seeds for name in COMPARED)

    def of(read):
        return lambda data, where: mean([read(result.document) for result in data.results(where)]) if data.knows(where) else None

    def shown(data, name):
        return of(lambda document: document["shares"][0])(data, case(name))

    row = Row(PAPER["share"], "drr 7:3: DCQCN's share, acc-tuner ddqn", lambda data: shown(data, "ddqn"),
              lambda data: "off by {:.1f} points; SECN1 by {:.1f}".format(*(data.mean(case(name), "off") for name in ("ddqn", "secn1"))),
              (case("ddqn"),), verdict.of_share, "share", cause=lambda data: f"with SECN1 it is {shown(data, 'secn1'):.3f} here")
    return Experiment("share", every, (row,), grids=(Grid(
        "share", "8 flows of DCQCN and 8 of TCP share a port 7:3", "drr, thresholds in each class; the last 100 of 250 ms.", "setting",
        tuple((tune.SETTINGS[name][0], case(name)) for name in COMPARED), (
            Column("DCQCN's share", of(lambda document: document["shares"][0]), "{:.4f}".format),
            Column("off, percent of the port", of(lambda document: document["off"]), "{:.2f}".format),
            Column("Gbit/s", of(lambda document: document["goodput_gbps"]), "{:.3f}".format),
            *(Column(f"wait of {label}, us", of(lambda document, index=index: document["classes"][index]["mean_wait_us"]), "{:.1f}".format)
              for index, label in enumerate(("DCQCN", "TCP")))), ("share",)),))
