# SPDX-License-Identifier: GPL-2.0
"""The full mesh for hosts whose clocks a daemon keeps: their software is late, links are loaded without packets, or longer one way."""

from lab.host.full_mesh import FullMesh


class ClockMesh(FullMesh):
    """A full mesh whose hosts are late, whose links are loaded, and longer one way."""

    def loaded(self, host):
        """Whether the load is on a host's link (to the switch, from it)."""
        if not self.p["load"] or self.p["traffic"] != "cross":
            return False, False
        if self.p["sides"] == "both":
            return True, True
        first = self.hosts.index(host) < len(self.hosts) // 2
        return not first, first

    def link_options(self, host, number_, delay_ns):
        """Options of a host's link in addition to those of all links."""
        p = self.p
        yield from (f"a.{key}={value}" for key, value in p["noise"].items())
        for end, loaded in zip("ab", self.loaded(host)):
            if loaded:
                yield f"{end}.cross={p['load']} {end}.cross_burst={p['burst']}"
        yield f"b.seed={self.seed * 1000 + number_}"
        if host in p["asymmetry"]:
            yield f"a.delay={delay_ns + p['asymmetry'][host]}"

    def host_link(self, name, interface, switch, port, number, delay_ns, rate_bps=None, mac=None):
        for line in super().host_link(name, interface, switch, port, number, delay_ns, rate_bps, mac):
            yield " ".join((line, *self.link_options(name, number, delay_ns))) if line.startswith("link ") else line
