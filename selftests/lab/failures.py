#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A run that fails inside its guest leaves its folder where the user finds it, and says where."""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "selftests/lib"))
from tap import Tap  # pylint: disable=wrong-import-position

WANTED = {"topology", "traffic", "console.log", "modules", "result"}
# Sockets, and a link to the guest's file system.
UNWANTED = {"uml", ".initrd"}


def run(folder, *arguments):
    return subprocess.run([os.path.join(ROOT, "lab/run"), "fct", "duration=1ms", *arguments], cwd=folder,
                          env={**os.environ, "TMPDIR": folder}, capture_output=True, text=True, check=False)


def left(tap, what, done, folder):
    held = set(os.listdir(folder)) if os.path.isdir(folder) else set()
    tap.ok(f"{what}: says what is wrong and where its folder is", done.returncode == 1 and "topology:" in done.stderr
           and folder in done.stderr and not done.stdout, done.stderr)
    tap.ok(f"{what}: topology script, console and results are there, sockets are not", WANTED <= held and not UNWANTED & held, held)
    status = ""
    if held:
        with open(os.path.join(folder, "result/status"), encoding="ascii") as file:
            status = file.read()
    tap.ok(f"{what}: so is the reason", status.startswith("error: topology:"), status)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        done = run(folder, "aqm=codel target nonsense")
        named = re.search(r"folder is (\S+)", done.stderr)
        left(tap, "without --keep", done, named.group(1) if named else os.path.join(folder, "none"))
    with tempfile.TemporaryDirectory() as folder:
        done = run(folder, "aqm=codel target nonsense", "--keep", "kept")
        left(tap, "with --keep", done, os.path.join(folder, "kept"))
        tap.ok("with --keep: nothing else is", os.listdir(folder) == ["kept"], os.listdir(folder))
        again = run(folder, "--keep", "kept")
        tap.ok("a folder that is there is refused", again.returncode == 2 and "kept" in again.stderr, again.stderr)
        done = run(folder, "--keep", "good", "--json", "out.json")
        tap.ok("--keep of a run that ends well has its raw results", done.returncode == 0 and "flows.csv" in os.listdir(
            os.path.join(folder, "good/result")) and not UNWANTED & set(os.listdir(os.path.join(folder, "good"))), done.stderr)
        tap.ok("and it leaves nothing elsewhere", sorted(os.listdir(folder)) == ["good", "kept", "out.json"], os.listdir(folder))
    tap.end()


if __name__ == "__main__":
    main()
