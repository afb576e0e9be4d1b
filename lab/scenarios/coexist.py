# SPDX-License-Identifier: GPL-2.0
"""Two tenants of one network, who may or may not use On-Ramp: the On-Ramp paper's Fig. 20.

Two racks, each a leaf switch, and a spine between them, to which a leaf has one link of `uplink`. Every second host of a rack
is the first tenant's, the others are the second's. Each tenant has what rct has among its own hosts alone: background flows between
random pairs at `load` of every host's link, and requests. So the tenants meet at the uplinks only, and in the way from
the spine to a leaf. Hosts of the first have the qdisc `host` at their root, hosts of the second `other`; only hosts with onramp
send OR-ACKs.

A port holds 4 MB: the switches of the paper's bare metal have 9 MB that all ports share. With 1 MB SYNs are lost, each of which costs a
second (`late_syns`), and a tenant's mean is how many it lost.

`tenants` are the first's and the second's requests and flows; all else is as rct has it, of both together. `tiers` are the queues
from leaf to spine (`up`), from spine to leaf (`down`) and from leaf to host (`receiving`).
"""

import leafspine
import results
from keys import Key, rate, word
from scenarios import common, rct
from units import Refused

SUMMARY = "requests and background flows of two tenants, one with On-Ramp, on shared uplinks (On-Ramp Fig. 20)"
ROWS = ("S3-19",)
DEFAULTS = {"leaves": "2", "hosts": "10", "spines": "1"}
OWN = {"load": "0.6", "fanin": "20", "duration": "100ms", "buffer": "4mb", "host": "onramp mode hold threshold 50us clock system error 1us"}
KEYS = [
    *(Key(key.name, DEFAULTS[key.name], key.read, key.help) for key in leafspine.SHAPE),
    Key("uplink", "40gbit", rate("10mbit", "100gbit"), "rate of each link from a leaf to a spine"),
    *(Key(key.name, OWN.get(key.name, key.default), key.read, key.help) for key in rct.KEYS if key.name != "hosts"),
    Key("other", "fq", word, "qdisc of the second tenant's hosts, as host is of the first's"),
]
FIRST, SECOND = "-1", "-2"


class Network(leafspine.LeafSpine):
    """Hosts of both tenants below each leaf."""

    def uplink_bps(self):
        return self.p["uplink"]


class Setting(common.LeafSpineSetting, rct.Setting):
    """As rct, twice, with nothing between the tenants but the network."""

    topology = Network

    def __init__(self, p, seed):
        if p["leaves"] * p["hosts"] < 4:
            raise Refused("leaves, hosts: each tenant has at least two hosts, so there must be four")
        super().__init__(p, seed)

    def qdiscs(self):
        return {**super().qdiscs(), "other": self.p["other"].split()}

    def host_qdisc(self, host):
        return self.qdiscs()["host" if host in self.tenants()[FIRST] else "other"]

    def tenants(self):
        hosts = self.network.hosts
        return {FIRST: hosts[::2], SECOND: hosts[1::2]}

    def more(self, raw, flows):
        return {
            **super().more(raw, flows),
            "tenants": {f"tenant{name}": {"requests": results.summarise_requests(self.requests(flows, [name])),
                                          "flows": results.buckets(self.background(flows, [name]), rct.BOUNDS)}
                        for name in self.tenants()},
            "tiers": self.tiers(raw),
        }
