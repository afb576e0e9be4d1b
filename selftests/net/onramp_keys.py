#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp.ko: keys of groups of hosts, and OR-ACKs that are signed, forged, repeated or not signed, as TAP."""

import errno
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import onramp_genl as genl
from onramp_hosts import (N, A, B, ADDRESS_A, ADDRESS_B, PORT, DSCP, ONE, TWO, Hosts, dump_of, key_request, keys_of, dropped,
                          Connection, network)
from probes import Probes
from script import CLONE_NEWNET, LIBC, in_child, enter, finish, result, run, skip


def key_refused(hosts, name, number, text, command, **values):
    """A request about keys that must be refused, and change nothing."""
    before = keys_of(hosts)
    try:
        key_request(hosts, command, **values)
        result(False, f"refused: {name}", "it was accepted")
    except genl.Refused as why:
        result(why.errno == number and text in why.text and keys_of(hosts) == before, f"refused: {name}",
               f"{errno.errorcode[why.errno]} '{why.text}'", keys_of(hosts))


def key_requests(hosts):
    """Refusals and reports: never a key."""
    for name, number, text, command, values in (
            ("a key of no group", errno.EINVAL, "group must be given", "ADD", {"key_id": 5, "key": ONE}),
            ("a key without a number", errno.EINVAL, "key id must be given", "ADD", {"group": 1, "key": ONE}),
            ("a number without a key", errno.EINVAL, "key must be given", "ADD", {"group": 1, "key_id": 5}),
            ("a key of 15 bytes", errno.ERANGE, "", "ADD", {"group": 1, "key_id": 5, "key": ONE[:15]}),
            ("a key of 17 bytes", errno.ERANGE, "", "ADD", {"group": 1, "key_id": 5, "key": ONE + b"0"}),
            ("group 0", errno.ERANGE, "", "ADD", {"group": 0, "key_id": 5, "key": ONE}),
            ("group 65536", errno.ERANGE, "", "ADD", {"group": 65536, "key_id": 5, "key": ONE}),
            ("rotation in no group", errno.ENOENT, "no such group", "ROTATE", {"group": 1, "key_id": 5}),
            ("no such group to delete", errno.ENOENT, "no such group", "DEL", {"group": 1}),
            ("peers of no group", errno.ENOENT, "no such group", "PEER_ADD", {"group": 1, "prefix": "192.0.2.0/24"}),
            ("a policy of no group", errno.ENOENT, "no such group", "SET", {"group": 1, "key_require": 1})):
        key_refused(hosts, name, number, text, command, **values)
    key_request(hosts, "ADD", group=1, key_id=5, key=ONE)
    key_request(hosts, "ADD", group=2, key_id=1, key=TWO)
    key_request(hosts, "PEER_ADD", group=1, prefix="192.0.2.0/24")
    for name, number, text, command, values in (
            ("a number twice", errno.EEXIST, "key of that number", "ADD", {"group": 1, "key_id": 5, "key": TWO}),
            ("rotation to no key", errno.ENOENT, "no such key", "ROTATE", {"group": 1, "key_id": 6}),
            ("no key to delete", errno.ENOENT, "no such key", "DEL", {"group": 1, "key_id": 6}),
            ("deleting the key that signs", errno.EBUSY, "signs", "DEL", {"group": 1, "key_id": 5}),
            ("a prefix twice", errno.EEXIST, "of a group already", "PEER_ADD", {"group": 1, "prefix": "192.0.2.0/24"}),
            ("a prefix of two groups", errno.EEXIST, "of a group already", "PEER_ADD", {"group": 2, "prefix": "192.0.2.0/24"}),
            ("a prefix of another group", errno.ENOENT, "not of this group", "PEER_DEL", {"group": 2, "prefix": "192.0.2.0/24"}),
            ("a prefix that is not there", errno.ENOENT, "not of this group", "PEER_DEL", {"group": 1, "prefix": "192.0.2.0/25"}),
            ("a prefix with bits behind it", errno.EINVAL, "bits beyond", "PEER_ADD", {"group": 1, "prefix": "192.0.2.1/24"}),
            ("no prefix", errno.EINVAL, "prefix is missing", "PEER_ADD", {"group": 1}),
            ("no policy", errno.EINVAL, "require must be given", "SET", {"group": 1}),
            ("a policy of 2", errno.ERANGE, "", "SET", {"group": 1, "key_require": 2})):
        key_refused(hosts, name, number, text, command, **values)
    key_request(hosts, "ADD", group=1, key_id=6, key=TWO)
    key_refused(hosts, "a third key", errno.ENOSPC, "two keys", "ADD", group=1, key_id=7, key=TWO)
    dumped = keys_of(hosts)
    groups = [struct.unpack("=I", reply[N["ONRAMP_A_GROUP"]])[0] for reply in dumped]
    result(groups == [1, 2] and dumped[0][N["ONRAMP_A_KEY_ID"]] == b"\5" and dumped[0][N["ONRAMP_A_KEY_OTHER"]] == b"\6" and
           dumped[0][N["ONRAMP_A_PREFIX"]] == socket.inet_aton("192.0.2.0") and N["ONRAMP_A_PREFIX"] not in dumped[1] and
           not any(N["ONRAMP_A_KEY"] in reply for reply in dumped) and ONE not in str(dumped).encode(), "groups are dumped, keys are not", dumped)
    for group in range(3, 65):
        key_request(hosts, "ADD", group=group, key_id=0, key=ONE)
    key_refused(hosts, "a group too many", errno.ENOSPC, "no space", "ADD", group=65, key_id=0, key=ONE)
    for number in range(255):
        key_request(hosts, "PEER_ADD", group=64, prefix=f"198.51.100.{number}/32")
    key_refused(hosts, "a prefix too many", errno.ENOSPC, "no space", "PEER_ADD", group=3, prefix="198.51.100.255/32")
    dumped = keys_of(hosts)
    result(len(dumped) == 256 + 62, "all of them are dumped", len(dumped))
    slow = genl.Family("onramp", 8192)
    dumped = slow.ask(N["ONRAMP_CMD_KEY_GET"], flags=genl.DUMP)
    result(len(dumped) == 256 + 62 and not slow.interrupted, "in several parts, too", len(dumped), slow.interrupted)
    slow.ask(N["ONRAMP_CMD_KEY_GET"], flags=genl.DUMP, meanwhile=lambda: key_request(hosts, "DEL", group=3))
    result(slow.interrupted, "a dump during which keys change says so")
    slow.ask(N["ONRAMP_CMD_KEY_GET"], flags=genl.DUMP)
    result(not slow.interrupted, "and not the next")
    slow.socket.close()
    key_request(hosts, "ADD", group=3, key_id=0, key=ONE)
    for group in range(2, 65):
        key_request(hosts, "DEL", group=group)
    key_request(hosts, "DEL", group=1, key_id=6)
    dumped = keys_of(hosts)
    result(len(dumped) == 1 and N["ONRAMP_A_KEY_OTHER"] not in dumped[0], "and forgotten", dumped)


def refused_all(change):
    """All 20 were; where the CPU is slow some are more than a second old by now."""
    return set(change) <= {"acks_replayed", "acks_stale"} and sum(change.values()) == 20 and change.get("acks_replayed")


def signed(hosts):
    """OR-ACKs of a peer that has a key: what is spoofed, repeated, of long ago or not signed is nothing."""
    good = {"key": ONE, "id": 5}
    serial = 2**32 - 10
    seen = hosts.send()
    change = hosts.changed(lambda: hosts.ack(seen, serial=serial, **good))
    result(change.get("samples") == change.get("acks_signed") == change.get("acks") == 1, "signed: taken", change)
    change = hosts.changed(hosts.repeat)
    result(change == {"acks_replayed": 1}, "dropped: the same once more", change)
    change = hosts.changed(lambda: hosts.ack(seen))
    result(change.get("acks") == 1 and "acks_signed" not in change, "not signed: taken, as long as that is not required", change)
    key_request(hosts, "SET", group=1, key_require=1)
    dropped(hosts, "not signed, though that is required", "acks_unsigned", seen)
    for at, what in ((1, "flag"), (5, "epoch"), (11, "error"), (15, "serial"), (22, "sequence"), (35, "time")):
        counter = {"flag": "acks_bad", "epoch": "acks_bad"}.get(what, "acks_forged")
        change = hosts.changed(lambda at=at: hosts.ack(seen, serial=serial + 1, flip=at, **good))
        change.pop("no_ports", None)
        result(change == {counter: 1}, f"dropped: its {what} changed", change)
    dropped(hosts, "one bit of its tag changed", "acks_forged", seen, flip=47, **good)
    dropped(hosts, "another key", "acks_forged", seen, key=TWO)
    dropped(hosts, "by the number of another key", "acks_unknown_key", seen, key=ONE, id=6)
    dropped(hosts, "signed for another host", "acks_forged", seen, target="192.0.2.3", **good)
    dropped(hosts, "our own, turned around", "acks_forged", seen, source=ADDRESS_A, target=ADDRESS_B, **good)
    for cut in (47, 40, 36, 35, 17, 16):
        change = hosts.changed(lambda cut=cut: hosts.ack(seen, cut=cut, **good))
        result(change == {"acks_bad": 1, "no_ports": 1}, f"passed on: the first {cut} bytes of it", change)
    dropped(hosts, "stamps of long ago", "acks_stale", seen, -2 * 10**9, serial=serial + 1, **good)
    dropped(hosts, "stamps of the future", "acks_stale", seen, 2 * 10**9, serial=serial + 1, **good)

    # In and out of order, over the wrap of the serial number.
    packets = [hosts.send() for _ in range(20)]
    order = [0, 3, 1, 2, 19, 7, 5, 4, 6, 8, 18, 9, 17, 10, 16, 11, 15, 12, 14, 13]
    change = hosts.changed(lambda: [hosts.ack(packets[i], serial=serial + 1 + i, **good) for i in order])
    result(change.get("acks_signed") == 20 and "acks_replayed" not in change, "20 out of order are taken", change)
    change = hosts.changed(lambda: [hosts.ack(packets[i], serial=serial + 1 + i, **good) for i in order])
    result(refused_all(change), "and not one of them twice", change)

    # A receiver that begins its serial anew.
    seen = hosts.send()
    change = hosts.changed(lambda: hosts.ack(seen, serial=serial - 10**9, **good))
    result(change.get("acks_signed") == 1, "a serial begun anew is taken, because of its stamp", change)
    change = hosts.changed(lambda: [hosts.ack(packets[i], serial=serial + 1 + i, **good) for i in order])
    result(refused_all(change), "what was taken before is not", change)

    rotation(hosts)
    no_group(hosts)
    key_request(hosts, "DEL", group=1)
    change = hosts.changed(lambda: hosts.ack(seen))
    result(change.get("acks") == 1 and not keys_of(hosts), "without the group no MAC is required", change)


def no_group(hosts):
    """A peer without a group: where a group must sign he is not accepted, signed or not; where none must he is."""
    seen = hosts.send()
    key_request(hosts, "PEER_DEL", group=1, prefix="192.0.2.0/24")
    dropped(hosts, "not signed and of no group, where one must sign", "acks_unsigned", seen)
    dropped(hosts, "signed and of no group, where one must sign", "acks_unknown_key", seen, key=ONE, id=5)
    key_request(hosts, "ADD", group=2, key_id=1, key=TWO)
    key_request(hosts, "PEER_ADD", group=2, prefix="198.51.100.0/24")
    dropped(hosts, "not signed and of no group, where the first of two must sign", "acks_unsigned", seen)
    key_request(hosts, "SET", group=1, key_require=0)
    change = hosts.changed(lambda: hosts.ack(seen))
    result(change.get("acks") == 1 and "acks_signed" not in change, "of no group: taken, where none must sign", change)
    key_request(hosts, "SET", group=2, key_require=1)
    dropped(hosts, "not signed and of no group, where the second of two must sign", "acks_unsigned", seen)
    key_request(hosts, "PEER_ADD", group=1, prefix="192.0.2.0/24")
    change = hosts.changed(lambda: hosts.ack(seen))
    result(change.get("acks") == 1, "of a group that need not sign: taken, though another must", change)
    key_request(hosts, "DEL", group=2)


def rotation(hosts):
    """A new key everywhere, then in use, then the old one goes: nothing is lost."""
    old, new = {"key": ONE, "id": 5}, {"key": TWO, "id": 6}
    serial = 5000

    def taken(name, **key):
        nonlocal serial
        serial += 1
        seen = hosts.send()
        change = hosts.changed(lambda: hosts.ack(seen, serial=serial, **key))
        result(change.get("samples") == change.get("acks_signed") == 1, f"rotation: {name}", change)

    taken("the old key", **old)
    dropped(hosts, "the new key before it is there", "acks_unknown_key", hosts.send(), serial=serial + 1, **new)
    key_request(hosts, "ADD", group=1, key_id=6, key=TWO)
    taken("the old key, with the new one there", **old)
    taken("the new key", **new)
    key_request(hosts, "ROTATE", group=1, key_id=6)
    taken("the old key after it", **old)
    taken("the new key after it", **new)
    key_request(hosts, "DEL", group=1, key_id=5)
    taken("the new key alone", **new)
    dropped(hosts, "the old key after its end", "acks_unknown_key", hosts.send(), serial=serial + 1, **old)


def soon(condition):
    """Is it so within some seconds?"""
    for _ in range(50):
        if condition():
            return True
        time.sleep(0.1)
    return False


def keyed_elsewhere(key):
    """A key in a network namespace of its own, which goes with its maker."""
    LIBC.unshare(CLONE_NEWNET)
    genl.Family("onramp").ask(N["ONRAMP_CMD_KEY_ADD"], b"".join(genl.attribute(N[f"ONRAMP_A_{name}"], value) for name, value in (
        ("GROUP", struct.pack("=I", 9)), ("KEY_ID", b"\x05"), ("KEY", key))))


def wiped(hosts):
    """Memory with a key is wiped before it is freed: kfree_sensitive() is given it, and kfree() nothing that has it."""
    name = "a key is wiped"
    # Wherever its 16 bytes begin, whole words of 4 lie in them.  All bits of one but the lowest are kept: what traced them is freed, too.
    key, words = b"\xa7" * 16, range(32)
    fetched = " ".join(f"w{i}=+{4 * i}(%di):b31@1/32" for i in words)
    has_it = " || ".join(f"w{i} == {0xa7a7a7a7 >> 1}" for i in words)
    probes = Probes(("wiped", f"kfree_sensitive {fetched}", has_it), ("freed", f"kfree {fetched}", has_it))
    if not probes.exists:
        skip(name, "this kernel has no kprobes")
        return
    key_request(hosts, "ADD", group=9, key_id=5, key=key)

    def replaced():
        key_request(hosts, "ADD", group=9, key_id=6, key=ONE)

    def rotated_away():
        key_request(hosts, "ROTATE", group=9, key_id=6)
        key_request(hosts, "DEL", group=9, key_id=5)

    def group_deleted():
        key_request(hosts, "ADD", group=10, key_id=5, key=key)
        key_request(hosts, "DEL", group=10)

    for what, action, least in (("as all are replaced", replaced, 1), ("as it is deleted", rotated_away, 2),
                                ("as its group is deleted", group_deleted, 1), ("as its namespace goes", lambda: in_child(lambda: keyed_elsewhere(key)), 1)):
        before = probes.count("wiped")
        action()
        enough = soon(lambda at=before + least: probes.count("wiped") >= at)
        freed = probes.trace.lines(r" freed: \(")
        result(enough and probes.entered("freed") and not freed, f"{name} {what}", probes.count("wiped") - before, *freed[:3])
    # The deletion of a key that is gone wipes and frees nothing.
    before = probes.count("wiped")
    key_request(hosts, "DEL", group=9)
    time.sleep(1)
    result(probes.count("wiped") == before and not probes.count("freed"), "and what was left in its place had none of it", probes.count("wiped") - before)
    probes.end()


def foreign():
    """A holder of the key reports a wait of a flow to another host, from the same port: nothing changes there, nor on paths of another DSCP.

    Others look for flows by their port alone, so this has a network of its own.
    """
    with network("mode hold clock system error 10us threshold 50us max_hold 5ms law strawman record_idle 10s"):
        hosts = Hosts()
        foreign_to(hosts)
        hosts.close()


def foreign_to(hosts):
    """The same, of these."""
    good, third, ends = {"key": ONE, "id": 5}, "192.0.2.9", (hosts.client, hosts.server)
    key_request(hosts, "ADD", group=1, key_id=5, key=ONE)
    key_request(hosts, "PEER_ADD", group=1, prefix="192.0.2.0/24")
    key_request(hosts, "SET", group=1, key_require=1)
    run(f"ip -n {B} addr add {third}/24 dev vb")
    enter(B)
    listener, udp = socket.create_server((third, 5001)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind((third, PORT))
    enter(A)
    with open("/proc/sys/net/ipv4/ip_local_port_range", "r+", encoding="ascii") as file:
        was, port = file.read(), hosts.client.getsockname()[1]
        for text in (f"{port} {port}", was):
            file.seek(0)
            file.write(text)
            file.flush()
            if text != was:
                theirs = socket.create_connection((third, 5001)), listener.accept()[0]
    marked = Connection(hosts, DSCP)
    marked.send()
    hosts.send()

    def all_counters():
        """State that is not the liar's: the flow and the path to the third host, and the path with another DSCP."""
        return dump_of(hosts, "FLOW", third), dump_of(hosts, "PATH", third), dump_of(hosts, "PATH", ADDRESS_B, DSCP)

    hosts.client, hosts.server = theirs
    seen = hosts.send()
    hosts.client, hosts.server = ends
    time.sleep(0.02)
    before = all_counters()
    change = hosts.changed(lambda: hosts.ack(seen, 10**7, serial=9001, **good))
    after = all_counters()
    result(before == after and None not in before and change == {"acks": 1, "acks_signed": 1, "unmatched": 1},
           "what a receiver says of another host's flow, from the same port, changes nothing there", change, before, after)
    own = hosts.send()
    time.sleep(0.02)
    change = hosts.changed(lambda: hosts.ack(own, 10**7, serial=9002, **good))
    after = all_counters()
    result(before == after and change.get("samples") == change.get("holds") == 1,
           "what it says of its own holds that one, and no other address or DSCP", change, before, after)
    data = hosts.orack(seen, 10**7, serial=1, source=third, **good)
    change = hosts.changed(lambda: udp.sendto(data, (ADDRESS_A, PORT)))
    after = all_counters()
    result(change.get("samples") == change.get("holds") == 1 and before[2] == after[2] and
           [counters[:2] for counters in after[:2]] == [[old[0] + 1, old[1] + 1] for old in before[:2]], "a host of the group signs as another", change, before, after)
    marked.end()
    for sock in (*theirs, listener, udp):
        sock.close()


def main():
    """Set up, test, clear away."""
    with network("mode hold clock system error 10us threshold 1s record_idle 10s"):
        hosts = Hosts()
        key_requests(hosts)
        signed(hosts)
        wiped(hosts)
        hosts.close()
    foreign()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
