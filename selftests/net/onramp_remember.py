#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Which packets onramp remembers, and how it tells them from others behind the qdisc, as TAP.

Packets of flows that nobody has leave by a device that takes all. In virtual time a burst takes no time, so that what is remembered
is exactly what a model of the rule says; elsewhere it is that at least.
"""

import json
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import bpf
from script import Inside, exact, finish, result, run, skip

A = f"onramp-ra-{os.getpid()}"
GRID, LARGE, BURST, NEW = 16384, 16384, 64, 4
OBSERVE = "mode observe clock system error 1us"
SOL_PACKET, PACKET_VNET_HDR, SO_SNDBUFFORCE = 263, 15, 32
SYN, ACK = 2, 16


def tc(arguments):
    """Run tc in the sender's namespace; what it shows."""
    done = subprocess.run(["tc", "-n", A, *arguments.split()], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout) if "-j" in arguments else None


def counters(dev="d0"):
    """The counters of the qdisc of a device that are not 0."""
    found = [qdisc for qdisc in tc(f"-s -j qdisc show dev {dev}") if qdisc["kind"] == "onramp"][0]
    return {name: value for name, value in found.items() if isinstance(value, int) and value}


def frame(seq, length, sport=0, flags=ACK, ip6=False):
    """A TCP packet, from its MAC header on."""
    if ip6:
        ip = struct.pack(">IHBB", 6 << 28, 20 + length, 6, 64) + socket.inet_pton(socket.AF_INET6, "fd00::1") + \
            socket.inet_pton(socket.AF_INET6, "fd00::2")
    else:
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 40 + length, 1, 0, 64, 6, 0, bytes((192, 0, 2, 1)), bytes((192, 0, 2, 2)))
    tcp = struct.pack(">HHIIBBHHH", sport or Wire.sport, 5001, seq % 2**32, 1, 0x50, flags, 1000, 0, 0)
    return bytes(12) + (b"\x86\xdd" if ip6 else b"\x08\0") + ip + tcp + bytes(length)


class Wire:
    """The device, and what was recorded of what is sent to it, of a flow that no other device had."""

    sport = 10

    def __init__(self, arguments, dev="d0"):
        self.dev = dev
        Wire.sport += 1
        run(f"ip -n {A} link add {dev} type dummy")
        run(f"ip -n {A} link set {dev} up")
        tc(f"qdisc replace dev {dev} root handle 1: {arguments}")
        with Inside(A):
            self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            self.sock.bind((dev, 0))
        self.sock.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)

    def send(self, packets):
        """Send frames, or (frame, MSS) of one that is to be segmented; how many records there are more."""
        before = counters(self.dev).get("records", 0)
        for packet in packets:
            data, mss = packet if isinstance(packet, tuple) else (packet, 0)
            # TCP over IPv4 in 54 bytes of headers; the checksum is to be filled in at 34 + 16.
            header = struct.pack("=BBHHHH", 1, 1, 54, mss, 34, 16) if mss else bytes(10)
            self.sock.send(header + data)
        return counters(self.dev).get("records", 0) - before

    def close(self):
        self.sock.close()
        run(f"ip -n {A} link del {self.dev}")


def on_grid(seq, length, grid=GRID):
    """Byte by byte."""
    return any(byte % grid == 0 for byte in range(seq, seq + length))


def expected(packets, tokens, known=False):
    """How many of a flow's new packets, (seq, length), are remembered at once, and what is left of the rate."""
    chosen = 0
    for seq, length in packets:
        price = 1 if known else NEW
        if length >= LARGE or on_grid(seq, length) or tokens >= price:
            tokens = max(tokens - price, 0)
            known = True
            chosen += 1
    return chosen, tokens


def agrees(found, least, most):
    """Where the CPU takes time, time passes during a burst, and more may be remembered."""
    return found == least if exact() else least <= found <= most


def count(found, right, name):
    """So many were remembered."""
    result(found == right, name, found, right, counters())


def burst(ip6):
    """Packets of a burst on the grid, and as many more as the rate allows."""
    name = "IPv6" if ip6 else "IPv4"
    wire = Wire(f"onramp {OBSERVE} remember {GRID} flow_limit 10000 limit 10000")
    packets = [(10000 + 1000 * number, 1000) for number in range(500)]
    least, _ = expected(packets, BURST)
    found = wire.send([frame(*packet, ip6=ip6) for packet in packets])
    result(agrees(found, least, 500), f"{name}: of 500 packets at once {least} are remembered", found)
    grid = sum(on_grid(*packet) for packet in packets)
    result(least >= grid + 20, "those on the grid, and others", least, grid)
    time.sleep(0.1)
    packets = [(510000 + 1000 * number, 1000) for number in range(40)]
    count(wire.send([frame(*packet, ip6=ip6) for packet in packets]), 40, f"{name}: after a rest all of 40 are")
    wire.close()


def large():
    """Large packets are, whatever the grid, and are taken whole."""
    wire = Wire(f"onramp {OBSERVE} remember {4 * GRID} flow_limit 10000 limit 10000")
    wire.send([frame(100 * number, 100) for number in range(200)])
    count(wire.send([(frame(100001 + 20000 * number, 20000), 1000) for number in range(30)]), 30, "each large packet is remembered, once")
    wire.close()


def new_flows():
    """Flows cost more than packets: of many at once only some are measured."""
    wire = Wire(f"onramp {OBSERVE} remember {GRID} limit 10000")
    found = wire.send([frame(1, 100, sport=1000 + number) for number in range(200)])
    result(agrees(found, BURST // NEW, 200), "of 200 flows at once 16 are measured", found)
    flows = counters()["measured"]
    result(agrees(flows, BURST // NEW, 200) and flows == found, "and no others take memory", flows)
    wire.close()


def again():
    """Retransmitted bytes get no record, though the bytes before them had none either."""
    wire = Wire(f"onramp {OBSERVE} remember {GRID} flow_limit 10000 limit 10000")
    packets = [(100 + 100 * number, 100) for number in range(120)]
    wire.send([frame(*packet) for packet in packets])
    time.sleep(0.1)
    count(wire.send([frame(*packet) for packet in packets]), 0, "what was sent before is not remembered")
    time.sleep(0.1)
    count(wire.send([frame(100 + 100 * 120, 100)]), 1, "what follows it is")
    wire.send([frame(7, 0, flags=SYN)])
    time.sleep(0.1)
    count(wire.send([frame(8, 100)]), 1, "a connection begins: what has the same numbers is new")
    wire.close()


def all_of_them():
    """remember 0, and a change of it."""
    wire = Wire(f"onramp {OBSERVE} remember 0 flow_limit 10000 limit 10000")
    count(wire.send([frame(100 * number, 100) for number in range(1000)]), 1000, "remember 0: all are")
    tc(f"qdisc change dev d0 handle 1: root onramp remember {GRID}")
    packets = [(100000 + 100 * number, 100) for number in range(500)]
    least, _ = expected(packets, BURST, known=True)
    found = wire.send([frame(*packet) for packet in packets])
    result(agrees(found, least, 500), f"changed while it runs: {least} of 500", found)
    tc("qdisc change dev d0 handle 1: root onramp remember 0")
    count(wire.send([frame(150000 + 100 * number, 100) for number in range(500)]), 500, "and back: all are")
    wire.close()


def below_others():
    """A parent that looks at the next packet before it takes it, and one that gives it back."""
    for parent, arguments in (("tbf", "tbf rate 10gbit burst 100kb limit 10mb"), ("drr", "drr")):
        wire = Wire(arguments)
        if parent == "drr":
            tc("class add dev d0 parent 1: classid 1:1 drr")
            tc("filter add dev d0 parent 1: matchall classid 1:1")
        tc(f"qdisc replace dev d0 parent 1:1 handle 10: onramp {OBSERVE} remember 0 flow_limit 10000")
        count(wire.send([frame(100 * number, 100) for number in range(300)]), 300, f"below {parent}: all are")
        wire.close()


def segmented():
    """A packet that is cut behind the qdisc: its segments are what leaves."""
    run(f"ip -n {A} link add v0 type veth peer name v1")
    for dev in ("v0", "v1"):
        run(f"ip netns exec {A} ethtool -K {dev} tso off gso off gro off")
        run(f"ip -n {A} link set {dev} up")
    tc(f"qdisc replace dev v0 root handle 1: onramp {OBSERVE} remember 0")
    Wire.sport += 1
    with Inside(A), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sock:
        sock.bind(("v0", 0))
        sock.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        for number in range(10):
            sock.send(struct.pack("=BBHHHH", 1, 1, 54, 1000, 34, 16) + frame(1 + 5000 * number, 5000))
    time.sleep(0.1)
    found = counters("v0")
    result(found.get("records") == 50, "each segment of a packet that is cut behind the qdisc", found)
    run(f"ip -n {A} link del v0")


def stacked():
    """A mark of one device is nothing on the next: what leaves a macvlan passes the taps of both."""
    run(f"ip -n {A} link add d0 type dummy")
    run(f"ip -n {A} link add link d0 name m0 type macvlan")
    for dev in ("d0", "m0"):
        run(f"ip -n {A} link set {dev} up")
        tc(f"qdisc replace dev {dev} root handle 1: onramp {OBSERVE} remember 0 limit 10000 flow_limit 10000")
    Wire.sport += 1
    sent, records = 0, [0, 0]
    with Inside(A), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sock:
        sock.bind(("m0", 0))
        for change, name, right in (
                (None, "a packet that leaves by two devices is remembered once", lambda m0, d0: m0 + d0 == 100),
                ("m0 root handle 1: onramp mode off", "on the second, if the first gives no marks", lambda m0, d0: (m0, d0) == (0, 100)),
                ("d0 root handle 1: onramp mode off", "on none, if both give none", lambda m0, d0: (m0, d0) == (0, 0)),
                ("m0 root handle 1: onramp mode observe", "on the first, if the second gives none", lambda m0, d0: (m0, d0) == (100, 0)),
                ("d0 root noqueue", "and if the second has no qdisc, so that it sees the first's mark",
                 lambda m0, d0: m0 == 100)):
            if change:
                tc(f"qdisc {'replace' if 'noqueue' in change else 'change'} dev {change}")
            for sent in range(sent, sent + 100):
                sock.send(frame(1 + 100 * sent, 100))
            sent += 1
            before, records = records, [counters("m0").get("records", 0), 0 if change == "d0 root noqueue" else counters("d0").get("records", 0)]
            found = [now - then for now, then in zip(records, before)]
            result(right(*found), name, found)
    run(f"ip -n {A} link del m0")
    run(f"ip -n {A} link del d0")


def requeued():
    """Segments that a NIC does not take go back to the qdisc, with the mark of the packet of which they are."""
    name = "segments that were requeued are remembered, each once"
    if subprocess.run(("modprobe", "-q", "labnic"), check=False).returncode:
        skip(name, "no labnic in this kernel")
        return
    run(f"ip -n {A} link add lab0 type labnic")
    for dev in ("lab0", "labnic0"):
        run(f"ip netns exec {A} ethtool -K {dev} tso off gso off gro off")
        run(f"ip -n {A} link set {dev} up")
    # So that its ring of 256 is full for a while, and nothing keeps more than it takes from the driver.
    run(f"ip netns exec {A} ethtool -C lab0 tx-usecs 10000")
    subprocess.run(["ip", "netns", "exec", A, "sh", "-c", "echo 1000000000 >/sys/class/net/lab0/queues/tx-0/byte_queue_limits/limit_min"], check=True)
    tc(f"qdisc replace dev lab0 root handle 1: onramp {OBSERVE} remember 0 limit 100000 flow_limit 100000")
    Wire.sport += 1
    with Inside(A), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sock:
        sock.bind(("lab0", 0))
        sock.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 1 << 24)
        sock.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        for number in range(40):
            sock.send(struct.pack("=BBHHHH", 1, 1, 54, 1000, 34, 16) + frame(1 + 60000 * number, 60000))
    time.sleep(1)
    found = counters("lab0")
    result(found.get("requeues", 0) > 0 and found.get("records") == 40 * 60, name, found)
    run(f"ip -n {A} link del lab0")


def forger():
    """The program with which a packet brings a mark, by its priority, and takes another queue; None without BPF."""
    try:
        return bpf.load(bpf.forge())
    except OSError as why:
        skip("forged marks", f"no BPF program: {why}")
        return None


def two_queues(program, qdiscs):
    """A device whose second queue the program chooses for packets that bring marks."""
    run(f"ip -n {A} link add d0 numtxqueues 2 type dummy")
    run(f"ip -n {A} link set d0 up")
    tc("qdisc replace dev d0 root handle 1: mq")
    tc("qdisc replace dev d0 parent 1:2 handle 2: pfifo")
    for qdisc in qdiscs:
        tc(f"qdisc replace dev d0 {qdisc}")
    tc("qdisc add dev d0 clsact")
    with Inside(A):
        bpf.attach("d0", program)
    Wire.sport += 1


def bring(sock, port, serial, packet):
    """Send a packet with a mark."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, struct.pack("=I", port << 16 | serial))
    sock.send(packet)


def other_queue():
    """The packets that went by the other queue."""
    return [qdisc for qdisc in tc("-s -j qdisc show dev d0") if qdisc["kind"] == "pfifo"][0]["packets"]


def forged(program):
    """Packets that bring a mark themselves, while another waits behind the qdisc to which that mark was given."""
    two_queues(program, ("parent 1:1 handle 3: tbf rate 8kbit burst 1500 limit 1mb",
                         f"parent 3:1 handle 10: onramp {OBSERVE} remember 0"))
    with Inside(A), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sock:
        sock.bind(("d0", 0))
        waiting = frame(2001, 1000)
        sock.send(frame(1001, 1000))
        sock.send(waiting)
        count(counters()["records"], 1, "one packet left, and one waits behind the qdisc")

        def marks():
            for port in (1, 2, 0xffff):
                for serial in range(70):
                    for packet in (waiting, frame(2001, 500), frame(2001, 1000, sport=7), frame(1, 0)):
                        bring(sock, port, serial, packet)

        marks()
        result(other_queue() == 840, "840 packets with marks that are not theirs pass by another queue", other_queue())
        count(counters()["records"], 1, "none of them is accepted")
        tc("qdisc change dev d0 parent 1:1 handle 3: tbf rate 1gbit burst 15000 limit 1mb")
        time.sleep(2)
        count(counters()["records"], 2, "the packet that waited is, as it leaves")
        tc("qdisc change dev d0 parent 1:1 handle 3: tbf rate 8kbit burst 1500 limit 1mb")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, struct.pack("=I", 0))
        for number in range(3, 6):
            sock.send(frame(1000 * number + 1, 1000))
        tc(f"qdisc replace dev d0 parent 3:1 handle 11: onramp {OBSERVE} remember 0")
        marks()
        count(counters().get("records", 0), 0, "nor is a mark of another onramp that was in its place, after it was exchanged")
    run(f"ip -n {A} link del d0")


def forge_for_ever(sock, serial, cpu):
    """A child that brings the mark with the number in `serial`, until it is killed; its process."""
    child = os.fork()
    if child:
        return child
    try:
        os.sched_setaffinity(0, {cpu})
        while True:
            number, = struct.unpack("=I", serial[:])
            for length in (0, 1000):
                bring(sock, 1, number, frame(1000 * number, length))
    finally:
        os._exit(1)     # what follows is the parent's


def racing(program):
    """Packets wait with their marks, while another CPU sends packets that bring the same.

    One without payload would use the mark up, so that the packet to which it was given would not be remembered.
    """
    name = "packets that bring the marks that another CPU just gives are not accepted"
    cpus = os.sched_getaffinity(0)
    if len(cpus) < 2:
        skip(name, "one CPU")
        return
    first, second = sorted(cpus)[:2]
    packets = 1000
    two_queues(program, ("parent 1:1 handle 3: tbf rate 40mbit burst 1500 limit 1mb",
                         f"parent 3:1 handle 10: onramp {OBSERVE} remember 0 limit 10000 flow_limit 10000"))
    with Inside(A), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sock, mmap.mmap(-1, 4) as serial:
        sock.bind(("d0", 0))
        child = forge_for_ever(sock, serial, second)
        try:
            os.sched_setaffinity(0, {first})
            with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as other:
                other.bind(("d0", 0))
                for number in range(2, packets + 1, 2):
                    serial[:] = struct.pack("=I", number)
                    # The first leaves at once, the second has to wait.
                    other.send(frame(1000 * (number - 1), 1000))
                    other.send(frame(1000 * number, 1000))
                    time.sleep(0.0005)
        finally:
            os.sched_setaffinity(0, cpus)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    count(counters()["records"], packets, name)
    result(other_queue() > packets / 10, "many of them passed meanwhile", other_queue())
    run(f"ip -n {A} link del d0")


def main():
    run("modprobe sch_onramp")
    run(f"ip netns add {A}")
    try:
        for ip6 in (False, True):
            burst(ip6)
        large()
        new_flows()
        again()
        all_of_them()
        below_others()
        segmented()
        stacked()
        requeued()
        program = forger()
        if program is not None:
            forged(program)
            racing(program)
    finally:
        run(f"ip netns del {A}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
