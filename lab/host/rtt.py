# SPDX-License-Identifier: GPL-2.0
"""Base RTTs of the senders: a value, a range, a list or a distribution.

A range MIN-MAX is filled in the shape of the ECN# paper's Fig. 1 and Table 1: a long tail, its mean
0.36 and its 90th percentile 0.88 of the way from MIN to MAX (section 5.3: 80-240 us, mean 137 us, 90th
percentile 220 us). Senders get evenly spaced quantiles, so that seven senders show the shape and no
seed draws a luckier set than another.
"""

import codecs
from dataclasses import dataclass

from lab.host.keys import time, user_file
from lab.host.units import Refused, decimal

# (cumulative probability, place in the range), in thousandths
PAPER_SHAPE = ((0, 0), (250, 80), (500, 270), (750, 540), (900, 875), (1000, 1000))
UNIFORM_SHAPE = ((0, 0), (1000, 1000))

HELP = ("TIME for all, up to 1s; MIN-MAX in the paper's long-tailed shape; uniform:MIN-MAX; "
        "A,B,... dealt out in turn; or a FILE with lines 'TIME CUMULATIVE_PROBABILITY'")

# A link's delay ends at a second.
_time = time("0ns", "1s")

# Scale of a cumulative probability.
PLACES = 9
ONE = 10**PLACES


@dataclass(frozen=True)
class Rtts:
    """Base RTTs: values in ns that are dealt out in turn, or the quantiles of a distribution."""

    values: tuple = ()
    points: tuple = ()      # (cumulative probability * ONE, ns)
    path: str = None        # of the user's file that says so

    def __call__(self, n):
        """Those of n senders."""
        if self.values:
            return [self.values[i % len(self.values)] for i in range(n)]
        return [_quantile(self.points, 10000 * (2 * i + 1) // (2 * n) * (ONE // 10000)) for i in range(n)]


def _quantile(points, p):
    """Linear between points of (probability * ONE, value)."""
    for (p0, v0), (p1, v1) in zip(points, points[1:]):
        if p <= p1:
            return v0 + (v1 - v0) * (p - p0) // (p1 - p0)
    return points[-1][1]


def _range(text, shape):
    low, dash, high = text.partition("-")
    if not dash:
        raise Refused(f"'{text}' is not a range MIN-MAX")
    low, high = _time(low), _time(high)
    if low > high:
        raise Refused(f"'{text}' runs backwards")
    return tuple((p * ONE // 1000, low + (high - low) * x // 1000) for p, x in shape)


def _point(fields):
    if len(fields) != 2:
        raise Refused("wanted 'TIME CUMULATIVE_PROBABILITY'")
    return decimal(fields[1], PLACES), _time(fields[0])


def _skip_mark(file):
    """Pass over the byte order mark that editors put before a text."""
    start = file.buffer.peek(len(codecs.BOM_UTF8))
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise Refused(f"{file.name}: the text is UTF-16, not UTF-8")
    if start.startswith(codecs.BOM_UTF8):
        file.buffer.read(len(codecs.BOM_UTF8))


def _file(path):
    points = []
    with open(path, encoding="ascii", errors="replace") as lines:
        _skip_mark(lines)
        for number, line in enumerate(lines, 1):
            fields = line.split("#")[0].split()
            try:
                points += [_point(fields)] if fields else []
            except Refused as why:
                raise Refused(f"{path}:{number}: {why}") from None
    rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in zip(points, points[1:]))
    if len(points) < 2 or points[0][0] != 0 or points[-1][0] != ONE or not rising:
        raise Refused(f"{path}: probabilities must rise from 0 to 1, times must not fall")
    return tuple(points)


def _spelled(text):
    if "," in text:
        return Rtts(values=tuple(_time(item) for item in text.split(",")))
    if text.startswith("uniform:"):
        return Rtts(points=_range(text[len("uniform:"):], UNIFORM_SHAPE))
    if "-" in text:
        return Rtts(points=_range(text, PAPER_SHAPE))
    return Rtts(values=(_time(text),))


def read(text):
    """Parse the key; a file is looked for only if it says nothing else."""
    try:
        return _spelled(text)
    except Refused as why:
        path = user_file(text)
        if not path:
            raise Refused(f"{why}; there is no file of that name") from None
    return Rtts(points=_file(text), path=path)
