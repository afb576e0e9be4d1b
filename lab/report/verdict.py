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


def of_ratio(paper_value, ours):
    """Of a ratio of two measurements."""
    if ours is None or ours <= 0:
        return NOT
    if paper_value.ratio == 1:
        return SAME_SIZE if abs(ours - 1) <= SIMILAR else NOT
    want, have = math.log(paper_value.ratio), math.log(ours)
    if abs(ours - 1) < NOISE or want * have < 0:
        return NOT
    share = have / want
    return SMALLER if share < 2 / 3 else LARGER if share > 3 / 2 else SAME_SIZE


def disagree(paper_value, ratios):
    """Whether seeds lie on both sides of no change where the paper has one: of its sign, let alone its size, nothing is shown."""
    return len(ratios) > 1 and paper_value.base is not None and paper_value.ratio != 1 and min(ratios) < 1 < max(ratios)


def of_direction(paper_value, ours):
    """Of a change of which the paper prints no size."""
    if ours is None:
        return NOT
    return SAME if (ours - 1) * (paper_value.ratio - 1) > 0 and abs(ours - 1) >= NOISE else NOT


def of_fewer(paper_value, ours):
    """Of a ratio of counts, where none at all is the most that can be had."""
    return LARGER if ours == 0 else of_ratio(paper_value, ours)


def of_bound(paper_value, ours):
    """Of a worst case that the paper bounds ("within 4.2 %"): ours is no worse than that, or than noise."""
    if ours is None:
        return NOT
    return SAME_SIZE if ours <= paper_value.ratio else SMALL if ours <= 1 + NOISE else NOT


def of_small(paper_value, ours):
    """Of a change that the paper itself calls small (1 % and less): like the paper's, ours is below what seeds differ by."""
    return SMALL if ours is not None and abs(ours - 1) <= NOISE else NOT


def of_count(paper_value, ours):
    """None stays none; some are some."""
    if not paper_value.value:
        return NOT if ours else SAME_SIZE
    if not ours:
        return NOT
    return SAME_SIZE if 2 / 3 <= ours / paper_value.value <= 3 / 2 else SAME


def of_rate(paper_value, ours):
    """Of a rate that stands alone: within 2 % of the paper's."""
    return SAME_SIZE if ours is not None and abs(ours / paper_value.value - 1) <= SHARE else NOT


def of_share(paper_value, ours):
    """Of what a scheduler is to give of the whole: within 2 % of the paper's."""
    return SAME_SIZE if ours is not None and abs(ours / paper_value.ratio - 1) <= SHARE else NOT
