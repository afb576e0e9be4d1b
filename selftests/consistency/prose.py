# SPDX-License-Identifier: GPL-2.0
"""A page of Markdown: what it names in code, where it links to, and its tables."""

import re
import unicodedata

FENCE = re.compile(r"^(```|~~~)")


def _cells(line):
    """The cells of a table's row."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def slug(heading):
    """A heading's anchor: letters, digits, "-" and "_" of it, in lower case."""
    kept = (c for c in heading.strip().lower() if c in " -_" or unicodedata.category(c)[0] in "LN")
    return "".join(kept).replace(" ", "-")


class Prose:
    """blocks: lines of code that stand alone; text: the rest; tables: (cells of the head, rows of cells)"""

    def __init__(self, page):
        self.blocks = []
        text = []
        fenced, stands = False, True
        for line in page.splitlines():
            if FENCE.match(line):
                fenced = not fenced
            elif fenced or (stands and line.startswith("    ")):
                self.blocks.append(line.strip())
            else:
                text.append(line)
                stands = not line
        self.text = "\n".join(text)
        self.tables = list(self._tables(text))

    @staticmethod
    def _tables(lines):
        head = rows = None
        for line in [*lines, ""]:
            if not line.startswith("|"):
                if head:
                    yield head, rows
                head = None
            elif head is None:
                head, rows = _cells(line), []
            elif not re.fullmatch(r"[|: -]+", line):
                rows.append(_cells(line))

    def spans(self):
        """Code in the text."""
        return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", self.text)]

    def commands(self):
        """[token] of each command in the code, without its comment and its prompt."""
        for line in [re.sub(r"(?:^|\s)#.*", "", block) for block in self.blocks] + self.spans():
            for part in re.split(r"\s*(?:;|&&|\|\|?)\s+", line):
                tokens = part.split()
                while tokens and (tokens[0] in ("sudo", "do", "nice", "$") or re.match(r"\w+=", tokens[0])):
                    del tokens[0]
                if tokens:
                    yield tokens

    def links(self):
        """Where it links to."""
        return re.findall(r"\]\(([^)\s]+)\)", self.text)

    def anchors(self):
        """Anchors of its headings."""
        return {slug(re.sub(r"[`*]", "", heading)) for heading in re.findall(r"^#+ (.*)", self.text, re.M)}
