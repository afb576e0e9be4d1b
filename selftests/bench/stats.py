# SPDX-License-Identifier: GPL-2.0
"""Medians, and intervals that hold them whatever the noise is like."""

import math

LEAST = 6   # with fewer values no interval of 95 % exists


def median(values):
    """The middle of the values, of an even number of them the mean of the middle two."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def ranks(n, level=0.95):
    """Positions (from 0) in n ordered values between which their distribution's median lies, by order statistics.

    The median lies below the k-th value if fewer than k of n fair coins fall heads: no assumption about the
    distribution is made. The narrowest symmetrical pair that reaches the level is returned.
    """
    if n < LEAST:
        raise ValueError(f"{n} values have no interval of {level:.0%}; it takes {LEAST}")
    below, outside = 0, 0.0     # how many heads are too few, and how probable that is
    while 2 * (outside + math.comb(n, below) / 2 ** n) <= 1 - level:
        outside += math.comb(n, below) / 2 ** n
        below += 1
    if not below:
        raise ValueError(f"{n} values have no interval of {level:.0%}")
    return below - 1, n - below


def interval(values, level=0.95):
    """(median, low, high) of values that belong together."""
    ordered = sorted(values)
    low, high = ranks(len(ordered), level)
    return median(ordered), ordered[low], ordered[high]


def ratios(values, reference):
    """Value by value, of two series from the same rounds."""
    if len(values) != len(reference):
        raise ValueError(f"{len(values)} rounds, not {len(reference)}")
    return [value / other for value, other in zip(values, reference)]
