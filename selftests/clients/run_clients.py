#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Netlink libraries of others set and read our qdiscs, in the lab's kernel: ynl, pyroute2 and one of Go's. TAP.

    run_clients.py [--ynl FOLDER] [ynl|pyroute2|go ...]

The files of each library are copied into the guest; a library that is not installed is skipped. FOLDER has a version of ynl other than the
pinned one.
"""

import argparse
import glob
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, f"selftests/{folder}") for folder in ("lib", "consistency", "qemu")]
# pylint: disable=wrong-import-position
import guest
import tap
import ynl

PACKAGES = "/usr/lib/python3/dist-packages"
GO = "/usr/share/gocode"
LIBRARY = "src/github.com/vishvananda/netlink"


class Absent(Exception):
    """A library is not installed; the text says which package has it."""


def python_package(name, package):
    """Where a guest has a package of Debian's Python, and what that says of itself."""
    folder = os.path.join(PACKAGES, name)
    if not os.path.isdir(folder):
        raise Absent(f"no {folder}: make deps, or apt install {package}")
    return [(path, f"/usr/lib/{guest.PYTHON}/{os.path.basename(path)}") for path in (folder, *glob.glob(f"{folder}-*.dist-info"))]


def with_ynl(_scratch, library):
    """The kernel's library, by default of the pinned source."""
    try:
        return [(library or os.path.join(ynl.tools(), "tools/net/ynl/lib"), "/usr/lib/ynl/lib"), *python_package("yaml", "python3-yaml")]
    except ynl.Missing as why:
        raise Absent(str(why)) from why


def with_pyroute2(_scratch, _library):
    """pyroute2 with modules that guests do not have, and our plugin where it finds the description."""
    path = "contrib/pyroute2/pyroute2_sharpramp.py"
    modules = [f"/usr/lib/{guest.PYTHON}/{name}" for name in ("unittest", "sqlite3")]
    return [*zip(modules, modules), *python_package("pyroute2", "python3-pyroute2"), *python_package("yaml", "python3-yaml"),
            (os.path.join(ROOT, path), f"/sharpramp/{path}")]


def with_go(scratch, _library):
    """The example, compiled; static, because the guest has no libraries but for its own programs."""
    out = os.path.join(scratch, "ecnsharp")
    env = os.environ | {"GOPATH": GO, "GO111MODULE": "off", "GOCACHE": os.path.join(scratch, "cache"), "GOFLAGS": "", "CGO_ENABLED": "1"}
    if not os.path.isdir(os.path.join(GO, LIBRARY)):
        raise Absent(f"no {GO}/{LIBRARY}: make deps, or apt install golang-github-vishvananda-netlink-dev")
    try:
        for command in (("vet",), ("build", "-ldflags", "-linkmode external -extldflags -static", "-o", out)):
            # A static getaddrinfo(), which nothing calls, is warned of.
            subprocess.run(["go", *command, "ecnsharp.go"], cwd=os.path.join(ROOT, "contrib/go"), env=env, check=True, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError as why:
        raise Absent("no go: make deps, or apt install golang-go") from why
    return [(out, "/usr/bin/go-ecnsharp")]


CLIENTS = {"ynl": with_ynl, "pyroute2": with_pyroute2, "go": with_go}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--ynl", metavar="FOLDER", help="the package lib of another ynl")
    parser.add_argument("client", nargs="*", help=" or ".join(CLIENTS))
    given = parser.parse_args()
    if set(given.client) - set(CLIENTS):
        parser.error(f"a client is {' or '.join(CLIENTS)}")
    files, tests = {(HERE, "/sharpramp/selftests/clients")}, []
    with tempfile.TemporaryDirectory(prefix="clients-") as scratch:
        for name in given.client or CLIENTS:
            try:
                files |= set(CLIENTS[name](scratch, given.ynl))
                tests.append(f"./clients/{name}_qdiscs.py")
            except Absent as why:
                tap.outcome(f"{name} # SKIP {why}", True)
        if not tests:
            return 0
        return subprocess.run([os.path.join(ROOT, "selftests/uml/run_uml.py"), "--kernel", "plain", *(word for file in sorted(files) for word in ("--file", *file)),
                               *tests], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
