#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Print tests for tdc, made of a table.

    cases.py KIND.cases

A row is ID | CATEGORY | NAME | BEFORE | COMMAND | EXPECTED; a line that begins with a tab continues the one above. Commands are
separated by semicolons. "add ARGS" and the like are tc's for the qdisc at the root, "rtm ARGS" are rtm_qdisc.py's, others stand as
they are, and behind "!" one that fails. EXPECTED is one of

    shown [NAME=VALUE|NAME=] ...    the options that tc shows, all of them: the line "options" has the others, in their order
    refused TEXT                    each command fails with this text and changes nothing
    pasted                          what tc shows is what tc understands
    COMMAND ~ PATTERN, COMMAND !~ PATTERN, COMMAND has PATTERN ...
"""

import json
import os
import re
import shlex
import sys

SHOW = "$TC -d -j qdisc show dev $DUMMY"


def commands(text, kind):
    """The commands of a cell."""
    found = []
    for verb, _, rest in (part.strip().partition(" ") for part in text.split(";") if part.strip()):
        if verb in ("add", "change", "replace"):
            found.append(f"$TC qdisc {verb} dev $DUMMY handle 1: root {kind} {rest}".rstrip())
        elif verb == "rtm":
            found.append(re.sub(r"^(\w+)", rf"$RTM --kind {kind} \1 $DUMMY", rest))
        else:
            found.append(f"{verb} {rest}".rstrip())
    return found


def value(text):
    """An option's value in JSON's pattern: numbers, truth values and groups stand for themselves."""
    return text if re.match(r"-?\d+$|true$|false$|[\[(]", text) else f'"{text}"'


def shown(options, pairs):
    """The pattern of all options, with those that differ."""
    given = dict(pair.split("=", 1) for pair in pairs)
    assert set(given) <= set(options), given
    all_of = {name: given.get(name, default) for name, default in options.items()}
    return '"options":\\{' + ",".join(f'"{name}":{value(text)}' for name, text in all_of.items() if text) + "\\}"


def test(row, kind, options):
    """The test of a row."""
    name, category, title, before, command, expected = (cell.strip() for cell in re.split(r" \|(?: |$)", row, maxsplit=5))
    fails, does = command.startswith("!"), commands(command.lstrip("! "), kind)
    how, _, rest = expected.partition(" ")
    count = "1"
    if how == "shown":
        verify, pattern = SHOW, shown(options, shlex.split(rest))
    elif how == "refused":
        does = ["true"] * (len(does) == 1) + [f"$REFUSED $DUMMY '{rest}' {one}" for one in does]
        verify, pattern = does.pop(), "^refused, nothing changed$"
    elif how == "pasted":
        does, verify, pattern = ["$PASTED $DUMMY"], "$PASTED $DUMMY", "^the same$"
    else:
        verify, how, pattern = re.fullmatch(r"(.*?) (~|!~|has) (.*)", expected).groups()
        count = "0" if how == "!~" else "1"
        if how == "has":
            pattern = "\\A" + "".join(f"(?=.*{part})" for part in pattern.split())
    assert len(does) == 1, row
    return {"id": name, "name": title, "category": ["qdisc", kind, category], "plugins": {"requires": "nsPlugin"},
            "setup": commands(before, kind), "cmdUnderTest": does[0], "expExitCode": "2" if fails else "0", "verifyCmd": verify,
            "matchPattern": pattern, "matchCount": count, "teardown": []}


def tests(path):
    """The tests of a table."""
    with open(path, encoding="utf-8") as file:
        rows = [row for row in file.read().replace("\n\t", " ").splitlines() if row and not row.startswith("#")]
    options = {name: default for name, _, default in (option.partition("=") for option in shlex.split(rows.pop(0))[1:])}
    kind = os.path.basename(path).removesuffix(".cases")
    return [test(row, kind, options) for row in rows]


if __name__ == "__main__":
    json.dump(tests(sys.argv[1]), sys.stdout, indent=1)
