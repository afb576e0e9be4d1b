# SPDX-License-Identifier: GPL-2.0
"""A virtual machine: which accelerator works here, and one run from power on to power off."""

import dataclasses
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

import cache

# A data race in which no function of the modules takes part is the kernel's own, and so is one with a dump's copy of the length and
# the counters of a qdisc: the kernel makes it without the lock, and updates them in functions that are inlined in each qdisc.
KERNEL_RACE = r"KCSAN: (?:(?!.*\[(?:onramp\w*|sch_\w+)\])|.*\b(?:tc_fill_qdisc|gnet_stats_add_queue)\b)"
# Lines on the kernel's console that fail a run, whatever the tests say. That it is not work-conserving is true of onramp, as of fq.
COMPLAINT = re.compile(
    rf"Kernel panic|\bOops\b|\bBUG(?!: {KERNEL_RACE})[: ]|\bWARNING: |suspicious RCU|"
    r"(?<!onramp) qdisc \w+: is non-work-conserving|KASAN:|UBSAN:|ODEBUG:|"
    r"INFO: (?:possible|rcu|suspicious|trying|task)|inconsistent lock state|refcount_t: |"
    r"kmemleak: (?:\d+ new|Cannot allocate a kmemleak_object|Kernel memory leak detector disabled)|"
    r"deprecated workqueue|general protection fault|list_(?:add|del) corruption|unregister_netdevice: waiting|Out of memory")
VERDICT = re.compile(r"^finished with (\d+)$", re.MULTILINE)
PART = re.compile(r"# \w+: \d+ s$")            # as run_tests.py says it
IDLE = 8                # see Options
TRIAL_S = 20            # a boot with KVM takes about 2 s where KVM works


class MachineError(Exception):
    """The machine did not start, or did not come to its end."""


@dataclasses.dataclass(frozen=True)
class Board:
    """A kind of machine: QEMU's emulator of it, and where a guest finds the serial lines of its console, output and verdict.

    Where the board has fewer of them the others are PCI devices.
    """

    emulator: str
    cpu: str                # of the emulator; KVM has the host's
    lines: tuple
    arguments: tuple = ()
    own: int = 3            # serial lines of the board itself
    emulated: str = ""      # arguments of the kernel with the emulator


# String instructions are emulated item by item, so eight bytes an item are better than one. SMAP ends a translation at each
# copy from user space, and costs more than it finds here.
PC = Board("qemu-system-x86_64", "max,-erms,-fsrm,-smap", ("ttyS0", "ttyS1", "ttyS2"), emulated="no5lvl")
ARM64 = Board("qemu-system-aarch64", "cortex-a76", ("ttyAMA0", "ttyS0", "ttyS1"), arguments=("-machine", "virt"), own=1)


@dataclasses.dataclass
class Options:
    """How to run a machine; memory is in MB.

    The watchdog counts the CPU time of QEMU, so that a busy host ends nothing that a quiet one would not; an idle machine
    is ended when it has not used that much in IDLE times as long.
    """

    smp: int = 0            # 0: 2 with KVM, 1 with icount
    memory: int = 1024
    icount: bool = False    # virtual time, 1 ns an instruction; what tcg does if smp is 0
    append: str = ""
    timeout: int = 900      # CPU seconds
    accel: str = ""         # "kvm", "tcg" or "" for what works
    nics: tuple = ()        # of each of these kinds two NICs, on a wire of their own
    wires: tuple = ()       # of (kind of NIC, its socket, the other end's): NICs on wires that leave the machine
    plugin: str = ""        # of QEMU's emulator, with its arguments
    board: Board = PC


@dataclasses.dataclass
class Outcome:
    """How a run ended: the command's status (None: it did not end) and the kernel's complaints."""

    status: int | None
    complaints: list
    console: str


def serial_lines(board, folder):
    """Build the part of QEMU's command line that has the lines of console, output and verdict."""
    for number, to in enumerate((f"file,path={folder}/console", "stdio", f"file,path={folder}/verdict")):
        yield from ("-chardev", f"{to},id=line{number}")
        yield from ("-serial", f"chardev:line{number}") if number < board.own else ("-device", f"pci-serial,chardev=line{number}")


def qemu_command(vmlinuz, initramfs, folder, options):
    """Build QEMU's command line."""
    board = options.board
    accel = {"kvm": "kvm", "tcg": "tcg,thread=single"}[options.accel]
    append = ("console={} loglevel=5 panic=-1 oops=panic sharpramp.output=/dev/{} sharpramp.verdict=/dev/{} nokaslr".format(*board.lines))
    icount = options.icount or (options.accel == "tcg" and not options.smp)
    smp = options.smp or (1 if icount else 2)
    if icount:
        append += " sharpramp.virtual"
    if options.accel == "tcg":
        # Translated code is kept by its virtual address: with programs at the same place each time it serves the next process.
        append += f" nowatchdog mitigations=off norandmaps {board.emulated}"
    if options.accel == "tcg" and not icount:
        # An emulated CPU on a busy host is late without being stuck; so is its timer, which has ten ticks to show that it works.
        append += " rcupdate.rcu_cpu_stall_suppress=1 no_timer_check"
    command = [board.emulator, *board.arguments, "-accel", accel,
               "-smp", str(smp), "-m", str(options.memory),
               "-cpu", "host" if options.accel == "kvm" else board.cpu,
               "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-monitor", "none",
               "-kernel", vmlinuz, "-initrd", initramfs, "-append", f"{append} {options.append}".strip(), *serial_lines(board, folder)]
    for number, kind in enumerate(options.nics):
        for end in (f"a{number}", f"b{number}"):
            command += ["-netdev", f"hubport,id={end},hubid={number}", "-device", f"{kind},netdev={end}"]
    for number, (kind, here, there) in enumerate(options.wires):
        command += ["-netdev", f"dgram,id=wire{number},local.type=unix,local.path={here},remote.type=unix,remote.path={there}",
                    "-device", f"{kind},netdev=wire{number}"]
    if options.plugin:
        command += ["-plugin", options.plugin]
    if icount:
        # Time depends on instructions alone: a busy host slows the guest down, but it does not notice.
        command += ["-icount", "shift=0,sleep=off"]
    return command


def read(path):
    """Return a file's text, empty if there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().replace("\r", "")
    except FileNotFoundError:
        return ""


def cpu_seconds(pid):
    """Return the CPU time that a process took so far; 0 when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def pass_on(process, out):
    """Copy what a machine prints; behind the seconds of a part, in its own time, those of our CPU."""
    before = 0.0
    for line in process.stdout:
        if PART.match(line):
            now = cpu_seconds(process.pid)
            line = f"{line.rstrip()}, {now - before:.0f} s of CPU here\n"
            before = now
        if out:
            out.write(line)
            out.flush()


class Running:
    """A machine from power on; at the end of a with statement it is ended, if it has not come to its end by itself.

    What it prints is read from process.stdout. A caller that talks to it writes to process.stdin, and the guest reads where it prints.
    """

    def __init__(self, vmlinuz, initramfs, options, talk=False):
        self.folder = tempfile.TemporaryDirectory(prefix="sharpramp-")
        self.limit = options.timeout
        self.until = time.monotonic() + IDLE * options.timeout
        self.process = subprocess.Popen(qemu_command(vmlinuz, initramfs, self.folder.name, options), text=True, errors="replace",
                                        stdin=subprocess.PIPE if talk else subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.folder.cleanup()

    def end(self):
        """Switch it off."""
        self.process.kill()
        self.process.wait()

    def late(self):
        """Tell why it must be ended, if it takes too long."""
        if cpu_seconds(self.process.pid) > self.limit or time.monotonic() > self.until:
            return f"the machine was still running after {self.limit} s of CPU and was ended"
        return ""

    def outcome(self):
        """Wait for its end, or end it when it takes too long; return how it ended."""
        errors = ""
        while self.process.poll() is None and not errors:
            errors = self.late()
            try:
                self.process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                pass
        self.end()
        errors = errors or self.process.stderr.read()
        console = read(f"{self.folder.name}/console")
        verdict = VERDICT.search(read(f"{self.folder.name}/verdict"))
        if not verdict and errors and not console:
            raise MachineError(f"QEMU: {errors.strip()}")
        complaints = [line for line in console.splitlines() if COMPLAINT.search(line)]
        if not verdict and errors:
            complaints.append(errors.strip())
        return Outcome(int(verdict.group(1)) if verdict else None, complaints, console)


def boot(vmlinuz, initramfs, options, out=sys.stdout):
    """Run a machine to its end; what the command prints goes to a file as it comes, or nowhere."""
    with Running(vmlinuz, initramfs, options) as running:
        output = threading.Thread(target=pass_on, args=(running.process, out))
        output.start()
        outcome = running.outcome()
        output.join()
        return outcome


def kvm_works(vmlinuz, initramfs):
    """Tell whether KVM runs this kernel, by a trial: /dev/kvm being there does not say so."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        path = os.path.join(cache.folder("qemu"), f"kvm-{file.read().strip()}")
    with cache.lock("kvm"):
        if not os.path.exists(path):
            start = time.monotonic()
            options = Options(smp=1, timeout=TRIAL_S, accel="kvm")
            try:
                works = boot(vmlinuz, initramfs, options, out=None).status == 0
            except MachineError:
                works = False
            print(f"KVM {'works' if works else 'does not work'} here "
                  f"(tried for {time.monotonic() - start:.0f} s)", file=sys.stderr, flush=True)
            with open(path, "w", encoding="ascii") as file:
                file.write("yes" if works else "no")
        return read(path) == "yes"
