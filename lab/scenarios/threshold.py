# SPDX-License-Identifier: GPL-2.0
"""One marking threshold cannot serve all RTTs: the ECN# paper's Fig. 2 and 3."""

import aqm
from scenarios.common import StarSetting, keys
from keys import Key, size
from units import Refused

SUMMARY = "a single RED threshold at half load (ECN# Fig. 2, 3)"
ROWS = ("S0-2", "S0-3")
KEYS = keys(load="0.5", aqm="threshold", conn="pool") + [
    Key("threshold", "250kb", size("3kb", "100mb"), "marking threshold of RED, 3kb to 100mb; Fig. 2 has 50kb to 250kb"),
]


class Setting(StarSetting):
    """As fct, with RED at one threshold in the place of an AQM."""

    def __init__(self, p, seed):
        if p["aqm"] != "threshold":
            raise Refused("aqm: this scenario is about RED's threshold; other qdiscs run in the scenario fct")
        super().__init__({**p, "aqm": aqm.red(p["threshold"], p["buffer"])}, seed)

    def groups(self):
        yield self.poisson()
