#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""pyroute2 sets and reads our qdiscs by contrib/pyroute2, and tc says the same. TAP."""

import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position,import-error
import testbed
from tap import Tap
import pyroute2_sharpramp
from pyroute2 import IPRoute, NetlinkError

# Options of each kind, the numbers of those that have names, and one as tc prints it.
KINDS = {
    "ecnsharp": ({"pst_target_ns": 85_000, "ins_target_ns": 200_000, "nonect": "drop"}, {"nonect": 1}, ("pst_target_ns", 85_000)),
    "onramp": ({"max_hold_ns": 500_000, "mode": "observe"}, {"mode": 1}, ("max_hold_ns", 500_000)),
    "cp": ({"qeq": 30_000, "w": -3, "law": "qcn"}, {"law": 2}, ("qeq", 30_000)),
}


def root(ip, index):
    """The device's root qdisc."""
    return next(each for each in ip.get_qdiscs(index) if each["parent"] == 0xffffffff)


def refused(request):
    """The complaint about a request."""
    try:
        request()
    except (NetlinkError, ValueError) as why:
        return str(why)
    return ""


def kind_test(tap, ip, kind, options, named, printed):
    """One kind of qdisc."""
    index = testbed.device()
    ip.tc("add", kind, index, "1:", **options)
    testbed.send()
    got, tc = root(ip, index), testbed.shown()
    numbers = {name: got.get_attr("TCA_OPTIONS").get_attr(f"TCA_{kind}_{name}".upper()) for name in options}
    tap.ok(f"{kind}: what was set is read", got.get_attr("TCA_KIND") == kind and numbers == options | named, numbers)
    tap.ok(f"{kind}: tc has it, too", printed in tc["options"].items(), tc["options"])
    stats = got.get_attr("TCA_STATS2").get_attr("TCA_STATS_APP")
    same = {name for name, value in tc.items() if name in stats.keys() and stats[name] == value}
    tap.ok(f"{kind}: statistics are those of tc", len(same) > 10, (stats, tc))
    before = got.get_attr("TCA_OPTIONS")
    for what, wrong, why in (("a number out of range", {"limit": 0}, "Numerical result out of range"),
                             ("an option that it has not", {"limits": 1}, "has no option limits"),
                             ("a name where a number is due", {"limit": "many"}, "a number, not many")):
        said = refused(lambda wrong=wrong: ip.tc("change", kind, index, "1:", **wrong))
        tap.ok(f"{kind}: {what}: refused, nothing changes", why in said and root(ip, index).get_attr("TCA_OPTIONS") == before, said)


def main():
    tap = Tap()
    with IPRoute() as ip:
        index = testbed.device()
        tap.ok("without the plugin options are refused", refused(lambda: ip.tc("add", "cp", index, "1:", qeq=30_000, law="qcn")))
        pyroute2_sharpramp.register(testbed.DESCRIPTION)
        for kind, row in KINDS.items():
            kind_test(tap, ip, kind, *row)
    try:
        pyroute2_sharpramp.register("/nowhere.yaml")
        tap.ok("a description that is not there is named", False)
    except OSError as why:
        tap.ok("a description that is not there is named", why.filename == "/nowhere.yaml", why)
    tap.end()


if __name__ == "__main__":
    main()
