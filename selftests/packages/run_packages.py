#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The Debian packages as files, as TAP: lintian, their contents compared with what make install installs, DKMS's settings.

    run_packages.py [--others]

With --others: packages are built in the next release of Debian, installed and purged there. Their behaviour on a booted
machine is tested by boot_installed.py.
"""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# pylint: disable=wrong-import-position
import debs
import debian
import guest
import root
import stock
import usage
from tap import Tap

CONFFILES = {"sharpramp-dkms": [], "sharpramp-tools": ["/etc/bash_completion.d/tc-sharpramp", "/etc/default/sharpramp"],
             "huygens-lite": ["/etc/huygens-lite.conf"], "acc-tuner": ["/etc/acc-tuner.conf"]}
DAEMONS = ("huygens-lite", "acc-tuner")
# Files of a package that make install does not have: those that Debian wants of each, and the configuration.
DEBIANS = re.compile(r"usr/share/(doc/(?!((huygens-lite|acc-tuner)/\3\.conf|huygens-lite/now\.c|sharpramp/))|lintian/)|etc/((huygens-lite|acc-tuner)\.conf|default/sharpramp)$")
# Programs that purge runs find these in their place: THERE lists users and groups, and removals are logged and fail.
STANDINS = {"getent": 'case " $THERE " in *" $1 "*) exit 0 ;; esac; exit 2',
            **{name: f'echo "{name} $*"; exit {status}' for name, status in (("rm", 0), ("userdel", 8), ("groupdel", 8))}}
# The last command of debian/build: the changelog and the files that it has made of a tree.
STANDIN = """#!/bin/sh
cat debian/changelog
find . -type f | sort
"""
# Its suffix to the changelog's version.
COMMIT = r"\+git\d{14}\.[0-9a-f]{10}(\+dirty\d+)?"
# The other versions that the modules are tried with, in no package: what DKMS says of them is what the compiler would.
# The first that DKMS builds for: RHEL 9 has it with much of later ones.
FIRST = (5, 14)
VERSIONS = [f"{major}.{minor}" for major, last in ((4, 20), (5, 19), (6, 21), (7, 12), (8, 2), (15, 2)) for minor in range(last + 1)]


def output_of(*command, cwd=ROOT):
    """Return all that a command says, whether it fails or not."""
    return subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False).stdout


def read(*path):
    """Return a file's text."""
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def listing(deb):
    """Return [(mode, owner, path)] of a package's files and folders."""
    lines = [line.split(None, 5) for line in output_of("dpkg-deb", "-c", deb).splitlines()]
    return [(mode, owner, path.split(" -> ")[0].removeprefix("./")) for mode, owner, _, _, _, path in lines]


def files(deb):
    """Return the paths of a package's files."""
    return {path for mode, _, path in listing(deb) if not mode.startswith("d")}


def plain(paths):
    """Return paths without the compression that Debian adds to pages, and units where both releases find them."""
    return {re.sub(r"(?<=share/man/)(.*)\.gz$", r"\1", re.sub(r"^usr/(?=lib/(systemd/system|udev)/)", "", path)) for path in paths}


class Unpacked:
    """The packages, unpacked in a folder, and the folder that they were built in."""

    def __init__(self, scratch):
        self.built = debs.built()
        self.debs = debs.paths(self.built)
        self.roots = {name: os.path.join(scratch, name) for name in self.debs}
        for name, path in self.debs.items():
            subprocess.run(["dpkg-deb", "-R", path, self.roots[name]], check=True)

    def field(self, name, field):
        """Return a field of a package's control file."""
        return output_of("dpkg-deb", "-f", self.debs[name], field).strip()


def lintian(unpacked):
    """Return what lintian says of sources and packages."""
    changes = [os.path.join(unpacked.built, name) for name in os.listdir(unpacked.built) if name.endswith(".changes")]
    return output_of("lintian", "--allow-root", "--display-info", "--tag-display-limit", "0", *changes).strip()


def overrides(tap):
    """An override is below a comment that says why."""
    bare = []
    for name in sorted(os.listdir(os.path.join(ROOT, "debian"))):
        if name.endswith(".lintian-overrides"):
            lines = read(ROOT, "debian", name).splitlines()
            bare += [line for above, line in zip(["", *lines], lines) if not line.startswith("#") and not above.startswith("#")]
    tap.ok("every override says why", not bare, bare)


def contents(tap, unpacked, scratch):
    there = os.path.join(scratch, "there")
    built = os.path.join(unpacked.built, "sharpramp")
    # Files that were built for the packages are installed by make install.
    copy = os.path.join(scratch, "source")
    shutil.copytree(built, copy, symlinks=True)
    done = debs.call(["make", "tools_install", f"O={copy}/build", f"DESTDIR={there}", "DEPS=have"], copy)
    installed = {os.path.relpath(os.path.join(where, name), there) for where, _, names in os.walk(there) for name in names}
    each = [plain(files(unpacked.debs[name])) for name in ("sharpramp-tools", *DAEMONS)]
    packed = set().union(*each)
    packed_alone = {path for path in packed if not DEBIANS.match(path)}
    tap.ok("tools and daemons are packed as make install installs them", installed == packed_alone and len(installed) > 20,
           (sorted(installed ^ packed_alone), done[-1000:]))
    tap.ok("no file is in two packages", len(packed) == sum(map(len, each)))
    plugins = {os.path.join("/", os.path.dirname(path), "") for path in packed if re.search(r"/q_\w+\.so$", path)}
    tap.ok("the plugins are where this Debian's tc searches", plugins == {guest.tc_folder()}, (plugins, guest.tc_folder()))
    bound = [name for name in ("q_cp.so", "q_ecnsharp.so", "q_onramp.so") if "BIND_NOW" in
             output_of("readelf", "-d", unpacked.roots["sharpramp-tools"] + guest.tc_folder() + name)]
    tap.ok("the plugins' symbols are bound as they are used", not bound, bound)


def modules(tap, unpacked):
    version = unpacked.field("sharpramp-dkms", "Version")
    source = os.path.join(unpacked.roots["sharpramp-dkms"], f"usr/src/sharpramp-{version}")
    packed = {os.path.relpath(os.path.join(where, name), source) for where, _, names in os.walk(source) for name in names}
    tracked = set(output_of("git", "ls-files", "--", *read(ROOT, "kernel/sources").split()).split())
    tap.ok("sharpramp-dkms has the modules' sources and dkms.conf, nothing else", packed == tracked | {"dkms.conf"},
           sorted(packed ^ (tracked | {"dkms.conf"})))
    conf = read(source, "dkms.conf")
    names = set(re.findall(r'^BUILT_MODULE_NAME\[\d\]="(\w+)"$', conf, re.MULTILINE))
    built = set()
    for folder in re.findall(r"\+= ([\w/]+)/$", read(ROOT, "Kbuild"), re.MULTILINE):
        if os.path.isdir(os.path.join(source, folder)):
            built |= set(re.findall(r"^obj-\$\(CONFIG_\w+\) \+= (\w+)\.o$", read(source, folder, "Kbuild"), re.MULTILINE))
    tap.ok("DKMS installs each module that is built", names == built and len(names) == 6, (names, built))
    tried = re.search(r"SHARPRAMP_TRIED\tKERNEL_VERSION\((\d+), (\d+), 255\)", read(ROOT, "kernel/compat/compat.h")).groups()
    pattern = re.search(r'^BUILD_EXCLUSIVE_KERNEL="(.*)"$', conf, re.MULTILINE).group(1)
    wrong = [version for version in VERSIONS for tail in ("", ".0", ".12-3-amd64", "-rc1+", ".1+deb13-cloud-amd64")
             if bool(re.search(pattern, version + tail)) != (tuple(map(int, version.split("."))) >= FIRST)]
    tap.ok(f"DKMS builds for the kernels from {FIRST} on, also for those that nobody tried", not wrong, wrong)
    phrase = f"meant for Linux {FIRST[0]}.{FIRST[1]} and later, " \
        rf"tested on (Debian's )?{', '.join(stock.SERIES)} and {'.'.join(tried)}\b"
    for page in ("debian/control", "README.md", "docs/operations.md"):
        tap.ok(f"{page} says for which kernels they are meant, and on which they are tested",
               re.search(phrase, " ".join(read(ROOT, page).split())), phrase)
    wanted = set(re.search(r'^BUILD_EXCLUSIVE_CONFIG="(.*)"$', conf, re.MULTILINE).group(1).split())
    known = {f"CONFIG_{name}" for name in re.findall(r"(?:depends on|select|&&) (\w+)", read(ROOT, "Kconfig"))}
    tap.ok("and for configurations that have what Kconfig asks for", len(wanted) == 4 and wanted <= known, (wanted, known))


def autopkgtest(tap):
    """Each test of debian/tests is there, and needs packages of ours or of Debian's. install_packages.sh runs the one of dkms."""
    paragraphs = [dict(re.findall(r"^([\w-]+): (.*)$", text, re.MULTILINE)) for text in read(ROOT, "debian/tests/control").split("\n\n")]
    lost = [test for each in paragraphs for test in each["Tests"].split() if not os.access(os.path.join(ROOT, "debian/tests", test), os.X_OK)]
    tap.ok("each test of debian/tests is there", paragraphs and not lost, lost)
    needs = {name for each in paragraphs for name in each["Depends"].split(", ")}
    ours = set(re.findall(r"^Package: (.*)$", read(ROOT, "debian/control"), re.MULTILINE))
    known = output_of("apt-cache", "showpkg", *(needs - ours))
    unknown = [name for name in needs - ours if f"Package: {name}\n" not in known]
    tap.ok("and needs what there is", needs & ours and not unknown, unknown)


def refused(tap, unpacked, scratch):
    """DKMS itself, with a tree of its own; it compiles nothing here."""
    version = unpacked.field("sharpramp-dkms", "Version")
    options = ["--dkmstree", os.path.join(scratch, "dkms"), "--sourcetree", os.path.join(unpacked.roots["sharpramp-dkms"], "usr/src"),
             "-m", "sharpramp", "-v", version]
    os.mkdir(options[1])
    text = output_of("dkms", "add", *options)
    tap.ok("DKMS takes dkms.conf", "Error" not in text and "Deprecated" not in text, text)
    without = os.path.join(scratch, "headers")
    os.mkdir(without)
    config = read(stock.headers("6.12"), ".config")
    with open(os.path.join(without, ".config"), "w", encoding="utf-8") as file:
        file.write(re.sub(r"^CONFIG_NETFILTER=.*\n", "", config, flags=re.MULTILINE))
    # Nothing is signed, so no key is made.
    for release, headers, why in (("5.10.0-1-amd64", stock.headers("6.12"), "a kernel that is too old"),
                                  ("6.12.1-none", without, "one without netfilter")):
        run = subprocess.run(["dkms", "build", *options, "-k", release, "--kernelsourcedir", headers], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        tap.ok(f"DKMS refuses {why}, and says that it should", run.returncode == 77 and "BUILD_EXCLUSIVE" in run.stdout, run.stdout)
    # The command of a kernel's package; without AUTOINSTALL it is as if there were no modules. It compiles in selftests/packages/install_packages.sh.
    run = subprocess.run(["dkms", "autoinstall", *options[:4], "-k", "5.10.0-1-amd64", "--kernelsourcedir", stock.headers("6.12")],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    tap.ok("DKMS thinks of them by itself for a kernel that comes", "for module sharpramp includes a BUILD_EXCLUSIVE" in run.stdout,
           run.stdout)
    # An empty folder to build in is there even so.
    states = set(os.listdir(os.path.join(scratch, "dkms/sharpramp", version))) - {"source", "build"}
    tap.ok("and remembers nothing of them", not states, states)


def cleaned(tap, unpacked, scratch):
    """Scripts that DKMS calls before and after each build, and that print nothing if it works."""
    version = unpacked.field("sharpramp-dkms", "Version")
    source = os.path.join(scratch, "modules")
    shutil.copytree(os.path.join(unpacked.roots["sharpramp-dkms"], f"usr/src/sharpramp-{version}"), source)
    left = os.path.join(source, "sch_ecnsharp/left.o")
    with open(left, "w", encoding="ascii"):
        pass
    run = subprocess.run(["make", "-s", "-C", stock.headers("6.12"), f"M={source}", "clean"], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    tap.ok("make clean takes away what building left", not run.returncode and not os.path.exists(left), run.stdout)


def takes(daemon, text):
    """Whether a daemon takes a configuration."""
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.write(text)
        file.flush()
        return not subprocess.run([daemon, "-t", "-f", file.name], capture_output=True, check=False).returncode


def unmet(which):
    """Return what dpkg-buildpackage misses on a machine that has one set of debian/deps, and of others' packages none."""
    listed = output_of("debian/deps", "--list", which).split()
    with tempfile.TemporaryDirectory() as machine:
        with open(os.path.join(machine, "status"), "w", encoding="utf-8") as file:
            file.write("\n".join(output_of("dpkg-query", "--status", name) for name in listed))
        return output_of("dpkg-checkbuilddeps", f"--admindir={machine}", "debian/control").strip()


def settings(tap, unpacked):
    versions = {name: unpacked.field(name, "Version") for name in unpacked.debs}
    conf = re.search(r'^PACKAGE_VERSION="(.*)"$', read(unpacked.roots["sharpramp-dkms"], "usr/src",
                                                      f"sharpramp-{versions['sharpramp-dkms']}", "dkms.conf"), re.MULTILINE)
    changelog = debs.version(os.path.join(unpacked.built, "sharpramp"))
    tap.ok("all versions are that of the changelog", {*versions.values(), conf.group(1)} == {changelog}, (versions, conf))
    tap.ok("which is the tree's, and says of which commit", re.fullmatch(re.escape(debs.version()) + COMMIT, changelog), changelog)
    foreign = [entry for deb in unpacked.debs.values() for entry in listing(deb)
               if entry[1] != "root/root" or not re.match(r"(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x|lrwxrwxrwx)$", entry[0])]
    tap.ok("all is root's, and nobody else may write it", not foreign, foreign)
    for name, want in CONFFILES.items():
        path = os.path.join(unpacked.roots[name], "DEBIAN/conffiles")
        have = read(path).split() if os.path.exists(path) else []
        tap.ok(f"{name}: the user's changes to {' '.join(want) or 'nothing'} are kept", have == want, have)
    wants = unpacked.field("sharpramp-dkms", "Recommends")
    tap.ok("what DKMS makes its key for Secure Boot with comes along", "openssl" in re.split(r"[,| ]+", wants), wants)
    # This host has none of the example's addresses.
    for name, more, mode in (("huygens-lite", "[node]\nid = 1\n", "publish"), ("acc-tuner", "", "observe")):
        text = read(unpacked.roots[name], f"etc/{name}.conf")
        tap.ok(f"{name} takes the configuration that it comes with", takes(os.path.join(unpacked.roots[name], f"usr/sbin/{name}"), text + more))
        modes = re.findall(r"^mode *= *(\w+)$", text, re.MULTILINE)
        tap.ok(f"which is of mode {mode}", modes == [mode], modes)
    text = unmet("deb")
    tap.ok("make deb installs what dpkg-buildpackage wants", not text, text)
    text = unmet("install")
    tap.ok("of which make install's set has not all", "build-essential" in text and "dh-sequence-dkms" in text, text)
    listed = set(output_of("debian/deps", "--list", "deb").split())
    tap.ok("and git", "git" in listed, listed)


def pages(tap, unpacked):
    """Files that a page links to are there, or README.Debian names them as missing."""
    root = os.path.join(unpacked.roots["sharpramp-tools"], "usr/share/doc/sharpramp-tools")
    absent = re.findall(r"^  (\S+)$", read(root, "README.Debian"), re.MULTILINE)
    lost, seen, used = [], 0, set()
    for where, _, names in os.walk(root):
        for page in (name for name in names if name.endswith(".md")):
            for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", read(where, page)):
                path = os.path.join(where, link)
                excused = [name for name in absent if (os.path.relpath(path, root) + "/").startswith(name + "/")]
                used |= set(excused)
                seen += 1
                if not re.match("https?:", link) and not excused and not os.path.exists(path):
                    lost.append(f"{page}: {link}")
    tap.ok("links of installed pages lead to what is installed, or are listed as not installed", not lost and seen > 50 and used == set(absent),
           (lost, seen, used, absent))
    need = (*(f"docs/{name}" for name in ("operations.md", "tuning.md", "watch.md")), "contrib/bpftrace/onramp-owd.bt", "examples/bpftrace",
            "examples/onramp.yaml")
    missing = sorted(name for name in need if not os.path.exists(os.path.join(root, name)))
    tap.ok("the operator's pages and recipes are there", not missing, missing)


def purged(tap, unpacked, scratch):
    """A user with our user's group as his own does not keep it from going."""
    folder = os.path.join(scratch, "standins")
    os.mkdir(folder)
    for name, text in STANDINS.items():
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(file.name, 0o755)
    for name, owner, folders in (("huygens-lite", "huygens", "/var/lib/huygens-lite /var/lib/huygens-lite-* /var/log/huygens-lite /var/log/huygens-lite-*"),
                               ("acc-tuner", "acc-tuner", "/var/lib/acc-tuner /run/acc-tuner")):
        own = read(unpacked.roots[name], "DEBIAN/postrm").partition("# Automatically added")[0]
        gone, user, group = f"rm -rf {folders}", f"userdel {owner}", f"groupdel {owner}"
        for there, what, want in (("passwd group", "purge", [gone, user, group]), ("group", "purge", [gone, group]),
                                  ("", "purge", [gone]), ("passwd group", "upgrade", [])):
            run = subprocess.run(["/bin/sh", "-c", own, "postrm", what], env={"PATH": folder, "THERE": there}, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, check=False)
            tap.ok(f"{name}: {what} where there is {there.replace(' ', ' and ') or 'neither'}: {len(want)} things go", not run.returncode
                   and run.stdout.splitlines() == want, (run.stdout, run.stderr))


class Built:
    """A tree with no more than a changelog, of which debian/build would build packages."""

    def __init__(self, scratch, name):
        self.root, self.out = os.path.join(scratch, name), os.path.join(scratch, f"{name}-out")
        self.bin = os.path.join(scratch, f"{name}-bin")
        os.makedirs(self.bin)
        os.makedirs(os.path.join(self.root, "debian"))
        for path in ("debian/build", "debian/changelog"):
            shutil.copy(os.path.join(ROOT, path), os.path.join(self.root, path))
        self.write("docs/results/run", "1")
        self.write("Makefile", "1")
        with open(os.path.join(self.bin, "dpkg-buildpackage"), "w", encoding="ascii") as file:
            file.write(STANDIN)
        os.chmod(file.name, 0o755)

    def write(self, path, text):
        """Write a file of it."""
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)

    def commit(self, when):
        """Commit all that is there."""
        identity = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
               for what, value in (("NAME", "tester"), ("EMAIL", "tester@sharpramp.example"), ("DATE", when))}
        for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
            subprocess.run(["git", "-C", self.root, *arguments], check=True, env=os.environ | identity)

    def build(self):
        """Return (version, output)."""
        run = subprocess.run([os.path.join(self.root, "debian/build"), self.out], stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, check=False, env=os.environ | {"PATH": f"{self.bin}:{os.environ['PATH']}", "TZ": "Asia/Tokyo"})
        version = re.match(r"sharpramp \((.*?)\)", run.stdout)
        return (version.group(1) if version else ""), run.stdout + run.stderr


def upgrades(tap, scratch):
    """Packages of a later commit are newer for apt and DKMS, with the same changelog."""
    def newer(one, than):
        return not subprocess.run(["dpkg", "--compare-versions", one, "gt", than], check=False).returncode

    tree, again, own = Built(scratch, "tree"), Built(scratch, "again"), debs.version()
    for each in (tree, again):
        each.commit("2026-01-02T03:04:05+0500")
    first, first_changelog = tree.build()
    tap.ok("a version has the time of its commit, in UTC", re.fullmatch(re.escape(own) + COMMIT, first) and
           "+git20260101220405." in first and "Thu, 01 Jan 2026 22:04:05 +0000" in first_changelog, first_changelog)
    tap.ok("it is newer than what has debian/changelog's", newer(first, own) and newer(own + ".1", first), first)
    tap.ok("the same commit elsewhere is the same version and changelog", again.build() == (first, first_changelog), first_changelog)
    tree.write("docs/results/run", "2")
    tree.write("notes", "1")
    tap.ok("what is not packed makes no other version", tree.build() == (first, first_changelog), tree.build())
    tree.write("Makefile", "2")
    changed, changelog = tree.build()
    tap.ok("with changes it is newer, and says so", changed.startswith(first + "+dirty") and newer(changed, first) and
           "changes that are not in it" in changelog, changelog)
    # A second later.
    tree.commit("2026-01-01T22:04:06+0000")
    second, text = tree.build()
    tap.ok("of the next commit it is newer than both", newer(second, first) and newer(second, changed) and "dirty" not in second, text)
    tap.ok("and has what came", "./notes\n" in text and "./docs" not in text, text)
    changelog = read(tree.root, "debian/changelog")
    tap.ok("the tree's changelog is as it was", changelog == read(ROOT, "debian/changelog"), changelog)
    # A tarball, unpacked in somebody's repository.
    tarball = Built(tree.root, "tarball")
    tarball.write("build/modules/left.o", "1")
    version, text = tarball.build()
    tap.ok("without git it is debian/changelog's", version == own, text)
    tap.ok("and has all but what make built and what runs left", {line for line in text.splitlines() if line.startswith("./")} ==
           {"./Makefile", "./debian/build", "./debian/changelog"}, text)


def typed(tap, unpacked):
    """The files that pages tell apt to install are those that are built: one for each argument."""
    for page in ("README.md", "docs/operations.md"):
        lists = re.findall(r"^    (?:sudo )?apt install (\./.*)$", read(ROOT, page), re.MULTILINE)
        names = [[name for name, path in unpacked.debs.items() if fnmatch.fnmatch(f"./build/deb/{os.path.basename(path)}", pattern)]
                 for line in lists for pattern in line.split()]
        tap.ok(f"{page}: apt installs the packages that make deb builds", sorted(names) == sorted([name] for name in unpacked.debs), names)


def build_refused(tap, scratch):
    """Files that were not built there are not removed."""
    for name in ("sharpramp", "sharpramp_1.dsc", "other.deb"):
        out = os.path.join(scratch, f"out-{name}")
        os.makedirs(os.path.join(out, name))
        run = subprocess.run(["debian/build", out], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        tap.ok(f"a folder with a user's {name} is left alone", run.returncode == 1 and f"{out}/{name} is in the way" in run.stderr
               and os.listdir(out) == [name], (run.stderr, os.listdir(out)))


def others(tap):
    """The next release of Debian: built, installed and purged there."""
    release = f"Debian {stock.BACKPORTS}"
    if not debian.possible():
        tap.ok(f"{release}: the packages # SKIP neither root nor sub-ids in /etc/subuid", True)
        return
    try:
        text = read(root.build_and_purge(stock.BACKPORTS))
    except (debs.PackageError, debian.DebianError, stock.StockError) as why:
        tap.ok(f"{release}: the packages are built, and do there what they do here", False, why)
        return
    for what in re.findall(r"^ok \d+ - (.*)$", text, re.MULTILINE):
        tap.ok(f"{release}: {what}", True)


def as_files(tap):
    """The packages of this machine's release."""
    try:
        with tempfile.TemporaryDirectory(prefix="packages-") as scratch:
            unpacked = Unpacked(scratch)
            tap.ok("the packages are built", True)
            text = lintian(unpacked)
            tap.ok("lintian has nothing to say of sources and packages", not text, text)
            overrides(tap)
            contents(tap, unpacked, scratch)
            modules(tap, unpacked)
            autopkgtest(tap)
            refused(tap, unpacked, scratch)
            settings(tap, unpacked)
            pages(tap, unpacked)
            purged(tap, unpacked, scratch)
            cleaned(tap, unpacked, scratch)
            build_refused(tap, scratch)
            upgrades(tap, scratch)
            typed(tap, unpacked)
    except debs.PackageError as why:
        tap.ok("the packages are built", False, why)


def main():
    """Run; return the exit status."""
    usage.check(__doc__, sys.argv[1:] in ([], ["--others"]))
    tap = Tap()
    status = ("git", "status", "--porcelain", "--ignored", "debian", "kernel", "huygens-lite", "acc-tuner", "tc-plugins", "lab")
    before = output_of(*status)
    (others if sys.argv[1:] else as_files)(tap)
    after = output_of(*status)
    tap.ok("the tree is as it was", before == after, after)
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
