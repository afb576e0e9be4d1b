#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Every allocation that a request of the tdc sets makes fails once, one at a time, as TAP.

The requests are taken from tc as it runs the sets' commands, and sent again. A number N in
/proc/self/fail-nth makes the Nth allocation of a task fail; it is written just before the request is sent,
so that the kernel's handling of it is all that there is to fail, and read back after. N grows until it is
not used up, which says that the request has no more allocations. First objects of slabs fail, then pages,
where the kernel can have those fail (CONFIG_FAIL_PAGE_ALLOC). After each failure

 - what the kernel refused has changed nothing, and what it took has changed all;
 - the same request now has the outcome that it has without failures;
 - and an own qdisc at the root still sends packets.

Dump requests of `tc qdisc show` are included (dumps of the netlink family are in requests() of reconfigure). Without memory a dump
may be short or end in an error, but each qdisc in it is whole, and the next dump has them all. One dump is tested of those that show
the same kinds of qdiscs with the same attributes; all are if FULL is in the environment.

KINDS in the environment names the qdiscs whose requests are used; all by default.
"""

import errno
import gc
import json
import os
import shlex
import socket
import string
import struct
import subprocess
import sys
import time

import faults
import wiretap

TESTS = "/sharpramp/selftests/tc-testing"
sys.path[:0] = [TESTS, "/sharpramp/selftests/lib"]
import cases  # pylint: disable=wrong-import-position
import rtm_qdisc as rtm  # pylint: disable=wrong-import-position
from tap import Tap, skip_all  # pylint: disable=wrong-import-position
KINDS = os.environ.get("KINDS", "ecnsharp onramp cp").split()
DEV = "d0"
NAMES = {"TC": "tc", "IP": "ip", "DUMMY": DEV, **{name: f"{TESTS}/{name.lower()}.sh" for name in ("PASTED", "REFUSED")},
         "RTM": f"{TESTS}/rtm_qdisc.py", "RTM_ONRAMP": f"{TESTS}/rtm_qdisc.py --kind onramp"}
NEAR, FAR = "10.99.0.1/24", ("10.99.0.2", 9)
# A frame may wait this long for a rate of 1 Mbit/s or more.
PATIENCE_MS = 20
# A request that still fails after so many attempts repeats an allocation for ever.
MOST = 1000

RTM_DELQDISC, RTM_GETQDISC = 37, 38
NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP = 0x1, 0x4, 0x300
NLMSG_ERROR, NLMSG_DONE = 2, 3
TCA_KIND, TCA_OPTIONS, TCA_STATS2, TCA_STATS_BASIC = 1, 2, 7, 1
DEBUG = "/sys/kernel/debug"
FULL = "FULL" in os.environ
# Allocations that fail: {folder of its settings: {setting: value}}. Allocations may sleep, those that tc causes do. Pages of user
# memory, which are highmem's, do not count, for they are this program's.
SLAB = {"failslab": {"ignore-gfp-wait": "N", "cache-filter": "Y", "verbose": "0"},
        "fail_page_alloc": {"min-order": "99"}}
PAGE = {"failslab": {"cache-filter": "Y"},
        "fail_page_alloc": {"ignore-gfp-wait": "N", "ignore-gfp-highmem": "Y", "min-order": "0", "verbose": "0"}}
AUTO = 0x8000       # handles from here on are the kernel's choice, and no two alike


# Qdiscs

def attributes(data):
    """Take netlink attributes apart."""
    found = {}
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        found[kind & 0x3FFF] = data[4:length]
        data = data[(length + 3) & ~3:]
    return found


def request(kind, flags, ifindex=0, parent=0):
    """Build a message about a qdisc without attributes."""
    return struct.pack("=IHHIIBxxxiIII", 36, kind, NLM_F_REQUEST | flags, 1, 0, socket.AF_UNSPEC, ifindex, 0, parent, 0)


def messages(data):
    """Yield (type, message) of each in what came."""
    while data:
        length, kind = struct.unpack_from("=IH", data)
        yield kind, data[:length]
        data = data[(length + 3) & ~3:]


def qdiscs(data):
    """Yield (ifindex, handle, parent, attributes) of every qdisc in a dump."""
    for kind, message in messages(data):
        if kind not in (NLMSG_ERROR, NLMSG_DONE):
            yield *struct.unpack_from("=iII", message, 20), attributes(message[36:])


def end(data):
    """How a dump ends with what came last: 0 or an errno, or None if more must come."""
    for kind, message in messages(data):
        if kind in (NLMSG_ERROR, NLMSG_DONE):
            return -struct.unpack_from("=i", message, 16)[0]
    return None


def dump():
    """Yield (ifindex, handle, parent, attributes) of every qdisc."""
    with rtm.connect() as sock:
        sock.sendto(request(RTM_GETQDISC, NLM_F_DUMP), (0, 0))
        data = None
        while data is None or end(data) is None:
            data = sock.recv(1 << 20)
            yield from qdiscs(data)


def stable(handle):
    """A handle without what was the kernel's choice."""
    return handle if handle >> 16 < AUTO or handle == rtm.TC_H_ROOT else AUTO << 16 | handle & 0xFFFF


def settings():
    """Settings of the qdiscs; equal if they are. Those without a handle are defaults."""
    return {(ifindex, stable(handle), stable(parent), found[TCA_KIND], found.get(TCA_OPTIONS, b""))
            for ifindex, handle, parent, found in dump() if handle}


def sent(ifindex):
    """Packets that an own qdisc at the root has sent, or None if there is none."""
    for index, _, parent, found in dump():
        if (index, parent) == (ifindex, rtm.TC_H_ROOT) and found[TCA_KIND].rstrip(b"\0").decode() in KINDS:
            return struct.unpack_from("=QI", attributes(found[TCA_STATS2])[TCA_STATS_BASIC])[1]
    return None


def whole(ifindex, handle, parent, found):
    """A qdisc in a dump, but for its counts: what it is set to, and the names of all its attributes."""
    return (ifindex, handle, parent, found.get(TCA_KIND), found.get(TCA_OPTIONS), tuple(sorted(found)),
            tuple(sorted(attributes(found.get(TCA_STATS2, b"")))))


def shape(dumped):
    """Properties that decide the allocations of a dump: the kinds of our qdiscs and the names of their attributes."""
    return tuple((kind, tuple(sorted(attributes(options))), names, counts) for _, _, _, kind, options, names, counts in dumped
                 if kind.rstrip(b"\0").decode() in KINDS)


# Changes of them

class Sender:
    """Sends requests, with a failure or without."""

    def __init__(self):
        self.nth = os.open("/proc/self/fail-nth", os.O_RDWR)
        # Touched, so that the kernel need not find its pages while a dump comes.
        self.buffer = memoryview(bytearray(b"\xff" * (1 << 20)))

    def dump(self, message, nth=0):
        """Ask for a dump whose nth allocation fails; return (whether one did, its outcome, the qdiscs in it).

        Between the first call and the last nothing here needs memory of any size.
        """
        order = str(nth).encode()
        used, outcome = 0, None
        with rtm.connect() as sock:
            try:
                os.pwrite(self.nth, order, 0)
                sock.sendto(message, (0, 0))
                while outcome is None:
                    got = sock.recv_into(self.buffer[used:])
                    outcome = end(self.buffer[used:used + got])
                    used += got
            except OSError as why:
                outcome = why.errno or "unanswered"
            failed = self.disarm(nth)
        return failed, outcome, [whole(*each) for each in qdiscs(bytes(self.buffer[:used]))]

    def send(self, message, nth=0):
        """Send a request whose nth allocation fails; return (whether one did, its outcome).

        The outcome is the errno in the kernel's answer, or "unsent", or "unanswered".
        """
        order = str(nth).encode()
        with rtm.connect() as sock:
            try:
                os.pwrite(self.nth, order, 0)
                sock.sendto(message, (0, 0))
            except OSError:
                return self.disarm(nth), "unsent"
            failed = self.disarm(nth)
            try:
                return failed, rtm.answer_of(sock)[0]
            except OSError as why:
                if why.errno != errno.ENOBUFS:
                    raise
                return failed, "unanswered"

    def disarm(self, nth):
        """Has the nth allocation failed? From here on none fails."""
        left = int(os.pread(self.nth, 20, 0))
        os.pwrite(self.nth, b"0", 0)
        return bool(nth) and not left


def run(*argv):
    """Run a command that must succeed."""
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


class Bench:
    """The devices, and the qdiscs in the state that a request is sent in."""

    def __init__(self):
        self.sender = Sender()
        self.devices = []
        self.add_device(DEV, 4)
        run("ip", "addr", "add", NEAR, "dev", DEV)

    def add_device(self, name, queues):
        """Make a device whose qdiscs are reset; what tests may add themselves is there once and for all."""
        run("ip", "link", "add", name, "numtxqueues", str(queues), "type", "dummy")
        run("ip", "link", "set", name, "up")
        self.devices.append(socket.if_nametoindex(name))

    def reset(self, before=()):
        """Go back to bare devices, and from there on by requests that must be as good as they were."""
        for ifindex in self.devices:
            self.sender.send(request(RTM_DELQDISC, NLM_F_ACK, ifindex, rtm.TC_H_ROOT))
        return [self.sender.send(message)[1] for message in before]

    def forwards(self):
        """Does an own qdisc at the root, if there is one, send what it is given?"""
        was = sent(self.devices[0])
        if was is None:
            return True
        # A flow of its own: the rate of one that has sent may be limited.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.sendto(b"here", FAR)
        # A port with a rate may have sent a frame just before.
        for _ in range(PATIENCE_MS):
            if sent(self.devices[0]) > was:
                return True
            time.sleep(0.001)
        return False


# The requests

def argv_of(command):
    """The innermost command that a command of the set runs."""
    argv = shlex.split(string.Template(command).safe_substitute(NAMES))
    return argv[3:] if argv[0] == NAMES["REFUSED"] else argv


def is_dump(message):
    """Does it ask for qdiscs?"""
    return struct.unpack_from("=H", message, 4)[0] == RTM_GETQDISC


class Collector:
    """Runs the set's commands for what they tell and ask the kernel. One that sends it nothing is a failed test of its own."""

    def __init__(self, bench, tap):
        self.bench, self.tap = bench, tap
        self.known = {}         # command: messages; of tc these depend on the argv alone
        self.dumps = {}         # (requests before, dump): argv that ask for it, each once
        self.shapes = set()

    def messages_of(self, argv):
        """Run a command, or repeat its messages; return the messages, which the kernel now has."""
        if argv[0] == "ip":
            if argv[1:3] == ["link", "add"]:
                self.bench.add_device(argv[3], int(argv[argv.index("numtxqueues") + 1]))
            return []
        key = tuple(argv)
        if argv[0] == NAMES["RTM"]:
            self.known[key] = [rtm.message_of(argv)]
        if key in self.known:
            for message in self.known[key]:
                if not is_dump(message):
                    self.bench.sender.send(message)
            return self.known[key]
        messages = wiretap.messages(argv)[1]
        if argv[0] == "tc":
            self.known[key] = messages
        return messages

    def repeated(self, before, message, argv):
        """A dump; what it shows is what is there now. One without an own qdisc is left out."""
        message = message[:8] + struct.pack("=I", 1) + message[12:]     # the same number as all others
        shown = shape(self.bench.sender.dump(message)[2])
        if shown and (FULL or shown not in self.shapes):
            self.shapes.add(shown)
            self.dumps.setdefault((tuple(before), message), argv)

    def report_unsent(self, argv):
        """Report a command that sent the kernel nothing, with what it says when it is run again."""
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.tap.ok(f"sends the kernel a request: {' '.join(argv)}", False, f"it ended with {done.returncode}: {done.stdout}")

    def requests(self, tests):
        """Return {(requests before, request): argv that send it}, each once; keep the dumps."""
        found = {}
        for test in tests:
            self.bench.reset()
            before = []
            for command in (*test["setup"], test["cmdUnderTest"], test["verifyCmd"]):
                argv = argv_of(command)
                if argv[0] == "true":
                    continue
                messages = self.messages_of(argv)
                if command.startswith("$TC ") and command == test["cmdUnderTest"] and not messages and "show" not in argv:
                    self.report_unsent(argv)
                name = " ".join(argv).replace(TESTS + "/", "")
                for message in messages:
                    if is_dump(message):
                        self.repeated(before, message, name)
                    else:
                        found.setdefault((tuple(before), message), name)
                        before.append(message)
        return found


# The test

class Trial:
    """One request, and its outcome when nothing fails."""

    def __init__(self, bench, before, message):
        self.bench, self.before, self.message = bench, before, message
        self.refused = 0        # failures for which the kernel's tc refused it
        bench.reset(before)
        self.old = settings()
        self.outcome = bench.sender.send(message)[1]
        self.new = settings()

    def wrong(self, nth):
        """Let the nth allocation fail; return (whether there was one, what is wrong then or "")."""
        self.bench.reset(self.before)
        if settings() != self.old:
            return True, "the requests before it no longer do what they did"
        failed, outcome = self.bench.sender.send(self.message, nth)
        now = settings()
        refused = outcome not in (0, "unanswered")
        self.refused += failed and refused and outcome not in ("unsent", self.outcome)
        if not failed:
            same = (outcome, now) == (self.outcome, self.new)
            return False, "" if same else f"nothing failed, but it ended in {outcome}"
        # A request without an answer was carried out: it is the answer for which there was no memory.
        if now != (self.old if refused else self.new):
            return True, f"it ended in {outcome}; before only: {self.old - now}; now only: {now - self.old}"
        if outcome == 0 != self.outcome:
            return True, f"it was taken, but must end in {self.outcome}"
        if not self.bench.forwards():
            return True, "nothing is sent any more"
        if refused and (self.bench.sender.send(self.message)[1], settings()) != (self.outcome, self.new):
            return True, f"afterwards it no longer ends in {self.outcome}"
        return True, "" if self.bench.forwards() else "nothing is sent after it was repeated"

    def run(self):
        """Return (how many allocations failed, what is wrong or "")."""
        return each_nth(self.wrong)


class DumpTrial:
    """One dump, and what it shows when nothing fails. It changes nothing, so all its failures are in one state."""

    def __init__(self, bench, before, message):
        self.sender, self.message = bench.sender, message
        self.refused = 0        # failures that made it short or end in an error
        bench.reset(before)
        self.outcome, self.shown = self.sender.dump(message)[1:]

    def wrong(self, nth):
        """Let the nth allocation fail; return (whether there was one, what is wrong then or "")."""
        failed, outcome, shown = self.sender.dump(self.message, nth)
        short = (outcome, shown) != (self.outcome, self.shown)
        self.refused += failed and short
        if not failed:
            return False, f"nothing failed, but it ended in {outcome}" if short else ""
        if outcome not in (0, errno.ENOBUFS, errno.ENOMEM, "unanswered"):
            return True, f"it ended in {outcome}"
        rest = iter(self.shown)
        if not all(each_shown in rest for each_shown in shown):
            return True, f"it shows what is not there: {set(shown) - set(self.shown)}"
        outcome, shown = self.sender.dump(self.message)[1:]
        same = (outcome, shown) == (self.outcome, self.shown)
        return True, "" if same else f"the next one ended in {outcome} with {len(shown)} of {len(self.shown)}"

    def run(self):
        """Return (how many allocations failed, what is wrong or "")."""
        if self.outcome or not self.shown:
            return 0, f"without failures it ended in {self.outcome} with {len(self.shown)}"
        return each_nth(self.wrong)


def each_nth(wrong):
    """Have each allocation fail; return (how many did, what is wrong or "")."""
    for nth in range(1, MOST):
        failed, why = wrong(nth)
        if why:
            return nth, f"allocation {nth}: {why}"
        if not failed:
            return nth - 1, ""
    return MOST, "there is no end of allocations"


SHORT = "onramp_queue"
SENDERS = 30


def counts():
    """Statistics of the qdisc at the root."""
    reply = subprocess.run(["tc", "-s", "-j", "qdisc", "show", "dev", DEV, "root"], check=True, capture_output=True).stdout
    return json.loads(reply)[0]


def shortage(bench):
    """No queue of onramp's can be made: a packet of each of many flows; return what is wrong.

    At this rate a packet takes more than a second, and two have left when all have been sent.
    """
    bad = []
    bench.reset()
    choose(PAGE)
    faults.write(f"{faults.SLABS}/{SHORT}/failslab", "1")
    always = {"cache-filter": "Y", "probability": "100", "times": "-1", "task-filter": "N", "verbose": "0"}
    for limits, dropped, kept in (("flow_limit 10", "flows_plimit", 10), ("flow_limit 1000 limit 20", "band1_drops", 20)):
        run("tc", "qdisc", "add", "dev", DEV, "root", "onramp", "maxrate", "1kbit", *limits.split())
        for name, value in always.items():
            faults.write(f"{DEBUG}/failslab/{name}", value)
        for _ in range(SENDERS):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
                udp.sendto(bytes(100), FAR)
        faults.write(f"{DEBUG}/failslab/probability", "0")
        now = counts()
        want = {"qlen": kept, dropped: SENDERS - kept - now["packets"], "drops": SENDERS - kept - now["packets"], "flows": 0}
        bad += [f"{limits}: {name} is {now[name]}, not {number}" for name, number in want.items() if now[name] != number]
        bad += [f"{limits}: {now['packets']} left at once"] if now["packets"] > 2 else []
        bad += [f"{limits}: nothing failed"] if now["alloc_errors"] < SENDERS // 2 else []
        run("tc", "qdisc", "change", "dev", DEV, "root", "onramp", "limit", "5")
        now = counts()
        bad += [f"limit 5: {now['qlen']} wait"] if now["qlen"] != 5 else []
        bench.reset()
    faults.write(f"{faults.SLABS}/{SHORT}/failslab", "0")
    return "; ".join(bad)


def choose(settings_of):
    """Have one kind of allocation fail, and not the other."""
    faults.choose(settings_of is SLAB)
    for folder, values in settings_of.items():
        for name, value in values.items():
            if os.path.exists(f"{DEBUG}/{folder}"):
                faults.write(f"{DEBUG}/{folder}/{name}", value)


def prepare():
    """Load the modules; keep away from what a request's time has no use for."""
    for kind in KINDS:
        run("modprobe", f"sch_{kind}")
    gc.disable()


def each(bench, kind, requests, tap, what, settings_of):
    """Every request with each allocation of a kind failing."""
    choose(settings_of)
    failures = refused = 0
    for (before, message), argv in requests.items():
        trial = kind(bench, before, message)
        count, why = trial.run()
        if settings_of is SLAB and not count:
            why = why or "it made no allocation"
        failures += count
        refused += trial.refused
        tap.ok(f"{count} failing {what}: {argv}", not why, why)
    # The others are outside, as in sending and answering, or do not matter, as in telling listeners.
    return failures, refused


def main():
    if not os.path.exists("/proc/self/fail-nth"):
        skip_all("no fault injection in this kernel")
        return 4
    prepare()
    bench, tap, requests = Bench(), Tap(), {}
    collector = Collector(bench, tap)
    choose(SLAB)
    for kind in KINDS:
        requests |= collector.requests(cases.tests(f"{TESTS}/{kind}.cases"))
    if "onramp" in KINDS:
        why = shortage(bench)
        tap.ok("limits hold for packets for whose queue there is no memory", not why, why)
    choose(SLAB)
    failures, refused = each(bench, Trial, requests, tap, "objects", SLAB)
    tap.ok(f"of {failures} objects that failed {refused} made tc refuse the request", refused > 0)
    failures, short = each(bench, DumpTrial, collector.dumps, tap, "objects of a dump", SLAB)
    tap.ok(f"of {failures} objects that failed in dumps {short} made one short or an error", short > 0)
    if os.path.exists(f"{DEBUG}/fail_page_alloc"):
        failures, refused = each(bench, Trial, requests, tap, "pages", PAGE)
        # The allocator may find another page, so the request may succeed; it is applied as a whole or refused.
        tap.ok(f"{failures} pages failed, {refused} of them made tc refuse the request", failures > 0)
        failures, short = each(bench, DumpTrial, collector.dumps, tap, "pages of a dump", PAGE)
        tap.ok(f"{failures} pages failed in dumps, {short} of them made one short or an error", failures > 0)
    else:
        tap.skip("pages fail", "this kernel is without CONFIG_FAIL_PAGE_ALLOC")
    bench.reset()
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
