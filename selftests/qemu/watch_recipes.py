#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""contrib/bpftrace on a stock kernel: bpftrace and perf run each, under traffic that makes something of each kind, as TAP.

    watch_recipes.py 6.1|6.12

Both programs are this machine's, with their libraries.
"""

import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../lib"))
# pylint: disable=wrong-import-position
import cache
import stock
import tap
import usage

PROGRAMS = ("bpftrace", "perf")
RECIPES = "contrib/bpftrace"


def main():
    usage.check(__doc__, len(sys.argv) == 2 and sys.argv[1] in stock.SERIES)
    command = [os.path.join(HERE, "boot_vm.py"), "--kernel", sys.argv[1], "--memory", "3072", "--timeout", "3000"]
    for name in PROGRAMS:
        path = shutil.which(name)
        if not path:
            tap.outcome(f"{name} is here (make deps)", False)
            return 1
        command += ["--program", path]
    for path in cache.tree_files(os.path.join(cache.ROOT, RECIPES)):
        command += ["--file", path, f"/sharpramp/{RECIPES}/{os.path.basename(path)}"]
    return subprocess.call([*command, "--", "./run_tests.py watch_recipes"])


if __name__ == "__main__":
    sys.exit(main())
