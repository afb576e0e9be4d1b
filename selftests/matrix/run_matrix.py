#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The kernels of Debian that the modules are built for, as TAP.

    run_matrix.py             6.1, 6.12 and all newer ones whose headers Debian's backports have, each in the flavours cloud, amd64
                              and rt: the modules build with W=1 and without a warning, the kernel would load them, and what
                              kernel/compat found of it is right
    run_matrix.py KERNEL      one of them, such as 6.12-rt-amd64
    run_matrix.py --probes    what kernel/compat finds, of 6.1, 6.12 and the newest of Debian's backports, each in the flavour cloud
"""

import dataclasses
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), os.path.join(ROOT, "selftests/qemu")]
# pylint: disable=wrong-import-position
import module
import probe
import stock
import usage
import truth
from tap import Tap
from things import THINGS

# Messages of a build for a kernel package without BTF, or without pahole; they do not concern these modules.
NOT_OURS = re.compile(r"pahole|BTF|vmlinux")


def kernels():
    """Return {name: (series, flavour as packaged)} of all that can be had here."""
    newer = [series for series in stock.archived(stock.BACKPORTS) if series not in stock.SERIES]
    return {f"{series}-{packaged}": (series, packaged) for series in (*stock.SERIES, *newer) if stock.reachable(series)
            for packaged in stock.PACKAGED}


def names(symbols):
    return " ".join(sorted(symbols)) or "nothing"


def spelled(probe_text):
    """Return the symbols whose probe does not know the line of a header, or takes another identifier for it."""
    bad = set()
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        for thing in THINGS:
            for name, there in ((thing.name, True), (f"{thing.name}_on_stack", False), (f"old_{thing.name}", False)):
                for root in truth.headers(folder, thing, name):
                    if probe.answers(root, probe.only(thing.symbol, probe_text)) != ({thing.symbol} if there else set()):
                        bad.add(thing.symbol)
    return bad


def table(tap):
    """The probes by themselves: each looks for the exact text of the header that has it."""
    defined, requested = probe.symbols()
    mine = {thing.symbol for thing in THINGS}
    tap.ok("each probe is used, and each used name is a probe", defined == requested, names(defined ^ requested))
    tap.ok("each is listed in things.py", defined == mine, names(defined ^ mine))
    bad = spelled(probe.text())
    tap.ok("each knows the line of a header that has the thing, and no other identifier", not bad, names(bad))
    tap.ok("a probe for parts of identifiers is seen", spelled(probe.without_boundaries()), "none was found wrong")
    bad = mine - spelled(re.sub(r"call has,[^,]*,", "call has,no_such_thing,", probe.text()))
    tap.ok("so is one that finds nothing", not bad, names(bad))


def probes(tap, what, kdir):
    """Return what probe.mk answered of a kernel's headers; it is what the compiler says."""
    found = truth.found(kdir)
    tap.ok(f"{what}: only what is missing does not compile", not found.unclear, f"{names(found.unclear)}\n{found.printed[-6000:]}")
    tap.ok(f"{what}: the probes find what the compiler takes ({len(found.there)} of {len(THINGS)})", found.answers == found.there,
           f"wrong about {names(found.answers ^ found.there)}")
    tap.ok(f"{what}: they answer the same outside kbuild", probe.answers(found.srctree, probe.text()) == found.answers)
    unseen = [thing.symbol for thing in THINGS
              if probe.answers(found.srctree, probe.mutant(thing.symbol, thing.symbol not in found.there)) ^ found.there
              != {thing.symbol}]
    tap.ok(f"{what}: a wrong answer of each of them is seen, and whose it is", not unseen, names(unseen))
    return found.answers


def built(kdir, out):
    """Build the modules; return the unexpected output."""
    run = subprocess.run([os.path.join(ROOT, "scripts/build-modules"), kdir, out, "W=1"], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    lines = [line for line in run.stdout.splitlines() if not NOT_OURS.search(line)]
    return lines + [f"build-modules ended with status {run.returncode}"] * bool(run.returncode)


def flags(out):
    """Return {file: the symbols that it was compiled with}, of all modules but the hook, which asks for nothing."""
    given = {}
    for above, _, files in os.walk(out):
        for name in files:
            # Kbuild adds files of its own to modules.
            if name.endswith(".o.cmd") and not name.endswith((".mod.o.cmd", "module-common.o.cmd")) and not above.endswith("kernel/hook"):
                with open(os.path.join(above, name), encoding="utf-8", errors="replace") as file:
                    first = file.readline()
                if " -c -o " in first:
                    given[os.path.join(above, name)] = probe.decoded(first)
    return given


def modules(tap, what, series, kdir, out):
    """Return {path: Module} of what was built, and the symbols that the modules give each other; the kernel would load them."""
    printed = built(kdir, out)
    tap.ok(f"{what}: the modules build with W=1 without output", not printed, "\n".join(printed[-40:]))
    missing = [path for path in module.MODULES if not os.path.exists(os.path.join(out, f"{path}.ko"))]
    if not tap.ok(f"{what}: all {len(module.MODULES)} are there", not missing, missing):
        return {}, {}
    wants, exports = module.kernel(series, kdir), module.exported(os.path.join(out, "Module.symvers"))
    there = {path: module.module(os.path.join(out, f"{path}.ko")) for path in module.MODULES}
    for path, before in module.MODULES.items():
        bad = module.complaints(there[path], before, wants, exports)
        tap.ok(f"{what}: {os.path.basename(path)} has its vermagic, alias, depends and {len(there[path].symbols)} symbols",
               not bad, "\n".join(bad))
    return there, exports


def one(tap, series, packaged):
    """All of one kernel; return its modules and their symbols."""
    what, kdir = f"{series} {packaged}", stock.packaged_headers(series, packaged)
    answers = probes(tap, what, kdir)
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as out:
        there = modules(tap, what, series, kdir, out)
        given = flags(out)
    other = [path for path, decoded in given.items() if decoded != answers]
    tap.ok(f"{what}: that is what {len(given)} files were compiled with", given and not other, "\n".join(other))
    return there


def others(tap, all_built):
    """A kernel does not take what was built for another, nor what lacks something, and says why."""
    taken, unreported = [], []
    for (series, packaged), (there, exports) in all_built.items():
        for path, what in there.items():
            before = module.MODULES[path]
            for other in {*all_built, *((series, stock.PACKAGED[0]) for series in stock.SERIES)}:
                wants = module.kernel(other[0], stock.packaged_headers(*other))
                bad = module.complaints(what, before, wants, exports)
                if other != (series, packaged) and not any(why.startswith("vermagic") for why in bad):
                    taken.append(f"{what.name} of {series} {packaged} for {' '.join(other)}")
            for wrong, wants, exports_without, why in lacking(what, module.kernel(series, stock.packaged_headers(series, packaged)), exports):
                if module.complaints(wrong, before, wants, exports_without) != [why]:
                    unreported.append(f"{what.name} of {series} {packaged}: {why}")
    tap.ok("no kernel takes a module of another", not taken, "\n".join(taken))
    tap.ok("a symbol that is missing or another, and an alias that is missing, are reported", not unreported, "\n".join(unreported))


def lacking(what, wants, exports):
    """Yield a module and a kernel, one of them changed for the worse, the symbols of the others, and the expected message."""
    # Few of the kernel's thousands.
    wants = dataclasses.replace(wants, symbols={name: wants.symbols[name] for name in what.symbols if name in wants.symbols})
    for name, checksum in what.symbols.items():
        without = {key: value for key, value in wants.symbols.items() if key != name}
        exports_without = {key: value for key, value in exports.items() if key != name}
        yield what, dataclasses.replace(wants, symbols=without), exports_without, f"symbol {name} is missing"
        yield (dataclasses.replace(what, symbols={**what.symbols, name: checksum ^ 1}), wants, exports,
               f"symbol {name} is another")
    requested = wants.asks.format(what.name.removeprefix("sch_"))
    if requested in what.aliases:
        yield (dataclasses.replace(what, aliases=frozenset()), wants, exports,
               f"the kernel asks for {requested}, which is not {what.name} or an alias of it")


def main():
    usage.check(__doc__, not sys.argv[2:] and (sys.argv[1:] == ["--probes"] or not "".join(sys.argv[1:]).startswith("-")))
    there = kernels()
    chosen = there if not sys.argv[1:] else {name: there[name] for name in sys.argv[1:2] if name in there}
    usage.check(__doc__, chosen or sys.argv[1:] == ["--probes"])
    tap = Tap()
    table(tap)
    if not chosen:
        for series in filter(stock.reachable, (*stock.SERIES, stock.NEWEST)):
            kdir = stock.headers(series)
            probes(tap, os.path.basename(kdir).removeprefix("linux-headers-"), kdir)
    else:
        others(tap, {kernel: one(tap, *kernel) for kernel in chosen.values()})
    tap.end()


if __name__ == "__main__":
    main()
