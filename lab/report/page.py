# SPDX-License-Identifier: GPL-2.0
"""A page that needs no other file: style, table and figures are inside, for small and large screens, light and dark."""

import html
import json
import re

from lab.report import commands, plot, table, verdict
from lab.report.experiment import shows

# The dark page's colours in the place of those that the figures are drawn with.
DARK = {
    plot.INK: "#e6edf3", plot.FAINT: "#30363d",
    plot.COLOURS["ecnsharp"]: "#58a6ff", plot.COLOURS["red-tail"]: "#f0a04b",
    plot.COLOURS["red-avg"]: "#9aa4af", plot.COLOURS["codel"]: "#c297ff",
    plot.COLOURS["tcn"]: "#4fd1c5", plot.COLOURS["pst-only"]: "#ff7eb6",
}

STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #d0d7de; --box: #f6f8fa;
  --yes: #116329; --part: #7d4e00; --no: #b42318; }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 2.2rem 0 .3rem }
p { margin: .4rem 0; overflow-wrap: anywhere } svg { color: var(--ink) }
svg [color="black"], svg [color='black'] { color: var(--ink) } .soft { color: var(--soft); font-size: .9rem }
figure { margin: 0 } section { overflow-x: auto } figure svg { display: block; width: 100%; height: auto }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; margin: .4rem 0;
  font-size: .8rem; line-height: 1.4; white-space: pre-wrap; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
th, td { text-align: left; padding: .4rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top }
th { color: var(--soft); font-weight: 600 } td.n, .grid td { text-align: right; white-space: nowrap }
.grid td:first-child { text-align: left; white-space: normal }
summary { cursor: pointer } td summary small { display: inline }
td small { display: block; color: var(--soft); font-weight: 400; white-space: normal; overflow-wrap: anywhere }
.compared td:first-child { width: 34% } .compared td:nth-child(2) { width: 12%; white-space: normal }
.compared td:nth-child(3) { width: 20% } td code { font-size: .92em }
.yes { color: var(--yes) } .part { color: var(--part) } .no { color: var(--no) }
@media (max-width: 34rem) {
  thead { display: none }
  tr { display: grid; grid-template-columns: 1fr 1fr 1.4fr; border-bottom: 1px solid var(--line); padding: .4rem 0 }
  td, .compared td:nth-child(n) { border: 0; padding: .1rem .2rem; width: auto } td:first-child { grid-column: 1 / 4; font-weight: 600 }
  td.n, .grid td { text-align: left; white-space: normal } td[data-head]::before { content: attr(data-head) " "; color: var(--soft) }
  .grid td::before { color: var(--soft) }
}
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --ink: #e6edf3; --soft: #9198a1; --line: #30363d; --box: #161b22; --yes: #57d364; --part: #e3b341;
    --no: #ff8a80 }
@RULES@
}
"""


def _dark_rules():
    rules = []
    for light, dark in DARK.items():
        rules += [f'  svg [{part}="{light}"], svg [{part}=\'{light}\'] {{ {part}: {dark} }}'
                  for part in ("stroke", "fill", "color")]
    return "\n".join(rules)


# Less than the paper's is not as much as the paper's.
KIND = {verdict.SAME_SIZE: "yes", verdict.SMALL: "part", verdict.LARGER: "yes", verdict.SAME: "part", verdict.SMALLER: "part", verdict.NOT: "no"}


def _prose(text):
    """Plain text, what is between backquotes as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _table(study, data):
    out = [f"<p>{html.escape(table.summary(study.rows, data))}</p>",
           "<table class=\"compared\"><thead><tr><th></th><th>paper</th><th>here</th><th>verdict</th></tr></thead><tbody>"]
    for row, line in zip(study.rows, table.lines(study.rows, data)):
        escape = html.escape
        detail = f"<small>{escape(line.detail)}</small>" if line.detail else ""
        cause = f"<small>{escape(line.cause)}</small>" if line.cause else ""
        again = escape(table.command(row, study, data))
        out.append(f"<tr><td>{escape(line.label)}<details><summary><small>{escape(line.source)}</small></summary>"
                   f"<small><code>{again}</code></small></details></td>"
                   f'<td class="n" data-head="paper">{escape(line.paper)}</td>'
                   f'<td class="n" data-head="here">{escape(line.measured)}{detail}</td>'
                   f'<td class="{KIND[line.verdict]}">{escape(line.verdict)}{cause}</td></tr>')
    out.append("</tbody></table>")
    return "\n".join(out)


def _again(part, runs):
    """The commands of a figure or a grid, where they are wanted."""
    lines = html.escape("\n".join(commands.of_runs([run for run in runs if shows(part, run)])))
    return f'<details class="soft"><summary>Commands</summary><pre>{lines}</pre></details>'


def _column_rules(grid):
    """Where a phone has no head of the table, the name of a column is before each of its numbers: a rule a column."""
    rules = "".join(f"#grid-{grid.name} td:nth-child({index})::before{{content:{json.dumps(column.head + ' ', ensure_ascii=False)}}}"
                    for index, column in enumerate(grid.columns, 2))
    return f"<style>@media (max-width:34rem){{{rules}}}</style>"


def _grid(grid, runs, data):
    escape = html.escape
    heads = "".join(f"<th>{escape(column.head)}</th>" for column in grid.columns)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in cells) + "</tr>" for cells in grid.cells(data))
    return (f'<section id="grid-{grid.name}"><h2>{escape(grid.title)}</h2>\n<p>{escape(grid.text)}</p>\n{_column_rules(grid)}\n'
            f'<table class="grid"><thead><tr><th>{escape(grid.head)}</th>{heads}</tr></thead><tbody>{body}</tbody></table>\n'
            f'{_again(grid, runs)}</section>')


def _figure(figure, runs, data):
    svg = plot.draw(figure.plot(data)).replace("<svg ", f'<svg aria-label="{html.escape(figure.title)}" ', 1)
    return (f'<figure id="figure-{figure.name}"><h2>{html.escape(figure.title)}</h2>\n<p>{html.escape(figure.text)}</p>\n'
            f'{svg}\n{_again(figure, runs)}</figure>')


def page(title, intro, study, data, notes):
    """The whole document as text; intro and notes are paragraphs of plain text."""
    paragraphs = "\n".join(f"<p>{_prose(text)}</p>" for text in intro)
    soft = "\n".join(f'<p class="soft">{_prose(text)}</p>' for text in notes)
    figures = "\n".join(_figure(figure, study.runs, data) for figure in study.figures)
    grids = "\n".join(_grid(grid, study.runs, data) for grid in study.grids)
    compared = f"<h2>Comparison with the paper's numbers</h2>\n{_table(study, data)}\n" if study.rows else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>{STYLE.replace("@RULES@", _dark_rules())}</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
{paragraphs}
{figures}
{compared}{grids}
<h2>How to read this</h2>
{soft}
</body>
</html>
"""
