# SPDX-License-Identifier: GPL-2.0
"""Common parts of test scripts that are root in namespaces of their own: a line of TAP a test, commands, where they are."""

import ctypes
import os
import socket
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
from tap import Tap  # noqa: E402 pylint: disable=wrong-import-position

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
# Longer than onramp keeps taps open that nobody needs any more, s.
CLOSING = 1.5
BUDGETS = "/sys/module/onramp/parameters/tenant_"
LIBC = ctypes.CDLL(None, use_errno=True)
HOME = os.open("/proc/self/ns/net", os.O_RDONLY)
TAP = Tap()


def result(passed, name, *remarks):
    """One line of TAP; of a failure also the remarks."""
    return TAP.ok(name, passed, "\n".join(str(remark) for remark in remarks))


skip = TAP.skip
finish = TAP.plan


def run(command):
    """Run a command that must succeed."""
    done = subprocess.run(command.split(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {command}: {done.stdout}")


def virtual():
    """Whether time passes at once while no task runs: then minutes cost nothing. Elsewhere unit tests alone cover them."""
    with open("/proc/cmdline", encoding="ascii", errors="replace") as file:
        options = file.read().split()
    return "sharpramp.virtual" in options or "time-travel=inf-cpu" in options


def exact():
    """Does time stand still while somebody works?  Then what depends on microseconds is known beforehand."""
    with open("/proc/cmdline", encoding="ascii", errors="replace") as file:
        return "time-travel=inf-cpu" in file.read().split()


def enter(name):
    """Enter the network namespace of that name: sockets opened from now on belong to it."""
    with open(f"/run/netns/{name}", "rb") as file:
        _go(file.fileno())


def leave():
    """Enter the network namespace that the script began in."""
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


def in_child(function):
    """Call a function in a process of its own; return its result as text."""
    there, here = os.pipe()
    child = os.fork()
    if not child:
        os.write(here, repr(function()).encode())
        os._exit(0)
    os.close(here)
    os.waitpid(child, 0)
    text = os.read(there, 4096).decode()
    os.close(there)
    return text


def become_tenant():
    """Become root of a new user namespace with a new network namespace; false where the kernel has no user namespaces."""
    if LIBC.unshare(CLONE_NEWUSER | CLONE_NEWNET):
        return False
    # Without a root here, commands have no privilege.
    for name, text in (("setgroups", "deny"), ("gid_map", "0 0 1"), ("uid_map", "0 0 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    run("ip link set lo up")
    return True


def connections(count):
    """Open so many connections over loopback, each with a path of its own, and send a byte; return the sockets."""
    server, kept = socket.create_server(("", 0)), []
    for number in range(count):
        client = socket.create_connection((f"127.0.0.{number + 1}", server.getsockname()[1]))
        kept += [client, server.accept()[0]]
        client.sendall(b"x")
        kept[-1].recv(1)
        time.sleep(0.02)        # a table that is full is tried again
    return kept


def budget(what, follow, cases, more="and again when they are gone"):
    """The sum that all tenants have is bounded, is free again when they are gone, and does not include the host's.

    follow(3) becomes a tenant, makes three flows and returns the counters and the objects that keep the flows; or None. A case is
    (the bound, the counters of one tenant, those of a second while the first is there).
    """
    def two():
        """Two tenants, the second while the first is there."""
        first = follow(3)
        return first and (first[0], in_child(lambda: (follow(3) or [None])[0]))

    name = f"tenants have so many {what.replace('_', ' ')} all together, {more}"
    with open(BUDGETS + what, "r+", encoding="ascii") as file:
        was = file.read()
        for most, one, another in cases:
            file.seek(0)
            file.write(str(most))
            file.flush()
            # Those before end when their namespace does, which is a while after their last process.
            for _ in range(50):
                counted = in_child(two)
                if counted in ("None", repr((one, repr(another)))):
                    break
                time.sleep(0.1)
            if counted == "None":
                skip(name, "no user namespaces")
                break
            result(counted == repr((one, repr(another))), f"{name}: {most}", counted)
        file.seek(0)
        file.write(was)
