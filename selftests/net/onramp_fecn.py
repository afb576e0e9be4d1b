#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The reaction point of the qdisc onramp with rp fecn, as TAP: RD frames, which answers set a rate, and what is reflected.

    onramp_fecn.py [TEST ...]     in a network namespace of its own, as root; onramp_fecn.sh sees to that

A host is one end of a veth and has onramp; answers are sent by the other end, or by a host behind a bridge with the qdisc cp. An RD
frame is sent once a flow has sent 4200 bytes since the one before, and with the shortest period, which passes between two sends.
"""

import os
import select
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import cp_switch as sw  # noqa: E402
import fecn_frames as fecn  # noqa: E402
import onramp_rp as rp  # noqa: E402
from cp_switch import sh, until  # noqa: E402
from onramp_rp import classes, fresh, onramp, stats  # noqa: E402
from tap import Tap  # noqa: E402

ETH_P_RD = 0x88B5
FECN = {"RP": 2, "RD_PERIOD_NS": 100000}
COUNTERS = ("rds_answered", "rds_unknown", "rds_late", "rds_bad", "rds_reflected", "rds_limited")
ANSWERED, UNKNOWN, LATE, BAD, REFLECTED, LIMITED = ({name: 1} for name in COUNTERS)
HOP = b"\2\0\0\0\0\x99\0\0"


class Pair(rp.Pair):
    """A host with onramp, and what is at the other end of its link."""

    def __init__(self):
        super().__init__()
        self.far.setsockopt(sw.SOL_PACKET, sw.PACKET_AUXDATA, 1)
        self.passed.close()
        # It gets what the hook lets pass.
        self.passed = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_RD))
        self.passed.bind((self.host.dev, ETH_P_RD))
        self.passed.setblocking(False)

    def went_on(self):
        """Did a frame from the other end pass the hook?  All that did are read."""
        count = 0
        try:
            while True:
                count += self.passed.recvfrom(2048)[1][2] != socket.PACKET_OUTGOING
        except BlockingIOError:
            return count

    def frames(self, count=1, wait_s=None):
        """So many frames at the other end, or what has come; those that it sent itself are left out."""
        came = []
        end = time.monotonic() + (sw.WAIT_S if wait_s is None else wait_s)
        while len(came) < count and select.select([self.far], [], [], max(end - time.monotonic(), 0))[0]:
            data, more, _, where = self.far.recvmsg(65536, 64)
            if where[2] != socket.PACKET_OUTGOING:
                came.append(sw.with_tag(data, more[0][2] if more else b""))
        return came

    def request(self, flow=1):
        """Have a flow send an RD frame, and return that."""
        self.frames(10**6, 0)
        for number in range(50):
            self.send(flow, number=number)
            if until(lambda n=number: self.left(flow, n)) and self.rd:
                return self.rd.pop()
        return None

    def left(self, flow, number):
        """Has that frame left? RD frames that did are kept."""
        came = self.frames(1)
        self.rd = getattr(self, "rd", []) + fecn.rds_of(came)
        return any(sw.number_of(data) == number and data[34:36] == (5000 + flow).to_bytes(2, "big") for data in sw.data_of(came))

    def answer(self, sent, **fields):
        """Send an RD frame back with these fields; what was counted."""
        of = {"flags": fecn.BACK, "index": sent["index"], "nonce": sent["nonce"], "kbps": 5000000, "hops": 2, "q_bytes": 777, "cpid": HOP}
        return self.tell_rd(fecn.rd(self.host.mac, self.mac, **{**of, **fields}))

    def tell_rd(self, frame):
        """Send a frame to the host, and wait until it is counted or has passed; what was counted."""
        before = stats(self.host.dev)
        self.far.send(frame)
        self.gone_on = 0

        def seen():
            self.gone_on += self.went_on()
            now = stats(self.host.dev)
            return self.gone_on or any(now[name] != before[name] for name in COUNTERS)
        until(seen)
        self.gone_on += self.went_on()
        now = stats(self.host.dev)
        return {name: now[name] - before[name] for name in COUNTERS if now[name] != before[name]}


def requests(tap, pair):
    """When a flow has a reaction point, and sends RD frames."""
    dev = pair.host.dev
    fresh(dev, **FECN)
    pair.went_on()
    pair.send(1, count=4)
    tap.ok("a flow that sent 4000 bytes has no reaction point", len(pair.frames(4)) == 4 and not classes(dev) and not stats(dev)["rds"])
    pair.send(1, number=4)
    came = pair.frames(2)
    got = fecn.rds_of(came)
    want = {"da": pair.mac, "sa": pair.host.mac, "tag": b"", "magic": b"FERD", "version": 1, "flags": 1, "hops": 0, "kbps": fecn.NO_RATE,
            "q_bytes": 0, "cpid": bytes(8), "index": 1}
    tap.ok("after 4200 an RD frame leaves, ahead of the packet, with the flow's addresses", got and got[0] == fecn.read_rd(came[0]) and
           sw.number_of(came[1]) == 4 and {**got[0], **want} == got[0] and len(came[0]) == 60, (came, got))
    of = classes(dev).get(5001, {})
    tap.ok("the class is the flow's, at the device's speed", of.get("rate_bps") == rp.SPEED and (of["rds"], of["rds_answered"]) == (1, 0), of)
    pair.send(1, count=4, number=5)
    tap.ok("in the next 4000 bytes there is none", not fecn.rds_of(pair.frames(4)))
    time.sleep(0.001)
    pair.send(1, count=1, number=9)
    again = fecn.rds_of(pair.frames(2))
    tap.ok("then there is one, with another nonce", again and again[0]["nonce"] != got[0]["nonce"] and again[0]["index"] == 1, again)
    group = b"\3\0\0\0\0\1"
    for number in range(9):
        pair.host.raw(pair.frame(3, number, 1000, to=group))
    pair.send(2, count=5)
    until(lambda: stats(dev)["rds"] >= 3)
    tap.ok("another flow has its own; one to a group has none", sorted(classes(dev))[:2] == [5001, 5002] and 5003 not in classes(dev),
           classes(dev))
    fresh(dev, RP=1)
    pair.frames(10**6, 0)
    pair.send(1, count=9)
    tap.ok("rp qcn: no RD frames", not fecn.rds_of(pair.frames(9)) and not classes(dev))


def tagged(tap, pair):
    """An RD frame has the flow's VLAN tag."""
    fresh(pair.host.dev, **FECN)
    pair.frames(10**6, 0)
    for number in range(5):
        data = pair.frame(1, number)
        pair.host.raw(data[:12] + bytes.fromhex("81006005") + data[12:])
    got = fecn.rds_of(pair.frames(6))
    tap.ok("the RD frame has the flow's VLAN tag", len(got) == 1 and got[0]["tag"].hex() == "81006005", got)


def answers(tap, pair):
    """Which answers set the rate, and what becomes of others."""
    dev = pair.host.dev
    fresh(dev, **FECN)
    first = pair.request()
    got, of = pair.answer(first), classes(dev)[5001]
    tap.ok("an answer sets the rate at once, and is dropped", got == ANSWERED and not pair.gone_on and of["rate_bps"] == 5 * 10**9, (got, of))
    tap.ok("the class shows the congestion point's queue, and the hops", (of["hops"], of["hop_bytes"], of["rds_answered"]) == (2, 777, 1), of)
    second = pair.request()
    for name, want, fields in (
            ("with another nonce", UNKNOWN, {"nonce": second["nonce"] ^ 1}), ("of another reaction point", UNKNOWN, {"index": 2}),
            ("of reaction point 0", UNKNOWN, {"index": 0}), ("of one beyond the last", UNKNOWN, {"index": 101}),
            ("of one far beyond", UNKNOWN, {"index": 0xffffffff}), ("of another version", BAD, {"version": 2}),
            ("without flags", BAD, {"flags": 0}), ("with both flags", BAD, {"flags": 3}), ("of another protocol", {}, {"magic": b"FERE"}),
            ("again", LATE, {"nonce": first["nonce"]})):
        got = pair.answer(second, kbps=1000000, **fields)
        goes_on = want in (UNKNOWN, {})
        tap.ok(f"an answer {name}: {'passed on' if goes_on else 'dropped'}, and changes nothing", got == want and
               bool(pair.gone_on) == goes_on and classes(dev)[5001]["rate_bps"] == 5 * 10**9, (got, pair.gone_on, classes(dev)))
    frame = fecn.rd(b"\2\0\0\0\0\x66", pair.mac, flags=fecn.BACK, index=1, nonce=second["nonce"], kbps=1000000)
    got = pair.tell_rd(frame)
    tap.ok("an answer to another station: passed on", got == {} and pair.gone_on == 1 and classes(dev)[5001]["rate_bps"] == 5 * 10**9, got)
    got = pair.tell_rd(fecn.rd(pair.host.mac, pair.mac, flags=fecn.BACK, index=1, nonce=second["nonce"])[:58])
    tap.ok("an answer cut short: dropped", got == BAD, got)
    third = pair.request()
    got = pair.answer(third, kbps=9000000)
    late = pair.answer(second, kbps=1000000)
    tap.ok("an answer that was overtaken: dropped", got == ANSWERED and late == LATE and classes(dev)[5001]["rate_bps"] == 9 * 10**9, late)
    for name, kbps, bps in (("no rate", fecn.NO_RATE, rp.SPEED), ("more than the device has", 20000000, rp.SPEED), ("0", 0, 5000000),
                            ("less than rpg_min_rate", 4999, 5000000)):
        got = pair.answer(pair.request(), kbps=kbps)
        tap.ok(f"an answer of {name}: the rate is {bps}", got == ANSWERED and classes(dev)[5001]["rate_bps"] == bps, (got, classes(dev)))
        pair.answer(pair.request(), kbps=8000000)
    sent = pair.request()
    fresh(dev, **FECN)
    got = pair.answer(sent)
    tap.ok("an answer after the qdisc was replaced: passed on", got == UNKNOWN and not classes(dev), got)


def unanswered(tap, pair):
    """Five RD frames without an answer, of a flow that had one and of another."""
    dev = pair.host.dev
    fresh(dev, **FECN)
    for _ in range(9):
        pair.request()
    tap.ok("a flow that never had an answer keeps its rate", classes(dev)[5001]["rate_bps"] == rp.SPEED and not stats(dev)["rds_unanswered"],
           classes(dev))
    pair.answer(pair.request(), kbps=8000000)
    rates = []
    for _ in range(12):
        pair.request()
        rates.append(classes(dev)[5001]["rate_bps"] // 10**6)
    tap.ok("after an answer: five RD frames later the rate is halved, and again", rates == 5 * [8000] + 5 * [4000] + 2 * [2000], rates)
    tap.ok("and counted", stats(dev)["rds_unanswered"] == 2, stats(dev))


def reflection(tap, pair):
    """RD frames of others are sent back, one for one, and not above the limit."""
    dev = pair.host.dev
    fresh(dev, **FECN)
    pair.frames(10**6, 0)
    for tag in (b"", bytes.fromhex("81006005")):
        sent = fecn.rd(pair.host.mac, pair.mac, tag=tag, kbps=123, cpid=HOP, hops=9)
        got = pair.tell_rd(sent)
        came = pair.frames(1)
        want = fecn.rd(pair.mac, pair.host.mac, tag=tag, kbps=123, cpid=HOP, hops=9, flags=fecn.BACK)
        tap.ok(f"an RD frame {'in a VLAN ' if tag else ''}comes back, with the other flag and nothing else", got == REFLECTED and
               not pair.gone_on and came == [want], (got, came))
    for name, frame, want, goes_on in (
            ("on its way back", fecn.rd(pair.host.mac, pair.mac, flags=fecn.BACK, index=5), UNKNOWN, True),
            ("of both ways", fecn.rd(pair.host.mac, pair.mac, flags=3), BAD, False),
            ("of a group", fecn.rd(pair.host.mac, b"\3" + pair.mac[1:]), BAD, False),
            ("of no address", fecn.rd(pair.host.mac, bytes(6)), BAD, False),
            ("to all", fecn.rd(b"\xff" * 6, pair.mac), {}, True), ("to another station", fecn.rd(b"\2\0\0\0\0\x66", pair.mac), {}, True)):
        got = pair.tell_rd(frame)
        tap.ok(f"one {name}: none comes back", got == want and bool(pair.gone_on) == goes_on and not pair.frames(1, 0.01), (got, want))
    before = stats(dev)
    pair.far.send(fecn.rd(pair.host.mac, pair.host.mac))
    pair.tell_rd(fecn.rd(pair.host.mac, pair.mac))
    tap.ok("one from its own address: none comes back", len(pair.frames(2, 0.01)) == 1 and
           stats(dev)["rds_reflected"] == before["rds_reflected"] + 1)
    fresh(dev, **FECN, RD_REFLECT=0)
    got = pair.tell_rd(fecn.rd(pair.host.mac, pair.mac))
    tap.ok("rd_reflect 0: none comes back", got == LIMITED and not pair.frames(1, 0.01), got)
    fresh(dev, **FECN, RD_REFLECT=1, FLOW_LIMIT=10000)
    for _ in range(1200):
        pair.far.send(fecn.rd(pair.host.mac, pair.mac))
    until(lambda: stats(dev)["rds_reflected"] + stats(dev)["rds_limited"] == 1200)
    st = stats(dev)
    came = len(fecn.rds_of(pair.frames(10**6, 0.1)))
    # 1024 at once, and one a second; not all are read in time.
    tap.ok("rd_reflect 1: a burst of 1024, no more frames than came", 1024 <= st["rds_reflected"] < 1100 and 0 < came <= st["rds_reflected"] and
           st["rds_reflected"] + st["rds_limited"] == 1200, (st, came))
    fresh(dev, RP=1)
    pair.went_on()
    pair.far.send(fecn.rd(pair.host.mac, pair.mac))
    tap.ok("rp qcn: RD frames pass, and none comes back", until(pair.went_on) and not pair.frames(1, 0.01))


def hot(tap, pair):
    """Hot-spot messages, on and off."""
    dev = pair.host.dev
    for on in (1, 0):
        fresh(dev, **{**FECN, "RD_PERIOD_NS": 10**9}, RD_HOT=on)
        pair.request()
        got = pair.tell(pair.frame(1))
        again = pair.tell(pair.frame(1))
        st, of = stats(dev), classes(dev)[5001]
        tap.ok(f"a CNM with rd_hot {'on halves the rate, once a period' if on else 'off changes nothing'}",
               (of["rate_bps"], st["rds_hot"]) == ((rp.SPEED // 2, 1) if on else (rp.SPEED, 0)) and
               (got, again) == ((rp.ACCEPTED, rp.EARLY) if on else (rp.UNKNOWN, rp.UNKNOWN)), (got, again, of))
    fresh(dev, **FECN, RD_HOT=1)
    tap.ok("a CNM about a flow without a reaction point changes nothing", pair.tell(pair.frame(1)) == rp.UNKNOWN and not classes(dev))


def waits(tap, pair):
    """Packets leave at the rate, in order, and at once if there is a higher one."""
    dev = pair.host.dev
    fresh(dev, **FECN, RP_MIN_RATE_BPS=1000)
    pair.answer(pair.request(), kbps=1)
    # A packet takes 8 s.
    pair.send(1, count=1, number=100)
    pair.frames(2, 0.01)
    pair.send(1, count=5, number=101)
    pair.send(2, count=3)
    other = [sw.number_of(data) for data in sw.data_of(pair.frames(3))]
    tap.ok("a limited flow waits, and another passes", other == [0, 1, 2] and classes(dev)[5001]["packets"] >= 4, (other, classes(dev)))
    onramp(dev, "change", RP=1)
    came = [sw.number_of(data) for data in sw.data_of(pair.frames(6))]
    tap.ok("another kind of reaction point: all leave, in order", came == [*range(100, 106)] and not classes(dev), came)
    fresh(dev, **FECN, RP_MAX_RPS=1)
    pair.request(1)
    pair.request(2)
    of = classes(dev)
    tap.ok("one reaction point: the second flow shares it", list(of) == [5001] and of[5001]["shared"] >= 1, of)


def bridge(tap, _):
    """Behind a bridge with law fecn the loop is closed: the rate is that of the slow port, and the class names that."""
    for name in ("p1", "p2", "p3"):
        if os.path.exists(f"/sys/class/net/{name}"):
            sh(f"ip link del {name}")
    switch = sw.Switch(3)
    one, two, three = switch.hosts
    for host in (one, three):
        sw.cp(host.port, LAW="fecn", FLOWS=1)
    sw.cp(two.port, LAW="fecn", QEQ=10000, LIMIT=1000000, RATE_BPS=20000000, FLOWS=1)
    for host in (two, three):
        fresh(host.dev, RP=2)
    fresh(one.dev, **FECN, FLOW_LIMIT=1000)

    def slow():
        one.send(two, flow=1, count=5)
        one.send(three, flow=2, count=5)
        time.sleep(0.001)
        return classes(one.dev).get(5001, {}).get("rate_bps", rp.SPEED) <= 25 * 10**6
    tap.ok("the rate of the flow to the slow port falls to the port's", until(slow), classes(one.dev))
    of, st = classes(one.dev), sw.stats(two.port)
    found = next(found for _, found in sw.dump(sw.RTM_GETTCLASS, one.dev) if sw.xstats(found, rp.CLASS)["sport"] == 5001)
    tap.ok("the other keeps its rate", of[5002]["rate_bps"] > 10**9 and of[5002]["rds_answered"] > 0, of)
    raw = sw.attributes(found[sw.TCA_STATS2])[sw.TCA_STATS_APP]
    tap.ok("the class names the port", raw[-8:] == sw.mac(two.port) + b"\0\0" and of[5001]["hops"] == 1, raw[-8:].hex())
    tap.ok("both sides count the same", stats(two.dev)["rds_reflected"] >= of[5001]["rds_answered"] and st["rds"] > 0 and
           not st["rds_bad"] and not stats(one.dev)["rds_bad"], (st, stats(two.dev)))
    three.raw(fecn.rd(one.mac, three.mac, flags=fecn.BACK, index=1, nonce=1, kbps=1))
    unknown = until(lambda: stats(one.dev)["rds_unknown"])
    tap.ok("a forged answer changes nothing", unknown and classes(one.dev)[5001]["rate_bps"] > 10**6, classes(one.dev))
    for host in switch.hosts:
        sh(f"ip link del {host.port}")
    sh("ip link del br0")


SETTINGS = (FECN, {"RP": 0}, {"RP": 1}, {**FECN, "RP_MAX_RPS": 1}, {**FECN, "RP_MAX_RPS": 4096}, {**FECN, "RD_REFLECT": 0},
            {**FECN, "RD_INITIAL_BPS": 10**7}, {"LIMIT": 5}, {"LIMIT": 10000}, {**FECN, "RD_HOT": 1}, {"FLOW_LIMIT": 3}, {"FLOW_LIMIT": 100})


def churn(tap, _):
    """Settings, the qdisc, the module and the device go while frames, RD frames and answers come."""
    if os.path.exists("/sys/class/net/p1"):
        sh("ip link del p1")
    pair = Pair()
    onramp(pair.host.dev, **FECN)
    # A socket for RD frames only: in real time, reading all frames would take longer than sending them.
    rds = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_RD))
    rds.bind((pair.port, ETH_P_RD))
    rds.settimeout(0.001)

    def back(_):
        """Answer each RD frame, and send one."""
        try:
            of = fecn.read_rd(rds.recv(2048))
        except TimeoutError:
            return
        if of:
            pair.far.send(fecn.rd(pair.host.mac, pair.mac, flags=fecn.BACK, index=of["index"], nonce=of["nonce"], kbps=of["nonce"] >> 9))
            pair.far.send(fecn.rd(pair.host.mac, pair.mac))
    children = [rp.storm(lambda n: pair.host.raw(pair.frame(n % 9, n, 1000))), rp.storm(back)]
    rp.changes(tap, pair, children, "RD frames", "rds_answered", FECN, settings=SETTINGS)


def main(argv):
    tap = Tap()
    subprocess.run("mount -t sysfs sysfs /sys".split(), check=False, stderr=subprocess.DEVNULL)
    pair = Pair()
    for test in (requests, tagged, answers, unanswered, reflection, hot, waits, bridge, churn):
        if not argv or test.__name__ in argv:
            test(tap, pair)
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
