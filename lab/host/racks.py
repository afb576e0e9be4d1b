# SPDX-License-Identifier: GPL-2.0
"""Two racks of computing and storage: a leaf-spine network whose hosts have roles.

        leaf1: c1, c2 ... computing clients, r1, r2 ... storage clients
        leaf2: s1, s2 ... computing servers, d1, d2 ... storage servers, one for each pair of storage clients

The links of storage servers have the rate of the uplinks.
"""

from lab.host.keys import Key, number
from lab.host.leafspine import LeafSpine

SHAPE = (
    Key("clients", "15", number(1, 200), "computing clients, 1 to 200"),
    Key("servers", "30", number(1, 200), "computing servers, 1 to 200"),
    Key("readers", "12", number(0, 200), "storage clients, 0 to 200"),
    Key("spines", "3", number(1, 64), "number of spine switches, 1 to 64"),
)


def _named(letter, count):
    return [f"{letter}{place}" for place in range(1, count + 1)]


class Racks(LeafSpine):
    """The two racks for a set of parameters."""

    def __init__(self, p, seed):
        self.clients, self.readers = _named("c", p["clients"]), _named("r", p["readers"])
        self.servers, self.stores = _named("s", p["servers"]), _named("d", (p["readers"] + 1) // 2)
        super().__init__(p, seed)

    def names(self):
        return [self.clients + self.readers, self.servers + self.stores]

    def rate_of(self, host):
        return self.p["uplink"] if host in self.stores else self.p["rate"]

    def uplink_bps(self):
        return self.p["uplink"]

    def reads(self):
        """(storage server, storage client that reads from it) of each client."""
        return [(self.stores[place // 2], reader) for place, reader in enumerate(self.readers)]
