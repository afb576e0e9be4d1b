#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Run a command as nobody, or as root without a capability.

    without.py rights|NUMBER COMMAND...
"""

import ctypes
import os
import sys

NOBODY = 65534
PR_CAPBSET_DROP = 24


def main(what, *command):
    """Drop, and run it."""
    if what == "rights":
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    elif ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, int(what)):
        sys.exit("without.py: the capability cannot be dropped")
    os.execvp(command[0], command)


main(*sys.argv[1:])
