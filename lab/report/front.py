# SPDX-License-Identifier: GPL-2.0
"""What README.md and docs/onramp.md have from docs/results/runs: tables, and sentences that count verdicts.

Each is a piece of a page between empty lines, and is made here, known by its beginning and put where it stands.
`lab/report/report --readme` writes them anew; the tests of the report compare.
"""

import os
import textwrap
from dataclasses import dataclass
from typing import Callable

import commands
import figures
import runs
import table
from exhibits import rct
from exhibits.senders import WIDE_US
from markdown import cell
from units import Refused

COLUMNS = 125

# Of each paper: lines of its table that README has beside the paper's own numbers.
ECNSHARP = (
    "web search 90 %: short flows, mean, ECN# / RED-Tail", "fabric, web search 90 %: short flows' mean, ECN# / RED-Tail",
    "web search 90 %: short flows, p99, ECN# / RED-Tail", "web search 80 %: large flows, ECN# / RED-Tail", "standing queue, ECN# / RED-Tail",
    "burst of 100: packets dropped, ECN#", "burst of 100: packets dropped, CoDel", "fan-in with the first loss, ECN# / CoDel")
ONRAMP = tuple(f"{setting}: {what}, On-Ramp, T = {WIDE_US} us / {base}" for setting, base, numbers in (
    ("CUBIC", "fq_codel", ("RCT, mean", "RCT, p99", "small flows, mean", "large flows, mean")), ("BBR", "fq", ("RCT, mean", "RCT, p99")))
    for what in numbers)

# Of docs/onramp.md's table: its columns.
WHOLE = ("requests.mean_us", "requests.p99_us", "flows.small.mean_us", "flows.medium.mean_us", "flows.large.mean_us", "drops", "retransmits")


@dataclass(frozen=True)
class Piece:
    """Lines of a page that stand between empty ones."""

    begins: str             # by this it is known
    lines: Callable         # {study's name: (Study, its Evidence)} -> lines


def _beside(name, labels, with_command):
    """A table of a paper's numbers, each beside ours."""
    head = "| what | paper | here | verdict |" + (" command |" if with_command else "")
    rule = "| --- " * (head.count("|") - 1) + "|"

    def lines(studies):
        every, evidence = studies[name]
        rows = [next(row for row in every.rows if row.label == label) for label in labels]
        yield from (head, rule)
        for row, line in zip(rows, table.lines(rows, evidence)):
            command = (f"`{table.command(row, every, evidence)}`",) if with_command else ()
            yield "| " + " | ".join(map(cell, (line.label, line.paper, line.ours, line.verdict, *command))) + " |"
    # Both papers' tables may have the same head.
    return Piece(f"{head}\n{rule}\n| {labels[0]} |", lines)


def _counted(name, title):
    """How many of a paper's numbers came to which verdict."""
    def lines(studies):
        every, evidence = studies[name]
        said = table.summary(every.rows, evidence).rstrip(".")
        return textwrap.wrap(f"**{title}:** {said[0].lower()}{said[1:]} ([each, with its reason](docs/results/{name}.md)).", COLUMNS,
                             break_long_words=False, break_on_hyphens=False)
    return Piece(f"**{title}:** of", lines)


def _again(studies):
    """The commands of On-Ramp's table, a loop over the seeds for each qdisc."""
    every = studies["onramp"][0]
    labelled = {row.label: row for row in every.rows}
    cases = dict.fromkeys(case for label in ONRAMP for case in reversed(labelled[label].cases))
    for line in commands.of_runs([run for case in cases for run in every.runs if run.case == case]):
        yield f"    {line}".replace(" 'host=", " \\\n        'host=")


def _absolute(studies):
    """Requests and flows in us, under fq and under On-Ramp."""
    evidence = studies["onramp"][1]
    yield from (ABSOLUTE, "| --- " * 8 + "|")
    for setting in rct.BOTH:
        for scheme in ("fq", "onramp"):
            numbers = (f"{evidence.mean(setting.case(scheme, WIDE_US), path):.0f}" for path in WHOLE)
            yield f"| {setting.title}, {figures.label(scheme)} | " + " | ".join(numbers) + " |"


ABSOLUTE = "| T = 150 us | RCT, mean | RCT, p99 | small flows, mean | medium | large | drops | sent again |"

PAGES = {
    "README.md": (_beside("ecnsharp", ECNSHARP, True), _counted("ecnsharp", "All of ECN♯"),
                  _beside("onramp", ONRAMP, False), _counted("onramp", "All of On-Ramp"), Piece("    for seed in 1 2 3; do lab/run rct", _again)),
    "docs/onramp.md": (Piece(ABSOLUTE, _absolute),),
}


def read(page):
    """A page as it is."""
    with open(os.path.join(runs.ROOT, page), encoding="utf-8") as file:
        return file.read()


def made(text, pieces, studies):
    """A page with its pieces as they should be; refuses one in which a piece is not, or twice."""
    parts = text.split("\n\n")
    for piece in pieces:
        places = [place for place, part in enumerate(parts) if part.startswith(piece.begins)]
        if len(places) != 1:
            raise Refused(f"the page has {len(places)} pieces that begin with '{piece.begins}'")
        parts[places[0]] = "\n".join(piece.lines(studies))
    return "\n\n".join(parts)
