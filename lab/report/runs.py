# SPDX-License-Identifier: GPL-2.0
"""The result of a run of a study, and how it is carried out."""

import functools
import os
import subprocess
from dataclasses import dataclass

from lab import trials
from lab.host import results
from lab.host.artifacts import ROOT



@functools.cache
def commit():
    """The tree's, with -dirty where it has changes that are not committed, others than of results; "unknown" outside of git."""
    def git(*arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False).stdout.strip()

    made = git("describe", "--always", "--abbrev=12", "--exclude=*")
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)docs/results")
    return (made or "unknown") + ("-dirty" if changed else "")


class RunFailed(Exception):
    """Some runs gave no result; the text names each and says why."""


@dataclass(frozen=True)
class Result:
    """Result of a run: the JSON of lab/run, and the kept part of the trace as (ns, packets); and from which commit."""

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


def trial_of(run):
    """Checked parameters; refuses nonsense."""
    return trials.Trial(run.scenario, run.arguments, run.seed)


def execute(run, lab, reached):
    """Run it in the lab; reached(share) is called as it goes and may raise."""
    trial = trial_of(run)
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
