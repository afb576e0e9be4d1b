# SPDX-License-Identifier: GPL-2.0
"""Computing beside storage: On-Ramp's Fig. 17 and 27."""

import plot
import verdict
from experiment import Column, Experiment, Grid, Figure, ratio_row
from experiments.senders import schemes
from runs import Run

COST_S = 20     # of all readers
WORDS = ()
READERS = (0, 6, 10, 12)
MOST = READERS[-1]
WIDE_US, TIGHT_US = 30, 15
# DCTCP's 65 packets at 10 Gbit/s, as many more as the storage clients' links are faster.
MARKS = "aqm=red limit 4000000 min 250000 max 250001 avpkt 1500 burst 167 bandwidth 25gbit probability 1 ecn nodrop"
# scheme -> (label, words)
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
    return Run(case(scheme, readers), "storage", (f"readers={readers}", *WORDS, *SCHEMES[scheme][1]), seed, COST_S * (readers + 2) / (MOST + 2))


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
    return ratio_row(paper_value, f"{readers} storage clients: {what}, {SCHEMES[over][0]} / {SCHEMES[under][0]}", case(over, readers), case(under, readers), path,
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
        Figure("storage-rpc", "Latency of computing's requests beside ever more storage",
              "Fig. 27 of the paper: 12 storage clients just ask for what the uplinks carry, 300 Gbit/s. Answers of 2 KB, medians, one seed.", _latency,
              ("storage",)),
        Figure("storage-used", "What storage gets meanwhile", "Fig. 27 of the paper, by the number of storage clients, each of which asks for 25 Gbit/s.",
              _throughput, ("storage",))), (Grid(
            "storage", "Computing beside storage", "CUBIC, but for DCTCP. Storage servers hold, computing's hosts have fq. 8 connections a storage "
            "client, 4 MB of buffer a port. The first seed, 7 ms after the first 5; drops are of both. "
            "A median is most requests': a SYN that is lost costs one a second.", "storage and scheme", lines,
            (Column("RPC p50, us", of("rpc.p50_us")), Column("mean", of("rpc.mean_us")), Column("p95", of("rpc.p95_us")), Column("p99", of("rpc.p99_us")),
             Column("storage, Gbit/s", of("storage_gbps"), "{:.0f}".format), Column("uplinks: wait, us", of("tiers.up.queue.mean_sojourn_us"), "{:.1f}".format),
             Column("drops there", of("tiers.up.drops"), "{:.0f}".format), Column("drops in all", of("drops"), "{:.0f}".format),
             Column("timeouts", of("timeouts"), "{:.0f}".format)), ("storage",)),))
