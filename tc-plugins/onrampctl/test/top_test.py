#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onrampctl top: its output for two snapshots of the paths."""

import errno
import json
import os
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from ctl import DUMP, MULTI, REQUEST, Ctl, ack, done
from tap import Tap

KEYS = ["saddr", "daddr", "dscp", "scope", "owd_ns", "owd_age_ns", "base_ns", "threshold_ns", "error_ns", "held_ns_per_s", "holds_per_s",
        "samples_per_s", "hold_total_ns", "beta", "state"]


def path(host, held=0, holds=0, samples=1, **more):
    """A path to 10.0.1.HOST."""
    return {"saddr": bytes((10, 0, 0, 1)), "daddr": bytes((10, 0, 1, host)), "dscp": 0, "owd": 25000, "owd-age": 1000, "base": 9000,
            "threshold": 30000, "error": 2000, "beta": 32768, "state": 0, "hold-total": held, "holds": holds, "samples": samples} | more


def look(ctl, *paths):
    return [*(ctl.reply("path-get", {"path": p}, MULTI) for p in paths), done()]


def rates(tap, ctl):
    first = look(ctl, path(3, 10**9, 5, 50), path(2, 5 * 10**9, 7, 70), path(1))
    second = look(ctl, path(1), path(2, 5 * 10**9, 7, 71), path(3, 12 * 10**8, 9, 150), path(4, 10**8, 1, 2))
    code = ctl.run("-j top -n 1 -i 2s", first, second)
    rows = [json.loads(line) for line in ctl.out.splitlines()]
    tap.ok("a list a line, and it ends", code == 0 and len(rows) == 1 and not ctl.err, ctl.outcome())
    tap.ok("all keys", [list(row) for row in rows[0]] == [KEYS] * 4, ctl.outcome())
    tap.ok("held longest in the interval first, then ever", [row["daddr"] for row in rows[0]] ==
           ["10.0.1.3", "10.0.1.4", "10.0.1.2", "10.0.1.1"], ctl.outcome())
    tap.ok("rates are a second's", [rows[0][0][key] for key in KEYS[9:13]] == [10**8, 2, 50, 1200000000], ctl.outcome())
    tap.ok("a path that is new counts from 0", [rows[0][1][key] for key in KEYS[9:12]] == [5 * 10**7, 1, 1], ctl.outcome())
    tap.ok("it asks for dumps of paths", [(r.cmd, r.flags) for r in ctl.requests[1:]] == [("path-get", REQUEST | DUMP)] * 2, ctl.outcome())
    ctl.run("-j top -n 1", look(ctl, path(1, 10**9, 9, 90)), look(ctl, path(1, 10**8, 1, 5)))
    row = json.loads(ctl.out)[0]
    tap.ok("a path that began anew counts from 0", [row[key] for key in KEYS[9:12]] == [10**8, 1, 5], ctl.outcome())
    ctl.run("-j top -n 1", look(ctl, path(1)), look(ctl, path(1, 5 * 10**9)))
    tap.ok("no path is held for longer than the interval", json.loads(ctl.out)[0]["held_ns_per_s"] == 10**9, ctl.outcome())
    other = look(ctl, path(1, 0, 0, 9, dscp=8), path(1, 0, 0, 5), path(1, 0, 0, 8, scope=2**32 - 1), path(1, 0, 0, 6, scope=1),
                 path(1, 0, 0, 7, saddr=bytes(16), daddr=bytes(16)))
    ctl.run("-j top -n 1", other, other)
    rows = json.loads(ctl.out)
    tap.ok("paths differ by DSCP, scope and family", [row["samples_per_s"] for row in rows] == [0] * 5 and
           sorted(str(row["scope"]) for row in rows) == ["None", "None", "None", "if4294967295", "lo"], ctl.outcome())
    ctl.run("-j top -n 1", look(ctl), look(ctl, {"saddr": bytes(4), "daddr": bytes(4), "dscp": 0}, {"saddr": b"abc"}))
    tap.ok("what is not known is null", json.loads(ctl.out)[0]["owd_ns"] is None, ctl.outcome())


def shown(tap, ctl):
    looks = [look(ctl, path(1), path(2)) for _ in range(4)]
    code = ctl.run("top -n 3 -i 10ms", *looks)
    blocks = ctl.out.split("\n\n")
    tap.ok("a block an interval, with headings", code == 0 and len(blocks) == 3 and all(block.split()[0] == "source" for block in blocks) and
           "\033" not in ctl.out, ctl.outcome())
    tap.ok("for people", ctl.out.splitlines()[1].split() == ["10.0.0.1", "10.0.1.1", "0", "25us", "1us", "9us", "30us", "2us", "0ns", "0", "0",
                                                             "0ns", "0.5", "valid"], ctl.outcome())
    many = look(ctl, *(path(i % 250, samples=i, dscp=i // 250) for i in range(1, 500)))
    ctl.run("top -n 1", many, many)
    tap.ok("20 lines below the headings where there is no terminal", len(ctl.out.splitlines()) == 21, ctl.outcome())
    ctl.run("-j top -n 1", many, many)
    tap.ok("and as many in JSON", len(json.loads(ctl.out)) == 20, ctl.outcome())
    for rows, lines in ((12, 11), (3, 2), (1, 2)):
        os.environ["HOST_ROWS"] = str(rows)
        ctl.run("top -n 1", many, many)
        tap.ok(f"a terminal of {rows} lines is drawn anew, and has {lines}", ctl.out.startswith("\033[H\033[J") and
               len(ctl.out.splitlines()) == lines, ctl.outcome())
    ctl.run("-j top -n 1", many, many)
    tap.ok("JSON is not drawn", ctl.out.startswith("["), ctl.outcome())
    del os.environ["HOST_ROWS"]
    code = ctl.run("top -n 1", look(ctl), look(ctl))
    tap.ok("without paths there is nothing", code == 0 and not ctl.out and not ctl.err, ctl.outcome())


def ended(tap, ctl):
    code = ctl.run("top", look(ctl, path(1)), look(ctl, path(1)))
    tap.ok("it goes on until the kernel is gone", code == 1 and ctl.out.count("10.0.1.1") == 1 and "cannot receive" in ctl.err, ctl.outcome())
    code = ctl.run("top", [done(errno.EPERM)])
    tap.ok("what is refused at first", code == 1 and "top: Operation not permitted" in ctl.err and not ctl.out, ctl.outcome())
    code = ctl.run("top", family_is=[ack(errno.ENOENT)])
    tap.ok("no module", code == 1 and "modprobe -a sch_onramp onramp_acker'" in ctl.err, ctl.outcome())


def main():
    tap, ctl = Tap(), Ctl()
    for part in (rates, shown, ended):
        part(tap, ctl)
    tap.end()


if __name__ == "__main__":
    main()
