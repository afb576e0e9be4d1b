# SPDX-License-Identifier: GPL-2.0
"""The mesh of hosts whose clocks a daemon keeps, in one subnet around a Linux bridge: its ports can be congestion points.

The bridge knows the hosts' addresses, as that of the LAN does. With gso=off and
noise=none the hosts' MACs obey PAUSE.
"""

from lab.host.clock_mesh import ClockMesh
from lab.host.lan import mac, neighbours


class BridgedMesh(ClockMesh):
    """A full mesh, bridged; script() gives its lines."""

    def address(self, host):
        index = self.hosts.index(host) + 1
        return f"10.0.{index >> 8}.{index & 255}"

    def host_keys(self):
        return {**super().host_keys(), "a.pause": int(self.p["gso"] == "off" and not self.p["noise"])}

    def script(self):
        yield from self.guest()
        yield "ns sw"
        for host in self.hosts:
            yield from self.host(host)
        for index, (host, delay_ns) in enumerate(zip(self.hosts, self.delays_ns), 1):
            yield from self.host_link(host, "eth0", "sw", f"to-{host}", index, delay_ns, mac=mac(index))
            yield f"addr {host} eth0 {self.address(host)}/16"
        yield f"bridge sw br0 {' '.join(port for _, port in self.ports.values())}"
        yield from neighbours(self)
