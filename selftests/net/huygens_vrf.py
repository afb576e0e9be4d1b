#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""huygens-lite on hosts whose address is on a device in a VRF, as TAP.

    one: blue{ eth } --- { eth }blue :two

Each host is a namespace. eth is a veth in the VRF blue; an earlier VRF does not have the address. huygens_publish tests
hosts without VRFs.
"""

import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from huygens_publish import until
from script import finish, result, run

HOSTS = (1, 2)
FAMILIES = {"IPv4": "192.0.2.{}", "IPv6": "2001:db8::{}"}
CONF = """\
[node]
id = {host}
drift_file = none
[mesh]
peers = 1={one} 2={two}
timestamping = software
[output]
mode = none
[security]
control = {folder}/control{host}
user = none
"""


def name(host):
    return f"huygens-vrf-{os.getpid()}-{host}"


def build():
    """Two namespaces, each with two VRFs."""
    for host in HOSTS:
        run(f"ip netns add {name(host)}")
        run(f"ip -n {name(host)} link set lo up")
        for table, vrf in enumerate(("amber", "blue"), 10):
            run(f"ip -n {name(host)} link add {vrf} type vrf table {table}")
            run(f"ip -n {name(host)} link set {vrf} up")
    run(f"ip -n {name(1)} link add eth type veth peer name eth netns {name(2)}")
    for host in HOSTS:
        run(f"ip -n {name(host)} link set eth master blue")
        run(f"ip -n {name(host)} addr add {FAMILIES['IPv4'].format(host)}/24 dev eth")
        run(f"ip -n {name(host)} addr add {FAMILIES['IPv6'].format(host)}/64 dev eth nodad")
        run(f"ip -n {name(host)} link set eth up")


def command(folder, host, address):
    path = f"{folder}/conf{host}"
    with open(path, "w", encoding="ascii") as file:
        file.write(CONF.format(folder=folder, host=host, one=address.format(1), two=address.format(2)))
    return ["ip", "netns", "exec", name(host), "huygens-lite", "-f", path]


def tracking(folder, host):
    done = subprocess.run(["huygensctl", "-s", f"{folder}/control{host}", "-j", "tracking"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if not done.returncode else {}


def logs(folder):
    return [open(f"{folder}/log{host}", encoding="utf-8").read() for host in HOSTS]


def synchronise(folder, family):
    """Both are locked, and say where they are."""
    daemons = []
    for host in HOSTS:
        with open(f"{folder}/log{host}", "w", encoding="ascii") as log:
            # pylint: disable-next=consider-using-with
            daemons.append(subprocess.Popen(command(folder, host, FAMILIES[family]), stdin=subprocess.DEVNULL, stdout=log, stderr=log))
    locked = until(lambda: all(tracking(folder, host).get("state") == "locked" for host in HOSTS))
    result(locked, f"{family}: hosts with their address in a VRF are locked", *logs(folder))
    result(all("this host's address is in VRF blue\n" in text for text in logs(folder)), f"{family}: and say in which", *logs(folder))
    for daemon in daemons:
        daemon.terminate()
    result(not any([daemon.wait() for daemon in daemons]), f"{family}: all end well", *logs(folder))


def main():
    if os.geteuid():
        print("1..0 # SKIP not root")
        return 4
    with tempfile.TemporaryDirectory() as folder:
        try:
            build()
            for family in FAMILIES:
                synchronise(folder, family)
            for family, address in (("IPv4", "198.51.100.{}"), ("IPv6", "2001:db8:1::{}")):
                done = subprocess.run(command(folder, 1, address), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
                result(done.returncode == 1 and "cannot bind this host's address: Cannot assign requested address" in done.stderr,
                       f"{family}: an address that no table has is refused", done.returncode, done.stderr)
        finally:
            for host in HOSTS:
                subprocess.run(["ip", "netns", "del", name(host)], stdin=subprocess.DEVNULL, check=False)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
