#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The modules in the lab's debug kernel (KASAN, lockdep, kmemleak, slab debugging), as TAP.

    run_uml.py [--full] [--kernel plain|debug] [--keep FOLDER] [--set NAME=VALUE] [--file FILE THERE] [COMMAND ...]

Boots it once and runs, inside: add, change, replace and delete under traffic; namespaces and devices that vanish under
traffic; rmmod, refused and granted; requests, keys and tables of the core of On-Ramp; and last a search for leaked memory.
--full adds what its queue sends and its receiver acks, the tdc sets, and failing allocations in every request of them.
COMMANDs, run in selftests, take their place; those that know a longer form see FULL in the environment with --full, and all
see what is --set. A complaint of the kernel fails the run.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), os.path.join(ROOT, "selftests/qemu"), ROOT]
# pylint: disable=wrong-import-position
from lab.host import artifacts
from lab.host import module_list
from lab.host import boot
import cache
import guest
import tap

# Programs run in the guest, in this order: what is made, changed and freed; --full runs LONGER before the last. The rest of what
# stock kernels show in virtual machines is in LONGER.
SUITES = ("./uml/lifecycle.sh", *(f"./net/onramp_{name}.sh" for name in
                                   ("requests", "acks", "keys", "tables", "acker_devices", "remember", "grid", "matched")),
          "./net/cp_churn.sh", "./net/cp_fecn.sh", "./net/onramp_rp.sh", "./net/onramp_fecn.sh", "./uml/leaks.sh")
# Sources of netlink_fuzz.py's inputs, in addition to the files of other tests.
FUZZED = (*(f"kernel/algo/{name}_params.h" for name in ("ecnsharp", "onramp", "cp", "qcn_rp")),
          "lab/labnic/labnic_uapi.h", "selftests/consistency/spec.py")
LONGER = (*(f"./net/onramp_{name}.sh" for name in ("fq", "stack", "routes", "acker")), "./uml/failslab.py", "./tc-testing/run_tdc.sh")


class Trouble(Exception):
    """Whatever keeps the tests from running."""


def release(kernel_dir):
    with open(os.path.join(kernel_dir, "include/config/kernel.release"), encoding="ascii") as file:
        return file.read().strip()


def module_archive(kernel_dir, work):
    """lib/modules with our modules only: everything else is part of this kernel."""
    name = release(kernel_dir)
    folder = os.path.join(work, "modules/lib/modules", name)
    os.makedirs(os.path.join(folder, "updates"))
    for module in module_list.MODULES:
        shutil.copy(os.path.join(artifacts.modules(kernel_dir), module.name), os.path.join(folder, "updates"))
    for index in ("modules.builtin", "modules.order"):
        with open(os.path.join(folder, index), "w", encoding="ascii"):
            pass
    subprocess.run(["/sbin/depmod", "-b", os.path.join(work, "modules"), name], check=True)
    return guest.module_archive(os.path.join(work, "modules"))


def tools():
    return [os.path.join(artifacts.tools(added), program.name) for added in module_list.QDISCS.values() for program in added]


def image(kernel_dir, work, more):
    """The stock kernels' userland and tests, this kernel's modules, and an init of our own and more files or folders on top."""
    top = os.path.join(work, "top.cpio")
    guest.pack(top, [*guest.MERGED, f"file {HERE}/init.sh /init 755", "dir /run/lab"] +
               [f"file {ROOT}/{path} /sharpramp/{path} 644" for path in FUZZED] +
               [f"file {path} /sharpramp/selftests/uml/{os.path.basename(path)} 755" for path in cache.tree_files(HERE)] +
               [f"{'tree' if os.path.isdir(path) else 'file'} {os.path.abspath(path)} {there}" for path, there in more])
    whole = os.path.join(work, "image.cpio")
    with open(whole, "wb") as out:
        for part in (guest.userland(), module_archive(kernel_dir, work), guest.tests("true", tools()), top):
            with open(part, "rb") as archive:
                shutil.copyfileobj(archive, out)
    return whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--kernel", choices=("plain", "debug"), default="debug", help="lab kernel to boot (debug)")
    parser.add_argument("--full", action="store_true", help="longer runs, the tdc sets, and failing allocations")
    parser.add_argument("--keep", metavar="FOLDER", help="folder for the console and the output")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="variable of the commands' environment")
    parser.add_argument("--file", metavar=("FILE", "THERE"), nargs=2, action="append", default=[], help="further file or folder for the guest")
    parser.add_argument("command", nargs="*", help="command for the guest's shell, such as ./net/onramp_fq.sh")
    args = parser.parse_args()
    work = tempfile.mkdtemp(prefix="uml-")
    run = args.keep or os.path.join(work, "run")
    os.makedirs(run, exist_ok=True)
    with open(os.path.join(run, "settings"), "w", encoding="ascii") as file:
        suites = args.command or [*SUITES[:-1], *LONGER * args.full, SUITES[-1]]
        file.write(f"SUITES='{' '.join(suites)}'\n" + "export FULL=1\n" * args.full)
        file.write("".join(f"export {shlex.quote(setting)}\n" for setting in args.set))
    verdict = "ok"
    try:
        kernel_dir = artifacts.kernel(args.kernel)
        outcome = boot.boot(run, kernel_dir, image(kernel_dir, work, args.file), 1, mem="1G", watchdog_s=400)
        verdict = outcome.status.strip()
    except (boot.LabError, artifacts.BuildFailed, guest.GuestError, subprocess.CalledProcessError, Trouble) as why:
        verdict = str(why)
    output = boot.read_text(os.path.join(run, "result/output"))
    print(output, end="" if output.endswith("\n") else "\n")
    tap.outcome(f"the {args.kernel} kernel has nothing to complain of", verdict == "ok", verdict)
    shutil.rmtree(work, ignore_errors=True)
    return 0 if verdict == "ok" and "\nnot ok" not in "\n" + output else 1


if __name__ == "__main__":
    sys.exit(main())
