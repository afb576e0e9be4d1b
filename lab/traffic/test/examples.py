#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The examples of flowgen(1) and docs/install.md, given to a shell: examples.py FLOWGEN FOLDER.

The traffic file is drawn as it stands, and run with less load; the load between real hosts goes over loopback, a fiftieth of it.
The load of docs/install.md is drawn.
"""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys

from common import HANG_S, Scratch, Tap, private_network, read_rows, rows, wait_for
from page import Page, commands

CDFS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cdf")


def shell(scratch, line, folder="."):
    """A command as typed, in the folder of cdf or in another one; what a name stands for where it is installed is in the tree."""
    line = re.sub(r"\bcdf=(\w+)\b(?![./])", rf"cdf={CDFS}/\1.cdf", line)
    env = {**os.environ, "PATH": f"{scratch.path('.')}:{os.environ['PATH']}"}
    # Its own group: a signal reaches what the shell started.
    # pylint: disable=consider-using-with
    return subprocess.Popen(["sh", "-c", line], cwd=scratch.path(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=env, start_new_session=True)


def outcome(run):
    """Its output, in time: its children do not outlive us."""
    try:
        return run.communicate(timeout=HANG_S)
    finally:
        if run.returncode is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate()


def planned(tap, scratch, block):
    """The traffic file, drawn as it stands."""
    typed, = commands(block, "    flowgen ")
    scratch.write("FILE", "".join(re.sub(r"\bcdf=(\w+)\b(?![./])", rf"cdf={CDFS}/\1.cdf", line) for line in block.splitlines(True) if not line.startswith("    flowgen ")))
    run = shell(scratch, "flowgen --traffic FILE --dry-run")
    stdout, why = outcome(run)
    flows = rows(stdout)
    queries = [flow for flow in flows if flow["group"] == "query"]
    tap.ok("the traffic file: 30 queries of 40 flows, and the load", run.returncode == 0 and not why
           and len(queries) == 30 * 40 < len(flows) and {flow["sender"] for flow in flows} == {"s1", "s2"}, (run.returncode, why, len(queries), len(flows)))
    return f"flowgen {typed}"


def between_hosts(tap, scratch, root):
    """The load of docs/install.md, drawn from where it is typed; a dry run has no flows to write."""
    with open(os.path.join(root, "docs/install.md"), encoding="utf-8") as file:
        typed = [line for line in commands(file.read(), "    flowgen ") if "--to " in line]
    if tap.ok("docs/install.md has one load between hosts", len(typed) == 1, typed):
        run = shell(scratch, f"flowgen --dry-run {typed[0].replace('--flows before.csv ', '')}", root)
        stdout, why = outcome(run)
        tap.ok(f"docs/install.md: {typed[0]}", run.returncode == 0 and not why
               and {flow["sender"] for flow in rows(stdout)} == {"to1", "to2"}, (run.returncode, why))


NETWORK = """
mount -t tmpfs none /run && mkdir /run/netns || exit 9
ip link add sw type bridge && ip link set sw up || exit 9
n=1
for host in s1 s2 r; do
	ip netns add $host || exit 9
	ip link add p$n type veth peer name e netns $host || exit 9
	ip link set p$n master sw up
	ip -n $host link set lo up
	ip -n $host addr add 10.0.0.$n/24 dev e
	ip -n $host link set e up
	n=$((n + 1))
done
exec sh -c "$@"
"""


def network(tap, scratch, line):
    """And given to namespaces of its names, with a hundredth of the load, two queries, and what every kernel has."""
    with open(scratch.path("FILE"), encoding="ascii") as file:
        text = file.read()
    scratch.write("FILE", text.replace("cc=dctcp", "cc=cubic").replace("10gbit", "100mbit").replace("count=30", "count=2"))
    enter = ["unshare", "-rnm", "--", "/bin/sh", "-c", NETWORK, "sh"]
    if subprocess.run([*enter, "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode:
        tap.ok(f"{line} # SKIP no namespaces or no veth here", True)
        return
    run = shell(scratch, " ".join(map(shlex.quote, [*enter, line])))
    why = outcome(run)[1]
    flows = read_rows(scratch.path("flows.csv")) if not run.returncode else []
    tap.ok(line, not why and {flow["receiver"] for flow in flows} == {"r"} and {flow["end"] for flow in flows} == {"done"}
           and {flow["group"] for flow in flows} == {"load", "query"} and os.path.exists(scratch.path("summary.json")),
           (run.returncode, why, flows[:3]))
    run = shell(scratch, " ".join(map(shlex.quote, [*enter, line.replace("--netns", "--nets")])))
    tap.ok("an option that is none would be noticed", outcome(run)[1] and run.returncode)


def between(tap, scratch, block):
    """Two that serve and one that asks them, 127.0.0.1 and .2 in place of 10.0.0.1 and .2."""
    with contextlib.ExitStack() as stack:
        servers = []
        for number in (1, 2):
            line, = commands(block, f"    s{number}$ ")
            servers.append(shell(scratch, f"exec {line} --listen 127.0.0.{number}:5000 --summary served{number}"))
            stack.callback(outcome, servers[-1])
            # A failure below must not leave a server running; one that has ended ignores the signal.
            stack.callback(servers[-1].terminate)
        line, = commands(block, "    r$ ")
        line = line.replace("10.0.0.", "127.0.0.").replace("10gbit", "200mbit").replace("until=30s", "until=3s")
        listening = re.compile(r"0[12]00007F:1388 00000000:0000 0A")
        wait_for(lambda: len(listening.findall(open("/proc/net/tcp", encoding="ascii").read())) == 2)
        run = shell(scratch, line)
        why = outcome(run)[1]
        flows = read_rows(scratch.path("flows.csv"))
        tap.ok(line, run.returncode == 0 and not why and flows and {flow["sender"] for flow in flows} == {"to1", "to2"}
               and all(flow["end"] == "done" for flow in flows), (run.returncode, why, flows[:3]))
        for server in servers:
            os.killpg(server.pid, signal.SIGTERM)
            why = outcome(server)[1]
            tap.ok("flowgen --serve serves, and ends at a signal", server.returncode == 0 and " 0 bad requests" in why
                   and "served 0 " not in why, why)


def main():
    private_network()
    program, folder = (os.path.abspath(path) for path in sys.argv[1:])
    tap, scratch = Tap(), Scratch()
    # Once: a run would find it empty while it is written again for the next.
    os.chmod(scratch.write("flowgen", f"#!/bin/sh\nexec '{program}' \"$@\"\n"), 0o755)
    with open(os.path.join(folder, "cdf/websearch.cdf"), encoding="ascii") as file:
        scratch.write("websearch.cdf", file.read())
    with open(os.path.join(folder, "flowgen.1"), encoding="ascii") as file:
        blocks = Page(file.read()).examples()
    if tap.ok("there are two examples", len(blocks) == 2, blocks):
        network(tap, scratch, planned(tap, scratch, blocks[0]))
        between(tap, scratch, blocks[1])
    between_hosts(tap, scratch, os.path.join(folder, "../.."))
    tap.end()


main()
