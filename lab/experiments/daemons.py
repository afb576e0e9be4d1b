# SPDX-License-Identifier: GPL-2.0
"""Side by side: huygens-lite, chronyd or ptp4l in the hosts of the scenario clock, on the same clocks under the same load.

`kept` is the error of the clock that each keeps, at every tenth of a second from `settle` on, of all pairs of hosts. chronyd and ptp4l are the
distribution's (debian/deps unpacks them) and discipline CLOCK_REALTIME of their host, of which the laboratory has one in each, with adjtimex, so
it is that one; huygens-lite publishes a common time, so it is that, `live` of the scenario clock. The first host is the server, or the grand master, of all others, as
there is nobody else; its own clock is as wrong as any, since pairs are compared. `configuration` of the result is each daemon's, at its best
as we know it: kernel's stamps, in chrony's interleaved mode, a poll each 16 ms or a message as often, the first offset stepped.
"""

import os
from dataclasses import replace
from itertools import combinations

from lab.experiments import clock
from lab.host import module_list, sync
from lab.host.keys import Key, choice
from lab.host.units import Refused
from lab.report.experiment import Column, Experiment, Grid, Run

SUMMARY = "clock errors of hosts that run huygens-lite, chronyd or ptp4l, for comparison"
ROWS = ()
WITHOUT = ("output", "faults", "lies", "clock_step")
# Clocks that are stepped at first and then turned need a while.
DEFAULTS = {"duration": "60s", "settle": "30s"}
KEYS = [
    Key("daemon", "huygens-lite", choice("huygens-lite", "chrony", "ptp4l"), "which: huygens-lite, chrony, ptp4l"),
    *(replace(key, default=DEFAULTS.get(key.name, key.default)) for key in clock.KEYS if key.name not in WITHOUT),
]
UNUSED = {"output": "publish", "faults": [], "lies": {}, "clock_step": {}}
FOLDER = os.path.join(module_list.__file__.rpartition("lab/host/")[0], "lab/daemons")
# Limits of the script keep.
RUN = "/run/daemons"
OTHERS = (
    module_list.Program("lab/daemons", "chronyd", "/usr/sbin/chronyd"),
    module_list.Program("lab/daemons", "ptp4l", "/usr/sbin/ptp4l"),
)


def chrony(host, server, own):
    """Lines of chrony.conf(5)."""
    yield f"pidfile {RUN}/{host}/pid"
    yield "cmdport 0"
    yield "bindcmdaddress /"
    yield "makestep 0.0001 8"
    if own:
        yield "local stratum 1"
        yield "allow"
    else:
        yield f"server {server} minpoll -6 maxpoll -6 xleave maxdelayratio 2 minsamples 32"


def ptp4l(host, server, own):
    """Lines of ptp4l(8)'s configuration: unicast, since hosts are routed to."""
    yield "[global]"
    yield f"uds_address {RUN}/{host}/ptp4l"
    yield from ("time_stamping software", "network_transport UDPv4", "delay_mechanism E2E", "hybrid_e2e 1", "inhibit_multicast_service 1", "unicast_req_duration 300",
                "logSyncInterval -6", "logMinDelayReqInterval -6", "logAnnounceInterval 0", "summary_interval 3", "step_threshold 0",
                "first_step_threshold 0.0001", "tx_timestamp_timeout 100", "clock_servo linreg", "delay_filter moving_median", "delay_filter_length 100")
    if own:
        yield from ("priority1 1", "unicast_listen 1", "[eth0]")
    else:
        yield from ("slaveOnly 1", "[unicast_master_table]", "table_id 1", f"UDPv4 {server}", "[eth0]", "unicast_master_table 1")


WRITERS = {"chrony": chrony, "ptp4l": ptp4l}


class Setting(clock.Setting):
    """As clock, with another daemon in its place."""

    def __init__(self, p, seed):
        super().__init__({**p, **UNUSED}, seed)
        if p["daemon"] != "huygens-lite" and p["stamps"] == "hardware":
            raise Refused("stamps: hardware's are of NICs' clocks, which chrony and ptp4l do not use here")

    @property
    def programs(self):
        """Only what runs is in the guest."""
        return module_list.HUYGENS if self.p["daemon"] == "huygens-lite" else OTHERS

    def files(self):
        """The script that starts them."""
        return {**super().files(), "keep": os.path.join(FOLDER, "keep")}

    def configuration(self, host):
        """Lines of a host's daemon's configuration."""
        if self.p["daemon"] == "huygens-lite":
            return list(sync.configuration(self.p, self.network))
        hosts = self.network.hosts
        return list(WRITERS[self.p["daemon"]](host, self.network.address(hosts[0]), host == hosts[0]))

    def watches(self):
        for line in super().watches():
            fields = line.split()
            if fields[2:4] == ["huygens", "run"] and self.p["daemon"] != "huygens-lite":
                host, at = fields[4:6]
                line = f"spawn {host} /bin/sh /run/lab/keep {self.p['daemon']} {host} {at} {' ; '.join(self.configuration(host))}"
            yield line

    def more(self, raw, flows):
        hosts = self.network.hosts
        configuration = {"configuration": {"first": self.configuration(hosts[0]), "others": self.configuration(hosts[-1])}}
        if self.p["daemon"] == "huygens-lite":
            found = super().more(raw, flows)
            return {**configuration, "kept": found["live"]["error"], **found}
        begin_ns, end_ns = self.window()
        errors = [abs(a.real_ns - b.real_ns) for at_ns, of_all in sync.rounds(sync.read(raw)) if begin_ns <= at_ns < end_ns
                  for a, b in combinations(of_all.values(), 2)]
        return {**configuration, "kept": sync.summary(errors), "sent": self.sent(raw)}


# The report's part.

DAEMONS = ("huygens-lite", "chrony", "ptp4l")
BESIDE_LOADS = clock.LOADS


def experiment(seeds):
    """Other daemons on the same clocks, under the same load."""
    def case(daemon, load):
        return f"daemons/{daemon}/{load}"

    def kept(percent):
        return lambda data, key: data.mean(key, f"kept.{percent}_ns")

    cases = [(daemon, load) for load in BESIDE_LOADS for daemon in DAEMONS]
    every = [Run(case(*one), "daemons", ("hosts=4", "duration=42s", "settle=26s", f"daemon={one[0]}", f"load={one[1]}"), seed, 15)
             for seed in seeds for one in cases]
    return Experiment("daemons", tuple(every), (), (), (Grid(
        "daemons", "Compared with chronyd and ptp4l", "4 hosts, software timestamps, the same clocks and load, one run per daemon, each with the configuration above. chronyd and "
        "ptp4l adjust CLOCK_REALTIME of each host to that of the first, with 64 exchanges a second; errors are those of these clocks, in 42 s after the first 26.",
        "daemon", tuple((f"{daemon}, load {load}", case(daemon, load)) for daemon, load in cases), (
            *(Column(f"{label}, ns", kept(percent), "{:.0f}".format) for label, percent in (("median", "p50"), ("p99", "p99"), ("most", "max"))),
            Column("sent, Mbit/s a host at most", lambda data, key: data.mean(key, "sent.max_bps") / 1e6, "{:.2f}".format)), ("daemons",)),))
