# SPDX-License-Identifier: GPL-2.0
"""What test scripts that are root in namespaces of their own share: a line of TAP a test, commands, where they are."""

import ctypes
import os
import subprocess
import sys

CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)
HOME = os.open("/proc/self/ns/net", os.O_RDONLY)
results = [0, 0]


def result(passed, name, *remarks):
    """One line of TAP; what is said of a failure comes after it."""
    results[0] += 1
    results[1] += not passed
    print(f"{'ok' if passed else 'not ok'} {results[0]} - {name}", flush=True)
    for remark in () if passed else remarks:
        for line in str(remark).splitlines():
            print(f"# {line}", flush=True)
    return passed


def skip(name, why):
    """A test that this machine cannot run."""
    results[0] += 1
    print(f"ok {results[0]} - {name} # SKIP {why}", flush=True)


def finish():
    """The plan; returns what the script ends with."""
    print(f"1..{results[0]}")
    return 1 if results[1] else 0


def run(words):
    """Run a command that must succeed."""
    done = subprocess.run(words.split(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {words}: {done.stdout}")


def virtual():
    """Does time pass at once while nobody works?  Then minutes cost nothing; elsewhere laws alone are asked about them."""
    with open("/proc/cmdline", encoding="ascii", errors="replace") as file:
        words = file.read().split()
    return "sharpramp.virtual" in words or "time-travel=inf-cpu" in words


def enter(name):
    """What is opened from now on is of the network namespace of that name."""
    with open(f"/run/netns/{name}", "rb") as file:
        _go(file.fileno())


def leave():
    """And now again of the one that the script began in."""
    _go(HOME)


class Inside:
    """The network namespace of that name, as long as a with statement lasts."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        enter(self.name)

    def __exit__(self, *_):
        leave()


def _go(file):
    if LIBC.setns(file, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), f"setns: {os.strerror(ctypes.get_errno())}")
