# SPDX-License-Identifier: GPL-2.0
"""An AQM under flow scheduling: the ECN# paper's Fig. 22.

With pias=on the bottleneck is prio with a band for each part of a flow, the first bytes' first, and the AQM in each
band; every sender demotes its flow's packets to the next band at the thresholds of `demote`, exactly (flowgen(1)).
Each band may hold `buffer` packets. With pias=off the AQM stands alone, and nobody demotes.

The paper gives no thresholds; its authors' simulation demotes after every 140 KB. Then all flows of up to 100 KB stay
in the first band, which carries so little that nothing waits in it; demote=10kb,20kb,30kb lets them meet queues.

Every flow has a connection of its own, as in the paper's simulations: from a pool (conn=pool) a flow starts with the
window that the last one of its connection left, whatever band that ended in. `bands` is what each band sent, and the
payload that the flows' sizes put there.
"""

import os

import aqm
import classes
from scenarios.common import StarSetting, keys
from keys import Key, choice, rising, size

SUMMARY = "PIAS: priority bands, flows demoted as they are sent (ECN# Fig. 22)"
ROWS = ("S0-22",)
KEYS = keys(senders="16", rtt="80us-240us") + [
    Key("pias", "on", choice("on", "off"), "bands and demotion, or the AQM alone"),
    Key("demote", "140kb,280kb,420kb", rising(7, size("1kb", "1gb")),
        "bytes after which a flow goes down a band, 1 to 7 of 1kb to 1gb, rising"),
]


class Setting(StarSetting):
    """Poisson arrivals, scheduled by what a flow has sent."""

    aqm_setup = aqm.SIMULATION

    def __init__(self, p, seed):
        super().__init__(p, seed)
        self.demote = p["demote"] if p["pias"] == "on" else []

    def tc(self, port):
        if not self.demote:
            return super().tc(port)
        return classes.discipline(port, "prio", [1] * (len(self.demote) + 1), self.qdisc)

    def groups(self):
        steps = ",".join(f"{at}:{classes.dscp(number)}" for number, at in enumerate(self.demote, 2))
        yield self.poisson() + (f" demote={steps}" if steps else "")

    def more(self, raw, flows):
        if not self.demote:
            return {}
        bands = classes.read(os.path.join(raw, "bottleneck.tc.json"), len(self.demote) + 1)
        for band, start, end in zip(bands, [0, *self.demote], [*self.demote, None]):
            band["flows_bytes"] = sum(max(0, (flow.size if end is None else min(flow.size, end)) - start) for flow in flows)
        return {"bands": bands}
