# SPDX-License-Identifier: GPL-2.0
"""What the suites that only `make check-long` runs said last: docs/results/check-long.txt, a row each.

They take longer than one sitting has, so each row stands for itself: the day it was made, and a hash of the suite's command and of
the files it reads. A row whose files are not today's still says what was seen, and of what.
"""

import collections
import fcntl
import os

from tap import Tally

HEAD = """\
# What each suite that only `make check-long` runs said last. files: a hash of its command and of all it reads.
# `selftests/check --long --stale` runs those whose row is not of the files of today.
"""
COLUMNS = ("suite", "passed", "failed", "skipped", "seconds", "day", "files")
Row = collections.namedtuple("Row", COLUMNS)


def row(name, tally: Tally, seconds, day, files):
    """The row of a suite that has just ended."""
    return Row(name, *(str(number) for number in (tally.passed, len(tally.failed), len(tally.skipped), round(seconds))), day, files[:12])


def load(path):
    """{suite: row} of the file; empty where there is none."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {words[0]: Row(*words) for words in lines[1:] if len(words) == len(COLUMNS)}


def save(path, rows, order):
    """Write the rows of the suites in `order`; what is no suite any more is forgotten."""
    table = [Row(*COLUMNS), *(rows[name] for name in order if name in rows)]
    widths = [max(map(len, column)) for column in zip(*table)]
    part = f"{path}.{os.getpid()}"
    with open(part, "w", encoding="utf-8") as file:
        file.write(HEAD)
        for each in table:
            words = [each[0].ljust(widths[0]), *(word.rjust(width) for word, width in zip(each[1:], widths[1:]))]
            file.write("  ".join(words) + "\n")
    os.replace(part, path)


def enter(path, new, order):
    """One row more, or another in its place; whoever does the same at this moment, in this process or another, waits."""
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        save(path, {**load(path), new.suite: new}, order)
    finally:
        os.close(folder)


def stale(rows, name, files):
    """Whether the suite is to run: no row, a row with a failure or of nothing but what was skipped, or one of other files."""
    return name not in rows or rows[name].failed != "0" or rows[name].passed == "0" or rows[name].files != files[:12]
