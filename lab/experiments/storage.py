# SPDX-License-Identifier: GPL-2.0
"""Computing together with storage: the On-Ramp paper's Fig. 17 and 27.

Two racks, each a leaf switch, joined by three spines. In the first are computing clients and storage clients, in the second
computing servers and storage servers. Links of the switches and of the storage servers have `uplink`, all others `rate`, so that with
the defaults 12 storage clients just ask for what the uplinks of the second rack carry, 300 Gbit/s.

Storage: each pair of storage clients reads from one storage server, each client over `connections`, as NVMe over TCP has several. Clients
begin one after the other in the first half of `settle`. A client always has another read waiting, so a connection is a long flow, and it
does not show where one read of the paper's 16 to 128 KB ends; what a client asks for is what its link carries. Computing: each computing
client asks a random server for `rpc` bytes, as Poisson arrivals of `rpc_load` of its link.

Storage servers have the qdisc `host` at their root and storage clients send OR-ACKs if that is onramp; computing hosts have fq and
know nothing of it. With `cc` both kinds of traffic have that congestion control; cc=dctcp wants an `aqm` that marks.

`rpc` is the latency of computing's requests that start after `settle`: its median is most requests', a SYN that is lost costs a second.
`storage_gbps` is what storage clients received after `settle`, frames and all. `drops`, `timeouts` and `retransmits` are of the whole run.
`tiers` are the queues from leaf to spine (`up`), from spine to leaf (`down`) and from leaf to host (`receiving`), where a storage client's
link is full whatever the network does. `utilisation` is the mean of the ports to all hosts, and without meaning here.
"""

from lab.experiments.shared import settings as common
from lab.experiments.shared.senders import schemes
from lab.host import results
from lab.host.keys import Key, fraction, number, rate, size, time
from lab.host.racks import Racks, SHAPE
from lab.host.units import Refused
from lab.report import plot, verdict
from lab.report.experiment import Column, Experiment, Figure, Grid, Run, ratio_row
from lab.report.paper_value import PaperValue

SUMMARY = "latency of small requests while storage traffic fills the uplinks, 63 hosts in two racks (On-Ramp Fig. 17, 27)"
ROWS = ("S3-16",)
KEYS = [
    common.AQM,
    *common.keys(without=("aqm", "buffer", "workload", "load"), shape=SHAPE, cc="cubic", rate="25gbit", rtt="10us", duration="12ms",
                 conn="pool"),
    Key("uplink", "100gbit", rate("10mbit", "100gbit"), "rate of the links between switches, and of the storage servers'"),
    Key("buffer", "4m", common.BUFFER.read, common.BUFFER.help),
    common.HOST,
    common.ACKER,
    Key("connections", "8", number(1, 100), "connections of each storage client, 1 to 100"),
    Key("rpc", "2k", size("1b", "100m"), "bytes of the answer that a computing client gets, 1b to 100m"),
    Key("rpc_load", "0.01", fraction(0.001, 1), "what each of them asks for, a fraction of its link"),
    Key("settle", "5ms", time("0ns", "100s"), "how much of the beginning is not measured"),
]


class Setting(common.LeafSpineSetting):
    """Reads and remote procedure calls, from one rack by the other."""

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        super().__init__(common.tail_drop(p), Racks(p, seed))

    def host_qdisc(self, host):
        network = self.network
        return super().host_qdisc(host) if host in network.stores + network.readers else ["fq"]

    def window(self):
        return self.p["settle"], self.p["duration"]

    def groups(self):
        p, network = self.p, self.network
        period = p["rpc"] * 8 * 10**9 * 1000 // (len(network.clients) * p["rate"] * p["rpc_load"])
        yield (f"group rpc kind=query {self.ends(network.servers, network.clients)} conn={p['conn']} flows=1 pick=random lo={p['rpc']} "
               f"hi={p['rpc']} spacing=poisson period={max(1, period)}ns until={p['duration']}ns")
        for place, (store, reader) in enumerate(network.reads()):
            yield (f"group read-{reader} kind=long {self.ends([store], [reader])} flows={p['connections']} "
                   f"from={place * p['settle'] // (2 * len(network.readers))}ns until={p['duration']}ns")

    def classes(self, flows):
        """Storage's are endless, computing's all of one size."""
        return {}

    def more(self, raw, flows):
        ports = [results.read_port(raw, f"leaf1.to-{host}") for host in self.network.readers]
        start, end = self.window()
        return {
            "rpc": results.summarise_flows([flow for flow in flows if flow.group == "rpc" and flow.start_ns >= start]),
            "storage_gbps": results.quotient(8 * sum(port.head["departed_bytes"] for port in ports), end - start),
            **self.sent_again(raw),
            "tiers": self.tiers(raw),
            "sender_qdiscs": self.sum_qdiscs(raw, [end for end in self.network.sending if end[0] in self.network.stores]),
        }


# Computing together with storage: On-Ramp's Fig. 17 and 27.

_17 = "On-Ramp with CUBIC reduces the latency of computing RPCs by 10x while maintaining the throughput of storage traffic"
_17D = "both achieve a similar performance in terms of compute application latency, but DCTCP achieves a slightly lower storage throughput"
_RACKS = "two racks, 12 storage clients, T = 30 us, CUBIC"


def _storage(figure, what, value, says, setup=_RACKS, section="6"):
    return PaperValue("S3-16", figure, section, setup, what, value, 1, "change", says)


PAPER = {
    "storage-rpc": _storage("17", "RPC latency, On-Ramp to without", 1 / 10, _17),
    "storage-used": _storage("17", "storage throughput, On-Ramp to without", 1, _17),
    "storage-drops": _storage("17", "packets dropped, On-Ramp to without", 1 / 260, "The number of packets dropped is reduced by about 260x"),
    "storage-tight": _storage("17", "storage throughput, T = 15 us to 30 us", 1, "only marginally reducing the storage throughput"),
    "storage-dctcp-rpc": _storage("17", "RPC latency, DCTCP to CUBIC with On-Ramp", 1, _17D),
    "storage-dctcp-used": _storage("17", "storage throughput, DCTCP to CUBIC with On-Ramp", 1, _17D),
    "storage-calm": _storage("27", "RPC latency at 250 Gbit/s, On-Ramp to without", 1, "the network is not congested yet, CUBIC, CUBIC + On-Ramp and DCTCP "
                             "give similar performances", "two racks, 10 storage clients", "10.3"),
}


COST_S = 20     # of all readers
ARGS = ()
READERS = (0, 6, 10, 12)
MOST = READERS[-1]
WIDE_US, TIGHT_US = 30, 15
# DCTCP's 65 packets at 10 Gbit/s, as many more as the storage clients' links are faster.
MARKS = "aqm=red limit 4000000 min 250000 max 250001 avpkt 1500 burst 167 bandwidth 25gbit probability 1 ecn nodrop"
# scheme -> (label, arguments)
SCHEMES = {
    "fq": ("fq", ("cc=cubic", f"host={schemes(WIDE_US)['fq']}")),
    "onramp": ("On-Ramp, T = 30 us", ("cc=cubic", f"host={schemes(WIDE_US)['onramp']}")),
    "tight": ("On-Ramp, T = 15 us", ("cc=cubic", f"host={schemes(TIGHT_US)['onramp']}")),
    "small": ("On-Ramp, GSO 16 KB", ("cc=cubic", "gso_size=16384b", f"host={schemes(WIDE_US)['onramp']}")),
    "dctcp": ("fq, DCTCP", ("cc=dctcp", MARKS, f"host={schemes(WIDE_US)['fq']}")),
}
COMPARED = ("fq", "onramp", "small", "dctcp")


def case(scheme, readers=MOST):
    """Without storage all schemes are one."""
    return f"storage/{readers}/{scheme}" if readers else "storage/0/fq"


def _run(scheme, readers, seed):
    return Run(case(scheme, readers), "storage", (f"readers={readers}", *ARGS, *SCHEMES[scheme][1]), seed, COST_S * (readers + 2) / (MOST + 2))


def _runs(seed):
    yield _run("fq", 0, seed)
    for readers in READERS[1:]:
        yield from (_run(scheme, readers, seed) for scheme in (SCHEMES if readers == MOST else COMPARED))


def _cause(over, under, readers=MOST):
    def cause(data):
        cases = case(under, readers), case(over, readers)
        waits, drops, used = ([data.mean(one, path) for one in cases] for path in (
            "tiers.up.queue.mean_sojourn_us", "tiers.up.drops", "storage_gbps"))
        small, large = (data.mean(case(scheme), "rpc.p95_us") for scheme in ("small", "onramp"))
        return (f"a packet waits {waits[0]:.0f} us at the uplinks with {SCHEMES[under][0]} and {waits[1]:.0f} us with {SCHEMES[over][0]}, which drop "
                f"{drops[0]:.0f} and {drops[1]:.0f} and give storage {used[0]:.0f} and {used[1]:.0f} Gbit/s; the idle path answers in "
                f"{data.mean(case('fq', 0), 'rpc.p50_us'):.0f} us. With GSO packets of 16 KB in the place of 64 "
                f"the 95th percentile of On-Ramp's RPCs is {small:.0f} us, not {large:.0f}: what still waits at {MOST} clients is what {MOST * 8} connections "
                "hand down at once. The paper's buffers and RPCs are not known")
    return cause


def _row(paper_value, what, over, under, path, unit, readers=MOST, **judged):
    return ratio_row(PAPER[paper_value], f"{readers} storage clients: {what}, {SCHEMES[over][0]} / {SCHEMES[under][0]}", case(over, readers), case(under, readers), path,
                     unit=unit, cause=_cause(over, under, readers), **judged)


def _rows():
    rpc, drops, used = ("RPC latency, median", "rpc.p50_us", "us"), ("drops at the uplinks", "tiers.up.drops", "packets"), (
        "storage's throughput", "storage_gbps", "Gbit/s")

    def row(paper_value, number, over, under, **judged):
        what, path, unit = number
        return _row(paper_value, what, over, under, path, unit, **judged)
    return (
        row("storage-rpc", rpc, "onramp", "fq"), row("storage-used", used, "onramp", "fq"), row("storage-drops", drops, "onramp", "fq", judge=verdict.of_fewer),
        row("storage-tight", used, "tight", "onramp"), row("storage-dctcp-rpc", rpc, "dctcp", "onramp"),
        row("storage-dctcp-used", used, "dctcp", "onramp"), row("storage-calm", rpc, "onramp", "fq", readers=10),
    )


def _latency(data):
    return plot.Lines(
        name="storage-rpc", xlabel="storage clients", ylabel="RPC latency, median, us",
        series={SCHEMES[scheme][0]: [(readers, data.mean(case(scheme, readers), "rpc.p50_us")) for readers in READERS] for scheme in COMPARED})


def _throughput(data):
    return plot.Bars(
        name="storage-used", ylabel="Gbit/s", groups=[str(readers) for readers in READERS[1:]],
        series={SCHEMES[scheme][0]: [data.mean(case(scheme, readers), "storage_gbps") for readers in READERS[1:]] for scheme in COMPARED})


def experiment(seeds):
    """The first seed."""
    def of(path):
        return lambda data, key: data.mean(case(*key), path)

    lines = (("no storage", ("fq", 0)), *((f"{readers} clients, {label}", (scheme, readers)) for readers in READERS[1:]
                                          for scheme, (label, _) in SCHEMES.items() if readers == MOST or scheme in COMPARED))
    return Experiment("storage", tuple(_runs(seeds[0])), _rows(), (
        Figure("storage-rpc", "Latency of computing's requests as storage traffic grows",
              "Fig. 27 of the paper: 12 storage clients request as much as the uplinks carry, 300 Gbit/s. Answers of 2 KB, medians, one seed.", _latency,
              ("storage",)),
        Figure("storage-used", "Throughput of storage meanwhile", "Fig. 27 of the paper, by the number of storage clients, each of which requests 25 Gbit/s.",
              _throughput, ("storage",))), (Grid(
            "storage", "Computing together with storage", "CUBIC, except for DCTCP. Storage servers hold, computing's hosts have fq. There are 8 connections per storage "
            "client and 4 MB of buffer per port. Numbers are those of the first seed, of 7 ms after the first 5; drops are of both. "
            "Use the median, because a lost SYN costs a request a second.", "storage and scheme", lines,
            (Column("RPC p50, us", of("rpc.p50_us")), Column("mean", of("rpc.mean_us")), Column("p95", of("rpc.p95_us")), Column("p99", of("rpc.p99_us")),
             Column("storage, Gbit/s", of("storage_gbps"), "{:.0f}".format), Column("uplinks: wait, us", of("tiers.up.queue.mean_sojourn_us"), "{:.1f}".format),
             Column("drops there", of("tiers.up.drops"), "{:.0f}".format), Column("drops in all", of("drops"), "{:.0f}".format),
             Column("timeouts", of("timeouts"), "{:.0f}".format)), ("storage",)),))
