# SPDX-License-Identifier: GPL-2.0
"""A Debian 12 of its own, without our packages and with them; the modules are built in it, for all of its kernels.

Installing is done in a chroot, as fast as this machine is; whoever is not root has a user namespace for that. What comes
of it is an archive that a machine boots from: systemd is in it, compilers and headers are not any more.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import debs
import cache
import guest
import stock

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = "/etc/apt/sources.list.d/debian.sources"
# systemd to boot, dkms with its compiler, what our packages depend on and recommend of others, what measures: what is installed
# afterwards is ours alone.
BASE = ("systemd-sysv", "udev", "dbus", "kmod", "iproute2", "dkms", "libmnl0", "libnettle8", "libseccomp2", "procps", "openssl",
        "iperf3")
# What a machine says on its console of starting, and asks.
WORDS = "systemd.show_status=0 systemd.firstboot=0"
# A machine that only loads modules has no use for these; dpkg goes on believing in them.
TRIM = ("usr/src/linux-*", "usr/lib/linux-kbuild-*", "usr/lib/gcc", "usr/libexec/gcc", "usr/lib/x86_64-linux-gnu/*.a", "usr/include",
        "usr/bin/*-linux-gnu-*", "usr/share/locale", "boot/*", "usr/lib/modules/*/kernel/drivers/[!nv]*", "usr/lib/modules/*/kernel/fs",
        "usr/lib/modules/*/kernel/sound", "usr/share/doc/[!hs]*", "var/cache/apt", "var/lib/apt/lists", "root/.cache")


def kernels():
    """Return the stock kernels that the modules are built for."""
    return [stock.find(series) for series in stock.SERIES]


def namespace():
    """Return the words that let us mount and be root."""
    words = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    return words if os.geteuid() == 0 else [*words, "--user", "--map-root-user", "--map-auto"]


def possible():
    """Tell whether this user can have a root of more than one user; an ordinary one may lack sub-ids."""
    with tempfile.NamedTemporaryFile() as file:
        return not subprocess.run([*namespace(), "chown", "1:1", file.name], capture_output=True, check=False).returncode


def clean():
    """Return the archive of a Debian without our packages, from the mirror that this machine uses."""
    packages = ",".join([*BASE, *(f"linux-headers-{kernel.release}" for kernel in kernels())])
    sources = [SOURCES] if os.path.exists(SOURCES) else []
    command = ["mmdebstrap", "--quiet", "--variant=minbase", "--format=tar", '--aptopt=APT::Install-Recommends "false"',
               f"--include={packages}", "bookworm"]

    def make(part):
        print("making a new Debian 12 ...", file=sys.stderr, flush=True)
        debs.call([*command, part, *sources])
    return cache.made("debian", cache.digest(*command), make)


def make_installed(part):
    """Install, change the configuration as a user would, upgrade, and pack."""
    with tempfile.TemporaryDirectory(dir=cache.folder("qemu")) as scratch:
        for name, folder in (("first", debs.built()), ("next", debs.built_next())):
            os.mkdir(os.path.join(scratch, name))
            for path in debs.paths(folder).values():
                shutil.copy(path, os.path.join(scratch, name))
        for kernel in kernels():
            shutil.copytree(os.path.join(stock.modules(kernel, []), "lib/modules"), os.path.join(scratch, "modules"),
                            symlinks=True, dirs_exist_ok=True)
        print("installing the packages, building the modules for all kernels ...", file=sys.stderr, flush=True)
        debs.call([*namespace(), os.path.join(HERE, "install"), clean(), scratch, part, HERE, " ".join(TRIM)])


def installed():
    """Return the archive of that Debian with our packages installed and upgraded."""
    ours = [path for folder in (debs.built(), debs.built_next()) for path in debs.paths(folder).values()]
    scripts = [os.path.join(HERE, name) for name in ("install", "snapshot")]
    releases = [kernel.release for kernel in kernels()]
    return cache.made("debian-installed", cache.digest(clean(), *releases, *ours, *scripts, *TRIM), make_installed)


def image(out, script, *lines):
    """Write the archive that a machine boots from, which runs a script when it is up, with more lines of the manifest."""
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        part = os.path.join(folder, "part")
        guest.pack(part, [f"file {script} /sharpramp/guest 755", *(f"file {HERE}/{name} /sharpramp/{name}" for name in ("lines", "left")),
                          "node /dev/console c 5 1 600", "node /dev/null c 1 3 666", *lines])
        guest.initramfs(out, installed(), part)
