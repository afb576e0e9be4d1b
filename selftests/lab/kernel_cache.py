#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""lab/kernel/build and its cache: what is found, what is built, what is removed and what is left.

Nothing is compiled: tar, patch and make are stand-ins, and the cache is a folder of this test's own.
"""

import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "selftests/lib"))
from tap import Tap  # pylint: disable=wrong-import-position

DAY = 86400

# make: O= names the build folder; of options set twice the later holds, as with olddefconfig.
STAND_INS = {
    "tar": 'while [ "$1" != -C ]; do shift; done; echo unpacked >"$2/Makefile"',
    "patch": 'cat >/dev/null; while [ "$1" != -d ]; do shift; done; echo yes >"$2/patched"',
    "make": """
for word; do
	case $word in
	O=*) dir=${word#O=} ;;
	olddefconfig)
		awk '/CONFIG_/ { name = $1; sub(/=.*/, "", name); if ($1 == "#") name = $2; kept[name] = $0 }
			END { for (name in kept) print kept[name] }' "$dir/.config" >"$dir/.config.new"
		mv "$dir/.config.new" "$dir/.config" ;;
	linux)
		[ -z "${BREAK-}" ] || exit 1
		sleep "${SLOW:-0}"
		echo kernel >"$dir/linux" ;;
	bzImage)
		mkdir -p "$dir/arch/x86/boot"
		echo kernel >"$dir/arch/x86/boot/bzImage" ;;
	esac
done
""",
}


class Cache:
    """A cache folder, with the stand-ins in front of the path."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "cache/sharpramp/lab-kernel")
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"),
                                PATH=os.path.join(folder, "bin") + ":" + os.environ["PATH"])
        os.mkdir(os.path.join(folder, "bin"))
        for name, body in STAND_INS.items():
            path = os.path.join(folder, "bin", name)
            with open(path, "w", encoding="ascii") as file:
                file.write("#!/bin/sh\n" + body)
            os.chmod(path, 0o755)

    def start(self, *words, **more):
        """Begin a build, with more in its environment; its process."""
        return subprocess.Popen([os.path.join(ROOT, "lab/kernel/build"), *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=dict(self.environment, **more))

    def build(self, *words, **more):
        """(folder, whether it was compiled); the folder is None if the build failed."""
        process = self.start(*words, **more)
        out, err = process.communicate(timeout=60)
        return None if process.returncode else out.splitlines()[-1], "compiling" in err

    def make_up(self, name, days, fingerprint=True):
        """What other sources left, last used so many days ago."""
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        if fingerprint:
            with open(os.path.join(folder, "fingerprint"), "w", encoding="ascii") as file:
                file.write("made up\n")
        age(folder, days)
        return folder

    def left(self):
        """Names of the folders in the cache."""
        return sorted(name for name in os.listdir(self.folder) if os.path.isdir(os.path.join(self.folder, name)))


def age(folder, days):
    """Make a build look as if it was last used so many days ago."""
    then = time.time() - days * DAY
    for path in (os.path.join(folder, "fingerprint"), folder):
        if os.path.exists(path):
            os.utime(path, (then, then))


def is_whole(folder):
    """Is a kernel there, and the build folder it belongs to?"""
    return os.path.exists(os.path.join(folder, "linux")) and os.path.exists(os.path.join(folder, "../Makefile"))


def find_again(tap, cache):
    """What was built is not built again; its folder."""
    plain, compiled = cache.build("plain")
    tap.ok("the first call builds", compiled and is_whole(plain))
    tap.ok("the second finds what the first built", cache.build("plain") == (plain, False))
    return plain


def unpatched(tap, cache, plain):
    """The kernels for two CPUs are in the same folder as the others."""
    smp, compiled = cache.build("smp")
    tap.ok("the kernel for two CPUs is built", compiled and os.path.exists(os.path.join(smp, "arch/x86/boot/bzImage")))
    sources = [os.path.dirname(folder) for folder in (plain, smp)]
    tap.ok("of sources of its own, without our patches", [os.path.exists(os.path.join(source, "patched")) for source in sources] ==
           [True, False], sources)
    tap.ok("and found again", cache.build("smp") == (smp, False))
    kcsan, compiled = cache.build("kcsan")
    tap.ok("the kernel with KCSAN is built of the same sources", compiled and os.path.dirname(kcsan) == sources[1] and kcsan != smp)
    with open(os.path.join(kcsan, "inputs"), encoding="ascii") as file:
        tap.ok("and the files that are instrumented are among its inputs", "KCSAN_SANITIZE=n" in file.read())
    newest = []
    for text in ("one", "another"):
        with tempfile.NamedTemporaryFile("w", suffix=".tar.xz", encoding="ascii") as tarball:
            tarball.write(text)
            tarball.flush()
            newest += [cache.build("smp-newest", tarball.name), cache.build("smp-newest", tarball.name)]
    tap.ok("a newer kernel is built of sources that are named, once of each",
           newest[1] == (newest[0][0], False) and newest[0][0] and newest[2][1] and newest[2][0] != newest[0][0], newest)
    tap.ok("and without sources there is none", cache.build("smp-newest") == (None, False))


def remove(tap, cache, plain):
    """A build of the debug kernel finds old and new builds of others."""
    old = cache.make_up("src-111111111111/plain-aaaaaaaaaaaa", 31.5)
    young = cache.make_up("src-111111111111/plain-bbbbbbbbbbbb", 29.5)
    failed = cache.make_up("src-222222222222/plain-cccccccccccc", 31.5, fingerprint=False)
    failing = cache.make_up("src-333333333333/plain-dddddddddddd", 0, fingerprint=False)
    alone = cache.make_up("src-444444444444/plain-eeeeeeeeeeee", 40)
    unpacked = cache.make_up("src-555555555555.new/kernel", 0)
    interrupted = cache.make_up("old-src-666666666666/kernel", 0)
    age(plain, 40)
    tap.ok("a call that finds its kernel removes nothing",
           cache.build("plain") == (plain, False) and os.path.exists(old) and os.path.exists(alone))
    debug, compiled = cache.build("debug")
    tap.ok("a build removes what is old, and nothing else of its sources",
           compiled and is_whole(debug) and not os.path.exists(old) and os.path.exists(young), cache.left())
    tap.ok("what was asked for since is left", is_whole(plain))
    tap.ok("what failed long ago goes, what failed today stays",
           not os.path.exists(failed) and os.path.exists(failing), cache.left())
    tap.ok("sources go with their last build", not os.path.exists(os.path.dirname(alone)), cache.left())
    tap.ok("leftovers of unpacking and of removing go",
           not os.path.exists(unpacked) and not os.path.exists(interrupted), cache.left())
    return debug


def fail(tap, cache, plain, debug):
    """A build that fails leaves the good ones alone."""
    for folder in (plain, debug):
        age(folder, 40)
    os.unlink(os.path.join(debug, "fingerprint"))
    folder, _ = cache.build("debug", BREAK="1")
    tap.ok("a build that fails removes nothing", folder is None and is_whole(plain), cache.left())
    folder, compiled = cache.build("debug")
    tap.ok("the next one that does not, does", folder == debug and compiled and not os.path.exists(plain), cache.left())


def race(tap, cache):
    """A caller that got a folder has it, although at that moment a build removes old ones."""
    lost = late = 0
    for _ in range(8):
        plain, _ = cache.build("plain")
        debug, _ = cache.build("debug")
        age(plain, 40)
        os.unlink(os.path.join(debug, "fingerprint"))
        builder = cache.start("debug")
        while builder.poll() is None:
            told, compiled = cache.build("plain")
            late += compiled
            lost += not is_whole(told)
            age(told, 40)
        builder.communicate()
        late += not os.path.exists(plain)
    tap.ok("nobody is told of a folder that is then removed", not lost, lost)
    tap.ok("the builds removed some of them", late, "the two never met")


def wait(tap, cache):
    """Builders of the same kernel wait for the one that builds."""
    debug, _ = cache.build("debug")
    os.unlink(os.path.join(debug, "fingerprint"))
    builders = [cache.start("debug", SLOW="1") for _ in range(3)]
    said = [builder.communicate(timeout=60) for builder in builders]
    tap.ok("of several that want the same one builds",
           sum("compiling" in err for _, err in said) == 1 and {out.splitlines()[-1] for out, _ in said} == {debug}, said)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(folder)
        plain = find_again(tap, cache)
        unpatched(tap, cache, plain)
        debug = remove(tap, cache, plain)
        fail(tap, cache, plain, debug)
        race(tap, cache)
        wait(tap, cache)
    tap.end()


if __name__ == "__main__":
    main()
