#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Trouble with clocks, in virtual time: On-Ramp costs long flows no throughput, whatever clocks do, and says why.

Two long flows from different senders. Trouble that is announced, and delays that are not possible: nothing is held, and
goodput is 95 % of fq's at the same time. Clocks that step and say nothing: so a second later. Clocks that are fast or slow
and say nothing: so all the time. Each case is identified by the counter of why nothing is held.

Also with data the other way, to the first sender, whose port they fill. Steps that a way back hides all the time, and routes that
grow, are in selftests/unit/onramp_loop.c: the lab's routes are what they are from the beginning.

With --full also twelve flows, whose queue never empties: it is not taken for the path, so that the threshold stays where it is.
Without it one case of each counter.
"""

import concurrent.futures
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host.artifacts import Lab
from lab.host.boot import EPOCH_NS as BOOT_NS
from lab.trials import Trial
from tap import Tap

# A long way, for steps of ms that are not impossible. The senders' own queues are part of a delay: the margin is two of
# what TCP hands down at once.
COMMON = ("rate=1gbit", "rtt=5ms", "buffer=1m", "first=2", "clock=own")
SHORTLY = (*COMMON, "join=350ms", "leave=1350ms", "duration=1800ms")
# Drifting clocks are given time to drift.
SLOWLY = (*COMMON, "join=1s", "leave=3500ms", "duration=4s")
ENOUGH = 0.95
# With this one the receiver's clock is the faster by nearly twice of what clock_rate=500ppm allows.
SEED = 28
SENDERS = ("s1", "s2")
UNUSABLE = ("no_clock", "uncertain", "negative", "too_long", "below_base", "suspect")


def on_ramp(more="", error="1us"):
    """Its qdisc."""
    return f"host=onramp mode hold margin 1ms {more} clock system error {error}"


def published(host, epoch, valid="60s"):
    """Lines of a topology script: a host's clock is the published one, a true line."""
    yield (f"exec {host} onrampctl clock set published offset 0ns drift 0ppb error 1us valid {valid} epoch {epoch} base realtime "
           f"ref {BOOT_NS}ns")
    if host in SENDERS:
        yield f"exec {host} tc qdisc change dev eth0 root onramp clock published"


def by_line(epochs, valid="60s"):
    """Lines of a topology script: all go by published clocks, of these epochs; the senders' are valid for so long."""
    return [line for host, epoch in epochs.items() for line in published(host, epoch, valid if host in SENDERS else "60s")]


class Case:
    """Changes of the clocks: keys of the scenario and lines of its topology script; which counter says so, None for none."""

    def __init__(self, why=None, keys=(), lines=(), host=on_ramp(), holds=False, back=False):
        self.why = why
        self.way = SHORTLY
        self.keys = keys
        self.lines = lines
        self.host = host
        self.holds = holds
        self.back = back

    def run(self, lab):
        """Results."""
        trial = Trial("ramp", (*self.way, self.host, *self.keys), SEED)
        script = trial.setting.script
        trial.setting.script = lambda: [*script(), *self.lines]
        if self.back:
            groups, ends = trial.setting.groups, trial.setting.ends(["s2", "s3"], ["s1"])
            back = f"group back kind=long {ends} from=0ns until={trial.setting.p['duration']}ns"
            trial.setting.groups = lambda: [*groups(), back]
        return trial.run(lab)


ALIKE = {"s1": 1, "s2": 1, "r1": 1}
# Nothing is held, or only until it begins.
ANNOUNCED = {
    "no published clock": Case("no_clock", lines=[f"exec {host} tc qdisc change dev eth0 root onramp clock published"
                                                  for host in SENDERS]),
    "the receiver's clock is withdrawn": Case("no_clock", lines=["exec r1 onrampctl clock clear"]),
    "clocks of two epochs": Case("no_clock", lines=by_line({**ALIKE, "r1": 2})),
    "a clock that goes stale": Case("no_clock", lines=by_line(ALIKE, "1400ms"), holds=True),
    "bounds above max_error": Case("uncertain", host=on_ramp("max_error 3us", "2us")),
    "a receiver that is behind": Case("negative", ("clock_step=r1:1ns:-20ms",)),
    "a receiver that is ahead": Case("too_long", ("clock_step=r1:1ns:1s",)),
    "no acker": Case("unacked", lines=["exec r1 onrampctl peers del 0.0.0.0/0"]),
}
STEPS = {
    **{f"a step by {by}": Case(why, (f"clock_step=r1:400ms:{by}",), holds=True)
       for by, why in (("100us", None), ("2ms", "suspect"), ("10ms", "too_long"), ("-100us", None), ("-2ms", None),
                       ("-20ms", "negative"))},
    "a step there and back": Case("suspect", ("clock_step=r1:200ms:2ms,r1:380ms:-2ms",), holds=True),
    "a sender's clock steps": Case("suspect", ("clock_step=s1:400ms:-2ms",), holds=True),
}
# Delays that are not possible need no time to be disbelieved.
IMPOSSIBLE = ("negative", "too_long")
# With what waits in the port to the first sender, 8 ms at most, the one is a possible delay, and the other sometimes.
BOTH_WAYS = {f"data both ways, a step by {by}": Case(why, ("senders=3", f"clock_step=r1:400ms:{by}"), holds=True, back=True)
             for by, why in (("2ms", "suspect"), ("3ms", "too_long"))}
RATES = {f"clocks off by up to {rate}": Case(why, (f"clock_rate={rate}",), holds=True)
         for rate, why in (("1ppm", None), ("10ppm", None), ("100ppm", None), ("500ppm", "suspect"))}
for drifting in RATES.values():
    drifting.way = SLOWLY
# One of each counter: the cases without --full.
SHORT = ("no published clock", "bounds above max_error", "no acker", "a step by 2ms", "a step by 10ms", "a step by -20ms")
GOOD = {"good clocks": Case(holds=True)}
FQ = {"fq": Case(host="host=fq"), "both ways": Case(keys=("senders=3",), host="host=fq", back=True)}


TWELVE = ("senders=12", "join=300ms", "leave=2800ms", "duration=3s", "settle=100ms", "clock=own", "clock_offset=400ns",
          "host=onramp mode hold clock system error 1us")


def goodputs(run, phases):
    """Gbit/s of both flows in each of the phases."""
    return [run["phases"][name]["total_gbps"] for name in phases]


def judge(tap, name, case, run, fq, phases):
    """One case: its goodput compared with fq's, and its counters."""
    reported = run["sender_qdiscs"]
    own, theirs = goodputs(run, phases), goodputs(fq, phases)
    tap.ok(f"{name}: goodput is {ENOUGH:.0%} of fq's", all(a >= ENOUGH * b for a, b in zip(own, theirs)), (own, theirs, reported))
    tap.ok(f"{name}: {'something' if case.holds else 'nothing'} was held", bool(reported["holds"]) == case.holds, reported)
    if case.why:
        tap.ok(f"{name}: that is why: {case.why}", reported[case.why] > 0, reported)
    print(f"# {name}: {own} Gbit/s, fq {theirs}; {reported['holds']} holds, " + ", ".join(f"{reported[name]} {name}" for name in UNUSABLE)
          + f", {reported['suspicions']} suspicions", flush=True)


def twelve_flows(tap, twelve):
    """Thresholds stay where they are under a queue that never empties."""
    thresholds, queue = twelve["thresholds"], twelve["phases"]["during"]["owd"]
    tap.ok("twelve flows: each sender has its threshold", len(thresholds) == len(twelve["phases"]["during"]["goodput_gbps"])
           and all(thresholds), thresholds)
    first, most = thresholds[0], max(way["last_us"] for way in thresholds)
    tap.ok("the first's, which began on an idle path, drifts by less than a tenth", first["max_us"] < 1.1 * first["min_us"], first)
    tap.ok("none rises by a tenth of it", all(way["rise_us"] < 0.1 * first["min_us"] for way in thresholds), thresholds)
    tap.ok("and none is below it", all(way["min_us"] > 0.9 * first["min_us"] for way in thresholds), thresholds)
    tap.ok("though a queue stands above it", queue["p1_us"] > most, (most, queue))


def main():
    tap = Tap()
    lab = Lab()
    full = "--full" in sys.argv[1:]
    kinds = {"fq": FQ, "good": GOOD, "announced": ANNOUNCED, "steps": STEPS, "rates": RATES, "both": BOTH_WAYS}
    if not full:
        kinds = {kind: {name: case for name, case in cases.items() if name in (*FQ, *GOOD, *SHORT) and not case.back}
                 for kind, cases in kinds.items()}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = {(kind, name): pool.submit(case.run, lab) for kind, cases in kinds.items() for name, case in cases.items()}
        twelve = pool.submit(lambda: Trial("ramp", TWELVE, SEED).run(lab)) if full else None
        found = {key: run.result() for key, run in runs.items()}
    fq, fq_both = found.pop(("fq", "fq")), found.pop(("fq", "both ways"), None)
    for (kind, name), run in found.items():
        case = kinds[kind][name]
        late = kind in ("steps", "both") and case.why not in IMPOSSIBLE
        judge(tap, name, case, run, fq_both if case.back else fq, ("after",) if late else ("before", "during", "after"))
    good, stepped = found["good", "good clocks"], found["steps", "a step by 2ms"]
    counts = {name: good["sender_qdiscs"][name] for name in UNUSABLE}
    tap.ok("good clocks are accepted", not any(counts.values()), counts)
    tap.ok("and shorten the queue", good["owd"]["mean_us"] < 0.8 * fq["owd"]["mean_us"], (good["owd"], fq["owd"]))
    means = [run["phases"]["after"]["owd"]["mean_us"] for run in (good, stepped)]
    tap.ok("after a step there is a new base, and the queue is as short as before", means[1] < 1.1 * means[0], means)
    if twelve:
        twelve_flows(tap, twelve.result())
    tap.end()


if __name__ == "__main__":
    main()
