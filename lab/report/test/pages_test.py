# SPDX-License-Identifier: GPL-2.0
"""Figures by the real gnuplot, the demo's page, the acceptance page, the schedules that were tried, refusals."""

import html
import importlib
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import tempfile
import xml.dom.minidom

from lab.host.artifacts import ROOT
from lab.report import judge, page, plot, runs, verdict
from lab.report.run_data import RunData
from lab.report.test.made_up import DEMO, made_up
from tap import Tap


def test_figures(tap, found):
    for figure in DEMO.figures:
        svg = plot.draw(figure.plot(RunData(found)))
        xml.dom.minidom.parseString(svg)
        tap.ok(f"{figure.name}: well-formed, and small", len(svg) < 25_000, len(svg))
        drawn = figure.plot(RunData(found))
        schemes = [name for name in drawn.series if name in plot.COLOURS]
        shown = all(plot.label(name) in svg and plot.COLOURS[name] in svg for name in schemes if name != "red-tail")
        tap.ok(f"{figure.name}: schemes named in their colours", schemes and shown, schemes)
    svg = html.unescape(plot.draw(DEMO.figures[0].plot(RunData(found))))
    tap.ok("axes have their unit", "completion time / RED-Tail's" in svg, svg[:2000])
    svg = plot.draw(plot.Bars(name="x", ylabel="y", groups=["a"], series={"off": [3.0], "onramp": [1.0]}, line=1, line_label="fq",
                                    paper=[("off", 0, 2.0)], top=1.6))
    placed = {text: (float(x), float(y)) for x, y, text in re.findall(r'<text x="([\d.]+)" y="([\d.]+)">([^<]*)</text>', svg)}
    key = [placed[name] for name in ("mode off", "On-Ramp", "fq", "paper")]
    tap.ok("a bar above the axis' top raises it, its number is below the key", placed.get("3.00", (0, 0))[1] > max(y for _, y in key), placed)
    tap.ok("the key is within the figure", max(x for x, _ in key) < plot.WIDTH - 60, placed)
    svg = plot.draw(plot.Bars(name="x", ylabel="y", groups=["a", "b"], line=1, line_label="fq", paper=[("b", 1, 3.1)],
                                    series={"a": [0.97, 1.02], "b": [5.0, 3.0]}))
    placed = {text.strip(): float(y) for y, text in re.findall(r'<text x="[\d.]+" y="([\d.]+)">([^<]*)</text>', svg)}
    tap.ok("a number is above the line that would go through it", placed["0.97"] < placed["1.02"] + 2 and placed["0.97"] < placed["1"], placed)
    tap.ok("and above the paper's point", placed["4"] < placed["3.00"] < placed["3"] - 25, placed)
    svg = plot.draw(plot.Bars(name="x", ylabel="y", groups=["a"], series={"On-Ramp, T = 30 us": [147.66], "fq": [14.767], "b": [1.4767]}))
    tap.ok("a number has three digits", all(f">{text}</text>" in svg for text in ("148", "14.8", "1.48")), svg)
    names = ["fq", "On-Ramp, T = 30 us", "On-Ramp, GSO 16 KB", "fq, DCTCP"]
    drawn = [plot.colour(dict.fromkeys(names), name) for name in names]
    tap.ok("what is no scheme has the colour of none that is there", len(set(drawn)) == 4 and drawn[0] == plot.COLOURS["fq"], drawn)
    for what, figure in (("a line that is no number",
                          plot.Bars(name="x", ylabel="y", groups=["a"], series={"codel": [1.0]}, line=float("nan"))),
                         ("a missing value", plot.Lines(name="x", xlabel="x", ylabel="y", series={"codel": [(1, None)]}))):
        try:
            plot.draw(figure)
            refused = False
        except (plot.FigureFailed, TypeError):
            refused = True
        tap.ok(f"{what} is refused, not drawn", refused)


def test_page(tap, found):
    text = page.page("title <&>", ("intro",), DEMO, RunData(found), ("note",))
    body = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    tap.ok("no link and no source outside", not re.search(r"https?:|\bsrc=|@import|<link|<script", body),
           re.findall(r".{40}(?:https?:|src=|@import).{40}", body))
    tap.ok("every reference stays inside", all(ref.startswith("#") for ref in re.findall(r"href=[\"']([^\"']*)", text)))
    ids = re.findall(r"\bid=[\"']([^\"']*)", text)
    tap.ok("no id twice", len(ids) == len(set(ids)), sorted(name for name in ids if ids.count(name) > 1)[:5])
    tap.ok("every reference has its target",
           set(re.findall(r"href=[\"']#([^\"']*)", text)) <= set(ids))
    tap.ok("a figure a figure", text.count("<figure ") == text.count("</svg>") == len(DEMO.figures))
    tap.ok("each row of the table has its command", text.count("<small><code>lab/run ") == len(DEMO.rows))
    tap.ok("the title is escaped", "title &lt;&amp;&gt;" in text)
    for figure in DEMO.figures:
        part = text[text.index(f'id="figure-{figure.name}"'):]
        part = part[:part.index("</figure>")]
        tap.ok(f"{figure.name}: title, and the command that has it again", html.escape(figure.title) in part and "lab/run" in part)
    tap.ok("a sweep is one loop", "for n in 25 50 75 100 125 150 175 200; do lab/run incast aqm=codel fanin=$n; done" in text)
    colours = set(re.findall(r"(?:stroke|fill|color)=[\"'](#[0-9a-f]{6})", text))
    tap.ok("every colour has its dark one", colours <= set(page.DARK), colours - set(page.DARK))
    tap.ok("scaled to a phone", 'name="viewport"' in text and not re.search(r"<svg[^>]*\bwidth=", text))


def test_claims(tap):
    for name, (kind, criteria) in (("full", judge.full()), ("quick", judge.quick())):
        every = kind.runs()
        for run in every:
            runs.trial_of(run)
        tap.ok(f"{name}: names and places of their own", len({run.name for run in every}) == len(every))
        kind.found = {run.name: made_up(run) for run in every}
        for verdict in judge.judge(kind, criteria):
            tap.ok(f"{name}: {verdict.criterion.name} is true of the paper's world, and false with the feature off",
                   verdict.true and verdict.fails_without, (verdict.on, verdict.off))
        with tempfile.TemporaryDirectory() as out:
            made = [importlib.import_module("lab.report.acceptance").write(out, kind, criteria, found) for found in (kind.found, None)]
            tap.ok(f"{name}: the rows have all that the page needs", sorted(os.listdir(out)) == ["acceptance.jsonl", "acceptance.md"]
                   and [verdict.on for verdict in made[0]] == [verdict.on for verdict in made[1]])
    kind, criteria = judge.full()
    flat = [runs.Result(made_up(run).document, []) for run in kind.runs()]
    for result in flat:
        result.document["flows"]["short"].update(mean_us=1000, p99_us=5000)
        result.document["drops"] = result.document["timeouts"] = 0
        result.document["standing"] = {"mean_pkts": 100}
        result.document["flows"]["large"]["mean_us"] = 1000
    kind.found = {run.name: result for run, result in zip(kind.runs(), flat)}
    true = [verdict.criterion.name for verdict in judge.judge(kind, criteria) if verdict.true and verdict.fails_without]
    tap.ok("where nothing differs, no criterion holds with its feature alone", not true, true)


def test_schedules(tap):
    """Other schedules of persistent marks: each still is the algorithm with one line changed; another target changes more."""
    folder = os.path.join(ROOT, "lab/report/schedules")
    patches = sorted(name for name in os.listdir(folder) if name.endswith(".patch"))
    algorithm = os.path.join(runs.ROOT, "kernel/algo/ecnsharp.h")
    with open(algorithm, encoding="utf-8") as file:
        before = file.read().splitlines()
    after = {}
    for name in patches:
        done = subprocess.run(["patch", "-s", "-p1", "-o", "-", algorithm, os.path.join(folder, name)], capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        one = len(lines) == len(before) and sum(old != new for old, new in zip(before, lines)) == 1
        tap.ok(f"{name} changes the algorithm, in one line if it is a schedule", done.returncode == 0 and lines != before
               and one != name.endswith("-target.patch"), done.stderr)
        after[name] = done.stdout
    tap.ok("no two are the same", len(patches) > 1 and len(set(after.values())) == len(patches), patches)
    for arguments in ([], ["square-root"], ["nonsense", "fct"], ["../schedules/square-root.patch", "fct"]):
        done = subprocess.run([os.path.join(folder, "run_schedule.sh"), *arguments], capture_output=True, text=True, check=False)
        tap.ok(f"schedules/run_schedule.sh {' '.join(arguments)} is refused, and says which there are",
               done.returncode == 2 and all(name.removesuffix(".patch") in done.stderr for name in patches), done.stderr)


def test_refusals(tap):
    for arguments in (["--seed", "x"], ["--nonsense"], ["--seed", "-1"]):
        done = subprocess.run([os.path.join(ROOT, "lab/report", "demo"), *arguments], capture_output=True, text=True, check=False)
        tap.ok(f"demo {' '.join(arguments)} is refused with a message",
               done.returncode == 2 and arguments[0].strip("-") in done.stderr and "Traceback" not in done.stderr, done.stderr)


def main():
    tap = Tap()
    found = {run.name: made_up(run) for run in DEMO.runs}
    test_figures(tap, found)
    test_page(tap, found)
    test_claims(tap)
    test_schedules(tap)
    test_refusals(tap)
    tap.end()


if __name__ == "__main__":
    main()
