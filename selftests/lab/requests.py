#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Hosts around one switch are what they say, and so are the requests between them.

Base RTTs are the mean of both ends'. An idle network answers a request in the time that its packets need. Under
load every packet that a host sends is received or dropped at a port that says so, and requests are complete when
their last flow is. On-Ramp's delays are the true ones, or as wrong as the clocks.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host import results
from lab.host.artifacts import Lab
from lab.trials import Trial
from tap import Tap

US = 1000
HOSTS, FANIN = 9, 8


class Run:
    """One run, with its flows."""

    def __init__(self, lab, *arguments):
        trial = Trial("rct", (f"hosts={HOSTS}", f"fanin={FANIN}", *arguments), 1)
        self.network = trial.setting.network
        with tempfile.TemporaryDirectory() as folder:
            self.document = trial.run(lab, folder=folder)
            self.flows = results.read_rows(os.path.join(folder, "result/flows.csv"))
            self.script = trial.script()

    def requests(self):
        """Flows of each request."""
        found = {}
        for flow in self.flows:
            if flow["group"] == "request":
                found.setdefault(int(flow["query"]), []).append(flow)
        return found


def idle(tap, lab):
    """Requests that come one by one, each on connections of its own, and next to no background."""
    run = Run(lab, "request=1k", "request_load=0.002", "load=0.001", "workload=googlerpc", "duration=40ms", "settle=0ns",
              "jitter=0ns", "rtt=20us,40us", "conn=new", "spacing=fixed")
    tap.ok("idle: all flows end, nothing is lost", run.document["unfinished"] == run.document["drops"] == 0
           == run.document["retransmits"] == run.document["sender_qdiscs"]["drops"], run.document)
    off = [(int(flow["min_rtt_us"]) - run.network.path_rtt(flow["sender"], flow["receiver"]) / US, flow) for flow in run.flows]
    tap.ok("idle: a pair's RTT is the mean of both hosts'", all(-0.1 <= more <= 2 for more, _ in off),
           [max(off, key=lambda pair: pair[0]), min(off, key=lambda pair: pair[0])])
    requests = run.requests()
    tap.ok("idle: a request asks all others, once each", requests and all(
        len({flow["sender"] for flow in flows} | {flow["receiver"] for flow in flows}) == HOSTS and len(flows) == FANIN
        for flows in requests.values()))
    # Two of the longest RTT, and the answers' frames of 1066 bytes one after the other at the receiver's port.
    base = {query: 2 * max(run.network.path_rtt(flow["sender"], flow["receiver"]) for flow in flows) / US
            for query, flows in requests.items()}
    took = {query: (max(int(flow["start_ns"]) + int(flow["fct_ns"]) for flow in flows)
                    - min(int(flow["start_ns"]) for flow in flows)) / US for query, flows in requests.items()}
    more = {query: took[query] - base[query] for query in requests}
    tap.ok("idle: two round trips and the time on the wire", all(0.8 < extra < 0.9 * FANIN + 12 for extra in more.values()),
           more)
    requests_ = run.document["requests"]
    ordered = sorted(took.values())
    tap.ok("idle: the results are these times", requests_["n"] == len(took) and abs(requests_["mean_us"] - sum(ordered) / len(ordered)) < 0.01
           and requests_["p99_us"] == round(results.percentile(ordered, 99), 3), (requests_, ordered))


def busy(tap, run, what, most):
    """A run with losses: the accounting by port."""
    document = run.document
    dropped = sum(amount["packets"] for amount in document["conservation"]["dropped"].values())
    tap.ok(f"{what}: all flows end", document["unfinished"] == 0 and run.flows, document)
    tap.ok(f"{what}: drops are those of the ports", document["drops"] == dropped == sum(document["drops_by_port"].values()) > 0,
           document)
    tap.ok(f"{what}: what is lost is sent again", document["retransmits"] >= 0.9 * dropped, document)
    tap.ok(f"{what}: no port held more than its buffer", document["queue"]["max_pkts"] <= most, document["queue"])
    late = {query for query, flows in run.requests().items() if min(int(flow["start_ns"]) for flow in flows) >= 2_000_000}
    tap.ok(f"{what}: requests are those after settling", document["requests"]["n"] == len(late) > 20,
           (document["requests"], len(late)))
    sizes = [int(flow["size_bytes"]) for flow in run.flows
             if flow["group"] == "load" and int(flow["start_ns"]) >= 2_000_000]
    flows = document["flows"]
    tap.ok(f"{what}: flows are those of the background, by size", [flows[name]["n"] for name in ("all", "small", "medium", "large")]
           == [len(sizes), sum(size <= 10_000 for size in sizes), sum(10_000 < size <= 1_000_000 for size in sizes),
               sum(size > 1_000_000 for size in sizes)], flows)


def measured(tap, lab):
    """Delays that On-Ramp measures, by clocks that are right and by clocks that are off."""
    arguments = ("load=0.4", "request_load=0.1", "duration=12ms", "settle=2ms", "rto_min=5ms",
             "host=onramp mode hold threshold 50us clock system error 10us")
    right, off = Run(lab, *arguments).document, Run(lab, *arguments, "clock=own", "clock_offset=10us", "clock_rate=20ppm").document
    tap.ok("right clocks: every delay is the true one", right["owd_error"]["n"] > 50 and right["owd_error"]["max_us"] == 0.0,
           right["owd_error"])
    wrong = off["owd_error"]
    # Two clocks are off by 10 us and by 20 ppm of a second at most; half of all pairs by more than a fifth of that.
    tap.ok("clocks that are off: a delay is as wrong as the two are", wrong["n"] > 50 and 4 < wrong["p50_us"] < wrong["max_us"] < 60,
           wrong)
    spread = [clock["offset"] for clock in off["clocks"].values()]
    tap.ok("and none is further off than the two furthest", wrong["max_us"] < (max(spread) - min(spread)) / US + 2 * 20 * 1.1,
           (wrong, spread))
    for what, document in (("right", right), ("off", off)):
        holds = document["holds"]
        tap.ok(f"clocks {what}: flows are held, none for longer than max_hold", holds["n"] > 100 and 0 < holds["mean_us"] < 5000
               and holds["packets"] > 0 and holds["new_flows"] <= holds["n"], holds)
    observing = Run(lab, *arguments[:-1], arguments[-1].replace("hold", "observe", 1)).document
    observed = observing["holds"]
    tap.ok("mode observe counts and holds nothing", observed["observed"] > 100 and observed["n"] == observed["packets"] == 0, observed)
    # The limits of lab/report/onramp_criteria.py's short runs, here compared with the same qdisc that holds nothing.
    waits = [document["requests"]["p95_us"] for document in (observing, right)]
    tap.ok("held flows: the 95th percentile of requests is 1.5 times lower", waits[0] >= 1.5 * waits[1], waits)
    again = [document["retransmits"] for document in (observing, right)]
    tap.ok("held flows: at most half of the segments are sent again", again[1] <= 0.5 * again[0] > 20, again)


def main():
    tap = Tap()
    lab = Lab()
    idle(tap, lab)
    arguments = ("load=0.4", "request_load=0.2", "request=20k", "duration=12ms", "settle=2ms", "rto_min=5ms")
    # The longest queue: packets of at least 66 bytes, and two that the NIC has.
    shallow = Run(lab, *arguments, "buffer=60k")
    busy(tap, shallow, "60 KB", 60_000 // 66 + 2)
    deep = Run(lab, *arguments, "buffer=250k", "host=fq_codel")
    busy(tap, deep, "250 KB", 250_000 // 66 + 2)
    tap.ok("a deeper buffer drops less", deep.document["drops"] < shallow.document["drops"],
           (deep.document["drops"], shallow.document["drops"]))
    qdiscs = {line for line in deep.script.splitlines() if line.endswith("tc qdisc add dev eth0 root fq_codel")}
    tap.ok("every sender has the configured qdisc", len(qdiscs) == HOSTS, qdiscs)
    counters = deep.document["sender_qdiscs"]
    tap.ok("and it says what it did", counters["packets"] > 0 and "new_flow_count" in counters, counters)
    measured(tap, lab)
    tap.end()


if __name__ == "__main__":
    main()
