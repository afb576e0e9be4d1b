# SPDX-License-Identifier: GPL-2.0
"""docs/results/bench.{md,json}: what is known of each part, those that were measured now in place of what was there."""

import json
import os

import clocks_report
import flows_report
import report

PARTS = {"ecnsharp": report.markdown, "cp": report.cp_markdown, "onramp": flows_report.markdown, "clock": clocks_report.markdown}


def rounded(value):
    """Two digits are enough, and make the file short."""
    if isinstance(value, dict):
        return {name: rounded(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [rounded(entry) for entry in value]
    return round(value, 2) if isinstance(value, float) else value


def known(path):
    """Content of a bench.json, {} if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def markdown(parts):
    lines = ["# Costs of a packet in each qdisc, and of a clock's daemon", "", "Written by `make bench` (`selftests/bench/run_bench.py`), numbers in bench.json."]
    for name, made in PARTS.items():
        if name in parts:
            part = parts[name]
            kernels = {kernel: found for kernel, found in part.items() if isinstance(found, dict)}
            lines += ["", *made(kernels, part["rounds"], part["laps"], part["seed"])]
    return "\n".join(lines) + "\n"


def merged(before, found):
    """A part of which some was measured keeps what is known of all else; rounds, laps and seed are those of its times."""
    return {**before, **{name: deep(before.get(name), value) for name, value in found.items()
                         if isinstance(value, dict) or "lab" in found or name not in before}}


def deep(before, found):
    """Results, in place of those with the same names."""
    if not isinstance(before, dict) or not isinstance(found, dict):
        return found
    return {**before, **{name: deep(before.get(name), value) for name, value in found.items()}}


def compact(parts, levels=5):
    """JSON with a line for each number, list or object below some levels: a line for the rounds of a qdisc in a case."""
    if not levels or not isinstance(parts, dict):
        return json.dumps(parts, separators=(",", ":"))
    inner = ",\n".join(f"{json.dumps(name)}:{compact(value, levels - 1)}" for name, value in parts.items())
    return "{" + inner + "}"


def write(folder, found):
    """Both files, each whole or not at all."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "bench.json")
    before = {name: part for name, part in known(path).items() if name in PARTS}
    parts = {**before, **{name: merged(before.get(name, {}), part) for name, part in rounded(found).items()}}
    for name, content in (("bench.json", compact(parts) + "\n"), ("bench.md", markdown(parts))):
        path = os.path.join(folder, name)
        with open(path + ".part", "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(path + ".part", path)
