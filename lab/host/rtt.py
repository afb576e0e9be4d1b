# SPDX-License-Identifier: GPL-2.0
"""Base RTTs of the senders: a value, a range, a list or a distribution.

A range MIN-MAX is filled in the shape of the ECN# paper's Fig. 1 and Table 1: a long tail, its mean
0.36 and its 90th percentile 0.88 of the way from MIN to MAX (section 5.3: 80-240 us, mean 137 us, 90th
percentile 220 us). Senders get evenly spaced quantiles, so that seven senders show the shape and no
seed draws a luckier set than another.
"""

import os

from units import Refused, time_ns

# (cumulative probability, place in the range), in thousandths
PAPER_SHAPE = ((0, 0), (250, 80), (500, 270), (750, 540), (900, 875), (1000, 1000))
UNIFORM_SHAPE = ((0, 0), (1000, 1000))

HELP = ("TIME for all; MIN-MAX in the paper's long-tailed shape; uniform:MIN-MAX; "
        "A,B,... dealt out in turn; or a FILE with lines 'TIME CUMULATIVE_PROBABILITY'")


def _quantile(points, permyriad):
    """Linear between points of (probability in 1/10000, value)."""
    for (p0, v0), (p1, v1) in zip(points, points[1:]):
        if permyriad <= p1:
            return v0 + (v1 - v0) * (permyriad - p0) // (p1 - p0)
    return points[-1][1]


def _range(text, shape):
    low, dash, high = text.partition("-")
    if not dash:
        raise Refused(f"'{text}' is not a range MIN-MAX")
    low, high = time_ns(low), time_ns(high)
    if low > high:
        raise Refused(f"'{text}' runs backwards")
    return tuple((p * 10, low + (high - low) * x // 1000) for p, x in shape)


def _file(path):
    points = []
    with open(path, encoding="ascii") as lines:
        for number, line in enumerate(lines, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) != 2:
                raise Refused(f"{path}:{number}: wanted 'TIME CUMULATIVE_PROBABILITY'")
            points.append((round(float(words[1]) * 10000), time_ns(words[0])))
    rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in zip(points, points[1:]))
    if len(points) < 2 or points[0][0] != 0 or points[-1][0] != 10000 or not rising:
        raise Refused(f"{path}: probabilities must rise from 0 to 1, times must not fall")
    return tuple(points)


def read(text):
    """Parse the key; returns a function from a number of senders to their RTTs in ns."""
    if "," in text:
        values = [time_ns(item) for item in text.split(",")]
        return lambda n: [values[i % len(values)] for i in range(n)]
    if text.startswith("uniform:"):
        points = _range(text[len("uniform:"):], UNIFORM_SHAPE)
    elif os.path.exists(text):
        points = _file(text)
    elif "-" in text:
        points = _range(text, PAPER_SHAPE)
    else:
        value = time_ns(text)
        return lambda n: [value] * n
    return lambda n: [_quantile(points, 10000 * (2 * i + 1) // (2 * n)) for i in range(n)]
