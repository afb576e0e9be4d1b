#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Distributions of delays in ecnsharp's and onramp's statistics. TAP.

    delay_hist.py           in a network namespace of its own, as root; delay_hist.sh sees to that

Packets of one length wait behind a slow link. Their sojourn times then add up to the integral of the backlog over time, divided by
their length, which ecnsharp counts by itself.
"""

import json
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from script import exact, finish, result, run

SO_TXTIME, CLOCK_MONOTONIC, PORT = 61, 1, 4321
# Bytes of a packet, with its headers; how many.
LENGTH, MANY = 1014, 40
BOUNDS_NS = [1024 << i for i in range(19)]
TBF = "tbf rate 8mbit burst 2000 latency 10s"


def statistics(kind):
    """The qdisc's own, once nothing waits."""
    while True:
        shown = json.loads(subprocess.run("tc -s -j qdisc show dev va".split(), capture_output=True, text=True, check=True).stdout)
        found = next(each for each in shown if each["kind"] == kind)
        if not found["qlen"]:
            return found
        time.sleep(0.05)


def qdisc(kind, options, below=TBF):
    """A new one, behind a slow link."""
    subprocess.run("tc qdisc del dev va root".split(), stderr=subprocess.DEVNULL, check=False)
    if below:
        run(f"tc qdisc add dev va root handle 1: {below}")
    run(f"tc qdisc add dev va {'parent 1:1' if below else 'root'} handle 10: {kind} {options}")


def send(ahead_ns=None):
    """Packets at once, or one that is to leave later."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, SO_TXTIME, struct.pack("iI", CLOCK_MONOTONIC, 0))
        control = []
        if ahead_ns:
            control = [(socket.SOL_SOCKET, SO_TXTIME, struct.pack("Q", time.clock_gettime_ns(CLOCK_MONOTONIC) + ahead_ns))]
        for _ in range(1 if ahead_ns else MANY):
            sock.sendmsg([bytes(LENGTH - 42)], control, 0, ("10.0.0.2", PORT))


def within(hist, sum_ns):
    """Can delays in these buckets have this sum?"""
    least = sum((BOUNDS_NS[i - 1] + 1 if i else 0) * count for i, count in enumerate(hist))
    most = sum(BOUNDS_NS[i] * count for i, count in enumerate(hist[:-1])) if not hist[-1] else float("inf")
    return least <= sum_ns <= most


def ecnsharp(name, options):
    """All packets are in the distribution, at the time that each waited."""
    qdisc("ecnsharp", options)
    before = statistics("ecnsharp")
    result(not any(before["sojourn_hist"]) and len(before["sojourn_hist"]) == 20, f"{name}: empty at first", before)
    send()
    found = statistics("ecnsharp")
    hist, sum_ns = found["sojourn_hist"], found["sojourn_sum_ns"]
    result(sum(hist) == MANY == found["tx_packets"] + found["nonect_dropped"], f"{name}: each packet is in it once", found)
    result(within(hist, sum_ns), f"{name}: the buckets' bounds hold the sum of the delays", hist, sum_ns)
    # The integral is in whole byte-us.
    result(abs(sum_ns * LENGTH // 1000 - found["backlog_byte_us"]) <= 1, f"{name}: the sum is the integral of the backlog", found)
    result(sum(hist[1:]) > MANY // 4, f"{name}: packets behind a slow link waited", hist)


def changed():
    """Settings that change leave the distribution as it is; a new qdisc has its own."""
    found = statistics("ecnsharp")["sojourn_hist"]
    run("tc qdisc change dev va parent 1:1 handle 10: ecnsharp limit 500")
    result(statistics("ecnsharp")["sojourn_hist"] == found, "change: the distribution stays", found)
    qdisc("ecnsharp", "")
    result(not any(statistics("ecnsharp")["sojourn_hist"]), "a new qdisc has none")


def onramp():
    """Off by default; with it on each packet is in the distribution."""
    qdisc("onramp", "maxrate 8mbit")
    send()
    found = statistics("onramp")
    result(not any(found["sojourn_hist"]) and not found["sojourn_sum_ns"], "onramp, off: no packet is counted", found)
    for below, name in ((TBF, "below a qdisc that peeks"), (None, "at the root")):
        qdisc("onramp", "maxrate 8mbit sojourn_hist on", below)
        send()
        found = statistics("onramp")
        result(sum(found["sojourn_hist"]) == MANY, f"onramp, on, {name}: each packet is in it once", found)
        result(within(found["sojourn_hist"], found["sojourn_sum_ns"]), f"onramp, on, {name}: the bounds hold the sum", found)
        result(sum(found["sojourn_hist"][1:]) > MANY // 4, f"onramp, on, {name}: paced packets waited", found)
    run("tc qdisc change dev va root handle 10: onramp sojourn_hist off")
    send()
    result(statistics("onramp")["sojourn_hist"] == found["sojourn_hist"], "onramp, switched off: no packet is added", found)


def ahead():
    """The time before a packet's departure time does not count."""
    qdisc("onramp", "sojourn_hist on", None)
    send(ahead_ns=300_000_000)
    found = statistics("onramp")
    result(sum(found["sojourn_hist"]) == 1, "a packet with a departure time is counted", found)
    if exact():
        result(not any(found["sojourn_hist"][11:]), "from that time on", found)


def main():
    """Set up, and look; the exit status."""
    with open("/proc/sys/net/ipv6/conf/default/disable_ipv6", "w", encoding="ascii") as file:
        file.write("1")
    for command in ("link add va type dummy", "addr add 10.0.0.1/24 dev va", "link set va up",
                    "neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent"):
        run(f"ip {command}")
    ecnsharp("sojourn", "")
    changed()
    ecnsharp("signal length", "signal length rate 8mbit")
    ecnsharp("ramp", "kmin 1ms kmax 20ms pmax 0.5")
    ecnsharp("drops", "nonect drop ins_target 1ms pst_target 500us")
    onramp()
    ahead()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
