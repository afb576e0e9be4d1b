#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""selftests/net/onramp_ktls.sh in stock 6.12, with the device that it needs (tlsdev/): TAP."""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../lib"))
# pylint: disable=wrong-import-position
import stock
import tap

SERIES = "6.12"


def main():
    if not stock.reachable(SERIES):
        tap.skip_all("no stock kernel")
        return 0
    with tempfile.TemporaryDirectory(prefix="sharpramp-ktls-") as work:
        source = os.path.join(work, "tlsdev")
        subprocess.run(["cp", "-r", os.path.join(HERE, "tlsdev"), source], check=True)
        env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "O")}
        done = subprocess.run(["make", "-s", "-C", stock.find(SERIES).kdir, f"M={source}", "modules"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        if done.returncode:
            tap.outcome("tlsdev is built", False, done.stdout[-1000:])
            return 1
        return subprocess.run([os.path.join(HERE, "boot_vm.py"), "--kernel", SERIES, "--module", os.path.join(source, "tlsdev.ko"), "--",
                               "./run_tests.py", "onramp_ktls"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
