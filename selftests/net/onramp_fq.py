#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The same packets through fq and through onramp: which come, in which order, and when? TAP.

    onramp_fq.py            in a network namespace of its own, as root; onramp_fq.sh sees to that

Packets leave by one end of a veth pair, whose root is the qdisc, and are seen on the other. Orders must be the
same. Times may differ by TOLERANCE: both qdiscs let their timer be late by up to 10 us, a wake-up and a packet's
way through the stack cost some 10 us each, and what is tested are gaps of milliseconds.
"""

import ctypes
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time

import bpf
from script import finish, result, skip

TOLERANCE_US = 400
SO_TXTIME, SO_MAX_PACING_RATE, SO_TIMESTAMPNS = 61, 47, 35
CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_TAI = 0, 1, 11
ETH_P_IP = 0x0800
MS = 1_000_000
EARLIER = (40, 20, 5)
SILENCE_S = 0.3


def sh(settings):
    """Run a command; its output."""
    done = subprocess.run(settings.split(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{settings}: {done.stderr.strip()}")
    return done.stdout


def pair():
    """The veth pair, its sending end with an address and a neighbour that need no traffic."""
    with open("/proc/sys/net/ipv6/conf/default/disable_ipv6", "w", encoding="ascii") as file:
        file.write("1")
    sh("ip link add va type veth peer name vb")
    sh("ip addr add 10.0.0.1/24 dev va")
    sh("ip link set va up")
    sh("ip link set vb up")
    sh("ip neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent")


class Sender:
    """One UDP socket, connected by default; its packets carry its letter and a number."""

    def __init__(self, letter, connected=True, rate=None, priority=None, txtime=None, tos=0):
        self.letter = letter
        self.count = 0
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
        self.sock.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, tos)
        if rate:
            self.sock.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, rate // 8)
        if priority is not None:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, priority)
        if txtime is not None:
            self.sock.setsockopt(socket.SOL_SOCKET, SO_TXTIME, struct.pack("iI", txtime, 0))
        self.to = ("10.0.0.2", 4000 + ord(letter))
        if connected:
            self.sock.connect(self.to)

    def send(self, count=1, at=None, size=1000):
        """Send packets; at is a departure time, ns."""
        for _ in range(count):
            data = f"{self.letter}{self.count:03d}".encode().ljust(size, b".")
            self.count += 1
            control = [] if at is None else [(socket.SOL_SOCKET, SO_TXTIME, struct.pack("Q", at))]
            try:
                self.sock.sendmsg([data], control, 0, self.to)
            except OSError:
                pass        # what the qdisc drops shows in what comes


def edt(start):
    """Departure times, in order and not, none before that which its flow waits for."""
    one, two = (Sender(letter, txtime=CLOCK_MONOTONIC) for letter in "ab")
    for ms in (10, 20, 30, 25, 40):
        one.send(at=start + ms * MS)
    for ms in (11, 12, 35, 45):
        two.send(at=start + ms * MS)


def edt_before(start):
    """Departure times before that of the packet for which the flow waits."""
    sender = Sender("a", txtime=CLOCK_MONOTONIC)
    for ms in EARLIER:
        sender.send(at=start + ms * MS)


def foreign(clock):
    """A time by another clock, 10 s ahead."""
    def sends(_):
        odd, plain = Sender("a", txtime=clock), Sender("b")
        odd.send(at=time.clock_gettime_ns(clock) + 10_000 * MS)
        plain.send()
    return sends


def paced(_):
    """Rates of sockets, fast and slow."""
    slow, fast, free = Sender("a", rate=2_000_000), Sender("b", rate=8_000_000), Sender("c")
    for sender in (slow, fast, free):
        sender.send(40)


def shares(_):
    """Flows in turn, by quanta; those not connected by hash."""
    many, few, open_one = Sender("a"), Sender("b"), Sender("c", connected=False)
    many.send(40)
    few.send(12)
    open_one.send(12)
    many.send(10)


def bands(_):
    """Three priorities at once, each of a band of its own."""
    for letter, priority in (("a", 2), ("b", 0), ("c", 6)):
        Sender(letter, priority=priority).send(130)


def flood(_):
    """More than the limits have space for."""
    Sender("a").send(30)
    Sender("b").send(30)


def beyond(start):
    """One packet within a horizon of 100 ms, one beyond."""
    sender = Sender("a", txtime=CLOCK_MONOTONIC)
    sender.send(at=start + 10 * MS)
    sender.send(at=start + 1000 * MS)


def late(_):
    """ECN-capable packets at a slow link."""
    Sender("a", tos=2).send(20)


def rested(_):
    """Two flows with little credit left rest, while another is served, and then send again: refilled, each sends two packets at once.

    The first eight packets at an idle qdisc are anybody's, and cost nothing.
    """
    one, two, busy = Sender("a"), Sender("b"), Sender("c")
    busy.send(40)
    one.send()
    two.send()
    time.sleep(0.2)
    one.send(4)
    two.send(4)


# A slow link below which the qdisc has a backlog: 10 Mbit/s, a packet takes 0.83 ms; and one slower than any CPU sends.
SLOW, SLOWER = (f"rate {rate} burst 1600 latency 10s" for rate in ("10mbit", "1mbit"))
# A packet's worth, and 58 bytes.
REFILLED, NOT_YET = (f"quantum 1100 initial_quantum 1100 refill_delay {delay}" for delay in ("10ms", "10s"))

# Before 6.8 fq has no fast path, by which first packets cost their flow nothing and obey no limit, and no bands, of each
# of which it counts the packets that it may still choose from: a packet that its parent has peeked at is none of these.
FASTPATH, BANDS = "no fast path", "one limit for all"

# name, sender, options for both, a slow link or None, counters that must be equal (fq's name, onramp's), what fq of old kernels lacks
CASES = (
    ("departure times", edt, "", None, (), None),
    ("rates of sockets", paced, "", None, (("throttled", "throttled"),), None),
    ("rates of sockets, nopacing", paced, "nopacing", None, (), None),
    ("maxrate", paced, "maxrate 4mbit", None, (), None),
    ("low_rate_threshold", paced, "low_rate_threshold 100mbit", None, (), None),
    ("flows in turn", shares, "", SLOW, (), FASTPATH),
    ("small quanta", shares, "quantum 300 initial_quantum 1100", SLOW, (), FASTPATH),
    ("a rest longer than refill_delay", rested, REFILLED, SLOWER, (), FASTPATH),
    ("a rest shorter than refill_delay", rested, NOT_YET, SLOWER, (), FASTPATH),
    ("few buckets", shares, "buckets 2", SLOW, (), FASTPATH),
    ("no hash", shares, "orphan_mask 0", SLOW, (), FASTPATH),
    ("limits of flows", flood, "flow_limit 10", SLOWER, (("flows_plimit", "flows_plimit"),), FASTPATH),
    ("limit", flood, "limit 25", SLOWER, (), BANDS),
    ("horizon_drop", beyond, "horizon 100ms", None, (("horizon_drops", "horizon_drops"),), None),
    ("horizon_cap", beyond, "horizon 100ms horizon_cap", None, (("horizon_caps", "horizon_caps"),), None),
    ("ce_threshold", late, "ce_threshold 5ms", SLOW, (("ce_mark", "ce_mark"),), FASTPATH),
)


def as_old(case):
    """A case as fq of old kernels does it, or None: under a maxrate there is no fast path."""
    name, sends, settings, slow, counters, lacks = case
    if lacks == FASTPATH:
        return f"{name}, {lacks}", sends, f"{settings} maxrate 10gbit", slow, counters, lacks
    return None if lacks else case


def listener():
    """A socket that sees what comes, with the kernel's stamps."""
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_IP))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 23)
    sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    sock.bind(("vb", ETH_P_IP))
    sock.settimeout(SILENCE_S)
    return sock


def received(sock, start, read=False):
    """[(name of packet, us since the start, CE)] until nothing comes for a while.

    read: take the time at which a packet is read. A packet to which a program gave a departure time arrives with that as its timestamp.
    """
    came = []
    while True:
        try:
            data, control, _, _ = sock.recvmsg(2048, 128)
        except socket.timeout:
            return came
        sec, nsec = struct.unpack("qq", control[0][2][:16])
        at = time.clock_gettime_ns(time.CLOCK_REALTIME) if read else sec * 10**9 + nsec
        came.append((data[42:46].decode(), (at - start) // 1000, data[15] & 3 == 3))


def through(kind, case, read=False):
    """Results of a case's packets, and the qdisc's counters."""
    _, sends, settings, slow, _, _ = case
    if slow:
        sh(f"tc qdisc add dev va root handle 1: tbf {slow}")
    sh(f"tc qdisc add dev va {'parent 1:1' if slow else 'root'} handle 10: {kind} {settings}")
    sock = listener()
    real, mono = time.clock_gettime_ns(time.CLOCK_REALTIME), time.clock_gettime_ns(CLOCK_MONOTONIC)
    sends(mono + 50 * MS)
    came = received(sock, real, read)
    stats = next(q for q in json.loads(sh("tc -s -j qdisc show dev va")) if q["kind"] == kind)
    sh("tc qdisc del dev va root")
    sock.close()
    return came, stats


def out_of_order(fq, own):
    """Not the same packets, or two in another order.

    Where the CPU takes time, a packet whose time comes while others are sent at once may come sooner or later among
    them; those that come at one time, as all do in virtual time, must be in order.
    """
    if sorted(packet for packet, _, _ in fq) != sorted(packet for packet, _, _ in own):
        return True
    there = {packet: (place, us) for place, (packet, us, _) in enumerate(fq)}
    for place, (one, us, _) in enumerate(own):
        for other, later_us, _ in own[place + 1:]:
            swapped = there[other][0] < there[one][0]
            gaps = later_us - us, there[one][1] - there[other][1]
            if swapped and (one[0] == other[0] or not 0 < min(gaps) <= max(gaps) <= TOLERANCE_US):
                return True
    return False


def compare(case):
    """Complaints about a case. Other work of the kernel may delay one packet: times that differ in three tries are the qdisc's."""
    for _ in range(3):
        bad, late = compare_once(case)
        if bad or not late:
            break
    return bad + late


def compare_once(case):
    """Complaints about one try of a case: about anything but times, and about times."""
    name, _, _, _, counters, _ = case
    fq, fq_stats = through("fq", case)
    own, own_stats = through("onramp", case)
    bad, late = [], []
    if not own:
        bad.append("nothing came")
    if out_of_order(fq, own):
        bad.append("order: fq " + " ".join(p for p, _, _ in fq))
        bad.append("     onramp " + " ".join(p for p, _, _ in own))
    # The time that a case takes to send differs from run to run, so times are measured from its first packet.
    elif own:
        theirs = {packet: (us, ce) for packet, us, ce in fq}
        off = max((abs((theirs[p][0] - fq[0][1]) - (us - own[0][1])), p) for p, us, _ in own)
        if off[0] > TOLERANCE_US:
            late.append(f"{off[1]} is off by {off[0]} us")
        if any(theirs[p][1] != ce for p, _, ce in own):
            bad.append(f"marks: fq {sum(ce for _, _, ce in fq)}, onramp {sum(ce for _, _, ce in own)}")
        print(f"# {name}: {len(own)} packets in {own[-1][1] - own[0][1]} us, at most {off[0]} us off")
    for theirs, mine in counters:
        if theirs in fq_stats and fq_stats[theirs] != own_stats[mine]:
            bad.append(f"{mine} is {own_stats[mine]}, with fq {fq_stats[theirs]}")
    if own_stats["packets"] != len(own) or own_stats["drops"] != fq_stats["drops"]:
        bad.append(f"{own_stats['packets']} packets and {own_stats['drops']} drops, with fq {fq_stats['drops']}")
    return bad, late


def foreign_alone(clock):
    """Not as with fq: a time by another clock is no departure time, and nothing waits."""
    came, stats = through("onramp", ("", foreign(clock), "", None, (), None))
    if [packet for packet, _, _ in came] != ["a000", "b000"] or came[1][1] - came[0][1] > TOLERANCE_US:
        return [f"came {came}"]
    return [f"{stats['throttled']} waited"] if stats["throttled"] else []


def earlier_alone():
    """As with fq of 7.3, each leaves at its time. Older ones wait for the time of the packet that came first."""
    came, _ = through("onramp", ("", edt_before, "", None, (), None))
    if [packet for packet, _, _ in came] != ["a002", "a001", "a000"]:
        return [f"came {came}"]
    off = [abs(us - came[0][1] - 1000 * (ms - EARLIER[-1])) for (_, us, _), ms in zip(came, reversed(EARLIER))]
    return [f"off by {off} us"] if max(off) > TOLERANCE_US else []


LATER_MS = 200
OPEN = []
POD = "onramp-pod"


def pod():
    """A namespace whose packets this one routes: they have no socket here."""
    sh(f"ip netns add {POD}")
    sh(f"ip link add pa type veth peer name pb netns {POD}")
    sh("ip addr add 10.1.0.1/24 dev pa")
    sh("ip link set pa up")
    sh(f"ip -n {POD} addr add 10.1.0.2/24 dev pb")
    sh(f"ip -n {POD} link set pb up")
    sh(f"ip -n {POD} route add default via 10.1.0.1")
    with open("/proc/sys/net/ipv4/ip_forward", "w", encoding="ascii") as file:
        file.write("1")


def enter(path):
    """Make sockets in another network namespace from now on."""
    fd = os.open(path, os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(fd, 0x40000000):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    os.close(fd)


def from_host(_):
    """UDP from here."""
    Sender("a").send(5)


def from_pod(_):
    """UDP that is routed here."""
    here = f"/proc/{os.getpid()}/fd/{os.open('/proc/self/ns/net', os.O_RDONLY)}"
    enter(f"/run/netns/{POD}")
    try:
        Sender("b").send(5)
    finally:
        enter(here)


def syn_from_host(_):
    """TCP from here: a SYN to a host that does not answer."""
    sock = socket.socket()
    sock.setblocking(False)
    sock.connect_ex(("10.0.0.2", 80))
    OPEN.append(sock)       # one that is closed forgets what it sent


def programmed_alone():
    """Complaints about the departure times that a BPF program sets; None if it cannot be loaded."""
    try:
        program = bpf.load(bpf.later(LATER_MS * MS))
        sh("tc qdisc add dev va clsact")
        bpf.attach("va", program)
    except (OSError, RuntimeError) as why:
        print(f"# no BPF program: {why}")
        return None
    pod()
    bad = []
    for sends, count in ((from_host, 5), (from_pod, 5), (syn_from_host, 1)):
        for kind, settings in (("fq", ""), ("onramp", ""), ("onramp", "mode off"), ("onramp", "mode observe")):
            came, stats = through(kind, ("", sends, settings, None, (), None), read=True)
            while OPEN:
                OPEN.pop().close()
            early = [f"{packet} {us} us" for packet, us, _ in came if us < LATER_MS * 1000]
            if len(came) != count or early or stats["drops"]:
                bad.append(f"{kind} {settings}, {sends.__doc__} {len(came)} of {count} came, too early: {early}")
    sh("tc qdisc del dev va clsact")
    sh(f"ip netns del {POD}")
    return bad


def rests_alone():
    """Comparisons with fq differ for both."""
    orders = [[packet for packet, _, _ in through("onramp", ("", rested, settings, SLOWER, (), None))[0]] for settings in (REFILLED, NOT_YET)]
    return [f"both times {' '.join(orders[0])}"] if orders[0] == orders[1] else []


def bands_alone(priomap, order):
    """fq of 6.12 gives a flow's first turn to band 0, whatever its own. Here each round is shared by the weights."""
    weights = dict(zip(order, (49152, 32768, 16384)))
    came, _ = through("onramp", ("", bands, f"flow_limit 1000 {priomap} weights 49152 32768 16384", SLOW, (), None))
    size = 1000 + 42
    one_round = sum(weights.values()) // size
    # The first packets are skipped: some met an empty queue. All bands have packets for two rounds.
    letters = "".join(packet[0] for packet, _, _ in came)[20:20 + 2 * one_round]
    bad = [f"{letter} sent {letters.count(letter)} of {len(letters)}" for letter, weight in weights.items()
           if abs(letters.count(letter) - 2 * weight // size) > 16]
    return bad + ([] if len(came) == 390 else [f"{len(came)} came"])


def report(name, bad):
    """Print a result: passed, if the list of what is wrong is empty."""
    result(not bad, name, *bad)


def main():
    """Compare all; the exit status."""
    pair()
    release = tuple(int(part) for part in re.findall(r"\d+", os.uname().release)[:2])
    is_old = release < (6, 8)
    for case in CASES:
        wanted = as_old(case) if is_old else case
        if wanted:
            report(wanted[0], compare(wanted))
        else:
            skip(case[0], f"fq of this kernel has {case[5]}")
    report("a time by another clock delays nothing", foreign_alone(CLOCK_TAI))
    report("bands share by weights", bands_alone("", "cba"))
    report("in the order of a priomap", bands_alone("bands 3 priomap 1 2 0 2 1 2 2 0 1 1 1 1 1 1 1 1", "abc"))
    report("refill_delay decides when a flow has a quantum again", rests_alone())
    report("a departure time before that of the packet that is waited for", earlier_alone())
    report("nor does one by the wall clock", foreign_alone(CLOCK_REALTIME))
    bad = programmed_alone()
    if bad is None:
        skip("departure times that a BPF program sets", "this kernel has none here")
    else:
        report("departure times that a BPF program sets", bad)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
