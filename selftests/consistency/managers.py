# SPDX-License-Identifier: GPL-2.0
"""systemd-networkd and NetworkManager leave qdiscs that others set, unless their own files configure some."""

import dataclasses
import os
import re
import subprocess
import tempfile

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sharpramp/unpacked")
ADDRESS = "198.51.100.1/24"
# In a network and a mount namespace. A /sys that cannot be written tells both daemons that there is no udev. $1 is a folder with the
# configuration, $2 the address to wait for; qdiscs before and after are in files.
SPACE = r"""
set -e
mount -t sysfs -o ro none /sys
mount -t tmpfs none /run
ip link add eth9 numtxqueues 2 numrxqueues 2 type veth peer name peer9
ip link set eth9 up
ip link set peer9 up
tc qdisc add dev eth9 root handle 1: mq
tc qdisc add dev eth9 parent 1:1 handle 11: pfifo limit 77
tc qdisc add dev eth9 parent 1:2 handle 12: pfifo limit 77
tc qdisc show dev eth9 >"$1/before"
@START@
for n in $(seq 300); do
	! ip -4 address show dev eth9 | grep -qF "$2" || break
	sleep 0.1
done
ip -4 address show dev eth9 >"$1/address"
for n in $(seq 20); do
	tc qdisc show dev eth9 >"$1/after"
	cmp -s "$1/before" "$1/after" || break
	sleep 0.1
done
kill $pids
"""
NETWORKD = r"""
mkdir -p /run/systemd/netif/links /run/systemd/network
chown -R systemd-network:systemd-network /run/systemd/netif
cp "$1/conf" /run/systemd/network/eth9.network
"$0" >"$1/log" 2>&1 &
pids=$!
"""
# On a bus of its own, where everything is allowed.
NETWORK_MANAGER = r"""
mount -t tmpfs none /var/lib
mkdir -p /run/dbus /run/NetworkManager /run/connections /var/lib/NetworkManager
cat >/run/bus <<'END'
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>
END
cat >/run/conf <<'END'
[main]
plugins=keyfile
dns=none
no-auto-default=*
[keyfile]
path=/run/connections
[device]
match-device=*
managed=1
END
install -m 600 "$1/conf" /run/connections/eth9.nmconnection
dbus-daemon --config-file=/run/bus --nofork >"$1/bus" 2>&1 &
pids=$!
"$0" --debug --config=/run/conf --config-dir=/run/none --intern-config=/run/none >"$1/log" 2>&1 &
pids="$pids $!"
"""


@dataclasses.dataclass(frozen=True)
class Manager:
    """A daemon that configures networks: how it is started, a file that sets an address, and what adds a qdisc to that."""

    name: str
    daemon: str
    needs: str      # shell that fails where it cannot run
    start: str
    plain: str
    qdisc: str
    replaced: str   # pattern of the qdiscs then


MANAGERS = (
    Manager("systemd-networkd", "/lib/systemd/systemd-networkd", "getent passwd systemd-network", NETWORKD,
            f"[Match]\nName=eth9\n[Network]\nAddress={ADDRESS}\nLinkLocalAddressing=no\n", "[PFIFO]\nParent=root\nPacketLimit=55\n",
            r"^qdisc pfifo .*root.* limit 55p"),
    Manager("NetworkManager", os.path.join(CACHE, "network-manager/usr/sbin/NetworkManager"), '"$0" --version && command -v dbus-daemon',
            NETWORK_MANAGER, "[connection]\nid=eth9\nuuid=6b1ae1ad-1f5b-4b5c-8e9d-1d3c7c1b5a01\ntype=ethernet\ninterface-name=eth9\n"
            f"[ipv4]\nmethod=manual\naddress1={ADDRESS}\n[ipv6]\nmethod=disabled\n", "[tc]\nqdisc.root=pfifo\n", r"^qdisc pfifo .*root.* limit 1000p"),
)


def outcome(manager, conf):
    """(whether the address was set, the qdiscs before, those after, the log)"""
    with tempfile.TemporaryDirectory() as folder:
        # networkd reads as a user of its own.
        os.chmod(folder, 0o755)
        with open(os.path.join(folder, "conf"), "w", encoding="ascii") as file:
            file.write(conf)
        script = SPACE.replace("@START@", manager.start)
        done = subprocess.run(["unshare", "--net", "--mount", "sh", "-c", script, manager.daemon, folder, ADDRESS], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=180, check=False)

        def text(name):
            try:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    return file.read()
            except FileNotFoundError:
                return ""
        return ADDRESS in text("address"), text("before"), text("after"), done.stderr + text("log")


def possible(manager):
    """Whether this machine has the daemon, and lets this user try it."""
    return os.path.exists(manager.daemon) and not os.geteuid() and not subprocess.run(
        ["unshare", "--net", "--mount", "sh", "-c", f"ip link add eth9 type veth peer name peer9 && {manager.needs}", manager.daemon],
        stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode


def test(tap):
    """Each sets an address and leaves the qdiscs; a file that names a qdisc replaces them."""
    for manager in MANAGERS:
        if not possible(manager):
            tap.skip(f"{manager.name} and qdiscs", f"no {manager.name}, no veth, or no root")
            continue
        address, before, after, log = outcome(manager, manager.plain)
        tap.ok(f"{manager.name} sets an address and leaves mq and its qdiscs", address and before == after and before.count("limit 77p") == 2,
               f"{before}{after}{log}")
        address, before, after, log = outcome(manager, manager.plain + manager.qdisc)
        tap.ok(f"{manager.name}, with a section for a qdisc, replaces them", address and re.search(manager.replaced, after, re.M) and "77p" not in after,
               f"{before}{after}{log}")
