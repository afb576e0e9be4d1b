# SPDX-License-Identifier: GPL-2.0
"""Senders that DCQCN paces (flowgen, cc=dcqcn), and the marking with a probability that they are made for.

Flows run over UDP and start at line rate; a receiver answers marked packets with notifications, at which the sender's
reaction point cuts the flow's rate. The hosts' qdisc is fq, which holds each burst until its time.
"""

from lab.host import results
from lab.host.keys import Key, choice, fraction, number, time
from lab.host.units import Refused

# Maximum size that the kernel accounts for a full packet: the buffer is meant in packets.
BUFFER_BYTES = 4096

# A burst leaves at its time.
HOST = "fq timer_slack 0"

# Nobody asks for a flow, it is sent.
TRIPS = (1, 1)

# How the ramp with ECN#'s persistent marking is distinguished from the ramp alone; the paper's constants of its simulations.
PERSISTENT = "pst_target 10us pst_interval 240us"

KEYS = [
    Key("kmin", "137us", time("0ns", "1s"), "ramp, ramp+pst: sojourn time up to which nothing is marked"),
    Key("kmax", "220us", time("1ns", "1s"), "ramp, ramp+pst: sojourn time above which everything is marked"),
    Key("pmax", "1", fraction(0.001, 1.001), "ramp, ramp+pst: probability of a mark at kmax, 0.001 to 1"),
    Key("rp", "paper", choice("paper", "ns3", "cloud"), "constants of the reaction point: paper, ns3, cloud "
        "(see flowgen(1))"),
    Key("burst", "8", number(1, 44), "most packets that a sender sends at once"),
]


def memory(p):
    """Arguments for an ecnsharp that holds the buffer's packets."""
    return f"memory_limit {min(max(p['buffer'] * BUFFER_BYTES, 65536), 2**31 - 1)} "     # the range that ecnsharp takes


def aqm(p):
    """The AQM's text: ramp and ramp+pst turned into arguments of tc, any other as it is."""
    if p["kmin"] > p["kmax"]:
        raise Refused("kmin: must not be above kmax")
    slope = f"ecnsharp {memory(p)}kmin {p['kmin']}ns kmax {p['kmax']}ns pmax {p['pmax'] / 10:g}%"
    return {"ramp": f"{slope} persistent off", "ramp+pst": f"{slope} {PERSISTENT}"}.get(p["aqm"], p["aqm"])


def arguments(p):
    """Settings of a group of flows."""
    return f" line={p['rate']} rp={p['rp']} burst={p['burst']}"


def figures(raw, flows):
    """The senders' own: the kernel's counters of TCP know nothing of these."""
    sized = [flow for flow in flows if flow.size and flow.fct_ns]
    return {
        "timeouts": sum(flow.timeouts for flow in flows),
        "retransmits": sum(flow.retrans for flow in flows),
        "cnps": results.read_summary(raw)["cnps"],
        # Results of all flows while they lasted.
        "mean_rate_mbps": results.quotient(sum(flow.size for flow in sized) * 8000, sum(flow.fct_ns for flow in sized)),
    }
