#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Options, keys, columns and totals are the same in the program, its help and its man page: documentation.py FLOWGEN FOLDER."""

import os
import re
import sys

from common import Scratch, Tap, flowgen
import documented
from page import Page


def terms(page):
    """First tokens of the man page's tagged paragraphs, with the section they stand in."""
    found, section, subsection, tagged = [], "", "", False
    for line in page.splitlines():
        if line.startswith(".SH "):
            section, subsection = line[4:].strip('"'), ""
        elif line.startswith(".SS "):
            subsection = line[4:]
        elif tagged:
            plain = re.sub(r"\\f[RPBI]", "", line).replace("\\-", "-").replace('"', "").replace(",", " ")
            found.append((section, subsection, plain.split()[0], plain.split()[1:]))
        tagged = line in (".TP", ".TQ")
    return found


def same(tap, what, a, b):
    a, b = set(a), set(b)
    tap.ok(what, a and a == b, f"only there: {sorted(a - b)}; only here: {sorted(b - a)}")


def completion(tap, program, script, helped, tagged):
    """Completions by bash agree with the help: options, and files where it says FILE."""
    env = {**os.environ, "PATH": f"{os.path.dirname(os.path.abspath(program))}:{os.environ['PATH']}"}
    documented.same_options(tap, "flowgen", help=helped, page=tagged, completion=set(documented.complete(script, "flowgen -", env=env)))
    for line, want in (("flowgen --se", ["--seed", "--series", "--serve"]), ("flowgen --seed ", []), ("flowgen --traffic /etc/hostn", ["/etc/hostname"]),
                       ("flowgen --serve --su", ["--summary"]), ("flowgen --traffic = /etc/hostn", ["/etc/hostname"]), ("flowgen --to =", []),
                       ("flowgen --netns /usr/sha", ["/usr/share"]), ("flowgen --serve --listen ", []), ("flowgen comp", ["compare"]),
                       ("flowgen compare --p", ["--page"]), ("flowgen compare /etc/hostn", ["/etc/hostname"])):
        got = documented.complete(script, line, env=env)
        tap.ok(f"completion: {line}", got == want, got)


def main():
    program, here = sys.argv[1:]
    tap, scratch = Tap(), Scratch()
    page = documented.clean(tap, os.path.join(here, "flowgen.1"))
    marked = terms(page)
    helped = flowgen(program, "--help").stdout
    documented.version(tap, "flowgen", program, arguments=("--version",))
    tap.ok("--help says no more than help", helped.startswith("flowgen - ") and "Keys of a group" in helped)

    options = re.findall(r"^  (--[a-z-]+)(?: ([A-Z:]+))?$", helped, re.M)
    completion(tap, program, os.path.join(here, "completion"), {name for name, _ in options}, documented.tags(Page(page)))
    same(tap, "their arguments too", options,
         ((tokens[0], "".join(tokens[1:])) for section, _, _, tokens in marked if section == "OPTIONS"))
    plain = page.replace("\\-", "-")
    defaults = re.findall(r"^  (--[a-z-]+)(?: [A-Z:]+)?\n      .*\((\d+\w*)\), (\S+) to (\S+)$", helped, re.M)
    tap.ok("the help states defaults and ranges", len(defaults) >= 8, defaults)
    for name, default, low, high in defaults:
        entry = plain.split(f" {name}", 1)[-1] if f".B {name}" in plain else plain.split(f'.BI {name} ', 1)[-1]
        entry = entry.split(".TP", 1)[0]
        tap.ok(f"{name}: the man page has its default and range", f"Default {default}" in entry
               and (f"{low} to {high}" in " ".join(entry.split())), entry)

    keys = re.findall(r"^  ([a-z]+)=(.*)\n.*\[([PQLC]+)\](, required)?", helped, re.M)
    kinds = {"Poisson arrivals": "P", "Queries": "Q", "Long flows": "L", "Closed loops": "C", "": "PQLC"}
    listed = {}
    for section, subsection, _, tokens in marked:
        if section == "TRAFFIC FILE" and "=" in tokens[0]:
            listed.setdefault(tokens[0].split("=")[0], set()).update(kinds[subsection])
    listed["conn"].update("QC")     # described as a sentence there
    same(tap, "keys of the help are those of the man page", (key[0] for key in keys), listed)
    for name, values, kind, _ in keys:
        tap.ok(f"{name}=: of the same kinds of group", set(kind) == listed.get(name), listed.get(name))
        if "|" in values:
            tap.ok(f"{name}=: the same values", f".B {name}={values}" in plain.replace("\\fR|\\fP", "|"), values)
        elif " to " in values and not values.endswith("86400s"):
            entry = re.split(rf"^\.BI {name}= ", plain, flags=re.M)[1].split(".TP")[0]
            tap.ok(f"{name}=: the man page has its range or says what it is", values in entry or name in ("lo", "hi", "size"), entry)

    traffic = scratch.write("traffic", "host a addr=127.0.0.1\nhost b addr=127.0.0.2\n"
                            "group g kind=query senders=a receivers=b flows=1 lo=1 hi=1\n")
    output = page.split(".SH OUTPUT")[1].split(".SH")[0]
    with open(os.path.join(here, "report.c"), encoding="utf-8") as file:
        source = file.read()
    columns = "".join(re.findall(r'fputs\("([a-z_,]+)(?:\\n)?", f\)', source)).split(",")
    listed = [token for section, _, _, tokens in marked if section == "OUTPUT" for token in tokens if token not in (",", "")]
    same(tap, "columns of --flows are those of the man page", columns, listed)
    header = flowgen(program, "--dry-run", "--traffic", traffic).stdout.splitlines()[0].split(",")
    same(tap, "columns of --dry-run are those of the man page", header,
         re.findall(r"[a-z_]+", plain.split(".RB ( id")[1].split(")")[0]) + ["id"])
    tap.ok("the man page names the totals",
           all(re.search(rf"\b{name}\b", output) for name in re.findall(r'json_(?:un)?signed\(&?w, "([a-z_]+)"', source)
               if name not in ("seed", "name", "cc", "cdf_mean_bytes")), output)
    tap.ok("and the totals' names are found in the source", len(re.findall(r'json_(?:un)?signed\(&?w, "([a-z_]+)"', source)) > 15)
    tap.end()


main()
