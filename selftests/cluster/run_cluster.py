#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A deployment on three virtual machines with a stock kernel, as its operator sees it, and as TAP.

    run_cluster.py [6.1|6.12]

   sender  10.0.1.1 ---- 10.0.1.254  router  10.0.2.254 ---- 10.0.2.1  receiver
     onramp                            tbf 10 Mbit/s, ecnsharp            onramp_acker
     huygens-lite                      huygens-lite                       huygens-lite

Each is a new Debian 12 with our packages. Commands typed there and their output are comments of TAP. The same load is sent
without On-Ramp, with On-Ramp over Debian's virtio_net, and with On-Ramp over the patched one: iperf3's long flows, and requests
that many flows answer at once. Then everything is removed. A complaint of a kernel fails the test. No speed is judged: without
KVM the machines are emulated, and slow on a busy host.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
SELFTESTS = os.path.dirname(HERE)
sys.path[1:1] = [os.path.join(SELFTESTS, name) for name in ("lib", "qemu", "packages", "net", "consistency", "driver-patches")]
# pylint: disable=wrong-import-position
import debian
import debs
import deploy
import fleet
import guest
import load
import machine
import patched
import root
import stamps
import stock
import usage
from console import Console, Refused
from tap import Tap, skip_all

ERRORS = (Refused, debs.PackageError, debian.DebianError, patched.Failed, stock.StockError, guest.GuestError, machine.MachineError, OSError)
MARKS = ("ins_marks", "pst_marks", "both_marks")


def installed(tap, console):
    """Initial state of the machines."""
    console.show("sender", f"dpkg-query -W {deploy.PACKAGES}; uname -r; modinfo -F filename sch_ecnsharp sch_onramp onramp_acker")
    wanted = len(deploy.PACKAGES.split())
    for name, output in console.all("dpkg-query -W -f '${db:Status-Status}\\n' " + deploy.PACKAGES).items():
        tap.ok(f"{name}: the packages are installed", output.split() == ["installed"] * wanted, output)


def clocks(tap, console, what):
    """They are locked, and tell how well."""
    tracking = deploy.locked(console)
    console.show("sender", "huygensctl tracking | grep -E 'State|Coordinator|Frequency|Error bound|Stamps|Hosts'; huygensctl hosts")
    tap.ok(f"{what}: the clocks of all machines are locked", {one["state"] for one in tracking.values()} == {"locked"}, tracking)


def whole(tap, what, carried):
    """All packets arrived, and were marked where they waited."""
    tap.ok(f"{what}: all requests are answered, and both ends count the requested bytes",
           carried.requested == carried.sent == carried.received and len(carried.requests) == load.REQUESTS, carried)
    tap.ok(f"{what}: the long flows carry something", carried.mbit > 0, carried)


def marks(carried):
    """Packets that ecnsharp marked."""
    return sum(carried.counted["router"][name] for name in MARKS)


def held(tap, what, carried, seen, stamp):
    """On-Ramp measures, by the stamps that it should, and holds."""
    sender, acker = carried.counted["sender"], carried.counted["receiver"]
    tap.ok(f"{what}: each OR-ACK that the receiver sends comes to the sender, and counts",
           0 < sender["acks"] == acker["datagrams"] and not sender["acks_bad"] and not sender["acks_unknown_peer"], (sender, acker))
    tap.ok(f"{what}: packets become samples", sender["samples"] > 0, sender)
    tap.ok(f"{what}: the stamps of each sample are the {stamp}'s", set(seen) == {(stamp, stamp)}, seen)
    tap.ok(f"{what}: flows are held", sender["holds"] > 0 and sender["hold_ns"] > 0, sender)


def without(tap, console):
    """ECN# alone."""
    console.say(f"the router marks, nobody holds: {load.SECONDS} s of traffic")
    deploy.marker(console)
    console.ask("sender", "tc qdisc replace dev eth0 root onramp mode off")
    carried = load.carry(console)
    console.show("router", "tc -s qdisc show dev eth1")
    what = "On-Ramp off"
    whole(tap, what, carried)
    tap.ok(f"{what}: the router marks", marks(carried) > 0, carried)
    tap.ok(f"{what}: nothing is held", not carried.counted["sender"].get("holds"), carried)
    return carried


def ramped(tap, console, what, stamp):
    """On-Ramp holds, by the driver that is loaded."""
    deploy.ramp(console, "hold")
    console.show("sender", "onrampctl stamps")
    stamps.watch(console)
    carried = load.carry(console, ("onrampctl top -n 1 -i 4s | cat",))
    seen = stamps.seen(console)
    console.show("sender", "onrampctl paths")
    whole(tap, what, carried)
    held(tap, what, carried, seen, stamp)
    return carried


def closer(console):
    """Further observations."""
    console.show("sender", "tc -s qdisc show dev eth0")
    console.show("sender", "onrampctl stats | grep -E '^(acks|samples|holds|hold|negative|uncertain|suspect) '")
    console.show("receiver", "onrampctl acker | grep -E '^(devices|packets|entries|datagrams|backed_off|flows) '")


def table(rows):
    """Results of the loads, a line each."""
    heads = ("", "long flows,", "requests, ms:", "", "", "marks", "drops", "OR-ACKs", "holds", "held, s")
    lines = [heads, ("", "Mbit/s", "median", "p90", "most")]
    for name, carried in rows:
        router, sender = carried.counted["router"], carried.counted["sender"]
        lines.append((name, f"{carried.mbit:.1f}", *(f"{carried.at(part):.0f}" for part in (0.5, 0.9, 1)), marks(carried),
                      router["drop_limit"], sender.get("acks", 0), sender.get("holds", 0), f"{sender.get('hold_ns', 0) / 1e9:.1f}"))
    widths = (20, 13, 15, *(9,) * 7)
    return "\n".join(f"{line[0]:<{widths[0]}}" + "".join(f"{cell:>{width}}" for cell, width in zip(line[1:], widths[1:])) for line in lines)


def operate(tap, console):
    """All of it, on machines that are up."""
    installed(tap, console)
    console.say("addresses and clocks: huygens-lite on all, until they are locked, a quarter of a minute or more")
    for name in console.hosts:
        deploy.network(console, name)
    deploy.clocks(console)
    clocks(tap, console, "at first")
    rows = [("On-Ramp off", without(tap, console))]
    console.say(f"On-Ramp, by Debian's virtio_net: {load.SECONDS} s of traffic")
    rows.append(("virtio_net", ramped(tap, console, "Debian's virtio_net", "tracepoint")))
    closer(console)
    clocks(tap, console, "after it")
    console.say("the patched virtio_net in its place, and the clocks again")
    deploy.patched(console)
    clocks(tap, console, "with the patched driver")
    console.say(f"On-Ramp, by the patched virtio_net: {load.SECONDS} s of traffic")
    rows.append(("virtio_net, patched", ramped(tap, console, "patched virtio_net", "driver")))
    console.say("all is removed, which takes as long as the boot: modules of two kernels are indexed anew")
    deploy.undone(console)
    for name, output in console.all("sh /sharpramp/snapshot.sh | sh /sharpramp/leftovers.sh").items():
        tap.ok(f"{name}: purge leaves nothing", not output, output)
    for name, output in console.all("cut -d ' ' -f 1 /proc/modules").items():
        tap.ok(f"{name}: no module is left", not set(output.split()) & set(deploy.MODULES.split()), output)
    return rows


def complaints(tap, hosts):
    """Wait until all are off; what their kernels complained of."""
    for name, host in hosts.items():
        outcome = host.outcome()
        tap.ok(f"{name}: the kernel has nothing to complain of", outcome.status == 0 and not outcome.complaints,
               "\n".join([*outcome.complaints, *outcome.console.splitlines()[-20:]]))


def on_and_off(tap, hosts, release):
    """From the boot until they are off; the rows of the table."""
    console = Console(hosts)
    console.say(f"three machines boot Debian 12 with Linux {release}, which takes a minute where they are emulated")
    try:
        console.up()
        rows = operate(tap, console)
        for host in hosts.values():
            host.tell("poweroff")
    except ERRORS:
        for host in hosts.values():
            host.end()
        complaints(tap, hosts)
        raise
    complaints(tap, hosts)
    return rows


def cluster(tap, series):
    """Build what is missing, boot, operate."""
    kernel = stock.find(series)
    with tempfile.TemporaryDirectory(prefix="sharpramp-") as folder:
        print("# packages, a Debian that has them, and the patched driver: minutes where they are not known from before", flush=True)
        driver, = patched.built(kernel, ("virtio_net",))
        root.installed()
        with fleet.started(kernel, folder, driver) as hosts:
            rows = on_and_off(tap, hosts, kernel.release)
        print(f"#\n# A bottleneck of 10 Mbit/s, {load.FLOWS} long flows by CUBIC with ECN, {load.REQUESTS} requests that "
              f"{load.FANOUT} flows of {load.ANSWER} bytes each answer:\n#")
        Console.write(table(rows))


def main():
    """Run; return the exit status."""
    series = sys.argv[1] if len(sys.argv) > 1 else "6.12"
    usage.check(__doc__, len(sys.argv) <= 2 and series in stock.SERIES)
    if not debian.possible():
        skip_all("neither root nor sub-ids in /etc/subuid")
        return 0
    tap = Tap()
    try:
        cluster(tap, series)
    except ERRORS as why:
        tap.ok("the cluster runs to its end", False, why)
    tap.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
