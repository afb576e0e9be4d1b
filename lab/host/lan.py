# SPDX-License-Identifier: GPL-2.0
"""The LAN: hosts in one subnet around a Linux bridge, or two.

        s1 ---[qdisc]---+
        s2 ---[qdisc]---+--- bridge ---[qdisc]--- r1        the qdiscs are those of the bridge's ports
        ...             |           +--[qdisc]--- r2

The bridge knows the hosts' addresses, and neither learns nor floods; hosts know each other's. So nothing is on a link but
what the hosts send each other, and control frames of the bridge's ports. With pause=on the hosts' MACs obey PAUSE.

With two bridges the receivers are at the second:

        s1 ---[qdisc]--- sw ---[qdisc]------[qdisc]--- far ---[qdisc]--- r1

A bridge sends frames for unknown addresses to the other bridge. The qdisc cp of its port may pause that one.
"""

from lab.host.keys import Key, choice
from lab.host.network import Network

PAUSE = Key("pause", "on", choice("on", "off"), "hosts' MACs obey PAUSE frames: on, off")


def mac(index):
    """Address of host number index, from 1."""
    return f"02:00:00:00:{index >> 8:02x}:{index & 255:02x}"


def neighbours(network):
    """Lines of a topology script: every host knows all others, in the order of their addresses."""
    for host in network.hosts:
        for index, other in enumerate(network.hosts, 1):
            if other != host:
                yield f"neigh {host} eth0 {network.address(other)} {mac(index)}"


class Lan(Network):
    """A LAN of hosts: names, of which some may be both, rates of links that differ from the key's, whether receivers are at a second bridge, and have qdiscs."""

    def __init__(self, p, seed, senders, receivers, rates=None, two=False, answering=False):
        super().__init__(p, seed)
        self.two = two
        self.senders = list(senders)
        only = [host for host in receivers if host not in self.senders]
        self.hosts = [*self.senders, *only]
        self.rates = rates or {}
        self.ports = {f"to-{host}": (self.bridge_of(host), f"to-{host}") for host in self.hosts}
        if two:
            self.ports |= {"to-far": ("sw", "to-far"), "to-sw": ("far", "to-sw")}
        self.aqm_ports = tuple(self.ports)
        self.receiving = tuple(f"to-{host}" for host in receivers)
        self.receivers = [(host, "eth0") for host in receivers]
        self.sending = [(host, "eth0") for host in self.senders] + [(host, "eth0") for host in only if answering]

    def bridge_of(self, host):
        """The namespace of a host's bridge."""
        return "far" if self.two and host not in self.senders else "sw"

    def address(self, host):
        index = self.hosts.index(host) + 1
        return f"10.0.{index >> 8}.{index & 255}"

    def rate_of(self, host):
        return self.rates.get(host, self.p["rate"])

    def rtt_of(self, _host):
        """Propagation alone."""
        return (6 if self.two else 4) * self.p["delay"]

    def host_keys(self):
        return {**super().host_keys(), "a.pause": int(self.p["pause"] == "on")}

    def script(self):
        yield from self.guest()
        bridges = ("sw", "far") if self.two else ("sw",)
        for bridge in bridges:
            yield f"ns {bridge}"
        for host in self.hosts:
            yield from self.host(host)
        for index, host in enumerate(self.hosts, 1):
            yield from self.host_link(host, "eth0", self.bridge_of(host), f"to-{host}", index, self.p["delay"], self.rate_of(host), mac(index))
            yield f"addr {host} eth0 {self.address(host)}/16"
        if self.two:
            yield f"link sw to-far far to-sw rate={self.p['rate']} delay={self.p['delay']} profile=switch"
        for bridge in bridges:
            yield f"bridge {bridge} br0 {' '.join(port for netns, port in self.ports.values() if netns == bridge)}"
        if self.two:
            for bridge, port in (("sw", "to-far"), ("far", "to-sw")):
                yield f"exec {bridge} ip link set dev {port} type bridge_slave flood on"
        yield from neighbours(self)
