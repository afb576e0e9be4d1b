#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Flows over real sockets, end to end: flows.py FLOWGEN.

All on loopback, in a network of its own where that is allowed; where hosts are network namespaces, over
a pair of virtual Ethernet devices. Nothing here depends on how fast the machine is.
"""

import os
import socket
import subprocess
import sys
import threading

from common import HANG_S, HOSTS, Run, Scratch, Serving, Tap, flowgen, private_network, read_json, read_rows, wait_for

QUERY = "group q kind=query senders=a,b receivers=c flows=40 lo=1 hi=300k"


def sizes(tap, program, scratch):
    run = Run(program, scratch, QUERY)
    tap.ok("query: all flows end with all bytes", run.clean(40), run)
    tap.ok("query: each on a new connection", {flow["conn"] for flow in run.flows} == {"new"}, run)
    tap.ok("query: the server's figures are there", all(flow[name] != "" for flow in run.flows
           for name in ("retrans", "delivered_ce", "min_rtt_us")), run.flows[:2])
    drawn = flowgen(program, "--dry-run", "--traffic", scratch.path("traffic")).stdout.splitlines()[1:]
    tap.ok("query: the flows are those drawn", [line.split(",")[:5] for line in drawn]
           == [list(flow.values())[:5] for flow in run.flows], drawn[:2])
    fields = run.progress.split()
    tap.ok("query: the progress ends at all flows", run.progress.endswith("\n") and len(fields) == 3
           and fields[1:] == ["40", "40"] and int(fields[0]) > 0, run.progress)
    big = Run(program, scratch, "group l kind=long senders=a,b receivers=c,d flows=4 size=30m", "--lowat", "1g")
    tap.ok("long: sizes far above every buffer", big.clean(4), big)
    small = Run(program, scratch, QUERY.replace("lo=1 hi=300k", "lo=1 hi=1"), "--lowat", "1")
    tap.ok("query: one byte each, woken by each byte", small.clean(40), small)
    options = Run(program, scratch, QUERY + " cc=reno dscp=46 delack=off jitter=5ms count=3 period=10ms")
    tap.ok("query: reno, codepoint, no delayed acknowledgements, three times", options.clean(120), options)
    tap.ok("query: three queries", {flow["query"] for flow in options.flows} == {"0", "1", "2"})
    mixed = Run(program, scratch, f"{QUERY}\n{QUERY.replace('group q', 'group r').replace('receivers=c', 'receivers=d')} cc=reno")
    tap.ok("groups of two congestion controls at once", mixed.clean(80), mixed)
    six = Run(program, scratch, "group q kind=query senders=a receivers=b flows=9 lo=1k hi=90k dscp=8",
              hosts="host a addr=::1\nhost b addr=[::1]:4000\n")
    tap.ok("IPv6", six.clean(9), six)


def pool(tap, program, scratch):
    # A second apart: even with sanitizers on a busy machine a query ends before the next.
    run = Run(program, scratch, QUERY + " conn=pool count=3 period=1s")
    tap.ok("pool: all flows end with all bytes", run.clean(120), run)
    conns = [[flow["conn"] for flow in run.flows if flow["query"] == str(n)] for n in range(3)]
    tap.ok("pool: it grows by the first query", set(conns[0]) == {"new"}, conns[0])
    tap.ok("pool: the others reuse it", set(conns[1] + conns[2]) == {"reuse"} and run.summary["reused"] == 80, run)
    burst = Run(program, scratch, "group q kind=query senders=a receivers=c flows=1 lo=1 hi=1 conn=pool count=300 period=1us")
    tap.ok("pool: flows of one pair, many under way at once", burst.clean(300), burst)
    two = Run(program, scratch, f"{QUERY} conn=pool\n{QUERY.replace('group q', 'group r at=1s')} conn=pool")
    tap.ok("pool: groups do not share theirs", two.clean(80) and two.summary["reused"] == 0, two)


def endless(tap, program, scratch):
    run = Run(program, scratch, f"group l kind=long senders=a,b receivers=c flows=4 until=300ms\n{QUERY} at=100ms")
    tap.ok("endless flows stop, others end meanwhile", run.clean(44), run)
    group = run.summary["groups"][0]
    tap.ok("endless: they count as stopped, with bytes", group["stopped"] == 4 and group["done"] == 0 and group["bytes"] > 10**6, group)
    tap.ok("endless: none ends before its time", all(int(flow["start_ns"]) + int(flow["fct_ns"]) >= 300_000_000
           and flow["size_bytes"] == "0" for flow in run.flows if flow["end"] == "stopped"), run)


def closed(tap, program, scratch):
    """Workers that start their next request when their last has ended."""
    text = "group c kind=closed senders=a,b receivers=c,d depth=4 lo=1 hi=90k "
    for more in ("", " conn=pool", " cc=dcqcn line=1gbit"):
        run = Run(program, scratch, f"{text}count=20 until=100s{more}")
        workers = [[flow for flow in run.flows if flow["query"] == str(worker)] for worker in range(4)]
        tap.ok(f"closed{more}: each worker's requests, all of them", run.clean(80) and [len(flows) for flows in workers] == 4 * [20], run)
        # cc=dcqcn: a flow ends when its last packet came, by the kernel's stamp, and the sink's answer lets the next start.
        tap.ok(f"closed{more}: one at a time", all(int(one["start_ns"]) + int(one["fct_ns"]) <= int(other["start_ns"])
               for flows in workers for one, other in zip(flows, flows[1:])), workers[0][:3])
    tap.ok("closed: a worker keeps its ends", [{(flow["sender"], flow["receiver"]) for flow in flows} for flows in workers]
           == [{("a", "c")}, {("b", "d")}, {("a", "c")}, {("b", "d")}], workers[0][:2])
    run = Run(program, scratch, f"{text}count=100000 until=100ms")
    ended = run.summary["done"]
    tap.ok("closed: its time over, no request starts, and those that did not are not counted", 4 <= ended < 400000 and run.summary["flows"] == ended
           and len(run.flows) == ended and not run.done.stderr and max(int(flow["start_ns"]) for flow in run.flows) < 110_000_000, run)
    sock, where = listener()
    sock.close()
    run = Run(program, scratch, "", "--to", where, "--group", "c kind=closed depth=3 count=9 lo=1 hi=9 until=100s")
    tap.ok("closed: a worker whose flow fails stops", run.done.returncode == 3 and run.summary["failed"] == run.summary["flows"] == 3, run)


def series(tap, program, scratch):
    path = scratch.path("series.csv")
    run = Run(program, scratch, f"group l kind=long senders=a,b receivers=c flows=4 until=300ms\n{QUERY} at=100ms",
              "--series", path, "--step", "50ms")
    points = {name: [(int(row["time_ns"]), int(row["bytes"])) for row in read_rows(path) if row["group"] == name] for name in "lq"}
    tap.ok("series: both groups at the same times", run.clean(44) and len(points["l"]) > 2
           and [at for at, _ in points["l"]] == [at for at, _ in points["q"]], points)
    tap.ok("series: no point before its time, none in another's place", all(50_000_000 * i <= at
           for i, (at, _) in enumerate(points["l"][:-1])) and points["l"] == sorted(set(points["l"])), points)
    tap.ok("series: bytes only grow", all(a[1] <= b[1] for each in points.values() for a, b in zip(each, each[1:])), points)
    tap.ok("series: the first is empty, the last has all", [each[0][1] for each in points.values()] == [0, 0] and
           [points[group["name"]][-1][1] == group["bytes"] for group in run.summary["groups"]] == [True, True], (points, run.summary))
    tap.ok("series: an endless flow is seen on its way", 0 < points["l"][-3][1] < points["l"][-1][1], points)
    bad = flowgen(program, "--traffic", scratch.path("traffic"), "--port", "31020", "--series", "/nowhere/series")
    tap.ok("series: a file that cannot be written is reported", bad.returncode == 1 and "/nowhere/series: No such file" in bad.stderr, bad)


def starts(tap, program, scratch):
    run = Run(program, scratch, QUERY + " at=50ms jitter=50ms")
    drawn = flowgen(program, "--dry-run", "--traffic", scratch.path("traffic")).stdout.splitlines()[1:]
    planned = [int(line.split(",")[5]) for line in drawn]
    tap.ok("no flow starts before its time", run.clean(40) and all(int(flow["start_ns"]) >= at
           for flow, at in zip(run.flows, planned)), run)
    past = Run(program, scratch, QUERY, "--epoch", "1")
    tap.ok("an epoch in the past is reported", past.done.returncode == 1 and "--epoch: it was" in past.done.stderr, past)
    empty = Run(program, scratch, "group g kind=poisson senders=a receivers=b cdf=one.cdf rate=1kbit load=0.001 until=1ns")
    tap.ok("a drawn without flows ends at once", empty.clean(0), empty)


def listener():
    """A server that accepts and says nothing."""
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    sock.listen(100)
    return sock, f"127.0.0.1:{sock.getsockname()[1]}"


def ports(tap, program, scratch):
    sock, where = listener()
    group = "q kind=query flows=5 lo=1 hi=9 ports=flow"
    run = Run(program, scratch, "", "--to", where, "--group", group, "--give-up", "1")
    came = {sock.accept()[1][1] for _ in range(run.summary["unfinished"])}
    tap.ok("ports=flow: each flow has the port of its id", came == set(range(10000, 10005)), f"{came} {run}")
    sock.close()
    twice = [Run(program, scratch, QUERY + " ports=flow") for _ in range(2)]
    tap.ok("ports=flow: flows end, and can be run again at once", all(run.clean(40) for run in twice), twice[1])
    six = Run(program, scratch, "group q kind=query senders=a receivers=b flows=9 lo=1k hi=90k ports=flow",
              hosts="host a addr=::1\nhost b addr=[::1]:4000\n")
    tap.ok("ports=flow: IPv6", six.clean(9), six)


def trouble(tap, program, scratch):
    sock, where = listener()
    run = Run(program, scratch, "", "--to", where, "--group", "q kind=query flows=5 lo=1 hi=9", "--give-up", "1")
    tap.ok("give-up: unfinished flows are counted", run.done.returncode == 3 and run.summary["unfinished"] == 5
           and "5 began and did not end" in run.done.stderr, run)
    tap.ok("give-up: and have no completion time", [(f["fct_ns"], f["end"]) for f in run.flows] == [("", "unfinished")] * 5)
    sock.close()
    run = Run(program, scratch, "", "--to", where, "--group", "q kind=query flows=15 lo=1 hi=9")
    tap.ok("refused connections fail", run.done.returncode == 3 and run.summary["failed"] == 15
           and run.done.stderr.count("Connection refused") == 10, run)

    sock, where = listener()

    def cut():
        """Answer ten bytes of more, then close."""
        conn, _ = sock.accept()
        conn.recv(24, socket.MSG_WAITALL)
        conn.sendall(b"0123456789")
        conn.shutdown(socket.SHUT_WR)
        conn.recv(1)
        conn.close()

    thread = threading.Thread(target=cut)
    thread.start()
    run = Run(program, scratch, "", "--to", where, "--group", "q kind=query flows=1 lo=11 hi=11")
    thread.join()
    sock.close()
    tap.ok("an answer that is cut short fails", run.summary["failed"] == 1 and run.flows[0]["bytes"] == "10"
           and "closed by the server" in run.done.stderr, run)
    run = Run(program, scratch, QUERY, "--flows", "/nowhere/flows")
    tap.ok("a file given twice is refused", run.done.returncode == 2, run)
    done = flowgen(program, "--traffic", scratch.path("traffic"), "--port", "31000", "--flows", "/nowhere/flows")
    tap.ok("a file that cannot be written is reported", done.returncode == 1 and "/nowhere/flows: No such file" in done.stderr, done)
    done = flowgen(program, "--traffic", scratch.path("traffic"), "--netns", scratch.path("none"))
    tap.ok("a namespace that does not exist is reported", done.returncode == 1 and "host 'a': " in done.stderr, done)
    with subprocess.Popen([program, "--traffic", scratch.write("long", HOSTS + "group l kind=long senders=a receivers=b until=1000s"),
                           "--port", "31010", "--progress", scratch.path("watched"), "--summary", scratch.path("cut")],
                          stderr=subprocess.PIPE, text=True) as process:
        seen = set()

        def moved():
            """The progress file tells of one flow at three times."""
            if os.path.exists(scratch.path("watched")):
                with open(scratch.path("watched"), encoding="ascii") as file:
                    seen.add(file.read())
            return sum(line.endswith(" 0 1\n") for line in seen) == 3

        wait_for(moved)
        process.terminate()
        _, stderr = process.communicate(timeout=HANG_S)
    tap.ok("the progress file moves on", len(seen) >= 3, seen)
    tap.ok("a signal ends a run with its report", process.returncode == 3 and read_json(scratch.path("cut"))["unfinished"] == 1
           and "1 began and did not end" in stderr, stderr)


def two_ends(tap, program, scratch):
    with Serving(program, scratch, "127.0.0.1", 29000) as one, Serving(program, scratch, "127.0.0.1", 29010) as two:
        run = Run(program, scratch, "", "--to", one.where, f"--to={two.where}", "--group",
                  "q kind=query flows=20 lo=1 hi=90k conn=pool count=2 period=500ms", "--group", "l kind=long flows=2 until=300ms")
    tap.ok("two servers and a requester: all flows end", run.clean(42), run)
    tap.ok("two servers: both served", {flow["sender"] for flow in run.flows} == {"to1", "to2"}
           and {flow["receiver"] for flow in run.flows} == {"here"}, run)
    tap.ok("two servers: their figures are not known", all(flow["retrans"] == "" for flow in run.flows))
    tap.ok("two servers: they end at a signal, and counted all",
           one.status == two.status == 0 and one.counts["requests"] + two.counts["requests"] == 42
           and one.counts["bad_requests"] + two.counts["bad_requests"] == 0, (one.counts, two.counts))


NETWORK = """
mount -t tmpfs none /run && mkdir /run/netns || exit 9
for i in 1 2; do ip netns add h$i || exit 9; ip -n h$i link set lo up; done
ip link add e1 netns h1 type veth peer name e2 netns h2 || exit 9
for i in 1 2; do ip -n h$i addr add 10.9.9.$i/24 dev e$i; ip -n h$i link set e$i up; done
exec "$@"
"""


def namespaces(tap, program, scratch):
    hosts = "host one addr=10.9.9.1 netns=h1\nhost h2 addr=10.9.9.2\n"
    text = "group q kind=query senders=all receivers=all flows=30 lo=1 hi=90k conn=pool count=2 period=500ms"
    enter = ["unshare", "-rnm", "--", "/bin/sh", "-c", NETWORK, "sh"]
    allowed = subprocess.run(enter + ["true"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if allowed.returncode:
        tap.ok("namespaces: every host in its own # SKIP no namespaces or no veth here", True)
        return
    wrapper = scratch.write("wrapper", "#!/bin/sh\nexec unshare -rnm -- /bin/sh -c '" + NETWORK + "' sh " + program + ' "$@"\n')
    os.chmod(wrapper, 0o755)
    run = Run(wrapper, scratch, text, "--netns", "/run/netns", hosts=hosts)
    tap.ok("namespaces: every host in its own, both senders and receivers", run.clean(60)
           and {(flow["sender"], flow["receiver"]) for flow in run.flows} <= {("one", "h2"), ("h2", "one")}, run)
    lost = Run(wrapper, scratch, text, hosts=hosts)
    tap.ok("namespaces: without --netns the addresses are not there", "cannot listen" in lost.done.stderr
           or lost.summary.get("failed") == 60, lost)


def main():
    private_network()
    program, tap, scratch = os.path.abspath(sys.argv[1]), Tap(), Scratch()
    scratch.write("one.cdf", "1 1\n")
    sizes(tap, program, scratch)
    pool(tap, program, scratch)
    endless(tap, program, scratch)
    closed(tap, program, scratch)
    series(tap, program, scratch)
    starts(tap, program, scratch)
    ports(tap, program, scratch)
    trouble(tap, program, scratch)
    two_ends(tap, program, scratch)
    namespaces(tap, program, scratch)
    tap.end()


main()
