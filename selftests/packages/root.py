# SPDX-License-Identifier: GPL-2.0
"""A Debian 12 system, without our packages and with them; the modules are built in it, for all of its kernels.

Packages are installed in a chroot, at the speed of this machine; without root it is in a user namespace. The result
is an archive that a machine boots from. It contains systemd; compilers and headers are removed.
"""

import os
import shutil
import sys
import tempfile

import debs
import cache
import debian
import guest
import stock

HERE = os.path.dirname(os.path.abspath(__file__))
RELEASE = 12            # of Debian
# systemd to boot, dkms with its compiler, what our packages depend on and recommend of others, what measures: what is installed
# afterwards belongs to this test alone.
BASE = ("systemd-sysv", "udev", "dbus", "kmod", "iproute2", "dkms", "libmnl0", "libnettle8", "libseccomp2", "procps", "openssl",
        "iperf3")
# Packages that make install's set lacks for a machine that boots, and of one that runs README.md's selftests.
BOOTS, TESTS = ("systemd-sysv", "udev", "dbus"), ("python3", "procps")
# Messages and prompts of a starting machine on its console.
ARGS = "systemd.show_status=0 systemd.firstboot=0"
# A machine that only loads modules has no use for these; dpkg goes on believing in them.
TRIM = ("usr/share/locale", "boot/*", "usr/lib/modules/*/kernel/drivers/[!nv]*", "usr/lib/modules/*/kernel/fs",
        "usr/lib/modules/*/kernel/sound", "usr/share/doc/[!hs]*", "var/cache/apt", "var/lib/apt/lists", "root/.cache")
# And none for these, where nothing is compiled any more.
COMPILERS = ("usr/src/linux-*", "usr/lib/linux-kbuild-*", "usr/lib/gcc", "usr/libexec/gcc", "usr/lib/x86_64-linux-gnu/*.a",
             "usr/include", "usr/bin/*-linux-gnu-*")
# Files of the tree that make modules tools, install, uninstall and one of the selftests read.
TREE = ("debian", "kernel", "lib", "onramp_acker", "sch_cp", "sch_ecnsharp", "sch_onramp", "tc-plugins", "huygens-lite", "acc-tuner", "lab/traffic", "operations",
        "Makefile", "Kbuild", "Kconfig", "README.md", "docs/operations.md", "scripts/build-modules", "scripts/copy-sources", "scripts/make-for",
        "selftests/Makefile", "selftests/lib", "selftests/run_tests.py", "selftests/net", "selftests/tc-testing")


def kernels():
    """Return the stock kernels that the modules are built for."""
    return [stock.find(series) for series in stock.SERIES]


def clean():
    """Return the archive of a Debian without our packages."""
    return debian.archive(RELEASE, (*BASE, *(f"linux-headers-{kernel.release}" for kernel in kernels())))


def put_modules(scratch, *kernels_of):
    """Put stock kernels' modules where the scripts look for them."""
    for kernel in kernels_of:
        shutil.copytree(os.path.join(stock.modules(kernel, []), "lib/modules"), os.path.join(scratch, "modules"),
                        symlinks=True, dirs_exist_ok=True)


def put_tree(scratch, files):
    """Put files of our tree where the scripts look for it."""
    for name in files:
        path = os.path.join(scratch, "tree", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy2(os.path.join(debs.ROOT, name), path, follow_symlinks=False)


def scripts(*names):
    """Return the files that decide what is in an archive, in addition to its arguments."""
    return [path for name in (*names, "chroot.sh", "snapshot.sh", "clock", "../lib/tap.sh")
            for path in (cache.tree_files(os.path.join(HERE, name)) or [os.path.join(HERE, name)])]


def make_installed(part):
    """Install, change the configuration as a user would, upgrade, and pack."""
    with tempfile.TemporaryDirectory(dir=cache.folder("qemu")) as scratch:
        for name, folder in (("first", debs.built()), ("next", debs.built_next())):
            os.mkdir(os.path.join(scratch, name))
            for path in debs.paths(folder).values():
                shutil.copy(path, os.path.join(scratch, name))
        put_modules(scratch, *kernels())
        print("installing the packages, building the modules for all kernels ...", file=sys.stderr, flush=True)
        debs.call([*debian.namespace(), os.path.join(HERE, "install_packages.sh"), clean(), scratch, part, HERE, " ".join((*TRIM, *COMPILERS))])


def installed():
    """Return the archive of that Debian with our packages installed and upgraded."""
    packages = [path for folder in (debs.built(), debs.built_next()) for path in debs.paths(folder).values()]
    releases = [kernel.release for kernel in kernels()]
    return cache.made("debian-installed", cache.digest(clean(), *releases, *packages, *scripts("install_packages.sh", "../../debian/tests/dkms"), *TRIM, *COMPILERS), make_installed)


def made(kernel):
    """Return the archive of a Debian in which README.md's tree is built, and has what building it needs."""
    wanted = (*debs.call(["debian/deps", "--list", "install"]).split(), f"linux-headers-{kernel.release}")
    builds, runs = debian.archive(RELEASE, wanted), debian.archive(RELEASE, (*wanted, *BOOTS, *TESTS))
    files = cache.tracked(*TREE)

    def make(part):
        with tempfile.TemporaryDirectory(dir=cache.folder("qemu")) as scratch:
            put_tree(scratch, files)
            put_modules(scratch, kernel)
            print("building with make install's set of packages ...", file=sys.stderr, flush=True)
            debs.call([*debian.namespace(), os.path.join(HERE, "make_install.sh"), builds, runs, scratch, part, HERE, " ".join(TRIM), kernel.release])
    key = cache.digest(builds, runs, kernel.release, *files, *(os.path.join(debs.ROOT, name) for name in files), *scripts("make_install.sh"), *TRIM)
    return cache.made("debian-made", key, make)


def build_and_purge(number):
    """Return the file with what build_and_purge.sh prints of the packages that are built and installed in another release of Debian.

    It has no failure: that is an error, with the output.
    """
    kdir = stock.headers(stock.NEWEST)
    release = os.path.basename(kdir).removeprefix("linux-headers-")
    wanted = (*debs.call(["debian/deps", "--list", "deb"]).split(), "lintian", "dkms", "openssl", "procps", "systemd",
              f"linux-headers-{release}")
    files = cache.tracked(*debs.READS)

    def make(part):
        with tempfile.TemporaryDirectory(dir=cache.folder("qemu")) as scratch:
            put_tree(scratch, files)
            print(f"building the packages in Debian {number} ...", file=sys.stderr, flush=True)
            text = debs.call([*debian.namespace(), os.path.join(HERE, "build_and_purge.sh"), debian.archive(number, wanted), scratch, HERE, release])
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
    key = cache.digest(*debian.versions(number, *wanted), *files, *(os.path.join(debs.ROOT, name) for name in files), *scripts("build_and_purge.sh"))
    return cache.made(f"build-and-purge-{number}", key, make)


def image(out, archive, script, *lines):
    """Write what a machine boots from, of one of these archives; it runs a script when it is up. More lines of the manifest."""
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        part = os.path.join(folder, "part")
        guest.pack(part, [f"file {script} /sharpramp/guest 755",
                          *(f"file {HERE}/{name} /sharpramp/{name}" for name in ("serial_lines.sh", "leftovers.sh", "results.sh")),
                          f"file {debs.ROOT}/selftests/lib/tap.sh /sharpramp/tap.sh",
                          "node /dev/console c 5 1 600", "node /dev/null c 1 3 666", *lines])
        guest.initramfs(out, archive, part)
