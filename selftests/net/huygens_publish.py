#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""huygens-lite in three namespaces that share one kernel, and so one clock, as TAP.

    .1 --- .2
      \\   /          192.0.2.0/24, a veth between each two, software stamps
       .3

All have the same configuration file and find themselves by their addresses. Host 3 is configured to take its clock for one
that is 5 ms ahead and 20 ppm too fast; published, all three must be the same time again.
"""

import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from script import finish, result, run

HOSTS = (1, 2, 3)
AHEAD_NS = 5000000
DEBUG = {3: ["--debug", "time_offset=5ms,drift=20ppm"]}
PATIENCE = float(os.environ.get("WAIT_S", "60"))
VALID_NS = 5000000000

CONF = """\
# The same for all.
[node]
drift_file = {folder}/run/drift
[mesh]
peers = 1=192.0.2.1/one 2=192.0.2.2/two
        3=192.0.2.3/three
timestamping = software
[output]
mode = publish
valid = 5s
[security]
control = {folder}/run/control
user = none
[log]
directory = {folder}/run
tracking = yes
"""


def until(what):
    """Wait until a function is true; returns what it returned last."""
    end = time.monotonic() + PATIENCE
    while not (value := what()) and time.monotonic() < end:
        time.sleep(0.2)
    return value


class Hosts:
    """Three namespaces, and their daemons."""

    def __init__(self, folder):
        self.folder = folder
        self.name = f"huygens-{os.getpid()}"
        self.daemons = {}
        self.netns = []
        for host in HOSTS:
            run(f"ip netns add {self.ns(host)}")
            self.netns.append(self.ns(host))
            run(f"ip -n {self.ns(host)} link set lo up")
        for one, other in itertools.combinations(HOSTS, 2):
            run(f"ip -n {self.ns(one)} link add to{other} type veth peer name to{one} netns {self.ns(other)}")
            for host, peer in ((one, other), (other, one)):
                run(f"ip -n {self.ns(host)} addr add 192.0.2.{host} peer 192.0.2.{peer} dev to{peer}")
                run(f"ip -n {self.ns(host)} link set to{peer} up")
        os.mkdir(os.path.join(folder, "run"))
        with open(os.path.join(folder, "conf"), "w", encoding="ascii") as file:
            file.write(CONF.format(folder=folder))

    def ns(self, host):
        return f"{self.name}-{host}"

    def start(self, host, *before):
        """Each has its own run folder, of the same name: ip netns exec has made a mount namespace."""
        script = f"mount -t tmpfs none {self.folder}/run && exec \"$@\""
        command = ["ip", "netns", "exec", self.ns(host), "sh", "-c", script, "sh", *before, "huygens-lite", "-f",
                 f"{self.folder}/conf", *DEBUG.get(host, [])]
        with open(self.log(host), "w", encoding="ascii") as log:
            # pylint: disable-next=consider-using-with
            self.daemons[host] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def log(self, host):
        return os.path.join(self.folder, f"log{host}")

    def logs(self, host):
        with open(self.log(host), encoding="utf-8") as file:
            return file.read()

    def ctl(self, host, *command):
        """huygensctl where the daemon is."""
        where = ["nsenter", "-t", str(self.daemons[host].pid), "-m", "-n"]
        return subprocess.run([*where, "huygensctl", "-s", f"{self.folder}/run/control", *command], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def tracking(self, host):
        done = self.ctl(host, "-j", "tracking")
        return json.loads(done.stdout) if not done.returncode else {}

    def clock(self, host):
        """Line that was published to the kernel there."""
        done = subprocess.run(["ip", "netns", "exec", self.ns(host), "onrampctl", "-j", "clock"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)
        return json.loads(done.stdout) if not done.returncode else {}

    def is_published(self, host):
        clock = self.clock(host)
        return clock.get("clock") == "published" and clock.get("usable")

    def close(self):
        for daemon in self.daemons.values():
            if daemon.poll() is None:
                daemon.kill()
            daemon.wait()
        for name in self.netns:
            run(f"ip netns del {name}")


def on_hosts(*parts):
    """A script's parts, one after the other on the same hosts; returns what the script ends with."""
    if os.geteuid():
        print("1..0 # SKIP not root")
        return 4
    run("modprobe onramp")
    with tempfile.TemporaryDirectory() as folder:
        hosts = Hosts(folder)
        try:
            for part in parts:
                part(hosts)
        finally:
            hosts.close()
    return finish()


def common_ns(clock, raw_ns):
    """Values of a published line."""
    return raw_ns + clock["offset_ns"] + clock["drift_ppb"] * 1e-9 * (raw_ns - clock["ref_ns"])


def synchronise(hosts):
    for host in HOSTS:
        hosts.start(host)
    locked = until(lambda: all(hosts.tracking(host).get("state") == "locked" for host in HOSTS))
    result(locked, "three daemons with one configuration are locked", *[hosts.logs(host) for host in HOSTS])
    ids = [hosts.tracking(host).get("id") for host in HOSTS]
    result(ids == list(HOSTS), "each found itself by its address", ids)
    done = hosts.ctl(1, "waitsync", "10ms", "30")
    result(not done.returncode, "huygensctl waitsync says so too", done.stdout, done.stderr)
    stamps = [hosts.tracking(host).get("stamps") for host in HOSTS]
    result(stamps == ["software"] * 3, "by software stamps", stamps)


def read_back(hosts):
    until(lambda: all(hosts.is_published(host) for host in HOSTS))
    clocks = [hosts.clock(host) for host in HOSTS]
    published = all(clock.get("clock") == "published" and clock.get("usable") and clock.get("base") == "raw" for clock in clocks)
    if not result(published, "onrampctl clock has a line on the raw clock in each", clocks):
        return
    result(len({clock["epoch"] for clock in clocks}) == 1, "of one epoch", clocks)
    result(all(0 < clock["valid_ns"] <= VALID_NS for clock in clocks), "valid for no longer than configured", clocks)
    raw_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    times = [common_ns(clock, raw_ns) for clock in clocks]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        apart = abs(times[one] - times[other])
        bound = clocks[one]["error_ns"] + clocks[other]["error_ns"]
        result(apart <= bound, f"hosts {one + 1} and {other + 1} publish the same time, within what they say", apart, bound, clocks)
    bound = max(clock["error_ns"] for clock in clocks)
    result(2 * bound < AHEAD_NS, "which says something: one of them was 5 ms ahead", bound)


def refused(hosts):
    """Runs that do not begin."""
    command = ["ip", "netns", "exec", hosts.ns(1), "huygens-lite", "-f"]
    with open(f"{hosts.folder}/none", "w", encoding="ascii") as file:
        file.write(CONF.format(folder=hosts.folder).replace("1=192.0.2.1/one", "4=192.0.2.4/four"))
    done = subprocess.run([*command, f"{hosts.folder}/none"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=PATIENCE, check=False)
    result(done.returncode == 1 and "no peer has an address of this host" in done.stderr, "a host that is no peer does not begin",
           done.returncode, done.stderr)
    with open(f"{hosts.folder}/bad", "w", encoding="ascii") as file:
        file.write(CONF.format(folder=hosts.folder) + "levle = debug\n")
    done = subprocess.run([*command, f"{hosts.folder}/bad"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=PATIENCE, check=False)
    result(done.returncode == 1 and "/bad:17: [log] levle: unknown key" in done.stderr, "nor one with an unknown key", done.stderr)


def reload(hosts):
    """A file that is refused changes nothing; a good one counts."""
    with open(f"{hosts.folder}/conf", "w", encoding="ascii") as file:
        file.write(CONF.format(folder=hosts.folder).replace("valid = 5s", "valid = 1000s"))
    hosts.daemons[1].send_signal(signal.SIGHUP)
    result(until(lambda: "[output] valid" in hosts.logs(1)), "SIGHUP with a bad file: the log says why", hosts.logs(1))
    with open(f"{hosts.folder}/conf", "w", encoding="ascii") as file:
        file.write(CONF.format(folder=hosts.folder).replace("valid = 5s", "valid = 9s"))
    hosts.daemons[1].send_signal(signal.SIGHUP)
    result(until(lambda: hosts.clock(1).get("valid_ns", 0) > VALID_NS), "SIGHUP with a good one: lines are valid for longer",
           hosts.clock(1), hosts.logs(1))


def end(hosts):
    hosts.daemons[3].send_signal(signal.SIGTERM)
    status = hosts.daemons[3].wait(PATIENCE)
    result(not status and hosts.clock(3).get("clock") != "published", "after SIGTERM the kernel has no line any more", status,
           hosts.clock(3))
    hosts.daemons[2].kill()
    hosts.daemons[2].wait()
    result(hosts.clock(2).get("clock") == "published", "after SIGKILL it has", hosts.clock(2))
    result(until(lambda: not hosts.is_published(2)), "until that is too old to be used", hosts.clock(2))
    result(hosts.daemons[1].poll() is None, "the first goes on", hosts.logs(1))


if __name__ == "__main__":
    sys.exit(on_hosts(refused, synchronise, read_back, reload, end))
