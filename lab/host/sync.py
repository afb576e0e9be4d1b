# SPDX-License-Identifier: GPL-2.0
"""Clocks that the daemon huygens-lite keeps: what hosts run, and the errors of their clocks compared with true time.

The daemon runs in each host on that host's clock. In addition the guest's `truth` records for each host, again and again, how far
its clock is off and how far the common time is that the kernel has of the daemon's last line: what On-Ramp goes by. Errors are
those of pairs of hosts, whatever the reference is. Integers only.
"""

import os
from dataclasses import dataclass
from itertools import combinations

from lab.host import results
from lab.host.keys import Key, choice, number, time
from lab.host.network import EPOCH_NS
from lab.host.units import Refused

FILE = "truth"
FOLDER = "/run/lab/result"
EVERY_NS = 100_000_000
SECOND_NS = 10**9
# Daemons begin one after the other in this time, before the run's begin.
BEGIN_NS = 500_000_000

# Latencies of a host's software: (key of a link, where it stands in a model as text).
LATE = ("tx_late", "tx_spread", "rx_late", "rx_spread", "late_sigma", "late_odd", "late_odd_ns")
# Latencies of hosts: to the wire 0.5 us and a lognormal time of 0.3 us, from it 3 us and 1 us, deviation 0.6; one frame in a
# hundred up to 50 us more.
MODELS = {"none": None, "host": (500, 300, 3000, 1000, 600, 10, 50_000)}
LATE_MOST = (10**6, 10**6, 10**6, 10**6, 2000, 1000, 10**7)


def noise(text):
    """A reader of models of late software, by name or as seven numbers in the order of LATE: {key: number}."""
    if text in MODELS:
        return dict(zip(LATE, MODELS[text] or ()))
    fields = text.split(":")
    if len(fields) != len(LATE):
        raise Refused(f"'{text}' must be {' or '.join(MODELS)}, or {':'.join(LATE).upper()}")
    return {key: number(0, most)(field) for key, field, most in zip(LATE, fields, LATE_MOST)}


KEYS = (
    Key("stamps", "software", choice("software", "hardware"), "stamps of probes: software, hardware"),
    Key("noise", "host", noise, "how late hosts' software is: none, host (lab/host/sync.py), or " + ":".join(LATE).upper() + " in ns and thousandths"),
    Key("degree", "10", number(1, 64), "neighbours that a host probes, 1 to 64"),
    Key("interval", "20ms", time("1ms", "1s"), "from one pair of probes to a neighbour to the next"),
    Key("pair", "0ns", time("0ns", "20us"), "from a pair's first probe to its second"),
    Key("window", "2s", time("500ms", "30s"), "probes of so long a time give one solution"),
    Key("coded", "yes", choice("yes", "no"), "whether only pairs whose spacing did not change are used"),
    Key("output", "publish", choice("publish", "none"), "what is done with the common time"),
)


def configuration(p, network):
    """The configuration of all hosts' daemons, as "section.key=value"."""
    peers = ",".join(f"{number}={network.address(host)}/{host}" for number, host in enumerate(network.hosts, 1))
    yield f"mesh.peers={peers}"
    yield f"mesh.degree={p['degree']}"
    yield f"mesh.seed={network.seed}"
    yield f"mesh.interval={p['interval']}ns"
    yield f"mesh.spacing={p['pair']}ns"
    yield f"mesh.window={p['window']}ns"
    yield f"mesh.timestamping={p['stamps']}"
    yield f"mesh.coded={p['coded']}"
    yield f"output.mode={p['output']}"
    yield "security.user=none"
    yield "log.tracking=yes"


def daemons(p, network):
    """Lines of a topology script: one in each host, all of them before the run's begin."""
    settings = " ".join(configuration(p, network))
    for index, host in enumerate(network.hosts):
        at_ns = EPOCH_NS - BEGIN_NS + BEGIN_NS * index // len(network.hosts)
        yield f"spawn {host} huygens run {host} {show_s(at_ns)} {settings}"


def show_s(at_ns):
    """Seconds since boot, as the guest's script takes them."""
    return f"{at_ns // SECOND_NS}.{at_ns % SECOND_NS:09}"


def truth(network, until_ns, every_ns=EVERY_NS):
    """Lines of a topology script: what is noted until so long after the run's begin."""
    yield f"spawn - truth {FOLDER}/{FILE} {EPOCH_NS} {every_ns} {EPOCH_NS + until_ns} {' '.join(network.hosts)}"


@dataclass(frozen=True)
class Sample:
    """A sample of a host; by how much its clocks are ahead of the truth, ns."""

    at_ns: int          # after the run's begin
    real_ns: int
    raw_ns: int
    common_ns: int = None   # and the common time; None: it has none that may be used
    bound_ns: int = None
    left_ns: int = None
    epoch: int = None


def read(folder):
    """{host: [Sample, ...]} in their order."""
    found = {}
    with open(os.path.join(folder, FILE), encoding="ascii") as file:
        for line in file:
            at_ns, host, *numbers = line.split()
            found.setdefault(host, []).append(Sample(int(at_ns) - EPOCH_NS, *map(int, numbers)))
    return found


def rounds(samples, every_ns=EVERY_NS):
    """Samples of all hosts at each time: [(when, {host: Sample}), ...], when in whole periods."""
    found = {}
    for host, seen in samples.items():
        for sample in seen:
            found.setdefault(sample.at_ns // every_ns * every_ns, {})[host] = sample
    return sorted(found.items())


def pairs(of_all):
    """(size of the error, its bound) of each pair of hosts that share a common time, of one round."""
    known = [sample for sample in of_all.values() if sample.common_ns is not None]
    return [(abs(a.common_ns - b.common_ns), a.bound_ns + b.bound_ns) for a, b in combinations(known, 2) if a.epoch == b.epoch]


def summary(sizes):
    """Statistics of errors, ns: how many, and percentiles of their size."""
    ordered = sorted(sizes)
    return {"n": len(ordered), **{f"p{percent}_ns": results.percentile(ordered, percent) for percent in (50, 90, 99)},
            "max_ns": ordered[-1] if ordered else None}


def first_common(every, n_hosts):
    """When all hosts first have a common time, s after the run's begin; None: never."""
    return next((results.quotient(at_ns, SECOND_NS, 1) for at_ns, of_all in every
                 if sum(sample.common_ns is not None for sample in of_all.values()) == n_hosts), None)


def live(every, window):
    """How good what is published is, in the window: errors of pairs, and whether their bounds hold."""
    chosen = [of_all for at_ns, of_all in every if window[0] <= at_ns < window[1]]
    found = [pair for of_all in chosen for pair in pairs(of_all)]
    bounds = sorted(bound for _, bound in found)
    hosts = sum(len(of_all) for of_all in chosen)
    known = sum(sample.common_ns is not None for of_all in chosen for sample in of_all.values())
    return {
        "error": summary(size for size, _ in found),
        "bound": {"p50_ns": results.percentile(bounds, 50), "max_ns": bounds[-1] if bounds else None,
                  "held_percent": results.quotient(100 * sum(size <= bound for size, bound in found), len(found), 3)},
        "published_percent": results.quotient(100 * known, hosts, 2),
    }


def series(every, period_ns):
    """Errors of pairs over time: of each period the middle and the largest, the largest bound, hosts with a common time."""
    parts = {}
    for at_ns, of_all in every:
        parts.setdefault(at_ns // period_ns, []).append(of_all)
    for index, several in sorted(parts.items()):
        found = [pair for of_all in several for pair in pairs(of_all)]
        sizes = sorted(size for size, _ in found)
        yield [results.quotient(index * period_ns, SECOND_NS, 1), results.percentile(sizes, 50), sizes[-1] if sizes else None,
               max((bound for _, bound in found), default=None),
               min(sum(sample.common_ns is not None for sample in of_all.values()) for of_all in several)]


def middle(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else None


def alone(every, host, period_ns):
    """One host compared with the middle of the others, over time: [s, by how much its common time is ahead at worst, its bound]."""
    found = {}
    for at_ns, of_all in every:
        own = of_all[host]
        others = [sample.common_ns for name, sample in of_all.items() if name != host and sample.common_ns is not None]
        if own.common_ns is None or not others:
            continue
        ahead = own.common_ns - middle(others)
        worst = found.get(at_ns // period_ns)
        if worst is None or abs(ahead) > abs(worst[0]):
            found[at_ns // period_ns] = (ahead, own.bound_ns)
    return [[results.quotient(index * period_ns, SECOND_NS, 1), *pair] for index, pair in sorted(found.items())]
