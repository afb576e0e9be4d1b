# SPDX-License-Identifier: GPL-2.0
"""Leaf and spine: every leaf has hosts below it and is linked to every spine; written as a topology script.

        spine1     spine2   ...   spineS
           |  \\   /  |               |          each leaf to each spine
         leaf1     leaf2   ...    leafL
        /  |       |  \\           |   \\
      h1 .. hH   hH+1 ..             hLH

A host's full-duplex link is two links here: what it sends as the sender of flows leaves by the one, whose
delay makes up its base RTT, and what it receives comes by the other, which is short. Each has the whole rate, of
which the direction towards the data carries acknowledgements alone. So the RTT of a flow is that of its
sender, for each receiver; with one link of one delay it would be the mean of two hosts', and their spread
smaller than that of the distribution.

A leaf spreads what is for other leaves over all spines by a hash of addresses and ports (ECMP).

Leaves may have different numbers of hosts, and links different rates: a network that wants that says so in names(), rate_of()
and uplink_bps().
"""

from lab.host.keys import Key, number
from lab.host.network import Network, SHORT_DELAY_NS, sender_delays
from lab.host.units import Refused

SHAPE = (
    Key("leaves", "8", number(2, 64), "number of leaf switches, 2 to 64"),
    Key("hosts", "16", number(1, 64), "hosts below each leaf, 1 to 64; at most 1024 in all"),
    Key("spines", "8", number(1, 64), "number of spine switches, 1 to 64"),
)
HOSTS_MAX = 1024

# Second byte of the addresses of three kinds of links; the third is the leaf, a /31 each.
SENDING, RECEIVING, FABRIC = 1, 2, 3

SWITCH_SYSCTLS = {
    "net.ipv4.ip_forward": "1",
    "net.ipv4.fib_multipath_hash_policy": "1",      # addresses and ports
}


def _address(kind, leaf, index, end):
    """Address of a leaf's link number index: end 0 is the leaf's, 1 the other's."""
    return f"10.{kind}.{leaf}.{2 * index + end}"


def _prefixes(leaf):
    """Prefixes below a leaf."""
    return [f"10.{kind}.{leaf}.0/24" for kind in (SENDING, RECEIVING)]


class LeafSpine(Network):
    """A leaf-spine network for a set of parameters; script() gives its lines."""

    def __init__(self, p, seed):
        super().__init__(p, seed)
        self.racks = self.names()
        self.hosts = [host for rack in self.racks for host in rack]
        self.places = {host: (leaf, index) for leaf, rack in enumerate(self.racks, 1) for index, host in enumerate(rack)}
        self.leaves = range(1, len(self.racks) + 1)
        self.spines = range(1, p["spines"] + 1)
        # The distribution is dealt out below each leaf, so that no leaf is slower than another.
        self.rtts_ns = {host: rtt for rack in self.racks for host, rtt in zip(rack, p["rtt"](len(rack)))}
        self.delays_ns = {host: sender_delays([rtt], self.path_bps(host), p["coalesce"])[0] for host, rtt in self.rtts_ns.items()}
        self.receiving = [f"leaf{leaf}.to-{host}" for leaf in self.leaves for host in self.below(leaf)]
        self.up = [f"leaf{leaf}.to-spine{spine}" for leaf in self.leaves for spine in self.spines]
        self.down = [f"spine{spine}.to-leaf{leaf}" for spine in self.spines for leaf in self.leaves]
        self.aqm_ports = self.receiving + self.up + self.down
        self.sending = [(host, "send") for host in self.hosts]
        self.receivers = [(host, "receive") for host in self.hosts]
        acknowledging = [f"leaf{leaf}.from-{host}" for leaf in self.leaves for host in self.below(leaf)]
        self.ports = {name: tuple(name.split(".")) for name in self.aqm_ports + acknowledging}

    def names(self):
        """Names of the hosts below each leaf."""
        leaves, hosts = self.p["leaves"], self.p["hosts"]
        if leaves * hosts > HOSTS_MAX:
            raise Refused(f"hosts: {leaves} leaves of {hosts} are {leaves * hosts} hosts, more than {HOSTS_MAX}")
        return [[f"h{leaf * hosts + i + 1}" for i in range(hosts)] for leaf in range(leaves)]

    def rate_of(self, _host):
        """Rate of a host's links, bit/s."""
        return self.p["rate"]

    def uplink_bps(self):
        """Rate of each link from a leaf to a spine."""
        return self.p["rate"]

    def path_bps(self, host):
        """Rates of the links from a host to one below another leaf, whose own are of the common rate."""
        return [self.rate_of(host), self.uplink_bps(), self.uplink_bps(), self.p["rate"]]

    def below(self, leaf):
        """The hosts of a leaf."""
        return self.racks[leaf - 1]

    def place(self, host):
        """(leaf, index below it) of a host."""
        return self.places[host]

    def address(self, host):
        return _address(SENDING, *self.place(host), 1)

    def sink(self, host):
        return _address(RECEIVING, *self.place(host), 1)

    def addresses(self, host):
        return [_address(kind, *self.place(host), 1) for kind in (SENDING, RECEIVING)]

    def rtt_of(self, host):
        return self.rtts_ns[host]

    def leaf_bps(self):
        """Rate that a leaf can send to the others, or its hosts can: the lower one."""
        return min(self.p["hosts"] * self.p["rate"], self.p["spines"] * self.uplink_bps())

    def _switch(self, name):
        yield f"ns {name}"
        for key, value in SWITCH_SYSCTLS.items():
            yield f"sysctl {name} {key} {value}"

    def _leaf(self, leaf):
        name = f"leaf{leaf}"
        yield from self._switch(name)
        # The hash depends on this and on addresses and ports alone.
        yield f"sysctl {name} net.ipv4.fib_multipath_hash_seed {(self.seed * 64 + leaf) % 2**32 or 1}"
        for spine in self.spines:
            yield (f"link {name} to-spine{spine} spine{spine} to-{name} rate={self.uplink_bps()} delay={SHORT_DELAY_NS} "
                   "profile=switch")
            yield f"addr {name} to-spine{spine} {_address(FABRIC, leaf, spine - 1, 0)}/31"
            yield f"addr spine{spine} to-{name} {_address(FABRIC, leaf, spine - 1, 1)}/31"
            for prefix in _prefixes(leaf):
                yield f"route spine{spine} {prefix} via {_address(FABRIC, leaf, spine - 1, 0)} dev to-{name}"
        hops = " ".join(f"{_address(FABRIC, leaf, spine - 1, 1)} dev to-spine{spine}" for spine in self.spines)
        yield f"route {name} 0.0.0.0/0 via {hops}"

    def _host(self, host):
        """Requests and acknowledgements go where senders are, data where receivers are."""
        leaf, index = self.place(host)
        number_ = 2 * self.hosts.index(host)
        yield from self.host(host)
        for kind, interface, port, delay_ns, towards in (
                (SENDING, "send", f"from-{host}", self.delays_ns[host], RECEIVING),
                (RECEIVING, "receive", f"to-{host}", SHORT_DELAY_NS, SENDING)):
            yield from self.host_link(host, interface, f"leaf{leaf}", port, number_ + kind, delay_ns, self.rate_of(host))
            yield f"addr {host} {interface} {_address(kind, leaf, index, 1)}/31"
            yield f"addr leaf{leaf} {port} {_address(kind, leaf, index, 0)}/31"
            yield from self.host_route(host, f"10.{towards}.0.0/16", _address(kind, leaf, index, 0), interface)

    def script(self):
        yield from self.guest()
        for spine in self.spines:
            yield from self._switch(f"spine{spine}")
        for leaf in self.leaves:
            yield from self._leaf(leaf)
        for host in self.hosts:
            yield from self._host(host)
