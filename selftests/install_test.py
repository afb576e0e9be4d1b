#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""make install, uninstall and clean: below a root of their own, for a kernel that need not be the one that runs."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path[:0] = [os.path.join(HERE, "lib"), os.path.join(HERE, "qemu")]
# pylint: disable=wrong-import-position
import boot_vm
import cache
import stock
import usage
from tap import Tap

MAKE_SPEAKS = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "O", "DESTDIR", "PREFIX", "KDIR", "RELEASE", "DEPS")
FILES = ("usr/bin/flowgen", "usr/share/man/man1/flowgen.1",
         *(f"usr/share/sharpramp/workloads/{name}.cdf" for name in ("alistorage", "datamining", "fbhadoop", "googlerpc", "websearch")),
         *(f"usr/share/man/man8/tc-{kind}.8" for kind in ("cp", "ecnsharp", "onramp")), *(path for name in ("onramp-mq", "ecnsharp-mq") for path in (f"usr/sbin/{name}", f"usr/share/man/man8/{name}.8")),
         "etc/bash_completion.d/tc-sharpramp",
         *(path for name in ("onramp-host", "onramp-everywhere", "onramp-rollout") for path in
           (f"usr/sbin/{name}", f"usr/share/man/man8/{name}.8", f"usr/share/bash-completion/completions/{name}")),
         *(f"lib/systemd/system/{name}" for name in ("ecnsharp@.service", "onramp-host.service", "onramp-metrics.service", "onramp-metrics.timer")),
         "usr/share/doc/sharpramp/sharpramp.default", "usr/sbin/onrampctl", "usr/share/man/man8/onrampctl.8",
         *(f"usr/share/bash-completion/completions/{name}" for name in ("onrampctl", "flowgen")),
         "usr/sbin/huygens-lite", "usr/bin/huygensctl",
         "usr/share/man/man8/huygens-lite.8", "usr/share/man/man5/huygens-lite.conf.5", "usr/share/man/man1/huygensctl.1",
         *(f"lib/systemd/system/{name}.service" for name in ("huygens-lite", "huygens-lite@", "huygens-wait")), "usr/lib/sysusers.d/huygens-lite.conf",
         "lib/udev/rules.d/60-huygens-lite.rules", "usr/share/doc/huygens-lite/huygens-lite.conf",
         "usr/include/huygens_line.h", "usr/share/doc/huygens-lite/now.c",
         *(f"usr/share/bash-completion/completions/{name}" for name in ("huygensctl", "huygens-lite", "accctl", "acc-tuner", "acc-train")),
         "usr/sbin/acc-tuner", "usr/bin/accctl", "usr/bin/acc-train",
         *(f"usr/share/man/man{page[-1]}/{page}" for page in ("acc-tuner.8", "acc-tuner.conf.5", "acc-model.5", "accctl.1", "acc-train.1")),
         "lib/systemd/system/acc-tuner.service", "usr/lib/sysusers.d/acc-tuner.conf", "usr/share/doc/acc-tuner/acc-tuner.conf",
         "usr/share/acc-tuner/ramp20.accm")

UNITS = [path for path in FILES if path.endswith(".service")]
MODULES = ("sch_ecnsharp/sch_ecnsharp", "kernel/core/onramp", "sch_onramp/sch_onramp", "onramp_acker/onramp_acker",
           "kernel/hook/onramp_hook", "sch_cp/sch_cp")


class Tree:
    """An output folder, a root to install below, and a depmod that only notes that it was called."""

    def __init__(self, scratch):
        self.kdir = stock.headers("6.12")
        self.release = os.path.basename(self.kdir).removeprefix("linux-headers-")
        self.out, self.root, self.bin = (os.path.join(scratch, name) for name in ("out", "root", "bin"))
        self.depmod = os.path.join(scratch, "depmod-called")
        os.makedirs(self.bin)
        self.stand_in("depmod", f'echo "$*" >>{self.depmod}')

    def stand_in(self, name, script):
        """A program that make finds first; returns where it is."""
        with open(os.path.join(self.bin, name), "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(file.name, 0o755)
        return file.name

    def make(self, *arguments, umask=-1):
        """Run make in the source tree, with folders relative to it; of two values of a variable the last holds."""
        env = {name: value for name, value in os.environ.items() if name not in MAKE_SPEAKS}
        env["PATH"] = self.bin + ":" + env["PATH"]
        return subprocess.run(["make", f"KDIR={self.kdir}", "O=" + os.path.relpath(self.out, ROOT), *arguments], cwd=ROOT, env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, umask=umask)

    def below(self, *arguments, umask=-1):
        """Run make with the root as DESTDIR and the packages left alone."""
        return self.make(*arguments, "DEPS=have", "DESTDIR=" + os.path.relpath(self.root, ROOT), umask=umask)


def files(folder):
    """{path below folder: what changes if it is written again}"""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            about = os.lstat(os.path.join(where, name))
            found[os.path.relpath(os.path.join(where, name), folder)] = (about.st_ino, about.st_mtime_ns, about.st_uid)
    return found


def private(folder):
    """Files below folder without the permissions that a package would give it: 755 for folders and programs, 644 for the rest."""
    found = []
    for where, _, names in os.walk(folder):
        for path in (where, *(os.path.join(where, name) for name in names)):
            mode = stat.S_IMODE(os.lstat(path).st_mode)
            if mode != (0o755 if os.path.isdir(path) or re.search("/s?bin/", path.removeprefix(folder)) else 0o644):
                found.append(f"{path} {mode:o}")
    return found


def put(folder, path):
    """A file below folder that is not installed by make."""
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii"):
        pass


def kernel_module(tree, installed):
    """The modules' files, compressed or not, if they are where KDIR's kernel looks first."""
    plain = [f"lib/modules/{tree.release}/updates/{name}.ko" for name in MODULES]
    return {path for path in installed if re.sub(r"\.(gz|xz|zst)$", "", path) in plain}


def takes(daemon, example, was, now):
    """Whether a daemon takes a configuration, with a part replaced."""
    with open(example, encoding="utf-8") as file:
        text = file.read().replace(was, now)
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.write(text)
        file.flush()
        return not subprocess.run([daemon, "-t", "-f", file.name], capture_output=True, check=False).returncode


def built_before(tree):
    """The modules as scripts/build-modules has built them for the virtual machines, as if built in O: make finds nothing to do."""
    folder = os.path.join(tree.out, "modules")
    kernel = stock.find("6.12")
    shutil.copytree(boot_vm.our_modules(kernel), folder)
    built = boot_vm.modules_folder(kernel).encode()
    for path in cache.tree_files(folder):
        with open(path, "rb") as file:
            data = file.read()
        if b"\0" not in data:
            with open(path, "wb") as file:
                file.write(data.replace(built, folder.encode()))
        os.chmod(path, os.stat(path).st_mode & 0o700)
    for path in cache.tree_files(folder):
        os.utime(path)


def install(tap, tree):
    built_before(tree)
    # Neither the builder's nor the installer's umask decides which users may read it.
    done = tree.make("modules", "tools", "DEPS=have", umask=0o077)
    built = files(tree.out)
    tap.ok("modules and tools are built", not done.returncode and built, done.stdout[-2000:])
    done = tree.below("install", umask=0o077)
    tap.ok("install below DESTDIR", not done.returncode, done.stdout[-2000:])
    tap.ok("with umask 077 all may read it, as they may a package's", not private(tree.root), private(tree.root))
    installed = files(tree.root)
    tap.ok("the modules are installed for KDIR's kernel", len(kernel_module(tree, installed)) == len(MODULES), sorted(installed))
    plugin = {path for path in installed if path.endswith(("/tc/q_cp.so", "/tc/q_ecnsharp.so", "/tc/q_onramp.so"))}
    tap.ok("the plugin, onrampctl, flowgen, man pages and completion are there, nothing else",
           len(plugin) == 3 and set(installed) == kernel_module(tree, installed) | plugin | set(FILES), sorted(installed))
    changed = [path for path, was in built.items() if files(tree.out).get(path) != was]
    tap.ok("install builds nothing that was there", not changed and set(files(tree.out)) == set(built), changed)
    onrampctl = os.path.join(tree.root, "usr/sbin/onrampctl")
    tap.ok("the onrampctl installed runs", os.path.exists(onrampctl)
           and not subprocess.run([onrampctl, "--help"], capture_output=True, check=False).returncode)
    # This host has none of the example's addresses; the network is the one that is installed.
    for name, *part in (("huygens-lite", "[mesh]", "[node]\nid = 1\n[mesh]"),
                        ("acc-tuner", "policy = follow", f"policy = ddqn\nmodel = {tree.root}/usr/share/acc-tuner/ramp20.accm")):
        daemon, example = (os.path.join(tree.root, path) for path in (f"usr/sbin/{name}", f"usr/share/doc/{name}/{name}.conf"))
        tap.ok(f"the {name} installed takes the example that is", os.path.exists(daemon) and takes(daemon, example, *part))
    flowgen = os.path.join(tree.root, FILES[0])
    tap.ok("the flowgen installed runs", FILES[0] in installed
           and not subprocess.run([flowgen, "--help"], capture_output=True, check=False).returncode)


def prefix(tap, tree):
    """Units start what is installed, wherever that is."""
    arguments = ["PREFIX=/usr/local", f"DESTDIR={tree.root}-local", "DEPS=have"]
    done = tree.make("tools_install", *arguments)
    started = []
    for unit in UNITS:
        path = f"{tree.root}-local/{unit}"
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                started += re.findall(r"^ExecStart=(\S+)", file.read(), re.MULTILINE)
    there = [path for path in started if os.access(f"{tree.root}-local{path}", os.X_OK)]
    tap.ok("with PREFIX=/usr/local units start what is there", len(started) == len(UNITS) and there == started,
           (started, done.stdout[-2000:]))
    failing = tree.stand_in("sed", f'case "$*" in *.service) exit 1 ;; esac\nexec {shutil.which("sed")} "$@"')
    tap.ok("a unit that cannot be written so ends it", tree.make("tools_install", *arguments).returncode)
    os.remove(failing)
    done = tree.make("uninstall", *arguments)
    tap.ok("uninstall takes all that out again", not done.returncode and not files(f"{tree.root}-local"),
           (sorted(files(f"{tree.root}-local")), done.stdout[-2000:]))


def folders(tap, tree):
    """Units and rules go where systemd and udev say that theirs are, or without pkg-config where all look."""
    answers = 'case "$*" in *systemdsystemunitdir*) echo /elsewhere/units ;; *udevdir*) echo /elsewhere/udev ;; *) exit 1 ;; esac'
    for script, units, rules in ((answers, "elsewhere/units", "elsewhere/udev/rules.d"), ("exit 1", "lib/systemd/system", "lib/udev/rules.d")):
        known = tree.stand_in("pkg-config", script)
        root = f"{tree.root}-folders"
        done = tree.make("tools_install", f"DESTDIR={root}", "DEPS=have")
        there = files(root)
        wanted = {f"{units}/{os.path.basename(unit)}" for unit in UNITS} | {f"{rules}/60-huygens-lite.rules"}
        tap.ok(f"units are installed in /{units}, rules in /{rules}", not done.returncode and wanted <= set(there), sorted(wanted - set(there)))
        done = tree.make("uninstall", f"DESTDIR={root}", "DEPS=have")
        tap.ok("and uninstalled", not done.returncode and not files(root), sorted(files(root)))
        os.remove(known)


def uninstall(tap, tree):
    put(tree.root, "usr/bin/stranger")
    done = tree.below("uninstall", "KDIR=/nowhere")
    tap.ok("uninstall without a kernel is refused, and says what it wants", done.returncode and "say KDIR= or RELEASE=" in done.stdout,
           done.stdout)
    done = tree.below("uninstall")
    tap.ok("uninstall below DESTDIR leaves only what make did not install", not done.returncode and list(files(tree.root)) == ["usr/bin/stranger"],
           (sorted(files(tree.root)), done.stdout))
    left = [name for name in (f"lib/modules/{tree.release}/updates", "etc/bash_completion.d", "usr/share/doc/huygens-lite", "usr/share/doc/sharpramp", "usr/share/acc-tuner")
            if os.path.exists(os.path.join(tree.root, name))]
    tap.ok("and no folder that few machines have", not left, left)
    done = tree.below("uninstall", "KDIR=/nowhere", f"RELEASE={tree.release}")
    tap.ok("uninstall of what is not there is no error, and RELEASE= does for KDIR=", not done.returncode, done.stdout)
    tap.ok("below DESTDIR nobody calls depmod", not os.path.exists(tree.depmod))
    for target in ("install", "uninstall"):
        output = tree.make("-n", target, "DEPS=have").stdout
        tap.ok(f"{target} on this machine calls it for KDIR's kernel", f"|| depmod -a '{tree.release}'" in output, output[-2000:])
        line = next((line for line in output.splitlines() if "depmod -a" in line), "false")
        subprocess.run(["sh", "-c", line], check=False, umask=0o077, env=os.environ | {"PATH": tree.bin + ":" + os.environ["PATH"]})
        mode = stat.S_IMODE(os.stat(tree.depmod).st_mode) if os.path.exists(tree.depmod) else None
        tap.ok(f"{target} lets it write modules.dep for all to read, with umask 077", mode == 0o644, (line, mode))
        if mode:
            os.remove(tree.depmod)


def clean(tap, tree):
    put(tree.out, "stranger")
    done = tree.make("clean")
    tap.ok("clean removes what was built in O, nothing else", not done.returncode and list(files(tree.out)) == ["stranger"],
           (sorted(files(tree.out)), done.stdout))


def packages(tap, tree):
    for target in ("modules", "tools", "install"):
        tap.ok(f"{target} looks for the few packages it needs", "debian/deps install" in tree.make("-n", target).stdout)
    few, every = (set(subprocess.run([os.path.join(ROOT, "debian/deps"), "--list", *arguments], capture_output=True, text=True,
                                     check=True).stdout.split()) for arguments in (["install"], []))
    tap.ok("no daemon that would turn this machine's clock is installed", not {"chrony", "linuxptp"} & every, every)
    tap.ok("those are some of all", {"gcc", "make", "kmod", "xz-utils"} <= few < every and "qemu-system-x86" in every - few, (few, every))


def elsewhere(tap):
    """Other distributions' names are those of the set that installing needs, and of nothing else."""
    def deps(*arguments):
        done = subprocess.run([os.path.join(ROOT, "debian/deps"), *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.split()

    with open(os.path.join(ROOT, "debian/deps"), encoding="utf-8") as file:
        table = re.search(r"^elsewhere\(\) \{.*?LIST'\n(.*?)^LIST$", file.read(), re.M | re.S)[1]
    ours = {line.split()[0] for line in table.splitlines()} - {"-"}
    tap.ok("each package that installing needs has a name elsewhere", ours == set(deps("--list", "install")[1]), ours)
    for other, one in (("dnf", "kernel-devel"), ("pacman", "linux-headers")):
        status, names = deps("--list", "install", other)
        tap.ok(f"those for {other} are listed", not status and one in names and len(names) == len(ours) + 1, names)
        for wrong in (("--list", other), ("install", other), (other,), ("--list", "deb", other)):
            tap.ok(f"{' '.join(wrong)} is refused", deps(*wrong) == (2, []), deps(*wrong))


# Packages that only some releases have.
SOME = {"Debian 12": {"linux-source-6.1", "linux-headers-6.12-cloud-amd64"}, "Debian 13": set()}


def offered(tap, scratch):
    """Packages that only some releases have are installed where they exist; apt takes a name for the beginning of one."""
    folder = os.path.join(scratch, "apt")
    os.mkdir(folder)
    for release, some in SOME.items():
        for name, text in (("apt-cache", f"printf '%s\\n' {' '.join(some)} linux-source-6.12 linux-source-6.1x"), ("dpkg-query", "exit 1")):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\n{text}\n")
            os.chmod(file.name, 0o755)
        listed = set(subprocess.run([os.path.join(ROOT, "debian/deps"), "--list"], capture_output=True, text=True, check=True,
                                    env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}).stdout.split())
        tap.ok(f"{release} is queried for {len(some)} of what some releases lack", listed & SOME["Debian 12"] == some and
               {"linux-source-6.12", "linux-headers-cloud-amd64", "libclang-rt-dev"} < listed, listed)
        tap.ok("and names are names", not [name for name in listed if "?" in name], listed)


def main():
    usage.check(__doc__, not sys.argv[1:])
    tap = Tap()
    with tempfile.TemporaryDirectory() as scratch:
        tree = Tree(scratch)
        install(tap, tree)
        prefix(tap, tree)
        folders(tap, tree)
        uninstall(tap, tree)
        clean(tap, tree)
        packages(tap, tree)
        elsewhere(tap)
        offered(tap, scratch)
    tap.end()


if __name__ == "__main__":
    main()
