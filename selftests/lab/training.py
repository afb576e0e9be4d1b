#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Training on the kernel of the lab has the same bytes again, however many runs there are at a time; another seed has others.

Rounds are shorter here than those of lab/training: two runs of DCTCP.
"""

import contextlib
import io
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab import rounds, training
from lab.host import acc
from tap import Tap

SENDERS, KINDS = {"dctcp": ("cc=dctcp", "conn=pool", "duration=250ms")}, ("high", "long")


def trained(folder, *options):
    """(bytes of the model file, what was printed) of a training."""
    path = os.path.join(folder, "trained.accm")
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = training.main(["train", "--out", path, *options])
    if status:
        raise RuntimeError(f"status {status}: {options}")
    with open(path, "rb") as file:
        return file.read(), text.getvalue()


def main():
    tap = Tap()
    rounds.SENDERS, rounds.KINDS = SENDERS, KINDS
    with tempfile.TemporaryDirectory() as folder:
        first, told = trained(folder, "--rounds", "2")
        network, base = acc.Model.read(os.path.join(folder, "trained.accm")), acc.Model.read(acc.MODELS["network"])
        same, _ = trained(folder, "--rounds", "2", "--jobs", "2")
        other, _ = trained(folder, "--rounds", "1", "--seed", "2")
    tap.ok("each run of a round learned", told.count("2 of 2 runs learned") == 2, told)
    tap.ok("the network is another than the one it began with, and near it", 0 < rounds.distance(network, base) < 0.1, rounds.distance(network, base))
    tap.ok("it decides among the same templates", network.templates() == base.templates() and network.reward() == base.reward())
    tap.ok("its file names the training and the model that it began with", b"lab/training train --seed 1 --rounds 2 --explore 10; from the model of SHA-256" in network.head)
    tap.ok("the same training has the same bytes, two runs at a time", same == first)
    tap.ok("another seed has other parameters", other[rounds.PROVENANCE_AT + rounds.PROVENANCE_BYTES:] != first[rounds.PROVENANCE_AT + rounds.PROVENANCE_BYTES:])
    tap.end()


if __name__ == "__main__":
    main()
