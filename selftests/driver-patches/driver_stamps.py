#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Patched drivers in a kernel, as TAP: alone, with On-Ramp, and their stamps compared with the tracepoints' and the qdisc's.

    driver_stamps.py DRIVER ... veth, or the driver of the machine's two NICs, which are on one wire

Two namespaces, a packet at a time from one to the other, so that it is known how many there are.
"""

import os
import re
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, "/sharpramp/selftests/net")
# pylint: disable=wrong-import-position
import onramp_genl as genl
from script import enter, finish, leave, result, run

N, STATS = genl.numbers("/sharpramp")
A, B, ADDRESS_A, ADDRESS_B = "driver-a", "driver-b", "192.0.2.1", "192.0.2.2"
PACKETS, BYTES = 60, 500
TRACING = "/sys/kernel/tracing"
ACKED = re.compile(r"onramp_ack: .* owd_ns=(-?\d+) .* stamp_tx=(\d+) stamp_rx=(\d+) ")
AUTO, TRACEPOINT, DRIVER, QDISC = (N[f"ONRAMP_STAMP_{name}"] for name in ("NONE", "TRACEPOINT", "DRIVER", "QDISC"))


def loaded():
    """Names of the modules."""
    with open("/proc/modules", encoding="ascii") as file:
        return {line.split()[0] for line in file}


def devices(driver):
    """The names of a pair of the driver's devices, one in each namespace from now on."""
    if driver == "veth":
        run(f"ip link add va netns {A} type veth peer name vb netns {B}")
        return "va", "vb"
    run("modprobe virtio_pci")      # nobody else loads what the NICs need
    found = []
    for name in sorted(os.listdir("/sys/class/net")):
        link = f"/sys/class/net/{name}/device/driver"
        if os.path.basename(os.path.realpath(link)) == driver:
            found.append(name)
    for name, space in zip(found, (A, B)):
        run(f"ip link set {name} netns {space}")
    return tuple(found)


class Pair:
    """Two hosts and a connection."""

    def __init__(self, driver):
        run(f"ip netns add {A}")
        run(f"ip netns add {B}")
        self.va, self.vb = devices(driver)
        for space, dev, address in ((A, self.va, ADDRESS_A), (B, self.vb, ADDRESS_B)):
            run(f"ip -n {space} address add {address}/24 dev {dev}")
            run(f"ip -n {space} link set {dev} up")
        self.connect()

    def connect(self):
        """A new connection from the first to the second."""
        enter(B)
        listener = socket.create_server((ADDRESS_B, 0))
        enter(A)
        self.client = socket.create_connection(listener.getsockname()[:2])
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.server = listener.accept()[0]

    def send(self, count=PACKETS):
        """So many packets, each when the one before was read; return how many bytes came."""
        taken = 0
        for _ in range(count):
            self.client.sendall(bytes(BYTES))
            wanted = taken + BYTES
            while taken < wanted:
                taken += len(self.server.recv(wanted - taken))
        return taken


class Ramp:
    """On-Ramp on both hosts of a pair."""

    def __init__(self, pair):
        self.pair = pair
        run("modprobe sch_onramp")
        run("modprobe onramp_acker")
        enter(B)
        self.b = genl.Family("onramp")
        enter(A)
        self.a = genl.Family("onramp")
        self.index = {}
        for space, dev in ((A, pair.va), (B, pair.vb)):
            enter(space)
            self.index[space] = socket.if_nametoindex(dev)
        u8, u32, u64 = (struct.Struct(f"={kind}").pack for kind in "BIQ")
        self.ask(self.b, "CLOCK_SET", ("CLOCK_ID", u8(1)), ("CLOCK_ERROR", u32(1000)))
        self.ask(self.b, "ACKER_SET", ("ACKER_EVERY", u32(1)), ("ACKER_DELAY", u64(1000)), ("ACKER_IDLE", u64(10000)))
        self.ask(self.b, "PEER_ADD", ("PREFIX", socket.inet_aton(ADDRESS_A)), ("PREFIX_LEN", u8(32)))
        self.ask(self.b, "ACKER_DEV_ADD", ("IFINDEX", u32(self.index[B])))
        run(f"ip netns exec {A} tc qdisc add dev {pair.va} root onramp mode observe clock system error 1us")

    @staticmethod
    def ask(family, command, *pairs, flags=genl.ACK):
        """A request that is granted."""
        return family.ask(N[f"ONRAMP_CMD_{command}"],
                          b"".join(genl.attribute(N[f"ONRAMP_A_{kind}"], data) for kind, data in pairs), flags)

    def want(self, tx, rx):
        """Say where the stamps of what leaves A and comes to B are from."""
        for family, space, way, stamp in ((self.a, A, "TX", tx), (self.b, B, "RX", rx)):
            self.ask(family, "DEV_SET", ("IFINDEX", struct.pack("=I", self.index[space])),
                     (f"STAMP_WANTED_{way}", struct.pack("=B", stamp)))

    def device(self, family, space):
        """A host's device in a dump, as numbers."""
        for reply in self.ask(family, "DEV_GET", flags=genl.DUMP):
            found = {name: int.from_bytes(reply[N[f"ONRAMP_A_{name}"]], sys.byteorder) for name in
                     ("IFINDEX", "HOOK", "STAMP_TX", "STAMP_RX", "STAMP_WANTED_TX", "STAMP_WANTED_RX")}
            if found["IFINDEX"] == self.index[space]:
                return found
        return {}

    def counters(self):
        """On-Ramp's counters of the sender."""
        reply = self.ask(self.a, "STATS_GET")[0]
        return dict(zip(STATS, struct.unpack(f"={len(STATS)}q", reply[N["ONRAMP_A_STATS"]][:8 * len(STATS)])))

    def measure(self):
        """Send; return what was counted, and (delay, stamp at A, stamp at B) of each sample."""
        trace(f"{TRACING}/trace", "")
        trace(f"{TRACING}/events/onramp/onramp_ack/enable", "1")
        before = self.counters()
        self.pair.send()
        time.sleep(0.2)
        after = self.counters()
        trace(f"{TRACING}/events/onramp/onramp_ack/enable", "0")
        with open(f"{TRACING}/trace", encoding="ascii") as file:
            samples = [tuple(map(int, match.groups())) for match in map(ACKED.search, file) if match]
        return {name: after[name] - before[name] for name in after}, samples


def trace(path, text):
    """A setting of ftrace."""
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def alone(driver, pair):
    """The driver without On-Ramp."""
    there = loaded()
    result({driver, "onramp_hook"} <= there and "onramp" not in there, f"{driver}: loads with onramp_hook alone", there)
    result(pair.send() == PACKETS * BYTES, f"{driver}: carries traffic without On-Ramp")


# Requested sources of Tx and Rx, and those of the samples then.
SOURCES = (("auto", AUTO, AUTO, DRIVER, DRIVER), ("driver", DRIVER, DRIVER, DRIVER, DRIVER),
           ("tracepoint", TRACEPOINT, TRACEPOINT, TRACEPOINT, TRACEPOINT),
           ("driver and tracepoint", DRIVER, TRACEPOINT, DRIVER, TRACEPOINT),
           ("tracepoint and driver", TRACEPOINT, DRIVER, TRACEPOINT, DRIVER),
           ("qdisc and tracepoint", QDISC, TRACEPOINT, QDISC, TRACEPOINT))
# A poll that was under way already when the packet came makes one round's least delay shorter, and others that never came at the
# right time make some longer: the lowest but one of five is none of those.
ROUNDS = 5


def compare(driver, ramp):
    """Each source of stamps sees each packet once, and names itself; the nearer to the wire, the shorter the delay."""
    found = {}
    for name, tx, rx, saw_tx, saw_rx in SOURCES * ROUNDS:
        ramp.want(tx, rx)
        ramp.pair.send(10)
        time.sleep(0.2)
        counted, samples = ramp.measure()
        delays = sorted(sample[0] for sample in samples)
        what = f"{driver}, {name}"
        result(counted["records"] == PACKETS, f"{what}: each packet is recorded once", counted)
        result(len(samples) == counted["samples"] >= PACKETS * 9 // 10 and not counted["retransmitted"] and
               not counted["unmatched"], f"{what}: packets become samples, none is seen twice", len(samples), counted)
        result({sample[1:] for sample in samples} == {(saw_tx, saw_rx)}, f"{what}: each sample names its sources",
               {sample[1:] for sample in samples})
        if delays:
            found.setdefault(name, []).append(delays[0])
            print(f"# {what}: delay {delays[0]} ns at least, {delays[len(delays) // 2]} median, {delays[-1]} at most", flush=True)
    least = {name: sorted(delays)[1] for name, delays in found.items() if len(delays) == ROUNDS}
    result(len(least) == 6 and 0 <= least["driver"] < least["tracepoint"] < least["qdisc and tracepoint"],
           f"{driver}: the least delay is the driver's, and the qdisc's the largest", least)
    # The two of Rx are a few instructions apart, and which needs more depends on the kernel.
    result(len(least) == 6 and least["driver and tracepoint"] <= least["tracepoint"],
           f"{driver}: what leaves is seen later by the driver than by the tracepoint", least)


def shown(driver, ramp):
    """Content of the dump of devices."""
    ramp.want(AUTO, AUTO)
    a, b = ramp.device(ramp.a, A), ramp.device(ramp.b, B)
    result(a.get("HOOK") == b.get("HOOK") == 1, f"{driver}: its devices are known to call the hook", a, b)
    result((a.get("STAMP_TX"), a.get("STAMP_RX"), b.get("STAMP_TX"), b.get("STAMP_RX")) == (DRIVER, AUTO, AUTO, DRIVER),
           f"{driver}: the driver is the default source, and nothing is stamped without a user", a, b)


def inside(command):
    """Output of a command in the sender's namespace."""
    return subprocess.run(["ip", "netns", "exec", A, *command.split()], check=True, capture_output=True, text=True).stdout


def refused(ramp):
    """How often the sender's ring was full when a packet came, how many packets the device has sent, and how many TCP sent again."""
    names, values = re.findall(r"^Tcp: (.*)$", inside("cat /proc/net/snmp"), re.M)
    return (sum(map(int, re.findall(r"ring full: *(\d+)", inside(f"ethtool -S {ramp.pair.va}")))),
            int(inside(f"cat /sys/class/net/{ramp.pair.va}/statistics/tx_packets")),
            int(dict(zip(names.split(), values.split()))["RetransSegs"]))


# The smallest ring that the driver accepts, and bytes to send: windows of some tens of packets, many times.
RING, BURST = 32, 4_000_000


def full(driver, ramp):
    """A packet that a full ring refuses is sent again. It is recorded once, when the ring accepts it."""
    inside(f"ethtool -G {ramp.pair.va} tx {RING}")
    inside(f"ethtool -K {ramp.pair.va} tso off gso off")
    ramp.want(DRIVER, DRIVER)
    ramp.pair.send(10)
    before, counted = refused(ramp), ramp.counters()
    child = os.fork()
    if not child:
        ramp.pair.client.sendall(bytes(BURST))
        os._exit(0)     # pylint: disable=protected-access
    taken = 0
    while taken < BURST:
        taken += len(ramp.pair.server.recv(BURST - taken))
    status = os.waitpid(child, 0)[1]
    time.sleep(0.2)
    times, sent, again = (now - then for now, then in zip(refused(ramp), before))
    recorded, twice = (ramp.counters()[name] - counted[name] for name in ("records", "retransmitted"))
    # A refused packet may be sent after later ones, and has no record then. Neighbour discovery may send a few packets meanwhile.
    result(not status and times > 20 and twice <= again and 0 <= sent - again - recorded <= times + 4,
           f"{driver}: a ring that is full refuses packets, and none is seen twice", times, sent, again, recorded, twice)


def comes_and_goes(driver, ramp):
    """Changes under traffic; On-Ramp goes and the driver stays."""
    child = os.fork()
    if not child:
        ramp.pair.send(2000)
        os._exit(0)     # pylint: disable=protected-access
    for _ in range(10):
        for stamp in (DRIVER, TRACEPOINT):
            ramp.want(stamp, stamp)
    result(os.waitpid(child, 0)[1] == 0, f"{driver}: its source is changed 20 times under traffic")
    run(f"ip netns exec {A} tc qdisc del dev {ramp.pair.va} root")
    ramp.a.socket.close()
    ramp.b.socket.close()
    run("rmmod sch_onramp onramp_acker onramp")
    result(ramp.pair.send() == PACKETS * BYTES, f"{driver}: On-Ramp is unloaded, and it goes on")


def main():
    for driver in sys.argv[1:]:
        if driver in loaded():
            run(f"rmmod {driver}")
        run(f"modprobe {driver}")
        pair = Pair(driver)
        alone(driver, pair)
        ramp = Ramp(pair)
        shown(driver, ramp)
        compare(driver, ramp)
        if driver == "vmxnet3":     # the others say that they are full before a packet comes
            full(driver, ramp)
        comes_and_goes(driver, ramp)
        pair.client.close()
        pair.server.close()
        leave()
        run(f"ip netns del {A}")
        run(f"ip netns del {B}")
        # The namespaces go in their own time, and give the NICs back.
        for _ in range(100):
            if not subprocess.run(["rmmod", driver], stderr=subprocess.DEVNULL, check=False).returncode:
                break
            time.sleep(0.1)
        run("rmmod onramp_hook")
        result(not {driver, "onramp_hook"} & loaded(), f"{driver}: it is unloaded, and then the hook", loaded())
    return finish()


if __name__ == "__main__":
    sys.exit(main())
