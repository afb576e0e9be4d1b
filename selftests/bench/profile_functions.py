# SPDX-License-Identifier: GPL-2.0
"""Which functions of the kernel a receiver's instructions are in: what each takes of a MiB of TCP, with the acker and without."""

import bisect
from collections import Counter

import flows
from failed import BenchFailed

CASE = "profile"
NAMES = ("segments",)
VARIANTS = ("fq", "fq, acker")
LEAST = 4               # thousand instructions of a MiB, of a function that is named
PLACE = 16              # bytes that profile.c counts as one


def measurements(names):
    """TCP in segments without the acker and with it, if they are selected."""
    return [item for item in flows.in_instructions(["tcp"]) if CASE in names and item.name in NAMES and item.variant in VARIANTS]


def _functions(lines):
    """(addresses, names) of the kernel's functions, in order."""
    found = {}
    for line in lines:
        _, address, kind, name, *module = line.split()
        if kind in "tTwW" and int(address, 16):
            found.setdefault(int(address, 16), " ".join([name, *module]))
    return sorted(found), found


def _by_function(lines):
    """Counter of instructions by function, of one boot's output."""
    addresses, names = _functions([line for line in lines if line.startswith("symbol ")])
    counted = Counter()
    for line in lines:
        if line.startswith("place ") and addresses:
            _, place, count = line.split()
            at = bisect.bisect_right(addresses, int(place, 16) + PLACE - 1) - 1
            counted[names[addresses[max(at, 0)]]] += int(count)
    return counted


def _boots(plan, output):
    """The lines of each measurement's boot: they end with the places."""
    boots, last = [[]], ""
    for line in output.splitlines():
        if last == "place" and line and not line.startswith("place "):
            boots.append([])
        if line:
            boots[-1].append(line)
            last = line.partition(" ")[0]
    if len(boots) != len(plan):
        raise BenchFailed(f"profile: {len(boots)} boots, not {len(plan)}: QEMU without plugins?")
    return boots


def _short(found):
    """Numbers of VARIANTS, of functions that take more in the second."""
    without, with_acker = (found[variant] for variant in VARIANTS)
    shown = [name for name in with_acker if with_acker[name] - without.get(name, 0) >= LEAST]
    return {variant: {name: counted.get(name, 0) for name in shown} for variant, counted in found.items()}


def read(plan, output):
    """{name: {variant: {function: thousand instructions of a MiB}}}, the guest's boot included."""
    found = {}
    for item, lines in zip(plan, _boots(plan, output)):
        if not any(line.startswith(f"took {item.key} ") for line in lines):
            raise BenchFailed(f"profile: {item.variant} is missing")
        counted = _by_function(lines)
        if not counted:
            raise BenchFailed(f"profile: no function of {item.variant}: QEMU without plugins?")
        mib = flows.tcp_bytes(item) / flows.MIB
        found.setdefault(item.name, {})[item.variant] = {name: count / mib / 1000 for name, count in counted.items()}
    return {name: _short(variants) for name, variants in found.items()}


def rows(found):
    """Functions, the dearest first."""
    without, with_acker = (found[variant] for variant in VARIANTS)
    yield ("function", *VARIANTS, "more")
    for name in sorted(without, key=lambda name: (without[name] - with_acker[name], name)):
        yield (f"`{name}`", f"{without[name]:.1f}", f"{with_acker[name]:.1f}", f"{with_acker[name] - without[name]:.1f}")
