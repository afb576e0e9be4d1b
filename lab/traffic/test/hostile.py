#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A server among hostile requesters: hostile.py FLOWGEN.

After each attack a proper requester must still get its bytes; in the end the server must leave in good
order, with nothing for the sanitizers it is built with to say, and with its counts right.
"""

import os
import random
import select
import socket
import struct
import subprocess
import sys

from common import HANG_S, Scratch, Tap, private_network, read_json

MAX_CONNS = 40
MAX_SIZE = 50_000_000
KEEP, ENDLESS = 1, 2


def request(size, flags=0, dscp=0, magic=b"fgr1", zero=0, flow=7, demote=(), demotions=None):
    head = struct.pack(">4sBBBBQQ", magic, dscp, flags, len(demote) if demotions is None else demotions, zero, flow, size)
    return head + b"".join(struct.pack(">Q", codepoint << 56 | at) for at, codepoint in demote)


class Server:
    """flowgen --serve with short limits."""

    def __init__(self, program, scratch):
        self.port = random.randrange(20000, 30000)
        self.summary = scratch.path("summary.json")
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(
            [program, "--serve", "--listen", f"127.0.0.1:{self.port}", "--max-conns", str(MAX_CONNS), "--max-size",
             str(MAX_SIZE), "--request-timeout", "5", "--idle-timeout", "3", "--summary", self.summary],
            stderr=subprocess.PIPE, text=True)
        while True:
            try:
                self.connect().close()
                return
            except ConnectionRefusedError:
                assert self.process.poll() is None, self.process.stderr.read()
                select.select([], [], [], 0.05)

    def connect(self, rcvbuf=0):
        sock = socket.socket()
        sock.settimeout(HANG_S)
        if rcvbuf:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, rcvbuf)
        sock.connect(("127.0.0.1", self.port))
        return sock

    def send(self, data):
        sock = self.connect()
        try:
            sock.sendall(data)
        except (ConnectionResetError, BrokenPipeError):
            pass
        return sock

    def end(self):
        self.process.terminate()
        _, stderr = self.process.communicate(timeout=HANG_S)
        return stderr


def drain(sock, limit=1 << 60):
    """Bytes until the end, however it ends, or until there are so many."""
    got = 0
    try:
        while got < limit:
            data = sock.recv(min(limit - got, 1 << 20))
            if not data:
                break
            got += len(data)
    except (ConnectionResetError, BrokenPipeError):
        pass
    return got


def alive(server, size=100_000):
    with server.send(request(size)) as sock:
        return drain(sock, size) == size


def ask_all(server, pieces):
    for piece in pieces:
        server.send(piece).close()


def attack(tap, server):
    rng = random.Random(1)

    def survived(what, condition, why=""):
        tap.ok(what, condition and alive(server), why)

    bad = (
        ("garbage", b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"),
        ("another magic", request(10, magic=b"fgr2")),
        ("size 0", request(0)),
        ("a size above the largest", request(MAX_SIZE + 1)),
        ("the largest size of all", request(2**64 - 1)),
        ("a negative size", request(2**63)),
        ("an unknown flag", request(10, flags=4)),
        ("endless with a size", request(10, flags=ENDLESS)),
        ("endless and keep", request(0, flags=ENDLESS | KEEP)),
        ("a codepoint of 64", request(10, dscp=64)),
        ("a codepoint of 255", request(10, dscp=255)),
        ("reserved bytes", request(10, zero=1)),
        ("8 changes of the codepoint", request(10, demote=[(at, 8) for at in range(1, 9)])),
        ("255 changes of the codepoint", request(10, demotions=255)),
        ("a change before the first byte", request(10, demote=[(0, 8)])),
        ("two changes at one byte", request(10, demote=[(5, 8), (5, 16)])),
        ("changes that run backwards", request(10, demote=[(5, 8), (4, 16)])),
        ("a change beyond the largest flow", request(10, demote=[(10**12 + 1, 8)])),
        ("a change to a codepoint of 64", request(10, demote=[(5, 64)])),
        ("a megabyte of zeros", bytes(1 << 20)),
    )
    for what, data in bad:
        with server.send(data) as sock:
            survived(f"{what}: not a byte, and the connection ends", drain(sock) == 0)
    expected_bad = len(bad)
    with server.send(request(9, flags=KEEP)) as sock:
        good = drain(sock, 9) == 9
        sock.sendall(request(9, dscp=99))
        survived("a bad request after a good one ends the connection", good and drain(sock) == 0)
    expected_bad += 1

    ask_all(server, [b"", b"f", request(10)[:23], request(10), request(10, demote=[(5, 8), (6, 9)])[:31]])
    survived("half requests, and closes at once", True)
    with server.connect() as sock:
        for i in range(24):
            sock.sendall(request(1000)[i:i + 1])
        survived("a request byte by byte is served", drain(sock, 1000) == 1000)
    with server.connect() as sock:
        data = request(1000, demote=[(1, 8), (500, 16), (5000, 24)])
        for i in range(len(data)):
            sock.sendall(data[i:i + 1])
        survived("one with changes of the codepoint too", drain(sock, 1000) == 1000)
    with server.send(request(MAX_SIZE, demote=[(at, at) for at in range(1, 8)]) * 2) as sock:
        survived("a change after each of the first bytes", drain(sock, MAX_SIZE) == MAX_SIZE)
    with server.send((request(300, flags=KEEP, demote=[(99, 9), (250, 0)]) + request(300, flags=KEEP)) * 100) as sock:
        survived("200 requests in one go, every other with changes", drain(sock, 60000) == 60000)
    with server.send(request(300, flags=KEEP) * 200) as sock:
        survived("200 requests in one go are all served", drain(sock, 60000) == 60000)
    with server.send(request(MAX_SIZE, flags=KEEP) + request(5, flags=KEEP)) as sock:
        survived("a second request waits for the end of the first", drain(sock, MAX_SIZE + 5) == MAX_SIZE + 5)
    with server.send(request(500) + request(500)) as sock:
        good = drain(sock, 500) == 500
        sock.settimeout(0.3)
        try:
            more = len(sock.recv(1))
        except TimeoutError:
            more = 0
        survived("without keep, a second request is not served", good and not more)

    for size in (1 << 16, MAX_SIZE):
        sock = server.send(request(size))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()
        survived(f"a reset while {size} bytes are under way", True)
    with server.send(request(0, flags=ENDLESS)) as sock:
        good = drain(sock, 30_000_000) == 30_000_000
        sock.shutdown(socket.SHUT_WR)
        drain(sock)
        survived("an endless answer ends on request", good)
    with server.send(request(MAX_SIZE)) as sock:
        sock.shutdown(socket.SHUT_WR)
        survived("a client that half-closes gets nothing more", drain(sock) < MAX_SIZE)

    open_yet = []
    for _ in range(500):
        data = bytearray(request(rng.choice((1, 100, 70000)), flags=rng.choice((0, KEEP))) * rng.randrange(1, 4))
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        open_yet.append(server.send(bytes(data[:rng.randrange(1, len(data) + 1)])))
        if len(open_yet) == MAX_CONNS // 2:
            open_yet.pop(0).close()
    for sock in open_yet:
        sock.close()
    survived("500 damaged requests", True)

    slow = [server.send(request(10)[:5]) for _ in range(MAX_CONNS)]
    with server.send(request(10)) as sock:
        tap.ok("beyond the largest number of connections, they are closed at once", drain(sock) == 0)
    tap.ok("a request that does not come to its end is cut off", all(drain(sock) == 0 for sock in slow))
    for sock in slow:
        sock.close()
    survived("and the places are free again", True)
    mute = [server.connect() for _ in range(3)]
    tap.ok("a client that sends nothing is cut off", all(drain(sock) == 0 for sock in mute))
    idle = server.send(request(10, flags=KEEP))
    tap.ok("a client without further requests is cut off", drain(idle) == 10)
    stalled = server.connect(rcvbuf=4096)
    stalled.sendall(request(MAX_SIZE))
    waiting = select.poll()
    waiting.register(stalled, select.POLLERR | select.POLLHUP)
    tap.ok("a client that does not read is cut off", bool(waiting.poll(HANG_S * 1000)))
    for sock in (*mute, idle, stalled):
        sock.close()
    survived("and the server goes on", True)

    return expected_bad


def main():
    private_network()
    tap, scratch = Tap(), Scratch()
    server = Server(os.path.abspath(sys.argv[1]), scratch)
    try:
        expected_bad = attack(tap, server)
    finally:
        stderr = server.end()
    tap.ok("the server ends in good order", server.process.returncode == 0
           and all(line.startswith("flowgen: ") for line in stderr.splitlines()), stderr)
    counts = read_json(server.summary)
    # Damaged requests count only if they were read before their connection was seen to be closed. A late server may count none.
    tap.ok("it counted what was wrong", counts["bad_requests"] >= expected_bad and counts["turned_away"] >= 1
           and counts["timed_out"] >= MAX_CONNS + 3 + 1 + 1, counts)
    tap.end()


main()
