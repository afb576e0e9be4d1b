#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Run a command as nobody, as root without a capability, or as root without all but some.

    without.py rights|NUMBER|but:NUMBER,... COMMAND...
"""

import ctypes
import os
import sys

NOBODY = 65534
PR_CAPBSET_DROP = 24


def dropped(what):
    """Numbers of the capabilities to drop."""
    if not what.startswith("but:"):
        return [int(what)]
    kept = {int(number) for number in what.removeprefix("but:").split(",")}
    with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as file:
        return sorted(set(range(int(file.read()) + 1)) - kept)


def main(what, *command):
    """Drop, and run it."""
    if what == "rights":
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    else:
        for number in dropped(what):
            if ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, number):
                sys.exit("without.py: the capability cannot be dropped")
    os.execvp(command[0], command)


main(*sys.argv[1:])
