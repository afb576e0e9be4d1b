# SPDX-License-Identifier: GPL-2.0
"""Stands in for the nsPlugin of the kernel's tdc: a fresh device $DUMMY for every test.

The original makes a network namespace for every test, by a process that it does not wait for, so
that on a slow machine tests begin before their device is there; and at its end it deletes all
namespaces that it can see. Here all of tdc runs in one namespace, made by the script run. Devices
are made and deleted without a process of ip: where the CPU is emulated, processes are what takes
long. With its device a test's qdisc goes, so that few tests have a teardown.
"""

import os
import socket
import struct

from TdcPlugin import TdcPlugin

RTM_NEWLINK, RTM_DELLINK = 16, 17
NLM_F_REQUEST, NLM_F_ACK, NLM_F_EXCL, NLM_F_CREATE = 0x1, 0x4, 0x200, 0x400
IFLA_IFNAME, IFLA_LINKINFO, IFLA_INFO_KIND = 3, 18, 1
IFF_UP = 1


def attribute(kind, data):
    """Encode an attribute."""
    return struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def request(kind, flags, up, attributes):
    """Send a request about a link; raise OSError if it is refused."""
    message = struct.pack("=BxHiII", socket.AF_UNSPEC, 0, 0, up, up) + attributes
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as link:
        link.send(struct.pack("=IHHII", 16 + len(message), kind, NLM_F_REQUEST | NLM_F_ACK | flags, 1, 0) + message)
        error = -struct.unpack_from("=i", link.recv(8192), 16)[0]
    if error:
        raise OSError(error, os.strerror(error))


class SubPlugin(TdcPlugin):
    """Makes and deletes the device."""

    def __init__(self):
        self.sub_class = "ns/SubPlugin"
        self.name = None
        super().__init__()

    def pre_case(self, caseinfo, test_skip):
        """Before a test: make its device."""
        if not test_skip:
            self.name = attribute(IFLA_IFNAME, self.args.NAMES["DUMMY"].encode() + b"\0")
            info = attribute(IFLA_LINKINFO, attribute(IFLA_INFO_KIND, b"dummy"))
            request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, IFF_UP, self.name + info)

    def post_case(self):
        """After a test: delete its device, and with it what the test left there."""
        if self.name:
            request(RTM_DELLINK, 0, 0, self.name)
            self.name = None
