#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onrampctl.8 is clean, and says what the program's own help says: grammar, parameters, ranges, examples."""

import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from ctl import PARENT, RUN, Ctl, ack, done
import documented
from page import FONTS, Page
from tap import Tap

SECTIONS = ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "PARAMETERS", "OUTPUT", "METRICS", "FINDINGS", "EXIT STATUS", "EXAMPLES", "SEE ALSO")


def grammar(text):
    """Commands of a synopsis or of help, each as one line."""
    text = re.sub(r"\n {4,}", " ", text)
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines() if line.strip().startswith("onrampctl ") and
            not line.strip().startswith("onrampctl help")]


def parameters(text):
    """{heading: {parameter: its description}} of the page's subsections."""
    found, name, lines = {}, None, iter(text.splitlines())
    for line in lines:
        if line.startswith(".SS "):
            name = line[4:]
        elif line == ".TP" and name:
            tag, entry = next(lines), next(lines)
            option = FONTS.match(tag).group(1).split()[0].replace("\\-", "-")
            for each in name.split(", "):
                found.setdefault(each, {})[option] = entry.replace("\\-", "-").partition("; not of")[0]
    return found


def options(tap, ctl, page, helped):
    """Those of the help are the page's, those that a refusal names, and those that the shell proposes."""
    ctl.run("-x")
    refused = ctl.err.partition("; the options are ")[2]
    ctl.run("--complete -")
    documented.same_options(tap, "onrampctl", help=documented.options(helped.rstrip("\n").split("\n")[-1]),
                      page=documented.tags(page) - {"--complete"},
                      refusal=documented.options(refused), completion=set(ctl.out.split()))
    documented.version(tap, "onrampctl", *RUN, ctl.program)
    # The last is the program's name for its test.
    documented.full(tap, "onrampctl", ([*RUN, ctl.program, *arguments.split()]
                                    for arguments in ("help", "acker set help", "--version", "--complete acker")))


def main():
    tap, ctl = Tap(), Ctl()
    text = documented.clean(tap, os.path.join(PARENT, "onrampctl.8"))
    page = Page(text)
    tap.ok("it has its sections", tuple(page.sections) == SECTIONS, page.sections.keys())
    ctl.run("help")
    help_text, usage = ctl.out, grammar(ctl.out)
    synopsis = grammar(page.text("SYNOPSIS").partition("COMMAND")[2])
    tap.ok("the synopsis is that of help", usage == synopsis, "\n".join(map(str, (usage, synopsis))))
    sections = parameters("\n".join(page.sections["PARAMETERS"]))
    described = 0
    for line in usage:
        path = re.match(r"onrampctl ([a-z ]+)", line).group(1).split()
        while path and ctl.run(["help", *path]):
            path.pop()
        path = " ".join(path)
        own = ctl.out.split("\n  onrampctl ")[0]
        helped = dict(re.findall(r"^    (\S+) {2,}(\S.*)$", own, re.M))
        mine = sections.get(path, {})
        if path in ("flows", "paths", "keys rotate"):
            mine = {name: what for name, what in mine.items() if name in helped}
        tap.ok(f"{path}: parameters and ranges are those of help", helped == mine, f"help {helped}\npage {mine}")
        described += len(helped)
    tap.ok("parameters are described", described >= 15, described)
    options(tap, ctl, page, help_text)
    ctl.run("-h")
    tap.ok("-h is help", ctl.code == 0 and ctl.out == help_text)
    for arguments in ("acker set help", "acker set --help", "help acker set"):
        ctl.run(arguments)
        tap.ok(f"'{arguments}' goes to standard output", ctl.code == 0 and "max_flows" in ctl.out and not ctl.err, ctl.outcome())
    listed = [tag for tag, text in page.entries("FINDINGS").items() if text]
    names = []
    parts = [f"finding_{part}.c" for part in ("sender", "tables", "receiver", "marker", "port", "point", "tuner")]
    for part in parts:
        with open(os.path.join(PARENT, part), encoding="utf-8") as file:
            names += re.findall(r'^\tRULE\("([a-z-]+)",', file.read(), re.M)
    tap.ok("these files have all findings", set(parts) == {name for name in os.listdir(PARENT) if re.fullmatch(r"finding_\w+\.c", name)}, parts)
    tap.ok("it names the doctor's findings, in their order", len(names) > 40 and listed == [*names, "unread"],
           set(listed) ^ {*names, "unread"})
    examples = re.findall(r"^# onrampctl (.*)$", "\n".join(page.sections["EXAMPLES"]).replace("\\-", "-"), re.M)
    tap.ok("it has examples", len(examples) >= 5)
    for example in examples:
        with tempfile.NamedTemporaryFile("w") as key:
            key.write("0" * 32)
            key.flush()
            answers = [[done()]] * 11 if re.search("flows|paths|top", example) else [[ack()]]
            ctl.run(example.replace("eth0", "lo").replace("key5", key.name), *answers)
        # Without a kernel the doctor cannot look; its own test has one.
        tap.ok(f"example: {example}", ctl.code == 2 and "cannot receive" in ctl.err if "doctor" in example else ctl.code == 0,
               ctl.outcome())
    tap.end()


if __name__ == "__main__":
    main()
