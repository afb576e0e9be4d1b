# SPDX-License-Identifier: GPL-2.0
"""The patched drivers, built for a kernel; what was built is kept as long as nothing changes that it is built from."""

import os
import subprocess

import cache
import stock

PATCHES = os.path.join(cache.ROOT, "driver-patches")
# Files of a built tree that are kept: modules, lists of their objects, and exported symbols.
KEPT = (".ko", ".mod", "Module.symvers")


class Failed(Exception):
    """The patches are not all well; the text is the output of apply.sh or check.sh."""


def known():
    """Return the names of all drivers that there are patches of."""
    return sorted(name for name in os.listdir(PATCHES) if os.path.isdir(os.path.join(PATCHES, name)))


def archive(series):
    """Return where Debian's package puts the sources of a series."""
    return f"/usr/src/linux-source-{series}.tar.xz"


def absent():
    """Return the series whose sources or headers this machine lacks, as its release of Debian may: Debian 13 has no 6.1."""
    return [series for series in stock.SERIES if not os.path.exists(archive(series)) or not stock.installed(series)]


def tarball(series):
    """Return the sources of a series, and what tells that they are others."""
    path = archive(series)
    about = os.stat(path)
    return path, str(about.st_size), str(about.st_mtime_ns)


def digest(drivers, *given):
    """Hash of the inputs of drivers, and more."""
    files = [os.path.join(PATCHES, name) for name in ("apply.sh", "drivers.sh")]
    for folder in (*(f"driver-patches/{driver}" for driver in drivers), "kernel/hook"):
        files += cache.tree_files(os.path.join(cache.ROOT, folder))
    files.append(os.path.join(cache.ROOT, "kernel/include/onramp_hook.h"))
    for series in stock.SERIES:
        if series not in absent():
            given += tarball(series)
    return cache.digest(*given, *drivers, *(os.path.relpath(path, cache.ROOT) for path in files), *files)


def must(*command):
    """Run a command; return its output, or raise Failed with it."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise Failed(done.stdout)
    return done.stdout


def built(kernel, drivers):
    """Return the modules of patched drivers and of the hook for a kernel, from the cache if nothing changed."""
    def make(part):
        must(os.path.join(PATCHES, "apply.sh"), "--kernel", kernel.kdir, "--out", part, *drivers)

    out = cache.made(f"drivers-{kernel.release}", digest(drivers, kernel.kdir), make)
    wanted = [f"{name}.ko" for name in drivers]
    return [path for path in cache.tree_files(out) if os.path.basename(path) in wanted]


def sources(series):
    """Return a folder with the unpatched sources of all drivers, from the cache if it was unpacked before."""
    def make(part):
        must("sh", "-c", '. "$0" && unpack "$@"', os.path.join(PATCHES, "drivers.sh"), tarball(series)[0], part, *known())

    return cache.made(f"drivers-source-{series}",
                      cache.digest(os.path.join(PATCHES, "drivers.sh"), *tarball(series), *known()), make)


def tree(kdir, driver):
    """Return the tree of one driver for the kernel of a build folder, as check.sh reads it, from the cache.

    Of the large ones what was compiled takes hundreds of megabytes: of that the modules stay, without debug information.
    """
    release = os.path.basename(kdir).removeprefix("linux-headers-")
    source = sources(next(series for series in stock.SERIES if release.startswith(f"{series}.")))

    def make(part):
        output = must(os.path.join(PATCHES, "apply.sh"), "--kernel", kdir, "--source", source, "--out", part, driver)
        for path in cache.tree_files(part):
            if not path.endswith(KEPT):
                os.unlink(path)
            elif path.endswith(".ko"):
                must("strip", "--strip-debug", path)
        with open(os.path.join(part, "log"), "w", encoding="utf-8") as file:
            file.write(output)

    return cache.made(f"driver-{driver}-{release}", digest([driver], kdir), make)
