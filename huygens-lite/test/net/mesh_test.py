#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The daemon itself on four hosts that are network namespaces on a bridge, as TAP.

    mesh_test.py    PROGRAMS in the environment names huygens-lite and huygensctl

Namespaces have one kernel's clock, so the truth is known: 0, and what --debug adds. Nothing is judged by how long it
took; what is waited for has a bound that a slow machine keeps, too.

            .1 ---+
            .2 ---+--- bridge          10.9.0.0/24 and fd00:9::/64
            .3 ---+
            .4 ---+
"""

import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "selftests/lib"))
from tap import Tap

PROGRAMS = {os.path.basename(path): path for path in os.environ.get("PROGRAMS", "").split()}
HOSTS = (1, 2, 3, 4)
PORT = 31900
# Error of one kernel's timestamps on a busy machine; without load it is some 10 ns.
NEAR = 3000
PATIENCE = 40
MIGRATED = "the virtual machine was paused or migrated: synchronisation starts over"

TAP = Tap()


def ok(good, name, *remarks):
    """A result; of a failure also the remarks."""
    return TAP.ok(name, good, "\n".join(map(str, remarks)))


def run(*command):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def until(what, seconds=PATIENCE):
    """Wait until a function is true; returns what it returned last."""
    end = time.monotonic() + seconds
    while True:
        value = what()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.1)


class Net:
    """Namespaces, each held by a process that sleeps."""

    def __init__(self):
        self.holder = {}
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "name", "bridge", "type", "bridge", "mcast_snooping", "0")
        run("ip", "link", "set", "bridge", "up")
        run("ip", "addr", "add", "10.9.0.254/24", "dev", "bridge")
        for host in HOSTS:
            self.add(host)

    def add(self, host):
        holder = subprocess.Popen(["unshare", "-n", "sleep", "1000"], stdin=subprocess.DEVNULL)
        self.holder[host] = holder
        own = os.readlink("/proc/self/ns/net")
        until(lambda: os.readlink(f"/proc/{holder.pid}/ns/net") != own)
        run("ip", "link", "add", "name", f"port{host}", "type", "veth", "peer", "name", "eth", "netns", str(holder.pid))
        run("ip", "link", "set", f"port{host}", "master", "bridge", "up")
        self.inside(host, "ip", "addr", "add", f"10.9.0.{host}/24", "dev", "eth")
        self.inside(host, "ip", "addr", "add", f"fd00:9::{host}/64", "dev", "eth", "nodad")
        self.inside(host, "ip", "link", "set", "eth", "up")

    def enter(self, host, *command):
        return ["nsenter", "-t", str(self.holder[host].pid), "-n", *command]

    def inside(self, host, *command):
        run(*self.enter(host, *command))

    def close(self):
        for holder in self.holder.values():
            holder.kill()
            holder.wait()


class Mesh:
    """Daemons on all hosts, with what of their configuration differs."""

    def __init__(self, net, folder, name, sections=None, own=None, debug=None, address="10.9.0.{}", hosts=HOSTS):
        self.net = net
        self.hosts = hosts
        self.folder = os.path.join(folder, name)
        os.mkdir(self.folder)
        self.debug = debug or {}
        self.daemon = {}
        for host in hosts:
            keys = {
                "node": {"id": host, "drift_file": "none"},
                "mesh": {"peers": " ".join(f"{i}={address.format(i)}" for i in hosts), "window": "500ms", "interval": "10ms",
                         "spacing": "0"},
                "coordinator": {"dead": "1s", "hello": "100ms"},
                "output": {"mode": "none"},
                "security": {"control": self.path(host, "sock"), "user": "none"},
                "log": {"level": "info"},
            }
            for more in (sections or {}, (own or {}).get(host, {})):
                for section, values in more.items():
                    keys[section].update(values)
            with open(self.path(host, "conf"), "w", encoding="ascii") as file:
                for section, values in keys.items():
                    file.write(f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in values.items()))

    def path(self, host, what):
        return os.path.join(self.folder, f"{host}.{what}")

    def start(self, *hosts):
        for host in hosts or self.hosts:
            command = [PROGRAMS["huygens-lite"], "-f", self.path(host, "conf")]
            if host in self.debug:
                command += ["--debug", self.debug[host]]
            with open(self.path(host, "log"), "a", encoding="ascii") as log:
                self.daemon[host] = subprocess.Popen(self.net.enter(host, *command), stdin=subprocess.DEVNULL, stdout=log,
                                                     stderr=log)

    def ask(self, host, what):
        done = subprocess.run([PROGRAMS["huygensctl"], "-j", "-s", self.path(host, "sock"), what], capture_output=True,
                              stdin=subprocess.DEVNULL, check=False, timeout=20)
        return json.loads(done.stdout) if not done.returncode else None

    def tracking(self, host):
        return self.ask(host, "tracking") or {}

    def stats(self, host):
        return self.ask(host, "stats") or {}

    def is_locked(self, *hosts):
        return all(self.tracking(host).get("state") == "locked" for host in hosts or self.hosts)

    def waitsync(self, *hosts):
        """As a user would: huygensctl waitsync."""
        done = [subprocess.run([PROGRAMS["huygensctl"], "-s", self.path(host, "sock"), "-i", "200ms", "waitsync", "1ms",
                                str(5 * PATIENCE)], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False,
                               timeout=3 * PATIENCE).returncode
                for host in hosts or self.hosts]
        return not any(done)

    def windows_pass(self, host, count):
        """Wait for so many more solutions."""
        was = self.tracking(host).get("window", 0)
        return until(lambda: self.tracking(host).get("window", 0) >= was + count)

    def corrections(self):
        return {host: self.tracking(host).get("offset_ns") for host in HOSTS}

    def logs(self):
        lines = []
        for host in self.hosts:
            with open(self.path(host, "log"), encoding="ascii", errors="replace") as log:
                lines += [f"host {host}: {line.strip()}" for line in log]
            tracking = self.tracking(host)
            lines.append(f"host {host}: {json.dumps(tracking)}")
        return lines

    def stop(self):
        """SIGTERM must end all of them well."""
        for daemon in self.daemon.values():
            daemon.terminate()
        status = [daemon.wait(timeout=PATIENCE) for daemon in self.daemon.values()]
        self.daemon = {}
        return not any(status)


def spread(values):
    return max(values) - min(values) if None not in values else None


def is_near(value, wanted, limit=NEAR):
    return value is not None and abs(value - wanted) <= limit


def keys(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    os.chmod(path, 0o600)
    return path


def coordinators(net, folder):
    """All is well; the coordinator dies, is replaced, and comes back."""
    key = keys(folder, "good", "1 SHA256 HEX:000102030405060708090a0b0c0d0e0f\n")
    mesh = Mesh(net, folder, "signed", {"security": {"key_file": key}})
    mesh.start()
    ok(mesh.waitsync() and until(mesh.is_locked), "four hosts with keys are locked", *mesh.logs())
    mesh.windows_pass(2, 3)
    corrections = mesh.corrections()
    ok(is_near(spread(list(corrections.values())), 0), "their clocks are one kernel's: corrections are equal", corrections)
    bounds = {host: mesh.tracking(host).get("error_ns") for host in HOSTS}
    ok(all(bound is not None and 0 < bound < 100000 for bound in bounds.values()), "and bounds say that", bounds)
    ok(all(mesh.tracking(host).get("coordinator") == 1 for host in HOSTS), "the lowest coordinates")
    before = mesh.stats(2)
    mesh.windows_pass(2, 4)
    after = mesh.stats(2)
    windows = after["windows"] - before["windows"]
    rate = (after["sent_bytes"] - before["sent_bytes"]) * 8 / (windows * 0.5)
    ok(windows > 0 and rate <= 3e6, f"a host transmits {rate / 1e6:.2f} Mbit/s of 3", before, after)

    term = mesh.tracking(2)["term"]
    window = mesh.tracking(2)["window"]
    mesh.daemon[1].kill()
    mesh.daemon.pop(1).wait()
    rest = HOSTS[1:]
    ok(until(lambda: all(mesh.tracking(host).get("coordinator") == 2 for host in rest)), "killed, it is replaced by the next",
       *mesh.logs())
    ok(mesh.windows_pass(3, 3) and until(lambda: mesh.is_locked(*rest)), "whose solutions the others follow", *mesh.logs())
    tracking = mesh.tracking(3)
    ok(tracking["term"] > term and tracking["window"] > window, "by a later term, and windows go on being counted",
       tracking)
    ok(is_near(tracking["last_change_ns"], 0, 5 * NEAR), "the common time goes on", tracking)
    term = tracking["term"]

    mesh.start(1)
    ok(until(lambda: all(mesh.tracking(host).get("coordinator") == 1 for host in HOSTS)), "restarted, it leads again",
       *mesh.logs())
    ok(mesh.waitsync() and until(mesh.is_locked) and mesh.tracking(3)["term"] > term, "by yet another term", *mesh.logs())

    # It sleeps, and wakes with a term that is over.
    term = mesh.tracking(3)["term"]
    mesh.daemon[1].send_signal(signal.SIGSTOP)
    ok(until(lambda: all(mesh.tracking(host).get("coordinator") == 2 for host in rest)), "stopped, it is replaced")
    mesh.daemon[1].send_signal(signal.SIGCONT)
    ok(until(lambda: all(mesh.tracking(host).get("coordinator") == 1 and mesh.tracking(host)["term"] >= term + 2
                         for host in HOSTS)), "awake, it must begin a term after the one that replaced it", *mesh.logs())
    ok(mesh.waitsync() and until(mesh.is_locked) and is_near(spread(list(mesh.corrections().values())), 0),
       "and clocks are as they were", *mesh.logs())

    # A host with another key is ignored.
    mesh.daemon[4].kill()
    mesh.daemon.pop(4).wait()
    bad = keys(folder, "bad", "1 SHA256 HEX:ff0102030405060708090a0b0c0d0e0f\n")
    with open(mesh.path(4, "conf"), "a", encoding="ascii") as file:
        file.write("")
    text = open(mesh.path(4, "conf"), encoding="ascii").read().replace(key, bad)
    with open(mesh.path(4, "conf"), "w", encoding="ascii") as file:
        file.write(text)
    mesh.start(4)
    ok(until(lambda: mesh.stats(1).get("bad_auth", 0) > 20), "a host with another key is ignored, and counted",
       mesh.stats(1))
    mesh.windows_pass(1, 2)
    ok(until(lambda: mesh.is_locked(1, 2, 3) and mesh.tracking(1)["hosts"] == 3) and not mesh.is_locked(4), "the others go on without it",
       *mesh.logs())
    ok(mesh.stop(), "all end well", *mesh.logs())


def middles(path):
    """Windows in tracking.log: [(number, (middle by the raw clock, common time then less that) or None: "-")]."""
    with open(path, encoding="ascii") as log:
        lines = [line.split() for line in log if line[0].isdigit()]
    return [(int(fields[2]), None if fields[10:] == ["-", "-"] else tuple(map(int, fields[10:]))) for fields in lines]


def logged(path):
    """A line a window; the middle of one that was not accepted is not that of another."""
    lines = middles(path)
    known = [(number, *middle) for number, middle in lines if middle]
    apart = [(later[1] - one[1]) - (later[0] - one[0]) * 500_000_000 for one, later in zip(known, known[1:])]
    ok(len(known) > 3 and len(known) < len(lines), "windows that were not accepted have no middle in the log", lines)
    ok(all(abs(ns) < 100_000_000 for ns in apart), "and the others' are their own", apart, lines)


def injected(net, folder):
    """Clocks that are wrong by what is known, datagrams that are lost, a step, a flood."""
    wrong = {2: (1_000_000_000, 20_000), 3: (-300_000_000, -35_000), 4: (0, 0), 1: (0, 0)}
    debug = {host: f"time_offset={offset}ns,drift={drift}ppb" for host, (offset, drift) in wrong.items()}
    debug[3] += ",loss=300000ppm"
    debug[4] += ",step=20ms,step_at=9s"
    files = os.path.join(folder, "files")
    mesh = Mesh(net, folder, "injected", {"coordinator": {"reference": "1"}}, {4: {"log": {"tracking": "yes", "directory": files}}}, debug)
    mesh.start()
    ok(mesh.waitsync() and until(mesh.is_locked), "hosts a second and 55 ppm apart are locked", *mesh.logs())
    mesh.windows_pass(1, 4)
    ok(until(lambda: all(is_near(mesh.tracking(host).get("frequency_ppb", mesh.tracking(host).get("drift_ppb")), -drift, 2000)
                         for host, (_, drift) in wrong.items())), "each knows its drift to 2 ppm", *mesh.logs())
    # theta between hosts: what was injected, and its growth since the daemons began, cancels in what they show.
    ok(is_near(mesh.tracking(1)["offset_ns"], 0), "the reference is right by definition", mesh.tracking(1))
    ok(is_near(mesh.tracking(4)["offset_ns"], 0), "a host with the same clock is right", mesh.tracking(4))
    ok(is_near(mesh.tracking(2)["offset_ns"], -1_000_000_000, 20_000 * 1000) and
       is_near(mesh.tracking(3)["offset_ns"], 300_000_000, 35_000 * 1000), "offsets are what was injected",
       mesh.tracking(2), mesh.tracking(3))
    lossy = mesh.stats(3)
    ok(until(lambda: mesh.is_locked(3)) and lossy["edges"] + lossy["windows"] > 0, "30 % lost datagrams do not matter",
       *mesh.logs())
    ok(until(lambda: mesh.stats(4).get("windows_invalid", 0) > 0), "a stepped clock invalidates a window", mesh.stats(4))
    ok(mesh.windows_pass(4, 2) and until(lambda: mesh.is_locked(1, 2, 4)) and is_near(mesh.tracking(4)["offset_ns"], 0),
       "and nothing else", *mesh.logs())
    logged(os.path.join(files, "tracking.log"))
    flood(net, mesh)
    ok(mesh.stop(), "all end well", *mesh.logs())


def compensated(net, folder):
    """Stamps configured as early or late, by device and by host: one way seems shorter, the other longer by as much."""
    own = {2: {"node": {"interface": "nothing, eth/200us/-200us", "tx_comp": "1us"}},
           3: {"node": {"interface": "eth", "tx_comp": "100us", "rx_comp": "-100us"}},
           4: {"node": {"interface": "nothing/200us/-200us"}}}
    mesh = Mesh(net, folder, "compensated", {"coordinator": {"reference": "1"}, "mesh": {"timestamping": "software"}}, own)
    mesh.start()
    ok(mesh.waitsync() and until(mesh.is_locked), "hosts with compensated stamps are locked", *mesh.logs())
    for host, wanted, what in ((2, -200_000, "a device's own values count, and not those of its host"),
                               (3, -100_000, "a device without them has those of its host"), (4, 0, "those of a device that is not there do not")):
        ok(until(lambda host=host, wanted=wanted: is_near(mesh.tracking(host).get("offset_ns"), wanted)), what, *mesh.logs())
    ok(mesh.stop(), "all end well", *mesh.logs())


FLOOD = r"""
import random, socket, sys
chance = random.Random(7)
seeds = [open(path, 'rb').read() for path in sys.argv[2:]]
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
if sys.argv[1] != '0':
    out.bind(('0.0.0.0', int(sys.argv[1])))
for i in range(6000):
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.randrange(6)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    if chance.randrange(4) == 0:
        data = data[:chance.randrange(len(data) + 1)] + bytes(chance.randrange(64))
    for host in (1, 2, 3, 4):
        out.sendto(data, ('10.9.0.%d' % host, 31900))
"""


def flood(net, mesh):
    corpus = os.path.join(ROOT, "selftests/fuzz/corpus/huygens_wire")
    seeds = [os.path.join(corpus, name) for name in sorted(os.listdir(corpus))]
    before = {host: mesh.stats(host) for host in HOSTS}
    run(sys.executable, "-c", FLOOD, "0", *seeds)
    grown = {host: {key: value - before[host].get(key, 0) for key, value in mesh.stats(host).items()} for host in HOSTS}
    ok(all(grown[host]["bad_form"] > 1000 and grown[host]["bad_address"] + grown[host]["bad_host"] > 100 for host in (1, 2, 4)),
       "a flood of mangled datagrams is counted by what is wrong with them", grown)
    # The same from a host's address, with its daemon gone: what is well formed is accepted as its own.
    mesh.daemon[3].kill()
    mesh.daemon.pop(3).wait()
    run(*net.enter(3, sys.executable, "-c", FLOOD, str(PORT), *seeds))
    mesh.windows_pass(2, 3)
    ok(until(lambda: mesh.is_locked(1, 2, 4) and is_near(mesh.tracking(4)["offset_ns"], 0)),
       "and does no harm, from a host's address either",
       *mesh.logs())
    ok(all(daemon.poll() is None for daemon in mesh.daemon.values()), "nobody died of it", *mesh.logs())


def asymmetric(net, folder):
    """IPv6; what comes to host 4 comes 50 us late, which no host can measure; configured, it is corrected."""
    late = {4: {"node": {"rx_comp": "-50us"}}}
    mesh = Mesh(net, folder, "late", {"coordinator": {"reference": "1"}}, late, address="fd00:9::{}")
    mesh.start()
    ok(mesh.waitsync() and until(mesh.is_locked), "four hosts of IPv6 are locked", *mesh.logs())
    mesh.windows_pass(1, 3)
    ok(is_near(mesh.tracking(4)["offset_ns"], -25000, 5000), "50 us of asymmetry are an error of 25 us", mesh.tracking(4))
    ok(all(is_near(mesh.tracking(host)["offset_ns"], 0) for host in (2, 3)), "of that host alone",
       *mesh.logs())
    ok(all(abs(mesh.ask(1, "edges")[n]["delay_sum_ns"]) > 50000 for n, edge in enumerate(mesh.ask(1, "edges")) if edge["j"] == 4),
       "its edges' delay sums show it", mesh.ask(1, "edges"))
    for host in HOSTS:
        text = open(mesh.path(host, "conf"), encoding="ascii").read()
        text = text.replace("[coordinator]", "asymmetry = 1-4:50us 2-4:50us 3-4:50us\n[coordinator]")
        with open(mesh.path(host, "conf"), "w", encoding="ascii") as file:
            file.write(text)
        mesh.daemon[host].send_signal(signal.SIGHUP)
    ok(until(lambda: is_near(mesh.tracking(4).get("offset_ns"), 0, 5000)), "with the asymmetry configured by SIGHUP, they correct it",
       *mesh.logs())
    ok(mesh.stop(), "all end well", *mesh.logs())


def hasty(net, folder):
    """The shorter the interval, the sooner a stamp has to be fetched that goes with the next two pairs."""
    kept = os.path.join(folder, "drift")
    mesh = Mesh(net, folder, "hasty", {"mesh": {"interval": "3ms"}}, {3: {"node": {"drift_file": kept}}})
    mesh.start()
    ok(mesh.waitsync() and until(mesh.is_locked), "four hosts with pairs every 3 ms are locked", *mesh.logs())
    mesh.windows_pass(1, 6)
    met = {host: (stats["pairs_accepted"] + stats["pairs_rejected"]) / stats["pairs"] for host in HOSTS for stats in (mesh.stats(host),)}
    ok(max(met.values()) > 0.8, "and their pairs meet their stamps", met)
    skew = mesh.tracking(3)["skew_ppb"]
    ok(mesh.stop(), "all end well", *mesh.logs())
    with open(kept, encoding="ascii") as file:
        written = [1000 * float(field) for field in file.read().split()]
    ok(len(written) == 2 and skew / 2 < written[1] < 2 * skew, "the drift is kept, with the skew that it had", written, skew)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def epochs(mesh, host):
    """A host's log lines on common times, in order: (epoch,), or (epoch, that before)."""
    with open(mesh.path(host, "log"), encoding="ascii") as log:
        lines = [line for line in log if "common time" in line]
    return [tuple(map(int, re.findall(r"(?:epoch|replaces) (\d+)", line))) for line in lines]


def renamed(net, folder):
    """Three begin anew while the fourth sleeps: it wakes to another common time, and says so."""
    mesh = Mesh(net, folder, "renamed")
    mesh.start()
    ok(mesh.waitsync() and until(mesh.is_locked), "four hosts are locked", *mesh.logs())
    reported = [epochs(mesh, host) for host in HOSTS]
    ok(len(reported[0]) == 1 and len(reported[0][0]) == 1 and reported == 4 * reported[:1], "each says the epoch of the common time, once", reported)
    mesh.daemon[4].send_signal(signal.SIGSTOP)
    for host in (1, 2, 3):
        mesh.daemon[host].kill()
        mesh.daemon.pop(host).wait()
    mesh.start(1, 2, 3)
    ok(mesh.waitsync(1, 2, 3) and until(lambda: mesh.is_locked(1, 2, 3)), "three begin anew, without the fourth")
    mesh.daemon[4].send_signal(signal.SIGCONT)
    ok(until(lambda: len(epochs(mesh, 4)) == 2) and mesh.waitsync(), "which goes over to their common time", *mesh.logs())
    epoch = epochs(mesh, 1)[-1][0]
    before = reported[3][0][0]
    ok(epochs(mesh, 4) == [(before,), (epoch, before)] and epoch != before, "and says that it is another, and after which",
       [epochs(mesh, host) for host in HOSTS])
    ok(mesh.stop(), "all end well", *mesh.logs())


def write_page(path, magic, marker):
    """A hypervisor's page of its virtual machine, as far as it counts."""
    head = struct.pack("<IIHBBIQQ", magic, 4096, 1, 1, 0, 2, marker, 0)
    with open(path, "wb") as file:
        file.write(head.ljust(4096, b"\0"))


def disrupted(net, folder):
    """A hypervisor says that it moved one of the hosts: nothing that this one knew holds. Another's page is not used."""
    page, bad = os.path.join(folder, "page"), os.path.join(folder, "bad")
    write_page(page, 0x4b4c4356, 7)
    write_page(bad, 0x4b4c4300, 7)
    mesh = Mesh(net, folder, "disrupted", own={3: {"node": {"vmclock": page}}, 4: {"node": {"vmclock": bad}}})
    mesh.start()
    ok(mesh.waitsync() and until(mesh.is_locked), "four hosts are locked", *mesh.logs())
    ok(f"[node] vmclock: {bad}: magic is 0x4b4c4300 and not 0x4b4c4356" in read(mesh.path(4, "log")), "a page that is none is not used",
       *mesh.logs())
    with open(page, "r+b") as file:
        file.seek(16)
        file.write(struct.pack("<Q", 8))
    ok(until(lambda: MIGRATED in read(mesh.path(3, "log"))), "one that is migrated says so", *mesh.logs())
    ok(until(mesh.is_locked), "and is locked when it has synchronised anew", *mesh.logs())
    counts = [read(mesh.path(host, "log")).count(MIGRATED) for host in HOSTS]
    ok(counts == [0, 0, 1, 0], "once, and no other", counts)
    steps = [mesh.stats(host)["clock_steps"] for host in HOSTS]
    ok(steps == [0, 0, 1, 0], "and counts it", steps)
    ok(mesh.stop(), "all end well", *mesh.logs())


def rewrite(path, old, new):
    text = read(path)
    with open(path, "w", encoding="ascii") as file:
        file.write(text.replace(old, new))


def changed(net, folder):
    """A host joins, with a new key in the place of the old one, then a host leaves: each by a reload, in some order, of no restart."""
    old, new = ("1 SHA256 HEX:" + 16 * "0a" + "\n", "2 SHA256 HEX:" + 16 * "0b" + "\n")
    files = {host: keys(folder, f"key{host}", old if host != 4 else new) for host in HOSTS}
    three, four, left = (" ".join(f"{host}=10.9.0.{host}" for host in hosts) for hosts in ((1, 2, 3), HOSTS, (2, 3, 4)))
    own = {host: {"mesh": {"peers": three if host != 4 else four}, "security": {"key_file": files[host]}} for host in HOSTS}
    mesh = Mesh(net, folder, "changed", own=own)
    mesh.start(1, 2, 3)
    ok(mesh.waitsync(1, 2, 3) and until(lambda: mesh.is_locked(1, 2, 3)), "three hosts are locked")

    def reload(host, peers, key):
        keys(folder, f"key{host}", key)
        rewrite(mesh.path(host, "conf"), f"peers = {mesh.peers[host]}\n", f"peers = {peers}\n")
        mesh.peers[host] = peers
        mesh.daemon[host].send_signal(signal.SIGHUP)

    mesh.peers = {host: own[host]["mesh"]["peers"] for host in HOSTS}
    was = mesh.tracking(3)["list"]
    refused = mesh.stats(3)["bad_auth"] + mesh.stats(3)["bad_key"]
    keys(folder, "key3", "1 SHA256 HEX:" + 16 * "0c" + "\n")
    mesh.daemon[3].send_signal(signal.SIGHUP)
    ok(until(lambda: "key 1 is another one than before: a new key needs a new number" in read(mesh.path(3, "log"))),
       "another key of the same number is refused", *read(mesh.path(3, "log")).splitlines())
    os.chmod(files[3], 0o604)
    mesh.daemon[3].send_signal(signal.SIGHUP)
    ok(until(lambda: "other users must not have access to it" in read(mesh.path(3, "log"))), "and a file that others may read")
    os.chmod(files[3], 0o600)
    reload(3, four.replace("1=10.9.0.1", "1=10.9.0.77"), old)
    ok(until(lambda: "host 1 (10.9.0.77) has another address" in read(mesh.path(3, "log"))), "and another address of a host")
    ok(mesh.tracking(3)["list"] == was and mesh.tracking(3)["next_list"] is None and mesh.is_locked(3), "and nothing has changed",
       mesh.tracking(3))

    reload(3, four, new)
    ok(until(lambda: mesh.tracking(3).get("next_list")) and mesh.tracking(3)["list"] == was, "a host reads other files", mesh.tracking(3))
    ok(until(lambda: mesh.tracking(1).get("hosts_differ") == 1 and
             [host["id"] for host in mesh.ask(1, "hosts") if host["differs"]] == [3]), "and the coordinator tells which", mesh.tracking(1))
    mesh.windows_pass(3, 6)
    ok(mesh.is_locked(1, 2, 3) and mesh.tracking(3)["hosts"] == 3 and mesh.tracking(3)["list"] == was, "the mesh is as it was",
       mesh.tracking(3))
    mesh.start(4)
    reload(1, four, new)
    ok(mesh.waitsync(4) and mesh.tracking(2)["hosts_known"] == 3, "a host joins before all know it", *mesh.logs())
    reload(2, four, new)
    ok(until(lambda: all(mesh.tracking(host).get("list") != was and mesh.tracking(host)["next_list"] is None and
                         mesh.tracking(host)["hosts"] == 4 for host in HOSTS)), "when all have read them, they are in force", *mesh.logs())
    ok(until(mesh.is_locked) and is_near(spread(list(mesh.corrections().values())), 0), "and all four are locked", *mesh.logs())
    ok(all(len(epochs(mesh, host)) == 1 for host in HOSTS), "nobody had another common time", [epochs(mesh, host) for host in HOSTS])
    stats = mesh.stats(3)
    ok(stats["withdrawn"] == 0 and stats["bad_auth"] + stats["bad_key"] == refused, "nor was without one, and no message was refused", stats)

    for host in (2, 3, 4):
        reload(host, left, new)
    ok(until(lambda: all(mesh.tracking(host).get("hosts_known") == 3 and mesh.tracking(host)["coordinator"] == 2 for host in (2, 3, 4)))
       and until(lambda: mesh.is_locked(2, 3, 4)), "the coordinator leaves, though it runs", *mesh.logs())
    ok(all(len(epochs(mesh, host)) == 1 for host in (2, 3, 4)), "with the same common time", [epochs(mesh, host) for host in HOSTS])
    ok(mesh.stop(), "all end well", *mesh.logs())


def main():
    if "MESH_INSIDE" not in os.environ:
        os.environ["MESH_INSIDE"] = "1"
        os.execvp("unshare", ["unshare", "-Urn", sys.executable, os.path.abspath(__file__)])
    if not {"huygens-lite", "huygensctl"} <= set(PROGRAMS):
        sys.exit("mesh_test.py: PROGRAMS does not name huygens-lite and huygensctl")
    net = Net()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for part in (coordinators, injected, asymmetric, compensated, hasty, renamed, disrupted, changed):
                part(net, folder)
    finally:
        net.close()
    TAP.end()


if __name__ == "__main__":
    main()
