# SPDX-License-Identifier: GPL-2.0
"""The AQM at the bottleneck port: the baselines by name, or any qdisc in tc's syntax.

The numbers of a set-up are the ECN# paper's: its testbed (section 5.2) and its simulations (5.3, 5.4).
"""

import os
import re
from dataclasses import dataclass

from lab.host import module_list
from lab.host.units import Refused

FRAME = 1514

CONFIG = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "kernel/lab.config")

# Qdiscs that every kernel with qdiscs registers, without a line in its configuration.
ALWAYS = ("pfifo", "bfifo", "pfifo_head_drop", "pfifo_fast", "mq", "noqueue")


@dataclass(frozen=True)
class Setup:
    """The paper's constants for one of its set-ups."""

    ecnsharp: str       # its parameters
    codel: str          # target and interval
    ce_threshold: str   # the instantaneous threshold as a time
    tail_bytes: int     # DCTCP-RED-Tail
    avg_bytes: int      # DCTCP-RED-AVG


TESTBED = Setup("preset testbed", "target 85us interval 200us", "200us", 250000, 80000)
SIMULATION = Setup("preset simulation", "target 10us interval 240us", "220us", 275000, 171000)
# Under a scheduler: TCN's 150 us is the paper's, the rest its authors' simulation of it.
SCHEDULER = Setup("preset simulation ins_target 150us pst_interval 200us", "target 10us interval 200us", "150us",
                  187500, 171000)


def red(threshold_bytes, buffer_pkts):
    """DCTCP's RED: mark all above one threshold.

    burst and avpkt are the least that tc accepts; they give the shortest memory of the average that tc
    can express, half of every new sample.
    """
    return (f"red limit {buffer_pkts * FRAME} min {threshold_bytes} max {threshold_bytes + 1} "
            f"avpkt {threshold_bytes} burst 1 bandwidth 10gbit probability 1 ecn nodrop")


def named(setup):
    """name -> function of the buffer in packets to a qdisc spec."""
    return {
        "ecnsharp": lambda n: f"ecnsharp limit {n} {setup.ecnsharp}",
        "tcn": lambda n: f"ecnsharp limit {n} {setup.ecnsharp} persistent off",
        "pst-only": lambda n: f"ecnsharp limit {n} {setup.ecnsharp} instantaneous off",
        "red-tail": lambda n: red(setup.tail_bytes, n),
        "red-avg": lambda n: red(setup.avg_bytes, n),
        "codel": lambda n: f"codel limit {n} {setup.codel} ecn",
        "codel-ce": lambda n: f"codel limit {n} {setup.codel} ce_threshold {setup.ce_threshold} ecn",
        "fq_codel": lambda n: f"fq_codel limit {n} {setup.codel} ecn",
        "pfifo": lambda n: f"pfifo limit {n}",
    }


def spec(text, setup, buffer_pkts):
    """Arguments for tc: a name from the table, or the text itself with a limit if it says none.

    A qdisc that does not know the parameter limit refuses it, and tc's message reaches the user. Its kind is for check() to
    know.
    """
    known = named(setup)
    if text in known:
        return known[text](buffer_pkts).split()
    arguments = text.split()
    if "limit" not in arguments and arguments[0] in ("ecnsharp", "codel", "fq_codel", "fq", "pie", "pfifo", "dualpi2"):
        arguments[1:1] = ["limit", str(buffer_pkts)]
    return arguments


def kinds():
    """Qdiscs that a port in the lab can have: the kernel's by its configuration, and this project's."""
    with open(CONFIG, encoding="ascii") as file:
        built = re.findall(r"^CONFIG_NET_SCH_(\w+)=y$", file.read(), re.M)
    # A kind of FIFO is each of its own name; ingress is none that a port sends through.
    kernel = {name.lower() for name in built} - {"fifo", "ingress"}
    own = {found[1] for module in module_list.MODULES if (found := re.fullmatch(r"sch_(\w+)\.ko", module.name))}
    return sorted(kernel | own | set(ALWAYS))


def check(setting):
    """Refuse, before anything boots, kinds of qdisc that the lab has not; of a run to which no module is brought."""
    known = kinds()
    for key, arguments in setting.qdiscs().items():
        if arguments and arguments[0] not in known:
            no = f"neither one of the names {', '.join(named(setting.aqm_setup))} nor" if key == "aqm" else "not"
            raise Refused(f"{key}: '{arguments[0]}' is {no} one of the lab's qdiscs: {', '.join(known)}")
