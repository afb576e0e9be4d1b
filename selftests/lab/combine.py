#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Results of rct with other keys: combine, sweep and gso have the effect that their names state.

Each test compares two runs that differ in one setting, so it fails if that setting has no effect. With ECN# at the switch and
On-Ramp at the hosts, requests end sooner than with either alone, and nothing is lost. T, g and the size of a host's GSO packets
determine the wait in the switch. The cost of OR-ACKs is tested in tenants.
"""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host.artifacts import Lab
from lab.trials import Trial
from tap import Tap

AMPLE = "limit 100000 flow_limit 10000"
FQ = f"host=fq {AMPLE}"
ECNSHARP = "aqm=ecnsharp ins_target 78us pst_interval 80us pst_target 40us"


def onramp(threshold="50us", more=""):
    return f"host=onramp {AMPLE} mode hold threshold {threshold} clock system error 1us{more}"


def combine(tap, lab):
    """DCTCP, half again as many flows as usual, and requests that ask each host twice."""
    arguments = ("cc=dctcp", "hosts=16", "fanin=30", "load=0.6", "request_load=0.1", "duration=20ms", "settle=5ms", "rto_min=5ms")
    reported = {name: Trial("rct", (*arguments, *own), 1).run(lab) for name, own in (
        ("ECN#", (FQ, ECNSHARP)), ("On-Ramp", (onramp(),)), ("both", (onramp(), ECNSHARP)))}
    both = reported.pop("both")
    tap.ok("combine: all flows end", both["unfinished"] == 0 and both["requests"]["n"] > 400, both["requests"])
    for name, alone in reported.items():
        tap.ok(f"combine: the slowest hundredth of requests ends sooner than with {name} alone", alone["requests"]["n"] == both["requests"]["n"]
               and both["requests"]["p99_us"] < 0.95 * alone["requests"]["p99_us"], (both["requests"], alone["requests"]))
    tap.ok("combine: nothing is lost", both["drops"] == 0, (both["drops"], {name: one["drops"] for name, one in reported.items()}))
    tap.ok("combine: the switch marks what was held, too, but less than what was not", 0 < both["ce_marks"] < 0.9 * reported["ECN#"]["ce_marks"],
           (both["ce_marks"], reported["ECN#"]["ce_marks"]))
    holds = [one["holds"] for one in (both, reported["On-Ramp"])]
    tap.ok("combine: senders hold, but not for as long as where no mark slows them", holds[0]["packets"] > 0
           and holds[0]["packet_mean_us"] < 0.7 * holds[1]["packet_mean_us"], holds)


def sweep_and_gso(tap, lab):
    """CUBIC, at a switch that drops at its tail."""
    arguments = ("cc=cubic", "hosts=9", "fanin=8", "load=0.5", "request_load=0.05", "duration=14ms", "settle=4ms", "rto_min=5ms")
    waits = {name: Trial("rct", (*arguments, *own), 1).run(lab)["queue"]["mean_sojourn_us"] for name, own in (
        ("plain", (onramp(),)), ("T", (onramp("300us"),)), ("1/4", (onramp(more=" g 1/4"),)), ("1/64", (onramp(more=" g 1/64"),)),
        ("16 KB", (onramp(), "gso_size=16384b")))}
    tap.ok("sweep: packets wait longer in the switch with T = 300 us than with 50", waits["T"] > 1.5 * waits["plain"], waits)
    tap.ok("sweep: and the longer the slower beta follows, g = 1/64 and 1/4", waits["1/64"] > 1.3 * waits["1/4"], waits)
    tap.ok("gso: they wait less if a host sends at most 16 KB at once", waits["16 KB"] < 0.85 * waits["plain"], waits)


def main():
    tap = Tap()
    lab = Lab()
    combine(tap, lab)
    sweep_and_gso(tap, lab)
    tap.end()


if __name__ == "__main__":
    main()
