#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The scenarios scheduler, pias and sensitivity at reduced length: each has the effect that it was written to show.

A class's share may deviate from its weight by 2 %; the control, in which a class runs empty (long=spread), exceeds that
limit. A band's bytes may deviate by 0.1 % from those that the flows' sizes put there: demotion is exact, but a flow's
SYN-ACK and FIN are in its first and last band, and their headers differ from those of data.
"""

import concurrent.futures
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

SHARE_OFF = 0.02
BAND_OFF = 0.001
# Ethernet, IPv4, TCP with timestamps: the headers of a data packet.
HEADERS = 66
# Full frames' payload on 10 Gbit/s, with preamble, FCS and gap; what is not used of it while class 1's only long flow
# answers the short flows' marks, or while a class runs dry.
PAYLOAD_GBPS = 10 * 1448 / 1538
UNUSED = 0.05

SCHEDULER = ("scheduler", "duration=120ms", "turn=40ms", "settle=15ms", "short=40")
PIAS = ("pias", "duration=150ms")
LOW = ("pias", "duration=300ms", "load=0.9", "demote=10k,20k,30k")
SENSITIVITY = ("sensitivity", "duration=60ms")
RUNS = {
    **{f"{kind} {name}": (*SCHEDULER, f"scheduler={kind}", f"aqm={name}") for kind in ("drr", "ets") for name in ("ecnsharp", "tcn")},
    "spread": (*SCHEDULER, "long=spread"),
    "pias on": PIAS,
    "pias off": (*PIAS, "pias=off"),
    "pias two bands": (*PIAS, "demote=30k"),
    "low ecnsharp": LOW,
    "low tcn": (*LOW, "aqm=tcn"),
    "same": SENSITIVITY,
    "fct": ("fct", "duration=60ms", "conn=new", "senders=16", "rtt=80us-240us", "aqm=ecnsharp preset simulation"),
    "times": (*SENSITIVITY, "pst_target=10us", "pst_interval=240us"),
    "half": (*SENSITIVITY, "pst_interval=0.5x"),
}


def scheduler(tap, found):
    """Shares, losses and short flows of three classes under drr and ets."""
    for kind in ("drr", "ets"):
        for name in ("ecnsharp", "tcn"):
            what, document = f"{kind} of {name}", found[f"{kind} {name}"]
            one, two, three = document["phases"]
            tap.ok(f"{what}: the link is used in every phase", all(
                sum(phase["class_gbps"]) > (1 - UNUSED) * PAYLOAD_GBPS for phase in (one, two, three)), document["phases"])
            tap.ok(f"{what}: alone, class 1 has it", one["goodput_gbps"][0] > 20 * sum(one["class_gbps"][1:])
                   and one["goodput_gbps"][1:] == [0, 0], one)
            tap.ok(f"{what}: two classes share 2:1", two["off"] <= SHARE_OFF and two["goodput_gbps"][2] == 0, two)
            tap.ok(f"{what}: three classes share 2:1:1 within 2 %", three["off"] <= SHARE_OFF, three)
            tap.ok(f"{what}: nothing is lost, every short flow ends", document["drops"] == 0
                   and [short["n"] for short in document["short_by_class"]] == [40, 40, 40], document)
            tap.ok(f"{what}: every class's packets went through its own queue", all(
                each["bytes"] > 10**6 and each["drops"] == 0 for each in document["classes"]), document["classes"])
        short = [found[f"{kind} {name}"]["flows"]["all"]["mean_us"] for name in ("ecnsharp", "tcn")]
        tap.ok(f"{kind}: short flows are faster with ecnsharp than with tcn", short[0] < short[1], short)
    tap.ok("a class that runs dry at times has less than its share", found["spread"]["phases"][2]["off"] > SHARE_OFF,
           found["spread"]["phases"])


def bands(tap, what, document, count):
    """There are so many bands, and each sent what demotion should have put there."""
    found = document["bands"]
    tap.ok(f"{what}: so many bands", len(found) == count, found)
    for number, band in enumerate(found, 1):
        payload = band["bytes"] - HEADERS * band["packets"]
        tap.ok(f"{what}: band {number} sent what the flows' sizes put there", band["flows_bytes"] > 0
               and abs(payload - band["flows_bytes"]) <= BAND_OFF * band["flows_bytes"], band)


def pias(tap, found):
    """Bands in order of their waits, and what short flows gain."""
    bands(tap, "pias", found["pias on"], 4)
    bands(tap, "pias with two bands", found["pias two bands"], 2)
    waits = [band["mean_wait_us"] for band in found["pias on"]["bands"]]
    tap.ok("pias: a band waits longer than those before it", waits == sorted(waits) and waits[0] < waits[-1] / 10, waits)
    tap.ok("pias off: no bands", "bands" not in found["pias off"])
    tail = [found[f"pias {what}"]["flows"]["short"]["p99_us"] for what in ("on", "off")]
    tap.ok("pias: short flows' tail gains", tail[0] < 0.9 * tail[1], tail)
    short = [found[f"low {name}"]["flows"]["short"]["mean_us"] for name in ("ecnsharp", "tcn")]
    tap.ok("pias: short flows that are demoted are faster with ecnsharp than with tcn", short[0] < short[1], short)


def sensitivity(tap, found):
    """The paper's parameters, however they are written, change nothing; others do."""
    def figures(name):
        return {key: value for key, value in found[name].items() if key not in ("scenario", "params")}

    tap.ok("sensitivity at the paper's parameters is fct", figures("same") == figures("fct"), (figures("same"), figures("fct")))
    tap.ok("times say the same as multiples", figures("times") == figures("same"))
    tap.ok("half the interval does something else", figures("half")["flows"] != figures("same")["flows"])


def main():
    tap, lab = Tap(), Lab()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = {name: pool.submit(Trial(arguments[0], arguments[1:], 1).run, lab) for name, arguments in RUNS.items()}
        found = {name: run.result() for name, run in runs.items()}
    tap.ok("every flow ended in every run", not any(document["unfinished"] for document in found.values()))
    scheduler(tap, found)
    pias(tap, found)
    sensitivity(tap, found)
    tap.end()


if __name__ == "__main__":
    main()
