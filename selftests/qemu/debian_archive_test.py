#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Which kernels stock.py takes of what an archive has, and what debian.py does of an archive that cannot be reached, as TAP."""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../lib"))
# pylint: disable=wrong-import-position
import debian
import machine
import stock
from tap import Tap

# What archives have, in the order of their names.
HEADERS = {12: ("6.1.0-56", "6.1.0-9", "6.12.117+deb12"),
           13: ("6.12.118+deb13", "6.12.90+deb13", "7.10.1+deb13", "7.9.2+deb13", "7.9.12+deb13", "7.9.12+deb13.1")}
DEPENDS = ("linux-initramfs-tool | dracut, linux-base (>= 4.12~), linux-base-{0} (= 1), linux-binary-{0} (= 1), linux-modules-{0} (= 1), "
           "linux-modules-{0}-extra (= 1), linux-binary-{1} (= 1)")


def refused(error, call, *args):
    """Return the message of a call that must raise an error."""
    try:
        return f"no error, but {call(*args)}"
    except error as why:
        return str(why)


def kernels(tap):
    """The newest release of each series, by numbers."""
    debian.offered = lambda number, _: [f"linux-headers-{release}-cloud-amd64" for release in HEADERS[number]]
    want = {"6.12": "6.12.118+deb13", "7.9": "7.9.12+deb13.1", "7.10": "7.10.1+deb13"}
    tap.ok("each series has its newest release, by its numbers", stock.archived(13) == want, stock.archived(13))
    tap.ok("the newest kernel is that of the highest series", stock.home(stock.NEWEST) == (13, "7.10.1+deb13"), stock.home(stock.NEWEST))
    tap.ok("a series between is of the same Debian", stock.home("7.9") == (13, "7.9.12+deb13.1"), stock.home("7.9"))
    tap.ok("6.1 and 6.12 are Debian 12's", [stock.home(name) for name in stock.SERIES] == [(12, "6.1.0-56"), (12, "6.12.117+deb12")])
    for series in ("7.1", "5.15", "7", "", "nothing"):
        text = refused(stock.StockError, stock.home, series)
        tap.ok(f"series '{series}' is refused, and what there is is told", f"kernel {series}: it has 6.12, 7.9, 7.10" in text, text)
    text = refused(stock.StockError, stock.find, "6.12", "fast")
    tap.ok("so is a flavour", "'fast' is not one of cloud" in text, text)


def images(tap):
    """An image is in one package, or in several of the same release."""
    debian.newest = lambda *_: {"Depends": DEPENDS.format("7.10.1-cloud-amd64", "7.9.2-cloud-amd64")}
    found = stock.image_packages(13, "7.10.1-cloud-amd64", "1")
    want = [f"linux-{name}-7.10.1-cloud-amd64=1" for name in ("image", "base", "binary", "modules")]
    tap.ok("an image in parts has all of them, of that release alone", found == want, found)
    debian.newest = lambda *_: {"Depends": "kmod, linux-base (>= 4.3~)"}
    found = stock.image_packages(13, "6.12.1-amd64", "2")
    tap.ok("a whole one is one package", found == ["linux-image-6.12.1-amd64=2"], found)


def folders(tap, scratch):
    """A build folder is in another Debian, or in none."""
    own = os.path.join(scratch, "root/usr/src/linux-headers-1")
    os.makedirs(own)
    tap.ok("headers that were only unpacked are in no other Debian", stock.root_of(own) is None)
    os.mkdir(os.path.join(scratch, "root/etc"))
    with open(os.path.join(scratch, "root/etc/debian_version"), "w", encoding="ascii"):
        pass
    tap.ok("those of a root are", stock.root_of(own) == os.path.join(scratch, "root"), stock.root_of(own))
    tap.ok("installed ones are not", stock.root_of("/usr/src/linux-headers-1") is None)
    with open(os.path.join(scratch, "vmlinuz"), "w", encoding="ascii"):
        pass
    tap.ok("a kernel without modules does not boot", stock.bootable(scratch, "1") is None)
    for place in ("lib/modules/1/vmlinuz", "boot/vmlinuz-1"):
        os.makedirs(os.path.join(scratch, os.path.dirname(place)), exist_ok=True)
        os.makedirs(os.path.join(scratch, "lib/modules/1/kernel"), exist_ok=True)
        os.rename(os.path.join(scratch, "vmlinuz"), os.path.join(scratch, place))
        tap.ok(f"its image may be {place}", stock.bootable(scratch, "1") == os.path.join(scratch, place), stock.bootable(scratch, "1"))
        os.rename(os.path.join(scratch, place), os.path.join(scratch, "vmlinuz"))
    tap.ok("modules without an image do not boot", stock.bootable(scratch, "1") is None)


def archives(tap, scratch):
    """Of a mirror that is not there."""
    os.environ["XDG_CACHE_HOME"] = scratch
    tap.ok("the sources of a release have its suites", [line.split()[-2] for line in debian.sources(13).splitlines()] ==
           ["trixie", "trixie-updates", "trixie-security", "trixie-backports"], debian.sources(13))
    tap.ok("newer kernels are in the backports of the newest alone", "backports" not in debian.sources(12), debian.sources(12))
    debian.mirrors = lambda: {label: f"file:{scratch}/none" for label in debian.MIRRORS}
    text = refused(debian.DebianError, debian.apt, 13)
    tap.ok("an archive that never could be asked is an error", "the archive of Debian 13 cannot be asked" in text, text)
    asked = os.path.join(scratch, "sharpramp/apt/trixie/asked")
    tap.ok("and counts as not asked", not os.path.exists(asked))
    debian.write(asked, debian.sources(13))
    os.utime(asked, (0, 0))
    tap.ok("one that could be is asked again, and its lists serve while it cannot be reached",
           debian.apt(13) and os.path.getmtime(asked) > 0)
    tap.ok("this machine's own needs no options", debian.apt(None) == [])


def complaints(tap):
    """The lines of a console that fail a run."""
    ours = ("BUG: KCSAN: data-race in onramp_flow_sent [onramp] / onramp_flow_age_work [onramp]",
            "BUG: KCSAN: data-race in __dev_queue_xmit / ecnsharp_change [sch_ecnsharp]", "BUG: unable to handle page fault",
            "BUG: KCSAN: data-race in orq_enqueue+0x12/0x30 [sch_onramp]", "BUG kmalloc-64 (Not tainted): Redzone")
    others = ("BUG: KCSAN: data-race in __qdisc_run / dev_hard_start_xmit", "DEBUG: nothing", "kcsan: enabled early",
              "BUG: KCSAN: data-race in ecnsharp_dequeue [sch_ecnsharp] / tc_fill_qdisc")
    tap.ok("data races of the modules fail a run, those of the kernel alone do not",
           [bool(machine.COMPLAINT.search(line)) for line in (*ours, *others)] == [True] * len(ours) + [False] * len(others))


def main():
    tap = Tap()
    complaints(tap)
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as scratch:
        kernels(tap)
        images(tap)
        folders(tap, scratch)
        archives(tap, scratch)
    tap.end()


if __name__ == "__main__":
    main()
