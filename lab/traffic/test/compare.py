#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The table of a run, and two runs compared: compare.py FLOWGEN-SAN FLOWGEN.

Intervals are held to their definition: of many pairs of files of the same distribution about 95 % contain the true ratio.
"""

import os
import random
import re
import subprocess
import sys

from common import HOSTS, Scratch, Tap, flowgen, private_network, read_json, read_rows

HEAD = "id,group,sender,receiver,size_bytes,start_ns,fct_ns,conn,retrans,timeouts,delivered_ce,min_rtt_us,bytes,query,end\n"
ROW = re.compile(r"(?P<name>[\w ]*?) +(?P<before>\d+) +(?P<after>\d+) +(?P<mean>[\d.]+)(?: \((?P<mean_low>[\d.]+) to (?P<mean_high>[\d.]+)\))?"
                 r" +(?P<p99>[\d.]+)(?: \((?P<low>[\d.]+) to (?P<high>[\d.]+)\))?\s*$")


def text(flows):
    """A file of --flows of (id, size, ns); without ns the flow failed, size 0 is endless."""
    return HEAD + "".join(f"{number},g,a,b,{size},0,{'' if ns is None else ns},new,,,,,{size},0,{'failed' if ns is None else 'done'}\n"
                          for number, size, ns in flows)


def compared(program, scratch, before, after, *more):
    """The table's rows by name, and all that was printed."""
    done = flowgen(program, "compare", scratch.write("before", text(before)), scratch.write("after", text(after)), *more)
    rows = [ROW.match(line) for line in done.stdout.splitlines()]
    return {row["name"]: row.groupdict() for row in rows if row}, done


def table(tap, program, scratch):
    traffic = scratch.write("traffic", HOSTS + "group q kind=query senders=a,b receivers=c flows=40 lo=1 hi=300k\n")
    done = flowgen(program, "--traffic", traffic, "--flows", scratch.path("flows"))
    rows = read_rows(scratch.path("flows"))
    short = sorted(int(row["fct_ns"]) for row in rows if int(row["size_bytes"]) <= 100000)
    lines = {line[:16].strip(): line[16:].split() for line in done.stdout.splitlines()}
    want = [str(len(short)), "0", *(f"{value / 1e3:.0f}" for value in (sum(short) / len(short), short[-(-len(short) // 2) - 1], short[-(-99 * len(short) // 100) - 1]))]
    tap.ok("table: the short flows of a run, without a rate no slowdown", done.returncode == 0 and lines.get("up to 100 kB") == want, (want, done.stdout))
    tap.ok("table: all flows", lines.get("all", [None])[:2] == ["40", "0"] and "10 MB and more" not in lines, done.stdout)

    traffic = scratch.write("traffic", HOSTS + "group l kind=poisson senders=a receivers=c cdf=x.cdf rate=1gbit load=10% until=20ms\n")
    scratch.write("x.cdf", "1000 0\n1000 1\n")
    done = flowgen(program, "--traffic", traffic, "--flows", "-")
    row = next(line for line in done.stderr.splitlines() if line.startswith("all")).split()
    flows = done.stdout.splitlines()
    tap.ok("table: on standard error if the flows go to standard output", flows[0] + "\n" == HEAD and int(row[1]) == len(flows) - 1 > 1, done)
    ideal = 2 * min(int(flow.split(",")[11]) for flow in flows[1:]) * 1000 + (1000 + 90) * 8
    slow = sorted(int(flow.split(",")[6]) / ideal for flow in flows[1:])
    tap.ok("table: slowdown is relative to two round trips and the frame",
           row[6:] == [f"{slow[-(-percent * len(slow) // 100) - 1]:.2f}" for percent in (50, 99)], (row, ideal, slow))

    done = flowgen(program, "--to", "127.0.0.1:1", "--group", "q kind=query flows=2 lo=1 hi=9", "--summary", scratch.path("totals"))
    tap.ok("table: flows that failed, and status 3", done.returncode == 3 and "all                      0         2" in done.stdout
           and read_json(scratch.path("totals"))["failed"] == 2, done)


def names(tap, program, scratch):
    """Hosts by name on the command line; a file has addresses only."""
    group = ("--group", "q kind=query flows=2 lo=1 hi=9", "--dry-run")
    tap.ok("a host by its name", flowgen(program, "--to", "localhost:5000", *group).returncode == 0)
    done = flowgen(program, "--traffic", scratch.write("traffic", "host a addr=localhost\n"), "--dry-run")
    tap.ok("not in a file", done.returncode == 2 and "is not a numeric" in done.stderr, done)
    done = flowgen(program, "--to", "127.0.0.1:5000", "--group", "l kind=poisson cdf=nosuch rate=1gbit load=0.5 until=1s", "--dry-run")
    tap.ok("a workload by its name is an installed file", done.returncode == 2 and "/share/sharpramp/workloads/nosuch.cdf: No such" in done.stderr, done)


def ratios(tap, program, scratch):
    some = [(number, 1000, 1000000 + number) for number in range(200)]
    rows, done = compared(program, scratch, some, [(number, size, ns // 2) for number, size, ns in some])
    row = rows.get("up to 100 kB", {})
    tap.ok("half the time: 0.500, exactly", done.returncode == 0 and [row.get(key) for key in ("before", "after", "mean", "mean_low", "mean_high", "p99")]
           == ["200", "200", "0.500", "0.500", "0.500", "0.500"] and "one by one" in done.stdout, done.stdout)
    tap.ok("and likewise for all flows, and no other class", set(rows) == {"up to 100 kB", "all"}, done.stdout)
    again = compared(program, scratch, some, [(number, size, ns // 2) for number, size, ns in some])[1]
    tap.ok("the same files have the same intervals", again.stdout == done.stdout)
    classes = [(number, size, 5) for number, size in enumerate((100000, 100001, 9999999, 10000000, 0))]
    rows, done = compared(program, scratch, classes, classes)
    tap.ok("classes, without the endless flow", [rows[name]["before"] for name in rows] == ["1", "2", "1", "4"], done.stdout)
    tap.ok("fewer than ten flows have no interval", all(row["low"] is None for row in rows.values()), done.stdout)
    rows, done = compared(program, scratch, some, [(number, size, None if number % 2 else ns) for number, size, ns in some])
    tap.ok("flows that did not end are counted and not compared", rows["all"]["after"] == "100" and rows["all"]["mean"] == "1.000"
           and "did not end: 0 before, 100 after" in done.stdout, done.stdout)
    rows, done = compared(program, scratch, some, some[:150])
    tap.ok("different flows are not paired", "different flows" in done.stdout, done.stdout)


def coverage(tap, program, scratch):
    """Exponential times, 1.5 times as long after: the interval of the mean has that in 95 % of 120 pairs of files."""
    draw = random.Random(7)
    for paired in (False, True):
        inside = wide = 0
        for _ in range(120):
            base = [draw.expovariate(1) * 1e6 + 1 for _ in range(300)]
            after = [1.5 * (value if paired else draw.expovariate(1) * 1e6) * draw.uniform(0.8, 1.2) + 1 for value in base]
            flows = [(number, 1000, int(value)) for number, value in enumerate(base)]
            row = compared(program, scratch, flows, [(number + (not paired), 1000, int(value)) for number, value in enumerate(after)])[0]["all"]
            inside += float(row["mean_low"]) <= 1.5 <= float(row["mean_high"])
            wide += float(row["mean_high"]) - float(row["mean_low"])
        tap.ok(f"intervals have the true ratio in about 95 % of {'paired' if paired else 'separate'} files", 106 <= inside <= 119, f"{inside} of 120")
        tap.ok("and are as narrow as the flows allow", wide / 120 < (0.1 if paired else 0.6), f"{wide / 120:.3f}")


def page(tap, program, scratch):
    draw = random.Random(3)
    flows = [(number, 1000, draw.randrange(1000, 10**7)) for number in range(500)]
    path = scratch.path("page.html")
    done = compared(program, scratch, flows, flows, "--page", path)[1]
    with open(path, encoding="utf-8") as file:
        html = file.read()
    tap.ok("page: the table, and a figure of the short and of all flows", done.returncode == 0 and html.count("<svg") == 2
           and "<td>1.000 (1.000 to 1.000)</td>" in html, done)
    tap.ok("page: names of files are text", "&lt;b>" in page_of(program, scratch, flows, "<b>"))
    env = {**os.environ, "PATH": scratch.path("none")}
    done = subprocess.run([os.path.abspath(program), "compare", scratch.path("before"), scratch.path("after"), "--page", scratch.path("other.html")],
                          env=env, capture_output=True, text=True, check=False)
    tap.ok("page: without gnuplot the table, and which package helps", done.returncode == 1 and "gnuplot-nox" in done.stderr
           and "all" in done.stdout and not os.path.exists(scratch.path("other.html")), done)


def page_of(program, scratch, flows, name):
    path = scratch.write(name, text(flows))
    flowgen(program, "compare", path, path, "--page", scratch.path("named.html"))
    with open(scratch.path("named.html"), encoding="utf-8") as file:
        return file.read()


def refusals(tap, program, scratch):
    good, one = scratch.write("good", text([(0, 1, 1)])), HEAD + "0,g,a,b,1,0,1,new,,,,,1,0,done\n"
    files = (("", "no flow in the file"), (HEAD, "no flow in the file"), ("id,size_bytes,end\n", ":1: there is no column 'fct_ns'"),
             (one.replace("b,1,", "b,x,"), ":2: size_bytes: 'x' is not a whole number"), (one.replace("b,1,", "b,-1,"), ":2: size_bytes: '-1'"),
             (one.replace("0,1,new", "0,,new"), ":2: fct_ns: ''"), (HEAD + "0,g,a\n", ":2: the line has 3 fields"),
             ("\ufeff" + one, None), (one.replace("\n", "\r\n"), None))
    for wrong, message in files:
        done = flowgen(program, "compare", good, scratch.write("wrong", wrong))
        passed = message and done.returncode == 2 and not done.stdout and message in done.stderr or message is None and done.returncode == 0
        tap.ok(f"compare: {message or 'a file of an editor'}", passed, done)
    for args, message in (((), "BEFORE is missing"), ((good,), "AFTER is missing"), ((good, good, good), "is a third file"), ((good, "/nosuch"), "/nosuch: No such"),
                          ((good, good, "--page"), "--page: FILE is missing"), ((good, good, "--page="), "--page: the value is empty"),
                          ((good, good, "--seed"), "there is no option '--seed'"), (("-", "-"), "only one file can be standard input"),
                          ((good, good, "--page", "-"), "--page: a file, and not standard output")):
        done = flowgen(program, "compare", *args)
        tap.ok(f"compare: {message}", done.returncode == 2 and message in done.stderr and not done.stdout, done)
    done = flowgen(program, "compare", good, good, "--page", "/nosuch/page")
    tap.ok("compare: a page that cannot be written", done.returncode == 1 and "/nosuch/page: No such" in done.stderr, done)


def main():
    checked, fast = sys.argv[1:]
    tap, scratch = Tap(), Scratch()
    private_network()
    table(tap, checked, scratch)
    names(tap, checked, scratch)
    ratios(tap, checked, scratch)
    coverage(tap, fast, scratch)
    page(tap, checked, scratch)
    refusals(tap, checked, scratch)
    tap.end()


main()
