#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp.ko: requests that are refused and change nothing, limits and budgets of tenants, and the privileges of requests, as TAP."""

import errno
import os
import re
import socket
import statistics
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import onramp_genl as genl
from onramp_hosts import N, STATS, ONE, Hosts, refused, key_request, Connections, network, device, switch, switched
from probes import Probes
from script import (BUDGETS, CLONE_NEWNET, CLONE_NEWUSER, CLOSING, LIBC, Inside, in_child, become_tenant, budget, connections, finish,
                    result, run, skip)

HERE = os.path.dirname(os.path.abspath(__file__))
MANY = 300
WAITS = 10
AT_ONCE_S = 0.0002


def requests(hosts):
    """Refusals, and that they change nothing."""
    before = hosts.genl.ask(N["ONRAMP_CMD_CLOCK_GET"])
    u8, u32, s64, u64 = (struct.Struct(f"={kind}").pack for kind in "BIqQ")
    now = time.clock_gettime_ns(time.CLOCK_REALTIME)
    line = {"CLOCK_ID": u8(2), "CLOCK_ERROR": u32(100), "CLOCK_BASE": u8(0), "CLOCK_OFFSET": s64(0),
            "CLOCK_REF": s64(now), "CLOCK_VALID": u64(10**9), "CLOCK_EPOCH": u32(7)}
    refused(hosts, "a clock without an error", errno.EINVAL, "error must be given", "CLOCK_SET", ("CLOCK_ID", u8(1)))
    refused(hosts, "a clock of no kind", errno.ERANGE, "", "CLOCK_SET", ("CLOCK_ID", u8(3)), ("CLOCK_ERROR", u32(1)))
    refused(hosts, "an error above a second", errno.ERANGE, "", "CLOCK_SET", ("CLOCK_ID", u8(1)),
            ("CLOCK_ERROR", u32(10**9 + 1)))
    refused(hosts, "a system clock with an offset", errno.EINVAL, "nothing else", "CLOCK_SET", ("CLOCK_ID", u8(1)),
            ("CLOCK_ERROR", u32(1)), ("CLOCK_OFFSET", s64(0)))
    for name in ("CLOCK_BASE", "CLOCK_OFFSET", "CLOCK_REF", "CLOCK_VALID", "CLOCK_EPOCH"):
        refused(hosts, f"a line without {name}", errno.EINVAL, "must be given", "CLOCK_SET",
                *((kind, data) for kind, data in line.items() if kind != name))
    for name, data, text in (("CLOCK_ERROR", u32(0), "1 to 1000000000"), ("CLOCK_BASE", u8(3), ""),
                             ("CLOCK_DRIFT", s64(1 << 22), ""), ("CLOCK_DRIFT", s64(-1 << 22), ""),
                             ("CLOCK_REF", s64(now - 601 * 10**9), "within 600 s"),
                             ("CLOCK_VALID", u64(600 * 10**9 + 1), ""), ("CLOCK_EPOCH", u32(0), "")):
        refused(hosts, f"a line whose {name} is out of range", errno.ERANGE, text, "CLOCK_SET",
                *(line | {name: data}).items())
    refused(hosts, "no flows", errno.ERANGE, "", "LIMITS_SET", ("MAX_FLOWS", u32(0)))
    refused(hosts, "too many paths", errno.ERANGE, "", "LIMITS_SET", ("MAX_PATHS", u32((1 << 20) + 1)))
    refused(hosts, "no limit at all", errno.EINVAL, "must be given", "LIMITS_SET")
    refused(hosts, "limits with a clock", errno.EINVAL, "", "LIMITS_SET", ("CLOCK_ERROR", u32(1)))
    index = u32(socket.if_nametoindex("va"))
    refused(hosts, "a device's stamps, of no device", errno.EINVAL, "is missing", "DEV_SET", ("STAMP_WANTED_TX", u8(1)))
    refused(hosts, "a device's stamps, from nowhere", errno.EINVAL, "must be given", "DEV_SET", ("IFINDEX", index))
    refused(hosts, "stamps of a device that is not there", errno.ENODEV, "no such device", "DEV_SET",
            ("IFINDEX", u32(10**6)), ("STAMP_WANTED_TX", u8(1)))
    refused(hosts, "stamps from no kind of place", errno.ERANGE, "", "DEV_SET", ("IFINDEX", index),
            ("STAMP_WANTED_TX", u8(5)))
    refused(hosts, "stamps of a driver without hook", errno.EOPNOTSUPP, "does not call onramp_hook", "DEV_SET",
            ("IFINDEX", index), ("STAMP_WANTED_TX", u8(2)))
    for way in ("TX", "RX"):
        refused(hosts, f"{way} stamps of hardware that is not there", errno.EOPNOTSUPP, "choose driver, tracepoint or auto", "DEV_SET",
                ("IFINDEX", index), (f"STAMP_WANTED_{way}", u8(3)))
    refused(hosts, "a good one with a qdisc's of what comes", errno.EOPNOTSUPP, "no qdisc", "DEV_SET", ("IFINDEX", index),
            ("STAMP_WANTED_TX", u8(4)), ("STAMP_WANTED_RX", u8(4)))
    result(device(hosts) == {"HOOK": 0, "STAMP_WANTED_TX": 0, "STAMP_TX": 1, "STAMP_WANTED_RX": 0, "STAMP_RX": 0},
           "nothing of that changed where stamps come from", device(hosts))
    refused(hosts, "the acker's, without it", errno.EOPNOTSUPP, "load onramp_acker", "ACKER_GET")
    refused(hosts, "its dumps, too", errno.EOPNOTSUPP, "load onramp_acker", "ACKER_DEV_GET", flags=genl.DUMP)
    after = hosts.genl.ask(N["ONRAMP_CMD_CLOCK_GET"])
    result(before == after and not after[0][N["ONRAMP_A_CLOCK_STATE"]][0], "and nothing was changed", before, after)

    payload = b"".join(genl.attribute(N[f"ONRAMP_A_{kind}"], data) for kind, data in line.items())
    hosts.genl.ask(N["ONRAMP_CMD_CLOCK_SET"], payload)
    reply = hosts.genl.ask(N["ONRAMP_CMD_CLOCK_GET"])[0]
    result(reply[N["ONRAMP_A_CLOCK_EPOCH"]] == u32(7) and reply[N["ONRAMP_A_CLOCK_STATE"]] == u8(1) and
           reply[N["ONRAMP_A_CLOCK_ID"]] == u8(2), "a line is published", reply)
    time.sleep(1.1)
    reply = hosts.genl.ask(N["ONRAMP_CMD_CLOCK_GET"])[0]
    result(reply[N["ONRAMP_A_CLOCK_STATE"]] == u8(0), "and stale after its time", reply)
    forget = {"CLOCK_ID": u8(2), "CLOCK_ERROR": u32(0)}
    refused(hosts, "to forget a clock with a line", errno.EINVAL, "must be given", "CLOCK_SET",
            *(forget | {"CLOCK_EPOCH": u32(7)}).items())
    payload = b"".join(genl.attribute(N[f"ONRAMP_A_{kind}"], data) for kind, data in forget.items())
    for often in ("forgotten", "forgotten twice is no error"):
        hosts.genl.ask(N["ONRAMP_CMD_CLOCK_SET"], payload)
        after = hosts.genl.ask(N["ONRAMP_CMD_CLOCK_GET"])
        result(before == after, f"a line is {often}", before, after)


def phc_requests(hosts):
    """Hardware clocks, of devices that have none: an invalid line is reported first."""
    u32, s64, u64 = (struct.Struct(f"={kind}").pack for kind in "IqQ")
    now = time.clock_gettime_ns(time.CLOCK_REALTIME)
    index = u32(socket.if_nametoindex("va"))
    line = {"IFINDEX": index, "CLOCK_ERROR": u32(50), "CLOCK_OFFSET": s64(now - 10**9), "CLOCK_REF": s64(10**9),
            "CLOCK_VALID": u64(10**9), "CLOCK_EPOCH": u32(1), "CLOCK_DRIFT": s64(5), "PHC_BIAS": s64(5), "PHC_WINDOW": u64(10**6)}
    for name in ("IFINDEX", "CLOCK_ERROR", "CLOCK_OFFSET", "CLOCK_REF", "CLOCK_VALID", "CLOCK_EPOCH"):
        refused(hosts, f"a hardware clock without {name}", errno.EINVAL, "must be given", "PHC_SET",
                *((kind, data) for kind, data in line.items() if kind != name))
    for name, data, text in (("IFINDEX", u32(0), ""), ("CLOCK_ERROR", u32(0), "1 to 1000000000"), ("CLOCK_ERROR", u32(10**9 + 1), ""),
                             ("CLOCK_REF", s64(-1), "0 ns or more"), ("CLOCK_OFFSET", s64(-2 * 10**9), "0 ns or more"),
                             ("CLOCK_OFFSET", s64(2**63 - 1), "0 ns or more"), ("CLOCK_OFFSET", s64(now - 602 * 10**9), "within 600 s"),
                             ("CLOCK_OFFSET", s64(now + 602 * 10**9), "within 600 s"), ("CLOCK_DRIFT", s64(1 << 22), ""),
                             ("CLOCK_DRIFT", s64(-1 << 22), ""), ("CLOCK_VALID", u64(600 * 10**9 + 1), ""), ("CLOCK_EPOCH", u32(0), ""),
                             ("PHC_BIAS", s64(10**6 + 1), ""), ("PHC_BIAS", s64(-10**6 - 1), ""), ("PHC_WINDOW", u64(999), ""),
                             ("PHC_WINDOW", u64(10**8 + 1), "")):
        refused(hosts, f"a hardware clock whose {name} is {int.from_bytes(data, sys.byteorder)}", errno.ERANGE, text, "PHC_SET",
                *(line | {name: data}).items())
    refused(hosts, "a hardware clock with a base", errno.EINVAL, "", "PHC_SET", *(line | {"CLOCK_BASE": bytes(1)}).items())
    refused(hosts, "a hardware clock of no device", errno.ENODEV, "no such device", "PHC_SET", *(line | {"IFINDEX": u32(10**6)}).items())
    refused(hosts, "a good line for a device without a clock", errno.EOPNOTSUPP, "no hardware clock", "PHC_SET", *line.items())
    refused(hosts, "to forget the line of no device", errno.ENODEV, "no such device", "PHC_DEL", ("IFINDEX", u32(10**6)))
    hosts.genl.ask(N["ONRAMP_CMD_PHC_DEL"], genl.attribute(N["ONRAMP_A_IFINDEX"], index))
    replies = [reply for reply in hosts.genl.ask(N["ONRAMP_CMD_DEV_GET"], flags=genl.DUMP) if reply[N["ONRAMP_A_IFINDEX"]] == index]
    result(len(replies) == 1 and replies[0][N["ONRAMP_A_PHC"]] == bytes(1) and N["ONRAMP_A_CLOCK_REF"] not in replies[0] and
           not any(replies[0][N["ONRAMP_A_PHC_RX_GOOD"]]), "there is no hardware clock, and no line; none to forget is no error", replies)


def tenant():
    """In a user namespace of its own, with a network of its own: the requests, and the errors."""
    above = genl.Family("onramp")
    if not become_tenant():
        return None
    family, errors = genl.Family("onramp"), []
    for name, value in (("MAX_FLOWS", 1), ("MAX_PATHS", 1), ("MAX_FLOWS", 1 << 20), ("MAX_PATHS", 1 << 20)):
        try:
            family.ask(N["ONRAMP_CMD_LIMITS_SET"], genl.attribute(N[f"ONRAMP_A_{name}"], struct.pack("=I", value)), genl.ACK)
            errors.append(0)
        except genl.Refused as why:
            errors.append(why.errno)
    for own in (family, above):
        try:
            own.ask(N["ONRAMP_CMD_HOLDING_SET"], genl.attribute(N["ONRAMP_A_HOLDING"], bytes(1)), genl.ACK)
            errors.append(0)
        except genl.Refused as why:
            errors.append(why.errno)
    return errors


def flows_of_tenant(count):
    """As a tenant so many flows are made: how many are remembered, and did others find no space?"""
    if not become_tenant():
        return None
    run("tc qdisc replace dev lo root onramp mode observe clock system error 1us threshold 1s")
    family, kept = genl.Family("onramp"), connections(count)
    reply = family.ask(N["ONRAMP_CMD_STATS_GET"])[0]
    stats = dict(zip(STATS, struct.unpack(f"={len(STATS)}q", reply[N["ONRAMP_A_STATS"]])))
    flows = struct.unpack("=I", reply[N["ONRAMP_A_FLOWS"]])[0]
    return (flows, stats["flows_failed"] > 0), kept


def written(path, text):
    """The error with which a parameter refuses it, or 0."""
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    except OSError as why:
        return why.errno
    return 0


def budgets():
    """The tenants' budgets: their range, and what they are for."""
    for what in ("flows", "paths", "acked_flows"):
        path = BUDGETS + what
        with open(path, encoding="ascii") as file:
            was = file.read()
        for text, number in (("-1", errno.EINVAL), ("many", errno.EINVAL), ("\n", errno.EINVAL), ("1.5", errno.EINVAL),
                             ("1 2", errno.EINVAL), ("4294967296", errno.ERANGE)):
            errors = written(path, text)
            with open(path, encoding="ascii") as file:
                now = file.read()
            result((errors, now) == (number, was), f"tenant_{what} refuses {text!r} and stays", errors, now)
        errors = []
        for text in ("4294967295", was):
            errors.append(written(path, text))
            with open(path, encoding="ascii") as file:
                errors.append(file.read())
        result(errors == [0, "4294967295\n", 0, was], f"tenant_{what} takes the largest value, and the old one again", errors)
    for what in ("flows", "paths"):
        budget(what, flows_of_tenant, ((4, (3, False), (1, True)), (0, (0, True), (0, True)), (4, (3, False), (1, True))))


def guarded():
    """Commands that docs/netlink/onramp.yaml gives to CAP_NET_ADMIN alone, and all others."""
    with open(os.path.join(HERE, "../../docs/netlink/onramp.yaml"), encoding="ascii") as file:
        operations = file.read().partition("\noperations:")[2].partition("\nmcast-groups:")[0]
    commands = {True: set(), False: set()}
    for block in re.split(r"\n    -\n", operations)[1:]:
        name = re.search(r"name: (\S+)", block).group(1)
        commands["uns-admin-perm" in block].add("ONRAMP_CMD_" + name.upper().replace("-", "_"))
    return commands[True], commands[False]


def user():
    """Without a right: commands that are refused for that though they should not, or the other way round, and what looking gives."""
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    (closed, opened), family, refused_to = guarded(), genl.Family("onramp"), set()
    for name in closed | opened:
        try:
            family.ask(N[name], b"", genl.ACK)
        except genl.Refused as why:
            refused_to |= {name} if why.errno == errno.EPERM else set()
    changing = {name for name in N if re.fullmatch("ONRAMP_CMD_.*_(SET|ADD|DEL|ROTATE)", name)}
    keys = family.ask(N["ONRAMP_CMD_KEY_GET"], flags=genl.DUMP)
    return (sorted(refused_to ^ closed), sorted(changing ^ closed), len(family.ask(N["ONRAMP_CMD_STATS_GET"])),
            [sorted(reply) == sorted(N[f"ONRAMP_A_{name}"] for name in ("GROUP", "KEY_ID", "KEY_REQUIRE")) for reply in keys])


def tenants(hosts):
    """Root of a user namespace alone lowers limits there, and raises none; has a switch, and not that of the host."""
    key_request(hosts, "ADD", group=1, key_id=5, key=ONE)
    errors = in_child(user)
    key_request(hosts, "DEL", group=1)
    result(errors == repr(([], [], 1, [True])), "a user changes nothing, and may look: at groups, and at no key", errors)
    errors = in_child(tenant)
    name = "a tenant lowers limits, raises none, and switches holding off at home alone"
    if errors == "None":
        result(True, f"{name} # SKIP no user namespaces")
    else:
        result(errors == repr([0, 0, errno.EPERM, errno.EPERM, 0, errno.EPERM]), name, errors)


def switch_refused(hosts):
    """Invalid values of the switch, and that they change nothing."""
    off = ("HOLDING", bytes(1))
    switch(hosts, 1, b"as it was")
    refused(hosts, "a switch that is neither on nor off", errno.EINVAL, "on or off must be given", "HOLDING_SET")
    refused(hosts, "a reason alone", errno.EINVAL, "on or off must be given", "HOLDING_SET", ("HOLDING_WHY", b"x\0"))
    refused(hosts, "a switch with a third way", errno.ERANGE, "", "HOLDING_SET", ("HOLDING", bytes((2,))))
    refused(hosts, "a switch of four bytes", errno.EINVAL, "", "HOLDING_SET", ("HOLDING", bytes(4)))
    refused(hosts, "a reason of 64 characters", errno.EINVAL, "", "HOLDING_SET", off, ("HOLDING_WHY", b"x" * 64 + b"\0"))
    refused(hosts, "a reason that does not end", errno.EINVAL, "", "HOLDING_SET", off, ("HOLDING_WHY", b"x"))
    for why in (b"a line\n", b"bell\a\0", b"\x1b[2J\0", b"\xc3\xa9\0"):
        refused(hosts, f"the reason {why}", errno.EINVAL, "" if why[-1] else "printable ASCII", "HOLDING_SET", off, ("HOLDING_WHY", why))
    refused(hosts, "a switch with a limit", errno.EINVAL, "", "HOLDING_SET", off, ("MAX_FLOWS", bytes((1, 0, 0, 0))))
    result(switched(hosts.genl) == (1, b"as it was"), "nothing of that switched anything", switched(hosts.genl))


def as_user():
    """May a user become a tenant?"""
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    return not LIBC.unshare(CLONE_NEWUSER | CLONE_NEWNET)


def no_tenants():
    """The kernel's own two switches, each of which forbids users to become tenants."""
    for switch_of in ("kernel/unprivileged_userns_clone", "user/max_user_namespaces"):
        name, path = f"no user becomes a tenant with {switch_of.replace('/', '.')} 0", f"/proc/sys/{switch_of}"
        before = in_child(as_user)
        if not os.path.exists(path) or before != "True":
            skip(name, f"no {path}" if before == "True" else "users become none anyway")
            continue
        with open(path, "r+", encoding="ascii") as file:
            was = file.read()
            errors = []
            for text in ("0", was):
                file.seek(0)
                file.write(text)
                file.flush()
                errors.append(in_child(as_user))
        result(errors == ["False", "True"], name, errors)


def waits(hosts):
    """The number of grace periods that a request waits for does not grow with flows, packets or devices while taps are switched."""
    rcu = ("synchronize_rcu", "synchronize_rcu_expedited")
    probes = Probes(*((name, name, f"common_pid == {os.getpid()}") for name in (*rcu, "synchronize_srcu")))
    if not probes.exists:
        skip("waits for grace periods", "this kernel has no kprobes")
        return
    index = genl.attribute(N["ONRAMP_A_IFINDEX"], struct.pack("=I", socket.if_nametoindex("va")))

    def move(stamp):
        """Request other stamps."""
        hosts.genl.ask(N["ONRAMP_CMD_DEV_SET"], index + genl.attribute(N["ONRAMP_A_STAMP_WANTED_TX"], bytes((stamp,))))

    def waited(stamp):
        """Grace periods of RCU, and of SRCU, that this waits for."""
        before = [probes.count(name) for name in probes.names]
        move(stamp)
        added = [probes.count(name) - was for name, was in zip(probes.names, before)]
        return added[0] + added[1], added[2]

    found = []
    waited(1)
    for count in (0, MANY):
        many = Connections(hosts, count)
        many.send()
        found.append([waited(stamp) for stamp in (4, 1) * 5])
        many.end()
    hosts.drain()
    move(0)
    probes.end()
    closed = Probes(("closed", "tracepoint_probe_unregister", ""))
    move(4)
    early = closed.count("closed")
    time.sleep(CLOSING)
    late = closed.count("closed")
    closed.end()
    result((early, late) == (0, 1), "a tap that nobody needs is closed a second later, and not by the request", early, late)
    move(0)
    result(found == [[(1, 0)] * 10] * 2, "to move a device takes one wait, and to close a tap none, however many flows there are", found)


def windows(lines):
    """Length of each time from "waits" to "waited", s, and how many of "other" were in it."""
    found, since = [], None
    for line in lines:
        at, event = re.search(r" ([\d.]+): (waits|waited|other)\w*: \(", line).groups()
        if event == "waits" and since is None:
            since, others = float(at), 0
        elif event == "other" and since is not None:
            others += 1
        elif event == "waited" and since is not None:
            found.append((float(at) - since, others))
            since = None
    return found


def apart(hosts):
    """Requests of a namespace that wait for RCU keep nobody else's waiting: they have no lock of his."""
    name, begin = "while a tenant's request waits, another namespace's are answered", os.pipe()
    tenant_id = os.fork()
    if not tenant_id:
        LIBC.unshare(CLONE_NEWNET)
        family = genl.Family("onramp")
        os.read(begin[0], 1)
        for way in (0, 1) * WAITS:
            family.ask(N["ONRAMP_CMD_HOLDING_SET"], genl.attribute(N["ONRAMP_A_HOLDING"], bytes((way,))))
        os._exit(0)
    his, mine = f"common_pid == {tenant_id}", f"common_pid == {os.getpid()}"
    probes = Probes(("waits", "synchronize_rcu", his), ("waits_x", "synchronize_rcu_expedited", his),
                    ("waited", "onramp_flow_each", his), ("other", "onramp_clock_get_doit", mine))
    os.write(begin[1], b"x")
    # Grace periods take milliseconds. Requests without a rest would make more events than the trace keeps, and where processes
    # take no time no grace period would end.
    while probes.exists and os.waitpid(tenant_id, os.WNOHANG) == (0, 0):
        hosts.genl.ask(N["ONRAMP_CMD_CLOCK_GET"])
        time.sleep(0.0005)
    if probes.exists:
        found = windows(probes.trace.lines(r" (?:waits|waited|other)\w*: \("))
        # Where one CPU runs all and kernel code is not preempted, a grace period ends at once, and nobody could be answered meanwhile.
        if len(found) == WAITS and statistics.median(length for length, _ in found) < AT_ONCE_S:
            skip(name, "grace periods end at once in this kernel")
        else:
            # One may be over before we run; with one lock for all there would be none in any.
            result(len(found) == WAITS and any(others for _, others in found), name, found)
    else:
        os.waitpid(tenant_id, 0)
        skip(name, "this kernel has no kprobes")
    probes.end()
    for file in begin:
        os.close(file)


def drivers_lock():
    """A driver's own lock, which tc and notifiers hold since 7.2, is not taken again, nor is that of a device below.

    Dummy has one there. Where it is taken twice, the command never ends, and nor does any after it.
    """
    name = f"onramp-lock-{os.getpid()}"
    run(f"ip netns add {name}")
    run(f"ip -n {name} link add d0 type dummy")
    run(f"ip -n {name} link add link d0 name d0.5 type vlan id 5")
    run(f"ip -n {name} link add d1 type dummy")
    with Inside(name):
        index = genl.attribute(N["ONRAMP_A_IFINDEX"], struct.pack("=I", socket.if_nametoindex("d1")))
        genl.Family("onramp").ask(N["ONRAMP_CMD_DEV_SET"], index + genl.attribute(N["ONRAMP_A_STAMP_WANTED_TX"], bytes((4,))))
    for dev in ("d0", "d0.5", "d1"):
        run(f"ip netns exec {name} tc qdisc add dev {dev} root onramp mode observe")
    for change in ("d0 up", "d0.5 up", "d1 up", "d0 carrier off", "d0 carrier on", "d0 down", "d0 up"):
        run(f"ip -n {name} link set {change}")
    run(f"ip netns exec {name} tc qdisc change dev d0.5 root onramp mode off")
    text = subprocess.run(f"ip netns exec {name} tc qdisc show".split(), stdout=subprocess.PIPE, text=True, check=False).stdout
    run(f"ip netns del {name}")
    result(text.count("qdisc onramp ") == 3, "tc, a link that comes and goes, and requests for stamps do not wait for a lock that they have", text)


def main():
    """Set up, test, clear away."""
    with network("mode hold clock system error 10us threshold 1s record_idle 10s"):
        drivers_lock()
        hosts = Hosts()
        requests(hosts)
        tenants(hosts)
        no_tenants()
        budgets()
        phc_requests(hosts)
        switch_refused(hosts)
        waits(hosts)
        apart(hosts)
        hosts.close()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
