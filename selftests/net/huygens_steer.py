#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""huygens-lite turns CLOCK_REALTIME of a real kernel, and follows it, as TAP.

Three hosts as in huygens_publish, whose clock is one. The reference is host 3, which is configured to take its clock for one that
is 5 ms ahead and 20 ppm too fast; when host 2 steers, CLOCK_REALTIME must be 5 ms ahead of what it was, and 20 ppm faster.
With reference = utc:1 all hosts have the machine's time, if the kernel says that somebody disciplines it, and else not.
"""

import atexit
import ctypes
import os
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from huygens_publish import AHEAD_NS, CONF, HOSTS, common_ns, on_hosts, until
from script import result

DRIFT_PPM = 20
UTC_PPM = 30
STEERED, REFERENCE = 2, 3
ADJ_FREQUENCY, ADJ_MAXERROR, ADJ_ESTERROR, ADJ_STATUS = 2, 4, 8, 16
STA_UNSYNC = 64
# On a busy machine; when host 3's clock began is known to a second at worst, which is 20 us.
NEAR_NS = 100_000
NEAR_PPM = 5


class Timex(ctypes.Structure):
    """The kernel's, as far as it is used."""

    _fields_ = [("modes", ctypes.c_uint), *((name, ctypes.c_long) for name in ("offset", "freq", "maxerror", "esterror")),
                ("status", ctypes.c_int), ("rest", ctypes.c_byte * 256)]


def adjtimex(**values):
    """The state of the kernel's clock, after a setting."""
    timex = Timex(**values)
    if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex)) < 0:
        sys.exit(f"adjtimex: {os.strerror(ctypes.get_errno())}")
    return timex


def freq_ppm():
    """Adjustment of the kernel's clock."""
    return adjtimex().freq / 65536


def ahead_ns():
    """By how much CLOCK_REALTIME is ahead of the raw clock: of some readings that which took the least time."""
    looks = []
    for _ in range(9):
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        real = time.clock_gettime_ns(time.CLOCK_REALTIME)
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        looks.append((after - before, real - (before + after) // 2))
    return min(looks)[1]


def configure(hosts, mode, reference):
    """Configuration of daemons that start from now on."""
    conf = CONF.format(folder=hosts.folder).replace("mode = publish", f"mode = {mode}")
    with open(f"{hosts.folder}/conf", "w", encoding="ascii") as file:
        file.write(conf.replace("[mesh]\n", f"[coordinator]\nreference = {reference}\n[mesh]\n"))


def stop(hosts):
    for daemon in hosts.daemons.values():
        daemon.terminate()
    for daemon in hosts.daemons.values():
        daemon.wait()


def missing_ns(began, at_first):
    """Distance of CLOCK_REALTIME from host 3's clock, which began when it was as far ahead as that."""
    age_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) - began
    return at_first + AHEAD_NS + age_ns * DRIFT_PPM // 10**6 - ahead_ns()


def steer(hosts):
    """It goes to the reference, and runs with it."""
    atexit.register(adjtimex, modes=ADJ_FREQUENCY | ADJ_STATUS, freq=0, status=STA_UNSYNC)
    adjtimex(modes=ADJ_FREQUENCY | ADJ_STATUS, freq=0, status=STA_UNSYNC)
    at_first = ahead_ns()
    configure(hosts, "none", REFERENCE)
    began = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    hosts.start(REFERENCE)
    hosts.start(1)
    configure(hosts, "steer", REFERENCE)
    hosts.start(STEERED)
    result(until(lambda: hosts.tracking(STEERED).get("state") == "locked"), "the one that steers is locked", hosts.logs(STEERED))
    near = until(lambda: abs(missing_ns(began, at_first)) < NEAR_NS)
    result(near, "CLOCK_REALTIME goes to the reference, 5 ms ahead", missing_ns(began, at_first), hosts.logs(STEERED))
    fast = until(lambda: abs(freq_ppm() - DRIFT_PPM) < NEAR_PPM)
    result(fast, "the kernel's frequency is the reference's", freq_ppm(), hosts.logs(STEERED))
    worst = 0
    for _ in range(20):
        time.sleep(0.5)
        worst = max(worst, abs(missing_ns(began, at_first)))
    result(worst < NEAR_NS, "and stays there for 10 s", worst)
    print(f"# missing {missing_ns(began, at_first)} ns, worst {worst} ns, frequency {freq_ppm():.3f} ppm", flush=True)
    result(adjtimex().status & STA_UNSYNC == 0, "the kernel says that its clock is synchronised", adjtimex().status)
    stop(hosts)
    before = ahead_ns()
    time.sleep(2)
    rate_ppm = (ahead_ns() - before) / 2000
    result(abs(rate_ppm - DRIFT_PPM) < NEAR_PPM, "after its end the clock keeps the rate", rate_ppm, freq_ppm())


def meddle(hosts):
    """Somebody else turns it."""
    configure(hosts, "none", REFERENCE)
    hosts.start(REFERENCE)
    hosts.start(1)
    configure(hosts, "steer", REFERENCE)
    hosts.start(STEERED)
    until(lambda: hosts.tracking(STEERED).get("state") == "locked")
    time.sleep(5)
    adjtimex(modes=ADJ_FREQUENCY, freq=-100 << 16)
    seen = until(lambda: "another program changed the clock's frequency" in hosts.logs(STEERED))
    result(seen, "another discipliner of the clock is detected", hosts.logs(STEERED), freq_ppm())
    # Rarely enough that lines come between, of which there are one to three a window of 2 s.
    left = []
    for ppm in range(-104, -100):
        adjtimex(modes=ADJ_FREQUENCY, freq=ppm << 16)
        time.sleep(5)
        left.append(round(freq_ppm()) == ppm)
    result(all(left), "and the clock is left alone while somebody does", left, hosts.logs(STEERED))
    result(until(lambda: abs(freq_ppm() - DRIFT_PPM) < NEAR_PPM), "it is steered again when nobody does", freq_ppm(), hosts.logs(STEERED))
    stop(hosts)


def apart(hosts):
    """By how much the common time that each host published is ahead of the machine's, and its bound, ns."""
    raw_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    ahead = ahead_ns()
    clocks = [hosts.clock(host) for host in HOSTS]
    return [(round(common_ns(clock, raw_ns)) - raw_ns - ahead, clock["error_ns"]) for clock in clocks]


def follow(hosts, status):
    """UTC as host 1 has it, from a kernel that says so or not: what apart() says, and by how much hosts turn their clocks."""
    adjtimex(modes=ADJ_FREQUENCY | ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR, freq=UTC_PPM << 16, status=status, maxerror=0, esterror=0)
    configure(hosts, "publish", "utc:1")
    for host in HOSTS:
        hosts.start(host)
    until(lambda: all(hosts.tracking(host).get("state") == "locked" and hosts.is_published(host) for host in HOSTS))
    time.sleep(6)
    found = apart(hosts), [hosts.tracking(host)["drift_ppb"] / 1000 for host in HOSTS]
    print(f"# status {status}: {found}", flush=True)
    stop(hosts)
    return found


def utc(hosts):
    """It is followed if the kernel says that it is."""
    found, ppm = follow(hosts, STA_UNSYNC)
    result(all(off > AHEAD_NS / 5 for off, _ in found), "utc: refused from a clock that nobody disciplines: the common time is the hosts' mean", found)
    result(abs(ppm[0] - UTC_PPM) > NEAR_PPM, "which does not run as it does", ppm)
    found, ppm = follow(hosts, 0)
    result(all(abs(off) <= bound for off, bound in found), "utc: all hosts publish the machine's time, within what they say", found)
    result(2 * max(bound for _, bound in found) < AHEAD_NS, "which says something", found)
    result(abs(ppm[0] - UTC_PPM) < NEAR_PPM and abs(ppm[2] + DRIFT_PPM - UTC_PPM) < NEAR_PPM, "at the rate that it was turned to", ppm)


if __name__ == "__main__":
    sys.exit(on_hosts(steer, meddle, utc))
