#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""On-Ramp under traffic while everything about it is changed, taken away, or fails, as TAP.

    reconfigure.py [PART...]

Whatever happens to qdiscs, modules, devices and memory, a TCP transfer that lives through it comes whole. With FULL in
the environment there is more of each.
"""

import json
import os
import random
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import testbed
import acker_hosts
import onramp_genl
import shortage
from testbed import HOLD, N, U8, U32, Flood, Transfer, attrs, line, qdisc, attempt, shown, unloaded
from script import Inside, finish, result as ok, run

FULL = "FULL" in os.environ
RTM = os.path.join(testbed.SELFTESTS, "tc-testing/rtm_qdisc.py")
MODULES = ("sch_onramp", "onramp_acker", "onramp")
# Longer than the second of a first back-off and the two of the next.
BACKOFF_S = 10
SOL_NETLINK, NETLINK_ADD_MEMBERSHIP = 270, 1

# Settings of a change, each valid whatever the others are.
ARGS = {
    "limit": ("1", "10", "10000"), "flow_limit": ("1", "20", "100"), "buckets": ("1", "4", "1024", "65536"),
    "quantum": ("300", "3028", "65536"), "initial_quantum": ("1500", "15140"), "orphan_mask": ("0", "1", "1023"),
    "refill_delay": ("1us", "40ms"), "low_rate_threshold": ("1kbit", "550kbit", "1gbit"), "timer_slack": ("0ns", "10us"),
    "ce_threshold": ("1us", "1s"), "horizon": ("1ms", "10s"), "horizon_drop": ("",), "horizon_cap": ("",),
    "pacing": ("",), "nopacing": ("",), "maxrate": ("20mbit", "1gbit", "0"), "law": ("final", "strawman", "weighted"),
    "g": ("1/1", "1/16", "1/1024"), "max_hold": ("1us", "5ms", "1s"), "threshold": ("auto", "1us", "200us", "1s"),
    "margin": ("10us", "1ms"), "clock": ("system error 1us", "system error 1ms", "published"), "max_error": ("1us", "1ms"),
    "path_fresh": ("1us", "1s"), "record_idle": ("1ms", "1s"), "nic_comp": ("on", "off"), "link_rate": ("0", "100mbit"), "remember": ("0", "16kb"), "sojourn_hist": ("on", "off"),
    "mode": ("off", "observe", "hold"), "weights": ("16384 16384 16384", "589824 196608 65536"),
}


class Changes:
    """Things to do, each a method that returns what is wrong, or ""."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.near, self.far = testbed.family_of("a"), acker_hosts.Genl("b")
        self.monitored = testbed.family_of("a")
        reply = self.monitored.socket
        reply.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, self.group())
        reply.setblocking(False)
        self.events = 0

    def group(self):
        """The number of the monitors' group."""
        self.near.id, family = onramp_genl.CTRL, self.near.id
        reply = self.near.ask(onramp_genl.CTRL_GETFAMILY, onramp_genl.attribute(onramp_genl.CTRL_FAMILY_NAME, b"onramp\0"))[0]
        self.near.id = family
        group = onramp_genl.attributes(next(iter(onramp_genl.attributes(reply[7]).values())))
        return struct.unpack("=I", group[2])[0]

    def close(self):
        """Give the namespaces free."""
        for sock in (self.near.socket, self.monitored.socket, self.far.sock):
            sock.close()

    def change(self):
        """Some parameters."""
        names = self.random.sample(list(ARGS), self.random.randint(1, 5))
        for one, other in (("horizon_drop", "horizon_cap"), ("pacing", "nopacing")):
            if one in names and other in names:
                names.remove(one)
        settings = " ".join(f"{name} {self.random.choice(ARGS[name])}" for name in names)
        failed, why = attempt(f"tc -n a qdisc change dev v root onramp {settings}")
        return why if failed else ""

    def mode(self):
        """The mode, and back to what holds."""
        for mode in self.random.sample(("off", "observe", "hold"), 3):
            failed, why = attempt(f"tc -n a qdisc change dev v root onramp mode {mode}")
            if failed:
                return why
            time.sleep(0.001)
        return ""

    def refuse(self):
        """Requests that must be refused, and change nothing."""
        numbers = list(range(1, 60))
        attributes = [f"{self.random.choice(numbers)}=hex:{self.random.randbytes(3).hex()}" for _ in range(2)]
        before = shown()
        failed, why = attempt(f"ip netns exec a python3 {RTM} --kind onramp change v {' '.join(attributes)}")
        return "" if failed and shown() == before else f"{attributes}: {why}"

    def replace(self):
        """By another qdisc, or nothing, and back."""
        other = self.random.choice(("fq", "pfifo limit 100", "fq_codel", "onramp mode off", ""))
        if other:
            qdisc(other)
        else:
            run("tc -n a qdisc del dev v root")
        time.sleep(0.002)
        qdisc("onramp " + HOLD)
        return ""

    def below(self):
        """As a leaf, of mq and others."""
        if self.random.randrange(2):
            qdisc("mq")
            parents = [f"1:{queue}" for queue in (1, 2, 3, 4)]
        else:
            qdisc("prio bands 2 priomap 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1")
            parents = ["1:1", "1:2"]
        for _ in range(2):
            for parent in parents:
                run(f"tc -n a qdisc replace dev v parent {parent} pfifo")
                run(f"tc -n a qdisc replace dev v parent {parent} onramp {HOLD}")
            time.sleep(0.002)
        failed, why = attempt(f"tc -n a qdisc change dev v parent {parents[-1]} onramp mode observe limit 5")
        qdisc("onramp " + HOLD)
        return why if failed else ""

    def in_use(self):
        """Modules that must not go."""
        taken = [name for name in ("sch_onramp", "onramp") if not attempt(f"rmmod {name}")[0]]
        return f"{taken} went" if taken else ""

    def dumps(self):
        """All dumps, of both kinds of sockets."""
        for command in ("FLOW_GET", "PATH_GET"):
            self.near.ask(N[f"ONRAMP_CMD_{command}"], flags=onramp_genl.DUMP)
        for command in ("STATS_GET", "CLOCK_GET"):
            self.near.ask(N[f"ONRAMP_CMD_{command}"])
        self.far.get()
        self.far.dump("PEER_GET")
        self.far.dump("ACKER_DEV_GET")
        try:
            while self.monitored.socket.recv(65536):
                self.events += 1
        except BlockingIOError:
            pass
        failed, why = attempt("tc -n a -s -j qdisc show dev v")
        return why if failed else ""

    def limits(self):
        """Set random limits of flows and paths."""
        flows, paths = (self.random.choice((1, 2, 4, 65536)) for _ in range(2))
        self.near.ask(N["ONRAMP_CMD_LIMITS_SET"], attrs(("MAX_FLOWS", U32(flows)), ("MAX_PATHS", U32(paths))))
        return ""

    def clock(self):
        """Set the clocks of both hosts."""
        epoch, valid_ns = self.random.randint(1, 3), self.random.choice((1, 10**6, 10**9))
        self.near.ask(N["ONRAMP_CMD_CLOCK_SET"], line(epoch, valid_ns))
        self.far.clock(self.random.choice((0, 1000, 10**6)))
        return ""

    def acker(self):
        """Settings, prefixes and devices of the receiver."""
        self.far.settings(every=self.random.choice((1, 10, 1000)), delay=self.random.choice((1000, 20000, 10**8)),
                          idle=self.random.choice((10**4, 10**5, 10**10)), rate=self.random.choice((1, 10**6)),
                          max_flows=self.random.choice((1, 3, 16384)))
        self.far.peer("DEL", "10.0.0.0/24")
        self.far.device("DEL", acker_hosts.index_of("b", "v"))
        time.sleep(0.001)
        self.far.settings(every=10, delay=20000, idle=100000, rate=1000000, max_flows=16384)
        self.far.peer("ADD", "10.0.0.0/24")
        code, why = self.far.device("ADD", acker_hosts.index_of("b", "v"))
        return why if code else ""

    def reload(self):
        """The receiver's module."""
        failed, why = attempt("rmmod onramp_acker")
        run("modprobe onramp_acker")
        self.far.sock.close()
        self.far = acker_hosts.Genl("b")
        testbed.accept(self.far)
        return why if failed else ""

    def down(self):
        """The sender's device, and up again."""
        run("ip -n a link set v down")
        time.sleep(0.001)
        run("ip -n a link set v up")
        return ""

    def rename(self):
        """The receiver's device."""
        run("ip -n b link set v down")
        run("ip -n b link set v name w")
        run("ip -n b link set w up")
        time.sleep(0.002)
        attached = self.far.dump("ACKER_DEV_GET")
        run("ip -n b link set w down")
        run("ip -n b link set w name v")
        run("ip -n b link set v up")
        return "" if len(attached) == 1 else f"attached: {attached}"


OFTEN = ("change", "mode", "refuse", "replace", "below", "in_use", "dumps", "limits", "clock", "acker", "reload")
SELDOM = ("down", "rename")
# Qdiscs that drop no packet.
GENTLE = tuple(name for name in OFTEN if name not in ("change", "replace", "below"))


def changes():
    """Anything, in any order."""
    for seed in range(6 if FULL else 2):
        transfer = Transfer(flows=8, size=1_000_000, seed=seed)
        flood = Flood("b", "v", 400, 4)
        doing = Changes(seed)
        todo = [name for name in OFTEN for _ in range(6)] + [name for name in SELDOM for _ in range(2)]
        doing.random.shuffle(todo)
        wrong = {}
        for name in todo:
            why = getattr(doing, name)()
            if why:
                wrong.setdefault(name, why)
            time.sleep(doing.random.choice((0.001, 0.003, 0.01)))
        for name in OFTEN + SELDOM:
            ok(name not in wrong, f"under traffic: {name} ({getattr(Changes, name).__doc__.rstrip('.').lower()}), {seed}",
               wrong.get(name))
        qdisc("onramp " + HOLD)
        flood.end()
        _, why = transfer.end()
        ok(not why, f"what is sent comes, {seed}", why)
        ok(doing.events, f"monitors received events, {seed}")
        doing.close()


def gentle():
    """TCP sends nothing again where no packet is lost: the qdisc drops none."""
    qdisc("onramp " + HOLD)
    transfer = Transfer(flows=8, size=1_000_000)
    doing = Changes(100)
    for name in GENTLE * (6 if FULL else 2):
        getattr(doing, name)()
        time.sleep(0.003)
    _, why = transfer.end()
    stats = testbed.qdisc_stats("a")
    ok(not why and not stats["drops"] and stats["bytes"] > 8_000_000, "under traffic: what takes no packet away loses none", why, stats)
    doing.close()


def keys():
    """The key of OR-ACKs is changed under a transfer and lies, and none of them is lost by that."""
    qdisc("onramp " + HOLD)
    hosts = [testbed.family_of(name) for name in "ab"]
    acker = acker_hosts.Genl("b")

    def both(command, *pairs):
        for family in hosts:
            family.ask(N[f"ONRAMP_CMD_KEY_{command}"], attrs(("GROUP", U32(7)), *pairs))

    def add(number):
        both("ADD", ("KEY_ID", U8(number)), ("KEY", random.Random(number).randbytes(16)))

    hosts[0].ask(N["ONRAMP_CMD_LIMITS_SET"], attrs(("MAX_FLOWS", U32(65536)), ("MAX_PATHS", U32(65536))))
    add(0)
    both("SET", ("KEY_REQUIRE", U8(1)))
    both("PEER_ADD", ("PREFIX", socket.inet_aton("10.0.0.0")), ("PREFIX_LEN", U8(24)))
    time.sleep(0.1)             # the last OR-ACKs of before
    was, acked = testbed.stats(hosts[0]), acker.stats()

    def there():
        """Whether all that was signed until now has come: they come in their order."""
        signed = testbed.less(acker.stats(), acked)["datagrams"]
        return acker_hosts.soon(lambda: testbed.less(testbed.stats(hosts[0]), was)["acks_signed"] >= signed, BACKOFF_S)

    rounds = 12 if FULL else 4
    transfer = Transfer(flows=8, size=500_000)
    # Lies are about flows that are there.
    acker_hosts.soon(lambda: testbed.less(testbed.stats(hosts[0]), was)["acks_signed"] > 0, BACKOFF_S)
    flood = Flood("b", "v", 50 * rounds, 4, ["any-time"])
    for number in range(1, rounds + 1):
        add(number)
        both("ROTATE", ("KEY_ID", U8(number)))
        time.sleep(0.01)        # until what the old one is signing now is counted
        there()
        both("DEL", ("KEY_ID", U8(number - 1)))
    sent = sum(flood.end()[0].values())
    _, why = transfer.end()
    time.sleep(0.1)             # a receiver's last timer
    there()
    core = testbed.less(testbed.stats(hosts[0]), was)
    acked = testbed.less(acker.stats(), acked)
    drops = testbed.qdisc_stats("a")["drops"]
    both("DEL")
    ok(not why and not drops, f"{rounds} keys under traffic: what is sent comes, nothing is dropped", why, drops)
    ok(0 < core["acks_signed"] == acked["datagrams"], f"{rounds} keys under traffic: each OR-ACK is taken, by the one or the other",
       core, acked)
    lies = sum(core[f"acks_{name}"] for name in ("unsigned", "unknown_key", "forged", "replayed", "stale", "bad", "unknown_peer",
                                           "unknown_flow"))
    ok(lies == sent > 0 and core["holds"], f"{rounds} keys under traffic: lies are not, and flows are held", sent, core)
    for sock in (*(family.socket for family in hosts), acker.sock):
        sock.close()


def unload():
    """All modules, and back."""
    transfer = Transfer(flows=8, size=500_000)
    wrong = ""
    for _ in range(10 if FULL else 4):
        time.sleep(0.005)
        run("tc -n a qdisc del dev v root")
        wrong = wrong or unloaded(*MODULES)
        time.sleep(0.002)
        run("modprobe -a sch_onramp onramp_acker")
        qdisc("onramp " + HOLD)
        acker = acker_hosts.Genl("b")
        testbed.accept(acker)
        acker.sock.close()
    _, why = transfer.end()
    ok(not wrong, "rmmod of all under traffic, and back", wrong)
    ok(not why, "what is sent comes", why)


def flow_entries(acker):
    """How many OR-ACKs there were."""
    return acker.stats()["entries"]


def acked(flow, acker):
    """Is the flow acked? It may take as long as the acker still backs off for OR-ACKs that were refused before."""
    until = time.monotonic() + BACKOFF_S
    while True:
        flow.send(30000)
        before = flow_entries(acker)
        flow.send(30000)
        if flow_entries(acker) > before:
            return True
        if time.monotonic() > until:
            return False
        time.sleep(0.1)


def moved():
    """A receiver's device goes and comes again, in its namespace and by way of another, with its number or a new one."""
    qdisc("fq")
    ears = acker_hosts.Listener("a")
    flow = acker_hosts.Flow("a", "b", "10.0.0.2")
    acker = acker_hosts.Genl("b")
    for what, commands in (
            ("another takes its place", ("ip -n b link del v", "ip link add v netns b type veth peer name pb netns r",
                                         "ip -n r link set pb master bridge up")),
            ("it goes to another namespace and back", ("ip -n b link set v netns r", "ip -n r link set v netns b"))):
        attached = acked(flow, acker)
        for command in commands:
            run(command)
        detached = not acker.dump("ACKER_DEV_GET")
        run("ip -n b addr add 10.0.0.2/24 dev v")
        run("ip netns exec b ethtool -K v tso off gso off gro off")
        run("ip -n b link set v up")
        acker.device("ADD", acker_hosts.index_of("b", "v"))
        ok(attached and detached and acked(flow, acker), f"the receiver's device: {what}, and its flow is acked again",
           attached, detached, acker.stats())
    flow.close()
    ears.sock.close()
    acker.sock.close()
    run("ip -n b addr add fd00::2/64 dev v nodad")
    subprocess.run("tc -n r qdisc add dev pb root tbf rate 100mbit burst 1600 limit 250kb".split(), check=False)


class Forger:
    """The peer at the other end of a device: sends TCP from our host, unasked, and answers it. Nobody else sends there."""

    def __init__(self):
        # Packets of router discovery and of groups are counted, too.
        run("ip netns exec k sysctl -qw net.ipv6.conf.v.disable_ipv6=1")
        with Inside("k"):
            self.near = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM)
            self.near.bind(("v", 0x0800))
        with Inside("l"):
            self.far = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.far.bind(("10.9.0.2", acker_hosts.PORT))
        # An answer to ARP would have to wait, too.
        run(f"ip -n l neigh add 10.9.0.1 lladdr {self.near.getsockname()[4].hex(':')} dev v nud permanent")

    def send(self, seq, to="10.9.0.2", port=5):
        """A packet of 1000 bytes from a port to port 6, not of any socket's flow."""
        self.emit(6, struct.pack("!HHIIBBHHH", port, 6, seq, 0, 0x50, 0x10, 0, 0, 0) + bytes(1000), to)

    def datagram(self):
        """One that is not TCP."""
        self.emit(17, struct.pack("!HHHH", 5, 6, 108, 0) + bytes(100), "10.9.0.2")

    def emit(self, proto, data, to):
        """IPv4."""
        head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(data), 0, 0, 64, proto, 0, socket.inet_aton("10.9.0.1"),
                           socket.inet_aton(to))
        self.near.sendto(head + data, ("v", 0x0800, 0, 0, b"\2\0\0\0\0\1"))

    def ack(self, seq, rx_ns):
        """Its arrival."""
        self.far.sendto(struct.pack("!BBBBIII", 1, 0, 1, 1, 0, 100, 1) +
                        struct.pack("!HHIHBBQ", 5, 6, seq, 1000, 6, 1, rx_ns), ("10.9.0.1", acker_hosts.PORT))


def kicked():
    """A queue that was kicked, gets a packet of a flow for which core has no space, and is reset."""
    acker_hosts.pair("k", "l", "v", 9)
    run("tc -n k qdisc add dev v root handle 1: tbf rate 1kbit burst 1600 limit 1mb")
    run("tc -n k qdisc add dev v parent 1:1 onramp orphan_mask 0 mode hold clock system error 1us threshold 1us max_hold 1s")
    family = testbed.family_of("k")
    family.ask(N["ONRAMP_CMD_LIMITS_SET"], attrs(("MAX_PATHS", U32(1))))
    run("ip netns exec k onrampctl peers add 10.9.0.2/32")      # for whom no stranger's flow takes the space
    forger = Forger()
    forger.send(0)          # leaves, and takes all tokens with it
    sent_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
    for seq in (1000, 2000, 3000):
        forger.send(seq)    # the first waits for tokens, in nobody's queue
    time.sleep(0.1)
    for later_ns in (90_000_000, 20_000_000):
        forger.ack(0, sent_ns + later_ns)
        time.sleep(0.001)
    before = testbed.stats(family)
    forger.send(0, "10.9.0.3")
    after = testbed.stats(family)
    run("ip -n k link set v down")
    run("ip -n k link set v up")
    forger.near.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)      # that it was down
    for seq in range(4000, 10000, 1000):
        forger.send(seq)
    time.sleep(0.1)
    run("tc -n k qdisc del dev v root")
    run("tc -n k qdisc add dev v root onramp")
    ok(before["holds"] == 2 and after["flows_failed"] == before["flows_failed"] + 1,
       "a kicked queue whose next flow finds no space is reset", before, after)
    forger.near.close()
    forger.far.close()
    family.socket.close()
    testbed.gone("k", "l")


def one_for_all():
    """A queue of all that is nobody's: what is not TCP passes what is held in it, and whose packet comes last has the hold."""
    acker_hosts.pair("k", "l", "v", 9)
    # With a rate nothing takes the way of those that need no queue.
    run("tc -n k qdisc add dev v root onramp maxrate 10gbit orphan_mask 0 mode hold clock system error 1us threshold 1us max_hold 1s")
    forger = Forger()
    forger.send(0)
    sent_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
    time.sleep(1)
    forger.ack(0, sent_ns + 990_000_000)
    held_ns = time.monotonic_ns() + 900_000_000     # what the hold lasts at least: T is above the first delay by its margin
    forger.send(1000)
    waits = testbed.qdisc_stats("k")
    forger.datagram()
    passed = testbed.qdisc_stats("k")
    time.sleep(0.01)        # the path's delay is no news any more, by which it would be held, too
    forger.send(0, port=7)
    over, late = testbed.qdisc_stats("k"), time.monotonic_ns() > held_ns
    ok(waits["qlen"] == 1 or late, "a packet of a flow that is held waits in the queue of all", waits, late)
    ok((passed["qlen"], passed["overtakes"]) == (1, 1) or late, "a datagram passes it", passed, late)
    ok(not over["qlen"], "a flow that is not held has the queue's hold from its packet on, and it leaves at once", over)
    forger.near.close()
    forger.far.close()
    testbed.gone("k", "l")


def teardown():
    """Namespaces end with packets held, timers running and dumps begun."""
    for number in range(8 if FULL else 4):
        near, far, between = f"x{number}", f"y{number}", f"z{number}"
        testbed.hosts("1mbit", near, far, between)
        acker = acker_hosts.Genl(far)
        testbed.accept(acker, far)
        acker.settings(delay=100_000_000)
        # Bounds so wide that what a slow machine does late is no reason to suspect the path, on which nothing is held then.
        qdisc("onramp mode hold clock system error 100ms max_error 1s threshold 100ms max_hold 1s law strawman", near)
        transfer = Transfer(flows=4, size=10_000_000, near=near, far=far)
        held = acker_hosts.soon(lambda name=near: shown_stats(name)["throttled_flows"] and shown_stats(name)["holds"])
        family = testbed.family_of(near)
        family.socket.send(struct.pack("=IHHII", 20, family.id, onramp_genl.REQUEST | onramp_genl.DUMP, 1, 0) +
                           struct.pack("=BBH", N["ONRAMP_CMD_FLOW_GET"], 1, 0))
        for name in random.Random(number).sample((near, far, between), 3):
            run(f"ip netns del {name}")
            time.sleep(0.005)
        # A socket holds its namespace: now, with no name, they go.
        acker.sock.close()
        family.socket.close()
        transfer.kill()
        ok(held, f"namespaces end while packets are held, {number}")


def shown_stats(name):
    """Counters of the root qdisc."""
    return json.loads(attempt(f"tc -n {name} -s -j qdisc show dev v")[1])[0]


def main():
    run("modprobe -a sch_onramp onramp_acker")
    testbed.hosts()
    acker = acker_hosts.Genl("b")
    testbed.accept(acker)
    acker.sock.close()
    qdisc("onramp " + HOLD)
    parts = [changes, gentle, keys, unload, moved, kicked, one_for_all, teardown]
    if os.path.exists(shortage.FAILSLAB):
        parts += [shortage.short, shortage.new_flows, shortage.requests, shortage.loading]
    for part in parts:
        if part.__name__ in sys.argv[1:] or not sys.argv[1:]:
            part()
    testbed.gone("a", "b", "r")
    why = unloaded(*MODULES)
    ok(not why, "all modules go in the end", why)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
