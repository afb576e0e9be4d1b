#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Cost of a list of a port's classes, and of the deletion of a port, on a bridge with many ports, in instructions:

    selftests/qemu/boot_vm.py --kernel 6.12 --icount --memory 2048 --timeout 1800 --file selftests/bench/cp_cost.py /sharpramp/cp -- \
        python3 /sharpramp/cp

One CPU, whose clock under icount counts instructions. Output is TAP and, behind #, the numbers.

Each port of a bridge has cp. A frame from each port goes to one of them, which then has a VOQ, and a class, for each port. Listing the
classes needs no privilege.
"""

import os
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, "/sharpramp/selftests/net")
# pylint: disable=wrong-import-position
import cp_switch as sw
from script import finish, result, run

FEW, MANY = 100, 400
# A tree that is four times as large is two steps deeper; a search through all VOQs for each class costs four times as much.
GROWTH = 1.25
TARGET = bytes((2, 0, 0, 0, 1, 0))
DELETED = 5


def ip(lines):
    """Run commands of ip."""
    subprocess.run(["ip", "-batch", "-"], input="".join(f"{line}\n" for line in lines), text=True, check=True)


def grow(there, count):
    """So many ports, each with cp, each of which has sent a frame to the first."""
    numbers = range(there, count)
    ip(f"link add name p{n} type veth peer name h{n}" for n in numbers)
    ip(line for n in numbers for line in (f"link set h{n} up", f"link set p{n} master br0", f"link set p{n} up"))
    for n in numbers:
        sw.cp(f"p{n}", LAW="none")
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    # A bridge's port forwards once its carrier is seen, which it is once a second.
    time.sleep(3)
    # The bridge learns where it is, and sends this nowhere.
    sock.sendto(sw.frame(TARGET, TARGET), ("h0", 0))
    for n in range(1, count):
        sock.sendto(sw.frame(TARGET, bytes((2, 0, 0, 1, n >> 8, n & 255))), (f"h{n}", 0))
    sock.close()
    return sw.until(lambda: len(sw.classes("p0")) == count + 1)


def listed():
    """Instructions for a dump of the first port's classes, for each class, and how many there were."""
    tcmsg = struct.pack("=BxxxiIII", socket.AF_UNSPEC, socket.if_nametoindex("p0"), 0, 0, 0)
    parts, count = [], 0
    with sw.rtm.connect() as sock:
        start = time.monotonic_ns()
        sock.sendto(struct.pack("=IHHII", 16 + len(tcmsg), sw.RTM_GETTCLASS, sw.rtm.NLM_F_REQUEST | sw.NLM_F_DUMP, 1, 0) + tcmsg, (0, 0))
        while not parts or struct.unpack_from("=IH", parts[-1])[1] != sw.NLMSG_DONE:
            parts.append(sock.recv(1 << 18))
        took = time.monotonic_ns() - start
    for data in parts[:-1]:
        while data:
            count, data = count + 1, data[struct.unpack_from("=I", data)[0] + 3 & ~3:]
    return took / max(count, 1), count


def deleted(last):
    """Time to take cp from a port, with all waits, of the last few; they get it again."""
    start = time.monotonic_ns()
    for n in range(last - DELETED, last):
        sw.gone(f"p{n}")
    return (time.monotonic_ns() - start) / DELETED


def main():
    """Measure and print; the exit status."""
    run("modprobe sch_cp")
    for name in ("all", "default"):
        with open(f"/proc/sys/net/ipv6/conf/{name}/disable_ipv6", "w", encoding="ascii") as file:
            file.write("1")
    os.nice(-20)
    ip(("link add name br0 type bridge mcast_snooping 0 ageing_time 3000000", "link set br0 up"))
    there, each, gone = 0, {}, {}
    for count in (FEW, MANY):
        complete = grow(there, count)
        found = [listed() for _ in range(3)]
        each[count] = min(took for took, _ in found)
        result(complete and all(number == count + 1 for _, number in found), f"{count} ports: the first has a class of each other", found)
        gone[count] = deleted(count)
        there = count
        for n in range(count - DELETED, count):
            sw.cp(f"p{n}", LAW="none")
        print(f"# {count} ports: {each[count]:.0f} instructions to list a class, {gone[count]:.0f} ns to delete a port")
    result(each[MANY] <= GROWTH * each[FEW], f"a class is listed for the same with {MANY} ports as with {FEW}", each)
    result(gone[MANY] <= 2 * gone[FEW], f"to delete one of {MANY} ports takes twice as long as one of {FEW} at most", gone)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
