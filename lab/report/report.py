# SPDX-License-Identifier: GPL-2.0
"""Write a page of results, docs/results/STUDY.md and .html, from runs of the laboratory.

ecnsharp, onramp and acc compare each number of a paper with the measured one, and also write not-reproduced.md. lossless has the
bridge with cp, fecn its explicit rates, systems compares all of this project with the same traffic, clock has the clock errors of huygens-lite.

    lab/report/report [--study ecnsharp|onramp|acc|lossless|fecn|systems|clock] [--plan | --fresh | --render] [--only EXPERIMENT ...] [--out FOLDER]
    lab/report/report --readme

Runs are cached on this machine (~/.cache/sharpramp/report), so an interrupted report goes on where it was. Their numbers go to
docs/results/STUDY.jsonl, and the pages are made from there. --fresh also repeats cached runs. --plan prints the runs that are missing
and their durations. --render runs nothing and makes the pages from the rows as they are. --only runs only what some experiments need
and writes nothing; with --render the pages have these experiments alone. --readme writes the tables of README.md,
docs/evaluation.md and docs/onramp.md from the rows.
"""

import argparse
import os
from dataclasses import dataclass
from typing import Callable

from lab.experiments import clock
from lab.host import program
from lab.host.artifacts import Lab
from lab.host.units import Refused
from lab.report import acc_page, cache, clock_page, excerpts, fecn_page, lossless_page, markdown, onramp_page, page, pool, resumable, rows, runs, study, systems_page, verdict
from lab.report.experiment import Study
from lab.report.run_data import RunData


TITLE = "The ECN# paper's evaluation on a Linux kernel"

INTRO = (
    "This page has each number of the paper's text that a Linux kernel in a laboratory of virtual time can reproduce. The qdisc and TCP "
    "are the real ones, and links have 10 Gbit/s.",)


def notes():
    """Notes on the tables."""
    return (
        f"'same size' is an effect or a count between 2/3 and 3/2 of the paper's (as logarithms of the ratio), or a scheduler's rate or share "
        f"within {verdict.SHARE * 100:.0f} % of the paper's. Where the paper has 'similar', it is a difference of at most {verdict.SIMILAR * 100:.0f} %. A bound "
        f"('within') is kept by a number that does not exceed it. 'too small to tell' is a change of at most {verdict.NOISE * 100:.0f} %, the difference "
        "between seeds, where the paper itself has a change or a bound of at most 1 %. 'same direction, larger' or 'smaller' is an effect with the "
        f"paper's sign and another size. 'not shown' is the opposite effect, or one below {verdict.NOISE * 100:.0f} %.",
        "'Best load' and 'worst load' are chosen among the loads of the figure; the paper's 'up to' does not always name the load. "
        "The command is that of ECN#'s first seed (or of the first scheme named). Those of the others differ in aqm and --seed.",
        "Short flows have at most 100 KB, large ones at least 10 MB. All schemes of a figure see the same flows at the "
        "same times. A ratio is the mean of the seeds' quotients. If these lie on both sides of 1, the row notes that the seeds differ by as much; "
        "an effect of the paper is then not shown, however large the mean. Runs with 128 hosts (Fig. 13, 14, and rows of Fig. 18, 21, 22) "
        "have one seed because of their duration, so the spread of their seeds is unknown.",
        "A row that repeats the numbers of another row is not counted again: RTTs 3x at 90 % load are those of Fig. 9, and ets is drr.",
        "With 128 hosts no flow is larger than 30 MB (`largest`, `lab/run help fabric`), so that flows which begin in 0.2 s end soon. Seven eighths of "
        "data mining's bytes are in flows above 100 MB. These have 30 MB here, and there are more of them for the same load.",
        "drr and ets with the same weights give the same numbers to the last digit, because ets without strict bands is "
        "deficit round robin too. With seed 1 the bottleneck's queue after each packet and all flows' times are equal "
        "(`lab/run scheduler scheduler=S --queue S.csv --flows F.csv` for both, then cmp).")


@dataclass(frozen=True)
class Volume:
    """A paper's report."""

    title: str
    intro: tuple
    notes: Callable         # -> paragraphs
    study: Callable
    parts: Callable = None  # results by run -> lines before the paper's numbers


VOLUMES = {
    "ecnsharp": Volume(TITLE, INTRO, notes, study.report),
    "onramp": Volume(onramp_page.TITLE, onramp_page.INTRO, onramp_page.notes, study.onramp, onramp_page.parts),
    "acc": Volume(acc_page.TITLE, acc_page.INTRO, acc_page.notes, study.acc, acc_page.parts),
    "lossless": Volume(lossless_page.TITLE, lossless_page.INTRO, lossless_page.notes, study.lossless, lossless_page.parts),
    "fecn": Volume(fecn_page.TITLE, fecn_page.INTRO, fecn_page.notes, study.fecn, fecn_page.parts),
    "systems": Volume(systems_page.TITLE, systems_page.INTRO, systems_page.notes, study.side_by_side, systems_page.parts),
    "clock": Volume(clock_page.TITLE, clock_page.INTRO, clock_page.notes, study.clocks, clock_page.criteria),
}

# Whose rows not-reproduced.md has, in this order.
PAPERS = ("ecnsharp", "onramp", "acc")
# Studies of whose rows README.md and other pages have tables.
QUOTED = (*PAPERS, "lossless")


def only(every, names):
    """The experiments of these names; refuses unknown ones."""
    known = {experiment.name: experiment for experiment in every.experiments}
    for name in names:
        if name not in known:
            raise Refused(f"'{name}' is no experiment; there are {', '.join(known)}")
    return Study(tuple(known[name] for name in names))


def show_plan(every, kept):
    """Print the runs that are missing, and their durations."""
    there = {run.name for run in every.runs if kept.get(run)}
    for experiment in every.experiments:
        missing = [run for run in experiment.runs if run.name not in there]
        print(f"{experiment.name:<14} {len(experiment.runs):4} runs, {len(missing):4} to run, about {sum(run.cost_s for run in missing) / 60:5.0f} min of one processor")
    for what, some in ("each run once", [run for run in every.runs if run.name not in there]), (f"from nothing, each of {len(every.runs)} runs", every.runs):
        print(f"{what}, about {sum(run.cost_s for run in some) / 60:.0f} min of one processor in all")


def path_of(out, name):
    """The rows of a study."""
    return os.path.join(out, f"{name}.jsonl")


def papers(out, name, every, found, names=PAPERS):
    """Studies of these names, name -> (study, results, commit): this one's as found, the others' as their rows have it, if they are there."""
    studies = {}
    for other in names:
        other_study = every if other == name else VOLUMES[other].study()
        try:
            commit, kept = rows.read(path_of(out, other), other_study.runs)
        except Refused:
            commit, kept = runs.commit(), None
        studies[other] = other_study, found if other == name else kept, commit
    return studies


def documents(out, name, every, found, commit):
    """All pages of a study: file's name -> text."""
    data, volume = RunData(found), VOLUMES[name]
    # Verdicts, and what is not shown, are those of a whole study.
    whole = found.keys() >= {run.name for run in volume.study().runs}
    parts = volume.parts(found) if volume.parts and whole else ()
    intro = (*volume.intro, f"Made from {rows.made_from(found, commit)} by `lab/report/report --study {name}`; `docs/results/{name}.jsonl` has a line for each run: "
             "the command that has it again, byte for byte, and its numbers.")
    made = {
        f"{name}.html": page.page(volume.title, intro, every, data, volume.notes()),
        f"{name}.md": markdown.report(volume.title, intro, every, data, volume.notes(), name, parts),
    }
    if name in PAPERS and whole:
        made["not-reproduced.md"] = markdown.not_reproduced(papers(out, name, every, found))
    return made


def render(out, name, every):
    """Write the pages from the rows."""
    commit, found = rows.read(path_of(out, name), every.runs)
    made = documents(out, name, every, found, commit)
    for file_name, text in made.items():
        with open(os.path.join(out, file_name), "w", encoding="utf-8") as file:
            file.write(text)
    print(f"{out}: {', '.join(made)}; figures: file://{out}/{name}.html")


def reads(out, name, every, found):
    """Read of the results what pages show of them, and what they would show if a number were another."""
    documents(out, name, every, found, "")
    data = RunData(found)
    for row in every.rows:
        if row.cause:
            row.cause(data)
    if name in QUOTED:
        studies = {other: (other_study, RunData(kept)) for other, (other_study, kept, _) in papers(out, name, every, found, QUOTED).items() if kept}
        for piece in (piece for pieces in excerpts.PAGES.values() for piece in pieces if len(studies) == len(QUOTED)):
            list(piece.lines(studies))
    elif name == "clock":
        clock.solved_edges(data)


def readme():
    """Put what follows from the rows into the pages that quote it."""
    studies = {}
    for name in QUOTED:
        every = VOLUMES[name].study()
        studies[name] = every, RunData(rows.read(path_of(rows.FOLDER, name), every.runs)[1])
    for page_, pieces in excerpts.PAGES.items():
        text = excerpts.made(excerpts.read(page_), pieces, studies)
        with open(os.path.join(runs.ROOT, page_), "w", encoding="utf-8") as file:
            file.write(text)


def make(args):
    if args.readme:
        readme()
        return
    every = VOLUMES[args.study].study()
    every = only(every, args.only) if args.only else every
    if not args.render:
        for run in every.runs:
            runs.trial_of(run)    # nonsense is refused before hours are spent
        if not args.plan and not args.only:
            program.output_folder(args.out)
        lab = Lab()
        kept = cache.Cache(lab)
        if args.plan:
            show_plan(every, kept)
            return
        found = pool.Pool(lab, kept).run(every.runs, "report", fresh=args.fresh)
        if args.only:
            return
        rows.write(path_of(args.out, args.study), every.runs, found, lambda noted: reads(args.out, args.study, every, noted))
    render(args.out, args.study, every)


def main():
    parser = argparse.ArgumentParser(prog="report", description=__doc__.split("\n\n")[0])
    parser.add_argument("--study", choices=VOLUMES, default="ecnsharp", help="page to write (ecnsharp)")
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--plan", action="store_true", help="print the runs that are missing, and their durations; the laboratory is built, since its parts decide which these are")
    extent.add_argument("--fresh", action="store_true", help="also repeat cached runs")
    extent.add_argument("--render", action="store_true", help="run nothing: make the pages from docs/results/STUDY.jsonl")
    extent.add_argument("--readme", action="store_true", help="run nothing: write the tables of README.md, docs/evaluation.md and docs/onramp.md from the rows")
    parser.add_argument("--only", nargs="+", metavar="EXPERIMENT", help="run only what these need, and write no pages; with --render, write pages of these alone")
    parser.add_argument("--out", default=os.path.join(runs.ROOT, "docs/results"), help="output directory (docs/results)")
    args = parser.parse_args()
    aside = [f"--{name}" for name in ("study", "only", "out") if getattr(args, name) != parser.get_default(name)]
    if args.readme and aside:
        parser.error(f"--readme uses all rows of docs/results: {aside[0]} cannot be combined with it")
    args.out = os.path.abspath(args.out)
    return resumable.status("report", lambda: make(args))


if __name__ == "__main__":
    program.run("lab/report/report", main)
