#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The codepoint of every byte that a sender sends, seen on the wire: codepoints.py FLOWGEN.

On loopback, where what is listened to is all there is; nothing here depends on how fast the machine is.
"""

import mmap
import os
import socket
import struct
import sys

from common import Run, Scratch, Serving, Tap, private_network

ETH_P_IP = 0x0800
SOL_PACKET = 263
PACKET_RX_RING = 5
SYN = 2
PORT = 27000

# The kernel writes the beginning of each packet into a ring, so none is lost while nobody looks: frames and
# blocks of the ring in bytes, number of blocks, and the head of a frame (packet(7), TPACKET_V1).
FRAME = 256
BLOCK = 1 << 16
BLOCKS = 512
HEAD = struct.Struct("@LIIHHII")


class Wire:
    """Everything that TCP sends from PORT while the block runs: (connection, offset, length, codepoint)."""

    def __init__(self):
        self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_IP))
        self.sock.setsockopt(SOL_PACKET, PACKET_RX_RING, struct.pack("IIII", BLOCK, BLOCKS, FRAME, BLOCK // FRAME * BLOCKS))
        self.ring = mmap.mmap(self.sock.fileno(), BLOCK * BLOCKS)
        self.sock.bind(("lo", ETH_P_IP))
        self.first = {}
        self.data = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for start in range(0, BLOCK * BLOCKS, FRAME):
            status, _, length, _, net, _, _ = HEAD.unpack_from(self.ring, start)
            if not status:
                break
            self.read(self.ring[start + net:start + net + length])
        self.ring.close()
        self.sock.close()

    def read(self, packet):
        tos, length = packet[1], struct.unpack(">H", packet[2:4])[0]
        head = 4 * (packet[0] & 15)
        source, target, seq = struct.unpack(">HHI", packet[head:head + 8])
        if packet[9] != socket.IPPROTO_TCP or not PORT <= source < PORT + 4:
            return
        conn = (packet[12:20], target)
        if packet[head + 13] & SYN:
            self.first[conn] = seq + 1
            return
        payload = length - head - 4 * (packet[head + 12] >> 4)
        if payload:
            self.data.append((conn, (seq - self.first[conn]) % 2**32, payload, tos >> 2))

    def sent(self):
        """Bytes of all connections, each counted once."""
        total = 0
        for conn in {conn for conn, *_ in self.data}:
            end = 0
            for _, offset, length, _ in sorted(entry for entry in self.data if entry[0] == conn):
                total += max(0, offset + length - max(end, offset))
                end = max(end, offset + length)
        return total

    def wrong(self, size, steps):
        """Packets whose codepoint is not that of all their bytes; flows of size bytes follow each other."""
        return [entry for entry in self.data
                if {entry[3]} != {codepoint(at % size, steps) for at in (entry[1], entry[1] + entry[2] - 1)}]


def codepoint(at, steps):
    """The codepoint of the byte at this offset; steps are (bytes, codepoint), from 0."""
    return [dscp for start, dscp in steps if start <= at][-1]


def group(text, steps):
    marks = ",".join(f"{at}:{dscp}" for at, dscp in steps[1:])
    return f"{text} dscp={steps[0][1]}" + (f" demote={marks}" if marks else "")


def check(tap, program, scratch, what, text, size, steps, flows):
    with Wire() as wire:
        run = Run(program, scratch, "group g senders=a,b receivers=c " + group(text, steps), "--port", str(PORT))
    judge(tap, what, run, wire, size, steps, flows)


def mapped(tap, program, scratch, text, size, steps, flows):
    """A server of both address families, and a requester that comes over IPv4."""
    if not os.path.exists("/proc/net/if_inet6"):
        tap.ok("codepoints of a server of both families # SKIP no IPv6 here", True)
        return
    with Wire() as wire, Serving(program, scratch, "[::]", PORT):
        run = Run(program, scratch, "", "--to", f"127.0.0.1:{PORT}", "--group", "g " + group(text, steps))
    judge(tap, "from both families, over IPv4", run, wire, size, steps, flows)


def judge(tap, what, run, wire, size, steps, flows):
    tap.ok(f"{what}: all flows end with all bytes", run.clean(flows), run)
    tap.ok(f"{what}: all bytes were seen", wire.sent() == size * flows, (wire.sent(), size * flows))
    tap.ok(f"{what}: every byte has its codepoint", wire.data and not wire.wrong(size, steps), wire.wrong(size, steps)[:5])
    seen = {dscp for *_, dscp in wire.data}
    tap.ok(f"{what}: every codepoint was seen", seen == {dscp for at, dscp in steps if at < size}, seen)


def small_windows():
    """In a network of our own: receivers that take little at a time, so that much of what is written waits."""
    if os.environ["FLOWGEN_TEST_NET"] == "private":
        with open("/proc/sys/net/ipv4/tcp_rmem", "w", encoding="ascii") as file:
            file.write("4096 16384 16384")


def main():
    private_network()
    small_windows()
    program, tap, scratch = os.path.abspath(sys.argv[1]), Tap(), Scratch()
    try:
        with Wire():
            pass
    except PermissionError:
        tap.ok("codepoints on the wire # SKIP not allowed to listen here", True)
        tap.end()
    query = "kind=query flows={0} lo={1} hi={1}"
    check(tap, program, scratch, "one codepoint", query.format(10, 300000), 300000, [(0, 46)], 10)
    pias = [(0, 0), (140000, 8), (280000, 16), (420000, 24)]
    check(tap, program, scratch, "demoted three times", query.format(10, 1000000), 1000000, pias, 10)
    check(tap, program, scratch, "demoted three times, reno", query.format(4, 1000000) + " cc=reno", 1000000, pias, 4)
    check(tap, program, scratch, "ends before the last change", query.format(10, 420000), 420000, pias, 10)
    check(tap, program, scratch, "a change for each of the first bytes", query.format(3, 9000), 9000,
          [(0, 63)] + [(at, at) for at in range(1, 8)], 3)
    check(tap, program, scratch, "persistent connections begin anew", query.format(4, 300000) + " conn=pool count=3 period=1s",
          300000, [(0, 2), (100000, 8), (200001, 16)], 12)
    mapped(tap, program, scratch, query.format(5, 600000), 600000, pias, 5)
    tap.end()


main()
