#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""How the lab's runs and programs end: complaints of a kernel, folders that stay, output that cannot be written, signals."""

import os
import signal
import subprocess
import sys
import types

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), os.path.join(ROOT, "selftests/qemu"), ROOT]
# pylint: disable=wrong-import-position
import machine
from lab import trials
from lab.host import boot, module_list
from tap import Tap
from unit_folder import fct, inside, put



def leftovers(tap):
    """Remains of a run that boot() ends so."""
    def run(failure, folder=None):
        def end(made, *_arguments, **_keys):
            put(os.path.join(made, "stall.txt"), "what the kernel did\n")
            seen.append(made)
            raise failure
        real, trials.boot.boot = boot.boot, end
        try:
            fct().run(lab, folder=folder)
            return None
        except BaseException as why:    # pylint: disable=broad-exception-caught
            return why
        finally:
            trials.boot.boot = real

    seen = []
    with inside() as here:
        lab = types.SimpleNamespace(modules_dir=here, kernel_dir=here, image=lambda programs: here)
        for name in (module.name for module in module_list.MODULES):
            put(name, "")
        os.environ["TMPDIR"] = here
        why = run(boot.LabStalled("time stood still; see stall.txt"))
        tap.ok("a stalled run says where its folder is", isinstance(why, boot.LabStalled) and "stall.txt" in str(why)
               and seen[-1] in str(why), why)
        tap.ok("where its topology script and stall.txt are", {"topology", "traffic", "stall.txt"} <= set(os.listdir(seen[-1])), seen)
        run(KeyboardInterrupt())
        tap.ok("one that the user ended leaves nothing", not os.path.exists(seen[-1]))
        why = run(boot.LabCrashed("oops"), "mine")
        tap.ok("a requested folder stays", seen[-1] == os.path.join(here, "mine") and "topology" in os.listdir("mine")
               and seen[-1] in str(why), why)
        run(KeyboardInterrupt(), "interrupted")
        tap.ok("whatever ended the run", "stall.txt" in os.listdir("interrupted"))


COMPLAINTS = (
    "Kernel panic - not syncing: Fatal exception", "BUG: KASAN: slab-use-after-free in hello_uaf+0x61/0xa0",
    "BUG: sleeping function called from invalid context at hello.c:60", "WARNING: possible circular locking dependency detected",
    "WARNING: suspicious RCU usage", "UBSAN: shift-out-of-bounds in hello.c:30:9", "ODEBUG: free active (active state 0) object: 61",
    "refcount_t: addition on 0; use-after-free.", "list_del corruption, 61->next is LIST_POISON1",
    "kmemleak: 1 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
    # A detector that is off finds nothing, like one that has nothing to find.
    "kmemleak: Cannot allocate a kmemleak_object structure", "kmemleak: Kernel memory leak detector disabled")
NO_COMPLAINTS = (
    "kmemleak: Kernel memory leak detector initialized (mem pool available: 31000)", "debug: ignoring loglevel setting.",
    "rcu: RCU debug extended QS entry/exit.", "Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar")


def complaints(tap):
    for whose, pattern in (("the lab", boot.CRASH_RE), ("a virtual machine", machine.COMPLAINT)):
        unheard = [line for line in COMPLAINTS if not pattern.search(f"[    1.0] {line}\n")]
        tap.ok(f"{whose} hears each complaint of the kernel, and that a detector is off", not unheard, unheard)
        found = [line for line in NO_COMPLAINTS if pattern.search(f"[    1.0] {line}\n")]
        tap.ok(f"{whose} is not bothered by what is none", not found, found)


def each(tap):
    """selftests/uml/each.sh names the suites that end badly, and goes on."""
    def messages(*suites):
        return subprocess.run([os.path.join(ROOT, "selftests/uml/each.sh"), *suites], capture_output=True, text=True, check=False).stdout

    tap.ok("each says nothing of a suite that ends well", messages("true") == "", messages("true"))
    tap.ok("each names one that ends badly", messages("false", "true") == "not ok - false ended with status 1\n", messages("false", "true"))
    missing = "not ok - suite ended with status 127\n"
    tap.ok("each goes on after one that cannot be run", messages("/nonexistent/suite", "pwd").removeprefix(missing) not in ("", missing)
           and messages("/nonexistent/suite", "pwd").startswith(missing), messages("/nonexistent/suite", "pwd"))


PRINTERS = ("lab/run list", "lab/run help rct", "lab/run --help", "lab/report/report --help",
            "lab/report/acceptance --help", "lab/report/demo --help")


def printed(tap):
    """Output is written, or an error is reported; where the reader has gone, there is no message."""
    for command in PRINTERS:
        argv = [os.path.join(ROOT, command.split()[0]), *command.split()[1:]]
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        name = argv[0].removeprefix(ROOT + "/")
        tap.ok(f"{command}, into a full device: a line and a status", done.returncode == 1
               and done.stderr == f"{name}: cannot write: No space left on device\n", (done.returncode, done.stderr))
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(argv, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writer)
        tap.ok(f"{command}, into a closed pipe: a status and no message", done.returncode == 1 and not done.stderr, (done.returncode, done.stderr))


FULL = "mount -t tmpfs -o size=4k none {0} && ! dd if=/dev/zero of={0}/all bs=8k count=1 2>/dev/null"
READ_ONLY = "mount -t tmpfs -o ro none {0}"


def folders(tap):
    """Disks that are full, and folders that cannot be written: the line names the folder and the way out."""
    def mounted(how, *arguments, **env):
        script = f"{how} && exec \"$@\""
        return subprocess.run(["unshare", "-rm", "--", "/bin/sh", "-c", script, "sh", *arguments], env={**os.environ, **env},
                              capture_output=True, text=True, check=False)

    lab_run = os.path.join(ROOT, "lab/run")
    with inside() as here:
        os.mkdir("home")
        os.mkdir("other")
        home, there = os.path.join(here, "home"), os.path.join(here, "other")
        if mounted(FULL.format(home), "true").returncode or mounted(READ_ONLY.format(home), "true").returncode:
            tap.ok("full and read-only folders # SKIP no namespaces here", True)
            return
        env = {"HOME": home, "XDG_CACHE_HOME": ""}
        done = mounted(READ_ONLY.format(home), lab_run, "fct", **env)
        tap.ok("a read-only home: a line", done.returncode == 1 and done.stderr.count("\n") == 1
               and f"lab/run: {home}/.cache" in done.stderr and "Read-only file system; XDG_CACHE_HOME names another" in done.stderr, done.stderr)
        for how, why in ((FULL, "No space left on device"), (READ_ONLY, "Read-only file system")):
            left = f"\"$@\"; status=$?; ls -d {there}/lab-* 2>/dev/null; exit $status; true"
            done = mounted(f"{how.format(there)} && {left}", sys.executable, "-c", LASTING.format(ROOT), TMPDIR=there)
            tap.ok(f"TMPDIR, {why}: a line", done.returncode == 1 and done.stderr.count("\n") == 1 and f"unit: {there}/lab-" in done.stderr
                   and f"{why}; TMPDIR names another" in done.stderr, done.stderr)
            tap.ok(f"TMPDIR, {why}: nothing is left", not done.stdout, done.stdout)
            done = mounted(how.format(there), sys.executable, "-c", SAVE.format(ROOT, os.path.join(there, "results.json")))
            tap.ok(f"--json, {why}: a line, and no half of a file", done.returncode == 1
                   and done.stderr == f"unit: {there}/results.json: {why}\n" and done.stdout == "gone\n", (done.stderr, done.stdout))
        done = mounted("for d in /tmp /var/tmp; do mount -t tmpfs -o ro none $d || exit; done; cd /proc", sys.executable, "-c", IN_TURN.format(ROOT), TMPDIR="")
        tap.ok("no folder for what is there for a time: a line", done.returncode == 1 and done.stderr.count("\n") == 1
               and "TMPDIR names another" in done.stderr, done.stderr)
    memory = "import sys; sys.path.insert(0, '{}'); from lab.host import boot; print(boot.Lab.environment(1 << 20).get('TMPDIR'))".format(ROOT)
    done = mounted("mount -t tmpfs -o noexec none /dev/shm && mount -t tmpfs none /tmp", sys.executable, "-c", memory)
    tap.ok("/dev/shm noexec: the guest's memory lies in /tmp", done.stdout == "/tmp\n", done.stderr + done.stdout)
    done = mounted("mount -t tmpfs -o noexec none /dev/shm && mount -t tmpfs -o noexec none /tmp", sys.executable, "-c", memory, TMPDIR="")
    tap.ok("/tmp too: refused, and both are named", "LabError: no folder for the guest's memory: /dev/shm is mounted noexec, /tmp is mounted noexec; "
           "TMPDIR names another" in done.stderr, done.stderr)
    done = mounted("mount -t tmpfs -o noexec none /dev/shm && mount -t tmpfs -o size=64k none /tmp", sys.executable, "-c", memory, TMPDIR="")
    tap.ok("/tmp too small: so is that", "/dev/shm is mounted noexec, /tmp has not the 1 MiB that it takes; TMPDIR" in done.stderr, done.stderr)
    done = mounted("mount -t tmpfs -o noexec none /dev/shm && mount -t tmpfs -o size=64k none /tmp && mount -t tmpfs none /mnt", sys.executable, "-c",
                   memory, TMPDIR="/mnt")
    tap.ok("TMPDIR serves then", done.stdout == "/mnt\n", done.stderr + done.stdout)


# A run whose boot() is seen to begin, and lasts; one that finds no place; results that find none.
LASTING = """
import os, sys, time, types
sys.dont_write_bytecode = True
sys.path.insert(0, "{0}")
from lab import trials
from lab.host import module_list, program
def boot(made, *_arguments, **_keys):
    print(made, flush=True)
    time.sleep(600)
trials.boot.boot = boot
lab = types.SimpleNamespace(modules_dir=os.getcwd(), kernel_dir="", image=lambda programs: "")
for name in (module.name for module in module_list.MODULES):
    open(name, "w").close()
program.run("unit", lambda: trials.Trial("fct", (), 1).run(lab))
"""
IN_TURN = """
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "{0}")
from lab import trials
from lab.host import program
program.run("unit", lambda: trials.Trial("fct", (), 1).rehearse("/nowhere"))
"""
SAVE = """
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "{0}")
from lab.host import program
def main():
    try:
        with program.writing("{1}"), open("{1}", "w", encoding="ascii") as file:
            file.write("results")
    finally:
        print("there" if os.path.exists("{1}") else "gone")
program.run("unit", main)
"""


def ended(tap):
    """Signals that end a run, a closed terminal's too: nothing stays, unless the terminal is not to matter."""
    for number in (signal.SIGHUP, signal.SIGTERM):
        with inside() as here:
            with subprocess.Popen([sys.executable, "-c", LASTING.format(ROOT)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "TMPDIR": here},
                                  # Below nohup it would be ignored.
                                  preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)) as process:
                made = process.stdout.readline().strip()
                there = os.path.isfile(os.path.join(made, "topology"))
                process.send_signal(number)
                messages = process.communicate(timeout=60)[1]
            tap.ok(f"{number.name}: the run's folder goes", there and not os.path.exists(made), (made, messages))
            tap.ok(f"{number.name}: a status and no message", process.returncode == 128 + number and not messages, (process.returncode, messages))


def main():
    tap = Tap()
    complaints(tap)
    each(tap)
    leftovers(tap)
    printed(tap)
    folders(tap)
    ended(tap)
    tap.end()


if __name__ == "__main__":
    main()
