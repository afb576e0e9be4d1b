# SPDX-License-Identifier: GPL-2.0
"""Text of the report of ACC around its tables, and criteria of acc-tuner."""

import math

from lab.experiments import share, shift, tune
from lab.report.run_data import RunData

TITLE = "ECN thresholds that tune themselves, in the laboratory"

INTRO = (
    "acc-tuner chooses the ECN thresholds of a port once a millisecond, by a network (ACC, SIGCOMM 2021) or by a rule of ten lines, on the real kernel in the laboratory's "
    "virtual time. It is compared with static settings: the paper's, vendors', those of other qdiscs, and steep ramps. The question is the gain over "
    "a good static setting, not over a bad one.",
    "J is half the logarithm of short flows' mean completion time plus half that of large flows'. With endless flows, minus half the logarithm of their goodput "
    "replaces the latter. A loss of 3 % means that e^J is 3 % worse.")

# Settings whose mean J differs by no more, or by no more than chance alone may change it, are as good as each other.
TIE = 0.02


def notes():
    """Notes on the tables."""
    return (
        "All settings of a table see the same flows. Marks between kmin and kmax are drawn at random, so two runs of one setting with different random numbers differ. The line "
        "'chance alone' has the thresholds of the static ramp of 6.5/420 us, with a daemon that observes and changes nothing. A difference within a table that is not larger than that between "
        "this line and that ramp is not significant. All results have one seed.",
        "The network is acc-tuner/models/ramp20.accm, trained in the simulator with the reward `marks` (docs/acc.md). The shuffled one is lab/daemons/shuffled.accm. Each file names the command "
        "that made it.",
        "acc-tuner starts with the traffic on a queue with the ramp of 6.5/420 us, and keeps it for the first tenth of a second, from which its guard learns how long "
        "packets wait under static thresholds. `share` is 0, so there is no further comparison. 'Changes' are changes of thresholds, 'fallbacks' are returns to static thresholds by the guard, after which a run "
        "stays static.",
        "The controls must be worse than the network. A control sets another template than the network chose, negates its values, was trained with rewards of other times, sees "
        "means instead of the queue, or sets templates at random with the network's frequencies. If a control is as good as the network, the gain comes from a good menu of "
        "templates, and not from adaptation.",
        "Short flows have at most 100 KB, large ones at least 10 MB. The paper's 25 Gbit/s thresholds are here as times at 10 Gbit/s. The oracle is the best of the static settings of a "
        "table.")


def best_single(data):
    """The static setting of the lowest mean J of those that all conditions have."""
    return min(tune.BASES, key=lambda name: tune.mean_loss(data, name, tune.BEST))


def chance(data):
    """Loss or gain of the same thresholds by other marks, in each condition."""
    return [tune.loss(data, condition, "observe", tune.BEST) for condition in tune.known(data)]


def chance_of_mean(data):
    """By how much chance alone may change a mean over the conditions: two standard errors."""
    found = chance(data)
    return 2 * math.sqrt(sum(loss ** 2 for loss in found)) / len(found)


def comparison(data, loss):
    """How one stands to another that it has this mean loss to."""
    return "is as good as" if abs(loss) <= max(TIE, chance_of_mean(data)) else "is better than" if loss < 0 else "is worse than"


def _title(name):
    return tune.SETTINGS[name][0]


def sentences(data):
    """Summary of the tables."""
    best = best_single(data)
    for name in tune.TUNED:
        for base, what in ((best, f"one good static setting ({_title(best)})"), ("secn1", "SECN1"), ("secn2", "SECN2"), ("follow", "the rule that follows")):
            if base != name:
                loss = tune.mean_loss(data, name, base)
                yield f"- {_title(name)} {comparison(data, loss)} {what}: {100 * loss:+.1f} % in the mean of {len(tune.known(data))} conditions."
    yield (f"- Chance alone changes J by {', '.join(f'{100 * loss:+.1f} %' for loss in chance(data))} in these conditions, and so a mean by up to "
           f"{100 * chance_of_mean(data):.1f} % (two standard errors). A smaller difference of means than this, or than {100 * TIE:.0f} %, counts as none.")


def _ratios(data, name, base, path):
    """Ratios of each condition that has large flows."""
    return [ratio for condition in tune.known(data) if (ratio := data.ratio(condition.case(name), condition.case(base), path)) is not None]


def _drops(data, name):
    return sum(data.mean(condition.case(name), "drops") for condition in tune.known(data))


def _worth(data, name, base):
    return 1 + tune.mean_loss(data, name, base)


def judged(data):
    """(line of the design, what, limit, number, whether it holds) of each that one port can show."""
    conditions, best = tune.known(data), best_single(data)
    to_two, to_one = (_worth(data, "ddqn", base) for base in ("secn2", "secn1"))
    yield "12", "ddqn: mean J to SECN2's", "at most 0.95", f"{to_two:.3f}", to_two <= 0.95
    yield "12", "ddqn: mean J to SECN1's", "at most 0.88", f"{to_one:.3f}", to_one <= 0.88
    better = max(max(1 + tune.loss(data, condition, "ddqn", base) for base in
                     [min(("secn1", "secn2"), key=lambda name, condition=condition: tune.cost(data, condition, name))]) for condition in conditions)
    yield "13", "ddqn: worst condition, to the better of SECN1 and SECN2", "at most 1.05", f"{better:.3f}", better <= 1.05
    large = max(_ratios(data, "ddqn", "secn2", "flows.large.mean_us"))
    yield "13", "ddqn: large flows' mean to SECN2's, worst condition", "at most 1.05", f"{large:.3f}", large <= 1.05
    drops = [_drops(data, name) for name in ("ddqn", "secn1", "secn2")]
    yield "13", "ddqn: drops", "not above SECN1's and SECN2's", f"{drops[0]:.0f}", drops[0] <= min(drops[1:])
    for name in tune.TUNED:
        near, far = _worth(data, name, best), 1 + max(tune.loss(data, condition, name, best) for condition in conditions)
        yield "14", f"{name}: mean J to the best single static setting's", "at most 1.02", f"{near:.3f}", near <= 1.02
        yield "14", f"{name}: the same, worst condition", "at most 1.08", f"{far:.3f}", far <= 1.08
    yield from _shifted(data)
    yield from _shared(data)
    for name, title in tune.CONTROLS.items():
        if any(data.knows(condition.case(name)) for condition in conditions):
            two, one = (_worth(data, name, base) for base in ("secn2", "secn1"))
            yield "18", f"{title}: must fail line 12", "above 0.95 or above 0.88", f"{two:.3f} and {one:.3f}", two > 0.95 or one > 0.88
    by_chance = _worth(data, "chance", "ddqn")
    yield "19", "its templates at random: mean J to the network's", "at least 1.01", f"{by_chance:.3f}", by_chance >= 1.01


def _shifted(data):
    for name in tune.TUNED:
        for parity, label in enumerate(("2 flows", "32 flows")):
            queue, goodput, settled_ms = (shift.of_phases(data, shift.case(name), number, parity) for number in ("queue_pkts", "goodput_gbps", "settled_ms"))
            statics = [(shift.of_phases(data, shift.case(other), "queue_pkts", parity), shift.of_phases(data, shift.case(other), "goodput_gbps", parity))
                       for other in shift.JUDGED]
            longest, most = max(one for one, _ in statics), max(one for _, one in statics)
            yield ("15", f"shift, {label}, {name}: queue relative to the longest of a static setting; goodput relative to the best", "at most 1/3; at least 0.98",
                   f"{queue / longest:.2f}; {goodput / most:.3f}", 3 * queue <= longest and goodput >= 0.98 * most)
            yield "15", f"shift, {label}, {name}: settled after a change, ms", "at most 100", f"{settled_ms:.0f}", settled_ms <= 100


def _shared(data):
    tuned, theirs = (data.mean(share.case(name), "off") for name in ("ddqn", "secn1"))
    yield "16", "share, ddqn: points off the weight, where SECN1 is off by 5 or more", "at most 3", f"{tuned:.1f}, SECN1 {theirs:.1f}", tuned <= 3 and theirs >= 5
    queue = data.ratio("tune/ws50/ddqn", "tune/ws50/secn1", "queue.mean_pkts")
    yield "16", "ddqn: mean queue to SECN1's, web search 50 %", "at most 1/2", f"{queue:.2f}", queue <= 0.5


def parts(found):
    """Lines before the tables."""
    data = RunData(found)
    yield from ("## In short", "", *sentences(data), "")
    yield from (f"Worth learning, by the design's own rule (at most 0.98 of the best static setting and of `follow`): {'yes' if worth_learning(data) else 'no'}.", "")
    yield from ("## Criteria", "", "These are the criteria of the design that one port in the laboratory can show, with one seed.", "", "| line | criterion | limit | here | holds |", "|---|---|---|---|---|")
    for line, what, limit, number, holds in judged(data):
        yield f"| {line} | {what} | {limit} | {number} | {'yes' if holds else 'no'} |"
    yield ""


def worth_learning(data):
    """Whether the network is clearly better than what learns nothing."""
    return all(_worth(data, "ddqn", base) <= 0.98 for base in (best_single(data), "follow"))
