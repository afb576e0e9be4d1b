# SPDX-License-Identifier: GPL-2.0
"""Results of the kernel's own tools, from Debian's linux-source, for a family's YAML: its schema, and its policies."""

import hashlib
import os
import re
import subprocess
import sys
import tempfile

SOURCE = "/usr/src/linux-source-6.12.tar.xz"
NEEDED = ("*/Documentation/netlink/*.yaml", "*/tools/net/ynl/ynl-gen-c.py", "*/tools/net/ynl/lib")


class Missing(Exception):
    """A requirement of the tests is not installed."""


def tools():
    """The folder with them, below which paths are the kernel's; unpacked once for each source."""
    try:
        with open(SOURCE, "rb") as file:
            key = hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except OSError as why:
        raise Missing(f"{why}: make deps") from why
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(cache, "sharpramp/ynl", key)
    if not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        fresh = tempfile.mkdtemp(dir=os.path.dirname(folder))
        subprocess.run(["tar", "-x", "-f", SOURCE, "-C", fresh, "--strip-components=1", "--wildcards", *NEEDED], check=True)
        os.rename(fresh, folder)
    return folder


def complaints(text):
    """Errors by the schema of the family's protocol."""
    # Debian's, and only here: the other checks do without.
    import jsonschema  # pylint: disable=import-outside-toplevel
    import yaml  # pylint: disable=import-outside-toplevel
    spec = yaml.safe_load(text)
    try:
        with open(os.path.join(tools(), f"Documentation/netlink/{spec['protocol']}.yaml"), encoding="utf-8") as file:
            schema = yaml.safe_load(file)
    except FileNotFoundError:
        return [f"no such protocol: {spec['protocol']}"]
    found = jsonschema.Draft7Validator(schema).iter_errors(spec)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"[:200] for error in found]


def policies(text):
    """The C source that the generator makes of it for the kernel, and what it complains of, a list."""
    # A length with two ends is what it cannot do yet, nor a table by operation in which one takes nothing.
    text = re.sub(r"        checks:\n          min-len: \d+\n          max-len: \d+\n", "", text).replace("kernel-policy: per-op", "kernel-policy: split")
    with tempfile.TemporaryDirectory() as folder:
        # It climbs until it finds a file MAINTAINERS, for ever if there is none, and takes the schema from above the YAML.
        specs = os.path.join(folder, "Documentation/netlink/specs")
        os.makedirs(os.path.dirname(specs))
        os.mkdir(specs)
        with open(os.path.join(folder, "MAINTAINERS"), "w", encoding="ascii"):
            pass
        schemas = os.path.join(tools(), "Documentation/netlink")
        for name in os.listdir(schemas):
            if name.endswith(".yaml"):
                os.symlink(os.path.join(schemas, name), os.path.join(os.path.dirname(specs), name))
        path, out = os.path.join(specs, "family.yaml"), os.path.join(folder, "family.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        command = [os.path.join(tools(), "tools/net/ynl/ynl-gen-c.py"), "--mode", "kernel", "--source", "--spec", path, "-o", out]
        done = subprocess.run([sys.executable, "-B", *command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            return None, done.stderr.strip().splitlines()[-1:]
        with open(out, encoding="utf-8") as file:
            return file.read(), []
