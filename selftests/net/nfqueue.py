# SPDX-License-Identifier: GPL-2.0
"""A queue of netfilter's: packets wait in it until a process says what becomes of them. Made by nf_tables, without nft."""

import socket
import struct

NETLINK_NETFILTER = 12
REQUEST, ACK, CREATE, APPEND = 1, 4, 0x400, 0x800
NESTED = 0x8000
NFTABLES, QUEUE = 10 << 8, 3 << 8
BATCH_BEGIN, BATCH_END = 0x10, 0x11
NEWTABLE, NEWCHAIN, NEWRULE = NFTABLES | 0, NFTABLES | 3, NFTABLES | 6
PACKET, VERDICT, CONFIG = QUEUE | 0, QUEUE | 1, QUEUE | 2
IPV4, PREROUTING, ACCEPT = 2, 0, 1


def attribute(kind, data):
    """One, with its padding."""
    return struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def text(kind, value):
    """One of a string."""
    return attribute(kind, value.encode() + b"\0")


def message(kind, flags, family, number, *attributes):
    """A request of nfnetlink's; number: of the subsystem that a batch is for, of a queue, or 0."""
    body = struct.pack(">BBH", family, 0, number) + b"".join(attributes)
    return struct.pack("=IHHII", 16 + len(body), kind, REQUEST | flags, 1, 0) + body


def attributes(data):
    """{kind: data}"""
    found = {}
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        found[kind & 0x3FFF] = data[4:length]
        data = data[(length + 3) & ~3:]
    return found


class Queue:
    """All of IPv4 that comes to this namespace waits here, before hooks of a greater priority see it."""

    def __init__(self, priority):
        """Raises OSError if this kernel has no such queues."""
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_NETFILTER)
        self.sock.settimeout(5)
        command, mode = struct.pack(">BBH", 1, 0, 0), struct.pack(">IB", 0, 1)
        self.ask(message(CONFIG, ACK, 0, 7, attribute(1, command)))
        self.ask(message(CONFIG, ACK, 0, 7, attribute(2, mode)))
        hook = attribute(1, struct.pack(">I", PREROUTING)) + attribute(2, struct.pack(">i", priority))
        expression = text(1, "queue") + attribute(2 | NESTED, attribute(1, struct.pack(">H", 7)))
        self.ask(message(BATCH_BEGIN, 0, 0, NFTABLES >> 8) +
                 message(NEWTABLE, CREATE, IPV4, 0, text(1, "t")) +
                 message(NEWCHAIN, CREATE, IPV4, 0, text(1, "t"), text(3, "c"), attribute(4 | NESTED, hook), text(7, "filter")) +
                 message(NEWRULE, ACK | CREATE | APPEND, IPV4, 0, text(1, "t"), text(2, "c"),
                         attribute(4 | NESTED, attribute(1 | NESTED, expression))) +
                 message(BATCH_END, 0, 0, NFTABLES >> 8))

    def messages(self):
        """[(kind, what follows struct nlmsghdr), ...] of what comes next."""
        found, data = [], self.sock.recv(65536)
        while data:
            length, kind = struct.unpack_from("=IH", data)
            found.append((kind, data[16:length]))
            data = data[(length + 3) & ~3:]
        return found

    def ask(self, request):
        """Send; the first error, or the acknowledgement."""
        self.sock.send(request)
        code = -struct.unpack_from("=i", next(body for kind, body in self.messages() if kind == 2))[0]
        if code:
            raise OSError(code, "netfilter refuses it")

    def accept(self, seconds):
        """Let all go on that comes before nothing did for so long; return how many. Hooks run as this process."""
        self.sock.settimeout(seconds)
        count = 0
        while True:
            try:
                came = self.messages()
            except TimeoutError:
                return count
            for kind, body in came:
                if kind == PACKET:
                    number = attributes(body[4:])[1][:4]
                    self.sock.send(message(VERDICT, 0, 0, 7, attribute(2, struct.pack(">I", ACCEPT) + number)))
                    count += 1

    def close(self):
        """Nothing waits any more; the table goes with the namespace, or drops what comes."""
        self.sock.send(message(BATCH_BEGIN, 0, 0, NFTABLES >> 8) +
                       message(NFTABLES | 2, 0, IPV4, 0, text(1, "t")) +
                       message(BATCH_END, 0, 0, NFTABLES >> 8))
        self.sock.close()
