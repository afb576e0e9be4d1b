#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onrampctl doctor: its requests, how it reads the replies, and its output. findings_*.c test the findings that it derives from facts."""

import errno
import json
import os
import re
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from ctl import CONTROL, DUMP, MULTI, REQUEST, ROOT, Ctl, ack, attr, done, family, message
from ctl import link as named
from tap import Tap

ETHTOOL = 32
LINKS, ADDRESSES, QDISCS = 18, 22, 38
KEYS = ["id", "severity", "dev", "host", "what", "command"]
FAMILY = "family"


def u32(kind, number):
    return attr(kind, struct.pack("=I", number))


def text(kind, value):
    return attr(kind, value.encode() + b"\0")


def members(kind):
    """Names of the counters of a qdisc."""
    with open(os.path.join(ROOT, f"kernel/include/uapi/linux/pkt_sch_{kind}.h"), encoding="utf-8") as file:
        body = re.search(rf"struct tc_{kind}_xstats {{\n(.*?)\n}};", file.read(), re.S).group(1)
    return re.findall(r"(\w+);", body)


def link(index=2, name="eth0", flags=1, gso_max=8192, sent=10**6, queues=1, kind=None, **numbers):
    """A device; doctor reads only bytes of its 64-bit counters. numbers are its relations to other devices: below, master, away."""
    stats = struct.pack("=4Q", 5, 5, 10**5, sent) + bytes(160)
    return message(16, MULTI, struct.pack("=BxHiII", 0, 1, index, flags, 0) + text(3, name) + u32(4, 1500) + text(6, "onramp") +
                   u32(31, queues) + u32(41, gso_max) + attr(23, stats) + (attr(0x8000 | 18, text(1, kind)) if kind else b"") +
                   b"".join(u32({"below": 5, "master": 10, "away": 37}[name], number) for name, number in numbers.items()))


def address(index=2, scope=0):
    return message(20, MULTI, struct.pack("=BBBBI", 2, 24, 0, scope, index) + attr(1, bytes((10, 0, 0, 1))))


def qdisc(kind="onramp", options=b"", cut=0, handle=0x10000, **counters):
    """A qdisc at the root of eth0. Options are attributes by number."""
    app = struct.pack(f"={len(members(kind))}q", *(counters.get(name, 0) for name in members(kind)))
    basic = struct.pack("=QI4x", counters.get("bytes", 0), counters.get("packets", 1000))
    stats = attr(0x8000 | 7, attr(1, basic) + attr(4, app[:len(app) - cut] + bytes(-cut if cut < 0 else 0)))
    return message(36, MULTI, struct.pack("=BxxxiIII", 0, 2, handle, 0xFFFFFFFF, 0) + text(1, kind) + attr(0x8000 | 2, options) + stats)


def option(kind, name, data):
    """A parameter of a qdisc, by its attribute's name."""
    with open(os.path.join(ROOT, f"kernel/include/uapi/linux/pkt_sch_{kind}.h"), encoding="utf-8") as file:
        names = re.findall(rf"^\tTCA_{kind.upper()}_(\w+),", file.read(), re.M)
    return attr(names.index(name), data)


OFF = option("onramp", "MODE", b"\0")
HOLD = (option("onramp", "REMEMBER", struct.pack("=I", 0)) + option("onramp", "MODE", b"\2") + option("onramp", "CLOCK", b"\1") +
        option("onramp", "ERROR_NS", struct.pack("=Q", 1000)))
RP = option("onramp", "RP", b"\1")


def feature(index, *names):
    bits = b"".join(attr(0x8000 | 1, u32(1, 5) + text(2, name) + attr(3, b"")) for name in names)
    return message(ETHTOOL, MULTI, struct.pack("=BBH", 11, 1, 0) + attr(0x8000 | 1, u32(1, index)) +
                   attr(0x8000 | 4, attr(1, b"") + attr(0x8000 | 3, bits)))


def speed(index, mbit):
    return message(ETHTOOL, MULTI, struct.pack("=BBH", 4, 1, 0) + attr(0x8000 | 1, u32(1, index)) + u32(5, mbit))


class Host:
    """A host that is well; what is set in it makes it ill. .look() is what the kernel answers."""

    def __init__(self, ctl):
        self.ctl = ctl
        stats = struct.pack("=26q", *([700] + [0] * 8 + [0] * 17))
        self.part = {
            "links": [link(1, "lo", 9), link()],
            "addresses": [address()],
            "qdiscs": [qdisc(options=HOLD, records=700, samples=80, measured=3, threshold_ns=14000, base_ns=1000)],
            "onramp": family(),
            "acker": [ctl.reply("acker-get", {"acker-rate": 1000000, "acker-max-flows": 100, "acker-stats": bytes(120)}), ack()],
            "clock": [ctl.reply("clock-get", {"clock-id": 1, "clock-error": 1000, "clock-state": 1}), ack()],
            "stats": [ctl.reply("stats-get", {"stats": stats, "max-flows": 9, "acks": 80}), ack()],
            "stamps": [ctl.reply("dev-get", {"ifindex": 2, "stamp-tx": 1, "stamp-rx": 1}, MULTI)],
            "paths": [ctl.reply("path-get", {"path": {"saddr": bytes((10, 0, 0, 1)), "daddr": bytes((10, 0, 0, 2)), "dscp": 0,
                                                      "state": 0, "error": 2000, "samples": 80}}, MULTI)],
            "flows": [], "keys": [],
            "peers": [ctl.reply("peer-get", {"prefix": bytes((10, 0, 0, 0)), "prefix-len": 24}, MULTI)],
            "devices": [ctl.reply("acker-dev-get", {"ifindex": 2}, MULTI)],
            "ethtool": [message(CONTROL, 0, struct.pack("=BBH", 1, 2, 0) + attr(1, struct.pack("=H", ETHTOOL))), ack()],
            "features": [feature(2, "tx-tcp-segmentation", "rx-gro")],
            "speeds": [speed(2, 10000)],
        }

    def look(self, **parts):
        """Answers, in the order of the requests; None: no request; a list that ends by itself stays as it is."""
        ended = ("onramp", "acker", "clock", "stats", "ethtool")
        answers = []
        for name, answer in {**self.part, **parts}.items():
            if answer is not None:
                failed = answer and isinstance(answer[-1], bytes) and answer[-1][4:6] in (b"\2\0", b"\3\0")
                answers.append(answer if name in ended or failed else [*answer, done()])
        return answers

    def run(self, arguments="doctor", second=None, **parts):
        """Run the doctor; the second look is as the first, but for some parts."""
        answers = self.look(**parts) + self.look(**{**parts, **(second or {})})
        return self.ctl.run(arguments, *answers[1:], family_is=answers[0])

    def ids(self, arguments="doctor", **parts):
        """Names of findings, from JSON."""
        self.run(f"-j {arguments}", **parts)
        return [row["id"] for row in json.loads(self.ctl.out)] if self.ctl.out else None


def spoken(tap, ctl, host):
    code = host.run()
    tap.ok("of a host that is well it says so, and ends with 0", (code, ctl.out, ctl.err) == (0, "No problem was found.\n", ""), ctl.outcome())
    kinds = [r.kind for r in ctl.requests]
    tap.ok("it asks rtnetlink first, and all of it twice", kinds[:3] == [LINKS, ADDRESSES, QDISCS] and
           len(kinds) == 32 and kinds[:16] == kinds[16:], kinds)
    cmds = [r.cmd for r in ctl.requests[3:14]]
    tap.ok("then the family", cmds[1:] == ["acker-get", "clock-get", "stats-get", "dev-get", "path-get", "flow-get", "key-get", "peer-get",
                                           "acker-dev-get"] + cmds[-1:], cmds)
    tap.ok("then ethtool's", [r.kind for r in ctl.requests[13:16]] == [CONTROL, ETHTOOL, ETHTOOL] and
           ctl.requests[14].flags == REQUEST | DUMP, kinds)
    code = host.run("-j doctor")
    tap.ok("JSON of nothing is an empty list", code == 0 and json.loads(ctl.out) == [], ctl.outcome())
    off = [qdisc(options=OFF)]
    code = host.run(qdiscs=off)
    tap.ok("a finding is a sentence and a command", code == 1 and ctl.out.splitlines() == [
        "error: eth0: mode-off: Its onramp has mode off: it measures and holds nothing.",
        "    tc qdisc change dev eth0 root onramp mode hold"], ctl.outcome())
    host.run("doctor -j", qdiscs=off)
    rows = json.loads(ctl.out)
    tap.ok("JSON of a finding, also with -j behind", [list(row) for row in rows] == [KEYS] and rows[0]["id"] == "mode-off" and
           rows[0]["severity"] == "error" and rows[0]["dev"] == "eth0" and rows[0]["host"] is None, ctl.outcome())
    unacked = host.part["paths"] + [ctl.reply("path-get", {"path": {"saddr": bytes((10, 0, 0, 1)), "daddr": bytes((10, 0, 0, 7)),
                                                                   "dscp": 0, "state": 1}}, MULTI)]
    host.run(paths=unacked)
    tap.ok("a command for another host says so", "    at 10.0.0.7: onrampctl clock set system error 2us" in ctl.out, ctl.outcome())
    never = host.part["paths"] + [ctl.reply("path-get", {"path": {"saddr": bytes((10, 0, 0, 1)), "daddr": bytes((10, 0, 0, 8)),
                                                                  "dscp": 0, "state": 7, "samples": 5}}, MULTI)]
    found = host.ids(paths=never)
    tap.ok("a path that became unacknowledged", found == ["path-unacked"], ctl.outcome())
    name = 'e"\\$'
    host.run("-j doctor", links=[link(name=name)], qdiscs=off)
    rows = json.loads(ctl.out)
    tap.ok("a device's name is quoted for JSON and for the shell", rows[0]["dev"] == name and
           rows[0]["command"] == f"tc qdisc change dev '{name}' root onramp mode hold", ctl.outcome())


def missing(tap, ctl, host):
    gone = dict.fromkeys(("acker", "clock", "stats", "stamps", "paths", "flows", "keys", "peers", "devices"))
    code = host.run(qdiscs=[], onramp=[ack(errno.ENOENT)], **gone)
    tap.ok("no module", code == 1 and "module-absent" in ctl.out and "modprobe -a sch_onramp onramp_acker" in ctl.out, ctl.outcome())
    found = host.ids(acker=[ack(errno.EOPNOTSUPP)], devices=None)
    tap.ok("no acker", found == ["acker-absent"], ctl.outcome())
    for part, what in (("paths", "paths"), ("flows", "flows"), ("keys", "keys"), ("stamps", "stamps"), ("features", "features of devices"),
                       ("speeds", "speeds of links"), ("addresses", "addresses"), ("peers", "peers")):
        parts = {part: [done(errno.EPERM)]}
        if part == "features":
            parts["speeds"] = None
        code = host.run(**parts)
        tap.ok(f"{what}, not readable, are reported", code == 1 and f"unread: " in ctl.out and f"{what}: Operation not permitted." in ctl.out
               and "sudo onrampctl doctor" in ctl.out, ctl.outcome())
    for part in ("clock", "stats"):
        code = host.run(**{part: [ack(errno.EACCES)]})
        tap.ok(f"{part}, not readable, is reported", code == 1 and f"{part}: Permission denied." in ctl.out, ctl.outcome())
    code = host.run(onramp=[ack(errno.EPERM)], **gone)
    tap.ok("a family without permission is not taken for absent", code == 1 and "module-absent" not in ctl.out and
           "onramp: Operation not permitted" in ctl.out, ctl.outcome())
    found = host.ids(ethtool=[ack(errno.ENOENT)], features=None, speeds=None)
    tap.ok("a kernel without ethtool's family", found == ["unread"], ctl.outcome())
    for part in ("links", "qdiscs"):
        rest = list(host.part)[list(host.part).index(part) + 1:]
        answers = host.look(**{part: [done(errno.ENOMEM)]}, **dict.fromkeys(rest))
        code = ctl.run("doctor", *answers[1:], family_is=answers[0])
        tap.ok(f"without {part} it could not look", code == 2 and "doctor: " in ctl.err and "Cannot allocate memory" in ctl.err and not ctl.out,
               ctl.outcome())
    code = ctl.run("doctor", family_is=[errno.ENODATA])
    tap.ok("a dead socket: could not look", code == 2 and "cannot receive from the kernel" in ctl.err, ctl.outcome())
    answers = host.look()
    code = ctl.run("doctor", *answers[1:], family_is=answers[0])
    tap.ok("a kernel that dies between the looks", code == 2 and not ctl.out, ctl.outcome())


def garbled(tap, ctl, host):
    for what, parts in {
            "a message that is cut off": {"links": [message(16, MULTI, b"\0" * 4), link()]},
            "an address of an odd size": {"addresses": [message(20, MULTI, struct.pack("=BBBBI", 2, 24, 0, 0, 2) + attr(1, b"abc"))]},
            "a prefix longer than an address": {"addresses": [message(20, MULTI, struct.pack("=BBBBI", 2, 255, 0, 0, 2) +
                                                                      attr(1, bytes(4)))]},
            "an address of nobody": {"addresses": [address(99)]},
            "a qdisc of nobody": {"qdiscs": host.part["qdiscs"] + [message(36, MULTI, struct.pack("=BxxxiIII", 0, 99, 1, 1, 0))]},
            "counters of an older kernel": {"qdiscs": [qdisc(options=HOLD, cut=160, records=700, samples=80, measured=3)]},
            "counters of a newer kernel": {"qdiscs": [qdisc(options=HOLD, cut=-64, records=700, samples=80, measured=3)]},
            "a feature without a name": {"features": [feature(2), message(ETHTOOL, MULTI, struct.pack("=BBH", 11, 1, 0))]},
            "the speed of nobody": {"speeds": [speed(2, 10000), speed(77, 5), message(ETHTOOL, MULTI, struct.pack("=BBH", 4, 1, 0))]},
            "an unknown speed": {"speeds": [speed(2, 0xFFFFFFFF)]},
            "a path that is none": {"paths": host.part["paths"] + [ctl.reply("path-get", {"path": {"saddr": b"abc", "state": 250}}, MULTI)]},
            "a state of tomorrow": {"paths": [ctl.reply("path-get", {"path": {"saddr": bytes(4), "daddr": bytes(4), "state": 99}}, MULTI)]},
    }.items():
        code = host.run(**parts)
        tap.ok(f"{what} does no harm", code == 0 and ctl.out == "No problem was found.\n", ctl.outcome())


def gathered(tap, ctl, host):
    """A fact from each place, seen by what is found."""
    base = dict(records=700, samples=80, measured=3, threshold_ns=14000, base_ns=1000)

    def onramp(options=HOLD, **counters):
        return [qdisc(options=options, **{**base, **counters})]

    def stats(**values):
        counters = struct.pack("=26q", *([0] * 15 + [700] + [0] * 10))
        return [ctl.reply("stats-get", {"stats": counters, "max-flows": 9, "acks": 80} | values), ack()]

    def failed(flows, paths, memory=0):
        counters = struct.pack("=26q", *([0] * 19 + [1] + [0] * 6))
        return [ctl.reply("stats-get", {"stats": counters, "flows": flows, "max-flows": 9, "paths": paths, "max-paths": 8, "acks": 80,
                                        "memory": memory, "max-memory": 1 << 28}), ack()]

    key = [ctl.reply("key-get", {"group": 7, "key-id": 5, "key-require": 1, "prefix": bytes(4), "prefix-len": 0}, MULTI)]
    acker = struct.pack("=15Q", 600, 600, *([0] * 13))
    marked = dict(tx_packets=1000, tx_bytes=10**6, nonect_seen=100)
    for what, ids, parts in (
            ("GSO packets of a device", ["gso-burst"], {"links": [link(gso_max=65536)]}),
            ("GSO that is off", [], {"links": [link(gso_max=65536)], "features": [feature(2, "rx-gro")]}),
            ("a slow link", ["gso-burst"], {"speeds": [speed(2, 1000)]}),
            ("LRO", ["lro"], {"features": [feature(2, "rx-lro")]}),
            ("hardware GRO", ["lro"], {"features": [feature(2, "rx-gro-hw")]}),
            ("the NIC's backlog", ["nic-backlog"], {"qdiscs": onramp(nic_backlog_ns=50000)}),
            ("packets that are not TCP", ["not-tcp"], {"qdiscs": onramp(records=0, not_tcp=100, measured=0)}),
            ("late OR-ACKs", ["records-lost"], {"qdiscs": onramp(unmatched=100)}),
            ("a threshold", ["threshold-low"], {"qdiscs": onramp(HOLD + option("onramp", "THRESHOLD_NS", struct.pack("=Q", 900)))}),
            ("nothing seen", ["no-stamps"], {"qdiscs": onramp(records=0)}),
            ("stamps that nobody takes", ["no-stamps"], {"stamps": [ctl.reply("dev-get", {"ifindex": 2, "stamp-tx": 0, "stamp-rx": 1}, MULTI)]}),
            ("a device that nobody acks", ["acker-unseen"], {"stamps": [ctl.reply("dev-get", {"ifindex": 2, "stamp-tx": 1, "stamp-rx": 0}, MULTI)]}),
            ("OR-ACKs that are not signed", ["key-missing"], {"keys": key, "stats": stats(**{"acks-unsigned": 81})}),
            ("an unknown key", ["key-unknown"], {"keys": key, "stats": stats(**{"acks-unknown-key": 81})}),
            ("a wrong tag", ["key-differs"], {"keys": key, "stats": stats(**{"acks-forged": 81})}),
            ("refusals without a group", [], {"stats": stats(**{"acks-forged": 81})}),
            ("one of each refused, on a host where nothing moves", [],
             {"keys": key, "stats": stats(**{"acks-forged": 1, "acks-unsigned": 1, "acks-unknown-key": 1, "acks-stale": 1})}),
            ("a switch that is off", ["held-off"], {"stats": stats(holding=0, **{"holding-why": b"drill\0"})}),
            ("a switch that is on", [], {"stats": stats(holding=1)}),
            ("a full table", ["flows-full"], {"stats": failed(9, 7)}),
            ("a full table of paths", ["paths-full"], {"stats": failed(9, 8)}),
            ("tables that are no longer full", [], {"stats": failed(8, 7)}),
            ("memory for others than peers that is full", ["memory-full"], {"stats": failed(8, 7, 1 << 27)}),
            ("a stale clock", ["acker-no-clock"], {"clock": [ctl.reply("clock-get", {"clock-id": 2, "clock-state": 0}), ack()]}),
            ("a clock that is too uncertain", ["clock-uncertain"], {"qdiscs": onramp(HOLD[:-8] + struct.pack("=Q", 200000)),
                                                                    "links": [link(gso_max=3000)]}),
            ("no device", ["acker-unattached"], {"devices": []}),
            ("no peers", ["peers-empty"], {"peers": []}),
            ("strangers, of whom none is here any more", [], {"acker": [ctl.reply("acker-get", {"acker-stats": acker}), ack()]}),
            ("what is never ECT", ["ecn-not-ect"], {"qdiscs": onramp() + [qdisc("ecnsharp", **{**marked, "nonect_seen": 1000})]}),
            ("GSO packets in ecnsharp", ["ecn-gso"], {"qdiscs": onramp() + [qdisc("ecnsharp", **{**marked, "tx_bytes": 10**7})]}),
            ("no queue in ecnsharp", ["ecn-no-queue"], {"qdiscs": onramp() + [qdisc("ecnsharp", **marked, sojourn_max_ns=1000)]}),
            ("a short queue in ecnsharp", ["ecn-below"], {"qdiscs": onramp() + [qdisc("ecnsharp", **marked, sojourn_max_ns=84000)]}),
            ("a target that is lower", [], {"qdiscs": onramp() + [qdisc("ecnsharp", option("ecnsharp", "PST_TARGET_NS", struct.pack("=Q", 50000)), **marked,
                                                                        sojourn_max_ns=84000)]}),
            ("marks", [], {"qdiscs": onramp() + [qdisc("ecnsharp", **marked, pst_marks=1)]}),
            ("a full queue of a limited flow", ["rp-flow-limit"], {"qdiscs": onramp(options=HOLD + RP, cnms=5, flows_plimit=7)}),
            ("CNMs about no flow of a qdisc", ["rp-unknown"], {"qdiscs": onramp(options=HOLD + RP, cnms_unknown=7)}),
            ("GRO on a port with cp", ["cp-gro"], {"qdiscs": onramp() + [qdisc("cp")]}),
            ("frames of a port without cp", ["cp-foreign"], {"qdiscs": onramp() + [qdisc("cp", foreign=7)], "features": [feature(2, "tx-tcp-segmentation")]}),
            ("a port with cp", [], {"qdiscs": onramp() + [qdisc("cp", local=7)], "features": [feature(2, "tx-tcp-segmentation")]}),
    ):
        tap.ok(f"{what}: {', '.join(ids) or 'nothing'}", host.ids(**parts) == ids, ctl.outcome())
    for kind in ("bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "vrf"):
        tap.ok(f"an acker to attach to a {kind}: nothing", host.ids(devices=[], links=[link(kind=kind)]) == [], ctl.outcome())
    for kind in (None, "", "veth", "bridge", "bonds"):
        tap.ok(f"an acker to attach to {'a' if kind else 'no'} {kind or 'kind'}: acker-unattached",
               host.ids(devices=[], links=[link(kind=kind)]) == ["acker-unattached"], ctl.outcome())
    for what, found, around in (
            ("a VLAN", ["eth1"], {"kind": "vlan", "below": 3}),
            ("a VLAN of another namespace's NIC", ["eth0"], {"kind": "vlan", "below": 3, "away": 0}),
            ("a veth, whose other end is no NIC", [], {"kind": "veth", "below": 3}),
            ("a bond", ["eth1"], {"kind": "bond"}),
            ("a bridge", [], {"kind": "bridge"}),
    ):
        links = [link(**around), link(3, "eth1", **({"master": 2} if "below" not in around else {}))]
        device = {"devices": [ctl.reply("acker-dev-get", {"ifindex": 9}, MULTI)]} if found else {}
        host.run("-j doctor", links=[*links, link(9, "eth9", kind="dummy")], qdiscs=[], **device)
        rows = {row["id"]: row["dev"] for row in json.loads(ctl.out) if row["id"] in ("nic-unattached", "nic-other-netns")}
        tap.ok(f"the NIC below {what}", list(rows.values()) == found, ctl.outcome())
    flow = [ctl.reply("flow-get", {"flow": {"saddr": bytes(4), "daddr": bytes(4), "state": 2, "error": 250000}}, MULTI)]
    path = [ctl.reply("path-get", {"path": {"saddr": bytes(4), "daddr": bytes((10, 0, 0, 2)), "state": 2}}, MULTI)]
    host.run("-j doctor", paths=path, flows=flow, links=[link(gso_max=3000)])
    tap.ok("a flow's bound", [row["command"] for row in json.loads(ctl.out)] == ["tc qdisc change dev eth0 root onramp max_error 250us"],
           ctl.outcome())


def scoped(tap, ctl, host):
    name = sorted(os.listdir("/sys/class/net"))
    tap.ok("this machine has lo, which has number 1", "lo" in name)
    found = host.ids("doctor dev lo", qdiscs=[qdisc(options=OFF)])
    tap.ok("nothing is reported for another device", found == [], ctl.outcome())
    for index, ids in ((2, ["mode-off"]), (1, [])):
        parts = {"qdiscs": [qdisc(options=OFF)]}
        ctl.run("-j doctor dev a-name-of-more-than-15", *host.look(**parts), *host.look(**parts), family_is=named(index))
        tap.ok(f"an alternative name, of device {index}", [row["id"] for row in json.loads(ctl.out)] == ids, ctl.outcome())


def watched(tap, ctl, host):
    def stats(records, forged):
        counters = struct.pack("=26q", *([0] * 15 + [records] + [0] * 10))
        return [ctl.reply("stats-get", {"stats": counters, "max-flows": 9, "acks": 80 + records, "acks-forged": forged}), ack()]

    key = [ctl.reply("key-get", {"group": 7, "key-id": 5, "key-require": 1, "prefix": bytes(4), "prefix-len": 0}, MULTI)]
    host.run(keys=key, stats=stats(700, 4), second={"stats": stats(800, 4)})
    tap.ok("earlier refusals are not reported while packets are sent", ctl.code == 0, ctl.outcome())
    host.run(keys=key, stats=stats(700, 4), second={"stats": stats(800, 7)})
    tap.ok("what is refused now is", ctl.code == 1 and "key-differs: 3 OR-ACKs" in ctl.out, ctl.outcome())
    host.run(keys=key, stats=stats(700, 4), second={"stats": stats(700, 7)})
    tap.ok("so it is where nothing else moves", ctl.code == 1 and "key-differs: 3 OR-ACKs" in ctl.out, ctl.outcome())
    host.run(keys=key, stats=stats(700, 781))
    tap.ok("where nothing moves, all that ever was", ctl.code == 1 and "key-differs: 781 OR-ACKs" in ctl.out, ctl.outcome())
    host.run(keys=key, stats=stats(700, 780))
    tap.ok("but not what is no more than what was taken", ctl.code == 0, ctl.outcome())


def paths(tap, ctl, host):
    """A peer that recovered, and whose path nothing measures since."""
    def path(peer, state, samples):
        return ctl.reply("path-get", {"path": {"saddr": bytes((10, 0, 0, 1)), "daddr": bytes((10, 0, 0, peer)), "dscp": 0,
                                               "state": state, "samples": samples}}, MULTI)

    first = [path(3, 1, 50), path(2, 0, 80)]
    code = host.run(paths=first, second={"paths": [path(3, 1, 50), path(2, 0, 81)]})
    tap.ok("an earlier state is not reported while others are measured", code == 0 and ctl.out == "No problem was found.\n", ctl.outcome())
    code = host.run(paths=first, second={"paths": [path(3, 1, 51), path(2, 0, 81)]})
    tap.ok("one of now is", code == 1 and "error: peer-no-clock: The OR-ACKs of 10.0.0.3 " in ctl.out, ctl.outcome())
    code = host.run(paths=first)
    tap.ok("where nothing is measured the last one is", code == 1 and "error: peer-no-clock: The OR-ACKs of 10.0.0.3 " in ctl.out, ctl.outcome())


def files(tap, ctl, host):
    strangers = struct.pack("=15Q", 600, 600, *([0] * 13))
    parts = {"acker": [ctl.reply("acker-get", {"acker-stats": strangers}), ack()]}
    head = "  sl  local_address rem_address   st tx_queue\n"
    packed = struct.pack("=I", struct.unpack("=I", bytes((192, 0, 2, 9)))[0])
    far = f"{struct.unpack('=I', packed)[0]:08X}"
    near = f"{struct.unpack('=I', bytes((10, 0, 0, 9)))[0]:08X}"
    mapped = "0000000000000000" + f"{struct.unpack('=I', bytes((0, 0, 255, 255)))[0]:08X}" + far
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOST_ROOT"] = folder
        os.makedirs(os.path.join(folder, "proc/net"))

        def tcp(name, *lines):
            with open(os.path.join(folder, "proc/net", name), "w", encoding="ascii") as file:
                file.write(head + "".join(f"   {i}: 0100000A:1451 {line} 00000000:00000000\n" for i, line in enumerate(lines)))

        tcp("tcp", f"{near}:9999 01", "0100007F:0016 01", f"{far}:0016 0A", f"{far}:0017 06", f"{far}:9999 01")
        host.run(**parts)
        tap.ok("the other end of a connection, and no listener, peer or loopback", "onrampctl peers add 192.0.2.9/32" in ctl.out, ctl.outcome())
        tcp("tcp", f"{near}:9999 01")
        tap.ok("peers are no strangers", host.ids(**parts) == [], ctl.outcome())
        tcp("tcp6", f"{mapped}:9999 01")
        host.run(**parts)
        tap.ok("IPv4 in IPv6's list", "onrampctl peers add 192.0.2.9/32" in ctl.out, ctl.outcome())
        tcp("tcp6", "zz:9999 01", "0123:9999 01", "")
        tap.ok("lines that are none", host.ids(**parts) == [], ctl.outcome())
        for module in ("onramp", "sch_ecnsharp", "sch_cp"):
            place = os.path.join(folder, f"sys/module/{module}/parameters")
            os.makedirs(place)
            for content, ids in (("N", []), ("", []), ("Y", ["kernel-untried"]), ("N", [])):
                with open(os.path.join(place, "untried"), "w", encoding="ascii") as file:
                    file.write(f"{content}\n")
                tap.ok(f"{module} says {content or 'nothing'} of whether its kernel is untried", host.ids(**parts) == ids, ctl.outcome())
        eth0 = os.path.join(folder, "sys/class/net/eth0")
        os.makedirs(os.path.join(eth0, "device"))

        def bql(queue, name, text):
            limits = os.path.join(eth0, f"queues/tx-{queue}/byte_queue_limits")
            os.makedirs(limits, exist_ok=True)
            with open(os.path.join(limits, name), "w", encoding="ascii") as file:
                file.write(text)

        def found(queues=1, sent=5):
            host.run("-j doctor", links=[link(queues=queues)], second={"links": [link(queues=queues, sent=10**6 + sent)]})
            return [row["id"] for row in json.loads(ctl.out)]

        tap.ok("a NIC without byte queue limits", found() == ["no-bql"], ctl.outcome())
        tap.ok("one that sends nothing", found(sent=0) == [], ctl.outcome())
        for limit, ids in (("0\n", ["no-bql"]), ("12345\n", []), ("what?\n", ["no-bql"]), ("0\n", ["no-bql"])):
            bql(0, "limit", limit)
            tap.ok(f"a limit of {limit.strip()}", found() == ids, ctl.outcome())
        for count, ids in (("0\n", ["no-bql"]), ("1514\n", [])):
            bql(0, "inflight", count)
            tap.ok(f"no limit yet, and {count.strip()} bytes under way", found() == ids, ctl.outcome())
        bql(0, "inflight", "0\n")
        bql(2, "limit", "0\n")
        tap.ok("queues without", found(queues=3) == ["no-bql"], ctl.outcome())
        bql(2, "limit", "12345\n")
        tap.ok("a limit of the last queue, the others having sent nothing", found(queues=3) == [], ctl.outcome())
        tap.ok("a queue that the device has not", found(queues=2) == ["no-bql"], ctl.outcome())
        bql(0, "limit", "12345\n")
        port = {"qdiscs": host.part["qdiscs"] + [qdisc("cp", option("cp", "PAUSE", b"\1"))], "features": [feature(2, "tx-tcp-segmentation")]}
        for driver, ids in (("igb", []), ("ice", ["cp-pause-dropped"]), ("i40e", ["cp-pause-dropped"])):
            place = os.path.join(eth0, f"device/driver/module/drivers/pci:{driver}")
            os.makedirs(place)
            tap.ok(f"PAUSE frames of a port with cp and the driver {driver}", host.ids(**port) == ids, ctl.outcome())
            tap.ok(f"no PAUSE frames, {driver}", host.ids(**{**port, "qdiscs": host.part["qdiscs"] + [qdisc("cp")]}) == [], ctl.outcome())
            os.rmdir(place)
        del os.environ["HOST_ROOT"]


class Tuner:
    """acc-tuner's files and programs: .on is what accctl -j stats and queues print, .test what acc-tuner --test prints and ends with."""

    def __init__(self, folder):
        self.folder, self.test, self.accctl = folder, ("", 0), "exit 1"
        for name in ("etc", "run/acc-tuner", "proc/net", "bin"):
            os.makedirs(os.path.join(folder, name))

    def there(self, *names):
        """Files that are there: conf, saved, the name of a daemon."""
        for name, path, content in (("conf", "etc/acc-tuner.conf", ""), ("saved", "run/acc-tuner/saved", ""),
                                    ("name", "proc/net/unix", "Num RefCount Path\n0000: 0002 00000000 0002 01 1234 @acc-tuner\n"),
                                    ("other", "proc/net/unix", "Num RefCount Path\n0000: 0002 00000000 0002 01 1234 @not-acc-tuner\n")):
            whole = os.path.join(self.folder, path)
            if name in names:
                with open(whole, "w", encoding="ascii") as file:
                    file.write(content)
            elif os.path.exists(whole) and name != "other":
                os.unlink(whole)

    def prints(self, stats, queues):
        """What accctl -j prints, as texts."""
        for name, printed in (("stats", stats), ("queues", queues)):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(printed)
        self.accctl = f"[ $1 = -j ] && cat '{self.folder}/'$2"

    def ids(self, host, *arguments, **parts):
        """Findings, with these programs first in PATH."""
        for name, script in (("accctl", self.accctl), ("acc-tuner", f"printf '%s' '{self.test[0]}' >&2; exit {self.test[1]}")):
            path = os.path.join(self.folder, "bin", name)
            with open(path, "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\n{script}\n")
            os.chmod(path, 0o755)
        before = os.environ["PATH"], os.environ.get("HOST_ROOT")
        os.environ["PATH"], os.environ["HOST_ROOT"] = f"{self.folder}/bin:/usr/bin:/bin", self.folder
        try:
            return host.ids(*arguments, **parts)
        finally:
            os.environ["PATH"] = before[0]
            del os.environ["HOST_ROOT"]
            if before[1]:
                os.environ["HOST_ROOT"] = before[1]


def tuner(tap, ctl, host):
    """acc-tuner: whether it runs, would start, and what it says of its queues."""
    queue = {"queue": "eth0/2:", "state": "tuned", "why": "", "own_kmax_ns": 200000, "wanted_kmax_ns": 210000, "pmax": None}
    row = queue | {"state": "red", "why": "each change of red empties its queue: tc qdisc replace dev eth0 root ecnsharp", "own_kmax_ns": None}
    fine = json.dumps({"mode": "tune", "ticks": 1000, "overruns": 0})
    with tempfile.TemporaryDirectory() as folder:
        made = Tuner(folder)
        made.there()
        tap.ok("no acc-tuner: nothing is said of it", made.ids(host) == [], ctl.outcome())
        made.there("conf")
        tap.ok("it is configured, and does not run", made.ids(host) == ["acc-stopped"], ctl.outcome())
        made.there("conf", "other")
        tap.ok("another program's name is not its own", made.ids(host) == ["acc-stopped"], ctl.outcome())
        made.test = ("acc-tuner: /etc/x.accm: damaged: its SHA-256 is another\nand more\n", 1)
        found = made.ids(host)
        tap.ok("its model is refused, with the reason", found == ["acc-refused"] and json.loads(ctl.out)[0]["what"] ==
               "acc-tuner does not start: /etc/x.accm: damaged: its SHA-256 is another.", ctl.outcome())
        made.test = ("", 3)
        tap.ok("refused, and no reason", made.ids(host) == ["acc-refused"], ctl.outcome())
        made.test = ("sh: acc-tuner: not found\n", 127)
        tap.ok("a configuration of a program that is removed", made.ids(host) == [], ctl.outcome())
        made.there("saved")
        tap.ok("one was killed", made.ids(host) == ["acc-left"], ctl.outcome())
        made.there("conf", "name")
        tap.ok("another one than the unit's runs", made.ids(host) == ["acc-deaf"], ctl.outcome())
        made.accctl = "echo accctl: /run/acc-tuner/control: Permission denied >&2; exit 1"
        tap.ok("it may not be asked", made.ids(host) == ["unread"], ctl.outcome())
        made.accctl = "exit 127"
        tap.ok("accctl is missing", made.ids(host) == ["unread"], ctl.outcome())
        for what, stats, queues, ids in (
                ("all is well", fine, json.dumps([queue]), []), ("it has no queue", fine, "[]", []),
                ("a queue is held", fine, json.dumps([queue, queue | {"state": "held"}]), ["acc-held"]),
                ("a queue is refused", fine, json.dumps([queue, row]), ["acc-unfit"]),
                ("two are refused, and one was changed", fine, json.dumps([row, queue | {"state": "foreign"}, row | {"queue": "eth0/3:", "why": "its rate is not known"}]),
                 ["acc-foreign", "acc-unfit", "acc-unfit"]),
                ("it observes, and would do otherwise", fine, json.dumps([queue | {"state": "observed", "wanted_kmax_ns": 900000}]),
                 ["acc-observes"]),
                ("no numbers of kmax", fine, json.dumps([queue | {"state": "observed", "wanted_kmax_ns": "900000", "own_kmax_ns": None}]), []),
                ("a tenth is skipped", json.dumps({"ticks": 1000, "overruns": 101}), "[]", ["acc-late"]),
                ("no JSON of stats", "ticks 1000", "[]", ["acc-deaf"]), ("half of it", fine[:-1], "[]", ["acc-deaf"]),
                ("no JSON of queues", fine, "[{", []), ("a zero byte", fine, "[\0]", []),
                ("a name that is too long", fine, json.dumps([queue | {"queue": "e" * 200 + "/2:", "state": "held"}]), ["acc-held"])):
            made.prints(stats, queues)
            tap.ok(f"acc-tuner answers: {what}", made.ids(host) == ids, ctl.outcome())
        made.prints(fine, json.dumps([queue | {"state": "held"}]))
        tap.ok("a queue of a device that is not examined", made.ids(host, "doctor dev lo") == [], ctl.outcome())


def main():
    tap, ctl = Tap(), Ctl()
    host = Host(ctl)
    for part in (spoken, missing, garbled, gathered, scoped, watched, paths, files, tuner):
        part(tap, ctl, host)
    tap.end()


if __name__ == "__main__":
    main()
