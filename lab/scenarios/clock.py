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

faults, 'WHAT:HOST:FROM[:UNTIL],...', happen to hosts: kill (the daemon, which begins again at UNTIL if it is given), cut (off the
network), part (the first hosts up to this one from the others). clock_step is a fault too, and so is aqm='netem loss 30% limit
10000', which loses probes. asymmetry, 'HOST:TIME', makes a host's link longer towards the switch than from it. With faults,
`series` and `alone` show each second, and the last fault's host beside the others.
"""

import books
import ours
import results
import sync
from keys import Key, choice, fraction, number, size, time
from mesh import Mesh
from scenarios import common
from units import Refused, show_time, time_ns

SUMMARY = "how well the daemon huygens-lite keeps hosts' clocks, against the truth (On-Ramp 3.3)"
ROWS = ("S3-22",)
OWN = {"clock": "own", "clock_offset": "1s", "clock_rate": "50ppm", "clock_wander": "1ppb", "clock_ramp": "5ppb"}
FAULTS = ("kill", "cut", "part")
# Faults end so long before the run does, or not at all.
LATEST_NS = 1000 * 10**9
PERIOD_NS = 10**9


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
    Key("faults", "", faults, "what happens to hosts, 'WHAT:HOST:FROM[:UNTIL],...': kill, cut, part"),
    Key("settle", "20s", time("0ns", "1000s"), "how much of the beginning is not measured"),
]


class Setting(common.Setting):
    """Daemons, a load, and the truth beside them."""

    memory = "2G"
    programs = ours.HUYGENS

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        if p["stamps"] == "hardware" and p["clock"] == "own":
            p = {**p, "clock_phc": "on"}
        super().__init__(common.tail_drop(p), Mesh(p, seed))
        self.check()

    def check(self):
        """Refuse faults and asymmetries of hosts that there are not."""
        hosts = self.network.hosts
        for key, named in (("asymmetry", self.p["asymmetry"]), ("faults", [fault[1] for fault in self.p["faults"]])):
            unknown = [host for host in named if host not in hosts]
            if unknown:
                raise Refused(f"{key}: there is no host '{unknown[0]}'; hosts are h1 to {hosts[-1]}")
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

    def watches(self):
        yield from super().watches()
        yield from sync.daemons(self.p, self.network)
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
        ports = [books.read(raw)[host, "eth0"] for host in self.network.hosts]
        seconds_ns = self.p["duration"] + sync.BEGIN_NS
        rates = sorted(port.counters["tx_bytes"] * 8 * sync.SECOND_NS // seconds_ns for port in ports)
        frames = sum(port.counters["tx_packets"] for port in ports)
        return {"mean_bps": sum(rates) // len(rates), "max_bps": rates[-1],
                "frames_per_s": results.quotient(frames * sync.SECOND_NS, seconds_ns * len(ports), 1)}

    def more(self, raw, flows):
        every = sync.rounds(sync.read(raw))
        found = {
            "common_s": sync.first_common(every, len(self.network.hosts)),
            "live": sync.live(every, self.window()),
            "sent": self.sent(raw),
        }
        suffering = [*self.p["clock_step"], *(fault[1] for fault in self.p["faults"])]
        if suffering:
            found["series"] = list(sync.series(every, PERIOD_NS))
            found["alone"] = sync.alone(every, suffering[-1], PERIOD_NS)
        return found
