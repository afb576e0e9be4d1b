# SPDX-License-Identifier: GPL-2.0
"""When packets truly passed the NICs of hosts around one switch, from what was captured at the switch's ports.

A frame is captured as it comes to the switch, which is when all of it is there, and as it is given to the port that it leaves by,
where it waits for those before it. A NIC's clock stamps a frame when its preamble is out, so the true delay is from there at the
sender's to there at the receiver's. To take a capture's stamp costs no virtual time.
"""

import os

from lab.host import capture, delays
from lab.host.boot import EPOCH_NS as BOOT_NS
from lab.host.network import EPOCH_NS
from lab.host.units import wire_ns

# Bytes of preamble, check sequence and gap, and the least that a frame is with them.
EXTRA, LEAST = 24, 84
PS = 1000


def starts(frames, rate_bps):
    """Times at which frames given to a port begin on the wire, in their order, ns."""
    end_ps = 0
    for frame in frames:
        start_ps = max(frame.at * PS, end_ps)
        end_ps = start_ps + max(frame.size + EXTRA, LEAST) * 8 * 10**9 * PS // rate_bps
        yield frame, start_ps // PS


def owds(raw, network, rate_bps):
    """{(flow, sequence): true delay from NIC to NIC, ns} of the segments that were sent once and not dropped."""
    came, left = {}, {}
    delay_of = dict(zip(network.hosts, network.delays_ns))
    for host in network.hosts:
        own = delays.number(network.address(host))
        frames = capture.frames(os.path.join(raw, f"to-{host}.pcap"), BOOT_NS + EPOCH_NS)
        for frame in frames:
            segment = frame.segment
            if frame.target != own and segment and segment.size:
                came.setdefault((segment.flow, segment.seq), []).append(frame.at - wire_ns(frame.size, rate_bps) - delay_of[host])
        for frame, start in starts([frame for frame in frames if frame.target == own], rate_bps):
            segment = frame.segment
            if segment and segment.size:
                left.setdefault((segment.flow, segment.seq), []).append(start + delay_of[host])
    return {key: times[0] - came[key][0] for key, times in left.items() if len(times) == 1 == len(came.get(key, ()))}
