#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Boot one of Debian's stock kernels in QEMU with the modules of this tree, and run a command in it.

    boot_vm.py --kernel 6.1|6.12|newest [options] [-- COMMAND]

COMMAND is a line for the guest's shell, run in /sharpramp/selftests; the default is ./run_tests.py. The guest has
the stock tc with the plugins, the modules in /lib/modules, iperf3, python3, tdc and the tests. The output goes to
standard output, and the status is that of COMMAND. A complaint of the kernel (a warning, an oops, "suspicious",
"non-work-conserving" of a qdisc other than onramp) is printed, and the status is then 1. --console prints the
kernel's whole log. No root is needed; the kernel package is fetched, not installed.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import accel
import cache
import guest
import machine
import stock

sys.path += [cache.ROOT, os.path.join(cache.ROOT, "selftests/lib")]
# pylint: disable=wrong-import-position
from lab.host import artifacts  # noqa: E402
import tap  # noqa: E402


def built(kind, what, trees, command, *key, held=contextlib.nullcontext()):
    """Return a folder in which the command, given a folder, has built sources; from the cache if they are the same.

    While it builds, the lock is held: it is for a folder that builds of other sources use, too.
    """
    def make(part):
        os.mkdir(part)
        with held:
            status = subprocess.run(command(part), stdout=sys.stderr, check=False).returncode
        if status:
            raise machine.MachineError(f"{what} not build")

    files = [path for tree in trees for path in cache.tree_files(os.path.join(cache.ROOT, tree))]
    return cache.made(kind, cache.digest(*key, *files), make)


def modules_of(folder):
    """Return the modules that were built in a folder."""
    return [path for path in cache.tree_files(folder) if path.endswith(".ko")]


def modules_folder(kernel, settings=()):
    """The folder in which modules are built for a kernel: one for it and settings, whatever they name holds: kbuild knows what it depends on."""
    return cache.folder("modules", f"{kernel.release}-{cache.digest(kernel.kdir, *settings)}")


def our_modules(kernel, settings=()):
    """Build our modules for a kernel, with these settings of make, in the cache; return the folder.

    What was built before, in a folder that stays, of the same sources is not built again: build-modules compares contents.
    """
    build = os.path.join(cache.ROOT, "scripts/build-modules")
    key = (kernel.kdir, build, *settings, *(symbol for setting in settings for symbol in setting.split()))
    work = modules_folder(kernel, settings)

    def command(part):
        return ["sh", "-c", 'build=$1 kdir=$2 work=$3 part=$4; shift 4; "$build" "$kdir" "$work" "$@" && cp -a "$work/." "$part"', "sh",
                build, kernel.kdir, work, part, *settings]

    artifacts.name_kernel(work, kernel.kdir)
    return built(f"build-{kernel.release}", f"the modules for {kernel.release} do",
                 ("kernel", "sch_cp", "sch_ecnsharp", "sch_onramp", "onramp_acker"), command, *key, os.path.join(cache.ROOT, "Kbuild"),
                 held=cache.lock(f"modules-{os.path.basename(work)}"))


def our_tools():
    """Build the tc plugins and their scripts, onrampctl and the daemons, in the cache; return their files."""
    source = os.path.join(cache.ROOT, "tc-plugins")
    script = "make -s -C \"$0\" O=\"$1\" all && make -s -C \"$0/onrampctl\" O=\"$1\" all"
    out = built("build-tools", "the tools do", ("kernel", "lib", "tc-plugins"), lambda part: ["sh", "-c", script, source, part],
                *(os.path.join(cache.ROOT, "debian", name) for name in ("version.mk", "changelog")))
    # In the same folder is the library that they were linked with.
    return [*(path for path in cache.tree_files(out) if os.path.dirname(path) == out), *our_daemon(), *our_tuner()]


def our_daemon():
    """Build huygens-lite and huygensctl, in the cache; return them."""
    source = os.path.join(cache.ROOT, "huygens-lite")
    out = built("build-daemon", "the daemon does", ("kernel/include", "lib", "tc-plugins/onrampctl", "huygens-lite"),
                lambda part: ["make", "-s", "-C", source, f"O={part}", f"{part}/huygens-lite", f"{part}/huygensctl"])
    return [os.path.join(out, name) for name in ("huygens-lite", "huygensctl")]


def our_tuner():
    """Build acc-tuner and accctl, in the cache; return them."""
    source = os.path.join(cache.ROOT, "acc-tuner")
    out = built("build-tuner", "acc-tuner does", ("kernel/include", "kernel/algo", "lib", "lab/traffic", "acc-tuner"),
                lambda part: ["make", "-s", "-C", source, f"O={part}", f"{part}/acc-tuner", f"{part}/accctl"])
    return [os.path.join(out, name) for name in ("acc-tuner", "accctl")]


def labnic(kernel, own):
    """Build the lab's network device, which calls our modules, in the cache; return its files; it is for the cloud's 6.12 only."""
    if not (kernel.release.startswith("6.12.") and "-cloud-" in kernel.release):
        return []
    trees = ("kernel", "lab/labnic", "lab/kernel/files")
    script = "make -s -C \"$2\" M=\"$1/lab/labnic\" KBUILD_EXTRA_SYMBOLS=\"$3/Module.symvers\" modules"
    copy = " && ".join(f"mkdir -p \"$1/{tree}\" && cp -R \"$0/{tree}/.\" \"$1/{tree}\"" for tree in trees)
    out = built(f"build-labnic-{kernel.release}", "labnic does", trees,
                lambda part: ["sh", "-c", f"{copy} && {script}", cache.ROOT, part, kernel.kdir, own],
                kernel.kdir, script)
    return modules_of(out)


@dataclass(frozen=True)
class More:
    """Files of the guest in addition to those of all guests."""

    modules: list
    programs: list
    files: list     # (file, its place there)
    make: list      # settings of make, for our modules: NAME=VALUE


def images(kernel, command, more):
    """Return the archives that the guest boots from."""
    own = our_modules(kernel, more.make)
    modules = stock.modules(kernel, modules_of(own) + labnic(kernel, own) + more.modules)
    return guest.userland(), guest.module_archive(modules), guest.tests(command, our_tools() + more.programs, more.files)


def run(kernel, command, options, more):
    """Boot a kernel and run a command in it; return the machine's Outcome."""
    if not options.accel:
        options.accel = "tcg" if options.icount or options.plugin else accel.choose(kernel)
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        initramfs = os.path.join(folder, "initramfs")
        guest.initramfs(initramfs, *images(kernel, command, more))
        return machine.boot(kernel.vmlinuz, initramfs, options)


def arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", required=True, metavar="SERIES",
                        help=f"{', '.join(stock.SERIES)}, {stock.NEWEST} (of Debian's backports), one that they have, or "
                             f"{' or '.join(stock.LABS)}")
    parser.add_argument("--flavour", default="cloud", choices=stock.FLAVOURS, help="flavour of the stock kernel (cloud)")
    parser.add_argument("--smp", type=int, default=0, metavar="N",
                        help="number of CPUs, in real time without --icount (2 with KVM, otherwise 1 in virtual time)")
    parser.add_argument("--memory", type=int, default=1024, metavar="MB", help="memory in MB (1024)")
    parser.add_argument("--icount", action="store_true", help="virtual time, 1 ns per instruction of any CPU")
    parser.add_argument("--accel", choices=("kvm", "tcg"), default="", help="accelerator; the one that works by default")
    parser.add_argument("--module", action="append", default=[], metavar="FILE.ko", help="further module for /lib/modules")
    parser.add_argument("--make", action="append", default=[], metavar="NAME=VALUE", help="variable of make for building the modules")
    parser.add_argument("--program", action="append", default=[], metavar="FILE", help="further program of this machine, with its libraries")
    parser.add_argument("--file", action="append", default=[], nargs=2, metavar=("FILE", "THERE"),
                        help="further file for the guest, such as a script that COMMAND runs")
    parser.add_argument("--nics", default=[], nargs="+", metavar="MODEL",
                        help="models such as virtio-net-pci; the guest has two NICs of each, on one wire")
    parser.add_argument("--wire", action="append", default=[], nargs=3, metavar=("MODEL", "SOCKET", "OTHER"),
                        help="NIC on a wire between two sockets, the first of which the machine creates")
    parser.add_argument("--plugin", default="", metavar="FILE.so[,NAME=VALUE]", help="plugin of QEMU's emulator")
    parser.add_argument("--append", default="", metavar="ARGS", help="further arguments of the kernel's command line")
    parser.add_argument("--timeout", type=int, default=900, metavar="S", help="time limit in CPU seconds (900)")
    parser.add_argument("--console", action="store_true", help="print the kernel's log at the end")
    parser.add_argument("command", nargs="*", metavar="COMMAND")
    return parser.parse_args()


def main():
    """Run; return the exit status."""
    args = arguments()
    if not stock.reachable(args.kernel):
        tap.skip_all(f"the headers of kernel {args.kernel} want another Debian: neither root nor sub-ids in /etc/subuid")
        return 0
    options = machine.Options(args.smp, args.memory, args.icount, args.append, args.timeout,
                              args.accel, tuple(args.nics), tuple(args.wire), plugin=args.plugin)
    try:
        more = More([os.path.abspath(path) for path in args.module], [os.path.abspath(path) for path in args.program],
                    [(os.path.abspath(path), there) for path, there in args.file], args.make)
        outcome = run(stock.find(args.kernel, args.flavour), " ".join(args.command) or "./run_tests.py", options, more)
    except (stock.StockError, guest.GuestError, machine.MachineError, OSError, subprocess.CalledProcessError) as err:
        print(f"boot: {err}", file=sys.stderr)
        return 1
    sys.stdout.flush()
    if args.console or outcome.status is None:
        print(outcome.console, file=sys.stderr)
    for line in outcome.complaints:
        print(f"boot: {args.kernel}: {line}", file=sys.stderr)
    if outcome.status is None:
        print(f"boot: {args.kernel}: the guest did not say how its command ended", file=sys.stderr)
        return 1
    return 1 if outcome.complaints else outcome.status


if __name__ == "__main__":
    sys.exit(main())
