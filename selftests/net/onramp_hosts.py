# SPDX-License-Identifier: GPL-2.0
"""Two namespaces for tests of onramp.ko: TCP from one, OR-ACKs made by hand from the other; and what the family onramp tells of them."""

import contextlib
import errno
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# pylint: disable=wrong-import-position
import onramp_genl as genl
from probes import Trace
from script import enter, leave, result, run
from siphash import trailer

N, STATS = genl.numbers(os.path.join(HERE, "../.."))
A, B = f"onramp-a-{os.getpid()}", f"onramp-b-{os.getpid()}"
ADDRESS_A, ADDRESS_B, PORT = "192.0.2.1", "192.0.2.2", 31901
UDP_SEGMENT, DSCP, TCP_ACK = 103, 8, 16
# Which packets are remembered is onramp_remember's matter: here all are, so that what is counted is known.
ALL = "remember 0"
LEAF = f"mode hold clock system error 10us threshold 1s record_idle 10s {ALL}"
# Bytes of a record, and how many of them a flow can have (selftests/unit/onramp_ring.c).
RECORD, RING = 56, 256
# Memory of a flow that is acked, and of its path (onramp_acker.py).
ACKED = 192
HEADER, ENTRY = struct.Struct(">BBBBIII"), struct.Struct(">HHIHBBQ")
ONE, TWO = bytes(range(16)), bytes(range(100, 116))      # keys


def qdisc(verb, arguments):
    """The qdisc on the sender's device."""
    run(f"ip netns exec {A} tc qdisc {verb} dev va root handle 1: onramp {arguments} {'' if verb == 'change' or 'remember' in arguments else ALL}")


def tc(arguments):
    """tc in the sender's namespace; returns what it says, read from JSON if it is."""
    output = subprocess.run(["ip", "netns", "exec", A, "tc", *arguments.split()], check=True, capture_output=True, text=True).stdout
    return json.loads(output) if " -j" in f" {arguments}" and output else output


def in_a(command):
    """A shell's line in the sender's namespace; its output."""
    return subprocess.run(["ip", "netns", "exec", A, "sh", "-c", command], check=True, capture_output=True, text=True).stdout.strip()


def root(arguments):
    """Another qdisc at the root of the sender's device, with handle 1:."""
    subprocess.run(["ip", "netns", "exec", A, "tc", "qdisc", "del", "dev", "va", "root"], check=False, capture_output=True)
    tc(f"qdisc add dev va root handle 1: {arguments} {ALL if arguments.startswith('onramp ') and 'remember' not in arguments else ''}")


def frame(flags, seq, length, sport=7):
    """TCP from the sender's host to the receiver's, of a connection that nobody has.

    Its port is its DSCP too, so that it has a path of its own: what a path learned in one test does not affect another.
    """
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, sport << 2, 40 + length, 1, 0, 64, 6, 0, socket.inet_aton(ADDRESS_A), socket.inet_aton(ADDRESS_B))
    tcp = struct.pack(">HHIIBBHHH", sport, 5001, seq, 1, 0x50, flags, 1000, 0, 0)
    return bytes(12) + b"\x08\0" + ip + tcp + bytes(length)


class Hosts:
    """The sender's and the receiver's sockets."""

    def __init__(self):
        enter(B)
        self.listener = socket.create_server((ADDRESS_B, 5001))
        self.tap = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
        self.tap.bind(("vb", 0x0800))
        self.tap.settimeout(5)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind((ADDRESS_B, PORT))
        enter(A)
        self.mark = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.mark.bind((ADDRESS_A, 0))
        self.mark.settimeout(5)
        self.genl = genl.Family("onramp")
        self.client = socket.create_connection((ADDRESS_B, 5001))
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.server = self.listener.accept()[0]
        self.last = None

    def send(self, count=500):
        """Send bytes, take them, and return their (seq, len, rx)."""
        self.client.sendall(bytes(count))
        taken = 0
        while taken < count:
            taken += len(self.server.recv(count - taken))
        while True:
            packet, where = self.tap.recvfrom(65536)
            rx_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
            if where[2] == socket.PACKET_OUTGOING or packet[9] != socket.IPPROTO_TCP:
                continue
            size, at = struct.unpack_from(">H", packet, 2)[0], (packet[0] & 15) * 4
            sport, _, seq = struct.unpack_from(">HHI", packet, at)
            length = size - at - (packet[at + 12] >> 4) * 4
            if length and sport == self.client.getsockname()[1]:
                return seq, length, rx_ns

    def drain(self):
        """Forget what others sent: it would leave no space for what is sent next."""
        self.tap.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                self.tap.recv(16)
        self.tap.settimeout(5)

    def orack(self, seen, later_ns=0, **other):
        """An OR-ACK of a packet."""
        seq, length, rx_ns = seen
        fields = {"version": 1, "flags": 0, "count": 1, "clock": 1, "epoch": 0, "error": 1000, "serial": 1,
                  "sport": self.client.getsockname()[1], "cut": None, "key": None, "id": 5, "source": ADDRESS_B,
                  "target": ADDRESS_A, "flip": None} | other
        data = HEADER.pack(fields["version"], fields["flags"] | bool(fields["key"]), fields["count"], fields["clock"],
                           fields["epoch"], fields["error"], fields["serial"] % 2**32)
        data += ENTRY.pack(fields["sport"], 5001, seq, length, 6, 1, rx_ns + later_ns)
        if fields["key"]:
            data += trailer(fields["key"], fields["id"], socket.inet_aton(fields["source"]),
                            socket.inet_aton(fields["target"]), data)
        if fields["flip"] is not None:
            at = fields["flip"]
            data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]
        return data[:fields["cut"]]

    def ack(self, seen, later_ns=0, **other):
        """Send an OR-ACK of a packet."""
        self.repeat(self.orack(seen, later_ns, **other))

    def together(self, *datagrams):
        """Send some, all of a length but the last, that come as one packet, as GRO may make them."""
        self.udp.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, len(datagrams[0]))
        self.udp.sendto(b"".join(datagrams), (ADDRESS_A, PORT))
        self.udp.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, 0)

    @contextlib.contextmanager
    def marked(self, dsfield):
        """OR-ACKs with another DSCP or ECN."""
        self.udp.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, dsfield)
        yield
        self.udp.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0)

    def repeat(self, data=None):
        """Send a datagram, or the last one once more."""
        self.last = self.last if data is None else data
        self.udp.sendto(self.last, (ADDRESS_A, PORT))

    def close(self):
        """All of them."""
        for sock in (self.client, self.server, self.listener, self.tap, self.udp, self.mark, self.genl.socket):
            sock.close()

    def stats(self):
        """Counters of the sender's namespace, core's and UDP's for ports that nobody has."""
        reply = self.genl.ask(N["ONRAMP_CMD_STATS_GET"])[0]
        values = struct.unpack(f"={len(STATS)}q", reply[N["ONRAMP_A_STATS"]])
        found = dict(zip(STATS, values))
        for name in ("ACKS", "ACKS_BAD", "ACKS_UNKNOWN_PEER", "ACKS_UNKNOWN_FLOW", "ACKS_FORWARDED", "ACKS_SIGNED", "ACKS_UNSIGNED", "ACKS_UNKNOWN_KEY",
                     "ACKS_FORGED", "ACKS_REPLAYED", "ACKS_STALE"):
            found[name.lower()] = struct.unpack("=Q", reply[N[f"ONRAMP_A_{name}"]])[0]
        text = subprocess.run(["ip", "netns", "exec", A, "cat", "/proc/net/snmp"], check=True, capture_output=True,
                              text=True).stdout
        names, numbers = [line.split()[1:] for line in text.splitlines() if line.startswith("Udp:")]
        found["no_ports"] = int(dict(zip(names, numbers))["NoPorts"])
        return found

    def settle(self):
        """Return when all that was sent to A is taken in: a busy kernel leaves it to a thread, one packet after another."""
        self.udp.sendto(b"mark", self.mark.getsockname())
        self.mark.recv(16)

    def changed(self, action, aside=("not_tcp",)):
        """Increase of the counters by an action; aside: those to which neighbour discovery adds at any time."""
        self.settle()
        before = self.stats()
        action()
        self.settle()
        after = self.stats()
        return {name: after[name] - before[name] for name in after if after[name] != before[name] and name not in aside}


def refused(hosts, name, number, text, command, *pairs, flags=genl.ACK):
    """A request must be refused, with an error and a text, and, if that is empty, with the attribute's place."""
    payload = b"".join(genl.attribute(N[f"ONRAMP_A_{kind}"], data) for kind, data in pairs)
    try:
        hosts.genl.ask(N[f"ONRAMP_CMD_{command}"], payload, flags)
    except genl.Refused as why:
        result(why.errno == number and text in why.text and (text or why.attribute), f"refused: {name}",
               f"{errno.errorcode[why.errno]} '{why.text}' attribute at {why.attribute}")
        return
    result(False, f"refused: {name}", "it was accepted")


def dump_of(hosts, kind, peer, dscp=0):
    """Numbers of a path to a peer, or of the flow there from our client's port; None if there is none."""
    port = struct.pack(">H", hosts.client.getsockname()[1])
    for reply in hosts.genl.ask(N[f"ONRAMP_CMD_{kind}_GET"], flags=genl.DUMP):
        found = genl.attributes(reply[N[f"ONRAMP_A_{kind}"]])
        if found[N["ONRAMP_A_DADDR"]][-4:] == socket.inet_aton(peer) and found.get(N["ONRAMP_A_SPORT"], port) == port and \
                found.get(N["ONRAMP_A_DSCP"], bytes((dscp,))) == bytes((dscp,)):
            return [struct.unpack("=Q", found[N[f"ONRAMP_A_{name}"]])[0] for name in ("SAMPLES", "HOLDS", "HOLD_TOTAL")]
    return None


def state_of(hosts, kind):
    """The test's flow or path in a dump, or None."""
    for reply in hosts.genl.ask(N[f"ONRAMP_CMD_{kind}_GET"], flags=genl.DUMP):
        found = genl.attributes(reply[N[f"ONRAMP_A_{kind}"]])
        port = found.get(N["ONRAMP_A_SPORT"], struct.pack(">H", hosts.client.getsockname()[1]))
        if found[N["ONRAMP_A_SADDR"]] == socket.inet_aton(ADDRESS_A) and port == struct.pack(">H", hosts.client.getsockname()[1]):
            return found.get(N["ONRAMP_A_STATE"], b"\xff")[0]
    return None


def of_flow(hosts, port, *names):
    """Numbers of 64 bits that a dump has of the flow of that port; None if there is no such flow."""
    for reply in hosts.genl.ask(N["ONRAMP_CMD_FLOW_GET"], flags=genl.DUMP):
        flow = genl.attributes(reply[N["ONRAMP_A_FLOW"]])
        if flow[N["ONRAMP_A_SPORT"]] == struct.pack(">H", port):
            return tuple(struct.unpack("=Q", flow[N[f"ONRAMP_A_{name}"]])[0] for name in names)
    return None


def times_held(hosts, port):
    """(how long the flow of that port is held still, how long it was so far), ns; None if there is no such flow."""
    return of_flow(hosts, port, "HOLD", "HOLD_TOTAL")


def held(hosts):
    """How long On-Ramp has held the flow so far, ns."""
    times = times_held(hosts, hosts.client.getsockname()[1])
    return times and times[1]


def number_of(hosts, name):
    """A number of 32 bits that the namespace says of itself."""
    return struct.unpack("=I", hosts.genl.ask(N["ONRAMP_CMD_STATS_GET"])[0][N[f"ONRAMP_A_{name}"]])[0]


def limit(hosts, name, count):
    """Another size for one of the namespace's tables."""
    hosts.genl.ask(N["ONRAMP_CMD_LIMITS_SET"], genl.attribute(N[f"ONRAMP_A_{name}"], struct.pack("=I", count)))


def pause_for_long(hosts):
    """A pause of a second begins, long compared with what a process takes.  Return: A as it would leave it, or None if there is none."""
    seen = hosts.send()
    time.sleep(1.1)
    change = hosts.changed(lambda: hosts.ack((*seen[:2], time.clock_gettime_ns(time.CLOCK_REALTIME) - 10**6)))
    times = times_held(hosts, hosts.client.getsockname()[1])
    return sum(times) if times and change.get("holds") else None


def key_request(hosts, command, **values):
    """A request about keys; prefix is a string."""
    payload = b""
    for name, value in values.items():
        if name == "prefix":
            address, length = value.split("/")
            value = socket.inet_aton(address)
            payload += genl.attribute(N["ONRAMP_A_PREFIX_LEN"], bytes([int(length)]))
        elif not isinstance(value, bytes):
            value = struct.pack("=I" if name == "group" else "=B", value)
        payload += genl.attribute(N[f"ONRAMP_A_{name.upper()}"], value)
    return hosts.genl.ask(N[f"ONRAMP_CMD_KEY_{command}"], payload)


def keys_of(hosts):
    """Keys in a dump."""
    return hosts.genl.ask(N["ONRAMP_CMD_KEY_GET"], flags=genl.DUMP)


def dropped(hosts, name, counter, seen, later_ns=0, **other):
    """An OR-ACK that keys are against: one counter, no sample, and nobody else gets it."""
    change = hosts.changed(lambda: hosts.ack(seen, later_ns, **other))
    result(change == {counter: 1}, f"dropped: {name}", change)


class Connection:
    """One more connection; its first byte makes a flow."""

    def __init__(self, hosts, dscp=0):
        self.client = socket.socket()
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.client.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, dscp << 2)
        self.client.connect((ADDRESS_B, 5001))
        self.server = hosts.listener.accept()[0]

    def send(self):
        """A byte; return how long it took, ns."""
        start = time.monotonic_ns()
        self.client.sendall(b"x")
        self.server.recv(1)
        return time.monotonic_ns() - start

    def end(self):
        """It is over."""
        self.client.close()
        self.server.close()


class Connections:
    """A receiver that takes so many connections; the clients are the caller's."""

    def __init__(self, hosts, count):
        self.server = os.fork()
        if not self.server:
            for _ in range(count):
                hosts.listener.accept()[0].detach()
            signal.pause()
        self.clients = [socket.create_connection((ADDRESS_B, 5001)) for _ in range(count)]

    def send(self):
        """A packet of each."""
        for client in self.clients:
            client.sendall(b"x")

    def end(self):
        """No connection any more."""
        for client in self.clients:
            client.close()
        os.kill(self.server, signal.SIGTERM)
        os.waitpid(self.server, 0)


def read(path):
    """A file of the kernel's."""
    with open(path, encoding="ascii") as file:
        return file.read()


class Allocations:
    """Allocations in functions of these modules: (bytes requested, bytes allocated) each."""

    def __init__(self, functions):
        self.functions = functions
        # Locks that are watched are larger.
        self.exists = os.path.isdir(os.path.join(Trace.TOP, "events/kmem/kmalloc")) and not os.path.exists("/proc/lockdep")
        if self.exists:
            self.trace = Trace(f"onramp-sizes-{os.getpid()}", "events/kmem/kmalloc", [(".", "bytes_alloc >= 96")])

    def taken(self):
        """So far; there is no more of it."""
        lines = self.trace.lines(rf"call_site=(?:{self.functions})\+")
        self.trace.end()
        return [tuple(int(number) for number in re.search(r"bytes_req=(\d+) bytes_alloc=(\d+)", line).groups()) for line in lines]


@contextlib.contextmanager
def network(arguments, queues=1):
    """Both namespaces, the sender's device with so many queues and its qdisc; they go at the end, and then the modules must."""
    run("modprobe sch_onramp")
    try:
        for name in (A, B):
            run(f"ip netns add {name}")
        run(f"ip -n {A} link add va numtxqueues {queues} numrxqueues {queues} type veth peer name vb netns {B} "
            f"numtxqueues {queues} numrxqueues {queues}")
        for name, dev, address in ((A, "va", ADDRESS_A), (B, "vb", ADDRESS_B)):
            run(f"ip -n {name} addr add {address}/24 dev {dev}")
            run(f"ip -n {name} link set {dev} up")
        qdisc("add", arguments)
        yield
    finally:
        leave()
        for name in (A, B):
            subprocess.run(["ip", "netns", "del", name], check=False)
    for _ in range(50):
        gone = subprocess.run(["rmmod", "sch_onramp", "onramp"], check=False, capture_output=True, text=True)
        if not gone.returncode:
            break
        time.sleep(0.2)
    result(not gone.returncode, "the modules unload after their namespaces went", gone.stderr)


def device(hosts):
    """Where the stamps of the sender's device come from, as numbers."""
    for reply in hosts.genl.ask(N["ONRAMP_CMD_DEV_GET"], flags=genl.DUMP):
        if int.from_bytes(reply[N["ONRAMP_A_IFINDEX"]], sys.byteorder) == socket.if_nametoindex("va"):
            return {name: reply[N[f"ONRAMP_A_{name}"]][0] for name in
                    ("HOOK", "STAMP_WANTED_TX", "STAMP_TX", "STAMP_WANTED_RX", "STAMP_RX")}
    return None


def switch(hosts, way, why=None):
    """Holding off or on in the sender's namespace."""
    payload = genl.attribute(N["ONRAMP_A_HOLDING"], bytes((way,)))
    if why:
        payload += genl.attribute(N["ONRAMP_A_HOLDING_WHY"], why + b"\0")
    hosts.genl.ask(N["ONRAMP_CMD_HOLDING_SET"], payload)


def switched(family):
    """Switch of a namespace: (holding, why)."""
    reply = family.ask(N["ONRAMP_CMD_STATS_GET"])[0]
    return reply[N["ONRAMP_A_HOLDING"]][0], reply.get(N["ONRAMP_A_HOLDING_WHY"], b"").rstrip(b"\0")
