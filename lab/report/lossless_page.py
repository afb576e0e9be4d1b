# SPDX-License-Identifier: GPL-2.0
"""Text of the report of lossless Ethernet around its tables, and criteria of congestion points at inputs."""

import statistics

from lab.experiments import fanin, fanout
from lab.experiments.shared import lossless
from lab.report.run_data import RunData

TITLE = "Congestion points at inputs, and culprits by occupancy"

INTRO = (
    "The qdisc cp is at the ports of a Linux bridge in the laboratory's virtual time. The page compares PAUSE alone, congestion points at outputs "
    "as in 802.1Qau, and congestion points at inputs with culprits by arrival and "
    "by occupancy (Chrysos et al., IEEE Micro 2016). Senders of culprits are notified by CNMs, to which hosts react with the qdisc "
    "onramp (`rp qcn`), or by ECN, to which DCTCP reacts. "
    "The question is which flow fills the buffer, and how much an innocent flow of the same host delivers.",)

# Rows of the list of the paper's targets. The last is of its silicon, which no run of the lab can answer.
TARGETS = tuple(f"S4-{number}" for number in range(1, 8))


def notes():
    """Notes on the tables."""
    return (
        "Rates are on the wire, with all headers, preamble and gap. Links have 10 Gbit/s and 1 us; those of slow receivers 1 "
        "Gbit/s. Paused is the share of the time in which the neighbour "
        "of a port was paused.",
        "UDP flows wait at their host when it has no space, so none of their packets is lost there. With one FIFO per host "
        "that drops, flows leave a paused host in proportion to their offered "
        "loads; with a queue for each flow they leave in equal shares.",
        "A victim over TCP is paced by its sender at its offered load; marks slow it down, as all others. A victim over "
        "UDP has no ECN and reacts to CNMs alone, by its host's reaction point.",
        "Hosts with a reaction point have `timer_slack 0ns`, so that no packet leaves later than its rate allows.",
        "PAUSE is obeyed by the hosts' MACs, to the nanosecond. The bridge's ports have no ASIC: a frame is received with its "
        "interrupt.",
        "The paper's switch has a crossbar and credits; a Linux bridge has neither. Inputs are accounts of the ports' qdiscs here.",
        "Congestion points have the paper's set point, 60 KB, at outputs as at inputs (section III). At outputs no CNM is sent: with PAUSE only, "
        "no queue of an output is longer than 20 KB. With 802.1Qau's set point of 26 KB some are sent: a queue grows after each PAUSE, and the feedback "
        "has the growth with the weight 2. Some flows are cut, and the victim gets more than with PAUSE only. With the weight at its least, 2^-10, "
        f"no CNM is sent and the victim gets 0.53: `lab/run fanout 'aqm=cnm-standard w -10' 'host={lossless.RP}'`.",
        "Requests of 2 KB are sent from the same sender to the idle port by TCP, every 250 us in the mean.",
        "S4-7, the paper's section V, is of its silicon and is not shown: 20 bits for each buffer unit of 256 bytes, less than 1 % of the buffer. "
        "Here a frame that waits has a slot of 16 bytes (`kernel/algo/cp_occupancy.h`), with `sample largest` 24, which of a frame of 1522 bytes is "
        "1.1 and 1.6 %; [bench.md](bench.md) has the cost of a packet.")


def line(row, what, limit, values, holds, show="{:.2f}"):
    """A line of the table: a number each seed, which all must be as the limit says."""
    numbers = ", ".join("none" if value is None else show.format(value) for value in values) or "not run"
    return row, what, limit, numbers, bool(values) and all(value is not None and holds(value) for value in values)


def documents(data, case):
    return [result.document for result in data.results(case)] if data.knows(case) else []


# Limits of the share of its load that the fan-out's victim delivers.
SHARES = {
    **dict.fromkeys(("pause", "cnm-output", "dctcp-pause", "dctcp-pause-4k", "ecn-output"), ("at most 0.6", lambda share: share <= 0.6)),
    **dict.fromkeys(("cnm-largest", "cnm-random", "ecn-largest", "ecn-random"), ("at least 0.95", lambda share: share >= 0.95)),
}


def _fanout(data):
    """The headline: of each signal, what the victim gets."""
    found = {name: documents(data, fanout.case(name)) for name in fanout.SETTINGS}
    for name, (limit, holds) in SHARES.items():
        yield line("fan-out", f"{fanout.SETTINGS[name][0]}: the victim's share of what it offers", limit,
                    [document["victim"] for document in found[name]], holds)
    drops = [document["drops"] for name, documents in found.items() if name not in fanout.LOSSY for document in documents]
    yield line("fan-out", "frames dropped with PAUSE, all runs", "0", [sum(drops)] if drops else [], lambda lost: not lost, "{:.0f}")
    yield line("fan-out", "control: frames dropped without PAUSE", "above 0", [document["drops"] for document in found["lossy"]],
                lambda lost: lost > 0, "{:.0f}")


def _spreads(found):
    """S4-1."""
    wide = [fanin.spread(document) for document in found["output"]]
    yield line("S4-1", "congestion point at the output: fastest over slowest", "at least 1.2", wide, lambda value: value >= 1.2)
    yield line("S4-1", "the same, median of the seeds", "at least 1.5", [statistics.median(wide)] if wide else [], lambda value: value >= 1.5)
    yield line("S4-1", "control: congestion points at inputs", "at most 1.06", [fanin.spread(document) for document in found["input-fifo"]],
                lambda value: value <= 1.06)


def _fair(found):
    """S4-2."""
    for name, most in (("input-rr", 3), ("input-fifo", 6)):
        label = fanin.SETTINGS[name][0]
        yield line("S4-2", f"{label}: off the fair share, percent", f"at most {most}", [fanin.off(document) for document in found[name]],
                    lambda value, most=most: value <= most, "{:.1f}")
        yield line("S4-2", f"{label}: paused, percent", "at most 10", [fanin.paused(document) for document in found[name]],
                    lambda value: value <= 10, "{:.1f}")
    yield line("S4-2", "control: PAUSE only, paused, percent", "at least 60", [fanin.paused(document) for document in found["pause"]],
                lambda value: value >= 60, "{:.1f}")
    drops = [document["drops"] for name, documents in found.items() if name != "lossy" for document in documents]
    yield line("S4-2", "frames dropped with PAUSE, all runs", "0", [sum(drops)] if drops else [], lambda lost: not lost, "{:.0f}")
    yield line("S4-2", "control: frames dropped without", "above 0", [document["drops"] for document in found["lossy"]],
                lambda lost: lost > 0, "{:.0f}")


def _even(found):
    """S4-3."""
    yield line("S4-3", "inputs, round robin: most CNMs of a flow over fewest", "at most 1.3", [fanin.between(document) for document in found["input-rr"]],
                lambda value: value <= 1.3)
    yield line("S4-3", "control: at the output, median of the seeds", "at least 1.5",
                [statistics.median(fanin.between(document) for document in found["output"])] if found["output"] else [], lambda value: value >= 1.5)


def _victims(data):
    """S4-4 to S4-6: rates of f1 and f6 at the end."""
    f1, f6 = ({name: [fanin.rates(document, 2, (flow,))[0] for document in documents(data, fanin.victim_case(name))] for name in fanin.WITH_VICTIM}
              for flow in ("f1", "f6"))
    ratios = {name: [high / low if low else None for low, high in zip(f1[name], f6[name])] for name in fanin.WITH_VICTIM}
    yield line("S4-4", "by arrival: f6, Gbit/s", "at most 3", f6["arrival"], lambda value: value <= 3)
    yield line("S4-4", "by arrival: f6 over f1", "at most 1.3", ratios["arrival"], lambda value: value <= 1.3)
    yield line("S4-4", "by arrival: f1, Gbit/s", "2.5 within 4 %", f1["arrival"], lambda value: abs(value / 2.5 - 1) <= 0.04)
    yield line("S4-5", "PAUSE only, one FIFO that drops: f6 over f1", "7/3 within 10 %", ratios["drop"], lambda value: abs(value * 3 / 7 - 1) <= 0.1)
    yield line("S4-5", "control: a queue for each flow", "not 7/3 within 10 %", ratios["fair"], lambda value: abs(value * 3 / 7 - 1) > 0.1)
    for name in ("largest", "random"):
        yield line("S4-6", f"{fanin.WITH_VICTIM[name][0]}: f6, Gbit/s", "at least 6.9", f6[name], lambda value: value >= 6.9)


def judged(data):
    """(row, what, limit, numbers of the seeds, whether it holds)."""
    yield from _fanout(data)
    found = {name: documents(data, fanin.case(name)) for name in fanin.SETTINGS}
    for lines in (_spreads, _fair, _even):
        yield from lines(found)
    yield from _victims(data)


def table(lines, rows):
    """A table of criteria; rows says what the first column has."""
    yield from ("## Criteria", "", f"Each criterion must hold with every seed; the numbers are those of the seeds. {rows} A control must "
                "be worse, or the row shows nothing.", "",
                "| row | criterion | limit | here | holds |", "|---|---|---|---|---|")
    for row, what, limit, numbers, holds in lines:
        yield f"| {row} | {what} | {limit} | {numbers} | {'yes' if holds else 'no'} |"
    yield ""


def parts(found):
    """Lines before the tables."""
    yield from table(judged(RunData(found)), "S4-n is a row of the paper.")
