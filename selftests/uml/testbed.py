# SPDX-License-Identifier: GPL-2.0
"""Hosts for On-Ramp to be maltreated on, and transfers whose bytes are held against each other.

    a (10.0.0.1, fd00::1) v == pa r (bridge) pb [tbf] == v (10.0.0.2, fd00::2) b

The bridge hands on whatever frames it is given. TCP goes from a to b, through the slow port, OR-ACKs come back.
"""

import errno
import json
import os
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import time
import zlib

sys.dont_write_bytecode = True
SELFTESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(SELFTESTS, "net"))
# pylint: disable=wrong-import-position
import onramp_genl
from acker_hosts import index_of
from script import Inside, run

# Where the CPU takes time, as in a machine with two, how long something takes says nothing of a qdisc.
TIMED = "CPU_TAKES_TIME" not in os.environ
FLOOD = os.path.join(SELFTESTS, "../build/selftests/flood")
N, STATS = onramp_genl.numbers(os.path.dirname(SELFTESTS))
PORT = 7000
BLOCK = 65536
# Effect of a port of 100 Mbit/s on a queue: 50 us are less than a packet.
HOLD = "mode hold clock system error 1us threshold 200us"
U8, U32, U64, S64 = (struct.Struct(f"={kind}").pack for kind in "BIQq")


def host(name, number, peer, there):
    """A namespace with a device v, on the bridge in r."""
    run(f"ip netns add {name}")
    run(f"ip -n {name} link set lo up")
    run(f"ip link add v netns {name} numtxqueues 4 type veth peer name {peer} netns {there}")
    run(f"ip -n {name} addr add 10.0.0.{number}/24 dev v")
    run(f"ip -n {name} addr add fd00::{number}/64 dev v nodad")
    run(f"ip netns exec {name} ethtool -K v tso off gso off gro off")
    run(f"ip -n {name} link set v up")
    run(f"ip -n {there} link set {peer} master bridge up")


def hosts(rate="100mbit", near="a", far="b", between="r"):
    """Both hosts and what is between them."""
    run(f"ip netns add {between}")
    run(f"ip -n {between} link add name bridge type bridge")
    run(f"ip -n {between} link set bridge up")
    host(near, 1, "pa", between)
    host(far, 2, "pb", between)
    run(f"tc -n {between} qdisc add dev pb root tbf rate {rate} burst 1600 limit 250kb")


def accept(acker, name="b"):
    """The acker of a host acks the other."""
    acker.clock(1000)
    for prefix in ("10.0.0.0/24", "10.5.0.0/24", "fd00::/64"):
        acker.peer("ADD", prefix)
    acker.device("ADD", index_of(name, "v"))


def gone(*names):
    """Namespaces end."""
    for name in names:
        run(f"ip netns del {name}")


def stats(family):
    """On-Ramp's counters of a namespace, by a socket in it."""
    reply = family.ask(N["ONRAMP_CMD_STATS_GET"])[0]
    found = dict(zip(STATS, struct.unpack(f"={len(STATS)}q", reply[N["ONRAMP_A_STATS"]])))
    for name in ("ACKS", "ACKS_BAD", "ACKS_UNKNOWN_PEER", "ACKS_UNKNOWN_FLOW", "ACKS_FORWARDED", "ACKS_SIGNED", "ACKS_UNSIGNED", "ACKS_UNKNOWN_KEY",
                 "ACKS_FORGED", "ACKS_REPLAYED", "ACKS_STALE"):
        found[name.lower()] = struct.unpack("=Q", reply[N[f"ONRAMP_A_{name}"]])[0]
    return found


def qdisc_stats(name):
    """The counters of a host's root qdisc."""
    done = subprocess.run(["tc", "-n", name, "-s", "-j", "qdisc", "show", "dev", "v"], check=True, capture_output=True)
    return json.loads(done.stdout)[0]


def family_of(name):
    """A socket of the family onramp."""
    with Inside(name):
        return onramp_genl.Family("onramp")


def less(after, before):
    """Counts in between."""
    return {name: after[name] - before[name] for name in after}


class Child:
    """A function in a process of its own, in a namespace; what it returns is its result."""

    def __init__(self, name, function, *args):
        self.pipe, far = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(far)
            return
        status = 1
        try:
            with Inside(name):
                os.write(far, repr(function(*args)).encode())
            status = 0
        except OSError as why:
            os.write(2, f"# {why}\n".encode())
        finally:
            os._exit(status)

    def result(self):
        """Wait for it."""
        text = b""
        while part := os.read(self.pipe, 65536):
            text += part
        os.close(self.pipe)
        os.waitpid(self.pid, 0)
        return eval(text.decode(), {}) if text else None    # pylint: disable=eval-used

    def kill(self):
        """It will not end by itself any more."""
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.pipe)
        os.waitpid(self.pid, 0)


def sink(server, flows):
    """Take all that flows bring: {first byte: (bytes, CRC)}, and when the last was done."""
    poll, found, begun = select.poll(), {}, {}
    poll.register(server, select.POLLIN)
    while len(found) < flows:
        for fd, _ in poll.poll():
            if fd == server.fileno():
                sock = server.accept()[0]
                begun[sock.fileno()] = [sock, 0, 0, None]
                poll.register(sock, select.POLLIN)
                continue
            state = begun[fd]
            data = state[0].recv(1 << 20)
            state[1], state[2] = state[1] + len(data), zlib.crc32(data, state[2])
            if data and state[3] is None:
                state[3] = data[0]
            if not data:
                poll.unregister(fd)
                found[state[3]] = (state[1], state[2])
                begun.pop(fd)[0].close()
    return found, time.monotonic_ns()


def connect(sock, to):
    """Connect, again while there is no memory for it."""
    while True:
        try:
            return sock.connect(to)
        except OSError as why:
            if why.errno not in (errno.ENOMEM, errno.ENOBUFS):
                raise
        time.sleep(0.01)


def source(flows, size, to, seed):
    """Send flows of a size each: {first byte: (bytes, CRC)}, and when it began."""
    family = socket.AF_INET6 if ":" in to[0] else socket.AF_INET
    start, poll, left, sent = time.monotonic_ns(), select.poll(), {}, {}
    for flow in range(flows):
        block = bytes([flow]) + random.Random(seed * 1000 + flow).randbytes(BLOCK - 1)
        sock = socket.socket(family, socket.SOCK_STREAM)
        connect(sock, to)
        sock.setblocking(False)
        left[sock.fileno()] = [sock, block, 0, 0, flow]
        poll.register(sock, select.POLLOUT)
    while left:
        for fd, _ in poll.poll():
            state = left[fd]
            at = state[2] % BLOCK
            data = state[1][at:at + min(BLOCK - at, size - state[2])]
            try:
                count = state[0].send(data)
            except BlockingIOError:     # poll() promises no memory
                continue
            state[2], state[3] = state[2] + count, zlib.crc32(data[:count], state[3])
            if state[2] == size:
                poll.unregister(fd)
                sent[state[4]] = (state[2], state[3])
                left.pop(fd)[0].close()
    return sent, start


class Transfer:
    """TCP flows from one namespace to another."""

    def __init__(self, flows=8, size=250_000, address="10.0.0.2", near="a", far="b", seed=1):
        self.want = flows, size
        with Inside(far):
            server = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind(("", PORT))
            server.listen(100)
        self.sink = Child(far, sink, server, flows)
        self.source = Child(near, source, flows, size, (address, PORT), seed)
        server.close()

    def end(self):
        """Wait; return (virtual seconds, complaint or "")."""
        sent, came = self.source.result(), self.sink.result()
        if not sent or not came:
            return 0, "an end of it died"
        flows, size = self.want
        whole = len(sent[0]) == flows and {bytes_sent for bytes_sent, _ in sent[0].values()} == {size}
        if not whole or sent[0] != came[0]:
            return 0, f"sent {sent[0]}, came {came[0]}"
        return (came[1] - sent[1]) / 1e9, ""

    def kill(self):
        """Nobody waits for it."""
        self.source.kill()
        self.sink.kill()


class Flood:
    """The tool, in a namespace, listening; what it sent is known when it has ended."""

    seed = 0

    def __init__(self, name, dev, ms, per_ms, kinds=()):
        Flood.seed += 1
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(["ip", "netns", "exec", name, FLOOD, dev, str(ms), str(per_ms), str(Flood.seed),
                                         *kinds], stdout=subprocess.PIPE, text=True)
        # It spoils what it hears, so whatever follows must not be over before it listens.
        self.process.stdout.readline()

    def end(self):
        """Wait; return ({class: frames}, kinds of which there was none)."""
        text = self.process.communicate()[0]
        found, never = {}, []
        for kind, counted, count in (line.split() for line in text.splitlines()):
            found[counted] = found.get(counted, 0) + int(count)
            never += [kind] * (count == "0")
        if self.process.returncode:
            never.append(f"and it ended with status {self.process.returncode}")
        return found, never


def kinds(data):
    """Names of the tool's kinds, of OR-ACKs or of data."""
    text = subprocess.run([FLOOD, "lo", "1", "1", "1"], check=True, capture_output=True, text=True).stdout
    names = [line.split()[0] for line in text.splitlines()[1:]]
    return [name for name in names if data == (name.startswith("data-") or name.endswith("refusal"))]


def attempt(command):
    """Run a command; (whether it failed, its output)."""
    done = subprocess.run(command.split(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout.strip()


def qdisc(arguments, name="a"):
    """A new root qdisc."""
    run(f"tc -n {name} qdisc replace dev v root bfifo")
    run(f"tc -n {name} qdisc replace dev v root handle 1: {arguments}")


def shown(name="a"):
    """Settings of the qdiscs."""
    return json.loads(attempt(f"tc -n {name} -j qdisc show dev v")[1])


def attrs(*pairs):
    """Attributes of a request."""
    return b"".join(onramp_genl.attribute(N[f"ONRAMP_A_{kind}"], data) for kind, data in pairs)


def line(epoch, valid_ns=10**9):
    """A clock that is published."""
    return attrs(("CLOCK_ID", U8(2)), ("CLOCK_ERROR", U32(1000)), ("CLOCK_BASE", U8(0)), ("CLOCK_OFFSET", S64(0)),
                 ("CLOCK_REF", S64(time.clock_gettime_ns(time.CLOCK_REALTIME))), ("CLOCK_VALID", U64(valid_ns)),
                 ("CLOCK_EPOCH", U32(epoch)))


def unloaded(*modules):
    """Take modules out, as soon as the namespaces that used them have ended; what is wrong, or ""."""
    why = ""
    for _ in range(100):
        failed, why = attempt("rmmod " + " ".join(modules))
        modules = [name for name in modules if os.path.exists(f"/sys/module/{name}")]
        if not modules:
            return ""
        time.sleep(0.1)
    return why or f"{failed}"
