# SPDX-License-Identifier: GPL-2.0
"""Outcomes of suites that are functions of files: what passed once with these bytes need not run again.

A suite says which paths of the tree it reads, more rather than fewer. Its key is the hash of their contents, of the
command, and of the machine. Only a suite without a failure is kept, with its whole log; whoever wants to see it
run says so (`selftests/check --again`).
"""

import hashlib
import os
import subprocess

KEPT = 300


def _folder(name):
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "sharpramp", name)


def _said(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, capture_output=True, check=True).stdout


def machine(root):
    """What of the machine decides outcomes, and what is skipped: versions of the packages that the project names, what was only
    unpacked, the kernel, the processor's kind, and what a user may do here."""
    names = _said(os.path.join(root, "debian/deps"), "--list", cwd=root).decode().split()
    versions = subprocess.run(["dpkg-query", "-W", *names], capture_output=True, check=False).stdout
    beside = sorted(name for name in os.listdir(_folder("beside")) if name[0] != ".") if os.path.isdir(_folder("beside")) else []
    spaces = subprocess.run(["unshare", "-Urn", "true"], capture_output=True, check=False).returncode
    about = os.uname()
    return versions + f"{beside} {about.release} {about.version} {about.machine} {os.getuid()} {spaces}".encode()


def files(root, paths):
    """What git knows or would add below the paths, sorted; results of runs only where a path names them."""
    names = _said("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths, cwd=root).split(b"\0")
    results = any(path.startswith("docs/results") for path in paths)
    return sorted({name for name in names if name and (results or not name.startswith(b"docs/results/"))})


def inputs(root, command, paths):
    """The hash of the command and of all files that it reads."""
    digest = hashlib.sha256(b"\0" + command.encode())
    for name in files(root, paths):
        path = os.path.join(root.encode(), name)
        if os.path.islink(path):
            data = os.readlink(path)
        elif os.path.isfile(path):
            with open(path, "rb") as file:
                data = file.read() + (b"x" if os.access(path, os.X_OK) else b"-")
        else:
            data = b""
        digest.update(b"\0" + name + b"\0" + hashlib.sha256(data).digest())
    return digest.hexdigest()[:32]


def key(decides, about):
    """The hash of all that decides what a command says: inputs(), here; about is machine()'s."""
    return hashlib.sha256(about + b"\0" + decides.encode()).hexdigest()[:32]


def recall(name):
    """The log of a suite that passed under this key, or None."""
    path = os.path.join(_folder("known"), name)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        os.utime(path)
        return text
    except OSError:
        return None


def keep(name, log):
    """Remember the log of a suite without a failure; the oldest of too many are forgotten."""
    folder = _folder("known")
    os.makedirs(folder, exist_ok=True)
    part = os.path.join(folder, f".{name}.{os.getpid()}")
    with open(part, "w", encoding="utf-8") as file:
        file.write(log)
    os.replace(part, os.path.join(folder, name))
    entries = [os.path.join(folder, each) for each in os.listdir(folder) if not each.startswith(".")]
    for path in sorted(entries, key=os.path.getmtime)[:-KEPT]:
        os.unlink(path)
