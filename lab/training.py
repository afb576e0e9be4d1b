# SPDX-License-Identifier: GPL-2.0
"""Train acc-tuner's network on the real kernel of the lab, and compare networks there.

    lab/training train [--model MODEL] [--seed N] [--rounds N] [--explore PERCENT] [--jobs N] --out FILE
    lab/training validate [--seeds N] [--jobs N] MODEL ...

train: each round is eight runs of 'lab/run tune tuner=online' that begin with the same network, one each of DCTCP and DCQCN with web search
at a low and at a high load, long flows, and closed-loop workers; loads, RTTs and numbers of flows are drawn. The next round begins with the
mean of the eight networks that they learned. The same model, seed, rounds and exploration give the same bytes, whatever the number of jobs.

validate: each network decides in five kinds of traffic that training never has. The table has J, half the logarithm of short flows' mean
completion time plus half that of large ones' (or minus that of long flows' goodput), compared with the first MODEL: +3 % is 3 % worse. The
rule 'follow' and a static ramp of 6.5/420 us stand beside them. Runs are cached on this machine, as the report's are.

A MODEL is ramp20, one of the controls that lab/run help tune explains (permuted, negated, frozen, untrained), or a file of acc-train or of
this program.
"""

import argparse
import hashlib
import math
import os
import sys

from lab import rounds
from lab.experiments import tune
from lab.host import acc, boot, program
from lab.host.artifacts import BuildFailed, Lab
from lab.host.keys import number, user_file
from lab.host.network import EPOCH_NS
from lab.host.units import Refused
from lab.report import cache, pool, run_data, runs
from lab.report.experiment import Run

# Traffic of no run of rounds.py: its loads are left out there, and its numbers of long flows are no powers of two.
CONDITIONS = (
    tune.Condition("ws65", "DCTCP, web search 65 %", ("load=0.65", "duration=600ms"), 5, ""),
    tune.Condition("ws85", "DCTCP, web search 85 %", ("load=0.85", "duration=600ms"), 7, ""),
    tune.Condition("near65", "DCTCP, web search 65 %, RTT 8 us", ("load=0.65", "rtt=8us", "duration=600ms"), 5, ""),
    tune.Condition("long6", "DCTCP, 6 long flows and web search 20 %", ("load=0.2", "long=6", "duration=300ms"), 4, "", "long_gbps"),
    tune.Condition("paced65", "DCQCN, web search 65 %", ("cc=dcqcn", "buffer=40000", "load=0.65", "duration=300ms"), 7, ""),
)
FIRST_SEED, SEEDS_MOST = 101, 99
OTHERS = {"follow": ("tuner=follow", f"aqm={tune.BEST}"), "static ramp to 420 us": (f"aqm={tune.BEST}",)}
JOBS_MOST = 64


class Unkept:
    """In the place of a cache: a network is learned anew each time."""

    def get(self, _run):
        """None: there is none."""

    def put(self, run, network):
        """It is not kept."""


def model_path(text):
    """Path of what MODEL names."""
    shipped = acc.MODELS["network"]
    if text in acc.SPOIL:
        return acc.stored(acc.SPOIL[text](acc.Model.read(shipped)).bytes(), ".accm")
    path = shipped if text == "ramp20" else user_file(text)
    if not path:
        raise Refused(f"'{text}' is neither ramp20 nor {' nor '.join(acc.SPOIL)} nor a file of acc-train")
    acc.Model.read(path)
    return path


def learn(run, lab, reached):
    """Carry out a run: the network that it learned, or None if there was no update."""
    trial = runs.trial_of(run)
    learned = []

    def keep(folder):
        path = os.path.join(folder, "result", acc.OUTPUT_LEARNED)
        learned.append(acc.Model.read(path) if os.path.exists(path) else None)

    document = trial.run(lab, keep=keep, progress=lambda at_ns, *_: reached((at_ns - EPOCH_NS) / trial.params["duration"]))
    if document["unfinished"]:
        raise runs.RunFailed(f"{document['unfinished']} flows never ended")
    return learned[0]


def tell(place, learned, was, network, first):
    """A line about a round: from the network `was` followed `network`; the training began with `first`."""
    count = sum(model is not was for model in learned)
    print(f"round {place + 1}: {count} of {len(learned)} runs learned; parameters moved by {rounds.distance(was, network):.5f}, "
          f"since the begin by {rounds.distance(first, network):.5f} (root mean square)", flush=True)


def train(args):
    """Rounds of runs, each round from the network of the one before."""
    path = model_path(args.model)
    with open(path, "rb") as file:
        base = hashlib.file_digest(file, "sha256").hexdigest()
    network = first = acc.Model.read(path)
    lab = Lab()
    for place in range(args.rounds):
        every = rounds.runs(place, args.seed, acc.stored(network.bytes(), ".accm"), args.explore)
        found = pool.Pool(lab, Unkept(), args.jobs, learn).run(every, f"round {place + 1} of {args.rounds}")
        learned = [found[run.name] or network for run in every]
        was, network = network, rounds.mean(learned)
        tell(place, learned, was, network, first)
    name = f"lab/training train --seed {args.seed} --rounds {args.rounds} --explore {args.explore}; from the model of SHA-256 {base}"
    data = rounds.named(network, name).bytes()
    with program.writing(args.out), open(args.out, "wb") as file:
        file.write(data)
    print(f"{args.out}: SHA-256 {hashlib.sha256(data).hexdigest()}; {name}")


def settings(texts):
    """Arguments of each compared setting by its name, the networks first."""
    networks = {text: (f"aqm={tune.BEST}", "tuner=ddqn", f"model={model_path(text)}") for text in texts}
    compared = {**networks, **OTHERS}
    if len(compared) < len(texts) + len(OTHERS):
        raise Refused("MODEL: a name is given twice")
    return compared


def difference(data, condition, setting, base):
    """J of a setting minus J of another, of one seed; None where one has no such flows."""
    costs = [tune.cost(data, condition, name) for name in (setting, base)]
    return None if None in costs else costs[0] - costs[1]


def percent(differences):
    """Their mean as a change of e^J."""
    known = [value for value in differences if value is not None]
    return f"{100 * (math.exp(math.fsum(known) / len(known)) - 1):+.1f} %" if known else "-"


def table(data, names, seeds):
    """Lines of Markdown: each setting in each condition, and in the mean of these by seed."""
    one = {seed: data.only({seed}) for seed in seeds}
    yield "| setting | mean | " + " | ".join(f"seed {seed}" for seed in seeds) + " | " + " | ".join(condition.title for condition in CONDITIONS) + " |"
    yield "|---" * (2 + len(seeds) + len(CONDITIONS)) + "|"
    for name in names:
        grid = [[difference(one[seed], condition, name, names[0]) for condition in CONDITIONS] for seed in seeds]
        cells = [percent(value for row in grid for value in row), *map(percent, grid), *map(percent, zip(*grid))]
        yield f"| {name} | " + " | ".join(cells) + " |"


def validate(args):
    """Runs of all settings in all conditions, and their table."""
    compared = settings(args.models)
    seeds = range(FIRST_SEED, FIRST_SEED + args.seeds)
    every = [Run(condition.case(name), "tune", (*condition.arguments, *arguments), seed, condition.cost_s)
             for seed in seeds for condition in CONDITIONS for name, arguments in compared.items()]
    lab = Lab()
    found = pool.Pool(lab, cache.Cache(lab), args.jobs).run(every, "validation")
    print("\n".join(table(run_data.RunData(found), list(compared), seeds)))


def whole(least, most):
    """A type for argparse: whole numbers from least to most."""
    def read(text):
        try:
            return number(least, most)(text)
        except Refused as why:
            raise argparse.ArgumentTypeError(why) from None
    return read


def arguments_of(argv):
    """The command line, checked but for files."""
    _, usage, text = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(prog="lab/training", usage=usage.strip(), allow_abbrev=False, description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="train | validate")
    one = commands.add_parser("train", allow_abbrev=False, help="train a network")
    one.add_argument("--model", default="ramp20", help="network that the first round begins with (ramp20)")
    one.add_argument("--seed", type=whole(1, rounds.SEEDS_MOST), default=1, help=f"seed of all chance, 1 to {rounds.SEEDS_MOST} (1)")
    one.add_argument("--rounds", type=whole(1, rounds.ROUNDS_MOST), default=10, help=f"number of rounds, 1 to {rounds.ROUNDS_MOST} (10)")
    one.add_argument("--explore", metavar="PERCENT", type=whole(0, 50), default=10, help="decisions that are made by chance, 0 to 50 (10)")
    one.add_argument("--out", metavar="FILE", required=True, help="the model file")
    other = commands.add_parser("validate", allow_abbrev=False, help="compare networks")
    other.add_argument("--seeds", type=whole(1, SEEDS_MOST), default=2, help=f"number of seeds, from {FIRST_SEED} on, 1 to {SEEDS_MOST} (2)")
    other.add_argument("models", nargs="+", metavar="MODEL", help="ramp20, a control or a file")
    for command in (one, other):
        command.add_argument("--jobs", type=whole(1, JOBS_MOST), default=1, help=f"runs at a time, 1 to {JOBS_MOST} (1)")
    return parser.parse_args(argv)


def main(argv):
    args = arguments_of(argv)
    try:
        if args.command == "train":
            program.check_output("--out", args.out)
            train(args)
        else:
            validate(args)
    except Refused as why:
        print(f"lab/training: {why}", file=sys.stderr)
        return 2
    except (BuildFailed, boot.LabError, runs.RunFailed) as why:
        print(f"lab/training: {why}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    program.run("lab/training", lambda: main(sys.argv[1:]))
