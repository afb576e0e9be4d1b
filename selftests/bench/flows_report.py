# SPDX-License-Identifier: GPL-2.0
"""What was measured of On-Ramp, as tables for a terminal, and as a part of docs/results/bench.md."""

import flows
import report
import stats

COLUMNS = ("noqueue", *flows.QDISCS)
PHASES = ("come", "leave")
# Who listens at a hook.
HOOKS = {
    "hook": {"fq": "nobody listens", "hold": "a packet is recorded"},
    "hook of Rx": {"nobody": "nobody listens", "no OR-ACK": "the acker acks hardly any packet", "usual": "the acker acks as usual, sending apart"},
}


def columns(found):
    """Of COLUMNS those that were measured: older results lack one."""
    return tuple(who for who in COLUMNS if who not in flows.QDISCS or any(who in case for case in found["case"].values()))


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
    yield (title, *columns(found))
    for case in found["case"]:
        yield (case, *(median_cell(found, case, who, phase) for who in columns(found)))


def ratio_rows(found, title):
    yield (title, *columns(found))
    for case in found["case"]:
        yield (case, *(ratio_cell(found, case, who) for who in columns(found)))


def rows(kernels):
    """The tables' rows: the first of each has the columns' names."""
    if "case" in kernels.get("lab", {}):
        yield from ratio_rows(kernels["lab"], "ns, ratio to fq")
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
    for name, listeners in HOOKS.items():
        for who, values in stock.get("hook", {}).get(name, {}).items():
            yield f"instructions of a driver's {name}, {listeners[who]}", f"{values[0]:.0f}"


def tcp_rows(stock):
    """Instructions of a MiB and their ratio to fq's, and what of that is which side's; beside them the paper's CPU."""
    yield ("TCP", *flows.TCP)
    for kind, values in stock.get("tcp", {}).items():
        each = {who: values[who][0] for who in flows.TCP}
        yield (f"{kind}, thousand instructions of a MiB", *("{:.0f} ({:.0f}-{:.0f})".format(*(part / 1000 for part in each[who])) for who in flows.TCP))
        yield (f"{kind}, medians' ratio to fq", *(f"{each[who][0] / each['fq'][0]:.3f}" for who in flows.TCP))
    paper = {who: flows.SENDERS * sender + receiver for who, (sender, receiver) in flows.TABLE_1.items()}
    yield ("paper, Table 1: CPU of both senders and the receiver", *(f"{paper[who] / paper['fq']:.3f}" if who in paper else "-" for who in flows.TCP))
    for side, name in enumerate(("a sender", "the receiver")):
        yield (f"paper, Table 1: CPU of {name}", *(f"{flows.TABLE_1[who][side] / flows.TABLE_1['fq'][side]:.3f}" if who in flows.TABLE_1 else "-"
                                                   for who in flows.TCP))


def tcp_text(stock):
    """What the table says, and what it cannot."""
    lines = ["", "### On-Ramp: TCP beside the paper's CPU", "",
             f"`selftests/bench/run_bench.py --part onramp --only stock --case tcp`: iperf3 between two namespaces of the same kernel over veth, one connection, "
             f"GSO up to 64 KB. All that the machine does (what it is not idle), of {flows.TCP_MIB} MiB that one transfer has more than another, so that "
             f"programs' beginnings and ends are not in it; the median of {flows.TCP_LAPS - 1} such pairs, the least and the most. Onramp with `{flows.TCP_HOLD.partition(' ')[2]}`, which "
             "nothing reaches, beside fq and fq_codel with their defaults; the acker, where there is one, as usual.", ""]
    lines += [f"- **{kind}**: {means}." for kind, means in flows.TCP_KINDS.items() if kind in stock["tcp"]]
    return lines + ["", *table(list(tcp_rows(stock))), "",
                    "What `fq, acker` has more than fq is the receiver's part, and that OR-ACKs come to a socket which nobody reads; what hold has more "
                    "than that, the sender's. The paper's are CPU times of three hosts with cards at 25 Gbit/s; here one machine is sender, wire and "
                    "receiver, nothing is held, data are copied eight bytes an instruction, and what a card segments there is segmented by "
                    "instructions here. Section 4.1's other number, a host with web search at 40 % load "
                    f"and incast, is {flows.SECTION_4_1[0]} to {flows.SECTION_4_1[1]} %, {flows.SECTION_4_1[1] / flows.SECTION_4_1[0]:.3f} times."]


def text(kernels):
    """For a terminal."""
    made = list(rows(kernels))
    tables = [report.aligned(made, COLUMNS[0])] if made else []
    stock = kernels.get("stock", {})
    if "tcp" in stock:
        tables.append(report.aligned(list(tcp_rows(stock)), flows.REFERENCE))
    return "\n\n".join(tables + ["\n".join(f"{number:>8}  {what}" for what, number in others(stock))])


def verdicts(lab):
    """(case, who, numbers, goal, what is to be said) of each ratio that has a goal."""
    for case in lab["case"]:
        for who, goal in flows.GOALS.items():
            if series(lab, case, who) is None:
                continue
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
    if "case" not in stock:
        return []
    return lines + table([("case", *columns(stock)), *((case, *(count_cell(stock, case, who) for who in columns(stock))) for case in stock["case"])])


HOLD_WHAT = "each packet is read, its flow found and a record made of it as it leaves."


def held(kernels):
    """What hold is, and its path: older results have no OR-ACKs, and no column with a published clock."""
    if not any("published" in case for kernel in kernels.values() for case in kernel.get("case", {}).values()):
        return f"and with `mode hold threshold 50us clock system error 1us`, where {HOLD_WHAT} Nobody sends OR-ACKs back."
    often = ", ".join(f"{case.name} {case.times}" for case in flows.CASES if case.times > 1)
    return (f"with `mode hold {flows.HOLD}`, and, published, with `mode hold {flows.LAW} clock published`, which is the default clock, here a line over "
            f"CLOCK_REALTIME. With both {HOLD_WHAT} Before packets come and before they leave an OR-ACK comes on each of their paths, so that none is "
            "silent; it is not in the times. The device says that it has 25 Gbit/s. Nothing is held. After the first lap, "
            "which is not counted, hash tables have the time to grow. Times are of several measurements a round, each "
            f"with new qdiscs: {often}.")


def markdown(kernels, rounds, _laps, seed):
    """The part of bench.md, as lines."""
    made = (f"`selftests/bench/run_bench.py --part onramp`: {rounds} rounds, seed {seed}, qdiscs in turns as above." if "lab" in kernels
            else "`selftests/bench/run_bench.py --part onramp --only stock`; times were not measured.")
    lines = ["## On-Ramp", "",
             f"{made} TCP packets of 60 bytes, without a socket, so that flows are told apart by the hash that each brings. "
             f"Columns: sch_fq and sch_onramp with `{flows.ROOM}`, onramp with `mode off`, {held(kernels)}", ""]
    there = {name for kernel in kernels.values() for name in kernel.get("case", {})}
    lines += [f"- **{case.name}**: {case.means}." for case in flows.CASES if case.name in there]
    if "lab" in kernels:
        lab = kernels["lab"]
        lines += ["", "### On-Ramp: time, as a ratio to fq's", "",
                  "A packet's whole way, making and freeing it included, in User-Mode Linux as above.", "",
                  *table(list(ratio_rows(lab, "case"))),
                  "", "In ns, for orientation:", "", *table(list(case_rows(lab, None, "case"))),
                  "", *table([("case", "mode", "ratio, 95 % interval", "goal", ""),
                              *((case, who, numbers, f"{goal:.2f}", said) for case, who, numbers, goal, said in verdicts(lab))])]
    if "stock" in kernels:
        lines += instructions(kernels)
        if "tcp" in kernels["stock"]:
            lines += tcp_text(kernels["stock"])
        lines += ["", "### On-Ramp: memory, acker and hooks", "",
                  f"In the same kernel. Memory: slabs after {flows.MEMORY_FLOWS} flows sent a packet each, by flow. The acker: packets of "
                  "1448 bytes come one at a time, the most expensive way, so that each OR-ACK is a datagram of its own."
                  + (f" OR-ACKs' bytes are those of Ethernet frames, data's those of payload; the acker is told `{flows.USUAL}`, and rests lie "
                     "between bursts." if "acks" in kernels["stock"] else ""), "",
                  *table([("what", "number"), *others(kernels["stock"])])]
    return lines
