#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A lossless LAN: PAUSE makes an innocent flow a victim, and culprits by occupancy give it back what it offers.

Short forms of what docs/results/lossless.md has; each statement is of runs that differ in one thing, so that it fails if that
thing does nothing.
"""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.experiments import fanin, fanout
from lab.experiments.shared import lossless
from lab.host.artifacts import Lab
from lab.trials import Trial
from tap import Tap

SHORT = ("duration=50ms", "settle=25ms")


def fan_out(tap, lab):
    """One sender, eight slow receivers, a victim to an idle port."""
    found = {name: Trial("fanout", (*fanout.SETTINGS[name][1], *SHORT), 1).run(lab)
             for name in ("lossy", "pause", "cnm-output", "cnm-random", "ecn-output", "ecn-random")}
    lossy, paused = found["lossy"], found["pause"]
    tap.ok("without PAUSE frames are lost, and with it none is", lossy["drops"] > 1000 and not any(one["drops"] for one in (paused, found["ecn-random"])),
           {name: one["drops"] for name, one in found.items()})
    tap.ok("control frames are sent with PAUSE alone", paused["conservation"]["control"]["packets"] > 10 and "control" not in lossy["conservation"],
           paused["conservation"])
    tap.ok("PAUSE halts the sender", paused["paused"] > 0.05 and lossy["paused"] == 0, (paused["paused"], lossy["paused"]))
    tap.ok("so its innocent flow gets about half of what it offers", 0.4 < paused["victim"] <= 0.6, paused["victim"])
    # Rates take 0.1 s to settle: by then it has all of it.
    tap.ok("CNMs by occupancy give it more, a congestion point at outputs sends none", found["cnm-random"]["victim"] >= 0.7 and
           not found["cnm-output"]["ports"]["s1"]["cnm_tx"] and abs(found["cnm-output"]["victim"] - paused["victim"]) < 0.02,
           {name: (one["victim"], one["ports"]["s1"]["cnm_tx"]) for name, one in found.items()})
    tap.ok("marks by occupancy give it what it offers, marks at outputs do not", found["ecn-random"]["victim"] >= 0.95 and found["ecn-output"]["victim"] <= 0.6,
           {name: one["victim"] for name, one in found.items()})


def fan_in(tap, lab):
    """Hosts with one FIFO that drops give a paused link to flows in proportion to what they offer; with a queue for each, in equal shares."""
    ratios = {}
    for name in ("drop", "fair"):
        document = Trial("fanin", (*fanin.WITH_VICTIM[name][1], "duration=30ms", "join=10ms", "leave=20ms", "step=1ms"), 1).run(lab)
        ratios[name] = document["rates_gbps"]["f6"][2] / document["rates_gbps"]["f1"][2]
    tap.ok("one FIFO per host: f6 over f1 is 7/3", abs(ratios["drop"] / (7 / 3) - 1) <= 0.1, ratios)
    tap.ok("a queue for each flow: it is not", abs(ratios["fair"] / (7 / 3) - 1) > 0.1, ratios)


def explicit_rates(tap, lab):
    """Ten flows offer twice what the receiver's link has: with law fecn they share it, and nothing is lost; without, half is."""
    short = ("flows=10", "offer=2gbit", "duration=120ms", "join=50ms", "leave=85ms", "settle=30ms")
    rates = Trial("explicit", (*short, f"host={lossless.RP_FECN.replace('200mbit', '2gbit')}"), 1).run(lab)
    none = Trial("explicit", (*short, "aqm=lossy", f"host={lossless.FQ}"), 1).run(lab)
    first = rates["windows"][0]
    tap.ok("explicit rates: the link is used, flows have the same rate, and nothing is lost", first["used"] >= 0.97 and first["jain"] >= 0.99 and
           first["off"] <= 0.1 and not rates["drops"], (rates["windows"], rates["drops"]))
    tap.ok("RD frames are at most 2 % of the bytes", 0 < rates["rd_share"] <= 0.02 and rates["rds"]["rds_answered"] > 0, (rates["rd_share"], rates["rds"]))
    both = Trial("explicit", (*short, "slow=1gbit", f"host={lossless.RP_FECN.replace('200mbit', '2gbit')}"), 1).run(lab)
    got = {name: windows[2] for name, windows in both["rates_gbps"].items()}
    tap.ok("with two bottlenecks in a row each flow has its max-min share: a fifth of 1 Gbit/s, or of the other 9", all(
        abs(gbps / (0.2 if int(name[1:]) % 2 == 0 else 1.8) - 1) < 0.1 for name, gbps in got.items()) and not both["drops"], got)
    # 20 Gbit/s come for 120 ms, in frames of 1538 bytes: 195,000.
    tap.ok("without rates about half is lost", 0.4 < none["drops"] / 195000 < 0.6, none["drops"])


def drops_of_tcp(tap, lab):
    """A receiver's GRO leaves the sender's copy of a packet alone: with a bridge both are of one buffer, and SACKs of what was dropped make TCP read it."""
    short = ("duration=40ms", "settle=10ms", "cc=cubic")
    found = {pause: Trial("systems", (*short, f"pause={pause}", f"aqm={aqm}"), 1).run(lab) for pause, aqm in (("off", "pfifo limit 660"), ("on", "pause"))}
    tap.ok("CUBIC fills a port of a bridge until it drops, and goes on", found["off"]["drops"] > 100 and found["off"]["goodput_gbps"] > 9, found["off"]["drops"])
    tap.ok("with PAUSE nothing is dropped", not found["on"]["drops"] and found["on"]["paused"] > 0.1, (found["on"]["drops"], found["on"]["paused"]))


def main():
    tap = Tap()
    lab = Lab()
    drops_of_tcp(tap, lab)
    explicit_rates(tap, lab)
    fan_out(tap, lab)
    fan_in(tap, lab)
    tap.end()


if __name__ == "__main__":
    main()
