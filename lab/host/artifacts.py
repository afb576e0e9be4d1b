# SPDX-License-Identifier: GPL-2.0
"""Everything a run is made of: built once, kept in the cache under the hash of what it was built from."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

from lab.host import module_list

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sharpramp")

# The programs of the distribution that run inside; their versions are part of the fingerprint.
GUEST_PROGRAMS = ("/usr/sbin/tc", "/usr/sbin/ip", "/usr/sbin/ethtool")

# Common keys of the clocks of the lab kernel, of labnic's NICs and of a topology script.
CLOCKS = "lab/kernel/files/include/net/osc.h"


class BuildFailed(Exception):
    """A part of the lab cannot be built; the text ends with the tool's own message."""


def _say(text):
    print(f"lab: {text}", file=sys.stderr, flush=True)


def _run(command, **kwargs):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **kwargs)
    if done.returncode:
        raise BuildFailed(f"{' '.join(command)}\n{done.stdout[-3000:]}")
    return done.stdout


def _files(*paths):
    """All sources below the paths, in a fixed order; what a build leaves there does not count."""
    for path in paths:
        path = os.path.join(ROOT, path)
        if os.path.isfile(path):
            yield path
        for folder, subs, names in os.walk(path):
            subs[:] = sorted(name for name in subs if name not in ("__pycache__", "build", "test"))
            for name in sorted(names):
                if name.endswith((".c", ".h", ".mk", ".cdf")) or name in ("Kbuild", "Makefile"):
                    yield os.path.join(folder, name)


def digest(*parts):
    """SHA-256 over texts and files."""
    total = hashlib.sha256()
    for part in parts:
        if os.path.isabs(part) and os.path.isfile(part):
            with open(part, "rb") as file:
                part = hashlib.file_digest(file, "sha256").hexdigest()
        total.update(part.encode() + b"\0")
    return total.hexdigest()


def _cached(kind, key, build):
    """A folder that build(folder) fills; complete if it exists."""
    final = os.path.join(CACHE, kind, key[:16])
    if not os.path.isdir(final):
        os.makedirs(os.path.dirname(final), exist_ok=True)
        fresh = tempfile.mkdtemp(prefix=f".{kind}-", dir=os.path.dirname(final))
        try:
            build(fresh)
            os.rename(fresh, final)
        except OSError:
            if not os.path.isdir(final):
                raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return final


def kernel(variant="plain"):
    """Folder of the lab kernel; minutes the first time, with progress of its own."""
    done = subprocess.run([os.path.join(ROOT, "lab/kernel/build"), variant], stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode:
        raise BuildFailed("lab/kernel/build failed; its messages are above")
    return done.stdout.split()[-1]


def kernel_fingerprint(folder):
    """Hash of the input of the build in the folder; the build wrote it when it was complete."""
    with open(os.path.join(folder, "fingerprint"), encoding="ascii") as file:
        return file.read().strip()


def strip_file(path):
    """Remove what depends on comments and on the folder of the build: debug sections, and their hash, the build ID."""
    _run(["strip", "--strip-debug", "--remove-section=.note.gnu.build-id", path])


def module_sources():
    """Sources of module_list.MODULES."""
    folders = {"kernel", *(module.path.split("/")[0] if module.tree == "." else module.tree for module in module_list.MODULES)}
    return list(_files("Kbuild", *sorted(folders), CLOCKS))


def build_modules(kernel_dir, sources, folder, source):
    """Build in the folder source, which may have what was built before: the same bytes in any, neither messages nor notes name it."""
    names = "".join(f"{os.path.relpath(path, ROOT)}\n" for path in sources)
    _run([os.path.join(ROOT, "scripts/copy-sources"), source], input=names)
    # The repository's own tree is the first, and the others may use what its modules export.
    for tree in sorted({os.path.normpath(os.path.join(source, module.tree)) for module in module_list.MODULES}):
        exports = [f"KBUILD_EXTRA_SYMBOLS={source}/Module.symvers"] if tree != source else []
        _run(["make", "-s", "-C", kernel_dir, "ARCH=um", f"M={tree}", f"KCFLAGS=-ffile-prefix-map={source}/=", *exports,
              "modules"])
    for module in module_list.MODULES:
        copy = os.path.join(folder, module.name)
        shutil.copyfile(os.path.join(source, module.tree, module.path), copy)
        strip_file(copy)


def name_kernel(source, kernel_dir):
    """Note of which kernel a folder to build modules in is; remove its siblings whose kernels are gone."""
    with open(os.path.join(source, ".made-for"), "w", encoding="utf-8") as file:
        file.write(kernel_dir)
    siblings = os.path.dirname(source)
    for name in os.listdir(siblings):
        note = os.path.join(siblings, name, ".made-for")
        if os.path.isfile(note):
            with open(note, encoding="utf-8") as file:
                kernel_is = file.read()
            if kernel_is and not os.path.exists(kernel_is):
                shutil.rmtree(os.path.join(siblings, name), ignore_errors=True)


def modules(kernel_dir):
    """Folder with module_list.MODULES for a lab kernel."""
    sources = module_sources()
    names = [os.path.relpath(path, ROOT) for path in sources]
    key = digest(kernel_fingerprint(kernel_dir), os.path.abspath(__file__), os.path.abspath(module_list.__file__), *names, *sources)

    def build(folder):
        _say("building the modules for the lab kernel")
        source = os.path.join(CACHE, "modules", f"lab-{digest(kernel_dir)[:16]}")
        os.makedirs(source, exist_ok=True)
        with open(f"{source}.lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            name_kernel(source, kernel_dir)
            build_modules(kernel_dir, sources, folder, source)

    return _cached("lab-modules", key, build)


def sources_key(programs):
    """Hash of all that programs are built from."""
    sources = list(_files(*sorted({"tc-plugins/onrampctl", *(program.folder for program in programs)}), "lab/labnic/labnic_uapi.h", CLOCKS,
                         "kernel", "lib"))
    compiler = _run(["gcc", "--version"]).splitlines()[0]
    return digest(compiler, *(program.name for program in programs), *(os.path.relpath(path, ROOT) for path in sources), *sources)


def tools(programs=module_list.PROGRAMS):
    """Folder with programs."""
    def build(folder):
        _say(f"building {', '.join(program.name for program in programs)}")
        for program in programs:
            scratch = os.path.join(folder, "scratch", program.folder)
            os.makedirs(scratch, exist_ok=True)
            _run(["make", "-s", "-C", os.path.join(ROOT, program.folder), f"O={scratch}", *program.variables, "all"])
            shutil.move(os.path.join(scratch, program.name), folder)
            strip_file(os.path.join(folder, program.name))
        shutil.rmtree(os.path.join(folder, "scratch"))

    return _cached("lab-tools", sources_key(programs), build)


def entries(programs, tools_dir):
    """Lines of a manifest for programs that are in a folder of tools()."""
    plugins = tc_plugin_dir()
    return [f"{program.kind} {tools_dir}/{program.name} {program.place.format(plugins=plugins)}" for program in programs]


def initramfs(tools_dir):
    """The guest's whole file system."""
    manifest = [f"bin {path}" for path in GUEST_PROGRAMS]
    manifest += [
        "bin /bin/busybox", "bin /bin/dash /bin/sh",
        *entries(module_list.PROGRAMS, tools_dir),
        *(f"file {ROOT}/{source} {place}" for source, place in module_list.SCRIPTS),
        "dir /proc", "dir /sys", "dir /dev", "dir /run", "dir /tmp", "dir /etc",
    ]
    scripts = [os.path.join(ROOT, source) for source, _ in module_list.SCRIPTS]
    key = digest(*GUEST_PROGRAMS, *scripts, "/bin/busybox", "/bin/dash", f"{ROOT}/lab/image/make-initramfs", tools_dir, *manifest)

    def build(folder):
        with open(f"{folder}/manifest", "w", encoding="utf-8") as file:
            file.write("\n".join(manifest) + "\n")
        _run([os.path.join(ROOT, "lab/image/make-initramfs"), f"{folder}/initramfs.cpio", f"{folder}/manifest"])

    return os.path.join(_cached("lab-image", key, build), "initramfs.cpio")


def overlay(base, programs):
    """The guest's file system with programs that it has not: the kernel unpacks one archive over the other."""
    tools_dir = tools(programs)
    manifest = entries(programs, tools_dir)
    key = digest(base, tools_dir, f"{ROOT}/lab/image/make-initramfs", *manifest)

    def build(folder):
        with open(f"{folder}/manifest", "w", encoding="utf-8") as file:
            file.write("\n".join(manifest) + "\n")
        _run([os.path.join(ROOT, "lab/image/make-initramfs"), f"{folder}/overlay.cpio", f"{folder}/manifest"])
        with open(f"{folder}/initramfs.cpio", "wb") as whole:
            for part in (base, f"{folder}/overlay.cpio"):
                with open(part, "rb") as file:
                    shutil.copyfileobj(file, whole)

    return os.path.join(_cached("lab-image", key, build), "initramfs.cpio")


def tc_plugin_dir():
    """Where this distribution's tc looks for plugins: it is compiled in."""
    with open("/usr/sbin/tc", "rb") as file:
        data = file.read()
    end = data.find(b"/tc/\0")
    start = data.rfind(b"\0", 0, end) + 1
    if end < 0:
        raise BuildFailed("/usr/sbin/tc has no plugin folder compiled in")
    return data[start:end + 4].decode()


class Lab:
    """All parts of one lab; a run loads some of them, and its fingerprint names those."""

    def __init__(self, variant="plain"):
        self.kernel_dir = kernel(variant)
        self.modules_dir = modules(self.kernel_dir)
        self.tools_dir = tools()
        self.initramfs = initramfs(self.tools_dir)
        self._digests = {}

    def image(self, added):
        """The guest's file system for a run that needs programs in addition to those of all, tuples of them."""
        whole = self.initramfs
        for programs in filter(None, added):
            whole = overlay(whole, programs)
        return whole

    def fingerprint(self, modules_, added, files):
        """A hash of what a run loads: kernel, modules, file system, files of its traffic."""
        paths = [self.image(added), *(os.path.join(self.modules_dir, name) for name in modules_), *files]
        for path in paths:
            if path not in self._digests:
                self._digests[path] = digest(path)
        return digest(kernel_fingerprint(self.kernel_dir), *(self._digests[path] for path in paths))

    def programs(self, programs):
        """A hash of each, by name."""
        folder = tools(programs) if programs else ""
        return {program.name: digest(os.path.join(folder, program.name)) for program in programs}
