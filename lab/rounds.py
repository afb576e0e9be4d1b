# SPDX-License-Identifier: GPL-2.0
"""Rounds of training in the lab: the traffic of their runs, and the network that follows from those that the runs learned.

A round is RUNS runs of the scenario tune whose acc-tuner trains the same network, each with other traffic. The network of the next round
has the mean of their parameters (federated averaging: McMahan et al., AISTATS 2017), so it does not depend on which run ends first.
"""

import math
import random

from lab.host import acc
from lab.report.experiment import Run

# Seeds of the runs of one training. Those below the first are left to validation and evaluation.
ROUNDS_MOST = 100
SEEDS_MOST = 1_000_000
SEED_FROM = 1000

# As in the simulator's training (acc-tuner/train/condition.c): senders, traffic, base RTTs; two loads are left to validation.
SENDERS = {"dctcp": ("cc=dctcp", "conn=pool", "duration=400ms"), "dcqcn": ("cc=dcqcn", "buffer=40000", "duration=300ms")}
KINDS = ("low", "high", "long", "workers")
RTTS = ("10us", "10us-40us", "70us-210us", "80us-240us", "100us-500us", "500us")
UNSEEN_PERCENT = (65, 85)
RUNS = len(SENDERS) * len(KINDS)
COST_S = {"dctcp": 5, "dcqcn": 9}

# In a model file it is between the templates, of 20 bytes each, and the network.
PROVENANCE_AT = acc.TEMPLATES_AT + 20 * acc.TEMPLATES
PROVENANCE_BYTES = acc.NET_AT - PROVENANCE_AT


def _below(chance, count):
    """A whole number from 0 to count - 1."""
    return int(chance.random() * count)


def _load(chance, least, most):
    """The key load, from least to most percent."""
    while True:
        percent = least + _below(chance, most - least + 1)
        if percent not in UNSEEN_PERCENT:
            return f"load=0.{percent:02d}"


def _traffic(kind, chance):
    """Keys of one kind of traffic: web search at a low or a high load, long flows or workers with little of it."""
    if kind == "low":
        return (_load(chance, 30, 59),)
    if kind == "high":
        return (_load(chance, 60, 90),)
    if kind == "long":
        return _load(chance, 10, 30), f"long={2 ** _below(chance, 7)}"
    return _load(chance, 10, 30), f"depth={2 + _below(chance, 63)}", "lo=10k", f"hi={('100k', '1m', '10m')[_below(chance, 3)]}"


def runs(place, seed, model, explore):
    """Runs of round `place`, from 0, of the training with this seed, which go on from the model file."""
    found = []
    for number, (cc, kind) in enumerate((cc, kind) for cc in SENDERS for kind in KINDS):
        own_seed = SEED_FROM + (seed * ROUNDS_MOST + place) * RUNS + number
        chance = random.Random(own_seed)
        arguments = (*SENDERS[cc], *_traffic(kind, chance), f"rtt={RTTS[_below(chance, len(RTTS))]}",
                     "aqm=ramp-210us", "tuner=online", f"explore={explore}", f"model={model}")
        found.append(Run(f"{cc}-{kind}", "tune", arguments, own_seed, COST_S[cc]))
    return found


def mean(models):
    """The network whose parameters are means of those of other networks of the same kind."""
    # fsum: the sum of some versions of Python is more exact than that of others.
    return models[0].spoiled(math.fsum(values) / len(models) for values in zip(*(model.parameters for model in models)))


def distance(one, other):
    """Root of the mean square difference of the parameters of two networks."""
    squares = [(a - b) ** 2 for a, b in zip(one.parameters, other.parameters)]
    return math.sqrt(math.fsum(squares) / len(squares))


def named(model, text):
    """The same model with another provenance, printable ASCII."""
    provenance = text.encode("ascii")[:PROVENANCE_BYTES - 1].ljust(PROVENANCE_BYTES, b"\0")
    return acc.Model(model.head[:PROVENANCE_AT] + provenance, model.parameters)
