# SPDX-License-Identifier: GPL-2.0
"""What was measured of On-Ramp, as tables for a terminal, and as a part of docs/results/bench.md."""

import flows
import report
import stats

COLUMNS = ("noqueue", *flows.QDISCS)
PHASES = ("come", "leave")


def series(found, case, who, phase=None):
    """Of each round what a packet took: to come (0), to leave (1), or both (None); None if it was not measured."""
    values = found["case"].get(case, {}).get(who)
    if values is None:
        return None
    return [sum(value) if phase is None else value[phase] for value in values]


def ratio(found, case, who):
    """(median, low, high) of a qdisc's time by the reference's of the same round."""
    return stats.interval(stats.ratios(series(found, case, who), series(found, case, flows.REFERENCE)))


def ratio_cell(found, case, who):
    if series(found, case, who) is None:
        return "-"
    return "1" if who == flows.REFERENCE else "{:.3f} ({:.3f}-{:.3f})".format(*ratio(found, case, who))


def median_cell(found, case, who, phase):
    values = series(found, case, who, phase)
    return "-" if values is None else f"{stats.median(values):.0f}"


def count_cell(found, case, who):
    """Instructions: all, of them to come and to leave, and as a part of the reference's."""
    if series(found, case, who) is None:
        return "-"
    whole, come, leave, other = (stats.median(series(found, case, *what)) for what in
                                 ((who,), (who, 0), (who, 1), (flows.REFERENCE,)))
    text_ = f"{whole:.0f} = {come:.0f} + {leave:.0f}" if leave else f"{whole:.0f}"
    return text_ if who in ("noqueue", flows.REFERENCE) else f"{text_} ({whole / other:.3f})"


def case_rows(found, phase, title):
    yield (title, *COLUMNS)
    for case in found["case"]:
        yield (case, *(median_cell(found, case, who, phase) for who in COLUMNS))


def rows(kernels):
    """The tables' rows: the first of each has the columns' names."""
    if "case" in kernels.get("lab", {}):
        yield ("ns, ratio to fq", *COLUMNS)
        for case in kernels["lab"]["case"]:
            yield (case, *(ratio_cell(kernels["lab"], case, who) for who in COLUMNS))
        yield from case_rows(kernels["lab"], None, "ns, median")
    if "case" in kernels.get("stock", {}):
        yield from case_rows(kernels["stock"], None, "instructions")
        yield from case_rows(kernels["stock"], 0, "instructions to come")
        yield from case_rows(kernels["stock"], 1, "instructions to leave")


def others(stock):
    """What else is counted in the stock kernel: (what, number), in words."""
    for who, values in stock.get("memory", {}).get("memory", {}).items():
        yield f"bytes a flow, {who}", f"{values[0]:.0f}"
    received = {who: values[0][0] for who, values in stock.get("receive", {}).get("receive", {}).items()}
    for who in list(received)[1:] if "no acker" in received else ():
        yield f"instructions more for a packet received, {who}", f"{received[who] - received['no acker']:.0f}"
    for name, values in stock.get("acks", {}).items():
        yield f"OR-ACKs, % of the data's bytes, {name}", f"{values['acker'][0]:.2f}"
    for who, values in stock.get("hook", {}).get("hook", {}).items():
        yield f"instructions of a driver's hook, {'nobody listens' if who == 'fq' else 'a packet is recorded'}", f"{values[0]:.0f}"


def text(kernels):
    """For a terminal."""
    made = list(rows(kernels))
    tables = [report.aligned(made, COLUMNS[0])] if made else []
    return "\n\n".join(tables + ["\n".join(f"{number:>8}  {what}" for what, number in others(kernels.get("stock", {})))])


def verdicts(lab):
    """(case, who, numbers, goal, what is to be said) of each ratio that has a goal."""
    for case in lab["case"]:
        for who, goal in flows.GOALS.items():
            middle, low, high = ratio(lab, case, who)
            yield case, who, f"{middle:.3f} ({low:.3f} to {high:.3f})", goal, report.placed(low, high, goal, "reached", "missed", "within the interval")


def table(made):
    """Rows in Markdown."""
    head, *rest = made
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(row) + " |" for row in rest)]


def instructions(kernels):
    stock = kernels["stock"]
    lines = ["", "### On-Ramp: instructions", "",
             "Debian's stock 6.12 in QEMU, `-icount shift=0`, one round, the least of its laps: to come and to leave; making a packet, the device and "
             "freeing it are in it (noqueue).", ""]
    return lines + table([("case", *COLUMNS), *((case, *(count_cell(stock, case, who) for who in COLUMNS)) for case in stock["case"])])


def markdown(kernels, rounds, _laps, seed):
    """The part of bench.md, as lines."""
    made = (f"`selftests/bench/run --part onramp`: {rounds} rounds, seed {seed}, qdiscs in turns as above." if "lab" in kernels
            else "`selftests/bench/run --part onramp --only stock`; times were not measured.")
    lines = ["## On-Ramp", "",
             f"{made} TCP packets of 60 bytes, without a socket, so that flows are told apart by the hash that each brings. "
             f"Columns: sch_fq and sch_onramp with `{flows.ROOM}`, onramp with `mode off`, and with `mode hold {flows.HOLD}`, where "
             "each packet is read, its flow found and a record made of it as it leaves. Nobody sends OR-ACKs back.", ""]
    there = {name for kernel in kernels.values() for name in kernel.get("case", {})}
    lines += [f"- **{case.name}**: {case.means}." for case in flows.CASES if case.name in there]
    if "lab" in kernels:
        lab = kernels["lab"]
        lines += ["", "### On-Ramp: time, as a ratio to fq's", "",
                  "A packet's whole way, making and freeing it included, in User-Mode Linux as above.", "",
                  *table([("case", *COLUMNS), *((case, *(ratio_cell(lab, case, who) for who in COLUMNS)) for case in lab["case"])]),
                  "", "In ns, for orientation:", "", *table(list(case_rows(lab, None, "case"))),
                  "", *table([("case", "mode", "ratio, 95 % interval", "goal", ""),
                              *((case, who, numbers, f"{goal:.2f}", said) for case, who, numbers, goal, said in verdicts(lab))])]
    if "stock" in kernels:
        lines += instructions(kernels)
        lines += ["", "### On-Ramp: memory, acker and hooks", "",
                  f"In the same kernel. Memory: slabs after {flows.MEMORY_FLOWS} flows sent a packet each, by flow. The acker: packets of "
                  "1448 bytes come one at a time, the most expensive way, so that each OR-ACK is a datagram of its own."
                  + (f" OR-ACKs' bytes are those of Ethernet frames, data's those of payload; the acker is told `{flows.USUAL}`, and rests lie "
                     "between bursts." if "acks" in kernels["stock"] else ""), "",
                  *table([("what", "number"), *others(kernels["stock"])])]
    return lines
