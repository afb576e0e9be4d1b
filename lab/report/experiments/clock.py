# SPDX-License-Identifier: GPL-2.0
"""How well huygens-lite keeps clocks: loads, stamps, sizes, neighbours, faults; and On-Ramp on clocks that it keeps."""

import math
import statistics

import plot
from run_data import within
from experiment import Column, Experiment, Grid, Figure
from runs import Run

STAMPS = ("software", "hardware")
LOADS = ("0", "0.4", "0.8")
# Of 120 s the first 20 are not measured: hosts are locked after 8. What a run costs are the daemons' wakeups, 30 ms for each edge and second. Fewer
# pairs of probes would be no saving: with one every 50 ms too few of a window's meet no queue.
TIME = ("duration=120s", "settle=20s")
# Of what is judged by limits.
SEEDS = (1, 2, 3)
MESH = "hosts=8"
LOADED = "load=0.8"
EDGE_S = 0.03 * 120


def run(case, seed, words, cost=40):
    return Run(f"clock/{case}", "clock", tuple(words), seed, cost)


def error(percent):
    """Of pairs, as published and used, ns."""
    return lambda data, key: data.mean(f"clock/{key}", f"live.error.{percent}_ns")


def of(path):
    return lambda data, key: data.mean(f"clock/{key}", path)


# What any run of the scenario says of its clocks.
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


# Of huygens-lite, if it is told nothing.
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

    asked = [("software", load, "both") for load in LOADS] + [("software", "0.8", "one"), ("hardware", "0", "both"), ("hardware", "0.8", "both")]
    every = [run(case(stamps, load, sides), seed, (MESH, *TIME, f"stamps={stamps}", f"load={load}", f"sides={sides}"), 56 * EDGE_S) for stamps, load, sides in asked for seed in (SEEDS if (load, sides) == ("0.8", "both") else seeds)]
    lines = [(f"{stamps}, load {load}" + (", one way" if sides == "one" else ""), case(stamps, load, sides)) for stamps, load, sides in asked]
    return Experiment("loads", tuple(every), (), (Figure(
        "clock-loads", "What load does to clocks", "8 hosts, links of 1 Gbit/s; how far apart the common times of two hosts are, 99th percentile over pairs and time.",
        curve("clock-loads", "load of every link", {stamps: {load: case(kind, load, sides) for kind, load, sides in asked if kind == stamps and sides == "both"}
                                                    for stamps in STAMPS}),
        ("clock/loads",)),), (grid("loads", "Load and stamps", "8 hosts, all of them neighbours, a pair of probes to each every 20 ms; 120 s, of which the first 20 are not measured; means of three seeds at 80 % both ways, else one. One way: only "
                                   "links towards half of the hosts are loaded, and from the others.", "stamps", lines),))


# Hosts -> case below clock/; of 16 that is the highest of the degrees.
SIZES = {"4": "sizes/4", "16": f"degree/{DEGREE}", "50": "sizes/50"}


def sizes(seeds):
    """Against the number of hosts."""
    every = [run(case, seed, (f"hosts={hosts}", *TIME, LOADED), int(hosts) * neighbours(int(hosts)) * EDGE_S) for seed in seeds for hosts, case in SIZES.items()
             if case.startswith("sizes/")]
    return Experiment("sizes", tuple(every), (), (), (grid("sizes", "How many hosts", f"Software's stamps, 80 % load, K = {DEGREE}, a pair to each neighbour every 20 ms.",
                                                        "hosts", SIZES.items(), (probed({case: neighbours(int(hosts)) for hosts, case in SIZES.items()}),)),))


DEGREES = ("1", "2", "4", str(DEGREE))
# What each of 16 hosts has of them.
NEIGHBOURS = {f"degree/{degree}": neighbours(16, int(degree)) for degree in DEGREES}


def exponent(data):
    """Of the neighbours of 16 hosts, as a power of which errors go, median, mid-window: the slope of the logarithms; None if there is no such error."""
    errors = [of("mid.p50_ns")(data, case) for case in NEIGHBOURS]
    return statistics.linear_regression(*(list(map(math.log, numbers)) for numbers in (NEIGHBOURS.values(), errors))).slope if all(errors) else None


def solved(data):
    """Of 16 hosts: case below clock/ -> how many edges a host had that were solved, to the neighbours that it has. An edge has one solution a window
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
        "clock-degree", "What more neighbours are worth", "16 hosts, software's stamps, 80 % load, a pair every 20 ms. The network effect should make errors fall "
        "as one over the root of the neighbours, at least.",
        figure, ("clock/degree",)),), (grid("degrees", "How many neighbours", "16 hosts, software's stamps, 80 % load, a pair to each neighbour every 20 ms. A host "
                                            f"probes K others that it chooses and the K that choose it, but in the full mesh, which K = {DEGREE} is here.", "K",
                                            [(degree, case(degree)) for degree in DEGREES], (probed(NEIGHBOURS),)),))


def coded(seeds):
    """With and without the pair filter."""
    every = [run(f"coded/{stamps}/{coded_}", seed, ("hosts=4", *TIME, LOADED, f"stamps={stamps}", f"coded={coded_}"), 12 * EDGE_S)
             for seed in seeds for stamps in STAMPS for coded_ in ("yes", "no")]
    return Experiment("coded", tuple(every), (), (), (grid(
        "coded", "Coded pairs", "4 hosts, 80 % load. Without them single probes are sent, half as many, and all are used.", "stamps",
        [(f"{stamps}, coded {coded_}", f"coded/{stamps}/{coded_}") for stamps in STAMPS for coded_ in ("yes", "no")]),))


# hosts, load; of eight hosts the bursts are a row of the loads.
PACKETS = (("4", "0.8"), ("8", "0.8"))


def packets(seeds):
    """Bursts without packets beside real ones."""
    def case(traffic, hosts, load):
        return f"packets/{traffic}/{hosts}/{load}"

    every = [run(case("packets", hosts, load), seed, (f"hosts={hosts}", *TIME, "traffic=packets", f"load={load}"), int(hosts) * float(load) * 130)
             for seed in seeds for hosts, load in PACKETS]
    every += [run(case("cross", "4", "0.8"), seed, ("hosts=4", *TIME, LOADED), 12 * EDGE_S) for seed in seeds]
    lines = [("4 hosts, bursts", case("cross", "4", "0.8")), ("4 hosts, TCP", case("packets", "4", "0.8")),
             ("8 hosts, bursts", "loads/software/0.8/both"), ("8 hosts, TCP", case("packets", "8", "0.8"))]
    return Experiment("packets", tuple(every), (), (), (grid(
        "packets", "Bursts that are no packets, beside packets", "Software's stamps, 1 Gbit/s, 80 % load, 120 s: bursts of 30 KB that occupy ports, and TCP's web-search flows between all pairs.",
        "hosts", lines),))


# What the scenario bursts is asked for, (name, what is told, words): labnic's bursts as clock has them, with room for all at a port's card, and the same as packets.
CROSS, ROOMY, PORTS, HOSTS = (
    ("cross", "no packets, as in the other tables", ("traffic=cross",)), ("roomy", "no packets, rings of 256", ("traffic=cross", "ring=256")),
    ("ports", "packets, each port's own", ("traffic=ports",)), ("hosts", "packets between the hosts", ("traffic=hosts",)))
# Seconds of a processor that a run takes with load 1.
BURSTS_COSTS = {"cross": 20, "roomy": 20, "ports": 160, "hosts": 110}
BURSTS_TIME = ("duration=40s", "settle=16s")
BURSTS_LOADS = tuple(load for load in LOADS if float(load))


# As many hosts, and as long, as in the other tables, with a load of packets: once, since that takes minutes.
EIGHT = ("eight", "packets between the hosts, of which there are 8, 120 s", (MESH, *TIME, "traffic=hosts"))
EIGHT_LOAD = "0.8"


def bursts_case(stamps, load, name):
    """The case of bursts of a kind."""
    return f"bursts/{stamps}/{load}/{name}"


def bursts(seeds):
    """Labnic's bursts beside the same of packets, by what probes meet and what becomes of clocks."""
    asked = [(stamps, "0", CROSS) for stamps in STAMPS] + [(stamps, load, kind) for stamps in STAMPS for load in BURSTS_LOADS for kind in (CROSS, ROOMY, PORTS, HOSTS)]
    every = [Run(bursts_case(stamps, load, name), "bursts", (*BURSTS_TIME, f"stamps={stamps}", f"load={load}", *words), seed, 10 + float(load) * BURSTS_COSTS[name])
             for stamps, load, (name, _, words) in asked for seed in (SEEDS if (stamps, load) == ("software", "0.8") else seeds)]
    eight, _, words = EIGHT
    every += [Run(bursts_case(stamps, EIGHT_LOAD, eight), "bursts", (f"stamps={stamps}", f"load={EIGHT_LOAD}", *words), seed, 600) for stamps in STAMPS for seed in seeds]
    asked += [(stamps, EIGHT_LOAD, EIGHT) for stamps in STAMPS]

    def micro(path):
        return lambda data, key: data.mean(key, path) / 1000

    def whole(path):
        return lambda data, key: data.mean(key, path)

    columns = (
        *(Column(f"{'a probe waits: ' if name == 'mean' else ''}{said}, us", micro(f"met.wait.{name}_ns"), "{:.1f}".format)
          for name, said in (("mean", "mean"), ("p50", "median"), ("p99", "p99"))),
        Column("not at all, %", whole("met.free_percent"), "{:.2f}".format), Column("pairs that are pure, %", whole("met.pure_percent"), "{:.1f}".format),
        *(Column(f"{head}, ns", whole(path), "{:.0f}".format) for head, path in (
            ("mid-window: median", "mid.p50_ns"), ("p99", "mid.p99_ns"), ("live: median", "live.error.p50_ns"), ("p99", "live.error.p99_ns"))),
        *(Column(f"load {said}", whole(f"loaded.{way}"), "{:.3f}".format) for said, way in (("from hosts", "up"), ("to them", "down"))),
    )
    lines = tuple((f"{stamps}, load {load}" + (f", {said}" if float(load) else ""), bursts_case(stamps, load, name)) for stamps, load, (name, said, _) in asked)
    return Experiment("bursts", tuple(every), (), (), (Grid(
        "bursts", "The same bursts, of packets", "4 hosts, 1 Gbit/s, 40 s of which 16 are not measured, three seeds with software's stamps at 80 %, else one. The law is one (30 KB in the mean, M/M/1), and so is "
        "the code that draws: bursts that occupy the wire; the same with cards that take 256 frames from a switch's port at once; UDP datagrams that a sender which nothing slows hands over when a burst comes, "
        "from the host to one beyond the switch for the one end of a link, from that one to the host for the other; and such datagrams from each host to the others; "
        "the last lines are that with 8 hosts and 120 s of which 20 are not measured, one seed.",
        "stamps", lines, columns, ("bursts",)),))


# name, what is told, words
FAULTS = (
    ("none", "no fault", ()),
    ("coordinator", "the coordinator is killed at 24 s", ("faults=kill:h1:24s",)),
    ("restart", "another host's daemon is killed at 24 s, begins again at 30 s", ("faults=kill:h3:24s:30s",)),
    ("step", "a host's clock is stepped by 5 ms at 24 s", ("clock_step=h3:24s:5ms",)),
    ("cut", "a host is cut off from 24 to 44 s", ("faults=cut:h3:24s:44s",)),
    ("part", "half of the hosts is cut off from the other half from 24 to 36 s", ("faults=part:h2:24s:36s",)),
    ("lost", "30 % of all packets are lost", ("aqm=netem loss 30% limit 10000",)),
    ("asymmetry", "a host's link is 50 us longer one way", ("asymmetry=h3:50us",)),
    ("lies", "the third of four hosts says 50 us too much of its edge to the fourth", ("lies=h3:50us",)),
)


def faults(seeds):
    """What goes wrong."""
    every = [run(f"faults/{name}", seed, ("hosts=4", *(("duration=52s", "settle=12s") if words else TIME), "load=0.4", *words), 12 * EDGE_S) for seed in seeds for name, _, words in FAULTS]

    def figure(data):
        points = data.results("clock/faults/cut")[0].document["alone"]
        return plot.Lines(name="clock-holdover", xlabel="time, s", ylabel="of the host that is cut off, ns", series={
            "error": [(at, abs(ahead)) for at, ahead, _ in points if at >= 12], "bound": [(at, bound) for at, _, bound in points if at >= 12]})

    return Experiment("faults", tuple(every), (), (Figure(
        "clock-holdover", "A host that is cut off", "4 hosts, 40 % load; one is cut off from 24 to 44 s: how far it is from the others, and its own bound.",
        figure, ("clock/faults/cut",)),), (grid("faults", "What goes wrong", "4 hosts, software's stamps, 40 % load; errors of all pairs that have a common time, of 52 s after the first 12 (without a fault of 120 after 20), "
                                                "the time of the fault included.", "fault", [(said, f"faults/{name}") for name, said, _ in FAULTS]),))


DAEMONS = ("huygens-lite", "chrony", "ptp4l")
BESIDE_LOADS = LOADS


def daemons(seeds):
    """Other daemons on the same clocks, under the same load."""
    def case(daemon, load):
        return f"daemons/{daemon}/{load}"

    def kept(percent):
        return lambda data, key: data.mean(key, f"kept.{percent}_ns")

    asked = [(daemon, load) for load in BESIDE_LOADS for daemon in DAEMONS]
    every = [Run(case(*one), "daemons", ("hosts=4", "duration=42s", "settle=26s", f"daemon={one[0]}", f"load={one[1]}"), seed, 15)
             for seed in seeds for one in asked]
    return Experiment("daemons", tuple(every), (), (), (Grid(
        "daemons", "Compared with chronyd and ptp4l", "4 hosts, software's stamps, the same clocks and load, one run a daemon, each told what stands above. chronyd and "
        "ptp4l turn CLOCK_REALTIME of each host to that of the first, which polls each other 64 times a second; errors are of these clocks, of 42 s after the first 26.",
        "daemon", tuple((f"{daemon}, load {load}", case(daemon, load)) for daemon, load in asked), (
            *(Column(f"{said}, ns", kept(percent), "{:.0f}".format) for said, percent in (("median", "p50"), ("p99", "p99"), ("most", "max"))),
            Column("sent, Mbit/s a host at most", lambda data, key: data.mean(key, "sent.max_bps") / 1e6, "{:.2f}".format)), ("daemons",)),))


KEPT = (("fq", "fq, no On-Ramp", ("host=fq", "kept=none")), ("perfect", "On-Ramp, perfect clocks", ("kept=perfect",)),
        ("huygens", "On-Ramp, huygens-lite", ("kept=huygens",)), ("ntp", "On-Ramp, clocks as NTP's", ("kept=ntp",)),
        ("none", "On-Ramp, no common time", ("kept=none",)))
RCT = ("mean", "p99")
RCT_ALL = ("mean", "p50", "p95", "p99")


def kept(name):
    """The case of requests on clocks that are kept so."""
    return f"e2e/{name}"


def end_to_end(seeds):
    """On-Ramp on clocks that the daemon keeps."""
    every = tuple(Run(kept(name), "e2e", ("warm=9s", "interval=50ms", *words), seed, 25) for seed in seeds for name, _, words in KEPT)

    def own(path):
        return lambda data, key: data.mean(f"e2e/{key}", path)

    def ratio(path):
        return lambda data, key: data.of_means(f"e2e/{key}", "e2e/fq", path)

    def ratios(path):
        return lambda data, key: (ratio(path)(data, key), data.ratios(f"e2e/{key}", "e2e/fq", path))

    def figure(data):
        shown = [name for name, _, _ in KEPT if name != "fq"]
        return plot.Bars(name="clock-e2e", ylabel="request completion / fq's", groups=shown,
                            series={number: [ratio(f"requests.{number}_us")(data, name) for name in shown] for number in RCT}, line=1, line_label="fq")

    def held(data, key):
        return None if key == "fq" else own("holds.n")(data, key)

    return Experiment("e2e", every, (), (Figure(
        "clock-e2e", "On-Ramp on clocks that huygens-lite keeps", "16 hosts, CUBIC, web search at 40 %, requests of 2 KB to 15 hosts at once; quotients of the means of three seeds. Below the line is faster.",
        figure, ("e2e",)),), (Grid("e2e", "On-Ramp on clocks that huygens-lite keeps", "16 hosts, 10 Gbit/s, hosts' software as late as with the other runs; traffic begins 9 s after the daemons; means of three seeds. "
                                   "A quotient is that of the means; in brackets are the least and the most of the seeds' own.", "clocks",
                                   tuple((said, name) for name, said, _ in KEPT), (
                                       *(Column(f"RCT {number}, us", own(f"requests.{number}_us"), "{:.0f}".format) for number in RCT_ALL),
                                       *(Column(f"RCT {number} / fq's, of means (of seeds)", ratios(f"requests.{number}_us"), lambda told: within(*told)) for number in RCT),
                                       Column("holds", held, "{:.0f}".format), Column("drops", own("drops"), "{:.0f}".format),
                                       Column("clocks apart, p99, ns", own("common.error.p99_ns"), "{:.0f}".format)), ("e2e",)),))


def short(seeds):
    """For the demo."""
    shown = {"onramp": "huygens", "no common time": "none"}
    every = tuple(Run(kept(name), "e2e", ("hosts=8", "fanin=7", "warm=12s", *words), seed, 20)
                  for seed in seeds for name, _, words in KEPT if name in ("fq", *shown.values()))

    def figure(data):
        return plot.Bars(name="clock-e2e", ylabel="request completion / fq's", groups=list(RCT), line=1, line_label="fq", series={
            label: [data.ratio(f"e2e/{name}", "e2e/fq", f"requests.{number}_us") for number in RCT] for label, name in shown.items()})

    return Experiment("e2e", every, (), (Figure(
        "clock-e2e", "On-Ramp on clocks that huygens-lite keeps, and without a common time",
        "8 hosts whose clocks are up to a second and 50 ppm off, the daemon in each; requests of 2 KB to 7 hosts at once beside web search at 40 %. Without a common "
        "time nothing is held.", figure, ("e2e",)),))
