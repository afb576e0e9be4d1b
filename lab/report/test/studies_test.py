# SPDX-License-Identifier: GPL-2.0
"""The studies of the papers and of clocks: every quotation has its row, and pages say what the runs say."""

import contextlib
import copy
import importlib
import importlib.machinery
import importlib.util
import io
import os
import re
import shutil
import subprocess
import tempfile
import xml.dom.minidom

from lab import trials
from lab.experiments import clock, incast, papers, peers, queue, systems, tune
from lab.host.artifacts import ROOT
from lab.host.units import Refused
from lab.report import (acc_page, acc_paper, clock_page, excerpts, experiment, fecn_page, judge, lossless_page, markdown, onramp_page, onramp_paper, page, paper, plot, rows,
                        runs, study, systems_page, table, verdict)
from lab.report.run_data import RunData
from lab.report.test.made_up import changed, kept_of, made_up, undrawn, without_figures
from tap import Tap


def test_report(tap):
    every = study.report((1, 2))
    tap.ok("the report's runs are sound and have names of their own", all(runs.trial_of(run) for run in every.runs)
           and len({run.name for run in every.runs}) == len(every.runs))
    tap.ok("every quotation has its row", {row.paper_value for row in every.rows} == set(paper.PAPER_VALUES.values()),
           {row.paper_value for row in every.rows} ^ set(paper.PAPER_VALUES.values()))
    found = {run.name: made_up(run) for run in every.runs}
    data = RunData(found)
    text = markdown.report("title", ("intro",), every, data, ("note",))
    rows_ = [line for line in text.splitlines() if line.startswith("| S0-")]
    tap.ok("a line a row", len(rows_) == len(every.rows))
    tap.ok("in the paper's order", [int(row.split("S0-")[1].split(",")[0]) for row in rows_]
           == sorted(int(row.split("S0-")[1].split(",")[0]) for row in rows_))
    tap.ok("each with a command", all(row.rstrip(" |").endswith("`") and "`lab/run " in row for row in rows_))
    tap.ok("all tables have as many cells as heads", len({line.count("|") - 2 * line.count("\\|") for line in rows_}) == 1)
    for grid in every.grids:
        cells = list(grid.cells(data))
        tap.ok(f"{grid.name}: a number in every cell", all(len(line) == 1 + len(grid.columns) for line in cells)
               and all(re.match(r"[\d.e+-]+$", cell) for line in cells for cell in line[1:]), cells)
    second = study.onramp((1, 2))
    both = {"ecnsharp": (every, found, "one"), "onramp": (second, {run.name: made_up(run) for run in second.runs}, "two")}
    missing = markdown.not_reproduced(both)
    shown = [line for line in table.lines(every.rows, data) if line.verdict == verdict.NOT]
    others = [line for line in table.lines(second.rows, RunData(both["onramp"][1])) if line.verdict == verdict.NOT]
    tap.ok("what is not shown has a line each, of both papers", shown and others and missing.count("\n- ")
           == len(shown) + len(others) + len(paper.NOT_ASKED) + len(onramp_paper.NOT_ASKED) + len(onramp_paper.PARTS_NOT_ASKED) + len(acc_paper.NOT_ASKED), missing)
    tap.ok("ECN#'s before On-Ramp's", [line.label in missing for line in (*shown, *others)] == [True] * len(shown + others)
           and missing.index(f"{shown[-1].source}: {shown[-1].label}") < missing.index(f"{others[0].source}: {others[0].label}"), missing)
    tap.ok("and says of which commits", "rows of ecnsharp.md's from commit one and onramp.md's from commit two." in missing, missing)
    alone = markdown.not_reproduced({**both, "onramp": (second, None, "")})
    tap.ok("a paper whose runs are not there is named, not passed over", alone.count("\n- ") == missing.count("\n- ") - len(others) + 1
           and "rows of onramp.md that are not shown: not all" in alone, alone)
    tap.ok("so has what RDMA alone can show", all(f"\n- {row}: " in missing and "TIMELY" not in row for row in onramp_paper.NOT_ASKED)
           and all(name in missing for name in ("TIMELY", "HPCC", "RDMA")), missing)
    for figure in every.figures:
        svg = plot.draw(figure.plot(data))
        xml.dom.minidom.parseString(svg)
        tap.ok(f"{figure.name}: something is drawn", "<path" in svg)
    again = [row for row in every.rows if row.repeats]
    once = [line.verdict for row, line in zip(every.rows, table.lines(every.rows, data)) if not row.repeats]
    tap.ok("what is too small to tell is neither shown nor missed", f" {once.count(verdict.SMALL)} are, like the paper's, below what seeds differ by, " in text
           if verdict.SMALL in once else "like the paper's, below" not in text, text[:800])
    tap.ok("verdicts are counted, those of repeated numbers once", again and re.search(
        rf"^Of {len(rows_) - len(again)} comparisons with {len(paper.PAPER_VALUES) - 1} numbers of the paper's, {once.count(verdict.SAME_SIZE)} have its size, "
        rf".* and {once.count(verdict.NOT)} are not shown; {len(again)} rows that repeat .* are not counted\.$", text, re.M), text[:800])
    for arguments in (["--study", "clock"], ["--only", "rct"], ["--out", "x"], ["--render"]):
        done = subprocess.run([os.path.join(ROOT, "lab/report", "report"), "--readme", *arguments], capture_output=True, text=True, check=False)
        tap.ok(f"--readme does not go with {arguments[0]}", done.returncode == 2 and arguments[0] in done.stderr, done.stderr)
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run([os.path.join(ROOT, "lab/report", "report"), "--render", "--out", empty], capture_output=True, text=True,
                              check=False)
        tap.ok("without results nothing is rendered", done.returncode == 2 and "is not there" in done.stderr
               and not os.listdir(empty), done.stderr)
    for name, experiment in (("ecnsharp", "incast"), ("onramp", "coexist"), ("clock", "daemons")):
        with tempfile.TemporaryDirectory() as part:
            os.symlink(os.path.join(rows.FOLDER, f"{name}.jsonl"), os.path.join(part, f"{name}.jsonl"))
            done = subprocess.run([os.path.join(ROOT, "lab/report", "report"), "--study", name, "--only", experiment, "--render", "--out", part],
                                  capture_output=True, text=True, check=False)
            tap.ok(f"a part of {name} is rendered alone, without the text on the whole", not done.returncode
                   and sorted(os.listdir(part)) == sorted([f"{name}.html", f"{name}.md", f"{name}.jsonl"]), done.stderr)
    for arguments in (["--only", "nonsense"], ["--nonsense"]):
        done = subprocess.run([os.path.join(ROOT, "lab/report", "report"), *arguments], capture_output=True, text=True, check=False)
        tap.ok(f"report {' '.join(arguments)} is refused with a message",
               done.returncode == 2 and "nonsense" in done.stderr and "Traceback" not in done.stderr, done.stderr)


def test_peers(tap):
    """A row of the table of peers is one qdisc, whatever scenario a column is of."""
    reported = {}
    for run in peers.experiment((1,)).runs:
        reported.setdefault(run.case, " ".join(runs.trial_of(run).setting.qdisc))
    for name in peers.PEERS:
        behind = peers.behind(name)[0]
        cases = (peers.WEBSEARCH.case("0.9", name), peers.DATAMINING.case("0.8", name), f"queue/{behind}", queue.still(behind),
                 incast.case(behind, peers.FANIN))
        texts = {re.sub(r"\blimit \d+", "limit N", reported[case]) for case in cases}
        tap.ok(f"{name} is the same qdisc in every column", len(texts) == 1, texts)


def test_onramp(tap):
    """The report of On-Ramp's paper, in a world that is like it."""
    every = study.onramp((1, 2))
    tap.ok("On-Ramp's runs are sound and have names of their own", all(runs.trial_of(run) for run in every.runs)
           and len({run.name for run in every.runs}) == len(every.runs))
    names = [run.name for run in study.report().runs]
    tap.ok("and not those of ECN#'s: they are kept in one place", not {run.name for run in every.runs} & set(names))
    tap.ok("every quotation of the paper has its row", {row.paper_value for row in every.rows} == set(onramp_paper.PAPER_VALUES.values()),
           {row.paper_value for row in every.rows} ^ set(onramp_paper.PAPER_VALUES.values()))
    found = {run.name: made_up(run) for run in every.runs}
    data = RunData(found)
    for figure in every.figures:
        svg = plot.draw(figure.plot(data))
        xml.dom.minidom.parseString(svg)
        tap.ok(f"On-Ramp, {figure.name}: something is drawn, of runs that there are", "<path" in svg and any(
            experiment.shows(figure, run) for run in every.runs))
    for grid in every.grids:
        cells = list(grid.cells(data))
        tap.ok(f"On-Ramp, {grid.name}: a number in every cell, of runs that there are", all(
            len(line) == 1 + len(grid.columns) and all(re.match(r"-?[\d.e+-]+( \([\d.]+ to [\d.]+\))?$", cell) for cell in line[1:]) for line in cells)
            and any(experiment.shows(grid, run) for run in every.runs), cells)
    [steady] = [grid for grid in every.grids if grid.name == "steady"]
    tap.ok("the thresholds of all senders, and how far they moved", [cell for _, *cells in steady.cells(data) for cell in cells[:6]]
           == ["61.0", "5.1", "3.0", "65.8", "58.0", "61.0"], list(steady.cells(data)))
    lines = {line.label: line for line in table.lines(every.rows, data)}
    line = lines["CUBIC: RCT, p99, On-Ramp, T = 150 us / fq_codel"]
    tap.ok("a fifth of what fq has, and more of what the paper's baseline has, where the paper has 1/2.8", (line.measured, line.paper, line.verdict, line.detail)
           == ("1/5.5", "1/2.8", verdict.LARGER, "1000 / 5500 us; T = 50 us / fq: 1/5.0"), line)
    line = lines["CUBIC: sent again, % of segments, On-Ramp, T = 150 us / fq_codel"]
    tap.ok("nothing sent again is more than fewer", (line.measured, line.verdict, line.detail)
           == ("none left", verdict.LARGER, "0 / 0.5 % of segments; T = 50 us / fq: none left"), line)
    [based] = [grid for grid in every.grids if grid.name == "baselines"]
    cells = {label: cells for label, *cells in based.cells(data)}
    tap.ok("a number compared with either baseline and at either T", (cells["CUBIC: RCT, p99 (S3-7, paper 0.357)"], cells["CUBIC, 80 % load / 40 %: RCT, p99 (S3-11, paper more)"])
           == (["0.182 (0.182 to 0.182)", "0.200 (0.200 to 0.200)"] * 2, ["1.000 (1.000 to 1.000)"] * 4), cells)
    tap.ok("each of CUBIC's rows that have a baseline is there", [re.search(r"S3-\d+", label)[0] for label in cells] == [
        row.paper_value.row for row in every.rows if row.paper_value.row in ("S3-7", "S3-8", "S3-10", "S3-11", "S3-12", "S3-13")], list(cells))
    tap.ok("the page has the gain over each", "| 150 us | 5.5 and 5.5 | 5.0 and 5.0 |"
           in " ".join(onramp_page.baselines(found)), onramp_page.baselines(found))
    hosts = {run.case: [argument.split("=", 1)[1] for argument in run.arguments if argument.startswith(("host=", "other="))] for run in every.runs}
    judged = [(row.paper_value, [host for case in row.cases for host in hosts[case]]) for row in every.rows if row.paper_value.base]
    other = {paper_value for paper_value, hosts_ in judged for match in [re.search(r"T = (\d+ us)", paper_value.setup)]
             if match and any(argument != match[1].replace(" ", "") for host in hosts_ for argument in re.findall(r"threshold (\w+)", host))}
    tap.ok("a row that the paper's is compared with is at the paper's T, but where T is what differs", other == {onramp_paper.PAPER_VALUES[name] for name in ("sweep-T", "storage-tight")}, other)
    other = {paper_value for paper_value, hosts_ in judged if paper_value.row in ("S3-7", "S3-8", "S3-9", "S3-10", "S3-11", "S3-12", "S3-13", "S3-19")
             and {host.split()[0] for host in hosts_} - {"onramp"} != {"fq" if "BBR" in paper_value.setup else "fq_codel"}}
    tap.ok("and compared with the paper's baseline", other == set(), other)
    worse = changed(changed(found, "signal/good", (1, 2), "signals.rtt.rank_correlation", (0.5, 0.5)), "signal/good", (1,), "signals.owd.rank_correlation", (0.4,))
    line = {line.label: line for line in table.lines(every.rows, RunData(worse))}["rank correlation with the next packet's OWD, RTT / OWD, good clocks"]
    tap.ok("signals on which seeds do not agree are not shown", "no more than they differ by" in line.detail and line.verdict == verdict.NOT, line)

    def gain(path, factors, seeds=(1, 2)):
        """The row of that label where the baseline's number of those seeds is so many times what it was, at each load."""
        other = copy.deepcopy(found)
        for case, factor in ((f"{setting.case('fq_codel')}/{seed}", factor) for setting, factor in zip(papers.RISING, factors) for seed in seeds):
            numbers = other[case].document["requests"]
            numbers[path] = numbers[path] * factor if factor else None
        made = {line.label: line for line in table.lines(every.rows, RunData(other))}
        return made[f"CUBIC: RCT, {path.removesuffix('_us')}: fq_codel / On-Ramp, T = 150 us, 80 % load / 40 % load"]

    line = gain("p99_us", (1, 3, 2))
    tap.ok("a gain that is larger at the highest load is the paper's direction, whatever it is between", (line.paper, line.measured, line.verdict)
           == ("more", "2.00x", verdict.SAME) and line.detail.startswith("at 40, 60, 80 % load 5.50x, 16.50x, 11.00x: fq_codel 5500, 16500, 11000 us, On-Ramp "
                                                                         "1000, 1000, 1000 us"), line)
    tap.ok("and either's growth is named", "fq_codel's number grows to 2.00 times itself and On-Ramp's to 1.00;" in line.cause, line)
    line = gain("p99_us", (2, 3, 1))
    tap.ok("one that is smaller is not shown, though it be largest between", (line.measured, line.verdict) == ("-50.0 %", verdict.NOT), line)
    tap.ok("nor one that is as large", gain("mean_us", (1, 3, 1.02)).verdict == verdict.NOT)
    line = gain("p99_us", (0.5, 3, 2), (2,))
    tap.ok("the spread of its seeds is reported", "us; seeds equal to 4.00x; T = 50 us / fq: " in line.detail and line.verdict == verdict.SAME, line)
    line = gain("p99_us", (1, 3, None), (2,))
    tap.ok("of those that have both ends", "us; one seed; T = 50 us / fq: " in line.detail and line.verdict == verdict.NOT, line)
    for factors in ((None, 1, 2), (1, 1, None)):
        line = gain("mean_us", factors)
        tap.ok("nor one of which an end is not there", (line.measured, line.verdict) == ("none", verdict.NOT), line)
    text = markdown.report("title", (), every, data, ("note",), "onramp", ("## part", ""))
    rows_ = [row for row in text.splitlines() if row.startswith("| S3-")]
    tap.ok("a line a row, in the paper's order", len(rows_) == len(every.rows) and [int(row.split("S3-")[1].split(",")[0]) for row in rows_]
           == sorted(int(row.split("S3-")[1].split(",")[0]) for row in rows_))
    tap.ok("its own figures", "[onramp.html](onramp.html)" in text and "## part" in text)


def test_clock(tap):
    """The report of huygens-lite, in a world where it keeps clocks."""
    every = study.clocks((1, 2))
    tap.ok("the clocks' runs are sound and have names of their own", all(runs.trial_of(run) for run in every.runs)
           and not {run.name for run in every.runs} & {run.name for other in (study.report(), study.onramp()) for run in other.runs})
    found = {run.name: made_up(run) for run in every.runs}
    data = RunData(found)
    for figure in every.figures:
        svg = plot.draw(figure.plot(data))
        xml.dom.minidom.parseString(svg)
        tap.ok(f"clocks, {figure.name}: something is drawn, of runs that there are", "<path" in svg and any(
            experiment.shows(figure, run) for run in every.runs))
    for grid in every.grids:
        cells = list(grid.cells(data))
        tap.ok(f"clocks, {grid.name}: a number in every cell, of runs that there are", all(
            len(line) == 1 + len(grid.columns) and all(re.match(r"(-?[\d.e+-]+( \([\d.]+ to [\d.]+\))?|none)$", cell) for cell in line[1:]) for line in cells)
            and any(experiment.shows(grid, run) for run in every.runs), cells)
    verdicts = {what: holds for what, _, _, holds in clock_page.judged(data)}
    tap.ok("all that must hold does", all(verdicts.values()), verdicts)
    for text, changes in (("p99, live", {"p50_ns": 1, "p99_ns": 10**6}), ("median, live", {"p50_ns": 10**6, "p99_ns": 1}), ("p99, mid-window", {})):
        worse = copy.deepcopy(found)
        for result in worse.values():
            result.document["live"]["error"].update(changes)
            if not changes:
                result.document["mid"]["p99_ns"] = 10**6
        missed = [what for what, _, _, holds in clock_page.judged(RunData(worse)) if not holds]
        tap.ok(f"an error that is too large is seen: {text}", missed and all(text in what for what in missed), missed)
    worse = copy.deepcopy(found)
    for seed in (1, 2):
        worse[f"e2e/huygens/{seed}"].document["requests"].update(mean_us=600, p99_us=2550)
        worse[f"e2e/none/{seed}"].document["holds"]["n"] = 1
        worse[f"clock/loads/software/0.8/both/{seed}"].document["live"]["bound"]["held_percent"] = 98.9
    missed = [what for what, _, _, holds in clock_page.judged(RunData(worse)) if not holds]
    tap.ok("a bound that fails, a hold, a gain that is lost are seen", missed == [
        "8 hosts, software's stamps, 80 % load: the bound holds", "no common time: holds", "of the gain with perfect clocks, RCT mean"], missed)
    seeds = copy.deepcopy(found)
    for seed, whole in ((1, 1000), (2, 2000), (3, 3000)):
        for kept, time in (("fq", whole), ("ntp", 900)):
            seeds[f"e2e/{kept}/{seed}"].document["requests"]["mean_us"] = time
    judged = {what: (shown, holds) for what, _, shown, holds in clock_page.judged(RunData(seeds))}
    tap.ok("a quotient that is judged is that of the means in the same row, with those of the seeds",
           judged["clocks as NTP's: RCT mean over fq's"] == ("0.45 (0.3 to 0.9)", True), judged)
    grid, = (grid for grid in every.grids if grid.name == "e2e")
    cells = {line[0]: line[1:] for line in grid.cells(RunData(seeds))}
    tap.ok("and so is one in the table", cells["fq, no On-Ramp"][0] == "2000" and cells["On-Ramp, clocks as NTP's"][4] == "0.450 (0.300 to 0.900)", cells)
    seeds["e2e/ntp/1"].document["requests"]["mean_us"] = 1060
    seeds["e2e/huygens/2"].document["requests"]["p99_us"] = 2800
    missed = [(what, shown) for what, _, shown, holds in clock_page.judged(RunData(seeds)) if not holds]
    tap.ok("one seed is enough to miss, where the quotient of the means is not", missed == [
        ("clocks as NTP's: RCT mean over fq's", "0.477 (0.3 to 1.06)"), ("of the gain with perfect clocks, RCT p99", "94.7 (88 to 98) %")], missed)
    worse = copy.deepcopy(found)
    for text, case, factor in (("TCP's packets", "clock/packets/packets/8/0.8", 1.6), ("TCP's packets", "clock/packets/packets/8/0.8", 0.4)):
        result = worse[f"{case}/1"]
        result.document["live"] = copy.deepcopy(found[f"{case}/1"].document["live"])
        result.document["live"]["error"]["p99_ns"] *= factor
        missed = [what for what, _, _, holds in clock_page.judged(RunData(worse)) if not holds]
        tap.ok(f"bursts that err otherwise than packets are seen: {factor}", len(missed) == 1 and text in missed[0], missed)
    for case, head, expected in (*((f"{case}/1", f"{hosts} hosts, TCP's packets, software's", "TCP's packets") for hosts, case in clock_page.TCP.items()),
                            ("bursts/software/0.8/eight/1", "8 hosts, bursts of packets, software's", "bursts of packets"),
                            *((f"clock/{case}/1", f"{hosts} hosts, software's", f"{hosts} hosts") for hosts, case in clock.SIZES.items()),
                            ("bursts/software/0.8/cross/2", "4 hosts, 40 s, software's", "4 hosts")):
        worse = copy.deepcopy(found)
        for path, value, text in (("error p50_ns", 301, "median, live"), ("error p99_ns", 3001, "p99, live"), ("bound held_percent", 98.9, "the bound holds")):
            part, name = path.split()
            worse[case].document["live"] = copy.deepcopy(found[case].document["live"])
            worse[case].document["live"][part][name] = value
            missed = [what for what, _, _, holds in clock_page.judged(RunData(worse)) if not holds]
            tap.ok(f"all hosts and traffic are held to the same: {head}, {text}", f"{head} stamps, 80 % load: {text}" in missed
                   and all(expected in what for what in missed), missed)
    for name, factor, wanted in (("ports", 1.21, 2), ("hosts", 0.82, 1), ("hosts", 1.19, 0), ("roomy", 1.21, 1)):
        worse = copy.deepcopy(found)
        worse[f"bursts/software/0.8/{name}/3"].document["met"]["wait"]["p99_ns"] *= factor
        missed = [what for what, _, _, holds in clock_page.judged(RunData(worse)) if not holds]
        tap.ok(f"and so are those that let probes wait otherwise: {name}, {factor}", len(missed) == wanted and all("how long probes wait" in what for what in missed), missed)
        left = "\n".join(clock_page.left_out(RunData(worse)))
        tap.ok("and what is left out says how many", f"{wanted} of 9 comparisons with the same bursts of packets, with 4 hosts, miss" in left
               and "magnitude of errors, to a factor of 2" in left, left)
    worse = copy.deepcopy(found)
    worse["bursts/hardware/0.4/cross/2"].document["mid"]["p50_ns"] *= 2.1
    failed = [(what, shown) for what, _, shown, holds in clock_page.judged(RunData(worse)) if not holds]
    left = "\n".join(clock_page.left_out(RunData(worse)))
    tap.ok("and that bursts are then no measure to a factor of two", "is 0.48 to 1 times" in left and "and not to a factor of 2" in left, left)
    tap.ok("errors may differ by twice, and the largest difference is reported", len(failed) == 2 and all("errors" in what and "mid.p50, hardware, 0.4" in shown for what, shown in failed), failed)
    worse = copy.deepcopy(found)
    worse["clock/loads/software/0.8/both/2"].document["live"]["error"]["p50_ns"] = 301
    missed = [what for what, _, _, holds in clock_page.judged(RunData(worse)) if not holds]
    tap.ok("one seed of three is enough to miss", missed == ["8 hosts, software's stamps, 80 % load: median, live"], missed)
    for factors, wanted in (({"10": 1.15}, 0), ({"1": 2, "10": 1.17}, 1), ({"1": 0.6}, 1), ({"10": 2}, 2)):
        worse = copy.deepcopy(found)
        for degree, factor in factors.items():
            for seed in (1, 2):
                worse[f"clock/degree/{degree}/{seed}"].document["mid"]["p50_ns"] *= factor
        missed = [what for what, _, _, holds in clock_page.judged(RunData(worse)) if not holds]
        tap.ok(f"neighbours that are worth less than one over the root are seen: {factors}",
               len(missed) == wanted and all("at least as fast" in what for what in missed), missed)
    worse = copy.deepcopy(found)
    for degree, error in (("1", 1000), ("2", 500), ("4", 250), ("10", 2000 / 15)):
        for seed in (1, 2):
            worse[f"clock/degree/{degree}/{seed}"].document["mid"]["p50_ns"] = error
    worse = {what: shown for what, _, shown, _ in clock_page.judged(RunData(worse)) if "at least as fast" in what}
    tap.ok("and their worth is reported for the clocks of real hosts", list(worse.values()) == ["3.75 (3.75 to 3.75)", "-1 (-1 to -1)"]
           and all("15 neighbours" in what or "that with 15" in what for what in worse), worse)
    tap.ok("a mesh is full when it would have more",
           [clock.neighbours(*mesh) for mesh in ((16, 7), (16, 8), (15, 7), (50,), (4, 1), (2, 1), (1, 1))] == [14, 15, 14, 20, 2, 1, 0])
    worse = copy.deepcopy(found)
    worse = copy.deepcopy(found)
    for seed in (1, 2):
        worse[f"clock/packets/packets/8/0.8/{seed}"].document["live"]["error"] = {"p50_ns": 5790, "p99_ns": 386_078}
    worse["bursts/software/0.8/cross/2"].document["live"]["error"]["p50_ns"] *= 1.5
    left = "\n".join(clock_page.left_out(RunData(worse)))
    tap.ok("what long flows do to clocks, and what seeds differ by, is what was measured",
           "5.79 us apart in the median, 386 at the 99th percentile" in left and "differ by up to 1.5 times" in left, left)
    params = [runs.trial_of(run).params for run in every.runs if run.scenario == "clock"]
    tap.ok("and how far off clocks are", "each is up to 1 s off" in left and {p["clock_offset"] for p in params} == {10 ** 9}, left)
    tap.ok("the neighbours of 50 hosts are as run", "50 hosts have K = 10 only, 20 neighbours each" in left
           and {p["degree"] for p in params if p["hosts"] == 50} == {10} and {p["hosts"] for p in params if p["degree"] != 10} == {16}, left)
    for failed, hosts, stamps, traffic, allowed in (
            ("Other loads of 16 and 50 hosts: they have 80 % in both directions with software timestamps", (16, 50), clock.STAMPS, "cross", {(800, "both", "software")}),
            ("4 hosts have no load in one direction, and a load of 0 only for the shorter times", (4,), ("software",), "cross", {(load, "both", "software") for load in (400, 800)}),
            ("Hardware timestamps with one direction are missing, and with 40 % they have the shorter times only", (4, 8), ("hardware",), "cross", {(load, "both", "hardware") for load in (0, 800)}),
            ("TCP's packets with other loads: 4 and 8 hosts have 80 % in both directions with software timestamps", (4, 8, 16, 50), clock.STAMPS, "packets",
             {(800, "both", "software")})):
        done = {(p["load"], p["sides"], p["stamps"]) for p in params if p["hosts"] in hosts and p["stamps"] in stamps and p["traffic"] == traffic}
        tap.ok(f"what is listed as left out is not run, and the rest is: {failed}", failed in left and done == allowed, (done, left))
    text = markdown.report("title", (), every, data, ("note",), "clock", clock_page.criteria(found))
    tap.ok("the document has a line a criterion, and no paper's numbers", text.count("| yes |") == len(verdicts) and "The paper's" not in text, text[:500])
    tap.ok("nor has the page", "The paper's" not in page.page("title", (), every, data, ("note",)))
    tap.ok("it has the configuration of each compared daemon, huygens-lite too", all(
        f"<summary>{daemon}</summary>" in text for daemon in ("huygens-lite", "chrony", "ptp4l")), text[-2000:])


def test_acc(tap):
    """The page's sentences on acc-tuner follow from its runs, as does that a static setting is as good."""
    every = study.acc((1, 2))
    tap.ok("acc: the runs are sound and have names of their own", all(runs.trial_of(run) for run in every.runs) and len({run.name for run in every.runs}) == len(every.runs))
    tap.ok("acc: every quotation has its row", {row.paper_value for row in every.rows} == set(acc_paper.PAPER_VALUES.values()))
    wanted = {tune.SETTINGS[name][0] for name in (*tune.STATICS, *tune.TUNED)}
    of_settings = [grid for grid in every.grids if grid.name != "conditions"]
    tap.ok("acc: each table of settings has all static ones, the rule and the network", all(wanted <= {label for label, _ in grid.lines} for grid in of_settings),
           [(grid.name, wanted - {label for label, _ in grid.lines}) for grid in of_settings])
    left, = (grid for grid in every.grids if grid.name == "conditions")
    tap.ok("acc: one has all conditions of the design", len(left.lines) == 12)
    found = {run.name: made_up(run) for run in every.runs}
    text = "\n".join(acc_page.parts(found))
    tap.ok("acc: a network that is a tenth better is reported so, and as worth learning",
           "policy ddqn is better than one good static setting" in text and "and of `follow`): yes" in text, text)
    holds = {line.split(" | ")[1]: line.endswith("| yes |") for line in text.splitlines() if re.match(r"\| [0-9]+ \|", line)}
    tap.ok("acc: a control that is spoiled fails what it must, and one that is as good as other settings fails too",
           holds["control: values negated: must fail line 12"] and holds["ddqn: mean J to SECN2's"] and not holds["ddqn: mean J to SECN1's"], holds)
    for condition in tune.CONDITIONS:
        for seed in (1, 2):
            found[f"{condition.case('ddqn')}/{seed}"] = found[f"{condition.case('ramp-150us')}/{seed}"]
    text = "\n".join(acc_page.parts(found))
    tap.ok("acc: one that does not differ from a static setting is as good as it, and is not worth learning",
           "policy ddqn is as good as one good static setting" in text and "and of `follow`): no" in text, text)


def test_lossless(tap):
    """Criteria of a lossless LAN hold for runs that fulfil them, and fail for others, line by line."""
    every = study.lossless((1, 2, 3))
    tap.ok("lossless: the runs are sound and have names of their own", all(runs.trial_of(run) for run in every.runs)
           and len({run.name for run in every.runs}) == len(every.runs))
    found = {run.name: made_up(run) for run in every.runs}
    lines = list(lossless_page.judged(RunData(found)))
    tap.ok("lossless: what is as expected holds", all(holds for *_, holds in lines), [line for line in lines if not line[-1]])
    targets = {row for row, *_ in lines if row != "fan-out"}
    tap.ok("lossless: every row of the paper is judged but the last, which is of silicon", targets == set(lossless_page.TARGETS[:-1]), targets)
    # All signals are as bad as the worst, or as good as the best: each line has a setting that fails it.
    for same, expected in (("pause", 5), ("cnm-random", 6)):
        spoiled = {name: found[f"fanout/{same}/1"] if name.startswith("fanout/") else result for name, result in found.items()}
        failed = [what for row, what, *_, holds in lossless_page.judged(RunData(spoiled)) if row == "fan-out" and not holds]
        tap.ok(f"lossless: were all signals {same}, lines would fail", len(failed) == expected, failed)
    for same, expected in (("output", {"S4-1", "S4-2", "S4-3"}), ("input-rr", {"S4-1", "S4-2", "S4-3"}), ("lossy", {"S4-1", "S4-2", "S4-3"})):
        spoiled = {name: found[f"fanin/{same}/1"] if name.startswith("fanin/") and "victim" not in name else result for name, result in found.items()}
        failed = {row for row, *_, holds in lossless_page.judged(RunData(spoiled)) if not holds}
        tap.ok(f"lossless: were all congestion points {same}, lines would fail", failed == expected, failed)
    for same, expected in (("arrival", {"S4-5", "S4-6"}), ("random", {"S4-4", "S4-5"}), ("drop", {"S4-4", "S4-5", "S4-6"})):
        spoiled = {name: found[f"fanin/victim/{same}/1"] if name.startswith("fanin/victim/") else result for name, result in found.items()}
        failed = {row for row, *_, holds in lossless_page.judged(RunData(spoiled)) if not holds}
        tap.ok(f"lossless: were all culprits {same}, lines would fail", failed == expected, failed)
    text = markdown.report("title", (), every, RunData(found), ("note",), "lossless", lossless_page.parts(found))
    tap.ok("lossless: the document has a line for each, and both tables", text.count("| yes |") == len(lines) and text.count("## ") >= 5, text[:800])
    tap.ok("lossless: the page has all figures", page.page("title", (), every, RunData(found), ()).count("<figure") == len(every.figures))


def test_front(tap, studies):
    """The tables of README.md, docs/evaluation.md and docs/onramp.md follow from the runs, and so does each alone."""
    for page_, pieces in excerpts.PAGES.items():
        text = excerpts.read(page_)
        try:
            made = excerpts.made(text, pieces, studies)
        except Refused as why:
            tap.ok(f"{page_} has all pieces", False, why)
            continue
        tap.ok(f"{page_} has what follows from the runs (lab/report/report --readme writes it)", made == text,
               [line for line in made.splitlines() if line not in text.splitlines()])
        for piece in pieces:
            lines = list(piece.lines(studies))
            right = [line for line in lines if re.search("[0-9]", line)][-1]
            wrong = right.translate(str.maketrans("0123456789", "1234567890"))
            altered = made.replace(right, wrong)
            tap.ok(f"a wrong number of '{piece.begins.splitlines()[-1]}' is not left", altered != made and excerpts.made(altered, pieces, studies) == made, wrong)
    for text in ("", "a\n\nab"):
        try:
            reported = excerpts.made(text, (excerpts.Piece("a", lambda _: ["b"]),), {})
        except Refused as why:
            reported = str(why)
        tap.ok(f"a page with {len(text.split())} such pieces is refused", reported.startswith(f"the page has {len(text.split())} pieces"), reported)


def test_fecn(tap):
    """Criteria of explicit rates hold for runs that fulfil them, and fail for others, line by line."""
    every = study.fecn((1, 2, 3))
    tap.ok("fecn: the runs are sound and have names of their own", all(runs.trial_of(run) for run in every.runs)
           and len({run.name for run in every.runs}) == len(every.runs))
    found = {run.name: made_up(run) for run in every.runs}
    lines = list(fecn_page.judged(RunData(found)))
    tap.ok("fecn: what is as expected holds", all(holds for *_, holds in lines), [line for line in lines if not line[-1]])
    targets = {row for row, *_ in lines if row}
    tap.ok("fecn: every row of the paper that runs can show is judged", targets == set(fecn_page.TARGETS), targets)
    for same, expected in (("lossy", {"S2-1", "S2-2", "S2-4"}), ("gamma-0.98", {"S2-1", "S2-2", "S2-4"}), ("cbr-0-1", {"S2-1", "S2-2", "S2-4", ""})):
        spoiled = {name: found[f"explicit/{same}/1"] if name.startswith("explicit/") else result for name, result in found.items()}
        failed = {row for row, *_, holds in fecn_page.judged(RunData(spoiled)) if not holds}
        tap.ok(f"fecn: were all settings {same}, lines would fail", failed == expected, failed)
    text = markdown.report("title", (), every, RunData(found), ("note",), "fecn", fecn_page.parts(found))
    tap.ok("fecn: the document has a line for each, and both tables", text.count("| yes |") == len(lines) and text.count("## ") >= 4, text[:800])


def test_systems(tap):
    """The table of all systems has each, those with the lowest times first."""
    every = study.side_by_side((1, 2))
    tap.ok("systems: the runs are sound and have names of their own", all(runs.trial_of(run) for run in every.runs)
           and len({run.name for run in every.runs}) == len(every.runs))
    found = {run.name: made_up(run) for run in every.runs}
    lines = [line for line in systems_page.parts(found) if line.startswith("| ")][1:]
    tap.ok("systems: a line each, DCTCP's first", len(lines) == len(systems.SYSTEMS) and all(("DCTCP" in line) == ("| 1.00 |" in line) for line in lines)
           and "DCTCP" in lines[0] and "| 2.00 |" in lines[-1], lines)
    slow = systems.case("victim", "both")
    found = {run.name: runs.Result({**result.document, "short": {**result.document["short"], "p99_us": 90_000}}, []) if run.case == slow else result
             for run in every.runs for result in [found[run.name]]}
    lines = [line for line in systems_page.parts(found) if line.startswith(f"| {systems.SYSTEMS['both'][0]} |")]
    tap.ok("systems: where one is slowest is named", len(lines) == 1 and "| victim: 36.0 |" in lines[0], lines)
    text = markdown.report("title", (), every, RunData(found), ("note",), "systems", systems_page.parts(found))
    tap.ok("systems: a table for each traffic", all(f"## {title}" in text for title, *_ in systems.TRAFFIC.values()), text[:800])


def test_documents(tap):
    """The pages of docs/results are what their rows make, and nobody's hand."""
    report, criteria = importlib.import_module("lab.report.report"), importlib.import_module("lab.report.acceptance")
    with tempfile.TemporaryDirectory() as out:
        for name in (*report.VOLUMES, "acceptance"):
            shutil.copyfile(os.path.join(rows.FOLDER, f"{name}.jsonl"), os.path.join(out, f"{name}.jsonl"))
        with contextlib.redirect_stdout(io.StringIO()), undrawn():
            for name, volume in report.VOLUMES.items():
                report.render(out, name, volume.study())
        study_, wanted = judge.full()
        criteria.write(out, study_, wanted, None)
        for name in sorted(os.listdir(out)):
            made, kept = (without_figures(excerpts.read(os.path.join(folder, name))) for folder in (out, rows.FOLDER))
            tap.ok(f"docs/results/{name} follows from the rows (lab/report/report and acceptance --render write it)", made == kept,
                   [line for line in made.splitlines() if line not in kept.splitlines()][:3])
    sizes = {name: os.path.getsize(os.path.join(rows.FOLDER, name)) for name in os.listdir(rows.FOLDER)}
    tap.ok("rows and pages are small", sum(sizes.values()) < 2_000_000, sizes)
    studies = {name: (every, RunData(kept_of(name, every.runs))) for name in report.QUOTED for every in [report.VOLUMES[name].study()]}
    test_front(tap, studies)
    kept = kept_of("clock", study.clocks().runs)
    tap.ok("hosts have as many neighbours as clock.md says", all(0.95 < share <= 1 for share in clock.solved_edges(RunData(kept)).values()),
           clock.solved_edges(RunData(kept)))


def test_targets(tap):
    """Each row of the lists of the papers' targets is judged, or has its reason, and once: in the tables and in the documents."""
    reported = {}
    for name in ("ecnsharp", "onramp", "acc", "not-reproduced"):
        with open(os.path.join(runs.ROOT, "docs/results", f"{name}.md"), encoding="utf-8") as file:
            reported[name] = file.read()
    for name, of, count in (("ecnsharp", paper, 24), ("onramp", onramp_paper, 22), ("acc", acc_paper, 21)):
        judged, named = {paper_value.row for paper_value in of.PAPER_VALUES.values()}, {row.split()[0] for row in of.NOT_ASKED}
        targets = set(of.TARGETS)
        tap.ok(f"{name}: as many targets as its list has", len(of.TARGETS) == len(targets) == count, of.TARGETS)
        tap.ok(f"{name}: every target is judged or has a reason why not", judged | named == targets, targets ^ (judged | named))
        tap.ok(f"{name}: none is both", not judged & named, judged & named)
        parts = {row.split(",")[0]: f"- {row}: " in reported["not-reproduced"] for row in getattr(of, "PARTS_NOT_ASKED", {})}
        tap.ok(f"{name}: a part that is not required is of a row that is judged, and says so", parts.keys() <= judged and all(parts.values()), parts)
        pages = {f"{name}.md": set(re.findall(r"^\| (S\d-\d+),", reported[name], re.M)),
                 "not-reproduced.md": {row for row in re.findall(r"^- (S\d-\d+) \(", reported["not-reproduced"], re.M) if row in targets}}
        tap.ok(f"{name}: so it is in docs/results", pages == {f"{name}.md": judged, "not-reproduced.md": named},
               [(page_, found ^ wanted) for (page_, found), wanted in zip(pages.items(), (judged, named))])
    every = {row: name for name in trials.scenario_names() for row in trials.scenario(name).ROWS}
    tap.ok("a scenario is for no target that there is not", set(every) <= {*paper.TARGETS, *onramp_paper.TARGETS, *acc_paper.TARGETS, *lossless_page.TARGETS, *fecn_page.TARGETS}, every)


def main():
    tap = Tap()
    test_report(tap)
    test_peers(tap)
    test_onramp(tap)
    test_clock(tap)
    test_acc(tap)
    test_lossless(tap)
    test_fecn(tap)
    test_systems(tap)
    test_documents(tap)
    test_targets(tap)
    tap.end()


if __name__ == "__main__":
    main()
