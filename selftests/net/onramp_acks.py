#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""onramp.ko between two namespaces, as TAP: TCP from one, and OR-ACKs made by hand, true and false, from the other."""

import os
import re
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import onramp_genl as genl
import nfqueue
from onramp_hosts import (N, A, B, ADDRESS_A, ADDRESS_B, PORT, DSCP, qdisc, Hosts, state_of, times_held, held, pause_for_long,
                          Connection, network, device, switch, switched, tc)
from probes import Trace
from script import enter, finish, result, run, skip

HERE = os.path.dirname(os.path.abspath(__file__))
ELSEWHERE = "192.0.2.5"
N_NO_CLOCK = 2
LEVELS = ("owd_ns", "threshold_ns", "base_ns")
# ONRAMP_NS_NONE
NONE = -2**63


def delays(hosts):
    """The latest delay, threshold and base of core's statistics; tc must show the same, and none where core has none."""
    shown, counters = tc("-s -j qdisc show dev va")[0], hosts.stats()
    found = [counters[name] for name in LEVELS]
    if [shown.get(name, NONE) for name in LEVELS] != found:
        raise AssertionError(f"tc shows {shown}, core {found}")
    return found


def shown_delays(hosts):
    """Those of {"OWD", "ERROR", "THRESHOLD", "STATE"} that a dump tells of our flow."""
    port = struct.pack(">H", hosts.client.getsockname()[1])
    flow, = [flow for flow in (genl.attributes(reply[N["ONRAMP_A_FLOW"]]) for reply in
                               hosts.genl.ask(N["ONRAMP_CMD_FLOW_GET"], flags=genl.DUMP)) if flow[N["ONRAMP_A_SPORT"]] == port]
    numbers = {name: flow.get(N[f"ONRAMP_A_{name}"]) for name in ("OWD", "ERROR", "THRESHOLD", "STATE")}
    return {name: int.from_bytes(data, sys.byteorder, signed=True) for name, data in numbers.items() if data}


def stamps(hosts):
    """A packet is seen once, wherever it is looked for, and its sample says where."""
    index = struct.pack("=I", socket.if_nametoindex("va"))
    for name, stamp in (("qdisc", 4), ("tracepoint", 1), ("the best", 0)):
        hosts.genl.ask(N["ONRAMP_CMD_DEV_SET"], genl.attribute(N["ONRAMP_A_IFINDEX"], index) +
                       genl.attribute(N["ONRAMP_A_STAMP_WANTED_TX"], bytes((stamp,))))
        seen = []
        counted = hosts.changed(lambda: seen.append(hosts.send()))      # pylint: disable=cell-var-from-loop
        counted_ack = hosts.changed(lambda: hosts.ack(seen[0]))
        flows = [genl.attributes(reply[N["ONRAMP_A_FLOW"]]) for reply in
                 hosts.genl.ask(N["ONRAMP_CMD_FLOW_GET"], flags=genl.DUMP)]
        stamps = {flow[N["ONRAMP_A_STAMP_TX"]][0] for flow in flows if N["ONRAMP_A_STAMP_TX"] in flow}
        result(counted.get("records") == 1 and counted_ack.get("samples") == 1 and stamps == {stamp or 1} and
               device(hosts)["STAMP_TX"] == (stamp or 1), f"stamps of {name}: one record, one sample, which says so",
               counted, counted_ack, stamps, device(hosts))


def taken(hosts):
    """OR-ACKs of packets that were sent."""
    clock_reply = hosts.genl.ask(N["ONRAMP_CMD_CLOCK_GET"])[0]
    result(N["ONRAMP_A_CLOCK_ERROR"] not in clock_reply and clock_reply[N["ONRAMP_A_CLOCK_STATE"]] == b"\0",
           "a clock that nobody set has no error bound", clock_reply)
    seen = hosts.send()
    result(delays(hosts) == [NONE, NONE, NONE] and shown_delays(hosts) == {}, "no delay is shown before the first", delays(hosts), shown_delays(hosts))
    change = hosts.changed(lambda: hosts.ack(seen, flags=N_NO_CLOCK))
    result(change.get("no_clock") == 1 and delays(hosts) == [NONE, NONE, NONE] and shown_delays(hosts) == {"STATE": 1},
           "nor if the peer has no clock", change, delays(hosts), shown_delays(hosts))
    seen = hosts.send()
    change = hosts.changed(lambda: hosts.ack(seen))
    measured = shown_delays(hosts)
    result(change.get("samples") == change.get("acks") == 1 and 0 < delays(hosts)[0] < 10**9 and not change.get("holds") and
           "no_ports" not in change, "a true OR-ACK is a sample, and goes no further", change)
    result(measured["STATE"] == 0 and delays(hosts) == [measured["OWD"], measured["THRESHOLD"], measured["OWD"]],
           "its delay is shown, the threshold, and the base", measured, delays(hosts))

    for name, counter, later_ns, other in (
            ("without a clock", "no_clock", 0, {"flags": N_NO_CLOCK}),
            ("of another clock", "no_clock", 0, {"clock": 2, "epoch": 9}),
            ("too uncertain", "uncertain", 0, {"error": 10**6}),
            ("received before sent", "negative", -10**9, {}),
            ("longer than has passed", "too_long", 10**9, {})):
        seen = hosts.send()
        change = hosts.changed(lambda args=(seen, later_ns, other): hosts.ack(args[0], args[1], **args[2]))
        result(change.get(counter) == 1 and not change.get("holds"), f"not accepted: {name}", change)
        known = counter != "no_clock"
        owd_ns, *others = delays(hosts)
        # In virtual time delays may be the same, and their bounds are not.
        shown = any(shown_delays(hosts)[name] != measured[name] for name in ("OWD", "ERROR"))
        result((owd_ns != NONE, shown) == (known, known) and
               others == [10**9 if known else NONE, measured["OWD"]],
               f"{'it' if known else 'none'} is shown: {name}", measured, owd_ns, others, shown_delays(hosts))

    seen = hosts.send()
    change = hosts.changed(lambda: hosts.ack((seen[0] - 10**6, *seen[1:])))
    result(change.get("unmatched") == 1 and change.get("acks") == 1 and "samples" not in change,
           "a packet that was never sent is no sample", change)

    qdisc("change", "threshold 50us")
    seen = hosts.send()
    time.sleep(0.02)
    change = hosts.changed(lambda: hosts.ack(seen, 10**7))
    result(change.get("holds") == change.get("holds_bounded") == 1, "a delay above the threshold holds the flow", change)
    before = hosts.stats()["hold_ns"]
    hosts.send()
    change = hosts.stats()["hold_ns"] - before
    result(0 < change <= 5 * 10**6, "for max_hold at most", change)
    qdisc("change", "mode observe")
    seen = hosts.send()
    time.sleep(0.02)
    change = hosts.changed(lambda: hosts.ack(seen, 10**7))
    result(change.get("holds_observed") == 1 and "holds" not in change, "mode observe only counts", change)


def together(hosts):
    """OR-ACKs that GRO has put together."""
    for name, other, expected in (("own", {}, {"acks": 2, "samples": 2}),
                                  ("own, and one of no flow", {"sport": 1}, {"acks": 1, "samples": 1, "acks_unknown_flow": 1}),
                                  ("own, and a piece of one", {"cut": 20}, {"acks": 1, "samples": 1, "acks_bad": 1})):
        one, two = hosts.send(), hosts.send()
        change = hosts.changed(lambda pieces=(hosts.orack(one), hosts.orack(two, **other)): hosts.together(*pieces))
        result({key: change.get(key, 0) for key in ("acks", "samples", "acks_unknown_flow", "acks_bad", "no_ports")} ==
               {"acks_unknown_flow": 0, "acks_bad": 0, "no_ports": 0} | expected, f"in one packet: {name}", change)
    foreign = hosts.orack(hosts.send(), sport=1)
    change = hosts.changed(lambda: hosts.together(foreign, foreign, foreign))
    result(change == {"acks_unknown_flow": 3}, "in one packet: those that came too late are dropped", change)
    with hosts.marked(DSCP << 2):
        change = hosts.changed(lambda: hosts.together(foreign, foreign, foreign))
    result(change == {"acks_unknown_peer": 3, "no_ports": 1}, "in one packet: none of the own is passed on", change)


def passed_on(hosts):
    """A datagram that is not an OR-ACK for this host goes to the sockets."""
    seen = hosts.send()
    with hosts.marked(DSCP << 2):
        change = hosts.changed(lambda: hosts.ack(seen, sport=1))
    result(change == {"acks_unknown_peer": 1, "no_ports": 1}, "passed on: one of no flow, and no path", change)
    for name, counter, other in (("of another version", "acks_bad", {"version": 2}),
                                 ("without entries", "acks_bad", {"count": 0}),
                                 ("that announces more", "acks_bad", {"count": 64}),
                                 ("cut in its entry", "acks_bad", {"cut": 35}),
                                 ("that is its header", "acks_bad", {"cut": 16})):
        change = hosts.changed(lambda other=other: hosts.ack(seen, **other))
        result(change == {counter: 1, "no_ports": 1}, f"passed on: one {name}", change)
    change = hosts.changed(lambda: hosts.ack(seen, cut=15))
    result(change == {"acks_bad": 1, "no_ports": 1}, "passed on: what is too short", change)


def unknown_by_default(hosts):
    """Where not all packets are remembered, a flow of this host may be unknown, and its path: nobody answers its OR-ACK."""
    seen = hosts.send()
    qdisc("change", "remember 16kb")
    for name, dsfield in (("with", 0), ("without", (DSCP + 1) << 2)):
        with hosts.marked(dsfield):
            change = hosts.changed(lambda: hosts.ack(seen, sport=1))
        result(change == {"acks_unknown_flow": 1}, f"by default one of no flow is dropped, {name} a path", change)
    change = hosts.changed(lambda: hosts.ack(seen, count=0))
    result(change == {"acks_bad": 1, "no_ports": 1}, "by default one without entries is passed on", change)


def unknown_flow(hosts):
    """An OR-ACK that comes too late, when its flow is forgotten, is not answered; for an address that is not local it is left alone."""
    seen = hosts.send()
    change = hosts.changed(lambda: hosts.ack(seen, sport=1))
    result(change == {"acks_unknown_flow": 1}, "dropped: one of no flow, of an own path", change)
    with hosts.marked(3):
        change = hosts.changed(lambda: hosts.ack(seen, sport=1))
    result(change == {"acks_unknown_flow": 1}, "dropped: one of those that met a queue, which is no DSCP", change)
    run(f"ip -n {A} addr add {ELSEWHERE}/24 dev va")
    with socket.create_connection((ADDRESS_B, 5001), source_address=(ELSEWHERE, 0)) as other:
        other.sendall(b"x")
        with hosts.listener.accept()[0] as peer:
            peer.recv(1)
        data = hosts.orack(seen, sport=1)
        change = hosts.changed(lambda: hosts.udp.sendto(data, (ELSEWHERE, PORT)))
        result(change == {"acks_unknown_flow": 1}, "dropped: one for another own address", change)
    hosts.drain()
    # Had it not been closed before, it would have nobody to end it and keep its namespace for minutes.
    run(f"ip -n {A} addr del {ELSEWHERE}/24 dev va")
    change = hosts.changed(lambda: hosts.udp.sendto(data, (ELSEWHERE, PORT)))
    result(change == {"acks_unknown_peer": 1}, "passed on: one of an own path, for an address that is not, or no more", change)


def queued(hosts):
    """An OR-ACK that waited in a queue of netfilter's is taken in the context that releases it, where locks must not be kept from softirqs."""
    name = "an OR-ACK that netfilter queued is a sample"
    subprocess.run(["modprobe", "-aq", "nfnetlink", "nf_tables", "nft_queue", "nfnetlink_queue"], check=False)
    try:
        queue = nfqueue.Queue(-500)
    except OSError as why:
        skip(name, f"no queues of netfilter's: {why}")
        return
    before, count = hosts.stats(), 0
    hosts.client.sendall(bytes(500))
    count += queue.accept(0.3)
    hosts.server.recv(500, socket.MSG_WAITALL)
    queue.close()
    seen = hosts.send()
    queue = nfqueue.Queue(-500)
    hosts.ack(seen)
    count += queue.accept(0.3)
    queue.close()
    after = hosts.stats()
    change = {key: after[key] - before[key] for key in ("acks", "samples", "no_ports")}
    result(count >= 2 and change == {"acks": 1, "samples": 1, "no_ports": 0}, name, count, change)


def unacked(hosts):
    """A path that nobody acks any more, and then somebody does."""
    monitor = genl.Family("onramp")
    monitor.join("monitor")
    hosts.ack(hosts.send())
    change = hosts.changed(lambda: [hosts.send() for _ in range(30)])
    time.sleep(0.5)
    change |= hosts.changed(lambda: [hosts.send() for _ in range(10)])
    result(not change.keys() & {"unacked", "unacked_paths"}, "ten packets without an OR-ACK, or thirty at once: not silent", change)
    time.sleep(0.5)
    change = hosts.changed(hosts.send)
    states = state_of(hosts, "FLOW"), state_of(hosts, "PATH")
    result(change.get("unacked") == change.get("unacked_paths") == 1 and states == (N["ONRAMP_STATE_UNACKED"],) * 2,
           "the next half a second later: the path is unacked", change, states)
    change = hosts.changed(lambda: [hosts.send() for _ in range(5)])
    result(change.get("unacked") == 5 and "unacked_paths" not in change, "packets that leave then are counted", change)
    seen = hosts.send()
    old = (seen[0] - 2**20) % 2**32, *seen[1:]
    change = hosts.changed(lambda: hosts.ack(old, flags=2))
    states = state_of(hosts, "FLOW"), state_of(hosts, "PATH")
    result(change.get("unmatched") == change.get("acks") == 1 and states == (N["ONRAMP_STATE_UNACKED"],) * 2,
           "an OR-ACK without a clock, of what nobody remembers, does not end it", change, states)
    change = hosts.changed(lambda: hosts.ack(seen))
    states = state_of(hosts, "FLOW"), state_of(hosts, "PATH")
    result(change.get("samples") == 1 and "unacked" not in change and states == (N["ONRAMP_STATE_VALID"],) * 2,
           "an OR-ACK ends it", change, states)
    events = [event[N["ONRAMP_A_EVENT"]][0] for event in monitor.messages()]
    result(events == [N["ONRAMP_EVENT_UNACKED"], N["ONRAMP_EVENT_ACKED"]], "monitors receive both", events)
    monitor.socket.close()


def path_held(hosts):
    """How long any flow of the sender's path without a DSCP was held so far, ns."""
    for reply in hosts.genl.ask(N["ONRAMP_CMD_PATH_GET"], flags=genl.DUMP):
        path = genl.attributes(reply[N["ONRAMP_A_PATH"]])
        if path[N["ONRAMP_A_DSCP"]] == b"\0" and path[N["ONRAMP_A_DADDR"]][-4:] == socket.inet_aton(ADDRESS_B):
            return struct.unpack("=Q", path[N["ONRAMP_A_HOLD_TOTAL"]])[0]
    return None


def kicks():
    """Queues that were looked at again."""
    done = subprocess.run(f"ip netns exec {A} tc -s -j qdisc show dev va".split(), check=True, capture_output=True, text=True)
    return int(re.search(r'"kicks": ?(\d+)', done.stdout).group(1))


def off_and_on(hosts):
    """Holding is switched off under a pause, stays so with another qdisc, and is switched on.  Return: holds that were forgone."""
    monitor, elsewhere, many = genl.Family("onramp"), None, 5
    monitor.join("monitor")
    enter(B)
    elsewhere = genl.Family("onramp")
    enter(A)
    qdisc("change", "mode hold threshold 50us max_hold 1s law strawman")
    before = held(hosts), path_held(hosts)
    planned, kicked = pause_for_long(hosts), kicks()
    hosts.client.sendall(bytes(700))
    switch(hosts, 0, b"drill at noon")
    taken_bytes = len(hosts.server.recv(700, socket.MSG_WAITALL))
    hosts.drain()
    result(planned and held(hosts) < planned and kicks() > kicked and taken_bytes == 700,
           "a pause ends as holding is switched off, and what waited leaves", planned, held(hosts), kicks() - kicked, taken_bytes)
    result(held(hosts) - before[0] == path_held(hosts) - before[1] > 0, "and so does that of its path", held(hosts), path_held(hosts), before)

    def long_delays():
        for _ in range(many):
            seen = hosts.send()
            time.sleep(0.02)
            hosts.ack(seen, 10**7)

    change = hosts.changed(long_delays)
    states = state_of(hosts, "FLOW"), state_of(hosts, "PATH")
    result(change.get("samples") == change.get("holds_off") == many and not change.keys() & {"holds", "holds_observed"},
           "then holds are counted, not made", change)
    result(states == (N["ONRAMP_STATE_SWITCHED_OFF"],) * 2, "flow and path say why", states)
    result((switched(hosts.genl), switched(elsewhere)) == ((0, b"drill at noon"), (1, b"")), "the namespace says so, and no other",
           switched(hosts.genl), switched(elsewhere))
    run(f"ip netns exec {A} tc qdisc del dev va root")
    qdisc("add", "mode hold clock system error 10us threshold 50us record_idle 10s")
    change = hosts.changed(long_delays)
    result(change.get("holds_off") == many and "holds" not in change, "it outlives the qdisc", change)
    qdisc("change", "mode observe")
    change = hosts.changed(long_delays)
    result(change.get("holds_observed") == many and not change.keys() & {"holds", "holds_off"}, "holds that mode observe forgoes have a counter", change)
    qdisc("change", "mode hold")
    switch(hosts, 1)
    seen = hosts.send()
    time.sleep(0.02)
    change = hosts.changed(lambda: hosts.ack(seen, 10**7))
    result(change.get("holds") == 1 and "holds_off" not in change and switched(hosts.genl) == (1, b""),
           "switched on, holds are made again, and the reason is gone", change, switched(hosts.genl))
    hosts.send()
    events = [(event[N["ONRAMP_A_EVENT"]][0], event.get(N["ONRAMP_A_HOLDING"]), event.get(N["ONRAMP_A_HOLDING_WHY"]))
              for event in monitor.messages() if event[N["ONRAMP_A_EVENT"]][0] == N["ONRAMP_EVENT_HOLDING"]]
    result(events == [(N["ONRAMP_EVENT_HOLDING"], b"\0", b"drill at noon\0"), (N["ONRAMP_EVENT_HOLDING"], b"\1", None)],
           "monitors receive both", events)
    qdisc("change", "mode observe")
    for family in (monitor, elsewhere):
        family.socket.close()
    return 2 * many


def others(hosts):
    """Other protocols than TCP are queued, never held, and counted: datagrams, QUIC's among them, and what is in a tunnel."""
    datagrams, tunnel = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket(socket.AF_INET, socket.SOCK_RAW, 4)
    for name, send in (("UDP", lambda: datagrams.sendto(bytes(900), (ADDRESS_B, 9))),
                       ("QUIC", lambda: datagrams.sendto(bytes(1200), (ADDRESS_B, 443))),
                       ("a tunnel", lambda: tunnel.sendto(bytes(60), (ADDRESS_B, 0)))):
        change = hosts.changed(lambda send=send: [send() for _ in range(20)], aside=())
        # There may be neighbour discovery meanwhile.
        result(20 <= change.get("not_tcp", 0) <= 22 and not change.keys() & {"holds", "flows", "records"}, f"counted: {name}", change)
    datagrams.close()
    tunnel.close()


def judge(trace, hosts, forgone):
    """Traced events agree with the counters, and holds that were switched off are counted."""
    if not trace.exists:
        print("# SKIP this kernel has no trace events")
        return
    stats = hosts.stats()
    flow = rf"src=\[::ffff:{ADDRESS_A}\]:{hosts.client.getsockname()[1]} dst=\[::ffff:{ADDRESS_B}\]:5001 "
    unusable = sum(stats[name] for name in ("no_clock", "uncertain", "negative", "too_long", "below_base", "suspect"))
    for name, event, outcome, count in (
            ("each OR-ACK, with delay and stamp", "ack", r".*owd_ns=-?\d+ .*threshold_ns=\d+ .*stamp_rx=1 ", stats["samples"]),
            ("each hold", "hold", r"hold_ns=[1-9]\d* bounded=[01] total_ns=\d+ ", stats["holds"]),
            ("each hold that is over", "hold_over", r"late_ns=\d+ total_ns=[1-9]", stats["holds"]),
            ("each delay that is not accepted", "fail_open", r"owd_ns=-?\d+ error_ns=\d+ validity=[1-6]", unusable),
            ("each path that becomes unacked", "fail_open", r"owd_ns=-?\d+ error_ns=\d+ validity=7", stats["unacked_paths"]),
            ("each hold that the switch forbids", "fail_open", r"owd_ns=[1-9]\d* error_ns=\d+ validity=8", forgone)):
        lines = trace.lines(f"onramp_{event}: .*{flow}{outcome}")
        result(len(lines) == count > 0, f"traced: {name}", f"{count} counted", *(lines or trace.lines("onramp_")[:4]))


def liar(hosts):
    """A receiver that says again and again that a packet waited until just now: max_hold, and no more until one leaves."""
    qdisc("change", "mode hold threshold 50us max_hold 5ms law strawman")
    seen = hosts.send()
    time.sleep(0.02)
    before = held(hosts)
    for _ in range(40):
        now_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
        hosts.ack((*seen[:2], now_ns - 1000))
        time.sleep(0.001)
    time.sleep(0.006)
    pause = held(hosts) - before
    result(pause == 5 * 10**6, "a liar holds a flow for max_hold after a packet, however often it lies", pause)
    qdisc("change", "mode observe law final")


def newcomers(hosts):
    """A new flow is held as its path's last delay says, if that is fresh enough and accepted."""
    for name, settings, later_ns, wait_s, counter in (
            ("behind a long delay that is fresh", "mode hold path_fresh 1s threshold 50us", 10**8, 0, "holds_new"),
            ("behind one that is older than it may be", "mode hold path_fresh 100ms threshold 50us", 10**8, 0.15, None),
            ("if no delay is fresh", "mode hold path_fresh 0s threshold 50us", 10**8, 0, None),
            ("behind a delay below T", "mode hold path_fresh 1s threshold 500ms", 10**8, 0, None),
            ("in mode observe", "mode observe path_fresh 1s threshold 50us", 10**8, 0, "holds_observed")):
        qdisc("change", f"max_hold 100ms law strawman {settings}")
        other = Connection(hosts)
        seen = hosts.send()
        time.sleep(0.2)
        hosts.changed(lambda args=(seen, later_ns): hosts.ack(*args))
        time.sleep(wait_s)
        took = []
        change = hosts.changed(lambda: took.append(other.send()))       # pylint: disable=cell-var-from-loop
        other.end()
        held_it = counter == "holds_new"
        result(change.get("flows") == 1 and change.get("holds", 0) == change.get("holds_new", 0) == held_it and
               change.get("holds_observed", 0) == (counter == "holds_observed") and (not held_it or took[0] >= 9 * 10**7),
               f"a new flow {name}: {'is held from its first byte on' if held_it else 'is not held'}", change, took)
        time.sleep(0.2)
    qdisc("change", "mode observe threshold 50us max_hold 5ms law final path_fresh 1ms")


def shorter_pause(hosts):
    """A pause in force is no longer than max_hold when that is made less: it ends.  When that is made more it goes on."""
    qdisc("change", "mode hold threshold 50us max_hold 900ms law strawman")
    found = []
    for settings in ("max_hold 1s", "max_hold 5ms"):
        for _ in range(5):
            if not pause_for_long(hosts):
                continue
            before = times_held(hosts, hosts.client.getsockname()[1])[0]
            qdisc("change", settings)
            after = times_held(hosts, hosts.client.getsockname()[1])[0]
            if before > 5 * 10**8:
                break
        found.append((before, after))
    result(all(before > 5 * 10**8 for before, _ in found) and found[0][1] and not found[1][1],
           "less max_hold ends a pause that was longer, more of it does not", found)
    qdisc("change", "law final")


def moved(hosts):
    """A flow whose packets have another DSCP is of another path, which learns nothing of what took the old one."""
    old = hosts.send()
    hosts.client.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, DSCP << 2)
    new = hosts.send()
    late, found = (hosts.changed(lambda seen=seen: hosts.ack(seen)) for seen in (old, new))
    hosts.client.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0)
    hosts.send()
    again = hosts.changed(lambda: hosts.ack(new))
    result(late.get("unmatched") == found.get("samples") == again.get("unmatched") == 1 and "samples" not in late and "samples" not in again,
           "a flow that changes its DSCP is measured by what it sends since then", late, found, again)


def suspicion():
    """A delay below the base makes a path suspect, which holds nothing until it has learned; on a path of its own.

    Delays are made, and differ by more than hosts may be late.
    """
    error_ns = 4_000_000
    with network("mode hold clock system error 1us max_error 10ms threshold auto law strawman max_hold 5ms record_idle 10s"):
        hosts = Hosts()
        trace = Trace(f"onramp-base-{os.getpid()}")
        monitor = genl.Family("onramp")
        monitor.join("monitor")

        def delayed(*all_ms):
            """Effect of reports of such delays, one right after the other, on flow and path."""
            seen = [hosts.send() for _ in all_ms]
            time.sleep(0.06)
            change = hosts.changed(lambda: [hosts.ack(packet, ms * 10**6, error=error_ns) for packet, ms in zip(seen, all_ms)])
            return change, (state_of(hosts, "FLOW"), state_of(hosts, "PATH"))

        valid, suspect = ((N[f"ONRAMP_STATE_{name}"],) * 2 for name in ("VALID", "SUSPECT"))
        change, states = delayed(45, 40)
        result(change.get("samples") == 2 and not change.keys() & {"below_base", "suspect"} and states == valid,
               "a path that is new still learns its base", change, states)
        time.sleep(1.1)
        change, states = delayed(38)
        result(not change.keys() & {"below_base", "suspect"} and states == valid, "shorter by less than the error: accepted", change, states)
        time.sleep(1.1)
        change, states = delayed(10, 50)
        result(change.get("below_base") == change.get("suspicions") == 1, "shorter by more: below the base", change)
        result(change.get("suspect") == 1 and not change.keys() & {"holds"} and states == suspect,
               "then the path is suspect: a long delay holds nothing", change, states)
        change, states = delayed(10)
        result("suspect" not in change and states == valid, "when it has learned anew it is accepted", change, states)
        change, states = delayed(50)
        result(change.get("holds") == 1 and states == valid, "and a long delay holds the flow", change, states)
        events = [event[N["ONRAMP_A_EVENT"]][0] for event in monitor.messages()]
        result(events == [N["ONRAMP_EVENT_SUSPECT"], N["ONRAMP_EVENT_CLEARED"]], "monitors receive both", events)
        if trace.exists:
            lines = [len(trace.lines(f"onramp_fail_open: .*error_ns={error_ns + 1000} validity={N[f'ONRAMP_STATE_{validity}']}")) for validity in ("BELOW_BASE", "SUSPECT")]
            result(lines == [1, 1], "traced: each of them", lines, *trace.lines("onramp_fail_open"))
        trace.end()
        monitor.socket.close()
        hosts.close()


def dumps(hosts):
    """Flows and paths."""
    flows = [genl.attributes(reply[N["ONRAMP_A_FLOW"]])
             for reply in hosts.genl.ask(N["ONRAMP_CMD_FLOW_GET"], flags=genl.DUMP)]
    port = struct.pack(">H", hosts.client.getsockname()[1])
    own = [flow for flow in flows if flow[N["ONRAMP_A_SPORT"]] == port]
    result(len(own) == 1 and own[0][N["ONRAMP_A_DADDR"]] == socket.inet_aton(ADDRESS_B) and
           struct.unpack("=I", own[0][N["ONRAMP_A_RECORDS"]])[0] > 0 and
           struct.unpack("=Q", own[0][N["ONRAMP_A_SAMPLES"]])[0] > 0, "the flow is dumped", flows)
    paths = [genl.attributes(reply[N["ONRAMP_A_PATH"]])
             for reply in hosts.genl.ask(N["ONRAMP_CMD_PATH_GET"], flags=genl.DUMP)]
    own = [path for path in paths if path[N["ONRAMP_A_SADDR"]] == socket.inet_aton(ADDRESS_A)]
    result(len(own) == 1 and own[0][N["ONRAMP_A_DADDR"]] == socket.inet_aton(ADDRESS_B) and own[0][N["ONRAMP_A_DSCP"]] == b"\0" and
           struct.unpack("=q", own[0][N["ONRAMP_A_BASE"]])[0] >= 0, "the path is dumped", paths)


def main():
    """Set up, test, clear away."""
    with network("mode hold clock system error 10us threshold 1s record_idle 10s"):
        hosts, trace = Hosts(), Trace()
        taken(hosts)
        queued(hosts)
        unacked(hosts)
        judge(trace, hosts, off_and_on(hosts))
        trace.end()
        others(hosts)
        liar(hosts)
        newcomers(hosts)
        passed_on(hosts)
        unknown_flow(hosts)
        together(hosts)
        dumps(hosts)
        stamps(hosts)
        shorter_pause(hosts)
        moved(hosts)
        unknown_by_default(hosts)
        hosts.close()
    suspicion()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
