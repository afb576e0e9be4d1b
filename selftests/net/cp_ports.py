#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The qdisc cp and its devices, as TAP: VLANs of a bridge, ports that are down, other namespaces, tap, settings while frames wait.

    cp_ports.py [TEST ...]     in a network namespace of its own, as root; cp_ports.sh sees to that

As in cp_bridge.py a port whose rate is 1 bit/s lets nothing go, so that all that is expected is known to the byte.
"""

import errno
import os
import socket
import stat
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import cp_switch as sw  # noqa: E402
from cp_switch import cp, sh, stats, classes, of_input, until  # noqa: E402
from cp_bridge import NONE, QCN, qntz, refused  # noqa: E402
from cp_churn import unshare  # noqa: E402
from tap import Tap  # noqa: E402

PAUSED = {"PAUSE": "input", "XOFF": 5000, "XON": 2000}


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
    if subprocess.run("ip link set br0 type bridge vlan_filtering 1".split(), check=False, stderr=subprocess.DEVNULL).returncode:
        tap.skip("VLANs of a bridge", "no CONFIG_BRIDGE_VLAN_FILTERING")
        return
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
    # At the output an untagged frame counts as VLAN 5, which this input is not a member of.
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


def elsewhere(index, data, ready, go, home):
    """Run in a process of its own: a VLAN device whose real device has a number and is not in the namespace of another process."""
    unshare()
    for words in (f"link add a9 index {index} type veth peer name b9", "link add link a9 name v9 type vlan id 9", "link set a9 up",
                  "link set b9 up", f"link set v9 netns {home}"):
        sh(f"ip {words}")
    os.write(ready, b"1")
    os.read(go, 1)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
        sock.bind(("b9", 0))
        for _ in range(5):
            sock.send(data)
    os.read(go, 1)


def other_namespace(tap, switch):
    """A VLAN whose device is in another namespace, with the number of a port of this one."""
    one, two, *_ = switch.hosts
    (ready, ready_end), (go, go_end), home = os.pipe(), os.pipe(), os.getpid()
    child = os.fork()
    if not child:
        # Whatever happens it ends here; without the other ends this process is not waited for in vain.
        try:
            os.close(go_end)
            elsewhere(socket.if_nametoindex(one.port), sw.frame(two.mac, b"\2\0\0\0\0\x09", vlan=9), ready_end, go, home)
        finally:
            os._exit(0)
    os.close(ready_end)
    os.read(ready, 1)
    sh("ip link set v9 master br0 up")
    sw.stall(switch, two, **NONE)
    os.write(go_end, b"1")
    until(lambda: stats(two.port)["q_bytes"] == 5000)
    st = stats(two.port)
    tap.ok("a VLAN whose device is in another namespace is foreign", st["foreign"] == 5 and not stats(one.port)["buffer_bytes"] and
           not of_input(two.port, one.port), (st, classes(two.port)))
    sw.release(two)
    for end in (go_end, go, ready):
        os.close(end)
    os.waitpid(child, 0)
    plain(switch)


def port_down(tap, switch):
    """CNMs of a port that is down are dropped, and not sent once it is up."""
    one, two, three, _ = switch.hosts
    sw.stall(switch, two, **QCN, AT="output", SAMPLE="largest")
    one.send(two, flow=1, size=1400, count=60)
    until(lambda: of_input(two.port, one.port)["packets"] == 60)
    sh(f"ip link set {one.port} down")
    one.hear()
    before = stats(two.port)
    three.send(two, flow=2, size=100, count=300)
    until(lambda: of_input(two.port, three.port)["packets"] == 300)
    st = stats(two.port)
    lost = st["control_failed"] - before["control_failed"]
    sh(f"ip link set {one.port} up")
    came = sw.cnms_of(one.hear(0.05))
    tap.ok("CNMs of a port that is down are dropped and counted",
           lost > 0 and lost == st["verdicts"] - before["verdicts"] and not came, (lost, len(came), st))
    sw.release(two)
    switch.join(one)
    plain(switch)


def priorities(tap, switch):
    """PFC of tagged frames, and the end of what was paused."""
    one, two, *_ = switch.hosts
    sw.fresh(one.port, **NONE, **PAUSED, CNPV=0x08)
    sw.stall(switch, two, **NONE)
    one.send(two, vlan=0x6005, count=5)
    came = sw.pauses_of(one.hear_some(1))
    tap.ok("PFC by the priority of the VLAN tag",
           came and came[0][:2] == (0x101, 0x08) and stats(one.port)["buffer_bytes"] == 5000, came)
    sw.release(two)
    sw.fresh(one.port, **NONE, **PAUSED, CNPV=0x11)
    sw.stall(switch, two, **NONE)
    one.send(two, count=5)
    one.hear_some(1)
    cp(one.port, "change", CNPV=0x01)
    sw.release(two)
    until(lambda: stats(one.port)["xon_tx"])
    ends = until(lambda: [p for p in sw.pauses_of(one.hear()) if not any(p[2])])
    tap.ok("XON is of the priorities that were paused", ends and ends[0][:2] == (0x101, 0x11), ends)
    plain(switch)


def repeated(tap, switch):
    """PAUSE goes on after a reset, and is not repeated too often, whatever its quanta."""
    one, two, *_ = switch.hosts
    sw.fresh(one.port, **NONE, **PAUSED)
    sw.stall(switch, two, **NONE)
    one.send(two, count=8)
    until(lambda: stats(one.port)["refresh_tx"])
    sh(f"ip link set {one.port} down")
    sh(f"ip link set {one.port} up")
    was = stats(one.port)["refresh_tx"]
    tap.ok("PAUSE is repeated after its port was reset", until(lambda: stats(one.port)["refresh_tx"] > was + 1), stats(one.port))
    cp(one.port, "change", QUANTA=1)
    was = stats(one.port)
    time.sleep(0.2)
    st = stats(one.port)
    sent, ns = st["refresh_tx"] - was["refresh_tx"], st["stamp_ns"] - was["stamp_ns"]
    tap.ok("quanta 1: no more often than every 40 us", 0 < sent <= ns // 40000 + 1, (sent, ns))
    sw.release(two)
    switch.join(one)
    plain(switch)


def changes(tap, switch):
    """A law that is switched off and on, and service changed again and again while frames wait."""
    one, two, three, _ = switch.hosts
    sw.fresh(one.port, **QCN, AT="input")
    sw.stall(switch, two, **NONE)
    one.send(two, count=30)
    until(lambda: stats(two.port)["q_bytes"] == 30000)
    one.hear(0.05)
    cp(one.port, "change", LAW="none")
    cp(one.port, "change", **QCN, AT="input")
    one.send(two)
    until(lambda: stats(two.port)["q_bytes"] == 31000)
    came = [(c["qntz_fb"], c["q_delta"]) for c in sw.cnms_of(one.hear(0.05))]
    tap.ok("a law switched off and on begins anew", came == [(qntz(31000, 0, 2000), 31000 // 64)], came)
    sw.release(two)
    plain(switch)
    sw.stall(switch, two, **NONE)
    sent = 0
    for service in ("rr", "fifo", "rr", "fifo", "fifo", "rr"):
        one.send(two, sent, count=7)
        three.send(two, 1000 + sent, count=7)
        sent += 7
        until(lambda: stats(two.port)["q_bytes"] == 2000 * sent)    # pylint: disable=cell-var-from-loop
        cp(two.port, "change", SERVICE=service)
    bad = sw.accounts([one.port, two.port, three.port])
    sw.release(two)
    numbers = [sw.number_of(data) for data in sw.data_of(two.hear_some(2 * sent))]
    tap.ok("service changed six times while frames wait: each input's keep their order", not bad and
           [n for n in numbers if n < 1000] == [*range(sent)] and [n for n in numbers if n >= 1000] == [*range(1000, 1000 + sent)],
           (numbers, bad))
    plain(switch)


def ethernet(tap, _switch):
    """Other devices than Ethernet's are refused."""
    bad = refused(errno.EOPNOTSUPP, ["needs an Ethernet device"], lambda: cp("lo", **NONE))
    tap.ok("a device that is not Ethernet is refused", not bad, bad)


def taps(tap, _switch):
    """A bridge over tap devices."""
    switch = sw.Switch(3, sw.TapHost)
    one, two, three = switch.hosts
    for host in switch.hosts:
        cp(host.port, **NONE, **PAUSED)
    sw.stall(switch, two, **QCN)
    one.send(two, 0, count=20)
    three.send(two, 1000, count=4)
    until(lambda: stats(two.port)["q_bytes"] == 24000)
    came = one.hear_some(2)
    bad = sw.accounts([one.port, two.port, three.port])
    tap.ok("tap: PAUSE and CNMs come, PAUSE to its input only", sw.pauses_of(came)[0] == (1, 65535, ()) and sw.cnms_of(came) and
           not sw.pauses_of(three.hear()) and not bad, (came, bad))
    sw.release(two)
    numbers = [sw.number_of(data) for data in sw.data_of(two.hear_some(24))]
    tap.ok("tap: what waited leaves", sorted(numbers) == [*range(20), *range(1000, 1004)], numbers)
    ends = until(lambda: [p for p in sw.pauses_of(one.hear()) if p[1] == 0])
    tap.ok("tap: and PAUSE ends", ends and not stats(one.port)["buffer_bytes"], ends)
    # A tap's speed is 10 Mbit/s: this lasts for seconds.
    two.raw(sw.pause(two.mac, 65535))
    one.send(two)
    held = until(lambda: stats(two.port)["q_bytes"] == 1000)
    two.raw(sw.pause(two.mac, 0))
    tap.ok("tap: PAUSE that comes is obeyed, and its end", held and until(lambda: not stats(two.port)["q_bytes"]) and
           stats(two.port)["pause_rx"] == 2, stats(two.port))
    for host in switch.hosts:
        os.close(host.tap)


def main():
    tap = Tap()
    subprocess.run("mount -t sysfs sysfs /sys".split(), check=False, stderr=subprocess.DEVNULL)
    sh("ip link set lo up")
    switch = sw.Switch(4)
    plain(switch)
    sw.run(tap, switch, (vlans, vlan_device, other_namespace, port_down, priorities, repeated, changes, ethernet))
    sh("ip link del br0")
    if os.path.exists("/sys/class/misc/tun"):
        if not os.path.exists("/dev/net/tun"):
            os.makedirs("/dev/net", exist_ok=True)
            os.mknod("/dev/net/tun", 0o600 | stat.S_IFCHR, os.makedev(10, 200))
        sw.run(tap, None, (taps,))
    else:
        tap.skip("tap ports", "no driver tun")
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
