# SPDX-License-Identifier: GPL-2.0
"""docs/netlink/onramp.yaml, read with no more of YAML than it uses, and messages by what it says."""

import re
import struct

SPEC = "docs/netlink/onramp.yaml"
NESTED = 0x8000
SIZES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "s32": "i", "s64": "q"}
LIMITS = {"s32-max": 2**31 - 1}
# Values that YAML 1.1 takes for true or false.
BOOLEAN = {"yes", "no", "on", "off", "true", "false", "y", "n"}


class Broken(Exception):
    """The file is not what this can read; itself a finding."""


def scalar(text):
    """The value of a scalar."""
    if text.startswith("'"):
        if not text.endswith("'") or len(text) < 2:
            raise Broken(f"a quote is not closed: {text}")
        return text[1:-1].replace("''", "'")
    if text.startswith("["):
        return [scalar(part.strip()) for part in text[1:-1].split(",")]
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if text.lower() in BOOLEAN or re.search(r": |^[{>|@`\"%&*!#]| #", text):
        raise Broken(f"not a plain scalar: {text}")
    return text


class Reader:
    """Maps and lists by indentation."""

    def __init__(self, text):
        self.lines = []
        for line in text.splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                self.lines.append((len(line) - len(line.lstrip()), line.strip()))
        self.at = 0

    def peek(self):
        """Indentation and text of the next line; (-1, "") at the end."""
        return self.lines[self.at] if self.at < len(self.lines) else (-1, "")

    def folded(self, indent):
        """The deeper lines that follow, as one."""
        parts = []
        while self.peek()[0] > indent:
            parts.append(self.peek()[1])
            self.at += 1
        return " ".join(parts)

    def value(self, indent, text):
        """Text behind a colon, or below it."""
        if text == ">-":
            return self.folded(indent)
        if text:
            return scalar(text)
        if self.peek()[0] <= indent:
            return None
        return self.node(self.peek()[0])

    def node(self, indent):
        """A map or a list whose lines have this indentation."""
        found = [] if self.peek()[1].startswith("-") else {}
        while self.peek()[0] == indent:
            line = self.peek()[1]
            self.at += 1
            if isinstance(found, list):
                if line == "-":
                    found.append(self.node(self.peek()[0]))
                else:
                    found.append(scalar(line.removeprefix("- ")))
                continue
            key, colon, rest = line.partition(":")
            if not colon or key in found:
                raise Broken(f"no key, or one that is there twice: {line}")
            found[key] = self.value(indent, rest.strip())
        if self.peek()[0] > indent:
            raise Broken(f"indentation: {self.peek()[1]}")
        return found


class Spec:
    """Commands, attributes and structures, by name and by number."""

    def __init__(self, text):
        self.tree = Reader(text).node(0)
        definitions = self.tree["definitions"]
        self.consts = {d["name"]: d["value"] for d in definitions if d["type"] == "const"}
        self.enums = {d["name"]: d for d in definitions if d["type"] == "enum"}
        self.structs = {d["name"]: d["members"] for d in definitions if d["type"] == "struct"}
        self.sets = {s["name"]: s for s in self.tree["attribute-sets"]}
        self.attributes = self.numbered(self.sets["onramp"]["attributes"])
        self.operations = self.numbered(self.tree["operations"]["list"])
        self.groups = [group["name"] for group in self.tree["mcast-groups"]["list"]]

    @staticmethod
    def numbered(entries):
        """{name: entry}, each with its number; one that is not given is the one before and 1."""
        found, value = {}, -1
        for entry in entries:
            value = entry.get("value", value + 1)
            found[entry["name"]] = {**entry, "value": value}
        return found

    def entries(self, enum):
        """{name: number} of an enum."""
        return {name: entry["value"] for name, entry in self.numbered(self.enums[enum]["entries"]).items()}

    def limit(self, attribute, which):
        """A check of an attribute as a number, or None."""
        limit = self.attributes[attribute].get("checks", {}).get(which)
        return limit if limit is None or isinstance(limit, int) else self.consts.get(limit, LIMITS.get(limit))

    def form(self, attribute):
        """The format of an integer attribute for struct.pack(); None for others."""
        entry = self.attributes[attribute]
        order = ">" if entry.get("byte-order") == "big-endian" else "="
        return order + SIZES[entry["type"]] if entry["type"] in SIZES else None

    def encode(self, values):
        """Attributes of {name: number, bytes, or for a nest another such map}."""
        out = b""
        for name, value in values.items():
            kind = self.attributes[name]["value"]
            if isinstance(value, dict):
                kind |= NESTED
                value = self.encode(value)
            elif not isinstance(value, bytes):
                value = struct.pack(self.form(name), value)
            out += struct.pack("=HH", 4 + len(value), kind) + value + bytes(-len(value) % 4)
        return out

    def decode(self, data):
        """The reverse, without nests, which no request has."""
        names = {entry["value"]: name for name, entry in self.attributes.items()}
        found = {}
        while data:
            size, kind = struct.unpack_from("=HH", data)
            name = names.get(kind, kind)
            value = data[4:size]
            form = name in self.attributes and self.form(name)
            if size < 4 or name in found or (form and struct.calcsize(form) != len(value)):
                raise Broken(f"attribute {name}, {size} bytes")
            found[name] = struct.unpack(form, value)[0] if form else value
            data = data[(size + 3) & ~3:]
        return found
