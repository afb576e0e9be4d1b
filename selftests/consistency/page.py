# SPDX-License-Identifier: GPL-2.0
"""A man page's sections, tagged paragraphs and examples, as plain text."""

import re
import shlex

FONTS = re.compile(r"^\.(?:B|I|BR|RB|BI|IB|IR|RI)\s+(.*)")


def _plain(line):
    """A source line without its macro; arguments of the alternating ones join without blanks."""
    match = FONTS.match(line)
    if match:
        line = ("" if line[2] != " " else " ").join(shlex.split(match.group(1)))
    elif line.startswith("."):
        return ""
    return re.sub(r"\\f[A-Z]", "", line).replace("\\-", "-").replace("\\e", "\\")


class Page:
    """sections: {heading: [source line]}"""

    def __init__(self, text):
        self.sections = {}
        lines = []
        for line in text.splitlines():
            if line.startswith(".SH "):
                lines = self.sections.setdefault(line[4:].strip('"'), [])
            else:
                lines.append(line)

    def text(self, heading):
        """A section as plain text; empty if there is none."""
        return "\n".join(_plain(line) for line in self.sections.get(heading, []))

    def entries(self, heading):
        """{tag: [plain line]} of the .TP paragraphs of a section."""
        entries = {}
        lines = iter(self.sections.get(heading, []))
        body = []
        for line in lines:
            if line == ".TP":
                body = entries.setdefault(_plain(next(lines, "")), [])
            elif line.startswith((".PP", ".SS")):
                body = []
            else:
                body.append(_plain(line))
        return entries

    def examples(self):
        """The blocks of the section EXAMPLES that stand as they are typed, as text."""
        blocks, inside = [], False
        for line in self.sections.get("EXAMPLES", []):
            if line in (".EX", ".nf"):
                inside = True
                blocks.append("")
            elif line in (".EE", ".fi"):
                inside = False
            elif inside and line not in (".RS", ".RE"):
                blocks[-1] += _plain(line) + "\n"
        return blocks


def commands(block, prompt="# "):
    """Commands of an example after a prompt; each a line for a shell, whole where it goes on in the next."""
    lines = re.sub(r"\s*\\\n\s*", " ", block).splitlines()
    return [line[len(prompt):] for line in lines if line.startswith(prompt)]
