# SPDX-License-Identifier: GPL-2.0
"""Parts of a study: runs, the rows of its table and the figures that they give.

Rows and figures are data about runs by case; table.py, plot.py and page.py know none of them.
"""

import shlex
from dataclasses import dataclass, field
from typing import Callable

from lab.report import verdict
from lab.report.paper_value import PaperValue
from lab.report.table import show


def digits(number):
    """Four that count, and no exponent."""
    return f"{number:.4g}" if abs(number) < 10_000 else f"{number:.0f}"


@dataclass(frozen=True)
class Run:
    """One run of a study."""

    case: str               # its place in the study, such as incast/codel/100
    scenario: str
    arguments: tuple            # key=value, as lab/run takes them
    seed: int = 1
    cost_s: float = 5       # wall time on a slow core; only the minutes left are reckoned from it
    trace: tuple = ()       # (from, until) in ns: this much of the bottleneck's trace is kept

    @property
    def name(self):
        """Its unique name in a study."""
        return f"{self.case}/{self.seed}"

    def command(self):
        """The command for the same result."""
        arguments = " ".join(shlex.quote(argument) for argument in self.arguments)
        return f"lab/run {self.scenario} {arguments}".rstrip() + (f" --seed {self.seed}" if self.seed != 1 else "")


@dataclass(frozen=True)
class Row:
    """One line of a table: a number of the paper's, the measured one, and the verdict."""

    paper_value: PaperValue
    label: str
    measured: Callable          # RunData -> number or None
    detail: Callable        # RunData -> text: the numbers behind it
    cases: tuple            # whose runs they are
    judge: Callable = verdict.of_ratio
    kind: str = "ratio"     # "count", "bound", "rate", "share", "direction"
    show: Callable = None   # RunData -> cases: those whose number is the measured one, if not all
    cause: Callable = None  # RunData -> text: where the measured number is not the paper's, why
    repeats: str = ""       # label of the row whose number this is again, measured and the paper's: it counts there
    ratios: Callable = None  # RunData -> quotients, one a seed, where an effect needs seeds that agree on its sign


@dataclass(frozen=True)
class Figure:
    """A figure of a page: what it shows, how it is drawn, how to have it again."""

    name: str
    title: str              # says what is seen
    text: str               # what to look at
    plot: Callable          # RunData -> a description for plot.draw
    cases: tuple            # prefixes of the cases that it shows


@dataclass(frozen=True)
class Column:
    """A column of a grid: a number of each line's case, or its quotient with another case's."""

    head: str
    number: Callable        # (RunData, line's key) -> number or None
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

    def cells(self, data):
        """Rows of text, the label first; "none" where there is no number."""
        for label, key in self.lines:
            numbers = [column.number(data, key) for column in self.columns]
            yield [label] + ["none" if number is None else column.show(number)
                             for column, number in zip(self.columns, numbers)]


@dataclass(frozen=True)
class Experiment:
    """One question of a study and its data."""

    name: str
    runs: tuple
    rows: tuple = ()
    figures: tuple = ()
    grids: tuple = ()


@dataclass(frozen=True)
class Study:
    """Experiments in the order in which they are shown; they may share runs."""

    experiments: tuple = field(default_factory=tuple)

    @property
    def runs(self):
        """Each once."""
        unique = {}
        for experiment in self.experiments:
            for run in experiment.runs:
                assert unique.setdefault(run.name, run) == run, run.name
        return list(unique.values())

    @property
    def rows(self):
        """Those of all experiments, in their order."""
        return [row for experiment in self.experiments for row in experiment.rows]

    @property
    def figures(self):
        """Those of all experiments, in their order."""
        return [figure for experiment in self.experiments for figure in experiment.figures]

    @property
    def grids(self):
        """Those of all experiments, in their order."""
        return [grid for experiment in self.experiments for grid in experiment.grids]


def shows(part, run):
    """Whether a figure or a grid is made of a run, among others."""
    return any(f"{run.case}/".startswith(f"{prefix}/") for prefix in part.cases)


def seeds(ratios):
    """How far the quotients of single seeds lie apart, for a reader of their mean."""
    if len(ratios) < 2:
        return "; one seed" if ratios else ""
    least, most = (show("ratio", choose(ratios)) for choose in (min, max))
    if least == most:
        return ""
    return f"; seeds {least} to {most}" + (": no more than they differ by" if min(ratios) < 1 < max(ratios) else "")


def ratio_row(paper_value, label, over, under, path, *, scale=1, unit="us", judge=verdict.of_ratio, kind="ratio", cause=None,
              repeats="", also=()):
    """The quotient of one number of two cases; also: (what, over, under) of others, printed after it where they were run."""
    def detail(data):
        common = data.only(set(data.seeds(over)) & set(data.seeds(under)))
        values = [common.mean(case, path) for case in (over, under)]
        numbers = " / ".join("none" if value is None else digits(value / scale) for value in values)
        again = f"; '{repeats}' again" if repeats else ""
        others = "".join(f"; {what} {show('ratio', data.ratio(*cases, path))}" for what, *cases in also if all(map(data.knows, cases)))
        return f"{numbers} {unit}{seeds(data.ratios(over, under, path))}{others}{again}"
    return Row(paper_value, label, lambda data: data.ratio(over, under, path), detail, (over, under), judge, kind, cause=cause,
               repeats=repeats, ratios=lambda data: data.ratios(over, under, path))


def extreme_row(paper_value, label, choose, loads, cases, path, *, judge=verdict.of_ratio, kind="ratio", cause=None):
    """The ratio at the load where it is least (choose=min) or greatest (max): the paper's "up to", without its load.

    cases is load -> the two cases; cause is (RunData, load) -> text.
    """
    def found(data):
        return choose((data.ratio(*cases(load), path), load) for load in loads)

    def ratios(data):
        return data.ratios(*cases(found(data)[1]), path)
    return Row(paper_value, label, lambda data: found(data)[0],
               lambda data: f"at load {found(data)[1]}{seeds(ratios(data))}",
               tuple(case for load in loads for case in cases(load)), judge, kind,
               lambda data: cases(found(data)[1]), cause and (lambda data: cause(data, found(data)[1])), ratios=ratios)
