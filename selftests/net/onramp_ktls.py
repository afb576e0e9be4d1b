#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp and kernel TLS, as TAP.

    10.9.2.1 --- v0 (tlsdev: looks as if it encrypted) === w0 --- 10.9.2.2, in another namespace
              \\- v1 (onramp)                           === w1 -/

A connection whose route leaves by v0 is offloaded to it. Then its route leaves by v1, and the kernel encrypts behind v1's qdisc, in a
copy of each packet: the qdisc marked a packet that v1 never gets.
"""

import json
import os
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from script import Inside, finish, result, run

B = f"onramp-ktls-{os.getpid()}"
SOL_TCP, TCP_ULP, SOL_TLS, TLS_TX = 6, 31, 282, 1
TLS_1_2, AES_GCM_128 = 0x0303, 51
HERE, THERE, PORT = "10.9.2.1", "10.9.2.2", 5005
RECORD = 5 + 8 + 16     # what a record has in addition to its data: header, explicit nonce, tag


def routes(number):
    """Both ways by one pair of devices."""
    run(f"ip route replace {THERE}/32 via 10.9.{number}.2 dev v{number} src {HERE}")
    run(f"ip -n {B} route replace {HERE}/32 via 10.9.{number}.1 dev w{number} src {THERE}")


def devices():
    run(f"ip netns add {B}")
    for name, address in ((None, HERE), (B, THERE)):
        inside = f"-n {name} " if name else ""
        run(f"ip {inside}link set lo up")
        run(f"ip {inside}addr add {address}/32 dev lo")
    for number in (0, 1):
        run(f"ip link add v{number} type veth peer name w{number} netns {B}")
        run(f"ip addr add 10.9.{number}.1/24 dev v{number}")
        run(f"ip -n {B} addr add 10.9.{number}.2/24 dev w{number}")
        run(f"ip link set v{number} up")
        run(f"ip -n {B} link set w{number} up")
    run("tc qdisc replace dev v1 root handle 1: onramp mode observe clock system error 1us remember 0")


def connection():
    with Inside(B):
        server = socket.create_server((THERE, PORT))
    out = socket.create_connection((THERE, PORT))
    sink = server.accept()[0]
    server.close()
    out.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    out.setsockopt(SOL_TCP, TCP_ULP, b"tls")
    out.setsockopt(SOL_TLS, TLS_TX, struct.pack("=HH8s16s4s8s", TLS_1_2, AES_GCM_128, bytes(8), b"k" * 16, bytes(4), bytes(8)))
    return out, sink


def transfer(out, sink, sizes):
    """Send records one at a time, each when the last has come; what came."""
    came = b""
    for size in sizes:
        out.sendall(b"x" * size)
        records = -(-size // 16384)
        came += sink.recv(size + records * RECORD, socket.MSG_WAITALL)
        time.sleep(0.01)
    return came


def offloaded():
    with open("/proc/net/tls_stat", encoding="ascii") as file:
        return dict(line.split() for line in file)["TlsTxDevice"]


def counters():
    done = subprocess.run("tc -s -j qdisc show dev v1".split(), stdout=subprocess.PIPE, check=True)
    found = [qdisc for qdisc in json.loads(done.stdout) if qdisc["kind"] == "onramp"][0]
    return {name: found.get(name, 0) for name in ("records", "records_failed", "packets")}


def main():
    run("modprobe -a sch_onramp tls")
    devices()
    run("modprobe tlsdev dev=v0")
    routes(0)
    out, sink = connection()
    came = transfer(out, sink, (1000,) * 5)
    result(offloaded() == "1" and came.count(b"x" * 1000) == 5, "the connection is offloaded, and its packets leave as they are", offloaded())

    routes(1)
    before = counters()
    came = transfer(out, sink, (1000,) * 50)
    found = {name: value - before[name] for name, value in counters().items()}
    result(b"x" * 20 not in came and len(came) == 50 * (1000 + RECORD), "by another device they are encrypted behind its qdisc", len(came))
    result(50 <= found["records"] <= found["packets"], "and each is remembered", found)

    before = counters()
    came = transfer(out, sink, (16000,) * 20)
    found = {name: value - before[name] for name, value in counters().items()}
    result(b"x" * 20 not in came and 20 <= found["records"] <= 20 * 12, "large ones, too, whole or in segments", found)

    run("tc qdisc change dev v1 root handle 1: onramp mode off")
    run("tc qdisc change dev v1 root handle 1: onramp mode observe")
    before = counters()
    out.sendall(b"x" * 1000)
    time.sleep(0.1)
    found = {name: value - before[name] for name, value in counters().items()}
    result(found["records"] == 1, "after On-Ramp was off for a while as well", found)

    out.close()
    sink.close()
    time.sleep(1)       # a worker takes the connection from the device
    run("rmmod tlsdev")
    for number in (0, 1):
        run(f"ip link del v{number}")
    run(f"ip netns del {B}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
