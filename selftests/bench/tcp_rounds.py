#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""In the guest: TCP whose traffic is the same in each run, and how long the machine and its receiver ran for it.

    tcp_rounds.py receive FIFO CONNECTIONS ROUNDS
    tcp_rounds.py send FIFO CONNECTIONS ROUNDS LAPS ADDRESS DEVICE [PEER]

A packet is of 45 full segments. In a round each connection sends one, in the order in which connections were made, and the
receiver reads in that order. After each TRAIN packets the sender waits until they were read. It has priority over the receiver
until it waits, and then none, so that they come as a train with nothing in between, and none is lost where the device takes so
many. The receiver notes trains in the named pipe FIFO. In some rounds before the first lap connections get their windows.

For each lap of ROUNDS the sender prints three numbers: how long all of the machine ran and how long its receiver did, in ns, and
how many bytes came. The receiver is the process that reads and the thread that polls DEVICE; the thread that polls the sender's
device, if there is one, is PEER's.
"""

import contextlib
import glob
import os
import resource
import socket
import sys

PORT = 5201
BYTES = 45 * 1448       # of a packet
TRAIN = 4               # packets; a veth takes 256 segments
SENDS, READS, HEARS, WAITS = 50, 40, 30, 20     # priorities


def first_rounds(connections):
    """How many, until windows are wide enough for a train."""
    return 4 + 64 // connections


def text_of(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def thread_of(device):
    """The thread that polls a device."""
    for path in glob.glob("/proc/[0-9]*/comm"):
        with contextlib.suppress(OSError):      # of a process that ended meanwhile
            if text_of(path).startswith(f"napi/{device}-"):
                return int(path.split("/")[2])
    sys.exit(f"tcp_rounds: no thread polls {device}")


def prefer(pid, priority):
    os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(priority))


def machine_ns():
    """How long programs and threads ran on all CPUs."""
    return sum(int(line.split()[7]) for line in text_of("/proc/schedstat").splitlines() if line.startswith("cpu"))


def process_ns(pid):
    return int(text_of(f"/proc/{pid}/schedstat").split()[0])


def trains(connections, rounds):
    """Lists of the connections whose packets go together."""
    turns = [connection for _ in range(rounds) for connection in connections]
    return [turns[at:at + TRAIN] for at in range(0, len(turns), TRAIN)]


def receive(fifo, connections, rounds):
    """Read what comes until the sender is done."""
    buffer = bytearray(BYTES)
    with socket.create_server(("", PORT), backlog=connections) as server, open(fifo, "wb", buffering=0) as noted:
        noted.write(b"%d\n" % os.getpid())
        made = [server.accept()[0] for _ in range(connections)]
        lap = trains(made, first_rounds(connections))
        while True:
            for train in lap:
                for connection in train:
                    if connection.recv_into(buffer, BYTES, socket.MSG_WAITALL) != BYTES:
                        return
                noted.write(b"\n")
            lap = trains(made, rounds)


def send_lap(lap, noted):
    """Send, and return when all is read."""
    data = bytes(BYTES)
    for train in lap:
        for connection in train:
            connection.sendall(data)
        prefer(0, WAITS)
        if not noted.read(1):
            sys.exit("tcp_rounds: the receiver ended")
        prefer(0, SENDS)


def send(fifo, connections, rounds, laps, address, device, *peer):
    """Send, and print what each lap took."""
    with open(fifo, "rb", buffering=0) as noted:
        receivers = int(noted.readline()), thread_of(device)
        for pid, priority in (0, SENDS), *((pid, READS) for pid in receivers), *((thread_of(name), HEARS) for name in peer):
            prefer(pid, priority)
        made = [socket.create_connection((address, PORT)) for _ in range(connections)]
        send_lap(trains(made, first_rounds(connections)), noted)
        lap = trains(made, rounds)
        for _ in range(laps):
            before = machine_ns(), sum(map(process_ns, receivers))
            send_lap(lap, noted)
            print(machine_ns() - before[0], sum(map(process_ns, receivers)) - before[1], rounds * connections * BYTES)


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    role, fifo, connections, rounds, *rest = sys.argv[1:]
    if role == "receive":
        receive(fifo, int(connections), int(rounds))
    else:
        laps, *where = rest
        send(fifo, int(connections), int(rounds), int(laps), *where)


if __name__ == "__main__":
    main()
