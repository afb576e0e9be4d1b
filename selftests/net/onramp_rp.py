#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The reaction point of the qdisc onramp, as TAP: CNMs that are accepted cut the rate of their flow, all others of none.

    onramp_rp.py [TEST ...]     in a network namespace of its own, as root; onramp_rp.sh sees to that

A host is one end of a veth and has onramp; CNMs are sent by the other end, or by the qdisc cp of a bridge. A rate is read and not
measured: no test waits for a time of its own.
"""

import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import cp_switch as sw  # noqa: E402
from cp_switch import sh, until  # noqa: E402
from tap import Tap  # noqa: E402

ETH_P_CNM = 0x22E7
SPEED = 10**10      # veth's, bit/s
NUMBERS = sw.rtm.attribute_numbers("onramp")
WIDTHS = {"RP": "u8", "RP_GD": "u8", "RP_MIN_DEC_FAC": "u8", "RP_MAX_RPS": "u32", "RP_BYTE_RESET": "u32", "RP_THRESHOLD": "u32",
          "FLOW_LIMIT": "u32", "LIMIT": "u32", "RD_REFLECT": "u32", "RD_HOT": "u8"}
QCN = {"RP": 1}
# A rate that, once cut, stays for as long as may be configured: 1 s; at it a frame of 1000 bytes takes 520 ms.
SLOW = {**QCN, "RP_TIME_RESET_NS": 10**9, "RP_MAX_RATE_BPS": 10**6, "RP_MIN_RATE_BPS": 1000, "RP_GD": 6, "RP_MIN_DEC_FAC": 1}
# One that is back as soon as may be configured.
QUICK = {**QCN, "RP_TIME_RESET_NS": 100000, "RP_THRESHOLD": 1, "RP_AI_RATE_BPS": 10**9, "RP_HAI_RATE_BPS": 10**9}


def members(struct_name):
    """Names of a struct's numbers, from the header that defines it; of addresses, a name for each 8 bytes."""
    with open(os.path.join(sw.rtm.HEADERS, "pkt_sch_onramp.h"), encoding="utf-8") as header:
        body = header.read().split(f"struct {struct_name} {{")[1].split("};")[0]
    found = re.findall(r"__[us](?:64|8)\t(\w+)(?:\[(\d+)\])?;", body)
    return [f"{name}{i or ''}" for name, size in found for i in range(int(size or 8) // 8)]


QDISC, CLASS = members("tc_onramp_xstats"), members("tc_onramp_class_xstats")


def onramp(dev, verb="replace", **settings):
    """Add, change or replace onramp at the root of a device."""
    options = b"".join(sw.rtm.attribute(NUMBERS[name], struct.pack(sw.rtm.TYPES[WIDTHS.get(name, "u64")], value))
                       for name, value in settings.items())
    body = sw.rtm.attribute(sw.rtm.TCA_KIND, b"onramp\0") + sw.rtm.attribute(sw.rtm.TCA_OPTIONS | sw.rtm.NLA_F_NESTED, options)
    sw.send_request(sw.request(sw.rtm.RTM_NEWQDISC, sw.rtm.VERBS[verb], dev, body=body))


def fresh(dev, **settings):
    """Have onramp with these settings, whatever was there before."""
    try:
        sw.gone(dev)
    except sw.Refused:
        pass    # it had none
    onramp(dev, **settings)


def stats(dev):
    """Counters of the qdisc."""
    return next(sw.xstats(found, QDISC) for _, found in sw.dump(sw.RTM_GETQDISC, dev) if found[sw.rtm.TCA_KIND] == b"onramp\0")


def classes(dev):
    """Reaction points, by source port of their flow."""
    return {found["sport"]: found for found in (sw.xstats(found, CLASS) for _, found in sw.dump(sw.RTM_GETTCLASS, dev))}


def counted(dev):
    """All CNMs that were counted: accepted, bad, foreign, unknown, early, refused for their sender."""
    st = stats(dev)
    return tuple(st["cnms" + kind] for kind in ("", "_bad", "_foreign", "_unknown", "_early", "_refused"))


def cnm(to, by, culprit, qntz_fb=63, **more):
    """For the first bytes of a frame, as from a switch; what is given differs."""
    msdu = culprit[12:12 + more.get("octets", 64)]
    head = to + by + more.get("tag", b"") + struct.pack("!H", more.get("type", ETH_P_CNM))
    pdu = struct.pack("!H", more.get("version", 0) << 12 | qntz_fb) + by + b"\0\0" + struct.pack("!hhH", 0, 0, 0)
    pdu += more.get("da", culprit[:6]) + struct.pack("!H", more.get("length", len(msdu)))
    frame = (head + pdu + msdu).ljust(60, b"\0")
    return frame[:more.get("cut", len(frame))]


class Pair:
    """A host with onramp, and what is at the other end of its link."""

    def __init__(self):
        self.host, self.port = sw.Host(1), "p1"
        sh(f"ip link set {self.port} up")
        self.mac = sw.mac(self.port)
        self.far = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(sw.ETH_P_ALL))
        self.far.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.far.bind((self.port, sw.ETH_P_ALL))
        # It gets what the hook lets pass.
        self.passed = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_CNM))
        self.passed.bind((self.host.dev, ETH_P_CNM))
        self.passed.setblocking(False)

    def frame(self, flow, number=0, size=1000, to=None):
        """A frame from the host to the other end."""
        return sw.frame(to or self.mac, self.host.mac, number, flow, 0, size)

    def send(self, flow, count=1, number=0, size=1000):
        """Send count frames of a flow."""
        for i in range(count):
            self.host.raw(self.frame(flow, number + i, size))

    def tell(self, culprit, qntz_fb=63, **more):
        """Send a CNM to the host, and wait until it is counted or has passed."""
        before = counted(self.host.dev)
        self.far.send(cnm(more.pop("to", self.host.mac), more.pop("by", self.mac), culprit, qntz_fb, **more))
        until(lambda: counted(self.host.dev) != before)
        return tuple(now - then for now, then in zip(counted(self.host.dev), before))

    def went_on(self):
        """Did a CNM pass the hook?  All that did are read."""
        count = 0
        try:
            while True:
                self.passed.recv(2048)
                count += 1
        except BlockingIOError:
            return count

    def received(self, count):
        """(flow, number) of so many data frames, or what has come."""
        came = []

        def look():
            while True:
                try:
                    data, where = self.far.recvfrom(65536, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    return len(came) >= count
                if where[2] != socket.PACKET_OUTGOING and data[12:14] == b"\x08\x00":
                    came.append((struct.unpack_from("!H", data, 34)[0] - 5000, sw.number_of(data)))
        until(look)
        return came


ACCEPTED, BAD, FOREIGN, UNKNOWN, EARLY, REFUSED = (tuple(int(i == n) for i in range(6)) for n in range(6))


def cut(tap, pair):
    """A CNM cuts the rate of its flow, as the formula has it; the next one only after 15 KB."""
    dev = pair.host.dev
    fresh(dev, **QCN, RP_TIME_RESET_NS=10**9)
    tap.ok("without a CNM there is no reaction point", not classes(dev) and not stats(dev)["reaction_points"])
    pair.send(1)
    got = pair.tell(pair.frame(1))
    point = classes(dev).get(5001, {})
    tap.ok("a CNM about a flow that was sent cuts its rate: 65/128 of the device's", got == ACCEPTED and not pair.went_on() and
           point.get("rate_bps") == SPEED * 65 // 128 and point["target_bps"] == SPEED, (got, point))
    tap.ok("the class is the flow's", (point.get("ether_type"), point.get("proto"), point.get("sport"), point.get("dport")) ==
           (0x800, 17, 5001, 9) and stats(dev)["reaction_points"] == 1, point)
    got = pair.tell(pair.frame(1))
    tap.ok("a second one at once is refused, and changes nothing", got == EARLY and classes(dev)[5001]["rate_bps"] == SPEED * 65 // 128, got)
    pair.send(1, count=14)
    until(lambda: classes(dev)[5001]["tx_packets"] == 14)
    got = pair.tell(pair.frame(1))
    tap.ok("likewise after 14000 bytes", got == EARLY, got)
    pair.send(1)
    until(lambda: classes(dev)[5001]["tx_packets"] == 15)
    got, point = pair.tell(pair.frame(1), 1), classes(dev)[5001]
    tap.ok("after 15000 it is accepted: 127/128", got == ACCEPTED and point["rate_bps"] == SPEED * 65 // 128 * 127 // 128 and
           point["cnms"] == 2, (got, point))
    received = pair.received(16)
    tap.ok("all that was sent has left, in order", [number for _, number in received] == [0, *range(14), 0], received)


def refused(tap, pair):
    """CNMs that are not accepted, each with the counter that says why."""
    dev, sent = pair.host.dev, pair.frame(1)
    fresh(dev, **QCN, RP_TIME_RESET_NS=10**9)
    pair.went_on()
    pair.send(1)
    other_address = sent[:26] + bytes([10, 9, 9, 9]) + sent[30:]
    tcp = sent[:23] + b"\x06" + sent[24:]
    fragment = sent[:20] + b"\x20\0" + sent[22:]
    for name, want, culprit, more in (
            ("of another port", UNKNOWN, pair.frame(2), {}), ("of another source address", UNKNOWN, other_address, {}),
            ("of another protocol", UNKNOWN, tcp, {}), ("of a fragment", UNKNOWN, fragment, {}),
            ("of frames to another station", UNKNOWN, sent, {"da": b"\2\0\0\0\0\x77"}),
            ("without the flow's first bytes", UNKNOWN, sent, {"octets": 0}), ("with too few of them", UNKNOWN, sent, {"octets": 25}),
            ("of IP of no version", UNKNOWN, sent[:14] + b"\0" + sent[15:], {}),
            ("to another station", FOREIGN, sent, {"to": b"\2\0\0\0\0\x66"}), ("to all", FOREIGN, sent, {"to": b"\xff" * 6}),
            ("of another version", BAD, sent, {"version": 1}), ("without feedback", BAD, sent, {"qntz_fb": 0}),
            ("with more of the frame than it has", BAD, sent, {"octets": 20, "length": 60}),
            ("with more than may be", BAD, sent, {"length": 65}), ("cut short", BAD, sent, {"cut": 37})):
        got = pair.tell(culprit, **more)
        passed = pair.went_on()
        goes_on = want in (UNKNOWN, FOREIGN)
        tap.ok(f"a CNM {name}: refused, {'passed on' if goes_on else 'dropped'}", got == want and not classes(dev) and
               passed == goes_on, (got, want, passed))
    before = counted(dev)
    pair.far.send(cnm(pair.host.mac, pair.mac, sent, tag=b"\x22\xe9\0\1"))
    passed = until(lambda: stats(dev) and counted(dev) == before)
    tap.ok("a CNM with a CN-TAG, of which this host sends none: not looked at", passed and not classes(dev))
    got = pair.tell(sent, tag=b"\x81\0\x60\x07")
    tap.ok("a CNM in a VLAN: as without", got == ACCEPTED and list(classes(dev)) == [5001], (got, classes(dev)))
    got = pair.tell(sent, octets=26)
    fresh(dev, **QCN)
    forgotten = pair.tell(sent)
    tap.ok("one after the qdisc was replaced: unknown, nothing was sent by it", forgotten == UNKNOWN and not classes(dev), forgotten)
    pair.send(1)
    got = pair.tell(sent, octets=26)
    tap.ok("the first 26 bytes of a packet are enough", got == ACCEPTED, got)
    before = counted(dev)
    for name, change in (("of another number", {"RP_MAX_RPS": 7}), ("of another kind", {"RP": 2}), ("and none", {"RP": 0}), ("and some again", QCN)):
        onramp(dev, "change", **change)
        tap.ok(f"counters do not fall with reaction points {name}", counted(dev) == before and any(before) and not classes(dev), counted(dev))
    fresh(dev, RP=0)
    pair.went_on()
    pair.send(1)
    pair.far.send(cnm(pair.host.mac, pair.mac, sent))
    tap.ok("rp off: CNMs pass, and are not counted", until(pair.went_on) and counted(dev) == (0,) * 6 and not classes(dev))


def senders(tap, pair):
    """cnm_from: CNMs of others are passed on, however right they are."""
    dev, known, listed = pair.host.dev, pair.frame(1), [b"\2\0\0\0\1" + bytes([n]) for n in range(8)]
    fresh(dev, **QCN, RP_TIME_RESET_NS=10**9, **{f"CNM_FROM{n}": int.from_bytes(address, "big") for n, address in enumerate(listed)})
    pair.went_on()
    pair.send(1)
    got, passed = pair.tell(known), pair.went_on()
    tap.ok("a CNM of a sender that is not one of cnm_from: refused, passed on", got == REFUSED and passed and not classes(dev), (got, passed))
    got = pair.tell(known, by=listed[7])
    tap.ok("a CNM of the last of eight in cnm_from: accepted", got == ACCEPTED and list(classes(dev)) == [5001], (got, classes(dev)))
    bad = []
    for name, errno_, settings in (("an address of a group", "EINVAL", {"CNM_FROM0": 0x010000000001}), ("beyond 48 bits", "ERANGE", {"CNM_FROM3": 1 << 48})):
        try:
            onramp(dev, "change", **settings)
            bad.append(f"{name}: accepted")
        except sw.Refused as why:
            if errno_ not in str(why) or "cnm_from" not in str(why):
                bad.append(f"{name}: {why}")
    tap.ok("cnm_from refuses what is no sender's address, and changes nothing", not bad and pair.tell(known) == REFUSED, bad)
    onramp(dev, "change", **{f"CNM_FROM{n}": 0 for n in range(8)})
    fresh_rate = classes(dev)[5001]["rate_bps"]
    pair.send(1, count=15)
    until(lambda: classes(dev)[5001]["tx_packets"] >= 15)
    got = pair.tell(known)
    tap.ok("without addresses all senders are accepted again", got == ACCEPTED and classes(dev)[5001]["rate_bps"] < fresh_rate, got)


def apart(tap, pair):
    """A flow that waits for its rate; another is not touched."""
    dev = pair.host.dev
    for _ in range(5):
        fresh(dev, **SLOW)
        pair.received(0)
        pair.send(1)
        pair.tell(pair.frame(1))
        pair.send(1, count=5, number=1)
        pair.send(2, count=5)
        received = pair.received(7)
        waiting = classes(dev).get(5001, {}).get("packets")
        if waiting == 4:
            break
    tap.ok("a limited flow waits, and another passes", waiting == 4 and set(received) == {(1, 0), (1, 1), *((2, n) for n in range(5))} and
           list(classes(dev)) == [5001], (waiting, received))
    onramp(dev, "change", RP=0)
    received = pair.received(4)
    tap.ok("rp off: what waited leaves at once, in order", received == [(1, n) for n in range(2, 6)] and not classes(dev), received)
    onramp(dev, "change", **SLOW)
    pair.send(1)
    pair.tell(pair.frame(1))
    pair.send(1, count=5, number=1)
    pair.received(2)
    onramp(dev, "change", RP_MAX_RPS=7)
    tap.ok("another number of reaction points: none is limited", len(pair.received(4)) == 4 and not classes(dev))
    pair.send(1)
    pair.tell(pair.frame(1))
    pair.send(1, count=5, number=1)
    pair.received(2)
    onramp(dev, "change", LIMIT=2)
    tap.ok("a lower limit drops what waits, and the class counts", until(lambda: classes(dev)[5001]["packets"] <= 2), classes(dev))
    sw.gone(dev)
    tap.ok("deleted while packets wait", not [1 for _, found in sw.dump(sw.RTM_GETQDISC, dev) if found[sw.rtm.TCA_KIND] == b"onramp\0"])


def recovery(tap, pair):
    """A rate comes back, and its reaction point ends; with one reaction point flows share it."""
    dev = pair.host.dev
    fresh(dev, **QUICK)
    pair.send(1)
    got = pair.tell(pair.frame(1))
    back = until(lambda: not classes(dev))
    st = stats(dev)
    tap.ok("without CNMs the rate comes back, and the reaction point ends", got == ACCEPTED and back and st["rp_released"] == 1 and
           st["reaction_points"] == 0 and st["rp_increases"] + st["rp_recoveries"] > 0, st)
    fresh(dev, **QCN, RP_TIME_RESET_NS=10**9, RP_MAX_RPS=1)
    for flow in (1, 2):
        pair.send(flow)
        pair.tell(pair.frame(flow))
    of, st = classes(dev), stats(dev)
    tap.ok("one reaction point: the second flow shares it", list(of) == [5001] and of[5001]["shared"] == 1 and st["rp_shared"] == 1 and
           st["reaction_points"] == 1, (of, st))
    pair.send(2, count=15)
    until(lambda: classes(dev)[5001]["tx_packets"] >= 15)
    got = pair.tell(pair.frame(2))
    tap.ok("and its bytes and CNMs count there", got == ACCEPTED and classes(dev)[5001]["cnms"] == 2, (got, classes(dev)))
    pair.send(3, count=2)
    pair.received(0)
    tap.ok("a third, which no CNM was about, has none", classes(dev)[5001]["tx_packets"] == 15, classes(dev))
    fresh(dev, **QCN, RP_TIME_RESET_NS=10**9, RP_MIN_RATE_BPS=9 * 10**9, RP_MAX_RATE_BPS=10**10)
    pair.send(1)
    pair.tell(pair.frame(1))
    tap.ok("no rate is cut below rpg_min_rate", classes(dev)[5001]["rate_bps"] == 9 * 10**9, classes(dev))


def bridge(tap, pair):
    """Behind a bridge with cp the loop is closed: the flow that fills the slow output is notified, another is not, and without rp none reacts."""
    sh(f"ip link del {pair.port}")
    switch = sw.Switch(3)
    one, two, three = switch.hosts
    sw.cp(one.port, LAW="none")
    sw.cp(three.port, LAW="none")
    sw.cp(two.port, LAW="qcn", QEQ=10000, SAMPLE_BASE=20000, SAMPLE_TABLE=0, LIMIT=100000, RATE_BPS=20000000)
    for rp in (0, 1):
        fresh(one.dev, RP=rp)

        def load():
            one.send(two, flow=1, count=20)
            one.send(three, flow=2, count=5)
            return stats(one.dev)["cnms"] >= 3 if rp else sw.stats(two.port)["cnms"] >= 3
        sent = until(load)
        of = classes(one.dev)
        if not rp:
            tap.ok("rp off: CNMs are sent, and nobody reacts", sent and not of and counted(one.dev) == (0,) * 6)
            until(lambda: not sw.stats(two.port)["q_bytes"])
            switch.quiet()
    rate = of.get(5001, {}).get("rate_bps", SPEED)
    tap.ok("rp qcn: the flow that fills the slow output is limited, the other is not", list(of) == [5001] and 5000000 <= rate < SPEED, of)
    until(lambda: one.send(two, flow=1, count=20) or classes(one.dev).get(5001, {}).get("rate_bps", SPEED) <= 10**9)
    tap.ok("while it is too fast it is notified again: below 1 Gbit/s", classes(one.dev)[5001]["rate_bps"] <= 10**9, classes(one.dev))
    forged(tap, switch)
    onramp(one.dev, "change", **QUICK)
    tap.ok("then it has its rate again", until(lambda: not classes(one.dev)), classes(one.dev))


def forged(tap, switch):
    """CNMs of another host of the bridge."""
    one, two, three = switch.hosts
    before, switched = counted(one.dev), sw.stats(three.port)["cnm_refused"]
    three.raw(cnm(one.mac, three.mac, sw.frame(two.mac, one.mac, flow=7)))
    tap.ok("a forged CNM about a flow that was not sent", until(lambda: counted(one.dev)[3] == before[3] + 1) and
           list(classes(one.dev)) == [5001], counted(one.dev))
    sw.cp(three.port, "change", DEFENSE="edge")
    before = counted(one.dev)
    three.raw(cnm(one.mac, three.mac, sw.frame(two.mac, one.mac, flow=1)))
    tap.ok("a forged CNM about one that was, at a port with defense edge: dropped there",
           until(lambda: sw.stats(three.port)["cnm_refused"] == switched + 1) and counted(one.dev)[:4] == before[:4], counted(one.dev))


SETTINGS = (QCN, SLOW, QUICK, {"RP": 0}, {**QCN, "RP_MAX_RPS": 1}, {**QCN, "RP_MAX_RPS": 4096}, {**QUICK, "RP_MAX_RPS": 3}, {"LIMIT": 5},
            {"LIMIT": 10000}, {"FLOW_LIMIT": 3}, {"FLOW_LIMIT": 100})


def storm(work):
    """A process that does something again and again; its number."""
    child = os.fork()
    if child:
        return child
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    number = 0
    while True:
        try:
            work(number)
        except OSError:
            pass    # the device is away
        number += 1
        if not number % 50:
            time.sleep(0.001)


def changes(tap, pair, children, what, counter, wanted, **more):
    """Settings, the qdisc, the module and the device of a host go while frames come that a counter counts.

    children send them; wanted is the setting with which they count, last that of the last qdisc, settings are tried one after the other.
    """
    dev, settings = pair.host.dev, more["settings"]
    taken = until(lambda: stats(dev)[counter] >= 20)
    for number in range(60):
        if number % 12 == 11:
            sw.gone(dev)
            onramp(dev, **wanted)
        else:
            try:
                onramp(dev, "change", **settings[number * 7 % len(settings)])
            except sw.Refused:
                pass    # rp is off, or another
        classes(dev)
        time.sleep(0.002)
    onramp(dev, "change", **wanted, LIMIT=10000, FLOW_LIMIT=100)
    tap.ok(f"settings and qdiscs change under {what}", taken and until(lambda: stats(dev)[counter] >= 20), stats(dev))
    sw.gone(dev)
    gone = subprocess.run(["modprobe", "-r", "sch_onramp"], check=False, capture_output=True, text=True)
    again = subprocess.run(["modprobe", "sch_onramp"], check=False)
    tap.ok(f"the module goes under {what}, and comes", not gone.returncode and not again.returncode, gone.stderr)
    onramp(dev, **more.get("last", wanted))
    until(lambda: stats(dev)[counter] >= 1)
    sh(f"ip link del {pair.port}")
    for child in children:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
    tap.ok(f"the device goes under {what}", not os.path.exists(f"/sys/class/net/{dev}"))


def churn(tap, _):
    """Settings, the qdisc, the device and the module go while frames and CNMs come."""
    for name in ("br0", "p1", "p2", "p3"):
        if os.path.exists(f"/sys/class/net/{name}"):
            sh(f"ip link del {name}")
    pair = Pair()
    onramp(pair.host.dev, **QCN)
    children = [storm(lambda n: pair.host.raw(pair.frame(n % 9, n, 1000))),
                storm(lambda n: pair.far.send(cnm(pair.host.mac, pair.mac, pair.frame(n % 9), 1 + n % 63)))]
    changes(tap, pair, children, "frames and CNMs", "cnms", QCN, last=SLOW, settings=SETTINGS)


def main(argv):
    tap = Tap()
    subprocess.run("mount -t sysfs sysfs /sys".split(), check=False, stderr=subprocess.DEVNULL)
    pair = Pair()
    for test in (cut, refused, senders, apart, recovery, bridge, churn):
        if not argv or test.__name__ in argv:
            test(tap, pair)
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
