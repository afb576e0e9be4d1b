#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The receiver of On-Ramp and devices, as TAP: forwarding, devices above a NIC, and devices, namespaces and the module that go.

    a (10.0.0.1) v ==[tbf 100 Mbit/s]==> v (10.0.0.2) b w ==> w (10.1.0.2) c
"""

import errno
import os
import re
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from acker_hosts import (ALLOWED, Bench, DELAY_NS, EVERY, IDLE_NS, acks_of, data_of, end, flood, Flow, Genl, index_of, Listener, pair,
                         soon, Tap, transport)
from script import finish, result as ok, run, skip


def forwarded(bench):
    pair("b", "c", "w", 1)
    run("ip netns exec b sysctl -qw net.ipv4.ip_forward=1") if os.path.exists("/usr/sbin/sysctl") else \
        subprocess.run(["ip", "netns", "exec", "b", "sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward"], check=True)
    run("ip -n a route add 10.1.0.0/24 via 10.0.0.2")
    run("ip -n c route add 10.0.0.0/24 via 10.1.0.1")
    bench.forget()
    flow = Flow("a", "c", "10.1.0.2")
    flow.send(300000)
    flow.close()
    data = data_of(bench.far.packets())
    heads, _ = acks_of(bench.near.packets())
    count = bench.since()
    ok(len(data) > 200 and not heads and count["not_ours"] == len(data), "what is forwarded is not acked", count)


# Devices above the NIC: commands of ip that put an address on one, which device that is, and whether the acker can be attached to it
ABOVE = (
    ("a bond", ("link add top type bond mode active-backup", "link set u down", "link set u master top", "link set u up"), None, False),
    ("a bridge", ("link add top type bridge", "link set u master top"), None, True),
    ("a VLAN", ("link add link u name top type vlan id 7",), 7, False),
    ("a VLAN of a bond", ("link add bond type bond mode active-backup", "link set u down", "link set u master bond", "link set u up",
                          "link set bond up", "link add link bond name top type vlan id 7"), 7, False),
    ("a macvlan", ("link add link u name top type macvlan mode bridge",), None, False),
    ("an ipvlan", ("link add link u name top type ipvlan mode l2",), None, False),
)


VRF = ("link add red type vrf table 77", "link set red up", "link set top master red")


def host_above(commands, vlan, vrf):
    """Namespaces d and e with a wire between them; e has its addresses on device top, and d's are on what it calls top, too."""
    for name in "de":
        run(f"ip netns add {name}")
        run(f"ip -n {name} link set lo up")
    near = "u" if vlan else "top"
    run(f"ip link add {near} netns d type veth peer name u netns e")
    for name, dev in (("d", near), ("e", "u")):
        run(f"ip netns exec {name} ethtool -K {dev} tso off gso off gro off")
        run(f"ip -n {name} link set {dev} up")
    if vlan:
        run(f"ip -n d link add link u name top type vlan id {vlan}")
    for line in (*commands, *(VRF if vrf else ())):
        run(f"ip -n e {line}")
    for name, host in (("d", 1), ("e", 2)):
        run(f"ip -n {name} link set top up")
        run(f"ip -n {name} addr add 10.8.0.{host}/24 dev top")
        run(f"ip -n {name} addr add fd00:8::{host}/64 dev top nodad")
        run(f"ip -n {name} addr add fe80::{host}/64 dev top nodad")
    time.sleep(2)


def above_one(what, commands, vlan, vrf, attachable):
    host_above(commands, vlan, vrf)
    acker, listener = Genl("e"), Listener("d")
    for prefix in ("10.8.0.0/24", "fd00:8::/64", "fe80::/64"):
        acker.peer("ADD", prefix)
    code, message = acker.device("ADD", index_of("e", "top"))
    if attachable:
        ok(not code, f"the acker is attached to {what}", message)
        acker.device("DEL", index_of("e", "top"))
    else:
        ok(code == errno.EINVAL and "attach" in message and (message.endswith(" u") or message.endswith(" it")) and not acker.dump("ACKER_DEV_GET"),
           f"refused: {what}, and the NIC is named", code, message)
    acker.device("ADD", index_of("e", "u"))
    for address in ("10.8.0.2", "fd00:8::2", "fe80::2%top"):
        tap, before = Tap("d", "top"), acker.stats()
        flow = Flow("d", "e", address, dev="red" if vrf else None)
        flow.send(100000)
        flow.close()
        time.sleep(0.01)
        now, entries = acker.stats(), acks_of(tap.packets())[1]
        ok(len(entries) > 2 and now["entries"] - before["entries"] == len(entries) and now["not_ours"] == before["not_ours"],
           f"the NIC below {what} is attached: {address} acks", len(entries), before, now)
    del listener
    acker.sock.close()
    for name in "de":
        run(f"ip netns del {name}")


def has_kinds(kinds):
    """Has the kernel these kinds of devices?"""
    return not subprocess.run(["modprobe", "-qa", *(f"rtnl-link-{kind}" for kind in kinds)], check=False).returncode


def above():
    """Receivers whose address is on a device above the NIC, with and without a VRF."""
    for vrf in (False, True):
        for what, commands, vlan, attachable in ABOVE:
            name = what + " in a VRF" * vrf
            kinds = re.findall(r" type (\w+)", " ".join((*commands, *(VRF if vrf else ()))))
            if not has_kinds(kinds):
                skip(name, "this kernel has none")
                continue
            above_one(name, commands, vlan, vrf, attachable)


BRIDGES = (
    ("its port", ABOVE[1][1], None),
    ("the NIC below its port", ("link add link u name u7 type vlan id 7", "link set u7 up", "link add top type bridge", "link set u7 master top"), 7),
)


def bridged():
    """The acker on a bridge, and on what its packets come by: each is seen once."""
    for what, commands, vlan in BRIDGES:
        host_above(commands, vlan, False)
        acker, listener = Genl("e"), Listener("d")
        acker.peer("ADD", "10.8.0.0/24")
        near, far = Tap("d", "top"), Tap("e", "u")
        for devices in (("u", "top"), ("top", "u"), ("top",)):
            codes = [acker.device("ADD", index_of("e", dev))[0] for dev in devices]
            near.packets()
            far.packets()
            before = acker.stats()
            flow = Flow("d", "e", "10.8.0.2")
            flow.send(100000)
            flow.close()
            time.sleep(0.01)
            now, data, entries = acker.stats(), data_of(far.packets()), [entry[1:5] for entry in acks_of(near.packets())[1]]
            ok(not any(codes) and len(data) > 60 and now["packets"] - before["packets"] == len(data) and 2 < len(entries) == len(set(entries)),
               f"a bridge and {what}, attached {' and '.join(devices)}: each packet is seen once", codes, len(data), entries, before, now)
            for dev in devices:
                acker.device("DEL", index_of("e", dev))
        del listener
        acker.sock.close()
        for name in "de":
            run(f"ip netns del {name}")


def twins():
    """Two peers of one address, one in a VRF each, or one on a link each: each gets reports of its own packets, by its own way."""
    for what, address, vrf in (("VRFs", "10.9.0.2", True), ("VRFs", "fd00:9::2", True), ("links", "fe80::2", False), ("links", "169.254.0.2", False)):
        if vrf and not has_kinds(("vrf",)):
            skip(f"two {what}, {address}", "this kernel has none")
            continue
        for name in "dfe":
            run(f"ip netns add {name}")
        for name, dev, table in (("d", "u", 71), ("f", "w", 72)):
            run(f"ip link add u netns {name} type veth peer name {dev} netns e")
            if vrf:
                run(f"ip -n e link add v{dev} type vrf table {table}")
                run(f"ip -n e link set v{dev} up")
                run(f"ip -n e link set {dev} master v{dev}")
            for there, its, host in ((name, "u", 1), ("e", dev, 2)):
                run(f"ip netns exec {there} ethtool -K {its} tso off gso off gro off")
                run(f"ip -n {there} link set {its} up")
                for ip in (f"10.9.0.{host}/24", f"fd00:9::{host}/64 nodad", f"fe80::{host}/64 nodad", f"169.254.0.{host}/16"):
                    run(f"ip -n {there} addr add {ip.split()[0]} dev {its} {' '.join(ip.split()[1:])}")
        time.sleep(2)
        acker, listeners = Genl("e"), [Listener("d"), Listener("f")]
        for prefix in ("10.9.0.0/24", "fd00:9::/64", "fe80::/64", "169.254.0.0/16"):
            acker.peer("ADD", prefix)
        for dev in "uw":
            acker.device("ADD", index_of("e", dev))
        taps, flows = {name: Tap(name, "u") for name in "df"}, {}
        Flow.port += 1
        for name, dev in (("d", "u"), ("f", "w")):
            flows[name] = Flow(name, "e", address + "%u" * address.startswith("fe80"), dev=f"v{dev}" if vrf else dev, sport=6001)
        received = {}
        for name in "dfdf":
            flows[name].send(50000)
        for name in "df":
            packets = taps[name].packets()
            sent = {seq for _, out, kind, ip in packets if out for proto, _, _, _, tcp in [transport(kind, ip)] if proto == 6
                    for seq in [struct.unpack_from("!I", tcp, 4)[0]]}
            entries = acks_of(packets)[1]
            received[name] = len(entries), all(entry[3] in sent for entry in entries)
        ok(acker.stats()["flows"] == 2 and all(count > 2 and own for count, own in received.values()),
           f"{address} in two {what}, and equal ports: two flows, each peer gets reports of its own", received, acker.stats())
        for flow in flows.values():
            flow.close()
        del listeners
        acker.sock.close()
        for name in "dfe":
            run(f"ip netns del {name}")


def withdrawn(bench):
    """Rights that end while flows live."""
    flow = Flow("a", "b", "10.0.0.2")
    flow.send(100000)
    bench.acker.peer("DEL", "10.0.0.0/25")
    bench.forget()
    flow.send(100000)
    heads, _ = acks_of(bench.near.packets())
    ok(not heads and bench.since()["not_peer"] > 60, "a prefix taken off the list ends its flows", bench.since())
    bench.acker.peer("ADD", "10.0.0.0/25")
    bench.forget()
    flow.send(100000)
    ok(acks_of(bench.near.packets())[0], "and put back begins them")
    bench.acker.device("DEL", bench.dev)
    bench.forget()
    flow.send(100000)
    ok(not acks_of(bench.near.packets())[0] and not bench.since()["packets"], "a device that is detached is not looked at")
    bench.acker.device("ADD", bench.dev)
    flow.close()


def vanish():
    """Namespaces and devices that go under traffic."""
    for number in range(4):
        one, other = f"x{number}", f"y{number}"
        pair(one, other, "z", 7)
        acker = Genl(other)
        acker.peer("ADD", "10.7.0.0/24")
        acker.device("ADD", index_of(other, "z"))
        pid = flood(one, other, "10.7.0.2")
        alive = soon(lambda: acker.stats()["entries"] > 0)
        if number % 2:
            run(f"ip -n {other} link del z")
            alive = alive and not acker.dump("ACKER_DEV_GET")
        acker.sock.close()
        run(f"ip netns del {other}")
        time.sleep(0.01)
        end(pid)
        time.sleep(0.1)
        run(f"ip netns del {one}")
        ok(alive, f"a {'device' if number % 2 else 'namespace'} goes under traffic")


def unload(bench):
    """The acker goes and comes: its devices are forgotten, and the list of peers, which is the namespace's, stays."""
    pid, listed = flood("a", "b", "10.0.0.2"), bench.acker.dump("PEER_GET")
    for number in range(5):
        bench.before = bench.acker.stats()
        time.sleep(0.03)
        run("rmmod onramp_acker")
        time.sleep(0.005)
        run("modprobe onramp_acker")
        gone = not bench.acker.dump("ACKER_DEV_GET") and listed and bench.acker.dump("PEER_GET") == listed
        bench.acker.device("ADD", bench.dev)
        alive = soon(lambda: bench.acker.stats()["entries"] > 0)
        ok(gone and alive, f"rmmod and back under traffic, {number + 1}", gone, bench.acker.stats())
    end(pid)


def main():
    run("modprobe onramp_acker")
    bench = Bench()
    bench.acker.settings(every=EVERY, delay=DELAY_NS, idle=IDLE_NS)
    for prefix in ALLOWED:
        bench.acker.peer("ADD", prefix)
    bench.acker.device("ADD", bench.dev)
    forwarded(bench)
    above()
    bridged()
    twins()
    withdrawn(bench)
    vanish()
    unload(bench)
    for name in "abc":
        run(f"ip netns del {name}")
    run("rmmod onramp_acker")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
