# SPDX-License-Identifier: GPL-2.0
"""Command lines of the tree's programs: --help and wrong usage, neither of which starts anything."""

import fnmatch
import os
import subprocess
import tempfile

from parameters import ROOT

# Programs that people call, as git has them, and executables there that are none of these.
WHERE = ("debian/*", "driver-patches/*.sh", "lab/run", "lab/kernel/build", "lab/report/*", "operations/*", "scripts/*", "selftests/*.py", "selftests/*.sh",
         "selftests/*/run_*.py", "site/build", "selftests/qemu/boot_vm.py", "selftests/packages/boot_installed.py", "tc-plugins/onramp-mq")
OTHERS = ("debian/rules", "debian/tests/*", "lab/report/schedules/*", "selftests/net/*", "selftests/lab/*", "selftests/lib/*", "selftests/consistency/*", "selftests/tc-testing/*",
          "selftests/uml/[!r]*", "selftests/uml/re*", "selftests/unit/*", "selftests/bench/[!r]*", "selftests/qemu/[!b]*", "selftests/packages/[!rb]*", "selftests/*/*.sh",
          "selftests/packages/build*", "selftests/clients/[!r]*", "selftests/igb/[!r]*", "selftests/fuzz/*", "selftests/driver-patches/d*")
UNKNOWN = "--no-such-option"


def programs():
    """Executables of the tree that people call."""
    listed = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    paths = [line.partition("\t")[2] for line in listed if line.startswith("100755")]
    return [path for path in paths if any(fnmatch.fnmatch(path, where) for where in WHERE) and not any(fnmatch.fnmatch(path, other) for other in OTHERS)]


def judged(path, argument):
    """What is wrong with a program's answer to an argument."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([path, argument], cwd=home, env={**os.environ, "HOME": home, "XDG_CACHE_HOME": home}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=600)
        left = os.listdir(home)
    status, spoken, silent = (2, done.stderr, done.stdout) if argument == UNKNOWN else (0, done.stdout, done.stderr)
    if done.returncode != status:
        yield f"status {done.returncode} and not {status}: {(done.stderr + done.stdout)[:200]}"
    if not spoken.strip() or silent:
        yield f"it writes to the wrong place: {silent[:200]!r}"
    if left:
        yield f"it made {left}"


def usages(_tree, _pages):
    """Each answers --help on standard output with 0, and an unknown option on standard error with 2, and has started nothing."""
    found = programs()
    complaints = [f"{path} {argument}: {what}" for path in found for argument in ("--help", "-h", UNKNOWN)
                  for what in judged(os.path.join(ROOT, path), argument)]
    return complaints if len(found) > 30 else [f"{len(found)} programs"]
