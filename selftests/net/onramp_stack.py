#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp among what else a host has, as TAP: a socket that changes its queue, connection tracking, TCP small queues."""

import array
import contextlib
import fcntl
import os
import socket
import struct
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import onramp_hosts as net
from onramp_hosts import A, ADDRESS_B, LEAF, TCP_ACK, frame, in_a, root, tc
from script import finish, result, run, skip

BULK = 4 << 20
BIT = 20_000_000
# Bytes on the wire in addition to a segment's payload: preamble and gap, Ethernet, IPv4, TCP with time stamps.
FRAME = 24 + 14 + 20 + 32
TCP_FIN, TCP_SYN, TCP_RST = 1, 2, 4
SIOCETHTOOL, ETHTOOL_SCOALESCE = 0x8946, 15
SOL_PACKET, PACKET_VNET_HDR, SO_MAX_PACING_RATE, SO_TIMESTAMPNS = 263, 15, 47, 35


def leaf(handle):
    """Counters of a qdisc of the sender's device."""
    return next(q for q in tc("-s -j qdisc show dev va") if q["handle"] == handle)


def choose(queue):
    """All CPUs send by one of two queues, from now on, as far as what is on its way lets them."""
    all_of_them = f"{(1 << os.cpu_count()) - 1:x}"
    for number in (0, 1):
        in_a(f"echo {all_of_them if number == queue else '0'} >/sys/class/net/va/queues/tx-{number}/xps_cpus")


def leaves(settings):
    """Two queues, onramp at each."""
    root("mq")
    for number in (1, 2):
        tc(f"qdisc replace dev va parent 1:{number} handle 1{number}: onramp {settings}")


def queues(hosts):
    """A socket goes from queue to queue: one flow, with its records and its hold."""
    leaves(LEAF)
    choose(0)
    hosts.send()
    seen, counted, packets = [], [], []
    for queue in (0, 1, 0, 1):
        choose(queue)
        before = [leaf(f"1{number}:")["packets"] for number in (1, 2)]
        counted.append(hosts.changed(lambda: seen.append(hosts.send())))
        packets.append([leaf(f"1{number}:")["packets"] - before[number - 1] for number in (1, 2)])
    result(all(p[q] and not p[1 - q] for q, p in zip((0, 1, 0, 1), packets)), "the socket changes its queue", packets)
    result(all(c.get("records") == 1 and "flows" not in c for c in counted), "its flow stays the same, each packet is recorded",
           counted)
    change = hosts.changed(lambda: [hosts.ack(x) for x in seen])
    result(change.get("samples") == len(seen) and "unmatched" not in change, "OR-ACKs of packets of both queues are samples", change)

    for number in (1, 2):
        tc(f"qdisc change dev va handle 1{number}: parent 1:{number} onramp threshold 50us max_hold 1s law strawman")
    packet = hosts.send()
    time.sleep(1.1)
    change = hosts.changed(lambda: hosts.ack(packet, 10**9))
    choose(0)
    held = leaf("11:")["held"]
    start = time.monotonic_ns()
    hosts.send()
    waited = time.monotonic_ns() - start
    held = leaf("11:")["held"] - held
    result(change.get("holds") == 1 and held == 1, "a hold that a packet of one queue earned holds the next of the other",
           change, f"held {held}, {waited} ns")


def bulk(hosts):
    """All bytes of a transfer that changes its queue all the time come, in order, and no qdisc drops any."""
    leaves("mode hold clock system error 10us threshold 10ms")
    before = [leaf(f"1{number}:")["packets"] for number in (1, 2)]
    data, got = os.urandom(BULK), bytearray()
    sender = threading.Thread(target=hosts.client.sendall, args=(data,))
    sender.start()
    flips = 0
    while len(got) < BULK:
        if len(got) * 40 // BULK > flips:
            flips += 1
            choose(flips & 1)
        got += hosts.server.recv(65536)
    sender.join()
    after = [leaf(f"1{number}:") for number in (1, 2)]
    sent = [q["packets"] - was for q, was in zip(after, before)]
    result(bytes(got) == data, "all bytes come, in their order", f"{flips} changes")
    result(all(sent) and not any(q["drops"] or q["flows_plimit"] for q in after), "by both queues, none drops any", sent,
           [(q["drops"], q["flows_plimit"]) for q in after])


def dummy(settings):
    """A device of the sender's that takes all and leads nowhere."""
    run(f"ip -n {A} link add d0 type dummy")
    run(f"ip -n {A} link set d0 up")
    tc(f"qdisc replace dev d0 root handle 1: onramp {settings}")


def margin():
    """By what T is above the idle path's delay, unless it is given: more where a hypervisor may come between."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        text = file.read()
    flags = next((line.split() for line in text.splitlines() if line.startswith("flags")), [])
    # User-Mode Linux shows its host's.
    if not flags or "User Mode Linux" in text:
        skip("the default margin", "this CPU does not say whether it is virtual")
        return
    root("onramp")
    found, expected = leaf("1:")["options"]["margin_ns"], 50_000 if "hypervisor" in flags else 10_000
    result(found == expected, "the default margin is that of such a machine", found, expected)


def segments(hosts):
    """Each segment of a GSO packet left later than those before it: by what these take on the link, if its speed is known."""
    root(f"onramp {LEAF} link_rate 10mbit")
    mss = hosts.client.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG)
    hosts.drain()
    seq, length, rx_ns = hosts.send(2 * mss)
    owd = []
    for number in (0, 1):
        hosts.ack((seq + number * mss, mss, rx_ns))
        hosts.settle()
        owd.append(hosts.stats()["owd_ns"])
    result(length == 2 * mss and owd[0] - owd[1] == (mss + FRAME) * 800, "the second segment left a frame's time later",
           f"{length} bytes, of {mss} each", owd)

    dummy(LEAF)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        wire.bind(("d0", 0x0800))
        # Checksum to be filled in at 34 + 16, TCP over IPv4, 54 bytes of headers, segments of 1000.
        wire.send(struct.pack("=BBHHHH", 1, 1, 54, 1000, 34, 16) + frame(TCP_ACK, 1000, 3000))
    now_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
    change = hosts.changed(lambda: hosts.ack((1000, 1000, now_ns), sport=7))
    result(change.get("samples") == 1 and "gso_unknown_rate" not in change, "the first segment needs no speed", change)
    change = hosts.changed(lambda: hosts.ack((2000, 1000, now_ns), sport=7))
    result(change.get("samples") == 1 and change.get("gso_unknown_rate") == 1, "without a speed the second is counted", change)
    # The serialisation time of a segment at 10 Gbit/s: payload, headers, preamble, FCS and inter-frame gap.
    raised_ns = net.of_flow(hosts, 7, "THRESHOLD")[0] - 10**9
    result(raised_ns == (1000 + 54 + 24) * 8 // 10, "and T is higher by what that may be", raised_ns)
    run(f"ip -n {A} link del d0")


def bare(hosts):
    """Packets without payload are not held, and overtake held ones, unless they end the flow."""
    dummy("mode hold clock system error 10us threshold 50us max_hold 1s record_idle 10s law strawman")
    counted = []
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire, \
            socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as tap:
        wire.bind(("d0", 0x0800))
        tap.bind(("d0", 3))
        tap.settimeout(5)

        def pass_by(*sent):
            """Send; return what leaves, up to as many packets of IPv4."""
            came = []
            for flags, length in sent:
                wire.send(frame(flags, 2000, length, sport=8))
            while len(came) < len(sent):
                data = tap.recv(2048)
                if data[12:14] == b"\x08\0":
                    came.append((data[47], len(data) - 54))
            shown = tc("-s -j qdisc show dev d0")[0]
            counted.append((shown["throttled"], shown["held"], shown["overtakes"]))
            return came

        # Until the pause, of a second, still lasts when they have left.
        for _ in range(5):
            pass_by((TCP_ACK, 1000))
            now_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
            time.sleep(1.1)
            change = hosts.changed(lambda at_ns=now_ns: hosts.ack((2000, 1000, at_ns), 10**9, sport=8))
            pass_by((TCP_SYN, 0), (TCP_ACK, 0), (TCP_FIN | TCP_ACK, 0))
            left_ns = net.times_held(hosts, 8)[0]
            if left_ns > 3 * 10**8:
                break
        result(change.get("holds") == 1 and counted[-1] == (0, 0, 0) and left_ns, "SYN, ACK and FIN without payload leave at once while their flow is held",
               change, counted, left_ns)
        ack, data, fin, rst = (TCP_ACK, 0), (TCP_ACK, 500), (TCP_FIN | TCP_ACK, 0), (TCP_RST | TCP_ACK, 0)
        came = pass_by(data, ack, data, ack, fin, rst, ack)
        result(counted[-1][1:] == (2, 3) and came == [ack] * 3 + [data] * 2 + [fin, rst],
               "payload is held, acknowledgements pass it, FIN and RST do not", came, counted)
    run(f"ip -n {A} link del d0")


def fills(hosts):
    """Flows that are held and full may have all of a band's limit, as long as the pause lasts: what others send in that band is dropped."""
    dummy("limit 40 flow_limit 10 mode hold clock system error 10us threshold 50us max_hold 1s record_idle 10s law strawman")
    held, other = range(12, 16), 16

    def put(sport, count=1, priority=0):
        """Send so many; how many the qdisc took."""
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, priority)
        taken = 0
        for _ in range(count):
            with contextlib.suppress(OSError):
                taken += bool(wire.send(frame(TCP_ACK, 2000, 1000, sport=sport)))
        return taken

    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.bind(("d0", 0x0800))
        # Until the pause, of a second, still lasts when all is sent.
        for _ in range(5):
            for sport in held:
                put(sport)
            now_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
            time.sleep(1.1)
            for sport in held:
                hosts.ack((2000, 1000, now_ns), 10**9, sport=sport)
            hosts.settle()
            before = tc("-s -j qdisc show dev d0")[0]
            full = [put(sport, 11) for sport in held]
            # Priority 6 is of another band.
            mine, urgent = put(other), put(other, priority=6)
            shown = tc("-s -j qdisc show dev d0")[0]
            lost = [shown[name] - before[name] for name in ("flows_plimit", "band1_drops")]
            if shown["throttled"] == len(held):
                break
        # The eleventh of the last flow finds the band full before its flow is.
        result(full == [10] * 4 and mine == 0 and urgent == 1 and lost == [3, 2],
               "held flows that are full have a band's limit: others' packets of that band are dropped, of another not",
               full, mine, urgent, lost, shown)
        time.sleep(1.1)
        again_taken, shown = put(other), tc("-s -j qdisc show dev d0")[0]
        result(again_taken == 1 and not shown["qlen"], "and when max_hold is over there is space again", again_taken, shown)
    run(f"ip -n {A} link del d0")


def shared(hosts):
    """Packets without a socket find a queue by a hash.  In one that forwarded flows share the hold of that counts whose packet came last."""
    cases = (("comes behind a held one in its queue: both leave at once", "orphan_mask 0", None, (18, 19), [18, 19], []),
             ("waits before a held one in its queue: max_hold at most", "orphan_mask 0", "tbf rate 1mbit burst 1600 latency 10s",
              (19, 19, 19, 18), [19, 19], [19, 18]),
             ("has another queue: it does not wait", "orphan_mask 1048575", None, (18, 19), [19], [18]))
    law = "mode hold clock system error 10us threshold 50us max_hold 1s record_idle 10s law strawman"
    for number, (name, settings, slow, sent, at_once, then) in enumerate(cases):
        dummy(f"{settings} {law}")
        if slow:
            tc("qdisc del dev d0 root")
            tc(f"qdisc add dev d0 root handle 1: {slow}")
            tc(f"qdisc add dev d0 parent 1:1 handle 2: onramp {settings} {law}")
        held, other = 18 + 2 * number, 19 + 2 * number
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire, \
                socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as tap:
            wire.bind(("d0", 0x0800))
            tap.bind(("d0", 3))

            def came(seconds, tap=tap):
                """Ports of what leaves, until nothing does for so long."""
                tap.settimeout(seconds)
                ports = []
                with contextlib.suppress(socket.timeout):
                    while True:
                        data = tap.recv(2048)
                        if data[12:14] == b"\x08\0":
                            ports.append(struct.unpack_from(">H", data, 34)[0])
                return ports

            # Until the pause, of a second, still lasts when all is sent.
            for _ in range(5):
                wire.send(frame(TCP_ACK, 2000, 1000, sport=held))
                now_ns, before = time.clock_gettime_ns(time.CLOCK_REALTIME), (net.times_held(hosts, held) or (0, 0))[1]
                came(1.1)
                change = hosts.changed(lambda at_ns=now_ns, sport=held: hosts.ack((2000, 1000, at_ns), 10**9, sport=sport))
                for sport in sent:
                    wire.send(frame(TCP_ACK, 3000, 1000, sport=held if sport == 18 else other))
                early, times, late = came(0.1), net.times_held(hosts, held), came(1.1)
                if times[0]:
                    break
        ports = [[18 if sport == held else 19 for sport in some] for some in (early, late)]
        result(change.get("holds") == 1 and times[0] and ports == [at_once, then] and sum(times) - before <= 10**9,
               f"a forwarded flow {name}", change, times, before, early, late)
        run(f"ip -n {A} link del d0")


def both_ways(hosts):
    """A sender is not stalled while the other's data are held: all is acknowledged, and comes, before they leave."""
    root("onramp mode hold clock system error 10us threshold 50us max_hold 1s record_idle 10s law strawman")
    hosts.server.settimeout(5)
    # Until the pause, of a second, still lasts when all has come.
    for _ in range(5):
        planned = net.pause_for_long(hosts)
        hosts.client.sendall(b"held")
        sender = threading.Thread(target=hosts.server.sendall, args=(bytes(BULK),))
        sender.start()
        taken = len(hosts.client.recv(BULK, socket.MSG_WAITALL))
        sender.join()
        left_ns = net.times_held(hosts, hosts.client.getsockname()[1])[0]
        received = hosts.server.recv(4, socket.MSG_WAITALL)
        shown = leaf("1:")
        if left_ns:
            break
    result(planned and taken == BULK and left_ns and received == b"held" and shown["overtakes"] > 10,
           "data of the other direction come while the own are held", taken, left_ns, received, shown["overtakes"])
    hosts.drain()


def again(hosts):
    """A connection of the tuple of one before, which sent numbers that are later: its packets are recorded, also if nobody watched it begin."""
    dummy(LEAF)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.bind(("d0", 0x0800))

        def sent(*frames):
            """Counters of core for frames."""
            return hosts.changed(lambda: [wire.send(frame(*each, sport=11)) for each in frames])

        first = sent((TCP_ACK, 1 << 20, 1000))
        tc("qdisc change dev d0 handle 1: root onramp mode off")
        tc("qdisc change dev d0 handle 1: root onramp mode hold")
        older = sent((TCP_ACK, 2000, 1000))
        tc("qdisc change dev d0 handle 1: root onramp mode off")
        tc("qdisc change dev d0 handle 1: root onramp mode hold")
        newer = sent((TCP_SYN, 1999, 0), (TCP_ACK, 2000, 1000))
    result(first.get("records") == newer.get("records") == 1 and "records" not in older,
           "what comes after a SYN is recorded, whatever was sent before", first, older, newer)
    run(f"ip -n {A} link del d0")


def reset():
    """A RST stays behind data that are held: a socket closed with a linger of 0 has delivered all that it sent before."""
    root("onramp mode hold clock system error 10us threshold 50us max_hold 1s record_idle 10s law strawman")
    # Until the pause, of a second, still lasts when the connection is closed.
    for _ in range(5):
        hosts = net.Hosts()
        planned = net.pause_for_long(hosts)
        hosts.drain()
        sport = hosts.client.getsockname()[1]
        hosts.client.sendall(b"held")
        hosts.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("=ii", 1, 0))
        hosts.client.close()
        left_ns = net.times_held(hosts, sport)[0]
        came = []
        while not came or not came[-1] & TCP_RST:
            packet, where = hosts.tap.recvfrom(65536)
            if where[2] != socket.PACKET_OUTGOING and packet[9] == socket.IPPROTO_TCP and packet[20:22] == struct.pack(">H", sport):
                came.append(packet[33])
        hosts.close()
        if planned and left_ns:
            break
    result(planned and left_ns and len(came) == 2 and not came[0] & TCP_RST, "a RST of a socket does not pass its data that are held",
           planned, left_ns, came)


def coalesce(hosts, dev, tx_usecs):
    """Effect of ethtool -C: a NIC reports sent packets so much later."""
    words = array.array("I", [ETHTOOL_SCOALESCE] + 22 * [0])
    words[5] = tx_usecs
    fcntl.ioctl(hosts.mark, SIOCETHTOOL, struct.pack("16sP16x", dev.encode(), words.buffer_info()[0]))


def backlog(hosts):
    """The backlog of the sender's NIC before a packet is reported, and nic_comp takes it out of its delay."""
    name = "a NIC's backlog: nic_comp takes it out of delays"
    if subprocess.run(["modprobe", "-q", "labnic"], check=False).returncode:
        skip(name, "no labnic in this kernel")
        return
    run(f"ip -n {A} link add d0 type labnic")
    run(f"ip -n {A} link set labnic0 netns {net.B}")
    run(f"ip -n {net.B} link set labnic0 up")
    run(f"ip -n {A} link set d0 up")
    # Byte queue limits let all of them into the NIC, which tells 10 ms later that they are gone: from the first such time on.
    in_a("echo 1000000 >/sys/class/net/d0/queues/tx-0/byte_queue_limits/limit_min")
    coalesce(hosts, "d0", tx_usecs=10000)
    tc("qdisc replace dev d0 root handle 1: onramp mode hold clock system error 10us max_hold 1ms law strawman "
       "link_rate 10mbit record_idle 10s")
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.bind(("d0", 0x0800))
        wire.send(frame(TCP_ACK, 1000, 1000, sport=9))
        time.sleep(0.1)
        for number in range(1, 4):
            wire.send(frame(TCP_ACK, 1000 + number * 1000, 1000, sport=9))
        # Closing the socket waits for others.
        now_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
    known = tc("-s -j qdisc show dev d0")[0]["nic_backlog_ns"]
    time.sleep(0.1)
    found = []
    for value in ("on", "off"):
        tc(f"qdisc change dev d0 handle 1: root onramp nic_comp {value} threshold {known // 2000}us")
        change = hosts.changed(lambda: hosts.ack((4000, 1000, now_ns), known, sport=9))
        found.append((tc("-s -j qdisc show dev d0")[0]["owd_ns"], change.get("samples")))
    result(known > 0 and found[1][0] - found[0][0] == known and [samples for _, samples in found] == [1, 1], name, known, found)
    run(f"ip -n {A} link del d0")


def paced_after(hosts, hold_s, then=None):
    """Packets of 1 MB/s that a hold delays, and what is sent then: what core counted, what the qdisc did, and the gaps, with
    bytes, in which they come; a packet that was overtaken has a gap that is none."""
    root(f"onramp mode hold clock system error 10us threshold 50us max_hold {hold_s * 1000:.0f}ms record_idle 10s law strawman")
    # TCP paces from its tenth segment on.
    packet = [hosts.send() for _ in range(10)][-1]
    time.sleep(2 * hold_s)
    in_a("echo 0 >/proc/sys/net/ipv4/tcp_autocorking")
    hosts.client.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, 1_000_000)
    hosts.tap.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    hosts.drain()
    change = hosts.changed(lambda: hosts.ack(packet, int(hold_s * 10**9)))
    for _ in range(6):
        hosts.client.sendall(bytes(1000))
    size = 6000 + (then() if then else 0)
    taken, came = 0, []
    while taken < size:
        taken += len(hosts.server.recv(size - taken))
    while sum(length for _, length, _ in came) < size:
        data, ancillary, _, where = hosts.tap.recvmsg(65536, 128)
        length = len(data) - 52     # without headers of IPv4 and TCP with time stamps
        if where[2] != socket.PACKET_OUTGOING and data[9] == socket.IPPROTO_TCP and length > 0:
            came.append((sum(n * unit for n, unit in zip(struct.unpack("=qq", ancillary[0][2]), (10**9, 1))), length,
                         struct.unpack_from(">I", data, 24)[0]))
    gaps = [(late - early if (after - before) % 2**32 == length else 0, length)
            for (early, length, before), (late, _, after) in zip(came, came[1:])]
    return change, leaf("1:"), gaps


def at_their_pace(gaps):
    """TCP makes up for half of its delay at most."""
    return len(gaps) > 1 and all(ns >= 450 * length for ns, length in gaps)


def shifted(hosts):
    """Packets that a hold delayed keep their pace: the schedule is shifted, not released at once."""
    change, counted, gaps = paced_after(hosts, 0.1)
    result(change.get("holds") == 1 and counted["held"] >= 1 and at_their_pace(gaps),
           "packets of 1 MB/s that a hold delayed do not leave at once: TCP makes up for half of its delay at most", change, f"held {counted['held']}", gaps)
    backlogs, slow, quick = [], *(socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    slow.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, 100)

    def off():
        backlogs.append(leaf("1:")["qlen"])
        for _ in range(2):
            slow.sendto(bytes(1000), (ADDRESS_B, net.PORT))
        tc("qdisc change dev va root onramp mode off")
        hosts.client.sendall(bytes(1000))
        return 1000

    change, counted, gaps = paced_after(hosts, 1, off)
    result(change.get("holds") == 1 and backlogs[0] > 1 and counted["held"] >= 1 and at_their_pace(gaps),
           "nor do they when holding is switched off while they wait", change, backlogs, f"held {counted['held']}", gaps)
    before = leaf("1:")
    quick.sendto(b"x", (ADDRESS_B, net.PORT))
    after = leaf("1:")
    result(before["qlen"] == 1 and after["fastpath"] == before["fastpath"] + 1,
           "once they have left others go past what waits for its own pace", before, after)


def tracked():
    """How many connections are tracked in the sender's namespace; None: nothing tracks there."""
    name = "/proc/sys/net/netfilter/nf_conntrack_count"
    text = in_a(f"cat {name} 2>/dev/null || true")
    return int(text) if text else None


def conntrack(hosts):
    """This host's OR-ACKs are taken before connections are tracked; others are not."""
    if not tracked():
        skip("OR-ACKs and connection tracking", "no nf_conntrack")
        return
    seen = [hosts.send() for _ in range(5)]
    hosts.settle()          # by a datagram, which is tracked
    before = tracked()
    change = hosts.changed(lambda: [hosts.ack(x) for x in seen] + [hosts.ack(seen[0], sport=1)])
    after = tracked()
    result(change.get("acks") == change.get("samples") == 5 and change.get("acks_unknown_flow") == 1 and after == before,
           "with connection tracking OR-ACKs are taken, strays dropped, and neither is tracked", change, before, after)
    with hosts.marked(net.DSCP << 2):
        change = hosts.changed(lambda: hosts.ack(seen[0], sport=1))
    result(change == {"acks_unknown_peer": 1, "no_ports": 1} and tracked() > after, "one that is passed on is", change, after, tracked())


class Small:
    """How much of its window a bulk sender has in the qdisc, with space for less on the link."""

    def __init__(self, hosts, qdisc):
        root(f"tbf rate {BIT}bit burst 5kb limit 10mb")
        tc(f"qdisc add dev va parent 1:1 handle 2: {qdisc}")
        self.backlogs, self.windows, self.going = [], [], True
        taker = threading.Thread(target=self.take, args=(hosts,))
        giver = threading.Thread(target=self.give, args=(hosts,))
        taker.start()
        giver.start()
        time.sleep(0.5)
        for _ in range(40):
            time.sleep(0.02)
            self.backlogs.append(leaf("2:")["backlog"])
            self.windows.append(self.window(hosts.client))
        self.drops = leaf("2:")["drops"]
        self.going = False
        giver.join()
        hosts.client.shutdown(socket.SHUT_WR)
        taker.join()

    @staticmethod
    def window(sock):
        """The congestion window, in bytes."""
        info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
        return struct.unpack_from("=I", info, 80)[0] * struct.unpack_from("=I", info, 16)[0]

    def take(self, hosts):
        """Receive until the connection ends."""
        while hosts.server.recv(1 << 20):
            pass

    def give(self, hosts):
        """As much as is taken."""
        while self.going:
            hosts.client.sendall(bytes(65536))

    def mean(self):
        """Bytes in the qdisc."""
        return sum(self.backlogs) / len(self.backlogs)


def small_queues():
    """Packets that TCP leaves in the qdisc: as under fq, and less than its window, which pfifo with another pacing would not show."""
    found = {}
    # Or packets of 64 KB, of which TCP hands down two: their size is by the least RTT, of a link that takes no time.
    in_a("echo 0 >/proc/sys/net/ipv4/tcp_tso_rtt_log 2>/dev/null || true")
    # Knowledge of one connection about the path is not the next one's.
    in_a("echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save")
    for name, qdisc in (("fq", "fq"), ("onramp", "onramp"), ("onramp, mode hold", f"onramp {LEAF}")):
        hosts = net.Hosts()
        found[name] = Small(hosts, qdisc)
        hosts.close()
        root("onramp mode hold clock system error 10us")
    fq = found.pop("fq")
    for name, small in found.items():
        result(0.7 * fq.mean() < small.mean() < 1.4 * fq.mean() and 2 * small.mean() < max(small.windows) and not small.drops,
               f"small queues: {name} has as much in it as fq",
               *(f"{x.mean():.0f} bytes on average, at most {max(x.backlogs)} of windows of {max(x.windows)}, {x.drops} drops"
                 for x in (small, fq)))


def main():
    """Set up, test, clear away."""
    # Its hooks are there in namespaces that are made from now on.
    subprocess.run(["modprobe", "-q", "nf_conntrack", "enable_hooks=1"], check=False)
    with net.network(LEAF, queues=2):
        hosts = net.Hosts()
        conntrack(hosts)
        # A kernel for one CPU has no choice.
        chooses = "xps_cpus" in in_a("ls /sys/class/net/va/queues/tx-0")
        if chooses:
            queues(hosts)
        else:
            skip("a socket that changes its queue", "no XPS")
        margin()
        segments(hosts)
        bare(hosts)
        fills(hosts)
        shared(hosts)
        both_ways(hosts)
        again(hosts)
        backlog(hosts)
        shifted(hosts)
        hosts.client.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, -1)
        if chooses:
            bulk(hosts)
        hosts.close()
        reset()
        small_queues()
    subprocess.run(["rmmod", "nf_conntrack"], check=False, capture_output=True)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
