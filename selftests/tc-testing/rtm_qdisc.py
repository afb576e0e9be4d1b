#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Send one RTM_NEWQDISC for a kind of this project with any attributes, also wrong ones, past the tc plugin.

    rtm_qdisc.py [--kind KIND] add|change|replace DEV [--plain] [--trail] [NAME=TYPE:VALUE ...]

The qdisc (KIND, else ecnsharp) is at the root with handle 1:. NAME is an attribute without TCA_KIND_ (LIMIT) or a
number; TYPE is u8, u16, u32, u64 or hex (bytes: "hex:" is an empty attribute). --plain leaves
NLA_F_NESTED off TCA_OPTIONS; --trail adds bytes behind the last attribute. The kernel's answer is
printed: "ok", or on standard error its errno and its message, with the exit status 2.
"""

import errno
import os
import re
import socket
import struct
import sys

RTM_NEWQDISC = 36
NLM_F_REQUEST, NLM_F_ACK, NLM_F_REPLACE, NLM_F_EXCL, NLM_F_CREATE = 0x1, 0x4, 0x100, 0x200, 0x400
NLMSG_ERROR = 2
NLM_F_CAPPED, NLM_F_ACK_TLVS = 0x100, 0x200
NLMSGERR_ATTR_MSG = 1
NLA_F_NESTED = 1 << 15
TCA_KIND, TCA_OPTIONS = 1, 2
TC_H_ROOT = 0xFFFFFFFF
SOL_NETLINK, NETLINK_EXT_ACK = 270, 11
VERBS = {"add": NLM_F_CREATE | NLM_F_EXCL, "change": 0, "replace": NLM_F_CREATE | NLM_F_REPLACE}
TYPES = {"u8": "=B", "u16": "=H", "u32": "=I", "u64": "=Q"}
HEADERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../kernel/include/uapi/linux")


def attribute_numbers(kind):
    """Read the attributes' numbers out of the header that defines them."""
    with open(os.path.join(HEADERS, f"pkt_sch_{kind}.h"), encoding="utf-8") as header:
        body = re.search(rf"enum tca_{kind} \{{(.*?)\}};", header.read(), re.DOTALL).group(1)
    return {name: number for number, name in enumerate(re.findall(rf"\bTCA_{kind.upper()}_(\w+),", body))}


def attribute(kind, data):
    """Encode one attribute, padded to four bytes."""
    return struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def option(argument, numbers):
    """Encode NAME=TYPE:VALUE."""
    name, _, rest = argument.partition("=")
    kind, colon, value = rest.partition(":")
    if not colon:
        sys.exit(f"rtm_qdisc: {argument}: not NAME=TYPE:VALUE")
    number = int(name) if name.isdigit() else numbers[name]
    data = bytes.fromhex(value) if kind == "hex" else struct.pack(TYPES[kind], int(value, 0))
    return attribute(number, data)


def request(kind, verb, dev, options, nested):
    """Build the message."""
    tcmsg = struct.pack("=BxxxiIII", socket.AF_UNSPEC, socket.if_nametoindex(dev), 1 << 16, TC_H_ROOT, 0)
    body = tcmsg + attribute(TCA_KIND, kind.encode() + b"\0") + attribute(TCA_OPTIONS | (NLA_F_NESTED if nested else 0), options)
    return struct.pack("=IHHII", 16 + len(body), RTM_NEWQDISC, NLM_F_REQUEST | NLM_F_ACK | VERBS[verb], 1, 0) + body


def message(answer, flags):
    """Return the message in the extended acknowledgement, if there is one."""
    offset = 36 if flags & NLM_F_CAPPED else 20 + struct.unpack_from("=I", answer, 20)[0]
    while flags & NLM_F_ACK_TLVS and offset + 4 <= len(answer):
        length, kind = struct.unpack_from("=HH", answer, offset)
        if kind & 0x3FFF == NLMSGERR_ATTR_MSG:
            return answer[offset + 4:offset + length].rstrip(b"\0").decode()
        offset += length + -length % 4
    return "no message"


def connect():
    """Return a socket to the kernel's tc."""
    sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
    sock.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
    sock.settimeout(30)
    sock.bind((0, 0))
    return sock


def answer_of(sock):
    """Wait for the acknowledgement; return errno and the kernel's message."""
    answer = sock.recv(65536)
    _, kind, flags, _, _, error = struct.unpack_from("=IHHIIi", answer)
    if kind != NLMSG_ERROR:
        sys.exit(f"rtm_qdisc: answer of type {kind}")
    return -error, message(answer, flags)


def message_of(argv):
    """Build the message that a command line asks for; None if it is wrong."""
    qdisc = "ecnsharp"
    if "--kind" in argv[:-1]:
        at = argv.index("--kind")
        qdisc = argv[at + 1]
        argv = argv[:at] + argv[at + 2:]
    nested = "--plain" not in argv
    trail = b"\xff\xff\xff" if "--trail" in argv else b""
    argv = [argument for argument in argv if not argument.startswith("--")]
    if len(argv) < 3 or argv[1] not in VERBS:
        return None
    numbers = attribute_numbers(qdisc)
    options = b"".join(option(argument, numbers) for argument in argv[3:]) + trail
    return request(qdisc, argv[1], argv[2], options, nested)


def main(argv):
    """Send; return the exit status."""
    message = message_of(argv)
    if not message:
        print(__doc__, file=sys.stderr)
        return 1
    with connect() as sock:
        sock.sendto(message, (0, 0))
        error, message = answer_of(sock)
    if error:
        print(f"{errno.errorcode.get(error, error)}: {message}", file=sys.stderr)
        return 2
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
