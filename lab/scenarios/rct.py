# SPDX-License-Identifier: GPL-2.0
"""Request completion times under background load: the On-Ramp paper's Fig. 9 to 14 and 25.

Hosts around one switch. Background flows of the workload run between random pairs at `load` of every host's link.
Beside them a random host asks `fanin` others at once for `request` bytes each, as Poisson arrivals of `request_load`
of the links; a request is complete when the last byte of its last answer is there. The others are distinct as long as
there are enough.

Each port of the switch drops at its tail when it holds `buffer` bytes. Every sender has the qdisc `host` at its root.
Connections are taken from a pool (conn=pool), as an application keeps them: no SYN is lost, for which Linux would wait
a second. The paper's hosts have Linux's least retransmission timeout, 200 ms; so has rto_min here. About a
hundredth of the requests waits for it, so that p99_us is 8 or 200 ms as the seed has it; rto_min=5ms has no such step.

What starts before `settle` is not measured, nor what queues did then: `requests` and `flows` (small up to 10 KB, medium
up to 1 MB, large) are of those that start later, `utilisation` and `queue` of the time from there to the duration's end.
`drops`, `timeouts` and `retransmits` are of the whole run; `retransmit_percent` is of all segments that hosts sent,
`loss_probes` counts those that TCP sent when a flow's last packets were not acknowledged. `sender_qdiscs` sums up
what the qdiscs of the senders count. A run goes on until every flow has ended.

With onramp, `holds` is what the senders' qdiscs together say of their holds, each as long as it lasted until it ended or another
took its place: `bounded` were cut to max_pause, `shortened` ended early, `new_flows` began a flow, `observed` mode observe
would have set; `packets` left later than all else asked for, by `packet_mean_us`. `owd_error` is by how much the delays that
senders went by were longer than the true ones, of one in 64 of them: the mean, and the sizes of the errors. clock_error and the
other keys of clocks say how wrong the hosts' clocks are, with clock=own.
"""

import clocks
import results
from hub import SHAPE, Hub
from scenarios import common
from keys import Key, choice, fraction, number, size, time
from units import Refused

SUMMARY = "request completion times of incast beside background flows, 41 hosts at a switch (On-Ramp Fig. 9 to 14, 25)"
ROWS = ("S3-7", "S3-8", "S3-9", "S3-10", "S3-11", "S3-12", "S3-13")
KEYS = [
    common.AQM,
    *common.keys(without=("aqm", "buffer"), shape=SHAPE, cc="cubic", load="0.4", rtt="25us", duration="150ms", conn="pool",
                 rto_min="200ms"),
    common.BUFFER,
    common.HOST,
    common.ACKER,
    clocks.ERROR,
    Key("request", "2kb", size("1b", "100mb"), "bytes that each of the asked hosts sends, 1b to 100mb; the paper has 2kb, 500kb"),
    Key("fanin", "40", number(1, 1000), "hosts that a request asks, 1 to 1000; above the number of others some send several"),
    Key("request_load", "0.02", fraction(0, 1), "offered load of the requests, a fraction of every host's link; 0 for none"),
    Key("spacing", "poisson", choice("poisson", "fixed"), "times between requests: poisson, fixed"),
    Key("settle", "20ms", time("0ns", "100s"), "how much of the beginning is not measured"),
]

# The paper's sizes of flows: a name and the most bytes.
BOUNDS = (("small", 10_000), ("medium", 1_000_000), ("large", None))


class Setting(common.Setting):
    """Poisson arrivals between all pairs, and requests."""

    memory = "4G"

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        if p["load"] + p["request_load"] >= 1000:
            raise Refused("load, request_load: together they must be below 1")
        super().__init__(common.tail_drop(p), Hub(p, seed))

    def window(self):
        return self.p["settle"], self.p["duration"]

    def period_ns(self):
        """Mean time from one request to the next, of all hosts."""
        p = self.p
        bits = p["fanin"] * p["request"] * 8
        return max(1, bits * 10**9 * 1000 // (len(self.network.hosts) * p["rate"] * p["request_load"]))

    def groups(self):
        p, hosts = self.p, self.network.hosts
        yield self.arrivals("load", self.ends(hosts, hosts), len(hosts) * p["rate"])
        if p["request_load"]:
            yield (f"group request kind=query {self.ends(hosts, hosts)} conn={p['conn']} flows={p['fanin']} pick=random "
                   f"lo={p['request']} hi={p['request']} spacing={p['spacing']} period={self.period_ns()}ns "
                   f"until={p['duration']}ns")

    def measured(self, flows, group):
        """Those of a group that start in the window; a request's flows together, by when the first of them starts."""
        chosen = [flow for flow in flows if flow.group == group]
        if group == "load":
            return [flow for flow in chosen if flow.start_ns >= self.p["settle"]]
        early = {flow.query for flow in chosen if flow.start_ns < self.p["settle"]}
        return [flow for flow in chosen if flow.query not in early]

    def classes(self, flows):
        return results.buckets(self.measured(flows, "load"), BOUNDS)

    def more(self, raw, flows):
        drops = {name: results.read_port(raw, name).drops for name in self.network.aqm_ports}
        return {
            "requests": results.summarise_requests(self.measured(flows, "request")),
            **self.sent_again(raw),
            "drops_by_port": {name: count for name, count in drops.items() if count},
            "sender_qdiscs": self.sender_qdiscs(raw),
        }
