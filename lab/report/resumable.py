# SPDX-License-Identifier: GPL-2.0
"""How a program ends that makes pages of many runs, each of which is cached: the same command goes on from there."""

import sys

from lab.host.artifacts import BuildFailed
from lab.host.units import Refused
from lab.report import plot, runs


def status(name, make):
    """Call make(); return the exit status, after one line that says why it failed."""
    try:
        make()
    except Refused as why:
        print(f"{name}: {why}", file=sys.stderr)
        return 2
    except (runs.RunFailed, BuildFailed, plot.FigureFailed) as why:
        print(f"{name}: {why}\n{name}: what ran is kept; the same command goes on from there", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\n{name}: stopped; the same command goes on from here", file=sys.stderr)
        return 130
    return 0
