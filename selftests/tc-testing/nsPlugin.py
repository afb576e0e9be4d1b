# SPDX-License-Identifier: GPL-2.0
"""Stands in for the nsPlugin of the kernel's tdc: a fresh device $DUMMY for every test.

The original makes a network namespace for every test, by a process that it does not wait for, so
that on a slow machine tests begin before their device is there; and at its end it deletes all
namespaces that it can see. Here all of tdc runs in one namespace, made by the script run.
"""

import subprocess

from TdcPlugin import TdcPlugin


class SubPlugin(TdcPlugin):
    """Makes and deletes the device."""

    def __init__(self):
        self.sub_class = "ns/SubPlugin"
        self.dummy = None
        super().__init__()

    def ip(self, lines):
        """Run ip commands, waiting for their end."""
        subprocess.run([self.args.NAMES["IP"], "-batch", "-"], input=lines, text=True, check=True)

    def pre_case(self, caseinfo, test_skip):
        """Before a test: make its device."""
        if not test_skip:
            self.dummy = self.args.NAMES["DUMMY"]
            self.ip(f"link add {self.dummy} type dummy\nlink set {self.dummy} up\n")

    def post_case(self):
        """After a test: delete its device, and with it what a failed test left there."""
        if self.dummy:
            self.ip(f"link del {self.dummy}\n")
            self.dummy = None
