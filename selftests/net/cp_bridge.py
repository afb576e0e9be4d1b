#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The qdisc cp on a bridge over veth, as TAP: what waits is accounted to the input by which it came, and the culprit's sender is notified.

    cp_bridge.py [TEST ...]     in a network namespace of its own, as root; cp_bridge.sh sees to that

A port whose rate is 1 bit/s lets nothing go, so that all that is expected is known to the byte and no test waits for a time.
"""

import errno
import os
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import cp_switch as sw  # noqa: E402
from cp_switch import cp, sh, stats, classes, of_input, until, mac  # noqa: E402
from tap import Tap  # noqa: E402

# Parameter: (least, most) as the kernel's table has them; those of one byte cannot be given 256.
RANGES = {"LAW": (1, 4), "AT": (0, 1), "SAMPLE": (0, 2), "SIGNAL": (0, 1), "SERVICE": (0, 1), "QEQ": (100, 2147483647), "W": (-10, 10),
          "SAMPLE_BASE": (10000, 2147483647), "SAMPLE_TABLE": (0, 1), "K": (1, 2147483647), "HEADER_OCTETS": (0, 64),
          "BUFFER": (10000, 2147483647), "LIMIT": (10000, 2147483647), "PAUSE": (0, 2), "XOFF": (1, 2147483647), "XON": (0, 2147483647),
          "QUANTA": (1, 65535), "CNPV": (1, 255), "RATE_BPS": (0, 400000000000), "DEFENSE": (0, 1), "INTERVAL_NS": (100000, 1000000000),
          "A": (1000000, 2000000), "B": (1001000, 2000000), "C": (1000, 1000000), "GAMMA": (1000, 1000000), "STAGES": (0, 16),
          "SLOPE": (1, 1000000), "WEIGHT": (1000, 1000000), "FLOWS": (1, 1000000), "HOT": (0, 2147483647)}
# Names in tc that are not those of the attributes.
NAMES = {"RATE_BPS": "rate", "INTERVAL_NS": "interval"}
NONE = {"LAW": "none"}
QCN = {"LAW": "qcn", "QEQ": 2000, "SAMPLE_BASE": 10000, "SAMPLE_TABLE": 0}
# Settings that exclude each other, and a part of the reason.
TOGETHER = (
    ({}, "law is missing"), ({"LAW": "step", "SIGNAL": "ecn"}, "needs k"), ({"LAW": "none", "K": 5000}, "k needs law step"),
    ({"LAW": "none", "QEQ": 2000}, "qeq needs law qcn or fecn"), ({"LAW": "step", "K": 5000, "SIGNAL": "ecn", "W": 1}, "need law qcn"),
    ({"LAW": "none", "AT": "input"}, "need law qcn or step"), ({"LAW": "none", "HEADER_OCTETS": 4}, "header_octets needs"),
    ({"LAW": "qcn", "SIGNAL": "ecn", "HEADER_OCTETS": 4}, "header_octets needs"), ({"LAW": "step", "K": 5000}, "needs signal ecn"),
    ({"LAW": "qcn", "AT": "input", "QEQ": 150000}, "qeq must be below buffer"),
    ({"LAW": "step", "SIGNAL": "ecn", "AT": "input", "K": 150000}, "k must be below buffer"), ({"LAW": "none", "XOFF": 5000}, "need pause"),
    ({"LAW": "none", "PAUSE": "input", "XOFF": 5000, "XON": 5000}, "xon must be below xoff"),
    ({"LAW": "none", "PAUSE": "input", "XOFF": 150000}, "xoff must be below buffer"),
    ({"LAW": "fecn", "AT": "output"}, "need law qcn or step"), ({"LAW": "qcn", "GAMMA": 990000}, "need law fecn"),
    ({"LAW": "none", "INTERVAL_NS": 1000000}, "need law fecn"), ({"LAW": "fecn", "SLOPE": 2000}, "slope needs stages"),
    ({"LAW": "fecn", "QEQ": 20000, "LIMIT": 20000}, "qeq must be below limit"), ({"LAW": "fecn", "HOT": 26000}, "above qeq"),
    ({"LAW": "fecn", "HOT": 60000, "LIMIT": 60000}, "hot must be below limit"), ({"LAW": "fecn", "W": 1}, "need law qcn"),
    ({"LAW": "fecn", "GAMMA": 990001}, "three decimals"), ({"LAW": "fecn", "HEADER_OCTETS": 4}, "header_octets needs"),
    ({"LAW": "none", "PAUSE": "output", "XOFF": 20000, "XON": 1000, "LIMIT": 20000}, "xoff must be below limit"),
)


def refused(number, words, call):
    """Complaints, unless the kernel refuses it by that errno and says these words."""
    try:
        call()
    except sw.Refused as why:
        if why.number != number or any(word not in why.message for word in words):
            return [f"refused by {why}, not {errno.errorcode[number]} and {words}"]
        return []
    return ["accepted"]


def refusals(tap, switch):
    """Each parameter out of its range, what does not go together, and the place; and nothing has changed."""
    port = switch.hosts[0].port
    bad = [f"no law: {why}" for why in refused(errno.EINVAL, ["law is missing", "none, qcn, step, fecn"], lambda: cp(port, "add"))]
    cp(port, **NONE, BUFFER=20000)
    before, count = sw.settings_of(port), 1
    for name, (least, most) in RANGES.items():
        word = NAMES.get(name, name.lower())
        for value in (least - 1, most + 1):
            if value < 0 and least >= 0 or name in ("CNPV",) and value > 255:
                continue
            count += 1
            bad += [f"{name}={value}: {why}" for why in
                    refused(errno.ERANGE, [f"{word} is out of range: {least} to {most}"], lambda n=name, v=value: cp(port, "change", **{n: v}))]
    for settings, words in TOGETHER:
        count += 1
        bad += [f"{settings}: {why}" for why in refused(errno.EINVAL, [words], lambda s=settings: cp(port, "add", **s) if not s else
                                                        cp(switch.hosts[1].port, "add", **s))] if settings else []
    tap.ok(f"{count} refusals name parameter and range, or what does not go together", not bad and count >= 40, "\n".join(bad) or count)
    tap.ok("and nothing has changed", sw.settings_of(port) == before and not list(classes_or_none(switch.hosts[1].port)))
    sh(f"tc qdisc replace dev {switch.hosts[1].port} root handle 1: prio")
    body = sw.rtm.attribute(sw.rtm.TCA_KIND, b"cp\0") + sw.rtm.attribute(sw.rtm.TCA_OPTIONS | sw.rtm.NLA_F_NESTED, sw.options(NONE))
    bad = refused(errno.EOPNOTSUPP, ["root of its device"], lambda: sw.send_request(
        sw.request(sw.rtm.RTM_NEWQDISC, sw.rtm.VERBS["add"], switch.hosts[1].port, parent=0x10001, handle=2 << 16, body=body)))
    tap.ok("elsewhere than at the root it is refused", not bad, bad)
    sw.gone(switch.hosts[1].port)
    sw.gone(port)


def classes_or_none(dev):
    """Classes of a port that may have another qdisc."""
    return [found for _, found in sw.dump(sw.RTM_GETQDISC, dev) if found[sw.rtm.TCA_KIND] == b"cp\0"]


def plain(switch, **settings):
    """All ports the same."""
    for host in switch.hosts[:3]:
        sw.fresh(host.port, **settings)


def inputs(tap, switch):
    """Frames from two inputs, from a port without cp, and from here."""
    one, two, three, four = switch.hosts
    plain(switch, **NONE)
    sw.stall(switch, two, **NONE)
    one.send(two, 100, count=10)
    three.send(two, 200, count=5)
    four.send(two, 300, count=2)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
        sock.bind((two.port, 0))
        for number in range(3):
            sock.send(sw.frame(two.mac, mac(two.port), 400 + number))
    until(lambda: stats(two.port)["q_bytes"] == 20000)
    st, of = stats(two.port), classes(two.port)
    bad = sw.accounts([one.port, two.port, three.port])
    got = [(of_input(two.port, host.port) or {}).get("counted") for host in (one, three)] + [of[1]["bytes"], of[2]["bytes"]]
    tap.ok("frames are accounted to the input by which they came", got == [10000, 5000, 3000, 2000] and not bad, (got, bad))
    tap.ok("and counted", (st["local"], st["foreign"], st["inputs"], st["verdicts"]) == (4, 2, 2, 0), st)
    tap.ok("the inputs' buffers hold them", [stats(host.port)["buffer_bytes"] for host in (one, two, three)] == [10000, 0, 5000])
    sw.release(two)
    numbers = [sw.number_of(data) for data in sw.data_of(two.hear_some(20))]
    tap.ok("service fifo: they leave as they came", numbers == [*range(100, 110), *range(200, 205), 300, 301, 400, 401, 402], numbers)
    tap.ok("and nothing is left", not any(stats(host.port)["buffer_bytes"] for host in (one, three)) and not sw.accounts([one.port, two.port]))


def limits(tap, switch):
    """The limits of the buffer and of an output."""
    one, two, three, _ = switch.hosts
    cp(one.port, **NONE, BUFFER=10000)
    sw.stall(switch, two, **NONE, LIMIT=14000)
    one.send(two, count=12)
    three.send(two, count=6)
    until(lambda: stats(two.port)["drop_limit"] == 2)
    st, of = stats(two.port), of_input(two.port, one.port)
    tap.ok("buffer and limit hold to the byte", (st["drop_buffer"], st["drop_limit"], st["q_bytes"], of["drop_buffer"]) == (2, 2, 14000, 2), st)
    cp(two.port, "change", LIMIT=10000)
    st = stats(two.port)
    tap.ok("a lower limit drops what is above it, and accounts", (st["drop_limit"], st["q_bytes"]) == (6, 10000) and
           not sw.accounts([one.port, two.port, three.port]), st)
    sw.release(two)
    switch.quiet()
    plain(switch, **NONE)


def turns(tap, switch):
    """Round robin, and the service changed while frames wait."""
    one, two, three, _ = switch.hosts
    for overhead in (0, 300):
        cp(two.port, overhead=overhead, **NONE)
        sw.stall(switch, two, **NONE, SERVICE="rr")
        one.send(two, 0, size=1500, count=8)
        three.send(two, 1000, size=1500, count=8)
        until(lambda: of_input(two.port, three.port) and of_input(two.port, three.port)["packets"] == 8)
        bad = sw.accounts([one.port, two.port, three.port])
        sw.release(two)
        numbers = [sw.number_of(data) for data in sw.data_of(two.hear_some(16))]
        first = numbers[:8]
        share = sum(number < 1000 for number in first)
        tap.ok(f"service rr: inputs take turns, stab overhead {overhead}", len(numbers) == 16 and 3 <= share <= 5 and not bad, (numbers, bad))
        sw.gone(two.port)
    for was, then in (("fifo", "rr"), ("rr", "fifo")):
        sw.stall(switch, two, **NONE, SERVICE=was)
        one.send(two, 0, count=5)
        three.send(two, 1000, count=5)
        until(lambda: stats(two.port)["q_bytes"] == 10000)
        cp(two.port, "change", SERVICE=then)
        sw.release(two)
        numbers = [sw.number_of(data) for data in sw.data_of(two.hear_some(10))]
        tap.ok(f"from {was} to {then} while frames wait: each input's keep their order",
               [n for n in numbers if n < 1000] == [*range(5)] and [n for n in numbers if n >= 1000] == [*range(1000, 1005)], numbers)
        sw.gone(two.port)
    plain(switch, **NONE)


def pause_sent(tap, switch):
    """PAUSE by the input's buffer and by the output, its end, repeated, PFC; and none without."""
    one, two, three, _ = switch.hosts
    settings = {"PAUSE": "input", "XOFF": 5000, "XON": 2000}
    plain(switch, **NONE)
    cp(one.port, **NONE, **settings)
    cp(three.port, **NONE, **settings)
    sw.stall(switch, two, **NONE)
    one.send(two, count=4)
    until(lambda: stats(two.port)["q_bytes"] == 4000)
    none = sw.pauses_of(one.hear())
    one.send(two)
    came = one.hear_some(1)
    tap.ok("PAUSE at xoff, not below, to that input only", not none and sw.pauses_of(came)[0] == (1, 65535, ()) and
           not sw.pauses_of(three.hear()), (none, came))
    tap.ok("with the address of the port, padded", came[0][:6].hex() == "0180c2000001" and came[0][6:12] == mac(one.port) and
           len(came[0]) == 60 and not any(came[0][18:]), came[0].hex())
    tap.ok("it is repeated while it lasts", until(lambda: stats(one.port)["refresh_tx"] >= 3) and stats(one.port)["xoff_tx"] == 1)
    tap.ok("and counted in the class", of_input(two.port, one.port)["pausing"] == 1 and of_input(two.port, one.port)["pauses"] == 1)
    one.hear()
    sw.release(two)
    until(lambda: stats(one.port)["xon_tx"] == 1)
    last = until(lambda: sw.pauses_of(one.hear()))
    tap.ok("XON ends it", last and last[-1] == (1, 0, ()) and not stats(one.port)["pausing"], last)
    cp(one.port, **NONE, **settings, CNPV=0x11)
    sw.stall(switch, two, **NONE)
    one.send(two, count=5)
    came = sw.pauses_of(one.hear_some(1))
    tap.ok("PFC where some priorities only count", came and came[0] == (0x101, 0x11, (65535, 0, 0, 0, 65535, 0, 0, 0)), came)
    sw.release(two)
    sw.fresh(one.port, **NONE, CNPV=0xfe)
    sw.stall(switch, two, **NONE)
    one.send(two, count=20)
    until(lambda: stats(two.port)["outside"] == 20)
    tap.ok("what is outside cnpv is in no buffer", not stats(one.port)["buffer_bytes"] and not sw.accounts([one.port, two.port]))
    sw.release(two)
    plain(switch, **NONE)
    switch.quiet()
    sw.stall(switch, two, **NONE, PAUSE="output", XOFF=5000, XON=2000)
    one.send(two, count=3)
    three.send(two, count=2)
    came = [sw.pauses_of(host.hear_some(1)) for host in (one, three)]
    tap.ok("pause output: every input with bytes there", all(c and c[0] == (1, 65535, ()) for c in came), came)
    switch.quiet()
    sw.release(two)
    came = [until(lambda h=host: [p for p in sw.pauses_of(h.hear()) if p[1] == 0]) for host in (one, three)]
    tap.ok("and its end", all(came), came)
    plain(switch, **NONE)
    sw.stall(switch, two, **NONE)
    switch.quiet()
    one.send(two, count=50)
    until(lambda: stats(two.port)["q_bytes"] == 50000)
    tap.ok("pause off: none", not sw.pauses_of(one.hear()) and not stats(one.port)["xoff_tx"])
    sw.release(two)
    switch.quiet()


def storm(by, other):
    """PAUSE for longer than the watchdog waits, while a frame waits; is it a storm?  One lasts 3.3 ms only."""
    frame = sw.pause(by.mac, 65535)
    for _ in range(20):
        end = time.monotonic() + 0.6
        by.raw(frame)
        other.send(by)
        # In virtual time a program that spins stops the clock.
        while time.monotonic() < end:
            by.raw(frame)
            time.sleep(0.0005)
        if stats(by.port)["storms"]:
            return True
    return False


def pause_obeyed(tap, switch):
    """PAUSE that comes counts on its port; the watchdog ends it."""
    one, two, three, _ = switch.hosts
    plain(switch, **NONE)
    held = 0
    for _ in range(100):
        two.raw(sw.pause(two.mac, 65535))
        one.send(two, count=1)
        held += bool(stats(two.port)["q_bytes"])
        two.raw(sw.pause(two.mac, 0))
        until(lambda: not stats(two.port)["q_bytes"])
        if held:
            break
    st = stats(two.port)
    tap.ok("a port that was sent PAUSE sends nothing, until its end", held and st["paused_ns"] > 0 and not st["paused"], st)
    three.hear()
    three.send(one)
    tap.ok("the others do", len(sw.data_of(one.hear_some(1))) == 1 and not stats(one.port)["pause_rx"])
    two.raw(sw.pause(two.mac, 65535, 0x02))
    one.send(two)
    switch.hosts[1].hear()
    tap.ok("PFC for another priority holds nothing", until(lambda: not stats(two.port)["q_bytes"]) and stats(two.port)["pfc_rx"] == 1)
    two.raw(bytes.fromhex("0180c2000001") + two.mac + bytes.fromhex("8808") + bytes(46))
    two.raw(bytes.fromhex("0180c2000002") + two.mac + bytes.fromhex("880800010001") + bytes(42))
    tap.ok("malformed ones are counted", until(lambda: stats(two.port)["control_bad"] == 2))
    switch.quiet()
    if storm(two, one):
        tap.ok("paused for 400 ms without a break: what waits is dropped", until(lambda: stats(two.port)["drop_storm"]) and
               not sw.accounts([one.port, two.port, three.port]), stats(two.port))
    else:
        tap.skip("paused for 400 ms without a break: what waits is dropped", "this machine cannot send PAUSE so evenly")
    plain(switch, **NONE)
    sw.gone(two.port)
    cp(two.port, **NONE)
    switch.quiet()


def qntz(q, old, qeq, weight=2):
    """802.1Qau's feedback, as the paper has it, in 63rds of that of twice the set point at once."""
    fb = q - qeq + weight * (q - old)
    most = qeq * (2 * weight + 1)
    return max(0, min(fb, most)) * 63 // most


def cnms(tap, switch):
    """The CNM to the culprit's sender, byte for byte."""
    one, two, three, _ = switch.hosts
    for at in ("output", "input"):
        cp(one.port, **QCN, AT=at)
        sw.stall(switch, two, **QCN, AT=at)
        one.send(two, count=30)
        until(lambda: stats(two.port)["q_bytes"] == 30000)
        came = sw.cnms_of(one.hear_some(2))
        # The first frame of all is a sample; then each that makes more than 10000 bytes since.
        samples = [1000, 12000, 23000] if at == "input" else []
        want, old = [], 0
        for q in samples:
            want.append((qntz(q, old, 2000), (q - 2000) // 64 if q >= 2000 else -((2000 - q) // 64), (q - old) // 64))
            old = q
        want = [w for w in want if w[0]]
        got = [(c["qntz_fb"], c["q_offset"], c["q_delta"]) for c in came]
        if at == "input":
            tap.ok("the feedback is that of the formula", got == want, (got, want))
        cpid = mac(one.port) + b"\0\1" if at == "input" else mac(two.port) + b"\0\0"
        c = came[0] if came else {}
        tap.ok(f"at {at}: a CNM from the port by which the culprit came, with the congestion point's name",
               came and (c["da"], c["sa"], c["cpid"], c["culprit_da"], c["tag"]) == (one.mac, mac(one.port), cpid, two.mac, b""), c)
        tap.ok(f"at {at}: with the culprit's first bytes", came and c["length"] == 64 and c["msdu"] ==
               sw.frame(two.mac, one.mac, int.from_bytes(c["msdu"][6:8], "big"))[12:76] and (c["version"], c["reserved"], c["priority"]) == (0, 0, 0), c)
        st = stats(one.port if at == "input" else two.port)
        tap.ok(f"at {at}: counted", st["cnms"] == len(came) and stats(one.port)["cnm_tx"] == len(came) and
               of_input(two.port, one.port)["cnms"] == len(came), st)
        sw.release(two)
        sw.gone(two.port)
        sw.gone(one.port)
        switch.quiet()
    cp(one.port, **QCN, AT="input", HEADER_OCTETS=0)
    sw.stall(switch, two, **NONE)
    one.send(two, vlan=0x6007, count=15)
    until(lambda: stats(two.port)["q_bytes"] >= 15000)
    came = sw.cnms_of(one.hear_some(1))
    tap.ok("with the culprit's VLAN tag, and without its bytes: padded", came and came[0]["tag"].hex() == "81006007" and
           came[0]["length"] == 0 and came[0]["bytes"] == 60, came)
    sw.release(two)
    plain(switch, **NONE)
    sw.stall(switch, two, **NONE)
    switch.quiet()
    one.send(two, count=60)
    until(lambda: stats(two.port)["q_bytes"] == 60000)
    tap.ok("law none: nobody is notified", not sw.cnms_of(one.hear()) and not any(stats(host.port)["verdicts"] for host in (one, two, three)))
    sw.release(two)
    sw.stall(switch, two, **QCN)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
        sock.bind((two.port, 0))
        for _ in range(30):
            sock.send(sw.frame(two.mac, mac(two.port)))
    st = stats(two.port)
    tap.ok("nobody is notified of frames that were sent here", st["no_source"] == st["verdicts"] > 0, st)
    sw.release(two)
    sw.gone(two.port)
    plain(switch, **NONE)
    switch.quiet()


def flow_of(cnm):
    """The source port in a CNM's copy of an IPv4 frame."""
    return struct.unpack_from("!H", cnm["msdu"], 22)[0] - 5000


def occupancy(tap, switch):
    """The flow that is notified: the one that arrives, or the one that fills the queue."""
    one, two, _, _ = switch.hosts
    for sample, wanted in (("arrival", {2}), ("largest", {1})):
        for late in (False, True):
            first = {**QCN, "AT": "input", "SAMPLE": "arrival" if late else sample, "QEQ": 20000}
            cp(one.port, **first)
            sw.stall(switch, two, **NONE)
            one.send(two, flow=1, size=1400, count=30)
            until(lambda: stats(two.port)["q_bytes"] == 42000)
            cp(one.port, "change", SAMPLE=sample)
            one.hear()
            one.send(two, flow=2, size=100, count=300)
            until(lambda: stats(two.port)["q_bytes"] == 72000)
            got = {flow_of(cnm) for cnm in sw.cnms_of(one.hear_some(2))}
            # Those that waited when it was changed are not chosen.
            tap.ok(f"sample {sample}{', changed while frames wait' if late else ''}: flow {wanted}", got == ({2} if late else wanted), got)
            sw.release(two)
            sw.gone(one.port)
            switch.quiet()
    cp(one.port, **QCN, AT="input", SAMPLE="random", BUFFER=1000000)
    sw.stall(switch, two, **NONE)
    for _ in range(30):
        one.send(two, flow=1, size=1280, count=9)
        one.send(two, flow=2, size=1280)
    until(lambda: stats(two.port)["q_bytes"] == 300 * 1280)
    notified = [flow_of(cnm) for cnm in sw.cnms_of(one.hear_some(30))]
    # 33 samples, of which 90 % are to be of flow 1: fewer than 20 come once in 10^6 runs.
    tap.ok("sample random: mostly the flow that has most", len(notified) >= 30 and notified.count(1) >= 20, notified)
    cp(one.port, "change", SAMPLE="arrival")
    cp(one.port, "change", SAMPLE="random", BUFFER=500000)
    tap.ok("the accounts are right after it was changed", not sw.accounts([one.port, two.port]))
    sw.release(two)
    plain(switch, **NONE)
    switch.quiet()


def marks(tap, switch):
    """Law step by ECN, at both sides, and marks in the queue."""
    one, two, three, _ = switch.hosts
    step = {"LAW": "step", "SIGNAL": "ecn", "K": 5000}
    sw.stall(switch, two, **step)
    one.send(two, 0, ecn=2, count=10)
    three.send(two, 100, ecn=0, count=2)
    three.send(two, 200, ecn=3, count=3)
    until(lambda: stats(two.port)["q_bytes"] == 15000)
    st = stats(two.port)
    tap.ok("each frame above k is a culprit", (st["verdicts"], st["marks"], st["nonect_seen"], st["ce_seen"]) == (10, 5, 2, 3), st)
    sw.release(two)
    came = sw.data_of(two.hear_some(15))
    tap.ok("and those that can be are marked", [sw.ecn_of(data) for data in came] == 5 * [2] + 5 * [3] + 2 * [0] + 3 * [3])
    tap.ok("the sum of the IPv4 header is right", all(sum(struct.unpack("!10H", data[14:34])) % 65535 == 0 for data in came))
    sw.gone(two.port)
    cp(one.port, **step, AT="input", SAMPLE="largest")
    sw.stall(switch, two, **NONE)
    one.send(two, 0, flow=1, ecn=2, count=5)
    one.send(two, 100, flow=2, ecn=2, size=100, count=5)
    until(lambda: stats(two.port)["q_bytes"] == 5500)
    sw.release(two)
    came = [(sw.number_of(data) >= 100, sw.ecn_of(data)) for data in sw.data_of(two.hear_some(10))]
    tap.ok("sample largest: a queued frame of the flow that has most is marked, not the one that comes",
           (False, 3) in came and (True, 3) not in came, came)
    plain(switch, **NONE)
    switch.quiet()


def edge(tap, switch):
    """CNMs and CN-TAGs at an edge, and inside."""
    one, two, _, _ = switch.hosts
    cnm = two.mac + one.mac + bytes.fromhex("22e7") + b"\x00\x05" + bytes(22) + bytes(20)
    tagged = two.mac + one.mac + bytes.fromhex("22e9beef") + sw.frame(two.mac, one.mac, 77)[12:]
    cp(one.port, **NONE)
    one.raw(cnm)
    one.raw(tagged)
    came = two.hear_some(2)
    tap.ok("defense interior: a CNM and a CN-TAG pass", sorted(data[12:14].hex() for data in came) == ["22e7", "22e9"], came)
    cp(one.port, "change", DEFENSE="edge")
    one.raw(cnm)
    one.raw(tagged)
    # Frames that a CN-TAG may not hide: another one, a VLAN tag with a CNM, a CNM, MAC control
    for hidden in ("22e9beef" + tagged[12:].hex(), "81000005" + cnm[12:].hex(), cnm[12:].hex(), "8808" + bytes(46).hex()):
        one.raw(two.mac + one.mac + bytes.fromhex("22e90001" + hidden))
    came = two.hear_some(1)
    st = stats(one.port)
    tap.ok("defense edge: the CNM is dropped, the CN-TAG removed", came == [sw.frame(two.mac, one.mac, 77)] and
           (st["cnm_refused"], st["tag_removed"]) == (5, 1), (came, st))
    plain(switch, **NONE)
    switch.quiet()


def devices(tap, switch):
    """A VLAN device as the bridge's port, a port that goes while its frames wait, another qdisc in its place, GSO."""
    one, two, three, four = switch.hosts
    sh(f"ip link set {four.port} nomaster")
    sh(f"ip link add link {four.port} name v4 type vlan id 5")
    switch.join(four, "v4", 5)
    cp(four.port, **NONE)
    sw.stall(switch, two, **NONE)
    four.send(two, vlan=5, count=3)
    until(lambda: stats(two.port)["q_bytes"] == 3000)
    st = of_input(two.port, four.port)
    tap.ok("what comes by a VLAN counts at its device", st and st["counted"] == 3000 == stats(four.port)["buffer_bytes"], st)
    sw.gone(four.port)
    tap.ok("a qdisc that goes leaves its frames", stats(two.port)["q_bytes"] == 3000)
    cp(four.port, **NONE)
    four.send(two, vlan=5, count=2)
    until(lambda: stats(two.port)["q_bytes"] == 5000)
    tap.ok("a new one begins anew", stats(four.port)["buffer_bytes"] == 2000 and stats(two.port)["inputs"] == 2)
    sh(f"ip link del {four.port}")
    switch.hosts.remove(four)
    three.send(two)
    until(lambda: stats(two.port)["q_bytes"] == 6000)
    sw.release(two)
    tap.ok("a port that goes leaves its frames, and its classes go with them", len(sw.data_of(two.hear_some(6))) == 6 and
           sorted(classes(two.port)) == sorted({1, 2} | {minor for minor, c in classes(two.port).items() if c["ifindex"] in
                                                (socket.if_nametoindex(one.port), socket.if_nametoindex(three.port))}))
    gso(tap, switch)


def gso(tap, switch):
    """A packet that stands for ten."""
    one, two, *_ = switch.hosts
    sw.stall(switch, two, **NONE)
    tcp = struct.pack("!HHIIBBHHH", 5001, 9, 1, 0, 0x50, 0x10, 65535, 0, 0)
    head = bytearray(sw.frame(two.mac, one.mac, size=14 + 40 + 10000)[:34])
    head[23] = 6
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
        sock.bind((one.dev, 0))
        sock.setsockopt(263, 15, 1)
        sock.send(struct.pack("=BBHHHH", 1, 1, 54, 1000, 34, 16) + bytes(head) + tcp + bytes(10000))
    until(lambda: stats(two.port)["q_bytes"])
    st = stats(two.port)
    tap.ok("a GSO packet is queued as its segments", (st["split_gso"], st["q_bytes"], of_input(two.port, one.port)["packets"]) ==
           (1, 10 * 1054, 10) and not sw.accounts([one.port, two.port]), st)
    sw.release(two)
    switch.quiet()


def main():
    tap = Tap()
    subprocess.run("mount -t sysfs sysfs /sys".split(), check=False, stderr=subprocess.DEVNULL)
    sh("ip link set lo up")
    switch = sw.Switch(4)
    sw.run(tap, switch, (refusals, inputs, limits, turns, pause_sent, pause_obeyed, cnms, occupancy, marks, edge, devices))
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
