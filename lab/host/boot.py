# SPDX-License-Identifier: GPL-2.0
"""Boot the lab kernel in one run folder and see it to its end.

boot() starts User-Mode Linux in virtual time with nothing in it that could differ between two
runs: no address space randomization, an empty environment, a command line of fixed relative
names, all randomness from the seed. While it runs, boot() follows virtual time (read from the
kernel's memory, so that the guest is not disturbed) and the guest's own count of what is done.
When virtual time or its ticks stand still for too long, it asks the kernel what it is doing, ends it and
says so. Nothing it started outlives it.

By hand:  python3 -m lab.host.boot [--seed N] [--mem 1G] [--watchdog S] RUN_DIR KERNEL_DIR INITRD
"""

import argparse
import bisect
import dataclasses
import fcntl
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

from lab.host import program

CONFINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "confine.py")

# Where User-Mode Linux has its memory unless TMPDIR says otherwise.
SHM = "/dev/shm"

# 2025-01-01 00:00:00 UTC in ns: the guest's CLOCK_REALTIME at boot.
EPOCH_NS = 1735689600 * 10**9

# Wall seconds between two checks of a running lab.
POLL_S = 0.1

# Virtual ns without a timer interrupt, of which there is one each ms, that show a kernel loop with
# interrupts off. Such loops may well move virtual time: cpu_relax() does.
TICKLESS_NS = 10_000_000

# Wall seconds that killed helpers are given to disappear.
END_S = 10

# Lines of a console log that mean the kernel is wrong, whatever the run's result says.
CRASH_RE = re.compile(
    r"Kernel panic|\bOops\b|\bBUG[: ]|\bWARNING: |KASAN:|UBSAN:|INFO: (?:possible|rcu|suspicious|trying)|"
    r"ODEBUG:|kmemleak: (?:\d+ new|Cannot allocate a kmemleak_object|Kernel memory leak detector disabled)|"
    r"refcount_t: |list_(?:add|del) corruption|Segfault with no mm|"
    r"Kernel tried to access user memory|suspicious RCU usage|inconsistent lock state|"
    r"The system was going to sleep forever|ptrace set fp regs failed|"
    r"may not fit HOST_FP_SIZE|unregister_netdevice: waiting")

CONSOLE_TAIL = 40       # lines of the console that go into an exception


class LabError(Exception):
    """Whatever keeps a lab from delivering its results."""


class LabCrashed(LabError):
    """The lab kernel ended without a result, or complained on its console."""


class LabStalled(LabError):
    """Virtual time stood still; what the kernel was doing is in RUN/stall.txt."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Result of a finished run: its status line, and its duration in both times."""

    status: str         # text of RUN/result/status: "ok" or "error: ..."
    virtual_ns: int     # virtual time when last looked at, ns since boot: for people, not for results
    wall_s: float       # wall time, s; must not reach any result file


class SystemMap:
    """The kernel's symbols, by name and by address."""

    def __init__(self, kernel_dir):
        path = os.path.join(kernel_dir, "System.map")
        try:
            with open(path, encoding="ascii") as f:
                symbols = [line.split() for line in f]
        except OSError as e:
            raise LabError(f"kernel folder: {e}") from e
        self.address = {name: int(address, 16) for address, _, name in symbols}
        for name in ("time_travel_time", "jiffies_64"):
            if name not in self.address:
                raise LabError(f"{path} has no {name}: not a lab kernel")
        code = sorted((int(address, 16), name) for address, kind, name in symbols if kind in "tTwW")
        self.starts = [start for start, _ in code]
        self.names = [name for _, name in code]

    def function(self, address):
        """Return "name+0xoffset" for an address in the kernel's code, else None."""
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0 or i + 1 == len(self.starts):
            return None
        return f"{self.names[i]}+{address - self.starts[i]:#x}"


class KernelMemory:
    """Looks into a running kernel from outside, without its knowing."""

    STACK_BYTES = 8192      # how far up from the stack pointer callers are looked for

    def __init__(self, pid, symbols):
        self.pid = pid
        self.symbols = symbols

    def read(self, address, size):
        """Return bytes; b"" while the kernel cannot be read."""
        try:
            with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as mem:
                mem.seek(address)
                return mem.read(size)
        except (OSError, OverflowError):
            return b""

    def counter(self, name):
        """Return a 64-bit variable of the kernel, or None."""
        data = self.read(self.symbols.address[name], 8)
        return struct.unpack("<Q", data)[0] if len(data) == 8 else None

    def virtual_ns(self):
        """Return virtual ns since boot, or None."""
        return self.counter("time_travel_time")

    def ticks(self):
        """Return the number of timer ticks, one each virtual ms from an arbitrary start, or None."""
        return self.counter("jiffies_64")

    def backtrace(self):
        """Stop the kernel where it is and list what may be its callers, innermost first.

        Any word on the stack that points into the code counts, so some may be stale.
        """
        os.kill(self.pid, signal.SIGSTOP)
        fields, give_up = [], time.monotonic() + END_S
        while len(fields) < 3 and time.monotonic() < give_up:
            time.sleep(0.01)
            fields = read_text(f"/proc/{self.pid}/syscall").split()     # "... SP PC" once stopped
        if len(fields) < 3:
            return []
        stack, counter = (int(field, 16) for field in fields[-2:])
        data = self.read(stack, self.STACK_BYTES)
        found = [counter, *struct.unpack(f"<{len(data) // 8}Q", data[:len(data) & ~7])]
        lines = [self.symbols.function(address) for address in found]
        return [lines[0] or f"{counter:#x} (a module, or the C library)", *filter(None, lines[1:])]


class ManagementConsole:
    """Speaks to the kernel's mconsole socket, one datagram a request."""

    MAGIC, VERSION, MAX_DATA = 0xcafebabe, 2, 512

    def __init__(self, run_dir):
        self.run_dir = run_dir

    def ask(self, command, timeout_s=5):
        """Send a command; return its answer, or None if none comes within timeout_s."""
        data = command.encode()
        answer = []
        # The socket's path may be longer than a socket address; one through /proc is not.
        folder = os.open(self.run_dir, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
                sock.settimeout(timeout_s)
                sock.bind("")
                sock.sendto(struct.pack("<III512s", self.MAGIC, self.VERSION, len(data), data),
                            f"/proc/self/fd/{folder}/uml/lab/mconsole")
                more = True
                while more:
                    err, more, length = struct.unpack_from("<III", packet := sock.recv(4096))
                    answer.append(packet[12:12 + length].rstrip(b"\0"))
                    if err:
                        break
        except OSError:
            if not answer:
                return None
        finally:
            os.close(folder)
        return b"".join(answer).decode(errors="replace")


class OwnCpu:
    """A CPU for one lab, kept from other labs of this user by a file lock.

    Kernel and guest programs take turns at every system call. On one CPU that is a switch, across
    two it is a wakeup, which made system calls four times slower where it was measured.
    """

    def __init__(self):
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        folder = os.path.join(base, "sharpramp", "cpu")
        os.makedirs(folder, exist_ok=True)
        cpus = sorted(os.sched_getaffinity(0), reverse=True)
        for cpu in cpus:
            self.lock = open(os.path.join(folder, str(cpu)), "w", encoding="ascii")
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.number = cpu
                return
            except OSError:
                self.lock.close()
        self.number = cpus[os.getpid() % len(cpus)]     # all taken: share one

    def release(self):
        """Let the next lab have it."""
        self.lock.close()


def read_text(path):
    """Return a file's text, or "" if there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def parse_size(text):
    """Read the mem parameter, such as 512M or 2G, into bytes: 64M to 64G."""
    match = re.fullmatch(r"(\d+)([MG])", str(text))
    size = int(match[1]) << {"M": 20, "G": 30}[match[2]] if match else 0
    if not 64 << 20 <= size <= 64 << 30:
        raise LabError(f"mem={text}: must be 64M to 64G")
    return size


def memory_refusal(folder, memory_bytes):
    """Why the guest's memory cannot lie there, None if it can."""
    try:
        stat = os.statvfs(folder)
    except OSError as why:
        return f"{folder}: {why.strerror}"
    if stat.f_flag & os.ST_NOEXEC:
        return f"{folder} is mounted noexec"
    if stat.f_bavail * stat.f_frsize < memory_bytes:    # the guest would die of SIGBUS when it is full
        return f"{folder} has not the {memory_bytes >> 20} MiB that it takes"
    return None


def memory_folder(memory_bytes):
    """Where the guest's memory lies: the first folder that has space and allows it to be executed."""
    refusals = []
    for folder in filter(None, (SHM, "/tmp", os.environ.get("TMPDIR"))):
        why = memory_refusal(folder, memory_bytes)
        if why is None:
            return os.path.abspath(folder)
        refusals.append(why)
    raise LabError(f"no folder for the guest's memory: {', '.join(dict.fromkeys(refusals))}; TMPDIR names another")


class Lab:
    """One UML kernel and its helpers, all in a session of their own."""

    def __init__(self, run_dir, kernel_dir, initrd, seed, mem, extra_args, real_time):
        self.run_dir = os.path.abspath(run_dir)
        self.kernel_dir = os.path.abspath(kernel_dir)
        self.initrd = os.path.abspath(initrd)
        self.console = os.path.join(self.run_dir, "console.log")
        self.check(seed)
        symbols = SystemMap(self.kernel_dir)
        memory_bytes = parse_size(mem)
        self.prepare()
        self.cpu = OwnCpu()
        with open(self.console, "wb") as log:
            # pylint: disable-next=consider-using-with
            self.process = subprocess.Popen(
                self.command(seed, mem, extra_args, real_time), cwd=self.run_dir, env=self.environment(memory_bytes),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, umask=0o022)
        self.kernel = KernelMemory(self.process.pid, symbols)

    def check(self, seed):
        """Refuse what cannot work before anything is started."""
        if not os.path.isdir(self.run_dir):
            raise LabError(f"run folder {self.run_dir} does not exist")
        if not os.access(os.path.join(self.kernel_dir, "linux"), os.X_OK):
            raise LabError(f"kernel folder {self.kernel_dir} has no program `linux`")
        if not os.path.isfile(self.initrd):
            raise LabError(f"initrd {self.initrd} does not exist")
        if not isinstance(seed, int) or not 0 <= seed < 1 << 64:
            raise LabError(f"seed={seed}: must be an integer from 0 to 2^64 - 1")

    def prepare(self):
        """Put what the kernel opens by a fixed relative name into the run folder."""
        for stale in ("progress", "stall.txt", "result/status", ".initrd"):
            path = os.path.join(self.run_dir, stale)
            if os.path.lexists(path):
                os.unlink(path)
        os.makedirs(os.path.join(self.run_dir, "result"), exist_ok=True)
        os.symlink(self.initrd, os.path.join(self.run_dir, ".initrd"))

    def command(self, seed, mem, extra_args, real_time):
        """The whole command line; what the kernel sees of it depends on nothing of the host."""
        clock = () if real_time else ("time-travel=inf-cpu", f"time-travel-start={EPOCH_NS}")
        return [
            "/usr/bin/setpriv", "--pdeathsig", "KILL", "/usr/bin/taskset", "-c", str(self.cpu.number),
            "/usr/bin/setarch", "-R",
            sys.executable, "-IS", CONFINE, self.run_dir, self.initrd, os.path.join(self.kernel_dir, "linux"),
            f"mem={mem}", "initrd=.initrd", "root=/dev/ram0", "hostfs=/proc/self/cwd", "uml_dir=uml", "umid=lab",
            *clock, f"lab_seed={seed}",
            "con=null", "con0=null,fd:1", "console=tty0", "oops=panic", "panic=-1", "loglevel=7",
            *extra_args]

    @staticmethod
    def environment(memory_bytes):
        """An environment of constants; only where the guest's memory lies is chosen.

        GLIBC_TUNABLES is let through: with it, tests pretend to have another CPU.
        """
        env = {"PATH": "/usr/bin:/bin"}
        if "GLIBC_TUNABLES" in os.environ:
            env["GLIBC_TUNABLES"] = os.environ["GLIBC_TUNABLES"]
        folder = memory_folder(memory_bytes)
        if folder != SHM:
            env["TMPDIR"] = folder
        return env

    def progress(self):
        """Return the guest's own (done, total), (0, 0) before it has reported any."""
        fields = read_text(os.path.join(self.run_dir, "progress")).split()
        if len(fields) != 3 or not all(field.isdigit() for field in fields):
            return 0, 0
        return int(fields[1]), int(fields[2])

    def follow(self, watchdog_s, progress):
        """Wait for the end; return the last virtual time seen. Raise LabStalled."""
        start = moved = time.monotonic()
        virtual = ticked = 0        # virtual ns when last looked at, and at the last tick
        ticks = None
        while True:
            try:
                self.process.wait(POLL_S)
                return virtual
            except subprocess.TimeoutExpired:
                pass
            now, last = time.monotonic(), (virtual, ticks)
            virtual, ticks = self.kernel.virtual_ns() or virtual, self.kernel.ticks() or ticks
            if ticks != last[1]:
                ticked = virtual
            if (virtual, ticks) != last and virtual - ticked < TICKLESS_NS:
                moved = now
            if now - moved > watchdog_s:
                still = f"virtual time stood still at {virtual} ns"
                if virtual - ticked >= TICKLESS_NS:
                    still = f"there was no timer interrupt since {ticked} ns of virtual time"
                raise LabStalled(self.dump_stall(f"{still} for {watchdog_s} s"))
            if progress:
                progress(virtual, *self.progress(), now - start)

    def dump_stall(self, still):
        """Write RUN/stall.txt; return the one line that says what was seen and what was running."""
        before = len(read_text(self.console))
        tasks = ManagementConsole(self.run_dir).ask("sysrq t")
        running = []
        if tasks is not None:
            time.sleep(POLL_S)      # part of the answer may go to the console alone
            tasks += read_text(self.console)[before:]
            running = [name for name in re.findall(r"task:(\S+)\s+state:R", tasks) if name != "swapper"]
            where = f"running: {', '.join(dict.fromkeys(running)) or 'nothing but the idle task'}"
            trace = []
        else:
            trace = self.kernel.backtrace()
            where = f"the kernel does not answer, it may loop with interrupts off, in {', '.join(trace[:3])}"
        line = f"{still}; {where}"
        with open(os.path.join(self.run_dir, "stall.txt"), "w", encoding="utf-8") as f:
            f.write(f"{line}\n\n")
            if tasks is not None:
                f.write(f"--- tasks (sysrq t)\n{tasks}\n")
            if trace:
                f.write("--- kernel stack (some entries may be stale)\n" + "\n".join(trace) + "\n")
            for pid in self.members():
                f.write(f"--- host process {pid}: {read_text(f'/proc/{pid}/comm').strip()}\n")
                for name in ("wchan", "syscall", "stack", "status"):
                    f.write(f"{name}: {read_text(f'/proc/{pid}/{name}').strip()}\n")
        return f"{line}; see stall.txt"

    def members(self):
        """List the processes of the lab's session, whose leader is the kernel."""
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                fields = read_text(f"/proc/{entry}/stat").rpartition(")")[2].split()
                if len(fields) > 3 and int(fields[3]) == self.process.pid and fields[0] != "Z":
                    found.append(int(entry))
        return sorted(found)

    def end(self):
        """End the kernel and every helper of it, whatever state they are in."""
        # The kernel first: while it lives, it may start further helpers.
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        give_up = time.monotonic() + END_S
        while (left := self.members()) and time.monotonic() < give_up:
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.01)
        self.cpu.release()
        initrd = os.path.join(self.run_dir, ".initrd")
        if os.path.islink(initrd):
            os.unlink(initrd)
        shutil.rmtree(os.path.join(self.run_dir, "uml"), ignore_errors=True)

    def tail(self):
        """The last lines of the console, for an exception's text."""
        return "\n".join(read_text(self.console).splitlines()[-CONSOLE_TAIL:])

    def verdict(self):
        """Return the text of result/status, or raise LabCrashed if the kernel went wrong."""
        console = read_text(self.console)
        match = CRASH_RE.search(console)
        if match:
            at = console.count("\n", 0, match.start())
            lines = "\n".join(console.splitlines()[at:at + CONSOLE_TAIL])
            raise LabCrashed(f"the lab kernel reported {match[0].strip()!r}; console from there:\n{lines}")
        status = read_text(os.path.join(self.run_dir, "result", "status")).strip()
        if not status:
            raise LabCrashed(f"the lab ended (exit status {self.process.returncode}) without result/status; "
                             f"console:\n{self.tail()}")
        return status


class Interruptible:
    """Turns the signals that end a program into an exception for as long as a lab runs, so that the lab is ended."""

    def __enter__(self):
        main = threading.current_thread() is threading.main_thread()
        self.caught = program.catch_signals() if main else ()

    def __exit__(self, *_exc):
        for signum in self.caught:
            signal.signal(signum, signal.SIG_DFL)


def boot(run_dir, kernel_dir, initrd, seed, *, mem="1G", watchdog_s=60, progress=None, extra_args=(), real_time=False):
    """Run one lab to its end.

    run_dir     folder the guest sees as its only piece of the host, with RUN/topology and all it names
    kernel_dir  what lab/kernel/build printed
    initrd      a cpio archive whose /init writes RUN/result/status and powers off
    seed        0 to 2^64 - 1, the source of all randomness in the guest
    mem         guest memory, "64M" to "64G"
    watchdog_s  wall seconds for which virtual time may stand still
    progress    called about ten times a second as progress(virtual_ns, done, total, wall_s)
    extra_args  further arguments for the kernel command line; equal runs need equal ones
    real_time   the host's clock instead of virtual time, for what measures the CPU; nothing repeats then

    Returns an Outcome. Raises LabStalled, LabCrashed or, before starting, LabError.
    """
    if not watchdog_s > 0:
        raise LabError(f"watchdog_s={watchdog_s}: must be above 0")
    start = time.monotonic()
    with Interruptible():
        lab = Lab(run_dir, kernel_dir, initrd, seed, mem, extra_args, real_time)
        try:
            virtual_ns = lab.follow(watchdog_s, progress)
        finally:
            lab.end()
        return Outcome(lab.verdict(), virtual_ns, time.monotonic() - start)


def main(argv=None):
    """Boot a run folder by hand; the console goes to RUN/console.log."""
    parser = argparse.ArgumentParser(description="boot the lab kernel in a run folder")
    parser.add_argument("run_dir")
    parser.add_argument("kernel_dir")
    parser.add_argument("initrd")
    parser.add_argument("--seed", type=int, default=1, help="0 to 2^64 - 1 (default 1)")
    parser.add_argument("--mem", default="1G", help="64M to 64G (default 1G)")
    parser.add_argument("--watchdog", type=float, default=60, metavar="S",
                        help="wall seconds without virtual time passing (default 60)")
    parser.add_argument("--arg", action="append", default=[], help="one more argument for the kernel")
    args = parser.parse_args(argv)

    def show(virtual_ns, done, total, wall_s):
        sys.stderr.write(f"\r{virtual_ns / 1e9:.3f} s virtual, {wall_s:.1f} s wall, {done}/{total} done ")

    try:
        outcome = boot(args.run_dir, args.kernel_dir, args.initrd, args.seed, mem=args.mem,
                       watchdog_s=args.watchdog, extra_args=args.arg,
                       progress=show if sys.stderr.isatty() else None)
    except LabError as e:
        print(f"boot: {e}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"{outcome.status} ({outcome.virtual_ns / 1e9:.6f} s virtual, {outcome.wall_s:.2f} s wall)")
    return 0 if outcome.status == "ok" else 1


if __name__ == "__main__":
    sys.exit(main())
