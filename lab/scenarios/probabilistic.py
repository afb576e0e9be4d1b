# SPDX-License-Identifier: GPL-2.0
"""ECN# with probabilistic marking, for senders that DCQCN paces: the ECN# paper's Fig. 21.

Flows run over UDP and start at line rate; a receiver answers marked packets with notifications, at which the
sender's DCQCN reaction point cuts the flow's rate (flowgen, cc=dcqcn; the hosts' qdisc is fq, which holds each
burst until its time). There is no PAUSE: the buffer is deep, so that nothing is lost. What is lost nevertheless
(drops) is sent again; but lost packets bring no marks, and a full buffer stays full for long: see that drops is 0.

aqm=ramp marks with a probability that grows from 0 at kmin to pmax at kmax, and everything above: DCQCN's own
marking, in time instead of length. aqm=ramp+pst adds ECN#'s persistent marking to it, with the constants of
the paper's simulations (target 10us, interval 240us). The paper says of the ramp that it is "derived based on
high percentile RTTs" and goes from probability 0 to 1: kmax is the 90th percentile of the base RTTs, 220us
(275 KB), kmin the mean, 137us, and pmax 1. The DCQCN paper's own, scaled by nothing: kmin=4us kmax=160us
pmax=0.01.
"""

import aqm
import results
from keys import Key, choice, fraction, number, time, word
from scenarios.common import StarSetting, keys
from units import Refused

SUMMARY = "DCQCN senders, probabilistic marking without and with persistent marking (ECN# Fig. 21)"
ROWS = ("S0-21",)

# What the kernel reckons a full packet at, at most: the buffer is meant in packets.
BUFFER_BYTES = 4096

# What TCP alone has; the setting wants values nevertheless.
TCP = {"cc": "dcqcn", "conn": "new", "dctcp_shift_g": 4, "rto_min": 5_000_000, "initcwnd": 10, "delack": "on", "gso": "on"}
KEYS = [
    Key("aqm", "ramp+pst", word, "qdisc at the bottleneck: ramp, ramp+pst, or what the other scenarios take"),
    *keys(without=("aqm", *TCP), rtt="80us-240us", buffer="40000"),
    Key("kmin", "137us", time("0ns", "1s"), "ramp, ramp+pst: sojourn time up to which nothing is marked"),
    Key("kmax", "220us", time("1ns", "1s"), "ramp, ramp+pst: sojourn time above which everything is marked"),
    Key("pmax", "1", fraction(0.001, 1.001), "ramp, ramp+pst: probability of a mark at kmax, 0.001 to 1"),
    Key("rp", "paper", choice("paper", "ns3", "cloud"), "constants of the reaction point: paper, ns3, cloud "
        "(see flowgen(1))"),
    Key("burst", "8", number(1, 44), "most packets that a sender sends at once"),
    Key("long", "0", number(0, 1024), "flows that last the whole duration"),
]


def ramp(p):
    """The ramp, and the same with persistent marking."""
    memory = min(max(p["buffer"] * BUFFER_BYTES, 65536), 2**31 - 1)     # the range that ecnsharp takes
    slope = f"ecnsharp memory_limit {memory} kmin {p['kmin']}ns kmax {p['kmax']}ns pmax {p['pmax'] / 10:g}%"
    return {"ramp": f"{slope} persistent off", "ramp+pst": f"{slope} pst_target 10us pst_interval 240us"}


class Setting(StarSetting):
    """Poisson arrivals of paced flows, and long ones beside them."""

    aqm_setup = aqm.SIMULATION
    trips = (1, 1)      # nobody asks for a flow, it is sent

    def __init__(self, p, seed):
        if p["kmin"] > p["kmax"]:
            raise Refused("kmin: must not be above kmax")
        # A burst leaves at its time.
        super().__init__({**p, **TCP, "host": "fq timer_slack 0", "aqm": ramp(p).get(p["aqm"], p["aqm"])}, seed)

    def paced(self):
        p = self.p
        return f"line={p['rate']} rp={p['rp']} burst={p['burst']}"

    def groups(self):
        p = self.p
        yield f"{self.poisson()} {self.paced()}"
        if p["long"]:
            yield (f"group long kind=long {self.common()} {self.paced()} flows={p['long']} "
                   f"until={p['duration']}ns")

    def more(self, raw, flows):
        p = self.p
        sized = [flow for flow in flows if flow.size and flow.fct_ns]
        long = [flow for flow in flows if flow.group == "long"]
        return {
            # The kernel's counters of TCP know nothing of these.
            "timeouts": sum(flow.timeouts for flow in flows),
            "retransmits": sum(flow.retrans for flow in flows),
            "cnps": results.read_summary(raw)["cnps"],
            # Of all flows while they lasted, and of each long one.
            "mean_rate_mbps": results.quotient(sum(flow.size for flow in sized) * 8000,
                                               sum(flow.fct_ns for flow in sized)),
            "long_rates_mbps": [results.quotient(flow.bytes * 8000, p["duration"]) for flow in long],
        }
