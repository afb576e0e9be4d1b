#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
r"""CPU time of acc-tuner, with the kernel's part, and its memory, for an interval of 1 ms with up to 384 queues:

    selftests/qemu/boot_vm.py --kernel 6.12 --icount --memory 2048 --timeout 1800 --file selftests/bench/acc_cost.py /sharpramp/acc -- \
        python3 /sharpramp/acc

One CPU, whose clock under icount counts instructions: 1 us is 1,000 of them, and 1 ms is an interval of a processor that does one
instruction a nanosecond. Output is TAP and, behind #, the numbers.

The queues are leaves of htb. An idle queue is empty. A packet leaves each busy queue every other interval, so that its reward
changes and the network is evaluated. No packet is sent during a measurement.
"""

import fcntl
import os
import re
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

sys.dont_write_bytecode = True
sys.path.insert(0, "/sharpramp/selftests/net")
# pylint: disable=wrong-import-position
from script import enter, finish, result, run

MODEL = "/sharpramp/acc-tuner/models/ramp20.accm"
INTERVAL_NS = 1_000_000
MEASURE_S, SETTLE_S, GIVE_UP_S = 0.5, 0.3, 20
# Each takes 2 ms, with headers of 42 bytes; enough for the time of a case.
PAYLOAD, RATE, BACKLOG = 64, "424kbit", 1000
# Limits of the design: an idle queue is spared a tenth at least; memory; others wait for the kernel's lock a millisecond at most.
SPARED, RSS_KB, LEARNING_KB, WAIT_NS = 0.9, 4096, 12288, 1_000_000
SIOCSIFTXQLEN, SO_SNDBUFFORCE = 0x8943, 32
PROBES = 400


@dataclass
class Cost:
    """Cost of an interval."""

    instructions: float
    ticks: int
    overruns: int
    count: dict     # what grew, of accctl stats
    rss_kb: int


class Daemon:
    """acc-tuner on the queues of d0, until it is closed."""

    def __init__(self, policy, learn=False):
        self.folder = tempfile.mkdtemp()
        settings = [f"policy = {policy}", f"model = {MODEL}", f"learn = {'yes' if learn else 'no'}"]
        with open(f"{self.folder}/conf", "w", encoding="ascii") as file:
            paths = [f"{key} = {self.folder}/{key}" for key in ("control", "saved", "state")]
            file.write("\n".join(["[queues]", "rate = d0=1gbit", "[tuner]", "mode = tune", *settings, "[limits]", "share = 0",
                                  "[security]", "user = none", *paths]))
        self.process = subprocess.Popen(["acc-tuner", "-f", f"{self.folder}/conf"])

    def ctl(self, *arguments):
        """Output of accctl."""
        return subprocess.run(["accctl", "-s", f"{self.folder}/control", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, check=False).stdout

    def count(self):
        """Its counters."""
        return {name: int(value) for name, value in re.findall(r"^(\w+)\s+(\d+)", self.ctl("stats"), re.MULTILINE)}

    def ready(self, queues):
        """Wait until it knows so many queues, and has thresholds for them."""
        until = time.monotonic() + GIVE_UP_S
        while time.monotonic() < until:
            if len(re.findall(r'"state": "tuned"', self.ctl("-j", "queues"))) == queues:
                time.sleep(SETTLE_S)
                return True
            time.sleep(0.05)
        return False

    def instructions(self):
        """Its time on the processor until now, in ns."""
        with open(f"/proc/{self.process.pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0])

    def rss_kb(self):
        """Its memory."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s*(\d+)", file.read())[1])

    def measure(self):
        """Some intervals; its requests at the begin and the end are in neither number."""
        before = self.count()
        time.sleep(0.01)
        start, began = self.instructions(), time.monotonic_ns()
        time.sleep(MEASURE_S)
        took, lasted = self.instructions() - start, time.monotonic_ns() - began
        after = self.count()
        grew = {name: after[name] - before[name] for name in after}
        share = lasted / INTERVAL_NS / max(grew["ticks"] + grew["overruns"], 1)
        ticks = max(grew["ticks"] * share, 1)
        return Cost(took / ticks, grew["ticks"], grew["overruns"], grew, self.rss_kb())

    def close(self):
        """End it."""
        self.process.terminate()
        return self.process.wait()


def queues(count, waits):
    """So many leaves of htb on d0, each with packets that wait, or none."""
    subprocess.run(["tc", "qdisc", "del", "dev", "d0", "root"], stderr=subprocess.DEVNULL, check=False)
    lines = ["qdisc add dev d0 root handle 1: htb"]
    for number in range(1, count + 1):
        lines += [f"class add dev d0 parent 1: classid 1:{number:x} htb rate {RATE} quantum 1600",
                  f"qdisc add dev d0 parent 1:{number:x} handle {number + 256:x}: ecnsharp"]
    subprocess.run(["tc", "-batch", "-"], input="\n".join(lines) + "\n", text=True, check=True)
    if not waits:
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 1 << 30)     # packets that wait are charged to it
        for number in range(1, count + 1):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, 1 << 16 | number)
            for _ in range(BACKLOG):
                sock.sendto(bytes(PAYLOAD), ("10.9.0.2", 9))


def cost(name, count, policy, waits, learn=False):
    """Measure a case and print it; None if the daemon did not get there."""
    queues(count, waits)
    daemon = Daemon(policy, learn)
    there = daemon.ready(count)
    found = daemon.measure() if there else None
    status = daemon.close()
    result(there and not status, f"{name}: all are tuned, and the daemon ends well", status)
    if found:
        print(f"# {name}: {found.instructions:.0f} instructions an interval, {found.instructions / count:.0f} a queue, "
              f"{found.rss_kb} kB, {found.ticks} intervals and {found.overruns} passed over, {found.count['late']} late and "
              f"{found.count['decisions']} decisions of queues")
    return found


def waits_ns():
    """How long another waits for the kernel's lock of links and qdiscs: p99 of some calls."""
    took = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for number in range(PROBES):
            request = struct.pack("16si12x", b"d1", 1000 + number % 2)
            time.sleep(0.0013)
            start = time.monotonic_ns()
            fcntl.ioctl(sock, SIOCSIFTXQLEN, request)
            took.append(time.monotonic_ns() - start)
    return statistics.quantiles(took, n=100)[-1]


def many():
    """More queues than an interval has time for."""
    alone = waits_ns()
    cost("384 queues, follow, idle", 384, "follow", False)
    queues(384, True)
    daemon = Daemon("ddqn")
    there = daemon.ready(384)
    found = daemon.measure()
    with_it = waits_ns()
    print(f"# 384 queues, ddqn, waiting: {found.instructions:.0f} instructions an interval, {found.rss_kb} kB, {found.ticks} intervals "
          f"and {found.overruns} passed over, {found.count['late']} late and {found.count['decisions']} decisions of queues; "
          f"the lock of links, p99: {with_it:.0f} ns, without the daemon {alone:.0f} ns")
    passed = MEASURE_S * 1e9 / INTERVAL_NS
    counted = found.ticks + found.overruns
    result(there and abs(counted - passed) < passed / 10, "384 queues: each interval is done or counted", found)
    result(found.count["intervals"] == 384 * found.ticks and found.count["decisions"] >= 384, "each queue is seen, and decided", found)
    result(with_it <= WAIT_NS, f"others wait for the lock of links {WAIT_NS} ns at most in 99 of 100 cases", with_it, alone)
    queues(1, True)
    daemon.ready(1)
    found = daemon.measure()
    result(found.overruns == 0 and found.ticks >= passed * 0.9, "with 1 queue left it is in time again", found)
    result(daemon.close() == 0, "and ends well")


def few():
    """1 and 48 queues."""
    cost("1 queue, follow, idle", 1, "follow", False)
    one = cost("1 queue, ddqn, waiting", 1, "ddqn", True)
    cost("48 queues, follow, waiting", 48, "follow", True)
    idle = cost("48 queues, ddqn, idle", 48, "ddqn", False)
    waiting = cost("48 queues, ddqn, waiting", 48, "ddqn", True)
    learning = cost("48 queues, ddqn, waiting, learning", 48, "ddqn", True, True)
    if not all((one, idle, waiting, learning)):
        return
    result(idle.count["idle_skipped"] and not idle.count["decisions"] and idle.instructions <= SPARED * waiting.instructions,
           "an idle queue is spared a tenth at least", idle, waiting)
    result(max(one.rss_kb, waiting.rss_kb) <= RSS_KB, f"memory is {RSS_KB} kB at most", one, waiting)
    result(learning.count["updates"] and learning.rss_kb <= LEARNING_KB, f"with learning {LEARNING_KB} kB at most", learning)


def main():
    """Measure and print; the exit status."""
    run("modprobe sch_ecnsharp")
    run("ip netns add a")
    enter("a")
    for arguments in ("link add d0 type dummy", "link add d1 type dummy", "addr add 10.9.0.1/24 dev d0", "link set d0 up",
                  "link set d1 up"):
        run(f"ip {arguments}")
    few()
    many()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
