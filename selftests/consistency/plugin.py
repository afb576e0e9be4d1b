# SPDX-License-Identifier: GPL-2.0
"""Behaviour of the tc plugin, by running its code (tc-plugins/test/probe.c), and what completion proposes."""

import json
import os
import re
import subprocess

import sources

PARTS = ("q_cp.c", "q_ecnsharp.c", "q_onramp.c", "attr.c", "kinds.c", "params.c", "print.c", "../lib/units.c",
         "test/tc_stub.c", "test/probe.c")

COMPLETE = r"""
. "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_tc_sharpramp
printf '%s\n' "${COMPREPLY[@]}"
"""


class Plugin:
    """The plugin of a source tree."""

    def __init__(self, tree):
        self.tree = tree
        folder = os.path.join(tree.root, "tc-plugins")
        self.probe = tree.compile([os.path.join(folder, part) for part in PARTS])

    def _run(self, *arguments):
        return subprocess.run([self.probe, self.tree.kind.name, *arguments], capture_output=True, text=True, check=False)

    def parse(self, arguments):
        """{attribute: (bytes, value)} of a command line, or the refusal as a string."""
        done = self._run("parse", *arguments.split())
        if done.returncode:
            return done.stderr.strip()
        rows = [line.split() for line in done.stdout.splitlines()]
        return {int(kind): (int(size), int(value)) for kind, size, value in rows}

    def show(self, param, value, attr=None):
        """Output for one attribute, in the parameter's width; attr is another one's number."""
        return self._run("show", f"{attr or param.attr}:{param.bits // 8}:{value}").stdout.strip()

    def show_json(self, param, value):
        """The same with -j, decoded."""
        return json.loads(self._run("show", "-j", f"{param.attr}:{param.bits // 8}:{value}").stdout)

    def spelling(self, param, value):
        """The value as the plugin prints it; of choices that stand alone, the choice."""
        shown = self.show(param, value)
        return shown if param.alone else shown.partition(" ")[2]

    def xstats(self, size):
        """Text and JSON of statistics of so many bytes; the n-th counter is n."""
        return self._run("xstats", str(size)).stdout, json.loads(self._run("xstats", "-j", str(size)).stdout)

    def usage(self):
        """Output of the plugin for "help"."""
        return self.parse("help")

    def complete(self, *behind):
        """Completions of the last argument behind the kind."""
        path = os.path.join(self.tree.root, sources.COMPLETION)
        line = ["tc", "qdisc", "add", "dev", "eth0", "root", self.tree.kind.name, *behind]
        done = subprocess.run(["bash", "--norc", "-c", COMPLETE, "bash", path, *line],
                              capture_output=True, text=True, check=False)
        return sorted(done.stdout.split())


def usage_tokens(usage, kind):
    """Lower-case tokens of the grammar, that is of the lines up to the first that begins with a capital."""
    grammar = re.split(r"\n(?=[A-Z])", usage)[0].partition(kind)[2]
    return set(re.findall(r"\b[a-z][a-z_0-9]*\b", grammar))
