# SPDX-License-Identifier: GPL-2.0
"""The LAN: hosts in one subnet around a Linux bridge.

        s1 ---[qdisc]---+
        s2 ---[qdisc]---+--- bridge ---[qdisc]--- r1        the qdiscs are those of the bridge's ports
        ...             |           +--[qdisc]--- r2

The bridge knows the hosts' addresses, and neither learns nor floods; hosts know each other's. So nothing is on a link but
what the hosts send each other, and control frames of the bridge's ports. With pause=on the hosts' MACs obey PAUSE.
"""

from lab.host.keys import Key, choice
from lab.host.network import Network

PAUSE = Key("pause", "on", choice("on", "off"), "hosts' MACs obey PAUSE frames: on, off")


def mac(index):
    """Address of host number index, from 1."""
    return f"02:00:00:00:{index >> 8:02x}:{index & 255:02x}"


class Lan(Network):
    """A LAN of hosts: names, and rates of links that differ from the key's."""

    def __init__(self, p, seed, senders, receivers, rates=None):
        super().__init__(p, seed)
        self.senders = list(senders)
        self.hosts = [*self.senders, *receivers]
        self.rates = rates or {}
        self.ports = {f"to-{host}": ("sw", f"to-{host}") for host in self.hosts}
        self.aqm_ports = tuple(self.ports)
        self.receiving = tuple(f"to-{host}" for host in receivers)
        self.sending = [(host, "eth0") for host in self.senders]
        self.receivers = [(host, "eth0") for host in receivers]

    def address(self, host):
        index = self.hosts.index(host) + 1
        return f"10.0.{index >> 8}.{index & 255}"

    def rate_of(self, host):
        return self.rates.get(host, self.p["rate"])

    def rtt_of(self, _host):
        """Propagation alone."""
        return 4 * self.p["delay"]

    def host_keys(self):
        return {**super().host_keys(), "a.pause": int(self.p["pause"] == "on")}

    def script(self):
        yield from self.guest()
        yield "ns sw"
        for host in self.hosts:
            yield from self.host(host)
        for index, host in enumerate(self.hosts, 1):
            yield from self.host_link(host, "eth0", "sw", f"to-{host}", index, self.p["delay"], self.rate_of(host), mac(index))
            yield f"addr {host} eth0 {self.address(host)}/16"
        yield f"bridge sw br0 {' '.join(f'to-{host}' for host in self.hosts)}"
        for host in self.hosts:
            for index, other in enumerate(self.hosts, 1):
                if other != host:
                    yield f"neigh {host} eth0 {self.address(other)} {mac(index)}"
