# SPDX-License-Identifier: GPL-2.0
"""What test scripts that are root in namespaces of their own share: a line of TAP a test, commands, where they are."""

import ctypes
import os
import socket
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
from tap import Tap  # noqa: E402 pylint: disable=wrong-import-position

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
BUDGETS = "/sys/module/onramp/parameters/tenant_"
LIBC = ctypes.CDLL(None, use_errno=True)
HOME = os.open("/proc/self/ns/net", os.O_RDONLY)
TAP = Tap()


def result(passed, name, *remarks):
    """One line of TAP; of a failure also the remarks."""
    return TAP.ok(name, passed, "\n".join(str(remark) for remark in remarks))


skip = TAP.skip
finish = TAP.plan


def run(words):
    """Run a command that must succeed."""
    done = subprocess.run(words.split(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {words}: {done.stdout}")


def virtual():
    """Does time pass at once while nobody works?  Then minutes cost nothing; elsewhere laws alone are asked about them."""
    with open("/proc/cmdline", encoding="ascii", errors="replace") as file:
        words = file.read().split()
    return "sharpramp.virtual" in words or "time-travel=inf-cpu" in words


def enter(name):
    """What is opened from now on is of the network namespace of that name."""
    with open(f"/run/netns/{name}", "rb") as file:
        _go(file.fileno())


def leave():
    """And now again of the one that the script began in."""
    _go(HOME)


class Inside:
    """The network namespace of that name, as long as a with statement lasts."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        enter(self.name)

    def __exit__(self, *_):
        leave()


def _go(file):
    if LIBC.setns(file, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), f"setns: {os.strerror(ctypes.get_errno())}")


def asked(who):
    """What somebody else is told, as text: a process of its own."""
    there, here = os.pipe()
    child = os.fork()
    if not child:
        os.write(here, repr(who()).encode())
        os._exit(0)
    os.close(here)
    os.waitpid(child, 0)
    said = os.read(there, 4096).decode()
    os.close(there)
    return said


def become_tenant():
    """From now on root in a user namespace of its own alone, with a network of its own; false where there is no such thing."""
    if LIBC.unshare(CLONE_NEWUSER | CLONE_NEWNET):
        return False
    # Without a root here, what is run has no rights.
    for name, text in (("setgroups", "deny"), ("gid_map", "0 0 1"), ("uid_map", "0 0 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    run("ip link set lo up")
    return True


def connections(count):
    """So many over loopback, a byte over each, a path of its own each; what keeps them open."""
    server, kept = socket.create_server(("", 0)), []
    for number in range(count):
        client = socket.create_connection((f"127.0.0.{number + 1}", server.getsockname()[1]))
        kept += [client, server.accept()[0]]
        client.sendall(b"x")
        kept[-1].recv(1)
        time.sleep(0.02)        # a table that is full is tried again
    return kept


def budget(what, follow, cases, more="and again when they are gone"):
    """What tenants have all together is bounded; it is theirs again when they are gone, and the host's is none of it.

    follow(3) becomes a tenant, makes three flows and returns what was counted, and what keeps them; or None. cases are what tenants
    may have, and what is counted of one and then, while that is there, of another.
    """
    def two():
        """Two tenants, the second while the first is there."""
        first = follow(3)
        return first and (first[0], asked(lambda: (follow(3) or [None])[0]))

    name = f"tenants have so many {what.replace('_', ' ')} all together, {more}"
    with open(BUDGETS + what, "r+", encoding="ascii") as file:
        was = file.read()
        for most, one, another in cases:
            file.seek(0)
            file.write(str(most))
            file.flush()
            # Those before end when their namespace does, which is a while after their last process.
            for _ in range(50):
                said = asked(two)
                if said in ("None", repr((one, repr(another)))):
                    break
                time.sleep(0.1)
            if said == "None":
                skip(name, "no user namespaces")
                break
            result(said == repr((one, repr(another))), f"{name}: {most}", said)
        file.seek(0)
        file.write(was)
