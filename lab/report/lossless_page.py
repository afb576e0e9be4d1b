# SPDX-License-Identifier: GPL-2.0
"""What the report of lossless Ethernet says around its tables, and what is expected of congestion points at inputs."""

import statistics

from lab.experiments import fanin, fanout
from lab.report.run_data import RunData

TITLE = "Congestion points at inputs, and culprits by occupancy"

INTRO = (
    "The qdisc cp at the ports of a Linux bridge in the laboratory's virtual time: PAUSE alone, congestion points at outputs as in 802.1Qau, and at inputs with culprits by arrival and "
    "by occupancy (Crisan et al., Hot Interconnects). Culprits are informed by CNMs, to which hosts react with the qdisc onramp (`rp qcn`), or by ECN, to which DCTCP reacts. "
    "The question is who fills the buffer, and what an innocent flow of the same host gets.",)

# Rows of the list of the paper's targets. The last is of its silicon, which no run of the lab can answer.
TARGETS = tuple(f"S4-{number}" for number in range(1, 8))


def notes():
    """What a reader must know of the tables."""
    return (
        "Rates are on the wire, with all headers, preamble and gap. Links have 10 Gbit/s and 1 us; those of slow receivers 1 Gbit/s. Paused is the share of the time in which the neighbour "
        "of a port was paused.",
        "UDP flows wait at their host where it has no space, so nothing that they offer is lost there. With one FIFO per host that drops, flows leave a paused host in proportion to what they "
        "offer; with a queue for each flow they leave in equal shares.",
        "A victim over TCP is paced by its sender at what it offers; marks slow it down, as they do all others. A victim over UDP has no ECN and reacts to CNMs alone, by its host's reaction point.",
        "PAUSE is obeyed by the hosts' MACs, to the nanosecond. The bridge's ports have no ASIC: a frame is taken when its interrupt has come.",
        "The paper's switch has a crossbar and credits; a Linux bridge has neither. Inputs are accounts of the ports' qdiscs here.")


def _all(values, holds):
    return bool(values) and all(value is not None and holds(value) for value in values)


def _documents(data, case):
    return [result.document for result in data.results(case)] if data.knows(case) else []


def _spread(values, show="{:.2f}"):
    return ", ".join("none" if value is None else show.format(value) for value in values) or "not run"


def _fanout(data):
    """The headline: of each signal, what the victim gets."""
    for name, least, most in (("pause", None, 0.6), ("cnm-output", None, 0.6), ("cnm-largest", 0.95, None), ("cnm-random", 0.95, None),
                              ("ecn-largest", 0.95, None), ("ecn-random", 0.95, None)):
        shares = [document["victim"] for document in _documents(data, fanout.case(name))]
        limit = f"at most {most}" if most else f"at least {least}"
        yield ("fan-out", f"{fanout.SETTINGS[name][0]}: the victim's share of what it offers", limit, _spread(shares),
               _all(shares, lambda share, least=least, most=most: share <= most if most else share >= least))
    drops = [document["drops"] for name in fanout.SETTINGS if name != "lossy" for document in _documents(data, fanout.case(name))]
    yield "fan-out", "frames dropped with PAUSE, all runs", "0", f"{sum(drops)}", _all(drops, lambda lost: not lost)
    lost = [document["drops"] for document in _documents(data, fanout.case("lossy"))]
    yield "fan-out", "control: frames dropped without PAUSE", "above 0", _spread(lost, "{:.0f}"), _all(lost, lambda number: number > 0)


def _fair(data):
    """S4-1 to S4-3."""
    found = {name: _documents(data, fanin.case(name)) for name in fanin.SETTINGS}
    wide = [fanin.spread(document) for document in found["output"]]
    yield ("S4-1", "congestion point at the output: fastest over slowest", "at least 1.2 each, median at least 1.5", _spread(wide),
           _all(wide, lambda value: value >= 1.2) and statistics.median(wide) >= 1.5)
    even = [fanin.spread(document) for document in found["input-fifo"]]
    yield "S4-1", "control: congestion points at inputs", "at most 1.06", _spread(even), _all(even, lambda value: value <= 1.06)
    for name, most in (("input-rr", 3), ("input-fifo", 6)):
        off = [fanin.off(document) for document in found[name]]
        yield "S4-2", f"{fanin.SETTINGS[name][0]}: off the fair share, percent", f"at most {most}", _spread(off, "{:.1f}"), _all(off, lambda value, most=most: value <= most)
        paused = [fanin.paused(document) for document in found[name]]
        yield "S4-2", f"{fanin.SETTINGS[name][0]}: paused, percent", "at most 10", _spread(paused, "{:.1f}"), _all(paused, lambda value: value <= 10)
    paused = [fanin.paused(document) for document in found["pause"]]
    yield "S4-2", "control: PAUSE only, paused, percent", "at least 60", _spread(paused, "{:.1f}"), _all(paused, lambda value: value >= 60)
    drops = [sum(document["drops"] for name in fanin.SETTINGS if name != "lossy" for document in found[name])]
    yield "S4-2", "frames dropped with PAUSE, all runs", "0", _spread(drops, "{:.0f}"), not drops[0]
    lost = [document["drops"] for document in found["lossy"]]
    yield "S4-2", "control: frames dropped without", "above 0", _spread(lost, "{:.0f}"), _all(lost, lambda number: number > 0)
    even = [fanin.between(document) for document in found["input-rr"]]
    yield "S4-3", "inputs, round robin: most CNMs of a flow over fewest", "at most 1.3", _spread(even), _all(even, lambda value: value <= 1.3)
    wide = [fanin.between(document) for document in found["output"]]
    yield "S4-3", "control: at the output", "at least 1.5 with 2 of 3 seeds", _spread(wide), 3 * sum(value >= 1.5 for value in wide) >= 2 * len(wide) > 0


def _victims(data):
    """S4-4 to S4-6."""
    found = {name: [(fanin.rates(document, 2, ("f1",))[0], fanin.rates(document, 2, ("f6",))[0]) for document in _documents(data, fanin.victim_case(name))]
             for name in fanin.WITH_VICTIM}
    arrival = found["arrival"]
    yield ("S4-4", "by arrival: f6, Gbit/s", "at most 3, and 1.3 times f1", _spread([f6 for _, f6 in arrival]), _all(arrival, lambda pair: pair[1] <= min(3, 1.3 * pair[0])))
    yield "S4-4", "by arrival: f1, Gbit/s", "2.5 within 4 %", _spread([f1 for f1, _ in arrival]), _all(arrival, lambda pair: abs(pair[0] / 2.5 - 1) <= 0.04)
    ratio = [f6 / f1 if f1 else None for f1, f6 in found["drop"]]
    yield "S4-5", "PAUSE only, one FIFO that drops: f6 over f1", "7/3 within 10 %", _spread(ratio), _all(ratio, lambda value: abs(value / (7 / 3) - 1) <= 0.1)
    ratio = [f6 / f1 if f1 else None for f1, f6 in found["fair"]]
    yield "S4-5", "control: a queue for each flow", "not 7/3 within 10 %", _spread(ratio), _all(ratio, lambda value: abs(value / (7 / 3) - 1) > 0.1)
    for name in ("largest", "random"):
        yield "S4-6", f"{fanin.WITH_VICTIM[name][0]}: f6, Gbit/s", "at least 6.9", _spread([f6 for _, f6 in found[name]]), _all(found[name], lambda pair: pair[1] >= 6.9)


def judged(data):
    """(row, what, limit, numbers of the seeds, whether it holds)."""
    yield from _fanout(data)
    yield from _fair(data)
    yield from _victims(data)


def parts(found):
    """Lines before the tables."""
    yield from ("## What is expected", "", "With every seed; the numbers are those of the seeds. S4-n is a row of the paper; a control is what must not do as well, or the row shows nothing.", "",
                "| row | what | limit | here | holds |", "|---|---|---|---|---|")
    for row, what, limit, numbers, holds in judged(RunData(found)):
        yield f"| {row} | {what} | {limit} | {numbers} | {'yes' if holds else 'no'} |"
    yield ""
