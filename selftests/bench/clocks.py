# SPDX-License-Identifier: GPL-2.0
"""Measurements of clocks: three daemons in namespaces, and a coordinator of a fleet; and how the guest's answers are read."""

import json
from dataclasses import dataclass

from failed import BenchFailed

HOSTS = 3
SECONDS = 30            # after all are locked
WINDOWS = 5             # of the fleet in the guest; on the machine itself it has ten
COORDINATOR = 1         # the lowest id that lives


@dataclass(frozen=True)
class Case:
    """One thing that is measured."""

    name: str
    number: int         # argument of the guest's script
    means: str          # for people


CASES = (
    Case("daemons", SECONDS, "three huygens-lite in network namespaces, a veth between each two, software stamps, `publish`, all else by default"),
    Case("fleet", WINDOWS, "a coordinator of 1,000 hosts with 10 neighbours each (`huygens-lite/test/fleet`): the daemon's own code, fed by "
         "messages of a simulated fleet"),
)


@dataclass(frozen=True)
class Measurement:
    """One line of the guest's plan."""

    key: str
    case: Case

    def line(self):
        return f"{self.key} {self.case.name} {self.case.number}"


def measurements(names):
    """All that are selected, one of each: instructions hardly differ."""
    return [Measurement(f"c{number}", case) for number, case in enumerate(CASES) if case.name in names]


def _check_daemons(found):
    """Refuse daemons that did not do their work while it was counted."""
    if [host["host"] for host in found] != list(range(1, HOSTS + 1)):
        raise BenchFailed(f"daemons: {len(found)} of {HOSTS} hosts")
    for host in found:
        what = f"daemons, host {host['host']}"
        if host["state"] != "locked" or host["coordinator"] != COORDINATOR:
            raise BenchFailed(f"{what}: {host['state']}, its coordinator is {host['coordinator']}")
        if host["seconds"] < SECONDS:
            raise BenchFailed(f"{what}: {host['seconds']:.1f} s, not {SECONDS}")
        if not 0 < host["user_ms"] < host["cpu_ms"] < 1000 * host["seconds"]:
            raise BenchFailed(f"{what}: {host['user_ms']} ms of user's in {host['cpu_ms']} ms of {host['seconds']} s")
        if min(host["probes"], host["pairs"], host["windows"]) <= 0 or bool(host["solved"]) != (host["host"] == COORDINATOR):
            raise BenchFailed(f"{what}: {host['probes']} probes, {host['pairs']} pairs, {host['windows']} windows, {host['solved']} solved")


def _check_fleet(found):
    if (found["hosts"], found["edges"]) != (1000, 10000):
        raise BenchFailed(f"fleet: {found['hosts']} hosts, {found['edges']} edges")
    if not found["steps"] or min(found["read_ms"], found["solve_ms"], found["tell_ms"]) <= 0:
        raise BenchFailed(f"fleet: {found}")


CHECKS = {"daemons": _check_daemons, "fleet": _check_fleet}


def pairs(host):
    """Pairs of probes that a daemon sent and read stamps of; it received and paired as many of others."""
    return host["probes"] / 2


def of_host(host):
    """CPU time of a daemon: ‰ of a CPU, user's and all, and us for each pair."""
    return {"user": host["user_ms"] / host["seconds"], "all": host["cpu_ms"] / host["seconds"], "us_a_pair": host["cpu_ms"] * 1000 / pairs(host)}


def document_of(name, text):
    """Results, from JSON; refused if they cannot be results."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as why:
        raise BenchFailed(f"{name}: what is shown is not JSON: {why}") from why
    try:
        CHECKS[name](found)
    except (KeyError, TypeError) as why:
        raise BenchFailed(f"{name}: not what the guest finds: {why}") from why
    return found


def read(plan, output):
    """Return {case: what was found}, complete or not at all."""
    shown = {}
    for line in output.splitlines():
        kind, _, rest = line.partition(" ")
        key, _, rest = rest.partition(" ")
        if kind == "stats":
            shown[key] = rest
        elif kind == "failed":
            raise BenchFailed(f"{key} {rest}")
    for item in plan:
        if item.key not in shown:
            raise BenchFailed(f"{item.case.name} is missing")
    return {item.case.name: document_of(item.case.name, shown[item.key]) for item in plan}
