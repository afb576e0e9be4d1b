#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Our packages in a Debian 12 of their own, which boots a stock kernel with systemd, as TAP.

    boot_installed.py [--make] 6.1|6.12

Installed and upgraded by apt, the modules built for both kernels, before it boots; what they do, and that purge leaves
nothing, is seen in the machine. The kernel's complaints fail it, as in selftests/qemu/boot_vm.py.

With --make it has no packages: modules and tools are built in a Debian with what `debian/deps --list install` names and no
more, and make installs and uninstalls them in the machine, by the lines of README.md and docs/operations.md.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import debs
import root
import accel
import debian
import guest
import machine
import stock
import tap
import usage

WHAT = "a Debian of their own, for what packages or make install"


def boot(series, made):
    """Boot what packages or make installs; return the machine's Outcome."""
    kernel = stock.find(series)
    debian, script, memory = (root.made(kernel), "guest_make_install.sh", 3072) if made else (root.installed(), "guest_packages.sh", 2048)
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        image = os.path.join(folder, "image")
        root.image(image, debian, os.path.join(root.HERE, script))
        return machine.boot(kernel.vmlinuz, image, machine.Options(memory=memory, append=root.ARGS, accel=accel.choose(kernel),
                                                                  timeout=1800))


def main():
    """Run; return the exit status."""
    *make, series = sys.argv[1:] or [""]
    usage.check(__doc__, make in ([], ["--make"]) and series in stock.SERIES)
    if not debian.possible():
        tap.skip_all("neither root nor sub-ids in /etc/subuid")
        return 0
    try:
        outcome = boot(series, bool(make))
    except (debs.PackageError, debian.DebianError, stock.StockError, guest.GuestError, machine.MachineError, OSError) as why:
        tap.outcome(WHAT, False, why)
        return 1
    tap.note("\n".join(outcome.complaints))
    if outcome.status is None or outcome.complaints:
        print(outcome.console, file=sys.stderr)
        return 1
    return outcome.status


if __name__ == "__main__":
    sys.exit(main())
