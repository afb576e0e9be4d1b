#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""One of two machines with On-Ramp from one to the other, as TAP, by Debian's virtio_net and then by the patched one.

    two.py a|b

a (10.0.0.1) sends to b (10.0.0.2) by a slow wire outside of both. Clocks are the systems': a sets its own by b's, by
exchanges of which the quickest counts, and the half of its round trip, with what the two then still differ by, bounds the
error. That is measured again when all is done.
"""

import glob
import json
import os
import socket
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path[:0] = ["/sharpramp/selftests/net", "/sharpramp/selftests/uml"]
# pylint: disable=wrong-import-position
import testbed
import acker_hosts
import onramp_driver as driver
from script import Inside, finish, result, run

ADDRESS = {"a": "10.0.0.1", "b": "10.0.0.2"}
# By another address, so that what a asks for is not acked and counted as well.
ASIDE = {"a": "fd00::1", "b": "fd00::2"}
CONTROL, ECHO = 7001, 7002
EXCHANGES = 60
FLOWS, SIZE = 4, 600_000
# The wire has 5 Mbit/s and a buffer for 200 ms; an error of the clocks is some ms where the host is busy.
ARGS = "max_error 1s threshold 50ms max_hold 1s path_fresh 1s"
PATIENCE_S = 600


def load(patched):
    """A driver: the one that modprobe finds is patched, Debian's is in the same folder."""
    run("modprobe -a virtio_pci net_failover")
    if patched:
        run("modprobe virtio_net")
    else:
        run("insmod " + glob.glob("/usr/lib/modules/*/kernel/drivers/net/virtio_net.ko")[0])


def unload():
    """The driver and all that is On-Ramp's; the NIC comes back when the namespace has ended."""
    modules = ["sch_onramp", "onramp_acker", "onramp", "virtio_net", "onramp_hook"]
    for _ in range(100):
        there = driver.loaded()
        modules = [name for name in modules if name in there]
        if not modules:
            return
        if subprocess.run(["rmmod", *modules], check=False).returncode:
            time.sleep(0.1)
    sys.exit(f"two: {modules} do not go")


def up(name):
    """The NIC, in a namespace of its own; its name is v."""
    run(f"ip netns add {name}")
    nic = next(dev for dev in os.listdir("/sys/class/net")
               if os.path.basename(os.path.realpath(f"/sys/class/net/{dev}/device/driver")) == "virtio_net")
    run(f"ip link set {nic} netns {name} name v")
    run(f"ip -n {name} link set lo up")
    run(f"ip -n {name} addr add {ADDRESS[name]}/24 dev v")
    run(f"ip -n {name} addr add {ASIDE[name]}/64 dev v nodad")
    run(f"ip -n {name} link set v up")
    run("modprobe -a sch_onramp onramp_acker")


class Receiver:
    """b: does what a asks for."""

    def __init__(self):
        with Inside("b"):
            self.listener = socket.create_server((ASIDE["b"], CONTROL), family=socket.AF_INET6)
            self.echo = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.echo.bind(("", ECHO))
        self.listener.settimeout(PATIENCE_S)
        self.acker = acker_hosts.Genl("b")
        self.child = None

    def clock(self, count):
        """Answer exchanges with when they came and went."""
        self.echo.settimeout(10)
        for _ in range(count):
            data, peer = self.echo.recvfrom(100)
            came = time.time_ns()
            self.echo.sendto(data + b" %d %d" % (came, time.time_ns()), peer)

    def accept(self, error_ns):
        """Ack a's packets; the error of the clocks is sent with a's own."""
        self.acker.clock(1)
        self.acker.settings(every=1, delay=20_000_000, idle=100_000_000)
        codes = [self.acker.peer("ADD", "10.0.0.0/24")[0], self.acker.device("ADD", acker_hosts.index_of("b", "v"))[0]]
        return codes + [error_ns]

    def receive(self, flows):
        """Expect a transfer."""
        with Inside("b"):
            server = socket.create_server(("", testbed.PORT))
        self.child = testbed.Child("b", testbed.sink, server, flows)
        server.close()

    def received(self):
        """Its result."""
        found = self.child.result()
        return sorted([flow, *came] for flow, came in found[0].items())

    def stats(self):
        """The acker's counters."""
        return self.acker.stats()

    def serve(self):
        """Until the line ends."""
        peer = self.listener.accept()[0]
        peer.settimeout(PATIENCE_S)
        with peer, peer.makefile("r") as lines:
            for line in lines:
                name, *numbers = line.split()
                if name == "clock":     # before the first exchange
                    peer.sendall(b"null\n")
                answer = getattr(self, name)(*map(int, numbers))
                if name != "clock":
                    peer.sendall(json.dumps(answer).encode() + b"\n")
        self.acker.sock.close()
        self.echo.close()
        self.listener.close()


class Line:
    """From a to b's Receiver."""

    def __init__(self):
        for _ in range(120):
            with Inside("a"):
                try:
                    self.sock = socket.create_connection((ASIDE["b"], CONTROL), timeout=5)
                    break
                except OSError:
                    time.sleep(0.5)
        self.sock.settimeout(PATIENCE_S)
        self.replies = self.sock.makefile("r")

    def ask(self, *fields):
        """A request's answer."""
        self.sock.sendall(" ".join(map(str, fields)).encode() + b"\n")
        return json.loads(self.replies.readline())

    def close(self):
        """No more."""
        self.replies.close()
        self.sock.close()

    def exchange(self):
        """(ns that b's clock is ahead, by how much that may be wrong), by the quickest of some exchanges."""
        with Inside("a"):
            out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        out.settimeout(10)
        self.ask("clock", EXCHANGES)
        found = []
        for _ in range(EXCHANGES):
            sent = time.time_ns()
            out.sendto(b"%d" % sent, (ADDRESS["b"], ECHO))
            _, came, went = map(int, out.recv(100).split())
            back = time.time_ns()
            found.append(((back - sent) - (went - came), (came - sent + went - back) // 2))
        out.close()
        round_trip, ahead = min(found)
        return ahead, round_trip // 2

    def set_clock(self):
        """Set the own clock by b's; return the bound of what they still differ by, in ns."""
        ahead = self.exchange()[0]
        time.clock_settime_ns(time.CLOCK_REALTIME, time.time_ns() + ahead)
        return self.bound()

    def bound(self):
        """An upper bound of the difference between the clocks."""
        ahead, error = self.exchange()
        return abs(ahead) + error


def send(line, mode, error_ns):
    """A transfer; return whether all came, what was counted at a and at b, and the samples (OWD, stamps of Tx, of Rx)."""
    run("tc -n a qdisc replace dev v root bfifo")
    run(f"tc -n a qdisc replace dev v root onramp mode {mode} clock system error {error_ns}ns {ARGS}")
    family = testbed.family_of("a")
    line.ask("receive", FLOWS)
    before = testbed.stats(family), line.ask("stats")
    driver.trace(f"{driver.TRACING}/trace", "")
    driver.trace(f"{driver.TRACING}/events/onramp/onramp_ack/enable", "1")
    sent = testbed.Child("a", testbed.source, FLOWS, SIZE, (ADDRESS["b"], testbed.PORT), 1).result()
    came = line.ask("received")
    time.sleep(0.5)     # OR-ACKs under way
    driver.trace(f"{driver.TRACING}/events/onramp/onramp_ack/enable", "0")
    acked = testbed.less(line.ask("stats"), before[1])
    counted = testbed.less(testbed.stats(family), before[0])
    family.socket.close()
    with open(f"{driver.TRACING}/trace", encoding="ascii") as file:
        samples = [tuple(map(int, match.groups())) for match in map(driver.ACKED.search, file) if match]
    whole = came == sorted([flow, *did] for flow, did in sent[0].items()) and len(came) == FLOWS
    return whole, counted, acked, samples


def measure(what, line, stamp):
    """Observe, then hold."""
    first = line.set_clock()
    error_ns = 2 * first
    answered = line.ask("accept", error_ns)
    result(answered == [0, 0, error_ns], f"{what}: b acks a's packets", answered)
    for mode in ("observe", "hold"):
        whole, counted, acked, samples = send(line, mode, error_ns)
        name = f"{what}, mode {mode}"
        delay = statistics.median(sample[0] for sample in samples) if samples else 0
        print(f"# {name}: {counted['samples']} samples, {counted['holds']} holds of {counted['hold_ns'] / 1e6:.0f} ms, "
              f"median delay {delay / 1e6:.1f} ms", flush=True)
        result(whole, f"{name}: the bytes of {FLOWS} flows are those that were sent")
        result(0 < counted["acks"] == acked["datagrams"] and not counted["acks_bad"] and not counted["acks_unknown_peer"],
               f"{name}: each OR-ACK that b sends comes to a", counted, acked)
        result(len(samples) == counted["samples"] > FLOWS * 10 and not counted["negative"],
               f"{name}: packets become samples", len(samples), counted)
        result({sample[1:] for sample in samples} == {(stamp, stamp)}, f"{name}: each sample names its sources",
               {sample[1:] for sample in samples})
        held = counted["holds"] > 0 if mode == "hold" else not counted["holds"] and counted["holds_observed"] > 0
        result(held, f"{name}: holds are {'made' if mode == 'hold' else 'counted, not made'}", counted)
    last = line.bound()
    result(last <= error_ns, f"{what}: the clocks stay within the configured error", first, last, error_ns)
    print(f"# {what}: clocks differ by at most {first / 1e6:.2f} ms, {last / 1e6:.2f} in the end; configured: {error_ns / 1e6:.2f}",
          flush=True)


def main():
    name = sys.argv[1]
    for what, patched, stamp in (("Debian's virtio_net", False, driver.TRACEPOINT),
                                 ("patched virtio_net", True, driver.DRIVER)):
        load(patched)
        up(name)
        if name == "b":
            Receiver().serve()
        else:
            line = Line()
            measure(what, line, stamp)
            line.close()
        run(f"ip netns del {name}")
        unload()
    if name == "a":
        return finish()
    return 0


if __name__ == "__main__":
    sys.exit(main())
