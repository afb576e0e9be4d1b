# SPDX-License-Identifier: GPL-2.0
"""Flow completion times under load: the ECN# paper's Fig. 9 (web search), 10 (data mining), 11 (wider RTTs).

Requests go over persistent connections (conn=pool), as those of the traffic generator that the paper's
testbed used: a flow starts with its connection's DCTCP estimate and threshold. conn=new gives every flow a
connection of its own, whose first mark halves its window.
"""

from scenarios.common import StarSetting, keys
from keys import Key, number

SUMMARY = "flow completion times, 7 senders to 1 receiver (ECN# Fig. 9, 10, 11)"
ROWS = ("S0-5", "S0-6", "S0-7", "S0-8", "S0-9", "S0-10", "S0-11", "S0-12")
KEYS = keys(conn="pool") + [
    Key("long", "0", number(0, 1024), "flows that last the whole duration, in addition to those that arrive"),
]


class Setting(StarSetting):
    """Poisson arrivals of flows whose sizes follow the workload."""

    def groups(self):
        p = self.p
        yield self.poisson()
        if p["long"]:
            yield f"group long kind=long {self.common()} flows={p['long']} until={p['duration']}ns"
