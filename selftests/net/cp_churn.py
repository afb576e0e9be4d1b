#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The qdisc cp under traffic from two inputs to two outputs: settings change, qdiscs, ports, the bridge and the namespace go. TAP.

    cp_churn.py        in a network namespace of its own, as root; cp_churn.sh sees to that

At each stop what inputs have and what outputs count of inputs must be the same, and nothing once all has left. The order of changes
is random, from a seed that is printed. CP_ROUNDS in the environment is how many there are.
"""

import ctypes
import os
import random
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import cp_switch as sw  # noqa: E402
import fecn_frames as fecn  # noqa: E402
from cp_switch import cp, sh, stats, until  # noqa: E402
from tap import Tap  # noqa: E402

SEED = int(os.environ.get("CP_SEED", "1"))
ROUNDS = int(os.environ.get("CP_ROUNDS", "150"))
LAWS = ({"LAW": "none"}, {"LAW": "qcn", "AT": "output"}, {"LAW": "qcn", "AT": "input"}, {"LAW": "qcn", "AT": "input", "SAMPLE": "random"},
        {"LAW": "qcn", "AT": "output", "SAMPLE": "largest", "SIGNAL": "ecn"}, {"LAW": "qcn", "AT": "input", "SAMPLE": "largest"},
        {"LAW": "step", "K": 3000, "AT": "input", "SAMPLE": "random", "SIGNAL": "ecn"},
        {"LAW": "step", "K": 3000, "AT": "output", "SAMPLE": "random", "SIGNAL": "ecn"}, {"LAW": "fecn", "INTERVAL_NS": 100000},
        {"LAW": "fecn", "STAGES": 3, "HOT": 30000, "INTERVAL_NS": 1000000, "FLOWS": 3})
MORE = ({"SERVICE": "rr"}, {"SERVICE": "fifo"}, {"RATE_BPS": 20000000}, {"RATE_BPS": 1000000}, {"RATE_BPS": 0}, {"BUFFER": 30000},
        {"BUFFER": 1000000}, {"LIMIT": 20000}, {"LIMIT": 1000000}, {"PAUSE": "input", "XOFF": 9000, "XON": 3000}, {"PAUSE": "off"},
        {"PAUSE": "output", "XOFF": 9000, "XON": 3000}, {"CNPV": 1}, {"CNPV": 254}, {"CNPV": 255}, {"WEIGHT": 1000000}, {"DEFENSE": "edge"},
        {"DEFENSE": "interior"})


def flood(by, to):
    """A process that sends frames of several flows and sizes, paced, and now and then PAUSE; its number."""
    child = os.fork()
    if child:
        return child
    chance = random.Random(by.mac)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        try:
            for _ in range(20):
                one = chance.choice(to)
                by.send(one, flow=chance.randrange(8), ecn=chance.randrange(4), size=chance.choice((60, 200, 1000, 1400)))
            by.raw(fecn.rd(one.mac, by.mac, flags=chance.randrange(4)))
            if not chance.randrange(10):
                by.raw(sw.pause(by.mac, chance.choice((0, 100, 65535)), chance.choice((None, 1, 255))))
        except OSError:
            pass    # the port is away
        time.sleep(0.001)


def stop(children):
    """End the senders."""
    for child in children:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)


def settle(switch):
    """All that waits leaves; what is wrong then."""
    bad = []
    ports = [host.port for host in switch.hosts]
    for port in ports:
        cp(port, RATE_BPS=0, LAW="none")
        cp(port, "change", PAUSE="off")
    if not until(lambda: not any(stats(port)["q_bytes"] for port in ports)):
        bad.append({port: stats(port)["q_bytes"] for port in ports})
    bad += sw.accounts(ports)
    return bad + [f"{port}: {stats(port)['buffer_bytes']} bytes" for port in ports if stats(port)["buffer_bytes"]]


def once(chance, switch):
    """Something changes."""
    host = chance.choice(switch.hosts)
    what = chance.randrange(12)
    if what == 0:
        sw.gone(host.port)
        cp(host.port, **chance.choice(LAWS))
    elif what == 1:
        cp(host.port, handle=chance.randrange(1, 100) << 16, **chance.choice(LAWS))
    elif what == 2:
        sh(f"ip link set {host.port} down")
        sh(f"ip link set {host.port} up")
    elif what == 3:
        sh(f"ip link set {host.port} nomaster")
        switch.join(host)
    elif what == 4:
        sh(f"ip link set {host.port} address 02:00:00:00:01:{chance.randrange(256):02x}")
    elif what == 5:
        stats(host.port)
        sw.classes(host.port)
    else:
        try:
            cp(host.port, "change", **chance.choice(LAWS if what < 9 else MORE))
        except sw.Refused:
            pass    # it does not go with what is in force


def churn(tap):
    """Settings, qdiscs and links change under traffic."""
    chance = random.Random(SEED)
    switch = sw.Switch(4)
    for host in switch.hosts:
        cp(host.port, **chance.choice(LAWS))
    bad = []
    for part in range(3):
        children = [flood(host, [other for other in switch.hosts if other is not host]) for host in switch.hosts]
        for _ in range(ROUNDS // 3):
            once(chance, switch)
            time.sleep(0.002)
        stop(children)
        bad += [f"stop {part}: {why}" for why in settle(switch)]
        switch.quiet()
    tap.ok(f"{ROUNDS} changes under traffic: inputs and outputs agree at each stop, seed {SEED}", not bad, "\n".join(map(str, bad)))
    return switch


def ports_go(tap, switch):
    """A port with frames in others' queues, then the bridge."""
    one, two, three, four = switch.hosts
    for host in switch.hosts:
        cp(host.port, LAW="qcn", AT="input", SAMPLE="largest", PAUSE="input", XOFF=9000, XON=3000)
    cp(two.port, "change", RATE_BPS=1000000)
    children = [flood(host, [two]) for host in (one, three, four)]
    until(lambda: stats(two.port)["inputs"] >= 2)
    sh(f"ip link del {one.port}")
    sh(f"ip link del {three.port}")
    gone = stats(two.port)
    stop(children)
    sh("ip link del br0")
    cp(two.port, LAW="none", RATE_BPS=0)
    tap.ok("ports go while their frames wait, then the bridge", until(lambda: not stats(two.port)["q_bytes"]) and
           not sw.accounts([two.port, four.port]), (gone, stats(two.port)))
    for host in (two, four):
        sh(f"ip link del {host.port}")


def namespaces_go(tap):
    """The whole switch, under traffic, by the end of its namespace."""
    failed = 0
    for _ in range(3):
        child = os.fork()
        if not child:
            unshare()
            switch = sw.Switch(3)
            for host in switch.hosts:
                cp(host.port, LAW="qcn", AT="input", SAMPLE="random", PAUSE="input", XOFF=9000, XON=3000, RATE_BPS=1000000)
            children = [flood(host, [switch.hosts[1]]) for host in switch.hosts[::2]]
            time.sleep(0.05)
            for number in children:
                os.kill(number, signal.SIGKILL)
            os._exit(0)
        failed += os.waitpid(child, 0)[1] != 0
    tap.ok("namespaces end under traffic", not failed, failed)


def unshare():
    """A network namespace of its own, and mounts, as /sys is replaced; Python has a call for it since 3.12 only."""
    if ctypes.CDLL(None, use_errno=True).unshare(0x40000000 | 0x20000):
        raise OSError(ctypes.get_errno(), "unshare")
    subprocess.run("mount -t sysfs sysfs /sys".split(), check=False, stderr=subprocess.DEVNULL)


def main():
    tap = Tap()
    subprocess.run("mount -t sysfs sysfs /sys".split(), check=False, stderr=subprocess.DEVNULL)
    ports_go(tap, churn(tap))
    namespaces_go(tap)
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
