#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Clients of the files for applications. One is written from ClockBound's specification alone (docs/PROTOCOL.md of
github.com/aws/clock-bound, version 2), the other is the example of huygens_line.h, compiled as C and as C++. O= has the tools."""

import contextlib
import mmap
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(SOURCE, "../selftests/lib")]
# pylint: disable=wrong-import-position
from tap import Tap

BOUNDS = os.path.join(os.environ["O"], "bounds")
COARSE = 6  # CLOCK_MONOTONIC_COARSE, which Python does not name
UNKNOWN, SYNCHRONIZED, FREE_RUNNING, DISRUPTED = range(4)


class Client:
    """A reader of the shared memory: magic, size, version, generation, as-of, void-after, bound, marker, drift, status, support."""

    HEAD = struct.Struct("=IIIHH")
    BODY = struct.Struct("=qqqqqQIiB7x")
    GRACE = 5.0

    def __init__(self, path):
        with open(path, "rb") as file:
            head = self.HEAD.unpack(file.read(self.HEAD.size))
            if head[:2] != (0x414D5A4E, 0x43420200) or head[3] != 2 or head[4] == 0:
                raise ValueError(f"no segment of version 2: {head}")
            if head[2] < self.HEAD.size + self.BODY.size:
                raise ValueError(f"malformed: {head}")
            self.map = mmap.mmap(file.fileno(), head[2], prot=mmap.PROT_READ)

    def generation(self):
        return self.HEAD.unpack_from(self.map)[4]

    def snapshot(self):
        while True:
            before = self.generation()
            body = self.BODY.unpack_from(self.map, self.HEAD.size)
            if before == self.generation() and before % 2 == 0:
                return body

    def now(self, later=0.0):
        """(earliest, latest, status), ns, as a client would compute it so many seconds later."""
        as_s, as_ns, void_s, void_ns, bound, _, drift, status, _ = self.snapshot()
        real, mono = time.clock_gettime_ns(time.CLOCK_REALTIME), time.clock_gettime(COARSE) + later
        as_of, void_after = as_s + as_ns / 1e9, void_s + void_ns / 1e9
        if mono < as_of - 1e-6:
            raise ValueError("causality")
        if status in (SYNCHRONIZED, FREE_RUNNING) and mono >= as_of + self.GRACE:
            status = FREE_RUNNING if mono < void_after else UNKNOWN
        bound += (mono - as_of) * drift
        return real - bound, real + bound, status


class Writer:
    """The tool that writes both files."""

    def __init__(self, folder):
        self.paths = [os.path.join(folder, name) for name in ("line", "shm0")]
        self.tool = subprocess.Popen([BOUNDS, *self.paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answer()

    def answer(self):
        text = self.tool.stdout.readline()
        if text != "ok\n":
            raise RuntimeError(text)

    def __call__(self, text):
        self.tool.stdin.write(text + "\n")
        self.tool.stdin.flush()
        self.answer()

    def close(self):
        self.tool.stdin.close()
        self.tool.wait()
        self.tool.stdout.close()


def clockbound(tap, writer):
    client = Client(writer.paths[1])
    tap.ok("clockbound: the status is unknown at first", client.now()[2] == UNKNOWN)
    writer("line 250000 800 6000 40000")
    earliest, latest, status = client.now()
    utc = time.clock_gettime_ns(time.CLOCK_REALTIME) + 250000
    tap.ok("clockbound: the interval has UTC, and the clock is synchronised", earliest < utc < latest and status == SYNCHRONIZED,
           (earliest, utc, latest, status))
    tap.ok("clockbound: it is as wide as the errors and the offset of the clock at least", latest - earliest > 2 * (250000 + 46800))
    tap.ok("clockbound: within the grace period a client trusts the status", client.now(4.0)[2] == SYNCHRONIZED)
    tap.ok("clockbound: then nothing, if no line comes", client.now(6.0)[2] == UNKNOWN)
    first, later = client.now(), client.now(4.0)
    tap.ok("clockbound: the interval grows meanwhile", later[1] - later[0] > first[1] - first[0] + 4e6 * 0.9)
    generation = client.generation()
    writer("marker 77")
    tap.ok("clockbound: a disruption is in the next update", client.snapshot()[5] == 77 and client.snapshot()[8] == 1 and
           client.generation() == generation + 2, client.snapshot())
    writer("line 0 800 6000 -1")
    tap.ok("clockbound: without UTC the status is unknown", client.now()[2] == UNKNOWN)
    writer("line 0 800 6000 40000")
    writer("lost")
    tap.ok("clockbound: without a line, too", client.now()[2] == UNKNOWN)


def refused(tap, folder):
    """The client refuses what is no segment, so that it can fail."""
    path = os.path.join(folder, "other")
    good = Client.HEAD.pack(0x414D5A4E, 0x43420200, 80, 2, 2) + bytes(64)
    for what, data in (("another magic", b"\0" + good[1:]), ("version 1", Client.HEAD.pack(0x414D5A4E, 0x43420200, 80, 1, 2) + bytes(64)),
                       ("a segment that was not written", Client.HEAD.pack(0x414D5A4E, 0x43420200, 80, 2, 0) + bytes(64)),
                       ("a short one", Client.HEAD.pack(0x414D5A4E, 0x43420200, 79, 2, 2) + bytes(63))):
        with open(path, "wb") as file:
            file.write(data)
        try:
            Client(path)
            tap.ok(f"the client refuses {what}", False)
        except ValueError:
            tap.ok(f"the client refuses {what}", True)


def example(tap, writer, folder):
    """The example prints the time; it compiles as C99, C11 and C++ without a warning."""
    source, program = os.path.join(SOURCE, "examples/now.c"), os.path.join(folder, "now")
    include = os.path.join(SOURCE, "include")
    for compiler in (["gcc", "-std=gnu99"], ["gcc", "-std=c11", "-D_GNU_SOURCE"], ["g++", "-x", "c++", "-std=c++17"]):
        if not shutil.which(compiler[0]):
            tap.skip(f"huygens_line.h: {' '.join(compiler)}", f"no {compiler[0]}")
            continue
        done = subprocess.run([*compiler, "-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-I", include, "-o", program, source],
                              capture_output=True, text=True, check=False)
        tap.ok(f"huygens_line.h: {' '.join(compiler)}", done.returncode == 0, done.stderr)
    writer("lost")
    done = subprocess.run([program, writer.paths[0]], capture_output=True, text=True, check=False)
    tap.ok("example: it says that there is no time", done.returncode == 1 and done.stderr == "no time: No data available\n", done)
    writer("line 3000000000 800 6000 40000")
    before = time.clock_gettime_ns(time.CLOCK_REALTIME)
    done = subprocess.run([program, writer.paths[0]], capture_output=True, text=True, check=False)
    after = time.clock_gettime_ns(time.CLOCK_REALTIME)
    form = re.fullmatch(r"(\d+)\.(\d{9}) \+- (\d+) ns, UTC \1\.\2 \+- (\d+) ns, epoch 7\n", done.stdout)
    tap.ok("example: it prints the time and its errors", form, done)
    ns = int(form[1] + form[2]) - 3000000000 if form else 0
    tap.ok("example: which is that of the line", before - 100000 <= ns <= after + 100000, (before, ns, after))
    tap.ok("example: with errors of the line, grown", form and 6800 < int(form[3]) < 16800 and int(form[4]) > int(form[3]) + 40000, done)
    done = subprocess.run([program, writer.paths[1]], capture_output=True, text=True, check=False)
    tap.ok("example: a file of another kind is refused", done.returncode == 1 and "Protocol error" in done.stderr, done)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    tap.ok("example: it needs a file", done.returncode == 2 and done.stderr.startswith("usage:"), done)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer(folder)
        with contextlib.closing(writer):
            clockbound(tap, writer)
            refused(tap, folder)
            example(tap, writer, folder)
    tap.end()


if __name__ == "__main__":
    main()
