#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Which kernels stock.py takes of what an archive has, and which lines of a console fail a run, as TAP."""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../lib"))
# pylint: disable=wrong-import-position
import debian
import machine
import stock
from tap import Tap

# Content of archives, in the order of their names.
HEADERS = {12: ("6.1.0-56", "6.1.0-9", "6.12.117+deb12"),
           13: ("6.12.118+deb13", "6.12.90+deb13", "7.10.1+deb13", "7.9.2+deb13", "7.9.12+deb13", "7.9.12+deb13.1")}


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
        tap.ok(f"series '{series}' is refused, and the available ones are listed", f"kernel {series}: it has 6.12, 7.9, 7.10" in text, text)
    text = refused(stock.StockError, stock.find, "6.12", "fast")
    tap.ok("so is a flavour", "'fast' is not one of cloud" in text, text)


def complaints(tap):
    """The lines of a console that fail a run."""
    own = ("BUG: KCSAN: data-race in onramp_flow_sent [onramp] / onramp_flow_age_work [onramp]",
            "BUG: KCSAN: data-race in __dev_queue_xmit / ecnsharp_change [sch_ecnsharp]", "BUG: unable to handle page fault",
            "BUG: KCSAN: data-race in orq_enqueue+0x12/0x30 [sch_onramp]",
            "BUG: KCSAN: data-race in cp_dequeue [sch_cp] / cp_enqueue [sch_cp]", "BUG kmalloc-64 (Not tainted): Redzone")
    others = ("BUG: KCSAN: data-race in __qdisc_run / dev_hard_start_xmit", "DEBUG: nothing", "kcsan: enabled early",
              "BUG: KCSAN: data-race in ecnsharp_dequeue [sch_ecnsharp] / tc_fill_qdisc")
    tap.ok("data races of the modules fail a run, those of the kernel alone do not",
           [bool(machine.COMPLAINT.search(line)) for line in (*own, *others)] == [True] * len(own) + [False] * len(others))


def main():
    tap = Tap()
    complaints(tap)
    kernels(tap)
    tap.end()


if __name__ == "__main__":
    main()
