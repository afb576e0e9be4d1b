#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The recipes of packages for Fedora, Arch Linux and NixOS, as far as tools of Debian go. TAP.

    run_distributions.py [--build]

They are parsed, linted and evaluated, and name this version and what `debian/deps` lists. With --build rpmbuild makes packages, and the
functions of the PKGBUILD are run: together these packages have all that make installs, once. None is installed.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "selftests/lib"))
# pylint: disable=wrong-import-position
from tap import Tap

SPEC, PKGBUILD, FLAKE = "contrib/rpm/sharpramp.spec", "contrib/arch/PKGBUILD", "flake.nix"
PACKAGES = {"sharpramp-dkms", "sharpramp-tools", "huygens-lite", "acc-tuner"}
# Names of the set "install" that only modules need, which dkms builds elsewhere, or that all build machines have.
FOR_MODULES = {"kmod", "xz", "kernel-devel", "linux-headers"}
# rpmlint of Debian wants what rpm itself no longer does, and an archive that is published.
LINT = ("no-buildroot-tag", "invalid-url Source0", "rpmlintrc")
# Macros of systemd's package for Fedora.
MACROS = {"_unitdir": "/usr/lib/systemd/system", "_udevrulesdir": "/usr/lib/udev/rules.d", **{f"{name}()": ":" for name in (
    "sysusers_create_compat", "systemd_post", "systemd_preun", "systemd_postun_with_restart")}}
# Settings that users change; packages install them in another place than make does.
SETTINGS = {"/etc/default/sharpramp", "/etc/huygens-lite.conf", "/etc/acc-tuner.conf"}
# Files that rpm adds: documentation, licences, and links by build id.
RPM_ADDS = "/usr/share/doc/sharpramp-tools-|/usr/share/licenses/|/usr/lib/.build-id/"
NIX = """let name = word: { name = word; value = word; };
  kernel = { stdenv.mkDerivation = made: made; version = "6.12"; modDirVersion = "6.12.1"; dev = "/kernel"; moduleBuildDependencies = []; };
  pkgs = builtins.listToAttrs (map name [ "pkg-config" "iproute2" "libmnl" "libseccomp" "nettle" ]) // { stdenv = kernel.stdenv; linuxPackages.kernel = kernel; };
in ((import %s).outputs { self = "sources"; nixpkgs.legacyPackages = { x86_64-linux = pkgs; aarch64-linux = pkgs; }; }).packages"""


def call(*command, cwd=ROOT, **env):
    """Run a command; return (status, output)."""
    given = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "O")} | env
    done = subprocess.run(command, cwd=cwd, env=given, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return done.returncode, done.stdout


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def version():
    """The version of debian/changelog."""
    return re.match(r"sharpramp \(([^)]*)\)", text("debian/changelog"))[1]


def names(other):
    """Packages that a build needs on another distribution."""
    return set(call("debian/deps", "--list", "install", other)[1].split()) - FOR_MODULES


def damaged(scratch, path, old, new):
    """A copy of a file with an error; the old text must be there."""
    content = text(path)
    if old not in content:
        raise ValueError(f"{path} has no {old}")
    copy = os.path.join(scratch, os.path.basename(path))
    with open(copy, "w", encoding="utf-8") as file:
        file.write(content.replace(old, new, 1))
    return copy


def rpm(tap, scratch):
    """The spec for Fedora."""
    status, output = call("rpmspec", "--parse", SPEC)
    tap.ok("rpmspec parses the spec", not status and "%package" in output, output)
    wrong = damaged(scratch, SPEC, "%description tools", "%description other")
    tap.ok("it would refuse a package without a description", call("rpmspec", "--parse", wrong)[0])
    status, output = call("rpmspec", "-q", "--qf", "%{name} %{version} %{license}\n", SPEC)
    # The source's own package is listed, and not made.
    tap.ok("its packages have this version", set(output.splitlines()) == {f"{name} {version()} GPL-2.0-only" for name in PACKAGES | {"sharpramp"}}, output)
    needs = set(re.findall(r"^BuildRequires: +(\S+)", text(SPEC), re.M))
    tap.ok("it needs what debian/deps lists for dnf", needs == names("dnf") | {"systemd-rpm-macros"}, (needs, names("dnf")))
    for path, clean in ((SPEC, True), (damaged(scratch, SPEC, "License:        GPL-2.0-only\n", ""), False)):
        output = call("rpmlint", path)[1]
        found = [line for line in output.splitlines() if re.search(r": [EW]: ", line) and not any(word in line for word in LINT)]
        tap.ok("rpmlint finds nothing in it" if clean else "rpmlint would find a missing licence", (not found and " 0 errors" in output) == clean, output)


def fields(path):
    """Variables and functions of a PKGBUILD; ValueError if bash cannot read it."""
    script = 'set -eu; . "$1"; declare -p pkgbase pkgname pkgver pkgrel arch license makedepends source sha256sums; declare -F'
    status, output = call("bash", "-c", script, "bash", path)
    if status:
        raise ValueError(output)
    found = {name: re.findall(r'(?:\]=|^)"([^"]*)"', value) for name, value in re.findall(r"^declare -\S+ (\w+)=\(?(.*?)\)?$", output, re.M)}
    return found, set(re.findall(r"^declare -f (\S+)", output, re.M))


def arch(tap, scratch):
    """The PKGBUILD for Arch Linux."""
    found, functions = fields(os.path.join(ROOT, PKGBUILD))
    tap.ok("the PKGBUILD has this version, and each package its function", found["pkgver"] == [version()] and set(found["pkgname"]) == PACKAGES and
           {"build", *(f"package_{name}" for name in PACKAGES)} <= functions, (found, functions))
    tap.ok("a source has its checksum", len(found["source"]) == len(found["sha256sums"]) == 1 and found["license"] == ["GPL-2.0-only"], found)
    tap.ok("it needs what debian/deps lists for pacman", set(found["makedepends"]) == names("pacman"), (found, names("pacman")))
    status, output = call("shellcheck", PKGBUILD)
    tap.ok("shellcheck finds nothing in it", not status, output)
    try:
        fields(damaged(scratch, PKGBUILD, "build() {", "build( {"))
        tap.ok("a PKGBUILD that bash cannot read is noticed", False)
    except ValueError as why:
        tap.ok("a PKGBUILD that bash cannot read is noticed", "syntax error" in str(why), why)


def nix(tap, scratch):
    """The flake for NixOS, with stand-ins for nixpkgs."""
    folders = {"NIX_STORE_DIR": f"{scratch}/nix/store", "NIX_STATE_DIR": f"{scratch}/nix/var", "NIX_LOG_DIR": f"{scratch}/nix/log", "NIX_REMOTE": "",
               "HOME": scratch}

    def evaluated(path):
        status, output = call("nix-instantiate", "--eval", "--strict", "--json", "-E", NIX % path, **folders)
        return None if status else json.loads(output.splitlines()[-1]), output
    made, output = evaluated(os.path.join(ROOT, FLAKE))
    tap.ok("the flake is evaluated", made and set(made) == {"x86_64-linux", "aarch64-linux"}, output)
    if made:
        tools, modules = made["x86_64-linux"]["tools"], made["x86_64-linux"]["modules"]
        tap.ok("its packages have this version", tools["version"] == version() and modules["version"] == f"{version()}-6.12", made)
        needs = set(tools["buildInputs"])
        tap.ok("the tools need what debian/deps lists", needs == {name for name in names("pacman") if name.startswith("lib")} | {"iproute2", "nettle"}, needs)
        for package in (tools, modules):
            status, output = call("make", "-n", *package["buildFlags"], *package["installTargets"], *package["makeFlags"], out=f"{scratch}/out")
            tap.ok(f"make knows the targets of {package['pname']}", not status and f"{scratch}/out" in output, output[-2000:])
        lost = {flag.partition("=")[0] for flag in tools["makeFlags"] + modules["makeFlags"]} - set(re.findall(r"\b[A-Z_]+\b", "".join(map(text, (
            "Makefile", "lib/folders.mk", "tc-plugins/Makefile")))))
        tap.ok("and each variable", not lost, lost)
    made, output = evaluated(damaged(scratch, FLAKE, "pkgs.libmnl", "pkgs.libmnI"))
    tap.ok("a package that nixpkgs lacks would be noticed", made is None and "libmnI" in output, output)


def by_make(scratch):
    """All paths that make installs, but for modules."""
    there = os.path.join(scratch, "make")
    status, output = call("make", "tools_install", "dkms_install", f"O={scratch}/build", f"DESTDIR={there}", "DEPS=have",
                          "UNITDIR=/usr/lib/systemd/system", "UDEVDIR=/usr/lib/udev/rules.d", "TC_LIB_DIR=/usr/lib/tc/")
    if status:
        raise ValueError(output[-2000:])
    return paths(there)


def paths(folder):
    """All files below a folder, with the names that they will have; pages and licences are compressed, or not."""
    found = [os.path.join("/", os.path.relpath(os.path.join(at, name), folder)) for at, _, files in os.walk(folder) for name in files]
    return [re.sub(r"(/man/.*)\.gz$", r"\1", path) for path in found]


def odd(found, wanted):
    """Files that are in several packages, in none, or in one and not made by make."""
    return sorted({path for path in found if found.count(path) > 1} | set(found) ^ (set(wanted) | SETTINGS))


def compare(tap, what, found, wanted):
    """Packages have each installed file once."""
    tap.ok(f"{what} have all that make installs, each file once", not odd(found, wanted) and len(found) > 80, odd(found, wanted))
    tap.ok("one that is missing, or twice there, would be noticed", odd(found[1:], wanted) and odd([*found, found[0]], wanted))


def build_rpm(tap, scratch, wanted):
    """Build the packages with rpmbuild, and compare their files."""
    top = os.path.join(scratch, "rpm")
    os.makedirs(f"{top}/SOURCES")
    subprocess.run(["git", "archive", f"--prefix=sharpramp-{version()}/", "-o", f"{top}/SOURCES/sharpramp-{version()}.tar.gz", "HEAD"], cwd=ROOT, check=True)
    definitions = {"_topdir": top, "_libdir": "/usr/lib", "debug_package": "%{nil}"} | MACROS
    status, output = call("nice", "rpmbuild", "-bb", "--nodeps", *(word for pair in definitions.items() for word in ("--define", " ".join(pair))), SPEC)
    packages = [os.path.join(at, name) for at, _, files in os.walk(f"{top}/RPMS") for name in files]
    tap.ok("rpmbuild makes the packages", not status and len(packages) == len(PACKAGES), output[-3000:])
    found = []
    for package in packages:
        found += [re.sub(r"(/man/.*)\.gz$", r"\1", line.split()[-1]) for line in call("rpm", "-qp", "--qf", "[%{FILEMODES:perms} %{FILENAMES}\n]", package)[1].splitlines()
                  if not line.startswith("d")]
    compare(tap, "they", [path for path in found if not re.match(RPM_ADDS, path)], wanted)


def build_arch(tap, scratch, wanted):
    """Run the functions of the PKGBUILD on this tree, and compare their files."""
    source = os.path.join(scratch, "arch/sharpramp")
    os.makedirs(source)
    subprocess.run(f"git archive HEAD | tar -x -C '{source}'", shell=True, cwd=ROOT, check=True)
    found = []
    for function in ("build", *(f"package_{name}" for name in sorted(PACKAGES))):
        script = 'set -eu; . "$1"; srcdir=$2 pkgdir=$3; "$4"'
        status, output = call("nice", "bash", "-c", script, "bash", PKGBUILD, os.path.dirname(source), f"{scratch}/arch/{function}", function)
        if not tap.ok(f"{function}() of the PKGBUILD does", not status, output[-3000:]):
            return
        found += paths(f"{scratch}/arch/{function}")
    compare(tap, "they", [path.replace("/usr/bin/", "/usr/sbin/") if path.replace("/usr/bin/", "/usr/sbin/") in wanted else path for path in found], wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", action="store_true", help="make packages, too")
    given = parser.parse_args()
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="distributions-") as scratch:
        if given.build:
            wanted = by_make(scratch)
            parts = (("rpmbuild", build_rpm), ("bash", build_arch))
        else:
            parts = (("rpmlint", rpm), ("shellcheck", arch), ("nix-instantiate", nix))
        for program, part in parts:
            if not shutil.which(program):
                tap.skip(part.__name__, f"no {program}: make deps")
            elif given.build:
                part(tap, scratch, wanted)
            else:
                part(tap, scratch)
    tap.end()


if __name__ == "__main__":
    main()
