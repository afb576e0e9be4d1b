# SPDX-License-Identifier: GPL-2.0
"""Tables of README.md, docs/evaluation.md and docs/onramp.md that are generated from the rows of docs/results.

Each is a piece of a page between empty lines. It is found by its first lines and replaced where it stands.
`lab/report/report --readme` writes them; the tests of the report compare.
"""

import os
from dataclasses import dataclass
from typing import Callable

from lab.experiments import fanout, tune
from lab.experiments.shared import requests
from lab.experiments.shared.senders import WIDE_US
from lab.host.units import Refused
from lab.report import acc_page, plot, runs, table
from lab.report.markdown import cell

# Rows of each paper's table that docs/evaluation.md has, with the paper's own numbers, and those of them that README.md has.
ECNSHARP = (
    "web search 90 %: short flows, mean, ECN# / RED-Tail", "fabric, web search 90 %: short flows' mean, ECN# / RED-Tail",
    "web search 90 %: short flows, p99, ECN# / RED-Tail", "web search 80 %: large flows, ECN# / RED-Tail", "standing queue, ECN# / RED-Tail",
    "burst of 100: packets dropped, ECN#", "burst of 100: packets dropped, CoDel", "fan-in with the first loss, ECN# / CoDel")
ONRAMP = tuple(f"{setting}: {what}, On-Ramp, T = {WIDE_US} us / {base}" for setting, base, numbers in (
    ("CUBIC", "fq_codel", ("RCT, mean", "RCT, p99", "small flows, mean", "large flows, mean")), ("BBR", "fq", ("RCT, mean", "RCT, p99")))
    for what in numbers)
README_ECNSHARP = (ECNSHARP[0], ECNSHARP[2], ECNSHARP[4])
README_FANOUT = ("dctcp-pause-4k", "ecn-random")
README_ONRAMP = (ONRAMP[1], ONRAMP[3], ONRAMP[5])

# Columns of docs/onramp.md's table.
WHOLE = ("requests.mean_us", "requests.p99_us", "flows.small.mean_us", "flows.medium.mean_us", "flows.large.mean_us", "drops", "retransmits")


@dataclass(frozen=True)
class Piece:
    """Lines of a page that stand between empty ones."""

    begins: str             # by this it is known
    lines: Callable         # {study's name: (Study, its RunData)} -> lines


def _compared(name, labels, title="comparison"):
    """A table of a paper's numbers, each with the measured one and the command of its first seed."""
    head, rule = f"| {title} | paper | here | verdict | command |", "| --- " * 5 + "|"

    def lines(studies):
        every, data = studies[name]
        rows = [next(row for row in every.rows if row.label == label) for label in labels]
        yield from (head, rule)
        for row, line in zip(rows, table.lines(rows, data)):
            command = f"`{table.command(row, every, data)}`"
            yield "| " + " | ".join(map(cell, (line.label, line.paper, line.measured, line.verdict, command))) + " |"
    # Both papers' tables have the same head.
    return Piece(f"{head}\n{rule}\n| {labels[0]} |", lines)


def _absolute(studies):
    """Requests and flows in us, under fq and under On-Ramp."""
    data = studies["onramp"][1]
    yield from (ABSOLUTE, "| --- " * 8 + "|")
    for setting in requests.BOTH:
        for scheme in ("fq", "onramp"):
            numbers = (f"{data.mean(setting.case(scheme, WIDE_US), path):.0f}" for path in WHOLE)
            yield f"| {setting.title}, {plot.label(scheme)} | " + " | ".join(numbers) + " |"


def _tuned(studies):
    """Gain or loss of acc-tuner compared with static settings, in the mean of the conditions."""
    data = studies["acc"][1]
    yield from (TUNED, "| --- " * 4 + "|")
    for name, title in tune.TUNED.items():
        losses = (tune.mean_loss(data, name, base) for base in ("secn1", "secn2", acc_page.best_single(data)))
        yield f"| {title} | " + " | ".join(f"{100 * loss:+.1f} %" for loss in losses) + " |"


def _victims(names):
    """Share of its load that a fan-out's innocent flow delivers, and how long its host is paused, by the kind of signal."""
    def lines(studies):
        every, data = studies["lossless"]
        yield from (VICTIMS, "| --- " * 4 + "|")
        for name in names:
            case = fanout.case(name)
            command = next(run for run in every.runs if run.case == case).command()
            yield (f"| {fanout.SETTINGS[name][0]} | {100 * data.mean(case, 'victim'):.0f} % | {100 * data.mean(case, 'paused'):.1f} % | "
                   f"`{command}` |")
    return Piece(VICTIMS, lines)


VICTIMS = "| cp, an innocent flow of a host with eight slow receivers | innocent flow delivered | host paused | command |"
TUNED = "| flow completion times (`lab/report/report --study acc`) | compared with SECN1 | with SECN2 | with the best static setting |"
ABSOLUTE = "| T = 150 us | RCT, mean | RCT, p99 | small flows, mean | medium | large | drops | sent again |"

PAGES = {
    "README.md": (_compared("ecnsharp", README_ECNSHARP, "ECN♯, DCTCP flows"), _compared("onramp", README_ONRAMP, "On-Ramp, web search"),
                  Piece(TUNED, _tuned), _victims(README_FANOUT)),
    "docs/evaluation.md": (_compared("ecnsharp", ECNSHARP), _compared("onramp", ONRAMP), Piece(TUNED, _tuned), _victims(fanout.SETTINGS)),
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
