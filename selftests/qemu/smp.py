#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The modules in a machine of two CPUs, as TAP.

    smp.py [--kernel smp|kcsan|smp-newest|6.12|6.1] [--make NAME=VALUE] [--file FILE THERE] [--console] [COMMAND ...]

Boots it once, by default the lab's kernel that has all that looks for errors (KASAN, lockdep, kmemleak, slab debugging;
lab/kernel/build smp; selftests/qemu/kcsan.py has that with KCSAN), and runs inside, under traffic: add, change, replace and
delete of qdiscs; modules that are reloaded; namespaces that end; floods of OR-ACKs and keys that are changed meanwhile;
failing allocations; a bridge with the qdisc cp, whose ports and settings change; and last a search for leaked memory. What
is sent must come, to the byte. COMMANDs, run in selftests, take their place.

Both CPUs are emulated by one thread, in virtual time: which of them runs changes with the guest's timers and where one
waits for the other, at any instruction, and the host's load changes nothing. A complaint of the kernel fails the run.

Without a COMMAND a control comes first in the kernel with KASAN, of which only a few files are instrumented: modules that read
what they have freed (freed.h). KASAN must report a function of the module sch_onramp.
"""

import argparse
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../lib"))
# pylint: disable=wrong-import-position
import cache
import stock
import tap

SUITES = ("./uml/lifecycle.sh", "./uml/reconfigure.py", "./uml/flood.py", "./net/cp_churn.sh")
# Not in the kernel with KCSAN, which has no kmemleak.
LEAKS = "./uml/leaks.sh"
# Fault injection chooses slabs, and a slab that was merged with others cannot be chosen.
APPEND = "slab_nomerge"
# Seconds of virtual time for a suite; CPU seconds for them all.
LIMIT, TIMEOUT = 600, 2000
FREED = f"KCFLAGS=-include {HERE}/freed.h"
REPORT = re.compile(r"BUG: KASAN: slab-use-after-free in .*\[sch_onramp\]")


def control():
    """Run modules that read what they have freed; return whether KASAN reports that."""
    done = subprocess.run([os.path.join(HERE, "smp.py"), "--make", FREED, "tc qdisc add dev lo root onramp ; tc qdisc del dev lo root"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    reported = bool(REPORT.search(done.stderr))
    sys.stderr.write("" if reported else done.stderr)
    return reported


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--kernel", choices=(*stock.LABS, *stock.SERIES), default=stock.SMP)
    parser.add_argument("--make", action="append", default=[], metavar="NAME=VALUE", help="as of boot_vm.py")
    parser.add_argument("--file", action="append", default=[], nargs=2, metavar=("FILE", "THERE"), help="as of boot_vm.py")
    parser.add_argument("--console", action="store_true", help="as of boot_vm.py")
    parser.add_argument("command", nargs="*", help="of the guest's shell, such as './uml/reconfigure.py unload'")
    args = parser.parse_args()
    passed = True
    if args.kernel == stock.SMP and not args.command:
        passed = tap.outcome("what is read after it was freed is reported", control())
    suites = SUITES if args.kernel == stock.KCSAN else (*SUITES, LEAKS)
    inside = " ; ".join(args.command) or f"LIMIT={LIMIT} uml/each.sh {' '.join(suites)}"
    command = [os.path.join(HERE, "boot_vm.py"), "--kernel", args.kernel, "--smp", "2", "--icount", "--memory", "2048",
               "--timeout", str(TIMEOUT), "--append", APPEND, *["--console"] * args.console, *(f"--make={target}" for target in args.make)]
    for path, there in args.file:
        command += ["--file", path, there]
    for path in cache.tree_files(os.path.join(cache.ROOT, "selftests/uml")):
        command += ["--file", path, f"/sharpramp/selftests/uml/{os.path.basename(path)}"]
    status = subprocess.call([*command, "--", f"export CPU_TAKES_TIME=1 ; {inside}"])
    tap.outcome(f"the {args.kernel} kernel has nothing to complain of, on two CPUs", not status)
    return status or not passed


if __name__ == "__main__":
    sys.exit(main())
