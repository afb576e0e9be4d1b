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

import aqm
import dcqcn
import pias
import results
from leafspine import SHAPE, LeafSpine
from scenarios import common
from keys import Key, choice, size
from units import Refused

SUMMARY = "flow completion times, 128 hosts, 8 leaves, 8 spines (ECN# Fig. 12, 13, 14; 18, 21, 22)"
ROWS = ("S0-13", "S0-14", "S0-15", "S0-18", "S0-21", "S0-22")
CC = ("dctcp", "cubic", "reno", "bbr", "dcqcn")
# What UDP has not.
TCP = ("conn", "rto_min", "initcwnd", "delack", "dctcp_shift_g", "gso", "gso_size")
KEYS = common.keys(without=("cc",), shape=SHAPE, rtt="80us-240us", duration="200ms") + [
    Key("cc", "dctcp", choice(*CC), "congestion control: " + ", ".join(CC)),
    Key("largest", "30mb", size("1b", "1000gb"), "no flow is larger; the load stays what it is"),
    *pias.keys("off"),
    *(replace(key, help=f"cc=dcqcn: {key.help}") for key in dcqcn.KEYS),
]


def refuse(p, names, why):
    """Keys that mean nothing beside the others may not be given, or only as they are anyway."""
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
            yield f"{group} ports=flow largest={self.p['largest']}{self.bands.words()}{dcqcn.words(self.p) if self.paced else ''}"

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
