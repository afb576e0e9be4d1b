# SPDX-License-Identifier: GPL-2.0
"""Memory that is short while On-Ramp is at work: allocations that fail by chance, and each of a request, a flow or a module once."""

import ctypes
import errno
import glob
import json
import os
import socket
import struct
import time

# pylint: disable=wrong-import-position
import testbed
import faults
import acker_hosts
import onramp_genl
from testbed import HOLD, N, U8, U32, Flood, Transfer, attrs, line, qdisc, attempt, unloaded
from script import Inside, result as ok, run

FULL = "FULL" in os.environ
FAILSLAB = "/sys/kernel/debug/failslab"
MODULES = ("sch_onramp", "onramp_acker", "onramp")
SYS_FINIT_MODULE = 313
CLONE_NEWNET = 0x40000000
TIMES = 3               # that each allocation for a new flow fails


def failslab(**values):
    """Which allocations fail, of those that are not the detectors' own."""
    faults.choose(True)
    for name, value in {"verbose": "0", "cache-filter": "Y", **values}.items():
        faults.write(f"{FAILSLAB}/{name.replace('_', '-')}", str(value))


def sending(family, was):
    """Wait until a transfer's data leave: a wait for the answer to a lost SYN needs no memory."""
    for _ in range(10_000):
        if testbed.stats(family)["samples"] > was["samples"]:
            return
        time.sleep(0.001)


def shortage(acker, family):
    """A round of it: whether any allocation of these modules failed, and a complaint."""
    was, acked = testbed.stats(family), acker.stats()
    transfer = Transfer(flows=16, size=100_000)
    flood = Flood("b", "v", 150, 4)
    data = Flood("a", "v", 150, 4, ["data-flows", "data-dscp"])
    sending(family, was)
    failslab(ignore_gfp_wait="Y", probability=8, interval=1, times=-1)
    time.sleep(0.2)
    failslab(probability=0)
    flood.end()
    data.end()
    _, why = transfer.end()
    now, acked = testbed.less(testbed.stats(family), was), testbed.less(acker.stats(), acked)
    if not now["records"]:
        why = why or f"no records: {now}"
    return now["records_failed"] + now["flows_failed"] + acked["send_failed"] + acked["flows_failed"], why


def short():
    """One in twelve of all allocations that cannot wait fails, in all of the kernel."""
    for settings in ("", " orphan_mask 0 buckets 4"):
        qdisc("onramp " + HOLD + settings)
        family, acker = testbed.family_of("a"), acker_hosts.Genl("b")
        acker.settings(max_flows=4)
        # Most that fail are others': how many of these modules' do is chance where programs take time.
        met, why, rounds = 0, "", 0
        while not met and not why and rounds < 10:
            met, why = shortage(acker, family)
            rounds += 1
        ok(not why, f"memory is short: what is sent comes{settings}", why)
        ok(met, f"memory is short: it was met{settings}", f"{rounds} rounds")
        acker.settings(max_flows=16384)
        acker.sock.close()
        family.socket.close()


class Failing:
    """Has the nth allocation of this task fail."""

    def __init__(self):
        self.file = os.open("/proc/self/fail-nth", os.O_RDWR)

    def arm(self, nth):
        """From now on."""
        os.pwrite(self.file, str(nth).encode(), 0)

    def left(self):
        """No longer; how many there still were to come."""
        left = int(os.pread(self.file, 20, 0))
        os.pwrite(self.file, b"0", 0)
        return left


def fails_at(action, nth):
    """In a process of its own, with its nth allocation failing: (errno of an action, how many were left to come)."""
    pipe, far = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            failing = Failing()
            failing.arm(nth)
            code = action()
            os.write(far, f"{code} {failing.left()}".encode())
        finally:
            os._exit(0)
    os.close(far)
    text = os.read(pipe, 100).split()
    os.close(pipe)
    os.waitpid(pid, 0)
    return tuple(int(number) for number in text) if text else (-1, 0)


LIBC = ctypes.CDLL(None, use_errno=True)


def unshare():
    """A namespace; its errno."""
    return ctypes.get_errno() if LIBC.unshare(CLONE_NEWNET) else 0


def load(name):
    """A module; its errno."""
    path = glob.glob(f"/usr/lib/modules/*/updates/{name}.ko")[0]
    fd = os.open(path, os.O_RDONLY)
    failed = LIBC.syscall(SYS_FINIT_MODULE, fd, b"", 0)
    os.close(fd)
    return ctypes.get_errno() if failed else 0


def each_last(what, action, undo, most, enough):
    """The allocations of an action fail, one at a time, from the last on: so many at most, until enough of them refused it."""
    failslab(ignore_gfp_wait="N")
    code, left = fails_at(action, 1 << 20)
    total = (1 << 20) - left
    undo()
    refused, tried, wrong = 0, 0, ""
    while tried < min(most, total) and refused < enough:
        nth, tried = total - tried, tried + 1
        code, left = fails_at(action, nth)
        refused += code in (errno.ENOMEM, errno.ENOBUFS)
        if code not in (0, errno.ENOMEM, errno.ENOBUFS) and not wrong:
            wrong = f"allocation {nth} of {total}: errno {code}"
        if not code:
            undo()
    ok(refused == enough and not wrong, f"{what}: {refused} of the last {tried} of {total} allocations refuse it", wrong)


def loading():
    """Namespaces and modules that do not come."""
    enough = 40 if FULL else 10
    each_last("a namespace", unshare, lambda: None, 300, enough)
    run("tc -n a qdisc del dev v root")
    why = unloaded(*MODULES)
    ok(not why, "all modules go", why)
    # sch_onramp is left out: only the creation of its slab cache can fail, and there the kernel itself leaks the name of a kobject.
    # Only the last allocations of a load fail: the first ones are the kernel's own, and it warns if some of them fail.
    for name in ("onramp", "onramp_acker"):
        each_last(f"module {name}", lambda name=name: load(name), lambda name=name: unloaded(name), 450, enough)
        run(f"modprobe {name}")


def requests():
    """Each allocation of each request fails once: it is refused and changes nothing, or taken."""
    failslab(ignore_gfp_wait="N")
    socks = {name: testbed.family_of(name) for name in "ab"}
    prefix = attrs(("PREFIX", socket.inet_aton("10.7.0.0")), ("PREFIX_LEN", U8(16)))
    device = attrs(("IFINDEX", U32(acker_hosts.index_of("b", "v"))))
    acker_hosts.Genl("b").device("DEL", acker_hosts.index_of("b", "v"))
    failing = Failing()

    def once(host, command, payload, nth=0):
        """One request; its errno, and whether the nth allocation failed."""
        flags = onramp_genl.DUMP if command in ("FLOW_GET", "PATH_GET") else onramp_genl.ACK
        code = 0
        failing.arm(nth)
        try:
            socks[host].ask(N[f"ONRAMP_CMD_{command}"], payload, flags)
        except onramp_genl.Refused as why:
            code = why.errno
        except OSError as why:
            code = why.errno
        failed = failing.left() == 0 < nth
        if code:            # an answer that was lost may still be there, or half a dump
            socks[host].socket.close()
            socks[host] = testbed.family_of(host)
        return code, failed

    for command, host, payload, undo in (
            ("CLOCK_SET", "a", line(5), None), ("LIMITS_SET", "a", attrs(("MAX_FLOWS", U32(9))), None),
            ("FLOW_GET", "a", b"", None), ("PATH_GET", "a", b"", None), ("STATS_GET", "a", b"", None),
            ("ACKER_GET", "b", b"", None), ("PEER_ADD", "b", prefix, ("PEER_DEL", prefix)),
            ("ACKER_DEV_ADD", "b", device, ("ACKER_DEV_DEL", device)),
            ("ACKER_SET", "b", attrs(("ACKER_MAX_FLOWS", U32(99))), ("ACKER_SET", attrs(("ACKER_MAX_FLOWS", U32(16384)))))):
        wrong, refused, nth, failed = "", 0, 0, True
        while failed and nth < 200:
            nth += 1
            code, failed = once(host, command, payload, nth)
            refused += code != 0
            # ENOBUFS: it was done, but there was no memory to say so.
            if code not in (0, errno.ENOMEM, errno.ENOBUFS):
                wrong = wrong or f"allocation {nth}: {os.strerror(code)}"
            undone = once(host, *undo)[0] if undo else 0
            if undone != (errno.ENOENT if undo and undo[0] != "ACKER_SET" and code == errno.ENOMEM else 0) and \
                    code != errno.ENOBUFS:
                wrong = wrong or f"allocation {nth}: {code}, and its undoing ended with {undone}"
        ok(not failed and refused and not wrong, f"{command}: each of {nth - 1} allocations fails once, and refuses it or not",
           wrong)
    for sock in socks.values():
        sock.socket.close()


def packet(number):
    """The first packet of a flow of its own, TCP over IPv4, to nobody."""
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 140, 1, 0, 64, 6, 0, socket.inet_aton("10.1.0.1"), socket.inet_aton("10.1.0.2"))
    return bytes(12) + b"\x08\0" + ip + struct.pack(">HHIIBBHHH", number, 80, 1, 1, 0x50, 16, 1000, 0, 0) + bytes(100)


def new_flows():
    """Each allocation for a new flow fails: the packet of its socket leaves, in a queue or not, measured or not."""
    run("ip -n a link add d0 type dummy")
    run("ip netns exec a sysctl -q net.ipv6.conf.d0.disable_ipv6=1")
    run("ip -n a link set d0 up")
    run(f"tc -n a qdisc replace dev d0 root handle 1: onramp {HOLD}")
    family, failing = testbed.family_of("a"), Failing()
    was = testbed.stats(family)
    failslab(ignore_gfp_wait="N")
    sent, refused, nth, failed = 0, 0, 0, True
    with Inside("a"), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.bind(("d0", 0x0800))
        while failed and nth < 100:
            nth, failed = nth + 1, False
            # Which allocation the nth is may differ: the kernel fills its own stores now and then.
            for turn in range(TIMES):
                failing.arm(nth)
                try:
                    wire.send(packet(TIMES * nth + turn))
                    sent += 1
                except OSError:
                    refused += 1
                failed = failing.left() == 0 or failed
    shown = json.loads(attempt("tc -n a -s -j qdisc show dev d0")[1])[0]
    now = testbed.less(testbed.stats(family), was)
    ok(not failed and sent > 2 and shown["packets"] == sent and not shown["drops"],
       f"a new flow: each of {nth - 1} allocations fails, {TIMES} times, and but for {refused} of the packet itself it leaves", shown)
    ok(shown["alloc_errors"] >= 2 and now["flows_failed"] and shown["measured"] < sent,
       "no memory for its queue, for its hold, and for its records: each is counted", shown, now)
    family.socket.close()
    run("ip -n a link del d0")
