# SPDX-License-Identifier: GPL-2.0
"""How well a sender's signals predict the delay of its next packet: the On-Ramp paper's Fig. 6.

Background flows between random pairs, as in rct. Two things that a sender learns of its packets are set beside the true one-way
delay of the next packet of the flow that is sent within a millisecond: `owd`, what On-Ramp measures as its OR-ACKs come, by
clocks that are as wrong as clock_error and the other keys say; `rtt`, the round-trip time of the packet acknowledged last.
Good clocks are the default; clock_error=500us is about what NTP's are. Hosts only observe, nothing is held.

`correlation` is Pearson's, `rank_correlation` Spearman's; `tenths` are the tenths of the samples in the order of the signal,
with its median there and percentiles of the next delay. True delays and round-trip times are from captures of every packet
at the switch's ports.
"""

import os

import capture
import clocks
import delays
import predict
from boot import EPOCH_NS as BOOT_NS
from keys import Key
from network import EPOCH_NS
from scenarios import rct
from units import Refused, wire_ns

SUMMARY = "prediction of the next packet's delay by one-way delay, with good and bad clocks, and by RTT (On-Ramp Fig. 6)"
ROWS = ("S3-4",)
OWN = ("request", "fanin", "request_load", "spacing")
DEFAULTS = {"duration": "30ms", "clock": "own", clocks.ERROR.name: "200ns",
            "host": "onramp mode observe threshold 50us clock system error 1ms max_error 10ms"}
KEYS = [Key(key.name, DEFAULTS.get(key.name, key.default), key.read, key.help) for key in rct.KEYS if key.name not in OWN]
FULL_FRAME = 1514


class Setting(rct.Setting):
    """As rct without requests, every port captured and every delay recorded."""

    delays_thin = 1

    def __init__(self, p, seed):
        super().__init__({**p, "request": 1, "fanin": 1, "request_load": 0, "spacing": "fixed"}, seed)
        if not self.measures():
            raise Refused("host: signal wants onramp in mode observe or hold, which measures delays")

    def watches(self):
        yield from super().watches()
        for name, (netns, port) in self.network.ports.items():
            yield f"pcap {netns} {port} {name}.pcap snap={capture.SNAP_BYTES}"

    def captured(self, raw):
        """What came to the switch, and what left it."""
        came, left = [], []
        for host in self.network.hosts:
            own = delays.number(self.network.address(host))
            for segment in capture.read(os.path.join(raw, f"to-{host}.pcap"), BOOT_NS + EPOCH_NS):
                (came if segment.flow[0] == own else left).append(segment)
        return [sorted(side, key=lambda segment: segment.at) for side in (came, left)]

    def more(self, raw, flows):
        link_ns = self.network.delays_ns[0] + wire_ns(FULL_FRAME, self.p["rate"])
        came, left = self.captured(raw)
        sent = predict.packets(came, left)
        told = {"owd": [(delay.told_ns - EPOCH_NS, delay.flow, delay.owd_ns) for delay in delays.read(raw)],
                "rtt": predict.rtts(sent, left, link_ns)}
        return {"signals": {name: self.signal(predict.samples(sent, learned, link_ns)) for name, learned in told.items()}}

    def signal(self, samples):
        """What one of them tells, of those in the window."""
        start, end = self.window()
        chosen = [sample for sample in samples if start <= sample.at < end]
        return {"samples": len(chosen),
                **predict.predict([sample.known for sample in chosen], [sample.next_owd for sample in chosen])}
