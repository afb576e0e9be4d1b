#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Data races of the modules, on two CPUs, as TAP.

    kcsan.py [COMMAND ...]

Runs the suites of selftests/qemu/smp.py in the lab's kernel with KCSAN (lab/kernel/build kcsan). A report that names a function
of a module fails the run, and the whole console is printed. COMMANDs, run in selftests, take the place of the suites.

A control comes first: a part of the suites with modules that are built without READ_ONCE(), WRITE_ONCE() and data_race()
(unmarked.h). KCSAN must report a data race of the module onramp, which uses these most.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../lib"))
# pylint: disable=wrong-import-position
import stock
import tap

COMMAND = [os.path.join(HERE, "smp.py"), "--kernel", stock.KCSAN]
UNMARKED = f"KCFLAGS=-include {HERE}/unmarked.h"
PART = "./uml/reconfigure.py changes"     # a short part of the suites
REPORT = re.compile(r"BUG: KCSAN: data-race in .*\[onramp\]")


def control():
    """Run modules without marked accesses; return whether KCSAN reports these."""
    command = [*COMMAND, "--make", UNMARKED, PART]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    sys.stderr.write(done.stderr)
    return bool(REPORT.search(done.stderr))


def main():
    tap.outcome("accesses that are not marked are reported", control())
    return subprocess.call([*COMMAND, "--console", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
