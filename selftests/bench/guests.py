# SPDX-License-Identifier: GPL-2.0
"""The two machines that carry out a plan: the lab kernel in real time, and stock 6.12 under QEMU's icount."""

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/qemu"), ROOT]

# pylint: disable=wrong-import-position
from lab.host import artifacts
from lab.host import boot
from lab.host import module_list
import boot_vm
import guest
import stats
import stock
from failed import BenchFailed
from plan import kind_of

STOCK = "6.12"
# Counters of marks. With cp, ce_seen counts culprits that were marked already, as random frames of a full queue often are.
MARK_KEYS = ("ecn_mark", "ce_mark", "marked", "ins_marks", "pst_marks", "both_marks", "marks", "ce_seen")


@dataclass(frozen=True)
class Part:
    """Files that a part of the bench brings into its guests."""

    script: str         # carries out the plan
    modules: tuple      # of this project, in the order of loading
    devices: tuple      # of benchdev/, likewise
    stock_devices: tuple    # of benchdev/, in the stock kernel only
    qdisc: str          # whose programs the lab kernel's image has, as module_list.QDISCS names it
    memory: str         # of the lab kernel; "" if it is for the stock kernel only
    fleet: bool = False # bring the simulated fleet, too
    programs: tuple = () # for the stock kernel, of this folder


ECNSHARP = Part("guest_packets.sh", ("sch_ecnsharp",), ("benchdev",), (), "ecnsharp", "256M")
CP = Part("guest_packets.sh", ("sch_cp",), ("benchdev",), (), "cp", "256M")
ONRAMP = Part("guest_flows.sh", ("onramp_hook", "onramp", "sch_onramp", "onramp_acker"), ("benchdev", "benchflow"), ("benchhook",), "onramp", "1G",
              programs=("tcp_rounds.py",))
CLOCK = Part("guest_clocks.py", ("onramp",), (), (), "", "", fleet=True)


def devices(kdir, folder, *make):
    """Build benchdev/ against a kernel in a folder; return the folder of its modules."""
    source = os.path.join(folder, "benchdev")
    subprocess.run(["cp", "-r", os.path.join(HERE, "benchdev"), source], check=True)
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "O")}
    done = subprocess.run(["make", "-s", "-C", kdir, *make, f"M={source}", f"BENCH_INCLUDE={ROOT}/kernel/include", "modules"], env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise BenchFailed(f"benchdev does not build:\n{done.stdout[-2000:]}")
    return source


def image(part, lab_kernel, work):
    """The lab kernel's small file system."""
    modules, programs = artifacts.modules(lab_kernel), module_list.QDISCS[part.qdisc]
    built = devices(lab_kernel, work, "ARCH=um")
    out, order = os.path.join(work, "image.cpio"), os.path.join(work, "order")
    write_lines(order, (*part.modules, *part.devices))
    applets = "cat date dmesg grep insmod mount poweroff sed sleep tr".split()
    guest.pack(out, [
        f"file {HERE}/init.sh /init 755", f"file {HERE}/{part.script} /bin/guest 755", "bin /bin/busybox", "bin /bin/dash /bin/sh",
        "bin /usr/sbin/tc /bin/tc", "bin /usr/sbin/ip /bin/ip", *(f"link busybox /bin/{name}" for name in applets),
        *(f"file {modules}/{name}.ko /modules/{name}.ko" for name in part.modules),
        *(f"file {built}/{name}.ko /modules/{name}.ko" for name in part.devices), f"file {order} /modules/order",
        *artifacts.entries(programs, artifacts.tools(programs)),
        "dir /proc", "dir /sys", "dir /run/lab", "dir /dev", "node /dev/console c 5 1 600", "node /dev/null c 1 3 666"])
    return out


def build_fleet(folder):
    """Build the simulated fleet of huygens-lite in a folder; return it."""
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "O")}
    done = subprocess.run(["make", "-s", "-C", os.path.join(ROOT, "huygens-lite"), f"O={folder}", "fleet"], env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise BenchFailed(f"the fleet does not build:\n{done.stdout[-2000:]}")
    return os.path.join(folder, "test/fleet/fleet")


def fleet():
    """Cost of a coordinator of the simulated fleet on this machine, as JSON."""
    with tempfile.TemporaryDirectory(prefix="bench-") as work:
        done = subprocess.run([build_fleet(work), "-j"], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise BenchFailed(f"the fleet ended with {done.returncode}")
    return done.stdout


def write_lines(path, lines):
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in lines)


def done_in(output):
    """How many measurements a guest has printed."""
    return output.count("\ntook ") + output.count("\nmemory ")


def in_lab(part, plan, progress):
    """Carry out a plan in the lab kernel, whose clock is the host's; return its output."""
    with tempfile.TemporaryDirectory(prefix="bench-") as work:
        run = os.path.join(work, "run")
        os.mkdir(run)
        write_lines(os.path.join(run, "plan"), [item.line() for item in plan])
        kernel = artifacts.kernel()
        output = os.path.join(run, "result/output")
        outcome = boot.boot(run, kernel, image(part, kernel, work), 1, mem=part.memory, real_time=True,
                            progress=lambda *_: progress(done_in(boot.read_text(output))))
        printed = boot.read_text(output)
        if outcome.status != "0":
            raise BenchFailed(f"the guest ended with {outcome.status}: {printed[-1000:]}")
        return printed


def plugin_api():
    """The version of the plugin interface that this machine's QEMU takes: see qemu_plugin.h."""
    printed = subprocess.run(["qemu-system-x86_64", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.search(r"version (\d+)\.(\d+)", printed)
    return 3 if found and tuple(map(int, found.groups())) >= (9, 1) else 1


def plugin(name, folder):
    """Build a plugin of QEMU's emulator in a folder; return it."""
    made = os.path.join(folder, f"{name}.so")
    subprocess.run(["gcc", "-O2", "-Wall", f"-DQEMU_PLUGIN_API={plugin_api()}", "-shared", "-fPIC", "-fvisibility=hidden", "-o", made,
                    os.path.join(HERE, f"{name}.c")], check=True)
    return made


def in_cache(part, plan, progress):
    """Carry out a plan in stock 6.12, where what a cache has not is counted; return its output, and behind it a line for each time."""
    with tempfile.TemporaryDirectory(prefix="bench-") as work:
        counts = os.path.join(work, "counts")
        printed = in_stock(part, plan, progress, "--plugin", f"{plugin('cache_lines', work)},out={counts}")
        with open(counts, encoding="ascii") as file:
            return printed + "".join(f"\nlines {line.strip()}" for line in file)


def in_profile(part, plan, progress):
    """Carry out a plan in stock 6.12, where the instructions of each place are counted, of each measurement in a boot of its own.

    Return the outputs, and behind each lines with the places and with the kernel's symbols.
    """
    printed = []
    with tempfile.TemporaryDirectory(prefix="bench-") as work:
        made, counts = plugin("profile", work), os.path.join(work, "counts")
        for number, item in enumerate(plan, 1):
            printed.append(in_stock(part, [item], lambda _: None, "--plugin", f"{made},out={counts}", after="sed 's/^/symbol /' /proc/kallsyms"))
            with open(counts, encoding="ascii") as file:
                printed += [f"\nplace {line.strip()}" for line in file]
            printed.append("\n")
            progress(number)
    return "".join(printed)


def in_stock(part, plan, progress, *options, after="true"):
    """Carry out a plan in stock 6.12, whose clock counts instructions, and then a command; return its output. Options are more for boot_vm.py."""
    with tempfile.TemporaryDirectory(prefix="bench-") as work:
        path = os.path.join(work, "plan")
        write_lines(path, [item.line() for item in plan])
        kernel = stock.find(STOCK)
        symbols = os.path.join(boot_vm.our_modules(kernel), "Module.symvers")
        built = devices(kernel.kdir, work, "BENCH_HOOK=m", f"KBUILD_EXTRA_SYMBOLS={symbols}")
        extra = (*part.devices, *part.stock_devices)
        modules = [option for name in extra for option in ("--module", f"{built}/{name}.ko")]
        files = ["--file", build_fleet(os.path.join(work, "fleet")), "/sharpramp/bench/fleet"] if part.fleet else []
        files += [option for name in part.programs for option in ("--file", os.path.join(HERE, name), f"/sharpramp/bench/{name}")]
        command = [os.path.join(ROOT, "selftests/qemu/boot_vm.py"), "--kernel", STOCK, "--icount", "--append",
                   "clocksource=tsc tsc=reliable", *modules, *files, "--file", os.path.join(HERE, part.script),
                   "/sharpramp/bench/guest", "--file", path, "/sharpramp/bench/plan", "--timeout", "3600", *options, "--",
                   f"modprobe -a pktgen {' '.join((*part.modules, *extra))} && /sharpramp/bench/guest </sharpramp/bench/plan && {after}"]
        printed, done = [], 0
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
            for line in process.stdout:
                printed.append(line)
                done += line.startswith(("took ", "memory "))
                progress(done)
        if process.returncode:
            raise BenchFailed(f"the stock kernel's run failed: {''.join(printed[-5:])}")
        return "".join(printed)


def counted(document, names):
    """The sum of some counters over all qdiscs that tc showed."""
    return sum(value for qdisc in document for name, value in qdisc.items() if name in names and isinstance(value, int))


def check(item, packets, document):
    """Refuse a measurement in which packets were lost, or were marked otherwise than its case says."""
    marks, lost = counted(document, MARK_KEYS), counted(document, ("drops",))
    kinds = [qdisc["kind"] for qdisc in document]
    what = f"{item.case.name}, {item.qdisc}"
    if kind_of(item.qdisc) not in kinds:
        raise BenchFailed(f"{what}: tc shows {', '.join(kinds)}")
    if lost:
        raise BenchFailed(f"{what}: {lost} packets were dropped")
    # A host that is busy elsewhere can make a packet wait.
    if marks < 0.9 * packets if item.case.marks else marks > 0.01 * packets:
        raise BenchFailed(f"{what}: {marks} of {packets} packets were marked")


def read(plan, output):
    """Return {case: {qdisc: [time per packet in ns, the median of a round's laps, ...]}}, complete or not at all."""
    took, shown = {}, {}
    for line in output.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "took":
            key, packets, *ns = rest.split()
            took[key] = int(packets), [int(value) for value in ns]
        elif kind == "stats":
            key, _, document = rest.partition(" ")
            try:
                shown[key] = json.loads(document)
            except json.JSONDecodeError as why:
                raise BenchFailed(f"{key}: tc does not print JSON: {why}") from why
        elif kind == "failed":
            raise BenchFailed(rest)
    found = {}
    for item in plan:
        if item.key not in took or item.key not in shown:
            raise BenchFailed(f"{item.case.name}, {item.qdisc}: round {item.round + 1} is missing")
        packets, ns = took[item.key]
        if len(ns) != item.laps or min(ns) <= 0:
            raise BenchFailed(f"{item.case.name}, {item.qdisc}: times of {len(ns)} laps, not {item.laps}: {ns}")
        check(item, packets * item.laps, shown[item.key])
        found.setdefault(item.case.name, {}).setdefault(item.qdisc, []).append(stats.median(ns) / packets)
    return found
