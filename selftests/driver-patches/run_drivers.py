#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The driver patches, as TAP.

    run_drivers.py                     patches of drivers that can be loaded here apply and build for both stock kernels,
                                   README.md says so; what apply.sh and check.sh refuse
    run_drivers.py --others            those of the other drivers, for the generic kernels, which have these drivers
    run_drivers.py --table [--others]  the table of README.md
    run_drivers.py --boot SUITE        patched drivers in a stock kernel, such as drivers-6.1 or nics-6.12: see driver_stamps.py
    run_drivers.py --two SERIES        two machines, stock and patched virtio_net: see two.py

Built modules are kept in the cache until a source of theirs changes.
"""

import dataclasses
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), os.path.join(ROOT, "selftests/qemu")]
# pylint: disable=wrong-import-position
import stock
import usage
from patched import PATCHES, Failed, absent, built, known, must, sources, tree
from tap import Tap, note, outcome, skip_all
from wire import Wire


@dataclasses.dataclass(frozen=True)
class Boot:
    """Machine of a suite: a flavour of stock kernel, the drivers loaded into it, and the NICs that it has for them."""

    flavour: str
    drivers: tuple
    nics: tuple


GUEST = "/sharpramp/selftests/net/onramp_driver.py"
# Between two machines: bit/s, bytes of the queue, 200 ms, and ns each way, longer than clocks that are set over it differ:
# a delay that would not be over yet is not accepted. The clocks are read from a device that the host's time drives; what a
# guest takes the frequency of its TSC for depends on how busy the host was.
WIRE = 5_000_000, 125_000, 5_000_000
CLOCK = "clocksource=acpi_pm"

# By the names of suites, without the series.
BOOTS = {
    "drivers": Boot("cloud", ("veth", "virtio_net"), ("virtio-net-pci",)),
    "nics": Boot("generic", ("e1000e", "vmxnet3"), ("e1000e", "vmxnet3")),
}


def present():
    """Return the series that this machine has sources and headers of."""
    return [series for series in stock.SERIES if series not in absent()]


def names(others):
    """Return the names of the drivers that a suite loads, or of the others."""
    loaded = {driver for boot in BOOTS.values() for driver in boot.drivers}
    return sorted(set(known()) - loaded if others else loaded)


def checked(others):
    """Return check.sh's table of some drivers, and the rest of its output; what was built before is not built again.

    The others are for machines that are not virtual, and so are the kernels.
    """
    wanted = names(others)
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as out:
        options = ["--out", out]
        for series in present():
            kdir = (stock.generic_headers if others else stock.headers)(series)
            options += ["--kernel", kdir]
            os.symlink(sources(series), os.path.join(out, f"{series}.orig"))
            os.mkdir(os.path.join(out, series))
            for driver in wanted:
                os.symlink(tree(kdir, driver), os.path.join(out, series, driver))
        text = must(os.path.join(PATCHES, "check.sh"), *options, *wanted)
    lines = text.splitlines(True)
    rows = [line.startswith("|") for line in lines]
    return tuple("".join(line for line, row in zip(lines, rows) if row is which) for which in (True, False))


def whole(text):
    """check.sh's table, each row with the suite that has the driver carry On-Ramp, as README.md has it."""
    head, rule, *rows = text.splitlines()
    lines = [f"{head} carries On-Ramp in |", f"{rule} --- |"]
    for row in rows:
        driver, series = (cell.strip() for cell in row.split("|")[1:3])
        suites = [f"`{name}-{series}`" for name, boot in BOOTS.items() if driver in boot.drivers]
        lines.append(f"{row} {', '.join(suites) or 'untested'} |")
    return "\n".join(lines) + "\n"


def apply(*options):
    """Run apply.sh; return its status and output."""
    done = subprocess.run([os.path.join(PATCHES, "apply.sh"), *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.returncode, done.stdout


def table(tap, others):
    """The rows, and that README.md has them."""
    try:
        text, besides = checked(others)
    except Failed as why:
        tap.ok("the patches apply and build", False, str(why)[-3000:])
        return
    print("".join(f"# {line}\n" for line in besides.splitlines()), end="")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]
    tap.ok("a row for each driver and kernel", [row[:2] for row in rows] ==
           [[name, series] for name in names(others) for series in present()], text)
    for series in absent():
        tap.skip(f"Linux {series}: patched drivers", missing(series))
    for driver, series, *_, applies, builds in rows:
        tap.ok(f"{driver}, Linux {series}: the patch applies and the driver builds",
               applies == "yes" and builds.startswith("yes"))
    with open(os.path.join(PATCHES, "README.md"), encoding="utf-8") as file:
        page = file.read()
    # A machine that lacks a series has fewer rows.
    rows = set(whole(text).splitlines()) - set(page.splitlines())
    tap.ok("README.md has this table", not rows if absent() else whole(text) in page, whole(text))


def missing(series):
    """Return why the tests of a series that this machine lacks are skipped."""
    return f"neither linux-source-{series} nor headers of that kernel are in every release of Debian"


def refusals(tap):
    """Cases that apply.sh refuses with a reason, leaving nothing behind."""
    kdir = stock.headers("6.12")
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        out = os.path.join(folder, "out")
        old = os.path.join(folder, "old")
        os.makedirs(os.path.join(old, "include/generated"))
        for name, text in (("Makefile", ""), ("include/generated/utsrelease.h", '#define UTS_RELEASE "5.10.0-1-amd64"\n')):
            with open(os.path.join(old, name), "w", encoding="ascii") as file:
                file.write(text)
        theirs = os.path.join(folder, "theirs")
        os.mkdir(theirs)
        with open(os.path.join(theirs, "Kbuild"), "w", encoding="ascii"):
            pass
        for what, says, *options in (
                ("no driver", "there are: e1000e ena", "--kernel", kdir),
                ("a driver without a patch", "there are: e1000e ena", "--kernel", kdir, "r8169"),
                ("an option that there is not", "usage", "--fast", "veth"),
                ("a folder that is no kernel's", "no kernel build files", "--kernel", folder, "veth"),
                ("a kernel without a patch", "no patch for Linux 5.10", "--kernel", old, "veth"),
                ("a source that is not there", "cannot be read", "--kernel", kdir, "--source", "/nowhere", "veth")):
            status, output = apply("--out", out, *options)
            tap.ok(f"apply.sh refuses {what}", status and says in output and not os.path.exists(out), output)
        series = present()[0]
        older = stock.headers(series)
        release = os.path.basename(older).removeprefix("linux-headers-")
        status, output = apply("--out", out, "--kernel", older, "--source", sources(series), "--no-build", "veth")
        tap.ok("apply.sh names the kernel as its folder of modules is named",
               not status and f"depmod -a {release}\n" in output, output)
        status, output = apply("--out", theirs, "--kernel", kdir, "veth")
        tap.ok("apply.sh refuses a folder with another Kbuild", status and "somebody else's" in output and
               os.listdir(theirs) == ["Kbuild"], output)


def in_file(name, old, new):
    """Return what replaces bytes of a file of a tree by as many others."""
    def doctor(folder):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            data = file.read()
        assert len(old) == len(new) and old in data, f"{path} has no {old}"
        with open(path, "wb") as file:
            file.write(data.replace(old, new))
    return doctor


def in_log(text):
    """Return what adds a line to make's output for a tree."""
    def doctor(folder):
        with open(os.path.join(folder, "log"), "a", encoding="utf-8") as file:
            file.write(f"{text}\n")
    return doctor


def unfit(tap, kdir, driver, *cases):
    """Trees that check.sh refuses: built ones with one fault each."""
    for what, says, doctor in (("", "", lambda folder: None), *cases):
        with tempfile.TemporaryDirectory(prefix="sharpramp-") as out:
            os.symlink(sources("6.12"), os.path.join(out, "6.12.orig"))
            folder = os.path.join(out, "6.12", driver)
            shutil.copytree(tree(kdir, driver), folder)
            doctor(folder)
            done = subprocess.run([os.path.join(PATCHES, "check.sh"), "--out", out, "--kernel", kdir, driver],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if what:
            tap.ok(f"check.sh refuses {what}", done.returncode and says in done.stdout and done.stdout.endswith("| yes | no |\n"),
                   done.stdout)
        else:
            tap.ok(f"check.sh takes {driver} as it was built", not done.returncode and done.stdout.endswith("| yes | yes |\n"),
                   done.stdout)


def unfit_loaded(tap):
    """With veth, of which all can be wrong but what others need of it."""
    kdir = stock.headers("6.12")
    release = os.path.basename(kdir).removeprefix("linux-headers-").encode()
    module = "drivers/net/veth.ko"
    unfit(tap, kdir, "veth",
          ("a module that is not there", "there is no veth.ko", lambda folder: os.unlink(os.path.join(folder, module))),
          ("modules without what the patches change", "no module is linked of what",
           in_file("drivers/net/veth.mod", b"veth.o", b"othr.o")),
          ("a warning of modpost", "has no CRC", in_log('WARNING: modpost: "x" [veth.ko] has no CRC!')),
          ("a warning of the compiler", "unused variable", in_log("veth.c:1:1: warning: unused variable")),
          ("another kernel's module", "veth.ko is of '", in_file(module, b"vermagic=" + release, b"vermagic=" + release[::-1])),
          ("a module without the hook", "not on onramp_hook", in_file(module, b"depends=onramp_hook", b"depends=onramp_hoof")),
          ("a symbol that nobody exports", "needs what nobody exports: 0x",
           in_file("Module.symvers", b"\tonramp_hook_call\t", b"\tonramp_hook_CALL\t")),
          ("a symbol without a version", "has no version of",
           lambda folder: must("objcopy", "--remove-section", "__versions", os.path.join(folder, module))))


def unfit_others(tap):
    """With mlx4, whose core is what mlx4_ib needs."""
    unfit(tap, stock.generic_headers("6.12"), "mlx4",
          ("a module without what others need of it", "does not export what the kernel's does: 0x",
           in_file("Module.symvers", b"\tmlx4_alloc_cmd_mailbox\t", b"\tmlx4_alloc_cmd_MAILBOX\t")))


def boot(suite):
    """Run the guest's tests in a stock kernel and virtual time, as they compare delays; they print TAP themselves."""
    name, _, series = suite.partition("-")
    what = BOOTS[name]
    command = [*boot_command(series, what.flavour, what.drivers), "--icount", "--nics", *what.nics]
    return subprocess.call([*command, "--", "/usr/bin/python3", GUEST, *what.drivers])


def boot_command(series, flavour, drivers):
    """The command that boots a machine with patched drivers and the guest's test."""
    command = [os.path.join(ROOT, "selftests/qemu/boot_vm.py"), "--kernel", series, "--flavour", flavour,
               "--file", os.path.join(HERE, "driver_stamps.py"), GUEST]
    for path in built(stock.find(series, flavour), drivers):
        command += ["--module", path]
    return command


def two(series):
    """Two machines, in real time, which is the one that they share; what the sender prints is the result."""
    command = [*boot_command(series, "cloud", ("virtio_net",)), "--accel", "tcg", "--smp", "1", "--append", CLOCK,
               "--file", os.path.join(ROOT, "selftests/uml/testbed.py"), "/sharpramp/selftests/uml/testbed.py",
               "--file", os.path.join(HERE, "two.py"), "/sharpramp/selftests/net/two.py"]
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        link = Wire(folder, *WIRE)
        link.start()
        commands = {end: [*command, "--wire", "virtio-net-pci", *link.ends(end), "--", "/usr/bin/python3", "net/two.py", end]
                 for end in "ab"}
        with subprocess.Popen(commands["b"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as receiver:
            status = subprocess.call(commands["a"])
            output = receiver.communicate()[0]
        passed, dropped = link.end()
    note(f"{passed} frames went from a to b, {dropped} were dropped")
    outcome("the receiver's machine has nothing to complain of", not receiver.returncode)
    note("\n".join(f"b: {line}" for line in output.splitlines()))
    return status or receiver.returncode


def main():
    if sys.argv[1:2] in (["--two"], ["--boot"]) and sys.argv[2:] and sys.argv[2].rpartition("-")[2] in absent():
        skip_all(missing(sys.argv[2].rpartition("-")[2]))
        return 0
    if sys.argv[1:2] == ["--two"] and sys.argv[2:] in [[series] for series in stock.SERIES]:
        return two(sys.argv[2])
    if sys.argv[1:2] == ["--boot"] and sys.argv[2:] in [[f"{name}-{series}"] for name in BOOTS for series in stock.SERIES]:
        return boot(sys.argv[2])
    others = sys.argv[-1] == "--others"
    if sys.argv[1:] in (["--table"], ["--table", "--others"]):
        print(whole(checked(others)[0]), end="")
        return 0
    usage.check(__doc__, sys.argv[1:] in ([], ["--others"]))
    tap = Tap()
    table(tap, others)
    if others:
        unfit_others(tap)
    else:
        refusals(tap)
        unfit_loaded(tap)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
