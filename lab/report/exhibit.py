# SPDX-License-Identifier: GPL-2.0
"""What a study is put together from: runs, the rows of its table and the figures that they give.

Rows and plates are data about runs by case; table.py, figures.py and page.py know none of them.
"""

from dataclasses import dataclass, field
from typing import Callable

import verdict
from table import show


def digits(number):
    """Four that count, and no exponent."""
    return f"{number:.4g}" if abs(number) < 10_000 else f"{number:.0f}"


@dataclass(frozen=True)
class Row:
    """One line of a table: a number of the paper's, ours, and what to think of it."""

    quote: str              # key in paper.QUOTES
    label: str
    ours: Callable          # Evidence -> number or None
    detail: Callable        # Evidence -> text: the numbers behind it
    cases: tuple            # whose runs they are
    judge: Callable = verdict.of_ratio
    kind: str = "ratio"     # "count", "bound", "rate", "share", "direction"
    show: Callable = None   # Evidence -> cases: those whose number ours is, if not all
    cause: Callable = None  # Evidence -> text: where ours is not the paper's, why, from what was measured
    repeats: str = ""       # label of the row whose number this is again, ours and the paper's: it counts there
    ratios: Callable = None  # Evidence -> quotients, one a seed, where an effect needs seeds that agree on its sign


@dataclass(frozen=True)
class Plate:
    """A figure of a page: what it shows, how it is drawn, how to have it again."""

    name: str
    title: str              # says what is seen
    text: str               # what to look at
    figure: Callable        # Evidence -> a description for figures.draw
    cases: tuple            # prefixes of the cases that it shows


@dataclass(frozen=True)
class Column:
    """Of a grid: a number of each line's case, or its quotient with another case's."""

    head: str
    number: Callable        # (Evidence, line's key) -> number or None
    show: Callable = digits


@dataclass(frozen=True)
class Grid:
    """A table of our own numbers: schemes or conditions by metrics."""

    name: str
    title: str
    text: str
    head: str               # of the first column
    lines: tuple            # (label, key) pairs
    columns: tuple
    cases: tuple            # prefixes of the cases that it shows

    def cells(self, evidence):
        """Rows of text, the label first; "none" where there is no number."""
        for label, key in self.lines:
            numbers = [column.number(evidence, key) for column in self.columns]
            yield [label] + ["none" if number is None else column.show(number)
                             for column, number in zip(self.columns, numbers)]


@dataclass(frozen=True)
class Exhibit:
    """One question of a study and its evidence."""

    name: str
    runs: tuple
    rows: tuple = ()
    plates: tuple = ()
    grids: tuple = ()


@dataclass(frozen=True)
class Study:
    """Exhibits in the order in which they are shown; they may share runs."""

    exhibits: tuple = field(default_factory=tuple)

    @property
    def runs(self):
        """Each once."""
        unique = {}
        for exhibit in self.exhibits:
            for run in exhibit.runs:
                assert unique.setdefault(run.name, run) == run, run.name
        return list(unique.values())

    @property
    def rows(self):
        """Of all exhibits, in their order."""
        return [row for exhibit in self.exhibits for row in exhibit.rows]

    @property
    def plates(self):
        """Of all exhibits, in their order."""
        return [plate for exhibit in self.exhibits for plate in exhibit.plates]

    @property
    def grids(self):
        """Of all exhibits, in their order."""
        return [grid for exhibit in self.exhibits for grid in exhibit.grids]


def shows(part, run):
    """Whether a plate or a grid is made of a run, among others."""
    return any(f"{run.case}/".startswith(f"{prefix}/") for prefix in part.cases)


def seeds(ratios):
    """How far the quotients of single seeds lie apart, for a reader of their mean."""
    if len(ratios) < 2:
        return "; one seed" if ratios else ""
    least, most = (show("ratio", choose(ratios)) for choose in (min, max))
    if least == most:
        return ""
    return f"; seeds {least} to {most}" + (": no more than they differ by" if min(ratios) < 1 < max(ratios) else "")


def ratio_row(quote, label, over, under, path, *, scale=1, unit="us", judge=verdict.of_ratio, kind="ratio", cause=None,
              repeats="", also=()):
    """The quotient of one number of two cases; also: (what, over, under) of others, told behind it where they were run."""
    def detail(evidence):
        common = evidence.only(set(evidence.seeds(over)) & set(evidence.seeds(under)))
        values = [common.mean(case, path) for case in (over, under)]
        numbers = " / ".join("none" if value is None else digits(value / scale) for value in values)
        again = f"; '{repeats}' again" if repeats else ""
        others = "".join(f"; {what} {show('ratio', evidence.ratio(*cases, path))}" for what, *cases in also if all(map(evidence.knows, cases)))
        return f"{numbers} {unit}{seeds(evidence.ratios(over, under, path))}{others}{again}"
    return Row(quote, label, lambda evidence: evidence.ratio(over, under, path), detail, (over, under), judge, kind, cause=cause,
               repeats=repeats, ratios=lambda evidence: evidence.ratios(over, under, path))


def extreme_row(quote, label, choose, loads, cases, path, *, judge=verdict.of_ratio, kind="ratio", cause=None):
    """The ratio at the load where it is least (choose=min) or greatest (max): the paper's "up to", without its load.

    cases is load -> the two cases; cause is (Evidence, load) -> text.
    """
    def found(evidence):
        return choose((evidence.ratio(*cases(load), path), load) for load in loads)

    def ratios(evidence):
        return evidence.ratios(*cases(found(evidence)[1]), path)
    return Row(quote, label, lambda evidence: found(evidence)[0],
               lambda evidence: f"at load {found(evidence)[1]}{seeds(ratios(evidence))}",
               tuple(case for load in loads for case in cases(load)), judge, kind,
               lambda evidence: cases(found(evidence)[1]), cause and (lambda evidence: cause(evidence, found(evidence)[1])), ratios=ratios)
