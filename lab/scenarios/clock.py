# SPDX-License-Identifier: GPL-2.0
"""How well huygens-lite keeps the clocks of hosts around one switch, against the truth (On-Ramp 3.3; Huygens).

Each host runs the daemon on a clock of its own; clock_offset and the other keys say how wrong those are. Software's stamps are
as late as `noise` says. The links are loaded: traffic=packets makes TCP flows of the workload between all pairs, at `load` of each
host's link; traffic=cross has the same load as bursts that occupy the ports without being packets, which costs nothing and can
run for minutes. sides=one loads only one way: towards the first half of the hosts, from the others.

`live` is what On-Ramp goes by: the common time that the kernel has of the daemon's last published line, at every tenth of a
second from `settle` to the duration's end, of all pairs of hosts: how far apart the two are in truth, and how often their bounds
together cover that. `common_s` is when all hosts have a common time first, after the run's begin; daemons begin up to half a
second before. `sent_bps` is what hosts' cards sent, all of it; without packets of a load it is the daemon's alone.

`mid` is what the paper reports: each window's own solution, at the window's middle, as the daemons log it, of all pairs; `edges` the same of
single edges, which is what there would be without the network effect. Both are of hosts that have the same coordinator.

faults, 'WHAT:HOST:FROM[:UNTIL],...', happen to hosts: kill (the daemon, which begins again at UNTIL if it is given), cut (off the
network), part (the first hosts up to this one from the others). clock_step is a fault too, and so is aqm='netem loss 30% limit
10000', which loses probes. asymmetry, 'HOST:TIME', makes a host's link longer towards the switch than from it. A host that lies,
'HOST:TIME', says of its edge to the n-th host after it that the other's clock is n times TIME off. With faults,
`series` and `alone` show each second, and the last fault's host beside the others.
"""

import os
from bisect import bisect
from itertools import combinations

import accounting
import module_list
import results
import sync
from keys import Key, choice, fraction, number, size, time
from clock_mesh import ClockMesh
from network import EPOCH_NS
from scenarios import common
from units import Refused, show_time, time_ns

SUMMARY = "clock errors of hosts that run huygens-lite, compared with true time (On-Ramp 3.3)"
ROWS = ("S3-22",)
OWN = {"clock": "own", "clock_offset": "1s", "clock_rate": "50ppm", "clock_wander": "1ppb", "clock_ramp": "5ppb"}
FAULTS = ("kill", "cut", "part")
# Faults end so long before the run does, or not at all.
LATEST_NS = 1000 * 10**9
PERIOD_NS = 10**9
# The most that a daemon can be told of an edge's asymmetry, which is twice the lie.
LIE_MOST_NS = 5 * 10**6


def faults(text):
    """A reader of "WHAT:HOST:FROM[:UNTIL],...": [(what, host, from, until or None), ...], ns after the run's begin."""
    found = []
    for item in filter(None, text.split(",")):
        words = item.split(":")
        if len(words) not in (3, 4) or words[0] not in FAULTS or not words[1]:
            raise Refused(f"'{item}' is not WHAT:HOST:FROM[:UNTIL], WHAT one of {', '.join(FAULTS)}")
        times = [time_ns(word) for word in words[2:]]
        if not all(1 <= at <= LATEST_NS for at in times) or times != sorted(set(times)):
            raise Refused(f"'{item}': times must rise, from 1ns to {show_time(LATEST_NS)}")
        if words[0] != "kill" and len(times) == 1:
            raise Refused(f"'{item}': {words[0]} needs UNTIL")
        found.append((words[0], words[1], times[0], times[1] if len(times) > 1 else None))
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
    """Words of a line of a daemon's log, or None: a heading."""
    words = text.split()
    return words if words and words[0][0].isdigit() else None


def solved(folder, host, samples):
    """What a daemon's log says of windows: {(number, coordinator): the window's own error}, ns, less what all hosts have in common."""
    shown = [sample.at_ns + EPOCH_NS + sample.raw_ns for sample in samples]
    found = {}
    with open(os.path.join(folder, "huygens", host, "tracking.log"), encoding="ascii") as file:
        for words in filter(None, map(named, file)):
            if "-" in words[10:]:
                continue
            middle_ns = int(words[10])
            place = bisect(shown, middle_ns)
            if not 0 < place < len(shown):
                continue
            before, after = samples[place - 1], samples[place]
            # By how much the raw clock was ahead of the truth when it showed that, and when that was.
            ahead = before.raw_ns + (after.raw_ns - before.raw_ns) * (middle_ns - shown[place - 1]) // (shown[place] - shown[place - 1])
            found[int(words[2]), words[4]] = (middle_ns - ahead - EPOCH_NS, int(words[11]) + ahead)
    return found


def residuals(folder, hosts):
    """What coordinators' logs say of edges: {(number, coordinator, one, other): by how much the edge disagrees}, ns."""
    found = {}
    for number_, host in enumerate(hosts, 1):
        with open(os.path.join(folder, "huygens", host, "statistics.log"), encoding="ascii") as file:
            for words in filter(None, map(named, file)):
                if words[9] != "-":
                    found[int(words[2]), str(number_), hosts[int(words[3]) - 1], hosts[int(words[4]) - 1]] = int(words[9])
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
    Key("burst", "30kb", size("1500b", "1mb"), "mean bytes of such a burst, 1500b to 1mb"),
    Key("sides", "both", choice("both", "one"), "which links are loaded: both, one (towards the first half of the hosts)"),
    *sync.KEYS,
    Key("asymmetry", "", longer, "by how much links are longer towards the switch, 'HOST:TIME,...'"),
    Key("lies", "", longer, "what hosts say that lie, 'HOST:TIME,...'"),
    Key("faults", "", faults, "what happens to hosts, 'WHAT:HOST:FROM[:UNTIL],...': kill, cut, part"),
    Key("settle", "20s", time("0ns", "1000s"), "how much of the beginning is not measured"),
]


class Setting(common.Setting):
    """Daemons, a load, and the truth beside them."""

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
        """What the guest runs for one."""
        network = self.network
        times = " ".join(sync.show_s(at_ns + sync.EPOCH_NS) for at_ns in (begin_ns, end_ns) if at_ns)
        if what == "kill":
            return f"spawn {host} huygens kill {host} {times}"
        if what == "cut":
            return f"spawn sw huygens cut to-{host} {network.address(host)} {times}"
        place = network.hosts.index(host) + 1
        sides = (",".join(map(network.address, part)) for part in (network.hosts[:place], network.hosts[place:]))
        return f"spawn sw huygens part {times} {' '.join(sides)}"

    def told(self, host):
        """What one host's daemon is told beside what all are: what it shall believe of its edges if it lies, and to log them."""
        yield "log.statistics=yes"
        if host in self.p["lies"]:
            first = self.network.hosts.index(host) + 1
            lies = (f"{first}-{first + n}:{2 * n * self.p['lies'][host]}ns" for n in range(1, len(self.network.hosts) - first + 1))
            yield f"mesh.asymmetry={','.join(lies)}"

    def watches(self):
        yield from super().watches()
        for line in sync.daemons(self.p, self.network):
            yield " ".join((line, *self.told(line.split()[1])))
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
        """What hosts' cards sent, in bit/s of frames, and how many of these a second."""
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
