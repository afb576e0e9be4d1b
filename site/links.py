# SPDX-License-Identifier: GPL-2.0
"""Where a link of a page leads on the site: a path of the tree becomes a file of the site. No side effects."""

import os
import posixpath
import re


class Broken(Exception):
    """A link leads nowhere; the text says from where and to what."""


class Tree:
    """The files and folders that links may lead to."""

    def __init__(self, files):
        self.files = frozenset(files)
        self.folders = frozenset(path[:i] for path in self.files for i, c in enumerate(path) if c == "/")

    def pages(self):
        """All documents, sorted."""
        return sorted(path for path in self.files if path.endswith(".md"))

    def below(self, folder):
        """The files directly in a folder, and its folders, sorted."""
        inside = [path[len(folder) + 1:] for path in self.files if path.startswith(f"{folder}/")]
        return sorted({name.partition("/")[0] for name in inside})


def place(path):
    """The site's file for a file of the tree.

    A README is the first page of its folder. Pages with figures have the name of a document; other files are shown as text.
    """
    folder, name = posixpath.split(path)
    if name == "README.md":
        return posixpath.join(folder, "index.html")
    stem, suffix = posixpath.splitext(path)
    return stem + {".md": ".html", ".html": "-figures.html"}.get(suffix, f"{suffix}.txt")


def target(tree, page, link):
    """(the path in the tree that a link of a page leads to, its anchor); (None, "") if it leads out; Broken if nowhere."""
    if re.match(r"[a-z]+:", link):
        return None, ""
    name, _, anchor = link.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), name)) if name else page
    if path not in tree.files and path not in tree.folders:
        raise Broken(f"{page}: {link} is not there")
    return path, anchor


def location(tree, path):
    """The site's file for a file or a folder of the tree."""
    if path in tree.files:
        return place(path)
    readme = posixpath.join(path, "README.md")
    return place(readme) if readme in tree.files else posixpath.join(path, "index.html")


def relative(page, to):
    """A link from a file of the site to another."""
    return os.path.relpath(to, posixpath.dirname(page) or ".")


def rewritten(tree, page, html, seen):
    """A page's HTML with links of the site; what they lead to in the tree is added to a set."""
    def link(found):
        path, anchor = target(tree, page, found[2])
        if path is None:
            return found[0]
        seen.add(path)
        to = relative(place(page), location(tree, path)) if path != page or not anchor else ""
        return f'{found[1]}="{to}{"#" if anchor else ""}{anchor}"'
    return re.sub(r'\b(href|src)="([^"]+)"', link, html)
