#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The Go example sets and reads ecnsharp, and tc says the same. TAP."""

import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import testbed
from tap import Tap

PROGRAM = "/usr/bin/go-ecnsharp"


def main():
    tap = Tap()
    testbed.device()
    status, output = testbed.run(PROGRAM, testbed.DEVICE, "85000")
    tap.ok("a target is set and read", not status and output.startswith("pst_target 85000 ns, "), output)
    tc = testbed.shown()
    tap.ok("tc has it, too", tc["kind"] == "ecnsharp" and tc["options"].get("pst_target_ns") == 85000, tc)
    testbed.send()
    packets = testbed.shown()["tx_packets"]
    status, output = testbed.run(PROGRAM, testbed.DEVICE, "86000")
    tap.ok("the statistics are tc's", not status and packets >= testbed.PACKETS and
           output == f"pst_target 86000 ns, {packets} packets left, marks: 0 instantaneous, 0 persistent, 0 both\n", (packets, output))
    for what, arguments, wanted, why in (("a target out of range", (testbed.DEVICE, "0"), 1, "pst_target 0: "), ("a target that is no number", (testbed.DEVICE, "fast"), 1, "fast"),
                                         ("a device that is not there", ("nowhere0", "1000"), 1, "nowhere0"), ("no target", (testbed.DEVICE,), 2, "usage")):
        status, output = testbed.run(PROGRAM, *arguments)
        tap.ok(f"{what}: refused, nothing changes", status == wanted and why in output and testbed.shown()["options"].get("pst_target_ns") == 86000, (status, output))
    tap.end()


if __name__ == "__main__":
    main()
