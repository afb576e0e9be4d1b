#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The reasons of drops, as the tracepoint skb:kfree_skb tells them: those of onramp, ecnsharp and cp are those of fq and codel. TAP.

    drop_reasons.py         in a network namespace of its own, as root; drop_reasons.sh sees to that

Kernels differ in the reasons that they have. So a qdisc of the kernel's makes each case, too, and both must have one reason; what
only says that some qdisc dropped is the least that there is.
"""

import os
import re
import socket
import struct
import subprocess
import sys
import time

from script import finish, result
from tap import skip_all

TOP = "/sys/kernel/tracing"
EVENT = "events/skb/kfree_skb"
SO_TXTIME, CLOCK_MONOTONIC, UDP_SEGMENT, PORT = 61, 1, 103, 4321
NONE = {"NOT_SPECIFIED"}
# A GSO packet passes as it is.
SLOW = "rate 1mbit burst 20000 latency 10s"
# Traffic: many packets, one packet that is to leave in 10 s, many GSO packets.
MANY, LATE, GSO = range(3)
# Reason for dropping, the kernel's qdisc, this project's qdisc, traffic.
CASES = (
    ("a band's limit", "fq limit 5", "onramp limit 5", MANY),
    ("a flow's limit", "fq flow_limit 5", "onramp flow_limit 5", MANY),
    ("the horizon", "fq horizon 1s", "onramp horizon 1s", LATE),
    ("a queue's limit", "codel limit 5", "ecnsharp limit 5", MANY),
    ("a queue's limit, segments", "codel limit 5", "ecnsharp split_gso on limit 5", GSO),
    ("a port's limit", "codel limit 5", "cp law none rate 1mbit limit 10000", MANY),
    ("a port's limit, segments", "codel limit 5", "cp law none rate 1mbit limit 10000", GSO),
)


def sh(command):
    """Run a command that must succeed."""
    subprocess.run(command.split(), check=True)


def send(what):
    """Packets at once: many, or one that is to leave in 10 s."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, SO_TXTIME, struct.pack("iI", CLOCK_MONOTONIC, 0))
    if what == GSO:
        sock.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, 1000)
    control = [(socket.SOL_SOCKET, SO_TXTIME, struct.pack("Q", time.clock_gettime_ns(CLOCK_MONOTONIC) + 10**10))] if what == LATE else []
    for _ in range(1 if what == LATE else 40):
        try:
            sock.sendmsg([bytes(8000 if what == GSO else 1000)], control, 0, ("10.0.0.2", PORT))
        except OSError:
            pass        # dropped
    return sock


class Reasons:
    """Reasons of all drops in this process's packets, from a trace of its own."""

    def __init__(self):
        self.here = os.path.join(TOP, "instances", f"reasons-{os.getpid()}")
        os.mkdir(self.here)
        self.write(f"{EVENT}/enable", "1")

    def write(self, name, text):
        """To a file of it."""
        with open(os.path.join(self.here, name), "w", encoding="ascii") as file:
            file.write(text)

    def of(self, qdisc, act):
        """{reason} of what act() has dropped with a qdisc below a slow link, or cp, which is one."""
        if qdisc.startswith("cp"):
            sh(f"tc qdisc add dev va root handle 10: {qdisc}")
        else:
            sh(f"tc qdisc add dev va root handle 1: tbf {SLOW}")
            sh(f"tc qdisc add dev va parent 1:1 handle 10: {qdisc}")
        self.write("trace", "")
        act()
        time.sleep(0.2)
        with open(os.path.join(self.here, "trace"), encoding="ascii") as file:
            # Forwarded packets are dropped at the other end, by IP, which has no such address.
            found = {reason for reason in re.findall(r"protocol=2048 .*reason: (\w+)", file.read()) if not reason.startswith("IP_")}
        sh("tc qdisc del dev va root")
        return found

    def end(self):
        """No more."""
        self.write(f"{EVENT}/enable", "0")
        os.rmdir(self.here)


def main():
    """Compare; the exit status."""
    if not os.path.isdir(TOP + "/events"):
        sh(f"mount -t tracefs none {TOP}")
    try:
        with open(os.path.join(TOP, EVENT, "format"), encoding="ascii") as file:
            knows = "reason" in file.read()
    except FileNotFoundError:
        knows = False
    if not knows:
        skip_all("this kernel's trace events tell no reasons")
        return 4
    with open("/proc/sys/net/ipv6/conf/default/disable_ipv6", "w", encoding="ascii") as file:
        file.write("1")
    for command in ("link add va type dummy", "addr add 10.0.0.1/24 dev va", "link set va up",
                  "neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent"):
        sh(f"ip {command}")
    reasons = Reasons()
    for name, theirs, mine, what in CASES:
        expected = reasons.of(theirs, lambda what=what: send(LATE if what == LATE else MANY))
        actual = reasons.of(mine, lambda what=what: send(what))
        result(actual == expected and actual and not actual & NONE, f"{name}: {theirs.split()[0]} and {mine.split()[0]} say the same",
               f"{theirs}: {expected}", f"{mine}: {actual}")
    # One that was due for a mark and cannot be marked is dropped as it leaves; codel of old kernels gives that no reason.
    actual = reasons.of("ecnsharp ins_target 1ms pst_target 500us nonect drop limit 100", lambda: send(MANY))
    result(actual and not actual & NONE, "a mark that is due: ecnsharp says that it dropped", actual)
    reasons.end()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
