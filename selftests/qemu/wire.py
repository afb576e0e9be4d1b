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
BUSY_S = 0.001          # until a machine that took nothing is tried again


class Way:
    """Frames on their way to a machine: behind a queue of so many bytes, at a rate, and then for a while on the wire."""

    def __init__(self, path, ns_per_byte, limit_bytes, delay_ns):
        self.path, self.ns_per_byte, self.limit, self.delay_ns = path, ns_per_byte, limit_bytes, delay_ns
        self.frames = collections.deque()       # (when it is there, it)
        self.sent_ns = 0                        # when the last one will have left the queue
        self.passed = self.dropped = 0

    def take(self, frame):
        """A frame comes: when it leaves follows from when the one before does."""
        now = time.monotonic_ns()
        if (self.sent_ns - now) > self.limit * self.ns_per_byte:
            self.dropped += 1
            return
        self.sent_ns = max(self.sent_ns, now) + int((len(frame) + PREAMBLE) * self.ns_per_byte)
        self.frames.append((self.sent_ns + self.delay_ns, frame))

    def give(self, sock):
        """Hand on what is there; return in how many seconds to come again, or None. A machine may be slow, or off."""
        while self.frames:
            left_ns = self.frames[0][0] - time.monotonic_ns()
            if left_ns > 0:
                return left_ns / 1e9
            try:
                sock.sendto(self.frames[0][1], socket.MSG_DONTWAIT, self.path)
                self.passed += 1
            except BlockingIOError:
                return BUSY_S
            except OSError:
                self.dropped += 1
            self.frames.popleft()
        return None


class Wire(threading.Thread):
    """Between two machines: from a to b at a rate, behind a queue that drops at its end; from b to a at once.

    ends() has the arguments of a machine: the socket that it makes, and the one of the wire that it sends to.
    """

    def __init__(self, folder, bit_per_s, limit_bytes, delay_ns):
        super().__init__(daemon=True)
        self.path = {end: (os.path.join(folder, end), os.path.join(folder, f"wire-{end}")) for end in "ab"}
        self.socks = {end: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for end in "ab"}
        for end in "ab":
            self.socks[end].bind(self.path[end][1])
        self.ways = {"b": Way(self.path["b"][0], 8e9 / bit_per_s, limit_bytes, delay_ns),
                     "a": Way(self.path["a"][0], 0, 0, delay_ns)}
        self.stop, self.stopping = os.pipe()

    def ends(self, end):
        """The two sockets, for the machine at an end."""
        return self.path[end]

    def end(self):
        """Stop, and return (frames that went from a to b, frames that were dropped)."""
        os.close(self.stopping)
        self.join()
        return self.ways["b"].passed, self.ways["b"].dropped

    def run(self):
        while True:
            waits = [self.ways[to].give(self.socks[to]) for to in "ab"]
            left = min((wait for wait in waits if wait is not None), default=None)
            ready = select.select([*self.socks.values(), self.stop], [], [], left)[0]
            if self.stop in ready:
                return
            for end, to in ("ab", "ba"):
                if self.socks[end] in ready:
                    self.ways[to].take(self.socks[end].recv(LARGEST))
