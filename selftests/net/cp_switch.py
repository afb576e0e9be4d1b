# SPDX-License-Identifier: GPL-2.0
"""A bridge whose ports have the qdisc cp, as its tests make it: requests past tc, statistics, frames.

A port pN is one end of a veth, its host hN the other: frames are written to and read from it as they are on the wire. All is in the
network namespace of this process.
"""

import errno
import fcntl
import os
import re
import select
import socket
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, "../tc-testing"), os.path.join(HERE, "../lib")]
# pylint: disable=wrong-import-position
import rtm_qdisc as rtm  # noqa: E402

RTM_DELQDISC, RTM_GETQDISC, RTM_GETTCLASS = 37, 38, 42
NLM_F_DUMP = 0x300
NLMSG_ERROR, NLMSG_DONE = 2, 3
TCA_OPTIONS, TCA_STATS2, TCA_STAB = 2, 7, 8
TCA_STATS_APP, TCA_STAB_BASE = 4, 1
ETH_P_ALL = 3
SOL_PACKET, PACKET_AUXDATA, VLAN_VALID = 263, 8, 0x10
SO_SNDBUFFORCE = 32
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 2, 0x1000
RTM_SETLINK, RTM_DELLINK, IFLA_AF_SPEC, IFLA_BRIDGE_VLAN_INFO = 19, 17, 26, 2
VLAN_PVID, VLAN_UNTAGGED = 2, 4
WAIT_S = int(os.environ.get("WAIT_S", "60"))
NUMBERS = rtm.attribute_numbers("cp")
WIDTHS = {"QEQ": "u32", "SAMPLE_BASE": "u32", "K": "u32", "BUFFER": "u32", "LIMIT": "u32", "XOFF": "u32", "XON": "u32", "QUANTA": "u32",
          "RATE_BPS": "u64", "INTERVAL_NS": "u64", "A": "u32", "B": "u32", "C": "u32", "GAMMA": "u32", "STAGES": "u32", "SLOPE": "u32",
          "WEIGHT": "u32", "FLOWS": "u32", "HOT": "u32"}
# Frames leave one at a time, so to speak never.
STALLED = {"RATE_BPS": 1}
WORDS = {"LAW": {"none": 1, "qcn": 2, "step": 3, "fecn": 4}, "AT": {"output": 0, "input": 1}, "SAMPLE": {"arrival": 0, "random": 1, "largest": 2},
         "SIGNAL": {"cnm": 0, "ecn": 1}, "SERVICE": {"fifo": 0, "rr": 1}, "PAUSE": {"off": 0, "input": 1, "output": 2},
         "DEFENSE": {"interior": 0, "edge": 1}}


class Refused(Exception):
    """The kernel's errno and words."""

    def __init__(self, number, message):
        super().__init__(f"{errno.errorcode.get(number, number)}: {message}")
        self.number = number
        self.message = message


def sh(words):
    """Run a command that must succeed."""
    subprocess.run(words.split(), check=True, stdout=subprocess.DEVNULL)


def members(struct_name):
    """Names of a struct's members, all u64, from the header that defines it."""
    with open(os.path.join(rtm.HEADERS, "pkt_sch_cp.h"), encoding="utf-8") as header:
        body = re.search(rf"^struct {struct_name} \{{(.*?)^\}};", header.read(), re.M | re.S).group(1)
    return re.findall(r"__u64\t(\w+);", body)


QDISC, CLASS = members("tc_cp_xstats"), members("tc_cp_class_xstats")


def options(settings):
    """Attributes of {NAME: number or word}."""
    out = b""
    for name, value in settings.items():
        number = WORDS[name][value] if isinstance(value, str) else value
        out += rtm.attribute(NUMBERS[name], struct.pack(rtm.TYPES[WIDTHS.get(name, "u8")], number & (1 << 64) - 1
                                                        if WIDTHS.get(name) == "u64" else number & 0xffffffff
                                                        if name in WIDTHS else number & 0xff))
    return out


def attributes(data):
    """{type: payload} of a run of attributes."""
    found = {}
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        if length < 4:
            break
        found[kind & 0x3fff] = data[4:length]
        data = data[length + -length % 4:]
    return found


def send_request(message):
    """Send one; raise what the kernel has against it."""
    with rtm.connect() as sock:
        sock.sendto(message, (0, 0))
        number, reason = rtm.answer_of(sock)
    if number:
        raise Refused(number, reason)


def request(kind, flags, dev, **more):
    """A message about a qdisc of a device."""
    tcmsg = struct.pack("=BxxxiIII", socket.AF_UNSPEC, socket.if_nametoindex(dev), more.get("handle", 1 << 16),
                        more.get("parent", rtm.TC_H_ROOT), 0)
    body = tcmsg + more.get("body", b"")
    return struct.pack("=IHHII", 16 + len(body), kind, rtm.NLM_F_REQUEST | rtm.NLM_F_ACK | flags, 1, 0) + body


def cp(dev, verb="replace", overhead=0, handle=1 << 16, **settings):
    """Add, change or replace cp at the root of a device."""
    body = rtm.attribute(rtm.TCA_KIND, b"cp\0")
    body += rtm.attribute(rtm.TCA_OPTIONS | rtm.NLA_F_NESTED, options(settings))
    if overhead:
        base = struct.pack("=BBhiIIII", 0, 0, 0, overhead, 0, 0, 0, 0)
        body += rtm.attribute(TCA_STAB | rtm.NLA_F_NESTED, rtm.attribute(TCA_STAB_BASE, base))
    send_request(request(rtm.RTM_NEWQDISC, rtm.VERBS[verb], dev, body=body, handle=handle))


def vlan(dev, vid, flags=0, remove=False):
    """Add a VLAN to a bridge's port, or remove it, as "bridge vlan" does."""
    spec = rtm.attribute(IFLA_AF_SPEC | rtm.NLA_F_NESTED, rtm.attribute(IFLA_BRIDGE_VLAN_INFO, struct.pack("=HH", flags, vid)))
    body = struct.pack("=BxHiII", socket.AF_BRIDGE, 0, socket.if_nametoindex(dev), 0, 0) + spec
    kind = RTM_DELLINK if remove else RTM_SETLINK
    send_request(struct.pack("=IHHII", 16 + len(body), kind, rtm.NLM_F_REQUEST | rtm.NLM_F_ACK, 1, 0) + body)


def gone(dev):
    """Delete a device's root qdisc."""
    send_request(request(RTM_DELQDISC, 0, dev, handle=0))


def fresh(dev, **settings):
    """Have cp at a device's root with these settings, whatever was there before."""
    try:
        gone(dev)
    except Refused:
        pass    # it had none
    cp(dev, **settings)


def dump(kind, dev):
    """Yield (tcmsg, attributes) of a device's qdiscs or classes."""
    index = socket.if_nametoindex(dev)
    with rtm.connect() as sock:
        tcmsg = struct.pack("=BxxxiIII", socket.AF_UNSPEC, index, 0, 0, 0)
        sock.sendto(struct.pack("=IHHII", 16 + len(tcmsg), kind, rtm.NLM_F_REQUEST | NLM_F_DUMP, 1, 0) + tcmsg, (0, 0))
        while True:
            data = sock.recv(1 << 18)
            while data:
                length, what = struct.unpack_from("=IH", data)
                if what in (NLMSG_DONE, NLMSG_ERROR):
                    return
                fields = struct.unpack_from("=BxxxiIII", data, 16)
                if fields[1] == index:
                    yield fields, attributes(data[36:length])
                data = data[length + -length % 4:]


def xstats(found, names):
    """{member: number} of an object's statistics."""
    app = attributes(found[TCA_STATS2])[TCA_STATS_APP]
    return dict(zip(names, struct.unpack(f"={len(names)}Q", app[:8 * len(names)])))


def stats(dev):
    """Counters of a port's cp."""
    return next(xstats(found, QDISC) for _, found in dump(RTM_GETQDISC, dev) if found[rtm.TCA_KIND].rstrip(b"\0") == b"cp")


def settings_of(dev):
    """Parameters that a port's dump has as given, as bytes."""
    return next(found[TCA_OPTIONS] for _, found in dump(RTM_GETQDISC, dev) if found[rtm.TCA_KIND].rstrip(b"\0") == b"cp")


def classes(dev):
    """{minor: statistics} of a port's classes."""
    return {fields[2] & 0xffff: xstats(found, CLASS) for fields, found in dump(RTM_GETTCLASS, dev)}


def of_input(dev, port):
    """Statistics of what came by a port and was for another."""
    index = socket.if_nametoindex(port)
    return next((c for c in classes(dev).values() if c["ifindex"] == index), None)


def until(condition):
    """Wait for something that will happen; return the last answer."""
    end = time.monotonic() + WAIT_S
    while True:
        answer = condition()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(0.005)


def mac(dev):
    """A device's address."""
    with open(f"/sys/class/net/{dev}/address", encoding="ascii") as file:
        return bytes.fromhex(file.read().strip().replace(":", ""))


def with_tag(data, more):
    """A frame as it is on the wire: the kernel keeps its VLAN tag separately."""
    status, tci, tpid = struct.unpack_from("=I12xHH", more.ljust(20, b"\0"))
    return data[:12] + struct.pack("!HH", tpid, tci) + data[12:] if status & VLAN_VALID else data


class Host:
    """The far end of a port's link: sent and received frames."""

    def __init__(self, number):
        self.dev, self.port = f"h{number}", f"p{number}"
        sh(f"ip link add {self.port} type veth peer name {self.dev}")
        for dev in (self.port, self.dev):
            with open(f"/proc/sys/net/ipv6/conf/{dev}/disable_ipv6", "w", encoding="ascii") as file:
                file.write("1")
        self.mac = bytes([2, 0, 0, 0, 0, number])
        sh(f"ip link set {self.dev} address {self.mac.hex(':')} up")
        self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        # Frames that wait in a port's queue are still in their sender's buffer.
        self.sock.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 1 << 24)
        self.sock.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
        self.sock.bind((self.dev, ETH_P_ALL))

    def send(self, to, number=0, flow=1, ecn=0, size=1000, vlan=None, count=1):
        """IPv4 and UDP, so many bytes with the Ethernet header; the number is in it."""
        for i in range(count):
            self.raw(frame(to.mac, self.mac, number + i, flow, ecn, size, vlan))

    def raw(self, bytes_):
        """Any frame."""
        self.sock.send(bytes_)

    def hear(self, wait_s=0.0):
        """All frames that have come, without those that this host sent."""
        came = []
        while select.select([self.sock], [], [], wait_s)[0]:
            data, more, _, where = self.sock.recvmsg(65536, 64)
            if where[2] != socket.PACKET_OUTGOING:
                came.append(with_tag(data, more[0][2] if more else b""))
        return came

    def hear_some(self, count):
        """So many frames, or what has come when no more did."""
        came = []
        until(lambda: came.extend(self.hear()) or len(came) >= count)
        return came


class TapHost(Host):
    """A host whose port is a tap device, of which this process has the other end."""

    def __init__(self, number):    # pylint: disable=super-init-not-called
        self.port = self.dev = f"t{number}"
        self.mac = bytes([2, 0, 0, 0, 0, number])
        self.tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(self.tap, TUNSETIFF, struct.pack("16sH22x", self.port.encode(), IFF_TAP | IFF_NO_PI))
        with open(f"/proc/sys/net/ipv6/conf/{self.port}/disable_ipv6", "w", encoding="ascii") as file:
            file.write("1")

    def raw(self, bytes_):
        """Any frame."""
        os.write(self.tap, bytes_)

    def hear(self, wait_s=0.0):
        """All frames that have come."""
        came = []
        while select.select([self.tap], [], [], wait_s)[0]:
            came.append(os.read(self.tap, 65536))
        return came


def frame(to, by, number=0, flow=1, ecn=0, size=1000, vlan=None):
    """A UDP frame; the flow's number determines its source port."""
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, ecn, size - 14, number & 0xffff, 0, 64, 17, 0, bytes([10, 0, 0, by[5]]), bytes([10, 0, 0, to[5]]))
    total = sum(struct.unpack("!10H", ip))
    total = (total & 0xffff) + (total >> 16)
    ip = ip[:10] + struct.pack("!H", ~(total + (total >> 16)) & 0xffff) + ip[12:]
    udp = struct.pack("!HHHH", 5000 + flow, 9, size - 34, 0)
    tag = struct.pack("!HH", 0x8100, vlan) if vlan is not None else b""
    return to + by + tag + b"\x08\x00" + ip + udp + struct.pack("!I", number) + bytes(size - 46)


def number_of(data):
    """The number in such a frame."""
    return struct.unpack_from("!I", data, 42)[0]


def ecn_of(data):
    """The codepoint of such a frame."""
    return data[15] & 3


def data_of(came):
    """Those of such frames that are no control frames."""
    return [data for data in came if data[12:14] == b"\x08\x00"]


def cnms_of(came):
    """CNMs among frames, read: a dictionary each."""
    return [read_cnm(data) for data in came if b"\x22\xe7" in (data[12:14], data[16:18])]


def read_cnm(data):
    """As docs of l2_wire.h have it."""
    at = 12 if data[12:14] == b"\x22\xe7" else 16
    first, cpid, offset, delta, priority, da, length = struct.unpack_from("!H8shhH6sH", data, at + 2)
    return {"da": data[:6], "sa": data[6:12], "tag": data[12:at], "version": first >> 12, "reserved": first >> 6 & 63,
            "qntz_fb": first & 63, "cpid": cpid, "q_offset": offset, "q_delta": delta, "priority": priority, "culprit_da": da,
            "msdu": data[at + 26:at + 26 + length], "length": length, "bytes": len(data), "pad": data[at + 26 + length:]}


def pauses_of(came):
    """(opcode, vector or quanta, all quanta) of MAC control frames."""
    found = []
    for data in came:
        if data[12:14] == b"\x88\x08":
            opcode, first = struct.unpack_from("!HH", data, 14)
            found.append((opcode, first, struct.unpack_from("!8H", data, 18) if opcode == 0x0101 else ()))
    return found


def pause(by, quanta, vector=None):
    """A PAUSE, or PFC with a vector, by such an address."""
    head = bytes.fromhex("0180c2000001") + by + b"\x88\x08"
    body = struct.pack("!HH", 1, quanta) if vector is None else struct.pack("!HH8H", 0x0101, vector, *8 * [quanta])
    return (head + body).ljust(60, b"\0")


class Switch:
    """A bridge with ports; each knows where the hosts are."""

    def __init__(self, count, kind=Host):
        sh("ip link add br0 type bridge ageing_time 3000000 mcast_snooping 0")
        with open("/proc/sys/net/ipv6/conf/br0/disable_ipv6", "w", encoding="ascii") as file:
            file.write("1")
        self.hosts = [kind(number) for number in range(1, count + 1)]
        sh("ip link set br0 up")
        for host in self.hosts:
            self.join(host)
        for host in self.hosts:
            host.hear(0.05)

    @staticmethod
    def join(host, dev=None, vlan=None):
        """A host's port becomes one of the bridge's, or a device on it."""
        dev = dev or host.port
        sh(f"ip link set {dev} master br0 up")
        sh(f"ip link set {dev} type bridge_slave flood off mcast_flood off")
        sh(f"ip link set {host.port} up")

        def known():
            host.raw(frame(b"\2\xff\0\0\0\0", host.mac, vlan=vlan))
            with open("/sys/class/net/br0/brforward", "rb") as file:
                return host.mac in file.read()
        until(known)

    def quiet(self):
        """Forget what has come."""
        for host in self.hosts:
            host.hear()


def run(tap, switch, tests):
    """Those of some tests that were named on the command line, or all; what ends one early is its failure."""
    for test in tests:
        if sys.argv[1:] and test.__name__ not in sys.argv[1:]:
            continue
        try:
            test(tap, switch)
        except (Refused, KeyError, IndexError, StopIteration, TypeError, subprocess.CalledProcessError) as why:
            tap.ok(f"{test.__name__} ended", False, repr(why))
            if os.environ.get("CP_RAISE"):
                raise


def stall(switch, to, **settings):
    """A port from which nothing leaves: its first frame has, so that the next waits long."""
    cp(to.port, **{**settings, **STALLED})
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
        sock.bind((to.port, 0))
        sock.send(frame(to.mac, mac(to.port)))
    until(lambda: classes(to.port)[1]["tx_packets"] and not stats(to.port)["q_bytes"])
    switch.quiet()


def release(to):
    """All that waits leaves."""
    cp(to.port, "change", RATE_BPS=0)
    until(lambda: not stats(to.port)["q_bytes"])


def accounts(ports):
    """Sums that must agree: what inputs have, and what outputs count of inputs; and the bytes of each output and its classes."""
    bad = []
    inputs = {socket.if_nametoindex(port): stats(port)["buffer_bytes"] for port in ports}
    counted = dict.fromkeys(inputs, 0)
    for port in ports:
        of = classes(port)
        if sum(c["bytes"] for c in of.values()) != stats(port)["q_bytes"]:
            bad.append(f"{port}: {stats(port)['q_bytes']} bytes wait, in classes {of}")
        for c in of.values():
            if c["ifindex"] in counted:
                counted[c["ifindex"]] += c["counted"]
    if inputs != counted:
        bad.append(f"inputs have {inputs}, outputs {counted}")
    return bad
