# SPDX-License-Identifier: GPL-2.0
"""Text of the report of huygens-lite around its tables, and its criteria."""

import math
from dataclasses import dataclass
from itertools import product
from typing import Callable

from lab.experiments import bursts, clock, daemons, e2e
from lab.report.run_data import RunData, mean, within

TITLE = "Clocks that huygens-lite keeps, against the truth"

INTRO = (
    "Hosts are around one switch in a laboratory of virtual time. Each has a clock of its own, which is up to 1 s and 50 ppm off. Its rate wanders by 1 ppb per "
    "root second and ramps by up to 5 ppb a second. The daemon runs unchanged, and the truth is known to the nanosecond.",
    "All errors are those of pairs of hosts. A live error is the true distance of the common times that both kernels have at the same instant, each tenth of a second. "
    "On-Ramp uses these times. A mid-window error is the distance of both solutions of a window in its middle, as the paper reports it. The error of a single edge is "
    "that of the edge between the two hosts alone, without the network effect.",)


@dataclass(frozen=True)
class Criterion:
    """A criterion that must hold with every seed: a number of some cases, and its limits."""

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
        """The number of all these seeds; None if there are none."""
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
    """A criterion of one case: the mean of the seeds."""
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
    """The part of perfect clocks' gain that huygens-lite's must bring, of means; none where those bring none."""
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
    """Numbers of a run that must be nearly the same with packets as without, and the factor by which they may differ."""

    what: str
    most: float
    paths: tuple


# Set before the runs: errors differ between seeds by up to twice.
ERRORS = Alike("errors: median and p99, mid-window and live", 2, ("mid.p50_ns", "mid.p99_ns", "live.error.p50_ns", "live.error.p99_ns"))
ALIKES = (
    Alike("how long probes wait: mean, median, p99", 1.2, ("met.wait.mean_ns", "met.wait.p50_ns", "met.wait.p99_ns")),
    Alike("shares of probes that do not wait and of accepted pairs", 1.2, ("met.free_percent", "met.pure_percent")),
    ERRORS,
)
# Comparisons of the scenario bursts: (kind, reference, description).
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


# Subjects that are not covered and for which no run here has results.
ELSEWHERE = (
    "Other intervals between probes. With a pair every 50 ms instead of 20 (`lab/run clock hosts=16 interval=50ms duration=20s settle=11s load=0.8 degree=8`), 16 hosts "
    "were 29 us apart at the 99th percentile, with bounds of 367 us in the median. A port is idle for a fifth of the time there, so 4 pairs in a hundred meet no queue at "
    "either end. That is 1.6 of the 40 pairs of a window in one direction of an edge; with 20 ms it is 4 of 100 (docs/tuning.md).",
    "Better settings of ptp4l: few were tried. docs/decisions/0059-lab-compared-daemons.md has the settings of chronyd that were tried.",
    "chronyd and ptp4l with hardware timestamps: both would keep the NIC's clock, while the recorded truth is that of CLOCK_REALTIME.",
    "ptp4l with transparent clocks, for which it is made: the switch does not support PTP. ptp4l is unicast, because hosts are reached by routes.",
    "Hardware timestamps on a stock kernel: no NIC of QEMU timestamps packets, and ptp_kvm is a clock without a NIC.",
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
    return (f"Packets as load, in most tables: there the bursts occupy ports without packets. {verdicts.count(False)} of {len(verdicts)} comparisons with the same bursts of "
            f"packets, with 4 hosts, miss their limits. A single error with packets is {least:.2g} to {most:.2g} times the error without, in the mean "
            f"{sum(errors) / len(errors):.2g} times. Results with bursts therefore show the order of magnitude of errors, {exact}to a factor of {ERRORS.most}.")


def _between_seeds(data):
    """By how much medians of seeds differ, as text."""
    medians = data.values(bursts.case("software", "0.8", bursts.CROSS[0]), "live.error.p50_ns")
    return f"{max(medians) / min(medians):.2g} times between seeds of 4 hosts with bursts at 80 %"


def left_out(data):
    """Subjects that the page does not cover, with the knowledge about them."""
    return (
        "Other loads of 16 and 50 hosts: they have 80 % in both directions with software timestamps, and neither 0 nor 40 % nor one direction. 4 hosts have no load in one "
        "direction, and a load of 0 only for the shorter times below. Hardware timestamps with one direction are missing, and with 40 % they have the shorter times only.",
        "The effect of more neighbours with 50 hosts, or with other loads and timestamps: 50 hosts have K = 10 only, 20 neighbours each.",
        "TCP's packets with other loads: 4 and 8 hosts have 80 % in both directions with software timestamps, and neither 40 % nor one direction nor hardware timestamps. "
        "At 0 nothing would be sent, as with bursts. Bursts of packets with 8 hosts have 80 % in both directions only.",
        "More than one seed, except for 8 hosts with bursts at 80 % load in both directions, bursts as packets with software timestamps at 80 %, and On-Ramp. Medians "
        f"differ by up to {_between_seeds(data)}.",
        "120 s for faults, for compared daemons, and for bursts as packets with 4 hosts. Runs with a fault have 52 s, 40 of them measured, because in 120 s a cut of 20 s "
        "would be a smaller part. Compared daemons have 42 s, 16 of them measured, which are eight windows. Bursts as packets have 40 s, 24 of them measured.",
        "Clocks that are seconds off when a run begins: each is up to 1 s off, fast or slow, so two are at most 2 s apart.",
        f"Accurate clocks with long flows that keep buffers full. With TCP's web search instead of bursts, at 80 % load, 8 hosts are {_apart(data, TCP['8'])}; "
        f"with bursts they are {_apart(data, _loaded('software'))} (the table of packets compared with bursts). Few pairs of a window meet no queue, "
        "in many windows none does, and clocks continue with earlier knowledge. Before edges had a memory, errors were milliseconds, and bounds did not cover them "
        "(docs/decisions/0038-huygens-edge-filter.md).",
        _worth(data),
        *ELSEWHERE)


def configurations(data):
    """Lines of Markdown: the configuration of the daemons that are compared, the first host's, which is chronyd's and ptp4l's reference, and another's."""
    lines = ["## Configurations of the compared daemons", ""]
    for daemon in daemons.DAEMONS:
        configuration = data.results(f"daemons/{daemon}/0.8")[0].document["configuration"]
        lines += [f"<details><summary>{daemon}</summary>", ""]
        for group in ("first", "others"):
            lines += [f"{'The first host' if group == 'first' else 'The others'}:", "", *(f"    {line}" for line in configuration[group]), ""]
        lines += ["</details>", ""]
    return lines


MEANS = ("Each criterion must hold with every seed. The column 'here' has the mean of the seeds, or the quotient of two such means, and in brackets the lowest and highest of the seeds. "
         "For packets over the same bursts it has the mean of the quotients of all loads, timestamps, seeds and numbers that are named, and the lowest and highest of these.")


def criteria(found):
    """Lines of Markdown."""
    data = RunData(found)
    lines = ["## Criteria", "", MEANS, "", "| criterion | limit | here | holds |", "|---|---|---|---|"]
    lines += [f"| {what} | {limit} | {number} | {'yes' if holds else 'no'} |" for what, limit, number, holds in judged(data)]
    return [*lines, "", *configurations(data), "## Not covered", "", *(f"- {what}" for what in left_out(data)), ""]


def notes():
    """Notes on the tables."""
    return (
        "The software of a host adds latency, as on real hosts. To the wire it takes 0.5 us and a lognormal time of median 0.3 us, from the wire "
        "3 us and one of median 1 us, with a deviation of the logarithm of 0.6. One frame in a hundred takes up to 50 us more. Hardware timestamps are taken at the wire without "
        "error, more exactly than by any real NIC. Their transport, the solver and their use are real.",
        "The load is bursts of 30 KB on average that occupy ports without packets (M/M/1). Two tables compare them with packets: TCP's, and "
        "datagrams that arrive as the bursts do. A port has 1 MB.",
        "The two probes of a pair leave at once (`spacing = 0`), where the daemon's default is 10us. The daemon waits by reading its clock, 1024 times at most, and a "
        "read takes 1 ns here, so a pair would be about 1 us apart, and all other hosts would wait for it. The actual spacing is measured in any case.",
        "The bound of a pair is the sum of both hosts' bounds. `common time after` is the time from the run's beginning until all hosts have a common time; daemons begin up to half "
        "a second before. `sent` has all frames that a host's NIC sent, without preamble, signalling included.",
        "A link that is longer in one direction has the same effect as an error of the host's clock. All its edges agree, so half of the asymmetry is in the error, and the bound for On-Ramp does "
        "not include it. Known asymmetries can be configured (`asymmetry`). A host that lies about some edges is outvoted: single edges have its error, the solution does not.",
        "Means and 99th percentiles of requests without holding depend on a few that wait for a retransmission timer (`requests.with_timeout` of the runs). The rows of fq and of no "
        "common time differ by these, in one seed, though neither holds a packet.")
