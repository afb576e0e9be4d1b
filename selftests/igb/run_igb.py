#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Hardware timestamps by a driver that is not ours: two machines with an igb each, an emulated Intel 82576, and Debian's driver. TAP.

   a  eth0, eth0.2 10.0.2.1 ------------ eth0, eth0.2 10.0.2.2  b

The card has a clock and timestamps all that it sends. As QEMU 10.0 emulates it and Linux 6.12 drives it,

* the driver does not timestamp all received packets (HWTSTAMP_FILTER_ALL is ERANGE: the 82576 cannot), so huygens-lite refuses
  `timestamping = hardware`, and `auto` takes software's;
* with the filter of PTP it timestamps Sync messages on Ethernet, and nothing in UDP;
* it timestamps one of them: the next one would have a timestamp after RXSATRH is read, which the driver does not do;
* a change of the clock's rate steps it, since the emulator adds what it should subtract, and a lower rate steps it by 2199 s, since that
  is unsigned: a rate is the last that is changed here.

registers.c and filter_all.c work around the first three: they write and read registers of the card and leave QEMU and the driver as they
are, so that frames of VLAN 2 have timestamps both ways. The emulator of Debian 13 is unpacked, not installed; this machine's has no igb.

Truth: a frame comes after it was sent, so timestamps of frames both ways limit the difference of the clocks, which have one rate: that
of this machine's clock. No speed is judged.

huygens-lite then runs in both with `timestamping = hardware`. Where this machine is so busy that a machine stands still for long, its daemon
starts over; the test waits for them to be synchronised.
"""

import dataclasses
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
SELFTESTS = os.path.dirname(HERE)
sys.path[:0] = [os.path.join(SELFTESTS, name) for name in ("lib", "qemu")]
# pylint: disable=wrong-import-position
import boot_vm
import cache
import debian
import guest
import machine
import stock
import usage
from talk import Host
from tap import Tap, skip_all

RELEASE, PACKAGE, SERIES = 13, "qemu-system-x86", "6.12"
LIBRARIES = "usr/lib/x86_64-linux-gnu"
ADDRESS = {"a": "10.0.2.1", "b": "10.0.2.2"}
MAC = {"a": "52:54:00:00:00:01", "b": "52:54:00:00:00:02"}
OTHER = {"a": "b", "b": "a"}
# A card without timestamps, for comparison.
BARE = "virtio-net-pci"
# Registers of a card whose driver runs may be read by other programs; the TSC is this machine's, and calibrated while that is busy.
APPEND = "iomem=relaxed clocksource=acpi_pm net.ifnames=0"
THERE = "/sharpramp/igb"
NIC = f"python3 {THERE}/nic.py"
PTP_CLOCK = "/dev/ptp0"
ALL, PTP_V2 = 1, 12             # HWTSTAMP_FILTER_ALL, _PTP_V2_EVENT
HARDWARE = 1 | 4 | 64           # SOF_TIMESTAMPING_TX_HARDWARE, _RX_HARDWARE, _RAW_HARDWARE
FRAMES = 20
STEP_NS = 10**9
# A machine is up for more than 5 s.
TURN_PPB = 500_000
# Far more than what the exchanges of this machine leave open, and than the bound of a mesh of two.
WRONG_NS = 10**8
TRIES, TRY_S = 60, 10
# Emulated machines of a busy host answer late.
CONF = """[mesh]
peers = 1={a}/a 2={b}/b
timestamping = {timestamping}
interval = 100ms
window = 10s
coded = no
[coordinator]
hello = 2s
dead = 30s
[output]
mode = none
[security]
control = /run/control
user = none
"""
ERRORS = (debian.DebianError, stock.StockError, guest.GuestError, machine.MachineError, subprocess.CalledProcessError)


def board():
    """The emulator of Debian 13, run by its own libraries."""
    root = debian.root("root-qemu", RELEASE, (PACKAGE,), architecture="amd64")
    os.environ["QEMU_MODULE_DIR"] = os.path.join(root, LIBRARIES, "qemu")
    arguments = ("--library-path", os.path.join(root, LIBRARIES), os.path.join(root, "usr/bin/qemu-system-x86_64"),
                 "-L", os.path.join(root, "usr/share/qemu"), "-L", os.path.join(root, "usr/share/seabios"))
    return dataclasses.replace(machine.PC, emulator=os.path.join(root, "usr/lib64/ld-linux-x86-64.so.2"), arguments=arguments)


def compiled(name, *options):
    """One of the programs in C."""
    source = os.path.join(HERE, f"{name}.c")
    return cache.made(f"igb-{name}", cache.digest(source, *options), lambda part: subprocess.run(
        ["cc", "-O2", "-Wall", "-Wextra", *options, "-o", part, source], check=True))


def files(folder):
    """What the machines have in addition: (file, its place there)."""
    found = [(os.path.join(HERE, name), f"{THERE}/{name}") for name in ("nic.py", "commands.sh")]
    found += [(compiled("registers", "-static"), f"{THERE}/registers"), (compiled("filter_all", "-shared", "-fPIC"), f"{THERE}/filter_all.so")]
    for timestamping in ("hardware", "auto"):
        path = os.path.join(folder, f"{timestamping}.conf")
        with open(path, "w", encoding="ascii") as file:
            file.write(CONF.format(timestamping=timestamping, **ADDRESS))
        found.append((path, f"{THERE}/{timestamping}.conf"))
    path = os.path.join(folder, "bare.conf")
    with open(path, "w", encoding="ascii") as file:
        file.write(CONF.format(timestamping="hardware", a="10.0.3.1", b="10.0.3.2"))
    return [*found, (path, f"{THERE}/bare.conf")]


class Pair:
    """Both machines."""

    def __init__(self, folder):
        kernel, self.how = stock.find(SERIES, "generic"), board()
        initramfs = os.path.join(folder, "initramfs")
        images = boot_vm.images(kernel, f"exec sh {THERE}/commands.sh", boot_vm.More([], [], files(folder), []))
        guest.initramfs(initramfs, *images)
        self.hosts = {name: Host(kernel.vmlinuz, initramfs, self.options(folder, name)) for name in ADDRESS}
        for host in self.hosts.values():
            host.hear()

    def options(self, folder, name):
        """How to run one of them."""
        here, there = (os.path.join(folder, end) for end in (name, OTHER[name]))
        return machine.Options(smp=1, memory=768, timeout=400, accel="tcg", board=self.how, append=APPEND, nics=(BARE,),
                               wires=((f"igb,mac={MAC[name]}", here, there),))

    def ask(self, name, command):
        """What a command prints; it may fail."""
        self.hosts[name].tell(command)
        return self.hosts[name].hear()[1]

    def all(self, command):
        """The same on both at once; {name: output}."""
        for name, host in self.hosts.items():
            host.tell(command.format(address=ADDRESS[name]))
        return {name: host.hear()[1] for name, host in self.hosts.items()}

    def nic(self, name, *arguments):
        """An answer of nic.py."""
        return json.loads(self.ask(name, f"{NIC} {' '.join(map(str, arguments))}"))

    def frames(self, sender, kind, count=FRAMES):
        """Send frames; [(Tx timestamp, Rx timestamp)] of those that came, None where there is none."""
        receiver = OTHER[sender]
        self.ask(receiver, f"rm -f /run/ready /run/done; ({NIC} receive eth0 {kind} {count} >/run/frames 2>&1; touch /run/done) & "
                           "while [ ! -e /run/ready ]; do sleep 1; done")
        sent = dict(self.nic(sender, "send", "eth0", MAC[receiver], kind, count))
        came = json.loads(self.ask(receiver, "while [ ! -e /run/done ]; do sleep 1; done; cat /run/frames"))
        return [(sent[number], stamp) for number, stamp in came]

    def end(self):
        """Switch them off; return the kernels' complaints."""
        for host in self.hosts.values():
            host.tell("poweroff")
        return [line for host in self.hosts.values() for line in host.outcome().complaints]


def driver(tap, pair):
    """Facts of the driver and the card: each limit of the head of this file."""
    found = pair.all("modprobe -a igb virtio_net 8021q; ip link set eth0 up; sleep 3; for nic in eth0 eth1; do readlink /sys/class/net/$nic/device/driver; done")
    tap.ok("both have Debian's igb, and a card without timestamps", all(re.findall(r"(\w+)$", text, re.M) == ["igb", "virtio_net"] for text in found.values()), found)
    said = pair.nic("a", "info", "eth0")
    tap.ok("the driver reports hardware timestamps and a clock", said["flags"] & HARDWARE == HARDWARE and said["clock"] == 0, said)
    tap.ok("the card without them reports none", not pair.nic("a", "info", "eth1")["flags"] & HARDWARE)
    tap.ok("the driver does not timestamp all that comes", pair.nic("a", "filter", "eth0", ALL) == "ERANGE")
    tap.ok("it does what PTP needs", [pair.nic(name, "filter", "eth0", PTP_V2) for name in "ab"] == [PTP_V2] * 2)
    for kind, wanted in (("sync", [True, False, False]), ("plain", [False] * 3)):
        frames = pair.frames("a", kind, 3)
        tap.ok(f"frames of kind {kind}: each has a Tx timestamp", all(tx for tx, _ in frames) and len(frames) == 3, frames)
        tap.ok(f"frames of kind {kind}: Rx timestamps are as this file's head says", [rx is not None for _, rx in frames] == wanted, frames)


def refusals(tap, pair):
    """huygens-lite over a card that does not timestamp all packets, and over one without timestamps."""
    pair.all("ip link add link eth0 name eth0.2 type vlan id 2; ip addr add {address}/24 dev eth0.2; ip link set eth0.2 up")
    pair.ask("a", "ip addr add 10.0.3.1/24 dev eth1; ip link set eth1 up")
    for name, says in (("hardware", "eth0.2 does not timestamp all packets"), ("bare", "eth1 does not support hardware timestamps")):
        text = pair.ask("a", f"timeout 60 huygens-lite -f {THERE}/{name}.conf; echo status $?")
        tap.ok(f"timestamping = hardware is refused: {says}", says in text and "status 1" in text, text)
    text = pair.ask("a", f"timeout 15 huygens-lite -f {THERE}/auto.conf; echo status $?")
    tap.ok("timestamping = auto takes software's", "software timestamps" in text, text)


def difference(pair):
    """(least, most) that the clock of b is ahead of a's."""
    frames = {name: [(tx, rx) for tx, rx in pair.frames(name, "tagged") if tx and rx] for name in "ab"}
    return frames, (max((tx - rx for tx, rx in frames["b"]), default=None), min((rx - tx for tx, rx in frames["a"]), default=None))


def stamps(tap, pair):
    """Frames of VLAN 2 have timestamps both ways; return the truth."""
    pair.all(f"({THERE}/registers /sys/class/net/eth0/device/resource0 >/run/registers 2>&1 &); sleep 1; cat /run/registers")
    frames, first = difference(pair)
    tap.ok("most frames of VLAN 2 have both timestamps, both ways", all(len(found) > FRAMES / 2 for found in frames.values()), frames)
    tap.ok("none comes before it was sent", first[0] <= first[1], first)
    pair.nic("b", "clock", PTP_CLOCK, "step", STEP_NS)
    _, second = difference(pair)
    tap.ok("a clock that was stepped by 1 s is ahead by that", first[0] + STEP_NS <= second[1] and second[0] <= first[1] + STEP_NS, (first, second))
    tap.ok("by another time it would not be", not (first[0] + STEP_NS + WRONG_NS <= second[1] and second[0] <= first[1] + STEP_NS + WRONG_NS), (first, second))
    print(f"# b's clock is ahead by {second[0]} to {second[1]} ns", flush=True)
    return second


def tracking(pair):
    """({name: huygensctl tracking}, s in which they were asked), of hosts of one common time with a bound; None: not yet."""
    began = time.monotonic()
    found = {name: json.loads(text) if text.startswith("{") else {} for name, text in pair.all("huygensctl -s /run/control -j tracking").items()}
    took = time.monotonic() - began
    both = all(one.get("error_ns") and one["state"] in ("acquire", "locked") for one in found.values())
    return (found, took) if both and found["a"]["coordinator"] == found["b"]["coordinator"] else None


def mesh(tap, pair, truth):
    """huygens-lite in both."""
    pair.all(f"(LD_PRELOAD={THERE}/filter_all.so huygens-lite -f {THERE}/hardware.conf >/run/log 2>&1 &); sleep 5")
    for _ in range(TRIES):
        found = tracking(pair)
        if found:
            break
        time.sleep(TRY_S)
    logs = pair.all("cat /run/log")
    tap.ok("huygens-lite starts with hardware timestamps in both", all("1 neighbours, hardware timestamps" in text for text in logs.values()), logs)
    if not tap.ok("both have a common time", found, logs):
        return
    found, took = found
    tap.ok("by hardware timestamps, still", {one["stamps"] for one in found.values()} == {"hardware"}, found)
    ahead = found["a"]["offset_ns"] - found["b"]["offset_ns"]
    bound = sum(one["error_ns"] + abs(one["drift_ppb"]) * took for one in found.values())
    print(f"# by huygens-lite b's clock is ahead by {ahead} ns, within {bound:.0f}", flush=True)
    tap.ok("the bound covers the truth, a second of difference with it", truth[0] - bound <= ahead <= truth[1] + bound, (truth, ahead, bound))
    tap.ok("and would not cover another", not truth[0] + WRONG_NS - bound <= ahead <= truth[1] + WRONG_NS + bound, (truth, ahead, bound))


def rate(tap, pair):
    """The clock's rate."""
    stepped = pair.nic("a", "clock", PTP_CLOCK, "turn", TURN_PPB)
    tap.ok("a change of the clock's rate steps it", stepped > TURN_PPB * 10, stepped)


def main():
    usage.check(__doc__, not sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="igb-") as folder:
        try:
            pair = Pair(folder)
        except debian.DebianError as why:
            skip_all(str(why).splitlines()[-1])
            return
        except ERRORS as why:
            tap = Tap()
            tap.ok("two machines boot", False, why)
            tap.end()
        tap = Tap()
        try:
            driver(tap, pair)
            refusals(tap, pair)
            mesh(tap, pair, stamps(tap, pair))
            rate(tap, pair)
            tap.ok("the kernels have nothing to complain of", not (complaints := pair.end()), complaints)
        except (machine.MachineError, json.JSONDecodeError) as why:
            tap.ok("the machines answer", False, why)
        finally:
            for host in pair.hosts.values():
                host.__exit__()
        tap.end()


if __name__ == "__main__":
    main()
