#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Floods of OR-ACKs at a sender that holds, and of data and refusals at its receiver, as TAP.

Frames are classified by what they must be counted as, and the counters must agree; meanwhile TCP
transfers must come whole, and hardly later than with fq and in peace. With FULL in the
environment floods are longer.
"""

import os
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import testbed
import acker_hosts
from testbed import HOLD, Flood, Transfer, less
from script import Inside, finish, result as ok, run

FULL = "FULL" in os.environ
MS, PER_MS = (500, 20) if FULL else (120, 12)
SIZE = 1_000_000 if FULL else 250_000
# Compared with fq. A pause is at most 5 ms, and the algorithm does not add up pauses; so a lie costs the idle time
# of a port whose queue a pause has emptied.
SLOWER = 1.25
# Forwarded packets have neither a rate nor a socket that stops, so that a hold ends in a burst.
FORWARDED = 2
SO_TXTIME, CLOCK_TAI = 61, 11


def qdisc(settings, name="a"):
    """A new root qdisc for a sender."""
    run(f"tc -n {name} qdisc replace dev v root bfifo")
    run(f"tc -n {name} qdisc replace dev v root {settings}")


class Sides:
    """The counters of the sender and of the receiver."""

    def __init__(self, near="a", far="b"):
        self.core, self.acker = testbed.family_of(near), acker_hosts.Genl(far)
        self.forget()

    def forget(self):
        """From now on; what is under way is waited for, since programs take no time here."""
        time.sleep(0.05)
        self.was = testbed.stats(self.core), self.acker.stats()

    def since(self):
        """Counts."""
        return less(testbed.stats(self.core), self.was[0]), less(self.acker.stats(), self.was[1])


def peace(address="10.0.0.2"):
    """How long a transfer takes with fq."""
    qdisc("fq")
    took, why = Transfer(size=SIZE, address=address).end()
    ok(not why, f"fq, {address}: what is sent comes", why)
    return took


# pylint: disable-next=too-many-arguments,too-many-locals
def attack(sides, what, settings, took, address="10.0.0.2", dev="v", kinds=(), slower=SLOWER):
    """A transfer and a flood of OR-ACKs at once."""
    qdisc("onramp " + settings)
    sides.forget()
    transfer = Transfer(size=SIZE, address=address)
    sent, never = Flood("b", dev, MS, PER_MS, kinds).end()
    slow, why = transfer.end()
    time.sleep(0.05)
    core, acker = sides.since()
    dropped = testbed.qdisc_stats("a")
    ok(not why and not dropped["drops"], f"{what}: what is sent comes, and the qdisc drops nothing", why, dropped)
    ok(sum(sent.values()) > MS * PER_MS / 2 and not never, f"{what}: {sum(sent.values())} datagrams of {len(kinds)} kinds",
       sent, never)
    want = {"acks": acker["datagrams"] + sent.get("taken", 0), "acks_bad": sent.get("bad", 0),
            "acks_unknown_peer": sent.get("unknown-peer", 0), "acks_unknown_flow": sent.get("unknown-flow", 0)}
    ok({name: core[name] for name in want} == want, f"{what}: each is counted, by its cause", want, core)
    unusable = sum(core[name] for name in ("no_clock", "uncertain", "negative", "too_long", "below_base", "suspect"))
    ok(0 < core["samples"] >= unusable + core["holds"] + core["holds_observed"] - core["holds_new"],
       f"{what}: no delay is both doubted and obeyed", core)
    if testbed.TIMED:
        ok(slow <= took * slower, f"{what}: the transfer takes at most {slower} times as long as with fq",
           f"{slow} s, fq {took} s")
    print(f"# {slow / took:.3f} times, {core['holds']} holds, {core['hold_ns'] / 1e6:.0f} ms")
    return core


def floods(sides):
    """At a sender, every kind, by IPv4, IPv6 and VLAN; and what one of them could do alone."""
    kinds = testbed.kinds(False)
    both = [kind for kind in kinds if kind not in ("ip-options", "extension")]
    took = peace()
    core = attack(sides, "IPv4", HOLD, took, kinds=[*both, "ip-options"])
    ok(core["holds"] > 10 and core["unmatched"], "IPv4: flows were held meanwhile", core)
    attack(sides, "threshold auto", HOLD.replace("threshold 200us", ""), took, kinds=[*both, "ip-options"])
    attack(sides, "law final", HOLD + " law final", took, kinds=[*both, "ip-options"])
    core = attack(sides, "replays", HOLD, took, kinds=["replay"])
    ok(core["holds"] > 10, "replays: flows were held meanwhile", core)
    attack(sides, "replays, law strawman", HOLD + " law strawman", took, kinds=["replay"])
    attack(sides, "lies about time", HOLD, took, kinds=["any-time"])
    core = attack(sides, "mode observe", HOLD.replace("mode hold", "mode observe"), took, kinds=[*both, "ip-options"])
    ok(not core["holds"] and core["holds_observed"], "mode observe: nothing is held", core)
    core = attack(sides, "IPv6", HOLD, peace("fd00::2"), "fd00::2", kinds=[*both, "extension"])
    ok(core["holds"] > 10, "IPv6: flows were held meanwhile", core)
    tagged = [kind for kind in both if kind not in ("priority-tag", "other-tag")]
    core = attack(sides, "VLAN", HOLD, peace("10.5.0.2"), "10.5.0.2", "v.5", tagged)
    ok(core["holds"] > 10, "VLAN: flows were held meanwhile", core)


def off(sides):
    """Without a mode nothing is looked at."""
    qdisc("onramp mode off")
    transfer = Transfer(size=SIZE)
    sent, _ = Flood("b", "v", MS, PER_MS, testbed.kinds(False)).end()
    sides.forget()
    _, why = transfer.end()
    core, _ = sides.since()
    ok(not why and not core["acks"] + core["acks_bad"] + core["acks_unknown_peer"] + core["acks_unknown_flow"], "mode off: nothing is looked at", why, sent, core)


class Wire:
    """Frames as they are, by a device."""

    def __init__(self, name, dev="v"):
        with Inside(name):
            self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
            self.sock.bind((dev, 3))
            self.mac = self.sock.getsockname()[4]

    def acks(self):
        """OR-ACKs that went out."""
        self.sock.setblocking(False)
        found = []
        try:
            while True:
                data, where = self.sock.recvfrom(2048)
                if where[2] == socket.PACKET_OUTGOING and data[12:14] == b"\x08\0" and data[23] == 17 and \
                        data[36:38] == struct.pack("!H", acker_hosts.PORT):
                    found.append(data)
        except BlockingIOError:
            return found


def other_hosts(sides):
    """OR-ACKs of other hosts' flows, with the same addresses: namespaces c and d."""
    acker_hosts.pair("c", "d", "v", 9)
    for name, number in (("c", 1), ("d", 2)):
        run(f"ip -n {name} addr flush dev v")
        run(f"ip -n {name} addr add 10.0.0.{number}/24 dev v")
    qdisc("onramp " + HOLD, name="c")
    qdisc("onramp " + HOLD)
    acker = acker_hosts.Genl("d")
    acker.clock(1000)
    acker.peer("ADD", "10.0.0.0/24")
    acker.device("ADD", acker_hosts.index_of("d", "v"))
    wire, near = Wire("d"), Wire("b")
    _, why = Transfer(near="c", far="d").end()
    found = wire.acks()
    to = Wire("a").mac
    sides.forget()
    for data in found:
        # The checksum was left to the device; other protocols are not checked.
        near.sock.send(to + near.mac + data[12:])
    time.sleep(0.05)
    core, _ = sides.since()
    ok(not why and len(found) > 4 and core["acks_unknown_flow"] == len(found) and not core["acks"],
       "OR-ACKs of another namespace's flows, with our addresses, are strays", why, len(found), core)
    acker.sock.close()
    testbed.gone("c", "d")


def data(sides):
    """At a receiver."""
    for six, address in ((False, "10.0.0.2"), (True, "fd00::2")):
        name = "IPv6" if six else "IPv4"
        wrong = ("data-chain", "data-extension") if not six else ("data-options",)
        kinds = [kind for kind in testbed.kinds(True) if kind not in wrong and kind != "refusal"]
        sides.acker.settings(max_flows=64)
        flow = acker_hosts.Flow("a", "b", address)
        sides.forget()
        flood = Flood("a", "v", MS, PER_MS, kinds)
        time.sleep(0.02)
        for _ in range(5):
            flow.send(1000)
        sent, never = flood.end()
        flow.close()
        time.sleep(0.2)
        _, acker = sides.since()
        # A CPU that is emulated, with all that looks for errors, sends as many as it can.
        ok(sum(sent.values()) > MS * PER_MS / (2 if testbed.TIMED else 4) and not never,
           f"{name}: {sum(sent.values())} frames of {len(kinds)} kinds", sent, never)
        want = {"packets": 5 + sent["peer"] + sent["outsider"] + sent["elsewhere"], "not_peer": sent["outsider"],
                "not_ours": sent["elsewhere"], "backed_off": 0}
        ok({key: acker[key] for key in want} == want, f"{name}: each is counted, by its cause", want, acker)
        ok(sides.acker.stats()["flows"] <= 64 and acker["flows_evicted"] > (100 if testbed.TIMED else 10),
           f"{name}: no more flows than there may be", sides.acker.stats())
        sides.acker.settings(max_flows=16384)
        sides.forget()
        transfer = Transfer(address=address)
        flood = Flood("a", "v", MS, PER_MS, [*kinds, "refusal"])
        sent, never = flood.end()
        _, why = transfer.end()
        _, acker = sides.since()
        ok(not why and not never, f"{name}: what is sent comes", why, never)
        ok(sent["refusal"] and acker["backed_off"], f"{name}: a host that refuses OR-ACKs gets none for a while", sent, acker)


def forwarded(sides):
    """A router that holds what it forwards: flows are identified by addresses and ports, and OR-ACKs end there."""
    testbed.host("f", 3, "pf", "r")
    acker_hosts.pair("c", "f", "w", 1)
    subprocess.run(["ip", "netns", "exec", "f", "sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward; "
                    "echo 1 >/proc/sys/net/ipv6/conf/all/forwarding"], check=True)
    ears = acker_hosts.Listener("c")
    run("ip -n c route add 10.0.0.0/24 via 10.1.0.2")
    run("ip -n b route add 10.1.0.0/24 via 10.0.0.3")
    run("ip -n c route add fd00::/64 via fd00:1::2")
    run("ip -n b route add fd00:1::/64 via fd00::3")
    for prefix in ("10.1.0.0/24", "fd00:1::/64"):
        sides.acker.peer("ADD", prefix)
    took = {}
    qdisc("fq", name="f")
    for address in ("10.0.0.2", "fd00::2", "fd00::2"):      # the first also waits for its neighbours
        took[address], why = Transfer(near="c", address=address).end()
        ok(not why, f"fq, forwarded, {address}: what is sent comes", why)
    here = Sides("f")
    # Nobody tells the source that its packets wait here: a queue as short as that of a socket would overflow.
    deep = HOLD + " flow_limit 10000 limit 100000"
    for what, settings, address in (("IPv4", deep, "10.0.0.2"), ("IPv6", deep, "fd00::2"), ("short queues", HOLD, "10.0.0.2"),
                                 ("one queue for all", deep + " orphan_mask 0", "10.0.0.2")):
        qdisc("onramp " + settings, name="f")
        here.forget()
        transfer = Transfer(near="c", address=address)
        Flood("b", "v", MS, PER_MS, ["replay", "old-sequence", "ports", "cut"]).end()
        slow, why = transfer.end()
        core, acker = here.since()
        ok(not why and core["flows"] >= 8 and core["holds"] and core["acks"] >= acker["datagrams"] > 20,
           f"forwarded, {what}: flows are held, and come whole", why, core, acker)
        dropped = testbed.qdisc_stats("f")
        ok(dropped["drops"] == (dropped["flows_plimit"] if settings == HOLD else 0),
           f"forwarded, {what}: nothing is dropped but for a limit", dropped)
        if what in ("IPv4", "IPv6") and testbed.TIMED:
            ok(slow <= took[address] * FORWARDED, f"forwarded, {what}: at most {FORWARDED} times as long as with fq",
               f"{slow} s, fq {took[address]} s")
    ears.sock.close()
    here.core.socket.close()
    here.acker.sock.close()
    for prefix, way in (("10.1.0.0/24", "10.0.0.3"), ("fd00:1::/64", "fd00::3")):
        sides.acker.peer("DEL", prefix)
        run(f"ip -n b route del {prefix} via {way}")
    testbed.gone("c", "f")


def times(_):
    """Datagrams with departure times by any clock: each comes, those of other clocks at once."""
    qdisc("onramp " + HOLD + " horizon 100ms horizon_cap")
    with Inside("b"):
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("", testbed.PORT))
        server.settimeout(1)
    for name, clock in (("CLOCK_MONOTONIC", time.CLOCK_MONOTONIC), ("CLOCK_REALTIME", time.CLOCK_REALTIME),
                        ("CLOCK_TAI", CLOCK_TAI)):
        with Inside("a"):
            out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        out.setsockopt(socket.SOL_SOCKET, SO_TXTIME, struct.pack("iI", clock, 0))
        out.connect(("10.0.0.2", testbed.PORT))
        for what, ns in (("past", -10**12), ("now", 0), ("5 ms on", 5 * 10**6), ("an hour on", 3600 * 10**9),
                         ("ages on", 1 << 62), ("beyond 2^63", 1 << 63)):
            start = time.monotonic_ns()
            at = max(time.clock_gettime_ns(clock) + ns, 1)
            out.sendmsg([what.encode()], [(socket.SOL_SOCKET, SO_TXTIME, struct.pack("Q", at))])
            try:
                came = server.recv(100).decode() == what
            except socket.timeout:
                came = False
            took = time.monotonic_ns() - start
            most = 110 * 10**6 if clock == time.CLOCK_MONOTONIC else 4 * 10**6
            least = 5 * 10**6 if clock == time.CLOCK_MONOTONIC and ns > 0 else 0
            ok(came and (least <= took <= most or not testbed.TIMED), f"a datagram by {name}, {what}, comes",
               f"{came}, after {took} ns")


def main():
    run("modprobe -a sch_onramp onramp_acker")
    testbed.hosts()
    for name, number in (("a", 1), ("b", 2)):
        run(f"ip -n {name} link add link v name v.5 type vlan id 5")
        run(f"ip -n {name} addr add 10.5.0.{number}/24 dev v.5")
        run(f"ip -n {name} link set v.5 up")
    testbed.accept(acker_hosts.Genl("b"))
    # OR-ACKs that are not taken must not be refused, or the acker backs off.
    ears = acker_hosts.Listener("a")
    sides = Sides()
    try:
        for part in (floods, off, other_hosts, data, times, forwarded):
            part(sides)
    finally:
        ears.sock.close()
        sides.core.socket.close()
        sides.acker.sock.close()
        testbed.gone(*os.listdir("/run/netns"))
    return finish()


if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main())
