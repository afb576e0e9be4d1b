# SPDX-License-Identifier: GPL-2.0
"""The description in YAML of a qdisc's options and statistics, made of its uapi header and its table of parameters."""

import os
import re
import subprocess

from . import adapt

WIDTHS = {"__u8": "u8", "__u32": "u32", "__u64": "u64", "__s64": "s64"}
# How an array of bytes is shown, by its length; an IPv4 address is mapped.
SHOWN = {8: "hex", 16: "ipv6"}
# Of the first bucket of a distribution of delays; each bound is twice that before.
FIRST_BOUND_NS = 1024


def _comments(text):
    """{name: its description} of each member that a kernel-doc comment describes."""
    found = {}
    for comment in re.findall(r"/\*\*\n(.*?)\*/", text, re.S):
        struct = re.match(r" \* (?:struct|enum) (\w+)", comment)
        lines = re.sub(r"^ \* ?", "", comment, flags=re.M)
        for name, words in re.findall(r"^@(\w+): (.*?)(?=^@|\Z)", lines, re.M | re.S):
            found[struct and struct[1], name] = " ".join(words.split())
    return found


def _plain(name):
    return name.lower().replace("_", "-")


def _doc(words, indent):
    """Lines of a description; folded, because it may have colons."""
    lines, line = [], ""
    for word in words.split():
        if line and len(indent) + 2 + len(line) + len(word) > 78:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "".join(f"{indent}  {text}\n" for text in (*lines, line))


def described(words, indent):
    """A doc entry, or nothing."""
    return f"{indent}doc: >-\n{_doc(words[:1].upper() + words[1:], indent)}" if words else ""


class Row:
    """A parameter of the table: its range, and the names of its values."""

    def __init__(self, bits, least, most, unit):
        self.least, self.most = int(least), int(most)
        self.type = f"{'s' if self.least < 0 else 'u'}{bits}"
        names = unit[1:-1].split(", ") if unit.startswith("(") and "," in unit else []
        # In YAML off is a number of logic.
        self.names = [] if names == ["off", "on"] else ['"off"' if name == "off" else name for name in names]

    def checks(self, indent):
        """Its range; the schema has no number below 0."""
        ends = [f"{indent}  min: {self.least}\n"] * (self.least > 0) + [f"{indent}  max: {self.most}\n"] * (self.most < (1 << int(self.type[1:])) - 1)
        return f"{indent}checks:\n{''.join(ends)}" if ends and not self.names else ""


def rows(name):
    """{ID of a parameter: its Row}, of the table as the C preprocessor expands it."""
    folder = os.path.join(adapt.ROOT, "kernel/algo")
    text = subprocess.run(["cc", "-E", "-P", "-I", folder, "-"], input=f'#include "{name}_params.h"\n@@ {name.upper()}_PARAMETERS(ROW)\n', check=True,
                          capture_output=True, text=True).stdout.partition("@@")[2]
    found = re.findall(r'ROW\((\w+), "\w+", (\d+), (-?\d+), (\d+),(?: -?\d+,)? "([^"]*)"\)', text)
    if len(found) != text.count("ROW("):
        raise ValueError(f"{name}_params.h has a row of another form")
    return {parameter: Row(*row) for parameter, *row in found}


class Header:
    """The interface of a qdisc."""

    def __init__(self, name):
        self.name = name
        self.text = adapt.source(f"kernel/include/uapi/linux/pkt_sch_{name}.h")
        self.comments = _comments(self.text)
        self.rows = rows(name)

    def enums(self):
        """Definitions of the values of options that have names."""
        out = ""
        for parameter, row in self.rows.items():
            if row.names:
                first = f"    value-start: {row.least}\n" * (row.least > 0)
                out += f"  -\n    name: {self.name}-{_plain(parameter)}\n    type: enum\n{first}    entries: [{', '.join(row.names)}]\n"
        return out

    def statistics(self, of=""):
        """Definition of the struct of statistics, or of those of a class."""
        struct = f"tc_{self.name}_{of}xstats"
        body = re.search(rf"^struct {struct} {{\n(.*?)^}};", self.text, re.M | re.S)
        if not body:
            return ""
        out = f"  -\n    name: {_plain(struct)}\n    type: struct\n    members:\n"
        for kind, member, length in re.findall(r"^\t(\w+)\t(\w+)(?:\[(\w+)\])?;", body[1], re.M):
            width = self._array(length) if length else WIDTHS[kind]
            out += f"      -\n        name: {_plain(member)}\n        type: {width}\n{described(self.comments[struct, member], ' ' * 8)}"
        return out

    def _array(self, length):
        """The type of a member that is an array: a distribution of delays, or bytes."""
        if length.endswith("_HIST_BUCKETS"):
            return f"binary\n        struct: tc-{self.name}-hist"
        return f"binary\n        len: {length}\n        display-hint: {SHOWN[int(length)]}"

    def distribution(self):
        """Definition of a distribution of delays, a member for each bucket; nothing if the qdisc has none."""
        buckets = re.search(rf"^#define TC_{self.name.upper()}_HIST_BUCKETS\t+(\d+)$", self.text, re.M)
        if not buckets:
            return ""
        names = [f"up-to-{FIRST_BOUND_NS << i}ns" for i in range(int(buckets[1]) - 1)] + ["longer"]
        return f"  -\n    name: tc-{self.name}-hist\n    type: struct\n    members:\n" + "".join(
            f"      -\n        name: {name}\n        type: u64\n" for name in names)

    def attributes(self, ranges=False):
        """The set of attributes, in the order of their numbers; with the ranges of their values if so asked."""
        prefix = f"TCA_{self.name}_".upper()
        body = re.search(rf"^enum tca_{self.name} {{\n(.*?)^}};", self.text, re.M | re.S)[1]
        out = f"  -\n    name: {self.name}-attrs\n    name-prefix: tca-{self.name}-\n    attributes:\n"
        for attribute in re.findall(r"^\t([A-Z]\w+),", body, re.M)[1:]:
            out += self._attribute(attribute.removeprefix(prefix), self.comments[f"tca_{self.name}", attribute], ranges)
        return out

    def _attribute(self, parameter, comment, ranges):
        if parameter == "PAD":
            return "      -\n        name: pad\n        type: pad\n"
        kind, _, words = comment.partition(", ")
        row = self.rows.get(parameter)
        out = f"      -\n        name: {_plain(parameter)}\n        type: {row.type if row else kind}\n"
        if kind == "nest":
            out += f"        nested-attributes: {self.name}-attrs\n"
        if row and row.names:
            out += f"        enum: {self.name}-{_plain(parameter)}\n"
            words = re.sub(r"^enum \w+(?:[,;] )?", "", words)
        if row and ranges:
            out += row.checks(" " * 8)
        return out + described(words, " " * 8)


def insert(text, before, more):
    """Put lines before the one place of others."""
    if text.count(before) != 1:
        raise ValueError(f"tc.yaml has {text.count(before)} places {before.split()[-1]}, and not one")
    return text.replace(before, more + before)


def extended(text, name):
    """tc.yaml with one qdisc more, in its places by name."""
    made = Header(name)
    text = insert(text, "  -\n    name: tc-stats\n", made.enums())
    text = insert(text, "  -\n    name: tc-fq-qd-stats\n", made.distribution() + made.statistics())
    text = insert(text, "  -\n    name: ematch-attrs\n", made.attributes())
    text = insert(text, "      -\n        value: etf\n        attribute-set: etf-attrs\n",
                  f"      -\n        value: {name}\n        attribute-set: {name}-attrs\n")
    return insert(text, "      -\n        value: fq\n        fixed-header: tc-fq-qd-stats\n",
                  f"      -\n        value: {name}\n        fixed-header: tc-{name}-xstats\n")
