# SPDX-License-Identifier: GPL-2.0
"""How many senders may answer at once before one of them times out: the ECN# paper's Fig. 17.

The initial window is 2 segments, so that the buffer is filled by windows that grow, which marks can stop.
With Linux's own 10 (initcwnd=10) the first windows alone are 10 packets a flow, on their way before any mark
can act, and every AQM loses at nearly the same fan-in.
"""

import aqm
import results
from scenarios.common import StarSetting, keys
from keys import Key, number, time
from units import Refused, show_time

SUMMARY = "query flows at growing fan-in, 16 senders to 1 receiver (ECN# Fig. 17)"
ROWS = ("S0-17",)
KEYS = keys(workload="datamining", load="0.3", senders="16", rtt="80us-240us", buffer="500", initcwnd="2",
            duration="120ms") + [
    Key("fanin", "100", number(1, 4096), "query flows that start together"),
    Key("queries", "3", number(1, 1000), "how often"),
    Key("at", "30ms", time("0ns", "1000s"), "when the first query starts"),
    Key("period", "30ms", time("1us", "1000s"), "from one query to the next"),
    Key("long", "4", number(0, 1024), "flows that last the whole duration"),
]


class Setting(StarSetting):
    """Background flows, long flows, and queries one after the other."""

    aqm_setup = aqm.SIMULATION

    def __init__(self, p, seed):
        last = p["at"] + (p["queries"] - 1) * p["period"]
        if last >= p["duration"]:
            raise Refused(f"at, queries, period: the last query would start at {show_time(last)}, not within the "
                          f"duration, {show_time(p['duration'])}")
        super().__init__(p, seed)

    def groups(self):
        p = self.p
        if p["long"]:
            yield f"group long kind=long {self.common()} flows={p['long']} until={p['duration']}ns"
        yield self.poisson()
        yield (f"group query kind=query {self.common()} conn=new at={p['at']}ns flows={p['fanin']} "
               f"period={p['period']}ns count={p['queries']} lo=3000 hi=60000")

    def more(self, raw, flows):
        query = [flow for flow in flows if flow.group == "query"]
        return {
            "query": {
                **results.summarise_flows(query),
                "retransmits": sum(flow.retrans for flow in query),
                "timeouts": sum(flow.timeouts for flow in query),
            },
        }
