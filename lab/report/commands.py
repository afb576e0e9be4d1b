# SPDX-License-Identifier: GPL-2.0
"""The commands that have runs again; what differs in one number only is one loop of the shell."""

import re

# Difference between runs of one figure: the loop's variable, and where its values are.
SWEEPS = (("seed", r"--seed (\d+)$"), ("n", r"\b(?:fanin|load|threshold)=([\d.]+)(?=k\b|\s|$)"))


def _fold(commands, variable, pattern):
    """Commands with loops in the place of those that differ in the pattern alone; in the order of the first."""
    stems = {}
    for command in commands:
        match = re.search(pattern, command)
        stem = command[:match.start(1)] + f"${{{variable}}}" + command[match.end(1):] if match else command
        stems.setdefault(stem, []).append(match[1] if match else None)
    for stem, values in stems.items():
        if len(values) == 1:
            yield stem.replace(f"${{{variable}}}", values[0]) if values[0] else stem
        else:
            stem = re.sub(rf"\$\{{{variable}\}}(?!\w)", f"${variable}", stem)
            yield f"for {variable} in {' '.join(values)}; do {stem}; done"


def of_runs(runs):
    """Lines for a terminal."""
    several = len({run.seed for run in runs}) > 1
    lines = [run.command() + (" --seed 1" if several and run.seed == 1 else "") for run in runs]
    for variable, pattern in SWEEPS:
        lines = list(_fold(lines, variable, pattern))
    return lines
