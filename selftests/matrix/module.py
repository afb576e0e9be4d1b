# SPDX-License-Identifier: GPL-2.0
"""A built module, and whether a kernel would load it."""

import dataclasses
import os
import re
import subprocess

# Each with those that are loaded before it.
MODULES = {
    "kernel/hook/onramp_hook": (),
    "kernel/core/onramp": ("onramp_hook",),
    "onramp_acker/onramp_acker": ("onramp",),
    "sch_onramp/sch_onramp": ("onramp",),
    "sch_ecnsharp/sch_ecnsharp": (),
}
# What tc's "add ... KIND" has the kernel ask modprobe for.
ASKS = {"6.1": "sch_{}", "6.12": "net-sch-{}"}


@dataclasses.dataclass(frozen=True)
class Kernel:
    """What a kernel wants of a module: the word for qdiscs, its vermagic, its symbols with their checksums."""

    asks: str
    vermagic: str
    symbols: dict


@dataclasses.dataclass(frozen=True)
class Module:
    """What a module says of itself: name, aliases, vermagic, names of others, symbols it wants with their checksums."""

    name: str
    aliases: frozenset
    vermagic: str
    depends: tuple
    symbols: dict


def read(*path):
    with open(os.path.join(*path), encoding="ascii") as file:
        return file.read()


def exported(path):
    """Return {symbol: checksum} of a Module.symvers."""
    return {line.split("\t")[1]: int(line.split("\t")[0], 16) for line in read(path).splitlines()}


def kernel(series, kdir):
    """Return the Kernel of a build folder."""
    config = set(re.findall(r"^CONFIG_(\w+)=y$", read(kdir, ".config"), re.MULTILINE))
    # As the package is called: 6.1's include/config/kernel.release has the number of the source.
    words = [os.path.basename(kdir).removeprefix("linux-headers-")]
    words += ["SMP"] if "SMP" in config else []
    # 6.12's real time is PREEMPT_BUILD, too, and that word comes first.
    words += ["preempt"] if "PREEMPT_BUILD" in config else ["preempt_rt"] if "PREEMPT_RT" in config else []
    words += [word for option, word in (("MODULE_UNLOAD", "mod_unload"), ("MODVERSIONS", "modversions")) if option in config]
    return Kernel(ASKS[series], " ".join(words), exported(os.path.join(kdir, "Module.symvers")))


def module(path):
    """Return the Module that is in a file."""
    def said(*words):
        return subprocess.run([*words, path], capture_output=True, text=True, check=True).stdout.strip()

    def fields(name):
        return said("/usr/sbin/modinfo", "-F", name).split("\n")
    versions = dict(reversed(line.split()) for line in said("/usr/sbin/modprobe", "--dump-modversions").splitlines())
    wanted = [line.split()[-1] for line in said("nm", "--undefined-only").splitlines()]
    return Module(fields("name")[0], frozenset(fields("alias")), fields("vermagic")[0].strip(),
                  tuple(filter(None, fields("depends")[0].split(","))),
                  {name: int(versions[name], 16) if name in versions else None for name in wanted})


def complaints(what, before, wants, ours):
    """Return why a Kernel would not load a Module, or not find it; ours are the symbols of the modules before it."""
    bad = []
    if what.vermagic != wants.vermagic:
        bad.append(f"vermagic is '{what.vermagic}', the kernel's '{wants.vermagic}'")
    if what.depends != before:
        bad.append(f"depends on {what.depends}, expected {before}")
    kind = what.name.removeprefix("sch_")
    if kind != what.name and wants.asks.format(kind) not in {what.name, *what.aliases}:
        bad.append(f"the kernel asks for {wants.asks.format(kind)}, which is not {what.name} or an alias of it")
    for name, checksum in sorted(what.symbols.items()):
        there = wants.symbols.get(name, ours.get(name))
        if there is None:
            bad.append(f"symbol {name} is missing")
        elif there != checksum:
            bad.append(f"symbol {name} is another")
    return bad
