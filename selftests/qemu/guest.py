# SPDX-License-Identifier: GPL-2.0
"""Image that a guest boots: parts of an initramfs, each packed by lab/image/make-initramfs and cached.

The kernel unpacks archives one after the other, so that the userland (large, rarely new), the
modules of a kernel and the tests (small, often new) are archives of their own.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import cache

PACK = os.path.join(cache.ROOT, "lab/image/make-initramfs")
HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = f"python{sys.version_info[0]}.{sys.version_info[1]}"

PROGRAMS = ("/usr/bin/dash", "/usr/bin/bash", "/usr/sbin/ip", "/usr/sbin/tc", "/usr/sbin/ethtool", "/usr/bin/iperf3",
            "/usr/bin/ping", "/usr/bin/kmod", "/usr/bin/date", f"/usr/bin/{PYTHON}")
KMOD_NAMES = ("modprobe", "rmmod", "insmod", "lsmod", "modinfo")
# Parts of Python's library that no test program uses.
PYTHON_WITHOUT = {"test", "idlelib", "lib2to3", "ensurepip", "tkinter", "turtledemo", "pydoc_data", "distutils", "venv",
                  "sqlite3", "dbm", "curses", "wsgiref", "__pycache__", "dist-packages", "site-packages", "unittest"}
# In each archive that has programs: what they need is where these lead.
MERGED = ("link usr/bin /bin", "link usr/sbin /sbin", "link usr/lib /lib", "link usr/lib64 /lib64")
# Programs of selftests/net, in C.
TOOLS = ("udp", "flood")
# Files of the tree that tests read.
READ = ("kernel/include/uapi/linux/*.h", "docs/netlink/*.yaml", "tc-plugins/*.8", "tc-plugins/onrampctl/*.8",
        "acc-tuner/models/*.accm", "README.md", "docs/operations.md", "docs/tuning.md", "docs/lossless.md", "operations/onramp-host",
        *(f"selftests/consistency/{name}.py" for name in ("page", "prose", "scripts")))
TESTS = "tools/testing/selftests"
NET_SCRIPTS = ("so_txtime.sh", "fq_band_pktlimit.sh", "in_netns.sh")
NET_PROGRAMS = ("so_txtime", "cmsg_sender")


class GuestError(Exception):
    """A part of the guest is missing; the text says which."""


def pack(out, lines):
    """Pack manifest lines into an archive."""
    run = subprocess.run([PACK, out, "-"], input="\n".join(lines) + "\n", text=True, stderr=subprocess.PIPE, check=False)
    if run.returncode:
        raise GuestError(run.stderr.strip())


def kernel_tests():
    """Return a folder with tests of the kernel, taken from Debian's source package: tdc, and those of fq in net.

    What net has in C is compiled; static, as with tool().
    """
    sources = sorted(glob.glob("/usr/src/linux-source-6.*.tar.xz"), key=lambda path: [int(n) for n in
                     re.findall(r"\d+", os.path.basename(path))])
    if not sources:
        raise GuestError("no /usr/src/linux-source-6.*.tar.xz, which has tdc: make deps, or apt install linux-source-6.12")
    source = sources[-1]
    stat = os.stat(source)

    def extract(part):
        os.makedirs(part)
        print(f"extracting tests from {source} ...", file=sys.stderr, flush=True)
        subprocess.run(["tar", "-xJf", source, "-C", part, "--strip-components=4", "--wildcards", f"*/{TESTS}/tc-testing/*.py",
                        f"*/{TESTS}/tc-testing/plugin*", f"*/{TESTS}/kselftest.h",
                        *(f"*/{TESTS}/net/{name}" for name in (*NET_SCRIPTS, *(f"{name}.c" for name in NET_PROGRAMS)))],
                       check=True)
        for name in NET_PROGRAMS:
            subprocess.run(["cc", "-O2", "-w", "-static", "-o", f"{part}/net/{name}", f"{part}/net/{name}.c"], check=True,
                           stderr=subprocess.DEVNULL)
            os.unlink(f"{part}/net/{name}.c")
    key = cache.digest(source, str(stat.st_size), str(stat.st_mtime_ns), *NET_SCRIPTS, *NET_PROGRAMS)
    return cache.made("kernel-tests", key, extract)


def python_sources(source, part):
    """Copy Python's library to a folder, as far as it is used."""
    shutil.copytree(source, part, symlinks=False, ignore_dangling_symlinks=True,
                    ignore=lambda _, names: [name for name in names if name in PYTHON_WITHOUT or name.startswith("config-")])


def python_library(part):
    """Compile Python's library into a folder: without sources, valid whatever the time stamps."""
    python_sources(f"/usr/lib/{PYTHON}", part)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "-b", "--invalidation-mode", "unchecked-hash", part],
                   check=True)
    for path in cache.tree_files(part):
        if path.endswith(".py"):
            os.unlink(path)
        elif path.endswith(".so"):
            os.chmod(path, 0o755)


def tc_folder(root=""):
    """Return the folder where the tc of a root looks for plugins."""
    with open(shutil.which("tc", path=f"{root}/usr/sbin:{root}/sbin:{root}/usr/bin") or f"{root}/usr/sbin/tc", "rb") as tc:
        found = re.search(rb"\0(/[^\0]+/tc/)\0", tc.read())
    return found.group(1).decode() if found else "/usr/lib/tc/"


def common_manifest(library, python, busybox):
    """The manifest of what each guest has but for its programs, of which busybox is a command that runs here."""
    lines = [*MERGED]
    lines += [f"dir {path}" for path in ("/proc", "/sys", "/dev", "/run", "/tmp", "/root", "/etc", "/var", "/mnt")]
    lines += ["link /run /var/run", "link dash /usr/bin/sh", f"link {python} /usr/bin/python3"]
    lines += ["node /dev/console c 5 1 600", "node /dev/null c 1 3 666", f"tree {library} /usr/lib/{python}"]
    lines += [f"link ../bin/kmod /usr/sbin/{name}" for name in KMOD_NAMES]
    taken = {os.path.basename(path) for path in PROGRAMS} | set(KMOD_NAMES) | {"sh", "busybox", "python3", python}
    applets = subprocess.run([*busybox, "--list"], capture_output=True, text=True, check=True).stdout.split()
    return lines + [f"link busybox /usr/bin/{name}" for name in applets if name not in taken]


def userland_manifest(library, tests_folder):
    """The manifest of everything that is neither the kernel's nor this project's."""
    lines = common_manifest(library, PYTHON, ["/usr/bin/busybox"])
    lines += [f"bin {os.path.realpath(path)} {path}" if os.path.islink(path) else f"bin {path}" for path in (*PROGRAMS, "/usr/bin/busybox")]
    lines += [f"tree {tests_folder}/tc-testing /usr/lib/tdc", f"tree {tests_folder}/net /usr/lib/kernel-tests"]
    for path in glob.glob(f"{library}/lib-dynload/*.so"):
        lines.append(f"bin {path} /usr/lib/{PYTHON}/lib-dynload/{os.path.basename(path)}")
    return lines


def userland():
    """Return the archive of programs."""
    stamps = [f"{path} {os.stat(path).st_size} {os.stat(path).st_mtime_ns}"
              for path in (*PROGRAMS, "/usr/bin/busybox", f"/usr/lib/{PYTHON}/os.py")]
    tools = kernel_tests()
    key = cache.digest(PACK, os.path.abspath(__file__), tools, *stamps)

    def make(part):
        print("packing the guest's programs ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(dir=cache.folder("qemu")) as scratch:
            library = os.path.join(scratch, "library")
            python_library(library)
            pack(part, userland_manifest(library, tools))
    return cache.made("userland", key, make)


def foreign_manifest(root, library, python, busybox):
    """The same without tests of the kernel, of a root of another architecture, whose libraries are taken all."""
    lines = common_manifest(library, python, busybox)
    paths = [path.replace(PYTHON, python) for path in (*PROGRAMS, "/usr/bin/busybox")]
    lines += [f"file {os.path.join(root, path[1:])} {path} 755" for path in paths if os.path.exists(os.path.join(root, path[1:]))]
    libraries = glob.glob(f"{root}/usr/lib/*-linux-gnu*")[0]
    for name in sorted(os.listdir(libraries)):
        path = os.path.join(libraries, name)
        if ".so" in name and os.path.isfile(path):
            lines.append(f"file {os.path.realpath(path)} {path.removeprefix(root)} 755")
    return lines + [f"link {os.path.relpath(loader, f'{root}/usr/lib')} /usr/lib/{os.path.basename(loader)}"
                    for loader in glob.glob(f"{libraries}/ld-linux-*.so.*")]


def foreign_userland(root, emulator):
    """Return the archive of programs of a root of another architecture, of which the emulator runs one here."""
    python = os.path.basename(glob.glob(f"{root}/usr/lib/python3.*")[0])

    def make(part):
        print(f"packing the programs of {os.path.basename(root)} ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(dir=cache.folder("qemu")) as scratch:
            library = os.path.join(scratch, "library")
            python_sources(f"{root}/usr/lib/{python}", library)
            pack(part, foreign_manifest(root, library, python, [emulator, f"{root}/usr/bin/busybox"]))
    return cache.made("userland", cache.digest(PACK, os.path.abspath(__file__), root), make)


def tree(folder, there):
    """Manifest lines for a folder's files, without what Python leaves behind."""
    return [f"file {path} {there}/{os.path.relpath(path, folder)}" for path in cache.tree_files(folder)]


def tool(name):
    """Compile one of the tests' own tools; static, because a guest that is emulated starts it often."""
    source = os.path.join(cache.ROOT, f"selftests/net/{name}.c")
    parts = glob.glob(os.path.join(cache.ROOT, f"selftests/net/{name}*.[ch]"))
    return cache.made(name, cache.digest(*sorted(parts)), lambda part: subprocess.run(
        ["cc", "-O2", "-Wall", "-Wextra", "-static", "-o", part, source], check=True))


def ours(path, root):
    """The manifest line of a tc plugin or program of ours, for a guest with the programs of a root."""
    name = os.path.basename(path)
    if name.endswith(".so"):
        return f"file {path} {tc_folder(root)}{name} 644"
    return f"file {path} /usr/sbin/{name} 755" if root else f"bin {path} /usr/sbin/{name}"


def tests(command, tools=(), more=(), root="", compiled=tool):
    """Return the archive with /init, the tests, our tc plugins and programs, more files and the command that /init runs.

    A guest of another architecture has the programs of a root, where the libraries of ours are, and the tests' own tools are compiled
    by a function of their names.
    """
    selftests = os.path.join(cache.ROOT, "selftests")
    lines = [*MERGED, f"file {HERE}/init.sh /init 755", f"file {selftests}/run_tests.py /sharpramp/selftests/run_tests.py 755"]
    for name in ("lib", "net", "tc-testing"):
        lines += tree(f"{selftests}/{name}", f"/sharpramp/selftests/{name}")
    for path in sorted(path for pattern in READ for path in glob.glob(f"{cache.ROOT}/{pattern}")):
        lines.append(f"file {path} /sharpramp/{os.path.relpath(path, cache.ROOT)}")
    lines += [f"file {compiled(name)} /sharpramp/build/selftests/{name} 755" for name in TOOLS]
    lines += [ours(path, root) for path in tools]
    lines += [f"file {path} {there}" for path, there in more]
    files = [token for line in lines for token in line.split() if os.path.isabs(token)]
    key = cache.digest(command, *lines, *files)

    def make(part):
        with tempfile.TemporaryDirectory(dir=cache.folder("qemu")) as scratch:
            script = os.path.join(scratch, "command")
            with open(script, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\ncd /sharpramp/selftests\n{command}\n")
            pack(part, [*lines, f"file {script} /sharpramp/command 755"])
    return cache.made("tests", key, make)


def module_archive(folder):
    """Return the archive of a folder that holds lib/modules."""
    return cache.made("lib-modules", cache.digest(*cache.tree_files(folder)),
                      lambda part: pack(part, ["link usr/lib /lib", f"tree {folder}/lib/modules /usr/lib/modules"]))


def initramfs(out, *archives):
    """Write archives one after the other."""
    with open(out, "wb") as file:
        for path in archives:
            with open(path, "rb") as archive:
                shutil.copyfileobj(archive, file)
