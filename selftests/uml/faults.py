# SPDX-License-Identifier: GPL-2.0
"""The slabs whose allocations the kernel's fault injection may fail.

Those of the kernel's debugging tools are excluded. If kmemleak cannot allocate a record, it may disable itself and find no leak any
more. Each allocation of these modules would also add an attempt in which only kmemleak's allocation fails.
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
