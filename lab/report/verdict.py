# SPDX-License-Identifier: GPL-2.0
"""Verdicts on our number compared with the paper's.

A difference below NOISE is none: that much two seeds differ. An effect has the paper's size if, as a logarithm
of the ratio, it is between 2/3 and 3/2 of the paper's; where the paper says "similar", SIMILAR is the limit; SHARE is
that of a scheduler, which is to give what is configured.
"""

import math

NOISE = 0.03
SIMILAR = 0.05
SHARE = 0.02
SAME_SIZE, SAME, LARGER, SMALLER, SMALL, NOT = (
    "same size", "same direction", "same direction, larger", "same direction, smaller", "too small to tell", "not shown")


def of_ratio(paper_value, measured):
    """Verdict on a ratio of two measurements."""
    if measured is None or measured <= 0:
        return NOT
    if paper_value.ratio == 1:
        return SAME_SIZE if abs(measured - 1) <= SIMILAR else NOT
    want, have = math.log(paper_value.ratio), math.log(measured)
    if abs(measured - 1) < NOISE or want * have < 0:
        return NOT
    share = have / want
    return SMALLER if share < 2 / 3 else LARGER if share > 3 / 2 else SAME_SIZE


def disagree(paper_value, ratios):
    """Whether seeds lie on both sides of no change where the paper has one: of its sign, let alone its size, nothing is shown."""
    return len(ratios) > 1 and paper_value.base is not None and paper_value.ratio != 1 and min(ratios) < 1 < max(ratios)


def of_direction(paper_value, measured):
    """Verdict on a change of which the paper prints no size."""
    if measured is None:
        return NOT
    return SAME if (measured - 1) * (paper_value.ratio - 1) > 0 and abs(measured - 1) >= NOISE else NOT


def of_fewer(paper_value, measured):
    """Verdict on a ratio of counts, where none at all is the best possible."""
    return LARGER if measured == 0 else of_ratio(paper_value, measured)


def of_bound(paper_value, measured):
    """Verdict on a worst case that the paper bounds ("within 4.2 %"): the measured one is no worse than that, or than noise."""
    if measured is None:
        return NOT
    return SAME_SIZE if measured <= paper_value.ratio else SMALL if measured <= 1 + NOISE else NOT


def of_small(paper_value, measured):
    """Verdict on a change that the paper itself calls small (1 % and less): like the paper's, the measured one is below the difference between seeds."""
    return SMALL if measured is not None and abs(measured - 1) <= NOISE else NOT


def of_count(paper_value, measured):
    """None stays none; some are some."""
    if not paper_value.value:
        return NOT if measured else SAME_SIZE
    if not measured:
        return NOT
    return SAME_SIZE if 2 / 3 <= measured / paper_value.value <= 3 / 2 else SAME


def of_rate(paper_value, measured):
    """Verdict on a single rate: within 2 % of the paper's."""
    return SAME_SIZE if measured is not None and abs(measured / paper_value.value - 1) <= SHARE else NOT


def of_share(paper_value, measured):
    """Verdict on a scheduler's share of the whole: within 2 % of the paper's."""
    return SAME_SIZE if measured is not None and abs(measured / paper_value.ratio - 1) <= SHARE else NOT
