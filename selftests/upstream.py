#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""scripts/upstream: its series apply to the newest sources of Debian, pass the kernel's checks, and build, each patch by itself; their
tests pass in a virtual machine. TAP.

IPROUTE2 is a folder with sources of iproute2, where the archive has none.
"""

import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path[:0] = [ROOT, os.path.join(HERE, "lib"), os.path.join(HERE, "qemu")]
# pylint: disable=wrong-import-position
import cache
import debian
import in_tree
import stock
import usage
from tap import Tap
from upstream import adapt, linux

UPSTREAM = os.path.join(ROOT, "scripts/upstream")
# Options that the qdisc needs, and those that enable its tracepoints.
CONFIG = ("MODULES", "NET", "INET", "NET_SCHED", "FTRACE", "ENABLE_DEFAULT_TRACERS")
# TRACE_EVENT() is a form of its own, in the kernel too.
TRACE_FORM = "PARENTHESIS_ALIGNMENT,OPEN_ENDED_LINE"
PROBE = "net/sched/sch_upstream_probe"


def call(*command, cwd=ROOT):
    """Run a command without the variables that make exports; return (status, output)."""
    env = {name: value for name, value in os.environ.items() if name not in in_tree.MAKE_SPEAKS}
    done = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return done.returncode, done.stdout


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def patches(folder):
    """The patches of a series, without its cover letter."""
    return sorted(path for path in glob.glob(os.path.join(folder, "*.patch")) if not os.path.basename(path).startswith("0000-"))


def refusals(tap, scratch):
    """Wrong usage and trees of another shape are refused, and nothing is written."""
    out = os.path.join(scratch, "none")
    for what, arguments, status, why in (
            ("without a tree", [out], 2, "name a tree"), ("without a folder", ["--linux", ROOT], 2, "OUT"),
            ("an unknown option", ["--bsd", ROOT, out], 2, "unrecognized"),
            ("what is no kernel tree", ["--linux", ROOT, out], 1, "has no MAINTAINERS"),
            ("what is no iproute2", ["--iproute2", ROOT, out], 1, "has no include/uapi/linux/pkt_sched.h")):
        got, output = call(UPSTREAM, *arguments)
        tap.ok(f"{what}: refused, nothing is written", got == status and why in output and not os.path.exists(out), (got, output))
    was = adapt.source
    for what, name in (("a name of kernel/compat", "compat_something_new(skb);"), ("a name of this project", "sharpramp_x();")):
        adapt.source = lambda path, add=name: was(path) + (add if path.startswith("sch_") else "")
        try:
            adapt.kernel("sch_ecnsharp/sch_ecnsharp.c")
            tap.ok(f"{what} without a counterpart stops it", False)
        except adapt.Unknown as why:
            tap.ok(f"{what} without a counterpart stops it", "has no counterpart" in str(why), why)
        adapt.source = was


def made(tap, trees, scratch):
    """The series of all trees, {name: folder}; the same each time."""
    outs = [os.path.join(scratch, name) for name in ("first", "second")]
    for out in outs:
        status, output = call(UPSTREAM, *(word for name, tree in trees.items() for word in (f"--{name}", tree)), out)
        tap.ok("the series are made", not status and not output, output)
    same = call("diff", "-r", *outs)
    tap.ok("the same each time", not same[0], same[1][:2000])
    return {name: os.path.join(outs[0], name) for name in trees}


def checkpatch(tree, *paths, ignore=""):
    """The complaints of the kernel's own checkpatch, without types to ignore."""
    return call("perl", os.path.join(tree, "scripts/checkpatch.pl"), "-q", "--terse", "--show-types", "--strict", f"--root={tree}",
                *(["--ignore", ignore] if ignore else []), *paths)[1]


def form(tap, tree, series, scratch):
    """The patches follow the kernel's rules for submissions."""
    for name, folder in series.items():
        for path in patches(folder):
            output = checkpatch(tree, path, ignore=TRACE_FORM if "tracepoints" in path else "")
            tap.ok(f"{name}: checkpatch --strict finds nothing in {os.path.basename(path)}", not output, output[:2000])
        whole = "".join(map(text_of, patches(folder)))
        left = re.findall(r"^\+.*(?:LINUX_VERSION_CODE|KERNEL_VERSION\(|\bcompat_|sharpramp\.h).*", whole, re.M)
        tap.ok(f"{name}: no version of a kernel is in it", whole and not left, left)
    bad = os.path.join(scratch, "bad.patch")
    with open(bad, "w", encoding="utf-8") as file:
        file.write(text_of(patches(series["linux"])[0]).replace("+#include <linux/types.h>", "+#include <linux/types.h> ", 1))
    tap.ok("a blank at the end of a line would be found", "TRAILING_WHITESPACE" in checkpatch(tree, bad), bad)
    letter = text_of(os.path.join(series["linux"], "0000-cover-letter.patch"))
    commands = re.findall(r"^\| .*`(lab/run [^`]*aqm=ecnsharp[^`]*)` \|$", text_of(os.path.join(ROOT, "README.md")), re.M)
    tap.ok("the cover letter has README.md's commands, and nothing to fill in",
           commands and all(command in letter for command in commands) and "***" not in letter, letter)


def copied(tree, scratch, name):
    """A copy of a tree, to be patched."""
    copy = os.path.join(scratch, name)
    subprocess.run(["cp", "-a", "--reflink=auto", tree, copy], check=True)
    return copy


def applied(tap, copy, path):
    """Whether a patch applies without an offset or a rest."""
    status, output = call("patch", "-p1", "--fuzz=0", "-i", path, cwd=copy)
    return tap.ok(f"{os.path.basename(path)} applies", not status and "Hunk" not in output, output)


def builder(copy, out):
    """A function that builds objects of a small User-Mode Linux with W=1; returns (status, output)."""
    os.makedirs(out)
    config = os.path.join(out, "all.config")
    with open(config, "w", encoding="ascii") as file:
        file.write("".join(f"CONFIG_{name}=y\n" for name in CONFIG) + "CONFIG_NET_SCH_ECNSHARP=m\n")

    def build(*targets):
        return call("nice", "make", "-s", "ARCH=um", f"O={out}", f"KCONFIG_ALLCONFIG={config}", "W=1", *targets, cwd=copy)
    return build


def kernel(tap, tree, folder, scratch):
    """Each patch applies to what those before it left, and what it adds compiles with W=1. Returns the patched tree, or None."""
    copy = copied(tree, scratch, "copy")
    build = builder(copy, os.path.join(scratch, "out"))
    status, output = build("allnoconfig", "prepare")
    tap.ok("the kernel is configured", not status, output[-2000:])
    headers = []
    for path in patches(folder):
        if not applied(tap, copy, path):
            return None
        headers += re.findall(r"^\+\+\+ b/net/sched/(?!ecnsharp_trace)(\w+\.h)$", text_of(path), re.M)
        with open(os.path.join(copy, f"{PROBE}.c"), "w", encoding="ascii") as file:
            file.write("// SPDX-License-Identifier: GPL-2.0\n#include <linux/pkt_sched.h>\n" + "".join(f'#include "{name}"\n' for name in headers))
        # The questions of Kconfig may be new.
        status, output = build("allnoconfig", f"{PROBE}.o")
        tap.ok(f"{os.path.basename(path)}: its headers compile with W=1", not status and not output, output[-2000:])
        if "+obj-$(CONFIG_NET_SCH_ECNSHARP)" in text_of(path):
            status, output = build("net/sched/sch_ecnsharp.o")
            tap.ok("and the queue discipline", not status and not output, output[-2000:])
            break
    module(tap, copy, build)
    for path in patches(folder)[patches(folder).index(path) + 1:]:
        applied(tap, copy, path)
    data(tap, tree, copy)
    return copy


def module(tap, copy, build):
    """It is configured, and a warning would be seen."""
    path = os.path.join(copy, "net/sched/sch_ecnsharp.c")
    text = text_of(path)
    with open(path, "a", encoding="ascii") as file:
        file.write("static int ecnsharp_unused(int a) { int set_only = a; return 0; }\n")
    status, output = build("net/sched/sch_ecnsharp.o")
    tap.ok("a warning of W=1 would be seen", status or "set_only" in output, (status, output))
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def data(tap, tree, copy):
    """Tests of tdc with identifiers of their own, and a description that the kernel's schema accepts."""
    with open(os.path.join(copy, linux.TESTS), encoding="utf-8") as file:
        tests = json.load(file)
    mine = [test["id"] for test in tests]
    tap.ok("tests of tdc have new identifiers", len(mine) > 50 and len(set(mine)) == len(mine) and not set(mine) & linux.names(tree), mine)
    code = ("import sys; sys.path.insert(0, 'tools/net/ynl/pyynl'); from lib import SpecFamily; "
            "family = SpecFamily(sys.argv[1]); print(*family.attr_sets['ecnsharp-attrs'], sep=' ')")
    path = os.path.join(copy, linux.SPEC)
    status, output = call("/usr/bin/python3", "-B", "-c", code, path, cwd=copy)
    wanted = [name.lower().replace("_", "-") for name in
              re.findall(r"^\tTCA_ECNSHARP_(?!UNSPEC)(\w+),$", text_of(os.path.join(copy, linux.UAPI)), re.M)]
    tap.ok("the kernel's schema accepts the description, which has all options", not status and output.split() == wanted and len(wanted) > 20, output[-2000:])
    with open(path, "a", encoding="utf-8") as file:
        file.write("bogus: 1\n")
    tap.ok("it would refuse another", call("/usr/bin/python3", "-B", "-c", code, path, cwd=copy)[0])
    status, output = call(os.path.join(HERE, "clients/run_clients.py"), "--ynl", os.path.join(copy, "tools/net/ynl/pyynl/lib"), "ynl")
    tap.ok("its ynl sets and reads our qdiscs", not status and "\nok " in output, output[-2000:])


def user_space(tap, tree, folder, scratch):
    """Each patch applies and builds; tc then knows the qdisc by itself. Returns that tc, or None."""
    copy = copied(tree, scratch, "iproute2-copy")
    call("./configure", cwd=copy)
    for path in patches(folder):
        if not applied(tap, copy, path):
            return None
        status, output = call("nice", "make", "-s", "SUBDIRS=lib tc", cwd=copy)
        warnings = [line for line in output.splitlines() if "warning" in line and re.search("param|ecnsharp", line)]
        tap.ok(f"{os.path.basename(path)} builds", not status and not warnings, output[-2000:])
    status, output = call(os.path.join(copy, "tc/tc"), "qdisc", "add", "dev", "lo", "root", "ecnsharp", "help")
    tap.ok("tc knows ecnsharp without a plugin", "Usage: ... ecnsharp" in output, output)
    status, output = call(os.path.join(copy, "tc/tc"), "qdisc", "add", "dev", "lo", "root", "ecnsharp", "limit", "0")
    tap.ok("and refuses what is out of range", status and "out of range: not between 1p and 1000000p" in output, output)
    page = os.path.join(copy, "man/man8/tc-ecnsharp.8")
    status, output = call("groff", "-t", "-man", "-ww", "-z", "-Kutf8", page)
    tap.ok("groff finds nothing in the man page", not status and not output, output)
    return os.path.join(copy, "tc/tc")


def module_for(copy, kdir, folder):
    """Build the queue discipline of a patched tree for the headers of the same version; returns (status, output, its file)."""
    os.makedirs(os.path.join(folder, "uapi/linux"))
    for path in (*glob.glob(f"{copy}/net/sched/*.h"), f"{copy}/net/sched/sch_ecnsharp.c"):
        shutil.copy(path, folder)
    shutil.copy(os.path.join(copy, linux.UAPI), os.path.join(folder, "uapi/linux"))
    with open(os.path.join(folder, "Kbuild"), "w", encoding="ascii") as file:
        file.write("# The patched header comes before that of the installed ones.\nLINUXINCLUDE := -I$(src)/uapi $(LINUXINCLUDE)\n"
                   "obj-m := sch_ecnsharp.o\nCFLAGS_sch_ecnsharp.o := -I$(src)\n")
    status, output = call("scripts/make-for", kdir, "-s", f"M={folder}", "W=1", "modules")
    return status, output, os.path.join(folder, "sch_ecnsharp.ko")


def wrong_test(tests):
    """A test that must fail: the first, with a pattern of which nothing is shown."""
    return [tests[0] | {"id": "ffff", "matchPattern": "nothing of the kind"}]


def machine(tap, copy, tc, scratch):
    """The series' tests of tdc in a stock kernel of the tree's version, with the queue discipline and the tc of the series, or else the
    stock tc and its plugin."""
    kdir = stock.headers(stock.NEWEST)
    status, output, built = module_for(copy, kdir, os.path.join(scratch, "module"))
    if not tap.ok("the queue discipline builds for the stock kernel with W=1", not status and not output, output[-2000:]):
        return
    tests = json.loads(text_of(os.path.join(copy, linux.TESTS)))
    wrong = os.path.join(scratch, "wrong.json")
    with open(wrong, "w", encoding="ascii") as file:
        json.dump(wrong_test(tests), file)
    # nsPlugin.py says what is wrong with the kernel's own.
    folder = os.path.join(copy, os.path.dirname(linux.CONFIG))
    files = [*((path, os.path.basename(path)) for path in (*glob.glob(f"{folder}/*.py"), os.path.join(copy, linux.TESTS), wrong)),
             (os.path.join(HERE, "tc-testing/nsPlugin.py"), "plugin-lib/nsPlugin.py")]
    command = ("rm $(find /usr/lib -name q_ecnsharp.so); " if tc else "") + (
        "sha256sum /usr/sbin/tc $(modinfo -n sch_ecnsharp); cd /tdc && unshare --net python3 tdc.py -f ecnsharp.json wrong.json")
    status, output = call("selftests/qemu/boot_vm.py", "--kernel", stock.NEWEST, "--module", built, *(["--program", tc] if tc else []),
                          *(word for path, there in files for word in ("--file", path, f"/tdc/{there}")), "--", command)
    for path in filter(None, (tc, built)):
        with open(path, "rb") as file:
            tap.ok(f"the machine has {os.path.basename(path)} of the series", hashlib.file_digest(file, "sha256").hexdigest() in output, output[-2000:])
    results = re.findall(r"^(ok|not ok) \d+ (\w+) - ", output, re.M)
    failed = [name for verdict, name in results if verdict == "not ok"]
    tap.ok("tdc: a test that must fail does, and the status says so", status == 1 and "ffff" in failed, output[-2000:])
    tap.ok(f"tdc: the {len(tests)} tests of the series pass", failed == ["ffff"] and [name for _, name in results] == [*(test["id"] for test in tests), "ffff"],
           output[-6000:])
    tap.ok("and the kernel has no complaint", "boot: " not in output, output[-2000:])


def sources(tap):
    """{name: folder} of the sources that can be had."""
    given = os.environ.get("IPROUTE2")
    found = {}
    for name, get in (("linux", lambda: in_tree.source(stock.newest_source())),
                      ("iproute2", lambda: given or debian.source(stock.BACKPORTS, "iproute2"))):
        try:
            found[name] = get()
        except (stock.StockError, debian.DebianError) as why:
            tap.skip(f"{name}: the series", str(why).splitlines()[-1])
    return found


def main():
    usage.check(__doc__, not sys.argv[1:])
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="upstream-", dir=cache.folder("qemu")) as scratch:
        refusals(tap, scratch)
        trees = sources(tap)
        if "linux" in trees:
            series = made(tap, trees, scratch)
            form(tap, trees["linux"], series, scratch)
            copy = kernel(tap, trees["linux"], series["linux"], scratch)
            tc = user_space(tap, trees["iproute2"], series["iproute2"], scratch) if "iproute2" in trees else None
            if copy:
                machine(tap, copy, tc, scratch)
    tap.end()


if __name__ == "__main__":
    main()
