# SPDX-License-Identifier: GPL-2.0
"""The rows of a study's runs in git: docs/results/STUDY.jsonl, a line for each with its command, seed, and the numbers that pages show.

The first line has the commit that wrote them. A run has the commit of the line before it, or names its own.

Which these are nobody lists: the pages are made once of results that note what is read of them (Noted).
"""

import json
import os
from collections import Counter

from lab.host.units import Refused
from lab.report.runs import ROOT, Result, commit

FOLDER = os.path.join(ROOT, "docs/results")


class _Noted(dict):
    """A dictionary that notes what is read of it, in a dictionary that has no more."""

    def __init__(self, whole, read):
        super().__init__(whole)
        self._read = read

    def __getitem__(self, name):
        value = super().__getitem__(name)
        if isinstance(value, dict):
            return _Noted(value, self._read.setdefault(name, {}))
        self._read[name] = value
        return value

    def get(self, name, default=None):
        return self[name] if name in self else default


class Noted:
    """A result that notes what is read of it."""

    def __init__(self, result):
        self._result = result
        self.commit = result.commit
        self.numbers = {}
        self.points = []

    @property
    def document(self):
        return _Noted(self._result.document, self.numbers)

    @property
    def trace(self):
        self.points = self._result.trace
        return self.points

    def peaks(self, step_ns):
        self.points = self._result.peaks(step_ns)
        return self.points


class _Row(dict):
    """The part of a run's JSON that a row has."""

    def __missing__(self, name):
        raise Refused(f"docs/results has no '{name}' of a run: lab/report/report, or acceptance, writes the rows anew")


def write(path, runs, found, read):
    """The rows of the runs: what read(name -> result) reads of their results."""
    noted = {name: Noted(result) for name, result in found.items()}
    read(noted)
    before = commit()
    lines = [{"commit": before}]
    for run in sorted(runs, key=lambda run: run.name):
        made = {"commit": found[run.name].commit} if found[run.name].commit != before else {}
        before = found[run.name].commit
        row = {"run": run.name, "command": run.command(), "seed": run.seed, **made, "numbers": noted[run.name].numbers}
        points = noted[run.name].points
        lines.append({**row, "trace": points} if points else row)
    with open(path, "w", encoding="ascii") as file:
        file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def made_from(found, commit):
    """The commit that a page was made from, and those of its runs that were there already."""
    others = Counter(result.commit for result in found.values() if result.commit not in ("", commit))
    older = ", ".join(f"{count} from {other}" for other, count in sorted(others.items()))
    return f"commit {commit}" + (f" (of its {len(found)} runs {older})" if older else "")


def read(path, runs):
    """(the commit that the rows were made from, name -> Result of all runs)."""
    if not os.path.exists(path):
        raise Refused(f"{path} is not there: lab/report/report, or acceptance, writes it")
    with open(path, encoding="ascii") as file:
        head, *lines = (json.loads(line, object_hook=_Row) for line in file)
    for before, row in zip([head, *lines], lines):
        row.setdefault("commit", before["commit"])
    rows = {row["run"]: row for row in lines}
    missing = [run.name for run in runs if run.name not in rows or rows[run.name]["command"] != run.command()]
    if missing:
        raise Refused(f"{path} lacks {len(missing)} runs, {missing[0]} among them: lab/report/report, or acceptance, writes it anew")
    return head["commit"], {run.name: Result(rows[run.name]["numbers"], [tuple(point) for point in rows[run.name].get("trace", ())], rows[run.name]["commit"])
                            for run in runs}
