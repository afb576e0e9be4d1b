#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp at a sender some of whose connections go to peers, and many to strangers, as TAP.

One namespace sends, the other one has whole prefixes of addresses, so that a connection to each is a path of its own.
"""

import errno
import os
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
# pylint: disable=wrong-import-position
import onramp_genl as genl
from script import Inside, finish, leave, result, run, skip

N, STATS = genl.numbers(os.path.join(HERE, "../.."))
A, B = f"onramp-ta-{os.getpid()}", f"onramp-tb-{os.getpid()}"
PEERS, MANY = "10.9.0.0/24", 256


def setup():
    """The sender, and one who has all addresses."""
    run("modprobe sch_onramp")
    for name in (A, B):
        run(f"ip netns add {name}")
    run(f"ip -n {A} link add va type veth peer name vb netns {B}")
    for name, dev, number in ((A, "va", 1), (B, "vb", 2)):
        run(f"ip -n {name} link set lo up")
        run(f"ip -n {name} link set {dev} up")
        run(f"ip -n {name} addr add 192.0.2.{number}/24 dev {dev}")
        run(f"ip -n {name} addr add 2001:db8::{number}/64 dev {dev} nodad")
    run(f"ip -n {A} route add 10.9.0.0/16 via 192.0.2.2")
    run(f"ip -n {A} -6 route add 2001:db8:9::/64 via 2001:db8::2")
    run(f"ip -n {B} route add local 10.9.0.0/16 dev lo")
    run(f"ip -n {B} -6 route add local 2001:db8:9::/64 dev lo")
    run(f"ip netns exec {A} tc qdisc add dev va root handle 1: onramp mode observe clock system error 10us threshold 1s record_idle 60s")


def prefix_of(text):
    """The attributes of a prefix."""
    address, _, length = text.partition("/")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return (("PREFIX", socket.inet_pton(family, address)), ("PREFIX_LEN", bytes((int(length),))))


class Sender:
    """The sender's socket of the family, and what is asked by it."""

    def __init__(self):
        with Inside(A):
            self.family = genl.Family("onramp")

    def ask(self, command, *pairs, flags=genl.ACK):
        """A request that must be accepted."""
        return self.family.ask(N[f"ONRAMP_CMD_{command}"], b"".join(genl.attribute(N[f"ONRAMP_A_{kind}"], data) for kind, data in pairs), flags)

    def refused(self, name, number, text, command, *pairs):
        """A request that must be refused, with an error and a text or, if that is empty, the attribute's place, and change nothing."""
        before = self.told()
        try:
            self.ask(command, *pairs)
        except genl.Refused as why:
            result(why.errno == number and text in why.text and (text or why.attribute) and self.told() == before, f"refused: {name}",
                   f"{errno.errorcode[why.errno]} '{why.text}' attribute at {why.attribute}", before, self.told())
            return
        result(False, f"refused: {name}", "it was accepted")

    def told(self):
        """What requests set: the list of peers."""
        return self.peers()

    def peers(self):
        """The list of peers."""
        return [(reply[N["ONRAMP_A_PREFIX"]], reply[N["ONRAMP_A_PREFIX_LEN"]][0]) for reply in self.ask("PEER_GET", flags=genl.DUMP)]


def list_refused(sender):
    """Requests for the list of peers, of a sender who has no acker."""
    for name, number, text, command, pairs in (
            ("no prefix", errno.EINVAL, "prefix is missing", "PEER_ADD", ()),
            ("a prefix without a length", errno.EINVAL, "prefix_len is missing", "PEER_ADD", prefix_of(PEERS)[:1]),
            ("a length without a prefix", errno.EINVAL, "prefix is missing", "PEER_ADD", prefix_of(PEERS)[1:]),
            ("a prefix of 5 bytes", errno.EINVAL, "4 or 16", "PEER_ADD", (("PREFIX", bytes(5)), ("PREFIX_LEN", bytes(1)))),
            ("33 bits of IPv4", errno.ERANGE, "0 to 32", "PEER_ADD", prefix_of("10.0.0.0/33")),
            ("129 bits of IPv6", errno.ERANGE, "", "PEER_ADD", prefix_of("::/129")),
            ("bits beyond the length", errno.EINVAL, "beyond prefix_len", "PEER_ADD", prefix_of("10.9.0.1/24")),
            ("IPv4 in 16 bytes", errno.EINVAL, "has 4 bytes", "PEER_ADD", prefix_of("::ffff:10.9.0.0/120")),
            ("a peer in a group", errno.EINVAL, "", "PEER_ADD", (*prefix_of(PEERS), ("GROUP", struct.pack("=I", 1)))),
            ("a prefix off an empty list", errno.ENOENT, "not on the list", "PEER_DEL", prefix_of(PEERS))):
        sender.refused(name, number, text, command, *pairs)
    sender.ask("PEER_ADD", *prefix_of(PEERS))
    sender.refused("a prefix twice", errno.EEXIST, "on the list already", "PEER_ADD", *prefix_of(PEERS))
    sender.refused("a part of a prefix off the list", errno.ENOENT, "not on the list", "PEER_DEL", *prefix_of("10.9.0.0/25"))
    for number in range(1, MANY):
        sender.ask("PEER_ADD", *prefix_of(f"10.8.{number}.0/24"))
    sender.refused("a prefix too many", errno.ENOSPC, f"is full, with {MANY}", "PEER_ADD", *prefix_of("10.8.0.0/24"))
    result(len(sender.peers()) == MANY and sender.peers()[0] == (socket.inet_aton("10.9.0.0"), 24), "the list is told in its order, without an acker",
           sender.peers())
    with Inside(A):
        slow = genl.Family("onramp", 4096)
    told = slow.ask(N["ONRAMP_CMD_PEER_GET"], flags=genl.DUMP)
    quiet = slow.interrupted
    slow.ask(N["ONRAMP_CMD_PEER_GET"], flags=genl.DUMP, meanwhile=lambda: sender.ask("PEER_DEL", *prefix_of("10.8.7.0/24")))
    result(len(told) == MANY and not quiet and slow.interrupted, "in several parts, too, and one during which it changes says so", len(told), quiet)
    slow.socket.close()
    for _, address in enumerate(sender.peers()[1:]):
        sender.ask("PEER_DEL", ("PREFIX", address[0]), ("PREFIX_LEN", bytes((address[1],))))
    result(sender.peers() == [(socket.inet_aton("10.9.0.0"), 24)], "and it is as short again", sender.peers())


def acker_comes_and_goes(sender):
    """The list is the namespace's: the acker that comes has it, and as it goes it stays."""
    name = "the list stays as the acker comes, and as it goes"
    if subprocess.run(["modprobe", "onramp_acker"], check=False, capture_output=True).returncode:
        skip(name, "no module onramp_acker")
        return
    there = sender.peers()
    run("rmmod onramp_acker")
    result(there == sender.peers() == [(socket.inet_aton("10.9.0.0"), 24)], name, there, sender.peers())


def main():
    """Set up, test, clear away."""
    try:
        setup()
        sender = Sender()
        list_refused(sender)
        acker_comes_and_goes(sender)
        sender.family.socket.close()
    finally:
        leave()
        for name in (A, B):
            subprocess.run(["ip", "netns", "del", name], check=False)
    for _ in range(50):
        gone = subprocess.run(["rmmod", "sch_onramp", "onramp"], check=False, capture_output=True, text=True)
        if not gone.returncode:
            break
        time.sleep(0.2)
    result(not gone.returncode, "the modules unload after their namespaces went", gone.stderr)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
