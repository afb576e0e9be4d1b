# SPDX-License-Identifier: GPL-2.0
"""One run of a study: what it is, how a user has it again, and what it gives."""

import functools
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "lab/host"))

# pylint: disable=wrong-import-position
import trials
import results


@functools.cache
def commit():
    """The tree's, with -dirty where it has changes that are not committed; "unknown" outside of git."""
    done = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


class RunFailed(Exception):
    """Some runs gave no result; the text names each and says why."""


@dataclass(frozen=True)
class Run:
    """One run of a study."""

    case: str               # its place in the study, such as incast/codel/100
    scenario: str
    words: tuple            # key=value, as lab/run takes them
    seed: int = 1
    cost_s: float = 5       # wall time on a slow core; only the minutes left are reckoned from it
    trace: tuple = ()       # (from, until) in ns: this much of the bottleneck's trace is kept

    @property
    def name(self):
        """Of its own in a study."""
        return f"{self.case}/{self.seed}"

    def command(self):
        """What a user types for the same result."""
        words = " ".join(shlex.quote(word) for word in self.words)
        return f"lab/run {self.scenario} {words}".rstrip() + (f" --seed {self.seed}" if self.seed != 1 else "")

    def trial(self):
        """Checked parameters; refuses nonsense."""
        return trials.Trial(self.scenario, self.words, self.seed)


@dataclass(frozen=True)
class Result:
    """What a run gave: the JSON of lab/run, and the kept part of the trace as (ns, packets); and from which commit."""

    document: dict
    trace: list
    commit: str = ""

    def peaks(self, step_ns):
        """The greatest point of the trace in each step: a burst's peak stays in a figure."""
        best = {}
        for at, pkts in self.trace:
            slot = at // step_ns
            if slot not in best or pkts > best[slot][1]:
                best[slot] = (at, pkts)
        return [best[slot] for slot in sorted(best)]


def execute(run, lab, reached):
    """Run it in the lab; reached(share) is called as it goes and may raise."""
    trial = run.trial()
    duration = trial.params["duration"]
    trace = []

    def keep(folder):
        if run.trace:
            points = results.read_trace(os.path.join(folder, "result", "bottleneck.trace"),
                                        trials.EPOCH_NS)
            trace.extend((at, pkts) for at, pkts, _ in points if run.trace[0] <= at < run.trace[1])

    def progress(virtual_ns, done, flows, _wall_s):
        arrived = (virtual_ns - trials.EPOCH_NS) / duration
        # After the last arrival flows drain: their share is what counts then.
        reached(min(arrived, done / flows if flows and arrived > 1 else 1, 0.99))

    document = trial.run(lab, progress=progress, keep=keep)
    if document["unfinished"]:
        raise RunFailed(f"{document['unfinished']} flows never ended")
    return Result(document, trace, commit())
