# SPDX-License-Identifier: GPL-2.0
"""Names in the tree that a page can use: paths, functions, commands, options, counters."""

import functools
import os
import re
import subprocess

import parameters
from parameters import ROOT
from sources import ECNSHARP, ONRAMP, Broken

# Which page has whose options.
OPTIONS = {"docs/ecnsharp.md": ECNSHARP, "docs/onramp.md": ONRAMP}
KEYS = "docs/huygens.md"

DUMP_KEYS = r"""
#include <stdio.h>
#include "key.h"
int main(void)
{
	char range[CONF_RANGE_MAX];

	for (size_t i = 0; i < huygens_table.n; i++)
		printf("[%s] %s\t%s\t%s\n", huygens_table.keys[i].section, huygens_table.keys[i].name,
		       huygens_table.keys[i].fallback ? huygens_table.keys[i].fallback : "none",
		       conf_key_range(&huygens_table.keys[i], range));
	return 0;
}
"""


def read(path):
    """A file's text, by its path below the root."""
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


class Tree:
    """Facts in the sources."""

    def __init__(self, scratch):
        self.scratch = scratch
        listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                capture_output=True, text=True, check=True).stdout.split("\n")
        files = {path for path in listed if path and os.path.exists(os.path.join(ROOT, path))}
        self.paths = files | {path[:i] for path in files for i, c in enumerate(path) if c == "/"}
        self.tops = {path.split("/")[0] for path in self.paths if "/" in path}
        self.names = {os.path.basename(path) for path in files}
        self.facts = {kind: parameters.Facts(kind, ROOT, scratch) for kind in OPTIONS.values()}

    @functools.cached_property
    def code(self):
        """All of C and Python in one text, but for this test, which names what is not there."""
        return "\n".join(read(path) for path in sorted(self.paths)
                         if path.endswith((".c", ".h", ".py")) and not path.startswith("selftests/consistency/"))

    @functools.cached_property
    def identifiers(self):
        """Names in it; those that a bracket follows are functions."""
        return set(re.findall(r"\b[A-Za-z_]\w*\b", self.code))

    @functools.cached_property
    def functions(self):
        """Names that are called or defined."""
        return set(re.findall(r"\b([A-Za-z_]\w*)\(", self.code))

    @functools.cached_property
    def keys(self):
        """{"[section] key": (default, range)} of huygens-lite."""
        conf = os.path.join(ROOT, "huygens-lite/conf")
        program, source = (os.path.join(self.scratch, name) for name in ("keys", "keys.c"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(DUMP_KEYS)
        sources = [os.path.join(ROOT, name) for name in ("huygens-lite/conf/key.c", "huygens-lite/conf/list.c", "lib/conf_table.c",
                                                         "lib/conf_text.c", "lib/units.c")]
        done = subprocess.run(["cc", "-O0", "-D_GNU_SOURCE", f"-I{conf}", "-o", program, source, *sources],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise Broken("huygens-lite/conf/key.c does not compile: " + done.stderr)
        rows = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
        return {name: (default, extent) for name, default, extent in (row.split("\t") for row in rows)}

    def counters(self, page, head):
        """Names that a table of counters must have."""
        if page == KEYS:
            return re.findall(r"^\tCOUNT\((\w+),", read("huygens-lite/net/count.h"), re.M)
        if head.startswith("acker"):
            header = read("kernel/include/uapi/linux/onramp.h")
            body = re.search(r"struct onramp_acker_stats \{(.*?)^\}", header, re.M | re.S)
            return re.findall(r"__u64\t(\w+);", body.group(1))
        return self.facts[OPTIONS[page]].members

    @functools.cached_property
    def counted(self):
        """{what shows them: counters}, by the command with which a page says where to look."""
        header = read("kernel/include/uapi/linux/onramp.h")
        stats = re.search(r"struct onramp_stats \{(.*?)^\}", header, re.M | re.S).group(1)
        return {
            "tc -s qdisc": {name for facts in self.facts.values() for name in facts.members},
            "onrampctl stats": {*re.findall(r"__[us]64\t(\w+);", stats),
                                *(name.lower() for name in re.findall(r"\bONRAMP_A_(ACKS\w*),", header))},
            "onrampctl acker": set(self.counters("docs/onramp.md", "acker's counter")),
            "huygensctl stats": set(self.counters(KEYS, "counter")),
            "accctl stats": set(re.findall(r'^\t\{ "(\w+)", "[A-Z]', read("acc-tuner/ctl/counter.c"), re.M)),
        }

    @functools.cached_property
    def known(self):
        """{program: commands that may follow it, as text}"""
        return {
            "make": [name for names in re.findall(r"^([a-z_ -]+):", read("Makefile"), re.M) for name in names.split()],
            "onrampctl": re.findall(r"(?:\.path = |TABLE_SWITCH\()\"(.*?)\"", read("tc-plugins/onrampctl/table.c")) + ["help"],
            "huygensctl": re.findall(r"^\t\"  ([a-z]+) ", read("huygens-lite/ctl/main.c"), re.M),
            "accctl": re.findall(r'^\t\{ "([a-z]+)", (?:true|false), ', read("acc-tuner/ctl/main.c"), re.M),
            "lab/run": ["list", "help", *(os.path.basename(path)[:-len(".py")] for path in self.paths
                                          if re.fullmatch(r"lab/experiments/\w+\.py", path) and "\nKEYS = " in read(path))],
            "SUITES": subprocess.run(["make", "-s", "-f", "selftests/suites.mk", "list"], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                                     check=True).stdout.split(),
        }
