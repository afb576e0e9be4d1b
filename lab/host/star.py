# SPDX-License-Identifier: GPL-2.0
"""The star: N senders, a switch, one receiver; written as a plan for the stage.

        s1 ---+
        s2 ---+--- sw ===[qdisc]=== r1
        ...   |
        sN ---+
"""

from keys import Key, number
from network import SHORT_DELAY_NS, Network, sender_delays

SHAPE = (Key("senders", "7", number(1, 1024), "number of senders, 1 to 1024"),)
LINKS = 2


def _address(index, end):
    """Of link number index: end 0 is the switch's, 1 the host's; a /31 each."""
    place = 2 * index + end
    return f"10.{place >> 16 & 255}.{place >> 8 & 255}.{place & 255}"


class Star(Network):
    """A star for a set of parameters; plan() gives its lines."""

    def __init__(self, p, seed):
        super().__init__(p, seed)
        self.senders = [f"s{i + 1}" for i in range(p["senders"])]
        self.receiver = "r1"
        self.rtts_ns = p["rtt"](len(self.senders))
        self.delays_ns = sender_delays(self.rtts_ns, p["rate"], p["coalesce"], LINKS) + [SHORT_DELAY_NS]
        self.hosts = self.senders + [self.receiver]
        self.ports = {f"to-{host}": ("sw", f"to-{host}") for host in self.senders}
        self.ports["bottleneck"] = ("sw", f"to-{self.receiver}")
        self.aqm_ports = self.receiving = ("bottleneck",)

    def address(self, host):
        return _address(self.hosts.index(host) + 1, 1)

    def rtt_of(self, host):
        return self.rtts_ns[self.senders.index(host)]

    def plan(self):
        yield from self.guest()
        yield "ns sw"
        yield "sysctl sw net.ipv4.ip_forward 1"
        for host in self.hosts:
            yield from self.host(host)
        for index, (host, delay_ns) in enumerate(zip(self.hosts, self.delays_ns), 1):
            yield from self.host_link(host, "eth0", "sw", f"to-{host}", index, delay_ns)
            yield f"addr {host} eth0 {_address(index, 1)}/31"
            yield f"addr sw to-{host} {_address(index, 0)}/31"
            yield from self.host_route(host, "0.0.0.0/0", _address(index, 0), "eth0")
