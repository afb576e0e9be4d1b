# SPDX-License-Identifier: GPL-2.0
"""ECN# with probabilistic marking, for senders that DCQCN paces: the ECN# paper's Fig. 21.

Flows run over UDP, paced by DCQCN's reaction point, which notifications of marked packets slow down (flowgen,
cc=dcqcn). There is no PAUSE: the buffer is deep, so that nothing is lost. Packets that are lost nevertheless
(drops) are sent again; but lost packets bring no marks, and a full buffer stays full for long: see that drops is 0.

aqm=ramp marks with a probability that grows from 0 at kmin to pmax at kmax, and everything above: DCQCN's own
marking, in time instead of length. aqm=ramp+pst adds ECN#'s persistent marking to it, with the constants of
the paper's simulations (target 10us, interval 240us). The paper says of the ramp that it is "derived based on
high percentile RTTs" and goes from probability 0 to 1: kmax is the 90th percentile of the base RTTs, 220us
(275 KB), kmin the mean, 137us, and pmax 1. The DCQCN paper's own, scaled by nothing: kmin=4us kmax=160us
pmax=0.01.
"""

import aqm
import dcqcn
import results
from keys import Key, number, word
from scenarios.common import StarSetting, keys

SUMMARY = "DCQCN senders, probabilistic marking without and with persistent marking (ECN# Fig. 21)"
ROWS = ("S0-21",)

# What TCP alone has; the setting wants values nevertheless.
TCP = {"cc": "dcqcn", "conn": "new", "dctcp_shift_g": 4, "rto_min": 5_000_000, "initcwnd": 10, "delack": "on", "gso": "on"}
KEYS = [
    Key("aqm", "ramp+pst", word, "qdisc at the bottleneck: ramp, ramp+pst, or what the other scenarios take"),
    *keys(without=("aqm", *TCP), rtt="80us-240us", buffer="40000"),
    *dcqcn.KEYS,
    Key("long", "0", number(0, 1024), "flows that last the whole duration"),
]


class Setting(StarSetting):
    """Poisson arrivals of paced flows, and long ones beside them."""

    aqm_setup = aqm.SIMULATION
    trips = dcqcn.TRIPS

    def __init__(self, p, seed):
        super().__init__({**p, **TCP, "host": dcqcn.HOST, "aqm": dcqcn.aqm(p)}, seed)

    def groups(self):
        p = self.p
        yield self.poisson() + dcqcn.words(p)
        if p["long"]:
            yield (f"group long kind=long {self.common()}{dcqcn.words(p)} flows={p['long']} "
                   f"until={p['duration']}ns")

    def more(self, raw, flows):
        long = [flow for flow in flows if flow.group == "long"]
        return {
            **dcqcn.figures(raw, flows),
            "long_rates_mbps": [results.quotient(flow.bytes * 8000, self.p["duration"]) for flow in long],
        }
