# SPDX-License-Identifier: GPL-2.0
"""What the C sources say of the interface. Where a macro makes the text, the compiler is asked."""

import glob
import hashlib
import json
import os
import re
import subprocess

UAPI = "kernel/include/uapi/linux/pkt_sch_ecnsharp.h"
TABLE = "kernel/algo/ecnsharp_params.h"
QDISC = "sch_ecnsharp/sch_ecnsharp.c"
TRACE = "sch_ecnsharp/ecnsharp_trace.h"
PLUGIN = "tc-plugins/q_ecnsharp.c"
PAGE = "tc-plugins/tc-ecnsharp.8"
COMPLETION = "tc-plugins/completion/tc-sharpramp"
TREES = ("kernel", "sch_ecnsharp", "tc-plugins")

DUMP_TABLE = r"""
#include <inttypes.h>
#include <stdio.h>
#include <linux/pkt_sch_ecnsharp.h>
#include "ecnsharp_params.h"
int main(void)
{
	struct ecnsharp_settings s;
	const char *comma = "";

	ecnsharp_settings_default(&s);
	printf("[");
#define ECNSHARP_X(id, name, bits, least, most, unit) \
	printf("%s[\"%s\",\"%s\",%d,%" PRIu64 ",%" PRIu64 ",\"%s\",%d,%d,%" PRIu64 "]", \
	       comma, #id, name, bits, (u64)least, (u64)most, unit, (int)TCA_ECNSHARP_##id, \
	       (int)(s.given >> ECNSHARP_##id & 1), s.value[ECNSHARP_##id]); \
	comma = ",";
	ECNSHARP_PARAMETERS(ECNSHARP_X)
	printf("]");
}
"""


class Broken(Exception):
    """A source is not what this test can read; itself a finding."""


class Param:
    """A row of ECNSHARP_PARAMETERS, its attribute's number, and its default or None."""

    def __init__(self, row):
        (self.id, self.name, self.bits, self.least, self.most, self.unit, self.attr, given, value) = row
        self.default = value if given else None
        self.words = None
        if self.unit.startswith("("):
            words = self.unit.strip("()").split(", ")
            self.words = {self.least + i: word for i, word in enumerate(words)}


class Sources:
    """The sources below a root, with a scratch folder for what is compiled."""

    def __init__(self, root, scratch):
        self.root = root
        self.scratch = scratch
        self.include = ["-I" + os.path.join(root, "kernel/algo"), "-I" + os.path.join(root, "kernel/include/uapi"),
                        "-I" + os.path.join(root, "tc-plugins")]

    def text(self, path):
        """Of a file, by its path below the root."""
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
        program = self.compile([self.scratch_file("table.c", DUMP_TABLE)])
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
        source = self.scratch_file("expand.c", f'#include "ecnsharp_params.h"\n@@@\n{body}\n')
        done = subprocess.run(["cc", "-E", "-P", *self.include, source], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Broken(f"{path}: {head} does not expand")
        return re.sub(r"\s+", " ", done.stdout.split("@@@")[1])

    def attributes(self):
        """{name behind TCA_ECNSHARP_: comment in the enum's kernel-doc or None}"""
        text = self.text(UAPI)
        names = re.findall(r"^\tTCA_ECNSHARP_(\w+)", self.block(UAPI, "enum tca_ecnsharp "), re.M)
        said = dict(re.findall(r"^ \* @TCA_ECNSHARP_(\w+): (.*)", text, re.M))
        return {name: said.pop(name, None) for name in names}, sorted(said)

    def enum_words(self, enum):
        """Values of enum tc_ecnsharp_X in order, in lower case."""
        prefix = f"TC_ECNSHARP_{enum.upper()}_"
        return [word.lower() for word in
                re.findall(rf"^\t{prefix}(\w+)", self.block(UAPI, f"enum tc_ecnsharp_{enum.lower()} "), re.M)]

    def members(self):
        """Members of struct tc_ecnsharp_xstats in order, and the names in its kernel-doc."""
        text = self.text(UAPI)
        members = re.findall(r"^\t__u64\t(\w+);", self.block(UAPI, "struct tc_ecnsharp_xstats "), re.M)
        comment = re.search(r"/\*\*\n \* struct tc_ecnsharp_xstats.*?\*/", text, re.S)
        return members, re.findall(r"^ \* @(\w+):", comment.group(0) if comment else "", re.M)

    def tracepoints(self):
        """{event: names in its printed line}"""
        text = self.text(TRACE)
        classes, events = {}, {}
        for kind, body in re.findall(r"^(TRACE_EVENT|DECLARE_EVENT_CLASS|DEFINE_EVENT)\((.*?)^\);", text, re.M | re.S):
            words = re.findall(r"\w+", body)
            fields = re.search(r'TP_printk\("(.*?)"', body)
            fields = re.findall(r"(\w+)=", fields.group(1)) if fields else []
            if kind == "DEFINE_EVENT":
                events[words[1]] = classes.get(words[0], [])
            elif kind == "TRACE_EVENT":
                events[words[0]] = fields
            else:
                classes[words[0]] = fields
        return events
