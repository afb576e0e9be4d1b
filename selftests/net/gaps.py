#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""How evenly packets come: for each large packet on DEV the time since the last one, by that one's bytes.

    gaps.py DEV             prints "ready", on SIGTERM one line: packets, and ns per 1000 bytes at 10, 50 and 90 %
"""

import signal
import socket
import struct
import sys

SO_TIMESTAMPNS, ETH_P_ALL, LEAST = 35, 3, 1000


def main(dev):
    """Listen until stopped."""
    seen = []

    def stop(*_):
        gaps = sorted((later - at) * 1000 // size for (at, size), (later, _) in zip(seen, seen[1:]))
        gaps = gaps or [0]
        print(len(seen), *(gaps[len(gaps) * share // 100] for share in (10, 50, 90)), flush=True)
        sys.exit(0)

    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    sock.bind((dev, ETH_P_ALL))
    signal.signal(signal.SIGTERM, stop)
    print("ready", flush=True)
    while True:
        size, control, _, where = sock.recvmsg_into([bytearray(64)], 128, socket.MSG_TRUNC)
        if where[2] != socket.PACKET_OUTGOING and size >= LEAST:
            sec, nsec = struct.unpack("qq", control[0][2][:16])
            seen.append((sec * 10**9 + nsec, size))


if __name__ == "__main__":
    main(sys.argv[1])
