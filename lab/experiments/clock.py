# SPDX-License-Identifier: GPL-2.0
"""How well huygens-lite keeps the clocks of hosts around one switch, against the truth (On-Ramp 3.3; Huygens).

Each host runs the daemon on a clock of its own; clock_offset and the other keys say how wrong those are. Software's stamps are
as late as `noise` says. The links are loaded: traffic=packets makes TCP flows of the workload between all pairs, at `load` of each
host's link; traffic=cross has the same load as bursts that occupy the ports without being packets, which costs nothing and can
run for minutes. sides=one loads only one way: towards the first half of the hosts, from the others.

`live` is what On-Ramp goes by: the common time that the kernel has of the daemon's last published line, at every tenth of a
second from `settle` to the duration's end, of all pairs of hosts: how far apart the two are in truth, and how often their bounds
together cover that. `common_s` is when all hosts have a common time first, after the run's begin; daemons begin up to half a
second before. `sent_bps` is what hosts' NICs sent, all of it; without packets of a load it is the daemon's alone.

`mid` is what the paper reports: each window's own solution, at the window's middle, as the daemons log it, of all pairs; `edges` the same of
single edges, which is what there would be without the network effect. Both are of hosts that have the same coordinator.

faults, 'WHAT:HOST:FROM[:UNTIL],...', happen to hosts: kill (the daemon, which begins again at UNTIL if it is given), cut (off the
network), part (the first hosts up to this one from the others). clock_step is a fault too, and so is aqm='netem loss 30% limit
10000', which loses probes. asymmetry, 'HOST:TIME', makes a host's link longer towards the switch than from it. A host that lies,
'HOST:TIME', says of its edge to the n-th host after it that the other's clock is n times TIME off. With faults,
`series` and `alone` show each second, and the last fault's host compared with the others.
"""

import math
import os
import statistics
from bisect import bisect
from itertools import combinations

from lab.experiments.shared import settings as common
from lab.host import accounting, module_list, results, sync
from lab.host.clock_mesh import ClockMesh
from lab.host.keys import Key, choice, fraction, number, size, time
from lab.host.network import EPOCH_NS
from lab.host.units import Refused, show_time, time_ns
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, Run

SUMMARY = "clock errors of hosts that run huygens-lite, compared with true time (On-Ramp 3.3)"
ROWS = ("S3-22",)
OWN = {"clock": "own", "clock_offset": "1s", "clock_rate": "50ppm", "clock_wander": "1ppb", "clock_ramp": "5ppb"}
FAULTS = ("kill", "cut", "part")
# Faults end so long before the run does, or not at all.
LATEST_NS = 1000 * 10**9
PERIOD_NS = 10**9
# The largest asymmetry of an edge that a daemon can be configured with, which is twice the lie.
LIE_MOST_NS = 5 * 10**6


def faults(text):
    """A reader of "WHAT:HOST:FROM[:UNTIL],...": [(what, host, from, until or None), ...], ns after the run's begin."""
    found = []
    for item in filter(None, text.split(",")):
        fields = item.split(":")
        if len(fields) not in (3, 4) or fields[0] not in FAULTS or not fields[1]:
            raise Refused(f"'{item}' is not WHAT:HOST:FROM[:UNTIL], WHAT one of {', '.join(FAULTS)}")
        times = [time_ns(field) for field in fields[2:]]
        if not all(1 <= at <= LATEST_NS for at in times) or times != sorted(set(times)):
            raise Refused(f"'{item}': times must rise, from 1ns to {show_time(LATEST_NS)}")
        if fields[0] != "kill" and len(times) == 1:
            raise Refused(f"'{item}': {fields[0]} needs UNTIL")
        found.append((fields[0], fields[1], times[0], times[1] if len(times) > 1 else None))
    return found


def longer(text):
    """A reader of "HOST:TIME,...": {host: ns}."""
    found = {}
    for item in filter(None, text.split(",")):
        host, colon, by = item.partition(":")
        if not colon or not host or host in found:
            raise Refused(f"'{item}' is not HOST:TIME, of a host that has none yet")
        found[host] = time_ns(by)
        if not 1 <= found[host] <= 10**7:
            raise Refused(f"'{by}' must be from 1ns to 10ms")
    return found


def named(text):
    """Fields of a line of a daemon's log, or None: a heading."""
    fields = text.split()
    return fields if fields and fields[0][0].isdigit() else None


def solved(folder, host, samples):
    """Windows in a daemon's log: {(number, coordinator): the window's own error}, ns, less what all hosts have in common."""
    shown = [sample.at_ns + EPOCH_NS + sample.raw_ns for sample in samples]
    found = {}
    with open(os.path.join(folder, "huygens", host, "tracking.log"), encoding="ascii") as file:
        for fields in filter(None, map(named, file)):
            if "-" in fields[10:]:
                continue
            middle_ns = int(fields[10])
            place = bisect(shown, middle_ns)
            if not 0 < place < len(shown):
                continue
            before, after = samples[place - 1], samples[place]
            # By how much the raw clock was ahead of the truth when it showed that, and when that was.
            ahead = before.raw_ns + (after.raw_ns - before.raw_ns) * (middle_ns - shown[place - 1]) // (shown[place] - shown[place - 1])
            found[int(fields[2]), fields[4]] = (middle_ns - ahead - EPOCH_NS, int(fields[11]) + ahead)
    return found


def residuals(folder, hosts):
    """Edges in coordinators' logs: {(number, coordinator, one, other): by how much the edge disagrees}, ns."""
    found = {}
    for number_, host in enumerate(hosts, 1):
        with open(os.path.join(folder, "huygens", host, "statistics.log"), encoding="ascii") as file:
            for fields in filter(None, map(named, file)):
                if fields[9] != "-":
                    found[int(fields[2]), str(number_), hosts[int(fields[3]) - 1], hosts[int(fields[4]) - 1]] = int(fields[9])
    return found


def middles(folder, samples, window):
    """Errors of windows whose middle is in `window`: of pairs as they are solved, and of single edges."""
    hosts = list(samples)
    errors = {host: {key: error for key, (at_ns, error) in solved(folder, host, samples[host]).items() if window[0] <= at_ns < window[1]}
              for host in hosts}
    pairs = [abs(error - errors[other][key]) for one, other in combinations(hosts, 2) for key, error in errors[one].items() if key in errors[other]]
    edges = [abs(off + errors[one][key] - errors[other][key]) for (*key, one, other), off in residuals(folder, hosts).items()
             for key in (tuple(key),) if key in errors[one] and key in errors[other]]
    return {"mid": sync.summary(pairs), "edges": sync.summary(edges)}


KEYS = [
    common.AQM,
    *common.keys(without=("aqm", "buffer", "load"), shape=(Key("hosts", "8", number(2, 64), "number of hosts, 2 to 64"),), cc="cubic",
                 rate="1gbit", rtt="100us", duration="120s", conn="pool", jitter="0ns", **OWN),
    common.BUFFER,
    common.HOST,
    Key("load", "0", fraction(0, 0.951), "load of each host's link, either way, a fraction up to 0.95"),
    Key("traffic", "cross", choice("cross", "packets"), "what loads the links: cross (bursts that are no packets), packets"),
    Key("burst", "30k", size("1500b", "1m"), "mean bytes of such a burst, 1500b to 1m"),
    Key("sides", "both", choice("both", "one"), "which links are loaded: both, one (towards the first half of the hosts)"),
    *sync.KEYS,
    Key("asymmetry", "", longer, "by how much links are longer towards the switch, 'HOST:TIME,...'"),
    Key("lies", "", longer, "what hosts say that lie, 'HOST:TIME,...'"),
    Key("faults", "", faults, "what happens to hosts, 'WHAT:HOST:FROM[:UNTIL],...': kill, cut, part"),
    Key("settle", "20s", time("0ns", "1000s"), "how much of the beginning is not measured"),
]


class Setting(common.Setting):
    """Daemons, a load, and the true time of each clock."""

    memory = "2G"
    programs = module_list.HUYGENS

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        if p["stamps"] == "hardware" and p["clock"] == "own":
            p = {**p, "clock_phc": "on"}
        super().__init__(common.tail_drop(p), ClockMesh(p, seed))
        self.check()

    def check(self):
        """Refuse faults and asymmetries of hosts that there are not."""
        hosts = self.network.hosts
        for key, those in (("asymmetry", self.p["asymmetry"]), ("lies", self.p["lies"]), ("faults", [fault[1] for fault in self.p["faults"]])):
            unknown = [host for host in those if host not in hosts]
            if unknown:
                raise Refused(f"{key}: there is no host '{unknown[0]}'; hosts are h1 to {hosts[-1]}")
        if hosts[-1] in self.p["lies"]:
            raise Refused("lies: the last host has no edges of its own")
        if any(by_ns * (len(hosts) - 1) > LIE_MOST_NS for by_ns in self.p["lies"].values()):
            raise Refused(f"lies: times the number of other hosts at most {show_time(LIE_MOST_NS)}")
        for what, host, begin_ns, end_ns in self.p["faults"]:
            if (end_ns or begin_ns) >= self.p["duration"]:
                raise Refused("faults: must be over before the duration")
            if what == "part" and host == hosts[-1]:
                raise Refused("faults: part needs hosts on both sides")
        if self.p["stamps"] == "hardware" and self.p["clock_phc"] != "on":
            raise Refused("stamps: hardware's want clock=own")

    def qdiscs(self):
        """The module that takes the common time goes with On-Ramp's qdisc."""
        return {**super().qdiscs(), **({"publish": ["onramp"]} if self.p["output"] == "publish" else {})}

    def window(self):
        return self.p["settle"], self.p["duration"]

    def fault(self, what, host, begin_ns, end_ns):
        """Commands of the guest for one."""
        network = self.network
        times = " ".join(sync.show_s(at_ns + sync.EPOCH_NS) for at_ns in (begin_ns, end_ns) if at_ns)
        if what == "kill":
            return f"spawn {host} huygens kill {host} {times}"
        if what == "cut":
            return f"spawn sw huygens cut to-{host} {network.address(host)} {times}"
        place = network.hosts.index(host) + 1
        sides = (",".join(map(network.address, part)) for part in (network.hosts[:place], network.hosts[place:]))
        return f"spawn sw huygens part {times} {' '.join(sides)}"

    def clock_arguments(self, host):
        """Configuration of one host's daemon in addition to that of all: errors of its edges if it lies, and its log."""
        yield "log.statistics=yes"
        if host in self.p["lies"]:
            first = self.network.hosts.index(host) + 1
            lies = (f"{first}-{first + n}:{2 * n * self.p['lies'][host]}ns" for n in range(1, len(self.network.hosts) - first + 1))
            yield f"mesh.asymmetry={','.join(lies)}"

    def watches(self):
        yield from super().watches()
        for line in sync.daemons(self.p, self.network):
            yield " ".join((line, *self.clock_arguments(line.split()[1])))
        yield from sync.truth(self.network, self.p["duration"])
        yield from (self.fault(*fault) for fault in self.p["faults"])

    def groups(self):
        p, hosts = self.p, self.network.hosts
        if p["load"] and p["traffic"] == "packets":
            half = len(hosts) // 2
            senders, receivers = (hosts, hosts) if p["sides"] == "both" else (hosts[half:], hosts[:half])
            yield self.arrivals("load", self.ends(senders, receivers), len(receivers) * p["rate"])
        # The run lasts until the second of two flows of a byte has ended.
        yield (f"group end kind=query {self.ends(hosts[:1], hosts[1:2])} flows=1 lo=1 hi=1 count=2 "
               f"period={p['duration']}ns")

    def sent(self, raw):
        """Rates that hosts' NICs sent, in bit/s of frames, and how many of these a second."""
        ports = [accounting.read(raw)[host, "eth0"] for host in self.network.hosts]
        seconds_ns = self.p["duration"] + sync.BEGIN_NS
        rates = sorted(port.counters["tx_bytes"] * 8 * sync.SECOND_NS // seconds_ns for port in ports)
        frames = sum(port.counters["tx_packets"] for port in ports)
        return {"mean_bps": sum(rates) // len(rates), "max_bps": rates[-1],
                "frames_per_s": results.quotient(frames * sync.SECOND_NS, seconds_ns * len(ports), 1)}

    def more(self, raw, flows):
        samples = sync.read(raw)
        every = sync.rounds(samples)
        found = {
            "common_s": sync.first_common(every, len(self.network.hosts)),
            **middles(raw, samples, self.window()),
            "live": sync.live(every, self.window()),
            "sent": self.sent(raw),
        }
        suffering = [*self.p["clock_step"], *(fault[1] for fault in self.p["faults"])]
        if suffering:
            found["series"] = list(sync.series(every, PERIOD_NS))
            found["alone"] = sync.alone(every, suffering[-1], PERIOD_NS)
        return found


# The report's part: loads, stamps, sizes, neighbours, faults.

STAMPS = ("software", "hardware")
LOADS = ("0", "0.4", "0.8")
# The first 20 of 120 s are not measured: hosts are locked after 8. Nearly all CPU time of a run is spent on the daemons' wakeups, 30 ms for each edge
# and second. Probes cannot be sent less often: with a pair every 50 ms, too few of a window's pairs meet no queue.
TIME = ("duration=120s", "settle=20s")
# Numbers that are judged by limits.
SEEDS = (1, 2, 3)
MESH = "hosts=8"
LOADED = "load=0.8"
EDGE_S = 0.03 * 120


def run(case, seed, arguments, cost=40):
    return Run(f"clock/{case}", "clock", tuple(arguments), seed, cost)


def error(percent):
    """Errors of pairs, as published and used, ns."""
    return lambda data, key: data.mean(f"clock/{key}", f"live.error.{percent}_ns")


def of(path):
    return lambda data, key: data.mean(f"clock/{key}", path)


# Results of any run of the scenario about its clocks.
COLUMNS = (
    Column("mid-window: median, ns", of("mid.p50_ns"), "{:.0f}".format), Column("p99, ns", of("mid.p99_ns"), "{:.0f}".format),
    Column("of single edges: median, ns", of("edges.p50_ns"), "{:.0f}".format), Column("p99, ns", of("edges.p99_ns"), "{:.0f}".format),
    Column("live: median, ns", error("p50"), "{:.0f}".format), Column("p99, ns", error("p99"), "{:.0f}".format), Column("most, ns", error("max"), "{:.0f}".format),
    Column("bound, median, ns", of("live.bound.p50_ns"), "{:.0f}".format), Column("bound holds, %", of("live.bound.held_percent"), "{:.2f}".format),
    Column("common time after, s", of("common_s"), "{:.1f}".format), Column("of the time, %", of("live.published_percent"), "{:.1f}".format),
    Column("sent, Mbit/s a host", lambda data, key: of("sent.mean_bps")(data, key) / 1e6, "{:.2f}".format),
)


def grid(name, title, text, head, lines, first=()):
    """lines: (label, case below clock/); first: columns before those of any run."""
    return Grid(name, title, text, head, tuple(lines), (*first, *COLUMNS), tuple(f"clock/{case}" for _, case in lines))


# Defaults of huygens-lite.
DEGREE = 10


def neighbours(hosts, degree=DEGREE):
    """How many hosts each probes: those that it chooses and those that choose it, which are all where it would be more; graph_neighbours() of huygens-lite."""
    return min(2 * degree, hosts - 1)


def probed(meshes):
    """The column of them; meshes: case below clock/ -> their number."""
    return Column("neighbours of a host", lambda _, key: meshes[key], "{:d}".format)


def curve(name, xlabel, series):
    """p99, live, over x; series: name -> {x: case}."""
    def figure(data):
        return plot.Lines(name=name, xlabel=xlabel, ylabel="error of pairs, p99, ns",
                             series={label: [(float(x), error("p99")(data, case)) for x, case in cases.items()] for label, cases in series.items()})
    return figure


def loads(seeds):
    """Against load, by stamps."""
    def case(stamps, load, sides="both"):
        return f"loads/{stamps}/{load}/{sides}"

    cases = [("software", load, "both") for load in LOADS] + [("software", "0.8", "one"), ("hardware", "0", "both"), ("hardware", "0.8", "both")]
    every = [run(case(stamps, load, sides), seed, (MESH, *TIME, f"stamps={stamps}", f"load={load}", f"sides={sides}"), 56 * EDGE_S) for stamps, load, sides in cases for seed in (SEEDS if (load, sides) == ("0.8", "both") else seeds)]
    lines = [(f"{stamps}, load {load}" + (", one way" if sides == "one" else ""), case(stamps, load, sides)) for stamps, load, sides in cases]
    return Experiment("loads", tuple(every), (), (Figure(
        "clock-loads", "Clock errors by load", "8 hosts, links of 1 Gbit/s; distance of the common times of two hosts, 99th percentile over pairs and time.",
        curve("clock-loads", "load of every link", {stamps: {load: case(kind, load, sides) for kind, load, sides in cases if kind == stamps and sides == "both"}
                                                    for stamps in STAMPS}),
        ("clock/loads",)),), (grid("loads", "Load and timestamps", "8 hosts, all of them neighbours, with a pair of probes to each every 20 ms. Runs have 120 s, of which the first 20 are not measured. Numbers at 80 % in both directions are means of three seeds, others have one. "
                                   "With one way only links towards half of the hosts are loaded, and links from the other half.", "timestamps", lines),))


# Hosts -> case below clock/; of 16 that is the highest of the degrees.
SIZES = {"4": "sizes/4", "16": f"degree/{DEGREE}", "50": "sizes/50"}


def sizes(seeds):
    """Against the number of hosts."""
    every = [run(case, seed, (f"hosts={hosts}", *TIME, LOADED), int(hosts) * neighbours(int(hosts)) * EDGE_S) for seed in seeds for hosts, case in SIZES.items()
             if case.startswith("sizes/")]
    return Experiment("sizes", tuple(every), (), (), (grid("sizes", "Number of hosts", f"Software timestamps, 80 % load, K = {DEGREE}, a pair to each neighbour every 20 ms.",
                                                        "hosts", SIZES.items(), (probed({case: neighbours(int(hosts)) for hosts, case in SIZES.items()}),)),))


DEGREES = ("1", "2", "4", str(DEGREE))
# Neighbours of each of 16 hosts.
NEIGHBOURS = {f"degree/{degree}": neighbours(16, int(degree)) for degree in DEGREES}


def exponent(data):
    """Exponent by which errors depend on the neighbours of 16 hosts, median, mid-window: the slope of the logarithms; None if there is no such error."""
    errors = [of("mid.p50_ns")(data, case) for case in NEIGHBOURS]
    return statistics.linear_regression(*(list(map(math.log, numbers)) for numbers in (NEIGHBOURS.values(), errors))).slope if all(errors) else None


def solved_edges(data):
    """{case below clock/: solved edges of a host, as a part of its neighbours}, of 16 hosts. An edge has one solution a window
    of 2 s, of 100 s, but where too few pairs met no queue."""
    return {case: data.mean(f"clock/{case}", "edges.n") / 50 * 2 / 16 / each for case, each in NEIGHBOURS.items()}


def degrees(seeds):
    """Against the number of neighbours."""
    def case(degree):
        return f"degree/{degree}"

    every = [run(case(degree), seed, ("hosts=16", *TIME, LOADED, f"degree={degree}"), 16 * NEIGHBOURS[case(degree)] * EDGE_S) for seed in seeds for degree in DEGREES]

    def figure(data):
        middle = of("mid.p50_ns")
        few, first = NEIGHBOURS[case("2")], middle(data, case("2"))
        return plot.Lines(name="clock-degree", xlabel="neighbours that a host probes", ylabel="mid-window error of pairs, median, ns", series={
            "measured": [(each, middle(data, name)) for name, each in NEIGHBOURS.items()],
            f"as one over the root, from {few}": [(each, first * (few / each) ** 0.5) for each in NEIGHBOURS.values()]})

    return Experiment("degrees", tuple(every), (), (Figure(
        "clock-degree", "Errors by number of neighbours", "16 hosts, software timestamps, 80 % load, a pair every 20 ms. The network effect should make errors fall "
        "as one over the root of the neighbours, at least.",
        figure, ("clock/degree",)),), (grid("degrees", "Number of neighbours", "16 hosts, software timestamps, 80 % load, a pair to each neighbour every 20 ms. A host "
                                            f"probes K others that it chooses and the K that choose it, except in the full mesh, which K = {DEGREE} is here.", "K",
                                            [(degree, case(degree)) for degree in DEGREES], (probed(NEIGHBOURS),)),))


def coded(seeds):
    """With and without the pair filter."""
    every = [run(f"coded/{stamps}/{coded_}", seed, ("hosts=4", *TIME, LOADED, f"stamps={stamps}", f"coded={coded_}"), 12 * EDGE_S)
             for seed in seeds for stamps in STAMPS for coded_ in ("yes", "no")]
    return Experiment("coded", tuple(every), (), (), (grid(
        "coded", "Coded pairs", "4 hosts, 80 % load. Without coded pairs single probes are sent, half as many, and all are used.", "timestamps",
        [(f"{stamps}, coded {coded_}", f"coded/{stamps}/{coded_}") for stamps in STAMPS for coded_ in ("yes", "no")]),))


# hosts, load; of eight hosts the bursts are a row of the loads.
PACKETS = (("4", "0.8"), ("8", "0.8"))


def packets(seeds):
    """Bursts without packets compared with real ones."""
    def case(traffic, hosts, load):
        return f"packets/{traffic}/{hosts}/{load}"

    every = [run(case("packets", hosts, load), seed, (f"hosts={hosts}", *TIME, "traffic=packets", f"load={load}"), int(hosts) * float(load) * 130)
             for seed in seeds for hosts, load in PACKETS]
    every += [run(case("cross", "4", "0.8"), seed, ("hosts=4", *TIME, LOADED), 12 * EDGE_S) for seed in seeds]
    lines = [("4 hosts, bursts", case("cross", "4", "0.8")), ("4 hosts, TCP", case("packets", "4", "0.8")),
             ("8 hosts, bursts", "loads/software/0.8/both"), ("8 hosts, TCP", case("packets", "8", "0.8"))]
    return Experiment("packets", tuple(every), (), (), (grid(
        "packets", "Bursts without packets, compared with packets", "Software timestamps, 1 Gbit/s, 80 % load, 120 s: bursts of 30 KB that occupy ports, and TCP's web-search flows between all pairs.",
        "hosts", lines),))


# name, description, arguments
FAILURES = (
    ("none", "no fault", ()),
    ("coordinator", "the coordinator is killed at 24 s", ("faults=kill:h1:24s",)),
    ("restart", "another host's daemon is killed at 24 s, begins again at 30 s", ("faults=kill:h3:24s:30s",)),
    ("step", "a host's clock is stepped by 5 ms at 24 s", ("clock_step=h3:24s:5ms",)),
    ("cut", "a host is cut off from 24 to 44 s", ("faults=cut:h3:24s:44s",)),
    ("part", "half of the hosts is cut off from the other half from 24 to 36 s", ("faults=part:h2:24s:36s",)),
    ("lost", "30 % of all packets are lost", ("aqm=netem loss 30% limit 10000",)),
    ("asymmetry", "a host's link is 50 us longer one way", ("asymmetry=h3:50us",)),
    ("lies", "the third of four hosts reports 50 us too much for its edge to the fourth", ("lies=h3:50us",)),
)


def failures(seeds):
    """Faults of hosts, daemons and links."""
    every = [run(f"faults/{name}", seed, ("hosts=4", *(("duration=52s", "settle=12s") if arguments else TIME), "load=0.4", *arguments), 12 * EDGE_S) for seed in seeds for name, _, arguments in FAILURES]

    def figure(data):
        points = data.results("clock/faults/cut")[0].document["alone"]
        return plot.Lines(name="clock-holdover", xlabel="time, s", ylabel="of the host that is cut off, ns", series={
            "error": [(at, abs(ahead)) for at, ahead, _ in points if at >= 12], "bound": [(at, bound) for at, _, bound in points if at >= 12]})

    return Experiment("faults", tuple(every), (), (Figure(
        "clock-holdover", "A host that is cut off", "4 hosts, 40 % load; one is cut off from 24 to 44 s. The figure has its distance from the others, and its own bound.",
        figure, ("clock/faults/cut",)),), (grid("faults", "Faults", "4 hosts, software timestamps, 40 % load. Errors are those of all pairs that have a common time, in 52 s after the first 12 (without a fault in 120 after 20), "
                                                "the time of the fault included.", "fault", [(label, f"faults/{name}") for name, label, _ in FAILURES]),))
