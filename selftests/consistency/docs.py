#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Consistency of the documents with the tree: README.md, CONTRIBUTING.md and docs/*.md.

Paths, functions, links, commands and tc lines that a page names exist. Tables of options and counters are those of the sources, as
the compiler and the tc plugin have them, and counters are where the pages for operators say. Names of tests that docs/security.md
quotes are those of tests. Programs answer --help, and refuse what they do not know. Output is TAP; the status is 0 if everything agrees.
"""

import fnmatch
import glob
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from parameters import ROOT, Tap, differ  # noqa: E402
from prose import Prose  # noqa: E402
from sources import ECNSHARP, ONRAMP, Broken  # noqa: E402
from tree import KEYS, OPTIONS, Tree, read  # noqa: E402
from usages import usages  # noqa: E402

INDEX = "docs/README.md"
SECURITY = "docs/security.md"

# Where operators look things up.
OPERATORS = ("docs/security.md", "docs/operations.md", "docs/watch.md")

# Paths that are made and not kept, or are on the reader's machine.
MADE = ("build/", "eth", "10.", "2/")

# Arguments of make in a kernel's tree.
KERNEL = ("menuconfig",)

UNITS = {"_ns": "ns", "_bps": "bit/s", "_bytes": "bytes", "_ppb": "ppb", "_ppm": "millionths", "_q32": "2^-32",
         "_q16": "1/65536"}

def expanded(path):
    """Paths that braces stand for."""
    match = re.search(r"\{([^{}]*)\}", path)
    if not match:
        return [path]
    return [one for name in match[1].split(",") for one in expanded(path[:match.start()] + name + path[match.end():])]


def is_there(tree, path):
    """A path, maybe with a wildcard, of a program that is made of one file, or below a folder that the page is about."""
    path = path.rstrip("/")
    return path in tree.paths or path + ".c" in tree.paths or bool(fnmatch.filter(tree.paths, path)) or \
        any(each.endswith("/" + path) for each in tree.paths)


def paths(tree, pages):
    """Every path in backticks exists, and every path of this tree in a block."""
    bad = []
    for page, prose in pages.items():
        tokens = [(token, False) for span in prose.spans() for token in span.split()]
        tokens += [(token, True) for block in prose.blocks for token in block.split()]
        for token, block in tokens:
            token = token.strip("',;:()\"")
            if re.fullmatch(r"[\w-]+\.(?:c|h|py|sh|lua)", token) and not block and token not in tree.names:
                bad.append(f"{page}: no file is called {token}")
            if not re.fullmatch(r"[\w.-]+(?:/[\w.*{},-]+)+/?", token) or token.startswith(MADE):
                continue
            if re.match(r"[A-Z]+/", token) or (block and token.split("/")[0] not in tree.tops):
                continue
            bad += [f"{page}: there is no {one}" for one in expanded(token)
                    if not is_there(tree, one) and one.partition("/")[2] not in ("onramp.h", "onramp_wire.h")]
    return bad


def functions(tree, pages):
    """Every `name()` is a function; every `name()` (`path`) is defined or declared there."""
    bad = []
    for page, prose in pages.items():
        bad += [f"{page}: {name}() is nowhere" for span in prose.spans() for name in re.findall(r"^(\w+)\(\)$", span)
                if name not in tree.functions]
        for name, path in re.findall(r"`(\w+)\(\)`\s+\(`([^`]+)`\)", prose.text):
            definition = rf"^(?:[^\s#/*].*?)?\b{name}\(|^ *def {name}\("
            if path not in tree.paths or not re.search(definition, read(path), re.M):
                bad.append(f"{page}: {name}() is not in {path}")
    return bad


def links(_, pages):
    """Every link within the tree leads somewhere, and so do anchors."""
    bad = []
    for page, prose in pages.items():
        for link in prose.links():
            path, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", link):
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(os.path.join(ROOT, target)):
                bad.append(f"{page}: {link} leads nowhere")
            elif anchor and anchor not in (pages.get(target) or Prose(read(target))).anchors():
                bad.append(f"{page}: {link}: there is no such heading")
    return bad


def is_command(names, tokens):
    """Do the tokens begin with a command, or are they the beginning of one?"""
    for name in names:
        parts = name.split()
        # The command that shows is the default.
        if tokens[:len(parts)] == parts or parts[:len(tokens)] == tokens or parts[:-1] == tokens and parts[-1] == "show":
            return True
    return False


def commands(tree, pages):
    """Every command of this project that is named is one."""
    bad = []
    for page, prose in pages.items():
        for tokens in prose.commands():
            program, rest = tokens[0], [token for token in tokens[1:] if not token.startswith("-") and "=" not in token]
            suites = [name for token in tokens[1:] if token.startswith("SUITES=") for name in token.removeprefix("SUITES=").split()]
            bad += [f"{page}: there is no suite {name}" for name in suites if name not in tree.known["SUITES"]]
            if program not in tree.known or not rest or rest[0].isupper() or {"-C", "-sf"}.intersection(tokens):
                continue
            if tokens[:2] == ["lab/run", "help"]:
                rest = rest[1:] or ["help"]
            if program == "make":
                bad += [f"{page}: {program} has no {token}" for token in rest
                        if token not in (*tree.known[program], *KERNEL) and not re.search(r"[A-Z.()]", token)]
            elif not is_command(tree.known[program], rest):
                bad.append(f"{page}: {program} has no {' '.join(rest)}")
    return bad


def tc_lines(tree, pages):
    """The plugins accept the tc lines of the pages."""
    bad = []
    for page, prose in pages.items():
        for tokens in prose.commands():
            line = " ".join(tokens)
            match = re.match(r"tc qdisc (?:add|replace|change) dev \S+ .*?\b(ecnsharp|onramp)\b(.*)|"
                             r"(ecnsharp|onramp)-mq \w+\d(.*)", line)
            if not match:
                continue
            kind = {"ecnsharp": ECNSHARP, "onramp": ONRAMP}[match[1] or match[3]]
            parsed = tree.facts[kind].plugin.parse(match[2] or match[4] or "")
            if not isinstance(parsed, dict):
                bad.append(f"{page}: {line}: {parsed}")
    return bad


def extent(facts, params):
    """Default and range of an option, as a page has them."""
    spelling, first = facts.plugin.spelling, params[0]
    defaults = [spelling(p, p.default) for p in params if p.default is not None]
    if first.crumbs:
        ranges = "0 to 2"
    elif first.choices:
        ranges = ", ".join(first.choices.values())
    else:
        ranges = " or ".join(dict.fromkeys(f"{spelling(p, p.least)} to {spelling(p, p.most)}" for p in params))
    return " ".join(defaults) or "none", ranges


def rows(prose, column):
    """{name in that column: (name in the code, unit, default, range)} of tables that have it and a default."""
    found = {}
    for head, body in prose.tables:
        if column in head and "default" in head:
            for cells in body:
                row = dict(zip(head, cells))
                code = row["in the code"].strip("`")
                found[row[column].strip("`")] = (code, row["unit"], row["default"], row["range"])
    return found


def wanted_options(tree, page):
    """{name: (default, range)}; of two names for one parameter one has the row."""
    if page == KEYS:
        return tree.keys
    facts = tree.facts[OPTIONS[page]]
    seconds = {spelling for p in facts.params if p.alone for spelling in p.choices.values()
               if spelling != facts.plugin.spelling(p, p.default)}
    return {name: extent(facts, params) for name, params in facts.names.items() if name not in seconds}


def options(tree, pages):
    """Every option has a row, with the default and range of the table and a unit that fits its name in the code."""
    bad = []
    for page in (*OPTIONS, KEYS):
        wanted = wanted_options(tree, page)
        found = rows(pages[page], "key" if page == KEYS else "option")
        bad += differ(f"{page}: row", wanted, found)
        for name in sorted(set(wanted) & set(found)):
            code, unit, *attributes = found[name]
            if tuple(attributes) != tuple(wanted[name]):
                bad.append(f"{page}: {name} has {attributes}, the sources {wanted[name]}")
            if code not in tree.identifiers:
                bad.append(f"{page}: {name}: nothing is called {code}")
            bad += [f"{page}: {name}: {code} is not in {unit}" for ending, of in UNITS.items()
                    if code.lower().endswith(ending) and unit != of]
    return bad


def counters(tree, pages):
    """Every counter has a row, and no row is of none."""
    bad = []
    for page in (*OPTIONS, KEYS):
        for head, body in pages[page].tables:
            if head[0].endswith("counter"):
                found = [name for cells in body for name in re.findall(r"`(\w+)`", cells[0])]
                bad += differ(f"{page}: {head[0]}", tree.counters(page, head[0]), found)
                bad += [f"{page}: {name} is defined twice" for name in set(found) if found.count(name) > 1]
        if not any(head[0] == "counter" for head, _ in pages[page].tables):
            bad.append(f"{page}: no table of counters")
    return bad


def watched(tree, pages):
    """In a table of what to watch and where, each counter is shown there."""
    bad, found = [], 0
    for page in OPERATORS:
        for head, rows in pages[page].tables:
            if head[:2] != ["value", "command"]:
                continue
            places = []
            for what, where, *_ in rows:
                places = [span for span in re.findall(r"`([^`]+)`", where) if span in tree.counted] if where != "the same" else places
                found += len(places)
                bad += [f"{page}: `{place}` does not show {name}" for place in places for name in re.findall(r"`(\w+)`", what)
                        if name not in tree.counted[place]]
    return bad + ([] if found > 10 else [f"{OPERATORS}: {found} places to watch"])


def tests(tree, pages):
    """Each quotation of docs/security.md is a part of a test's name: it stands in a string of a test."""
    sources = "\n".join(read(path) for path in sorted(tree.paths) if re.match(r"selftests/(?!consistency)|.*/test/", path)
                        and re.search(r"\.(?:c|h|py|sh)$", path) and os.path.isfile(os.path.join(ROOT, path)))
    # Strings that stand one after the other are one. Names of functions are those of tests, with underscores for spaces.
    joined = re.sub(r'"\s*\n\s*f?"', "", sources).replace("_", " ")
    quoted = [" ".join(quotation.split()) for quotation in re.findall(r'"([^"]+)"', pages[SECURITY].text)]
    bad = [f"{SECURITY}: no test is called '{name}'" for name in quoted if name.replace("_", " ") not in joined]
    bad += [f"{SECURITY}: '{name}' is too short to name a test" for name in quoted if " " not in name]
    return bad + ([] if len(quoted) > 150 else [f"{SECURITY}: {len(quoted)} names of tests"])


def index(_, pages):
    """Every page can be reached by links from the index."""
    reached, due = {INDEX}, [INDEX]
    while due:
        page = due.pop()
        for link in pages[page].links():
            target = os.path.normpath(os.path.join(os.path.dirname(page), link.partition("#")[0]))
            if target in pages and target not in reached:
                reached.add(target)
                due.append(target)
    return [f"{INDEX} does not lead to {page}" for page in pages if page not in reached]


CHECKS = (
    ("index", index),
    ("paths", paths),
    ("functions", functions),
    ("links", links),
    ("commands", commands),
    ("tc", tc_lines),
    ("options", options),
    ("counters", counters),
    ("watched", watched),
    ("tests", tests),
    ("usages", usages),
)


def main():
    below = sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "docs/**/*.md"), recursive=True))
    below = [path for path in below if not path.startswith("docs/results/")]
    pages = {path: Prose(read(path)) for path in ("README.md", "CONTRIBUTING.md", *below)}
    tap = Tap()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            tree = Tree(scratch)
        except Broken as why:
            tap.ok("the sources can be read", False, why)
            return tap.plan()
        for name, function in CHECKS:
            try:
                complaints = function(tree, pages)
            except Broken as why:
                complaints = [str(why)]
            tap.ok(name, not complaints, "\n".join(complaints))
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
