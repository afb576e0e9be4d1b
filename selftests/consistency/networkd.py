# SPDX-License-Identifier: GPL-2.0
"""systemd-networkd leaves qdiscs that others set, unless its own files configure some."""

import os
import re
import subprocess
import tempfile

DAEMON = "/lib/systemd/systemd-networkd"
# In a network and a mount namespace. A /sys that cannot be written tells networkd that there is no udev. $1 is a folder with the
# configuration, $2 the address to wait for; qdiscs before and after are in files.
SPACE = r"""
set -e
mount -t sysfs -o ro none /sys
mount -t tmpfs none /run
mkdir -p /run/systemd/netif/links /run/systemd/network
chown -R systemd-network:systemd-network /run/systemd/netif
cp "$1"/*.network /run/systemd/network/
ip link add eth9 numtxqueues 2 numrxqueues 2 type veth peer name peer9
ip link set eth9 up
ip link set peer9 up
tc qdisc add dev eth9 root handle 1: mq
tc qdisc add dev eth9 parent 1:1 handle 11: pfifo limit 77
tc qdisc add dev eth9 parent 1:2 handle 12: pfifo limit 77
tc qdisc show dev eth9 >"$1/before"
"$0" >"$1/log" 2>&1 &
for n in $(seq 100); do
	! ip -4 address show dev eth9 | grep -qF "$2" || break
	sleep 0.1
done
ip -4 address show dev eth9 >"$1/address"
for n in $(seq 20); do
	tc qdisc show dev eth9 >"$1/after"
	cmp -s "$1/before" "$1/after" || break
	sleep 0.1
done
kill $!
"""
ADDRESS = "198.51.100.1/24"
PLAIN = f"[Match]\nName=eth9\n[Network]\nAddress={ADDRESS}\nLinkLocalAddressing=no\n"


def outcome(network):
    """(whether the address was set, the qdiscs before, those after, the log)"""
    with tempfile.TemporaryDirectory() as folder:
        # networkd reads as a user of its own.
        os.chmod(folder, 0o755)
        with open(os.path.join(folder, "eth9.network"), "w", encoding="ascii") as file:
            file.write(network)
        done = subprocess.run(["unshare", "--net", "--mount", "sh", "-c", SPACE, DAEMON, folder, ADDRESS], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=False)

        def text(name):
            try:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    return file.read()
            except FileNotFoundError:
                return ""
        return ADDRESS in text("address"), text("before"), text("after"), done.stderr + text("log")


def possible():
    """Whether this machine has networkd, and lets this user try it."""
    links = "ip link add eth9 type veth peer name peer9 && getent passwd systemd-network"
    return os.path.exists(DAEMON) and not os.geteuid() and not subprocess.run(
        ["unshare", "--net", "--mount", "sh", "-c", links], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode


def test(tap):
    """It sets an address and leaves the qdiscs; a file that names a qdisc replaces them."""
    if not possible():
        tap.skip("systemd-networkd and qdiscs", "no systemd-networkd, no veth, or no root")
        return
    address, before, after, log = outcome(PLAIN)
    tap.ok("systemd-networkd sets an address and leaves mq and its qdiscs", address and before == after and before.count("limit 77p") == 2,
           f"{before}{after}{log}")
    address, before, after, log = outcome(f"{PLAIN}[PFIFO]\nParent=root\nPacketLimit=55\n")
    tap.ok("with a section for a qdisc it replaces them", address and re.search("^qdisc pfifo .*root.* limit 55p", after, re.M) and "77p" not in after,
           f"{before}{after}{log}")
