#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""README.md's first command: its table, its page, the figures and their runs, as TAP.

It writes into a temporary folder. Runs in the cache are not repeated. lab/report/test tests how tables and pages are made from
results.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.report import runs
from lab.report import study
from lab.report import verdict
from tap import Tap

VERDICTS = "|".join(sorted({verdict.SAME_SIZE, verdict.SMALL, verdict.LARGER, verdict.SAME, verdict.SMALLER, verdict.NOT}, key=len, reverse=True))
# Less has no space for an axis, or nothing drawn in it.
LEAST_SIZE, LEAST_SHAPES = 200, 12


def table(tap, stdout, demo):
    """The terminal's: a line for each row, with a number and a verdict."""
    lines = stdout.partition("\n\n")[0].splitlines()
    tap.ok("the table has a head", lines[:1] and re.fullmatch(r" +row +paper +here +verdict", lines[0]), stdout)
    wrong = [line for line in lines[1:] if not re.search(rf"  \S.*?  +\S.*?  (?:{VERDICTS})$", line) or re.search(r"\b(?:none|nan|inf)  ", line)]
    tap.ok("and a line for each comparison, with a number and a verdict", len(lines) == len(demo.rows) + 1 > 5 and not wrong, (wrong, stdout))
    tap.ok("below it are sentences on On-Ramp and clocks", len(re.findall(r"^On-Ramp, .* 99 of 100 are complete within \d+ us, ", stdout, re.M)) == 2
           and re.search(r"use [\d.]+ % of their link", stdout) and re.search(r"kept by huygens-lite: \d+ ns apart", stdout), stdout)


def figures(tap, text, demo):
    """The page's: one for each figure, drawn and of a size."""
    found = dict(re.findall(r'<figure id="figure-([^"]+)">(.*?)</figure>', text, re.S))
    names = [figure.name for figure in demo.figures]
    tap.ok("the page has the figures of which the terminal speaks, each once", list(found) == names and text.count("<figure") == len(names) > 5,
           (list(found), names))
    for figure in demo.figures:
        svg = re.search(r"<svg .*</svg>", found.get(figure.name, ""), re.S)
        try:
            drawn = xml.dom.minidom.parseString(svg[0]).documentElement if svg else None
        except xml.parsers.expat.ExpatError as why:
            tap.ok(f"figure {figure.name} is a drawing", False, why)
            continue
        size = [float(part) for part in drawn.getAttribute("viewBox").split()[2:]] if drawn else []
        shapes = sum(path.getAttribute("d").count("M") for path in drawn.getElementsByTagName("path")) if drawn else 0
        tap.ok(f"figure {figure.name} is a drawing of a size, with something in it", len(size) == 2 and min(size) >= LEAST_SIZE
               and shapes >= LEAST_SHAPES, (size, shapes))


def links(tap, text):
    """The page needs nothing but itself."""
    ids = re.findall(r"\bid=[\"']([^\"']+)", text)
    wanted = re.findall(r"\b(?:href|src)=[\"']([^\"']*)", text) + [f"#{name}" for name in re.findall(r"url\(#([^)\"']+)", text)]
    lost = sorted({link for link in wanted if not link.startswith("#") or link[1:] not in ids})
    tap.ok("no link of the page leads to nothing, or elsewhere", not lost, lost)
    tap.ok("nor to one of two", len(ids) == len(set(ids)), sorted({name for name in ids if ids.count(name) > 1}))


def rows(tap, text, stdout, demo):
    """The page's table says what the terminal's does."""
    body = re.search(r'<table class="compared">.*?<tbody>(.*?)</tbody>', text, re.S)
    judged = re.findall(rf'<td class="(?:yes|part|no)">({VERDICTS})', body[1]) if body else []
    verdicts = [re.search(rf"({VERDICTS})$", line)[1] for line in stdout.partition("\n\n")[0].splitlines()[1:] if re.search(rf"({VERDICTS})$", line)]
    tap.ok("the page's table has the terminal's verdicts", judged == verdicts and len(judged) == len(demo.rows), (judged, verdicts))


def results(tap, text, folder, demo):
    """Each was run, and to its end."""
    found = {}
    for run in demo.runs:
        try:
            with open(os.path.join(folder, run.name.replace("/", "-") + ".json"), encoding="ascii") as file:
                found[run.name] = json.load(file)
        except (OSError, ValueError):
            pass
    lost = [run.name for run in demo.runs if run.name not in found]
    tap.ok("the result of each run is kept", not lost and len(found) > 20, lost)
    other = [run.name for run in demo.runs if run.name in found and (found[run.name]["scenario"], found[run.name]["seed"]) != (run.scenario, run.seed)]
    tap.ok("and is that run's", not other, other)
    short = [name for name, document in found.items() if document.get("unfinished")]
    tap.ok("no flow was left unfinished", not short, short)
    tap.ok("the page names the commit that it was made from", f"<p>Made from commit {runs.commit()}.</p>" in text, text[:8000])


def look(tap, folder, stdout):
    """All of what a demo left in a folder and on the terminal."""
    demo = study.demo()
    path = os.path.join(folder, "index.html")
    tap.ok("the terminal ends with where the page is", stdout.rstrip().endswith(f"figures: file://{path}") and os.path.isfile(path), stdout[-500:])
    table(tap, stdout, demo)
    text = ""
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
    figures(tap, text, demo)
    links(tap, text)
    rows(tap, text, stdout, demo)
    results(tap, text, os.path.join(folder, "runs"), demo)


def main():
    tap = Tap()
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        first = re.search(r"^    (make \w+)", file.read(), re.M)
    typed = subprocess.run(["make", "-n", "demo", "DEPS=have"], cwd=ROOT, capture_output=True, text=True, check=False,
                           env={name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")})
    tap.ok("README.md's first command is this one", first and first[1] == "make demo" and typed.stdout.splitlines()[-1:] == ["lab/report/demo"],
           (first and first[1], typed.stdout, typed.stderr))
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        out = os.path.join(folder, "demo")
        done = subprocess.run([os.path.join(ROOT, "lab/report/demo"), "--out", out], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, check=False)
        tap.ok("it ends well", not done.returncode, done.stdout[-2000:])
        tap.ok("and leaves nothing elsewhere", os.listdir(folder) == ["demo"], os.listdir(folder))
        look(tap, out, done.stdout)
    tap.end()


if __name__ == "__main__":
    main()
