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
    metric = metric_of(found, name)
    if metric not in found.types or metric not in found.helps:
        found.wrong.append(f"no type or help before it: {line}")
    if name in found.samples and metric != last:
        found.wrong.append(f"apart from its like: {line}")
    if any(labels == other for other, _ in found.samples.get(name, ())):
        found.wrong.append(f"twice: {line}")
    if found.types.get(name) == "counter" and value < 0:
        found.wrong.append(f"a counter below 0: {line}")
    found.samples.setdefault(name, []).append((labels, value))
    return metric


def metric_of(found, name):
    """The metric of a sample: that of a histogram has other names."""
    base = re.sub("_(bucket|sum|count)$", "", name)
    return base if found.types.get(base) == "histogram" else name


def histogram_well(found, name):
    """The buckets of each row of a histogram: bounds and numbers rise, and the last, without a bound, has all."""
    rows = {}
    for labels, value in found.samples.get(f"{name}_bucket", ()):
        others = {key: label for key, label in labels.items() if key != "le"}
        rows.setdefault(tuple(sorted(others.items())), []).append((decimal.Decimal(labels.get("le", "+Inf").replace("+Inf", "Infinity")), value))
    for part in ("sum", "count"):
        if {tuple(sorted(labels.items())) for labels, _ in found.samples.get(f"{name}_{part}", ())} != rows.keys():
            found.wrong.append(f"{name}: not each row has a {part}")
    counts = {tuple(sorted(labels.items())): value for labels, value in found.samples.get(f"{name}_count", ())}
    for row, buckets in rows.items():
        bounds, numbers = zip(*buckets)
        if list(bounds) != sorted(set(bounds)) or list(numbers) != sorted(numbers) or not bounds[-1].is_infinite() or numbers[-1] != counts.get(row):
            found.wrong.append(f"{name}: buckets of {row}: {buckets}, in all {counts.get(row)}")


def named_well(found):
    """Requirements of the conventions."""
    for name, kind in found.types.items():
        if kind == "histogram":
            histogram_well(found, name)
        if name not in found.samples and f"{name}_bucket" not in found.samples:
            found.wrong.append(f"no sample of {name}")
        if (kind == "counter") != name.endswith("_total"):
            found.wrong.append(f"a {kind} called {name}")
        if kind not in ("counter", "gauge", "histogram", "untyped") or UNITS.search(name):
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
            found.wrong.append(f"repeated, or too late: {line}")
        table[comment.group(2)] = comment.group(3)
    named_well(found)
    return found


def problems(text):
    """Its errors."""
    return parse(text).wrong


def flat(row, outer=""):
    """(name, its last part, value) of each member of a JSON object; those of an object in it go by both names, a list's are many, but for a
    histogram's."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield from flat(value, f"{outer}{key}_")
        elif isinstance(value, list):
            if not key.endswith("_hist"):
                yield from ((outer + key, {"devices": "dev"}.get(key, key), each) for each in value)
        elif value is not None:
            yield outer + key, key, value


def names(prefix, name):
    """How a metric of a member may be called, without and with _total."""
    base = re.sub(r"_(ns|us)$", "", name)
    unit = "_seconds" if base != name else "_bytes" if name == "backlog" else ""
    return f"{prefix}_{base}{unit}", f"{prefix}_{re.sub('_total$', '', base)}{unit}_total"


def missing_metrics(found, prefix, row, labels=None, exact=".*"):
    """Members of a JSON object that no sample with these labels tells; of those that match exact also the number or text counts."""
    missing = []
    for name, key, value in flat(row):
        if name in (labels or ()) or name in ("kind", "root") or name.endswith("why"):
            continue
        samples = [(has, number) for metric in names(prefix, name) for has, number in found.samples.get(metric, ())
                   if (labels or {}).items() <= has.items()]
        if isinstance(value, str):
            good = any(key in has and (has[key] == value or not re.fullmatch(exact, name)) and number == 1 for has, number in samples)
        elif re.fullmatch(exact, name):
            scale = -9 if name.endswith("_ns") else -6 if name.endswith("_us") else 0
            wanted = decimal.Decimal(str(int(value) if isinstance(value, bool) else value)).scaleb(scale)
            good = [number for _, number in samples] == [wanted]
        else:
            good = len(samples) == 1
        if not good:
            missing.append((prefix, name, value, labels, samples))
    return missing
