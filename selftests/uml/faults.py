# SPDX-License-Identifier: GPL-2.0
"""Which objects of slabs the kernel's fault injection may have fail.

What looks for errors keeps records of its own, each object in a slab. If there is no memory for one, kmemleak may switch itself
off for good, and finds no leak any more; and for each allocation of these modules one of kmemleak's would fail in a turn of its own.
"""

import os

SLABS = "/sys/kernel/slab"
DETECTORS = ("kmemleak_object", "kmemleak_scan_area", "debug_objects_cache")


def write(path, text):
    """A setting."""
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def choose(slabs):
    """With cache-filter=Y: all slabs that there are now, but for the detectors' (of which a kernel may have none), or none."""
    for name in os.listdir(SLABS):
        write(f"{SLABS}/{name}/failslab", "1" if slabs and name not in DETECTORS else "0")
