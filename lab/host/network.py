# SPDX-License-Identifier: GPL-2.0
"""Common parts of the topologies: hosts, their links to a switch, and base RTTs; written as lines of a topology script.

Every link has the same rate. The base RTT of a host is that of the flows it sends: the time of a minimal frame
to a receiver and of another back over the idle path, stored and forwarded at each switch, without jitter. All
links but the sender's are short; the sender's delay makes up the rest.
"""

from lab.host.clocks import Clocks
from lab.host.units import Refused, show_time, wire_ns

# Traffic starts here on the guest's clock: after every set-up, which takes it a few milliseconds.
EPOCH_NS = 1_000_000_000
MIN_FRAME = 60
SHORT_DELAY_NS = 1000
# Bytes of the largest GSO packet, as Linux has it.
GSO_MOST = 65536

# Memory of the whole guest: TCP must never run short of memory while there is some.
GLOBAL_SYSCTLS = {
    "net.ipv4.tcp_mem": "1000000000 1000000000 1000000000",
}

# Windows must never limit a flow, closed connections must not use up the ports, and no connection
# inherits another's measurements.
HOST_SYSCTLS = {
    "net.ipv4.tcp_rmem": "4096 6291456 134217728",
    "net.ipv4.tcp_wmem": "4096 4194304 134217728",
    "net.ipv4.tcp_ecn": "1",
    "net.ipv4.tcp_no_metrics_save": "1",
    "net.ipv4.tcp_tw_reuse": "1",
    "net.ipv4.tcp_max_syn_backlog": "16384",
    "net.core.somaxconn": "16384",
    "net.ipv4.ip_local_port_range": "1025 65535",
}


def fixed_rtt_ns(rates_bps, rx_ns):
    """Time on the wire alone: a frame a link there and back, the short links, both hosts' coalescing."""
    return 2 * sum(wire_ns(MIN_FRAME, rate) for rate in rates_bps) + 2 * (len(rates_bps) - 1) * SHORT_DELAY_NS + 2 * rx_ns


def sender_delays(rtts_ns, rates_bps, rx_ns):
    """Propagation delay of each sender's link for its base RTT over links of these rates, its own the first, ns."""
    fixed = fixed_rtt_ns(rates_bps, rx_ns)
    for rtt in rtts_ns:
        if rtt < fixed:
            raise Refused(f"rtt: {show_time(rtt)} is below the wire's {show_time(fixed)}")
    return [(rtt - fixed) // 2 for rtt in rtts_ns]


class Network:
    """Interface of a topology for scenarios; each topology defines how it is built.

    hosts       names, each a namespace
    ports       of the switches: name -> (namespace, interface)
    aqm_ports   names of those with the AQM, which are also those of their results
    receiving   names of those to hosts that receive data
    sending     (host, interface) of each by which data leaves
    receivers   (host, interface) of each by which data comes; where hosts have qdiscs of the user's
    """

    def __init__(self, p, seed):
        self.p = p
        self.seed = seed
        self.clocks = Clocks(p, seed)

    def address(self, host):
        """By which a host is known to those that ask it for data."""
        raise NotImplementedError

    def sink(self, _host):
        """Where what a host is sent unasked comes to it, if that is another address."""
        return None

    def rtt_of(self, host):
        """Base RTT of the flows that a host sends, ns."""
        raise NotImplementedError

    def addresses(self, host):
        """All that a host has."""
        return [self.address(host)]

    def path_rtt(self, sender, _receiver):
        """Base RTT between two hosts, ns: the sender's, where the links of receivers are short."""
        return self.rtt_of(sender)

    def port(self, text):
        """(namespace, interface) of a port by its name, or by its interface's where there is one of that name."""
        found = [self.ports[text]] if text in self.ports else [port for port in self.ports.values() if port[1] == text]
        if len(found) != 1:
            raise Refused(f"there is no port '{text}'; ports are {', '.join(list(self.ports)[-4:])} and others")
        return found[0]

    def guest(self):
        """Lines that are the same for every topology."""
        for key, value in GLOBAL_SYSCTLS.items():
            yield f"sysctl - {key} {value}"

    def host(self, name):
        """A namespace with what its connections need."""
        yield f"ns {name}"
        for key, value in HOST_SYSCTLS.items():
            yield f"sysctl {name} {key} {value}"
        yield f"sysctl {name} net.ipv4.tcp_rto_min_us {self.p['rto_min'] // 1000}"
        yield from self.clocks.host(name)

    def host_keys(self):
        """Further keys of the links of hosts."""
        return {}

    def host_link(self, name, interface, switch, port, number, delay_ns, rate_bps=None, mac=None):
        """The link of a host's interface to a switch's port; number, unique among them, seeds the jitter; rate= if not its own."""
        p = self.p
        keys = {
            "rate": rate_bps or p["rate"], "delay": delay_ns,
            "a.profile": "host", "b.profile": "switch",
            "a.jitter": p["jitter"], "a.rx_ns": p["coalesce"],
            "a.seed": self.seed * 1000 + number,
            "a.tso": int(p["gso"] == "on"), "a.gso": int(p["gso"] == "on"),
            **self.clocks.card_keys(),
            **self.host_keys(),
            **({"a.mac": mac} if mac else {}),
        }
        options = " ".join(f"{key}={value}" for key, value in keys.items())
        yield f"link {name} {interface} {switch} {port} {options}"
        if p["gso_size"] != GSO_MOST:
            yield f"exec {name} ip link set dev {interface} gso_max_size {p['gso_size']}"
        yield from self.clocks.nic(name, interface)

    def host_route(self, name, prefix, gateway, interface):
        """A host's route, with what Linux lets a route say of its connections where it differs from the default."""
        fields = [f"route {name} {prefix} via {gateway} dev {interface}"]
        if self.p["initcwnd"] != 10:
            fields.append(f"initcwnd={self.p['initcwnd']}")
        if self.p["delack"] == "off":
            fields.append("quickack=1")
        yield " ".join(fields)
