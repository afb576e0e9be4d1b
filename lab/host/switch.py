# SPDX-License-Identifier: GPL-2.0
"""Hosts around one switch, a link each; written as a topology script."""

from lab.host.network import Network

# From one host to another.
LINKS = 2


def _address(index, end):
    """Address of link number index: end 0 is the switch's, 1 the host's; a /31 each."""
    place = 2 * index + end
    return f"10.{place >> 16 & 255}.{place >> 8 & 255}.{place & 255}"


class OneSwitch(Network):
    """Common parts of star and full mesh; each fills in hosts and delays_ns, of their links, in that order."""

    hosts = ()
    delays_ns = ()

    def address(self, host):
        return _address(self.hosts.index(host) + 1, 1)

    def script(self):
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
