# SPDX-License-Identifier: GPL-2.0
"""Clocks of the hosts and of their NICs: how far off each is, drawn from the seed, as clauses of a topology script.

A clock of the lab is true unless configured otherwise; its settings are in lab/kernel/files/include/net/osc.h.
Switches have true clocks.
"""

import hashlib

from lab.host.keys import Key, choice, parts, time
from lab.host.units import Refused, show_time, time_ns

# Keys of a clock of the lab, and their ranges: lab/kernel/files/include/net/osc.h.
MOST_STEPS = 16
FURTHEST_NS = 10**15
LATEST_NS = 86400 * 10**9


def steps(text):
    """A reader of steps "HOST:AT:BY,...", by host and in their order: {host: [(AT, BY in ns), ...]}; BY may be negative."""
    found = {}
    for item in filter(None, text.split(",")):
        fields = item.split(":")
        if len(fields) != 3 or not fields[0]:
            raise Refused(f"'{item}' is not HOST:AT:BY")
        host, at_ns, by_ns = fields[0], time_ns(fields[1]), time_ns(fields[2].removeprefix("-"))
        if not 1 <= at_ns <= LATEST_NS:
            raise Refused(f"'{fields[1]}' must be from 1ns to {show_time(LATEST_NS)}")
        if not 1 <= by_ns <= FURTHEST_NS:
            raise Refused(f"'{fields[2]}' must be from 1ns to {show_time(FURTHEST_NS)}, either way")
        found.setdefault(host, []).append((at_ns, -by_ns if fields[2].startswith("-") else by_ns))
        if len(found[host]) > MOST_STEPS:
            raise Refused(f"'{host}' has more than {MOST_STEPS} steps")
    return found


KEYS = (
    Key("clock", "perfect", choice("perfect", "own"), "clocks of the hosts: perfect, or own ones that are off as follows"),
    Key("clock_offset", "0ns", time("0ns", "1000s"), "most that a clock is off when its host is made, either way, uniformly"),
    Key("clock_rate", "0ppm", parts("0ppm", "500ppm"), "most that its rate is off, either way, uniformly; ppm or ppb"),
    Key("clock_wander", "0ppb", parts("0ppb", "100ppm"), "random walk of its rate, per root second"),
    Key("clock_ramp", "0ppb", parts("0ppb", "10ppm"), "most that its rate changes a second, either way, uniformly"),
    Key("clock_step", "", steps, "steps of hosts' clocks, 'HOST:AT:BY,...', AT after the run's begin, such as 'r1:1s:-40us'"),
    Key("clock_phc", "off", choice("on", "off"), "the hosts' NICs have clocks of their own too, off alike, and stamps"),
)

# Keys of the scenarios about the accuracy of clocks.
ERROR = Key("clock_error", "0ns", time("0ns", "1s"), "standard deviation of a further such offset, distributed normally")

# Keys of clock=own; the others are distances, all zero by default.
SPREADS = ("clock_offset", "clock_error", "clock_rate", "clock_wander", "clock_ramp")
# How finely a normal deviation is drawn.
PARTS = 1 << 32


def _drawn(seed, name, what, most):
    """A whole number from -most to most; another for each name and what."""
    digest = hashlib.sha256(f"{seed} {name} {what}".encode()).digest()
    return int.from_bytes(digest[:16], "big") % (2 * most + 1) - most


def _normal(seed, name, what, deviation):
    """A whole number of a normal distribution, nearly: twelve uniform ones of half width 1 have variance 4."""
    return sum(_drawn(seed, name, f"{what} {i}", PARTS) for i in range(12)) * deviation // (2 * PARTS)


class Clocks:
    """Those of one run; used has the settings of each, none for perfect ones."""

    def __init__(self, p, seed):
        self.p = p
        self.seed = seed
        self.used = {}
        if p["clock"] == "own":
            return
        for key in (*SPREADS, "clock_step"):
            if p.get(key):
                raise Refused(f"{key}: a perfect clock has none, it wants clock=own")
        if p["clock_phc"] == "on":
            raise Refused("clock_phc: perfect clocks are the hosts' alone, it wants clock=own")

    def _draw(self, name):
        p = self.p
        return {
            "offset": _drawn(self.seed, name, "offset", p["clock_offset"])
                      + _normal(self.seed, name, "error", p.get("clock_error", 0)),
            "rate": _drawn(self.seed, name, "rate", p["clock_rate"]),
            "wander": p["clock_wander"],
            "ramp": _drawn(self.seed, name, "ramp", p["clock_ramp"]),
            "seed": abs(_drawn(self.seed, name, "seed", 2**63 - 1)),
        }

    def _clause(self, host, interface, name):
        self.used[name] = self._draw(name)
        yield f"clock {host} {interface} " + " ".join(f"{key}={value}" for key, value in self.used[name].items())

    def host(self, name):
        """Clock of a host's system."""
        if self.p["clock"] == "own":
            yield from self._clause(name, "-", name)

    def check(self, hosts):
        """Refuse steps of hosts that there are not."""
        for host in self.p["clock_step"]:
            if host not in hosts:
                raise Refused(f"clock_step: there is no host '{host}'; hosts are {', '.join(list(hosts)[-4:])} and others")

    def steps(self):
        """Changes of hosts' clocks during the run: clauses that need the script's epoch."""
        for host, times in self.p["clock_step"].items():
            yield from (f"clock {host} - step={by_ns} at={at_ns}" for at_ns, by_ns in times)

    def card_keys(self):
        """Settings of the NIC at a link's host end, from the link's options."""
        return {"a.phc": 1} if self.p["clock_phc"] == "on" else {}

    def nic(self, host, interface):
        """Clock of a host's NIC."""
        if self.p["clock_phc"] == "on":
            yield from self._clause(host, interface, f"{host}.{interface}")
