# SPDX-License-Identifier: GPL-2.0
"""rtnetlink's part for our qdiscs as a family of its own: docs/netlink/qdiscs.yaml, which ynl reads without the kernel's tc.yaml."""

from .spec import Header, described

QDISCS = ("cp", "ecnsharp", "onramp")
# The kernel's: their options and statistics are not described, but do not end a dump in an error.
OTHERS = ("bfifo", "cake", "cbs", "choke", "clsact", "codel", "drr", "dualpi2", "etf", "ets", "fq", "fq_codel", "fq_pie", "gred", "hfsc", "hhf", "htb", "ingress",
          "mq", "mqprio", "multiq", "netem", "noqueue", "pfifo", "pfifo_fast", "pie", "plug", "prio", "qfq", "red", "sfb", "sfq", "skbprio", "taprio", "tbf")
# Structs that all qdiscs have: name, member and width.
STRUCTS = {
    "tcmsg": "family u8, pad1 u8, pad2 u16, ifindex s32, handle u32, parent u32, info u32",
    "tc-stats": "bytes u64, packets u32, drops u32, overlimits u32, bps u32, pps u32, qlen u32, backlog u32",
    "gnet-stats-basic": "bytes u64, packets u32",
    "gnet-stats-queue": "qlen u32, backlog u32, drops u32, requeues u32, overlimits u32",
    "gnet-estimator": "interval s8, ewma-log u8",
}
# Attributes by their numbers, from 1; {} is "qdisc" or "class".
ATTRIBUTES = """kind: string
options: sub-message, sub-message: options, selector: kind
stats: binary, struct: tc-stats
xstats: sub-message, sub-message: {}-xstats, selector: kind
rate: binary, struct: gnet-estimator
fcnt: u32
stats2: nest, nested-attributes: {}-stats-attrs
stab: binary
pad: pad
dump-invisible: flag
chain: u32
hw-offload: u8
ingress-block: u32
egress-block: u32
dump-flags: bitfield32
ext-warn-msg: string"""
STATISTICS = """basic: binary, struct: gnet-stats-basic
rate-est: binary
queue: binary, struct: gnet-stats-queue
app: sub-message, sub-message: {}-xstats, selector: kind
rate-est64: binary
pad: pad
basic-hw: binary, struct: gnet-stats-basic
pkt64: u64"""
# Name, request, its number, and what its answer has.
OPERATIONS = (("newqdisc", "do", 36, "kind, options"), ("delqdisc", "do", 37, ""), ("getqdisc", "do dump", 38, ""), ("gettclass", "do dump", 42, ""))
HEAD = """# SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
# Made by scripts/netlink-description of the uapi headers and of the tables of parameters.

name: qdiscs

protocol: netlink-raw
protonum: 0

doc: >-
  Options and statistics of the qdiscs cp, ecnsharp and onramp, in rtnetlink.
  Times are nanoseconds, sizes bytes, rates bit/s, fractions parts per million
  unless stated otherwise. An option that is not in a request keeps its
  value. Options and statistics of the kernel's other qdiscs are left out.

"""


def _structs():
    out = ""
    for name, members in STRUCTS.items():
        out += f"  -\n    name: {name}\n    type: struct\n    members:\n"
        for member in members.split(", "):
            out += "      -\n        name: {}\n        type: {}\n".format(*member.split())
    return out


def _set(name, attributes, of):
    out = f"  -\n    name: {name}\n    attributes:\n"
    for line in attributes.format(*[of] * attributes.count("{}")).splitlines():
        attribute, entries = line.split(": ", 1)
        out += f"      -\n        name: {attribute}\n        type: " + entries.replace(", ", "\n        ") + "\n"
    return out


def _message(name, key, values):
    """A sub-message, which depends on the kind."""
    return f"  -\n    name: {name}\n    formats:\n" + "".join(f"      -\n        value: {kind}\n        {key}: {value}\n" for kind, value in values) + "".join(
        f"      -\n        value: {kind}\n" for kind in OTHERS)


def _operation(name, modes, number, takes):
    of = "class" if "class" in name else "qdisc"
    reads = name.startswith("get")
    out = f"    -\n      name: {name}\n      attribute-set: {of}-attrs\n      fixed-header: tcmsg\n"
    for mode in modes.split():
        out += f"      {mode}:\n        request:\n          value: {number}\n" + f"          attributes: [{takes}]\n" * bool(takes)
        if reads:
            # The answer has the number of the message that adds.
            out += f"        reply:\n          value: {number - 2}\n          attributes: [kind, options, stats, xstats, stats2]\n"
    return out + described({"newqdisc": "Add, replace or change one, by the flags of the request.", "delqdisc": "Delete one.",
                            "getqdisc": "Read one with its statistics, or all.", "gettclass": "Read the classes of a device's qdisc cp or onramp."}[name], "      ")


def family():
    """The text of the description."""
    headers = [Header(name) for name in QDISCS]
    classes = [header for header in headers if header.statistics("class_")]
    out = HEAD + "definitions:\n" + _structs() + "".join(header.enums() + header.distribution() + header.statistics() + header.statistics("class_") for header in headers)
    out += "\nattribute-sets:\n"
    for of in ("qdisc", "class"):
        out += _set(f"{of}-attrs", ATTRIBUTES, of) + _set(f"{of}-stats-attrs", STATISTICS, of)
    out += "".join(header.attributes(ranges=True) for header in headers)
    out += "\nsub-messages:\n" + _message("options", "attribute-set", [(header.name, f"{header.name}-attrs") for header in headers])
    out += _message("qdisc-xstats", "fixed-header", [(header.name, f"tc-{header.name}-xstats") for header in headers])
    out += _message("class-xstats", "fixed-header", [(header.name, f"tc-{header.name}-class-xstats") for header in classes])
    return out + "\noperations:\n  enum-model: directional\n  list:\n" + "".join(_operation(*operation) for operation in OPERATIONS)
