#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The grammar of the netlink fuzzer (selftests/fuzz/netlink): does it have every command and attribute?

Compared are what `netlink-fuzz --grammar` prints, the uapi headers, and docs/netlink/onramp.yaml. Output is TAP; the status is 0
if everything agrees.
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from parameters import ROOT, Tap, differ  # noqa: E402
from netlink import UAPI, Facts, same, told_policy, upper  # noqa: E402
from spec import Broken  # noqa: E402

GRAMMAR = "selftests/fuzz/netlink/grammar.c"
QDISC = "kernel/include/uapi/linux/pkt_sch_{}.h"
QDISCS = ("ecnsharp", "onramp")
NLM_F_DUMP = 0x300
# Of a qdisc: no settable attribute has these.
SILENT = ("UNSPEC", "PAD")


class Grammar(Facts):
    """What the fuzzer knows, compared with every other description."""

    def __init__(self, root):
        super().__init__(root)
        self.attributes = {}        # {(language, name): (number, form, least, most)}
        self.commands = {}          # {(language, name): (number, flags, admin, attributes)}
        for line in self.printed().splitlines():
            kind, language, name, number, *words = line.split()
            if kind == "attribute":
                self.attributes[language, name] = (int(number), words[0], int(words[1]), int(words[2]))
            else:
                self.commands[language, name] = (int(number), int(words[0]), words[1] == "admin", words[3:])

    def printed(self):
        """What grammar_print() prints."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "grammar")
            done = subprocess.run(["cc", "-std=gnu11", "-D_GNU_SOURCE", *(f"-I{os.path.join(self.root, path)}" for path in (
                "kernel/algo", "kernel/include/uapi", "selftests/fuzz/netlink")), "-o", program, os.path.join(self.root, GRAMMAR),
                "-x", "c", "-"], input='#include "grammar.h"\nint main(void) { grammar_print(); }\n', text=True,
                capture_output=True, check=False)
            if done.returncode:
                raise Broken(f"{GRAMMAR}: {done.stderr}")
            return subprocess.run([program], capture_output=True, text=True, check=True).stdout

    def of(self, language):
        """{name: attribute} of a language."""
        return {name: row for (spoken, name), row in self.attributes.items() if spoken == language}


def qdiscs(f):
    """Each attribute of the headers, by its number."""
    bad = []
    for qdisc in QDISCS:
        prefix = f"TCA_{qdisc.upper()}_"
        enum = {name.removeprefix(prefix): value for name, value in f.enum(QDISC.format(qdisc), f"tca_{qdisc}").items()
                if not name.startswith("__")}
        told = {name: value for name, value in enum.items() if name not in SILENT}
        bad += differ(f"attribute of {qdisc}", {name: row[0] for name, row in f.of(qdisc).items()}.items(), told.items())
    return bad


def requests(f):
    """Each command of each qdisc; those that set take every attribute that is not a nest."""
    bad = []
    for qdisc in QDISCS:
        settable = {name for name, row in f.of(qdisc).items() if row[1] != "nest"}
        for verb in ("add", "change", "replace", "delete", "get", "dump"):
            command = f.commands.get((qdisc, f"{qdisc}-{verb}"))
            if not command:
                bad.append(f"there is no {qdisc}-{verb}")
            elif set(command[3]) != (settable if verb in ("add", "change", "replace") else set()):
                bad.append(f"{qdisc}-{verb} takes {command[3]}")
    return bad


def attributes(f):
    """Each attribute of the family, in the header and in the YAML, by its number and form."""
    told = {name.upper().replace("-", "_"): (a["value"], a["type"]) for name, a in f.spec.attributes.items()
            if name.upper() not in SILENT}
    enum = {name.removeprefix("ONRAMP_A_"): value for name, value in f.enum(UAPI, "onramp_attr").items()
            if not name.startswith("__") and name.removeprefix("ONRAMP_A_") not in SILENT}
    found = {name: row[:2] for name, row in f.of("genl").items()}
    return (differ("attribute of the YAML", found.items(), told.items()) +
            differ("attribute of the header", {name: row[0] for name, row in found.items()}.items(), enum.items()))


def commands(f):
    """Each command of the YAML: its number, whether it dumps, who may, and what it takes."""
    told, found = {}, {}
    for name, operation in f.spec.operations.items():
        if "do" in operation or "dump" in operation:
            taken = operation.get("do", {}).get("request", {}).get("attributes", [])
            told[upper("", name)] = (operation["value"], "dump" in operation, "uns-admin-perm" in operation.get("flags", []),
                                     tuple(sorted(upper("", attribute) for attribute in taken)))
    for (language, name), (number, flags, admin, taken) in f.commands.items():
        if language == "genl":
            found[name] = (number, bool(flags & NLM_F_DUMP), admin, tuple(sorted(taken)))
    return differ("command", found.items(), told.items())


def ranges(f):
    """What is in the range by the YAML is so here."""
    bad = []
    for command in f.spec.operations:
        for constant, (kind, *limits) in told_policy(f, command).items():
            name = constant.removeprefix("ONRAMP_A_")
            found = f.attributes.get(("genl", name), (0, "", 0, 0))[2:]
            if kind == "NLA_NUL_STRING":
                limits[0] = limits[0] or 0
            if not same(kind, found, limits):
                bad.append(f"{name}: the grammar has {found}, the YAML {limits}")
    return bad


CHECKS = (("qdiscs", qdiscs), ("requests", requests), ("attributes", attributes), ("commands", commands), ("ranges", ranges))


def main():
    tap = Tap()
    try:
        facts = Grammar(ROOT)
    except (Broken, KeyError, ValueError) as why:
        tap.ok("the sources can be read", False, why)
        return tap.plan()
    for name, function in CHECKS:
        complaints = function(facts)
        tap.ok(f"grammar: {name}", not complaints, "\n".join(complaints))
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
