# SPDX-License-Identifier: GPL-2.0
"""Runs without the lab: pool, cache, rows, commands, failures, progress."""

import dataclasses
import importlib
import importlib.machinery
import importlib.util
import io
import json
import os
import shutil
import subprocess
import tempfile
import threading

from lab.host import artifacts, boot, module_list
from lab.host.units import Refused
from lab.report import cache, commands, experiment, pool, rows, runs
from lab.report.test.made_up import DEMO, Parts, cached, changed, made_up, refusal, undrawn
from tap import Tap


def test_pool(tap):
    every = DEMO.runs
    tap.ok("the demo's runs have names of their own", len({run.name for run in every}) == len(every))
    done, lock = [], threading.Lock()

    def run_one(run, _lab, reached):
        with lock:
            done.append(run.name)
        reached(0.5)
        return made_up(run)

    with cached() as kept:
        keys = {kept.path(run) for run in every}
        tap.ok("no two runs share a place in the cache", len(keys) == len(every))
        half = pool.Pool(None, kept, 2, run_one).run(every[:10], "test", stream=io.StringIO())
        tap.ok("the pool runs what it is given", sorted(half) == sorted(run.name for run in every[:10]))
        done.clear()
        found = pool.Pool(None, kept, 2, run_one).run(every, "test", stream=io.StringIO())
        tap.ok("a second time it runs only what is missing", sorted(done) == sorted(run.name for run in every[10:]))
        tap.ok("results come back from the cache as they went in",
               all(found[run.name] == made_up(run) for run in every))
        done.clear()
        pool.Pool(None, kept, 2, run_one).run(every[:3], "test", fresh=True, stream=io.StringIO())
        tap.ok("fresh runs what is in the cache too", len(done) == 3)
        tap.ok("and in a file each", sorted(os.listdir(kept.folder)) == sorted(map(os.path.basename, keys)))
    return found


def test_parts(tap):
    """A result is stale when what its run loads has changed, and not by other changes."""
    arguments_of = {"ECN#": ("fct", "aqm=ecnsharp"), "RED": ("fct", "aqm=red-tail"), "fq": ("rct", "host=fq"), "On-Ramp": ("rct", "host=onramp mode hold threshold 50us clock system error 1us"),
                    "both": ("rct", "aqm=ecnsharp", "host=onramp mode hold threshold 50us clock system error 1us"), "clocks": ("clock", "hosts=4")}
    every = {name: experiment.Run("x", arguments[0], arguments[1:]) for name, arguments in arguments_of.items()}
    onramp = {"On-Ramp", "both", "clocks"}      # hosts of clock receive a common time
    wanted = {**dict.fromkeys(("fingerprint", "labnic.ko", "onramp_hook.ko", "init"), set(arguments_of)),
              **dict.fromkeys(("sch_ecnsharp.ko", "q_ecnsharp.so"), {"ECN#", "both"}),
              **dict.fromkeys(("sch_cp.ko", "q_cp.so"), set()),
              **dict.fromkeys(("onramp.ko", "sch_onramp.ko", "onramp_acker.ko", "q_onramp.so", "onrampctl"), onramp),
              **dict.fromkeys(("huygens-lite", "huygensctl"), {"clocks"})}
    tap.ok("all modules and programs are looked at", {module.name for module in module_list.MODULES} | {each.name for added in (*module_list.QDISCS.values(), module_list.HUYGENS)
                                                                                             for each in added} <= set(wanted))
    with tempfile.TemporaryDirectory() as folder:
        lab = Parts(folder)
        before = {name: cache.key_of(run, lab) for name, run in every.items()}
        for part, stale in wanted.items():
            lab.change(part)
            after = {name: cache.key_of(run, lab) for name, run in every.items()}
            tap.ok(f"a change of {part} makes stale: {', '.join(sorted(stale))}", {name for name in arguments_of if after[name] != before[name]} == stale)
            before = after
        for what, changed in (("the arguments", {"arguments": ("aqm=ecnsharp", "load=0.5")}), ("the seed", {"seed": 9}), ("the traced part", {"trace": (100, 300)})):
            tap.ok(f"so does another value of {what}", cache.key_of(dataclasses.replace(every["ECN#"], **changed), lab) != before["ECN#"])


def test_rows(tap):
    """The rows of a study in git suffice for its pages, and have a line per run."""
    report = importlib.import_module("lab.report.report")
    for name, volume in report.VOLUMES.items():
        every = volume.study()
        found = {run.name: dataclasses.replace(made_up(run), commit="abc") for run in every.runs}
        with tempfile.TemporaryDirectory() as out, undrawn():
            path = report.path_of(out, name)
            rows.write(path, every.runs, found, lambda noted, out=out, name=name, every=every: report.reads(out, name, every, noted))
            _, kept = rows.read(path, every.runs)
            tap.ok(f"{name}: the pages are the same from the rows as from whole results",
                   report.documents(out, name, every, kept, "x") == report.documents(out, name, every, found, "x"))
            with open(path, encoding="ascii") as file:
                head, *lines = map(json.loads, file)
            tap.ok(f"{name}: the commit, then a line a run, by name", head == {"commit": runs.commit()} and [line["run"] for line in lines]
                   == sorted(found))
            for before, line in zip([head, *lines], lines):
                line.setdefault("commit", before["commit"])
            expected = {run.name: (run.command(), run.seed, "abc") for run in every.runs}
            tap.ok(f"{name}: each with command, seed and commit", {line["run"]: (line["command"], line["seed"], line["commit"]) for line in lines} == expected)
            tap.ok(f"{name}: and no number that no page shows", not any("unfinished" in line["numbers"] for line in lines))
            tap.ok(f"{name}: a request for one is refused with a remedy", "no 'unfinished'" in refusal(lambda: kept[every.runs[0].name].document["unfinished"]))
            other = dataclasses.replace(every.runs[0], arguments=(*every.runs[0].arguments, "gso=off"))
            for what, run in (("that is not there", dataclasses.replace(other, case="y")), ("of another command", other)):
                why = refusal(lambda run=run: rows.read(path, [run]))
                tap.ok(f"{name}: a run {what} is lacking", "lacks 1 runs" in why and run.name in why, why)
    tap.ok("rows that are not there are refused", "is not there" in refusal(lambda: rows.read("/nonsense", ())))
    whole = runs.Result({}, [(1, 5), (2, 7), (11, 3), (12, 3), (35, 1)])
    noted = rows.Noted(whole)
    tap.ok("of a trace, rows have what a figure shows", noted.peaks(10) == noted.points == [(2, 7), (11, 3), (35, 1)])
    tap.ok("which has the same peaks again", runs.Result({}, noted.points).peaks(10) == noted.points)


def test_readers(tap):
    """A change of the code that makes JSON of raw results is noticed, by the scenarios that use it; a change of rows or figures is not."""
    for scenario, used, unused in (
            ("fct", ("trials", "host.results", "host.accounting", "host.network", "host.star", "experiments.shared.settings"),
             ("host.sync", "host.leafspine", "experiments.rct", "report.plot")),
            ("rct", ("experiments.shared.settings", "host.full_mesh"), ("experiments.shared.requests", "report.plot", "report.experiment")),
            ("clock", ("host.sync", "host.clock_mesh", "host.full_mesh"), ("host.leafspine", "experiments.rct", "report.plot")),
            ("signal", ("experiments.rct", "host.capture", "host.predict"), ("experiments.ramp", "report.plot"))):
        found = {module.removeprefix("lab.") for module, _ in cache.readers(scenario)}
        tap.ok(f"{scenario}: what reads its results", {*used, f"experiments.{scenario}"} <= found and not found & {*unused}, found)
    run = DEMO.runs[0]
    real = cache.ROOT

    def key(lab):
        cache._module.cache_clear()
        cache.readers.cache_clear()
        return cache.key_of(run, lab)

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as parts:
        shutil.copytree(os.path.join(real, "lab"), os.path.join(folder, "lab"), ignore=lambda _, names: [name for name in names if name in (
            "guest", "kernel", "labnic", "traffic", "image", "__pycache__", "schedules", "test")])
        lab = Parts(parts)
        here, cache.ROOT = key(lab), folder
        try:
            before = key(lab)
            tap.ok("the same code elsewhere gives the same key", here == before)
            for what, path, old, new, stale in (
                    ("of a comment", "host/results.py", "\ndef percentile", "\n# changed\ndef percentile", False),
                    ("of a figure's text", "experiments/fct.py", "Below the line", "Under the line", False),
                    ("of a function that reads results", "host/results.py", "def percentile(ordered, percent):", "def percentile(ordered, percent, _=0):", True)):
                whole = os.path.join(folder, "lab", path)
                with open(whole, encoding="utf-8") as file:
                    text = file.read()
                with open(whole, "w", encoding="utf-8") as file:
                    file.write(text.replace(old, new))
                tap.ok(f"a change {what} makes a result stale: {stale}", text.count(old) > 0 and (before != key(lab)) == stale)
                before = key(lab)
        finally:
            cache.ROOT = real
            key(lab)


def test_programs(tap):
    """Bytes of a guest's program that is built in another folder, of a source with other comments."""
    def built(folder, name, text):
        os.makedirs(os.path.join(folder, name))
        path = os.path.join(folder, name, "program")
        with open(f"{path}.c", "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run(["gcc", "-O2", "-g", "-o", path, f"{path}.c"], check=True)
        before = artifacts.digest(path)
        artifacts.strip_file(path)
        return before, artifacts.digest(path), subprocess.run([path], check=False).returncode

    with tempfile.TemporaryDirectory() as folder:
        one = built(folder, "one", "int main(void)\n{\n\treturn 7;\n}\n")
        two = built(folder, "two", "/* A comment. */\n\nint main(void)\n{\n\treturn 7;\n}\n")
        other = built(folder, "other", "int main(void)\n{\n\treturn 8;\n}\n")
    tap.ok("a program of the guest has the same bytes from any folder and with other comments", one[0] != two[0] and one[1:] == two[1:], (one, two))
    tap.ok("with other code it has others", other[1] != one[1] and (one[2], other[2]) == (7, 8), (one, other))


def test_commands(tap):
    def lines(*made):
        return commands.of_runs([experiment.Run("x", scenario, arguments, seed) for scenario, arguments, seed in made])
    tap.ok("one run is one command", lines(("fct", ("load=0.5",), 1)) == ["lab/run fct load=0.5"])
    tap.ok("a sweep is one loop", lines(*(("incast", (f"fanin={n}",), 1) for n in (25, 50)))
           == ["for n in 25 50; do lab/run incast fanin=$n; done"])
    tap.ok("seeds are one loop", lines(("fct", ("load=0.5",), 1), ("fct", ("load=0.5",), 2))
           == ["for seed in 1 2; do lab/run fct load=0.5 --seed $seed; done"])
    both = lines(*(("threshold", (f"threshold={n}k",), seed) for n in (50, 100) for seed in (1, 2)))
    tap.ok("loops nest", both == ["for n in 50 100; do for seed in 1 2; do lab/run threshold threshold=${n}k --seed $seed; "
                                  "done; done"], both)
    tap.ok("what differs elsewhere stays apart", len(lines(("fct", ("aqm=a",), 1), ("fct", ("aqm=b",), 1))) == 2)
    shell = both[0].replace("lab/run", "echo")
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True)
    tap.ok("a shell understands them", done.stdout.splitlines()[0] == "threshold threshold=50k --seed 1"
           and len(done.stdout.splitlines()) == 4, done.stdout)


def test_failures(tap):
    every = DEMO.runs[:6]

    def run_one(run, _lab, _reached):
        if run is every[1]:
            raise boot.LabError("the kernel went away")
        return made_up(run)

    with cached() as kept:
        try:
            pool.Pool(None, kept, 2, run_one).run(every, "test", stream=io.StringIO())
            why = ""
        except runs.RunFailed as failed:
            why = str(failed)
        tap.ok("a failed run is named with its command and reason",
               every[1].command() in why and "the kernel went away" in why, why)
        tap.ok("the others are kept", sum(kept.get(run) is not None for run in every) == len(every) - 1)

    with cached() as kept:
        crew = pool.Pool(None, kept, 2, lambda run, _lab, _reached: crew.stop.set() or made_up(run))
        try:
            crew.run(every, "test", stream=io.StringIO())
            stopped = False
        except pool.Stopped:
            stopped = True
        tap.ok("a stopped pool starts no further run", stopped and sum(kept.get(run) is not None for run in every) <= 2)

    for arguments in (("aqm=codel", "fanin=0.5"), ("fan=3",), ("load=1",)):
        try:
            runs.trial_of(experiment.Run("x", "incast", arguments))
            refused = False
        except Refused:
            refused = True
        tap.ok(f"{' '.join(arguments)} is refused before anything runs", refused)


def test_progress(tap):
    every = [experiment.Run(str(number), "fct", (), cost_s=10) for number in range(4)]
    now = [0.0]
    out = io.StringIO()
    progress = pool.Progress("demo", every, out, lambda: now[0])
    now[0] = 9
    progress.reached(every[0], 0.5)
    tap.ok("off a terminal nothing is printed for ten seconds", out.getvalue() == "")
    now[0] = 20
    progress.reached(every[0], 0.9)
    progress.ended(every[0])
    now[0] = 30
    progress.reached(every[1], 0.5)
    tap.ok("then runs done, running and the minutes left at the speed so far",
           out.getvalue().splitlines()[-1] == "demo: 1 of 4 runs done, about 0.8 min left; 1/1 50 %", out.getvalue())
    tap.ok("a line in ten seconds, not more", len(out.getvalue().splitlines()) == 2, out.getvalue())


def main():
    tap = Tap()
    test_pool(tap)
    test_parts(tap)
    test_rows(tap)
    test_readers(tap)
    test_programs(tap)
    test_commands(tap)
    test_failures(tap)
    test_progress(tap)
    tap.end()


if __name__ == "__main__":
    main()
