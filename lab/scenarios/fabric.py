# SPDX-License-Identifier: GPL-2.0
"""Flow completion times in a leaf-spine network: the ECN# paper's Fig. 13 (web search), 14 (data mining).

Every host sends to every host below other leaves, each flow on a connection of its own. Runs with one seed have the
same flows on the same paths, whatever the AQM. `load` is relative to what a leaf can send to the others, here 8 uplinks
for 16 hosts: above half of the hosts' own links nothing can be carried. Queues are those of all ports that carry data:
from leaf to spine (`up`), from spine to leaf (`down`) and from leaf to host (`receiving`, of which `utilisation` is the
mean). `ecmp` is how much more than the mean a leaf's most used uplink carried, for the mean and the worst leaf.

A run goes on until every flow has ended; flows larger than `largest` are that large instead, so that what begins in
0.2 s is mostly carried in 0.2 s (of data mining's bytes, seven eighths are in flows of above 100 MB). The paper does not
say how large its buffers were; with less than the default some AQMs drop SYNs, and Linux waits a second before it sends
one again.
"""

import aqm
import results
from leafspine import SHAPE, LeafSpine
from scenarios import common
from keys import Key, size

SUMMARY = "flow completion times, 128 hosts, 8 leaves, 8 spines (ECN# Fig. 12, 13, 14)"
ROWS = ("S0-13", "S0-14", "S0-15")
KEYS = common.keys(shape=SHAPE, rtt="80us-240us", duration="200ms") + [
    Key("largest", "30mb", size("1b", "1000gb"), "no flow is larger; the load stays what it is"),
]


class Setting(common.LeafSpineSetting):
    """Poisson arrivals from all hosts to all below other leaves."""

    aqm_setup = aqm.SIMULATION

    def __init__(self, p, seed):
        super().__init__(p, LeafSpine(p, seed))

    def groups(self):
        """One for each leaf as the destination: together they are uniform over all pairs of different leaves."""
        network = self.network
        for leaf in network.leaves:
            here = network.below(leaf)
            senders = [host for host in network.hosts if host not in here]
            group = self.arrivals(f"to-leaf{leaf}", self.ends(senders, here), network.leaf_bps())
            yield f"{group} ports=flow largest={self.p['largest']}"

    def more(self, raw, flows):
        ports = {name: results.read_port(raw, name) for name in self.network.up}
        return {"tiers": self.tiers(raw), "ecmp": self.ecmp(ports)}

    def ecmp(self, ports):
        """How evenly each leaf used its uplinks: bytes of the one used most over the mean."""
        spines = len(self.network.spines)
        shares = []
        for leaf in self.network.leaves:
            carried = [ports[f"leaf{leaf}.to-spine{spine}"].head["departed_bytes"] for spine in self.network.spines]
            shares.append(max(carried) * spines * 1000 // max(1, sum(carried)))
        return {"mean": results.quotient(sum(shares), 1000 * len(shares)), "worst": results.quotient(max(shares), 1000)}
