#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Training in the lab without the lab: traffic of the rounds, the network that follows from those of a round, tables, and refusals."""

import contextlib
import io
import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab import rounds, training
from lab.experiments import tune
from lab.host import acc
from lab.report import run_data, runs
from tap import Tap

PROGRAM = os.path.join(ROOT, "lab/training")
SEEDS = (1, 2, rounds.SEEDS_MOST)
PLACES = (0, 1, rounds.ROUNDS_MOST - 1)


def traffic(tap):
    """Each run is one that lab/run takes, of other traffic than validation's."""
    every = [run for seed in SEEDS for place in PLACES for run in rounds.runs(place, seed, "ramp20", 10)]
    tap.ok("the same seed has the same runs", rounds.runs(1, 1, "ramp20", 10) == rounds.runs(1, 1, "ramp20", 10))
    tap.ok("each round, of any seed, has other traffic", len({run.arguments for run in every}) == len(every))
    tap.ok("each run has a seed of its own, none of validation's or evaluation's",
           len({run.seed for run in every}) == len(every) and min(run.seed for run in every) > training.FIRST_SEED + training.SEEDS_MOST, every)
    trials = [runs.trial_of(run) for run in every]
    tap.ok("lab/run takes them", all(trial.params["tuner"] == "online" and trial.params["explore"] == 10 for trial in trials))
    many = [run.arguments for place in range(rounds.ROUNDS_MOST) for run in rounds.runs(place, 1, "ramp20", 10)]
    loads = {argument for arguments in many for argument in arguments if argument.startswith("load=")}
    tap.ok("loads are from 10 to 90 %", {"load=0.10", "load=0.90"} <= loads and not loads & {"load=0.09", "load=0.91"}, loads)
    seen = {argument for condition in training.CONDITIONS for argument in condition.arguments if argument.startswith(("load=0.6", "load=0.8", "long="))}
    flat = {argument for arguments in many for argument in arguments}
    tap.ok("nor do they have the loads and numbers of long flows of validation", seen == {"load=0.65", "load=0.85", "long=6"} and not seen & flat, seen & flat)
    tap.ok("all RTTs and numbers of long flows occur", {f"rtt={rtt}" for rtt in rounds.RTTS} | {f"long={2 ** n}" for n in range(7)} <= flat)


def networks(tap):
    """The mean, the distance, and the file."""
    one, other = acc.Model.read(acc.MODELS["network"]), acc.Model.read(acc.MODELS["shuffled"])
    tap.ok("the mean of the same networks is that network, to the byte", rounds.mean([one] * 7).bytes() == one.bytes() != other.bytes())
    tap.ok("the mean does not depend on the order", rounds.mean([one, other, one]).parameters == rounds.mean([other, one, one]).parameters)
    half = rounds.mean([one, other])
    tap.ok("the mean of two is half way", math.isclose(rounds.distance(one, half), rounds.distance(one, other) / 2) and rounds.distance(one, other) > 0.01)
    tap.ok("there is no distance from a network to itself", rounds.distance(one, one) == 0)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.accm")
        with open(path, "wb") as file:
            file.write(rounds.named(one, "from here").bytes())
        read = acc.Model.read(path)
        tap.ok("a file with another provenance is whole", read.head[444:453] == b"from here" and not any(read.head[453:]) and read.parameters == one.parameters)
        tap.ok("and of the same kind", read.templates() == one.templates() and read.interval_ns() == one.interval_ns() and read.reward() == one.reward())
    tap.ok("a provenance that is too long is cut", len(rounds.named(one, "x" * 600).bytes()) == acc.BYTES and rounds.named(one, "x" * 600).head[959] == 0)


def result(short, large):
    return runs.Result({"flows": {"short": {"mean_us": short}, "large": {"mean_us": large}}, "long_gbps": 1000 / large if large else None}, [])


def tables(tap):
    """J of made-up results: a network that is 1.1 of the first in both times is 10 % worse."""
    factors = {"first": 1, "worse": 1.1, "mixed": 1, "unknown": 1}
    found = {}
    for condition in training.CONDITIONS:
        for seed in (101, 102):
            for name, factor in factors.items():
                large = None if name == "unknown" and condition.name == "ws65" else 1000 * factor * (1.21 if name == "mixed" and seed == 102 else 1)
                found[f"{condition.case(name)}/{seed}"] = result(100 * factor * seed, large)
    lines = list(training.table(run_data.RunData(found), list(factors), (101, 102)))
    cells = {line.split(" | ")[0].removeprefix("| "): line.removesuffix(" |").split(" | ")[1:] for line in lines[2:]}
    tap.ok("a table has all settings, and all columns", len(lines) == 6 and {line.count("|") for line in lines} == {4 + len(training.CONDITIONS) + 1}, lines)
    tap.ok("the first is compared with itself", set(cells["first"]) == {"+0.0 %"}, cells)
    tap.ok("one that is 1.1 of it in both times is 10 % worse", set(cells["worse"]) == {"+10.0 %"}, cells)
    tap.ok("half of the logarithm of large flows counts, by seed", cells["mixed"][:3] == ["+4.9 %", "+0.0 %", "+10.0 %"], cells)
    tap.ok("a condition without large flows is left out", cells["unknown"][3] == "-" and cells["unknown"][0] == "+0.0 %", cells)


REFUSED = (
    ("", "required"), ("learn", "train | validate"), ("train", "--out"), ("train --out /nonexistent/x", "--out: /nonexistent/x: its folder does not exist"),
    ("train --out /tmp", "--out: '/tmp' is a folder"), ("train --seed 0 --out x", "--seed: '0' must be a whole number from 1 to 1000000"),
    ("train --seed 1000001 --out x", "--seed"), ("train --seed -1 --out x", "--seed"), ("train --rounds 0 --out x", "--rounds: '0' must be a whole number from 1 to 100"),
    ("train --rounds 101 --out x", "--rounds"), ("train --rounds 1.5 --out x", "--rounds"), ("train --explore 51 --out x", "--explore: '51' must be a whole number from 0 to 50"),
    ("train --jobs 0 --out x", "--jobs: '0' must be a whole number from 1 to 64"), ("train --jobs 65 --out x", "--jobs"), ("train --seeds 2 --out x", "--seeds"),
    ("train --model nothing --out x", "'nothing' is neither ramp20 nor permuted nor negated nor frozen nor untrained nor a file"), ("train --model /dev/null --out x", "'/dev/null' is neither"),
    (f"train --model {__file__} --out x", "is not a model of acc-train"), ("train x", "--out"), ("validate", "MODEL"), ("validate --seeds 100 ramp20", "--seeds: '100'"),
    ("validate --rounds 1 ramp20", "--rounds"), ("validate nothing", "'nothing' is neither"), ("validate ramp20 ramp20", "MODEL: a name is given twice"),
    ("validate follow", "'follow' is neither ramp20"),
)


def refusals(tap):
    """Nothing is built, run or written then."""
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as folder:
        for arguments, wanted in REFUSED:
            done = subprocess.run([PROGRAM, *arguments.split()], cwd=folder, env={**os.environ, "XDG_CACHE_HOME": cache}, capture_output=True, text=True, check=False)
            tap.ok(f"lab/training {arguments.replace(ROOT, '.')} is refused", done.returncode == 2 and wanted in done.stderr and not done.stdout, (done.returncode, done.stderr))
        tap.ok("nothing was built or written", not os.listdir(cache) and not os.listdir(folder), (os.listdir(cache), os.listdir(folder)))


def help_text(tap):
    done = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=False)
    tap.ok("help names both commands", done.returncode == 0 and "train" in done.stdout and "validate" in done.stdout and not done.stderr, done.stderr)
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
        training.main(["train", "--help"])
    tap.ok("and those of one command its options", all(option in text.getvalue() for option in ("--model", "--seed", "--rounds", "--explore", "--jobs", "--out")))
    tap.ok("validation has a static ramp", (f"aqm={tune.BEST}",) in training.OTHERS.values())


def main():
    tap = Tap()
    traffic(tap)
    networks(tap)
    tables(tap)
    refusals(tap)
    help_text(tap)
    tap.end()


if __name__ == "__main__":
    main()
