#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Traffic over acc-tuner's queue that is numbered, for acc_tuner_live.sh.

    acc_order.py FROM TO CHANGES COMMAND...

Packets go from network namespace FROM to 198.51.100.2 in TO, in bursts that fill the link and leave it idle in turn, until
COMMAND, which prints the counters of accctl stats, says that thresholds were changed so often. Output: KEY=VALUE for what was sent,
came, came out of order, was marked, and for the changes.
"""

import re
import socket
import struct
import subprocess
import sys
import time

from script import Inside

TO, PORT = "198.51.100.2", 4712
# The rule lowers kmax while a long burst fills the link, and raises it as a short one is marked.
BURSTS, PACKET_S = (48, 8, 8), 0.0001
ROUNDS, GIVE_UP_S, LINGER_S = 50, 120, 1
ECT0, CE = 2, 3


def changes(command):
    """So many there were until now."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"^changes\s+(\d+)", done.stdout, re.MULTILINE)[1])


class Traffic:
    """Every other packet is ECN-capable, so that never nearly all are marked."""

    def __init__(self, source, sink):
        with Inside(source):
            self.out = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        self.out[1].setsockopt(socket.IPPROTO_IP, socket.IP_TOS, ECT0)
        with Inside(sink):
            self.into = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.into.setsockopt(socket.IPPROTO_IP, socket.IP_RECVTOS, 1)
        self.into.bind((TO, PORT))
        self.sent = self.came = self.marked = self.late = 0
        self.next = 0

    def burst(self, size):
        """Send one, and wait for its end."""
        for _ in range(size):
            self.out[self.sent % 2].sendto(struct.pack("!Q992x", self.sent), (TO, PORT))
            self.sent += 1
        time.sleep(size * PACKET_S)

    def take(self):
        """Read what came."""
        while True:
            try:
                data, control, _, _ = self.into.recvmsg(1000, 64, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            number = struct.unpack_from("!Q", data)[0]
            self.came += 1
            self.marked += control[0][2][0] & CE == CE
            self.late += number < self.next
            self.next = max(self.next, number + 1)

    def rounds(self, count):
        """So often all bursts."""
        for _ in range(count):
            for size in BURSTS:
                self.burst(size)
                self.take()


def main(source, sink, wanted, *command):
    """Send; print what became of it."""
    traffic = Traffic(source, sink)
    until = time.monotonic() + GIVE_UP_S
    done = 0
    while done < int(wanted) and time.monotonic() < until:
        traffic.rounds(ROUNDS)
        done = changes(command)
    time.sleep(LINGER_S)
    traffic.take()
    print(f"sent={traffic.sent}\nreceived={traffic.came}\nreordered={traffic.late}\nmarked={traffic.marked}\nchanges={done}")


main(*sys.argv[1:])
