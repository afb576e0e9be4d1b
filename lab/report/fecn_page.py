# SPDX-License-Identifier: GPL-2.0
"""Text of the report of explicit rates around its tables, and criteria of FECN."""

from lab.experiments import explicit
from lab.experiments.explicit import case
from lab.report.lossless_page import documents, line, table
from lab.report.run_data import RunData

TITLE = "FECN: ports that advertise a rate"

INTRO = (
    "Ports of a Linux bridge with the qdisc cp and `law fecn` advertise one rate to all flows, and hosts with the qdisc onramp and `rp fecn` ask for it (Jiang and Jain, forward explicit "
    "congestion notification). 100 UDP flows offer twice what their common link carries, in the laboratory's virtual time.",)

# Rows of the list of the paper's targets that runs show; S2-5 and S2-6 are unit tests.
TARGETS = tuple(f"S2-{number}" for number in range(1, 5))


def notes():
    """Notes on the tables."""
    return (
        "Packets have 1500 bytes, the set point is 24000 bytes, and interval and period of RD frames are 1 ms, as in the paper. Its buffer has 100 packets; where no limit is named, ports here have 32 MB, so that the queue "
        "of the first milliseconds, in which all flows send at 200 Mbit/s, is seen and not dropped.",
        "S2-1: the paper has 9154 Mbit/s with gamma 0.98 and 1, and 9329 Mbit/s with 0.99. Neither this effect of gamma nor these throughputs appear here. gamma counts above the set point alone, and "
        "with the weight 0.5 the queue is there only in the beginning.",
        "S2-2 and S2-3: the paper finds more throughput with more stages. A line in stages is less steep at the set point than the hyperbola, whose loop without an average (weight 1) is not stable (docs/decisions/0078-fecn-sources.md).",
        "S2-3: bursts and pauses have 10 ms in the mean, and half of the flows send at any time. The paper has 9376, 9367 and 9401 Mbit/s with one, two and three stages, which differ by 0.3 %; "
        "here the link is used more with each, and they differ by 1.6 %, in the sense of S2-2.",
        "S2-4: PAUSE at 90 of 100 packets cannot prevent drops with 100 senders, of which each may have begun two frames when PAUSE arrives. With headroom for these nothing is dropped.",
        "S2-5 and S2-6, the straight line through f(q) and the bound of stability, are tests of the algorithm (`selftests/unit/fecn.c`).",
        "Two bottlenecks in a row: all flows share a link of 10 Gbit/s, and every second one then a link of 2 Gbit/s. An RD frame returns with the lower of both rates. The port "
        "of the first link measures what the slow flows leave, and raises its rate for the others.",
        "With 2000 answers a second for 100 flows, each flow's rate is halved after five RD frames without an answer, and is that of a new flow after 64. The link is used less, and unequally.",
        "A flow that ignores rates takes its part of the link; the port measures it as load, and the others share the rest.")


# Windows: while a flow may ignore rates, and the last.
RUDE, LAST = 1, 2


def _share(document, place=LAST):
    return document["windows"][place]["used"]


def _law(found):
    """S2-1."""
    for gamma in ("0.98", "0.99", "1"):
        documents_ = found[f"gamma-{gamma}"]
        for what, limit, number, holds, show in (
                ("share of the link", "at least 0.97", _share, lambda value: value >= 0.97, "{:.3f}"),
                ("deviation from the fair share, percent", "at most 10", lambda document: 100 * document["windows"][LAST]["off"], lambda value: value <= 10, "{:.1f}"),
                ("Jain's index", "at least 0.99", lambda document: document["windows"][LAST]["jain"], lambda value: value >= 0.99, "{:.4f}"),
                ("drops", "0", lambda document: document["drops"], lambda value: value == 0, "{:.0f}"),
                ("RD frames, percent of the bytes", "at most 2", lambda document: 100 * document["rd_share"], lambda value: value <= 2, "{:.2f}")):
            yield line("S2-1", f"gamma {gamma}: {what}", limit, [number(document) for document in documents_], holds, show)
    yield line("S2-1", "control: no law, lost, percent", "at least 40", [lost(document) for document in found["lossy"]], lambda value: value >= 40, "{:.1f}")


def lost(document):
    """Percent of the frames that came to the port."""
    drops = document["drops"]
    return 100 * drops / (drops + document["conservation"]["delivered"]["packets"])


def _stages(found):
    """S2-2 and S2-3: use of the link in the last window, more stages over the hyperbola."""
    used = {name: [_share(document) for document in of] for name, of in found.items()}
    for stages in (2, 3):
        yield line("S2-2", f"bernoulli, weight 1: {stages} stages over one", "at least 1.03",
                   [more / one for more, one in zip(used[f"bernoulli-{stages}-1"], used["bernoulli-0-1"])], lambda ratio: ratio >= 1.03, "{:.3f}")
        for row, pattern in (("S2-2", "bernoulli"), ("S2-3", "onoff")):
            yield line(row, f"{pattern}, weight 0.5: {stages} stages over one", "1 within 1 %",
                       [more / one for more, one in zip(used[f"{pattern}-{stages}-0.5"], used[f"{pattern}-0-0.5"])], lambda ratio: abs(ratio - 1) <= 0.01, "{:.3f}")


def _pause(found):
    """S2-4."""
    drops = {name: [document["drops"] for document in found[name]] for name in ("tight", "headroom", "no-pause")}
    yield line("S2-4", "PAUSE with headroom: drops", "0", drops["headroom"], lambda lost_: lost_ == 0, "{:.0f}")
    yield line("S2-4", "the paper's buffer of 100 packets: drops", "above 0", drops["tight"], lambda lost_: lost_ > 0, "{:.0f}")
    yield line("S2-4", "control: hosts that ignore PAUSE: drops", "above 0", drops["no-pause"], lambda lost_: lost_ > 0, "{:.0f}")


def judged(data):
    """(row, what, limit, numbers of the seeds, whether it holds)."""
    found = {name: documents(data, case(name)) for name in explicit.TABLES}
    for lines in (_law, _stages, _pause):
        yield from lines(found)
    for what, name, number, limit, holds in (
            ("share of the first link", "two", _share, "at least 0.97", lambda value: value >= 0.97),
            ("deviation from the max-min share, percent", "two", lambda document: 100 * document["windows"][LAST]["off"], "at most 10", lambda value: value <= 10)):
        yield line("", f"two bottlenecks in a row: {what}", limit, [number(document) for document in found[name]], holds, "{:.3f}")
    yield line("", "a flow of half the link ignores rates: share of the link meanwhile", "at least 0.95", [_share(document, RUDE) for document in found["step"]],
               lambda value: value >= 0.95, "{:.3f}")


def parts(found):
    """Lines before the tables."""
    yield from table(judged(RunData(found)), "S2-n is a row of the paper.")
