# SPDX-License-Identifier: GPL-2.0
"""The patched drivers, built for a kernel; what was built is kept as long as nothing changes that it is built from."""

import os
import subprocess

import cache
import stock

PATCHES = os.path.join(cache.ROOT, "driver-patches")


class Failed(Exception):
    """The patches are not all well; the text is what check.sh said."""


def digest(*given):
    """Of what drivers are built from, and more."""
    files = cache.tree_files(PATCHES) + cache.tree_files(os.path.join(cache.ROOT, "kernel/hook"))
    files = [path for path in files if not path.endswith(".md")] + [os.path.join(cache.ROOT, "kernel/include/onramp_hook.h")]
    for series in stock.SERIES:
        source = os.stat(f"/usr/src/linux-source-{series}.tar.xz")
        given += (str(source.st_size), str(source.st_mtime_ns))
    return cache.digest(*given, *(os.path.relpath(path, cache.ROOT) for path in files), *files)


def must(*words):
    """Run a command; return what it said, or raise Failed with it."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise Failed(done.stdout)
    return done.stdout


def built(kernel, drivers):
    """Return the modules of patched drivers and of the hook for a kernel, from the cache if nothing changed."""
    def make(part):
        must(os.path.join(PATCHES, "apply.sh"), "--kernel", kernel.kdir, "--out", part, *drivers)

    out = cache.made(f"drivers-{kernel.release}", digest(kernel.kdir, *drivers), make)
    wanted = [f"{name}.ko" for name in drivers]
    return [path for path in cache.tree_files(out) if os.path.basename(path) in wanted]
