# SPDX-License-Identifier: GPL-2.0
"""Answers of kernel/compat/probe.mk, as it stands and with a line of it wrong."""

import os
import re
import subprocess
import tempfile

import cache

PROBE = os.path.join(cache.ROOT, "kernel/compat/probe.mk")
# A line that answers: pattern, header, symbol.
LINE = re.compile(r"^ccflags-y \+= \$\(call has,([^,]*),([^,]*),(\w+)\)$", re.MULTILINE)
# In every header of that name, and in none.
ALWAYS, NEVER = ("struct sk_buff", "linux/skbuff.h"), ("no_such_thing", "linux/skbuff.h")


def text():
    """Return probe.mk."""
    with open(PROBE, encoding="utf-8") as file:
        return file.read()


def symbols():
    """Return what it defines, and what kernel/compat and the modules ask for."""
    requested = set()
    for folder in ("kernel", "sch_cp", "sch_ecnsharp", "sch_onramp", "onramp_acker"):
        for path in cache.tree_files(os.path.join(cache.ROOT, folder)):
            if path.endswith((".c", ".h")):
                with open(path, encoding="utf-8") as file:
                    requested |= {name for line in file if line.startswith("#") for name in re.findall(r"\bHAVE_\w+", line)}
    return {match.group(3) for match in LINE.finditer(text())}, requested


def decoded(flags):
    """Return the symbols among compiler's flags."""
    return set(re.findall(r"-D(HAVE_\w+)", flags))


def answers(srctree, probe):
    """Return the symbols that a text of probe.mk defines for the headers below srctree/include."""
    with tempfile.NamedTemporaryFile("w", suffix=".mk", encoding="utf-8") as file:
        file.write(probe + "\nanswers: ; @printf '%s\\n' '$(ccflags-y)'\n")
        file.flush()
        run = subprocess.run(["make", "-s", "-f", file.name, f"srctree={srctree}", "answers"], env={"PATH": os.environ["PATH"]},
                             capture_output=True, text=True, check=True)
    return decoded(run.stdout)


def mutant(symbol, answer):
    """Return probe.mk's text with another answer, True or False, for a symbol."""
    pattern, header = ALWAYS if answer else NEVER
    return LINE.sub(lambda line: f"ccflags-y += $(call has,{pattern},{header},{symbol})" if line.group(3) == symbol
                    else line.group(0), text())


def only(symbol, probe):
    """Return a text of probe.mk without the lines of other symbols."""
    return LINE.sub(lambda line: line.group(0) if line.group(3) == symbol else "", probe)


def without_boundaries():
    """Return probe.mk's text, looking for patterns that are parts of identifiers, too."""
    return text().replace("grep -sqwE", "grep -sqE")
