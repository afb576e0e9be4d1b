# SPDX-License-Identifier: GPL-2.0
"""Rate discovery (RD) frames of FECN, as kernel/algo/fecn_wire.h has them."""

import struct

FORWARD, BACK = 1, 2
NO_RATE = 0xffffffff
FIELDS = "magic version flags hops index nonce tx_ns kbps q_bytes cpid".split()
LAYOUT = "!4sBBHIIQII8s6x"


def rd(to, by, tag=b"", **fields):
    """An RD frame, of the given fields; as long as the shortest frame."""
    of = {"magic": b"FERD", "version": 1, "flags": FORWARD, "hops": 0, "index": 7, "nonce": 0x12345678, "tx_ns": 1 << 40, "kbps": NO_RATE,
          "q_bytes": 0, "cpid": bytes(8), **fields}
    return to + by + tag + b"\x88\xb5" + struct.pack(LAYOUT, *(of[name] for name in FIELDS))


def read_rd(data):
    """The fields of an RD frame, with its addresses and tags; None of another frame."""
    at = 12
    while data[at:at + 2] in (b"\x81\x00", b"\x88\xa8"):
        at += 4
    if data[at:at + 2] != b"\x88\xb5" or len(data) < at + 48:
        return None
    return {"da": data[:6], "sa": data[6:12], "tag": data[12:at],
            **dict(zip(FIELDS, struct.unpack_from(LAYOUT, data, at + 2)))}


def rds_of(came):
    """Those of some frames that are RD frames, read."""
    return [of for of in map(read_rd, came) if of]
