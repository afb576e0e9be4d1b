#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""contrib/bpftrace: does each name tracepoints, fields and reasons that there are?

Held against the modules' trace headers, the uapi header and docs/watch.md. Where bpftrace is, it reads those that are its own.
Each recipe is read by its own interpreter. Output is TAP.
"""

import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from parameters import ROOT, Tap  # noqa: E402

FOLDER = os.path.join(ROOT, "contrib/bpftrace")
HEADERS = {"ecnsharp": "sch_ecnsharp/ecnsharp_trace.h", "onramp": "kernel/core/onramp_trace.h"}
UAPI = "kernel/include/uapi/linux/onramp.h"
PAGE = "docs/watch.md"


def text_of(path):
    """Content of a file in the tree."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def events(system):
    """{tracepoint: (fields, what its printed line has)} of a module."""
    text = text_of(HEADERS[system])
    macros = dict(re.findall(r"^#define (\w+)[\s\\]+((?:.*\\\n)*.*)", text, re.M))
    for name, body in macros.items():
        text = re.sub(rf"^(\t+|.*TP_printk\(){name}\b", lambda m, body=body: m.group(1) + body, text, flags=re.M)
    found, classes = {}, {}
    for kind, name, body in re.findall(r"^(TRACE_EVENT|DECLARE_EVENT_CLASS)\((\w+),\n(.*?)^\);", text, re.M | re.S):
        fields = set(re.findall(r"__(?:field|array)\(\w[\w ]*, (\w+)", body))
        format_ = re.search(r"TP_printk\((.*?),\n", body, re.S).group(1)
        (found if kind == "TRACE_EVENT" else classes)[name] = fields, set(re.findall(r"(\w+)=", format_))
    for name, event in re.findall(r"^DEFINE_EVENT\((\w+), (\w+),", text, re.M):
        found[event] = classes[name]
    return found


def used(name, text):
    """(system, tracepoint, fields, printed of its printed line) for each place of a recipe that names a tracepoint."""
    if name.endswith(".bt"):
        for probes, body in re.findall(r"^((?:tracepoint:[^\n]*\n)+(?:/[^\n]*/\n)?)\{\n(.*?)^\}", text, re.M | re.S):
            fields = set(re.findall(r"\bargs->(\w+)", probes + body))
            for system, event in re.findall(r"tracepoint:(\w+):(\w+)", probes):
                yield system, event, fields, set()
        return
    printed = set(re.findall(r" (\w+)=\\\(", text))
    for system, event, condition in re.findall(r"-e (\w+):(\w+)(?: --filter '(\w+) )?", text):
        yield system, event, {condition} - {""}, printed


def names(name, text):
    """Tracepoints and fields that are not there."""
    bad, places = [], list(used(name, text))
    for system, event, fields, printed in places:
        there = events(system) if system in HEADERS else {}
        if event not in there:
            bad.append(f"{name}: no tracepoint {system}:{event}")
            continue
        bad += [f"{name}: {event} has no field {field}" for field in fields - there[event][0]]
        bad += [f"{name}: {event} does not print {field}" for field in printed - there[event][1]]
    if name.endswith(".bt") and text.count("args->") != sum(len(re.findall("args->", body)) for body in
                                                            re.findall(r"^tracepoint:.*?^\}", text, re.M | re.S)):
        bad.append(f"{name}: a field outside a tracepoint")
    return bad if places or name.endswith(".awk") else [f"{name}: no tracepoint"]


def reasons(name, text):
    """Numbers of reasons that mean something else."""
    documented = re.search(r"^(?://|#) Reasons: (.*)$", text, re.M)
    if not documented:
        return [f"{name}: its numbers are not explained"] if "fail-open" in name else []
    enum = re.findall(r"^\tONRAMP_STATE_(\w+),", text_of(UAPI), re.M)
    wanted = ", ".join(f"{number} {state.lower()}" for number, state in enumerate(enum) if number)
    return [] if documented.group(1) == wanted else [f"{name}: {documented.group(1)}, not {wanted}"]


def verdicts(name, text):
    """Numbers of verdicts beyond those that the header explains."""
    comment = re.search(r"@verdict: (.*)", text_of(HEADERS["ecnsharp"])).group(1)
    known = set(re.findall(r"\d", comment))
    return [f"{name}: verdict {number}" for number in re.findall(r"verdict == (\d+)", text) if number not in known]


def listed(name, _text):
    """Recipes that the page does not have."""
    return [] if f"bpftrace/{name}" in text_of(PAGE) else [f"{PAGE} does not have {name}"]


CHECKS = (names, reasons, verdicts, listed)

def reads(name, path):
    """Errors that the recipe's own language finds."""
    if name.endswith(".sh"):
        command = ["sh", "-n", path]
    elif name.endswith(".awk"):
        command = ["awk", "-f", path, "/dev/null"]
    else:
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def bpftrace_reads(tap, name, path):
    """bpftrace finds no error of syntax; what the tracepoints have it can only see where the modules are."""
    if not shutil.which("bpftrace"):
        tap.skip(f"{name}: bpftrace reads it", "no bpftrace")
        return
    with open(path, encoding="utf-8") as file:
        text = file.read()
    runs = [subprocess.run(["bpftrace", "-d", "-e", program], capture_output=True, text=True, check=False) for program in (text, text[:-2])]
    good = ["syntax error" not in ran.stderr for ran in runs]
    tap.ok(f"{name}: bpftrace reads it, and not without its end", good == [True, False], "\n".join(ran.stderr for ran in runs))


def histogram(tap):
    """The histogram counts."""
    ran = subprocess.run(["awk", "-f", os.path.join(FOLDER, "histogram.awk")], input="0\n1\n8\n15\n16\n-9\n7\n2000000000\n", capture_output=True,
                         text=True, check=False)
    rows = [line.split()[:2] for line in ran.stdout.splitlines()]
    tap.ok("histogram.awk: each number is in its row", rows == [["-8", "1"], ["0", "1"], ["1", "1"], ["4", "1"], ["8", "2"], ["16", "1"],
                                                                ["1073741824", "1"]], ran.stderr)


def main():
    """All recipes, all checks."""
    tap = Tap()
    recipes = sorted(os.listdir(FOLDER))
    tap.ok("there are recipes", len(recipes) >= 8 and all(re.fullmatch(r"[a-z-]+\.(bt|sh|awk)", name) for name in recipes), recipes)
    for name in recipes:
        path = os.path.join(FOLDER, name)
        text = text_of(path)
        for check in CHECKS:
            bad = check(name, text)
            tap.ok(f"{name}: {check.__name__}", not bad, "\n".join(bad))
        refusal = reads(name, path)
        tap.ok(f"{name}: it can be read", not refusal, refusal)
        if name.endswith(".bt"):
            bpftrace_reads(tap, name, path)
        elif name.endswith(".sh"):
            tap.ok(f"{name}: it can be run", os.access(path, os.X_OK))
    histogram(tap)
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
