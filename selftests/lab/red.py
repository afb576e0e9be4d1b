#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The baseline is fair: red at one threshold does as ecnsharp does that only marks above the same length.

Two implementations of one rule, ecnsharp's and the kernel's. Over the same flows the mean completion time and the mean
queue agree within 3 %, each averaged over the seeds. They do not agree packet by packet: red marks on
arrival, by half of the previous average, ecnsharp on departure.
"""

import concurrent.futures
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host.artifacts import Lab
from lab.trials import Trial
from tap import Tap

LIMIT = 0.03
SEEDS = (1, 2, 3, 4, 5, 6)     # of one seed the times differ by up to 6 %, as flows fall behind others or not
ARGS = ("load=0.7", "duration=2s")
RED = "red-tail"
SAME = "ecnsharp limit 2000 persistent off signal length rate 10gbit ins_target 200us"
# The control: a threshold half as high must not pass for the same.
OTHER = "ecnsharp limit 2000 persistent off signal length rate 10gbit ins_target 100us"


def figures(lab, aqm, seed):
    """Mean completion time in us and mean queue in packets of one run."""
    document = Trial("fct", (f"aqm={aqm}", *ARGS), seed).run(lab)
    return document["flows"]["all"]["mean_us"], document["queue"]["mean_pkts"]


def main():
    tap = Tap()
    lab = Lab()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = {aqm: [pool.submit(figures, lab, aqm, seed) for seed in SEEDS] for aqm in (RED, SAME, OTHER)}
        sums = {aqm: [sum(column) for column in zip(*(run.result() for run in each))] for aqm, each in runs.items()}
    for index, what in enumerate(("flow completion time", "queue")):
        same = sums[SAME][index] / sums[RED][index] - 1
        tap.ok(f"mean {what} within 3 %", abs(same) <= LIMIT, f"ecnsharp differs from red by {same:+.1%}")
        print(f"# {what}: {same:+.2%}")
    other = sums[OTHER][1] / sums[RED][1] - 1
    tap.ok("half the threshold shows in the queue", abs(other) > LIMIT, f"{other:+.1%}")
    tap.end()


if __name__ == "__main__":
    main()
