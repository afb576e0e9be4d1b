#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""arm64: modules and programs are built here for it, algorithms and programs run in an emulator of its instructions, and tests of the
qdiscs in an emulated machine with its stock kernel. TAP.

The cross compiler, headers and libraries are in a root of Debian 13 (selftests/qemu/debian.py), and nothing of them is installed here.
"""

import io
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, f"selftests/{folder}") for folder in ("lib", "qemu", "matrix")]
# pylint: disable=wrong-import-position
import cache
import debian
import guest
import machine
import module
import stock
import usage
from tap import Tap

RELEASE, ARCHITECTURE, TRIPLET = 13, "arm64", "aarch64-linux-gnu"
EMULATOR = "qemu-aarch64-static"
# The root: what runs in it, and what its programs are built and run with.
BUILDERS = ("gcc", "make", "kmod", "libc6-dev", f"gcc-{TRIPLET}", "libc6-dev-arm64-cross")
LIBRARIES = ("libc6", "libgcc-s1", "libmnl-dev", "libmnl0", "nettle-dev", "libnettle8t64", "libseccomp-dev", "libseccomp2")
MACHINE = {"x86_64": 62, "aarch64": 183}        # e_machine of ELF
# Programs of user space, below the folder that make builds in.
PROGRAMS = ("tc-plugins/onrampctl", "huygens-lite/huygens-lite", "huygens-lite/huygensctl", "acc-tuner/acc-tuner", "acc-tuner/accctl",
            "traffic/flowgen")
PLUGINS = ("tc-plugins/q_ecnsharp.so", "tc-plugins/q_onramp.so", "tc-plugins/q_cp.so")
# The emulated machine, and what is run there.
USERLAND = ("dash", "bash", "coreutils", "busybox-static", "kmod", "iproute2", "ethtool", "iputils-ping", "python3-minimal", "libpython3-stdlib",
            "libmnl0", "libnettle8t64", "libseccomp2")
COMMAND = "./run_tests.py cp_bridge delay_hist ecnsharp_gso ecnsharp_mark ecnsharp_module onramp_acks onramp_fq onramp_load"
UNIT = os.path.join(ROOT, "selftests/unit")
VARIANT = "64-fast"


def call(*command, **more):
    """Run a command without what make told us; return (status, output)."""
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "O")}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          check=False, env=env, **({"cwd": ROOT} | more))
    return done.returncode, done.stdout


def machine_of(path):
    """The machine that an ELF file is for; 0 of another file, and of none."""
    if not os.path.isfile(path):
        return 0
    with open(path, "rb") as file:
        head = file.read(20)
    return struct.unpack("<H", head[18:20])[0] if head[:4] == b"\x7fELF" and len(head) == 20 else 0


def build_folder():
    """The build folder of the newest kernel's headers, in a root with the cross compiler and libraries."""
    release = re.search(r"linux-headers-(\S+)", debian.newest(RELEASE, f"linux-headers-{ARCHITECTURE}:{ARCHITECTURE}")["Depends"])[1]
    common = release.removesuffix(f"-{ARCHITECTURE}")
    foreign = (f"linux-headers-{release}", f"linux-headers-{common}-common", *LIBRARIES)
    # Programs that run while modules are built are this machine's.
    root = debian.root(f"root-{ARCHITECTURE}", RELEASE, (*BUILDERS, f"linux-kbuild-{common}"), [f"{name}:{ARCHITECTURE}" for name in foreign])
    return os.path.join(root, f"usr/src/linux-headers-{release}")


def make(kdir, *arguments):
    """Run make of this tree in the root of a build folder."""
    # The second -C leads from the headers to the tree.
    return call("scripts/make-for", kdir, "-C", ROOT, "-s", f"CC={TRIPLET}-gcc", *arguments)


def modules(tap, kdir, out):
    """All modules, with W=1."""
    release = os.path.basename(kdir).removeprefix("linux-headers-")
    status, output = call("scripts/build-modules", kdir, out, f"ARCH={ARCHITECTURE}", f"CROSS_COMPILE={TRIPLET}-", "W=1", "-j2")
    said = [line for line in output.splitlines() if not re.search(r"pahole|BTF|vmlinux", line)]
    tap.ok(f"the modules build with W=1 for {release} without output", not status and not said, "\n".join(said[-40:]))
    found = {path: machine_of(f"{out}/{path}.ko") for path in module.MODULES}
    tap.ok(f"all {len(found)} are for arm64", set(found.values()) == {MACHINE["aarch64"]}, found)
    wrong = [path for path in found if not call("modinfo", "-F", "vermagic", f"{out}/{path}.ko")[1].startswith(f"{release} ")]
    tap.ok("and for that kernel", not wrong, wrong)
    tap.ok("a program of this machine would be noticed", machine_of(os.path.realpath(sys.executable)) not in (0, MACHINE["aarch64"]))


def emulated(kdir, *command, **more):
    """Run a program of arm64 with the libraries of the root."""
    return call(EMULATOR, "-L", kdir.partition("/usr/src/")[0], *command, **more)


def programs(tap, kdir, out):
    """Tools and daemons: built, and they say what they are."""
    status, output = make(kdir, "-j2", "tools", "DEPS=have", f"O={out}")
    tap.ok("tools and daemons build", not status and "warning" not in output, output[-3000:])
    found = {path: machine_of(f"{out}/{path}") for path in (*PROGRAMS, *PLUGINS)}
    tap.ok("all are for arm64", set(found.values()) == {MACHINE["aarch64"]}, found)
    for path in PROGRAMS:
        status, output = emulated(kdir, f"{out}/{path}", "--help")
        tap.ok(f"{os.path.basename(path)} --help", not status and os.path.basename(path) in output, (status, output[-1000:]))
    daemon = f"{out}/huygens-lite/huygens-lite"
    status, output = emulated(kdir, daemon, "-t", "-f", "huygens-lite/huygens-lite.conf.example")
    tap.ok("huygens-lite reads its example", not status and "neighbours" in output, (status, output))
    status, output = emulated(kdir, daemon, "-t", "-f", "/nowhere")
    tap.ok("huygens-lite names a file that is not there", status and "/nowhere" in output, (status, output))


def tests_of(out, machine):
    """Names of the unit tests that were built for a machine."""
    folder = os.path.join(out, VARIANT)
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(name for name in names if "." not in name and machine_of(os.path.join(folder, name)) == machine)


def algorithms(tap, kdir, out):
    """Unit tests of all algorithms, optimized: they pass, and print what they print on this machine, such as counts of their inputs."""
    build = ("-C", UNIT, "-j2", f"VARIANTS={VARIANT}", f"FLAGS_{VARIANT}=-O2 -static", "all")
    there, here = os.path.join(out, "arm64"), os.path.join(out, "here")
    for status, output in (make(kdir, *build, f"O={there}"), call("make", "-s", *build, f"O={here}")):
        tap.ok("the unit tests of algorithms build", not status, output[-3000:])
    names = tests_of(there, MACHINE["aarch64"])
    tap.ok("for both machines", len(names) > 15 and names == tests_of(here, MACHINE["x86_64"]), names)
    for name in names:
        status, output = emulated(kdir, os.path.join(there, VARIANT, name), cwd=UNIT)
        results = re.findall(r"^(ok|not ok) \d+", output, re.M)
        tap.ok(f"{name}: {len(results)} tests pass", not status and results and "not ok" not in results, output[-3000:])
        same = call(os.path.join(here, VARIANT, name), cwd=UNIT)[1]
        tap.ok(f"{name} prints the same as on this machine", output == same, f"{output[-1000:]}\n{same[-1000:]}")
    wrong = os.path.join(out, "wrong")
    with open(f"{wrong}.c", "w", encoding="ascii") as file:
        file.write("int main(void) { return 1; }\n")
    tap.ok("a program that fails is seen", not make(kdir, "-C", out, "LDFLAGS=-static", "wrong")[0] and emulated(kdir, wrong)[0] == 1)


def compiled(kdir, folder, name):
    """Compile one of the tests' own tools in a folder, static; return it."""
    status, output = make(kdir, "-C", folder, f"VPATH={ROOT}/selftests/net", "CFLAGS=-O2 -Wall -Wextra", "LDFLAGS=-static", name)
    if status:
        raise guest.GuestError(output)
    return os.path.join(folder, name)


def boot(kdir, folder, own, tools):
    """Boot the stock kernel with our modules and tools; return how COMMAND ended, and what it printed."""
    kernel = stock.foreign(RELEASE, kdir, ARCHITECTURE)
    userland = debian.root(f"userland-{ARCHITECTURE}", RELEASE, USERLAND, architecture=ARCHITECTURE)
    initramfs, printed = os.path.join(folder, "initramfs"), io.StringIO()
    guest.initramfs(initramfs, guest.foreign_userland(userland, EMULATOR), guest.module_archive(stock.modules(kernel, own)),
                    guest.tests(COMMAND, tools, root=userland, compiled=lambda name: compiled(kdir, folder, name)))
    outcome = machine.boot(kernel.vmlinuz, initramfs, machine.Options(accel="tcg", timeout=1800, board=machine.ARM64), out=printed)
    return outcome, printed.getvalue()


def results(outcome, printed):
    """(what, whether it is well) of a machine's run: each test, their end, and the kernel."""
    yield from ((f"emulated: {what}", verdict == "ok") for verdict, what in re.findall(r"^(ok|not ok) \d+ - (.*)", printed, re.M))
    yield "emulated: the tests end well", outcome.status == 0 and bool(re.search(r"^[1-9]\d* passed, 0 failed$", printed, re.M))
    yield "emulated: the kernel has no complaint", not outcome.complaints


# Runs that went wrong in one way each, which must be seen.
PASSED = "ok 1 - cp: a mark\n1..1\n1 passed, 0 failed\n"
WRONG = {"a test that fails": (machine.Outcome(0, [], ""), PASSED.replace("ok 1", "not ok 1")), "a status": (machine.Outcome(1, [], ""), PASSED),
         "a machine that stops": (machine.Outcome(None, [], ""), PASSED), "a complaint": (machine.Outcome(0, ["Oops"], ""), PASSED),
         "no test": (machine.Outcome(0, [], ""), "1..0\n0 passed, 0 failed\n"), "a test that is skipped": (machine.Outcome(0, [], ""), "1 passed, 0 failed, 1 skipped\n")}


def machines(tap, kdir, folder, own, tools):
    """Tests of the qdiscs in an emulated machine."""
    for what, run in WRONG.items():
        tap.ok(f"seen in a machine: {what}", [good for _, good in results(*run)].count(False) == 1)
    if not shutil.which(machine.ARM64.emulator):
        tap.skip("emulated", f"no {machine.ARM64.emulator}: make deps, or apt install qemu-system-arm")
        return
    try:
        outcome, printed = boot(kdir, folder, own, tools)
    except (guest.GuestError, machine.MachineError, stock.StockError) as why:
        tap.ok("a machine boots", False, why)
        return
    for what, good in results(outcome, printed):
        tap.ok(what, good, f"{printed[-4000:]}\n{outcome.console[-2000:]}")


def main():
    usage.check(__doc__, not sys.argv[1:])
    tap = Tap()
    if not shutil.which(EMULATOR):
        tap.skip("arm64", f"no {EMULATOR}: make deps, or apt install qemu-user-static")
        tap.end()
    try:
        kdir = build_folder()
    except debian.DebianError as why:
        tap.skip("arm64", str(why).splitlines()[-1])
        tap.end()
    with tempfile.TemporaryDirectory(prefix="arm64-", dir=cache.folder("qemu")) as scratch:
        own, tools = os.path.join(scratch, "modules"), os.path.join(scratch, "tools")
        modules(tap, kdir, own)
        programs(tap, kdir, tools)
        os.mkdir(os.path.join(scratch, "machine"))
        machines(tap, kdir, os.path.join(scratch, "machine"), [f"{own}/{path}.ko" for path in module.MODULES],
                 [os.path.join(tools, path) for path in (*PROGRAMS, *PLUGINS, "tc-plugins/onramp-mq")])
        os.mkdir(os.path.join(scratch, "unit"))
        algorithms(tap, kdir, os.path.join(scratch, "unit"))
    tap.end()


if __name__ == "__main__":
    main()
