# SPDX-License-Identifier: GPL-2.0
"""Archived results that another lab made: a few are repeated, and the others stand or fall with them.

A lab's fingerprint changes with every patch, module and compiler, most results do not. The few are chosen so that
whatever occurs in the commands of a scenario, its qdiscs and keys, occurs in a run that is repeated; numbers do not
count, so what changes for some values only can escape. One difference, and all of its scenario run again.
"""

import re
import sys

import store
from artifacts import digest


def features(run):
    """What occurs in a run: its scenario, each of its words without the numbers, a trace."""
    return {(run.scenario,), *((run.scenario, re.sub(r"\d+(\.\d+)?", "#", word)) for word in run.words),
            *([(run.scenario, "traced")] if run.trace else [])}


def cover(runs, fingerprint, free=()):
    """Runs that have all features of the given ones: the free, and of the others those that are cheap for what they add.

    Among equals the lab's fingerprint chooses, so that it is not the same ones for ever.
    """
    chosen = list(free)
    missing = set().union(*map(features, runs)).difference(*map(features, chosen))
    while missing:
        best = min((run for run in runs if features(run) & missing),
                   key=lambda run: (run.cost_s / len(features(run) & missing), digest(fingerprint, run.name)))
        chosen.append(best)
        missing -= features(best)
    return chosen


# How much sooner or later a run may end, s: programs that end read clocks, each for some ns, and another version of them or of a
# library does so another number of times. Flows know nothing of it.
ENDING_S = 0.00001

# A counter of a sender's qdisc, in the sum of them or in a series.
COUNTER = re.compile(r"(?:^|\.)sender_qdiscs?(?:\[\d+\])*\.\w+$")


def _lacking(path):
    """What one of two results lacks is a difference, unless it is a counter: what is counted since then happened before, too."""
    return None if COUNTER.search(path) else path


def _first(old, new, path):
    """Path of the first difference of two JSON values, None if there is none."""
    if isinstance(old, dict) and isinstance(new, dict):
        pairs = ((f"{path}.{name}".lstrip("."), old, new, name) for name in {**old, **new})
        return next((found for place, one, other, name in pairs
                     if (found := _first(one[name], other[name], place) if name in one and name in other else _lacking(place))), None)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return next((found for index, pair in enumerate(zip(old, new)) if (found := _first(*pair, f"{path}[{index}]"))), None)
    return None if type(old) is type(new) and old == new else path


def difference(old, new):
    """Where two results of a run differ first, such as "flows.all.mean_us"; None if they are equal.

    They are equal though the one's programs ended by less than ENDING_S later.

    The fingerprint may differ, and that of programs; a parameter may have come or gone: the command says those that matter. So may
    a counter of the senders' qdiscs: what is counted since then happened before, too.
    """
    params = [result.document["params"] for result in (old, new)]
    common = [{name: each[name] for name in each if name in params[0] and name in params[1]} for each in params]
    documents = [{**result.document, "fingerprint": "", "programs": {}, "params": part} for result, part in zip((old, new), common)]
    lasted = [document.get("virtual_seconds", 0) for document in documents]
    if 0 < abs(lasted[0] - lasted[1]) < ENDING_S:
        documents = [{**document, "virtual_seconds": lasted[0]} for document in documents]
    return _first(*documents, "") or _first(*([list(point) for point in result.trace] for result in (old, new)), "trace")


def _by_scenario(runs):
    parts = {}
    for run in runs:
        parts.setdefault(run.scenario, []).append(run)
    return parts


def chosen(archive, runs):
    """(unvouched runs, witnesses among them), without running anything."""
    unvouched = [run for run in runs if archive.state(run) == store.UNVOUCHED]
    # What this lab ran for another purpose, or before it was interrupted, costs nothing.
    free = [run for run in unvouched if archive.cache.get(run)]
    return unvouched, cover(unvouched, archive.cache.fingerprint, free)


def _condemn(archive, runs, why):
    for run in runs:
        archive.condemn(run, why)


def settle(archive, runs, execute, stream=sys.stderr):
    """Decide of each unvouched entry of the runs whether it stands or is stale; nothing is decided where a witness fails.

    execute(store, runs, title) -> name -> Result runs what the store lacks and keeps it there.
    """
    def say(text):
        print(f"witnesses: {text}", file=stream, flush=True)

    # Those of a scenario fall together, even if the falling was interrupted.
    for part in _by_scenario(runs).values():
        stale = (archive.entry(run) for run in part if archive.state(run) == store.STALE)
        why = next((entry["differs"] for entry in stale if "differs" in entry), None)
        if why:
            _condemn(archive, [run for run in part if archive.state(run) == store.UNVOUCHED], why)
    unvouched, witnesses = chosen(archive, runs)
    if not unvouched:
        return
    say(f"{len(unvouched)} archived results are another lab's; {len(witnesses)} of them are repeated")
    # Into the cache alone: the archive keeps what they are compared with.
    found = execute(archive.cache, witnesses, "witnesses")
    for scenario, part in _by_scenario(unvouched).items():
        heard = [run for run in witnesses if run.scenario == scenario]
        differing = {run: place for run in heard if (place := difference(archive.kept(run), found[run.name]))}
        for run, place in differing.items():
            say(f"{run.command()} differs from the archived result, first in {place}")
        if differing:
            run, place = next(iter(differing.items()))
            _condemn(archive, part, f"{run.command()}: {place}")
            say(f"{scenario}: {len(part)} archived results are stale and run again")
            continue
        for run in part:
            if run not in heard:
                archive.vouch(run)
        # Last, so that an interruption finds them as witnesses again.
        for run in heard:
            archive.put(run, found[run.name], equals=archive.kept(run).document["fingerprint"])
        say(f"{scenario}: {len(heard)} repeated, all equal; {len(part)} archived results stand")


def repeat(archive, runs, execute, stream=sys.stderr):
    """Run all that this machine has not run in this lab, whatever the archive has; name -> Result."""
    found = execute(archive.cache, runs, "all")
    archived = [run for run in runs if archive.entry(run)]
    differing = 0
    for run in runs:
        entry, equals = archive.entry(run), None
        if entry and (place := difference(archive.kept(run), found[run.name])):
            differing += 1
            print(f"all: {run.command()} differs from the archived result, first in {place}", file=stream, flush=True)
        elif entry:
            maker = entry["result"]["fingerprint"]
            equals = entry.get("equals") if maker == archive.cache.fingerprint else maker
        archive.put(run, found[run.name], equals)
    print(f"all: {len(archived) - differing} of {len(archived)} archived results are equal", file=stream, flush=True)
    return found


def results(archive, runs, execute, title, again=False):
    """name -> Result for all runs: archived where that stands, run where it does not; again: all run here."""
    if again:
        return repeat(archive, runs, execute)
    settle(archive, runs, execute)
    return execute(archive, runs, title)


def speaker(entry):
    """Fingerprint of the lab that made an entry or, later, vouched for it."""
    return entry.get("vouched") or entry["result"]["fingerprint"]


def census(archive, runs):
    """One line for a document: how many results there are, and how the lab of its fingerprint knows them."""
    entries = [archive.entry(run) for run in runs]
    stand, repeated = (sum(mark in entry for entry in entries) for mark in ("vouched", "equals"))
    if not stand + repeated:
        return f"{len(entries)} results, all run by the lab of this fingerprint."
    own = len(entries) - stand - repeated
    return (f"{len(entries)} results: {repeated} of an earlier lab were repeated by the lab of this fingerprint, all equal but for "
            f"the fingerprint; {stand} of that lab stand on them (CONTRIBUTING.md, Archived results)"
            + (f"; {own} were run by this lab alone." if own else "."))
