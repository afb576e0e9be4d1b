# SPDX-License-Identifier: GPL-2.0
"""The report as Markdown: one table of the paper's rows, the grids, and what is not reproduced."""

from lab.experiments import papers
from lab.report import acc_paper, commands, onramp_paper, paper, table, verdict
from lab.report.experiment import shows
from lab.report.run_data import RunData


def cell(text):
    """As a table takes it."""
    return text.replace("|", "\\|")


def _order(row):
    """S0-2 before S0-10."""
    return int(row.paper_value.row.rpartition("-")[2])


def _rows(study, data):
    yield "| row | what | paper | here | from | verdict | why | command |"
    yield "|---|---|---|---|---|---|---|---|"
    rows = sorted(study.rows, key=_order)
    for row, line in zip(rows, table.lines(rows, data)):
        cells = (line.source, line.label, line.paper, line.measured, line.detail, line.verdict, line.cause,
                 f"`{table.command(row, study, data)}`")
        yield "| " + " | ".join(map(cell, cells)) + " |"


def _grid(grid, study, data):
    yield from (f"## {grid.title}", "", grid.text, "")
    yield f"| {grid.head} | " + " | ".join(column.head for column in grid.columns) + " |"
    yield "|---" * (1 + len(grid.columns)) + "|"
    for cells in grid.cells(data):
        yield "| " + " | ".join(map(cell, cells)) + " |"
    yield from ("", "<details><summary>Commands</summary>", "", "```sh")
    yield from commands.of_runs([run for run in study.runs if shows(grid, run)])
    yield from ("```", "", "</details>", "")


def report(title, intro, study, data, notes, name="ecnsharp", parts=()):
    """docs/results/NAME.md; parts are lines that stand before the paper's numbers."""
    lines = [f"# {title}", "", "\n\n".join(intro), "", f"Figures: [{name}.html]({name}.html). Numbers without a run here: "
             "[not-reproduced.md](not-reproduced.md).", "", *parts]
    if study.rows:
        lines += ["## Comparison with the paper's numbers", "", table.summary(study.rows, data), "", *_rows(study, data), ""]
    for grid in study.grids:
        lines += _grid(grid, study, data)
    lines += ["## How to read this", ""]
    lines += [f"{note}\n" for note in notes]
    return "\n".join(lines).rstrip() + "\n"


def not_reproduced(papers):
    """docs/results/not-reproduced.md: rows that the lab cannot run, and those where its result differs.

    papers: name -> (study, results, commit) of each; results are None where not all of its runs have rows.
    """
    made = " and ".join(f"{name}.md's from commit {commit}" for name, (_, found, commit) in papers.items() if found)
    lines = ["# Results that are not reproduced", "", f"Written by `make report`: from the rows of {made}.", ""]
    lines += [f"- {row}: {why}" for row, why in {**paper.NOT_ASKED, **onramp_paper.NOT_ASKED, **onramp_paper.PARTS_NOT_ASKED, **acc_paper.NOT_ASKED}.items()]
    for name, (study, found, _) in papers.items():
        lines += _not_shown(study, RunData(found)) if found else [f"- The rows of {name}.md that are not shown: not all of its runs have rows"]
    return "\n".join(lines) + "\n"


def _not_shown(study, data):
    for line in table.lines(sorted(study.rows, key=_order), data):
        if line.verdict == verdict.NOT:
            detail = f" ({line.detail})" if line.detail else ""
            why = f": {line.cause}" if line.cause else ""
            yield f"- {line.source}: {line.label}: the paper has {line.paper}, here it is {line.measured}{detail}{why}"
