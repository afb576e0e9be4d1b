# SPDX-License-Identifier: GPL-2.0
"""The star: N senders, a switch, one receiver; written as a plan for the stage.

        s1 ---+
        s2 ---+--- sw ===[qdisc]=== r1
        ...   |
        sN ---+

Every link has the same rate. The receiver's link is short; a sender's delay makes up its base RTT, which
is the time of a minimal frame there and another back, both stored and forwarded once, without jitter.
"""

from units import Refused, show_time, wire_ns

# Traffic starts here on the guest's clock: after every set-up, which takes it a few milliseconds.
EPOCH_NS = 1_000_000_000
MIN_FRAME = 60
RECEIVER_DELAY_NS = 1000

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


def fixed_rtt_ns(rate_bps, rx_ns):
    """What the wire alone needs: four frames, the receiver's link, both hosts' coalescing."""
    return 4 * wire_ns(MIN_FRAME, rate_bps) + 2 * RECEIVER_DELAY_NS + 2 * rx_ns


def sender_delays(rtts_ns, rate_bps, rx_ns):
    """Propagation delay of each sender's link for its base RTT, ns."""
    fixed = fixed_rtt_ns(rate_bps, rx_ns)
    for rtt in rtts_ns:
        if rtt < fixed:
            raise Refused(f"rtt: {show_time(rtt)} is below the wire's {show_time(fixed)}")
    return [(rtt - fixed) // 2 for rtt in rtts_ns]


def _address(index, end):
    """Of link number index: end 0 is the switch's, 1 the host's; a /31 each."""
    number = 2 * index + end
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


class Star:
    """A star for a set of parameters; plan() gives its lines."""

    def __init__(self, p, seed):
        self.p = p
        self.seed = seed
        self.senders = [f"s{i + 1}" for i in range(p["senders"])]
        self.receiver = "r1"
        self.rtts_ns = p["rtt"](len(self.senders))
        self.delays_ns = sender_delays(self.rtts_ns, p["rate"], p["coalesce"])
        self.hosts = self.senders + [self.receiver]
        self.bottleneck = ("sw", f"to-{self.receiver}")

    def address(self, host):
        return _address(self.hosts.index(host) + 1, 1)

    def rtt_of(self, host):
        return self.rtts_ns[self.senders.index(host)]

    def _link(self, index, host, delay_ns):
        p = self.p
        keys = {
            "rate": p["rate"], "delay": delay_ns,
            "a.profile": "host", "b.profile": "switch",
            "a.jitter": p["jitter"], "a.rx_ns": p["coalesce"],
            "a.seed": self.seed * 1000 + index,
            "a.tso": int(p["gso"] == "on"), "a.gso": int(p["gso"] == "on"),
        }
        words = " ".join(f"{key}={value}" for key, value in keys.items())
        yield f"link {host} eth0 sw to-{host} {words}"
        yield f"addr {host} eth0 {_address(index, 1)}/31"
        yield f"addr sw to-{host} {_address(index, 0)}/31"
        yield f"route {host} 0.0.0.0/0 via {_address(index, 0)} dev eth0"
        options = self._route_options()
        if options:
            yield f"exec {host} ip route change default via {_address(index, 0)} dev eth0 {options}"

    def _route_options(self):
        """What Linux lets a route say of its connections, where it differs from the default."""
        words = []
        if self.p["initcwnd"] != 10:
            words.append(f"initcwnd {self.p['initcwnd']}")
        if self.p["delack"] == "off":
            words.append("quickack 1")
        return " ".join(words)

    def plan(self):
        p = self.p
        yield "ns sw"
        yield "sysctl sw net.ipv4.ip_forward 1"
        for host in self.hosts:
            yield f"ns {host}"
            for key, value in HOST_SYSCTLS.items():
                yield f"sysctl {host} {key} {value}"
            yield f"sysctl {host} net.ipv4.tcp_rto_min_us {p['rto_min'] // 1000}"
        for index, host in enumerate(self.hosts, 1):
            delay = RECEIVER_DELAY_NS if host == self.receiver else self.delays_ns[index - 1]
            yield from self._link(index, host, delay)
