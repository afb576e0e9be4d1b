#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""KUnit tests of the algorithms in the lab kernel, as TAP.

    run_kunit.py [plain|debug]       which lab kernel; debug (KASAN, UBSAN, lockdep) by default

Builds the modules of ALGOS against the lab kernel, boots it once, and prints a line for each of the
suites' tests and for each of their parameters.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host import boot  # noqa: E402
import usage
from tap import Tap  # noqa: E402

ALGOS = ("ecnsharp", "onramp", "qcn", "fecn")
SOURCES = ("kernel/algo", "selftests/kunit/Kbuild", "selftests/unit/onramp_mac_vectors.h", "selftests/unit/l2_flow_vectors.h",
           *(f"selftests/unit/{algo}_vectors.h" for algo in ALGOS), *(f"selftests/kunit/{algo}_kunit.c" for algo in ALGOS))

MANIFEST = """
bin /bin/busybox
file {here}/init.sh /init 755
dir /proc
dir /sys
dir /dev
dir /run/lab
node /dev/console c 5 1 600
""" + "".join(f"link busybox /bin/{applet}\n" for applet in "sh mount cat insmod rmmod dmesg poweroff".split())

# "    ok 1 name" or "        not ok 3 name # SKIP why", with or without " - "
LINE = re.compile(r"^(?P<indent> *)(?P<result>ok|not ok) \d+ (?:- )?(?P<name>[^#]*?) *(?P<note>#.*)?$")

# Lines that are not results of a test.
FRAME = re.compile(r" *(KTAP version|1\.\.\d+|# (Subtest|module|Totals|[^ ]+: pass:|[^ ]+\.speed))")


class Trouble(Exception):
    """Whatever keeps the tests from running."""


def kernel(variant):
    """Build, or take from the cache, the lab kernel; return its folder."""
    done = subprocess.run([os.path.join(ROOT, "lab/kernel/build"), variant], stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode:
        raise Trouble(f"the {variant} lab kernel does not build")
    return done.stdout.splitlines()[-1]


def modules(kernel_dir, work):
    """Build the tests in a copy of the sources; return the modules' paths."""
    for path in SOURCES:
        source, copy = os.path.join(ROOT, path), os.path.join(work, path)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        if os.path.isdir(source):
            shutil.copytree(source, copy)
        else:
            shutil.copy(source, copy)
    folder = os.path.join(work, "selftests/kunit")
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "O")}
    done = subprocess.run(["make", "-s", "-C", kernel_dir, "ARCH=um", f"M={folder}", "W=1", "modules"], env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode or "warning" in done.stdout:
        raise Trouble(f"the tests do not build without warnings:\n{done.stdout}")
    return [os.path.join(folder, f"{algo}_kunit.ko") for algo in ALGOS]


def guest(kernel_dir, work):
    """Boot, run the tests, return KUnit's results."""
    run = os.path.join(work, "run")
    os.mkdir(run)
    for module in modules(kernel_dir, work):
        shutil.copy(module, run)
    image = os.path.join(work, "image.cpio")
    subprocess.run([os.path.join(ROOT, "lab/image/make-initramfs"), image, "-"], text=True, check=True,
                   input=MANIFEST.format(here=HERE))
    outcome = boot.boot(run, kernel_dir, image, 1, mem="256M", watchdog_s=120)
    if outcome.status != "ok":
        raise Trouble(f"the guest says '{outcome.status}'")
    with open(os.path.join(run, "result/ktap"), encoding="utf-8") as file:
        return file.read()


def flatten(ktap):
    """Turn nested KTAP into (passed, name, note, remarks) of every innermost test.

    A parent's line follows those of its children; it is only taken for a test if it had none, or if
    it failed though none of them did. Unindented lines sum up a suite and are judged alike.
    """
    tests, pending, remarks = [], [], []
    for line in ktap.splitlines():
        match = LINE.match(line)
        if not match:
            if line.strip() and not FRAME.match(line):
                remarks.append(line.strip().lstrip("# "))
            continue
        depth, passed = len(match["indent"]) // 4, match["result"] == "ok"
        children = [entry for entry in pending if entry[0] > depth]
        pending = [entry for entry in pending if entry[0] <= depth]
        names = [(passed, match["name"], match["note"] or "", remarks)]
        if children and (passed or not all(test[0] for _, group in children for test in group)):
            names = [(ok, f"{match['name']}: {name}", note, log)
                     for _, group in children for ok, name, note, log in group]
        pending.append((depth, names))
        remarks = []
    for _, group in pending:
        tests += group
    return tests


def report(tests):
    """Print TAP; return the exit status."""
    tap = Tap()
    for passed, name, note, remarks in tests:
        tap.ok(f"{name} {note}".rstrip(), passed, "\n".join(remarks))
    return tap.plan() or int(not tests)


def main(argv):
    """Build, boot, report."""
    variant = argv[1] if argv[1:] else "debug"
    usage.check(__doc__, not argv[2:] and variant in ("plain", "debug"))
    with tempfile.TemporaryDirectory(prefix="kunit") as work:
        try:
            tests = flatten(guest(kernel(variant), work))
        except (Trouble, boot.LabError, subprocess.CalledProcessError) as why:
            tests = [(False, "the tests run in the lab kernel", "", str(why).splitlines())]
    return report(tests)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
