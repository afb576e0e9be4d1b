# SPDX-License-Identifier: GPL-2.0
"""How wrong one-way delays are by where their stamps are taken: the On-Ramp paper's 3.3, 1.

Background flows between random pairs, as in signal; nothing is held. Both ends of each delay have stamps of `stamps`: qdisc (of
what comes, tracepoint), tracepoint, driver, or hardware: the NICs' own clocks, which are as wrong as the keys of clocks say, by
lines to the hosts' clocks that `publisher` on each host finds and publishes: the stand-in, a program for this alone, once each
`publish`, until `quiet`; or the daemon huygens-lite, which begins seconds before the traffic. That publishes the common time too, by which
the queue uses them then (host='... clock published'), so that what is wrong with it is in the errors.

`stamp_error` is by how much the delays are longer than the true ones, from the first bit on the sender's wire to the first at the
receiver's NIC, without what is wrong with the hosts' clocks; `stamp_noise` is the same less its median, for On-Ramp looks at a
delay compared with the path's least. `sources` counts the delays by their stamps, Tx first; with hardware, `phc` is what became of
the stamps that were configured, of all hosts together. True delays are computed from captures at the switch.

Software's stamps come late: a frame is all there when its interrupt comes, and `jitter` and `coalesce` say how late that is. No
source tells what a packet waits for in the sender's NIC: nic_comp takes it out of the delay as far as byte queue limits know it,
which is worse with gso=on, by up to the time of a GSO packet.
"""

import json
import os

from lab.experiments import signal
from lab.host import clocks, delays, module_list, sync, wire_times
from lab.host.keys import Key, choice, time
from lab.host.network import EPOCH_NS
from lab.host.units import Refused
from lab.report.experiment import Column, Experiment, Grid, Run

SUMMARY = "errors of one-way delays with timestamps of qdisc, tracepoint, driver and hardware (On-Ramp 3.3)"
ROWS = ()
DEFAULTS = {"hosts": "8", "duration": "50ms", "clock_offset": "1us", "clock_rate": "10ppm", clocks.ERROR.name: "0ns", "clock_phc": "on",
            "gso": "off", "host": "onramp mode observe nic_comp on threshold 50us clock system error 1ms max_error 10ms"}
# Arguments of onrampctl for Tx and Rx.
SOURCES = {"qdisc": ("qdisc", "tracepoint"), "tracepoint": ("tracepoint", "tracepoint"), "driver": ("driver", "driver"),
           "hardware": ("hardware", "hardware")}
NAMES = ("none", "tracepoint", "driver", "hardware", "qdisc")
PHC = "phc-"
# A line is there when the traffic begins.
EARLY_NS = 1_000_000
COUNTS = ("tx_good", "tx_stale", "rx_good", "rx_missing", "rx_stale", "rx_implausible")
# The configuration of huygens-lite; it has a common time, and the kernel a line of the NIC with its bias, after some seconds.
DAEMON = {**{key.name: key.parse(key.default) for key in sync.KEYS}, "stamps": "hardware"}
WARM_NS = 6 * sync.SECOND_NS
KEYS = [
    *(Key(key.name, DEFAULTS.get(key.name, key.default), key.read, key.help) for key in signal.KEYS),
    Key("stamps", "hardware", choice(*SOURCES), "where stamps come from: qdisc, tracepoint, driver, hardware"),
    Key("publisher", "stand-in", choice("stand-in", "huygens"), "publisher of such lines: stand-in, huygens (huygens-lite; traffic begins 6 s later)"),
    Key("publish", "10ms", time("1ms", "10s"), "from one line of a NIC's clock to the next; each is valid for three times that"),
    Key("quiet", "0ns", time("0ns", "1000s"), "when that ends, after the run's begin; 0ns: never"),
    Key("phc_step", "", clocks.steps, "steps of NICs' clocks, 'HOST:AT:BY,...', as clock_step's"),
]


class Setting(signal.Setting):
    """As signal, with stamps of a kind."""

    def __init__(self, p, seed):
        self.warm_ns = WARM_NS if p["publisher"] == "huygens" else 0
        super().__init__({**p, "settle": p["settle"] + self.warm_ns, "duration": p["duration"] + self.warm_ns}, seed)
        if self.warm_ns and (p["stamps"] != "hardware" or p["quiet"]):
            raise Refused("publisher: huygens wants stamps=hardware, and is never quiet")
        if self.warm_ns and "clock published" not in p["host"]:
            raise Refused("publisher: huygens publishes the hosts' clock, too: host must say 'clock published'")
        if p["clock_phc"] != "on" and (p["stamps"] == "hardware" or p["phc_step"]):
            raise Refused("clock_phc: hardware's stamps, and steps of NICs' clocks, want clock_phc=on")
        unknown = [host for host in p["phc_step"] if host not in self.network.hosts]
        if unknown:
            raise Refused(f"phc_step: there is no host '{unknown[0]}'")

    @property
    def published(self):
        """The stand-in leaves the hosts' clocks alone."""
        return self.warm_ns > 0

    @property
    def programs(self):
        """The stand-in is there for all."""
        return module_list.HUYGENS if self.warm_ns else ()

    def script(self):
        yield from super().script()
        leaves, comes = SOURCES[self.p["stamps"]]
        for host in self.network.hosts:
            yield f"exec {host} onrampctl stamps set dev eth0 tx {leaves} rx {comes}"

    def publisher(self):
        """Commands of each host: a line shortly before the epoch, and then repeatedly, or so often."""
        p = self.p
        count = f" {p['quiet'] // p['publish'] + 1}" if p["quiet"] else ""
        return f"phcline eth0 {EPOCH_NS - EARLY_NS} {p['publish']}{count}"

    def groups(self):
        for line in super().groups():
            yield f"{line} from={self.warm_ns}ns" if self.warm_ns else line

    def watches(self):
        p = self.p
        # The first to begin ends first: a capture ends when its port is quiet.
        if self.warm_ns:
            yield from sync.daemons(DAEMON, self.network)
        yield from super().watches()
        for host, times in p["phc_step"].items():
            yield from (f"clock {host} eth0 step={by_ns} at={at_ns}" for at_ns, by_ns in times)
        if p["stamps"] == "hardware" and not self.warm_ns:
            yield from (f"spawn {host} {self.publisher()}" for host in self.network.hosts)

    def collects(self):
        yield from super().collects()
        if self.p["stamps"] == "hardware":
            yield from (f"exec {host} delays phc {delays.FOLDER}/{PHC}{host}" for host in self.network.hosts)

    def more(self, raw, flows):
        measured = delays.read(raw)
        true = wire_times.owds(raw, self.network, self.p["rate"])
        wrong = self.wrong(raw, [delay for delay in measured if (delay.flow, delay.seq) in true], true)
        median = sorted(wrong)[len(wrong) // 2] if wrong else 0
        return {
            "stamp_error": delays.summary(wrong),
            "stamp_noise": delays.summary([error - median for error in wrong]),
            "sources": sources(measured),
            **({"phc": self.phc(raw)} if self.p["stamps"] == "hardware" else {}),
        }

    def wrong(self, raw, measured, true):
        """Error that the timestamps add to each true delay, ns; with the error of the common time, without that of hosts' clocks."""
        if self.warm_ns:
            return [delay.owd_ns - true[delay.flow, delay.seq] for delay in measured]
        own = delays.clocks(raw, self.network)
        clock_errors = [own[delay.flow[1]].error_ns(delay.tx_ns) - own[delay.flow[0]].error_ns(delay.tx_ns) for delay in measured]
        return [delay.owd_ns - true[delay.flow, delay.seq] - error for delay, error in zip(measured, clock_errors)]

    def phc(self, raw):
        """Counters of all hosts for their NICs' timestamps."""
        total = dict.fromkeys(COUNTS, 0)
        for host in self.network.hosts:
            with open(os.path.join(raw, PHC + host), encoding="ascii") as file:
                label, = (row for row in json.load(file) if row["dev"] == "eth0")
            for name in COUNTS:
                total[name] += label[name]
        return total


def sources(measured):
    """How many delays have which stamps."""
    found = {}
    for delay in measured:
        name = "/".join(NAMES[stamp] for stamp in delay.stamps)
        found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items()))


# Where stamps are taken, and how wrong delays are: On-Ramp's 3.3, 1.
COST_S = 20
SHOWN_SOURCES = ("qdisc", "tracepoint", "driver", "hardware")
# Interrupts of a host: (name, arguments for the lab, description).
INTERRUPTS = (("soon", (), "interrupts up to 2 us late"),
              ("late", ("coalesce=20us", "rtt=65us"), "interrupts 20 us after the first packet, and up to 2 us late"))


def case(interrupts, source):
    return f"stamps/{interrupts}/{source}"


def experiment(seeds):
    """For the report."""
    every = tuple(Run(case(name, source), "stamps", (f"stamps={source}", *arguments), seed, COST_S)
                  for seed in seeds for name, arguments, _ in INTERRUPTS for source in SHOWN_SOURCES)

    def of(path):
        return lambda data, key: data.mean(case(*key), path)

    return Experiment("stamps", every, (), (), (Grid(
        "stamps", "Error of one-way delays by timestamp point",
        "8 hosts, web search at 40 % load, NICs with clocks that are up to 1 us and 10 ppm off and lines from them that a program publishes each "
        "10 ms. The error is the delay minus the true one from NIC to NIC, without the error of the hosts' clocks. Its size is also given "
        "less the median, which the path's lowest delay removes. `tracepoint` and `driver` are equal in every digit, because the driver's code between "
        "them takes no virtual time; driver-patches/README.md, 'What it is worth', has its real time.", "stamps of",
        tuple((f"{source}, {label}", (name, source)) for name, _, label in INTERRUPTS for source in SHOWN_SOURCES),
        (Column("error, mean, us", of("stamp_error.mean_us"), "{:.2f}".format),
         *(Column(f"size, {percent}, us", of(f"stamp_error.{percent}_us"), "{:.2f}".format) for percent in ("p50", "p99", "max")),
         *(Column(f"less the median, {percent}, us", of(f"stamp_noise.{percent}_us"), "{:.2f}".format) for percent in ("p50", "p99"))),
        ("stamps",)),))
