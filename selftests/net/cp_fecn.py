#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Law fecn of the qdisc cp on a bridge over veth, as TAP: which rate it advertises, and which RD frames get it.

    cp_fecn.py [TEST ...]     in a network namespace of its own, as root; cp_fecn.sh sees to that

With "flows 1" a port advertises its whole capacity while its load is low, which is known to the bit.
"""

import socket
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import cp_switch as sw  # noqa: E402
import fecn_frames as fecn  # noqa: E402
from cp_switch import cp, sh, stats, until, mac  # noqa: E402
from tap import Tap  # noqa: E402

C = 2000000000
WHOLE = {"LAW": "fecn", "FLOWS": 1, "RATE_BPS": C}


def through(by, to, data):
    """An RD frame as it arrives, or None."""
    by.raw(data)
    came = to.hear_some(1)
    return came[0] if came else None


def rates(tap, switch):
    """The least rate on the way, and the congestion point that it is of."""
    one, two, *_ = switch.hosts
    cp(two.port, **WHOLE)
    own = {"kbps": C // 1000, "cpid": mac(two.port) + b"\0\0"}
    # Rate that the frame brings, and what it leaves with.
    for name, brings, leaves in (
            ("no rate yet", {}, own),
            ("a higher rate", {"kbps": C // 1000 + 1, "cpid": bytes(range(8)), "hops": 3}, own),
            ("an equal rate", {"kbps": C // 1000, "cpid": bytes(range(8)), "q_bytes": 99}, {}),
            ("a lower rate", {"kbps": C // 1000 - 1, "cpid": bytes(range(8)), "q_bytes": 99}, {}),
            ("a rate of 0", {"kbps": 0}, {}),
            ("the most hops", {"hops": 0xffff}, {**own, "hops": 0xfffe})):
        sent = fecn.rd(two.mac, one.mac, **brings)
        was = stats(two.port)
        got = fecn.read_rd(through(one, two, sent) or b"")
        want = {**fecn.read_rd(sent), **leaves}
        want["hops"] += 1
        if want["hops"] > 0xffff:
            want["hops"] = 0xffff
        want["q_bytes"] = 0 if leaves else want["q_bytes"]
        st = stats(two.port)
        what = "the rate and name of this port" if leaves else "as it is, with one hop more"
        tap.ok(f"{name}: {what}", got == want and
               (st["rds"] - was["rds"], st["rds_written"] - was["rds_written"]) == (1, bool(leaves)), (got, want, st))
    st = stats(two.port)
    tap.ok("the statistics show the rate", st["advertised_bps"] == C and not st["rds_bad"] and not st["rds_failed"], st)


def untouched(tap, switch):
    """RD frames that are none of this port's business, malformed ones, and other protocols."""
    one, two, *_ = switch.hosts
    sw.fresh(two.port, **WHOLE)
    short = fecn.rd(two.mac, one.mac)[:59]
    for name, data, bad in (
            ("one on its way back", fecn.rd(two.mac, one.mac, flags=fecn.BACK), 0),
            ("no flags", fecn.rd(two.mac, one.mac, flags=0), 1), ("both flags", fecn.rd(two.mac, one.mac, flags=3), 1),
            ("an unknown flag", fecn.rd(two.mac, one.mac, flags=5), 1), ("another version", fecn.rd(two.mac, one.mac, version=2), 1),
            ("version 0", fecn.rd(two.mac, one.mac, version=0), 1), ("one byte too short", short, 1),
            ("another protocol of the EtherType", fecn.rd(two.mac, one.mac, magic=b"FERE"), 0),
            ("an EtherType behind four tags", fecn.rd(two.mac, one.mac, tag=4 * bytes.fromhex("81000005")), 0),
            ("IPv4", sw.frame(two.mac, one.mac, 7), 0)):
        was = stats(two.port)["rds_bad"]
        got = through(one, two, data)
        st = stats(two.port)
        tap.ok(f"{name}: untouched{', and counted' if bad else ''}", got == data and st["rds_bad"] - was == bad and not st["rds_written"],
               (got and got.hex(), data.hex(), st))
        sw.fresh(two.port, **WHOLE)
    for name, settings in (("none", {"LAW": "none"}), ("qcn", {"LAW": "qcn"})):
        sw.fresh(two.port, **settings)
        data = fecn.rd(two.mac, one.mac)
        got, st = through(one, two, data), stats(two.port)
        tap.ok(f"law {name}: untouched", got == data and not st["rds"] and not st["advertised_bps"], st)
    sw.fresh(two.port, **WHOLE)


def tags(tap, switch):
    """The rate is written at its place behind VLAN tags."""
    one, two, *_ = switch.hosts
    cp(two.port, **WHOLE)
    for name, tag in (("a VLAN tag", "81006005"), ("two", "88a8000581000006"), ("a tag of priority 0", "81000000")):
        got = fecn.read_rd(through(one, two, fecn.rd(two.mac, one.mac, tag=bytes.fromhex(tag))) or b"")
        tap.ok(f"{name}: the rate is behind it", got and got["kbps"] == C // 1000 and got["hops"] == 1 and got["nonce"] == 0x12345678, got)


def copies(tap, switch):
    """A frame whose bytes another socket has is copied before it is written."""
    one, two, *_ = switch.hosts
    cp(two.port, **WHOLE)
    data = fecn.rd(two.mac, one.mac)
    # Another socket of the sender's device has the frame, too.
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(sw.ETH_P_ALL)) as other:
        other.bind((one.dev, sw.ETH_P_ALL))
        other.settimeout(sw.WAIT_S)
        got = through(one, two, data)
        copy = other.recv(65536)
    tap.ok("a copy that another socket has stays as it is", got != data and copy == data, (got, copy))


def queue(tap, switch):
    """The queue that is behind an RD frame."""
    one, two, *_ = switch.hosts
    sw.gone(two.port)
    sw.stall(switch, two, **WHOLE)
    one.raw(fecn.rd(two.mac, one.mac))
    one.send(two, count=5)
    until(lambda: stats(two.port)["q_bytes"] == 5060)
    st = stats(two.port)
    tap.ok("a rate of 1 bit/s is a capacity of 1 kbit/s", st["advertised_bps"] == 1000 and not st["rds"], st)
    cp(two.port, "change", RATE_BPS=C)
    got = fecn.rds_of(two.hear_some(6))
    tap.ok("the queue is that behind the frame", len(got) == 1 and got[0]["q_bytes"] == 5000, got)
    sw.release(two)
    sw.gone(two.port)


def load(tap, switch):
    """Too much in an interval, and the rate falls; what is dropped is load, too."""
    one, two, *_ = switch.hosts
    for name, limit in (("queued", 33554432), ("dropped", 40000)):
        sw.fresh(two.port, LAW="fecn", FLOWS=1, RATE_BPS=1000000, INTERVAL_NS=1000000000, LIMIT=limit)
        one.send(two, size=1000, count=1000)
        st = until(lambda: (lambda now: now if now["arrival_bps"] else None)(stats(two.port)))
        tap.ok(f"what was {name} is load: the rate falls", st and 1000000 < st["arrival_bps"] <= 8000000 and
               st["advertised_bps"] < 700000 and 1 < st["effective_flows"] <= 8 and
               (st["drop_limit"] > 900) == (name == "dropped"), st)
        cp(two.port, "change", FLOWS=50)
        tap.ok("a change does not begin anew", stats(two.port)["advertised_bps"] != 20000)
        cp(two.port, "change", RATE_BPS=0, INTERVAL_NS=100000)
        two.hear_some(40)
        tap.ok("when nothing comes it rises, up to the link's", until(lambda: stats(two.port)["advertised_bps"] >= 9999999000),
               stats(two.port))
        sw.gone(two.port)
    sw.fresh(two.port, LAW="fecn", FLOWS=10, RATE_BPS=1000000000, INTERVAL_NS=1000000000)
    st = stats(two.port)
    tap.ok("it begins with the share of that many flows", st["advertised_bps"] == 100000000 and not st["effective_flows"], st)
    cp(two.port, "change", LAW="none")
    tap.ok("another law advertises nothing", not stats(two.port)["advertised_bps"] and not stats(two.port)["arrival_bps"])
    sw.gone(two.port)


def hot(tap, switch):
    """Hot-spot messages are CNMs, above a length, and none otherwise."""
    one, two, *_ = switch.hosts
    cp(one.port, LAW="none", BUFFER=1000000)
    for name, settings, some in (("off", {}, False), ("above", {"HOT": 20000}, True), ("not below", {"HOT": 100000}, False)):
        sw.stall(switch, two, **WHOLE, QEQ=2000, **settings)
        # A sample of the queue is taken each 150 KB.
        one.send(two, size=1000, count=400 if some else 60)
        until(lambda: stats(two.port)["q_bytes"] >= 60000)
        came = sw.cnms_of(one.hear_some(1) if some else one.hear())
        st = stats(two.port)
        tap.ok(f"hot-spot messages: {name}", bool(came) == some == bool(st["cnms"]) and
               (not some or came[0]["cpid"] == mac(two.port) + b"\0\0"), (came, st))
        sw.release(two)
        sw.gone(two.port)
        switch.quiet()
    sw.gone(one.port)


def paused(tap, switch):
    """PAUSE of outputs goes with it, with headroom; a warning without."""
    one, two, three, _ = switch.hosts
    for host in (one, three):
        cp(host.port, LAW="none")
    sw.stall(switch, two, **WHOLE, PAUSE="output", XOFF=5000, XON=2000)
    one.send(two, count=3)
    three.send(two, count=2)
    came = [sw.pauses_of(host.hear_some(1)) for host in (one, three)]
    tap.ok("pause output: every input with bytes there is paused", all(c and c[0] == (1, 65535, ()) for c in came), came)
    sw.release(two)
    for host in (one, two, three):
        sw.gone(host.port)


def bodies(tap, switch):
    """RD frames of random bytes behind the magic: never longer, never another frame, and counted once."""
    one, two, *_ = switch.hosts
    cp(two.port, **WHOLE)
    switch.quiet()
    wrong = 0
    for seed in range(200):
        body = bytes((seed * 37 + i * i * 11) % 251 for i in range(42))
        data = two.mac + one.mac + b"\x88\xb5FERD" + bytes([seed % 3]) + bytes([seed % 5]) + body[2:]
        got = through(one, two, data)
        kbps = struct.unpack_from("!I", data, 38)[0]
        forward = seed % 3 == 1 and seed % 5 == 1
        writes = forward and kbps > C // 1000
        same = got and got[:20] == data[:20] and got[22:38] == data[22:38] and len(got) == len(data)
        wrong += not same or (got[38:] != data[38:]) != writes
    st = stats(two.port)
    tap.ok("random bodies", not wrong and st["rds"] == sum(s % 3 == 1 and s % 5 == 1 for s in range(200)) and st["rds_bad"] == 200 - st["rds"]
           - sum(s % 3 == 1 and s % 5 == 2 for s in range(200)), (wrong, st))
    sw.gone(two.port)


def main():
    tap = Tap()
    subprocess.run("mount -t sysfs sysfs /sys".split(), check=False, stderr=subprocess.DEVNULL)
    sh("ip link set lo up")
    switch = sw.Switch(4)
    sw.run(tap, switch, (rates, untouched, tags, copies, queue, load, hot, paused, bodies))
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
