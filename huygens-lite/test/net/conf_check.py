#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""huygens-lite -t refuses what the daemon would not begin with, with the same message, and so does a reload, as TAP.

    conf_check.py   PROGRAMS in the environment names huygens-lite
"""

import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../selftests/lib"))
# pylint: disable=wrong-import-position
from tap import Tap

DAEMON = next(path for path in os.environ["PROGRAMS"].split() if path.endswith("/huygens-lite"))
PATIENCE = 60
USER = "daemon"
KEY = "1 SHA256 HEX:000102030405060708090a0b0c0d0e0f\n"
# Addresses of this host, and of none: an address of the loopback device that it was not given.
HERE_AND_THERE = "127.0.0.1 127.0.0.2"
ELSEWHERE = "127.0.0.2 127.0.0.3"
MANY = " ".join(f"127.0.{n // 250}.{n % 250 + 1}" for n in range(4000))
THOUSAND = " ".join(MANY.split()[:1000])
CONF = """\
[node]
port = {port}
drift_file = none
{node}
[mesh]
peers = {peers}
[output]
mode = none
[security]
user = {user}
seccomp = no
control = {folder}/control
key_file = {keys}
[log]
directory = {folder}
{more}
"""


def write(path, text, mode=0o600):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


def free_port():
    """A port of this host that nobody uses now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def run(*arguments):
    return subprocess.run([DAEMON, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)


class Files:
    """A configuration and its keys, each in a folder that goes with it."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()

    def conf(self, keys="none", peers=HERE_AND_THERE, node="", more="", user="none"):
        return write(os.path.join(self.folder, "conf"),
                     CONF.format(folder=self.folder, port=self.port, keys=keys, peers=peers, node=node, more=more, user=user))

    def keys(self, text, mode=0o600):
        return write(os.path.join(self.folder, "keys"), text, mode)


def taken(tap, files):
    for what, make, host in (("a good configuration", files.conf, "1 (127.0.0.1, 127.0.0.1)"),
                             ("one with keys", lambda: files.conf(keys=files.keys(KEY)), "1 (127.0.0.1, 127.0.0.1)"),
                             ("one that says which peer this host is", lambda: files.conf(peers=ELSEWHERE, node="id = 2"), "2 (127.0.0.3, 127.0.0.3)")):
        path = make()
        for option in ("-t", "--test"):
            done = run(option, "-f", path)
            tap.ok(f"{option} takes {what}", not done.returncode and not done.stderr, done.stderr)
            tap.ok("and says which host it would be", done.stdout == f"host {host} of 2, 1 neighbours, may become coordinator\n", done.stdout)
    left = sorted(os.listdir(files.folder))
    tap.ok("and leaves nothing behind, no socket and no log", left == ["conf", "keys"], left)


def other_machine(tap, files):
    """A fleet's file on a machine that is none of its hosts, and that has no keys."""
    fleet = " ".join(f"{n}=10.9.0.{n}/web{n}" for n in range(1, 41))
    path = files.conf(peers=fleet, keys="/nonexistent/keys", user="nobody-here", more="[coordinator]\ncandidates = 7 9")
    done = run("-t", "-f", path)
    tap.ok("a fleet's file is not that of this host", done.returncode == 1 and "no peer has an address of this host" in done.stderr, done.stderr)
    for number, more in ((7, ", may become coordinator"), (40, "")):
        done = run("-t", "--as", str(number), "-f", path)
        tap.ok(f"--as {number} checks it as that host", not done.returncode and
               done.stdout == f"host {number} (web{number}, 10.9.0.{number}) of 40, 20 neighbours{more}\n", done)
    for number, why in (("41", f"--as: {path}: [mesh] peers has no host 41"), ("0", '--as: "0" is not an id, 1 to 65535'),
                        ("65536", '"65536" is not an id'), ("web7", '"web7" is not an id'), ("-1", '"-1" is not an id')):
        done = run("-t", f"--as={number}", "-f", path)
        tap.ok(f"--as refuses {number}", done.returncode == 1 and why in done.stderr and not done.stdout, done)
    done = run("-t", "-a", "7", "-f", files.conf(peers=MANY))
    tap.ok("--as refuses what is wrong with the fleet", done.returncode == 1 and "the coordinator cannot send" in done.stderr, done)
    done = run("-a", "7", "-f", path)
    tap.ok("no daemon starts as another host", done.returncode == 2 and "--as is only for --test" in done.stderr, done)


def refused(tap, files):
    """Each of these both ways: as -t, and as a start."""
    missing = os.path.join(files.folder, "nothing")
    open_keys = "other users must not have access to it"
    for what, why, make in (
            ("a file of keys that is not there", f"{missing}: No such file or directory", lambda: files.conf(keys=missing)),
            ("a folder in the place of keys", "Is a directory", lambda: files.conf(keys=folder_of(files))),
            ("keys that others may read", open_keys, lambda: files.conf(keys=files.keys(KEY, 0o604))),
            ("a file without a key", "keys:1: the file contains no key", lambda: files.conf(keys=files.keys("# none\n"))),
            ("a key that is too short", "keys:2: the key does not have 16 to 64 bytes", lambda: files.conf(keys=files.keys("\n2 SHA256 short\n"))),
            ("a key of another kind", "keys:1: the type of the key is not SHA256", lambda: files.conf(keys=files.keys("1 MD5 0123456789abcdef\n"))),
            ("two keys of one number", "keys:2: the number of the key is used twice", lambda: files.conf(keys=files.keys(KEY + KEY))),
            ("a list of peers without this host", "[mesh] peers: no peer has an address of this host", lambda: files.conf(peers=ELSEWHERE)),
            ("an id that is no peer's", "[node] id: 3 is missing in [mesh] peers", lambda: files.conf(node="id = 3")),
            ("more peers than a coordinator can tell all", "[mesh] window, [coordinator] hello: with 4000 hosts the coordinator cannot send",
             lambda: files.conf(peers=MANY)),
            ("an unknown key", "[node] levle: unknown key", lambda: files.conf(node="levle = debug")),
            ("a file that is not there", "No such file or directory", lambda: missing)):
        path = make()
        tested, begun = run("-t", "-f", path), run("-f", path)
        tap.ok(f"-t refuses {what}", tested.returncode == 1 and why in tested.stderr and len(tested.stderr.splitlines()) == 1, tested.stderr)
        tap.ok("a start does, with the same message", begun.returncode == 1 and begun.stderr == tested.stderr, begun.stderr)


def readable(tap, files):
    """Root's -t looks at keys as the user that runs the daemon; the message names the remedy."""
    if os.geteuid():
        tap.ok("-t by root is of the daemon's user # SKIP not root", True)
        return
    user, group = pwd.getpwnam(USER), grp.getgrgid(pwd.getpwnam(USER).pw_gid)
    keys = files.keys(KEY, 0o600)
    path = files.conf(keys=keys, user=USER)

    def set_to(owner, group_id, mode, above=0o755):
        os.chown(keys, owner, group_id)
        os.chmod(keys, mode)
        os.chmod(files.folder, above)
    mend = f"chown root:{group.gr_name} {keys}; chmod 640 {keys}"
    closed = f"{keys}: user {USER} cannot read it: run {mend}"
    for what, why, ids, above in (("root's alone", closed, (0, 0, 0o600), 0o755), ("of another group", closed, (0, 12345, 0o640), 0o755),
                                  ("the user's, whom the mode leaves out", closed, (user.pw_uid, group.gr_gid, 0o040), 0o755),
                                  ("below a closed folder", f"{keys}: user {USER} cannot search a directory above it",
                                   (0, group.gr_gid, 0o640), 0o700),
                                  ("somebody else's", f"{keys}: its owner must be root or the daemon's user",
                                   (12345, group.gr_gid, 0o640), 0o755)):
        set_to(*ids, above)
        done = run("-t", "-f", path)
        tap.ok(f"-t by root refuses keys that are {what}", done.returncode == 1 and why in done.stderr
               and len(done.stderr.splitlines()) == 1, done.stderr)
    set_to(0, 0, 0o600)
    mended = subprocess.run(["sh", "-c", mend], check=False)
    done = run("-t", "-f", path)
    tap.ok("what mends it does", not mended.returncode and not done.returncode and not done.stderr, done.stderr)
    set_to(user.pw_uid, group.gr_gid, 0o600)
    done = run("-t", "-f", path)
    tap.ok("keys that are the user's alone are taken", not done.returncode, done.stderr)
    done = run("-t", "-f", files.conf(keys=keys, user="nosuchuser"))
    tap.ok("a user that does not exist is reported", done.returncode == 1 and "user nosuchuser does not exist" in done.stderr, done.stderr)
    path = files.conf(keys=keys, user=USER)
    os.chmod(path, 0o644)
    # Mode of a folder that others need not enter.
    copy = shutil.copy(DAEMON, os.path.join(files.folder, "huygens-lite"))

    def other():
        return subprocess.run([copy, "-t", "-f", path], user=12345, group=12345, extra_groups=[group.gr_gid], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
    set_to(0, 0, 0o600)
    done = other()
    tap.ok("-t by another user cannot tell, and gives no advice", done.returncode == 1 and
           f"{keys}: Permission denied: only root can check whether user {USER} can read it" in done.stderr, done.stderr)
    set_to(user.pw_uid, group.gr_gid, 0o640)
    done = other()
    tap.ok("of the user's keys, which that one may read, it can", not done.returncode and not done.stderr, done.stderr)
    os.chmod(files.folder, 0o700)


def reloaded(tap, files):
    """By SIGHUP: of a file that is refused nothing counts, of one that is not all does."""
    errors, log = os.path.join(files.folder, "stderr"), os.path.join(files.folder, "tracking.log")
    command = [DAEMON, "-f", files.conf(peers=THOUSAND)]
    with open(errors, "w", encoding="ascii") as file, subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=file) as daemon:
        def reload(more):
            files.conf(peers=THOUSAND, more=more)
            daemon.send_signal(signal.SIGHUP)
        try:
            tap.ok("a daemon of 1000 hosts begins", until(lambda: "host 1 of 1000" in read(errors)), read(errors))
            reload("tracking = yes\n[coordinator]\nhello = 50ms")
            why = f"configuration not reloaded: {files.folder}/conf: [mesh] window, [coordinator] hello: with 1000 hosts the coordinator cannot send"
            tap.ok("a reload that leaves a coordinator no bandwidth is refused", until(lambda: why in read(errors)), read(errors))
            reload("")
            again = until(lambda: f" reloaded {files.folder}/conf" in read(errors))
            tap.ok("and nothing of it has counted", again and not os.path.exists(log), read(errors))
            reload("tracking = yes")
            tap.ok("one that leaves bandwidth is taken", until(lambda: os.path.exists(log)), read(errors))
        finally:
            daemon.terminate()


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def until(what):
    """Wait until a function is true; returns what it returned last."""
    end = time.monotonic() + PATIENCE
    while not (value := what()) and time.monotonic() < end:
        time.sleep(0.1)
    return value


def among_many(tap, files):
    """A host finds itself by whichever of its addresses it is, in a namespace that has many."""
    add = "".join(f"addr add 10.77.{n // 250}.{n % 250 + 1}/32 dev lo\n" for n in range(1000))
    script = 'ip link set lo up && printf %s "$1" | ip -batch - && exec "$2" -t -f "$3"'
    if subprocess.run(["unshare", "-Urn", "true"], check=False).returncode:
        tap.ok("a host of many addresses # SKIP no namespaces", True)
        return
    for what, peers, why in (("the first of 1000 addresses is a peer's", "10.77.0.1 10.78.0.1", ""), ("the last is", "10.78.0.1 10.77.3.250", ""),
                             ("none is", "10.78.0.1 10.78.0.2", "[mesh] peers: no peer has an address of this host")):
        command = ["unshare", "-Urn", "sh", "-c", script, "sh", add, DAEMON, files.conf(peers=peers)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
        tap.ok(f"a host of many addresses: {what}", bool(done.returncode) == bool(why) and why in done.stderr, done.stderr)


def folder_of(files):
    path = os.path.join(files.folder, "folder")
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder)
        taken(tap, files)
        other_machine(tap, files)
        refused(tap, files)
        among_many(tap, files)
        readable(tap, files)
        reloaded(tap, files)
    tap.end()


if __name__ == "__main__":
    main()
