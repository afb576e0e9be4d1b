#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Do the pages for people name what is there?

Looked at are README.md, CONTRIBUTING.md and docs/*.md: paths, functions, commands and links; the tables of options and
counters, which are held against the tables of the sources, as the compiler and the tc plugin have them; counters, findings and
metrics of the pages for who operates; and numbers that are quoted from docs/results; and tests that docs/security.md names, of which
each of its claims needs one. Then each check must find what was changed on purpose. Output is TAP; the
status is 0 if everything agrees. --write tests nothing: it puts the numbers of docs/results where pages quote them (quotes.py).
"""

import argparse
import fnmatch
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from docs_mutants import MUTANTS  # noqa: E402
from drift import ROOT, Tap, differ  # noqa: E402
from prose import Prose  # noqa: E402
from quotes import QUOTES, rounded  # noqa: E402
from sources import ECNSHARP, ONRAMP, Broken  # noqa: E402
from tree import KEYS, OPTIONS, Tree, read  # noqa: E402

INDEX = "docs/README.md"

# Each claim of it names its test. What it quotes beside that is ICMP's.
SECURITY = "docs/security.md"
NO_TESTS = ("port unreachable",)

# Where operators look things up: what is in code there and looks like a counter, finding or option is one, but for others' things.
OPERATORS = (SECURITY, "docs/operations.md", "docs/watch.md")
NOT_OURS = ("tc", "linux-headers-amd64", "linux-headers-cloud-amd64", "linux-image", "sign-file")

# What onramp-metrics prints begins so; a path and a function does as well.
METRIC = r"(?<![\w/])(?:sharpramp|onramp|ecnsharp|huygens)_\w+(?![\w/.(])"

# What is made and not kept, or lies on the machine of whoever reads.
MADE = ("build/", "eth", "10.", "2/")

# What make is told in a kernel's tree.
KERNEL = ("menuconfig",)

UNITS = {"_ns": "ns", "_bps": "bit/s", "_bytes": "bytes", "_ppb": "ppb", "_ppm": "millionths", "_q32": "2^-32",
         "_q16": "1/65536"}

def expanded(path):
    """What braces stand for."""
    match = re.search(r"\{([^{}]*)\}", path)
    if not match:
        return [path]
    return [one for word in match[1].split(",") for one in expanded(path[:match.start()] + word + path[match.end():])]


def is_there(tree, path):
    """A path, maybe with a wildcard, of a program that is made of one file, or below a room that the page is about."""
    path = path.rstrip("/")
    return path in tree.paths or path + ".c" in tree.paths or bool(fnmatch.filter(tree.paths, path)) or \
        any(each.endswith("/" + path) for each in tree.paths)


def paths(tree, pages):
    """Every path in backticks exists, and every path of this tree in a block."""
    bad = []
    for page, prose in pages.items():
        words = [(word, False) for span in prose.spans() for word in span.split()]
        words += [(word, True) for block in prose.blocks for word in block.split()]
        for word, block in words:
            word = word.strip("',;:()\"")
            if re.fullmatch(r"[\w-]+\.(?:c|h|py|sh|lua)", word) and not block and word not in tree.names:
                bad.append(f"{page}: no file is called {word}")
            if not re.fullmatch(r"[\w.-]+(?:/[\w.*{},-]+)+/?", word) or word.startswith(MADE):
                continue
            if re.match(r"[A-Z]+/", word) or (block and word.split("/")[0] not in tree.tops):
                continue
            bad += [f"{page}: there is no {one}" for one in expanded(word)
                    if not is_there(tree, one) and one.partition("/")[2] not in ("onramp.h", "onramp_wire.h")]
    return bad


def functions(tree, pages):
    """Every `name()` is a function; every `name()` (`path`) is defined or declared there."""
    bad = []
    for page, prose in pages.items():
        bad += [f"{page}: {name}() is nowhere" for span in prose.spans() for name in re.findall(r"^(\w+)\(\)$", span)
                if name not in tree.functions]
        for name, path in re.findall(r"`(\w+)\(\)`\s+\(`([^`]+)`\)", prose.text):
            told = rf"^(?:[^\s#/*].*?)?\b{name}\(|^ *def {name}\("
            if path not in tree.paths or not re.search(told, read(path), re.M):
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


def is_command(names, words):
    """Do the words begin with a command, or are they the beginning of one?"""
    for name in names:
        parts = name.split()
        # What is shown where nothing is said.
        if words[:len(parts)] == parts or parts[:len(words)] == words or parts[:-1] == words and parts[-1] == "show":
            return True
    return False


def commands(tree, pages):
    """Every command of ours that is named is one."""
    bad = []
    for page, prose in pages.items():
        for words in prose.commands():
            program, rest = words[0], [word for word in words[1:] if not word.startswith("-") and "=" not in word]
            if program not in tree.known or not rest or rest[0].isupper() or "-C" in words:
                continue
            if words[:2] == ["lab/run", "help"]:
                rest = rest[1:] or ["help"]
            if program in ("make", "selftests/check"):
                bad += [f"{page}: {program} has no {word}" for word in rest
                        if word not in (*tree.known[program], *KERNEL) and not re.search(r"[A-Z.()]", word)]
            elif not is_command(tree.known[program], rest):
                bad.append(f"{page}: {program} has no {' '.join(rest)}")
    return bad


def tc_lines(tree, pages):
    """What a page tells tc of our qdiscs, the plugin takes."""
    bad = []
    for page, prose in pages.items():
        for words in prose.commands():
            line = " ".join(words)
            match = re.match(r"tc qdisc (?:add|replace|change) dev \S+ .*?\b(ecnsharp|onramp)\b(.*)|"
                             r"(onramp)-mq \w+\d(.*)", line)
            if not match:
                continue
            kind = {"ecnsharp": ECNSHARP, "onramp": ONRAMP}[match[1] or match[3]]
            said = tree.facts[kind].plugin.parse(match[2] or match[4] or "")
            if not isinstance(said, dict):
                bad.append(f"{page}: {line}: {said}")
    return bad


def extent(facts, params):
    """Default and range of an option, as a page has them."""
    word, first = facts.plugin.word, params[0]
    defaults = [word(p, p.default) for p in params if p.default is not None]
    if first.crumbs:
        told = "0 to 2"
    elif first.words:
        told = ", ".join(first.words.values())
    else:
        told = " or ".join(dict.fromkeys(f"{word(p, p.least)} to {word(p, p.most)}" for p in params))
    return " ".join(defaults) or "none", told


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
    """{name: (default, range)}; of two words for one parameter one has the row."""
    if page == KEYS:
        return tree.keys
    facts = tree.facts[OPTIONS[page]]
    seconds = {word for p in facts.params if p.alone for word in p.words.values()
               if word != facts.plugin.word(p, p.default)}
    return {name: extent(facts, params) for name, params in facts.names.items() if name not in seconds}


def options(tree, pages):
    """Every option has a row, with the default and range of the table and a unit that fits its name in the code."""
    bad = []
    for page in (*OPTIONS, KEYS):
        wanted = wanted_options(tree, page)
        found = rows(pages[page], "key" if page == KEYS else "option")
        bad += differ(f"{page}: row", wanted, found)
        for name in sorted(set(wanted) & set(found)):
            code, unit, *told = found[name]
            if tuple(told) != tuple(wanted[name]):
                bad.append(f"{page}: {name} has {told}, the sources {wanted[name]}")
            if code not in tree.words:
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
                bad += [f"{page}: {name} is told twice" for name in set(found) if found.count(name) > 1]
        if not any(head[0] == "counter" for head, _ in pages[page].tables):
            bad.append(f"{page}: no table of counters")
    return bad


def cell(table, row, column):
    """Of a table of docs/results that is known by its first head, maybe below a heading."""
    path, first = table
    page, _, heading = path.partition("#")
    text = read(page)
    for head, body in Prose(text.partition(f"# {heading}\n")[2] if heading else text).tables:
        found = [cells for cells in body if head[0] == first and cells[0] == row]
        if found:
            return found[0][column]
    raise Broken(f"{path}: no table by {first} has a row {row}")


def number(table, place):
    """The first that stands in a cell, what follows from several, or what the page says elsewhere."""
    if isinstance(place, str):
        match = re.search(place, read(table[0].partition("#")[0]))
        if not match:
            raise Broken(f"{table[0]} does not say '{place}' any more")
        return float(match[1])
    if callable(place[0]):
        return place[0](*(number(table, each) for each in place[1:]))
    return float(re.search(r"-?\d+(?:\.\d+)?", cell(table, *place))[0])


def quoted(text, pattern):
    """Where a page quotes, however its lines are broken."""
    return re.search(pattern.replace(" ", r"\s+"), text, re.DOTALL)


def quotes(_, pages):
    """Numbers that are quoted from docs/results are those that stand there."""
    bad = []
    for page, pattern, table, places in QUOTES:
        # Of a man page, too.
        match = quoted(pages[page].text if page in pages else read(page), pattern)
        if not match:
            bad.append(f"{page} does not say '{pattern}' any more")
            continue
        for told, place in zip(match.groups(), places, strict=True):
            wanted = rounded(number(table, place), told)
            if told != wanted:
                bad.append(f"{page}: {told} in '{' '.join(match[0].split())}', {table[0]} has {wanted}")
    return bad


def again(_, pages):
    """What README.md has to run in the lab is what docs/results has for the same number."""
    results = "".join(read(os.path.relpath(path, ROOT)) for path in glob.glob(os.path.join(ROOT, "docs/results/*.md")))
    return [f"README.md: docs/results has no '{span}'" for span in pages["README.md"].spans()
            if re.match(r"lab/run .*=", span) and not re.search(re.escape(span) + r"(?:`| --seed|\n)", results)]


def renewed(page, text):
    """The page with the numbers that stand in docs/results where it quotes them."""
    for _, pattern, table, places in (quote for quote in QUOTES if quote[0] == page):
        match = quoted(text, pattern)
        if not match:
            raise Broken(f"{page} does not say '{pattern}' any more")
        # From the end, so that what is before stays where it is.
        for group, place in reversed(list(enumerate(places, 1))):
            text = text[:match.start(group)] + rounded(number(table, place), match[group]) + text[match.end(group):]
    return text


def write():
    """Renew the pages that quote; says which changed."""
    for page in dict.fromkeys(page for page, *_ in QUOTES):
        text = read(page)
        fresh = renewed(page, text)
        if fresh != text:
            with open(os.path.join(ROOT, page), "w", encoding="utf-8") as file:
                file.write(fresh)
            print(page)


def tests(tree, pages):
    """What docs/security.md has in quotation marks is the name of a test, or of a part of it; the index says that not all has one."""
    text, made = tree.tests
    quoted = re.findall(r'"([^"]+)"', " ".join(pages[SECURITY].text.split()))
    bad = [f"{SECURITY}: no test is called '{name}'" for name in quoted
           if name not in NO_TESTS and name.replace("_", " ") not in text and not any(re.fullmatch(pattern, name) for pattern in made)]
    untested = re.search(r"\b(?:no test|not (?:measured|tested))\b", " ".join(pages[SECURITY].text.split()))
    told = re.search(r"\(security\.md\):[^*]*says\s+what\s+is\s+not\.", pages[INDEX].text)
    bad += [] if bool(untested) == bool(told) else [f"{INDEX} and {SECURITY} do not agree on whether all is tested"]
    return bad + ([] if len(quoted) > 20 else [f"{SECURITY} names {len(quoted)} tests"])


def claims(text):
    """Each bullet, row of a table and paragraph with something in bold."""
    found = []
    for block in re.split(r"\n\s*\n", text):
        lines = block.strip().split("\n")
        listed = next((i for i, line in enumerate(lines) if re.match(r" ?- |\|", line)), len(lines))
        told = " ".join(lines[:listed])
        if listed < len(lines):
            rows = re.split(r"\n(?= ?- )", "\n".join(lines[listed:])) if not lines[listed].startswith("|") else \
                [line for line in lines[listed + 1:] if not re.fullmatch(r"[|: -]+", line)]
            found += [" ".join(row.split()) for row in rows]
        if "**" in told:
            found.append(told)
    return found


def named(_, pages):
    """Each claim of docs/security.md names a test, or says that it has none."""
    test = rf'"(?!(?:{"|".join(NO_TESTS)})")[^"]+"|\b\w+_test\b|selftests/|\b[\w/]+/test/|\bno test\b|\bnot (?:measured|tested)\b'
    lacks = [claim for claim in claims(pages[SECURITY].text) if not re.search(test, claim)]
    return [f"{SECURITY}: no test is named with: {claim[:100]}" for claim in lacks]


def things(tree, pages):
    """What pages for operators have in code and what looks like a counter, finding or option is one; of a table, each word."""
    bad = []
    for page in OPERATORS:
        cells = " ".join(cell for _, rows in pages[page].tables for row in rows for cell in row)
        words = {span for span in pages[page].spans() if re.fullmatch(r"[a-z0-9]+(?:[_-][a-z0-9]+)+", span)} | set(re.findall(r"`([a-z]+)`", cells))
        bad += [f"{page}: nothing is called {word}" for word in sorted(words)
                if word not in tree.things and word not in NOT_OURS and not re.match(METRIC, word)]
        bad += [f"{page}: {word} is no metric" for span in pages[page].spans() for word in re.findall(METRIC, re.sub(r'"[^"]*"', "", span))
                if word not in tree.things and not is_metric(tree, word)]
    return bad


def is_metric(tree, word):
    """Does onramp-metrics print that? It makes names of what is counted or shown, with seconds as their unit."""
    name = re.sub(r"^(?:ecnsharp_qdisc|onramp_qdisc|onramp_acker|onramp_path|onramp_phc|onramp_clock|huygens_tracking|huygens_peer|onramp)_(?:options_)?", "", word)
    name, counts = re.subn(r"_total$", "", name)
    counted = set().union(*tree.counted.values())
    if counts:
        return bool({name, *(name.replace("_seconds", unit) for unit in ("_ns", "_us"))} & counted)
    return word in re.findall(r'"(\w+)"', read("tc-plugins/onramp-metrics")) or f'"{name}"' in tree.code


def watched(tree, pages):
    """In a table of what to watch and where, each counter is shown there."""
    bad, found = [], 0
    for page in OPERATORS:
        for head, rows in pages[page].tables:
            if head[:2] != ["what", "where"]:
                continue
            places = []
            for what, where, *_ in rows:
                places = [span for span in re.findall(r"`([^`]+)`", where) if span in tree.counted] if where != "the same" else places
                found += len(places)
                bad += [f"{page}: `{place}` does not show {word}" for place in places for word in re.findall(r"`(\w+)`", what)
                        if word not in tree.counted[place]]
    return bad + ([] if found > 10 else [f"{OPERATORS}: {found} places to watch"])


def index(_, pages):
    """Every page is in the index."""
    linked = {os.path.normpath(os.path.join("docs", link)) for link in pages[INDEX].links()}
    return [f"{INDEX} does not name {page}" for page in pages if page not in linked | {INDEX}]


CHECKS = (
    ("index", index),
    ("paths", paths),
    ("functions", functions),
    ("links", links),
    ("commands", commands),
    ("tc", tc_lines),
    ("options", options),
    ("counters", counters),
    ("quotes", quotes),
    ("again", again),
    ("tests", tests),
    ("named", named),
    ("things", things),
    ("watched", watched),
)

def check(tree, pages, only=None):
    """{name of a check: complaints}; with only, just that one."""
    found = {}
    for name, function in CHECKS:
        if only in (None, name):
            try:
                found[name] = function(tree, pages)
            except Broken as why:
                found[name] = [str(why)]
    return found


def prove(tap, tree, texts, pages):
    """Each mutant must be noticed by the check that is named with it, and each check by some mutant."""
    for page, pattern, replacement, noticed_by in MUTANTS:
        name = f"'{noticed_by}' notices in {page}: {pattern}"
        text = texts.get(page) or read(page)
        altered, times = re.subn(pattern, replacement.replace("\\", r"\\"), text, count=1)
        if not times or altered == text:
            tap.ok(False, name, ["the pattern matches nothing"])
            continue
        before = check(tree, pages, noticed_by)[noticed_by]
        after = check(tree, {**pages, page: Prose(altered)}, noticed_by)[noticed_by]
        fresh = [complaint for complaint in after if complaint not in before]
        tap.ok(bool(fresh), name, fresh[:1])
        # What the page says no more nobody can put right.
        if noticed_by == "quotes" and "does not say" not in "".join(fresh):
            tap.ok(renewed(page, altered) == text, f"--write would mend it: {replacement}")
    for words in (["--writ"], ["--write", "README.md"]):
        done = subprocess.run([sys.executable, os.path.abspath(__file__), *words], capture_output=True, text=True, check=False)
        tap.ok(done.returncode == 2 and words[-1] in done.stderr and not done.stdout, f"refused: {words}", [done.stderr])
    tap.ok({name for name, _ in CHECKS} == {mutant[3] for mutant in MUTANTS}, "every check has a mutant")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    arguments.add_argument("--write", action="store_true", help="renew the numbers that pages quote; tests nothing")
    if arguments.parse_args().write:
        try:
            return write()
        except Broken as why:
            print(why, file=sys.stderr)
            return 1
    below = sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "docs/*.md")))
    texts = {path: read(path) for path in ("README.md", "CONTRIBUTING.md", *below)}
    pages = {path: Prose(text) for path, text in texts.items()}
    tap = Tap()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            tree = Tree(scratch)
        except Broken as why:
            tap.ok(False, "the sources can be read", [str(why)])
            return tap.done()
        for name, complaints in check(tree, pages).items():
            tap.ok(not complaints, name, complaints)
        prove(tap, tree, texts, pages)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
