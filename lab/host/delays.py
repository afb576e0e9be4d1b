# SPDX-License-Identifier: GPL-2.0
"""The one-way delays that On-Ramp measures, compared with the true ones.

For each delay the lab's guest records the departure by the true clock, the arrival by the receiver's clock, and the delay
that the sender computed from the arrival and its own clock. Each host's clock error is recorded at both ends of the run and
interpolated linearly between them. The interpolation is exact with clock_offset and clock_rate. With clock_wander and
clock_ramp it is off by a few ns a second. Integers only.
"""

import ipaddress
import os
import re
from dataclasses import dataclass

from lab.host import results
from lab.host.boot import EPOCH_NS as BOOT_NS, LabError

# Where the guest leaves them.
FILE = "delays"
CLOCK = "clock-"
FOLDER = "/run/lab/result"
# One of so many is recorded where they are only counted: a run has a million.
THIN = 64
THIN_KB = 16 << 10
# Where every one is wanted.
ALL_KB = 192 << 10

EVENT = re.compile(r"(\d+)\.(\d{6}): onramp_ack: netns=\d+ src=\[([0-9a-f:.]+)\]:(\d+) dst=\[([0-9a-f:.]+)\]:(\d+) "
                   r"tx_ns=(\d+) rx_ns=(\d+) owd_ns=(-?\d+) threshold_ns=\d+ stamp_tx=(\d+) stamp_rx=(\d+) validity=\d+ seq=(\d+)$", re.M)
LOST = re.compile(r"^(?:overrun|dropped events): (\d+)$", re.M)


@dataclass(frozen=True)
class Delay:
    """One that a sender received."""

    learned_ns: int    # when, true time since boot; whole us
    flow: tuple     # source, destination address as numbers; source, destination port
    tx_ns: int      # when the packet left, true time since boot
    rx_ns: int      # when it came, by the receiver's clock
    owd_ns: int     # what the sender took it for
    stamps: tuple   # where it and the receiver took their stamps, enum onramp_stamp
    seq: int        # of the segment's first byte


def begin(thin=THIN):
    """Lines of a topology script, before its epoch."""
    yield f"exec - delays begin {thin - 1} {THIN_KB if thin > 1 else ALL_KB}"


def note(hosts):
    """Lines of a topology script: what these hosts' clocks show, at each end of the run."""
    for host in hosts:
        yield f"exec {host} delays clock {FOLDER}/{CLOCK}{host}"


def end():
    """Lines of a topology script, after its traffic."""
    yield f"exec - delays end {FOLDER}/{FILE}"


def number(address):
    """An IPv4 address, mapped into IPv6 or not, as a number."""
    parsed = ipaddress.ip_address(address)
    return int(getattr(parsed, "ipv4_mapped", None) or parsed)


def read(folder):
    """All that were recorded, in order; refuses a record with gaps."""
    with open(os.path.join(folder, FILE), encoding="ascii") as file:
        text = file.read()
    lost = sum(int(count) for count in LOST.findall(text))
    if lost:
        raise LabError(f"the record of delays lacks {lost} of them, there was no space")
    numbers = {}    # addresses repeat

    def of(address):
        if address not in numbers:
            numbers[address] = number(address)
        return numbers[address]

    return [Delay(int(sec) * 10**9 + int(usec) * 1000, (of(source), of(target), int(sport), int(dport)), int(tx), int(rx),
                  int(owd), (int(own), int(theirs)), int(seq))
            for sec, usec, source, sport, target, dport, tx, rx, owd, own, theirs, seq in EVENT.findall(text)]


class Clock:
    """How far a host's clock is ahead of the truth, from what it showed at two times; without any it is true."""

    def __init__(self, path=None):
        self.points = [(0, 0)]
        if path:
            with open(path, encoding="ascii") as file:
                self.points = [self._point(line.split()) for line in file]

    @staticmethod
    def _point(values):
        fields = dict(zip(values[::2], values[1::2]))
        return int(fields["mono_ns"]), int(fields["error_ns"])

    def error_ns(self, at_ns):
        """At a time since boot."""
        (first, error), (last, later) = self.points[0], self.points[-1]
        return error + ((later - error) * (at_ns - first) // (last - first) if last > first else 0)


def clocks(folder, network):
    """Clocks of all hosts by address: those whose clocks are their own have left a file."""
    found = {}
    for host in network.hosts:
        path = os.path.join(folder, CLOCK + host)
        clock = Clock(path if os.path.exists(path) else None)
        found.update((number(address), clock) for address in network.addresses(host))
    return found


def errors(delays, clock_of):
    """Error of each delay, ns: the packet truly came when the receiver's clock showed rx_ns."""
    found = []
    for delay in delays:
        shown, clock = delay.rx_ns - BOOT_NS, clock_of[delay.flow[1]]
        came = shown - clock.error_ns(shown - clock.error_ns(shown))
        found.append(delay.owd_ns - (came - delay.tx_ns))
    return found


def summary(wrong):
    """Statistics of errors, for the JSON: their mean, and percentiles of their size."""
    sizes = sorted(map(abs, wrong))

    def micro(value):
        return None if value is None else results.quotient(value, 1000)

    return {
        "n": len(wrong),
        "mean_us": results.quotient(sum(wrong), 1000 * len(wrong)),
        **{f"p{percent}_us": micro(results.percentile(sizes, percent)) for percent in (50, 99)},
        "max_us": micro(sizes[-1] if sizes else None),
    }
