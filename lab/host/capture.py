# SPDX-License-Identifier: GPL-2.0
"""TCP segments from a capture of the guest init: a pcap file of Ethernet frames with stamps in ns."""

import struct
from dataclasses import dataclass

from lab.host.boot import LabError

MAGIC = 0xa1b23c4d
# Ethernet, IPv4 and TCP with all their options.
SNAP_BYTES = 14 + 60 + 60


@dataclass(frozen=True)
class Segment:
    """A TCP segment as it passed."""

    at: int         # ns after the epoch
    flow: tuple     # source, destination address as numbers; source, destination port
    seq: int
    ack: int        # None if it acknowledges nothing
    size: int       # bytes of payload

    @property
    def back(self):
        """The flow of what goes the other way."""
        source, target, from_port, to_port = self.flow
        return target, source, to_port, from_port


def _segment(at, frame):
    """None of what is not TCP."""
    if frame[23] != 6:
        return None
    ip = (frame[14] & 15) * 4
    total, = struct.unpack_from("!H", frame, 16)
    source, target = struct.unpack_from("!II", frame, 26)
    from_port, to_port, seq, ack, offset, flags = struct.unpack_from("!HHIIBB", frame, 14 + ip)
    return Segment(at, (source, target, from_port, to_port), seq, ack if flags & 16 else None,
                   total - ip - (offset >> 4) * 4)


@dataclass(frozen=True)
class Frame:
    """A frame of IPv4 as it passed."""

    at: int         # ns after the epoch
    size: int       # bytes, from the Ethernet header on
    target: int     # destination address as a number
    segment: Segment    # what is in it; None if that is not TCP


def frames(path, epoch_ns):
    """Packets of a file, in the order of the timestamps; epoch_ns is their clock at the epoch."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < 24 or struct.unpack_from("<I", data)[0] != MAGIC:
        raise LabError(f"{path} is no capture")
    found, place = [], 24
    while place < len(data):
        sec, nsec, kept, size = struct.unpack_from("<IIII", data, place)
        place += 16
        at, frame = sec * 10**9 + nsec - epoch_ns, data[place:place + kept]
        if frame[12:14] == b"\x08\x00":
            found.append(Frame(at, size, struct.unpack_from("!I", frame, 30)[0], _segment(at, frame)))
        place += kept
    return sorted(found, key=lambda frame: frame.at)


def read(path, epoch_ns):
    """The segments of a file in the order of their stamps."""
    return [frame.segment for frame in frames(path, epoch_ns) if frame.segment]
