#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A NIC's timestamps and clock, in a machine of run_igb.py; answers are JSON.

    nic.py info DEV                 what the driver says of timestamps
    nic.py filter DEV FILTER        timestamp what is sent, and received packets of a filter: 0 none, 1 all, 12 PTP version 2
    nic.py send DEV MAC KIND COUNT  send frames; [[number, Tx timestamp or null], ...]
    nic.py receive DEV KIND COUNT   receive so many, until none comes; [[number, Rx timestamp or null], ...]; makes /run/ready when it can
    nic.py clock PATH now           the clock, ns
    nic.py clock PATH step NS       step it
    nic.py clock PATH turn PPB      run faster than its oscillator for a moment; by how much that steps the clock

KIND is sync (a PTP message on Ethernet), plain (a frame of another type) or tagged (that in VLAN 2).
"""

import array
import ctypes
import errno
import fcntl
import json
import os
import select
import socket
import struct
import sys
import time

SIOCETHTOOL, SIOCSHWTSTAMP, ETHTOOL_GET_TS_INFO = 0x8946, 0x89b0, 0x41
SO_TIMESTAMPING, SOL_PACKET = 37, 263
TX_HARDWARE, RX_HARDWARE, RAW_HARDWARE, OPT_TSONLY = 1, 4, 64, 2048
KINDS = {"sync": b"\x88\xf7", "plain": b"\x88\xb5", "tagged": b"\x81\x00\x00\x02\x88\xb5"}
# Of a PTP header: Sync, version 2, length.
HEAD = b"\x00\x02\x00\x2c"
LENGTH = 46
# Before the next frame is sent, so that each may have a timestamp.
PAUSE_S = 0.02
WAIT_S = 60
ADJ_FREQUENCY, ADJ_SETOFFSET, ADJ_NANO = 0x2, 0x100, 0x2000


def ask(dev, request, data):
    """A request to a device; the data become its answer."""
    address = data.buffer_info()[0]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        fcntl.ioctl(sock, request, struct.pack("16sQ16x", dev.encode(), address))
    return data


def info(dev):
    """{flags of timestamps, index of the clock, filters}."""
    _, flags, index, tx_types, _, _, _, filters, *_ = ask(dev, SIOCETHTOOL, array.array("I", [ETHTOOL_GET_TS_INFO] + [0] * 10))
    return {"flags": flags, "clock": index, "tx_types": tx_types, "filters": filters}


def choose(dev, rx):
    """The filter that the driver has then, or the name of its error."""
    try:
        return ask(dev, SIOCSHWTSTAMP, array.array("i", [0, 1, int(rx)]))[2]
    except OSError as why:
        return errno.errorcode[why.errno]


def opened(dev):
    """A socket for frames, whose hardware timestamps are told."""
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    sock.bind((dev, 3))
    sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, TX_HARDWARE | RX_HARDWARE | RAW_HARDWARE | OPT_TSONLY)
    return sock


def stamp(messages):
    """The hardware's timestamp in control messages, ns, or None."""
    for level, kind, data in messages:
        if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPING):
            seconds, ns = struct.unpack("qq", data[32:48])
            return seconds * 10**9 + ns or None
    return None


def send(dev, mac, kind, count):
    """Frames with numbers."""
    sock, found = opened(dev), []
    with open(f"/sys/class/net/{dev}/address", encoding="ascii") as file:
        source = bytes.fromhex(file.read().strip().replace(":", ""))
    for number in range(int(count)):
        sock.send(bytes.fromhex(mac.replace(":", "")) + source + KINDS[kind] + HEAD + struct.pack("!I", number) + bytes(LENGTH))
        poll = select.poll()
        poll.register(sock, 0)
        came = poll.poll(1000)
        found.append([number, stamp(sock.recvmsg(256, 256, socket.MSG_ERRQUEUE)[1]) if came else None])
        time.sleep(PAUSE_S)
    return found


def receive(dev, kind, count):
    """Such frames, those with a tag without it."""
    sock, found = opened(dev), []
    sock.settimeout(WAIT_S)
    with open("/run/ready", "w", encoding="ascii"):
        pass
    while len(found) < int(count):
        try:
            data, messages, _, address = sock.recvmsg(256, 256)
        except TimeoutError:
            break
        if data[12:14] == KINDS[kind][-2:] and data[14:18] == HEAD and address[2] != socket.PACKET_OUTGOING:
            found.append([struct.unpack("!I", data[18:22])[0], stamp(messages)])
    return found


def adjust(number, **fields):
    """clock_adjtime(2)."""
    timex = struct.pack("I4x4qi4x8qi4x5qi44x", *(fields.get(name, 0) for name in (
        "modes", "offset", "freq", "maxerror", "esterror", "status", "constant", "precision", "tolerance", "seconds", "fraction", "tick",
        "ppsfreq", "jitter", "shift", "stabil", "jitcnt", "calcnt", "errcnt", "stbcnt", "tai")))
    if ctypes.CDLL(None, use_errno=True).clock_adjtime(number, ctypes.create_string_buffer(timex)) < 0:
        raise OSError(ctypes.get_errno(), "clock_adjtime")


def ahead(number):
    """How far a clock is ahead of the system's, by the quickest of some readings, ns."""
    found = []
    for _ in range(20):
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        read = time.clock_gettime_ns(number)
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        found.append((after - before, read - (before + after) // 2))
    return min(found)[1]


def turn(number, ppb):
    """Set a clock's rate; return how much further ahead it is just then, ns. Then it has its own again."""
    before = ahead(number)
    adjust(number, modes=ADJ_FREQUENCY, freq=ppb * 65536 // 1000)
    found = ahead(number) - before
    adjust(number, modes=ADJ_FREQUENCY)
    return found


def clock(path, what, value="0"):
    """Read or set the clock of a file."""
    fd = os.open(path, os.O_RDWR)
    number = (~fd << 3) | 3
    if what == "step":
        seconds, ns = divmod(int(value), 10**9)
        adjust(number, modes=ADJ_SETOFFSET | ADJ_NANO, seconds=seconds, fraction=ns)
    if what == "turn":
        return turn(number, int(value))
    return time.clock_gettime_ns(number)


if __name__ == "__main__":
    print(json.dumps({"info": info, "filter": choose, "send": send, "receive": receive, "clock": clock}[sys.argv[1]](*sys.argv[2:])))
