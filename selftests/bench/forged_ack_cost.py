#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Cost of a refused OR-ACK for the host that receives it, in instructions:

    selftests/qemu/boot_vm.py --kernel 6.12 --icount --memory 2048 --file selftests/bench/forged_ack_cost.py /sharpramp/forged -- python3 /sharpramp/forged [PART ...]

PART is refused, taps or crowd; without one all are measured.

The script also measures the cost of enabled taps for a packet of a device that is not observed, and whether that cost grows with
the number of observed devices, in its own namespace or in another. Output is TAP and, behind #, the numbers. The status is 0 if
each datagram was refused by its own counter, and no cost exceeds its limit, a part of the cost without this project.

There is one CPU, whose clock under icount counts instructions. Datagrams of 64 entries go through a veth, all of equal length. The
cost of sending is included and the same for all, so the number printed is the difference to a datagram for a port whose socket is
full: the median of interleaved rounds. The other packets have one byte, go over loopback, and are received.
"""

import os
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, "/sharpramp/selftests/net")
# pylint: disable=wrong-import-position
import onramp_hosts as net
from script import CLOSING, finish, result, run

ROUNDS, EACH = 101, 10
ENTRIES = 64
OTHER_PORT = 31999
LOOPBACK = "127.0.0.1"
# Limits, as parts of the cost of the same datagram sent to and dropped at a full socket; each is a quarter above the measured value. A
# forged datagram is read once for the checksum and once for the hash, so one more pass, or a search for each entry, exceeds the limit. A
# datagram of another version costs only the read of its header.
REFUSED = {"of another version": 0.02, "of no flow": 0.65, "forged": 1.5}
# The check for a watched device at each tap is a call and a few loads, as a part of the stack's work; the limit is a quarter above, too.
TAPS = {"transmit taps on": 0.012, "all taps on": 0.021}
# Devices with a qdisc, and the instructions that they may add to a packet of another device. Three taps see it. If the packet is of the
# same namespace, the lookup at each tap takes one step more for each factor of 64: two of some 17 instructions.
CROWD, CROWDED = 10000, {"devices of another namespace": 60, "devices of its own": 150}
C = f"onramp-c-{os.getpid()}"


def datagram(hosts, seen, **other):
    """An OR-ACK of one packet, 64 times, signed with a key that the sender's host does not have."""
    fields = {"version": 1, "sport": hosts.client.getsockname()[1]} | other
    seq, length, rx_ns = seen
    data = net.HEADER.pack(fields["version"], 1, ENTRIES, 1, 0, 1000, 1)
    data += net.ENTRY.pack(fields["sport"], 5001, seq, length, 6, 1, rx_ns) * ENTRIES
    return data + net.trailer(net.TWO, 5, socket.inet_aton(net.ADDRESS_B), socket.inet_aton(net.ADDRESS_A), data)


def took(hosts, data, port):
    """Instructions for sending one, and for all that comes of it."""
    hosts.settle()
    start = time.monotonic_ns()
    for _ in range(EACH):
        hosts.udp.sendto(data, (net.ADDRESS_A, port))
    return (time.monotonic_ns() - start) / EACH


def judged(found, base, ceilings, what):
    """Print what each kind takes more than the base, and hold that to its part of it."""
    paid = statistics.median(found[base])
    print(f"# {base}: {paid:.0f} instructions")
    for name, part in ceilings.items():
        low, mid, high = (value - paid for value in statistics.quantiles(found[name], n=4))
        print(f"# {name}: {mid:.0f} instructions more ({low:.0f} to {high:.0f})")
        result(0 <= mid <= part * paid, f"{name}: at most {part} {what}", mid, paid)


def loopback(name):
    """A function that sends a datagram over a namespace's loopback, and takes it, and returns the instructions of both; and the sockets."""
    run(f"ip -n {name} link set lo up")
    net.enter(name)
    giver, taker = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    net.enter(net.A)
    taker.bind((LOOPBACK, OTHER_PORT))

    def once():
        start = time.monotonic_ns()
        for _ in range(EACH):
            giver.sendto(b"x", (LOOPBACK, OTHER_PORT))
            taker.recv(16)
        return (time.monotonic_ns() - start) / EACH
    return once, (giver, taker)


def receiving():
    """A request's attribute: the device whose receive tap is enabled."""
    return net.genl.attribute(net.N["ONRAMP_A_IFINDEX"], struct.pack("=I", socket.if_nametoindex("va")))


def taps(hosts):
    """A datagram over loopback, with all taps off, with the transmit taps on, and with all."""
    run("modprobe onramp_acker")
    # In the other namespace, which does not receive OR-ACKs: taps apply to the whole host.
    once, sockets = loopback(net.B)
    device = receiving()
    found = {name: [] for name in ("all taps off", *TAPS)}
    for _ in range(ROUNDS):
        for name, mode, command in zip(found, ("off", "observe", "observe"), (None, None, "ONRAMP_CMD_ACKER_DEV_ADD")):
            net.qdisc("change", f"mode {mode}")
            if command:
                hosts.genl.ask(net.N[command], device)
            time.sleep(CLOSING if mode == "off" else 0)
            hosts.settle()
            once()
            found[name].append(once())
        hosts.genl.ask(net.N["ONRAMP_CMD_ACKER_DEV_DEL"], device)
    for sock in sockets:
        sock.close()
    run("rmmod onramp_acker")
    judged(found, "all taps off", TAPS, "of the cost with all taps off")


def populate(name):
    """Many devices with a qdisc that measures, in a namespace."""
    for program, line in (("ip", "link add d{} type dummy"), ("tc", "qdisc add dev d{} root onramp mode observe buckets 2")):
        with tempfile.NamedTemporaryFile("w", encoding="ascii") as batch:
            batch.writelines(f"{line.format(number)}\n" for number in range(CROWD))
            batch.flush()
            run(f"ip netns exec {name} {program} -batch {batch.name}")


def crowd(hosts):
    """A datagram over the loopback of two namespaces, with all taps on, before and after one of them has many devices."""
    run("modprobe onramp_acker")
    run(f"ip netns add {C}")
    places = dict(zip(CROWDED, (loopback(net.B), loopback(C))))
    # One observed device; without any, the lookup is skipped.
    run(f"ip -n {C} link add one type dummy")
    run(f"ip netns exec {C} tc qdisc add dev one root onramp mode observe buckets 2")
    hosts.genl.ask(net.N["ONRAMP_CMD_ACKER_DEV_ADD"], receiving())

    def each():
        took_there = {name: [] for name in places}
        for _ in range(ROUNDS):
            for name, (once, _) in places.items():
                hosts.settle()
                once()
                took_there[name].append(once())
        return {name: statistics.median(times) for name, times in took_there.items()}

    before = each()
    populate(C)
    after = each()
    for name in places:
        print(f"# {CROWD} {name}: {after[name] - before[name]:.0f} instructions more than {before[name]:.0f}")
        result(abs(after[name] - before[name]) <= CROWDED[name],
               f"{CROWD} {name} cost a packet at most {CROWDED[name]} instructions", before, after)
    for _, sockets in places.values():
        for sock in sockets:
            sock.close()
    hosts.genl.ask(net.N["ONRAMP_CMD_ACKER_DEV_DEL"], receiving())
    subprocess.run(["ip", "netns", "del", C], check=False)
    run("rmmod onramp_acker")


def refused(hosts):
    """Datagrams of each kind that is refused."""
    net.key_request(hosts, "ADD", group=1, key_id=5, key=net.ONE)
    net.key_request(hosts, "PEER_ADD", group=1, prefix="192.0.2.0/24")
    full = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
    for sock, port in zip(full, (net.PORT, OTHER_PORT)):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        sock.bind((net.ADDRESS_A, port))
    seen = hosts.send()
    kinds = {"to another port": (datagram(hosts, seen), OTHER_PORT, {}),
             "of another version": (datagram(hosts, seen, version=2), net.PORT, {"acks_bad": EACH}),
             "of no flow": (datagram(hosts, seen, sport=1), net.PORT, {"acks_unknown_flow": EACH}),
             "forged": (datagram(hosts, seen), net.PORT, {"acks_forged": EACH})}
    found = {name: [] for name in kinds}
    changes = {name: [] for name in kinds}
    for _ in range(ROUNDS):
        for name, (data, port, _) in kinds.items():
            changes[name].append(hosts.changed(lambda: found[name].append(took(hosts, data, port))))
    for name, (data, _, counted) in kinds.items():
        result(all(change == counted for change in changes[name]), f"{name}: {len(data)} bytes, counted as that", *changes[name][:3])
    judged(found, "to another port", REFUSED, "of what is paid to another port")
    for sock in full:
        sock.close()


PARTS = {"refused": refused, "taps": taps, "crowd": crowd}


def main(parts):
    """Measure and print; the exit status."""
    with net.network("mode observe clock system error 10us threshold 1s record_idle 60s"):
        hosts = net.Hosts()
        for part in parts or PARTS:
            PARTS[part](hosts)
        hosts.close()
    return finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
