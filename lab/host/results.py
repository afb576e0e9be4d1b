# SPDX-License-Identifier: GPL-2.0
"""From the files that a run left to the numbers of its JSON.

Only sums, comparisons and correctly rounded divisions are used, so equal runs give equal bytes on any
machine.
"""

import csv
import json
import os
from dataclasses import dataclass

from lab.host.boot import LabError

# Samples that a queue's trace has space for: labnic's LABNIC_TRACE_MAX.
TRACE_MAX = 1 << 20

SHORT_BYTES = 100_000       # "short flows (0, 100KB]"
LARGE_BYTES = 10_000_000    # "large flows [10MB, )"


def quotient(numerator, denominator, digits=3):
    """A quotient as a decimal that prints the same everywhere."""
    if not denominator:
        return None
    scale = 10**digits
    return (2 * numerator * scale + denominator) // (2 * denominator) / scale


def percentile(ordered, percent):
    """Nearest rank: the least value that percent of all do not exceed."""
    if not ordered:
        return None
    return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]


class Flow:
    """One row of flows.csv."""

    __slots__ = ("group", "sender", "receiver", "size", "start_ns", "fct_ns", "new", "retrans", "timeouts", "bytes", "query", "ideal_ns")

    def __init__(self, row, path_rtt, rate_bps, trips):
        self.group = row["group"]
        self.sender = row["sender"]
        self.receiver = row["receiver"]
        self.size = int(row["size_bytes"])
        self.start_ns = int(row["start_ns"])
        self.fct_ns = int(row["fct_ns"]) if row["fct_ns"] else None
        self.new = row["conn"] == "new"
        self.retrans = int(row["retrans"] or 0)
        self.timeouts = int(row["timeouts"] or 0)
        self.bytes = int(row["bytes"])
        self.query = int(row["query"])
        # One-way trips before the last byte's, and with it, then the payload in full frames at line rate.
        frames = -(-self.size // 1448)
        wire = (self.size + frames * 90) * 8 * 10**9 // rate_bps
        self.ideal_ns = trips[self.new] * path_rtt(self.sender, self.receiver) // 2 + wire


# Times of a flow on an existing connection, and on a new one: the request's round trip, and the handshake's.
TCP_TRIPS = (2, 4)


def read_rows(path):
    with open(path, encoding="ascii", newline="") as file:
        return list(csv.DictReader(file))


def read_flows(path, path_rtt, rate_bps, trips=TCP_TRIPS):
    return [Flow(row, path_rtt, rate_bps, trips) for row in read_rows(path)]


def read_summary(folder):
    """The traffic tool's totals."""
    with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
        return json.load(file)


def read_seconds(folder):
    """Virtual time from the start of traffic until every flow had ended, or was given up."""
    with open(os.path.join(folder, "init.json"), encoding="ascii") as file:
        raw = json.load(file)
    return quotient(raw["ran_ns"] - raw["epoch_ns"], 10**9, 6)


def summarise_flows(flows):
    """The statistics of one class of flows; None where there are no flows."""
    ended = sorted(flow.fct_ns for flow in flows if flow.fct_ns is not None)
    slowdowns = sorted(flow.fct_ns * 1000 // flow.ideal_ns for flow in flows if flow.fct_ns is not None)

    def micro(ns):
        return None if ns is None else quotient(ns, 1000)

    return {
        "n": len(ended),
        "mean_us": micro(sum(ended) // len(ended)) if ended else None,
        "p50_us": micro(percentile(ended, 50)),
        "p95_us": micro(percentile(ended, 95)),
        "p99_us": micro(percentile(ended, 99)),
        "slowdown_p99": quotient(percentile(slowdowns, 99), 1000) if slowdowns else None,
    }


def classes(flows):
    sized = [flow for flow in flows if flow.size]
    return {
        "all": summarise_flows(sized),
        "short": summarise_flows([flow for flow in sized if flow.size <= SHORT_BYTES]),
        "large": summarise_flows([flow for flow in sized if flow.size >= LARGE_BYTES]),
    }


def buckets(flows, bounds):
    """Statistics by size: one class up to each bound, one above them all; bounds are (name, most bytes), rising."""
    sized = [flow for flow in flows if flow.size]
    found, least = {"all": summarise_flows(sized)}, 0
    for name, most in bounds:
        found[name] = summarise_flows([flow for flow in sized if least < flow.size and (most is None or flow.size <= most)])
        least = most
    return found


def summarise_requests(flows):
    """Completion times of requests: the flows of one number of one group, from the first's start to the last's end."""
    queries = {}
    for flow in flows:
        queries.setdefault((flow.group, flow.query), []).append(flow)
    ended = [parts for parts in queries.values() if all(flow.fct_ns is not None for flow in parts)]
    times = sorted(max(flow.start_ns + flow.fct_ns for flow in parts) - min(flow.start_ns for flow in parts)
                   for parts in ended)

    def micro(ns):
        return None if ns is None else quotient(ns, 1000)

    return {
        "n": len(times),
        "mean_us": micro(sum(times) // len(times)) if times else None,
        **{f"p{percent}_us": micro(percentile(times, percent)) for percent in (50, 90, 95, 99)},
        # How many had a flow that waited for a timeout.
        "with_timeout": sum(any(flow.timeouts for flow in parts) for parts in ended),
    }


@dataclass(frozen=True)
class Port:
    """Results of a port with the AQM in its window."""

    head: dict      # sums
    bins: dict      # ns spent at each number of packets
    drops: int      # packets that its qdiscs dropped in the whole run


def read_port(folder, name):
    """Refuses a trace with gaps: its samples would be attributed to other times."""
    head, bins = {}, {}
    with open(os.path.join(folder, f"{name}.histogram"), encoding="ascii") as file:
        for line in file:
            key, value = line.split()
            if key.isdigit():
                bins[int(key)] = int(value)
            else:
                head[key] = int(value)
    if head["trace_lost"]:
        raise LabError(f"the trace of {name} lacks {head['trace_lost']} samples, there was no space for them")
    # A root counts what its children drop.
    qdisc = read_qdisc(os.path.join(folder, f"{name}.tc.json"))
    return Port(head, bins, sum(entry.get("drops", 0) for entry in qdisc if "parent" not in entry))


def summarise_queue(ports):
    """Over the time of all ports; the mean sojourn by Little's law, exact for a window that begins and ends empty."""
    ports = list(ports)
    bins = {}
    for port in ports:
        for pkts, ns in port.bins.items():
            bins[pkts] = bins.get(pkts, 0) + ns
    pkts_ns = sum(port.head["pkts_ns"] for port in ports)
    total = sum(bins.values())
    seen, p99 = 0, 0
    for pkts in sorted(bins):
        seen += bins[pkts]
        if seen * 100 >= total * 99:
            p99 = pkts
            break
    return {
        "mean_pkts": quotient(pkts_ns, total),
        "p99_pkts": p99,
        "max_pkts": max(port.head["max_pkts"] for port in ports),
        "mean_sojourn_us": quotient(pkts_ns, sum(port.head["departed_pkts"] for port in ports) * 1000),
    }


def utilisation(ports, rate_bps, ns):
    """Mean of the ports; a frame's preamble, FCS and gap are on the wire too."""
    wire = sum(port.head["departed_bytes"] + 24 * port.head["departed_pkts"] for port in ports)
    return quotient(wire * 8 * 10**9, rate_bps * ns * len(ports), 4)


def read_trace(path, epoch_ns):
    """[(ns after the epoch, packets, bytes), ...]"""
    with open(path, encoding="ascii") as file:
        rows = (map(int, line.split()) for line in file)
        return [(at - epoch_ns, pkts, size) for at, pkts, size in rows]


def read_series(path):
    """{group: [(ns after the epoch, bytes received so far), ...]}"""
    series = {}
    with open(path, encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            series.setdefault(row["group"], []).append((int(row["time_ns"]), int(row["bytes"])))
    return series


def received(points, start, end):
    """Bytes that a group of a series received between two times; between two points it grows evenly."""
    def at(time):
        before, size = 0, 0
        for after, grown in points:
            if after >= time:
                return size + (grown - size) * (time - before) // max(1, after - before)
            before, size = after, grown
        return size

    return at(end) - at(start)


def read_netstat(path):
    """Counters of a host as {"TcpRetransSegs": n, ...}; those that are 0 are left out."""
    with open(path, encoding="ascii") as file:
        return {name: int(value) for name, value in map(str.split, file)}


def sum_netstat(folder, hosts, name):
    return sum(read_netstat(os.path.join(folder, f"netstat-{host}.txt")).get(name, 0) for host in hosts)


def sum_qdiscs(paths):
    """Sums of every number that the root qdiscs of several ports print."""
    total = {}
    for path in paths:
        for name, value in numbers(root(read_qdisc(path))).items():
            if isinstance(value, int) and name != "refcnt":
                total[name] = total.get(name, 0) + value
    return total


def root(entries):
    """The root among what tc prints of a port's qdiscs."""
    return next(entry for entry in entries if "parent" not in entry)


def numbers(document):
    """Values that are numbers."""
    return {name: value for name, value in document.items() if isinstance(value, (int, float)) and not isinstance(value, bool)}


def read_qdisc(path):
    """The output of tc -s -j for a port, its root first."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)
