#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Privileges of the daemon after it has given up the rest: users, capabilities, system calls. O= has the program rights."""

import os
import pwd
import signal
import socket
import stat
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../selftests/lib"))
# pylint: disable=wrong-import-position
from tap import Tap

RIGHTS = os.path.join(os.environ["O"], "rights")
DAC_OVERRIDE, NET_ADMIN, SYS_TIME = 1 << 1, 1 << 12, 1 << 25
ROOT = ["unshare", "-Urn"]


def run(*arguments, before=(), **env):
    """Returns the process, run with no more than what it is given."""
    return subprocess.run([*before, RIGHTS, *arguments], env={**os.environ, **env}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)


def status(pairs_text):
    """{name: value} of lines of /proc/PID/status; numbers of capabilities are integers."""
    pairs = (line.split(":\t", 1) for line in pairs_text.splitlines() if ":\t" in line)
    return {name: int(value, 16) if name.startswith("Cap") else value for name, value in pairs}


def kept(tap, what, arguments, want):
    done = run("drop", *arguments, before=ROOT)
    has = status(done.stdout)
    caps = {name: has.get(name) for name in ("CapEff", "CapPrm", "CapInh", "CapAmb", "CapBnd")}
    tap.ok(f"{what}: nothing but what it needs is left",
           caps == {"CapEff": want, "CapPrm": want, "CapInh": 0, "CapAmb": 0, "CapBnd": want}, done.stdout + done.stderr)
    tap.ok(f"{what}: and no more can be had", has.get("NoNewPrivs") == "1", done.stdout)


def refused(tap, what, arguments, text, before):
    done = run("drop", *arguments, before=before)
    tap.ok(f"{what}: refused, and says why", done.returncode == 1 and text in done.stdout, done.stdout + done.stderr)


def drop(tap):
    kept(tap, "publish", ["publish", "none"], NET_ADMIN)
    kept(tap, "steer", ["steer", "none"], SYS_TIME)
    kept(tap, "steer, and a NIC's clock", ["steer", "none", "hardware"], SYS_TIME | NET_ADMIN)
    kept(tap, "sock, whose socket is root's", ["sock", "none"], DAC_OVERRIDE)
    kept(tap, "none", ["none", "none"], 0)
    kept(tap, "a user whom the namespace does not know", ["publish", "nosuchuser"], NET_ADMIN)
    kept(tap, "a user whom the namespace does not map", ["publish", "daemon"], NET_ADMIN)
    bare = [*ROOT, "setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    some = [*ROOT, "setpriv", "--bounding-set=-all,+net_admin", "--inh-caps=-all"]
    refused(tap, "publish without rights", ["publish", "none"], "CAP_NET_ADMIN is missing, which [output] mode = publish needs", bare)
    refused(tap, "steer without rights", ["steer", "none"], "CAP_SYS_TIME is missing, which [output] mode = steer needs", bare)
    refused(tap, "steer with others", ["steer", "none"], "CAP_SYS_TIME is missing", some)
    refused(tap, "a NIC's clock without rights", ["none", "none", "hardware"], "CAP_NET_ADMIN is missing, which a NIC's clock needs",
            bare)
    done = run("drop", "none", "none", before=bare)
    tap.ok("none takes none, sock can do without", not run("drop", "sock", "none", before=bare).returncode and not done.returncode and status(done.stdout).get("CapEff") == 0, done.stdout)


def become(tap):
    """Only root can become somebody."""
    if os.geteuid():
        tap.ok("root becomes the user # SKIP not root", True)
        return
    user = pwd.getpwnam("daemon")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        made, other = (os.path.join(folder, name) for name in ("made", "other"))
        os.mkdir(other)
        done = run("drop", "publish", "daemon", DRIFT=os.path.join(made, "drift"))
        has = status(done.stdout)
        tap.ok("root becomes the user, with the user's groups", has.get("Uid", "").split() == [str(user.pw_uid)] * 4
               and has.get("Gid", "").split() == [str(user.pw_gid)] * 4 and "0" not in has.get("Groups", "0").split(),
               done.stdout + done.stderr)
        tap.ok("and keeps what it needs", has.get("CapEff") == NET_ADMIN and has.get("CapPrm") == NET_ADMIN, done.stdout)
        tap.ok("a folder that it makes is the user's", os.stat(made).st_uid == user.pw_uid)
        control = os.path.join(folder, "control")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(control)
            os.chmod(control, 0o770)
            run("drop", "publish", "daemon", DRIFT=os.path.join(other, "drift"), CONTROL=control)
        has = os.stat(control)
        tap.ok("the control socket is the user's and the group's, and others' no more than before",
               (has.st_uid, has.st_gid, stat.S_IMODE(has.st_mode)) == (user.pw_uid, user.pw_gid, 0o770), has)
        tap.ok("one that was there is left alone", os.stat(other).st_uid == 0)
        stepping(tap, user)
    done = run("drop", "none", "nosuchuser")
    tap.ok("a user that does not exist: refused, with a remedy",
           done.returncode == 1 and "user nosuchuser does not exist: run useradd --system nosuchuser" in done.stdout, done.stdout)


def stepping(tap, user):
    """The system call is let through, as it reads as well; by whom the clock is stepped the kernel asks the capability."""
    for mode, want in (("publish", "EPERM"), ("sock", "EPERM"), ("none", "EPERM"), ("steer", "EINVAL")):
        has = status(run("drop", mode, user.pw_name).stdout)
        if mode == "steer" and "Step" not in has:
            tap.ok("steer may step the clock # SKIP root has no CAP_SYS_TIME", True)
            continue
        tap.ok(f"{mode}: the kernel's answer to a step of the clock is {want}", has.get("Step") == want, has)


def confine(tap):
    done = run("confine", "work")
    tap.ok("what the daemon does it may do", not done.returncode and "worked" in done.stdout,
           (done.returncode, done.stdout, done.stderr))
    with tempfile.TemporaryDirectory() as folder:
        drift = os.path.join(folder, "drift")
        done = run("confine", "work", DRIFT=drift)
        tap.ok("nor what its thread does, which writes the drift file", not done.returncode and os.path.exists(drift) and
               not os.path.exists(f"{drift}.part"), (done.returncode, done.stdout, done.stderr))
    done = run("confine", "musl")
    tap.ok("nor what musl does, which sign-extends what ioctl() takes", not done.returncode and "worked" in done.stdout,
           (done.returncode, done.stdout, done.stderr))
    done = run("confine", "abort")
    tap.ok("and abort() is itself", done.returncode == -signal.SIGABRT, (done.returncode, done.stdout, done.stderr))
    calls = run("calls").stdout.split()
    tap.ok("there are calls to forbid", len(calls) > 30, calls)
    for call in calls:
        done = run("confine", "work", call)
        tap.ok(f"a forbidden call kills: {call}", done.returncode == -signal.SIGSYS and "worked" in done.stdout,
               (done.returncode, done.stdout, done.stderr))
    done = run("confine", "work", "chmod", "kill", SECCOMP_NO="1")
    tap.ok("[security] seccomp = no forbids none", not done.returncode, (done.returncode, done.stderr))


def main():
    tap = Tap()
    drop(tap)
    become(tap)
    confine(tap)
    tap.end()


if __name__ == "__main__":
    main()
