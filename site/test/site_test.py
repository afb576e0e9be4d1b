#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""make site: links and anchors of all pages lead to what is there, by paths that a browser follows from a folder. TAP."""

import html.parser
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), os.path.dirname(HERE)]
# pylint: disable=wrong-import-position
import links
from tap import Tap

# Attributes that a browser loads or follows.
FOLLOWED = {"href", "src", "srcset", "data", "action", "poster"}
OUTSIDE = ("https:", "http:", "mailto:")


class Page(html.parser.HTMLParser):
    """Identifiers, links and elements of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.count = set(), [], [], {}
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attrs:
            if name in ("id", "name"):
                self.ids.add(value)
            elif name in FOLLOWED or name.endswith(":href"):
                (self.links if tag == "a" else self.loads).append(value)


def pages(site):
    """{path below the site: Page}"""
    found = {}
    for at, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(at, name)
                found[os.path.relpath(path, site)] = Page(path)
    return found


def lost(site):
    """Links that lead nowhere, and what is loaded from elsewhere."""
    made, bad = pages(site), []
    for path, page in made.items():
        for link in page.links + page.loads:
            if link.startswith(OUTSIDE):
                bad += [f"{path} loads {link}"] * (link in page.loads)
                continue
            name, _, anchor = link.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if os.path.isabs(name) or not os.path.isfile(os.path.join(site, to)):
                bad.append(f"{path}: {link}")
            elif anchor and to in made and anchor not in made[to].ids:
                bad.append(f"{path}: {link} has no such anchor")
    return bad


def build(*arguments):
    """Make a site; return (status, output)."""
    done = subprocess.run([os.path.join(ROOT, "site/build"), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.returncode, done.stdout


def places(tap):
    """Places of files, and links between them."""
    tree = links.Tree({"README.md", "docs/a.md", "docs/README.md", "docs/r/a.md", "docs/r/a.html", "src/x.c"})
    for path, wanted in (("README.md", "index.html"), ("docs/README.md", "docs/index.html"), ("docs/a.md", "docs/a.html"),
                         ("docs/r/a.html", "docs/r/a-figures.html"), ("src/x.c", "src/x.c.txt")):
        tap.ok(f"{path} is {wanted}", links.place(path) == wanted, links.place(path))
    for page, link, wanted in (("docs/a.md", "../README.md#x", ("README.md", "x")), ("docs/a.md", "r", ("docs/r", "")), ("docs/a.md", "#y", ("docs/a.md", "y")),
                               ("README.md", "docs", ("docs", "")), ("README.md", "https://x.example/", (None, ""))):
        tap.ok(f"{link} of {page} leads to {wanted[0] or 'the outside'}", links.target(tree, page, link) == wanted)
    for page, link in (("README.md", "docs/b.md"), ("docs/a.md", "README"), ("docs/a.md", "../../etc"), ("docs/a.md", "/etc/passwd")):
        try:
            tap.ok(f"{link} of {page} leads nowhere", False, links.target(tree, page, link))
        except links.Broken as why:
            tap.ok(f"{link} of {page} leads nowhere", page in str(why) and link in str(why), why)
    text = links.rewritten(tree, "docs/a.md", '<a href="r/a.html">r</a> <a href="../src/x.c">x</a> <a href="README.md#n">n</a>', set())
    tap.ok("links are relative", text == '<a href="r/a-figures.html">r</a> <a href="../src/x.c.txt">x</a> <a href="index.html#n">n</a>', text)


def whole(tap, scratch):
    """The site of this tree."""
    site = os.path.join(scratch, "site")
    status, output = build(site)
    if not tap.ok("the site is made", not status and not output, output):
        return
    made = pages(site)
    documents = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    missing = [path for path in documents if links.place(path) not in made]
    tap.ok("each document is a page", len(documents) > 100 and not missing, missing)
    tap.ok("all links and anchors lead to what is there, and nothing is loaded from elsewhere", not lost(site), "\n".join(lost(site)[:40]))
    figures = {path: page.count.get("svg", 0) for path, page in made.items() if path.endswith("-figures.html")}
    tap.ok("pages of figures have them inside", len(figures) > 5 and all(figures.values()), figures)
    linked = {os.path.normpath(os.path.join("docs/results", link)) for path, page in made.items() if os.path.dirname(path) == "docs/results" for link in page.links}
    tap.ok("and a page leads to each", set(figures) <= linked, set(figures) - linked)
    tap.ok("no page has a script", not [path for path, page in made.items() if page.count.get("script")])
    wrong = os.path.join(site, "docs/tuning.html")
    with open(wrong, "a", encoding="utf-8") as file:
        file.write('<a href="nowhere.html">a</a> <a href="#nowhere">b</a> <a href="/docs/tuning.html">c</a> <img src="https://x.example/y.png">')
    tap.ok("four wrong links would be noticed", len(lost(site)) == 4, lost(site))
    status, output = build(site)
    tap.ok("a site that was made here is made again", not status and not lost(site), output)


def refused(tap, scratch):
    """Sites that are refused: of a tree with a broken link, and in a folder that was not made here."""
    tree, site = os.path.join(scratch, "tree"), os.path.join(scratch, "none")
    os.makedirs(f"{tree}/docs")
    for path, text in (("README.md", "# A\n\n[b](docs/nowhere.md)\n"), ("docs/README.md", "# B\n\nTo use it:\n\n* [../README.md](../README.md): a.\n")):
        with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
            file.write(text)
    status, output = build("--root", tree, site)
    tap.ok("a tree without git is refused", status == 1 and tree in output and not os.path.exists(site), output)
    subprocess.run("git init -q && git add .", shell=True, cwd=tree, check=True)
    status, output = build("--root", tree, site)
    tap.ok("a broken link is named, and nothing is written", status == 1 and "README.md: docs/nowhere.md is not there" in output and
           sorted(os.listdir(scratch)) == ["site", "tree"], (output, os.listdir(scratch)))
    os.makedirs(site)
    with open(os.path.join(site, "mine"), "w", encoding="ascii"):
        pass
    status, output = build(site)
    tap.ok("a folder of someone else's is left alone", status == 1 and "in the way" in output and os.listdir(site) == ["mine"], output)
    tap.ok("without a folder the usage is wrong", build()[0] == 2)


def main():
    tap = Tap()
    places(tap)
    if not shutil.which("pandoc"):
        tap.skip("the site", "no pandoc: make deps")
    else:
        with tempfile.TemporaryDirectory(prefix="site-") as scratch:
            whole(tap, scratch)
            refused(tap, scratch)
    tap.end()


if __name__ == "__main__":
    main()
