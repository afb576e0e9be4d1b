# SPDX-License-Identifier: GPL-2.0
"""JSON keys and values that `onrampctl -j` must print for a reply, derived from docs/netlink/onramp.yaml alone."""

import re
import struct

# {command: (operation, which of its reply's attributes)}; a reply may be two commands'.
COMMANDS = {"clock": ("clock-get", ".*"), "stats": ("stats-get", ".*"), "acker": ("acker-get", ".*"), "flows": ("flow-get", ".*"),
            "paths": ("path-get", ".*"), "peers": ("peer-get", ".*"), "keys": ("key-get", ".*"),
            "stamps": ("dev-get", "ifindex|hook|stamp-.*"), "phc": ("dev-get", "ifindex|phc.*|clock-.*")}
# Lists that are not objects there: the acker's devices are a list in it.
ELSEWHERE = {"acker-dev-get": "acker"}
NAMES = {"ifindex": "dev", "clock-id": "clock", "clock-state": "usable", "clock-drift": "drift_ppb", "flows": "flows_now",
         "paths": "paths_now", "memory": "memory_bytes", "max-memory": "max_memory_bytes", "key-id": "signs"}
# Prefix of an attribute's name.
PREFIX = re.compile("^(?:clock|acker|phc|key|stamp(?=-wanted))-")
# An attribute that is part of another's value.
PARTS = {"prefix": "prefix-len"}


def replies(spec):
    """{operation: {attribute: the nest that it is in, or None}} of all that ask."""
    found = {}
    for name, operation in spec.operations.items():
        reply = {**operation.get("do", {}), **operation.get("dump", {})}.get("reply", {})
        for attribute in reply.get("attributes", ()):
            nest = spec.attributes[attribute].get("nested-attributes")
            inner = [each["name"] for each in spec.sets[nest]["attributes"]] if nest else [attribute]
            found.setdefault(name, {}).update(dict.fromkeys(inner, nest and attribute))
    return found


def key(spec, attribute):
    """Its name in JSON; times have their unit."""
    if attribute in NAMES:
        return NAMES[attribute]
    unit = "_ns" if re.match(r"ns\b", spec.attributes[attribute].get("doc", "")) else ""
    return PREFIX.sub("", attribute).replace("-", "_") + unit


def one(spec, attribute, number):
    """({attribute: what netlink has}, what JSON has) for a small number; None if JSON has another number for it."""
    entry = spec.attributes[attribute]
    if attribute in PARTS:
        return {attribute: bytes((10, 0, 0, number)), PARTS[attribute]: 32}, f"10.0.0.{number}/32"
    if "enum" in entry:
        name = list(spec.entries(entry["enum"]))[1]
        # A stamp that is wanted may be of any kind; of the clock's bases the second is known by its last name.
        return {attribute: spec.entries(entry["enum"])[name]}, name.replace("-", "_").removeprefix("monotonic_")
    if attribute in ("ifindex", "scope"):
        return {attribute: 1}, "lo"
    if attribute == "holding":
        return {attribute: 0}, "off"
    if entry["type"] == "binary":
        return {attribute: bytes((10, 0, 0, number))}, f"10.0.0.{number}"
    if entry["type"] == "string":
        return {attribute: b"drill\0"}, "drill"
    if entry.get("doc", "").startswith("1 if") or entry.get("checks", {}).get("max") == 1:
        return {attribute: 1}, True
    if attribute in ("beta", "clock-drift"):
        return {attribute: number << 12}, None
    return {attribute: number}, number


def members(spec, command):
    """[(key, what netlink has, what JSON has)] of each member of an object that a command prints."""
    operation, mine = COMMANDS[command]
    found = []
    for attribute, nest in replies(spec)[operation].items():
        if attribute in PARTS.values() or not re.fullmatch(mine, attribute):
            continue
        layout = spec.structs.get(spec.attributes[attribute].get("struct"), ())
        for at, member in enumerate(layout):
            number = len(found) + 1
            data = bytes(8 * at) + struct.pack("=Q", number) + bytes(8 * (len(layout) - at - 1))
            found.append((member["name"].replace("-", "_"), {attribute: data}, number))
        if not layout:
            sent, shown = one(spec, attribute, len(found) + 1)
            found.append((key(spec, attribute), {nest: sent} if nest else sent, shown))
    return found
