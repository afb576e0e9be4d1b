# SPDX-License-Identifier: GPL-2.0
"""Netlink requests to our qdiscs and to the generic netlink family "onramp": valid ones, each then broken in one way.

Requests, attributes and ranges are read from docs/netlink/onramp.yaml, the uapi headers, and the tables of parameters in
kernel/algo. An input follows from a seed and a number.
"""

import collections
import errno
import os
import random
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests", folder) for folder in ("net", "tc-testing", "consistency")]
# pylint: disable=wrong-import-position
from onramp_genl import attribute  # noqa: E402
from rtm_qdisc import attribute_numbers  # noqa: E402
from spec import SPEC, Spec  # noqa: E402

# Devices of a namespace; a packet that leaves the slow one waits in its qdisc.
DUMMY, PRIO, SLOW, PEER, NONE = 20, 21, 22, 23, 99
# Where a qdisc may be: device and parent.
PLACES = ((DUMMY, 0xffffffff), (PRIO, 0x10001), (PRIO, 0x10002), (SLOW, 0xffffffff), (SLOW, 0xffffffff))
# CLOCK_REALTIME as a guest of the lab boots: lab/host/boot.py.
WALL_NS = 1735689600000000000
REQUEST, ACK, DUMP, REPLACE, EXCLUSIVE, CREATE = 0x1, 0x4, 0x300, 0x100, 0x200, 0x400
NESTED, TYPES = 0x8000, 0x4000
TCA_KIND, TCA_OPTIONS, PAD = 1, 2, 1
NEWQDISC, DELQDISC, GETQDISC = 36, 37, 38
NO_SUCH, INGRESS = 0x7f00, 0xfffffff1
PLAIN, STRICT, POWERLESS = range(3)
NAMESPACES = 3

# Numbers: their format for struct, and their ranges.
SIZES = {"b": (-0x80, 0x7f), "B": (0, 0xff), "H": (0, 0xffff), "I": (0, 2**32 - 1), "Q": (0, 2**64 - 1), "q": (-2**63, 2**63 - 1)}
FORMS = {"s8": "b", "u8": "B", "u16": "H", "u32": "I", "u64": "Q", "s64": "q", "binary": "bytes", "string": "text", "nest": "nest"}

# Required attributes, and errors in addition to those of every request.
RULES = {
    "clock-set": ("clock-id clock-error", ""),
    "acker-dev-add": ("ifindex", "ENODEV EEXIST"),
    "acker-dev-del": ("ifindex", "ENODEV ENOENT"),
    "peer-add": ("prefix prefix-len", "EEXIST ENOSPC"),
    "peer-del": ("prefix prefix-len", "ENOENT"),
    "dev-set": ("ifindex", "ENODEV"),
    "key-add": ("group key-id key", "EEXIST ENOSPC"),
    "key-rotate": ("group key-id", "ENOENT"),
    "key-del": ("group", "ENOENT EBUSY"),
    "key-set": ("group key-require", "ENOENT"),
    "key-peer-add": ("group prefix prefix-len", "EEXIST ENOENT ENOSPC"),
    "key-peer-del": ("group prefix prefix-len", "ENOENT"),
    "phc-set": ("ifindex clock-error clock-offset clock-ref clock-valid clock-epoch", "ENODEV"),
    "phc-del": ("ifindex", "ENODEV"),
    "holding-set": ("holding", ""),
}
# Values of a new qdisc.
NEEDED = {"cp-add": ("LAW",)}
# Requests of a qdisc: message, flags, whether it takes parameters, errors.
VERBS = {
    "add": (NEWQDISC, CREATE | EXCLUSIVE, True, "EEXIST ENODEV ENOENT"),
    "change": (NEWQDISC, 0, True, "EEXIST ENODEV ENOENT"),
    "replace": (NEWQDISC, CREATE | REPLACE, True, "ENODEV ENOENT"),
    "delete": (DELQDISC, 0, False, "ENODEV ENOENT"),
    "get": (GETQDISC, 0, False, "ENODEV ENOENT"),
    "dump": (GETQDISC, DUMP, False, ""),
}

Attribute = collections.namedtuple("Attribute", "name type form least most")
# kind: of a qdisc, "" for the family; needed: names; takes: attributes; known: all attributes of its language.
Command = collections.namedtuple("Command", "name kind type flags admin needed takes errors known")
Input = collections.namedtuple("Input", "command mutation namespace mode event device hangs_up compared must_refuse message")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def errors(names):
    return {getattr(errno, name) for name in names.split()}


def qdisc_commands(kind):
    """Those of a qdisc; its parameters are in a table of C."""
    numbers = attribute_numbers(kind)
    table = read(f"kernel/algo/{kind}_params.h").replace("\\\n", " ")
    rows = re.findall(r'\bX\((\w+),\s*"[^"]*",\s*(\d+),\s*(-?\d+),\s*(\d+),', table)
    if "QCN_RP_ROWS" in table:
        rows += [(f"RP_{name}", *row) for name, *row in
                 re.findall(r'\bROW\(X, (\w+), "[^"]*", (\d+), (\d+), (\d+),', read("kernel/algo/qcn_rp_params.h"))]
    rows += [(f"RD_{name}", *row) for name, *row in re.findall(r'\bROW\(X, (\w+), "[^"]*", (\d+), (\d+), (\d+),', table)]
    for name, *row in re.findall(r'\bX\((\w+)##n, "[^"]*", (\d+), (\d+), (\d+),', table):
        rows += [(f"{name}{n}", *row) for n in re.findall(r"_ROW\(X, (\d+)\)", table)]
    takes = [Attribute(name, numbers[name], FORMS["us"[least[0] == "-"] + bits], int(least), int(most))
             for name, bits, least, most in rows]
    assert len(takes) > 15 and {a.name for a in takes} | {"UNSPEC", "PAD", "DERIVED"} >= set(numbers)
    known = takes + [Attribute(name, numbers[name], "nest", 0, 0) for name in ("DERIVED",) if name in numbers]
    return [Command(f"{kind}-{verb}", kind, number, flags, number != GETQDISC, NEEDED.get(f"{kind}-{verb}", ()), takes * settable,
                    errors(may), known)
            for verb, (number, flags, settable, may) in VERBS.items()]


def genl_commands(spec):
    """Those of the family."""
    known = {}
    for name, entry in spec.attributes.items():
        if entry["type"] in ("unused", "pad"):
            continue
        form, checks = FORMS[entry["type"]], entry.get("checks", {})
        ends = [checks and spec.limit(name, which) for which in (("min", "max") if form in SIZES else ("min-len", "max-len"))]
        if form in SIZES:
            most = max(spec.entries(entry["enum"]).values()) if "enum" in entry and not checks else SIZES[form][1]
            ends = [SIZES[form][0] if ends[0] in (None, {}) else ends[0], most if ends[1] in (None, {}) else ends[1]]
        known[name] = Attribute(name, entry["value"], form, ends[0] or 0, ends[1] or 0)
    for name, operation in spec.operations.items():
        if "do" in operation or "dump" in operation:
            needed, may = RULES.get(name, ("", ""))
            takes = [known[attribute] for attribute in operation.get("do", {}).get("request", {}).get("attributes", [])]
            admin = "uns-admin-perm" in operation.get("flags", [])
            yield Command(name, "", operation["value"], DUMP * ("dump" in operation), admin, tuple(needed.split()), takes,
                          errors(may), list(known.values()))


THE_SPEC = Spec(read(SPEC))
COMMANDS = [*qdisc_commands("ecnsharp"), *qdisc_commands("onramp"), *qdisc_commands("cp"), *genl_commands(THE_SPEC)]


def scale(chance):
    """Any number, small ones as likely as large ones."""
    return chance.getrandbits(64) >> chance.randrange(64)


def pack(a, number):
    return struct.pack("=" + a.form, number)


def text(chance, length):
    return bytes(chance.randrange(32, 127) for _ in range(length)) + b"\0"


def in_range(chance, a):
    return a.least + scale(chance) % (a.most - a.least + 1)


def good_number(chance, a):
    """In its range; some come often, so that requests meet each other."""
    if a.name in ("clock-epoch", "group", "key-id") and chance.randrange(8):
        return a.least + chance.randrange(3)
    if a.name == "ifindex":
        return chance.choice((DUMMY, PRIO, SLOW, PEER, NONE, 1))
    if a.name == "BUCKETS":
        return 1 << 1 + chance.randrange(8 if chance.randrange(16) else 18)
    if a.name == "PRIOMAP":
        return sum(chance.randrange(3) << 2 * i for i in range(16))
    if a.name in ("clock-offset", "clock-ref"):
        return chance.choice((0, WALL_NS, 0, WALL_NS, scale(chance) >> 1))
    if a.name == "prefix-len":
        return chance.choice((16, 16, 16, 16, 16, 24, 32, 0, 64, 128))
    return in_range(chance, a)


def good(chance, a):
    """A value in the range."""
    if a.name == "prefix":
        # 10.n.0.0 or fd00:n::, of which there are more than any list has space for.
        which = chance.randrange(2 if chance.randrange(4) else 256)
        return bytes((10, which, 0, 0)) if chance.randrange(4) else bytes((0xfd, 0, 0, which)) + bytes(12)
    if a.form == "bytes":
        return chance.randbytes(in_range(chance, a))
    if a.form == "text":
        return text(chance, in_range(chance, a))
    return b"" if a.form == "nest" else pack(a, good_number(chance, a))


def edge(chance, a):
    """The least or the most."""
    end = chance.choice((a.least, a.most))
    if a.form == "nest":
        return b""
    return pack(a, end) if a.form in SIZES else text(chance, end) if a.form == "text" else chance.randbytes(end)


def outside(chance, a):
    """A number next to the range or far from it; None if there is none."""
    lowest, highest = SIZES.get(a.form, (a.least, a.most))
    near = [number for number in (a.least - 1, a.most + 1) if lowest <= number <= highest]
    far = [number for number in (lowest, highest) if not a.least <= number <= a.most]
    return pack(a, chance.choice(near if chance.randrange(4) else far)) if near else None


def width(chance, a):
    """A value of a length that its type does not have."""
    if a.form == "text":
        return text(chance, a.most + 1 + chance.randrange(99))
    if a.form in SIZES:
        right = struct.calcsize(a.form)
        return chance.randbytes(chance.choice([size for size in range(18) if size != right]))
    return chance.randbytes(chance.randrange(a.least) if a.least and chance.randrange(2) else a.most + 1 + chance.randrange(99))


def deep(chance, kind):
    """Nests in nests."""
    levels = 1 + chance.randrange(64)
    return b"".join(struct.pack("=HH", 4 * (levels - i), kind | NESTED) for i in range(levels))


class Draft:
    """A request before it is bytes: what mutations change. A piece is [type, value, the length that it claims or None]."""

    def __init__(self, chance, command, family):
        self.command, self.chance = command, chance
        self.flags = REQUEST | ACK | command.flags
        self.cut = self.claim = self.reserved = self.af = self.ifindex = self.parent = self.handle = 0
        self.nested, self.version, self.cmd, self.kind = True, 1, command.type, command.kind
        self.type = command.type if command.kind else family
        if command.kind:
            place = chance.randrange(len(PLACES))
            self.ifindex, self.parent = PLACES[place]
            # One place has one handle, mostly, so that requests meet each other's qdiscs.
            self.handle = 0 if chance.randrange(8) else place + 2 << 16
        share = chance.choice((0, 0.03, 0.13, 0.5, 1))
        self.pieces = [[a.type, good(chance, a), None] for a in command.takes
                       if a.name in command.needed or chance.random() < share]
        if not self.pieces and command.takes and chance.randrange(8):
            a = chance.choice(command.takes)
            self.add(a.type, good(chance, a))
        self.options = bool(self.pieces)

    def add(self, kind, value, claim=None):
        self.pieces.append([kind, value, claim])

    def put(self, kind, value, claim=None):
        """The value of an attribute, which is added if it is not there."""
        self.options = True
        for piece in self.pieces:
            if piece[0] == kind:
                piece[1:] = value, claim
                return
        self.add(kind, value, claim)

    def message(self, number):
        """Its bytes."""
        pieces = b"".join(attribute(kind, value) if claim is None else struct.pack("=H", claim) + attribute(kind, value)[2:]
                          for kind, value, claim in self.pieces)
        if self.command.kind:
            body = struct.pack("=BxxxiIII", self.af, self.ifindex, self.handle, self.parent, 0)
            body += attribute(TCA_KIND, self.kind.encode() + b"\0") if self.kind else b""
            body += attribute(TCA_OPTIONS | NESTED * self.nested, pieces) if self.options else b""
        else:
            body = struct.pack("=BBH", self.cmd, self.version, self.reserved) + pieces
        size = 16 + len(body)
        whole = struct.pack("=IHHII", size + self.claim & 0xffffffff, self.type, self.flags, number, 0) + body
        return whole[:max(1, size - self.cut)]


def missing(d, _):
    if not d.command.needed:
        d.options, d.pieces = False, []
        return False
    gone = d.chance.choice([a.type for a in d.command.takes if a.name in d.command.needed])
    d.pieces = [piece for piece in d.pieces if piece[0] != gone]
    return True


def beyond(d, a):
    value = outside(d.chance, a)
    d.put(a.type, edge(d.chance, a) if value is None else value)
    return value is not None


def lie(d, a):
    d.put(a.type, good(d.chance, a), 1 + d.chance.randrange(4 if d.chance.randrange(2) else 0xffff))


def doubled(d, a):
    d.put(a.type, good(d.chance, a))
    d.add(a.type, good(d.chance, a))


def unknown(d, _):
    last = max(a.type for a in d.command.known)
    kind = last + 1 + (d.chance.randrange(TYPES - last - 1) if d.chance.randrange(2) else 0)
    d.options = True
    d.add(kind if d.chance.randrange(8) else 0, bytes(d.chance.randrange(40)))
    return bool(d.command.takes)


def misplaced(d, _):
    """An attribute of the family that this command does not take, or a padding attribute."""
    a = d.chance.choice(d.command.known)
    d.options = True
    if a in d.command.takes:
        d.add(PAD, b"")
    else:
        d.add(a.type, good(d.chance, a))
    return bool(d.command.takes)


def nests(d, a):
    kind = a.type if a else 2
    d.options = True
    found = [piece for piece in d.pieces if piece[0] == kind][:1] if a else []
    if not found:
        d.add(kind, b"")
    piece = found[0] if found else d.pieces[-1]
    piece[:] = kind | NESTED, deep(d.chance, kind), None
    return bool(d.command.takes)


def truncated(d, _):
    d.cut = 1 + d.chance.randrange(16 if d.chance.randrange(2) else 200)
    # The length in the header is mostly that of the truncated message, and sometimes the original one.
    if d.chance.randrange(4):
        d.claim = -d.cut


def header(d, _):
    chance = d.chance
    which = chance.randrange(4)
    if which == 0:
        d.flags ^= 1 << chance.randrange(12)
    elif which == 1:
        # Neither rtnetlink nor a family has such numbers.
        d.type = chance.choice((NO_SUCH, chance.randrange(16)))
    elif not d.command.kind:
        name, value = chance.choice((("reserved", 1 + chance.randrange(0xffff)), ("version", chance.randrange(256)),
                                     ("cmd", chance.randrange(chance.choice((40, 256))))))
        setattr(d, name, value)
    else:
        any32 = chance.getrandbits(32)
        name, value = chance.choice((
            ("ifindex", chance.choice((NONE, any32 - 2**31))), ("handle", any32 >> chance.randrange(32)),
            ("parent", chance.choice((INGRESS, any32))), ("af", chance.randrange(256)),
            ("kind", chance.choice(("", "pfifo", "no-such-qdisc"))), ("nested", False)))
        setattr(d, name, value)


# Changes of a good request; a true result says that it must now be refused. BARE needs no attribute. After a LOOSE one it
# may be another request, or none.
MUTATIONS = {
    "edge": lambda d, a: d.put(a.type, edge(d.chance, a)),
    "outside": beyond,
    "width": lambda d, a: d.put(a.type, width(d.chance, a)) or a.form != "nest",
    "lie": lie, "missing": missing, "doubled": doubled,
    "unknown": unknown, "misplaced": misplaced, "deep": nests, "truncated": truncated, "header": header,
    "noise": lambda d, a: None,
}
BARE = ("unknown", "misplaced", "deep", "truncated", "header", "noise")
LOOSE = ("truncated", "header", "noise")


def noise(chance, command, message):
    """Random bytes behind the headers."""
    message, head = bytearray(message), 16 + (20 if command.kind else 4)
    for _ in range(1 + chance.randrange(8)):
        if len(message) > head:
            message[chance.randrange(head, len(message))] = chance.randrange(256)
    return bytes(message)


def event(chance):
    """Preparation of the namespace before the request."""
    die = chance.randrange(8192)
    return "end" if not die else "unplug" if die < 16 else "pause" if die < 128 else "packet" if die < 1024 else ""


def make(seed, number, family):
    """Input of a number of a seed, always the same; family is the kernel's choice."""
    chance = random.Random(seed << 64 | number)
    command = chance.choice(COMMANDS)
    mutation = "" if not chance.randrange(3) else chance.choice(tuple(MUTATIONS) if command.takes else BARE)
    namespace, device = chance.randrange(NAMESPACES), chance.choice((DUMMY, PRIO, SLOW))
    mode = chance.choice((PLAIN, STRICT)) if chance.randrange(16) else POWERLESS
    before, hangs_up, compared = event(chance), not chance.randrange(128), not chance.randrange(32)
    draft = Draft(chance, command, family)
    chosen = chance.choice(command.takes) if command.takes else None
    must_refuse = bool(mutation and MUTATIONS[mutation](draft, chosen))
    message = draft.message(number)
    if mutation == "noise":
        message = noise(chance, command, message)
    return Input(command, mutation, namespace, mode, before, device, hangs_up, compared, must_refuse, message)
