# SPDX-License-Identifier: GPL-2.0
"""Packet accounting: packets and bytes sent = delivered + dropped with a cause.

Balanced link by link (what one end sent, the other received) and switch by switch (what came in went out
or was dropped). Hosts only send and receive.

Control frames (PAUSE and PFC, congestion notifications, rates: lab/labnic/control.h) are apart: switches make
and take them, so they balance on links only.
"""

import os
from dataclasses import dataclass, field

from lab.host.boot import LabError


class Unbalanced(LabError):
    """Packets vanished, or came from nowhere: the run's results mean nothing."""


@dataclass
class Amount:
    """Packets and bytes, Ethernet headers included."""

    pkts: int = 0
    size: int = 0

    def __iadd__(self, other):
        self.pkts += other.pkts
        self.size += other.size
        return self

    def __sub__(self, other):
        return Amount(self.pkts - other.pkts, self.size - other.size)

    def __str__(self):
        return f"{self.pkts} packets of {self.size} bytes"

    def document(self):
        return {"packets": self.pkts, "bytes": self.size}


@dataclass
class Port:
    """One end of a link."""

    peer: tuple = ()
    counters: dict = field(default_factory=dict)
    drops: dict = field(default_factory=dict)       # the kernel's reason -> Amount

    def sent(self):
        return Amount(self.counters["tx_packets"], self.counters["tx_bytes"])

    def received(self):
        return Amount(self.counters["rx_packets"], self.counters["rx_bytes"])

    def control_sent(self):
        return Amount(self.counters["tx_control_packets"], self.counters["tx_control_bytes"])

    def control_received(self):
        return Amount(self.counters["rx_control_packets"], self.counters["rx_control_bytes"])

    def data_sent(self):
        return self.sent() - self.control_sent()

    def data_received(self):
        return self.received() - self.control_received()


def read(folder):
    """Ports by (namespace, interface), as the guest's init wrote them."""
    ports = {}
    with open(os.path.join(folder, "accounting"), encoding="ascii") as file:
        for line in file:
            netns, name, what, *values = line.split()
            port = ports.setdefault((netns, name), Port())
            if what == "peer":
                port.peer = tuple(values)
            elif what == "drop":
                port.drops[values[0]] = Amount(int(values[1]), int(values[2]))
            else:
                port.counters[what] = int(values[0])
    return ports


def _switches(ports, hosts):
    """Namespaces that are not hosts, and their ports."""
    inside = {}
    for (netns, _), port in ports.items():
        if netns not in hosts:
            inside.setdefault(netns, []).append(port)
    return inside


def _check_links(ports):
    """A frame that a link lost has a counter, but its bytes have none: then only frames are compared."""
    for (netns, name), port in ports.items():
        peer = ports[port.peer]
        lost = port.counters["tx_drop_link_down"] + peer.counters["rx_drop_oversize"]
        sent, got = port.sent(), peer.received()
        if sent.pkts != got.pkts + lost or (not lost and sent.size != got.size):
            raise Unbalanced(f"the link from {netns} {name} to {' '.join(port.peer)} took {sent}, delivered {got} "
                             f"and lost {lost}")
        sent, got = port.control_sent(), peer.control_received()
        if not lost and sent != got:
            raise Unbalanced(f"the link from {netns} {name} to {' '.join(port.peer)} took control frames, {sent}, and delivered {got}")


def _total(amounts):
    total = Amount()
    for amount in amounts:
        total += amount
    return total


def _check_switch(netns, members):
    came = _total(port.data_received() for port in members)
    left = _total(port.data_sent() for port in members)
    lost = _total(amount for port in members for amount in port.drops.values())
    if (came.pkts, came.size) != (left.pkts + lost.pkts, left.size + lost.size):
        raise Unbalanced(f"{netns} took in {came}, put out {left} and dropped {lost}")


def _control(ports):
    """Control frames on all links, where there are any."""
    control = _total(port.control_sent() for port in ports.values())
    return {"control": control.document()} if control.pkts else {}


def balance(ports, hosts):
    """Packets that hosts sent and received, and packets dropped between them, by cause; refuses an accounting that does not balance."""
    _check_links(ports)
    switches = _switches(ports, set(hosts))
    for netns, members in switches.items():
        _check_switch(netns, members)
    hosts = [port for (netns, _), port in ports.items() if netns not in switches]
    dropped = {}
    for members in switches.values():
        for port in members:
            for reason, amount in port.drops.items():
                dropped.setdefault(reason, Amount())
                dropped[reason] += amount
    lost = sum(port.counters["tx_drop_link_down"] + port.counters["rx_drop_oversize"] for port in ports.values())
    sent, got = (_total(side(port) for port in hosts) for side in (Port.data_sent, Port.data_received))
    if sent.pkts != got.pkts + lost + _total(dropped.values()).pkts:
        raise Unbalanced(f"hosts sent {sent} and received {got}; {_total(dropped.values())} were dropped, {lost} lost")
    return {
        "sent": sent.document(),
        "delivered": got.document(),
        "dropped": {reason: dropped[reason].document() for reason in sorted(dropped)},
        "lost_on_links": lost,
        **_control(ports),
    }
