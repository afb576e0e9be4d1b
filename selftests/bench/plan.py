# SPDX-License-Identifier: GPL-2.0
"""Measurements: the cases, the qdiscs as each case configures them, and in which order they take turns."""

import random
from dataclasses import dataclass

PEERS = ("pfifo", "codel", "fq_codel", "red", "ecnsharp")
REFERENCE = "codel"     # what ratios are made to
BASELINE = "noqueue"    # the path without any qdisc
BYPASS = "bypass on"    # ecnsharp, configured to let packets pass it
DEPTH = 1023            # packets that wait, as in guest

CP_LIMITS = "buffer 1000000 limit 1000000"

# Every limit is 1024 packets, the length that a full queue reaches with each packet that comes.
# "on": thresholds that DEPTH waiting packets exceed at 50 ns each, as no machine has them; a qdisc that can marks every packet.
# "off": the same with thresholds that nothing here reaches.
ARGS = {
    "pfifo": {"on": "pfifo limit 1024"},
    "codel": {"on": "codel limit 1024 target 20us interval 50us ce_threshold 50us ecn",
              "off": "codel limit 1024 target 1s interval 1s ecn"},
    "fq_codel": {"on": "fq_codel limit 1024 target 20us interval 50us ce_threshold 50us ecn",
                 "off": "fq_codel limit 1024 target 1s interval 1s ecn"},
    "red": {"on": "red limit 1500000 min 5000 max 15000 avpkt 1000 burst 20 bandwidth 10gbit probability 1 ecn",
            "off": "red limit 1500000 min 500000 max 1000000 avpkt 1000 burst 1000 bandwidth 10gbit probability 1 ecn"},
    "ecnsharp": {"on": "ecnsharp limit 1024 ins_target 50us pst_target 20us pst_interval 50us",
                 "off": "ecnsharp limit 1024 ins_target 1s pst_target 1s pst_interval 1s"},
    BYPASS: {"on": "ecnsharp limit 1024 ins_target 50us pst_target 20us pst_interval 50us bypass on"},
    BASELINE: {"on": "noqueue"},
    # cp's limits are not reached. Its set point and k are in bytes: 1024 packets have 61440.
    "cp, none": {"on": f"cp law none {CP_LIMITS}"},
    "cp, random": {"on": f"cp law step k 20000 at input sample random signal ecn {CP_LIMITS}",
                   "off": f"cp law qcn qeq 900000 at input sample random signal ecn {CP_LIMITS}"},
    "cp, largest": {"on": f"cp law step k 20000 at input sample largest signal ecn {CP_LIMITS}",
                    "off": f"cp law qcn qeq 900000 at input sample largest signal ecn {CP_LIMITS}"},
}


@dataclass(frozen=True)
class Case:
    """One way to make packets pass."""

    name: str
    guest: str          # what the guest's script calls it
    thresholds: str     # "on" or "off"
    marks: bool         # every packet is marked (True) or none
    means: str          # for people
    qdiscs: tuple = PEERS


CASES = (
    Case("empty", "empty", "on", False, "the qdisc of an idle queue of a NIC: every packet leaves as it comes",
         (BASELINE, *PEERS, BYPASS)),
    Case("leaf", "leaf", "on", False, "likewise, but below a prio: no qdisc can be bypassed"),
    Case("full", "full", "off", False, "1023 packets wait, each that comes is the 1024th and lets the oldest leave; "
         "thresholds are out of reach"),
    Case("marking", "full", "on", True, "the same with thresholds exceeded: each packet is marked (pfifo: passes)",
         tuple(name for name in PEERS if name != "pfifo")),
    Case("drain", "drain", "off", False, "1023 packets wait and are let go by the next: leaving only, from one packet to the following"),
)

CP_PEERS = ("codel", "cp, none", "cp, random", "cp, largest")

# cp must be the root of its device: so are the others here.
CP_CASES = (
    Case("cp, empty", "root-empty", "off", False, "every packet leaves as it comes; codel is bypassed", CP_PEERS),
    Case("cp, short", "root-short", "off", False, "1 packet waits, each that comes is the second and lets the first leave: nothing is bypassed",
         CP_PEERS),
    Case("cp, full", "root-full", "off", False, "1023 packets wait, each that comes is the 1024th and lets the oldest leave; none is marked",
         CP_PEERS),
    Case("cp, drain", "root-drain", "off", False, "1023 packets wait and are let go by the next: leaving only", CP_PEERS),
    Case("cp, marking", "root-full", "on", True, "as cp, full, and with each packet that comes one is a culprit: marked, or marked before",
         ("codel", "cp, random", "cp, largest")),
)


def kind_of(qdisc):
    """Its name in tc."""
    return ARGS[qdisc]["on"].split()[0]


@dataclass(frozen=True)
class Measurement:
    """One line of the guest's plan."""

    key: str
    round: int
    case: Case
    qdisc: str
    laps: int           # of 1024 packets each

    def line(self):
        arguments = ARGS[self.qdisc]
        return f"{self.key} {self.case.guest} {self.laps} {arguments.get(self.case.thresholds, arguments['on'])}"


def measurements(rounds, laps, seed, names, cases=CASES):
    """All measurements in their order: in each round, each case's qdiscs in an order drawn anew."""
    chance = random.Random(seed)
    made = []
    for number in range(rounds):
        for case in cases:
            if case.name not in names:
                continue
            for qdisc in chance.sample(case.qdiscs, len(case.qdiscs)):
                made.append(Measurement(f"m{len(made)}", number, case, qdisc, laps))
    return made
