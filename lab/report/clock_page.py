# SPDX-License-Identifier: GPL-2.0
"""What the report of huygens-lite says around its tables, and what it must do."""

import math
from dataclasses import dataclass
from itertools import product
from typing import Callable

from lab.experiments import bursts, clock, daemons, e2e
from lab.report.run_data import RunData, mean, within

TITLE = "Clocks that huygens-lite keeps, against the truth"

INTRO = (
    "Hosts around one switch in a laboratory of virtual time, each with a clock of its own: up to 1 s and 50 ppm off, whose rate wanders by 1 ppb per "
    "root second and ramps by up to 5 ppb a second. The daemon runs in each as it would anywhere; the truth is known to the nanosecond. An error is "
    "that of a pair of hosts. Live: how far apart in truth the common times are that their kernels have at the same moment, each tenth of a second, which is what "
    "On-Ramp uses. Mid-window: how far apart the solutions of one window are in its middle, which is what the paper reports; of single edges: how far the edge between "
    "two hosts alone would have been, without the network effect.",)


@dataclass(frozen=True)
class Criterion:
    """What must hold with every seed: a number of some cases, and its limits."""

    what: str
    cases: tuple
    measure: Callable       # RunData -> number or None, of however many seeds
    most: float = None
    least: float = None
    unit: str = "ns"

    def _common(self, data):
        """The seeds that all of its cases were run with."""
        return set.intersection(*(set(data.seeds(case)) if data.knows(case) else set() for case in self.cases))

    def number(self, data):
        """Of all these seeds; None if there are none."""
        seeds = self._common(data)
        return self.measure(data.only(seeds)) if seeds else None

    def numbers(self, data):
        """One a seed; none if it was not run."""
        return [self.measure(data.only({seed})) for seed in sorted(self._common(data))]

    def holds(self, numbers):
        return bool(numbers) and all(
            number is not None and (self.most is None or number <= self.most) and (self.least is None or number >= self.least) for number in numbers)

    def limits(self):
        """As text."""
        return " and ".join(f"at {side} {limit:.4g} {self.unit}".rstrip() for side, limit in (("least", self.least), ("most", self.most)) if limit is not None)


def _of(what, case, path, most=None, least=None, unit="ns"):
    """Of one case: the mean of the seeds."""
    return Criterion(what, (case,), lambda data: data.mean(case, path), most, least, unit)


def _over(what, case, over, path, most=None, least=None):
    """The quotient of two cases' means."""
    return Criterion(what, (case, over), lambda data: data.of_means(case, over, path), most, least, "")


def _loaded(stamps):
    return f"clock/loads/{stamps}/0.8/both"


# TCP's packets in the place of bursts.
TCP = {hosts: f"clock/packets/packets/{hosts}/0.8" for hosts in ("4", "8")}


def _eight(stamps):
    """Bursts of packets between as many hosts."""
    return bursts.case(stamps, bursts.EIGHT_LOAD, bursts.EIGHT[0])


# At 80 % load, of each kind of stamps: what, where it stands, ns at most.
LIMITS = {
    "hardware": (("p99, mid-window", "mid.p99_ns", 40), ("p99, live", "live.error.p99_ns", 100)),
    "software": (("median, live", "live.error.p50_ns", 300), ("p99, live", "live.error.p99_ns", 3000)),
}


def _kept(label, case, stamps=tuple(LIMITS)):
    """These criteria of what `case` has of each kind of stamps, and that the bound holds."""
    for kind in stamps:
        head = f"{label}{kind}'s stamps, 80 % load"
        yield from (_of(f"{head}: {what}", case(kind), path, most) for what, path, most in LIMITS[kind])
        yield _of(f"{head}: the bound holds", case(kind), "live.bound.held_percent", least=99, unit="%")


# Whose requests tell what clocks are worth: without On-Ramp, on perfect clocks, on huygens-lite's.
GAIN_CASES = tuple(map(e2e.kept, ("fq", "perfect", "huygens")))


def _gain(number):
    """What part of the gain that perfect clocks bring huygens-lite's must bring, of means; none where those bring none."""
    def measure(data):
        fq, perfect, measured = (data.mean(case, f"requests.{number}_us") for case in GAIN_CASES)
        return (fq - measured) / (fq - perfect) * 100 if fq > perfect else None
    return Criterion(f"of the gain with perfect clocks, RCT {number}", GAIN_CASES, measure, least=90, unit="%")


# Between which the network effect is judged: with fewer neighbours hosts stand in a ring.
FEWER, MORE = "clock/degree/2", "clock/degree/10"
FEW, MANY = (clock.NEIGHBOURS[case.removeprefix("clock/")] for case in (FEWER, MORE))

# Bursts that are no packets stand for packets if errors differ by no more than this.
ALIKE = 1.5
CRITERIA = (
    *_kept("8 hosts, ", _loaded),
    *(criterion for hosts, case in clock.SIZES.items() for criterion in _kept(f"{hosts} hosts, ", lambda _, case=case: f"clock/{case}", ("software",))),
    *_kept("4 hosts, ", lambda stamps: f"clock/coded/{stamps}/yes", ("hardware",)),
    *_kept("4 hosts, 40 s, ", lambda stamps: bursts.case(stamps, "0.8", bursts.CROSS[0])),
    *_kept("8 hosts, bursts of packets, ", _eight),
    *(criterion for hosts, case in TCP.items() for criterion in _kept(f"{hosts} hosts, TCP's packets, ", lambda _, case=case: case, ("software",))),
    *(_of(f"{label}: the bound holds", f"clock/faults/{name}", "live.bound.held_percent", least=99, unit="%")
      for name, label, _ in clock.FAILURES if name != "asymmetry"),
    _of("a host sends", _loaded("software"), "sent.max_bps", 3_000_000, unit="bit/s"),
    _over(f"16 hosts, {FEW} neighbours: median, mid-window, over that with {MANY}: falls at least as fast as one over their root",
          FEWER, MORE, "mid.p50_ns", least=(MANY / FEW) ** 0.5),
    Criterion(f"16 hosts, {min(clock.NEIGHBOURS.values())} to {MANY} neighbours: exponent of the median, mid-window, fitted: "
           "falls at least as fast as one over their root", tuple(f"clock/{case}" for case in clock.NEIGHBOURS), clock.exponent, most=-0.5, unit=""),
    *(_over(f"{hosts} hosts, TCP's packets: p99, live, over that with bursts", case, over, "live.error.p99_ns", ALIKE, 1 / ALIKE)
      for hosts, case, over in (("4", TCP["4"], "clock/packets/cross/4/0.8"), ("8", TCP["8"], _loaded("software")))),
    *(_over(f"clocks as NTP's: RCT {number} over fq's", "e2e/ntp", "e2e/fq", f"requests.{number}_us", 1.05) for number in e2e.RCT),
    _of("no common time: holds", "e2e/none", "holds.n", 0, unit=""),
    *map(_gain, e2e.RCT),
)


@dataclass(frozen=True)
class Alike:
    """What must be nearly the same with packets as without: numbers of a run, and by what factor they may differ."""

    what: str
    most: float
    paths: tuple


# Set before the runs: errors differ between seeds by up to twice.
ERRORS = Alike("errors: median and p99, mid-window and live", 2, ("mid.p50_ns", "mid.p99_ns", "live.error.p50_ns", "live.error.p99_ns"))
ALIKES = (
    Alike("how long probes wait: mean, median, p99", 1.2, ("met.wait.mean_ns", "met.wait.p50_ns", "met.wait.p99_ns")),
    Alike("shares of probes that do not wait and of pairs that are pure", 1.2, ("met.free_percent", "met.pure_percent")),
    ERRORS,
)
# Of the scenario bursts: (kind, over which, what that is).
COMPARED = ((bursts.PORTS, bursts.CROSS, "packets, each port's own, over bursts"), (bursts.PORTS, bursts.ROOMY, "packets, each port's own, over bursts, rings of 256"),
          (bursts.HOSTS, bursts.CROSS, "packets between hosts, over bursts"))


def _quotients(data, kind, over, criterion):
    """(number, where) of each of its numbers, of each load, stamps and seed."""
    for path, stamps, load in product(criterion.paths, clock.STAMPS, bursts.REPORT_LOADS):
        cases = [bursts.case(stamps, load, one[0]) for one in (kind, over)]
        if all(map(data.knows, cases)):
            yield from ((number, f"{path.rpartition('_')[0]}, {stamps}, {load}") for number in data.ratios(*cases, path))


def alike(data):
    """As judged(): what bursts that are no packets are worth, of quotients with the same bursts of packets."""
    for kind, over, label in COMPARED:
        for criterion in ALIKES:
            found = list(_quotients(data, kind, over, criterion))
            quotients = [one for one, _ in found]
            number, where = max(found, key=lambda one: abs(math.log(one[0])) if one[0] else math.inf, default=(None, ""))
            yield (f"4 hosts, {label}: {criterion.what}", f"at least {1 / criterion.most:.3g} and at most {criterion.most:g}",
                   _shown(mean(quotients), quotients) + (f", furthest: {where}" if found else ""),
                   bool(found) and 1 / criterion.most <= number <= criterion.most)


def _plain(number):
    """Three digits, or all before the point."""
    return f"{number:.0f}" if abs(number) >= 100 else f"{number:.3g}"


def _shown(number, numbers, unit=""):
    """A number, and between what those are that it is of."""
    if number is None:
        return "none" if numbers else "not run"
    return f"{within(number, [one for one in numbers if one is not None], _plain)} {unit}".rstrip()


def judged(data):
    """(what, limit, number, whether it holds) of each criterion."""
    for criterion in CRITERIA:
        numbers = criterion.numbers(data)
        yield criterion.what, criterion.limits(), _shown(criterion.number(data), numbers, criterion.unit), criterion.holds(numbers)
    yield from alike(data)


# Of what is left out, what no run here says anything of.
ELSEWHERE = (
    "Tried with a pair of probes every 50 ms in the place of 20 (`lab/run clock hosts=16 interval=50ms duration=20s settle=11s load=0.8 degree=8`), 16 hosts "
    "were 29 us apart at the 99th percentile; their bounds, 367 us in the median, say so. A port is idle for a fifth of the time there, so 4 pairs in a hundred meet no queue at "
    "either end: 1.6 of the 40 that a window has one way of an edge, where 20 ms give 4 of 100 (docs/tuning.md).",
    "Settings of ptp4l that are better than those above, if there are any: few were tried. What was tried of chronyd is in docs/decisions/0059-lab-compared-daemons.md.",
    "chronyd and ptp4l with hardware's stamps: both would keep the NIC's clock, and the truth that is noted is of CLOCK_REALTIME.",
    "ptp4l has no transparent clocks here, which it is made for: the switch knows nothing of PTP. It is unicast, since hosts are routed to.",
    "Hardware's stamps on a stock kernel: no NIC that QEMU has stamps packets; ptp_kvm is a clock without.",
    "Fig. 6 and 18 of On-Ramp's paper with clocks that the daemon keeps.",
)


def _apart(data, case):
    """How far apart hosts are, the median and the 99th percentile, as text."""
    median, p99 = (data.mean(case, f"live.error.{percent}_ns") / 1000 for percent in ("p50", "p99"))
    return f"{_plain(median)} us apart in the median, {_plain(p99)} at the 99th percentile"


def _worth(data):
    """How well bursts stand for packets, as text."""
    verdicts = [holds for *_, holds in alike(data)]
    errors = [number for kind, over, _ in COMPARED for number, _ in _quotients(data, kind, over, ERRORS)]
    least, most = min(errors), max(errors)
    exact = "" if 1 / ERRORS.most <= least and most <= ERRORS.most else "and not "
    return (f"Packets, in most tables: bursts occupy ports and are none. Of {len(verdicts)} comparisons with the same bursts of packets, with 4 hosts, "
            f"{verdicts.count(False)} miss their limits: a single error with packets is {least:.2g} to {most:.2g} times what it is without, in the mean "
            f"{sum(errors) / len(errors):.2g} times. So what stands here of bursts says how large errors are, {exact}to a factor of {ERRORS.most}.")


def _between_seeds(data):
    """By how much medians of seeds differ, as text."""
    medians = data.values(bursts.case("software", "0.8", bursts.CROSS[0]), "live.error.p50_ns")
    return f"{max(medians) / min(medians):.2g} times between seeds of 4 hosts with bursts at 80 %"


def left_out(data):
    """What a reader might look for and not find, with what is known of it."""
    return (
        "16 and 50 hosts but at 80 % load both ways with software's stamps: neither 0 nor 40 %, nor one way; nor 4 hosts one way, and at 0 "
        "only for the shorter times below. Hardware's stamps one way, and at 40 % only for those.",
        "What more neighbours are worth to 50 hosts, and to any with other loads and stamps: 50 hosts have K = 10 alone, 20 neighbours each.",
        "TCP's packets but at 80 % load both ways with software's stamps, of 4 and 8 hosts: neither 40 % nor one way, nor with hardware's stamps; "
        "at 0 nothing would be sent, as with bursts. Bursts of packets of 8 hosts but at 80 % load both ways.",
        "More than one seed, but of 8 hosts with bursts at 80 % load both ways, of bursts as packets with software's stamps at 80 %, and of On-Ramp. Medians "
        f"differ by up to {_between_seeds(data)}.",
        "120 s of what goes wrong, of daemons side by side and of bursts as packets of 4 hosts. With a fault it is 52 s, 40 of them measured: in 120 s a cut of 20 s "
        "would be a smaller part; side by side 42 s, 16 of them measured, which are eight windows; bursts as packets 40 s, 24 of them measured.",
        "Clocks that are seconds off when a run begins: each is up to 1 s off, fast or slow, so two are never more than 2 s apart.",
        f"Clocks as good with long flows that keep buffers full. With TCP's web search in the place of bursts, at 80 % load, 8 hosts are {_apart(data, TCP['8'])}, "
        f"where with bursts they are {_apart(data, _loaded('software'))} (the table of packets compared with bursts): of a window's pairs few meet no queue, "
        "in many windows none does, and clocks run on what was known. Before edges had a memory it was milliseconds, and bounds did not cover it "
        "(docs/decisions/0038-huygens-edge-filter.md).",
        _worth(data),
        *ELSEWHERE)


def configurations(data):
    """Lines of Markdown: the configuration of the daemons that are compared, the first host's, which is chronyd's and ptp4l's reference, and another's."""
    lines = ["## Configurations of the daemons side by side", ""]
    for daemon in daemons.DAEMONS:
        configuration = data.results(f"daemons/{daemon}/0.8")[0].document["configuration"]
        lines += [f"<details><summary>{daemon}</summary>", ""]
        for group in ("first", "others"):
            lines += [f"{'The first host' if group == 'first' else 'The others'}:", "", *(f"    {line}" for line in configuration[group]), ""]
        lines += ["</details>", ""]
    return lines


MEANS = ("With every seed. Here is the mean of the seeds, or the quotient of two such means, and in brackets the least and the most of the seeds' own; of packets over the same "
         "bursts, the mean of the quotients of all loads, stamps, seeds and numbers that are named, and the least and the most of these.")


def criteria(found):
    """Lines of Markdown."""
    data = RunData(found)
    lines = ["## What it must do", "", MEANS, "", "| what | limit | here | holds |", "|---|---|---|---|"]
    lines += [f"| {what} | {limit} | {number} | {'yes' if holds else 'no'} |" for what, limit, number, holds in judged(data)]
    return [*lines, "", *configurations(data), "## Left out", "", *(f"- {what}" for what in left_out(data)), ""]


def notes():
    """What a reader must know of the tables."""
    return (
        "A host's software is late, as it is on real hosts and is not in virtual time: to the wire 0.5 us and a lognormal time of median 0.3 us, from the wire "
        "3 us and one of median 1 us, deviation of the logarithm 0.6; one frame in a hundred takes up to 50 us more. Hardware's stamps are at the wire and without error, "
        "as no NIC's are: what it costs to carry and solve them, and how they are used, is real; that they are right to the nanosecond is not.",
        "The load is bursts of 30 KB on average that occupy ports without being packets (M/M/1), but in the two tables that set "
        "packets compared with them: TCP's, and datagrams that come as the bursts do. A port has 1 MB.",
        "The two probes of a pair leave at once (`spacing = 0`), where the daemon's default is 10us: it waits by reading its clock, 1024 times at most, and a "
        "read takes 1 ns here, so that a pair would be about 1 us apart, for which all other hosts wait. How far apart they were is measured, whatever it was.",
        "The bound of a pair is the sum of both hosts' own. `common time after` is when all hosts have one first, after the run's begin; daemons begin up to half a second "
        "before. `sent` is all that a host's NIC sent, frames without preamble, signalling included.",
        "A link that is longer one way is a host's clock to everybody: all its edges agree, so half the asymmetry is in the error and nothing in the bound says so. Who "
        "knows of it tells the daemon (`asymmetry`). A host that lies of some edges is outvoted: single edges have its lie, the solution has not.",
        "Means and 99th percentiles of requests that nobody holds hang on a few that wait for a retransmission timer (`requests.with_timeout` of the runs): fq and no common "
        "time differ by these, in one seed, though neither holds a packet.")
