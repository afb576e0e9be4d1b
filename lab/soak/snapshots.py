# SPDX-License-Identifier: GPL-2.0
"""Snapshots that the guest's script churn wrote: memory, modules, and counters by what counts them.

A counter never falls as long as its counter lives: a qdisc until another takes its place, whose handle is another; a module's
until it goes.
"""

import json
import os
import re
from dataclasses import dataclass, field

# Gauges, in all reports; all else that is a whole number is a counter.
GAUGES = frozenset(
    "backlog qlen inactive_flows throttled_flows latency_ns next_release_ns flows_now paths_now max_flows max_paths nic_backlog_ns owd_ns "
    "threshold_ns base_ns every delay_ns idle_ns rate refcnt band0_pkts band1_pkts band2_pkts sojourn_ns memory_bytes pst_state "
    "pst_count reaction_points q_bytes q_max_bytes buffer_bytes buffer_max_bytes inputs link_bps qntz_fb pausing paused advertised_bps "
    "arrival_bps effective_flows".split())
# A name that core counts and others tell the number of.
GAUGES_OF = {"acker": {"flows"}, "qdisc": {"flows"}}
# Sums in the JSON of the acker, core and a qdisc that hold at any time.
SUMS = {
    "acker": (("entries", ("entries_first", "entries_every", "entries_last"), "is"),),
    "stats": (("holds", ("holds_bounded",), "most"), ("holds", ("holds_new",), "most")),
}
# Counters, and the module whose end resets them.
MODULE_OF = {"stats": "onramp", "acker": "onramp_acker"}


@dataclass
class Snapshot:
    """At one time: its name, s since boot, kB of memory, slabs {name: (objects, bytes)}, modules {name: users}, what hosts and
    ports count {(host, what): (source, {counter: number}, {gauge: number})}."""

    name: str
    at_s: float
    memory: dict = field(default_factory=dict)
    slabs: dict = field(default_factory=dict)
    modules: dict = field(default_factory=dict)
    sockets: dict = field(default_factory=dict)
    counters: dict = field(default_factory=dict)


def numbers(document):
    """Whole numbers of an object, those of the objects in it too."""
    for name, value in document.items():
        if isinstance(value, dict):
            yield from numbers(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            yield name, value


def read_counters(what, text, gone):
    """Source, counters, gauges."""
    document = json.loads(text)
    if what in MODULE_OF:
        source = str(gone.get(MODULE_OF[what], 0))
    else:
        document = next(qdisc for qdisc in document if qdisc.get("root"))
        source = f"{document['kind']} {document['handle']}"
        document = {name: value for name, value in document.items() if name != "options"}
    found = dict(numbers(document))
    gauges = GAUGES | GAUGES_OF.get(what, set())
    counters = {name: value for name, value in found.items() if name not in gauges}
    return source, counters, {name: value for name, value in found.items() if name in gauges}


def read(folder):
    """All snapshots of a run, in their order; a file each."""
    snapshots, gone = [], {}
    for name in sorted(os.listdir(os.path.join(folder, "snapshots"))):
        with open(os.path.join(folder, "snapshots", name), encoding="ascii") as file:
            lines = file.readlines()
        for line in lines:
            kind, *rest = line.split(maxsplit=1)
            fields = rest[0].split() if rest else []
            if kind == "snapshot":
                snapshots.append(Snapshot(fields[0], float(fields[1])))
            elif kind == "gone":
                gone[fields[0]] = gone.get(fields[0], 0) + 1
            elif kind == "memory":
                snapshots[-1].memory[fields[0]] = int(fields[1])
            elif kind == "slab" and len(fields) > 3 and fields[1].isdigit():
                snapshots[-1].slabs[fields[0]] = int(fields[1]), int(fields[1]) * int(fields[3])
            elif kind == "module":
                snapshots[-1].modules[fields[0]] = int(fields[2])
            elif kind == "sockets":
                snapshots[-1].sockets[fields[0], fields[1].rstrip(":")] = dict(zip(fields[2::2], map(int, fields[3::2])))
            elif kind == "counters":
                host, what, text = rest[0].split(maxsplit=2)
                snapshots[-1].counters[host, what] = read_counters(what, text, gone)
    return snapshots


def falls(snapshots):
    """How many pairs of numbers of one counter there are, and those that fall: "at host what counter: before after"."""
    pairs, wrong, last = 0, [], {}
    for snapshot in snapshots:
        for (host, what), (source, counters, _) in snapshot.counters.items():
            before = last.get((host, what))
            last[host, what] = source, counters
            if before is None or before[0] != source:
                continue
            for name, value in counters.items():
                pairs += name in before[1]
                if before[1].get(name, 0) > value:
                    wrong.append(f"{snapshot.at_s} {host} {what} {name}: {before[1][name]} {value}")
    return pairs, wrong


def sums(snapshots):
    """How many sums there are, and those that do not hold."""
    count, wrong = 0, []
    for snapshot in snapshots:
        for (host, what), (_, counters, _) in snapshot.counters.items():
            for total, parts, how in SUMS.get(what, ()):
                count += 1
                part = sum(counters[name] for name in parts)
                if counters[total] != part if how == "is" else counters[total] < part:
                    wrong.append(f"{snapshot.at_s} {host} {what}: {total} {counters[total]}, {' + '.join(parts)} {part}")
    return count, wrong


def quiet(snapshots):
    """The quiet snapshots: [[s, {what: kB or objects}], ...], and what there still is then that should not be."""
    points, left = [], []
    for snapshot in (snapshot for snapshot in snapshots if snapshot.name == "quiet"):
        memory = snapshot.memory
        points.append([snapshot.at_s, {
            "used": memory["MemTotal"] - memory["MemFree"], "slab": memory["SUnreclaim"], "vmalloc": memory["VmallocUsed"],
            "percpu": memory["Percpu"], "stacks": memory["KernelStack"], "anonymous": memory["AnonPages"],
            "own": snapshot.slabs.get("onramp_queue", (0, 0))[0],
        }])
        for (host, what), (_, _, gauges) in snapshot.counters.items():
            left += [f"{snapshot.at_s} {host} {what} {name}: {gauges[name]}" for name in LEFT.get(what, ()) if gauges.get(name)]
    return points, left


# The end, and ports of the bridge that are cut off and mended.
EXPECTED = re.compile(r"reboot: Power down|br0: port \d+\(to-h\d+\) entered \w+ state")


def log(folder, begin_s):
    """The kernel's messages from begin_s on that are not expected."""
    with open(os.path.join(folder, "console.log"), encoding="utf-8", errors="replace") as file:
        messages = [re.match(r"\[\s*(\d+)\.\d+\] (.*)", line) for line in file]
    return [match.group(2) for match in messages if match and int(match.group(1)) >= begin_s and not EXPECTED.fullmatch(match.group(2))]


def did(snapshots):
    """Counts of the events that must happen in a soak, over all counters: {counter: sum}."""
    last = {}
    for snapshot in snapshots:
        for (host, what), (source, counters, _) in snapshot.counters.items():
            last[host, what, source] = counters
    total = dict.fromkeys(DID, 0)
    for (_, what, _), counters in last.items():
        for name in DID:
            if what == DID[name]:
                total[name] += counters.get(name, 0)
    return {**total, "instances": len(last)}


# Counters and their owners, in the order of a packet's way.
DID = {"records": "stats", "ins_marks": "port", "pst_marks": "port", "marks": "port", "cnm_tx": "port", "xoff_tx": "port",
       "datagrams": "acker", "samples": "stats", "holds": "stats", "no_clock": "stats", "cnms": "qdisc", "rds_answered": "qdisc"}
# Counters of which nothing is left once nothing is sent.
LEFT = {"stats": ("flows_now",), "acker": ("flows",), "qdisc": ("backlog", "qlen", "throttled_flows", "reaction_points"),
        "port": ("backlog", "qlen", "buffer_bytes")}
