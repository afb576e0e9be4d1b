# SPDX-License-Identifier: GPL-2.0
"""A strict reader of Prometheus' text format, and of its naming: what a scrape would refuse, and what a reviewer would."""

import decimal
import re

NAME = r"[a-zA-Z_][a-zA-Z0-9_]*"
LABEL = rf'{NAME}="(?:[^"\\\n]|\\[\\"n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)")
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")
UNITS = re.compile(r"_(ns|us|ms|pct|kb|minutes)(_|$)")


class Found:
    """samples: {name: [(labels, value)]}; types: {name: type}; wrong: what is."""

    def __init__(self):
        self.samples, self.types, self.helps, self.wrong = {}, {}, {}, []


def sample(found, line, last):
    """One line of a value.  Return: its metric's name."""
    match = SAMPLE.fullmatch(line)
    if not match or not NUMBER.fullmatch(match.group(3)):
        found.wrong.append(f"no sample: {line}")
        return last
    name, pairs, value = match.groups()
    labels = {key: re.sub(r"\\(.)", lambda m: "\n" if m.group(1) == "n" else m.group(1), text)
              for key, text in re.findall(rf'({NAME})="((?:[^"\\]|\\.)*)"', pairs or "")}
    value = decimal.Decimal(value)
    if name not in found.types or name not in found.helps:
        found.wrong.append(f"no type or help before it: {line}")
    if name in found.samples and name != last:
        found.wrong.append(f"apart from its like: {line}")
    if any(labels == other for other, _ in found.samples.get(name, ())):
        found.wrong.append(f"twice: {line}")
    if found.types.get(name) == "counter" and value < 0:
        found.wrong.append(f"a counter below 0: {line}")
    found.samples.setdefault(name, []).append((labels, value))
    return name


def named_well(found):
    """What the conventions ask for."""
    for name, kind in found.types.items():
        if name not in found.samples:
            found.wrong.append(f"no sample of {name}")
        if (kind == "counter") != name.endswith("_total"):
            found.wrong.append(f"a {kind} called {name}")
        if kind not in ("counter", "gauge") or UNITS.search(name):
            found.wrong.append(f"type or unit: {kind} {name}")


def parse(text):
    """Read all of it."""
    found, last = Found(), None
    if text and not text.endswith("\n"):
        found.wrong.append("the last line does not end")
    for line in text.splitlines():
        comment = re.fullmatch(rf"# (HELP|TYPE) ({NAME}) (.+)", line)
        if not comment:
            last = sample(found, line, last)
            continue
        table = found.helps if comment.group(1) == "HELP" else found.types
        if comment.group(2) in table or comment.group(2) in found.samples:
            found.wrong.append(f"said twice, or too late: {line}")
        table[comment.group(2)] = comment.group(3)
    named_well(found)
    return found


def problems(text):
    """What is wrong with it."""
    return parse(text).wrong
