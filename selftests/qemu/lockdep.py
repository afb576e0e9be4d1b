#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The newest kernel's locks, as TAP: a driver's own lock, with lockdep.

    lockdep.py [COMMAND ...]

Since 7.2 tc and the notifiers of a device are called with the lock of its driver held, if that requires it, as netdevsim
does. Boots the kernel of two CPUs from the newest sources (lab/kernel/build smp-newest: KASAN, lockdep, kmemleak, slab debugging)
and runs netdevsim.sh, which uses a device of netdevsim. A complaint of the kernel fails the run. COMMANDs, run in selftests, take
its place, such as ./uml/lifecycle.sh.

A control comes first: modules that query a link by the function that takes the lock. Lockdep must report that they take it twice.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../lib"))
# pylint: disable=wrong-import-position
import stock
import tap

GUEST = "/sharpramp/netdevsim.sh"
COMMAND = [os.path.join(HERE, "smp.py"), "--kernel", stock.SMP_NEWEST, "--file", os.path.join(HERE, "netdevsim.sh"), GUEST]
LOCKING = "KCFLAGS=-Dnetif_get_link_ksettings=__ethtool_get_link_ksettings"
# On the console: the lock of netdevsim, and where it is taken again.
REPORT = re.compile(r"possible recursive locking detected.*dev_instance_lock_key.*__ethtool_get_link_ksettings", re.DOTALL)


def control():
    """Run modules that take the lock; return whether lockdep reports that tc holds it already. Their tc never ends."""
    done = subprocess.run([*COMMAND, "--console", "--make", LOCKING, f"sh {GUEST} control"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    reported = bool(REPORT.search(done.stderr))
    sys.stderr.write("" if reported else done.stderr)
    return reported


def main():
    tap.outcome("a lock that is taken twice is reported", control())
    return subprocess.call([*COMMAND, *(sys.argv[1:] or [f"sh {GUEST}"])])


if __name__ == "__main__":
    sys.exit(main())
