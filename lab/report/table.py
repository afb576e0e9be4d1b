# SPDX-License-Identifier: GPL-2.0
"""The rows of a study as text for a terminal, and as cells for a page."""

from dataclasses import dataclass

from lab.report import verdict


@dataclass(frozen=True)
class Line:
    """One row, ready to print."""

    label: str
    source: str     # "S0-5, Fig. 9b, 5.2"
    paper: str
    measured: str
    detail: str     # the numbers behind the measured one
    verdict: str
    cause: str      # why it is not the paper's; empty where it is


def is_times(ratio):
    """Whether a ratio is printed as a factor and not as a change in percent."""
    return ratio is not None and ratio > 0 and not 0.4 < ratio < 1.5


def show(kind, number, times=False):
    """A ratio as a change in percent, unless it or the number that it is compared with is many times; a count as it is."""
    if number is None:
        return "none"
    if kind in ("count", "rate"):
        return f"{number:.4g}"
    if kind == "share":
        return f"{number * 100:.1f} %"
    if number in (0, 1):
        return "equal" if number else "none left"
    if times or is_times(number):
        return f"{number:.2f}x" if number > 1 else f"1/{1 / number:.1f}"
    return f"{(number - 1) * 100:+.1f} %"


def show_paper(kind, paper_value):
    """As show(), but what the paper calls similar is not called equal, and a bound is one."""
    if kind in ("count", "rate"):
        return f"{paper_value.value:g}"
    if kind == "share":
        return show(kind, paper_value.ratio)
    if kind == "direction":
        return "more" if paper_value.ratio > 1 else "less"
    if kind == "bound":
        return "no worse" if paper_value.ratio == 1 else f"within {show(kind, paper_value.ratio)}"
    if paper_value.ratio == 1:
        return "similar"
    text = show(kind, paper_value.ratio)
    # Without absolute numbers the text gives bounds ("over 20%").
    return f"{text} or more" if paper_value.unit == "ratio" else text


def _judged(row, data):
    if row.kind != "bound" and row.ratios and verdict.disagree(row.paper_value, row.ratios(data)):
        return verdict.NOT
    return row.judge(row.paper_value, row.measured(data))


def lines(rows, data):
    """The lines of the table, one per row; a cause only where the measured number is not the size of the paper's."""
    for row in rows:
        paper_value = row.paper_value
        measured = row.measured(data)
        judged = _judged(row, data)
        cause = row.cause(data) if row.cause and judged not in (verdict.SAME_SIZE, verdict.SMALL) else ""
        figure = f"Fig. {paper_value.figure}, " if paper_value.figure else ""
        yield Line(row.label, f"{paper_value.row}, {figure}{paper_value.section}", show_paper(row.kind, paper_value),
                   show(row.kind, measured, bool(paper_value.base) and is_times(paper_value.ratio)), row.detail(data), judged, cause)


def command(row, study, data):
    """Command of the row's first case: the others differ from it in what the row names."""
    cases = row.show(data) if row.show else row.cases
    return next(run for run in study.runs if run.case == cases[0]).command()


def summary(rows, data):
    """How many rows came to which verdict; a number that stands there twice counts once."""
    once = [row for row in rows if not row.repeats]
    judged = [_judged(row, data) for row in once]
    size = judged.count(verdict.SAME_SIZE)
    missed, small = judged.count(verdict.NOT), judged.count(verdict.SMALL)
    again = len(rows) - len(once)
    return (f"Of {len(judged)} comparisons with {len({row.paper_value for row in once})} numbers of the paper's, {size} have its size, "
            + (f"{small} are, like the paper's, below what seeds differ by, " if small else "")
            + f"{len(judged) - size - missed - small} its direction and {missed} are not shown"
            + (f"; {again} rows that repeat another's number are not counted." if again else "."))


def text(rows, data):
    """The table for a terminal, without the sources: they are on the page."""
    made = [(line.label, line.source.split(",")[0], line.paper, line.measured, line.verdict)
            for line in lines(rows, data)]
    made.insert(0, ("", "row", "paper", "here", "verdict"))
    widths = [max(len(cells[column]) for cells in made) for column in range(len(made[0]))]
    out = []
    for cells in made:
        fields = [cell.rjust(width) if 2 <= column <= 3 else cell.ljust(width)
                  for column, (cell, width) in enumerate(zip(cells, widths))]
        out.append("  ".join(fields).rstrip())
    return "\n".join(out) + "\n"
