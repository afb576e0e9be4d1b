#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A machine that is suspended, and wakes, as TAP: what was published before is void, and huygens-lite begins anew.

Three hosts as in huygens_publish. Their daemons are stopped while the machine is suspended and until the kernel was queried,
so that it is the kernel that says so; a line that is valid for minutes tells that it was not time that passed.
"""

import json
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from huygens_publish import HOSTS, on_hosts, until
from script import result, skip

ALARM = "/sys/class/rtc/rtc0/wakealarm"
SLEEP_S = 3
LINE = "clock set published base raw offset 0ns drift 0ppb ref {raw_ns}ns error 1us valid 600s epoch 7"


def asleep_ns():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def suspend():
    """Returns for how long the machine was, ns, or why it was not."""
    before = asleep_ns()
    try:
        for text in ("0", f"+{SLEEP_S}"):
            with open(ALARM, "w", encoding="ascii") as file:
                file.write(text)
        for path, text in (("mem_sleep", "deep"), ("state", "mem")):
            with open(f"/sys/power/{path}", "w", encoding="ascii") as file:
                file.write(text)
    except OSError as error:
        return str(error)
    return asleep_ns() - before


def onrampctl(*arguments):
    """By the machine's own namespace."""
    done = subprocess.run(["onrampctl", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def publish():
    """A line that is valid for as long as one can be, over the raw clock."""
    return onrampctl(*LINE.format(raw_ns=time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)).split())


def core_clock():
    """The kernel's report of it."""
    return json.loads(onrampctl("-j", "clock")[0])


def wake(hosts):
    """Before, between, after."""
    for host in HOSTS:
        hosts.start(host)
    ready = until(lambda: all(hosts.tracking(host).get("state") == "locked" and hosts.is_published(host) for host in HOSTS))
    result(ready, "three daemons are locked, and publish", *[hosts.logs(host) for host in HOSTS])
    sent = publish()
    result(core_clock().get("usable"), "a line is published for ten minutes", sent, core_clock())
    for daemon in hosts.daemons.values():
        daemon.send_signal(signal.SIGSTOP)
    slept = suspend()
    clock = core_clock()
    published = [hosts.clock(host) for host in HOSTS]
    print(f"# suspended: {slept}", flush=True)
    if not isinstance(slept, int) or slept < SLEEP_S * 10**9 // 2:
        skip("a machine that is suspended", f"it was not: {slept}")
        return
    result(not clock.get("usable") and not clock.get("valid_ns"), "awake, a line of before is not used, however long it was valid", clock)
    result(not any(one.get("usable") for one in published), "nor are the daemons', which do not run yet", published)
    sent = publish()
    result(core_clock().get("usable"), "one of after is", sent, core_clock())
    onrampctl("clock", "clear", "published")
    for daemon in hosts.daemons.values():
        daemon.send_signal(signal.SIGCONT)
    seen = until(lambda: all("the machine was suspended for" in hosts.logs(host) for host in HOSTS))
    result(seen, "the daemons see that it was", *[hosts.logs(host) for host in HOSTS])
    ready = until(lambda: all(hosts.tracking(host).get("state") == "locked" and hosts.is_published(host) for host in HOSTS))
    result(ready, "and are locked again, and publish", *[hosts.logs(host) for host in HOSTS])


if __name__ == "__main__":
    sys.exit(on_hosts(wake))
