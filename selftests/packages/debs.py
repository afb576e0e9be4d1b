# SPDX-License-Identifier: GPL-2.0
"""The Debian packages of this tree, and the same with the next version, built once for each state of the tree."""

import functools
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), os.path.join(ROOT, "selftests/qemu")]
# pylint: disable=wrong-import-position
import cache

NAMES = ("sharpramp-dkms", "sharpramp-tools", "huygens-lite", "acc-tuner")
# Neither a make above us nor the user's flags have a say.
MAKE_SPEAKS = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "O", "DESTDIR", "PREFIX", "KDIR", "RELEASE", "DEPS", "CFLAGS",
               "DEB_BUILD_OPTIONS")
# Sources of the packages.
READS = ("debian", "kernel", "lib", "onramp_acker", "sch_cp", "sch_ecnsharp", "sch_onramp", "tc-plugins", "huygens-lite", "acc-tuner", "lab/traffic", "operations",
         "contrib", "scripts", "docs", "README.md", "Makefile", "Kbuild", "Kconfig")
NEXT = """sharpramp ({version}) unstable; urgency=medium

  * The same again, to upgrade to.

 -- sharpramp maintainers <maintainers@sharpramp.example>  Mon, 23 Nov 2026 12:00:00 +0000

"""


class PackageError(Exception):
    """The packages do not build; the text says why."""


def call(command, cwd=ROOT):
    """Run a command that must succeed; its output is in the error if it does not."""
    env = {name: value for name, value in os.environ.items() if name not in MAKE_SPEAKS}
    run = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if run.returncode:
        raise PackageError(f"{' '.join(command)}:\n{run.stdout[-4000:]}")
    return run.stdout


def version(folder=ROOT):
    """Return the version that a folder's debian/changelog has."""
    return call(["dpkg-parsechangelog", "-S", "Version"], folder).strip()


@functools.cache
def key():
    """Return the digest of all that packages are built of, and of what builds them."""
    tools = call(["dpkg-query", "-W", *call(["debian/deps", "--list", "deb"]).split()])
    return cache.digest(tools, *(os.path.join(ROOT, name) for name in cache.tracked(*READS)))


def make_debs(part):
    """Build them as README.md says, but for the packages that this needs; make has a folder around them."""
    around = f"{part}-around"
    call(["make", "deb", f"O={around}", "DEPS=have"])
    os.rename(os.path.join(around, "deb"), part)
    os.rmdir(around)


def built():
    """Return the folder of the packages; in its folder sharpramp they were built."""
    return cache.made("debs", key(), make_debs)


def next_version():
    """Return a version that is later than that of the packages that are built."""
    return version(os.path.join(built(), "sharpramp")) + "+next"


def make_next(part):
    """Build the packages again, one version on."""
    os.mkdir(part)
    source = os.path.join(part, "sharpramp")
    shutil.copytree(os.path.join(built(), "sharpramp"), source, symlinks=True)
    path = os.path.join(source, "debian/changelog")
    with open(path, encoding="utf-8") as file:
        before = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(NEXT.format(version=next_version()) + before)
    call(["dpkg-buildpackage", "-b", "-us", "-uc", "-ui", "-rtrue"], source)


def built_next():
    """Return the folder of the packages of the next version."""
    return cache.made("debs-next", key(), make_next)


def paths(folder):
    """Return {name of a package: its file}."""
    found = {os.path.basename(path).partition("_")[0]: path for path in glob.glob(os.path.join(folder, "*.deb"))}
    return {name: found[name] for name in NAMES}
