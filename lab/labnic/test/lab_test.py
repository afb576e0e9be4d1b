#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Integration tests of labnic and the guest init: boot the lab kernel with small topologies, TAP.

    lab_test.py [--variant plain|debug] [--kernel DIR] [--arg ARG] [--keep DIR] [TEST ...]

             10G, 5 us      10G, 5 us
        a ------------- sw ------------- b        the topology of nearly every test
"""

import argparse
import filecmp
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, ROOT)

from lab.host import artifacts  # noqa: E402  pylint: disable=wrong-import-position
from lab.host import boot  # noqa: E402  pylint: disable=wrong-import-position

RATE = 10_000_000_000
DELAY = 5000
EPOCH = 3_000_000_000
TESTS = []


def test(function):
    """Register a test: a function(lab) that raises AssertionError."""
    TESTS.append(function)
    return function


class Results:
    """The result folder of one run."""

    def __init__(self, folder, status):
        self.folder = folder
        self.status = status

    def text(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def table(self, name):
        """Lines "name value" as a dictionary."""
        return {fields[0]: int(fields[1]) for fields in map(str.split, self.text(name).splitlines()) if len(fields) == 2}

    def bytes(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def histogram(self, name):
        """(head, bins) of a histogram file."""
        table = self.table(name)
        bins = {int(key): value for key, value in table.items() if key.isdigit()}
        return {key: value for key, value in table.items() if not key.isdigit()}, bins

    def flow_ns(self):
        """Duration of the only flow."""
        header, row = self.text("flows.csv").splitlines()
        return int(dict(zip(header.split(","), row.split(",")))["fct_ns"])


# The device, below what it calls.
MODULES = ("onramp_hook.ko", "labnic.ko")
LABNIC = [f"module {name}" for name in MODULES]


class Guest:
    """Boots topology scripts."""

    def __init__(self, variant, kernel_dir, scratch, extra_args):
        self.variant = variant
        self.extra_args = extra_args
        self.kernel_dir = kernel_dir or artifacts.kernel(variant)
        self.modules_dir = artifacts.modules(self.kernel_dir)
        self.initramfs = artifacts.initramfs(artifacts.tools())
        self.scratch = scratch
        self.runs = 0

    def run(self, script, files=(), seed=1, expect="ok"):
        """Run a topology script; files are (name, content or path) for the run folder."""
        self.runs += 1
        folder = os.path.join(self.scratch, f"run{self.runs}")
        os.makedirs(os.path.join(folder, "modules"))
        for name in MODULES:
            shutil.copy(os.path.join(self.modules_dir, name), os.path.join(folder, "modules"))
        for name, content in (("topology", "\n".join(script) + "\n"), *files):
            target = os.path.join(folder, name)
            if os.path.isabs(content):
                shutil.copy(content, target)
                continue
            with open(target, "w", encoding="utf-8") as file:
                file.write(content)
        outcome = boot.boot(folder, self.kernel_dir, self.initramfs, seed, watchdog_s=300, extra_args=self.extra_args)
        assert expect in outcome.status, f"status '{outcome.status}' instead of '{expect}'"
        return Results(os.path.join(folder, "result"), outcome.status)


def pair(keys="", ring=2, rate_b=RATE):
    """Two hosts and a switch; keys go to the hosts' ends."""
    script = [*LABNIC, "ns sw", "sysctl sw net.ipv4.ip_forward 1"]
    for index, host in enumerate("ab"):
        script += [
            f"ns {host}",
            f"link {host} eth0 sw {host} rate={rate_b if host == 'b' else RATE} delay={DELAY} b.profile=switch b.ring={ring} {keys}",
            f"addr {host} eth0 10.0.{index}.1/24",
            f"addr sw {host} 10.0.{index}.2/24",
            f"route {host} 0.0.0.0/0 via 10.0.{index}.2 dev eth0",
            f"sysctl {host} net.ipv4.tcp_rmem 4096 1000000 1000000",
        ]
    return script


def collect_all():
    return [f"collect {ns} {dev} {ns}-{dev}" for ns, dev in (("a", "eth0"), ("b", "eth0"), ("sw", "a"), ("sw", "b"))]


def flow(size, cc="cubic"):
    """A flow of size bytes from a to b: lines of a script, and files."""
    fields = f"g kind=long senders=a receivers=b cc={cc} size={size}"
    traffic = f"host a addr=10.0.0.1 netns=a\nhost b addr=10.0.1.1 netns=b\ngroup {fields}\n"
    script = [f"flowgen --netns /run/netns --epoch {EPOCH} --traffic traffic --flows result/flows.csv"
            " --summary result/summary.json", "wait 1000000000"]     # let the last ACKs arrive
    return script, [("traffic", traffic)]


def wire_ns(length):
    """Wire time of a frame on an idle wire."""
    return max(length + 24, 84) * 8 * 10**9 // RATE


def check_conservation(results):
    """The other end receives all that one end sends; nothing is lost or refused on the way."""
    ends = {name: results.table(f"{name}.ethtool") for name in ("a-eth0", "b-eth0", "sw-a", "sw-b")}
    for one, other in (("a-eth0", "sw-a"), ("sw-a", "a-eth0"), ("b-eth0", "sw-b"), ("sw-b", "b-eth0")):
        for what in ("packets", "bytes"):
            sent, got = ends[one][f"tx_{what}"], ends[other][f"rx_{what}"]
            assert sent == got, f"{one} sent {sent} {what}, {other} received {got}"
    for name, table in ends.items():
        for counter, value in table.items():
            if "drop" in counter or counter == "tx_ring_busy":
                assert not value, f"{name}: {counter} is {value}"
    return ends


def packets(data):
    """(stamp in ns, frame) of each packet of a pcap file."""
    assert struct.unpack_from("<IHH", data) == (0xa1b23c4d, 2, 4), "not a pcap file with stamps in ns"
    at = 24
    while at < len(data):
        sec, nsec, kept, length = struct.unpack_from("<4I", data, at)
        assert kept == length, "a packet was cut"
        yield sec * 10**9 + nsec, data[at + 16:at + 16 + kept]
        at += 16 + kept


@test
def round_trip_is_exact(lab):
    """ping takes four wire times and four propagation delays, to the ns, without jitter."""
    for size in (0, 56, 1472):
        script = pair("a.jitter=0") + [f"epoch {EPOCH}", "pcap a eth0 a.pcap", "wait 0",
                                     f"exec a busybox ping -c 3 -s {size} 10.0.1.1"]
        times = [stamp for stamp, frame in packets(lab.run(script).bytes("a.pcap")) if frame[23] == 1]
        want = 4 * (wire_ns(size + 42) + DELAY)
        got = [back - out for out, back in zip(times[::2], times[1::2])]
        assert got == [want] * 3, f"{size} bytes: {got} instead of {want} ns"


@test
def jitter_is_bounded(lab):
    """With jitter each of the two host wakeups adds 0 to jitter."""
    script = pair("a.jitter=10000") + [f"epoch {EPOCH}", "pcap a eth0 a.pcap", "wait 0",
                                     "exec a busybox ping -c 40 -i 0.01 10.0.1.1"]
    times = [stamp for stamp, frame in packets(lab.run(script).bytes("a.pcap")) if frame[23] == 1]
    least = 4 * (wire_ns(98) + DELAY)
    extra = [back - out - least for out, back in zip(times[::2], times[1::2])]
    assert len(extra) == 40 and all(0 <= ns <= 20000 for ns in extra), f"{extra}"
    assert len(set(extra)) > 30 and max(extra) > 12000 and min(extra) < 8000, f"{extra}"


@test
def coalescing_adds_its_time(lab):
    """rx_ns delays the interrupt of a lone frame by just that; ethtool -C sets it."""
    script = pair("a.jitter=0") + [
        f"epoch {EPOCH}", "exec b ethtool -C eth0 rx-usecs 30 rx-frames 5", "exec b ethtool -c eth0",
        "pcap a eth0 a.pcap", "wait 0", "exec a busybox ping -c 2 10.0.1.1"]
    results = lab.run(script)
    times = [stamp for stamp, frame in packets(results.bytes("a.pcap")) if frame[23] == 1]
    want = 4 * (wire_ns(98) + DELAY) + 30000
    assert times[1] - times[0] == want, f"{times[1] - times[0]} instead of {want}"
    assert "rx-usecs:\t30" in results.text("exec.log") or "rx-usecs: 30" in results.text("exec.log")
    lab.run(pair() + ["exec b ethtool -C eth0 rx-usecs 10001"], expect="error: topology:")


@test
def goodput_is_line_rate(lab):
    """A long TCP flow comes within 1 % of what the wire can carry; nothing is lost."""
    size = 100_000_000
    script, files = flow(size)
    results = lab.run(pair() + [f"epoch {EPOCH}"] + script + collect_all(), files)
    goodput, limit = size * 8 / results.flow_ns(), RATE * 1448 / 1538 / 1e9
    assert 0.99 * limit < goodput <= limit, f"{goodput} of {limit} Gbit/s"
    check_conservation(results)


@test
def tso_changes_nothing_on_the_wire(lab):
    """With and without TSO and GSO the same frames go out."""
    wire = {}
    for tso in (0, 1):
        script, files = flow(5_000_000)
        results = lab.run(pair(f"a.tso={tso} a.gso={tso}") + [f"epoch {EPOCH}"] + script + collect_all(), files)
        ends = check_conservation(results)
        wire[tso] = (ends["a-eth0"]["tx_packets"], ends["a-eth0"]["tx_wire_bytes"], ends["a-eth0"]["tx_wire_busy_ns"])
        assert bool(ends["a-eth0"]["tx_tso_segments"]) == bool(tso), "TSO is not as configured"
    assert wire[0][:2] == wire[1][:2], f"without {wire[0]}, with TSO {wire[1]}"


@test
def runs_repeat(lab):
    """Two runs leave the same files, byte for byte; another seed of the jitter does not."""
    folders = []
    for seed in (1, 1, 2):
        script, files = flow(3_000_000, "dctcp")
        results = lab.run(pair(f"a.seed={seed}") + [f"epoch {EPOCH}", "watch sw b from=0 until=1000000000 sample=10000"]
                          + script + collect_all(), files)
        folders.append(results.folder)
    names = sorted(os.listdir(folders[0]))
    assert names == sorted(os.listdir(folders[1]))
    same, differ, bad = filecmp.cmpfiles(folders[0], folders[1], names, shallow=False)
    assert same == names, f"differ: {differ + bad}"
    differ = filecmp.cmpfiles(folders[0], folders[2], names, shallow=False)[1]
    assert "flows.csv" in differ, "the seed changes nothing"


@test
def recording_changes_nothing(lab):
    """A flow takes the same time with and without pcap, and the record is whole."""
    took = []
    for record in ([], ["pcap sw b b.pcap"]):
        script, files = flow(3_000_000)
        results = lab.run(pair() + [f"epoch {EPOCH}"] + record + script + collect_all(), files)
        took.append(results.flow_ns())
    assert took[0] == took[1], f"{took}"
    seen = sum(1 for _ in packets(results.bytes("b.pcap")))
    ends = check_conservation(results)
    sent = ends["sw-b"]["tx_packets"] + ends["sw-b"]["rx_packets"]
    assert seen == sent, f"{seen} of {sent} packets recorded"


@test
def window_adds_up(lab):
    """The histogram covers the window, its integral is the sum over it, departures are all that was sent."""
    script, files = flow(20_000_000)
    results = lab.run(pair(rate_b=RATE // 2)
                      + [f"epoch {EPOCH}", "watch sw b from=0 until=100000000 sample=5000"] + script
                      + collect_all(), files)
    head, bins = results.histogram("sw-b.histogram")
    assert sum(bins.values()) == 100_000_000, f"{sum(bins.values())} ns in the bins"
    assert sum(n * ns for n, ns in bins.items()) == head["pkts_ns"]
    assert max(bins) == head["max_pkts"] > 100, f"{max(bins)} {head}"
    table = results.table("sw-b.ethtool")
    assert head["departed_pkts"] == table["tx_packets"] and head["departed_bytes"] == table["tx_bytes"], f"{head}"
    busy = 100_000_000 - bins.get(0, 0)
    assert abs(busy - table["tx_wire_busy_ns"]) <= 2 * table["tx_packets"], f"{busy} {table['tx_wire_busy_ns']}"
    trace = [tuple(map(int, line.split())) for line in results.text("sw-b.trace").splitlines()]
    assert len(trace) == head["trace_samples"] > 1000 and not head["trace_lost"], f"{head}"
    assert all(later[0] - earlier[0] >= 5000 for earlier, later in zip(trace, trace[1:]))
    assert max(pkts for _, pkts, _ in trace) <= head["max_pkts"]


@test
def window_knows_a_paced_queue(lab):
    """tbf at half the rate: a burst of UDP drains at known times, so mean and maximum are known."""
    script = pair("a.jitter=0") + [
        "exec sw tc qdisc replace dev b root tbf rate 1gbit burst 2000 limit 1000000",
        f"epoch {EPOCH}", "watch sw b from=0 until=2000000000 sample=0", "wait 0",
        "exec a busybox ping -c 1 -s 60000 10.0.1.1", "wait 2000000000"] + collect_all()
    head, bins = lab.run(script).histogram("sw-b.histogram")
    # 41 fragments come every 1.23 us and leave every 12.1 us: nearly all are seen waiting.
    assert 34 <= head["max_pkts"] <= 41 and head["departed_pkts"] == 41, f"{head}"
    mean = head["pkts_ns"] / head["departed_pkts"]
    assert 200_000 < mean < 260_000, f"mean sojourn {mean} ns"
    assert sum(bins.values()) == 2_000_000_000


@test
def small_rings_work(lab):
    """A ring of one descriptor, without BQL, with jitter: slower, but nothing is refused or lost."""
    script, files = flow(2_000_000)
    for keys in ("a.ring=1 a.bql=0", "a.ring=3 a.tx_ns=5000", "a.bql=0 a.tx_ns=20000 a.rx_frames=8 a.rx_ns=20000"):
        results = lab.run(pair(keys, ring=1) + [f"epoch {EPOCH}"] + script + collect_all(), files)
        ends = check_conservation(results)
        if "ring=1" in keys:
            assert ends["a-eth0"]["tx_ring_stops"] == ends["a-eth0"]["tx_tso_buffers"] + (
                ends["a-eth0"]["tx_packets"] - ends["a-eth0"]["tx_tso_segments"])


@test
def many_queues_share_the_wire(lab):
    """mq over four queues: one wire, all that is sent arrives, a window sees all queues."""
    script, files = flow(2_000_000)
    results = lab.run(pair("a.queues=4 b.queues=2") + [
        "exec sw tc qdisc show dev b", f"epoch {EPOCH}", "watch sw b from=0 until=50000000 sample=0"] + script
        + collect_all(), files)
    assert "qdisc mq" in results.text("exec.log")
    ends = check_conservation(results)
    head, bins = results.histogram("sw-b.histogram")
    assert sum(bins.values()) == 50_000_000 and head["departed_pkts"] == ends["sw-b"]["tx_packets"]


@test
def checksums_survive_the_switch(lab):
    """Offloaded and not, over VLAN and not: what arrives is accepted by TCP."""
    script, files = flow(500_000)
    results = lab.run(pair() + ["exec a ethtool -K eth0 tx off", f"epoch {EPOCH}"] + script + collect_all(), files)
    check_conservation(results)
    for host in "ab":
        assert "TcpInCsumErrors" not in results.text(f"netstat-{host}.txt")


@test
def oversized_frames_are_dropped_by_the_receiver(lab):
    """A frame beyond the receiver's MTU counts as oversize there."""
    script = pair("a.mtu=9000 b.mtu=1500") + [
        f"epoch {EPOCH}", "wait 0", "spawn a busybox ping -s 4000 10.0.1.1", "wait 3500000000"]
    results = lab.run(script + collect_all())
    dropped = results.table("sw-a.ethtool")["rx_drop_oversize"]
    assert dropped == 4 == results.table("a-eth0.ethtool")["tx_packets"], f"{dropped}"


@test
def bad_attributes_are_refused(lab):
    """Every parameter's edges over netlink, for both ends, with the kernel's messages."""
    program = os.path.join(lab.scratch, "attrs")
    subprocess.run(["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program,
                    os.path.join(HERE, "attrs.c"), "-lmnl"], check=True)
    results = lab.run([*LABNIC, "exec - /run/lab/attrs"], [("attrs", program)])
    log = results.text("exec.log")
    assert "not ok" not in log and log.count("ok ") > 50, log


def stamps_program(lab):
    program = os.path.join(lab.scratch, "stamps")
    subprocess.run(["gcc", "-std=gnu11", "-O1", "-static", "-Wall", "-Wextra", "-Werror", "-o", program,
                    os.path.join(HERE, "stamps.c")], check=True)
    return [("stamps", program)]


@test
def hardware_stamps_are_exact(lab):
    """Clocks of two NICs at one link, read, turned, and stamping frames of any size at their places on the wire."""
    for size in (1, 1400, 40000):
        script = [*LABNIC, "ns a", "ns b",
                f"link a eth0 b eth0 rate={RATE} delay={DELAY} phc=1 a.jitter=700 b.tx_ns=3000 b.rx_ns=9000",
                "clock a eth0 offset=1000000 rate=20000", "clock b eth0 offset=-700",
                "addr a eth0 10.0.0.1/24", "addr b eth0 10.0.0.2/24",
                f"epoch {EPOCH}", "wait 0", f"exec - /run/lab/stamps a b 10.0.0.2 {size}"]
        log = lab.run(script, stamps_program(lab)).text("exec.log")
        assert "not ok" not in log and log.count("ok ") >= 15, f"{size} bytes: {log}"


@test
def late_software_is_late(lab):
    """The minimum time of software adds to a round trip to the ns; a drawn time comes on top, another for each frame and seed."""
    least = 4 * (wire_ns(98) + DELAY) + 2 * (700 + 3100)
    seen = []
    for keys in ("", "a.tx_spread=300 a.rx_spread=1000", "a.tx_spread=300 a.rx_spread=1000 a.seed=5", "a.late_odd=200"):
        script = pair(f"a.jitter=0 a.tx_late=700 a.rx_late=3100 {keys}") + [
            f"epoch {EPOCH}", "pcap a eth0 a.pcap", "wait 0", "exec a busybox ping -c 40 -i 0.01 10.0.1.1"]
        times = [stamp for stamp, frame in packets(lab.run(script).bytes("a.pcap")) if frame[23] == 1]
        seen.append([back - out - least for out, back in zip(times[::2], times[1::2])])
    exact, spread, other, odd = seen
    assert exact == [0] * 40, f"{exact}"
    # Medians of 300 and 1000 ns, twice: two hosts, both ways.
    assert all(ns > 500 for ns in spread) and 2000 < sorted(spread)[20] < 4000 and len(set(spread)) > 30, f"{spread}"
    assert other != spread, "the seed changes nothing"
    assert 5 < sum(ns > 0 for ns in odd) < 40 and max(odd) > 20000, f"{odd}"


@test
def late_software_keeps_order(lab):
    """A TCP flow over hosts that are often late: nothing overtakes, nothing is lost."""
    script, files = flow(5_000_000)
    results = lab.run(pair("a.tx_spread=2000 a.rx_spread=5000 a.late_odd=20 a.tso=0 a.gso=0") + [f"epoch {EPOCH}"] + script + collect_all(), files)
    check_conservation(results)
    for host in "ab":
        counters = results.text(f"netstat-{host}.txt")
        assert "OFOQueue" not in counters and "Reorder" not in counters, counters


@test
def cross_traffic_is_in_the_way(lab):
    """Bursts at 80 % of a wire: a flow gets the rest, and a packet waits as in M/M/1."""
    script, files = flow(20_000_000)
    results = lab.run(pair("b.cross=800", rate_b=10**9) + [f"epoch {EPOCH}"] + script + collect_all(), files)
    took, wire = results.flow_ns(), results.table("sw-b.ethtool")
    cross, own = wire["tx_cross_bytes"] * 8, wire["tx_wire_bytes"] * 8
    assert 0.7 < cross / took < 0.9 and 0.9 < (cross + own) / took < 1.02, f"{cross} + {own} bits in {took} ns"
    script = pair("b.cross=800", rate_b=10**9) + [f"epoch {EPOCH}", "pcap a eth0 a.pcap", "wait 0",
                                                "exec a busybox ping -c 300 -i 0.05 10.0.1.1"]
    times = [stamp for stamp, frame in packets(lab.run(script).bytes("a.pcap")) if frame[23] == 1]
    waits = sorted(back - out for out, back in zip(times[::2], times[1::2]))
    # 30 KB take 240 us; four of them on average, and none for one packet in five.
    assert 600_000 < sum(waits) / len(waits) < 1_400_000 and waits[30] < 60_000, f"{waits[::30]}"


LEAKS = """set -eu
leaks=/sys/kernel/debug/kmemleak
[ -e $leaks ] || exit 0
# An object must have been lost for 5 s, and be found lost twice, to count as leaked.
for scan in 1 2; do busybox sleep 6; echo scan >$leaks; done
busybox grep -q 'unreferenced object' $leaks || exit 0
busybox head -n 40 $leaks >&2
exit 5
"""


@test
def stamps_of_lost_frames_are_let_go(lab):
    """A link that goes down has nothing left of the stamps that were waited for."""
    script = [*LABNIC, "ns a", "ns b", f"link a eth0 b eth0 rate=1000000 delay={DELAY} phc=1 bql=0",
            "addr a eth0 10.0.0.1/24", "addr b eth0 10.0.0.2/24", f"epoch {EPOCH}", "wait 0",
            "exec - /run/lab/stamps cut a 10.0.0.2", "exec - sh /run/lab/leaks"]
    log = lab.run(script, [*stamps_program(lab), ("leaks", LEAKS)]).text("exec.log")
    assert "not ok" not in log and log.count("ok ") == 3, log


@test
def stamps_are_of_the_last_port(lab):
    """The kernel tells by which device a stamped packet came: the receiver's, not one of the hops before."""
    # The second port of the switch has an index that the receiver's eth0 has not.
    script = pair("phc=1") + [f"epoch {EPOCH}", "wait 0", "exec - /run/lab/stamps port b a 10.0.0.1"]
    log = lab.run(script, stamps_program(lab)).text("exec.log")
    assert "not ok" not in log and log.count("ok ") == 4, log


@test
def ports_without_clocks_have_no_stamps(lab):
    """And ethtool -T says so."""
    log = lab.run(pair() + ["exec a ethtool -T eth0"]).text("exec.log")
    assert "none" in log and "hardware-transmit" not in log, log


@test
def clocks_of_hosts(lab):
    """A script's clocks are those of its hosts: by date, by their files, and a step at its time."""
    script = pair("phc=1") + [
        "clock a - offset=-3600000000000 seed=5", "clock b - rate=-50000 wander=10 seed=9", "clock a eth0 offset=86400000000000",
        f"epoch {EPOCH}", "clock a - step=7200000000000 at=1000000000",
        "wait 500000000", "exec a busybox date +%s", "exec b busybox date +%s", "exec sw busybox date +%s",
        "wait 1500000000", "exec a busybox date +%s", "exec a busybox cat /proc/net/labnic/eth0/clock",
        "exec b busybox cat /proc/net/clock"]
    log = lab.run(script).text("exec.log")
    dates = [int(line) for line in log.splitlines() if line.isdigit()]
    assert [date - dates[2] for date in dates] in ([-3600, 0, 0, 3601], [-3600, 0, 0, 3600], [-3600, -1, 0, 3601]), log
    assert "error_ns 86400000000000\n" in log and "rate_ppb -50000\n" in log and "seed 9\n" in log, log
    table = dict(line.split()[:2] for line in log[log.index("error_ns -"):].splitlines() if " " in line)
    assert -80000 > int(table["error_ns"]) > -250000, log
    lab.run(pair() + ["clock a eth0 offset=1"], expect="its link wants phc=1")


@test
def plans_fail_with_their_line(lab):
    """A script that cannot be carried out names its line, and nothing hangs."""
    for script, fields in (
            ([*LABNIC, "bogus"], "topology:3: unknown directive"),
            (["module missing.ko"], "topology:1: /run/lab/modules/missing.ko"),
            (["ns a", "exec a busybox false"], "topology:2: busybox failed (1)"),
            (["ns a", "exec a /nonexistent"], "topology:2: /nonexistent failed (127): cannot run"),
            (["ns a", "sysctl a net.no.such 1"], "topology:2: sysctl net.no.such"),
            (["ns a", "addr a lo 10.0.0.1/8", "addr a lo 10.0.0.1/8"], "topology:3: File exists"),
            (["ns a", "addr a eth9 10.0.0.1/8"], "topology:2: No such device"),
            ([*pair(), "route a 1.0.0.0/8 via 9.9.9.9 dev eth0"], "invalid gateway"),
            (["epoch 5"], "topology:1: building took until"),
            (["epoch 1000000000", "deadline 1000000000", "exec - busybox sleep 100"], "topology:3: busybox still runs"),
            (["spawn - busybox false", "epoch 1000000000", "wait 0"], "topology:1: the program had ended"),
    ):
        lab.run(script, expect=fields)


LOOP = """set -eu
for round in 1 2 3 4 5; do
	ip netns add x && ip netns add y
	ip link add type labnic && ip link set labnic0 up && ip link set labnic1 up
	ip link set labnic0 netns x && ip link set labnic1 netns y name peer
	ip -n x addr add 10.9.0.1/24 dev labnic0 && ip -n x link set labnic0 up
	ip -n y addr add 10.9.0.2/24 dev peer && ip -n y link set peer up
	ip netns exec x busybox ping -c 1 10.9.0.2 >/dev/null
	ip netns exec x busybox ping -c 30000 -i 0.0001 -s 20000 10.9.0.2 >/dev/null & ping=$!
	busybox sleep 0.3
	case $round in
	1) ip -n y link set peer down; busybox sleep 0.1; ip -n y link set peer up ;;
	2) ip -n x link set labnic0 down; ip -n x link set labnic0 up ;;
	3) ip -n y link del peer ;;
	4) kill $ping; wait $ping || true; ip netns del x ;;
	esac
	busybox sleep 0.2
	kill $ping 2>/dev/null || true
	wait $ping || true
	ip netns del x 2>/dev/null || true
	ip netns del y 2>/dev/null || true
	busybox sleep 1
	ip link | busybox grep -q labnic && exit 3
	ip link add type labnic && ip link add a type labnic peer b 2>/dev/null || true
	ip link set labnic0 up && ip link set labnic1 up
	busybox cat /proc/net/labnic/labnic0/histogram
	RELOAD
	ip link | busybox grep -q labnic && exit 4
done
busybox rmmod labnic
""" + LEAKS
# UML does not clear KASAN's shadow of a module that goes: the next one there is blamed for its red zones.
RELOAD = {"plain": "busybox rmmod labnic; busybox insmod /run/lab/modules/labnic.ko", "debug": "ip link del labnic0"}


@test
def lives_and_deaths(lab):
    """Down and up, deletion of either end, namespace teardown and rmmod, with traffic under way."""
    lab.run([*LABNIC, "sysctl - net.ipv6.conf.default.disable_ipv6 1", "exec - sh /run/lab/loop"],
            [("loop", LOOP.replace("RELOAD", RELOAD[lab.variant]))])


def compiled(lab, name):
    """A program of this folder for the guest, as a file of a run."""
    program = os.path.join(lab.scratch, name)
    subprocess.run(["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-static", "-Wall", "-Wextra", "-Werror", "-o", program,
                    os.path.join(HERE, f"{name}.c")], check=True)
    return [(name, program)]


def paused(lab, keys, frames):
    """a sends to b at the link's rate for 2 ms, b sends (ns after the epoch, quanta): the run, and both ends' frames as b has them."""
    traffic = ("host a addr=10.0.0.1 netns=a\nhost b addr=10.0.0.2 netns=b\n"
               "group g kind=long senders=a receivers=b cc=cbr rate=10gbit until=2ms\n")
    script = [*LABNIC, "ns a", "ns b", f"link a eth0 b eth0 rate={RATE} delay={DELAY} jitter=0 tso=0 gso=0 {keys}",
              "addr a eth0 10.0.0.1/24", "addr b eth0 10.0.0.2/24", f"epoch {EPOCH}", "exec a ethtool -a eth0", "pcap b eth0 b.pcap",
              f"spawn b /run/lab/pauser eth0 {' '.join(f'{EPOCH + at}:{quanta}' for at, quanta in frames)}",
              f"flowgen --netns /run/netns --epoch {EPOCH} --traffic traffic --summary result/summary.json", "wait 10000000",
              "collect a eth0 a-eth0", "collect b eth0 b-eth0"]
    results = lab.run(script, [("traffic", traffic)] + compiled(lab, "pauser"))
    for one, other in ("ab", "ba"):
        for what in ("packets", "bytes", "control_packets", "control_bytes"):
            sent, got = (results.table(f"{end}-eth0.ethtool")[f"{way}_{what}"] for end, way in ((one, "tx"), (other, "rx")))
            assert sent == got, f"{one} sent {sent} {what}, {other} received {got}"
    seen = list(packets(results.bytes("b.pcap")))
    return (results, [at for at, frame in seen if frame[12:14] == b"\x88\x08"], [at for at, frame in seen if len(frame) == 1514])


def gaps(came):
    """(end of one frame, that of the next) where more than two wire times are between."""
    return [(before, after) for before, after in zip(came, came[1:]) if after - before > 2 * wire_ns(1514)]


@test
def pause_holds_what_has_not_begun(lab):
    """Frames begin when the pause is over, to the ns, and the one that had begun arrives."""
    for quanta in (100, 2000):
        results, sent, came = paused(lab, "a.pause=1", [(500_000, quanta)])
        arrives = sent[0] + wire_ns(60) + DELAY
        resumes = arrives + quanta * 512 * 10**9 // RATE + wire_ns(1514) + DELAY
        table = results.table("a-eth0.ethtool")
        found = gaps(came)
        assert len(found) == 1, f"{found}"
        assert found[0][0] <= arrives + wire_ns(1514) + DELAY, f"{found[0][0] - arrives}: a frame began in the pause"
        assert abs(found[0][1] - resumes) <= 1, f"{found[0][1] - resumes} ns off"
        assert table["rx_pause"] == table["rx_control_packets"] == 1 and table["tx_held_ns"] == quanta * 512 * 10**9 // RATE, f"{table}"
        assert "RX:\t\ton" in results.text("exec.log"), results.text("exec.log")


@test
def pause_ends_early(lab):
    """0 quanta end a pause; what had been timed for after it begins at once.  A later frame replaces an earlier one."""
    results, sent, came = paused(lab, "a.pause=1", [(500_000, 65535), (520_000, 65535), (600_000, 0)])
    table = results.table("a-eth0.ethtool")
    ends = sent[2] + wire_ns(60) + DELAY
    assert [abs(after - (ends + wire_ns(1514) + DELAY)) <= 1 for _, after in gaps(came)] == [True], f"{ends} {gaps(came)}"
    assert table["tx_held_ns"] == sent[2] - sent[0] and table["rx_pause"] == 3, f"{table}"


@test
def pause_is_obeyed_by_those_that_do(lab):
    """A port without pause=1 hands the frame to its stack, and goes on; so does one with it that gets PFC."""
    for keys, quanta in (("", "1000"), ("b.pause=1", "1000"), ("a.pause=1", "pfc")):
        results, sent, came = paused(lab, keys, [(500_000, quanta)])
        table = results.table("a-eth0.ethtool")
        assert len(sent) == 1 and not gaps(came), f"{keys}: {gaps(came)}"
        assert (table["rx_pause"], table["tx_held_ns"], table["rx_control_packets"]) == (0, 0, 1), f"{keys}: {table}"


@test
def pause_alone_changes_nothing(lab):
    """Without a PAUSE frame a port with pause=1 sends as one without."""
    seen = []
    for keys in ("", "pause=1"):
        script, files = flow(3_000_000)
        results = lab.run(pair(f"a.tso=0 a.gso=0 {keys and 'a.' + keys}") + [f"epoch {EPOCH}", "pcap b eth0 b.pcap"]
                          + script + collect_all(), files)
        check_conservation(results)
        seen.append((results.flow_ns(), [at for at, _ in packets(results.bytes("b.pcap"))]))
    assert seen[0] == seen[1], f"{seen[0][0]} and {seen[1][0]} ns"


@test
def pause_needs_frames_of_known_times(lab):
    """Keys that pause=1 excludes are refused by name, and pause=1 alone sets tso and gso to 0."""
    for keys, name in (("a.tso=1", "tso"), ("a.gso=1", "gso"), ("a.cross=1", "cross"), ("a.tx_late=1", "tx_late"),
                       ("a.tx_spread=1", "tx_spread"), ("b.rx_late=1", "rx_late"), ("b.rx_spread=1", "rx_spread"),
                       ("a.late_odd=1", "late_odd"), ("b.late_odd=1", "late_odd")):
        lab.run([*LABNIC, "ns a", "ns b", f"link a eth0 b eth0 rate={RATE} delay=0 a.pause=1 {keys}"],
                expect=f"pause=1 needs {name}=0")
    script = [*LABNIC, "ns a", "ns b", f"link a eth0 b eth0 rate={RATE} delay=0 a.pause=1 b.tx_late=1 a.rx_late=1 b.cross=1",
              "exec a ethtool -k eth0"]
    log = lab.run(script).text("exec.log")
    assert "tcp-segmentation-offload: off" in log and "generic-segmentation-offload: off" in log, log
    lab.run([*LABNIC, "ns a", "ns b", f"link a eth0 b eth0 rate={RATE} delay=0 a.pause=2"], expect="pause=2: must be an integer from 0 to 1")


@test
def bridges_are_still(lab):
    """Hosts of a bridge reach each other by addresses that it was given; it sends nothing by itself, and floods nothing."""
    script = [*LABNIC, "ns sw"]
    for index, host in enumerate("abc", 1):
        script += [f"ns {host}", f"link {host} eth0 sw {host} rate={RATE} delay={DELAY} b.profile=switch a.mac=02:00:00:00:00:0{index}",
                   f"addr {host} eth0 10.0.0.{index}/24"]
    script += ["bridge sw br0 a b c"]
    script += [f"neigh {one} eth0 10.0.0.{index} 02:00:00:00:00:0{index}" for one in "abc" for index in (1, 2, 3, 4) if "abc4".find(one) != index - 1]
    script += [f"epoch {EPOCH}", "wait 0", "exec a busybox ping -c 2 -i 0.01 10.0.0.2", "spawn a busybox ping 10.0.0.4", "wait 1500000000",
               "collect sw c sw-c", "collect c eth0 c-eth0", "collect b eth0 b-eth0"]
    results = lab.run(script)
    assert "2 packets received" in results.text("exec.log"), results.text("exec.log")
    for name in ("sw-c", "c-eth0"):
        table = results.table(f"{name}.ethtool")
        assert table["tx_packets"] == table["rx_packets"] == 0, f"{name}: {table}"
    assert results.table("b-eth0.ethtool")["rx_packets"] == 2


@test
def many_hosts_are_built_quickly(lab):
    """128 hosts: built, reachable, and torn down."""
    script = [*LABNIC, "ns sw", "sysctl sw net.ipv4.ip_forward 1"]
    for index in range(128):
        script += [f"ns h{index}", f"link h{index} eth0 sw p{index} rate={RATE} delay={DELAY} b.profile=switch",
                 f"addr h{index} eth0 10.1.{index}.1/24", f"addr sw p{index} 10.1.{index}.2/24",
                 f"route h{index} 0.0.0.0/0 via 10.1.{index}.2 dev eth0"]
    results = lab.run(script + [f"epoch {EPOCH}", "wait 0", "exec h0 busybox ping -c 1 10.1.127.1"])
    built = json.loads(results.text("init.json"))["built_ns"]
    assert built < 1_000_000_000, f"{built} ns of virtual time"


def main():
    parser = argparse.ArgumentParser(description="integration tests of labnic and the guest init")
    parser.add_argument("--variant", default="plain", choices=("plain", "debug"))
    parser.add_argument("--kernel", help="folder of a lab kernel that is built already")
    parser.add_argument("--arg", action="append", default=[], help="one more argument for the kernel")
    parser.add_argument("--keep", help="keep the runs in this folder")
    parser.add_argument("tests", nargs="*", help="names; default: all")
    args = parser.parse_args()
    known = [function.__name__ for function in TESTS]
    for name in args.tests:
        if name not in known:
            parser.error(f"no test {name}; there are {' '.join(known)}")
    failed = ran = 0
    with tempfile.TemporaryDirectory() as scratch:
        lab = Guest(args.variant, args.kernel, args.keep or scratch, args.arg)
        for function in TESTS:
            if args.tests and function.__name__ not in args.tests:
                continue
            ran += 1
            try:
                function(lab)
                print(f"ok {ran} - {function.__name__}", flush=True)
            except (AssertionError, boot.LabError) as error:
                failed += 1
                print(f"not ok {ran} - {function.__name__}", flush=True)
                print("\n".join(f"# {line}" for line in str(error).splitlines()), flush=True)
    print(f"1..{ran}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
