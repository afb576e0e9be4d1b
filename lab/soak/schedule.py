# SPDX-License-Identifier: GPL-2.0
"""Schedule of a soak: lines "AT ARG ..." for the guest's script churn, drawn from the seed.

Time is parted into rounds. In each there is traffic at first, and meanwhile parameters change, modules go and come, ports become
congestion points and hosts reaction points, daemons die, hosts are cut off. Then nothing is sent; qdiscs are made anew, as they were at first, and when connections have been
forgotten too, a snapshot is taken.
"""

import hashlib

SECOND_NS = 10**9
# Times of a step, s after its begin: a second change of congestion points; the busy snapshot; a fault's begin and end; the end of congestion points.
CHANGED_S, BUSY_SNAPSHOT_S, FAULT_S, MENDED_S, WITHOUT_S = 2, 4, 0.5, 5, 6
# Times of a round, s: changes every so often from the first to the last; traffic ends; all as it was at first; the quiet snapshot.
EVERY_S, FIRST_S, LAST_S, BUSY_S, ANEW_S, QUIET_S = 8, 6, 118, 120, 132, 215
ROUND_S = 225
MODULES = {"acker": ("onramp_acker",), "ecnsharp": ("sch_ecnsharp",), "onramp": ("sch_onramp", "onramp_acker", "onramp")}
# Settings of a change, each valid whatever the others are.
HOST_SETTINGS = {
    "limit": ("10", "1000", "10000"), "flow_limit": ("20", "100"), "buckets": ("4", "1024", "65536"), "quantum": ("1514", "3028"),
    "orphan_mask": ("0", "1023"), "refill_delay": ("1us", "40ms"), "timer_slack": ("0ns", "10us"), "ce_threshold": ("1ms", "1s"),
    "horizon": ("100ms", "10s"), "pacing": ("",), "maxrate": ("5mbit", "1gbit", "0"), "law": ("final", "strawman", "weighted"),
    "g": ("1/1", "1/16", "1/1024"), "max_hold": ("1ms", "5ms", "1s"), "threshold": ("auto", "1ms", "20ms"), "margin": ("10us", "1ms"),
    "max_error": ("100us", "100ms"), "path_fresh": ("1ms", "1s"), "record_idle": ("1ms", "1s"), "nic_comp": ("on", "off"),
    "mode": ("off", "observe", "hold"),
}
PORT_SETTINGS = {
    "limit": ("5", "100", "1000"), "memory_limit": ("65536", "32mb"), "ins_target": ("1ms", "20ms"), "pst_target": ("1ms", "10ms"),
    "pst_interval": ("5ms", "50ms"), "signal": ("sojourn",), "nonect": ("pass", "drop"), "persistent": ("on", "off"),
    "split_gso": ("on", "off"),
}
# Settings of ports as congestion points, and of hosts' reaction points meanwhile, one after the other.
POINTS = (
    ("law step k 1kb at input sample largest signal ecn", "off"),
    ("law qcn qeq 2kb pause input xoff 3kb xon 1kb", "qcn rppp_max_rps 2"),
    ("law fecn qeq 3kb pause output xoff 3kb xon 1kb", "fecn rd_initial 5mbit"),
    ("law qcn qeq 2kb at input sample random service rr", "qcn"),
    ("law none pause input xoff 3kb xon 1kb service rr", "fecn"),
)
POINT_SETTINGS = {"limit": ("10kb", "1mb"), "buffer": ("50kb", "150kb"), "service": ("fifo", "rr"), "cnpv": ("0x1", "0xff"),
                  "defense": ("interior", "edge")}
BRIDGE_DISABLED, BRIDGE_FORWARDING = 0, 3
ACKER_SETTINGS = {"every": ("1", "10", "1000"), "delay": ("20us", "1ms", "100ms"), "idle": ("100us", "10ms", "10s"),
               "rate": ("10", "1000000"), "max_flows": ("3", "16384")}
ACKER_FIRST = "every 10 delay 5ms idle 100ms rate 1000000 max_flows 16384"
LIMITS_FIRST = "flows 65536 paths 16384"


class Draw:
    """Numbers of a seed; the same on any machine."""

    def __init__(self, seed):
        self.seed, self.count = seed, 0

    def below(self, most):
        """A whole number from 0 to most - 1."""
        self.count += 1
        return int.from_bytes(hashlib.sha256(f"{self.seed} {self.count}".encode()).digest()[:8], "big") % most

    def choice(self, those):
        """One of them."""
        return those[self.below(len(those))]

    def settings(self, table):
        """One to four settings of a table, with values."""
        names = list(table)
        chosen = [names.pop(self.below(len(names))) for _ in range(1 + self.below(4))]
        return " ".join(filter(None, (text for name in chosen for text in (name, self.choice(table[name])))))


class Schedule:
    """Schedule of one part: hosts, the arguments of their qdiscs and the switch's ports, and a number for the draw."""

    def __init__(self, hosts, qdisc, port, rounds, seed):
        self.hosts, self.qdisc, self.port, self.rounds = hosts, qdisc, port, rounds
        self.draw = Draw(f"soak {seed}")
        self.handle = 1
        self.points = self.reloads = 0

    def anew(self, hosts=True, ports=True):
        """Qdiscs are others, with the first ones' settings."""
        self.handle += 1
        for host in self.hosts:
            if hosts:
                yield f"tc {host} qdisc replace dev eth0 root handle {self.handle:x}: {self.qdisc}"
            if ports:
                yield f"tc sw qdisc replace dev to-{host} root handle {self.handle:x}: {self.port}"

    def acker(self, host, peers):
        """A new acker gets the first one's settings; the list of peers is the core's, and goes with that alone."""
        if peers:
            yield f"ctl {host} peers add 0.0.0.0/0"
        yield f"ctl {host} acker dev add eth0"
        yield f"ctl {host} acker set {ACKER_FIRST}"

    def reload(self, what):
        """Modules go, under traffic, and come back."""
        modules = MODULES[what]
        # A qdisc of another kind wants another handle.
        self.handle += 1
        for host in self.hosts:
            if what == "ecnsharp":
                yield f"tc sw qdisc replace dev to-{host} root handle {self.handle:x}: pfifo limit 100"
            elif what == "onramp":
                yield f"tc {host} qdisc replace dev eth0 root handle {self.handle:x}: fq"
        yield f"rmmod {' '.join(modules)}"
        yield f"insmod {' '.join(reversed(modules))}"
        yield from self.anew(what == "onramp", what == "ecnsharp") if what != "acker" else ()
        for host in self.hosts if what != "ecnsharp" else ():
            yield from self.acker(host, what == "onramp")

    def change(self):
        """Something small."""
        host = self.draw.choice(self.hosts)
        what = self.draw.below(8)
        if what < 3:
            yield f"tc {host} qdisc change dev eth0 root onramp {self.draw.settings(HOST_SETTINGS)}"
        elif what < 5:
            yield f"tc sw qdisc change dev to-{host} root ecnsharp {self.draw.settings(PORT_SETTINGS)}"
        elif what == 5:
            yield f"ctl {host} acker set {self.draw.settings(ACKER_SETTINGS)}"
        elif what == 6:
            yield f"ctl {host} hold {self.draw.choice(('off', 'on'))} soak"
        else:
            yield f"ctl {host} limits set flows {self.draw.choice((1, 4, 65536))} paths {self.draw.choice((1, 2, 16384))}"

    def fault(self, at_s):
        """A host's acker, clock daemon or link fails for a while."""
        host = self.draw.choice(self.hosts)
        what = self.draw.below(3)
        if what == 0:
            yield 0, f"ctl {host} acker dev del eth0"
            yield 0, f"ctl {host} peers del 0.0.0.0/0"
            yield from ((0, line) for line in self.acker(host, True))
        elif what == 1:
            yield 0, f"background {host} huygens kill {host} {at_s + FAULT_S} {at_s + MENDED_S}"
        else:
            yield FAULT_S, f"state to-{host} {BRIDGE_DISABLED}"
            yield MENDED_S, f"state to-{host} {BRIDGE_FORWARDING}"

    def congestion_points(self):
        """For a while ports are congestion points and hosts reaction points; then the module goes and comes."""
        ports, point = POINTS[self.points % len(POINTS)]
        self.points += 1
        self.handle += 1
        for host in self.hosts:
            yield 0, f"tc sw qdisc replace dev to-{host} root handle {self.handle:x}: cp {ports}"
            yield 0, f"tc {host} qdisc change dev eth0 root onramp rp {point}"
        yield CHANGED_S, f"tc sw qdisc change dev to-{self.draw.choice(self.hosts)} root cp {self.draw.settings(POINT_SETTINGS)}"
        for host in self.hosts:
            yield WITHOUT_S, f"tc {host} qdisc change dev eth0 root onramp rp off"
        yield from ((WITHOUT_S, line) for line in self.anew(hosts=False))
        yield WITHOUT_S, "rmmod sch_cp"
        yield WITHOUT_S, "insmod sch_cp"

    def first(self):
        """All as it was at first."""
        yield from self.anew()
        for host in self.hosts:
            # Flows of an acker have no age: they go when others need the space, or with their prefix.
            yield f"ctl {host} peers del 0.0.0.0/0"
            yield f"ctl {host} peers add 0.0.0.0/0"
            yield f"ctl {host} acker set {ACKER_FIRST}"
            yield f"ctl {host} limits set {LIMITS_FIRST}"
            yield f"ctl {host} hold on soak"

    def step(self, number, at_s):
        """Lines of a step of a round, each with the s after its begin; of five two are changes."""
        kind = number % 5
        if kind == 2:
            self.reloads += 1
            return ((0, line) for line in self.reload(list(MODULES)[self.reloads % len(MODULES)]))
        if kind == 3:
            return self.congestion_points()
        if kind == 4:
            return self.fault(at_s)
        return ((0, line) for line in self.change())

    def round(self, begin_s):
        """Lines of a round."""
        for number, at_s in enumerate(range(begin_s + FIRST_S, begin_s + LAST_S, EVERY_S)):
            doing = sorted([*self.step(number, at_s), (BUSY_SNAPSHOT_S, "snapshot busy")], key=lambda timed: timed[0])
            yield from (f"{at_s + after_s} {line}" for after_s, line in doing)
        yield from (f"{begin_s + ANEW_S} {line}" for line in self.first())
        yield f"{begin_s + QUIET_S - 1} empty"
        yield f"{begin_s + QUIET_S} snapshot quiet"

    def lines(self, begin_s):
        """All lines; times are from begin_s on."""
        for number in range(self.rounds):
            yield from self.round(begin_s + number * ROUND_S)
