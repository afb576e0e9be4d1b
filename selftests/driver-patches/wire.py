# SPDX-License-Identifier: GPL-2.0
"""A wire between two machines of QEMU, with a queue in one direction: a datagram of a Unix socket is a frame."""

import collections
import os
import select
import socket
import threading
import time

LARGEST = 65536
PREAMBLE = 24           # of each frame on a wire: preamble, FCS, gap


class Wire(threading.Thread):
    """From a to b at a rate, behind a queue that drops at its end; from b to a at once.

    ends() says what each machine is to be told: the socket that it makes, and the one of the wire that it sends to.
    """

    def __init__(self, folder, bit_per_s, limit_bytes):
        super().__init__(daemon=True)
        self.path = {end: (os.path.join(folder, end), os.path.join(folder, f"wire-{end}")) for end in "ab"}
        self.ns_per_byte = 8e9 / bit_per_s
        self.limit = limit_bytes
        self.queue, self.queued = collections.deque(), 0
        self.free_ns = 0        # when the last frame of the queue will have left
        self.passed = self.dropped = 0
        self.socks = {}
        for end in "ab":
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            sock.bind(self.path[end][1])
            self.socks[end] = sock
        self.stop, self.stopping = os.pipe()

    def ends(self, end):
        """The two sockets, for the machine at an end."""
        return self.path[end]

    def end(self):
        """Stop, and return (frames that went from a to b, frames that were dropped)."""
        os.close(self.stopping)
        self.join()
        return self.passed, self.dropped

    def give(self, end, frame):
        """To a machine; one that is not there, or not quick enough, loses it."""
        try:
            self.socks[end].sendto(frame, socket.MSG_DONTWAIT, self.path[end][0])
        except OSError:
            self.dropped += end == "b"
            return
        self.passed += end == "b"

    def take(self, frame):
        """A frame from a: its time to be with b follows from the time of the one before."""
        if self.queued + len(frame) > self.limit:
            self.dropped += 1
            return
        self.free_ns = max(self.free_ns, time.monotonic_ns()) + int((len(frame) + PREAMBLE) * self.ns_per_byte)
        self.queue.append((self.free_ns, frame))
        self.queued += len(frame)

    def run(self):
        while True:
            left = (self.queue[0][0] - time.monotonic_ns()) / 1e9 if self.queue else None
            ready = select.select([*self.socks.values(), self.stop], [], [], left and max(left, 0))[0]
            if self.stop in ready:
                return
            while self.queue and self.queue[0][0] <= time.monotonic_ns():
                frame = self.queue.popleft()[1]
                self.queued -= len(frame)
                self.give("b", frame)
            if self.socks["a"] in ready:
                self.take(self.socks["a"].recv(LARGEST))
            if self.socks["b"] in ready:
                self.give("a", self.socks["b"].recv(LARGEST))
