#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Run a program that can read and write one folder, and read the files of the host that a lab kernel needs.

    confine.py FOLDER READABLE PROGRAM [ARGUMENT ...]

Landlock confines the program, which needs no root. It may read READABLE, itself, the system's libraries and
/proc, and may use temporary memory files and terminals. A patch of the lab's kernel already keeps hostfs inside the
folder; this is the second barrier. A host without Landlock runs the program unconfined.
"""

import ctypes
import os
import struct
import sys

# <linux/landlock.h>: numbers of the system calls, one bit an access, how many of them which version has
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION, PATH_BENEATH = 1, 1
EXECUTE, WRITE, READ, LIST, REMOVE, MAKE, TRUNCATE = 0x1, 0x2, 0x4, 0x8, 0x20, 0x100, 0x4000
BITS = {1: 13, 2: 14, 3: 15}
OF_FILES = EXECUTE | WRITE | READ | TRUNCATE
PR_SET_NO_NEW_PRIVS = 38

LIBC = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    """Make a system call; raise OSError."""
    status = LIBC.syscall(number, *(ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments))
    if status < 0:
        raise OSError(ctypes.get_errno(), f"landlock: {os.strerror(ctypes.get_errno())}")
    return status


def known():
    """Return the accesses that this host's Landlock knows of, 0 without it."""
    try:
        return (1 << BITS[min(call(CREATE_RULESET, None, 0, VERSION), max(BITS))]) - 1
    except OSError:
        return 0


def confine(rules, handled):
    """From here on this process has these accesses and no others: rules are (path, accesses)."""
    ruleset = call(CREATE_RULESET, struct.pack("=Q", handled), 8, 0)
    for path, accesses in rules:
        if not os.path.exists(path):
            continue
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
        accesses &= handled if os.path.isdir(path) else handled & OF_FILES
        call(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", accesses, beneath), 0)
        os.close(beneath)
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def main(argv):
    if len(argv) < 4:
        sys.exit(__doc__)
    folder, readable, *command = argv[1:]
    handled = known()
    if handled:
        confine([(folder, handled), (readable, READ), (command[0], READ | EXECUTE), ("/proc", READ | LIST),
                 *((path, READ | LIST | EXECUTE) for path in ("/usr", "/lib", "/lib64", "/etc/ld.so.cache")),
                 *((path, READ | WRITE) for path in ("/dev/null", "/dev/ptmx", "/dev/pts")),
                 # Where the guest's memory lies; see Lab.environment().
                 (os.environ.get("TMPDIR", "/dev/shm"), READ | WRITE | MAKE | REMOVE | TRUNCATE)], handled)
    # Python adds this one to an environment without a locale.
    os.execve(command[0], command, {name: value for name, value in os.environ.items() if name != "LC_CTYPE"})


if __name__ == "__main__":
    main(sys.argv)
