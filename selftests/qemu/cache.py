# SPDX-License-Identifier: GPL-2.0
"""A cache of what takes long to make, keyed by what it was made from."""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

KEPT = 8                # of each kind of thing in the cache


def folder(*names):
    """Return (and make) a folder of this project's cache."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = os.path.join(base, "sharpramp", *names)
    os.makedirs(path, exist_ok=True)
    return path


@contextlib.contextmanager
def lock(name):
    """Hold a lock that other runs of this user respect."""
    with open(os.path.join(folder("qemu"), f"{name}.lock"), "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def digest(*parts):
    """Digest texts and, for names of files that exist, their contents."""
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode()
        if os.path.isabs(part) and os.path.isfile(part):
            with open(part, "rb") as file:
                data += b"\0" + hashlib.sha256(file.read()).digest()
        sha.update(len(data).to_bytes(8, "little") + data)
    return sha.hexdigest()[:16]


def tree_files(path):
    """List the files below a folder, sorted, without what Python leaves behind."""
    found = []
    for above, dirs, files in os.walk(path):
        dirs[:] = sorted(d for d in dirs if d != "__pycache__")
        found += [os.path.join(above, name) for name in sorted(files)]
    return found


def tracked(*names):
    """List the files that git tracks or would add below folders of the tree, relative to it, sorted."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *names], cwd=ROOT,
                            stdout=subprocess.PIPE, check=True).stdout.decode()
    return sorted({name for name in listed.split("\0") if os.path.isfile(os.path.join(ROOT, name))})


def made(kind, key, make):
    """Return qemu/KIND-KEY in the cache; where it is missing, make(path) makes it first.

    It appears under its name only when it is whole.
    """
    path = os.path.join(folder("qemu"), f"{kind}-{key}")
    with lock(f"{kind}-{key}"):
        if not os.path.exists(path):
            part = path + ".part"
            if os.path.isdir(part):
                shutil.rmtree(part)
            make(part)
            os.rename(part, path)
            prune(kind)
    return path


def prune(kind):
    """Keep the newest of a kind; one that is still in use elsewhere is among them. Others may prune at the same time."""
    home = folder("qemu")
    with lock("prune"):
        found = [os.path.join(home, name) for name in os.listdir(home)
                 if re.fullmatch(re.escape(kind) + "-[0-9a-f]{16}", name)]
        for path in sorted(found, key=os.path.getmtime)[:-KEPT]:
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)
