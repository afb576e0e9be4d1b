#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The modules in a machine of two CPUs, as TAP.

    smp.py [--kernel smp|kcsan|smp-newest|6.12|6.1] [--make NAME=VALUE] [--file FILE THERE] [--console] [COMMAND ...]

Boots it once, by default the lab's kernel that has all that looks for errors (KASAN, lockdep, kmemleak, slab debugging;
lab/kernel/build smp; selftests/qemu/kcsan.py has that with KCSAN), and runs inside, under traffic: add, change, replace and
delete of qdiscs; modules that are reloaded; namespaces that end; floods of OR-ACKs and keys that are changed meanwhile;
failing allocations; and last a search for leaked memory. What is sent must come, to the byte. COMMANDs, run in
selftests, take their place.

Both CPUs are emulated by one thread, in virtual time: which of them runs changes with the guest's timers and where one
waits for the other, at any instruction, and the host's load changes nothing. A complaint of the kernel fails the run.
"""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
# pylint: disable=wrong-import-position
import cache
import stock

SUITES = ("./uml/lifecycle.sh", "./uml/reconfigure.py", "./uml/flood.py")
LEAKS = "./uml/leaks.sh"           # the kernel with KCSAN has no kmemleak
# Fault injection chooses slabs, and a slab that was merged with others cannot be chosen.
APPEND = "slab_nomerge"
# Seconds of virtual time for a suite; CPU seconds for them all.
LIMIT, TIMEOUT = 600, 6000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--kernel", choices=(*stock.LABS, *stock.SERIES), default=stock.SMP)
    parser.add_argument("--make", action="append", default=[], metavar="NAME=VALUE", help="as of boot_vm.py")
    parser.add_argument("--file", action="append", default=[], nargs=2, metavar=("FILE", "THERE"), help="as of boot_vm.py")
    parser.add_argument("--console", action="store_true", help="as of boot_vm.py")
    parser.add_argument("command", nargs="*", help="of the guest's shell, such as './uml/reconfigure.py unload'")
    args = parser.parse_args()
    suites = SUITES if args.kernel == stock.KCSAN else (*SUITES, LEAKS)
    inside = " ; ".join(args.command) or f"LIMIT={LIMIT} uml/each.sh {' '.join(suites)}"
    command = [os.path.join(HERE, "boot_vm.py"), "--kernel", args.kernel, "--smp", "2", "--icount", "--memory", "2048",
               "--timeout", str(TIMEOUT), "--append", APPEND, *["--console"] * args.console, *(f"--make={target}" for target in args.make)]
    for path, there in args.file:
        command += ["--file", path, there]
    for path in cache.tree_files(os.path.join(cache.ROOT, "selftests/uml")):
        command += ["--file", path, f"/sharpramp/selftests/uml/{os.path.basename(path)}"]
    status = subprocess.call([*command, "--", f"export CPU_TAKES_TIME=1 ; {inside}"])
    print(f"{'not ok' if status else 'ok'} - the {args.kernel} kernel has nothing to complain of, on two CPUs")
    return status


if __name__ == "__main__":
    sys.exit(main())
