#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The man pages are clean and readable, their examples parse, and they say what the scripts' help says. PROBE= is test/probe."""

import os
import re
import sys

sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(FOLDER, "../selftests", name) for name in ("lib", "consistency")]
# pylint: disable=wrong-import-position
import documented
from page import Page, commands
from tap import Tap

SECTIONS = "NAME SYNOPSIS DESCRIPTION ALGORITHM PARAMETERS STATISTICS EXAMPLES NOTES".split() + ["SEE ALSO"]
# Scripts, and the page that has each; the file that completes them.
SCRIPTS = {"onramp-mq": "onramp-mq", "ecnsharp-mq": "onramp-mq"}
COMPLETION = "tc-sharpramp"


def path(*names):
    """Below tc-plugins."""
    return os.path.join(FOLDER, *names)


def kind(tap, name, *more):
    """The page of a qdisc."""
    page = Page(documented.clean(tap, path(f"tc-{name}.8")))
    missing = [section for section in (*SECTIONS, *more) if section not in page.sections]
    tap.ok(f"{name}: it has its sections", not missing, missing)
    typed = [line for block in page.examples() for line in commands(block) if re.match(rf"tc .*\b{name}\b", line)]
    tap.ok(f"{name}: it has examples", len(typed) >= 10, typed)
    for line in typed:
        done = documented.finish(os.environ["PROBE"], name, "parse", *line.rsplit(f" {name}", 1)[1].split())
        tap.ok(f"{name}: example: {line}", not done.returncode, done.stderr)


def script(tap, name, page):
    """The page of a script, its help, refusal and completion."""
    page, program = Page(documented.clean(tap, path(f"{page}.8"))), path(name)
    helped = {option: documented.finish(program, option) for option in ("-h", "--help")}
    text = helped["-h"].stdout
    tap.ok(f"{name}: -h and --help are one", text and not helped["-h"].returncode and text == helped["--help"].stdout, helped)
    refused = documented.finish(program, "-x")
    tap.ok(f"{name}: what is no option is refused", refused.returncode == 2 and not refused.stdout, refused)
    documented.same_options(tap, name, help=documented.options(text), page=documented.tags(page), synopsis=documented.options(page.text("SYNOPSIS")),
                      refusal=documented.options(refused.stderr.rsplit(": ", 1)[-1]),
                      completion=set(documented.complete(path("completion", COMPLETION), f"{name} -")))
    calls = re.findall(rf"\b{name} (.*)", text)
    usage = [" ".join(call.split()) for call in re.findall(rf"\b{name}\s((?:(?![a-z]+-mq).)*)", page.text("SYNOPSIS"), re.S)]
    tap.ok(f"{name}: the synopsis is that of help", len(usage) == 3 and usage == calls, (usage, calls))
    documented.version(tap, name, program)


def main():
    """All of it."""
    tap = Tap()
    kind(tap, "cp")
    kind(tap, "ecnsharp", "PRESETS", "TRACEPOINTS")
    kind(tap, "onramp")
    for name, page in SCRIPTS.items():
        script(tap, name, page)
    tap.end()


if __name__ == "__main__":
    main()
