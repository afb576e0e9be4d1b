# SPDX-License-Identifier: GPL-2.0
"""A man page's sections and tagged paragraphs, as plain text."""

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
