# SPDX-License-Identifier: GPL-2.0
"""Request completion times under background load: the On-Ramp paper's Fig. 9 to 14, 19, 21 and 25.

Hosts around one switch. Background flows of the workload run between random pairs at `load` of every host's link.
Beside them a random host asks `fanin` others at once for `request` bytes each, as Poisson arrivals of `request_load`
of the links; a request is complete when the last byte of its last answer is there. The others are distinct as long as
there are enough.

Each port of the switch drops at its tail when it holds `buffer` bytes. Every sender has the qdisc `host` at its root.
Connections are taken from a pool (conn=pool), as an application keeps them: no SYN is lost, for which Linux would wait
a second. The paper's hosts have Linux's least retransmission timeout, 200 ms; so has rto_min here. About a
hundredth of the requests waits for it, so that p99_us is 8 or 200 ms as the seed has it; rto_min=5ms has no such step.

Flows that start before `settle` are not measured, nor are queues until then: `requests` and `flows` (small up to 10 KB, medium
up to 1 MB, large) are of those that start later, `utilisation` and `queue` of the time from there to the duration's end.
`drops`, `timeouts` and `retransmits` are of the whole run; `retransmit_percent` is of all segments that hosts sent,
`loss_probes` counts those that TCP sent when a flow's last packets were not acknowledged. `late_syns` are the measured flows that
took over a second, waited for a timeout and had a new connection: its SYN was lost, or the answer, for which Linux waits a second
whatever rto_min is. `sender_qdiscs` sums up what the qdiscs of the senders count. A run goes on until every flow has ended.

With onramp, `holds` is what the senders' qdiscs together say of their holds, each as long as it lasted until it ended or another
took its place: `bounded` were cut to max_hold, `shortened` ended early, `new_flows` began a flow, `observed` mode observe
would have set; `packets` left later than all else asked for, by `packet_mean_us`. `owd_error` is by how much the delays that
senders went by were longer than the true ones, of one in 64 of them: the mean, and the sizes of the errors. clock_error and the
other keys of clocks say how wrong the hosts' clocks are, with clock=own. `or_acks` is what receivers told senders: `datagrams` with
`entries`, one a data packet that was acked: a burst's `first`, one `every` so many bytes, a burst's `last`; `percent` is their frames'
bytes of the `payload` that came.
"""

import clocks
import results
from full_mesh import SHAPE, FullMesh
from scenarios import common
from keys import Key, choice, fraction, number, size, time
from units import Refused

SUMMARY = "request completion times of incast with background flows, 41 hosts at a switch (On-Ramp Fig. 9 to 14, 19, 21, 25)"
ROWS = ("S3-5", "S3-7", "S3-8", "S3-9", "S3-10", "S3-11", "S3-12", "S3-13", "S3-18", "S3-20")
ALSO = (
    ("gso", "gso_size=16384b", "GSO packets of 16 KB in the place of 64 KB (On-Ramp Fig. 19)"),
    ("sweep", "host='onramp mode hold threshold 300us g 1/4 clock system error 1us'", "T and g (On-Ramp Fig. 21)"),
    ("combine", "cc=dctcp aqm='ecnsharp ins_target 78us pst_interval 80us pst_target 40us' host='onramp mode hold threshold 50us clock system "
     "error 1us'", "ECN# at the switch and On-Ramp at the hosts"),
    ("overhead", "acker='every 1' host='onramp mode hold threshold 50us clock system error 1us'", "what OR-ACKs cost short flows (On-Ramp 4.1)"),
)
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
SECOND_NS = 10**9


class Setting(common.Setting):
    """Poisson arrivals between all pairs, and requests."""

    memory = "4G"
    topology = FullMesh

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        if p["load"] + p["request_load"] >= 1000:
            raise Refused("load, request_load: together they must be below 1")
        super().__init__(common.tail_drop(p), self.topology(p, seed))

    def window(self):
        return self.p["settle"], self.p["duration"]

    def tenants(self):
        """Hosts that have flows among themselves, under what the names of their groups of flows end in."""
        return {"": self.network.hosts}

    def period_ns(self, hosts):
        """Mean time from one request of some hosts to the next, of all of them."""
        p = self.p
        bits = p["fanin"] * p["request"] * 8
        return max(1, bits * 10**9 * 1000 // (len(hosts) * p["rate"] * p["request_load"]))

    def groups(self):
        p = self.p
        for name, hosts in self.tenants().items():
            yield self.arrivals(f"load{name}", self.ends(hosts, hosts), len(hosts) * p["rate"])
            if p["request_load"]:
                yield (f"group request{name} kind=query {self.ends(hosts, hosts)} conn={p['conn']} flows={p['fanin']} pick=random "
                       f"lo={p['request']} hi={p['request']} spacing={p['spacing']} period={self.period_ns(hosts)}ns "
                       f"until={p['duration']}ns")

    def background(self, flows, names=None):
        """Flows of the tenants' background that start in the window."""
        groups = {f"load{name}" for name in names or self.tenants()}
        return [flow for flow in flows if flow.group in groups and flow.start_ns >= self.p["settle"]]

    def requests(self, flows, names=None):
        """Flows of the tenants' requests whose first starts in the window."""
        groups = {f"request{name}" for name in names or self.tenants()}
        chosen = [flow for flow in flows if flow.group in groups]
        early = {(flow.group, flow.query) for flow in chosen if flow.start_ns < self.p["settle"]}
        return [flow for flow in chosen if (flow.group, flow.query) not in early]

    def classes(self, flows):
        return results.buckets(self.background(flows), BOUNDS)

    def late_syns(self, flows):
        """How many measured flows waited for a second SYN, or for a second answer to it."""
        measured = self.background(flows) + self.requests(flows)
        return sum(flow.new and flow.timeouts > 0 and (flow.fct_ns or 0) > SECOND_NS for flow in measured)

    def more(self, raw, flows):
        drops = {name: results.read_port(raw, name).drops for name in self.network.aqm_ports}
        return {
            "requests": results.summarise_requests(self.requests(flows)),
            "late_syns": self.late_syns(flows),
            **self.sent_again(raw),
            "drops_by_port": {name: count for name, count in drops.items() if count},
            "sender_qdiscs": self.sender_qdiscs(raw),
        }
