# SPDX-License-Identifier: GPL-2.0
"""How well a sender's signals predict the delay of its next packet: the On-Ramp paper's Fig. 6.

Background flows between random pairs, as in rct. Whenever an acknowledgement comes that is followed by another packet within a
millisecond, three things that the sender may know of the packet acknowledged last are set beside the true one-way delay of
that next packet: `owd`, its one-way delay by clocks as wrong as `clock_error`; `ntp`, the same by clocks as wrong as
`ntp_error`; `rtt`, its round-trip time. Each host's clock is off by a constant of its own, normally distributed.

`correlation` is Pearson's, `rank_correlation` Spearman's; `tenths` are the tenths of the samples in the order of the signal,
with its median there and percentiles of the next delay. Delays are true ones, from captures of every packet at
the switch's ports; the errors are added afterwards, so the run itself does not depend on them.
"""

import os

import capture
import predict
from artifacts import digest
from boot import EPOCH_NS as BOOT_NS
from keys import Key, time
from network import EPOCH_NS
from scenarios import rct
from units import wire_ns

SUMMARY = "how well one-way delay, with good and bad clocks, and RTT predict the next packet's delay (On-Ramp Fig. 6)"
ROWS = ("S3-4",)
OWN = ("request", "fanin", "request_load", "spacing")
KEYS = [key if key.name != "duration" else Key(key.name, "30ms", key.read, key.help)
        for key in rct.KEYS if key.name not in OWN] + [
    Key("clock_error", "200ns", time("0ns", "1s"), "standard deviation of good clocks' offsets; the paper has 100 to 200ns"),
    Key("ntp_error", "500us", time("0ns", "1s"), "the same of NTP's clocks"),
]
FULL_FRAME = 1514
UNIT = 1 << 32


class Setting(rct.Setting):
    """As rct without requests, every port captured."""

    def __init__(self, p, seed):
        super().__init__({**p, "request": 1, "fanin": 1, "request_load": 0, "spacing": "fixed"}, seed)
        self.seed = seed

    def watches(self):
        yield from super().watches()
        for name, (netns, port) in self.network.ports.items():
            yield f"pcap {netns} {port} {name}.pcap snap={capture.SNAP_BYTES}"

    def offsets_ns(self, deviation_ns, name):
        """Of every host's clock by its address: twelve uniform numbers add up to nearly a normal one, and exactly everywhere."""
        return {_number(self.network.address(host)): (sum(_uniform(self.seed, name, host, i) for i in range(12)) - 6 * UNIT)
                * deviation_ns // UNIT for host in self.network.hosts}

    def captured(self, raw):
        """What came to the switch, and what left it."""
        came, left = [], []
        for host in self.network.hosts:
            own = _number(self.network.address(host))
            for segment in capture.read(os.path.join(raw, f"to-{host}.pcap"), BOOT_NS + EPOCH_NS):
                (came if segment.flow[0] == own else left).append(segment)
        return [sorted(side, key=lambda segment: segment.at) for side in (came, left)]

    def more(self, raw, flows):
        p = self.p
        link_ns = self.network.delays_ns[0] + wire_ns(FULL_FRAME, p["rate"])
        start, end = self.window()
        chosen = [sample for sample in predict.samples(*self.captured(raw), link_ns) if start <= sample.at < end]
        following = [sample.next_owd for sample in chosen]
        signals = {"rtt": [sample.rtt for sample in chosen]}
        for name, error in (("owd", "clock_error"), ("ntp", "ntp_error")):
            off = self.offsets_ns(p[error], name)
            signals[name] = [sample.owd + off[sample.flow[1]] - off[sample.flow[0]] for sample in chosen]
        return {
            "samples": len(chosen),
            "signals": {name: predict.predict(signals[name], following) for name in ("owd", "rtt", "ntp")},
        }


def _number(address):
    """A dotted address as capture has it."""
    return int.from_bytes(bytes(map(int, address.split("."))), "big")


def _uniform(seed, name, host, index):
    """From 0 to UNIT - 1."""
    return int(digest(str(seed), name, host, str(index))[:8], 16)
