#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Flows over UDP (cc=dcqcn, cc=cbr), end to end, and among hostile datagrams: rated.py FLOWGEN.

On loopback in a network of its own, with netem where this kernel has it. Rates are judged only from above and
by quotients: how fast this machine is does not matter.
"""

import os
import random
import socket
import struct
import subprocess
import sys
import threading

from common import HANG_S, HOSTS, Scratch, Tap, flowgen, private_network, read_json, read_rows

PORT = 23456
SINK = PORT + 4     # dcqcn's of the base port
DATA, CNP, NACK, DONE = range(4)
QUERY = "group q kind=query senders=a,b receivers=c flows=40 lo=1 hi=300k cc=dcqcn line=1gbit"
LONG = "group l kind=long senders=a receivers=c cc=dcqcn line=200mbit"


class Run:
    """One run of a traffic file; during(process) may meddle."""

    def __init__(self, program, scratch, text, *args, hosts=HOSTS, during=None):
        flows, summary = scratch.path("flows.csv"), scratch.path("summary.json")
        args = (program, "--traffic", scratch.write("traffic", hosts + text + "\n"), "--port", str(PORT),
                "--flows", flows, "--summary", summary, *args)
        with subprocess.Popen(args, stderr=subprocess.PIPE, text=True) as process:
            if during:
                during(process)
            _, self.stderr = process.communicate(timeout=HANG_S)
        self.code = process.returncode
        self.flows = read_rows(flows)
        self.summary = read_json(summary)

    def __str__(self):
        return f"status {self.code}, {self.stderr}, {self.summary}"

    def clean(self, flows):
        """Every flow ended, with every byte."""
        return (self.code == 0 and not self.stderr and len(self.flows) == flows
                and self.summary["unfinished"] == self.summary["failed"] == 0
                and self.summary["done"] + self.summary["stopped"] == flows
                and all(flow["bytes"] == flow["size_bytes"] for flow in self.flows if flow["end"] == "done")
                and all(int(flow["fct_ns"]) > 0 for flow in self.flows))


def sizes(tap, program, scratch):
    run = Run(program, scratch, QUERY)
    tap.ok("query: all flows end with all bytes", run.clean(40), run)
    drawn = flowgen(program, "--dry-run", "--traffic", scratch.path("traffic")).stdout.splitlines()[1:]
    tap.ok("query: the flows are those drawn", [line.split(",")[:5] for line in drawn]
           == [list(flow.values())[:5] for flow in run.flows], drawn[:2])
    tap.ok("query: no flow is faster than its line", all(int(flow["fct_ns"]) >= 0.9 * (int(flow["size_bytes"]) - 8 * 1448) * 8
           for flow in run.flows), run.flows)
    edges = "\n".join(f"group e{size} kind=long senders=a,b receivers=c,d flows=2 size={size} cc=dcqcn line=10gbit"
                      for size in (1, 1447, 1448, 1449, 44 * 1448, 44 * 1448 + 1))
    run = Run(program, scratch, edges + " burst=44")
    tap.ok("sizes around those of packets and bursts", run.clean(12), run)
    run = Run(program, scratch, "group q kind=query senders=a receivers=b flows=9 lo=1k hi=90k dscp=8 cc=dcqcn line=1gbit "
              "rp=cloud burst=1", hosts="host a addr=::1\nhost b addr=[::1]:4000\n")
    tap.ok("IPv6", run.clean(9), run)
    run = Run(program, scratch, QUERY + " ports=flow", hosts=HOSTS.replace("addr=127.0.0.3", "addr=127.0.0.3 sink=127.0.1.3"))
    tap.ok("to another address of the receiver's", run.clean(40), run)
    run = Run(program, scratch, f"{QUERY}\n{QUERY.replace('group q', 'group r').split(' cc=')[0]}")
    tap.ok("next to TCP", run.clean(80), run)


def endless(tap, program, scratch):
    run = Run(program, scratch, f"{LONG} flows=2 until=300ms", "--series", scratch.path("series"))
    tap.ok("endless flows stop in their time", run.clean(2) and run.summary["stopped"] == 2
           and all(int(flow["start_ns"]) + int(flow["fct_ns"]) >= 300_000_000 for flow in run.flows), run)
    with open(scratch.path("series"), encoding="ascii") as file:
        last = file.read().splitlines()[-1].split(",")
    tap.ok("and their bytes are in the time series", last[1:] == ["l", str(run.summary["bytes"])], last)
    most = 2 * 0.3 * 200e6 / 8
    tap.ok("and were not faster than their line", most / 20 < run.summary["bytes"] <= most, run)


def ports(tap, program, scratch):
    found = []
    run = Run(program, scratch, f"{LONG} flows=2 until=1s ports=flow",
              during=lambda _: found.extend(wait_for(lambda: len(now := source_ports()) == 2 and now)))
    tap.ok("ports=flow: senders have the ports of their flows' ids", run.clean(2) and sorted(found) == [10000, 10001], f"{found} {run}")


def lossy(options):
    """Make loopback lose packets: True if this kernel can."""
    return not subprocess.run(f"tc qdisc replace dev lo root netem {options}".split(), capture_output=True, check=False).returncode


def losses(tap, program, scratch):
    if os.environ["FLOWGEN_TEST_NET"] != "private" or not lossy("loss 2% limit 100000"):
        tap.ok("losses # SKIP no network of its own, or no netem", True)
        return
    run = Run(program, scratch, QUERY)
    tap.ok("2 % loss: all flows end with all bytes", run.clean(40), run)
    tap.ok("2 % loss: packets were sent again", run.summary["retransmits"] > 0, run)
    lossy("loss 30% duplicate 5% delay 1ms 1ms limit 100000")
    run = Run(program, scratch, QUERY.replace("hi=300k", "hi=20k"))
    tap.ok("30 % loss, repetitions, disorder: all flows end", run.clean(40) and run.summary["timeouts"] > 0, run)
    subprocess.run("tc qdisc del dev lo root".split(), check=False)


def constant(tap, program, scratch):
    """cc=cbr: what is offered is as agreed, and what the host has no space for waits or is dropped."""
    cbr, seconds, rate = "group l kind=long senders=a receivers=c cc=cbr", 0.3, 20e6
    share = 1448 / 1538

    def made(words):
        run = Run(program, scratch, f"{cbr} {words} until=300ms")
        group = run.summary["groups"][0]
        return run, group["offered_bytes"], group["accepted_bytes"], group["bytes"]

    run, offered, accepted, got = made("rate=20mbit")
    most = rate / 8 * seconds * share + 1448
    tap.ok("cbr: the flow stops in its time", run.clean(1) and run.summary["stopped"] == 1, run)
    tap.ok("cbr: it is not faster than its rate", most / 20 < offered <= most and got <= accepted == offered, run)
    tap.ok("cbr: nothing is marked or sent again", run.summary["retransmits"] == run.summary["delivered_ce"] == 0, run)
    run, offered, accepted, got = made("rate=20mbit pattern=onoff line=40mbit flows=5 burst=4")
    tap.ok("onoff, five flows in bursts", run.clean(5) and 0 < got <= offered <= 5 * 2 * most, run)
    run, offered, accepted, got = made("rate=20mbit pattern=bernoulli line=30mbit")
    tap.ok("bernoulli", run.clean(1) and 0 < got <= offered <= 1.5 * most, run)
    run, *_ = made("rate=20mbit ports=flow")
    tap.ok("cbr: ports=flow", run.clean(1), run)
    if os.environ["FLOWGEN_TEST_NET"] != "private" or not lossy("rate 2mbit limit 4"):
        tap.ok("a host without space # SKIP no network of its own, or no netem", True)
        return
    run, offered, accepted, got = made("rate=20mbit full=drop")
    tap.ok("full=drop: what finds no space is offered, not accepted", run.clean(1) and 0 < got <= accepted < offered / 2, run)
    run, offered, accepted, got = made("rate=20mbit full=wait")
    tap.ok("full=wait: the flow waits with it", run.clean(1) and 0 < got <= accepted == offered < most / 2, run)
    subprocess.run("tc qdisc del dev lo root".split(), check=False)


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    return 0xffff - (total % 0xffff or 0xffff)


def ip_udp(source, to, payload, tos=0):
    """A whole IPv4 packet, so that it can say it is from anyone."""
    addresses = socket.inet_aton(source[0]) + socket.inet_aton(to[0])
    head = struct.pack("!BBHHHBBH", 0x45, tos, 28 + len(payload), 0, 0, 64, 17, 0)
    head = head[:10] + struct.pack("!H", checksum(head + addresses)) + addresses
    return head + struct.pack("!HHHH", source[1], to[1], 8 + len(payload), 0) + payload


def datagram(kind, flow, packet=0, magic=b"fgd1", zero=b"\0\0\0", payload=b""):
    return magic + bytes([kind]) + zero + struct.pack("!QQ", flow, packet) + payload


def source_ports():
    """Ports of the sources that are connected to the sink."""
    with open("/proc/net/udp", encoding="ascii") as table:
        ends = [line.split()[1:3] for line in table.readlines()[1:]]
    return [int(local.split(":")[1], 16) for local, remote in ends if int(remote.split(":")[1], 16) == SINK]


def wait_for(condition):
    for _ in range(HANG_S * 20):
        found = condition()
        if found:
            return found
        threading.Event().wait(0.05)
    raise TimeoutError("what was waited for did not come")


def pause():
    """Longer than notifications are apart."""
    threading.Event().wait(0.001)


def garbage(rng):
    """Datagrams that mean nothing, or something else than they should."""
    full = bytes(1448)
    yield from (b"", b"x", bytes(24), bytes(1472), rng.randbytes(1472), rng.randbytes(24))
    for kind in (DATA, CNP, NACK, DONE, 4, 255):
        for flow in (0, 1, 2, 2**24, 2**63, 2**64 - 1):
            for packet in (0, 1, 10**6, 2**32, 2**63, 2**64 - 1):
                for payload in (b"", b"x", full[:-1], full, full + b"x"):
                    # what would be taken for true
                    if not (kind == DATA and flow < 2 and payload == full or kind == NACK and not payload):
                        yield datagram(kind, flow, packet, payload=payload)
    yield datagram(CNP, 0, magic=b"fgd2")
    yield datagram(DONE, 0, zero=b"\0\1\0")


def hostile(tap, program, scratch):
    rng = random.Random(1)
    text = f"{LONG} flows=2 until=1500ms"

    def at_sink(process):
        wait_for(lambda: len(source_ports()) == 2)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            for data in garbage(rng):
                sock.sendto(data, ("127.0.0.3", SINK))
            for _ in range(5000):
                data = bytearray(datagram(rng.randrange(6), rng.randrange(4), rng.randrange(5), payload=bytes(rng.randrange(40))))
                data[rng.randrange(len(data))] = rng.randrange(256)
                sock.sendto(bytes(data), ("127.0.0.3", SINK))
        tap.ok("garbage at the sink: it goes on", process.poll() is None)

    run = Run(program, scratch, text, during=at_sink)
    tap.ok("garbage at the sink: the flows end in their time", run.clean(2), run)
    if os.environ["FLOWGEN_TEST_NET"] != "private":
        tap.ok("hostile answers # SKIP no network of its own", True)
        return

    def forge(make):
        """Send to the sources in the sink's name."""
        def during(process):
            ports = wait_for(lambda: len(source_ports()) == 2 and source_ports())
            with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as raw:
                for data in make():
                    for port in ports:
                        raw.sendto(ip_udp(("127.0.0.3", SINK), ("127.0.0.1", port), data), ("127.0.0.1", 0))
            tap.ok("forged answers: the source goes on", process.poll() is None)
        return during

    run = Run(program, scratch, text, during=forge(lambda: garbage(rng)))
    tap.ok("forged answers: flows end in their time", run.clean(2), run)
    first = [datagram(DONE, flow) for flow in (0, 1)]
    run = Run(program, scratch, text, during=forge(lambda: first * 10))
    tap.ok("an end that is not true is not accepted", run.clean(2) and run.summary["stopped"] == 2, run)
    nacks = [datagram(NACK, flow, packet) for packet in (0, 5, 2**64 - 1) for flow in (0, 1)]
    run = Run(program, scratch, text, during=forge(lambda: nacks * 20))
    tap.ok("gaps that are not there cost packets only", run.clean(2) and run.summary["retransmits"] > 0, run)
    plain = Run(program, scratch, text).summary["bytes"]
    # With these constants the way back from the least rate takes 1.4 s.
    cnps = [datagram(CNP, flow) for flow in (0, 1)]
    run = Run(program, scratch, text + " rp=cloud", during=forge(lambda: cnps * 100))
    tap.ok("notifications slow the flows down", run.clean(2) and run.summary["cnps"] >= 100
           and run.summary["bytes"] < 0.75 * plain, f"{run}, {plain} without")

    def marked(process):
        """Packets in the flow's name that say CE, so that the sink notifies its source."""
        ports = wait_for(lambda: len(source_ports()) == 2 and source_ports())
        with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as raw:
            data = datagram(DATA, 0, 0, payload=bytes(1448))
            for port in ports * 10:
                pause()
                raw.sendto(ip_udp(("127.0.0.1", port), ("127.0.0.3", SINK), data, tos=3), ("127.0.0.3", 0))
        tap.ok("marked packets: the sink goes on", process.poll() is None)

    run = Run(program, scratch, text, during=marked)
    tap.ok("marked packets are counted and reported", run.clean(2) and run.flows[0]["delivered_ce"] == "20"
           and 0 < run.summary["cnps"] <= 20, run)


def main():
    private_network()
    program, tap, scratch = os.path.abspath(sys.argv[1]), Tap(), Scratch()
    sizes(tap, program, scratch)
    endless(tap, program, scratch)
    ports(tap, program, scratch)
    losses(tap, program, scratch)
    constant(tap, program, scratch)
    hostile(tap, program, scratch)
    tap.end()


main()
