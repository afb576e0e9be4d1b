#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A device that is detached, as in a reset: its driver's clock is not read. TAP, in a machine.

    run_absent.py 6.1|6.12|newest
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../lib"), os.path.join(HERE, "../qemu")]
# pylint: disable=wrong-import-position
import stock
import usage


def main():
    """Build the device's module, boot; return the exit status."""
    usage.check(__doc__, len(sys.argv) == 2 and not sys.argv[1].startswith("-"))
    kernel = stock.find(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        subprocess.run(["cp", "-r", f"{HERE}/.", folder], check=True)
        with open(os.path.join(HERE, "../../kernel/compat/probe.mk"), encoding="ascii") as probe, \
                open(os.path.join(folder, "Kbuild"), "a", encoding="ascii") as kbuild:
            kbuild.write(probe.read())
            kbuild.write("ccflags-y += $(if $(filter -DHAVE_KERNEL_ETHTOOL_TS_INFO,$(ccflags-y)),-DABSENT_KERNEL_TS_INFO)\n")
            kbuild.write("ccflags-y += $(call has,hwtstamp_set,linux/mii_timestamper.h,ABSENT_HWTSTAMP_SET)\n")
        subprocess.run([os.path.join(HERE, "../../scripts/make-for"), kernel.kdir, f"M={folder}", "-s", "modules"], check=True,
                       stdout=sys.stderr)
        return subprocess.call([os.path.join(HERE, "../qemu/boot_vm.py"), "--kernel", sys.argv[1], "--module", f"{folder}/absentdev.ko",
                                "--file", f"{HERE}/detached.sh", "/sharpramp/absent", "--", "sh /sharpramp/absent"])


if __name__ == "__main__":
    sys.exit(main())
