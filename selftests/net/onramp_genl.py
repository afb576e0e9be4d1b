# SPDX-License-Identifier: GPL-2.0
"""A client of the generic netlink family "onramp": requests as numbers and bytes, replies as {attribute: bytes}."""

import os
import re
import socket
import struct

NETLINK_GENERIC, SOL_NETLINK, NETLINK_CAP_ACK, NETLINK_EXT_ACK = 16, 270, 10, 11
REQUEST, ACK, DUMP, ACK_TLVS = 1, 4, 0x300, 0x200
ERROR, DONE = 2, 3
NETLINK_ADD_MEMBERSHIP, INTERRUPTED = 1, 0x10
CTRL, CTRL_GETFAMILY, CTRL_FAMILY_ID, CTRL_FAMILY_NAME, CTRL_GROUPS = 16, 3, 1, 2, 7
HEADERS = ("kernel/include/uapi/linux/onramp.h", "kernel/include/uapi/linux/onramp_wire.h")


def numbers(root):
    """All enumerators and the members of struct onramp_stats, read from the headers."""
    found, text = {}, ""
    for name in HEADERS:
        with open(os.path.join(root, name), encoding="ascii") as file:
            text += file.read()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for body in re.findall(r"\benum \w+ \{(.*?)\}", text, flags=re.S):
        value = -1
        for entry in filter(None, (name.strip() for name in body.split(","))):
            name, _, given = entry.partition("=")
            value = int(given, 0) if given else value + 1
            found[name.strip()] = value
    stats = re.search(r"struct onramp_stats \{(.*?)\}", text, flags=re.S).group(1)
    return found, re.findall(r"__[us]64\s+(\w+);", stats)


def attribute(kind, data):
    """One attribute."""
    return struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def attributes(data):
    """A run of attributes as {kind: bytes}."""
    found = {}
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        found[kind & 0x3fff] = data[4:length]
        data = data[length + 3 & ~3:]
    return found


class Refused(Exception):
    """The kernel's error; .errno, .text and .attribute, an offset or None, are its parts."""

    def __init__(self, number, tlvs):
        fields = attributes(tlvs)
        self.errno = number
        self.text = fields.get(1, b"").rstrip(b"\0").decode()
        self.attribute = fields.get(2)
        super().__init__(f"{os.strerror(number)}: {self.text}")


class Family:
    """A socket, in the namespace in which it is made; size is how much of a dump comes at a time."""

    def __init__(self, name, size=65536):
        self.size, self.interrupted = size, False
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
        for option in (NETLINK_CAP_ACK, NETLINK_EXT_ACK):
            self.socket.setsockopt(SOL_NETLINK, option, 1)
        self.id = CTRL
        reply = self.ask(CTRL_GETFAMILY, attribute(CTRL_FAMILY_NAME, name.encode() + b"\0"))[0]
        self.id = struct.unpack("=H", reply[CTRL_FAMILY_ID])[0]
        groups = [attributes(group) for group in attributes(reply.get(CTRL_GROUPS, b"")).values()]
        self.groups = {group[1].rstrip(b"\0").decode(): struct.unpack("=I", group[2])[0] for group in groups}

    def join(self, name):
        """Hear a group; ask nothing by this socket any more."""
        self.socket.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, self.groups[name])
        self.socket.setblocking(False)

    def messages(self):
        """The attributes of the group's notifications so far."""
        messages = []
        while True:
            try:
                messages.append(attributes(self.socket.recv(self.size)[20:]))
            except BlockingIOError:
                return messages

    def ask(self, command, payload=b"", flags=ACK, meanwhile=None):
        """Send a request; return the replies' attributes; .interrupted: they say that they do not fit together. Raises Refused.

        meanwhile is done when the first part of a dump is written, and no other.
        """
        self.interrupted = False
        self.socket.send(struct.pack("=IHHII", 20 + len(payload), self.id, REQUEST | flags, 1, 0) +
                         struct.pack("=BBH", command, 1, 0) + payload)
        if meanwhile:
            meanwhile()
        replies = []
        while True:
            data = self.socket.recv(self.size)
            while data:
                length, kind, flags_, _, _ = struct.unpack_from("=IHHII", data)
                body, data = data[16:length], data[length + 3 & ~3:]
                self.interrupted |= bool(flags_ & INTERRUPTED)
                if kind in (ERROR, DONE):
                    code = struct.unpack_from("=i", body)[0] if len(body) >= 4 else 0
                    if code:
                        skip = 4 if kind == DONE else 20
                        raise Refused(-code, body[skip:] if flags_ & ACK_TLVS else b"")
                    return replies
                replies.append(attributes(body[4:]))
