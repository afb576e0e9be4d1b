# SPDX-License-Identifier: GPL-2.0
"""The full mesh: N hosts around one switch, each of which sends to and receives from all others.

        h1 ===[qdisc]=== sw ===[qdisc]=== h2        the qdiscs are those of the switch's ports
        h3 ===[qdisc]=====+=====[qdisc]== ...

A host's link has half of its base RTT, so that the base RTT of a pair is the mean of both hosts'.
"""

from lab.host.keys import Key, number
from lab.host.network import MIN_FRAME
from lab.host.switch import LINKS, OneSwitch
from lab.host.units import Refused, show_time, wire_ns

SHAPE = (Key("hosts", "41", number(2, 512), "number of hosts, 2 to 512"),)


class FullMesh(OneSwitch):
    """A full mesh for a set of parameters; script() gives its lines."""

    def __init__(self, p, seed):
        super().__init__(p, seed)
        self.hosts = [f"h{i + 1}" for i in range(p["hosts"])]
        self.rtts_ns = p["rtt"](len(self.hosts))
        self.delays_ns = [self.delay(rtt) for rtt in self.rtts_ns]
        self.ports = {f"to-{host}": ("sw", f"to-{host}") for host in self.hosts}
        self.aqm_ports = self.receiving = tuple(self.ports)
        self.sending = self.receivers = [(host, "eth0") for host in self.hosts]

    def delay(self, rtt_ns):
        """Delay of a host's link, ns: a frame passes it four times between two hosts of that base RTT, there and back."""
        fixed = 2 * LINKS * wire_ns(MIN_FRAME, self.p["rate"]) + 2 * self.p["coalesce"]
        if rtt_ns < fixed:
            raise Refused(f"rtt: {show_time(rtt_ns)} is below the wire's {show_time(fixed)}")
        return (rtt_ns - fixed) // (2 * LINKS)

    def rtt_of(self, host):
        return self.rtts_ns[self.hosts.index(host)]

    def path_rtt(self, sender, receiver):
        return (self.rtt_of(sender) + self.rtt_of(receiver)) // 2
