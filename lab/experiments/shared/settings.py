# SPDX-License-Identifier: GPL-2.0
"""Common parts of scenarios: keys, the AQM's ports, and how results are read; and those of the star."""

import os
from dataclasses import dataclass

from lab.host import aqm, clocks, delays, onramp, results, rtt
from lab.host.artifacts import ROOT
from lab.host.keys import Key, choice, fraction, number, rate, size, time, user_file, tc_text, tc_arguments
from lab.host.network import GSO_MOST
from lab.host.star import SHAPE, Star
from lab.host.units import Refused

WORKLOADS = os.path.join(ROOT, "lab/traffic/cdf")

# Results of a host's own qdisc.
HOST_PREFIX = "host-"

READING = "websearch, datamining, fbhadoop, alistorage or a FILE with lines 'BYTES CUMULATIVE_PROBABILITY'"


@dataclass(frozen=True)
class Workload:
    """A distribution of flow sizes."""

    source: str         # file that has it
    path: str = None    # the same if it is the user's


def workload(text):
    """One that we ship, or a file of the user's."""
    if f"{text}.cdf" in os.listdir(WORKLOADS):
        return Workload(os.path.join(WORKLOADS, f"{text}.cdf"))
    path = user_file(text)
    if not path:
        raise Refused(f"'{text}' is neither a workload nor a file ({READING})")
    return Workload(path, path)


HOST = Key("host", "fq", tc_text, "qdisc of the hosts that send data, at the root, in tc's syntax: fq, fq_codel, "
           "'fq flow_limit 200', 'onramp mode hold threshold 30us clock system error 1us' (all hosts then ack what they receive)")
ACKER = Key("acker", "", tc_arguments, "receivers' settings with onramp, as for 'onrampctl acker set': 'every 10 delay 20us'; empty: "
            "as they are")


# Tail drop at the switch's ports, in bytes, as switches are specified.
AQM = Key("aqm", "tail-drop", tc_text, "qdisc at the switch's ports: tail-drop at the buffer, or what the other scenarios take "
          "(red-tail, ecnsharp ... for cc=dctcp)")
BUFFER = Key("buffer", "1m", size("15k", "1g"), "bytes that such a port may hold, 15k to 1g")


def tail_drop(p):
    """The keys with the buffer turned into what Setting wants: packets, and a qdisc for tail-drop."""
    known = {"tail-drop": f"bfifo limit {p['buffer']}"}
    return {**p, "aqm": known.get(p["aqm"], p["aqm"]), "buffer": max(1, p["buffer"] // aqm.FRAME)}


def keys(without=(), shape=SHAPE, **defaults):
    """The common keys but for some, and those of a topology's shape, with a scenario's own defaults."""
    table = [
        Key("aqm", "ecnsharp", tc_text, "qdisc at the bottleneck: ecnsharp, tcn, pst-only, red-tail, red-avg, codel, "
            "codel-ce, fq_codel, pfifo, or any in tc's syntax, such as aqm='ecnsharp pst_target 50us'"),
        Key("cc", "dctcp", choice("dctcp", "cubic", "reno", "bbr"), "congestion control: dctcp, cubic, reno, bbr"),
        Key("workload", "websearch", workload, READING),
        Key("load", "0.7", fraction(0.001, 1), "offered load, a fraction of the bottleneck's rate below 1"),
        *shape,
        Key("rate", "10gbit", rate("10mbit", "100gbit"), "rate of every link"),
        Key("rtt", "70us-210us", rtt.read, "base RTTs of the senders: " + rtt.HELP),
        Key("buffer", "2000", number(1, 1000000), "packets that the bottleneck's qdisc may hold"),
        Key("duration", "1s", time("1ms", "1000s"), "virtual time in which flows arrive"),
        Key("gso", "on", choice("on", "off"), "TSO and GSO at the hosts' NICs; TCP makes GSO packets in any case, which are split before an NIC without"),
        Key("gso_size", f"{GSO_MOST}b", size("4096b", f"{GSO_MOST}b"), "bytes of the largest GSO packet that TCP makes, 4096b to 65536b"),
        Key("conn", "new", choice("new", "pool"), "a connection for each flow, or from a pool"),
        Key("rto_min", "5ms", time("1ms", "10s"), "least retransmission timeout"),
        Key("initcwnd", "10", number(1, 1000), "initial window in segments"),
        Key("delack", "on", choice("on", "off"), "delayed acknowledgements"),
        Key("dctcp_shift_g", "4", number(0, 10), "DCTCP's gain: g = 1/2^N"),
        Key("jitter", "2us", time("0ns", "1ms"), "most a host's wakeup is late, uniformly from 0"),
        Key("coalesce", "0ns", time("0ns", "1ms"), "interrupt coalescing of the hosts' receive side"),
        *clocks.KEYS,
    ]
    unknown = {*defaults, *without} - {key.name for key in table}
    assert not unknown, unknown
    return [Key(key.name, defaults.get(key.name, key.default), key.read, key.help) for key in table
            if key.name not in without]


class Setting:
    """A network with an AQM at some of its ports; scenarios say what traffic it carries."""

    memory = "1G"
    aqm_setup = aqm.TESTBED
    programs = ()       # of this project, in addition to those of all guests
    published = False   # whether a common time is published to hosts
    trace_ns = 0        # least time between samples of a queue's trace, 0 for none
    delays_thin = delays.THIN   # one of so many of On-Ramp's delays is recorded
    series_ns = None    # from one point to the next of what each group received
    trips = results.TCP_TRIPS

    def __init__(self, p, network):
        self.p = p
        self.network = network
        self.qdisc = aqm.spec(p["aqm"], self.aqm_setup, p["buffer"])

    def qdiscs(self):
        """Arguments of tc for qdiscs: key -> a list; the modules that a run needs follow from them."""
        return {"aqm": self.qdisc, "host": self.p.get("host", "").split()}

    def host_qdisc(self, _host):
        """Arguments of tc for the qdisc at a host's root, a list; none: it is left to the kernel."""
        return self.qdiscs()["host"]

    def on_ramps(self, ends):
        """Those of (host, interface) pairs whose host has On-Ramp's qdisc."""
        return [(host, port) for host, port in ends if onramp.is_onramp(self.host_qdisc(host))]

    def kernel_args(self):
        """Arguments for the guest's kernel command line."""
        shift = self.p["dctcp_shift_g"]
        return () if shift == 4 else (f"tcp_dctcp.dctcp_shift_g={shift}",)

    # Measured times, ns after the epoch.
    def window(self):
        return 0, self.p["duration"]

    def groups(self):
        raise NotImplementedError

    def tc(self, port):
        """Commands of tc for an interface with the AQM, one a line."""
        yield f"qdisc add dev {port} root handle 1: {' '.join(self.qdisc)}"

    def aqm_ports(self):
        """(name, (namespace, interface)) of each port with the AQM."""
        return [(name, self.network.ports[name]) for name in self.network.aqm_ports]

    def script(self):
        yield from self.network.script()
        for _, (netns, port) in self.aqm_ports():
            yield from (f"exec {netns} tc {tc_arguments}" for tc_arguments in self.tc(port))
        for host, port in self.qdisc_ports():
            yield f"exec {host} tc qdisc add dev {port} root {' '.join(self.host_qdisc(host))}"
        for host, port in self.on_ramps(self.network.receivers):
            yield from onramp.receiver(host, port, self.host_qdisc(host), self.p["acker"], self.published)
        if self.measures():
            yield from delays.note(self.own_clocks())
            yield from delays.begin(self.delays_thin)

    def qdisc_ports(self):
        """(host, interface) of each whose qdisc the user chose."""
        return [(host, port) for host, port in self.network.sending if self.host_qdisc(host)]

    def measures(self):
        """Whether some host's qdisc is On-Ramp's, and measures delays."""
        return any(onramp.measures(self.host_qdisc(host)) for host, _ in self.network.sending)

    def own_clocks(self):
        """Hosts whose clocks are not true."""
        return [host for host in self.network.hosts if host in self.network.clocks.used]

    def sample_ns(self):
        """Least time between samples of a trace, longer where the window's would find no space."""
        start, end = self.window()
        return self.trace_ns and max(self.trace_ns, -(-(end - start) // (results.TRACE_MAX - 1)))

    def watches(self):
        start, end = self.window()
        for _, (netns, port) in self.aqm_ports():
            yield f"watch {netns} {port} from={start} until={end} sample={self.sample_ns()}"

    def collects(self):
        for name, (netns, port) in self.aqm_ports():
            yield f"collect {netns} {port} {name}"
        yield from (f"collect {host} {port} {HOST_PREFIX}{host}" for host, port in self.qdisc_ports())
        if self.measures():
            yield from onramp.count(host for host, _ in self.on_ramps(self.network.receivers))
            yield from delays.note(self.own_clocks())
            yield from delays.end()

    def files(self):
        """Files that the traffic tool reads in the run folder: name -> path."""
        return {"workload.cdf": self.p["workload"].source} if "workload" in self.p else {}

    def traffic(self):
        for host in self.network.hosts:
            sink = self.network.sink(host)
            yield f"host {host} addr={self.network.address(host)}{f' sink={sink}' if sink else ''} netns={host}"
        yield from self.groups()

    def ends(self, senders, receivers):
        """Settings that every group of flows has."""
        return f"senders={','.join(senders)} receivers={','.join(receivers)} cc={self.p['cc']}"

    def arrivals(self, name, ends, rate_bps, until_ns=None):
        """A group of Poisson arrivals whose load is relative to rate_bps."""
        p = self.p
        return (f"group {name} kind=poisson {ends} conn={p['conn']} cdf=workload.cdf "
                f"rate={rate_bps} load={p['load'] / 1000:.3f} until={until_ns or p['duration']}ns")

    def flows(self, raw):
        return results.read_flows(os.path.join(raw, "flows.csv"), self.network.path_rtt, self.p["rate"], self.trips)

    def results(self, raw, summary):
        flows = self.flows(raw)
        ports = {name: results.read_port(raw, name) for name in self.network.aqm_ports}
        start, end = self.window()
        total = {name: results.sum_netstat(raw, self.network.hosts, name)
                 for name in ("TcpExtTCPTimeouts", "TcpRetransSegs", "IpExtInCEPkts")}
        receiving = [ports[name] for name in self.network.receiving]
        return {
            "virtual_seconds": results.read_seconds(raw),
            "unfinished": summary["unfinished"] + summary["failed"],
            "flows": self.classes(flows),
            "queue": results.summarise_queue(ports.values()),
            "drops": sum(port.drops for port in ports.values()),
            "ce_marks": total["IpExtInCEPkts"],
            "timeouts": total["TcpExtTCPTimeouts"],
            "retransmits": total["TcpRetransSegs"],
            "utilisation": results.utilisation(receiving, self.p["rate"], end - start),
            **({"clocks": self.network.clocks.used} if self.network.clocks.used else {}),
            **self.more(raw, flows),
            **(self.on_ramp(raw, flows) if self.measures() else {}),
        }

    def on_ramp(self, raw, flows):
        """Holds of On-Ramp, and the errors of the delays that senders used; unknown if clocks were stepped."""
        held = self.sum_qdiscs(raw, self.on_ramps(self.network.sending))
        receivers = {host for host, _ in self.on_ramps(self.network.receivers)}
        counted = {"holds": onramp.holds(held), "or_acks": onramp.or_acks(raw, sum(flow.bytes for flow in flows if flow.receiver in receivers))}
        if self.p["clock_step"]:
            return counted
        return {**counted, "owd_error": delays.summary(delays.errors(delays.read(raw), delays.clocks(raw, self.network)))}

    def classes(self, flows):
        """Statistics of flows by their size."""
        return results.classes(flows)

    def sender_qdiscs(self, raw):
        """Counters of the senders' own qdiscs, summed up."""
        return self.sum_qdiscs(raw, self.network.sending)

    @staticmethod
    def sum_qdiscs(raw, ends):
        """Counters of the qdiscs of some (host, interface) pairs, summed up."""
        return results.sum_qdiscs(os.path.join(raw, f"{HOST_PREFIX}{host}.tc.json") for host, _ in ends)

    def sent_again(self, raw):
        """How much of what the hosts sent they had sent before; loss probes are no timeouts, but wait as long for short flows."""
        total = {name: results.sum_netstat(raw, self.network.hosts, name)
                 for name in ("TcpOutSegs", "TcpRetransSegs", "TcpExtTCPLossProbes")}
        return {
            "segments": total["TcpOutSegs"],
            "retransmit_percent": results.quotient(100 * total["TcpRetransSegs"], total["TcpOutSegs"], 4),
            "loss_probes": total["TcpExtTCPLossProbes"],
        }

    def more(self, raw, flows):
        """Results that a scenario adds to the common ones."""
        return {}


class LeafSpineSetting(Setting):
    """A leaf-spine network with the AQM at all ports that carry data."""

    memory = "4G"

    def tiers(self, raw):
        """Results of the ports from leaf to spine, from spine to leaf, and from leaf to host."""
        network, (start, end) = self.network, self.window()
        found = {}
        for tier, names in (("up", network.up), ("down", network.down), ("receiving", network.receiving)):
            ports = [results.read_port(raw, name) for name in names]
            rate = self.p["rate"] if tier == "receiving" else network.uplink_bps()
            found[tier] = {
                "queue": results.summarise_queue(ports),
                "drops": sum(port.drops for port in ports),
                "utilisation": results.utilisation(ports, rate, end - start),
            }
        return found


class StarSetting(Setting):
    """A star with the AQM at its bottleneck."""

    trace_ns = 10_000

    def __init__(self, p, seed):
        super().__init__(p, Star(p, seed))
        self.star = self.network

    def common(self):
        """Settings that every group of flows shares."""
        return self.ends(self.star.senders, [self.star.receiver])

    def poisson(self, name="load", until_ns=None):
        return self.arrivals(name, self.common(), self.p["rate"], until_ns)
