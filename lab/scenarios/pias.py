# SPDX-License-Identifier: GPL-2.0
"""An AQM under flow scheduling: the ECN# paper's Fig. 22.

With pias=on the bottleneck is prio with a band for each part of a flow, the first bytes' first, and the AQM in each
band; every sender demotes its flow's packets to the next band at the thresholds of `demote`, exactly (flowgen(1)).
Each band may hold `buffer` packets. With pias=off the AQM stands alone, and nobody demotes.

The paper gives no thresholds; with those of its authors' simulation all flows of up to 100 KB stay in the first band,
which carries so little that nothing waits in it; demote=10kb,20kb,30kb lets them meet queues.

Every flow has a connection of its own, as in the paper's simulations: from a pool (conn=pool) a flow starts with the
window that the last one of its connection left, whatever band that ended in. `bands` is what each band sent, and the
payload that the flows' sizes put there.
"""

import os

import aqm
import pias
from scenarios.common import StarSetting, keys

SUMMARY = "PIAS: priority bands, flows demoted as they are sent (ECN# Fig. 22)"
ROWS = ("S0-22",)
KEYS = keys(senders="16", rtt="80us-240us") + pias.keys("on")


class Setting(StarSetting):
    """Poisson arrivals, scheduled by what a flow has sent."""

    aqm_setup = aqm.SIMULATION

    def __init__(self, p, seed):
        super().__init__(p, seed)
        self.bands = pias.Bands(p)

    def tc(self, port):
        return self.bands.tc(port, self.qdisc) if self.bands else super().tc(port)

    def groups(self):
        yield self.poisson() + self.bands.words()

    def more(self, raw, flows):
        return {"bands": self.bands.results([os.path.join(raw, "bottleneck.tc.json")], flows)} if self.bands else {}
