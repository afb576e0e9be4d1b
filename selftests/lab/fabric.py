#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The leaf-spine network is what it says: two leaves of two hosts, two spines.

Base RTTs are those of the senders, all spines are used, what goes up comes down, and every packet that a host
sends is received or dropped for a cause that was counted.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), ROOT]
# pylint: disable=wrong-import-position
from lab.host import accounting
from lab.host import results
from lab.host.artifacts import Lab
from lab.trials import Trial
from tap import Tap

SMALL = ("leaves=2", "hosts=2", "spines=2")
US = 1000


class Run:
    """One run, with the accounting of all ports."""

    def __init__(self, lab, *arguments, network_seed=1):
        trial = Trial("fabric", (*SMALL, *arguments), 1)
        self.network = trial.setting.network
        self.network.seed = network_seed
        with tempfile.TemporaryDirectory() as folder:
            self.document = trial.run(lab, folder=folder)
            raw = os.path.join(folder, "result")
            self.accounting = accounting.read(raw)
            self.flows = results.read_rows(os.path.join(raw, "flows.csv"))

    def counter(self, name, netns, interface):
        return self.accounting[netns, interface].counters[name]

    def sum(self, name, ports):
        return sum(self.counter(name, *self.network.ports[port]) for port in ports)


def idle(tap, lab):
    """Flows of one packet, few at a time."""
    with tempfile.NamedTemporaryFile("w", suffix=".cdf") as sizes:
        sizes.write("400 0\n1400 1\n")
        sizes.flush()
        run = Run(lab, f"workload={sizes.name}", "load=0.001", "jitter=0ns", "duration=20ms", "rtt=90us,200us")
    base = {host: run.network.rtt_of(host) // US for host in run.network.hosts}
    tap.ok("idle: the RTTs are as configured", sorted(base.values()) == [90, 90, 200, 200], base)
    measured = {(flow["sender"], int(flow["min_rtt_us"])) for flow in run.flows}
    tap.ok("idle: all hosts send", {sender for sender, _ in measured} == set(base), measured)
    tap.ok("idle: every flow's RTT is its sender's", all(abs(rtt - base[sender]) <= 1 for sender, rtt in measured), measured)
    # A handshake and a request, and the frames of up to 1466 bytes over four links.
    spent = [(int(flow["fct_ns"]) / US - 2 * base[flow["sender"]], flow) for flow in run.flows]
    tap.ok("idle: a packet takes two of them and its time on the wire", all(0 < extra < 8 for extra, _ in spent),
           max(spent, key=lambda pair: pair[0]))
    leaf = {host: run.network.place(host)[0] for host in run.network.hosts}
    tap.ok("idle: no flow stays below its leaf", all(leaf[flow["sender"]] != leaf[flow["receiver"]] for flow in run.flows))
    pairs = {(flow["sender"], flow["receiver"]) for flow in run.flows}
    tap.ok("idle: all pairs of different leaves", len(pairs) == 8, pairs)
    tap.ok("idle: nothing is dropped, marked or sent again",
           run.document["drops"] == run.document["ce_marks"] == run.document["retransmits"] == 0, run.document)
    return run


def balance(tap, run):
    for leaf in run.network.leaves:
        carried = [run.counter("tx_packets", f"leaf{leaf}", f"to-spine{spine}") for spine in run.network.spines]
        tap.ok(f"leaf{leaf} uses both spines", min(carried) > 0.25 * sum(carried), carried)


def conservation(tap, run, what):
    """The accounting balances, or there were no document; here it is about where packets went."""
    network, document = run.network, run.document
    tap.ok(f"{what}: all flows end", document["unfinished"] == 0 and run.flows, document)
    sent, received = (sum(run.counter(name, host, port) for host in network.hosts for port in ("send", "receive"))
                      for name in ("tx_packets", "rx_packets"))
    dropped = sum(amount["packets"] for amount in document["conservation"]["dropped"].values())
    tap.ok(f"{what}: what hosts send is received or dropped", sent == received + dropped > 0, f"{sent} {received} {dropped}")
    tiers = document["tiers"]
    tap.ok(f"{what}: drops are those of the tiers", document["drops"] == dropped
           == sum(tier["drops"] for tier in tiers.values()), document)
    up, down = (run.sum("tx_packets", names) for names in (network.up, network.down))
    tap.ok(f"{what}: what goes up comes down", up == down + tiers["down"]["drops"], f"{up} {down}")
    below = run.sum("tx_packets", [name for name in network.ports if name not in network.up + network.down])
    tap.ok(f"{what}: what comes down goes to hosts", down == below + tiers["receiving"]["drops"], f"{down} {below}")
    return dropped


def paths(tap, lab):
    """Which spine a flow takes is the seed's doing alone; what differs otherwise are acknowledgements."""
    names = ("to-spine1", "to-spine2")
    carried, marks = {}, {}
    for what, seed, aqm in (("first", 1, "pfifo"), ("again", 1, "pfifo"), ("aqm", 1, "ecnsharp ins_target 1us"), ("seed", 2, "pfifo")):
        run = Run(lab, "load=0.5", "duration=5ms", "largest=100k", "jitter=0ns", f"aqm={aqm}", network_seed=seed)
        carried[what] = [run.counter("tx_bytes", "leaf1", name) for name in names]
        marks[what] = run.document["ce_marks"]

    def moved(what):
        return max(abs(a - b) / b for a, b in zip(carried[what], carried["first"]))

    tap.ok("equal seeds choose the same spines", carried["again"] == carried["first"], carried)
    tap.ok("another AQM changes nothing in that", moved("aqm") < 0.02 and marks["aqm"] > marks["first"] == 0, (carried, marks))
    tap.ok("another seed chooses others", moved("seed") > 0.02, carried)


def scheduled(tap, lab):
    """PIAS at every port."""
    run = Run(lab, "load=0.8", "duration=20ms", "largest=3m", "pias=on", "demote=10k,30k", "aqm=tcn")
    conservation(tap, run, "pias")
    bands = run.document["bands"]
    whole = sum(band["flows_bytes"] for band in bands)
    tap.ok("pias: the parts are those of the flows", len(bands) == 3 and whole == sum(int(flow["size_bytes"]) for flow in run.flows), bands)
    # Three ports each, with headers; acknowledgements and requests are in the first band, too.
    carried = [band["bytes"] / band["flows_bytes"] / 3 for band in bands]
    tap.ok("pias: what is demoted goes in its band", all(1.04 < share < 1.1 for share in carried[1:]) and carried[0] > 1.1, carried)
    waits = [band["mean_wait_us"] for band in bands]
    tap.ok("pias: the last band waits for the others", max(waits[:-1]) < waits[-1] / 10, waits)


def paced(tap, lab):
    """DCQCN's senders: data comes where receivers are, so that it meets the AQM, and notifications go back."""
    arguments = ("cc=dcqcn", "buffer=40000", "largest=3m", "jitter=0ns")
    runs = {aqm: Run(lab, "load=0.8", "duration=10ms", f"aqm={aqm}", *arguments) for aqm in ("ramp", "ramp+pst", "pfifo")}
    for aqm, run in runs.items():
        conservation(tap, run, f"dcqcn, {aqm}")
        tap.ok(f"dcqcn, {aqm}: nothing is dropped", run.document["drops"] == 0, run.document)
    marks, cnps = ([run.document[name] for run in runs.values()] for name in ("ce_marks", "cnps"))
    tap.ok("dcqcn: marks bring notifications, fewer of them", all(0 < cnp < mark for cnp, mark in zip(cnps[:2], marks))
           and marks[2] == cnps[2] == 0, (marks, cnps))
    rates = [run.document["mean_rate_mbps"] for run in runs.values()]
    tap.ok("dcqcn: and slow the senders down", rates[0] < rates[2], rates)
    queues = [run.document["tiers"]["receiving"]["queue"]["mean_pkts"] for run in runs.values()]
    tap.ok("dcqcn: persistent marking shortens queues", queues[1] < queues[0], queues)
    lone = Run(lab, "load=0.01", "duration=400ms", "aqm=pfifo", "rtt=90us", *arguments)
    slow = [(int(flow["fct_ns"]) - 45 * US) / (int(flow["size_bytes"]) * 0.8) for flow in lone.flows if int(flow["size_bytes"]) > 100_000]
    tap.ok("dcqcn: a flow alone takes half an RTT and its time on the wire", len(slow) > 2 and 1.03 < min(slow) and sorted(slow)[len(slow) // 2] < 1.1, slow)


def main():
    tap = Tap()
    lab = Lab()
    conservation(tap, idle(tap, lab), "idle")
    busy = Run(lab, "load=0.8", "duration=20ms", "largest=3m")
    balance(tap, busy)
    conservation(tap, busy, "busy")
    tap.ok("busy: packets are marked", busy.document["ce_marks"] > 0, busy.document)
    full = Run(lab, "load=0.8", "duration=20ms", "largest=3m", "aqm=pfifo", "buffer=20")
    tap.ok("small buffers drop", conservation(tap, full, "small buffers") > 0, full.document)
    paths(tap, lab)
    scheduled(tap, lab)
    paced(tap, lab)
    tap.end()


if __name__ == "__main__":
    main()
