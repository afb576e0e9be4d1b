# SPDX-License-Identifier: GPL-2.0
"""The description of a qdisc's options and statistics in YAML, made of its uapi header: as in Documentation/netlink/specs/tc.yaml."""

import re

WIDTHS = {"__u8": "u8", "__u32": "u32", "__u64": "u64", "__s64": "s64"}


def _comments(text):
    """{name: its description} of each member that a kernel-doc comment describes."""
    found = {}
    for comment in re.findall(r"/\*\*\n(.*?)\*/", text, re.S):
        lines = re.sub(r"^ \* ?", "", comment, flags=re.M)
        for name, words in re.findall(r"^@(\w+): (.*?)(?=^@|\Z)", lines, re.M | re.S):
            found[name] = " ".join(words.split())
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
    return "".join(f"{indent}  {text}\n" for text in (f"{indent[:0]}{line}" for line in (*lines, line)))


def _described(words, indent):
    words = words[:1].upper() + words[1:]
    return f"{indent}doc: >-\n{_doc(words, indent)}"


class Header:
    """What a uapi header of a qdisc says."""

    def __init__(self, name, text):
        self.name = name
        self.text = text
        self.comments = _comments(text)

    def enums(self):
        """Definitions of the values of options."""
        out = ""
        for enum, body in re.findall(rf"^enum tc_{self.name}_(\w+) {{\n(.*?)^}};", self.text, re.M | re.S):
            prefix = f"TC_{self.name}_{enum}_".upper()
            entries = [_plain(value.removeprefix(prefix)) for value in re.findall(r"^\t([A-Z]\w+)", body, re.M)]
            out += f"  -\n    name: {self.name}-{_plain(enum)}\n    type: enum\n    entries: [{', '.join(entries)}]\n"
        return out

    def statistics(self):
        """Definition of the struct of statistics."""
        struct = f"tc_{self.name}_xstats"
        body = re.search(rf"^struct {struct} {{\n(.*?)^}};", self.text, re.M | re.S)[1]
        out = f"  -\n    name: {_plain(struct)}\n    type: struct\n    members:\n"
        for kind, member in re.findall(r"^\t(\w+)\t(\w+);", body, re.M):
            out += f"      -\n        name: {_plain(member)}\n        type: {WIDTHS[kind]}\n{_described(self.comments[member], ' ' * 8)}"
        return out

    def attributes(self):
        """The set of attributes, in the order of their numbers."""
        prefix = f"TCA_{self.name}_".upper()
        body = re.search(rf"^enum tca_{self.name} {{\n(.*?)^}};", self.text, re.M | re.S)[1]
        out = f"  -\n    name: {self.name}-attrs\n    name-prefix: tca-{self.name}-\n    attributes:\n"
        for attribute in re.findall(r"^\t([A-Z]\w+),", body, re.M)[1:]:
            out += self._attribute(attribute, _plain(attribute.removeprefix(prefix)))
        return out

    def _attribute(self, attribute, name):
        kind, _, words = self.comments[attribute].partition(", ")
        if name == "pad":
            return "      -\n        name: pad\n        type: pad\n"
        out = f"      -\n        name: {name}\n        type: {kind}\n"
        if kind == "nest":
            out += f"        nested-attributes: {self.name}-attrs\n"
        enum = re.search(rf"\benum tc_{self.name}_(\w+)(?:, )?", words)
        if enum:
            out += f"        enum: {self.name}-{_plain(enum[1])}\n"
            words = f"one of {enum[1]}"
        return out + _described(words, " " * 8)


def insert(text, before, more):
    """Put lines before the one place of others."""
    if text.count(before) != 1:
        raise ValueError(f"tc.yaml has {text.count(before)} places {before.split()[-1]}, and not one")
    return text.replace(before, more + before)


def extended(text, name, header):
    """tc.yaml with one qdisc more, in its places by name."""
    made = Header(name, header)
    text = insert(text, "  -\n    name: tc-stats\n", made.enums())
    text = insert(text, "  -\n    name: tc-fq-qd-stats\n", made.statistics())
    text = insert(text, "  -\n    name: ematch-attrs\n", made.attributes())
    text = insert(text, "      -\n        value: etf\n        attribute-set: etf-attrs\n",
                  f"      -\n        value: {name}\n        attribute-set: {name}-attrs\n")
    return insert(text, "      -\n        value: fq\n        fixed-header: tc-fq-qd-stats\n",
                  f"      -\n        value: {name}\n        fixed-header: tc-{name}-xstats\n")
