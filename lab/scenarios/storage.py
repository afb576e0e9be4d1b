# SPDX-License-Identifier: GPL-2.0
"""Computing beside storage: the On-Ramp paper's Fig. 17 and 27.

Two racks, each a leaf switch, joined by three spines. In the first are computing clients and storage clients, in the second
computing servers and storage servers. Links of the switches and of the storage servers have `uplink`, all others `rate`, so that with
the defaults 12 storage clients just ask for what the uplinks of the second rack carry, 300 Gbit/s.

Storage: each pair of storage clients reads from one storage server, each client over `connections`, as NVMe over TCP has several. Clients
begin one after the other in the first half of `settle`. A client always has another read waiting, so a connection is a long flow, and it
does not show where one read of the paper's 16 to 128 KB ends; what a client asks for is what its link carries. Computing: each computing
client asks a random server for `rpc` bytes, as Poisson arrivals of `rpc_load` of its link.

Storage servers have the qdisc `host` at their root and storage clients send OR-ACKs if that is onramp; computing hosts have fq and
know nothing of it. With `cc` both kinds of traffic have that congestion control; cc=dctcp wants an `aqm` that marks.

`rpc` is the latency of computing's requests that start after `settle`: its median is most requests', a SYN that is lost costs a second.
`storage_gbps` is what storage clients received after `settle`, frames and all. `drops`, `timeouts` and `retransmits` are of the whole run.
`tiers` are the queues from leaf to spine (`up`), from spine to leaf (`down`) and from leaf to host (`receiving`), where a storage client's
link is full whatever the network does. `utilisation` is the mean of the ports to all hosts, and without meaning here.
"""

import results
from keys import Key, fraction, number, rate, size, time
from racks import SHAPE, Racks
from scenarios import common
from units import Refused

SUMMARY = "latency of small requests while storage traffic fills the uplinks, 63 hosts in two racks (On-Ramp Fig. 17, 27)"
ROWS = ("S3-16",)
KEYS = [
    common.AQM,
    *common.keys(without=("aqm", "buffer", "workload", "load"), shape=SHAPE, cc="cubic", rate="25gbit", rtt="10us", duration="12ms",
                 conn="pool"),
    Key("uplink", "100gbit", rate("10mbit", "100gbit"), "rate of the links between switches, and of the storage servers'"),
    Key("buffer", "4mb", common.BUFFER.read, common.BUFFER.help),
    common.HOST,
    common.ACKER,
    Key("connections", "8", number(1, 100), "connections of each storage client, 1 to 100"),
    Key("rpc", "2kb", size("1b", "100mb"), "bytes of the answer that a computing client gets, 1b to 100mb"),
    Key("rpc_load", "0.01", fraction(0.001, 1), "what each of them asks for, a fraction of its link"),
    Key("settle", "5ms", time("0ns", "100s"), "how much of the beginning is not measured"),
]


class Setting(common.LeafSpineSetting):
    """Reads and remote procedure calls, from one rack by the other."""

    def __init__(self, p, seed):
        if p["settle"] >= p["duration"]:
            raise Refused("settle: must be shorter than the duration")
        super().__init__(common.tail_drop(p), Racks(p, seed))

    def host_qdisc(self, host):
        network = self.network
        return super().host_qdisc(host) if host in network.stores + network.readers else ["fq"]

    def window(self):
        return self.p["settle"], self.p["duration"]

    def groups(self):
        p, network = self.p, self.network
        period = p["rpc"] * 8 * 10**9 * 1000 // (len(network.clients) * p["rate"] * p["rpc_load"])
        yield (f"group rpc kind=query {self.ends(network.servers, network.clients)} conn={p['conn']} flows=1 pick=random lo={p['rpc']} "
               f"hi={p['rpc']} spacing=poisson period={max(1, period)}ns until={p['duration']}ns")
        for place, (store, reader) in enumerate(network.reads()):
            yield (f"group read-{reader} kind=long {self.ends([store], [reader])} flows={p['connections']} "
                   f"from={place * p['settle'] // (2 * len(network.readers))}ns until={p['duration']}ns")

    def classes(self, flows):
        """Storage's are endless, computing's all of one size."""
        return {}

    def more(self, raw, flows):
        ports = [results.read_port(raw, f"leaf1.to-{host}") for host in self.network.readers]
        start, end = self.window()
        return {
            "rpc": results.summarise_flows([flow for flow in flows if flow.group == "rpc" and flow.start_ns >= start]),
            "storage_gbps": results.quotient(8 * sum(port.head["departed_bytes"] for port in ports), end - start),
            **self.sent_again(raw),
            "tiers": self.tiers(raw),
            "sender_qdiscs": self.sum_qdiscs(raw, [end for end in self.network.sending if end[0] in self.network.stores]),
        }
