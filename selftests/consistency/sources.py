# SPDX-License-Identifier: GPL-2.0
"""The interface as the C sources have it. Where a macro makes the text, the compiler expands it."""

import glob
import hashlib
import json
import os
import re
import subprocess

PAGE_OF = "tc-plugins/tc-{}.8"
COMPLETION = "tc-plugins/completion/tc-sharpramp"
PARAMS = "tc-plugins/params.c"


class Kind:
    """A qdisc: where its interface is described, and how its sources name things."""

    def __init__(self, name, qdisc, counters, row, glue, put, default, presets=(), trace=(), derived=(), presets_in_table=False):
        self.name = name
        self.upper = name.upper()
        self.uapi = f"kernel/include/uapi/linux/pkt_sch_{name}.h"
        self.table = f"kernel/algo/{name}_params.h"
        self.page = PAGE_OF.format(name)
        self.plugin = f"tc-plugins/q_{name}.c"
        self.qdisc = qdisc          # policy, parser and dump
        self.counters = counters    # where counters are written
        self.row = row              # prefix of a parameter's number
        self.glue = glue            # prefix of the qdisc's functions
        self.put = put              # what in the dump goes through the table
        self.default = default      # C that fills struct settings s
        self.presets = presets
        self.trace = trace
        self.derived = derived      # attributes of dumps only
        self.columns = "def, unit" if presets_in_table else "unit"   # behind the range; a default out of it is none


ECNSHARP = Kind("ecnsharp", "sch_ecnsharp/sch_ecnsharp.c", ("sch_ecnsharp/sch_ecnsharp.c",), "ECNSHARP_", "ecnsharp",
                "ecnsharp_put_given", "ecnsharp_settings_default(&s)", presets=("testbed", "simulation"),
                trace=("sch_ecnsharp/ecnsharp_trace.h",), derived=("DERIVED",))
ONRAMP = Kind("onramp", "sch_onramp/netlink.c",
              tuple(f"sch_onramp/{name}" for name in ("main.c", "netlink.c", "table.c", "wait.c", "rules.h", "rule_pace.h", "rp.c")),
              "ONRAMP_P_", "onrampq", "onrampq_dump", "onramp_settings_default(&s, 1514, false)",
              trace=("kernel/core/onramp_trace.h", "sch_onramp/rp_trace.h"))
CP = Kind("cp", "sch_cp/netlink.c", tuple(f"sch_cp/{name}.c" for name in ("main", "stats", "input", "ingress", "point", "port", "control")),
          "CP_P_", "cp", "cp_dump", "cp_settings_default(&s)", trace=("sch_cp/cp_trace.h",), presets_in_table=True)
KINDS = (ECNSHARP, ONRAMP, CP)

DUMP_TABLE = r"""
#include <inttypes.h>
#include <stdio.h>
#include <linux/pkt_sch_@kind@.h>
#include "@kind@_params.h"
int main(void)
{
	struct @kind@_settings s;
	const char *comma = "";

	@default@;
	printf("[");
#define X(id, name, bits, least, most, @COLUMNS@) \
	printf("%s[\"%s\",\"%s\",%d,%" PRId64 ",%" PRId64 ",\"%s\",%d,%d,%" PRId64 "]", \
	       comma, #id, name, bits, (s64)least, (s64)most, unit, (int)TCA_@KIND@_##id, \
	       (int)(s.given >> @ROW@##id & 1 || ((*"@PRESET@" || @kind@_param_info(@ROW@##id)->preset) && \
	        @kind@_param_info(@ROW@##id)->preset >= (s64)least)), \
	       (s64)s.value[@ROW@##id]); \
	comma = ",";
	@KIND@_PARAMETERS(X)
	printf("]");
}
"""


# Units in brackets that are not lists of choices.
NUMBERS = ("(exponent of 2)", "(512 bit times)", "(mask of priorities)")


class Broken(Exception):
    """A source is not what this test can read; itself a finding."""


class Param:
    """A row of a table of parameters, its attribute's number, and its default or None."""

    def __init__(self, row):
        (self.id, self.name, self.bits, self.least, self.most, self.unit, self.attr, given, value) = row
        self.default = value if given else None
        self.choices = None
        self.alone = self.unit.startswith("[")
        self.crumbs = self.unit == "crumbs"
        self.address = self.unit == "link-layer address"
        if self.unit[0] in "([" and self.unit not in NUMBERS:
            choices = self.unit.strip("()[]").split(", ")
            self.choices = {self.least + i: choice for i, choice in enumerate(choices)}


class Sources:
    """The sources below a root, with a scratch folder for what is compiled."""

    def __init__(self, kind, root, scratch):
        self.kind = kind
        self.root = root
        self.scratch = scratch
        self.include = ["-I" + os.path.join(root, "kernel/algo"), "-I" + os.path.join(root, "kernel/include/uapi"),
                        "-I" + os.path.join(root, "tc-plugins")]

    def text(self, path):
        """Content of a file, by its path below the root."""
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def compile(self, sources):
        """Build a program; what was built before from the same text is taken again."""
        digest = hashlib.sha256()
        for path in sorted(glob.glob(os.path.join(self.root, "kernel/**/*.h"), recursive=True) +
                           glob.glob(os.path.join(self.root, "tc-plugins/**/*.h"), recursive=True)) + sources:
            with open(path, "rb") as file:
                digest.update(path.removeprefix(self.root).encode() + b"\0" + file.read() + b"\0")
        out = os.path.join(self.scratch, digest.hexdigest())
        if os.path.exists(out):
            return out
        done = subprocess.run(["cc", "-std=gnu11", "-D_GNU_SOURCE", "-O0", *self.include, "-o", out, *sources],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr]
            raise Broken("does not compile: " + errors[0])
        return out

    def scratch_file(self, name, text):
        """Write a file for the compiler; its path."""
        path = os.path.join(self.scratch, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def params(self):
        """The rows of the table, in its order, as the compiler reads them."""
        text = DUMP_TABLE
        for name, value in (("kind", self.kind.name), ("KIND", self.kind.upper), ("ROW", self.kind.row),
                            ("default", self.kind.default), ("COLUMNS", self.kind.columns),
                            ("PRESET", self.kind.columns.removesuffix("unit"))):
            text = text.replace(f"@{name}@", value)
        program = self.compile([self.scratch_file("table.c", text)])
        return [Param(row) for row in json.loads(subprocess.run([program], capture_output=True, check=True).stdout)]

    def block(self, path, head):
        """Text from a line that matches head to the closing brace in the first column."""
        match = re.search(rf"^{head}.*?^\}}", self.text(path), re.M | re.S)
        if not match:
            raise Broken(f"{path}: no {head}")
        return match.group(0)

    def expanded(self, path, head):
        """The same with the table's macros expanded, in one line."""
        body = self.block(path, head)
        source = self.scratch_file("expand.c", f'#include "{self.kind.name}_params.h"\n@@@\n{body}\n')
        done = subprocess.run(["cc", "-E", "-P", *self.include, source], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Broken(f"{path}: {head} does not expand")
        return re.sub(r"\s+", " ", done.stdout.split("@@@")[1])

    def attributes(self):
        """{name behind TCA_KIND_: comment in the enum's kernel-doc or None}"""
        kind, text = self.kind, self.text(self.kind.uapi)
        names = re.findall(rf"^\tTCA_{kind.upper}_(\w+)", self.block(kind.uapi, f"enum tca_{kind.name} "), re.M)
        comments = dict(re.findall(rf"^ \* @TCA_{kind.upper}_(\w+): (.*)", text, re.M))
        return {name: comments.pop(name, None) for name in names}, sorted(comments)

    def enum_names(self, enum):
        """Values of enum tc_KIND_X in order, in lower case; of an enum that core has, none."""
        kind = self.kind
        prefix = f"TC_{kind.upper}_{enum.upper()}_"
        if kind is ONRAMP and enum in ("MODE", "CLOCK"):
            return None
        return [name.lower() for name in
                re.findall(rf"^\t{prefix}(\w+)", self.block(kind.uapi, f"enum tc_{kind.name}_{enum.lower()} "), re.M)]

    def enum_first(self, enum):
        """The value of an enum's first name."""
        kind = self.kind
        first = re.search(r"= (\d+),$", self.block(kind.uapi, f"enum tc_{kind.name}_{enum.lower()} ").splitlines()[1])
        return int(first.group(1)) if first else 0

    def members(self):
        """Members of struct tc_KIND_xstats in order, with their lengths as arrays or None, and the names in its kernel-doc."""
        kind, text = self.kind, self.text(self.kind.uapi)
        lengths = dict(re.findall(r"^#define (TC_\w+)\t+(\d+)$", text, re.M))
        members = {name: int(lengths[length]) if length else None for name, length in
                   re.findall(r"^\t__[us]64\t(\w+)(?:\[(\w+)\])?;", self.block(kind.uapi, f"struct tc_{kind.name}_xstats "), re.M)}
        comment = re.search(rf"/\*\*\n \* struct tc_{kind.name}_xstats.*?\*/", text, re.S)
        return members, re.findall(r"^ \* @(\w+):", comment.group(0) if comment else "", re.M)

    def trace_system(self):
        """The group of the kind's tracepoints."""
        return re.search(r"^#define TRACE_SYSTEM (\w+)$", self.text(self.kind.trace[0]), re.M).group(1) if self.kind.trace else ""

    def tracepoints(self):
        """{event: names in its printed line}"""
        text = "".join(self.text(path) for path in self.kind.trace)
        shared = dict(re.findall(r'^#define (\w+) "(.*)"$', text, re.M))
        classes, events = {}, {}
        for kind, body in re.findall(r"^(TRACE_EVENT|DECLARE_EVENT_CLASS|DEFINE_EVENT)\((.*?)^\);", text, re.M | re.S):
            tokens = re.findall(r"\w+", body)
            fields = re.search(r'TP_printk\((\w*) ?"(.*?)"', body)
            fields = re.findall(r"(\w+)=", shared.get(fields[1], "") + fields[2]) if fields else []
            if kind == "DEFINE_EVENT":
                events[tokens[1]] = classes.get(tokens[0], [])
            elif kind == "TRACE_EVENT":
                events[tokens[0]] = fields
            else:
                classes[tokens[0]] = fields
        return events
