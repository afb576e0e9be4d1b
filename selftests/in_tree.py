#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""scripts/link-into: the modules and their KUnit tests as part of Debian's 6.12 source, as TAP.

Kconfig shows them, kbuild compiles them built in and as modules, kunit.py runs their tests in a User-Mode Linux, and
--undo leaves the tree as it was.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path[:0] = [os.path.join(HERE, "lib"), os.path.join(HERE, "qemu")]
# pylint: disable=wrong-import-position
import cache
import usage
from tap import Tap

TARBALL = "/usr/src/linux-source-6.12.tar.xz"
# Modules that a User-Mode Linux without hardware does not compile.
WITHOUT = ("*/drivers/gpu/*.[ch]", "*/drivers/media/*.[ch]", "*/drivers/net/ethernet/*.[ch]", "*/drivers/net/wireless/*.[ch]",
           "*/drivers/scsi/*.[ch]", "*/drivers/staging/*.[ch]", "*/sound/*.[ch]", "*/arch/[!ux]*/*.[chS]", "*/arch/*.dts*")
OURS = "net/sched/sharpramp"
CHANGED = ("net/sched/Kconfig", "net/sched/Makefile")
OPTIONS = ("NET_SCH_ECNSHARP", "ONRAMP_HOOK", "ONRAMP", "ONRAMP_ACKER", "NET_SCH_ONRAMP", "NET_SCH_CP")
TESTS = "SHARPRAMP_KUNIT_TEST"
# Options that enable tracepoints.
TRACERS = ("FTRACE", "ENABLE_DEFAULT_TRACERS")
# Objects of one source each. The objects of modules with several sources exist only if they are built as modules.
SINGLE = ("sch_ecnsharp/sch_ecnsharp.o", "kernel/hook/onramp_hook.o", "selftests/kunit/ecnsharp_kunit.o", "selftests/kunit/onramp_kunit.o",
          "selftests/kunit/qcn_kunit.o", "selftests/kunit/fecn_kunit.o")
BUILT_IN = (*SINGLE, "sch_cp/main.o", "sch_onramp/main.o", "onramp_acker/main.o", "kernel/core/main.o")
MODULES = (*SINGLE, "sch_cp/sch_cp.o", "sch_onramp/sch_onramp.o", "onramp_acker/onramp_acker.o", "kernel/core/onramp.o")
MAKE_SPEAKS = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "O", "ARCH", "KBUILD_OUTPUT")


def call(*command, cwd=ROOT):
    """Run a command; return its status and output."""
    env = {name: value for name, value in os.environ.items() if name not in MAKE_SPEAKS}
    run = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, errors="replace", check=False)
    return run.returncode, run.stdout


def link(*arguments):
    return call("scripts/link-into", *arguments)


def source(tarball=TARBALL):
    """Return a kernel tree, unpacked once."""
    def make(part):
        os.mkdir(part)
        subprocess.run(["tar", "-x", "-f", tarball, "-C", part, "--strip-components=1",
                        "--wildcards", *(f"--exclude={pattern}" for pattern in WITHOUT)], check=True)
    stat = os.stat(tarball)
    return cache.made("linux", cache.digest(str(stat.st_size), str(stat.st_mtime_ns), *WITHOUT), make)


def files(folder):
    """Return {path: where it leads, or the file that it is}; a file that is written anew is another."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            found[os.path.relpath(path, folder)] = os.readlink(path) if os.path.islink(path) else ""
    return found


def texts(tree):
    """Return what the files say that are changed."""
    output = []
    for name in CHANGED:
        with open(os.path.join(tree, name), encoding="utf-8") as file:
            output.append(file.read())
    return output


def refusals(tap, tree):
    before = files(tree), texts(tree)
    for arguments in (["--help"], ["-h"], ["--help", tree]):
        status, output = link(*arguments)
        tap.ok(f"{' '.join(arguments[:1])} says how it is called{', and no more' * (len(arguments) > 1)}", not status and
               output.startswith("Usage: scripts/link-into [--undo] TREE\n") and "--undo   " in output, output)
    for what, arguments, why in (("without a tree", [], "usage: "), ("two trees", [tree, tree], "usage: "),
                             ("what is no kernel tree", [ROOT], "is no kernel tree"),
                             ("an unknown option", ["--over", tree], "usage: ")):
        status, output = link(*arguments)
        tap.ok(f"{what} is refused", status and why in output, output)
    foreign = os.path.join(tree, OURS)
    for name in ("theirs.c", "notes.txt", "Makefile"):
        os.mkdir(foreign)
        with open(os.path.join(foreign, name), "w", encoding="ascii"):
            pass
        for arguments in ([tree], ["--undo", tree]):
            status, output = link(*arguments)
            tap.ok(f"{name} that link-into did not make is not removed{' by --undo' if arguments[1:] else ''}",
                   status and f"{name} is a file" in output and os.path.exists(os.path.join(foreign, name)), output)
        shutil.rmtree(foreign, ignore_errors=True)
    path = os.path.join(tree, CHANGED[0])
    os.rename(path, path + ".theirs")
    with open(path, "w", encoding="ascii") as file:
        file.write("if NET_SCHED\nendif\n")
    status, output = link(tree)
    tap.ok("a Kconfig of another shape is refused", status and "has not one line 'endif # NET_SCHED'" in output, output)
    os.rename(path + ".theirs", path)
    tap.ok("all that changed nothing", (files(tree), texts(tree)) == before)


def kconfig(tap, tree, out):
    """A configuration with what these modules depend on has a question for each of them."""
    with open(os.path.join(out, ".config"), "w", encoding="ascii") as file:
        file.write("".join(f"CONFIG_{name}=y\n" for name in ("NET", "INET", "NETFILTER", "NET_SCHED", "KUNIT", *TRACERS, "ONRAMP")))
    make = ["make", "-s", "ARCH=um", f"O={out}"]
    status, output = call(*make, "listnewconfig", cwd=tree)
    new = set(re.findall(r"^CONFIG_(\w+)=", output, re.MULTILINE))
    want = {*OPTIONS, TESTS} - {"ONRAMP", "ONRAMP_HOOK"}
    tap.ok("Kconfig shows the modules and the tests", not status and want <= new, (sorted(want - new), output[-1000:]))
    status, output = call(*make, "olddefconfig", cwd=tree)
    with open(os.path.join(out, ".config"), encoding="ascii") as file:
        config = file.read()
    tap.ok("none is on by itself, ONRAMP_HOOK with ONRAMP", not status and "warning" not in output and
           set(re.findall(r"^CONFIG_(\w+)=[my]$", config, re.MULTILINE)) & {*OPTIONS, TESTS} == {"ONRAMP", "ONRAMP_HOOK"}, output)


def kunit(tap, tree, out):
    """Built in, with their tests."""
    status, output = call("nice", "-n", "5", "tools/testing/kunit/kunit.py", "run", f"--build_dir={out}",
                          f"--kunitconfig={OURS}/selftests/kunit", "--jobs=2", cwd=tree)
    ran = re.search(r"Ran (\d+) tests: passed: (\d+)$", output, re.MULTILINE)
    tap.ok("kunit.py runs the tests in a kernel with all modules built in", not status and ran and ran.group(1) == ran.group(2),
           output[-4000:])
    for algorithm in ("ecnsharp", "onramp", "qcn", "fecn"):
        tap.ok(f"those of {algorithm} among them", re.search(rf"= {algorithm}\w* +\(\d+ subtests?\) =", output), output[-4000:])
    tap.ok("without a warning of our sources'", not re.search(rf"{OURS}.*warning", output), output[:4000])
    objects = [name for name in BUILT_IN if not os.path.exists(os.path.join(out, OURS, name))]
    tap.ok("all objects are built", not objects, objects)


def modules(tap, tree, out):
    """The folder alone, as modules."""
    with open(os.path.join(out, ".config"), encoding="ascii") as file:
        config = file.read()
    with open(os.path.join(out, ".config"), "w", encoding="ascii") as file:
        file.write(re.sub(rf"(?m)^CONFIG_({'|'.join((*OPTIONS, TESTS))})=y$", r"CONFIG_\1=m", config).replace(
            "# CONFIG_MODULES is not set", "CONFIG_MODULES=y"))
    shutil.rmtree(os.path.join(out, OURS))
    make = ["nice", "-n", "5", "make", "-s", "ARCH=um", f"O={out}", "-j2"]
    status, output = call(*make, "olddefconfig", cwd=tree)
    if not status:
        status, output = call(*make, f"{OURS}/", "W=1", cwd=tree)
    objects = [name for name in MODULES if not os.path.exists(os.path.join(out, OURS, name))]
    tap.ok(f"make {OURS}/ builds all as modules without a warning", not status and "warning" not in output and not objects,
           (objects, output[-4000:]))
    with open(os.path.join(out, ".config"), encoding="ascii") as file:
        selected = set(re.findall(r"^CONFIG_(\w+)=m$", file.read(), re.MULTILINE))
    tap.ok("as modules", {*OPTIONS, TESTS} <= selected, selected)


def main():
    usage.check(__doc__, not sys.argv[1:])
    tap = Tap()
    mess = call("git", "status", "--porcelain", "--ignored", "kernel", "sch_cp", "sch_ecnsharp", "sch_onramp", "onramp_acker", "selftests")[1]
    with tempfile.TemporaryDirectory(prefix="in-tree-", dir=cache.folder("qemu")) as scratch:
        tree, out = os.path.join(scratch, "linux"), os.path.join(scratch, "out")
        # Links to the cache's files: link-into, like patch and sed, makes new files of those that it changes.
        subprocess.run(["cp", "-al", source(), tree], check=True)
        os.mkdir(out)
        before = files(tree), texts(tree)
        refusals(tap, tree)
        status, output = link(tree)
        linked = files(tree), texts(tree)
        tap.ok("a tree is linked", not status and linked != before, output)
        tap.ok("by links alone", all(path.startswith(OURS) and to.startswith(ROOT) for path, to in linked[0].items()
                                     if path not in before[0]))
        status, output = link(tree)
        tap.ok("twice is once", not status and (files(tree), texts(tree)) == linked, output)
        kconfig(tap, tree, out)
        kunit(tap, tree, out)
        modules(tap, tree, out)
        tap.ok("nothing was built in our folders", call("git", "status", "--porcelain", "--ignored", "kernel", "sch_cp", "sch_ecnsharp", "sch_onramp",
                                                        "onramp_acker", "selftests")[1] == mess)
        status, output = link("--undo", tree)
        tap.ok("--undo leaves the tree as it was", not status and (files(tree), texts(tree)) == before, output)
        tap.ok("and has nothing to do a second time", not link("--undo", tree)[0] and (files(tree), texts(tree)) == before)
    tap.end()


if __name__ == "__main__":
    main()
