#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The qdisc cp and its devices, as TAP: VLANs of a bridge and VLAN devices as its ports.

    cp_ports.py [TEST ...]     in a network namespace of its own, as root; cp_ports.sh sees to that

As in cp_bridge.py a port whose rate is 1 bit/s lets nothing go, so that all that is expected is known to the byte.
"""

import subprocess
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import cp_switch as sw  # noqa: E402
from cp_switch import sh, stats, until  # noqa: E402
from cp_bridge import NONE, QCN  # noqa: E402
from tap import Tap  # noqa: E402


def plain(switch):
    """All ports as new, and nothing waits."""
    for host in switch.hosts:
        sw.fresh(host.port, **NONE)
    switch.quiet()


def tag_of_cnm(switch, by, to, vlan, **settings):
    """Tags of the CNMs that a host gets for frames to another with such a tag; and the statistics."""
    sw.fresh(by.port, **QCN, AT="input", **settings)
    sw.stall(switch, to, **NONE)
    by.send(to, vlan=vlan, count=15)
    until(lambda: stats(to.port)["q_bytes"] >= 15000)
    st = stats(by.port)
    tags = {cnm["tag"].hex() for cnm in sw.cnms_of(by.hear_some(st["cnms"]))}
    sw.release(to)
    plain(switch)
    return tags, st


def vlans(tap, switch):
    """CNMs have the tag that the sender uses, which the bridge removed or added."""
    one, two, three, _ = switch.hosts
    sh("ip link set br0 type bridge vlan_filtering 1")
    sw.vlan(one.port, 5)
    sw.vlan(one.port, 7)
    sw.vlan(two.port, 5, sw.VLAN_PVID | sw.VLAN_UNTAGGED)
    sw.vlan(two.port, 1, remove=True)
    sw.vlan(two.port, 7)
    sw.vlan(three.port, 7, sw.VLAN_PVID | sw.VLAN_UNTAGGED)
    for host, vlan in ((one, 5), (one, 7), (two, None), (two, 7), (three, None)):
        host.raw(sw.frame(b"\2\xff\0\0\0\0", host.mac, vlan=vlan))
    tags, st = tag_of_cnm(switch, one, two, 5)
    tap.ok("vlan_filtering: a tag that the bridge removed is in the CNM", tags == {"81000005"} and not st["no_vlan"], (tags, st))
    tags, st = tag_of_cnm(switch, three, two, None)
    tap.ok("one that it added is not", tags == {""} and st["cnms"], (tags, st))
    tags, st = tag_of_cnm(switch, one, two, 0xa007)
    tap.ok("one that it left is, with its priority", tags == {"8100a007"}, tags)
    # Of an untagged frame at the output the VLAN is taken to be 5, of which this input is not.
    sw.vlan(two.port, 7, sw.VLAN_UNTAGGED)
    tags, st = tag_of_cnm(switch, three, two, None)
    tap.ok("without a VLAN that both have none is sent, and counted", not tags and not st["cnms"] and st["no_vlan"] > 0, (tags, st))
    sh("ip link set br0 type bridge vlan_filtering 0")
    for host in switch.hosts:
        host.raw(sw.frame(b"\2\xff\0\0\0\0", host.mac))
    tags, st = tag_of_cnm(switch, one, two, 7)
    tap.ok("without vlan_filtering: the culprit's", tags == {"81000007"}, tags)


def vlan_device(tap, switch):
    """A VLAN device as the bridge's port: CNMs have its tag; one whose device is in another namespace counts nowhere."""
    _, two, _, four = switch.hosts
    sh(f"ip link set {four.port} nomaster")
    sh(f"ip link add link {four.port} name v4 type vlan id 5")
    switch.join(four, "v4", 5)
    tags, _ = tag_of_cnm(switch, four, two, 0x6005)
    tap.ok("a VLAN device as a port: its tag is in the CNM", tags == {"81000005"}, tags)
    sw.fresh(four.port, **QCN, AT="output")
    sw.stall(switch, four, **QCN, AT="output")
    two.send(four, count=15)
    until(lambda: stats(four.port)["q_bytes"] >= 15000)
    tags = {cnm["tag"].hex() for cnm in sw.cnms_of(two.hear_some(1))}
    tap.ok("and not where it is the output", tags == {""}, tags)
    sw.release(four)
    sh("ip link del v4")
    switch.join(four)
    plain(switch)


def main():
    tap = Tap()
    subprocess.run("mount -t sysfs sysfs /sys".split(), check=False, stderr=subprocess.DEVNULL)
    sh("ip link set lo up")
    switch = sw.Switch(4)
    plain(switch)
    sw.run(tap, switch, (vlans, vlan_device))
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
