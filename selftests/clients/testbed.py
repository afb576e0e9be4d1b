# SPDX-License-Identifier: GPL-2.0
"""A device with a qdisc in the guest, and what our tc plugins say of it."""

import json
import os
import socket
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "selftests/lib"), os.path.join(ROOT, "contrib/pyroute2")]
DESCRIPTION = os.path.join(ROOT, "docs/netlink/qdiscs.yaml")
DEVICE = "client0"
PACKETS = 3


def run(*command):
    """Run a command; return (status, output)."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def device():
    """Make the device anew, and return its number."""
    run("ip", "link", "del", DEVICE)
    for command in (f"ip link add {DEVICE} type dummy", f"ip link set {DEVICE} up", f"ip address add 192.0.2.1/24 dev {DEVICE}",
                    f"ip neigh add 192.0.2.2 lladdr 02:00:00:00:00:02 dev {DEVICE}"):
        status, output = run(*command.split())
        if status:
            raise OSError(f"{command}: {output}")
    return socket.if_nametoindex(DEVICE)


def send():
    """Send packets through the device."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for _ in range(PACKETS):
            sender.sendto(b"x" * 100, ("192.0.2.2", 9))


def shown():
    """The device's root qdisc as tc has it, with its options and statistics."""
    status, output = run("tc", "-s", "-j", "qdisc", "show", "dev", DEVICE)
    if status:
        raise OSError(output)
    return json.loads(output)[0]
