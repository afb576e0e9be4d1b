# SPDX-License-Identifier: GPL-2.0
"""Whose a change of all flows' mean is: what short, medium and large flows add to it.

Two cases of one seed have the same flows, so the sum of all completion times changes by the sum of the classes' changes.
A class's own ratio says nothing of that: few flows that lose much may be less of it than many that lose little.
"""

from lab.report.run_data import mean

CLASSES = ("short", "medium", "large")


def _sums(result):
    """(Flows, sum of their times) of each class and of all, of a run; flows that are neither short nor large are medium."""
    flows = result.document["flows"]
    sums = {name: (flows[name]["n"], flows[name]["n"] * (flows[name]["mean_us"] or 0)) for name in ("all", "short", "large")}
    sums["medium"] = tuple(every - short - large for every, short, large in zip(sums["all"], sums["short"], sums["large"]))
    return sums


def _pairs(data, over, under):
    """(with, without) of each seed that both cases have."""
    seeds = [seed for seed in data.seeds(over) if seed in data.seeds(under)]
    part = data.only(seeds)
    return [(_sums(top), _sums(bottom)) for top, bottom in zip(part.results(over), part.results(under))]


def points(data, over, under):
    """class -> what it adds to all flows' ratio less one: they add up to it. The mean over the seeds, as the ratio is."""
    pairs = _pairs(data, over, under)
    return {name: mean([(top[name][1] - bottom[name][1]) / bottom["all"][1] for top, bottom in pairs]) for name in CLASSES}


def ratio(data, over, under, name):
    """Ratio of a class's own mean; None if it has no flows."""
    return mean([top[name][1] / bottom[name][1] for top, bottom in _pairs(data, over, under) if bottom[name][1]])


def sentence(data, over, under):
    """The contribution of each class, and its own change, as half a sentence."""
    short, medium, large = (part * 100 for part in points(data, over, under).values())
    own = [ratio(data, over, under, name) for name in CLASSES]
    changes = [f"{(number - 1) * 100:+.1f}" if number else "none" for number in own]
    return (f"all flows' mean changes by {short + medium + large:+.1f} %, of which short flows make {short:+.1f}, medium ones {medium:+.1f} and "
            f"large ones {large:+.1f} points; their own means change by {changes[0]}, {changes[1]} and {changes[2]} %")


def most(data, over, under):
    """The class that adds more than half of the change; None if none does."""
    parts = points(data, over, under)
    whole = sum(parts.values())
    return next((name for name in CLASSES if parts[name] / whole > 1 / 2), None) if whole else None
