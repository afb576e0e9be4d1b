# SPDX-License-Identifier: GPL-2.0
"""Which accelerator runs a kernel here."""

import os
import tempfile

import guest
import machine


def choose(kernel):
    """Return "kvm" or "tcg", whichever runs this kernel."""
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        trial = os.path.join(folder, "trial")
        guest.initramfs(trial, guest.userland(), guest.tests("true"))
        return "kvm" if machine.kvm_works(kernel.vmlinuz, trial) else "tcg"
