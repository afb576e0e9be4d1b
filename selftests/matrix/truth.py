# SPDX-License-Identifier: GPL-2.0
"""Features of a kernel's headers, found by compiling what uses it, in the same kbuild that runs probe.mk."""

import dataclasses
import os
import re
import subprocess
import tempfile

import cache
import probe
import stock
from things import COMMON, NOTHING, SOMETHING, THINGS

KBUILD = """
include {probe}
$(info srctree $(srctree))
$(info answers $(ccflags-y))
ccflags-y :=
obj-m := uses.o stand-ins.o
"""
ERROR = re.compile(r"^(HAVE_\w+):\d+.*error: ", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Found:
    """Facts of one kernel: where its headers are, the symbols that probe.mk defines and those that it should, symbols whose stand-in
    does not compile although the thing is not there, and make's output."""

    srctree: str
    answers: frozenset
    there: frozenset
    unclear: frozenset
    printed: str


def compiled(kdir, folder, name):
    """Compile one object in kbuild; return the symbols with an error, and make's output."""
    run = subprocess.run([os.path.join(cache.ROOT, "scripts/make-for"), kdir, "-s", f"M={folder}", f"{name}.o"], env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    wrong = set(ERROR.findall(run.stdout))
    if NOTHING.symbol not in wrong and name == "uses" or SOMETHING.symbol in wrong:
        raise RuntimeError(f"{kdir}: the compiler cannot be queried: {run.stdout}")
    return wrong, run.stdout


def found(kdir):
    """Compile all uses, and the stand-ins, against a kernel's headers."""
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        for name, things in (("uses", (*THINGS, NOTHING, SOMETHING)), ("stand-ins", THINGS)):
            with open(os.path.join(folder, f"{name}.c"), "w", encoding="ascii") as file:
                file.write("".join(f"#include <{header}>\n" for header in COMMON))
                file.writelines(f"{line}\n" for thing in things for line in thing.lines(name != "uses"))
        with open(os.path.join(folder, "Kbuild"), "w", encoding="ascii") as file:
            file.write(KBUILD.format(probe=probe.PROBE))
        missing, printed = compiled(kdir, folder, "uses")
        unclear, more = compiled(kdir, folder, "stand-ins")
    lines = dict(line.split(" ", 1) for line in printed.splitlines() if line.startswith(("srctree ", "answers ")))
    there = frozenset(thing.symbol for thing in THINGS) - missing
    # Their place outside of their Debian.
    return Found(f"{stock.root_of(kdir) or ''}{lines['srctree']}", frozenset(probe.decoded(lines["answers"])), there, frozenset(unclear - there), printed + more)


def headers(folder, thing, name):
    """Make a folder of headers with the text of the thing's first kernel, its name spelled so; one folder for each header."""
    roots = []
    for header in thing.headers:
        root = os.path.join(folder, f"{thing.symbol}-{name}-{os.path.basename(header)}")
        path = os.path.join(root, "include", header)
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="ascii") as file:
            file.write(thing.line.replace(thing.name, name) + "\n")
        roots.append(root)
    return roots
