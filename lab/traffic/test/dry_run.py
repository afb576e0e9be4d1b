#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The flows that flowgen draws, against what they should be: dry_run.py FLOWGEN FOLDER-OF-CDFS.

The statistics are of fixed seeds: they hold or they do not, whatever the machine.
"""

import math
import os
import sys

from common import HOSTS, Scratch, Tap, flowgen, rows

S = 10**9


def dry_run(program, scratch, text, *args):
    run = flowgen(program, "--dry-run", "--traffic", scratch.write("traffic", HOSTS + text + "\n"), *args)
    assert run.returncode == 0, run.stderr
    flows = rows(run.stdout)
    for flow in flows:
        for name in ("id", "size_bytes", "start_ns", "query"):
            flow[name] = int(flow[name])
    return flows


def cdf_mean(path):
    points = [tuple(map(float, line.split())) for line in open(path, encoding="ascii") if not line.startswith("#")]
    return sum((b[1] - a[1]) * (a[0] + b[0]) / 2 for a, b in zip(points, points[1:]))


def exponential(tap, what, gaps, mean):
    """Kolmogorov and Smirnov's distance from the exponential; 1.95 / sqrt(n) is passed once in a thousand seeds."""
    gaps = sorted(gaps)
    n = len(gaps)
    distance = max(max(abs(1 - math.exp(-gap / mean) - i / n), abs(1 - math.exp(-gap / mean) - (i + 1) / n))
                   for i, gap in enumerate(gaps))
    tap.ok(f"{what}: gaps are exponential", distance < 1.95 / math.sqrt(n), f"distance {distance:.5f} of {n}")


def poisson(tap, program, scratch, folder, name, load, until_s):
    rate = 10 * S
    mean = cdf_mean(os.path.join(folder, f"{name}.cdf"))
    flows = dry_run(program, scratch, f"group g kind=poisson senders=a,b,c receivers=d cdf={folder}/{name}.cdf "
                 f"rate=10gbit load={load} from=1s until={until_s + 1}s")
    what = f"{name} at {load}"
    gap = mean * 8 * S / (rate * load)
    expect = until_s * S / gap
    tap.ok(f"{what}: number of flows", abs(len(flows) - expect) < 4 * math.sqrt(expect), f"{len(flows)}, not {expect:.0f}")
    sizes = [flow["size_bytes"] for flow in flows]
    offered = sum(sizes) * 8 / until_s / rate
    # A compound Poisson sum varies by the sizes' second moment.
    error = math.sqrt(sum(size * size for size in sizes)) * 8 / until_s / rate
    tap.ok(f"{what}: offered load", abs(offered - load) < 4 * error, f"{offered:.4f} +- {error:.4f}")
    starts = [flow["start_ns"] for flow in flows]
    tap.ok(f"{what}: starts lie in the window", 1 * S <= starts[0] and starts[-1] < (until_s + 1) * S)
    tap.ok(f"{what}: ids are in the order of the starts", starts == sorted(starts)
           and [flow["id"] for flow in flows] == list(range(len(flows))))
    exponential(tap, what, [b - a for a, b in zip([1 * S] + starts, starts)], gap)
    for host in "abc":
        share = sum(flow["sender"] == host for flow in flows) / len(flows)
        tap.ok(f"{what}: a third comes from {host}", abs(share - 1 / 3) < 4 * math.sqrt(2 / 9 / len(flows)), share)


def independence(tap, program, scratch, folder):
    """Changes that may shift a group's flows, and changes that may not."""
    base = (f"group g kind=poisson senders=a,b,c receivers=d cdf={folder}/websearch.cdf rate=10gbit load=0.5 until=1s")
    other = base.replace("group g", "group h")
    query = "group q kind=query senders=all receivers=d flows=50 lo=3k hi=60k at=500ms jitter=1ms"
    here = [{k: v for k, v in flow.items() if k != "id"} for flow in dry_run(program, scratch, base)]

    def group(text, *args):
        return [{k: v for k, v in flow.items() if k != "id"} for flow in dry_run(program, scratch, text, *args)
                if flow["group"] == "g"]

    tap.ok("the same seed draws the same flows", group(base) == here)
    tap.ok("another seed draws others", group(base, "--seed", "2") != here)
    tap.ok("seed 1 is the default", group(base, "--seed", "1") == here)
    tap.ok("a group before it does not shift a group", group(f"{query}\n{other}\n{base}") == here)
    tap.ok("nor does one after it", group(f"{base}\n{query}\n{other}") == here)
    tap.ok("nor do transport, connections and codepoint", group(base + " cc=dctcp conn=pool dscp=8 demote=9k:2 delack=off") == here)
    tap.ok("groups of equal keys and other names differ", [flow["size_bytes"] for flow in dry_run(program, scratch, other)]
           != [flow["size_bytes"] for flow in here])
    more = group(base.replace("load=0.5", "load=0.9"))
    tap.ok("another load keeps the sizes", [f["size_bytes"] for f in more][:len(here)] == [f["size_bytes"] for f in here])
    tap.ok("and the senders", [f["sender"] for f in more][:len(here)] == [f["sender"] for f in here])
    tap.ok("and scales the arrivals", all(abs(b["start_ns"] * 9 - a["start_ns"] * 5) <= 9 for a, b in zip(here, more)))
    longer = group(base.replace("until=1s", "until=2s"))
    tap.ok("a longer run begins as a shorter one", longer[:len(here)] == here and len(longer) > len(here))


def largest(tap, program, scratch, folder):
    """largest= cuts the sizes and keeps the load."""
    text = f"group g kind=poisson senders=a,b,c receivers=d cdf={folder}/datamining.cdf rate=10gbit load=0.8 until=20s"
    whole = [flow["size_bytes"] for flow in dry_run(program, scratch, text)]
    flows = dry_run(program, scratch, text + " largest=30m")
    sizes = [flow["size_bytes"] for flow in flows]
    tap.ok("largest: there are larger flows without it", max(whole) > 300_000_000, max(whole))
    tap.ok("largest: none with it, some of exactly that", max(sizes) == 30_000_000 and sizes.count(30_000_000) > 10, max(sizes))
    # Probabilities have nine decimals: in the segment that is cut, a size moves by less than 1 / 10^6 of it.
    tap.ok("largest: smaller ones stay what they are",
           all(abs(size - min(old, 30_000_000)) <= 30 for old, size in zip(whole, sizes)), list(zip(whole, sizes))[:5])
    offered = sum(sizes) * 8 / 20 / (10 * S)
    error = math.sqrt(sum(size * size for size in sizes)) * 8 / 20 / (10 * S)
    tap.ok("largest: the load is that of the cut sizes", abs(offered - 0.8) < 4 * error < 0.2, f"{offered:.4f} +- {error:.4f}")
    tap.ok("largest: above all sizes it changes nothing", dry_run(program, scratch, text + " largest=1g") == dry_run(program, scratch, text))
    scratch.write("steps.cdf", "500 0.25\n700 1\n")
    steps = "group g kind=poisson senders=a receivers=d cdf=steps.cdf rate=1gbit load=0.5 until=10ms"
    for limit in (700, 600, 500, 7):
        drawn = {flow["size_bytes"] for flow in dry_run(program, scratch, f"{steps} largest={limit}")}
        tap.ok(f"largest: {limit} of sizes from 500 to 700", max(drawn) == limit and min(drawn) == min(limit, 500), drawn)


def closed(tap, program, scratch):
    text = "group c kind=closed senders=a,b,c receivers=d count=50 from=1ms until=1s lo=4k hi=64k "
    few, many = (dry_run(program, scratch, f"{text}depth={depth}") for depth in (1, 8))
    tap.ok("closed: each worker's requests are drawn, and all that may be", len(few) == 50 and len(many) == 400
           and all(sum(f["query"] == worker for f in many) == 50 for worker in range(8)))
    tap.ok("closed: round by round, from the workers' start", [f["query"] for f in many] == 50 * list(range(8))
           and {f["start_ns"] for f in many} == {1_000_000})
    tap.ok("closed: sizes lie between lo and hi", min(f["size_bytes"] for f in many) >= 4000 and max(f["size_bytes"] for f in many) <= 64000
           and len({f["size_bytes"] for f in many}) > 300)
    tap.ok("closed: workers take senders in turns, and keep them", [f["sender"] for f in many] == 50 * list("abcabcab"))


def query(tap, program, scratch):
    flows = dry_run(program, scratch, "group q kind=query senders=all receivers=d flows=10 lo=3k hi=60k at=100ms "
                 "period=10ms count=300 jitter=20us")
    tap.ok("query: flows in each of the queries", all(sum(f["query"] == n for f in flows) == 10 for n in range(300))
           and len(flows) == 3000)
    late = [f["start_ns"] - 100_000_000 - f["query"] * 10_000_000 for f in flows]
    tap.ok("query: jitter from 0 to its most", 0 <= min(late) < 100 and 19_900 < max(late) <= 20_000, (min(late), max(late)))
    sizes = [f["size_bytes"] for f in flows]
    tap.ok("query: sizes from lo to hi", 3000 <= min(sizes) < 3200 and 59800 < max(sizes) <= 60000, (min(sizes), max(sizes)))
    tap.ok("query: their mean", abs(sum(sizes) / len(sizes) - 31500) < 4 * 57000 / math.sqrt(12 * 3000))
    tap.ok("query: senders take turns, never the receiver", all(sum(f["sender"] == h for f in flows) == 1000 for h in "abc"))
    even = dry_run(program, scratch, "group q kind=query senders=a,b receivers=c,d flows=2 lo=5 hi=5 count=400 period=1us")
    tap.ok("query: one receiver for each", all(even[i]["receiver"] == even[i + 1]["receiver"] for i in range(0, 800, 2)))
    share = sum(f["receiver"] == "c" for f in even) / 800
    tap.ok("query: drawn uniformly", abs(share - 0.5) < 0.1, share)
    tap.ok("query: lo = hi is that size", {f["size_bytes"] for f in even} == {5})


def requests(tap, program, scratch):
    """Queries that come at random and ask senders drawn anew, as an application's requests do."""
    text = "group q kind=query senders=all receivers=all flows=3 lo=2k hi=2k at=1s period=100us until=3s"
    flows = dry_run(program, scratch, text + " spacing=poisson pick=random")
    starts = {flow["query"]: flow["start_ns"] for flow in flows}
    n = len(starts)
    tap.ok("requests: their number", abs(n - 20000) < 4 * math.sqrt(20000), n)
    tap.ok("requests: all flows of one start together, at their receiver", len(flows) == 3 * n ==
           3 * len({(f["query"], f["start_ns"], f["receiver"]) for f in flows}))
    tap.ok("requests: they lie in the window", 1 * S <= min(starts.values()) and max(starts.values()) < 3 * S)
    ordered = sorted(starts.values())
    exponential(tap, "requests", [b - a for a, b in zip([1 * S] + ordered, ordered)], 100_000)
    tap.ok("requests: a fan-in of three asks all three others", all(
        len({f["sender"] for f in flows[i:i + 3]} | {flows[i]["receiver"]}) == 4 for i in range(0, len(flows), 3)))
    share = [sum(f["receiver"] == host for f in flows) / len(flows) for host in "abcd"]
    tap.ok("requests: receivers are drawn uniformly", all(abs(x - 0.25) < 4 * math.sqrt(3 / 16 / n) for x in share), share)
    few = dry_run(program, scratch, text.replace("flows=3", "flows=2") + " pick=random")
    tap.ok("requests: fixed ones follow by the period until the end", len(few) == 2 * 20000 and
           [f["start_ns"] for f in few[::2]] == list(range(1 * S, 3 * S, 100_000)))
    pair_counts = {}
    for one, other in zip(few[::2], few[1::2]):
        key = one["receiver"], one["sender"], other["sender"]
        pair_counts[key] = pair_counts.get(key, 0) + 1
    tap.ok("requests: two distinct senders, every ordered pair of them as often", len(pair_counts) == 24 and
           all(len(set(key)) == 3 and abs(count - 20000 / 24) < 5 * math.sqrt(20000 / 24) for key, count in pair_counts.items()),
           pair_counts)
    many = dry_run(program, scratch, text.replace("flows=3", "flows=7") + " pick=random")
    tap.ok("requests: of more flows than senders none has two more than another", all(
        sorted(sum(f["sender"] == host for f in many[i:i + 7]) for host in "abcd")[1:] == [2, 2, 3] for i in range(0, len(many), 7)))
    first = dry_run(program, scratch, text + " spacing=poisson pick=random")
    again = dry_run(program, scratch, text.replace("flows=3", "flows=2") + " spacing=poisson pick=random")
    tap.ok("requests: the same seed draws the same ones", first == flows)
    tap.ok("requests: another fan-in keeps their times and receivers", [(f["start_ns"], f["receiver"]) for f in again[::2]]
           == [(f["start_ns"], f["receiver"]) for f in flows[::3]])


def pairs(tap, program, scratch, folder):
    flows = dry_run(program, scratch, f"group g kind=poisson senders=all receivers=all cdf={folder}/websearch.cdf "
                 "rate=10gbit load=0.9 until=20s")
    count = {}
    for flow in flows:
        count[flow["sender"], flow["receiver"]] = count.get((flow["sender"], flow["receiver"]), 0) + 1
    tap.ok("all to all: every pair but a host with itself", len(count) == 12 and all(a != b for a, b in count))
    expect = len(flows) / 12
    chi2 = sum((n - expect) ** 2 / expect for n in count.values())
    tap.ok("all to all: pairs are uniform", chi2 < 31.3, f"chi-square {chi2:.1f}, 11 degrees of freedom")


def long(tap, program, scratch):
    flows = dry_run(program, scratch, "group l kind=long senders=a,b receivers=c,d flows=4 from=1ms until=2ms")
    tap.ok("long: senders and receivers take turns", [(f["sender"], f["receiver"]) for f in flows]
           == [("a", "c"), ("b", "d"), ("a", "c"), ("b", "d")])
    tap.ok("long: endless is size 0", {f["size_bytes"] for f in flows} == {0} and {f["start_ns"] for f in flows} == {10**6})


def main():
    program, folder = sys.argv[1], os.path.abspath(sys.argv[2])
    tap, scratch = Tap(), Scratch()
    poisson(tap, program, scratch, folder, "websearch", 0.7, 20)
    poisson(tap, program, scratch, folder, "datamining", 0.9, 100)
    poisson(tap, program, scratch, folder, "googlerpc", 0.3, 1)
    independence(tap, program, scratch, folder)
    largest(tap, program, scratch, folder)
    closed(tap, program, scratch)
    query(tap, program, scratch)
    requests(tap, program, scratch)
    pairs(tap, program, scratch, folder)
    long(tap, program, scratch)
    tap.end()


main()
