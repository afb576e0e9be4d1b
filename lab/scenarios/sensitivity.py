# SPDX-License-Identifier: GPL-2.0
"""How much ECN#'s parameters matter: the ECN# paper's Fig. 18.

As fct, at the paper's simulated RTTs, with its parameters there (pst_target 10 us, pst_interval 240 us) or others:
times, or multiples of those such as 0.5x. Every flow has a connection of its own, as in the paper's simulations.
"""

import aqm
from scenarios.common import StarSetting, keys
from keys import Key, multiple, time

SUMMARY = "flow completion times as pst_target and pst_interval vary (ECN# Fig. 18)"
ROWS = ("S0-18",)
KEYS = keys(without=("aqm",), senders="16", rtt="80us-240us") + [
    Key("pst_target", "1x", multiple("10us", time("100ns", "10ms")), "level of a persistent queue: a time, 100ns to "
        "10ms, or a multiple of 10us such as 2x"),
    Key("pst_interval", "1x", multiple("240us", time("1us", "100ms")), "how long a queue must persist: a time, 1us to "
        "100ms, or a multiple of 240us such as 0.5x"),
]


class Setting(StarSetting):
    """As fct, with ecnsharp at these parameters."""

    aqm_setup = aqm.SIMULATION

    def __init__(self, p, seed):
        words = f"ecnsharp {self.aqm_setup.ecnsharp} pst_target {p['pst_target']}ns pst_interval {p['pst_interval']}ns"
        super().__init__({**p, "aqm": words}, seed)

    def groups(self):
        yield self.poisson()
