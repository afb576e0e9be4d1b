# SPDX-License-Identifier: GPL-2.0
"""Common parts of scenarios of a LAN whose ports lose nothing, or little: keys, and results of ports and flows.

Rates are those on the wire, with all headers, preamble and gap, as the paper has them.
"""

import os

from lab.experiments.shared import settings as common
from lab.host import aqm, onramp, results
from lab.host.keys import Key, choice, number, time, tc_text
from lab.host.lan import PAUSE, Lan
from lab.host.units import Refused

# Wire bytes and payload of a full frame, of UDP here as of TCP.
WIRE, PAYLOAD = 1538, 1448
WITHOUT = ("aqm", "cc", "workload", "load", "rtt", "conn", "buffer")

# The paper's input buffer and set point (section III); its other constants are those of 802.1Qau, whose set point is 26 KB.
BUFFER = "buffer 150kb pause input xoff 110kb xon 44kb"
PORTS = {
    "lossy": "cp law none buffer 150kb",
    "pause": f"cp law none {BUFFER}",
    "cnm-output": f"cp law qcn at output qeq 60kb {BUFFER}",
    "cnm-standard": f"cp law qcn at output {BUFFER}",
    "cnm-arrival": f"cp law qcn at input sample arrival qeq 60kb {BUFFER}",
    "cnm-largest": f"cp law qcn at input sample largest qeq 60kb {BUFFER}",
    "cnm-random": f"cp law qcn at input sample random qeq 60kb {BUFFER}",
    "ecn-output": f"cp law step k 26kb at output signal ecn {BUFFER}",
    "ecn-arrival": f"cp law step k 60kb at input sample arrival signal ecn {BUFFER}",
    "ecn-largest": f"cp law step k 60kb at input sample largest signal ecn {BUFFER}",
    "ecn-random": f"cp law step k 60kb at input sample random signal ecn {BUFFER}",
    # FECN's constants are its paper's; the buffer is none of those ports.
    "fecn": "cp law fecn qeq 24000b buffer 32mb",
}

# Senders' qdiscs: fair queueing, and the same with the reaction point of 802.1Qau.
FQ = "fq limit 100000 flow_limit 10000"
# A reaction point's packet leaves when the timer has fired, and the next one's time follows from that: with the default slack of
# 10 us no flow that was cut exceeds about 2 Gbit/s.
RP = "onramp limit 100000 flow_limit 10000 timer_slack 0ns mode off rp qcn"
# That of FECN, which receivers need, too.
RP_FECN = "onramp limit 100000 flow_limit 10000 timer_slack 0ns mode off rp fecn rd_initial 200mbit"


def port(text):
    """A name of PORTS with options that follow it, or a qdisc in tc's syntax."""
    first, *rest = tc_text(text).split()
    return " ".join([PORTS.get(first, first), *rest])


def keys(**defaults):
    """The keys of every such scenario, with its own defaults."""
    pause = Key(PAUSE.name, defaults.pop("pause", PAUSE.default), PAUSE.read, PAUSE.help)
    own = (
        Key("aqm", defaults.pop("aqm", "pause"), port, f"qdisc of the bridge's ports: {', '.join(PORTS)}, options may follow; or any in tc's syntax"),
        Key("host", defaults.pop("host", FQ), tc_text, "qdisc at the root of the hosts that send data, in tc's syntax"),
        common.ACKER,
        pause,
        Key("delay", "1us", time("0ns", "1ms"), "propagation of each link"),
        Key("buffer", "2000", number(1, 1000000), "packets that a port's qdisc may hold if it has no limit"),
        Key("step", "5ms", time("100us", "10s"), "from one point of the series to the next"),
    )
    return [*own, *common.keys(without=WITHOUT, shape=(), **{"duration": "300ms", "gso": "off", **defaults})]


class LanSetting(common.Setting):
    """Groups of one flow each around a bridge, and windows in which their rates are measured."""

    aqm_setup = aqm.TESTBED

    def __init__(self, p, network):
        if p["pause"] == "on" and p["gso"] == "on":
            raise Refused("gso: on needs pause=off: what PAUSE holds must be frame by frame")
        if p["step"] > p["duration"]:
            raise Refused("step: must not be longer than the duration")
        super().__init__(p, network)
        self.series_ns = min(p["step"], 1_000_000)

    def on_ramps(self, ends):
        """Those whose qdisc measures delays; where it is a reaction point alone no receiver acknowledges."""
        return [(host, port) for host, port in super().on_ramps(ends) if onramp.measures(self.host_qdisc(host))]

    def windows(self):
        """[(start, end), ...] in ns after the epoch."""
        raise NotImplementedError

    def long(self, name, sender, receiver, more, start=0, end=None):
        """A group of one endless flow."""
        return (f"group {name} kind=long senders={sender} receivers={receiver} {more} from={start}ns "
                f"until={end or self.p['duration']}ns")

    def results(self, raw, summary):
        series = results.read_series(os.path.join(raw, "series.csv"))
        ports = {name.removeprefix("to-"): self.port(raw, name) for name in self.network.aqm_ports}
        return {
            "virtual_seconds": results.read_seconds(raw),
            "unfinished": summary["unfinished"] + summary["failed"],
            "rates_gbps": {name: [self.rate(points, *window) for window in self.windows()] for name, points in series.items()},
            "offered": {group["name"]: self.offered(group) for group in summary["groups"] if "offered_bytes" in group},
            "drops": sum(found["drops"] for found in ports.values()),
            "ports": ports,
            "senders": {host: self.held(raw, host) for host, _ in self.qdisc_ports()},
            "series": {name: [[results.quotient(at, 10**6), self.rate(points, at - self.p["step"], at)]
                              for at in range(self.p["step"], self.p["duration"] + 1, self.p["step"])] for name, points in series.items()},
            **self.more(raw, []),
        }

    def port(self, raw, name):
        """Counters of a port; paused is the share of the time in which its neighbour was."""
        found = results.root(results.read_qdisc(os.path.join(raw, f"{name}.tc.json")))
        return {
            "paused": results.quotient(found.get("pausing_ns", 0), self.p["duration"], 4),
            **{key: found.get(key, 0) for key in ("cnms", "cnm_tx", "marks", "verdicts", "ce_seen", "nonect_seen", "buffer_max_bytes", "q_max_bytes",
                                                  "drop_buffer", "drop_limit", "drops")},
        }

    def held(self, raw, host):
        """Share of the time in which PAUSE held a host's MAC, and packets that its qdisc dropped."""
        with open(os.path.join(raw, f"{common.HOST_PREFIX}{host}.ethtool"), encoding="ascii") as file:
            counters = {name: int(value) for name, value in map(str.split, file)}
        found = results.root(results.read_qdisc(os.path.join(raw, f"{common.HOST_PREFIX}{host}.tc.json")))
        return {"held": results.quotient(counters["tx_held_ns"], self.p["duration"], 4), "drops": found.get("drops", 0)}

    def offered(self, group):
        """Rates of a flow at a constant rate, Gbit/s over the duration: as offered, and as accepted by the host; payload as it is on the wire."""
        return [self.wire(group[name], self.p["duration"]) for name in ("offered_bytes", "accepted_bytes")]

    def rate(self, points, start, end):
        return self.wire(results.received(points, start, end), end - start)

    @staticmethod
    def wire(size, ns):
        return results.quotient(8 * size * WIRE, PAYLOAD * ns)


def on_off(name, default, what):
    return Key(name, default, choice("on", "off"), f"{what}: on, off")


def lan(p, seed, senders, receivers, rates=None, two=False):
    """The LAN; receivers have the hosts' qdisc, too, where that answers requests for a rate."""
    return Lan(p, seed, senders, receivers, rates, two, "rp fecn" in p["host"])
