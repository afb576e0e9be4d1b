# SPDX-License-Identifier: GPL-2.0
"""On-Ramp end to end: request completion times as in rct, with the clocks that huygens-lite keeps, or others.

Each host has a clock of its own, which clock_offset and the other keys make wrong, and software that is as late as `noise` says.
The qdisc uses the published common time. `kept` selects its source: huygens, the daemon's in each host; perfect, that of perfect
clocks; ntp, that of clocks which are off by a normal error of 100 us, its bound published (three times that); none: nobody
publishes one, so that no flow may be held. With host=fq there is no On-Ramp, which is what the others are measured by.

Traffic begins `warm` after the daemons do, and all that is measured is measured as in rct from there on. `common` is how far
apart the hosts' common times were meanwhile, as in scenario clock.
"""

from lab.experiments import clock, rct
from lab.host import module_list, sync
from lab.host.clock_mesh import ClockMesh
from lab.host.keys import Key, choice, time
from lab.host.units import Refused
from lab.report import plot
from lab.report.experiment import Column, Experiment, Figure, Grid, Run
from lab.report.run_data import within

SUMMARY = "request completion times of On-Ramp with clocks of huygens-lite, perfect clocks, NTP's, or none"
ROWS = ("S3-22",)
DEFAULTS = {**clock.OWN, "hosts": "16", "fanin": "15", "duration": "100ms", "rto_min": "5ms", "jitter": "0ns",
            "host": "onramp mode hold threshold 50us clock published max_error 1ms"}
OWN = ("output",)
KEYS = [
    *(Key(key.name, DEFAULTS.get(key.name, key.default), key.read, key.help) for key in rct.KEYS),
    *(key for key in sync.KEYS if key.name not in OWN),
    Key("kept", "huygens", choice("huygens", "perfect", "ntp", "none"), "what the common time is: huygens, perfect, ntp, none"),
    Key("warm", "14s", time("100ms", "1000s"), "from the daemons' begin to the traffic's"),
]
# Clocks as NTP keeps them: the deviation, and the published bound; and perfect ones.
NTP_NS, NTP_BOUND_NS, PERFECT_BOUND_NS = 100_000, 300_000, 1_000
TRUE = {"clock_offset": 0, "clock_error": 0, "clock_rate": 0, "clock_wander": 0, "clock_ramp": 0}
EVERY_NS = 10_000_000
# A time of the guest's CLOCK_REALTIME within the 600 s for which a line may be published.
REFERENCE_S = 1735689601


def clocks_of(p):
    """The hosts' clocks as what keeps them says."""
    if p["kept"] == "ntp":
        return {**p, **TRUE, "clock_error": NTP_NS}
    if p["kept"] == "perfect":
        return {**p, **TRUE, "clock": "perfect"}
    return p


class Setting(rct.Setting):
    """As rct, later."""

    topology = ClockMesh
    published = True

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        warm = p["warm"]
        p = {**p, "settle": p["settle"] + warm, "duration": p["duration"] + warm}
        unused = {"traffic": "packets", "sides": "both", "asymmetry": {}, "output": "publish"}
        if p["stamps"] == "hardware" and p["kept"] == "huygens":
            p = {**p, "clock_phc": "on"}
        super().__init__({**clocks_of(p), **unused}, seed)

    @property
    def programs(self):
        """Lines that are published by hand need no daemon."""
        return module_list.HUYGENS if self.p["kept"] == "huygens" else ()

    def published(self):
        """Lines of a topology script: a common time for good."""
        bound = {"ntp": NTP_BOUND_NS, "perfect": PERFECT_BOUND_NS}.get(self.p["kept"])
        for host in self.network.hosts if bound else ():
            yield (f"exec {host} onrampctl clock set published offset 0ns drift 0ppb error {bound}ns valid 600s epoch 1 "
                   f"base realtime ref {REFERENCE_S}s")

    def watches(self):
        yield from super().watches()
        if self.on_ramps(self.network.sending):
            yield from self.published()
        if self.p["kept"] == "huygens":
            yield from sync.daemons(self.p, self.network)
        yield from sync.truth(self.network, self.p["duration"], EVERY_NS)

    def groups(self):
        for line in super().groups():
            yield f"{line} {'from' if 'kind=poisson' in line else 'at'}={self.p['warm']}ns"

    def more(self, raw, flows):
        every = sync.rounds(sync.read(raw), EVERY_NS)
        return {**super().more(raw, flows), "common": sync.live(every, self.window())}


# The report's part.

KEPT = (("fq", "fq, no On-Ramp", ("host=fq", "kept=none")), ("perfect", "On-Ramp, perfect clocks", ("kept=perfect",)),
        ("huygens", "On-Ramp, huygens-lite", ("kept=huygens",)), ("ntp", "On-Ramp, clocks as NTP's", ("kept=ntp",)),
        ("none", "On-Ramp, no common time", ("kept=none",)))
RCT = ("mean", "p99")
RCT_ALL = ("mean", "p50", "p95", "p99")


def kept(name):
    """The case of requests on clocks that are kept so."""
    return f"e2e/{name}"


def experiment(seeds):
    """On-Ramp on clocks that the daemon keeps."""
    every = tuple(Run(kept(name), "e2e", ("warm=9s", "interval=50ms", *arguments), seed, 25) for seed in seeds for name, _, arguments in KEPT)

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
        figure, ("e2e",)),), (Grid("e2e", "On-Ramp on clocks that huygens-lite keeps", "16 hosts, 10 Gbit/s, software latency as in the other runs. Traffic begins 9 s after the daemons; numbers are means of three seeds. "
                                   "A quotient is that of the means; brackets have the lowest and highest of the seeds.", "clocks",
                                   tuple((label, name) for name, label, _ in KEPT), (
                                       *(Column(f"RCT {number}, us", own(f"requests.{number}_us"), "{:.0f}".format) for number in RCT_ALL),
                                       *(Column(f"RCT {number} / fq's, of means (of seeds)", ratios(f"requests.{number}_us"), lambda means: within(*means)) for number in RCT),
                                       Column("holds", held, "{:.0f}".format), Column("drops", own("drops"), "{:.0f}".format),
                                       Column("clocks apart, p99, ns", own("common.error.p99_ns"), "{:.0f}".format)), ("e2e",)),))


def short(seeds):
    """For the demo."""
    shown = {"onramp": "huygens", "no common time": "none"}
    every = tuple(Run(kept(name), "e2e", ("hosts=8", "fanin=7", "warm=12s", *arguments), seed, 20)
                  for seed in seeds for name, _, arguments in KEPT if name in ("fq", *shown.values()))

    def figure(data):
        return plot.Bars(name="clock-e2e", ylabel="request completion / fq's", groups=list(RCT), line=1, line_label="fq", series={
            label: [data.ratio(f"e2e/{name}", "e2e/fq", f"requests.{number}_us") for number in RCT] for label, name in shown.items()})

    return Experiment("e2e", every, (), (Figure(
        "clock-e2e", "On-Ramp on clocks that huygens-lite keeps, and without a common time",
        "8 hosts whose clocks are up to a second and 50 ppm off, the daemon in each; requests of 2 KB to 7 hosts at once with web search at 40 %. Without a common "
        "time nothing is held.", figure, ("e2e",)),))
