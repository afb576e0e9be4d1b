#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Netlink requests to our qdiscs and our generic netlink family, valid ones and broken ones, as TAP.

    netlink_fuzz.py [--show]

For the debug kernel of run_uml.py, which fails the run if the kernel complains. SEED (1), FROM (0) and COUNT (10000) are in the
environment: inputs FROM to FROM + COUNT of a seed. The kernel's log says every 512 inputs which is next. --show prints the
inputs and sends nothing.

An outcome is wrong if the errno is not one of the command, if a request that must be refused is accepted, if a socket without
CAP_NET_ADMIN sets something, or if the state that dumps show differs after a refusal.
"""

import collections
import ctypes
import errno
import os
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../net")]
# pylint: disable=wrong-import-position
import netlink_inputs as inputs  # noqa: E402
import script  # noqa: E402
from onramp_genl import Family, attribute  # noqa: E402

GENL, ROUTE = 16, 0
SOCKET_OPTIONS = (12, 11, 10)       # strict checks, extended acks, capped acks
NEWLINK, DELLINK, UP = 16, 17, 1
LINKINFO, INFO_KIND, INFO_DATA, IFNAME = 18, 1, 2, 3
NESTED = inputs.NESTED
ERROR, DONE = 2, 3
ALWAYS = inputs.errors("EINVAL ERANGE EOPNOTSUPP")
OTHERS = inputs.errors("ENOENT ENODEV EEXIST EBUSY ENOSPC")
# Packets keep the namespace of their socket: at a low maxrate one leaves a second, of some 170.
PATIENCE_S = 300
# With fewer inputs than these not every command is accepted and refused.
ENOUGH = 100000
PAUSE_S = 0.002
MOST_PRINTED = 3
NUMBERS = {name: entry["value"] for name, entry in inputs.THE_SPEC.attributes.items()}
OPERATIONS = {name: entry["value"] for name, entry in inputs.THE_SPEC.operations.items()}
# Counters, and what follows from the time: a clock becomes stale by itself, and stamps are a NIC's no more when its line is.
MOVING = {NUMBERS[name] for name in (
    "clock-valid clock-state stats flows paths acker-stats phc-tx-good phc-tx-stale phc-rx-good phc-rx-missing phc-rx-stale "
    "phc-rx-implausible stamp-tx stamp-rx").split()}
DUMPS = ("acker-dev-get", "peer-get", "dev-get", "key-get")
SINGLE = ("clock-get", "stats-get", "acker-get")
LABNIC = {name: 7 + i for i, name in enumerate(
    inputs.re.findall(r"\tP\((\w+),", inputs.read("lab/labnic/labnic_uapi.h").split("#define LABNIC_PARAMS")[1]))}
LABNIC_PEER = 2


def admin(on):
    """CAP_NET_ADMIN, for what this process does next."""
    head, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    if script.LIBC.capget(head, sets):
        sys.exit("capget")
    sets[0] = sets[0] | 1 << 12 if on else sets[0] & ~(1 << 12)
    if script.LIBC.capset(head, sets):
        sys.exit("capset")


def netlink(family, mode):
    """A socket."""
    if mode == inputs.POWERLESS:
        admin(False)
    sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, family)
    sock.bind((0, 0))
    if mode == inputs.POWERLESS:
        admin(True)
    for option in SOCKET_OPTIONS * (mode == inputs.STRICT):
        sock.setsockopt(270, option, 1)
    return sock


def ask(sock, message, number, each=None):
    """Send a request, and give each message of the answer but its end to a function. Return (answered, errno).

    The kernel has answered when the call that sends returns, so nothing is waited for.
    """
    answered = False
    try:
        sock.send(message)
        while True:
            data = sock.recv(1 << 17, socket.MSG_DONTWAIT)
            while len(data) >= 16:
                size, kind, _, seq, _ = struct.unpack_from("=IHHII", data)
                body, data = data[16:size], data[size + 3 & ~3:]
                if seq != number:
                    continue
                answered = True
                if kind in (ERROR, DONE):
                    return True, -struct.unpack_from("=i", body)[0] if len(body) >= 4 else 0
                if each:
                    each(body)
    except BlockingIOError:
        return answered, 0
    except OSError as why:
        return True, why.errno


def request(kind, flags, body):
    return struct.pack("=IHHII", 16 + len(body), kind, inputs.REQUEST | inputs.ACK | flags, 0, 0) + body


def link(ifindex, up=True):
    """struct ifinfomsg."""
    return struct.pack("=BxHiII", 0, 0, ifindex, UP * up, UP * up)


def nest(kind, body):
    return attribute(kind | NESTED, body)


class Namespace:
    """A network namespace with four devices: a dummy, one with bands, and a slow one and its peer."""

    def __init__(self, family):
        self.family = family
        if script.LIBC.unshare(script.CLONE_NEWNET):
            sys.exit("unshare")
        self.file = open("/proc/self/ns/net", "rb")  # pylint: disable=consider-using-with
        self.sockets = {(protocol, mode): netlink(protocol, mode) for protocol in (ROUTE, GENL) for mode in range(3)}
        self.own = netlink(ROUTE, inputs.PLAIN)
        self.packets, self.sent = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, 0), 0
        for ifindex in (inputs.DUMMY, inputs.PRIO, inputs.SLOW):
            self.plug(ifindex)
        found = {index for index, _ in socket.if_nameindex()}
        if not found >= {inputs.DUMMY, inputs.PRIO, inputs.SLOW, inputs.PEER}:
            sys.exit(f"a namespace has only the devices {found}")
        script.leave()

    def must(self, message):
        answered, error = ask(self.own, message, 0)
        if not answered or error:
            sys.exit(f"a namespace is not made: {os.strerror(error)}")

    def plug(self, ifindex):
        """Make a device."""
        kind, data = "dummy", b""
        if ifindex == inputs.SLOW:
            kind = "labnic"
            settings = (("RATE", 1000000), ("RING", 1), ("PHC", 1))
            wire = b"".join(attribute(LABNIC[name], struct.pack("=Q", value)) for name, value in settings)
            peer = link(inputs.PEER) + attribute(IFNAME, b"f23\0") + nest(LINKINFO, nest(INFO_DATA, wire))
            data = nest(INFO_DATA, wire + nest(LABNIC_PEER, peer))
        name = attribute(IFNAME, f"f{ifindex}\0".encode())
        self.must(request(NEWLINK, inputs.CREATE | inputs.EXCLUSIVE, link(ifindex) + name + nest(
            LINKINFO, attribute(INFO_KIND, kind.encode() + b"\0") + data)))
        if ifindex == inputs.PRIO:
            tc = struct.pack("=BxxxiIII", 0, ifindex, 0x10000, 0xffffffff, 0)
            tc += attribute(inputs.TCA_KIND, b"prio\0") + attribute(inputs.TCA_OPTIONS, struct.pack("=i16B", 3, *[0] * 16))
            self.must(request(inputs.NEWQDISC, inputs.CREATE | inputs.EXCLUSIVE, tc))

    def unplug(self, ifindex):
        """Delete a device, and with it its qdiscs; make it again."""
        self.must(request(DELLINK, 0, link(ifindex, up=False)))
        self.plug(ifindex)

    def packet(self, ifindex):
        """Send TCP data of one of four flows. A device that is busy or gone is no error."""
        head = struct.pack("!BBHIBBH4s4sHHIIBB6x", 0x45, 2, 600, 0, 64, 6, 0, bytes((10, 0, 0, 1)), bytes((10, 0, 0, 2)),
                           5 + self.sent % 4, 6, self.sent * 600 & 0xffffffff, 0, 0x50, 0x10)
        self.sent += 1
        try:
            to = (f"f{ifindex}", 0x800, 0, 0, bytes((2, 0, 0, 0, 0, 1)))
            self.packets.sendto(head.ljust(600, b"\0"), socket.MSG_DONTWAIT, to)
        except OSError as why:
            if why.errno not in (errno.ENOBUFS, errno.ENETDOWN, errno.EAGAIN, errno.ENXIO):
                raise

    def reopen(self, protocol, mode):
        """Close a socket, whatever waits there, and open another one."""
        self.sockets[protocol, mode].close()
        script._go(self.file.fileno())  # pylint: disable=protected-access
        self.sockets[protocol, mode] = netlink(protocol, mode)
        script.leave()

    def end(self):
        """Remove it during dumps; the kernel frees it later."""
        for (protocol, _), sock in self.sockets.items():
            sock.send(request(inputs.GETQDISC, inputs.DUMP, bytes(20)) if protocol == ROUTE else
                      request(self.family, inputs.DUMP, struct.pack("=BBH", OPERATIONS["dev-get"], 1, 0)))
        for sock in (*self.sockets.values(), self.own, self.packets, self.file):
            sock.close()


def runs(data):
    """(type, bytes) of each attribute."""
    while len(data) >= 4:
        size, kind = struct.unpack_from("=HH", data)
        yield kind & 0x3fff, data[4:size]
        data = data[max(size, 4) + 3 & ~3:]


class Snapshot:
    """The state of a namespace as its dumps show it: [(command, attribute, bytes)]."""

    def __init__(self, namespace):
        self.pieces, self.clock, self.until = [], None, 0
        self.ask(namespace, ROUTE, "qdiscs", request(inputs.GETQDISC, inputs.DUMP, bytes(20)), self.qdisc)
        for name in (*DUMPS, *SINGLE):
            message = request(namespace.family, inputs.DUMP * (name in DUMPS), struct.pack("=BBH", OPERATIONS[name], 1, 0))
            self.ask(namespace, GENL, name, message, self.reply)

    def ask(self, namespace, protocol, name, message, each):
        answered, error = ask(namespace.sockets[protocol, inputs.PLAIN], message, 0, lambda body: each(name, body))
        if not answered or error:
            sys.exit(f"{name} for a snapshot: {os.strerror(error)}")

    def qdisc(self, name, body):
        """Its place, without how often it is referred to, kind and options."""
        self.pieces.append((name, 0, body[:16]))
        self.pieces += [(name, kind, value) for kind, value in runs(body[20:]) if kind in (inputs.TCA_KIND, inputs.TCA_OPTIONS)]

    def reply(self, name, body):
        """All but what moves by itself. Time passes as the kernel answers, too."""
        self.pieces.append((name, 0, body[:4]))
        for kind, value in runs(body[4:]):
            if name == "clock-get" and kind == NUMBERS["clock-id"]:
                self.clock = value[0]
            if name == "clock-get" and kind == NUMBERS["clock-valid"]:
                self.until = time.monotonic_ns() + struct.unpack("=Q", value)[0]
            if kind not in MOVING:
                self.pieces.append((name, kind, value))

    def differs(self, after):
        """The first piece that only one has; a published clock may have become stale in between, which no request did."""
        if self.clock == 2 and after.clock == 1 and time.monotonic_ns() >= self.until:
            return None
        for before, now in zip([*self.pieces, None], [*after.pieces, None]):
            if before != now:
                return (before or now)[:2]
        return None


def may_end_in(x, error):
    if error == errno.EPERM:
        return x.mode == inputs.POWERLESS
    return error in ALWAYS or error in x.command.errors or (x.mutation in inputs.LOOSE and error in OTHERS)


def judge(x, answered, error):
    """The reason why an outcome is wrong, or None."""
    if error and not may_end_in(x, error):
        return "this errno is not expected"
    if x.mutation in inputs.LOOSE or x.hangs_up:
        return None
    if not answered:
        return "there is no answer"
    if not error and x.must_refuse:
        return "it is accepted, but must be refused"
    if not error and x.command.admin and x.mode == inputs.POWERLESS:
        return "it is accepted from a socket without CAP_NET_ADMIN"
    return None


def trial(namespaces, x, number):
    """One input, done to the kernel and judged: (answered, errno, why it is wrong or None)."""
    namespace, protocol = namespaces[x.namespace], ROUTE if x.command.kind else GENL
    if x.event == "end":
        namespace.end()
        namespace = namespaces[x.namespace] = Namespace(namespace.family)
    elif x.event == "pause":
        time.sleep(PAUSE_S)
    elif x.event:
        getattr(namespace, x.event)(x.device)
    before = Snapshot(namespace) if x.compared else None
    answered, error = False, 0
    if x.hangs_up:
        namespace.sockets[protocol, x.mode].send(x.message)
        namespace.reopen(protocol, x.mode)
    else:
        answered, error = ask(namespace.sockets[protocol, x.mode], x.message, number)
    why = judge(x, answered, error)
    change = not why and before and error and before.differs(Snapshot(namespace))
    return answered, error, f"it is refused, but changed {change}" if change else why


def gone():
    """Whether namespaces that were let go took their qdiscs along, after a while."""
    for _ in range(PATIENCE_S):
        if not any(int(open(f"/sys/module/{name}/refcnt", encoding="ascii").read())  # pylint: disable=consider-using-with
                   for name in ("sch_ecnsharp", "sch_onramp", "sch_cp")):
            return True
        time.sleep(1)
    return False


def report(ended):
    """Each command must have been accepted and refused."""
    for command in inputs.COMMANDS:
        found = {error: count for (name, error), count in ended.items() if name == command.name}
        refused = {errno.errorcode.get(error, error): count for error, count in found.items() if error}
        script.result(found.get(0) and refused, f"{command.name}: {found.get(0, 0)} accepted, refused {refused}")


def main():
    seed, first, count = (int(os.environ.get(name, value)) for name, value in (("SEED", 1), ("FROM", 0), ("COUNT", 10000)))
    if "--show" in sys.argv[1:]:
        for number in range(first, first + count):
            x = inputs.make(seed, number, 0x20)
            print(number, x.command.name, *(f"{name}={getattr(x, name)}" for name in x._fields[1:-1]), x.message.hex())
        return 0
    if subprocess.run(["modprobe", "-a", "sch_ecnsharp", "sch_onramp", "sch_cp", "onramp_acker", "labnic"], check=False).returncode:
        return 1
    namespaces = [Namespace(Family("onramp").id) for _ in range(inputs.NAMESPACES)]
    wrong, ended = collections.Counter(), collections.Counter()
    with open("/dev/kmsg", "w", encoding="ascii", buffering=1) as log:
        for number in range(first, first + count):
            if not number % 512:
                log.write(f"netlink_fuzz: SEED={seed} FROM={number}\n")
            x = inputs.make(seed, number, namespaces[0].family)
            answered, error, why = trial(namespaces, x, number)
            # Where a header is wrong and yet it was accepted, it was taken for another request.
            if answered and (error or x.mutation not in ("header", "truncated")):
                ended[x.command.name, error] += 1
            if why:
                wrong[x.command.name] += 1
                if wrong[x.command.name] <= MOST_PRINTED:
                    print(f"# SEED={seed} FROM={number}: {x.command.name} {x.mutation}, {errno.errorcode.get(error, error)}: {why}",
                          flush=True)
    for namespace in namespaces:
        namespace.end()
    script.result(not wrong, f"seed {seed} from {first}: {count} inputs end as they may", dict(wrong))
    script.result(gone(), "no qdisc outlives its namespace")
    if count >= ENOUGH:
        report(ended)
    return script.finish()


if __name__ == "__main__":
    sys.exit(main())
