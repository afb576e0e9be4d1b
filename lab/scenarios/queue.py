# SPDX-License-Identifier: GPL-2.0
"""Standing queue, and the effect of a burst on it: the ECN# paper's Fig. 16.

16 senders with RTTs of 80 to 240 us. The paper lets data-mining flows accumulate for 4 s until long ones
share the link; here `long` of them run from the start, with the arriving ones. At `at`, `fanin` query
flows of 3 to 60 KB start at once, with an initial window of 2 segments (see incast). `standing` is the
queue in the 20 ms before that, `burst` the 5 ms after.
"""

import os

import aqm
import results
from scenarios.common import StarSetting, keys
from keys import Key, number, time
from network import EPOCH_NS
from units import Refused

SUMMARY = "standing queue and a burst of queries, 16 senders to 1 receiver (ECN# Fig. 16)"
ROWS = ("S0-16",)
STANDING_NS = 20_000_000
BURST_NS = 5_000_000
KEYS = keys(workload="datamining", load="0.3", senders="16", rtt="80us-240us", buffer="500", initcwnd="2",
            duration="200ms") + [
    Key("fanin", "100", number(0, 4096), "query flows that start together, 0 for none"),
    Key("at", "150ms", time("0ns", "1000s"), "when they start"),
    Key("long", "4", number(0, 1024), "flows that last the whole duration"),
]


class Setting(StarSetting):
    """Background flows, long flows, and one burst of queries."""

    aqm_setup = aqm.SIMULATION
    trace_ns = 5_000

    def __init__(self, p, seed):
        if not STANDING_NS <= p["at"] <= p["duration"] - BURST_NS:
            raise Refused("at: must leave 20ms before it and 5ms of the duration after it")
        super().__init__(p, seed)

    def groups(self):
        p = self.p
        if p["long"]:
            yield f"group long kind=long {self.common()} flows={p['long']} until={p['duration']}ns"
        yield self.poisson()
        if p["fanin"]:
            yield (f"group query kind=query {self.common()} conn=new at={p['at']}ns flows={p['fanin']} "
                   "lo=3000 hi=60000")

    def more(self, raw, flows):
        trace = results.read_trace(os.path.join(raw, "bottleneck.trace"), EPOCH_NS)
        at = self.p["at"]
        query = [flow for flow in flows if flow.group == "query"]
        return {
            "standing": self.span(trace, at - STANDING_NS, at),
            "burst": self.span(trace, at, at + BURST_NS),
            "query": {**results.summarise_flows(query), "retransmits": sum(flow.retrans for flow in query)},
        }

    def span(self, trace, start, end):
        """Mean, weighted by time, and maximum of the queue between two times."""
        inside = [(max(t, start), pkts) for t, pkts, _ in trace if start <= t < end]
        area = sum(pkts * (later - t) for (t, pkts), (later, _) in zip(inside, inside[1:]))
        length = inside[-1][0] - inside[0][0] if len(inside) > 1 else 0
        return {"mean_pkts": results.quotient(area, length), "max_pkts": max((n for _, n in inside), default=0)}
