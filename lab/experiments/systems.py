# SPDX-License-Identifier: GPL-2.0
"""All systems side by side: the same TCP traffic around one bridge, with different qdiscs at its ports and at the hosts.

        h1 ---+
        h2 ---+--- bridge       every host sends and receives; links have the key `rate`
        ... --+

`traffic` is one of

        fanin       8 hosts send an endless flow each to one
        incast      one host requests `request` bytes of each of 40 others at once, every `period`; `long` of them send it an endless flow, too
        load        16 hosts, Poisson arrivals of the workload between random pairs at `load` of every link
        victim      a host sends an endless flow to each of 8 hosts with a tenth of the rate, and one to an idle host: the victim
        step        2 endless flows to one host; from a third of the duration to two thirds 8 more

But with incast and load, the host h1 also answers requests for 2 KB, one every 250 us in the mean. It sends the answers to the receiver of the
endless flows, with victim to the idle host. `short` has the times of these, with incast of the requests, with load of flows up to 100 KB; `large` those of
flows from 10 MB. Measured are times from `settle` to the end. Rates are those on the wire: `goodput_gbps` of all that receivers got, `victim_gbps`
of the victim; `jain` is Jain's index of the other endless flows. `queue` is of the ports to receivers. `paused` is the largest share of the time in which PAUSE held a host's MAC.
`control_percent` is what control frames (PAUSE, CNM, RD) and OR-ACKs are of the received bytes.
"""

from lab.experiments.explicit import jain
from lab.experiments.shared import lossless
from lab.experiments.shared import settings as common
from lab.experiments.shared.senders import AMPLE, TIGHT_US, onramp
from lab.experiments.shared.tuned import Tuned
from lab.host import acc, accounting, results
from lab.host.onramp import or_acks
from lab.host.keys import Key, choice, fraction, number, size, time
from lab.host.units import Refused
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, Run

SUMMARY = "ECN#, On-Ramp, acc-tuner, PAUSE, QCN, FECN with the same traffic around one bridge"
ROWS = ()
# Hosts that an incast asks, and slow receivers of the victim's host.
FANIN, SLOW = 40, 8
# Hosts of each traffic.
COUNTS = {"fanin": 9, "incast": FANIN + 1, "load": 16, "victim": SLOW + 2, "step": 11}
KEYS = [
    *lossless.keys(aqm="pfifo limit 660", duration="200ms", pause="off"),
    Key("traffic", "fanin", choice(*COUNTS), f"what hosts send: {', '.join(COUNTS)}"),
    Key("cc", "cubic", choice("dctcp", "cubic", "reno", "bbr"), "congestion control: dctcp, cubic, reno, bbr"),
    Key("tuner", "off", choice("off", "follow", "ddqn"), "thresholds of all ports are chosen by: off (nobody), acc-tuner with policy follow or ddqn"),
    Key("workload", "websearch", common.workload, common.READING),
    Key("load", "0.4", fraction(0.001, 1), "offered load with traffic=load, a fraction of every link's rate"),
    Key("request", "2k", size("1b", "100m"), "bytes of each answer with traffic=incast"),
    Key("long", "0", number(0, FANIN), "endless flows with traffic=incast, 0 to 40"),
    Key("period", "1ms", time("1us", "100s"), "mean time from one incast to the next"),
    Key("settle", "20ms", time("0ns", "100s"), "how much of the beginning is not measured"),
]
# Requests of 2 KB of h1, and the mean time from one to the next.
PROBE, PROBE_NS = 2000, 250_000


class Setting(Tuned, lossless.LanSetting):
    """The bridge and its hosts."""

    memory = "2G"

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        p = {**p, "model": acc.MODELS["network"], "interval": 10**6, "share": 0, "conn": "pool", "aqm": acc.aqm(p["aqm"])}
        self.hosts = [f"h{index + 1}" for index in range(COUNTS[p["traffic"]])]
        slow = {host: p["rate"] // 10 for host in self.hosts[1:SLOW + 1]} if p["traffic"] == "victim" else {}
        super().__init__(p, lossless.lan(p, seed, self.hosts, self.hosts, slow))
        acc.check(p, self.qdisc)
        self.tuner = acc.Tuner(p, seed, "*")

    def window(self):
        return self.p["settle"], self.p["duration"]

    def windows(self):
        return [self.window()]

    def receiving(self):
        """Hosts to which data is sent."""
        return {"load": self.hosts, "victim": self.hosts[1:]}.get(self.p["traffic"], self.hosts[-1:])

    # Traffic of the hosts.

    def groups(self):
        yield from getattr(self, f"_{self.p['traffic']}")()

    def endless(self, name, sender, receiver, start=0, end=None):
        return self.long(name, sender, receiver, f"cc={self.p['cc']}", start, end)

    def probes(self, receiver):
        return (f"group short kind=query {self.ends(['h1'], [receiver])} conn=pool flows=1 pick=random lo={PROBE} hi={PROBE} spacing=poisson "
                f"period={PROBE_NS}ns until={self.p['duration']}ns")

    def _fanin(self):
        *senders, receiver = self.hosts
        yield from (self.endless(f"f{index}", host, receiver) for index, host in enumerate(senders, 1))
        yield self.probes(receiver)

    def _step(self):
        *senders, receiver = self.hosts
        third = self.p["duration"] // 3
        for index, host in enumerate(senders, 1):
            yield self.endless(f"f{index}", host, receiver, *(() if index <= 2 else (third, 2 * third)))
        yield self.probes(receiver)

    def _victim(self):
        first, *slow, idle = self.hosts
        yield from (self.endless(f"f{index}", first, host) for index, host in enumerate(slow, 1))
        yield self.endless("victim", first, idle)
        yield self.probes(idle)

    def _incast(self):
        p, (*servers, client) = self.p, self.hosts
        yield from (self.endless(f"f{index}", host, client) for index, host in enumerate(servers[:p["long"]], 1))
        yield (f"group short kind=query {self.ends(servers, [client])} conn=pool flows={FANIN} pick=random lo={p['request']} hi={p['request']} "
               f"spacing=poisson period={p['period']}ns until={p['duration']}ns")

    def _load(self):
        yield self.arrivals("load", self.ends(self.hosts, self.hosts), len(self.hosts) * self.p["rate"])

    # Measurements.

    def results(self, raw, summary):
        found, flows = super().results(raw, summary), self.flows(raw)
        rates = {name: got[0] for name, got in found["rates_gbps"].items()}
        control = sum(port.control_sent().size for port in accounting.read(raw).values())
        payload = sum(flow.bytes for flow in flows)
        acks = or_acks(raw, payload) if self.measures() else {"bytes": 0}
        ports = [results.read_port(raw, f"to-{host}") for host in self.receiving()]
        others = [rates[name] for name in rates if name.startswith("f")]
        return {
            "goodput_gbps": round(sum(rates.values()), 3),
            "victim_gbps": rates.get("victim"),
            "jain": jain(others),
            **self.times([flow for flow in flows if flow.start_ns >= self.p["settle"]]),
            "paused": max(of["held"] for of in found["senders"].values()),
            "queue": results.summarise_queue(ports),
            "timeouts": results.sum_netstat(raw, self.network.hosts, "TcpExtTCPTimeouts"),
            "control_percent": results.quotient(100 * (control + acks["bytes"]), payload, 4),
            **self.tuner.figures(raw),
            **found,
        }

    def times(self, flows):
        """Completion times of short and large flows, or of requests."""
        if self.p["traffic"] == "load":
            return {name: found for name, found in results.classes(flows).items() if name != "all"}
        short = [flow for flow in flows if flow.group == "short"]
        return {"short": results.summarise_requests(short) if self.p["traffic"] == "incast" else results.summarise_flows(short)}


# The report's part: each system with each traffic.

# The same 1 MB a port for all that drop, and DCTCP's threshold of 65 packets as a time (combine.py).
LIMIT = 660
FQ = f"host=fq {AMPLE}"
ECNSHARP = f"aqm=ecnsharp limit {LIMIT} ins_target 78us pst_interval 80us pst_target 40us"
ON_RAMP = f"host={onramp(TIGHT_US)}"
FECN = "aqm=cp law fecn qeq 24000b buffer 32mb limit 1000kb pause output xoff 700kb xon 600kb"
PAUSED = ("pause=on", "cc=cubic")
# Name -> (label, arguments, what each switch needs, what each host needs).
SYSTEMS = {
    "cubic": ("CUBIC, tail drop", ("cc=cubic", FQ), "nothing", "nothing"),
    "dctcp": ("DCTCP, one threshold", ("cc=dctcp", FQ, f"aqm=ecnsharp limit {LIMIT} ins_target 78us persistent off"), "ECN", "DCTCP"),
    "ecnsharp": ("DCTCP, ECN#", ("cc=dctcp", FQ, ECNSHARP), "ecnsharp", "DCTCP"),
    "acc": ("DCTCP, acc-tuner", ("cc=dctcp", FQ, "aqm=secn2", f"buffer={LIMIT}", "tuner=follow"), "ecnsharp, acc-tuner", "DCTCP"),
    "onramp": ("On-Ramp, CUBIC", ("cc=cubic", ON_RAMP), "nothing", "onramp, onramp_acker, synchronised clocks"),
    "onramp-bbr": ("On-Ramp, BBR", ("cc=bbr", ON_RAMP), "nothing", "onramp, onramp_acker, synchronised clocks, BBR"),
    "both": ("On-Ramp, DCTCP, ECN#", ("cc=dctcp", ON_RAMP, ECNSHARP), "ecnsharp", "onramp, onramp_acker, synchronised clocks, DCTCP"),
    "pause": ("CUBIC, PAUSE only", (*PAUSED, FQ, "aqm=pause"), "cp", "PAUSE"),
    "qcn-output": ("CUBIC, QCN at outputs", (*PAUSED, f"host={lossless.RP}", "aqm=cnm-output"), "cp", "PAUSE, onramp rp qcn"),
    "qcn-input": ("CUBIC, QCN at inputs, random occupancy", (*PAUSED, f"host={lossless.RP}", "aqm=cnm-random"), "cp", "PAUSE, onramp rp qcn"),
    "ecn-input": ("DCTCP, ECN at inputs, random occupancy", ("pause=on", "cc=dctcp", FQ, "aqm=ecn-random"), "cp", "PAUSE, DCTCP"),
    "fecn": ("CUBIC, FECN", (*PAUSED, f"host={lossless.RP_FECN.partition(' rd_initial')[0]}", FECN), "cp", "PAUSE, onramp rp fecn"),
}
# Systems with PAUSE once more, with hosts that send at most two frames of a flow one after the other.
SYSTEMS |= {f"{name}-4k": (f"{label}, GSO of 4 KB", (*arguments, "gso_size=4096b"), switch, f"{host}, gso_max_size 4096")
            for name in ("pause", "qcn-input", "fecn") for label, arguments, switch, host in [SYSTEMS[name]]}
# Name -> (title, arguments, cost of a run).
TRAFFIC = {
    "fanin": ("8 endless flows to one host, and its neighbour's 2 KB requests", ("traffic=fanin",), 15),
    "incast-2k": ("requests of 40 x 2 KB, one a millisecond, to a host with 2 endless flows", ("traffic=incast", "long=2"), 10),
    "incast-500k": ("requests of 40 x 500 KB, one in 40 ms", ("traffic=incast", "request=500k", "period=40ms"), 20),
    "load-40": ("web search between 16 hosts at 40 %", ("traffic=load", "load=0.4", "duration=100ms"), 40),
    "load-80": ("web search between 16 hosts at 80 %", ("traffic=load", "load=0.8", "duration=100ms"), 60),
    "victim": ("8 endless flows of a host to slow receivers, and one to an idle host", ("traffic=victim",), 15),
    "step": ("2 endless flows, for a third of the time 10", ("traffic=step",), 15),
}
# Traffic that fills links throughout.
SATURATED = ("fanin", "incast-2k", "victim", "step")


def case(traffic, system):
    return f"systems/{traffic}/{system}"


def _of(path):
    def number(data, key):
        return data.mean(key, path) if data.knows(key) else None
    return number


def _columns(traffic):
    short = "requests" if traffic.startswith("incast") else "short flows" if traffic.startswith("load") else "2 KB requests"
    yield Column(f"{short}, p50, us", _of("short.p50_us"))
    yield Column("p99, us", _of("short.p99_us"))
    if traffic.startswith("load"):
        yield Column("large flows, mean, ms", lambda data, key: None if (us := _of("large.mean_us")(data, key)) is None else us / 1000)
    yield Column("Gbit/s", _of("goodput_gbps"), "{:.2f}".format)
    if traffic == "victim":
        yield Column("the victim's, Gbit/s", _of("victim_gbps"), "{:.2f}".format)
    if traffic in ("fanin", "incast-2k", "victim"):
        yield Column("Jain's index", _of("jain"), "{:.3f}".format)
    yield Column("a packet's wait, us", _of("queue.mean_sojourn_us"), "{:.1f}".format)
    yield Column("longest queue, packets", _of("queue.max_pkts"), "{:.0f}".format)
    yield Column("drops", _of("drops"), "{:.0f}".format)
    yield Column("timeouts", _of("timeouts"), "{:.0f}".format)
    yield Column("a host paused, %", lambda data, key: None if (share := _of("paused")(data, key)) is None else 100 * share, "{:.1f}".format)
    yield Column("control, %", _of("control_percent"), "{:.2f}".format)


def _grid(traffic):
    title, *_ = TRAFFIC[traffic]
    return Grid(f"systems-{traffic}", title, "The same flows for all.", "system", tuple((label, case(traffic, name)) for name, (label, *_) in SYSTEMS.items()),
                tuple(_columns(traffic)), (f"systems/{traffic}",))


BASE = "dctcp"
SHOWN = ("cubic", "ecnsharp", "onramp", "both", "pause", "qcn-input", "ecn-input", "fecn")


def _figure(data):
    return plot.Bars(
        name="systems", ylabel="p99 / DCTCP's with one threshold", groups=list(TRAFFIC), line=1, line_label="DCTCP, one threshold",
        series={SYSTEMS[name][0]: [data.ratio(case(traffic, name), case(traffic, BASE), "short.p99_us") for traffic in TRAFFIC] for name in SHOWN})


def experiment(seeds):
    """For the report."""
    every = tuple(Run(case(traffic, name), "systems", (*arguments, *of), seed, cost_s) for seed in seeds for traffic, (_, arguments, cost_s) in TRAFFIC.items()
                  for name, (_, of, *_) in SYSTEMS.items())
    return Experiment("systems", every, figures=(Figure(
        "systems", "99th percentile of short flows and requests, relative to DCTCP with one threshold", "Below the line is faster. One seed.",
        _figure, ("systems",)),), grids=tuple(map(_grid, TRAFFIC)))
