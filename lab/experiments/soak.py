# SPDX-License-Identifier: GPL-2.0
"""A part of a soak: three hosts for up to an hour of virtual time, and nothing that stays as it is.

The hosts are around a bridge. In rounds of 225 s there is traffic for 120 s, and meanwhile parameters of qdiscs, ackers and limits
change, modules go and come back, ports become congestion points (cp) and hosts reaction points, ackers lose their devices, clock daemons are killed, hosts are cut off, and clocks are stepped. Then nothing is sent, qdiscs are made
anew, and when also TCP has forgotten its connections a snapshot is taken: `quiet` is kB of memory at the end of each round,
once caches are empty. `left` is what there still was of flows and packets, `falls` which counters fell, `sums` which did not add up;
all three must be empty, and `counted` and `summed` say of how many numbers that holds. `modules` is how many users each has at the
first and the last such snapshot. selftests/lab/soak.py runs the parts of 24 hours and judges them.
"""

import os
import tempfile

from lab.experiments import e2e
from lab.host import results, sync
from lab.host.artifacts import ROOT
from lab.host.bridged_mesh import BridgedMesh
from lab.host.keys import Key, fraction, time
from lab.host.network import EPOCH_NS
from lab.host.units import Refused
from lab.soak import schedule, snapshots

SUMMARY = "one part of a soak test: traffic, changes, faults and module reloads, with checks of memory and counters"
ROWS = ()
ROUND_NS = schedule.ROUND_S * 10**9
DEFAULTS = {"acker": schedule.ACKER_FIRST, "hosts": "3", "rate": "10mbit", "rtt": "1ms", "duration": "3600s", "load": "0.15", "request_load": "0", "fanin": "2",
            "settle": "0ns", "warm": "100ms", "conn": "new", "workload": "fbhadoop", "degree": "2", "interval": "250ms", "window": "10s",
            "buffer": "150k", "aqm": "ecnsharp limit 100 ins_target 10ms pst_target 5ms pst_interval 20ms",
            "host": "onramp mode hold threshold 10ms clock published max_error 10ms"}
# Events that the scenario itself makes.
FIXED = ("duration", "load", "kept", "warm", "settle", "clock", "clock_step", "clock_phc", "stamps", "acker", "request", "fanin",
         "request_load", "spacing", "initcwnd", "delack")
GIVEN = [Key(key.name, DEFAULTS.get(key.name, key.default), key.read, key.help) for key in e2e.KEYS]
KEYS = [
    *(key for key in GIVEN if key.name not in FIXED),
    Key("load", DEFAULTS["load"], fraction(0.001, 0.6), "offered load of each host's link while there is traffic, below 0.6"),
    Key("duration", DEFAULTS["duration"], time("225s", "3600s"), "virtual time, whole rounds of 225 s"),
]
# How far clocks are stepped, ns, and when in a round.
STEPS_NS, STEP_AT_S = (-10**8, -10**6, -10**5, 10**5, 10**6, 10**7, 10**8), 40
# Bytes of the largest flow: it must end while a round sends nothing.
LARGEST = 2_000_000
# A published line, two windows at least.
VALID = "25s"


class Setting(e2e.Setting):
    """As e2e, around a bridge, with all that upsets it."""

    topology = BridgedMesh
    memory = "512M"
    trace_ns = 0

    def __init__(self, p, seed):
        if p["duration"] % ROUND_NS:
            raise Refused(f"duration: must be whole rounds of {schedule.ROUND_S}s")
        for key, kind in (("aqm", "ecnsharp"), ("host", "onramp")):
            if p[key].split()[:1] != [kind]:
                raise Refused(f"{key}: '{p[key]}' is not {kind} with parameters, which is what is changed and reloaded here")
        self.rounds = p["duration"] // ROUND_NS
        self.begin_s = EPOCH_NS // 10**9
        super().__init__({**{key.name: key.parse(key.default) for key in GIVEN if key.name in FIXED and key.name not in p}, **p, "clock": "own",
                          "clock_step": self.steps(p["hosts"], seed)}, seed)
        network = self.network
        made = schedule.Schedule(network.hosts, " ".join(self.qdiscs()["host"]),
                             " ".join(self.qdisc), self.rounds, seed)
        # pylint: disable-next=consider-using-with
        self.schedule = tempfile.NamedTemporaryFile("w", prefix="schedule-", encoding="ascii")
        self.schedule.writelines(f"{line}\n" for line in made.lines(self.begin_s))
        self.schedule.flush()

    def qdiscs(self):
        return {**super().qdiscs(), "congestion point": ["cp"]}

    def steps(self, hosts, seed):
        """Steps of clocks, one per round, each of some host: {host: [(ns after the run's begin, by how many ns), ...]}."""
        draw, found = schedule.Draw(f"steps {seed}"), {}
        for number in range(self.rounds):
            at_ns = (number * schedule.ROUND_S + STEP_AT_S) * 10**9
            found.setdefault(f"h{1 + draw.below(hosts)}", []).append((at_ns, draw.choice(STEPS_NS)))
        return found

    def script(self):
        yield f"deadline {2 * 3600 * 10**9}"
        yield from super().script()

    def files(self):
        return {**super().files(), "schedule": self.schedule.name, "churn": os.path.join(ROOT, "lab/soak/churn")}

    def measures(self):
        return False

    def watches(self):
        yield from (f"{line} output.valid={VALID}" for line in sync.daemons(self.p, self.network))
        yield f"spawn - /bin/sh /run/lab/churn /run/lab/schedule /run/lab/result/snapshots {' '.join(self.network.hosts)}"

    def groups(self):
        hosts = self.network.hosts
        for number in range(self.rounds):
            begin_s = number * schedule.ROUND_S
            yield (f"{self.arrivals(f'load{number}', self.ends(hosts, hosts), len(hosts) * self.p['rate'], (begin_s + schedule.BUSY_S) * 10**9)} "
                   f"from={begin_s * 10**9}ns largest={LARGEST}")
        # The run lasts until the second of two flows of a byte has ended.
        yield (f"group end kind=query {self.ends(hosts[:1], hosts[1:2])} flows=1 lo=1 hi=1 count=2 "
               f"period={self.p['duration']}ns")

    def results(self, raw, summary):
        seen = snapshots.read(raw)
        counted, falls = snapshots.falls(seen)
        summed, sums = snapshots.sums(seen)
        points, left = snapshots.quiet(seen)
        flows = self.flows(raw)
        quiet = [snapshot for snapshot in seen if snapshot.name == "quiet"]
        return {
            "virtual_seconds": results.read_seconds(raw),
            "unfinished": summary["unfinished"] + summary["failed"],
            "flows": len(flows),
            "bytes": sum(flow.bytes for flow in flows),
            "short": sum(flow.bytes != flow.size for flow in flows),
            "snapshots": len(seen),
            "quiet": points,
            "did": snapshots.did(seen),
            "counted": counted, "falls": falls, "summed": summed, "sums": sums, "left": left,
            "log": snapshots.log(os.path.dirname(raw), self.begin_s),
            "modules": [quiet[0].modules, quiet[-1].modules],
        }
