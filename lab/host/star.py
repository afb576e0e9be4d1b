# SPDX-License-Identifier: GPL-2.0
"""The star: N senders, a switch, one receiver.

        s1 ---+
        s2 ---+--- sw ===[qdisc]=== r1
        ...   |
        sN ---+
"""

from lab.host.keys import Key, number
from lab.host.network import SHORT_DELAY_NS, sender_delays
from lab.host.switch import LINKS, OneSwitch

SHAPE = (Key("senders", "7", number(1, 1024), "number of senders, 1 to 1024"),)


class Star(OneSwitch):
    """A star for a set of parameters; script() gives its lines."""

    def __init__(self, p, seed):
        super().__init__(p, seed)
        self.senders = [f"s{i + 1}" for i in range(p["senders"])]
        self.receiver = "r1"
        self.rtts_ns = p["rtt"](len(self.senders))
        self.delays_ns = sender_delays(self.rtts_ns, [p["rate"]] * LINKS, p["coalesce"]) + [SHORT_DELAY_NS]
        self.hosts = self.senders + [self.receiver]
        self.ports = {f"to-{host}": ("sw", f"to-{host}") for host in self.senders}
        self.ports["bottleneck"] = ("sw", f"to-{self.receiver}")
        self.aqm_ports = self.receiving = ("bottleneck",)
        self.sending = [(host, "eth0") for host in self.senders]
        self.receivers = [(self.receiver, "eth0")]

    def rtt_of(self, host):
        return self.rtts_ns[self.senders.index(host)]
