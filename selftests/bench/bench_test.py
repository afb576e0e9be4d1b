#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The benchmark without the benchmark: order, statistics, reading, refusing, the committed page, as TAP.

Medians and intervals are held against definitions (how often an interval misses the median, counted over coin
tosses) and not against the code's own formulas.
"""

import itertools
import json
import os
import random
import statistics
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../lib")]

# pylint: disable=wrong-import-position
import clocks
import flows
import flows_read
import guests
import page
import plan
import profile_functions
import stats
import tcp_rounds
from tap import Tap


EVERYTHING = [case.name for case in flows.CASES] + list(flows.OTHERS)


def refused(function, *args):
    """The message with which a call is refused, "" if it is not."""
    try:
        function(*args)
    except (guests.BenchFailed, ValueError) as why:
        return str(why)
    return ""


def misses(n):
    """The share of all 2^n outcomes of fair coins in which the interval of n values does not hold the median.

    Heads is a value below the median. The interval misses it if fewer values than its lower rank + 1 lie below,
    or fewer than that above.
    """
    low, high = stats.ranks(n)
    bad = sum(1 for coins in itertools.product((0, 1), repeat=n) if not low + 1 <= sum(coins) <= high)
    return bad / 2 ** n, low, high


def statistics_hold(tap):
    for n in (6, 9, 15):
        share, low, high = misses(n)
        tap.ok(f"{n} values: the interval misses the median in at most 5 %", share <= 0.05, share)
        tap.ok(f"{n} values: ranks are symmetrical", low + high == n - 1 and low < high, (low, high))
        narrower = sum(1 for coins in itertools.product((0, 1), repeat=n) if not low + 2 <= sum(coins) <= high - 1) / 2 ** n
        tap.ok(f"{n} values: the next narrower one would miss it more often", narrower > 0.05, narrower)
    for n in (5, 1, 0):
        tap.ok(f"{n} values have no interval", "takes 6" in refused(stats.ranks, n))
    chance = random.Random(7)
    lists = [[chance.choice((1, 2, 3.5, 10)) for _ in range(n)] for n in range(1, 40)]
    tap.ok("medians are those of the standard library", all(stats.median(x) == statistics.median(x) for x in lists))
    held = sum(1 for _ in range(2000) if (lambda i: i[1] <= 1 <= i[2])(
        stats.interval([chance.lognormvariate(0, 1) for _ in range(15)])))
    tap.ok("of 2000 samples of a skewed distribution the interval holds the median in 93 to 99 %", 1860 <= held <= 1980, held)
    tap.ok("ratios are made round by round", stats.ratios([2, 9], [1, 3]) == [2, 3])
    tap.ok("ratios of different numbers of rounds are refused", "2 rounds, not 1" in refused(stats.ratios, [1, 2], [1]))


def order_is_fair(tap):
    names = [case.name for case in plan.CASES]
    made = plan.measurements(30, 4, 1, names)
    tap.ok("the same seed gives the same order", [m.line() for m in made] == [m.line() for m in plan.measurements(30, 4, 1, names)])
    tap.ok("another seed another", [m.qdisc for m in made] != [m.qdisc for m in plan.measurements(30, 4, 2, names)])
    groups = [[m.qdisc for m in made if m.round == number and m.case == case] for number in range(30) for case in plan.CASES]
    tap.ok("every round has every qdisc of a case once",
           all(sorted(group) == sorted(case.qdiscs) for group, case in zip(groups, plan.CASES * 30)))
    firsts = {group[0] for group in groups[::len(plan.CASES)]}
    tap.ok("each qdisc is first in some round", firsts == set(plan.CASES[0].qdiscs), firsts)
    tap.ok("keys are unique", len({m.key for m in made}) == len(made))
    limits = [arguments for kinds in plan.ARGS.values() for arguments in kinds.values() if " limit " in arguments and arguments.split()[0] not in ("red", "cp")]
    tap.ok("a full queue is one packet below the limits", all(f"limit {plan.DEPTH + 1}" in arguments for arguments in limits), limits)


def output_for(made, ns=lambda item: 100, marks=lambda item: item.laps * 1024 * item.case.marks, drops=0, kind=None):
    """Made-up output of a guest."""
    lines = []
    for item in made:
        lines.append(f"took {item.key} 1024 " + " ".join([str(1024 * ns(item))] * item.laps))
        lines.append(f"stats {item.key} " + json.dumps([{"kind": "mq"}, {"kind": kind or plan.kind_of(item.qdisc), "drops": drops,
                                                                          "ecn_mark": marks(item)}]))
    return "\n".join(lines)


def reading_is_strict(tap):
    made = plan.measurements(6, 4, 1, ["full", "marking"])
    good = output_for(made)
    found = guests.read(made, good)
    tap.ok("times are read per packet", found["full"]["codel"] == [100.0] * 6, found["full"]["codel"])
    spiked = guests.read(made[:1], good.replace(f"took {made[0].key} 1024 102400", f"took {made[0].key} 1024 9999999", 1))
    tap.ok("one lap that was interrupted does not count", list(spiked["full"].values()) == [[100.0]], spiked)
    for what, text, why in (
            ("a measurement that is missing", "\n".join(good.splitlines()[2:]), "round 1 is missing"),
            ("a lap that is missing", good.replace(" 102400\n", "\n", 1), "3 laps, not 4"),
            ("a clock that stood still", good.replace(" 102400\n", " 0\n", 1), "times of 4 laps"),
            ("drops", output_for(made, drops=3), "3 packets were dropped"),
            ("marks where there should be none", output_for(made, marks=lambda item: 4096), "were marked"),
            ("no marks where there should be", output_for(made, marks=lambda item: 0), "0 of 4096 packets were marked"),
            ("another qdisc", output_for(made, kind="fq"), "tc shows mq, fq"),
            ("what is not JSON", good.replace('"kind"', "kind", 1), "does not print JSON"),
            ("what the guest complains of", good + "\nfailed m3: pktgen", "m3: pktgen")):
        message = refused(guests.read, made, text)
        tap.ok(f"refuses {what}", why in message, message or "it was accepted")


def tcp_document(item):
    """Counters of tc and the acker for packets of 60,000 bytes, or of as many as come of segments."""
    sent = flows.tcp_bytes(item)
    acker = {"packets": 0, "entries": 0}
    if item.arguments.startswith("acker"):
        packets = sent // (60000 if item.kind == "whole" else 1448)
        acker = {"packets": packets, "entries": packets // 10}
    return {"qdisc": [{"kind": item.arguments.split()[1], "drops": 0, "records": sent // 60000, "samples": acker["entries"]}], "acker": acker}


def records_of(item):
    """All that is to be remembered with certainty, and what is acked; where all are, all of it."""
    least = flows_read.picked(item, [0])[0] if item.group == "case" else 0
    sent = item.laps * item.packets
    return (sent if item.variant == "remember 0" else min(least, sent) or 1) + 2 * item.laps


def flow_output(made, ns=lambda item: 100, change=lambda item, document: document):
    """Made-up output of flows."""
    lines = []
    for item in made:
        document = [{"kind": "mq"}, {"kind": item.arguments.split()[0], "drops": 0, "records": records_of(item), "samples": 2 * item.laps,
                                     "holds": 2 * item.laps if item.shape.peer == "held" else 0}]
        if item.group == "receive":
            acked = {"no acker": 0, "no OR-ACK": 4, "OR-ACK for each": item.laps * item.packets, "usual": item.laps * item.packets}[item.variant]
            document = [{"packets": 7, "entries": 7}, {"packets": 7 + (0 if item.variant == "no acker" else item.laps * item.packets), "entries": 7 + acked}]
        if item.group == "acks":
            # One datagram with one entry for each burst, in addition to earlier counts.
            document = [{"packets": x * item.packets, "entries": x, "entries_first": x, "datagrams": x} for x in (7, 7 + item.laps)]
        if item.kind == "rxhook":
            came, acked = {"nobody": (0, 0), "no OR-ACK": (1024, 1), "usual": (1024, 100)}[item.variant]
            document = [{"packets": came * laps, "entries": acked * laps} for laps in (7, 7 + item.laps)]
        if item.group == "tcp":
            document = tcp_document(item)
        if item.group == "memory":
            lines.append(f"memory {item.key} {item.flows * ns(item)}")
        else:
            pairs = f"{item.packets * ns(item)} {0 if item.kind == 'open' else item.packets * 10}"
            # The first lap warms up: what it takes does not count.
            first = "1 1"
            if item.group == "tcp":
                sent = item.packets * item.flows * tcp_rounds.BYTES
                first = pairs = f"{sent * ns(item)} {sent * 10} {sent}"
            lines.append(f"took {item.key} {first} " + " ".join([pairs] * (item.laps - 1)))
        lines.append(f"stats {item.key} " + json.dumps(change(item, document)))
    return "\n".join(lines)


def flows_are_read(tap):
    made = flows.in_instructions(EVERYTHING)
    keys = [item.key for item in made]
    tap.ok("flows: keys are unique", len(set(keys)) == len(keys))
    tap.ok("flows: everything is requested", {item.group for item in made} == {"case", *flows.OTHERS})
    found = flows_read.read(made, flow_output(made))
    tap.ok("flows: come and leave, by packet, without the first lap", found["case"]["1 flow"]["fq"] == [[100.0, 10.0]], found["case"])
    tap.ok("flows: a hook without the loop around it", found["hook"]["hook"]["hold"] == [90.0], found["hook"])
    tap.ok("flows: a hook of each way", found["hook"]["hook of Rx"]["usual"] == [90.0], found["hook"])
    by_mib = [[number * flows.MIB] * flows.TCP_LAPS for number in (100.0, 10.0)]
    tap.ok("flows: TCP by MiB, each lap", found["tcp"]["whole"]["hold, acker"] == [by_mib], found["tcp"])
    tap.ok("flows: frames of OR-ACKs by bytes of data", found["acks"]["single packets"]["acker"] == [100 * 78 / 1448], found["acks"])
    tap.ok("flows: memory by flow", found["memory"]["memory"]["hold"] == [100.0], found["memory"])
    made = flows.in_time(6, 1, ["1 flow", "new flows"])
    tap.ok("flows: the same seed gives the same order", made == flows.in_time(6, 1, ["1 flow", "new flows"]))
    tap.ok("flows: another seed another", made != flows.in_time(6, 2, ["1 flow", "new flows"]))
    times = {case.name: case.times for case in flows.CASES}
    groups = [[item.variant for item in made[at:at + len(flows.QDISCS)]] for at in range(0, len(made), len(flows.QDISCS))]
    tap.ok("flows: a round has a case as often as it says", len(groups) == 6 * (times["1 flow"] + times["new flows"]), len(groups))
    tap.ok("flows: every qdisc of a case has its turn once before any has another", all(sorted(group) == sorted(flows.QDISCS) for group in groups))
    good = flow_output(made)

    def without(name, value):
        return lambda item, document: [*document[:1], {**document[1], name: value}]

    for what, text, why in (
            ("a measurement that is missing", "\n".join(good.splitlines()[2:]), "round 1 is missing"),
            ("a lap that is missing", good.replace(" 102400 10240\n", "\n", 1), "laps, not"),
            ("drops", flow_output(made, change=without("drops", 2)), "2 packets were dropped"),
            ("a hold that records nothing", flow_output(made, change=without("records", 0)), "packets were recorded"),
            ("a hold that records more than was sent", flow_output(made, change=without("records", 99999)), "packets were recorded"),
            ("a path that nobody acks", flow_output(made, change=without("samples", 1)), "1 OR-ACKs in"),
            ("a path that is unacked at times", flow_output(made, change=without("unacked", 1)), "unacked 1"),
            ("a clock that is not accepted", flow_output(made, change=without("no_clock", 1)), "no_clock 1"),
            ("packets that are held", flow_output(made, change=without("holds", 1)), "holds 1"),
            ("another qdisc", flow_output(made, change=without("kind", "codel")), "tc shows mq, codel"),
            ("what is not JSON", good.replace('"kind"', "kind", 1), "is not JSON"),
            ("what the guest complains of", good + "\nfailed f3: benchflow", "f3: benchflow")):
        message = refused(flows_read.read, made, text)
        tap.ok(f"flows: refuses {what}", why in message, message or "it was accepted")
    first = [item for item in made if item.name == "1 flow" and item.variant == "hold"][0]
    one = flow_output(made, change=lambda item, document: [*document[:1], {**document[1], "unacked": 1}] if item is first else document)
    found = flows_read.read(made, one)["case"]["1 flow"]
    turns = 6 * times["1 flow"] - 1
    tap.ok("flows: a turn in which the host stood still is left out, of all qdiscs", {variant: len(series) for variant, series in found.items()}
           == dict.fromkeys(flows.QDISCS, turns), found)
    made = flows.in_instructions(["receive"])
    for variant, entries in (("no acker", 1), ("no OR-ACK", 0), ("OR-ACK for each", 5), ("usual", 60)):
        text = flow_output(made, change=lambda item, document, variant=variant, entries=entries:
                           [{"packets": 0, "entries": 0}, {"packets": document[1]["packets"] - 7, "entries": entries}] if item.variant == variant else document)
        message = refused(flows_read.read, made, text)
        tap.ok(f"flows: refuses an acker that does otherwise: {variant}", variant in message, message or "it was accepted")

    made = flows.in_instructions(["acks"])
    for name, value in (("packets", 3), ("entries_first", 0)):
        message = refused(flows_read.read, made, flow_output(made, change=lambda item, document, name=name, value=value:
                                                     [{**document[0], name: 0}, {**document[1], name: value}]))
        tap.ok(f"flows: refuses bursts that are not acked: {name} {value}", "packets came" in message, message or "it was accepted")


def records_are_bounded(tap):
    """The packets that are remembered in each kind of case suffice to see that another rule is in force."""
    made = {item.name: item for item in flows.in_instructions([case.name for case in flows.CASES]) if item.variant == "hold"}
    for name, records, why in (
            ("64 KB", 3 * 1024 + 5, "3077 packets were recorded"),              # one of those that are large is missing
            ("1 flow, full-size", 260, "260 packets were recorded"),            # one of 271 on the grid, of each 16384 bytes of 3072 packets
            ("1 flow", 3 * 1024, "3072 packets were recorded"),                 # all, which is remember 0
            ("1,000 flows, full-size", 12000, "12000 packets were recorded"),
            ("another grid", 1000, "1000 packets were recorded")):              # the grid is still in force
        item = made[name]
        message = refused(flows_read.check, item, [0], [{"kind": "onramp", "records": records, "samples": 2 * item.laps}])
        tap.ok(f"flows: {name}: refuses {records} records", why in message, message or "it was accepted")
    message = refused(flows_read.check, made["another held"], [0], [{"kind": "onramp", "records": 9, "samples": 8, "holds": 1}])
    tap.ok("flows: refuses a lap in which nothing is held, where another is to be", "1 holds" in message, message or "it was accepted")


def rest_is_read(tap):
    """Hooks of Rx, and TCP."""
    made = [item for item in flows.in_instructions(["hook"]) if item.kind == "rxhook"]
    for variant, name, value in (("nobody", "packets", 1), ("usual", "packets", 1), ("no OR-ACK", "entries", 999), ("usual", "entries", 1)):
        message = refused(flows_read.read, made, flow_output(made, change=lambda item, document, variant=variant, name=name, value=value:
                                                     [document[0], {**document[1], name: document[0][name] + value}] if item.variant == variant else document))
        tap.ok(f"flows: refuses a hook of Rx with other {name}: {variant}", variant in message and "packets" in message, message or "it was accepted")
    made = flows.in_instructions(["tcp"])
    tap.ok("flows: one group alone, whose kinds and qdiscs all have a turn", len(made) == len(flows.TCP) * len(flows.TRANSFERS), len(made))
    tap.ok("flows: TCP as it should be is taken", not refused(flows_read.read, made, flow_output(made)), refused(flows_read.read, made, flow_output(made)))
    for what, variant, part, changed, why in (
            ("another qdisc", "fq", "qdisc", {"kind": "pfifo"}, "tc shows pfifo"),
            ("drops", "off", "qdisc", {"drops": 1}, "1 packets were dropped"),
            ("packets that are not large", "hold, acker", "qdisc", {"records": 160000}, "160000 records"),
            ("packets without records", "hold, acker", "qdisc", {"records": 0}, "0 records"),
            ("OR-ACKs that do not come", "hold, acker", "qdisc", {"samples": 0}, "0 samples"),
            ("packets that are held", "hold, acker", "qdisc", {"holds": 1}, "holds 1"),
            ("an acker that sees nothing", "fq, acker", "acker", {"packets": 0}, "0 packets came"),
            ("an acker that sees packets of another size", "fq, acker", "acker", {"packets": 30000}, "30000 packets came"),
            ("an acker that acks nothing", "hold, acker", "acker", {"entries": 0}, "0 were acked"),
            ("an acker that soon sends no more", "fq, acker", "acker", {"entries": 99}, "99 were acked"),
            ("an acker that is not configured", "fq", "acker", {"packets": 1}, "1 packets came")):
        def change(item, document, variant=variant, part=part, changed=changed):
            if item.variant != variant:
                return document
            return {**document, part: [{**document[part][0], **changed}] if part == "qdisc" else {**document[part], **changed}}
        message = refused(flows_read.read, made, flow_output(made, change=change))
        tap.ok(f"flows: TCP: refuses {what}", variant in message and why in message, message or "it was accepted")


def functions_are_read(tap):
    """Places belong to the function that begins at or before them; a boot that ended early is refused."""
    made = profile_functions.measurements([profile_functions.CASE])

    def boot(item, thousands):
        one = round(flows.tcp_bytes(item) / flows.MIB * 1000)
        symbols = "symbol ffffffff81000000 T first\nsymbol ffffffffc0000010 t second\t[onramp]\nsymbol ffffffff81000020 D data\n"
        return f"\ntook {item.key} 1\n{symbols}" + f"\nplace ffffffff81000000 {one}\nplace ffffffff81000030 {one}" + \
            f"\nplace ffffffffc0000040 {thousands * one + 1}\n"
    output = "".join(boot(item, 5 if "acker" in item.variant else 0) for item in made)
    found = profile_functions.read(made, output)
    rounded = {name: page.rounded(variants["fq, acker"]) for name, variants in found.items()}
    tap.ok("functions: with their instructions of a MiB", rounded == {name: {"second [onramp]": 5} for name in profile_functions.NAMES}, rounded)
    missing = f"1 boots, not {len(made)}"
    for what, text, why in (("a boot that is missing", boot(made[0], 1), missing), ("no counts", output.replace("place ", "spot "), missing),
                            ("no symbols", output.replace("symbol", "name"), "no function"), ("no measurement", output.replace("took", "took x"), "is missing")):
        message = refused(profile_functions.read, made, text)
        tap.ok(f"functions: refuses {what}", why in message, message or "it was accepted")


def page_is_of_its_numbers(tap):
    """The committed page, too, and it has all that is measured today."""
    with open(os.path.join(guests.ROOT, "docs/results/bench.md"), encoding="utf-8") as file:
        committed = file.read()
    parts = page.known(os.path.join(guests.ROOT, "docs/results/bench.json"))
    page_text = page.markdown(parts)
    differ = [pair for pair in zip(committed.splitlines(), page_text.splitlines()) if pair[0] != pair[1]]
    tap.ok("docs/results/bench.md is what bench.json says", committed == page_text, differ[:1])
    wanted = {"ecnsharp": {case.name for case in plan.CASES}, "onramp": {case.name for case in flows.CASES},
              "clock": {case.name for case in clocks.CASES}}
    found = {"ecnsharp": set(parts["ecnsharp"]["stock"]), "onramp": set(parts["onramp"]["stock"]["case"]), "clock": set(parts["clock"]["stock"])}
    tap.ok("docs/results/bench.json has each case", found == wanted, found)
    others = set(parts["onramp"]["stock"]) - {"case"}
    qdiscs = {case.name: set(parts["onramp"]["lab"]["case"][case.name]) for case in flows.CASES}
    tap.ok("and of On-Ramp each qdisc and all else", others == set(flows.OTHERS) and "profile" in parts["onramp"] and qdiscs == {case.name: set(case.qdiscs) for case in flows.CASES},
           (others, qdiscs))


def clock_found(**others):
    """Made-up results of clocks, for the cases' names."""
    daemons = [{"host": host, "seconds": 30.0, "user_ms": 60.0 * host, "cpu_ms": 300.0 * host, "memory_kb": 5000, "state": "locked",
                "coordinator": 1, "probes": 6000, "pairs": 3000, "windows": 15, "solved": 15 if host == 1 else 0, "sent_bytes": 3000000}
               for host in (1, 2, 3)]
    fleet = {"hosts": 1000, "edges": 10000, "windows": 5, "steps": 144, "read_ms": 5.0, "solve_ms": 190.0, "tell_ms": 1.5,
             "tables_mb": 3.6, "resident_mb": 6.4, "reports_mbps": 6.25, "solutions_mbps": 0.65, "hellos_mbps": 0.38}
    for name, value in others.items():
        holder = fleet if name in fleet else daemons[1]
        holder[name] = value
    return {"daemons": daemons, "fleet": fleet}


def clock_output(made, found):
    """Made-up output of it."""
    return "\n".join(f"took {item.key} 1\nstats {item.key} {json.dumps(found[item.case.name])}" for item in made)


def clocks_are_read(tap):
    names = [case.name for case in clocks.CASES]
    made = clocks.measurements(names)
    tap.ok("clocks: the plan's lines", [item.line() for item in made] == ["c0 daemons 30", "c1 fleet 5"], made)
    tap.ok("clocks: one case alone", [item.case.name for item in clocks.measurements(["fleet", "full"])] == ["fleet"])
    found = clocks.read(made, clock_output(made, clock_found()))
    tap.ok("clocks: a thousandth of a CPU, and us a pair", clocks.of_host(found["daemons"][1]) == {"user": 4, "all": 20, "us_a_pair": 200},
           clocks.of_host(found["daemons"][1]))
    good = clock_output(made, clock_found())
    for what, text, why in (
            ("a measurement that is missing", good.splitlines()[1], "fleet is missing"),
            ("what is not JSON", good.replace('"host":', "host:", 1), "is not JSON"),
            ("a field that is missing", good.replace('"probes"', '"probe"'), "not what the guest finds: 'probes'"),
            ("a host that is missing", clock_output(made, {**clock_found(), "daemons": clock_found()["daemons"][:2]}), "2 of 3 hosts"),
            ("what the guest complains of", good + "\nfailed c0: not locked", "c0: not locked"),
            ("a host that lost its lock", clock_output(made, clock_found(state="holdover")), "host 2: holdover"),
            ("another coordinator", clock_output(made, clock_found(coordinator=2)), "its coordinator is 2"),
            ("two that solve", clock_output(made, clock_found(solved=15)), "15 solved"),
            ("too short a time", clock_output(made, clock_found(seconds=29.0)), "29.0 s, not 30"),
            ("a clock that stood still", clock_output(made, clock_found(cpu_ms=0.0)), "in 0.0 ms"),
            ("more than a CPU has", clock_output(made, clock_found(cpu_ms=30000.5)), "in 30000.5 ms"),
            ("more of user's than there was", clock_output(made, clock_found(user_ms=601.0)), "601.0 ms of user's"),
            ("nothing probed", clock_output(made, clock_found(probes=0)), "host 2: 0 probes"),
            ("no pair that came", clock_output(made, clock_found(pairs=0)), "0 pairs"),
            ("another fleet", clock_output(made, clock_found(hosts=100)), "fleet: 100 hosts"),
            ("a fleet that is not solved by steps", clock_output(made, clock_found(steps=0)), "'steps': 0"),
            ("a fleet that took no time", clock_output(made, clock_found(solve_ms=0.0)), "'solve_ms': 0.0")):
        message = refused(clocks.read, made, text)
        tap.ok(f"clocks: refuses {what}", why in message, message or "it was accepted")


def main():
    tap = Tap()
    statistics_hold(tap)
    order_is_fair(tap)
    reading_is_strict(tap)
    flows_are_read(tap)
    records_are_bounded(tap)
    rest_is_read(tap)
    functions_are_read(tap)
    clocks_are_read(tap)
    page_is_of_its_numbers(tap)
    tap.end()


if __name__ == "__main__":
    main()
