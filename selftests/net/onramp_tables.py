#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp.ko: its tables of flows, paths and records: how large they grow, what makes space, and what is forgotten when, as TAP."""

import os
import socket
import struct
import sys
import time
import types

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import onramp_genl as genl
from onramp_hosts import (N, A, ADDRESS_A, DSCP, RING, RECORD, ACKED, qdisc, Hosts, number_of, limit, Connection, Connections,
                          read, Allocations, network)
from probes import Holds, Trace
from script import BUDGETS, enter, finish, result, skip, virtual

MANY = 300
LATE = 200
CROWD = 2000


def sizes(hosts):
    """Memory of a flow, its path and its records: the largest part of the tenants' maximum."""
    allocations = Allocations(r"onramp_(?:flow|path)_\w+")
    if not allocations.exists:
        skip("what a flow with all its records takes", "this kernel has no trace events, or looks for errors")
        return
    other = Connection(hosts, DSCP + 1)
    for _ in range(RING + 10):
        other.send()
    hosts.settle()
    taken = allocations.taken()
    other.end()
    hosts.drain()
    rings = [pair for pair in taken if pair[0] in (RECORD << doubled for doubled in range(4, 9))]
    rest = [given for asked_for, given in taken if (asked_for, given) not in rings]
    result([asked_for for asked_for, _ in rings] == [RECORD << doubled for doubled in range(4, 9)] and rings[-1] == (RING * RECORD, 16384),
           "all records that a flow can have take 16 KB", taken)
    result(rest == [512, 512], "the flow itself takes 512 bytes, and so does its path", taken)
    flows, paths, acked = (int(read(BUDGETS + what)) for what in ("flows", "paths", "acked_flows"))
    most = flows * (rings[-1][1] + 512) + paths * 512 + acked * 2 * ACKED
    result(1.115e9 < most < 1.125e9, "all that tenants may have takes 1.12 GB", most)


def evicted(hosts):
    """A flow that nobody acks has as many records as a ring holds: the oldest make space."""
    more = 20
    first = hosts.send()
    for _ in range(RING - 1):
        last = hosts.send()
    change = hosts.changed(lambda: [hosts.send() for _ in range(more)])
    result(change.get("records") == change.get("records_evicted") == more, "with a full ring each record takes the place of one", change)
    lost, found = (hosts.changed(lambda seen=seen: hosts.ack(seen)) for seen in (first, last))
    result(lost.get("unmatched") == found.get("samples") == 1 and "samples" not in lost, "the oldest is forgotten, others are not", lost, found)
    time.sleep(0.1)
    qdisc("change", "record_idle 50ms")
    change = hosts.changed(lambda: [hosts.send() for _ in range(more)])
    result(change.get("records") == more and "records_evicted" not in change, "what is older than record_idle makes space unnoticed", change)
    qdisc("change", "record_idle 10s")


def changed_idle(hosts):
    """record_idle counts from when it is changed, also for a flow that sends nothing meanwhile."""
    qdisc("change", "record_idle 60s")
    kept = hosts.send()
    qdisc("change", "record_idle 50ms")
    time.sleep(1.5)
    short = hosts.changed(lambda: hosts.ack(kept))
    gone = hosts.send()
    qdisc("change", "record_idle 60s")
    time.sleep(1.5)
    long = hosts.changed(lambda: hosts.ack(gone))
    result(short.get("unmatched") == 1 and "samples" not in short and long.get("samples") == 1,
           "a shorter record_idle forgets what was sent before, a longer one keeps it", short, long)
    qdisc("change", "record_idle 10s")


def path_limit(hosts):
    """One path more than there may be: its flow is none; with space it is."""
    hosts.send()
    most = number_of(hosts, "MAX_PATHS")
    limit(hosts, "MAX_PATHS", 1)
    other, before = Connection(hosts, DSCP), number_of(hosts, "PATHS")
    change = hosts.changed(other.send)
    result(change.get("flows_failed", 0) >= 1 and "flows" not in change and number_of(hosts, "PATHS") <= before,
           "no space for its path: it leaves, unmeasured", change, before, number_of(hosts, "PATHS"))
    change = hosts.changed(lambda: hosts.ack(hosts.send()))
    result(change.get("samples") == 1, "the flow of the path that is there is measured", change)
    limit(hosts, "MAX_PATHS", most)
    time.sleep(0.1)
    change = hosts.changed(other.send)
    result(change.get("flows") == change.get("records") == 1 and "flows_failed" not in change, "with space it is measured", change, number_of(hosts, "PATHS"))
    other.end()


def flows_now(hosts):
    """How many flows are remembered."""
    return number_of(hosts, "FLOWS")


def none_left(hosts):
    """Wait until all flows are forgotten.  Return: how many are not."""
    for _ in range(50):
        if not flows_now(hosts):
            break
        time.sleep(0.2)
    return flows_now(hosts)


def ageing(hosts):
    """Ageing of more flows than one run of it checks: they stay while their queues exist, and are removed after.

    Flows that are made while it checks others, or between two runs, do not stop it.
    """
    trace = Trace(f"onramp-age-{os.getpid()}", "events/workqueue/workqueue_execute_start")
    # Those of tests before go first.
    qdisc("change", "record_idle 100ms mode off")
    none_left(hosts)
    qdisc("change", "mode hold")
    many = Connections(hosts, MANY)
    many.send()
    before = flows_now(hosts)
    time.sleep(1.5)
    first = len(trace.lines("function onramp_flow_age_work"))
    time.sleep(2)
    second = len(trace.lines("function onramp_flow_age_work"))
    kept = flows_now(hosts)
    late = Connections(hosts, LATE)
    for client in late.clients:
        client.sendall(b"x")
        time.sleep(0.005)
    qdisc("change", "mode off")
    after = none_left(hosts)
    third = len(trace.lines("function onramp_flow_age_work"))
    many.end()
    late.end()
    hosts.drain()
    trace.end()
    result(before >= MANY and kept == before and not after, "flows stay as long as a queue is theirs, and are forgotten after",
           before, kept, after)
    if trace.exists:
        # There is one flow more, of the same age, that may have been looked at late.
        result(first and second - first <= 2 and third > second, "ageing rests while nothing is due", first, second, third)


def strangers(count):
    """A packet to each of so many others, of a flow and a path of its own."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
        sock.bind(("va", 0))
        tcp = struct.pack("!HHIIBBHHH", 7001, 7002, 1, 1, 0x50, 0x18, 1000, 0, 0) + b"x"
        head = bytes.fromhex("020000000009020000000001") + struct.pack("!HBBHHHBBH", 0x0800, 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0)
        for number in range(count):
            sock.send(head + socket.inet_aton(ADDRESS_A) + socket.inet_aton(f"198.18.{number >> 8}.{number & 255}") + tcp)


def crowd():
    """Where many flows and paths go at once, the lock that the makers of one wait for is held for a few of them at a time."""
    with network("mode hold clock system error 10us threshold 1s record_idle 100ms limit 100000"):
        enter(A)
        holds = Holds("onramp", "kworker", "kvfree_call_rcu")
        host = types.SimpleNamespace(genl=genl.Family("onramp"))
        if holds.exists:
            strangers(CROWD)
            made = [number_of(host, name) for name in ("FLOWS", "PATHS")]
            qdisc("change", "mode off")
            left = none_left(host)
            most, freed = holds.totals()
            result(min(made) >= CROWD > 2 * 16 and not left and freed >= CROWD and 0 < most <= 16, "ageing holds the lock for 16 flows at most", made, left, most, freed)
            if virtual():
                # A path's 600 s, and what a timer of 600 s may be late: 4096 ticks, 16.4 s at 250 Hz.
                time.sleep(640)
                paths = number_of(host, "PATHS")
                most, freed = holds.totals()
                result(not paths and freed >= 2 * CROWD and 16 < most <= 64, "and for 64 paths", paths, most, freed)
            before = holds.totals()[1]
            qdisc("change", "mode hold")
            strangers(CROWD)
            made = number_of(host, "FLOWS")
        host.genl.socket.close()
    if not holds.exists:
        skip("for how many flows and paths the lock is held", "this kernel has no kprobes, or locks that sleep")
        return
    most, freed = holds.totals()
    holds.end()
    result(made >= CROWD and freed - before >= 2 * CROWD and 0 < most <= 64, "and so it is as a namespace goes that has as many", made, most, freed - before)


def remembered(hosts):
    """A path, and with it what was taken on it, outlives its last flow by 600 s."""
    if not virtual():
        return
    qdisc("change", "record_idle 100ms mode off")
    none_left(hosts)
    paths = []
    for seconds in (0, 590, 15):
        time.sleep(seconds)
        paths.append(struct.unpack("=I", hosts.genl.ask(N["ONRAMP_CMD_STATS_GET"])[0][N["ONRAMP_A_PATHS"]])[0])
    # Paths of earlier tests may also remain at first; they are older.
    result(0 < paths[1] <= paths[0] and not paths[2], "a path is remembered for 600 s after its last flow", paths)


def full(hosts):
    """A table that is full is not tried for each packet, and no flow of it is worse for that."""
    qdisc("change", "mode hold record_idle 10s")
    seen = hosts.send()
    limit(hosts, "MAX_FLOWS", 1)
    other = Connection(hosts)

    def burst():
        for _ in range(100):
            other.client.sendall(b"x")

    start = time.monotonic_ns()
    change = hosts.changed(burst)
    tries = 2 + (time.monotonic_ns() - start) // 10**7
    result(1 <= change.get("flows_failed", 0) <= tries and not change.get("flows"), "a full table is tried once in 10 ms",
           change, f"{tries} tries at most")
    change = hosts.changed(lambda: hosts.ack(hosts.send()))
    result(change.get("samples") == 1, "a flow that is in it is measured", change, seen)
    time.sleep(0.5)         # all that was sent is acknowledged: the next leaves at once, and nothing is sent again

    def make_space():
        other.client.sendall(b"x")
        limit(hosts, "MAX_FLOWS", 65536)
        other.client.sendall(b"x")

    change = hosts.changed(make_space)
    result(change.get("flows_failed") == 1 and change.get("flows") == 1, "with space the other is, too, at once", change)
    other.end()


def main():
    """Set up, test, clear away."""
    with network("mode hold clock system error 10us threshold 1s record_idle 10s"):
        hosts = Hosts()
        sizes(hosts)
        evicted(hosts)
        changed_idle(hosts)
        path_limit(hosts)
        ageing(hosts)
        full(hosts)
        remembered(hosts)
        hosts.close()
    crowd()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
