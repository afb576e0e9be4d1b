# SPDX-License-Identifier: GPL-2.0
"""Namespaces for tests of onramp_acker.ko: TCP data from one, the acker in the next, and what it owes, computed from the packets.

    a (10.0.0.1) v ==[tbf 100 Mbit/s]==> v (10.0.0.2) b w ==> w (10.1.0.2) c
"""

import contextlib
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import time

from script import Inside, run

HERE = os.path.dirname(os.path.abspath(__file__))
UAPI = os.path.join(HERE, "../../kernel/include/uapi/linux/onramp.h")
PORT = 31901
ALLOWED = ("10.0.0.0/25", "fd00::/64", "fd00:5::/64", "10.5.0.1/32")
MTU, EVERY, DELAY_NS, IDLE_NS = 1500, 10, 2_000_000, 20_000_000
# Instructions between the two readings of the clock, where they take time; packets are 120 us apart.
STAMP_NS = 50_000
# So long after a packet on the grid no others are acked.
FRESH_NS = 100_000
SO_TIMESTAMPNS = 35
# Flows, and how many are in 16 buckets, where two of them are in each only if all are there that may be.
CROWD, MOST = 600, 32
ETH_P_ALL, ETH_P_IP, ETH_P_IPV6, ETH_P_8021Q = 3, 0x0800, 0x86DD, 0x8100
NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP = 1, 4, 0x300
NLMSG_ERROR, NLMSG_DONE, NLMSGERR_ATTR_MSG = 2, 3, 1
SOL_NETLINK, NETLINK_CAP_ACK, NETLINK_EXT_ACK, NETLINK_GET_STRICT_CHK = 270, 10, 11, 12


# Generic netlink

def enum(text, name):
    """Names and numbers of an enum of the interface."""
    body = re.sub(r"/\*.*?\*/", "", re.search(rf"enum {name} {{(.*?)}};", text, re.S).group(1), flags=re.S)
    return {name.strip(): number for number, name in enumerate(body.split(",")) if name.strip()}


with open(UAPI, encoding="ascii") as header:
    TEXT = header.read()
CMD, ATTR = enum(TEXT, "onramp_cmd"), enum(TEXT, "onramp_attr")
STATS = re.findall(r"__u64\s+(\w+);", re.search(r"struct onramp_acker_stats {(.*?)}", TEXT, re.S).group(1))
WIDTH = {"EVERY": "I", "DELAY": "Q", "IDLE": "Q", "RATE": "I", "MAX_FLOWS": "I"}


def attribute(kind, data):
    return struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def attributes(data):
    found = {}
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        found[kind & 0x3FFF] = data[4:length]
        data = data[(length + 3) & ~3:]
    return found


class Genl:
    """The family in one namespace."""

    def __init__(self, name):
        with Inside(name) if name else contextlib.nullcontext():
            self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
        for option in (NETLINK_CAP_ACK, NETLINK_EXT_ACK, NETLINK_GET_STRICT_CHK):
            self.sock.setsockopt(SOL_NETLINK, option, 1)
        self.family = 16
        reply = self.ask(3, {2: b"onramp\0"})[1]
        self.family = struct.unpack("=H", reply[0][1])[0]

    def ask(self, cmd, attrs=None, flags=NLM_F_ACK):
        """Returns (errno, replies or the kernel's message)."""
        body = struct.pack("=BBH", cmd, 1, 0) + b"".join(attribute(*pair) for pair in (attrs or {}).items())
        self.sock.send(struct.pack("=IHHII", 16 + len(body), self.family, NLM_F_REQUEST | flags, 1, 0) + body)
        replies = []
        while True:
            data = self.sock.recv(65536)
            while data:
                length, kind, flag = struct.unpack_from("=IHH", data)
                message, data = data[16:length], data[(length + 3) & ~3:]
                if kind == NLMSG_DONE:
                    return 0, replies
                if kind == NLMSG_ERROR:
                    code = -struct.unpack_from("=i", message)[0]
                    message_ = attributes(message[20:]).get(NLMSGERR_ATTR_MSG, b"") if flag & 0x200 else b""
                    return code, message_.rstrip(b"\0").decode() if code else replies
                replies.append(attributes(message[4:]))

    def settings(self, **values):
        return self.ask(CMD["ONRAMP_CMD_ACKER_SET"], {ATTR[f"ONRAMP_A_ACKER_{name.upper()}"]: struct.pack(
            "=" + WIDTH[name.upper()], value) for name, value in values.items()})

    def get(self):
        reply = self.ask(CMD["ONRAMP_CMD_ACKER_GET"])[1][0]
        return {name: struct.unpack("=" + width, reply[ATTR[f"ONRAMP_A_ACKER_{name}"]])[0]
                for name, width in WIDTH.items()}

    def stats(self):
        data = self.ask(CMD["ONRAMP_CMD_ACKER_GET"])[1][0][ATTR["ONRAMP_A_ACKER_STATS"]]
        return dict(zip(STATS, struct.unpack(f"={len(STATS)}Q", data)))

    def peer(self, verb, prefix):
        address, length = prefix.split("/")
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        return self.ask(CMD[f"ONRAMP_CMD_PEER_{verb}"], {ATTR["ONRAMP_A_PREFIX"]: socket.inet_pton(family, address),
                                                         ATTR["ONRAMP_A_PREFIX_LEN"]: bytes([int(length)])})

    def device(self, verb, index):
        return self.ask(CMD[f"ONRAMP_CMD_ACKER_DEV_{verb}"], {ATTR["ONRAMP_A_IFINDEX"]: struct.pack("=I", index)})

    def clock(self, error_ns):
        return self.ask(CMD["ONRAMP_CMD_CLOCK_SET"], {ATTR["ONRAMP_A_CLOCK_ID"]: b"\1",
                                                      ATTR["ONRAMP_A_CLOCK_ERROR"]: struct.pack("=I", error_ns)})

    def key(self, verb, **values):
        """A request about keys; prefix is packed already."""
        return self.ask(CMD[f"ONRAMP_CMD_KEY_{verb}"], {ATTR[f"ONRAMP_A_{name.upper()}"]: value
                                                        for name, value in values.items()})

    def dump(self, name):
        return self.ask(CMD[f"ONRAMP_CMD_{name}"], flags=NLM_F_DUMP)[1]


def index_of(name, dev):
    with Inside(name):
        return socket.if_nametoindex(dev)


# Packets

class Tap:
    """Packets that pass a device: (ns, out of it, ether type, IP packet)."""

    def __init__(self, name, dev):
        with Inside(name):
            self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUFFORCE if hasattr(socket, "SO_RCVBUFFORCE") else 33,
                                 1 << 26)
            self.sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
            self.sock.bind((dev, ETH_P_ALL))

    def packets(self):
        found = []
        while select.select([self.sock], [], [], 0)[0]:
            data, control, _, address = self.sock.recvmsg(2000, 256)
            ns = next(s * 10**9 + n for level, kind, value in control if kind == SO_TIMESTAMPNS
                      for s, n in [struct.unpack("=qq", value[:16])])
            kind, ip = struct.unpack_from("!H", data, 12)[0], data[14:]
            if kind == ETH_P_8021Q:
                kind, ip = struct.unpack_from("!H", ip, 2)[0], ip[4:]
            found.append((ns, address[2] == socket.PACKET_OUTGOING, kind, ip))
        return found


def transport(kind, ip):
    """(protocol, dsfield, source, destination, what is in it)."""
    if kind == ETH_P_IP:
        return ip[9], ip[1], ip[12:16], ip[16:20], ip[(ip[0] & 15) * 4:struct.unpack_from("!H", ip, 2)[0]]
    if kind == ETH_P_IPV6:
        first, length, proto = struct.unpack_from("!IHB", ip)
        return proto, first >> 20 & 255, ip[8:24], ip[24:40], ip[40:40 + length]
    return 0, 0, b"", b"", b""


def data_of(packets):
    """Data packets that came in: (ns, source port, destination port, seq, len)."""
    found = []
    for ns, out, kind, ip in packets:
        proto, _, _, _, tcp = transport(kind, ip)
        if proto != 6 or out:
            continue
        sport, dport, seq = struct.unpack_from("!HHI", tcp)
        length = len(tcp) - (tcp[12] >> 4) * 4
        if length:
            found.append((ns, sport, dport, seq, length))
    return found


def acks_of(packets):
    """OR-ACKs that came in: ([header and addresses], [entries])."""
    heads, entries = [], []
    for _, out, kind, ip in packets:
        proto, dsfield, source, target, udp = transport(kind, ip)
        if out or proto != 17 or struct.unpack_from("!HH", udp) != (PORT, PORT):
            continue
        version, flags, count, clock, epoch, error, serial = struct.unpack_from("!BBBBIII", udp, 8)
        heads.append({"version": version, "flags": flags, "count": count, "clock": clock, "epoch": epoch, "error": error,
                      "serial": serial, "dsfield": dsfield, "source": source, "target": target, "bytes": len(ip),
                      "rest": len(udp) - 24 - 20 * count, "data": memoryview(udp)[8:]})
        for at in range(count):
            sport, dport, seq, length, tcp, stamp, rx = struct.unpack_from("!HHIHBBQ", udp, 24 + 20 * at)
            entries.append((rx, sport, dport, seq, length, tcp, stamp))
    return heads, entries


def grid_of(every, mtu=MTU):
    """The power of two nearest to so many MTUs."""
    return min((1 << log for log in range(32)), key=lambda grid: abs(grid - every * mtu))


def on_grid(packet, grid):
    return (packet[3] + packet[4] - 1) // grid != (packet[3] - 1) // grid


def owed(data, every=EVERY, delay_ns=DELAY_NS, idle_ns=IDLE_NS):
    """Packets of one flow that are to be acked, and why."""
    acked, unacked, last, fresh = [], None, None, 0
    for packet in data:
        now = packet[0]
        if unacked and now - last >= delay_ns:
            acked.append(("last", unacked))
        why = None
        if last is None or now - last >= idle_ns:
            why = "first"
        elif on_grid(packet, grid_of(every)):
            why, fresh = "every", now + min(idle_ns, FRESH_NS)
        last, unacked = now, None if why or now < fresh else packet
        if why:
            acked.append((why, packet))
    return acked + [("last", unacked)] * bool(unacked)


# Traffic

class Listener:
    """Keeps OR-ACKs from being refused where no qdisc wants them."""

    def __init__(self, name):
        with Inside(name):
            self.sock = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            self.sock.bind(("::", PORT))


class Flow:
    """A TCP connection, data from one namespace to the other."""

    port = 5000

    def __init__(self, source, sink, address, tos=0, dev=None, sport=0):
        Flow.port += not sport
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with Inside(sink):
            server = socket.socket(family, socket.SOCK_STREAM)
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if dev:     # the device of which the sink's address is, or its VRF
                server.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, dev.encode())
            server.bind(("", Flow.port))
            server.listen()
        with Inside(source):
            self.out = socket.socket(family, socket.SOCK_STREAM)
            if family == socket.AF_INET6:
                self.out.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, tos)
            else:
                self.out.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, tos)
            self.out.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if sport:
                self.out.bind(("", sport))
            self.out.connect(socket.getaddrinfo(address, Flow.port, family)[0][4])
        self.sink = server.accept()[0]
        server.close()

    def send(self, size):
        """Send, and wait for it and for a while."""
        self.out.setblocking(False)
        sent = got = 0
        while got < size:
            if sent < size:
                try:
                    sent += self.out.send(bytes(min(65536, size - sent)))
                except BlockingIOError:
                    pass
            if select.select([self.sink], [], [], 0.0005)[0]:
                got += len(self.sink.recv(1 << 20))
        time.sleep(0.005)

    def close(self):
        self.out.close()
        self.sink.close()


def flood(source, sink, address):
    """Data without end, in a process of its own; returns its number."""
    pid = os.fork()
    if pid:
        return pid
    try:
        flow = Flow(source, sink, address)
        while True:
            flow.out.send(bytes(20000))
            flow.sink.recv(1 << 20)
            time.sleep(0.0005)
    finally:
        os._exit(0)


def end(pid):
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def pair(one, other, dev, net):
    for name in (one, other):
        if not os.path.exists(f"/run/netns/{name}"):
            run(f"ip netns add {name}")
            run(f"ip -n {name} link set lo up")
    run(f"ip link add {dev} netns {one} type veth peer name {dev} netns {other}")
    for host, name in ((1, one), (2, other)):
        run(f"ip -n {name} addr add 10.{net}.0.{host}/24 dev {dev}")
        run(f"ip -n {name} addr add fd00:{net}::{host}/64 dev {dev} nodad")
        run(f"ip netns exec {name} ethtool -K {dev} tso off gso off gro off")
        run(f"ip -n {name} link set {dev} up")


def soon(condition, most=5):
    """Wait until it is so, seconds at most; a first packet may be lost, and is sent again after one."""
    until = time.monotonic() + most
    while not (found := condition()) and time.monotonic() < until:
        time.sleep(0.01)
    return found


def mac_of(name, dev):
    links = subprocess.run(["ip", "-n", name, "-j", "link", "show", dev], stdout=subprocess.PIPE, text=True, check=True).stdout
    return bytes.fromhex(json.loads(links)[0]["address"].replace(":", ""))


def frame(mac, source, target, sport=7001, seq=1, size=100):
    """A TCP packet with so many bytes of data, of IPv4 or IPv6."""
    tcp = struct.pack("!HHIIBBHHH", sport, 7002, seq, 1, 0x50, 0x18, 1000, 0, 0) + bytes(size)
    if ":" in source:
        kind, ip = ETH_P_IPV6, struct.pack("!IHBB", 6 << 28, len(tcp), 6, 64)
        ends = socket.inet_pton(socket.AF_INET6, source) + socket.inet_pton(socket.AF_INET6, target)
    else:
        kind, ip = ETH_P_IP, struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0)
        ends = socket.inet_aton(source) + socket.inet_aton(target)
    return mac + b"\2\0\0\0\0\1" + struct.pack("!H", kind) + ip + ends + tcp


class Bench:
    """Two namespaces, what is seen at both ends, and the acker's counters."""

    def __init__(self):
        pair("a", "b", "v", 0)
        run("tc -n a qdisc add dev v root tbf rate 100mbit burst 1600 limit 1mb")
        time.sleep(2)       # neighbour discovery and its like
        self.near, self.far = Tap("a", "v"), Tap("b", "v")
        self.acker = Genl("b")
        self.listener = Listener("a")
        self.dev = index_of("b", "v")

    def forget(self):
        """Begin anew: what was seen before does not count."""
        time.sleep(0.01)
        self.near.packets()
        self.far.packets()
        self.before = self.acker.stats()

    def since(self):
        now = self.acker.stats()
        return {name: now[name] - self.before[name] for name in STATS}

    def transfer(self, sizes, address="10.0.0.2", tos=0, twice=False):
        """Bursts with idleness between them; returns (data packets, datagrams, entries, counters)."""
        self.forget()
        flow = Flow("a", "b", address, tos)
        for size in (sizes,) if isinstance(sizes, int) else sizes:
            flow.send(size)
            time.sleep(0.03)
        flow.close()
        data = data_of(self.far.packets())
        if twice:   # as it came, and not as it was handed on
            data = sorted({packet[1:]: packet for packet in reversed(data)}.values())
        return (data, *acks_of(self.near.packets()), self.since())
