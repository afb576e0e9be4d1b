#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""In the guest: carry out a plan of clocks, one measurement a line, and say what each took.

    guest_clocks.py <PLAN

A line is KEY WHAT NUMBER (see clocks.py). WHATs:
    daemons   three huygens-lite keep each other's clocks; when all are locked, what each of them takes in NUMBER seconds,
              from the request to end until it has ended
    fleet     a coordinator of a simulated fleet, NUMBER windows
For each line it prints "took KEY NS", how long that was, and "stats KEY JSON", what was found.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, "/sharpramp/selftests/net")
# pylint: disable=wrong-import-position,import-error
from huygens_publish import CONF, HOSTS, Hosts, until

FLEET = "/sharpramp/bench/fleet"
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
# A process's clock is selected by its id and a kind (include/linux/posix-timers.h); this kind: as the scheduler counts.
CLOCK_OF = 2


class Failed(Exception):
    """Cases that were not measured, and why."""


class Daemons(Hosts):
    """Three of them; each is started directly, in a folder of its own, so that what it took is its own."""

    def at(self, host):
        return os.path.join(self.folder, str(host))

    def start(self, host, *_):
        os.makedirs(os.path.join(self.at(host), "run"))
        path = os.path.join(self.at(host), "conf")
        with open(path, "w", encoding="ascii") as file:
            file.write(CONF.replace("tracking = yes\n", "").format(folder=self.at(host)))
        with open(self.log(host), "w", encoding="ascii") as log:
            # pylint: disable-next=consider-using-with
            self.daemons[host] = subprocess.Popen(["ip", "netns", "exec", self.ns(host), "huygens-lite", "-f", path],
                                                  stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def ctl(self, host, *arguments):
        return subprocess.run(["huygensctl", "-s", os.path.join(self.at(host), "run/control"), *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def query(self, host, what):
        done = self.ctl(host, "-j", what)
        if done.returncode:
            raise Failed(f"host {host}: huygensctl {what}: {done.stderr.strip()}")
        return json.loads(done.stdout)


def used(pid):
    """(user, all) seconds of a process so far: user's are counted by ticks, all by the scheduler."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        user = int(file.read().rpartition(")")[2].split()[11]) * TICK_S
    return user, time.clock_gettime(~pid << 3 | CLOCK_OF)


def most_kb(pid):
    """Peak resident memory of a process, since it runs this program: wait4 counts the program before it, too."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))


def ended(daemon):
    """(user, all) seconds of a daemon from its start to its end."""
    daemon.send_signal(signal.SIGTERM)
    _, status, usage = os.wait4(daemon.pid, 0)
    daemon.returncode = os.waitstatus_to_exitcode(status)
    if daemon.returncode:
        raise Failed(f"a daemon ended with {daemon.returncode}")
    return usage.ru_utime, usage.ru_utime + usage.ru_stime


def daemons(seconds):
    """Actions and cost of each once all were locked."""
    with tempfile.TemporaryDirectory() as folder:
        hosts = Daemons(folder)
        try:
            for host in HOSTS:
                hosts.start(host)
            if not until(lambda: all(hosts.tracking(host).get("state") == "locked" for host in HOSTS)):
                raise Failed(f"not locked: {' '.join(hosts.logs(host) for host in HOSTS)}")
            before = {host: hosts.query(host, "stats") for host in HOSTS}
            at = {host: used(hosts.daemons[host].pid) for host in HOSTS}
            began = time.monotonic()
            time.sleep(seconds)
            after = {host: (hosts.query(host, "stats"), hosts.query(host, "tracking")) for host in HOSTS}
            took, found = time.monotonic() - began, []
            for host in HOSTS:
                memory = most_kb(hosts.daemons[host].pid)
                user, every = ended(hosts.daemons[host])
                stats, tracking = after[host]
                found.append({"host": host, "seconds": took, "user_ms": 1e3 * (user - at[host][0]), "cpu_ms": 1e3 * (every - at[host][1]),
                              "memory_kb": memory, "state": tracking["state"], "coordinator": tracking["coordinator"],
                              **{name: stats[name] - before[host][name] for name in ("probes", "pairs", "windows", "solved", "sent_bytes")}})
            return found
        finally:
            hosts.close()


def fleet(windows):
    """Output of fleet about itself."""
    done = subprocess.run([FLEET, "-j", "-w", str(windows)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"fleet: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    for line in sys.stdin:
        key, what, number = line.split()
        began = time.monotonic_ns()
        try:
            found = {"daemons": daemons, "fleet": fleet}[what](int(number))
        except Failed as why:
            print(f"failed {key}: {' '.join(str(why).split())}", flush=True)
            return 1
        print(f"took {key} {time.monotonic_ns() - began}\nstats {key} {json.dumps(found)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
