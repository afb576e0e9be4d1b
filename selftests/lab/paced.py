#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""DCQCN in the lab: marks slow its senders down, to equal shares; without marks they fill the buffer.

Judged in virtual time: what the hosts' fq and the switch make of the reaction point, whose arithmetic the unit
tests check. Two long flows from senders of 80 and 240 us that both start at line rate.
"""

import concurrent.futures
import os
import struct
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host.artifacts import Lab
from lab.trials import Trial
from tap import Tap

TWO = ("senders=2", "rtt=80us,240us", "long=2", "load=0.001", "duration=100ms")
RUNS = {
    "ramp": ("aqm=ramp", *TWO),
    "ramp+pst": ("aqm=ramp+pst", *TWO),
    "unmarked": ("aqm=pfifo", "buffer=10000", *TWO),
    "lossy": ("aqm=netem limit 10000 loss 0.1%", "load=0.3", "duration=20ms"),
}
RATE_MBPS = 10000
UNFAIR = 0.1
GAP_NS = 1538 * 8       # of full packets on the wire at 1 Gbit/s
PACED_NS = 500


def gaps(lab):
    """Times from packet to packet at the bottleneck, of a flow of 1 Gbit/s that is alone."""
    stamps = []

    def keep(folder):
        with open(os.path.join(folder, "result/pcap.pcap"), "rb") as file:
            data = file.read()
        at = 24
        while at < len(data):
            seconds, ns, caught, size = struct.unpack_from("<4I", data, at)
            if size > 1000:
                stamps.append(seconds * 10**9 + ns)
            at += 16 + caught

    trial = Trial("probabilistic", ("senders=1", "rtt=100us", "long=1", "load=0.001", "duration=20ms", "jitter=0ns", "burst=1"), 1)
    lines = trial.setting.traffic
    trial.setting.traffic = lambda: (line.replace("line=10000000000 ", "line=1gbit ") for line in lines())
    trial.run(lab, pcap="to-r1", keep=keep)
    return [later - stamp for stamp, later in zip(stamps, stamps[1:])]


def main():
    tap = Tap()
    lab = Lab()
    between = gaps(lab)
    tap.ok("packets of 1 Gbit/s leave when it is time", len(between) > 1500 and all(
        abs(gap - GAP_NS) < PACED_NS for gap in between), between and (len(between), min(between), max(between)))
    tap.ok("and neither drift nor lose time", abs(sum(between) / len(between) - GAP_NS) < 1, sum(between) / len(between))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = {name: pool.submit(lambda arguments: Trial("probabilistic", arguments, 1).run(lab), arguments)
                for name, arguments in RUNS.items()}
        found = {name: run.result() for name, run in runs.items()}
    for name in ("ramp", "ramp+pst"):
        run = found[name]
        first, second = run["long_rates_mbps"]
        tap.ok(f"{name}: marks are answered by notifications", 0 < run["cnps"] <= run["ce_marks"], run)
        tap.ok(f"{name}: nothing is lost", not run["drops"] and not run["retransmits"], run)
        tap.ok(f"{name}: two flows have equal shares within 10 %", abs(first / second - 1) < UNFAIR, (first, second))
        # The way back from the first cuts, in small steps, is most of the time.
        tap.ok(f"{name}: together two thirds of the link", first + second > RATE_MBPS * 2 / 3, (first, second))
        print(f"# {name}: {first:.0f} and {second:.0f} Mbit/s, queue {run['queue']['mean_pkts']} packets")
    run = found["unmarked"]
    tap.ok("without marks there are no notifications", not run["cnps"] and not run["ce_marks"], run)
    tap.ok("without marks the buffer overflows", run["drops"] > 0, run)
    means = {name: run["queue"]["mean_pkts"] for name, run in found.items()}
    tap.ok("the queue is shorter with persistent marking, longest without marks",
           means["ramp+pst"] < means["ramp"] < means["unmarked"], means)
    run = found["lossy"]
    tap.ok("what is lost is sent again, every flow ends", run["drops"] > 0 and run["retransmits"] > 0
           and not run["unfinished"], run)
    tap.end()


if __name__ == "__main__":
    main()
