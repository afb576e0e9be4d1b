# SPDX-License-Identifier: GPL-2.0
"""The guest's answers to a plan of flows: refused if On-Ramp did not do what is timed, else as numbers."""

import json
from dataclasses import replace

import stats
from failed import BenchFailed
from flows import ENTRY, FRAME, FULL, LATE_PROBES, MIB, PATH_FLOWS, PROBES, RECORDS, tcp_bytes

# kernel/algo/onramp_pick.h: packets that are always remembered, and how many others at once and a second
GRID, LARGE = 16384, 16384
BURST, RATE = 64, 50_000
DISTURBED_MOST = 0.1    # of a case's turns may be left out
# Laps that are not counted: in the first flows are made; in the second a flow learns that its receiver has another grid.
UNCOUNTED = {"grid": 1, "held": 1, "none": 2}


def _pairs(numbers):
    return list(zip(numbers[::2], numbers[1::2]))


def _check_acked(item, document, what):
    """Packets that came to the acker, and packets that it acked."""
    came, acked = (document[1][name] - document[0][name] for name in ("packets", "entries"))
    sent = item.packets * item.laps
    least, most = {"no acker": (0, 0), "no OR-ACK": (1, 0.01 * sent), "OR-ACK for each": (sent, sent), "usual": (sent / 45, sent)}[item.variant]
    if came != (0 if item.variant == "no acker" else sent) or not least <= acked <= most:
        raise BenchFailed(f"{what}: {came} of {sent} packets came to the acker, {acked} were acked")


def _check_hook(item, document, what):
    """Each packet of each lap came to the acker, or none if nobody listens."""
    came, acked = (document[1][name] - document[0][name] for name in ("packets", "entries"))
    sent = item.laps * item.packets
    if came != (0 if item.variant == "nobody" else sent):
        raise BenchFailed(f"{what}: {came} of {sent} packets came to the acker")
    if item.variant == "no OR-ACK" and acked > 0.01 * sent or item.variant == "usual" and acked < 0.05 * sent:
        raise BenchFailed(f"{what}: {acked} of {sent} packets were acked")


def picked(item, numbers):
    """The least and the most packets that are remembered, of flows and of what is acked.

    The least is the packets on the grid. The most includes others as far as the token bucket allows, which fills in the pauses: twice a lap.
    """
    probes = item.laps * PROBES * (1 + (item.flows - 1) // PATH_FLOWS)
    if item.shape.peer == "held":
        probes += item.laps * LATE_PROBES
    sent = item.laps * item.packets
    if item.shape.bytes >= LARGE:
        return sent + probes, sent + probes
    of_flow = item.laps * item.packets // item.flows if item.kind != "new" else 1
    flows = sent // of_flow
    grids = of_flow * item.shape.bytes // GRID
    if item.shape.peer == "none":       # the first lap makes the flow, the second hears of it
        return sent - 2 * item.packets, sent + probes
    free = 2 * item.laps * BURST + RATE * sum(numbers) / 1e9
    return flows * grids, min(flows * (grids + 1) + free, sent) + probes


def _check_picked(item, numbers, qdisc, what):
    """As many packets were recorded as are picked."""
    records, (least, most) = qdisc.get("records", 0), picked(item, numbers)
    if not max(least, 1) <= records <= most:
        raise BenchFailed(f"{what}: {records} packets were recorded, not {least:.0f} to {most:.0f}")
    if item.shape.peer == "held":
        # In the first lap the path's least delay may not be known yet, and a host that is busy may make an OR-ACK late.
        if qdisc.get("holds", 0) < 1.5 * item.laps:
            raise BenchFailed(f"{what}: {qdisc.get('holds', 0)} holds in {item.laps} laps")
        qdisc = {**qdisc, "holds": 0}
    _check_calm(qdisc, what)


def _check_recorded(qdisc, sent, what):
    """Each packet, and nothing else but what is acked, which is a sample."""
    records, samples = qdisc.get("records", 0), qdisc.get("samples", 0)
    if records - samples != sent:
        raise BenchFailed(f"{what}: {records - samples} of {sent} packets were recorded")
    _check_calm(qdisc, what)


class Disturbed(BenchFailed):
    """The host stood still for longer than a path waits for an OR-ACK."""


def _check_calm(qdisc, what):
    """Nothing was held, and no path was unacknowledged."""
    for name in ("holds", "no_clock"):
        if qdisc.get(name, 0):
            raise BenchFailed(f"{what}: {name} {qdisc[name]}")
    if qdisc.get("unacked", 0):
        raise Disturbed(f"{what}: unacked {qdisc['unacked']}")


def _check_tcp(item, numbers, document, what):
    """Packets were as large as the kind says, where they were sent and where they came; what is to be acked was."""
    qdisc, acker = _qdisc_of(item.arguments.split()[1], document["qdisc"], what), document["acker"]
    sent = tcp_bytes(item)
    least, most = (sent / 65536, sent / 32768) if item.kind == "whole" else (sent / 1460, sent / 1400)
    large = 32768 if item.flows == 1 else 8192      # the first rounds of many connections are more of the whole
    if item.arguments.startswith("none"):
        least, most = 0, 0
    if not least <= acker["packets"] <= most or acker["entries"] < 0.05 * acker["packets"]:
        raise BenchFailed(f"{what}: {acker['packets']} packets came to the acker, {acker['entries']} were acked, of {sent} bytes")
    if "hold" not in item.arguments:
        return
    if not sent / 65536 <= qdisc["records"] <= sent / large or qdisc["samples"] < 0.9 * acker["entries"]:
        raise BenchFailed(f"{what}: {qdisc['records']} records, {qdisc['samples']} samples, of {sent} bytes")
    _check_recorded({**qdisc, "samples": 0}, qdisc["records"], what)


def _qdisc_of(kind, document, what):
    """Statistics of a qdisc, which dropped nothing."""
    found = [qdisc for qdisc in document if qdisc["kind"] == kind]
    if not found:
        raise BenchFailed(f"{what}: tc shows {', '.join(qdisc['kind'] for qdisc in document)}")
    if found[0].get("drops"):
        raise BenchFailed(f"{what}: {found[0]['drops']} packets were dropped")
    return found[0]


def check(item, numbers, document):
    """Refuse a measurement in which packets were lost, or On-Ramp did not do what is being timed."""
    what = f"{item.name}, {item.variant}"
    if item.group == "receive":
        _check_acked(item, document, what)
    elif item.group == "acks":
        came = document[1]["packets"] - document[0]["packets"]
        if came != item.laps * item.packets or document[1]["entries_first"] - document[0]["entries_first"] < item.laps:
            raise BenchFailed(f"{what}: {came} packets came, and not each burst's first was acked: {document}")
    elif item.kind == "rxhook":
        _check_hook(item, document, what)
    elif item.group == "tcp":
        _check_tcp(item, numbers, document, what)
    else:
        qdisc = _qdisc_of(item.arguments.split()[0], document, what)
        if item.variant in RECORDS and item.group != "hook":
            if qdisc.get("samples", 0) < PROBES * item.laps:
                raise BenchFailed(f"{what}: {qdisc.get('samples', 0)} OR-ACKs in {item.laps} laps: {qdisc}")
            if item.variant == "remember 0":
                _check_recorded(qdisc, item.laps * item.packets, what)
            else:
                _check_picked(item, numbers, qdisc, what)


def _number_lines(output):
    """{key: numbers} of what the guest measured, and {key: document} of what it showed."""
    took, shown = {}, {}
    for line in output.splitlines():
        kind, _, rest = line.partition(" ")
        key, _, rest = rest.partition(" ")
        if kind in ("took", "memory"):
            took[key] = [int(value) for value in rest.split()]
        elif kind == "stats":
            try:
                shown[key] = json.loads(rest)
            except json.JSONDecodeError as why:
                raise BenchFailed(f"{key}: what is shown is not JSON: {why}") from why
        elif kind == "failed":
            raise BenchFailed(f"{key} {rest}")
    return took, shown


def _part_of_data(item, document):
    """OR-ACKs' bytes in frames, % of the data's without headers."""
    before, after = document
    acks = sum(size * (after[name] - before[name]) for name, size in (("datagrams", FRAME), ("entries", ENTRY)))
    return 100 * acks / (item.laps * item.packets * FULL)


def _tcp_value(item, numbers):
    """Time of the machine and of its receiver, ns of a MiB in each lap."""
    laps = list(zip(numbers[::3], numbers[1::3], numbers[2::3]))
    if len(numbers) != 3 * item.laps or min(numbers) <= 0:
        raise BenchFailed(f"{item.name}, {item.variant}: times of {len(laps)} laps, not {item.laps}: {numbers}")
    if sum(numbers[2::3]) != tcp_bytes(replace(item, laps=item.laps)) - tcp_bytes(replace(item, laps=0)):
        raise BenchFailed(f"{item.name}, {item.variant}: other bytes were sent than are in {item.laps} laps: {numbers}")
    return [[lap[part] * MIB / lap[2] for lap in laps] for part in (0, 1)]


def value_of(item, numbers, document, of_laps, least=1):
    """Result of a measurement: for each packet, ns to come and to leave; of a hook the ns of it; of TCP as _tcp_value(); of
    memory bytes for a flow; of OR-ACKs their part of the data. A clock that stood still is refused."""
    if item.group == "memory":
        return numbers[0] / item.flows
    if item.group == "acks":
        return _part_of_data(item, document)
    if item.group == "tcp":
        return _tcp_value(item, numbers)
    laps = _pairs(numbers)
    if len(numbers) != 2 * item.laps or min(come for come, _ in laps) < least:
        raise BenchFailed(f"{item.name}, {item.variant}: times of {len(laps)} laps, not {item.laps}: {numbers}")
    laps = laps[UNCOUNTED[item.shape.peer]:]
    if item.group == "hook":
        return of_laps([(hook - bare) / item.packets for hook, bare in laps])
    return [of_laps([lap[part] for lap in laps]) / item.packets for part in (0, 1)]


def _lines_of(plan, output):
    """{key: numbers} of lines of memory that a cache had not, as of times, of which each has one."""
    counts = iter([int(line.removeprefix("lines ")) for line in output.splitlines() if line.startswith("lines ")])
    took = {}
    try:
        for item in plan:
            took[item.key] = [0 if phase and item.kind in ("open", "receive") else next(counts) for _ in range(item.laps) for phase in (0, 1)]
    except StopIteration:
        raise BenchFailed("the cache's counts end early: QEMU without plugins?") from None
    if next(counts, None) is not None:
        raise BenchFailed("the cache counted more than was measured")
    return took


def _leave_out(case, turns):
    """Turns in which a qdisc's series was disturbed, if they are few."""
    for variant, series in case.items():
        if len(turns) > DISTURBED_MOST * len(series):
            raise next(iter(turns.values()))
        case[variant] = [value for turn, value in enumerate(series) if turn not in turns]


def read(plan, output, of_laps=stats.median, lines=False):
    """Return {group: {name: {variant: [value of each round]}}}, complete or not at all.

    Whatever else a machine does in a lap only adds to it: where instructions are counted, the least of a measurement's laps
    is what it is about (of_laps=min).  With lines the values are of memory, not of time.
    """
    took, shown = _number_lines(output)
    values = _lines_of(plan, output) if lines else took
    found, disturbed = {}, {}
    for item in plan:
        if item.key not in took or item.key not in shown:
            raise BenchFailed(f"{item.name}, {item.variant}: round {item.round + 1} is missing")
        series = found.setdefault(item.group, {}).setdefault(item.name, {}).setdefault(item.variant, [])
        try:
            check(item, took[item.key], shown[item.key])
        except Disturbed as why:
            disturbed.setdefault((item.group, item.name), {})[len(series)] = why
        series.append(value_of(item, values[item.key], shown[item.key], of_laps, 0 if lines else 1))
    for (group, name), turns in disturbed.items():
        _leave_out(found[group][name], turns)
    return found
