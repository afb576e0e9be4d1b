# SPDX-License-Identifier: GPL-2.0
"""Releases of Debian other than this machine's: what their archive offers, and roots with their compilers.

Their archive is read with lists of its own, fetched from the mirror that this machine's apt uses: nothing of this machine's is
changed, and nothing needs root. An ordinary user needs ids of his own in /etc/subuid for a root. A package NAME:ARCHITECTURE is one of
another architecture.
"""

import functools
import os
import re
import subprocess
import sys
import tempfile
import time

import cache

CODENAMES = {12: "bookworm", 13: "trixie"}
# Each is read again after that long, where the archive can be reached.
STALE_S = 24 * 3600
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
MIRRORS = {"Debian": "http://deb.debian.org/debian", "Debian-Security": "http://deb.debian.org/debian-security"}


class DebianError(Exception):
    """A release or a package of it cannot be had; the text says why."""


def output_of(command, **more):
    """Run a command that must succeed; return its output, which is in the error if it does not."""
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                         check=False, **more)
    if run.returncode:
        raise DebianError(f"{' '.join(command)}:\n{(run.stdout + run.stderr)[-4000:]}")
    return run.stdout


def namespace():
    """Return the command that allows mounts and gives root."""
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    return command if os.geteuid() == 0 else [*command, "--user", "--map-root-user", "--map-auto"]


def possible():
    """Tell whether this user can have a root of more than one user; an ordinary one may lack sub-ids."""
    with tempfile.NamedTemporaryFile() as file:
        return not subprocess.run([*namespace(), "chown", "1:1", file.name], capture_output=True, check=False).returncode


@functools.cache
def mirrors():
    """Return {label: address} of Debian's archives, as this machine has them."""
    text = output_of(["apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages"])
    found = dict(line.split(" ", 1) for line in text.splitlines())
    return {label: found.get(label, address).rstrip("/") for label, address in MIRRORS.items()}


def sources(number):
    """Return the lines of sources.list for a release, such as 13; the newer kernels are in its backports."""
    name, signed = CODENAMES[number], f"[signed-by={KEYRING}] " if os.path.exists(KEYRING) else ""
    suites = [(name, "Debian"), (f"{name}-updates", "Debian"), (f"{name}-security", "Debian-Security")]
    suites += [(f"{name}-backports", "Debian")] * (number >= 13)
    return "".join(f"deb {signed}{mirrors()[label]} {suite} main\n" for suite, label in suites)


def read(path):
    """Return a file's text."""
    with open(path, encoding="ascii") as file:
        return file.read()


def write(path, text):
    """Write a file."""
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def architecture_of(name):
    """Return the architecture that the name of a package has, or None."""
    return name.partition("=")[0].partition(":")[2] or None


@functools.cache
def apt(number, architecture=None):
    """Return the options that make apt ask a release's archive; none for None, this machine's own. Packages of another architecture are
    those of lists of their own.

    The lists are not older than STALE_S, or the archive cannot be reached.
    """
    if number is None:
        return []
    name = "-".join(filter(None, (CODENAMES[number], architecture)))
    home = cache.folder("apt", name)
    text, listed = sources(number), os.path.join(home, "sources.list")
    for folder in ("state/lists/partial", "cache/archives/partial", "preferences.d"):
        os.makedirs(os.path.join(home, folder), exist_ok=True)
    options = ["-o", f"Dir::State={home}/state", "-o", f"Dir::State::status={home}/status", "-o", f"Dir::Cache={home}/cache",
               "-o", f"Dir::Etc::SourceList={listed}", "-o", "Dir::Etc::SourceParts=-", "-o", "APT::Sandbox::User=",
               "-o", f"Dir::Etc::PreferencesParts={home}/preferences.d", "-o", "Dir::Etc::Preferences=-"]
    if architecture:
        options += ["-o", f"APT::Architecture={architecture}", "-o", f"APT::Architectures::={architecture}"]
    stamp = os.path.join(home, "stamp")
    with cache.lock(f"apt-{name}"):
        had = os.path.exists(stamp) and read(stamp) == text
        if not had or time.time() - os.path.getmtime(stamp) > STALE_S:
            write(os.path.join(home, "status"), "")
            write(listed, text)
            run = subprocess.run(["apt-get", *options, "-q", "update", "--error-on=any"], capture_output=True, text=True, check=False)
            if run.returncode and not had:
                raise DebianError(f"the archive of Debian {number} cannot be queried: {run.stderr.strip()}")
            if run.returncode:
                print(f"the archive of Debian {number} cannot be queried, its lists are old: {run.stderr.strip()}", file=sys.stderr)
            write(stamp, text)
    return options


def offered(number, pattern):
    """Return the names of packages that match a pattern whole."""
    lines = output_of(["apt-cache", *apt(number), "search", "--names-only", f"^{pattern}$"]).splitlines()
    return sorted(name for name in (line.split(" - ")[0] for line in lines) if re.fullmatch(pattern, name))


def newest(number, name):
    """Return {field: value} of a package's newest version."""
    text = output_of(["apt-cache", *apt(number, architecture_of(name)), "show", name])
    found = [dict(re.findall(r"^([\w-]+): (.*)$", paragraph, re.MULTILINE)) for paragraph in text.split("\n\n") if paragraph.strip()]

    def later(one, other):
        newer = subprocess.run(["dpkg", "--compare-versions", one["Version"], "gt", other["Version"]], check=False).returncode == 0
        return 1 if newer else -1
    return max(found, key=functools.cmp_to_key(later))


def versions(number, *names):
    """Return lines that say which versions of packages a release has now."""
    return [f"{name}={newest(number, name)['Version']}" for name in names]


def download(number, packages, part):
    """Fetch packages, each a name or name=version, and unpack them into a folder; nothing is installed. None: this machine's release.

    All are of one architecture.
    """
    print(f"fetching {' '.join(packages)} ...", file=sys.stderr, flush=True)
    os.makedirs(part, exist_ok=True)
    output_of(["apt-get", *apt(number, architecture_of(packages[0])), "-q", "download", *packages], cwd=part)
    for name in sorted(os.listdir(part)):
        if name.endswith(".deb"):
            subprocess.run(["dpkg", "-x", os.path.join(part, name), part], check=True)
            os.unlink(os.path.join(part, name))


def source(number, name):
    """Return a folder with the newest sources of a package of a release, fetching them; the package has one of that name."""
    wanted, = versions(number, name)

    def make(part):
        with tempfile.TemporaryDirectory(dir=cache.folder("qemu")) as home:
            listed = os.path.join(home, "sources.list")
            write(listed, re.sub("^deb ", "deb-src ", sources(number), flags=re.M))
            for folder in ("state/lists/partial", "cache/archives/partial"):
                os.makedirs(os.path.join(home, folder))
            write(os.path.join(home, "status"), "")
            options = ["-o", f"Dir::State={home}/state", "-o", f"Dir::State::status={home}/status", "-o", f"Dir::Cache={home}/cache",
                       "-o", f"Dir::Etc::SourceList={listed}", "-o", "Dir::Etc::SourceParts=-", "-o", "APT::Sandbox::User=", "-q"]
            output_of(["apt-get", *options, "update", "--error-on=any"])
            output_of(["apt-get", *options, "source", "--download-only", "--only-source", wanted], cwd=home)
            description, = (entry for entry in os.listdir(home) if entry.endswith(".dsc"))
            output_of(["dpkg-source", "--no-check", "-x", os.path.join(home, description), part])
    return cache.made(f"source-{name}", cache.digest(wanted), make)


def mmdebstrap(number, packages, architecture=None):
    """Return the command that writes a tar archive of a release to the file that is appended to it.

    Packages of another architecture than this machine's are unpacked and not set up, and there are no others.
    """
    kind = ["--variant=extract", f"--architectures={architecture}"] if architecture else ["--variant=minbase"]
    return ["mmdebstrap", "--quiet", *kind, "--format=tar", '--aptopt=APT::Install-Recommends "false"',
            f"--include={','.join(packages)}", CODENAMES[number]]


def write_archive(number, packages, out, architecture=None):
    """Write a tar archive of a release with no more than packages and what they need."""
    print(f"making a new Debian {number} ...", file=sys.stderr, flush=True)
    with tempfile.NamedTemporaryFile("w", suffix=".list", encoding="ascii") as file:
        file.write(sources(number))
        file.flush()
        output_of([*mmdebstrap(number, packages, architecture), out, file.name])


def archive(number, packages):
    """Return that archive."""
    return cache.made("debian", cache.digest(*mmdebstrap(number, packages), sources(number)),
                      lambda part: write_archive(number, packages, part))


def root(kind, number, packages, foreign=(), architecture=None):
    """Return a folder with a release and packages, for scripts/make-for; all of its files are the user's own.

    Foreign packages, of another architecture, are unpacked there and not installed. With an architecture all packages are its, and
    unpacked with what they need.
    """
    def make(part):
        os.mkdir(part)
        tar = f"{part}.tar"
        write_archive(number, packages, tar, architecture)
        output_of(["tar", "-x", "-f", tar, "-C", part, "--no-same-owner", "--exclude=./dev/*"])
        os.unlink(tar)
        if foreign:
            download(number, foreign, part)
    if not possible():
        raise DebianError(f"a root of Debian {number} needs root, or ids of this user in /etc/subuid")
    named = [f"{name}:{architecture}" for name in packages] if architecture else packages
    return cache.made(kind, cache.digest(*versions(number, *named, *foreign)), make)
