# SPDX-License-Identifier: GPL-2.0
"""A built module, and whether a kernel would load it."""

import dataclasses
import os
import re
import subprocess

import stock

# Each with those that are loaded before it; bridge is a module of the kernel.
MODULES = {
    "kernel/hook/onramp_hook": (),
    "kernel/core/onramp": ("onramp_hook",),
    "onramp_acker/onramp_acker": ("onramp",),
    "sch_onramp/sch_onramp": ("onramp",),
    "sch_ecnsharp/sch_ecnsharp": (),
    "sch_cp/sch_cp": ("bridge",),
}
# Module aliases that the kernel requests for "tc qdisc add ... KIND", before 6.9 and since.
ASKS = ("sch_{}", "net-sch-{}")
PREEMPT = re.compile(r'^#\w+ .*CONFIG_(PREEMPT_\w+).*\n#define MODULE_VERMAGIC_PREEMPT "(\w+) "', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Kernel:
    """Requirements of a kernel for a module: the interface for qdiscs, its vermagic, its symbols with their checksums."""

    asks: str
    vermagic: str
    symbols: dict


@dataclasses.dataclass(frozen=True)
class Module:
    """Facts that a module has about itself: name, aliases, vermagic, names of others, symbols it wants with their checksums."""

    name: str
    aliases: frozenset
    vermagic: str
    depends: tuple
    symbols: dict


def read(*path):
    with open(os.path.join(*path), encoding="ascii") as file:
        return file.read()


def exported(path):
    """Return {symbol: checksum} of a Module.symvers; 0 where the kernel has none, as Debian's since 7.2."""
    return {line.split("\t")[1]: int(line.split("\t")[0], 16) for line in read(path).splitlines()}


def common(kdir):
    """Return the folder with what a build folder shares with other flavours; its Makefile names it as it is seen in its own Debian."""
    folder = re.search(r"^include (\S+)/Makefile$", read(kdir, "Makefile"), re.MULTILINE).group(1)
    return f"{stock.root_of(kdir) or ''}{folder}" if os.path.isabs(folder) else os.path.join(kdir, folder)


def kernel(series, kdir):
    """Return the Kernel of a build folder."""
    config = set(re.findall(r"^CONFIG_(\w+)=y$", read(kdir, ".config"), re.MULTILINE))
    # As the package is called: 6.1's include/config/kernel.release has the number of the source.
    parts = [os.path.basename(kdir).removeprefix("linux-headers-")]
    parts += ["SMP"] if "SMP" in config else []
    # Real time is PREEMPT_BUILD, too, since 6.12; the header has the order.
    parts += [name for option, name in PREEMPT.findall(read(common(kdir), "include/linux/vermagic.h")) if option in config][:1]
    parts += [name for option, name in (("MODULE_UNLOAD", "mod_unload"), ("MODVERSIONS", "modversions")) if option in config]
    since = [int(number) for number in series.split(".")] >= [6, 9]
    return Kernel(ASKS[since], " ".join(parts), exported(os.path.join(kdir, "Module.symvers")))


def module(path):
    """Return the Module that is in a file."""
    def output_of(*command):
        return subprocess.run([*command, path], capture_output=True, text=True, check=True).stdout.strip()

    def fields(name):
        return output_of("/usr/sbin/modinfo", "-F", name).split("\n")
    # Without a table of versions modprobe fails.
    table = subprocess.run(["/usr/sbin/modprobe", "--dump-modversions", path], capture_output=True, text=True, check=False).stdout
    versions = dict(reversed(line.split()) for line in table.splitlines())
    wanted = [line.split()[-1] for line in output_of("nm", "--undefined-only").splitlines()]
    return Module(fields("name")[0], frozenset(fields("alias")), fields("vermagic")[0].strip(),
                  tuple(filter(None, fields("depends")[0].split(","))),
                  {name: int(versions.get(name, "0"), 16) for name in wanted})


def complaints(what, before, wants, exports):
    """Return why a Kernel would not load a Module, or not find it; exports are the symbols of the modules before it."""
    bad = []
    if what.vermagic != wants.vermagic:
        bad.append(f"vermagic is '{what.vermagic}', the kernel's '{wants.vermagic}'")
    if what.depends != before:
        bad.append(f"depends on {what.depends}, expected {before}")
    kind = what.name.removeprefix("sch_")
    if kind != what.name and wants.asks.format(kind) not in {what.name, *what.aliases}:
        bad.append(f"the kernel asks for {wants.asks.format(kind)}, which is not {what.name} or an alias of it")
    for name, checksum in sorted(what.symbols.items()):
        there = wants.symbols.get(name, exports.get(name))
        if there is None:
            bad.append(f"symbol {name} is missing")
        elif there != checksum:
            bad.append(f"symbol {name} is another")
    return bad
