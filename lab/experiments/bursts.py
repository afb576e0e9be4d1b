# SPDX-License-Identifier: GPL-2.0
"""Are bursts without packets, the load of the scenario clock, worth as much as bursts of packets?

Hosts, clocks and daemons are those of clock, and one host more stands at the switch, on a link so fast that nothing waits there; it
has no daemon. The distribution is the same with every traffic: at each end of a host's link bursts come as a Poisson process, sizes distributed
exponentially, lost whole where `buffer` is full. traffic=cross: they occupy the wire and are no packets, as in clock. traffic=ports: they
are UDP datagrams, handed over at once when a burst comes, by a sender that nothing slows, each end's own: from the host to the host
beyond, and from that one to the host. So the ports, what comes there and when are as labnic reckons them, and queues are real. traffic=hosts:
bursts come so at the hosts only, and go to one of the other hosts, drawn for each; at the switch's port they come as fast as a host's link
is, so that what waits there is what comes from several hosts at once.

`met` is what probes meet, by the true time: pairs that go every 20 ms from each host to each other, in addition to the daemons' own. A wait is by how
much longer a probe took than the fastest of its way. `free_percent` of all waited less than 10 us at either port together; `pure_percent` of all
pairs came as far apart as they were sent, to 2 us, the least of the daemon's tolerance with software's stamps. `loaded` is the load of
hosts' links, probes included, from the host and to it. `mid`, `edges` and `live` are clock's.

Hosts have a plain queue (host=pfifo), not clock's fq, which would let probes pass the bursts' packets. A switch's port hands its NIC `ring` frames
ahead, 2 in clock. With traffic=cross what waits behind these is passed by bursts that come later, since a burst goes to the wire itself: no
queue of packets does that, and with ring=256 none waits behind them.
"""

import os
from dataclasses import dataclass, replace

from lab.experiments import clock
from lab.host import accounting, module_list, results, sync
from lab.host.clock_mesh import ClockMesh
from lab.host.full_mesh import FullMesh
from lab.host.keys import Key, choice, number
from lab.host.network import EPOCH_NS
from lab.report.experiment import Column, Experiment, Grid, Run

SUMMARY = "cross traffic of bursts without packets compared with the same bursts of packets: queueing of probes, clock errors"
ROWS = ()
WITHOUT = ("output", "faults", "lies", "asymmetry", "clock_step", "sides")
UNUSED = {"output": "publish", "faults": [], "lies": {}, "asymmetry": {}, "clock_step": {}, "sides": "both"}
OTHERS = {
    "traffic": {"read": choice("cross", "ports", "hosts"), "help": "what the bursts are: cross (no packets), ports (packets, each port's own), hosts (packets to other hosts)"},
    "host": {"default": "pfifo limit 10000"},
    "hosts": {"default": "4"},
    "duration": {"default": "60s"},
}
KEYS = [*(replace(key, **OTHERS.get(key.name, {})) for key in clock.KEYS if key.name not in WITHOUT),
        Key("ring", "2", number(1, 4096), "frames that a switch's port hands its NIC ahead")]

PROGRAMS = (
    module_list.Program("lab/labnic", "bursts", "/usr/bin/bursts"),
    module_list.Program("lab/labnic", "pairs", "/usr/bin/pairs"),
)
# UDP ports of bursts and of probes.
BURSTS_PORT, PAIRS_PORT = 5001, 5002
FAST_BPS = 400 * 10**9
# Bytes that labnic lets wait by default.
LIMIT = 10**6
BEGIN_NS = EPOCH_NS - sync.BEGIN_NS
PAIRS_FILE = "pairs"
PAIRS_NS = 20_000_000
# Probes end so long before the run does: it waits for those that are under way.
LAST_NS = 200_000_000
# A wait below is none; a pair whose spacing changed by no more is pure.
FREE_NS, PURE_NS = 10_000, 2000


class Beyond(ClockMesh):
    """The mesh, and beyond its hosts one more, `far`, whose link is fast and which is never late."""

    def __init__(self, p, seed):
        super().__init__({**p, "hosts": p["hosts"] + 1}, seed)
        *self.near, self.far = self.hosts
        self.aqm_ports = self.receiving = self.aqm_ports[:-1]
        self.sending = self.receivers = self.sending[:-1]

    def link_options(self, host, number_, delay_ns):
        yield from super().link_options(host, number_, delay_ns)
        yield f"b.ring={self.p['ring']}"

    def host_link(self, name, interface, switch, port, number_, delay_ns, rate_bps=None):
        if name != self.far:
            return super().host_link(name, interface, switch, port, number_, delay_ns, rate_bps)
        return FullMesh.host_link(self, name, interface, switch, port, number_, delay_ns, FAST_BPS)


@dataclass(frozen=True)
class Near:
    """Hosts of that network that have daemons."""

    hosts: list
    address: object
    seed: int


class Setting(clock.Setting):
    """As clock, with one host more, and bursts that may be packets."""

    programs = (*module_list.HUYGENS, *PROGRAMS)

    def __init__(self, p, seed):
        super().__init__({**p, **UNUSED}, seed)
        self.network = Beyond(self.p, seed)
        self.near = Near(self.network.near, self.network.address, seed)

    def wires(self):
        """(host that sends, hosts that it sends to) of each that bursts come to, as packets."""
        network = self.network
        if self.p["traffic"] == "ports":
            yield from ((host, [network.far]) for host in network.near)
            yield from ((network.far, [host]) for host in network.near)
        if self.p["traffic"] == "hosts":
            yield from ((host, [other for other in network.near if other != host]) for host in network.near)

    def bursts(self):
        """Lines of a topology script: senders and sinks."""
        p, network = self.p, self.network
        if not p["load"] or p["traffic"] == "cross":
            return
        yield from (f"spawn {host} bursts sink {BURSTS_PORT}" for host in network.hosts)
        for index, (host, others) in enumerate(self.wires()):
            yield (f"spawn {host} bursts send {BURSTS_PORT} {BEGIN_NS} {EPOCH_NS + p['duration']} {p['rate']} {p['load']} {p['burst']} "
                   f"{LIMIT} {network.seed} {index} {' '.join(map(network.address, others))}")

    def watches(self):
        begin_ns, end_ns = self.window()
        for _, (netns, port) in self.aqm_ports():
            yield f"watch {netns} {port} from={begin_ns} until={end_ns} sample=0"
        for line in sync.daemons(self.p, self.near):
            yield " ".join((line, *self.clock_arguments(line.split()[1])))
        yield from sync.truth(self.near, self.p["duration"])
        yield from self.bursts()
        ends = " ".join(f"{host}={self.network.address(host)}" for host in self.near.hosts)
        yield f"spawn - pairs {sync.FOLDER}/{PAIRS_FILE} {PAIRS_PORT} {EPOCH_NS + begin_ns} {PAIRS_NS} {EPOCH_NS + end_ns - LAST_NS} {ends}"

    def groups(self):
        """The run lasts as long as clock's, whose load is not wanted."""
        yield list(super().groups())[-1]

    def loaded(self, raw):
        """Load of hosts' links, from hosts and to them, the share of the time that all bytes there take."""
        ports = accounting.read(raw)
        own = [ports[host, "eth0"] for host in self.near.hosts]
        seconds_ns = self.p["duration"] + sync.BEGIN_NS
        whole = len(own) * self.p["rate"] * seconds_ns

        def share(ends):
            return results.quotient(sum(end.counters["tx_wire_bytes"] + end.counters["tx_cross_bytes"] for end in ends) * 8 * sync.SECOND_NS, whole, 4)

        return {"up": share(own), "down": share([ports[end.peer] for end in own])}

    def more(self, raw, flows):
        samples = sync.read(raw)
        every = sync.rounds(samples)
        return {
            "common_s": sync.first_common(every, len(self.near.hosts)),
            **clock.middles(raw, samples, self.window()),
            "live": sync.live(every, self.window()),
            "met": met(raw),
            "loaded": self.loaded(raw),
        }


def met(raw):
    """Queues that pairs of probes met: waits, how many had none, how many pairs kept their spacing."""
    ways = {}
    with open(os.path.join(raw, PAIRS_FILE), encoding="ascii") as file:
        for _, one, other, pair, delay_ns in map(str.split, file):
            ways.setdefault((one, other), {}).setdefault(int(pair), []).append(int(delay_ns))
    waits, whole, pure = [], 0, 0
    for of_way in ways.values():
        least_ns = min(map(min, of_way.values()))
        for delays in of_way.values():
            waits += [delay_ns - least_ns for delay_ns in delays]
            whole += len(delays) == 2
            pure += len(delays) == 2 and abs(delays[1] - delays[0]) <= PURE_NS
    waits.sort()
    return {
        "pairs": whole,
        "wait": {"mean_ns": results.quotient(sum(waits), len(waits), 0), **{f"p{percent}_ns": results.percentile(waits, percent) for percent in (10, 50, 90, 99)}},
        "free_percent": results.quotient(100 * sum(wait_ns < FREE_NS for wait_ns in waits), len(waits), 3),
        "pure_percent": results.quotient(100 * pure, whole, 3),
    }


# The report's part.

# Runs of the scenario bursts, (name, description, arguments): labnic's bursts as clock has them, with space for all at a port's NIC, and the same as packets.
CROSS, ROOMY, PORTS, HOSTS = (
    ("cross", "no packets, as in the other tables", ("traffic=cross",)), ("roomy", "no packets, rings of 256", ("traffic=cross", "ring=256")),
    ("ports", "packets, each port's own", ("traffic=ports",)), ("hosts", "packets between the hosts", ("traffic=hosts",)))
# Seconds of a processor that a run takes with load 1.
REPORT_COSTS = {"cross": 20, "roomy": 20, "ports": 160, "hosts": 110}
REPORT_TIME = ("duration=40s", "settle=16s")
REPORT_LOADS = tuple(load for load in clock.LOADS if float(load))
# As many hosts, and as long, as in the other tables, with a load of packets: once, since that takes minutes.
EIGHT = ("eight", "packets between the hosts, of which there are 8, 120 s", (clock.MESH, *clock.TIME, "traffic=hosts"))
EIGHT_LOAD = "0.8"


def case(stamps, load, name):
    """The case of bursts of a kind."""
    return f"bursts/{stamps}/{load}/{name}"


def experiment(seeds):
    """Labnic's bursts compared with the same of packets, by what probes meet and what becomes of clocks."""
    cases = [(stamps, "0", CROSS) for stamps in clock.STAMPS] + [(stamps, load, kind) for stamps in clock.STAMPS for load in REPORT_LOADS for kind in (CROSS, ROOMY, PORTS, HOSTS)]
    every = [Run(case(stamps, load, name), "bursts", (*REPORT_TIME, f"stamps={stamps}", f"load={load}", *arguments), seed, 10 + float(load) * REPORT_COSTS[name])
             for stamps, load, (name, _, arguments) in cases for seed in (clock.SEEDS if (stamps, load) == ("software", "0.8") else seeds)]
    eight, _, arguments = EIGHT
    every += [Run(case(stamps, EIGHT_LOAD, eight), "bursts", (f"stamps={stamps}", f"load={EIGHT_LOAD}", *arguments), seed, 600) for stamps in clock.STAMPS for seed in seeds]
    cases += [(stamps, EIGHT_LOAD, EIGHT) for stamps in clock.STAMPS]

    def micro(path):
        return lambda data, key: data.mean(key, path) / 1000

    def whole(path):
        return lambda data, key: data.mean(key, path)

    columns = (
        *(Column(f"{'a probe waits: ' if name == 'mean' else ''}{label}, us", micro(f"met.wait.{name}_ns"), "{:.1f}".format)
          for name, label in (("mean", "mean"), ("p50", "median"), ("p99", "p99"))),
        Column("not at all, %", whole("met.free_percent"), "{:.2f}".format), Column("pairs accepted, %", whole("met.pure_percent"), "{:.1f}".format),
        *(Column(f"{head}, ns", whole(path), "{:.0f}".format) for head, path in (
            ("mid-window: median", "mid.p50_ns"), ("p99", "mid.p99_ns"), ("live: median", "live.error.p50_ns"), ("p99", "live.error.p99_ns"))),
        *(Column(f"load {label}", whole(f"loaded.{way}"), "{:.3f}".format) for label, way in (("from hosts", "up"), ("to them", "down"))),
    )
    lines = tuple((f"{stamps}, load {load}" + (f", {label}" if float(load) else ""), case(stamps, load, name)) for stamps, load, (name, label, _) in cases)
    return Experiment("bursts", tuple(every), (), (), (Grid(
        "bursts", "The same bursts as packets", "4 hosts, 1 Gbit/s, 40 s of which 16 are not measured, three seeds with software timestamps at 80 %, otherwise one. All rows have the same distribution (30 KB in the mean, M/M/1) "
        "and draw it by the same code. The bursts occupy the wire; or they do so with NICs that take 256 frames from a switch's port at once; or they are UDP datagrams, handed over when a burst begins by a sender without "
        "congestion control. Datagrams go from the host to one beyond the switch for one end of a link and back for the other end, or from each host to the others. "
        "The last lines have such datagrams with 8 hosts and 120 s, of which 20 are not measured, and one seed.",
        "timestamps", lines, columns, ("bursts",)),))
