# SPDX-License-Identifier: GPL-2.0
"""Results of On-Ramp, as tables for a terminal, and as a part of docs/results/bench.md."""

import flows
import profile_functions
import report
import stats

COLUMNS = ("noqueue", *flows.QDISCS)
PLACES = ("reached", "missed", "within the interval")
# Listeners at a hook.
HOOKS = {
    "hook": {"fq": "nobody listens", "hold": "a packet is not remembered"},
    "hook of Rx": {"nobody": "nobody listens", "no OR-ACK": "the acker acks hardly any packet", "usual": "the acker acks as usual, sending apart"},
}


def columns(found):
    """Columns that were measured: older results lack one."""
    return tuple(variant for variant in COLUMNS if variant not in flows.QDISCS or any(variant in case for case in found["case"].values()))


def series(found, case, variant, phase=None):
    """Time that a packet took in each round: to come (0), to leave (1), or both (None); None if it was not measured."""
    values = found["case"].get(case, {}).get(variant)
    if values is None:
        return None
    return [sum(value) if phase is None else value[phase] for value in values]


def ratio(found, case, variant):
    """(median, low, high) of a qdisc's time by the reference's of the same round."""
    return stats.interval(stats.ratios(series(found, case, variant), series(found, case, flows.REFERENCE)))


def ratio_cell(found, case, variant):
    if series(found, case, variant) is None:
        return "-"
    return "1" if variant == flows.REFERENCE else "{:.3f} ({:.3f}-{:.3f})".format(*ratio(found, case, variant))


def median_cell(found, case, variant, phase, digits=0):
    values = series(found, case, variant, phase)
    return "-" if values is None else f"{stats.median(values):.{digits}f}"


def count_cell(found, case, variant):
    """Instructions: all, of them to come and to leave, and as a part of the reference's."""
    if series(found, case, variant) is None:
        return "-"
    whole, come, leave, other = (stats.median(series(found, case, *what)) for what in
                                 ((variant,), (variant, 0), (variant, 1), (flows.REFERENCE,)))
    text_ = f"{whole:.0f} = {come:.0f} + {leave:.0f}" if leave else f"{whole:.0f}"
    return text_ if variant in ("noqueue", flows.REFERENCE) else f"{text_} ({whole / other:.3f})"


def case_rows(found, phase, title, digits=0):
    yield (title, *columns(found))
    for case in found["case"]:
        yield (case, *(median_cell(found, case, variant, phase, digits) for variant in columns(found)))


def ratio_rows(found, title):
    yield (title, *columns(found))
    for case in found["case"]:
        yield (case, *(ratio_cell(found, case, variant) for variant in columns(found)))


def rows(kernels):
    """The tables' rows: the first of each has the columns' names."""
    if "case" in kernels.get("lab", {}):
        yield from ratio_rows(kernels["lab"], "ns, ratio to fq")
        yield from case_rows(kernels["lab"], None, "ns, median")
    if "case" in kernels.get("stock", {}):
        yield from case_rows(kernels["stock"], None, "instructions")
        yield from case_rows(kernels["stock"], 0, "instructions to come")
        yield from case_rows(kernels["stock"], 1, "instructions to leave")
    if "case" in kernels.get("cache", {}):
        yield from case_rows(kernels["cache"], None, "cache lines", 1)


def others(stock):
    """Other counts in the stock kernel: (what, number)."""
    for variant, values in stock.get("memory", {}).get("memory", {}).items():
        yield f"bytes a flow, {variant}", f"{values[0]:.0f}"
    for name, receivers in stock.get("receive", {}).items():
        received = {variant: values[0][0] for variant, values in receivers.items()}
        for variant in list(received)[1:] if "no acker" in received else ():
            yield f"instructions more for a packet received, {variant}{name.removeprefix('receive')}", f"{received[variant] - received['no acker']:.0f}"
    for name, values in stock.get("acks", {}).items():
        yield f"OR-ACKs, % of the data's bytes, {name}", f"{values['acker'][0]:.2f}"
    for name, listeners in HOOKS.items():
        for variant, values in stock.get("hook", {}).get(name, {}).items():
            yield f"instructions of a driver's {name}, {listeners[variant]}", f"{values[0]:.0f}"


def tcp_rows(stock):
    """Instructions of a MiB and their ratio to fq's, of the machine and of the receiver in it; next to them the paper's CPU."""
    yield ("TCP", *flows.TCP)
    for kind, values in stock.get("tcp", {}).items():
        for part, side in enumerate(("machine", "receiver")):
            each = {variant: values[variant][0][part] for variant in flows.TCP if variant in values}
            yield (f"{kind}: {side}, thousand instructions of a MiB",
                   *(f"{stats.median(each[variant]) / 1000:.0f}" if variant in each else "-" for variant in flows.TCP))
            yield (f"{kind}: {side}, ratio to fq",
                   *("1" if variant == flows.REFERENCE else "{:.3f} ({:.3f}-{:.3f})".format(*stats.interval(stats.ratios(each[variant], each[flows.REFERENCE])))
                     if variant in each else "-" for variant in flows.TCP))
    paper = {variant: flows.SENDERS * sender + receiver for variant, (sender, receiver) in flows.TABLE_1.items()}
    yield ("paper, Table 1: CPU of both senders and the receiver", *(f"{paper[variant] / paper['fq']:.3f}" if variant in paper else "-" for variant in flows.TCP))
    for side, name in enumerate(("a sender", "the receiver")):
        yield (f"paper, Table 1: CPU of {name}", *(f"{flows.TABLE_1[variant][side] / flows.TABLE_1['fq'][side]:.3f}" if variant in flows.TABLE_1 else "-"
                                                   for variant in flows.TCP))


def tcp_text(stock):
    """Verdicts of the table, and its limits."""
    lines = ["", "### On-Ramp: TCP and the paper's CPU", "",
             "`selftests/bench/run_bench.py --part onramp --only stock --case tcp`: two programs (`selftests/bench/tcp_rounds.py`) in two namespaces of "
             "the same kernel, with veth between them and one connection if no other number is named. Each connection in turn sends 64 KB, 45 full "
             "segments. After four packets the sender waits until they were read. The table counts instructions of all programs and threads of the "
             f"machine by MiB of payload: median of {flows.TCP_LAPS} laps. Ratios are taken lap by lap, with the interval as above. The receiver's part is "
             "what its program and the thread that polls its device ran (threaded NAPI). It includes the sending of OR-ACKs. The sender handles ACKs "
             "and OR-ACKs in a thread of its own, except in **whole**. Onramp with "
             f"`{flows.TCP_HOLD.partition(' ')[2]}`, which nothing reaches, is compared with fq and fq_codel with their defaults. The acker has its "
             "defaults.", ""]
    lines += [f"- **{way.name}**: {way.means}." for way in flows.TRANSFERS if way.name in stock["tcp"]]
    return lines + ["", *table(list(tcp_rows(stock))), "",
                    "The difference between `fq, acker` and fq is the receiver's part, and OR-ACKs that come to a socket which nobody reads. The "
                    "difference between hold and `fq, acker` is the sender's part. The paper measured CPU times of three hosts with NICs at 25 "
                    "Gbit/s. Here one machine is sender, wire and receiver. Nothing is held, data are copied eight bytes an instruction, and "
                    "instructions segment the packets that a NIC segments there. Section 4.1's other number, a host with web search at 40 % load "
                    f"and incast, is {flows.SECTION_4_1[0]} to {flows.SECTION_4_1[1]} %, {flows.SECTION_4_1[1] / flows.SECTION_4_1[0]:.3f} times."]


def profile_text(found):
    """Where the receiver's part is."""
    lines = ["", "### On-Ramp: a TCP receiver's kernel, function by function", "",
             "`selftests/bench/run_bench.py --part onramp --only profile`: transfers as above, with the acker and without, each in a boot of its own. "
             "Thousand instructions of a MiB (724 segments) in each function of the kernel, inlined ones included, from the machine's boot to its "
             f"end. Functions that take {profile_functions.LEAST} or more with the acker are listed, those of the sender's part of OR-ACKs included. "
             "Those that run without it, too, differ by up to 20 between two boots."]
    for name, variants in found.items():
        lines += ["", f"**{name}**", "", *table(list(profile_functions.rows(variants)))]
    return lines


def text(kernels):
    """For a terminal."""
    made = list(rows(kernels))
    tables = [report.aligned(made, COLUMNS[0])] if made else []
    stock = kernels.get("stock", {})
    if "tcp" in stock:
        tables.append(report.aligned(list(tcp_rows(stock)), flows.REFERENCE))
    for name, variants in kernels.get("profile", {}).items():
        head, *made = profile_functions.rows(variants)
        tables.append(report.aligned([(name, *head[1:]), *made], profile_functions.VARIANTS[0]))
    return "\n\n".join(tables + ["\n".join(f"{number:>8}  {what}" for what, number in others(stock))])


def goals(case):
    """{variant: goal} of a case, of fq's time; a case that is not measured any more has none."""
    for known in flows.CASES:
        if known.name == case and known.goal:
            return {"off": flows.OFF_GOAL, **{variant: known.goal for variant in ("hold", "published")}}
    return {}


def verdicts(lab):
    """(case, variant, numbers, goal, remark) of each ratio that has a goal."""
    for case in lab["case"]:
        for variant, goal in goals(case).items():
            if series(lab, case, variant) is None:
                continue
            middle, low, high = ratio(lab, case, variant)
            yield case, variant, f"{middle:.3f} ({low:.3f} to {high:.3f})", f"{goal:.2f}", report.placed(low, high, goal, *PLACES)
        four = case.removesuffix(", IPv6")
        if four != case and four in lab["case"]:
            middle, low, high = more(lab, case, four)
            yield case, "hold, more than over IPv4", f"{middle:.3f} ({low:.3f} to {high:.3f})", f"{flows.IPV6_GOAL:.2f}", \
                report.placed(low, high, flows.IPV6_GOAL, *PLACES)


def more(found, case, other):
    """(median, low, high) of how much a case's ratio of hold to the reference is above another's, round by round."""
    one, two = (stats.ratios(series(found, name, "hold"), series(found, name, flows.REFERENCE)) for name in (case, other))
    return stats.interval([x - y for x, y in zip(one, two)])


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
    return lines + table([("case", *columns(stock)), *((case, *(count_cell(stock, case, variant) for variant in columns(stock))) for case in stock["case"])])


def held():
    """Hold and path of a flow."""
    often = ", ".join(f"{case.name} {case.times}" for case in flows.CASES if case.times > 1)
    return (f"with `mode hold {flows.HOLD}`; published: with `mode hold {flows.THRESHOLD} clock published`, which is the default clock, here a line over "
            "CLOCK_REALTIME; remember 0: as hold, but each packet is remembered, as for receivers that have another grid. With hold and published those are "
            "remembered that docs/decisions/0075-onramp-marks.md names; how many were is checked against that rule. "
            "Before packets come and before they leave an OR-ACK comes on each of their paths, so that none is "
            "unacknowledged; it is not in the times. The device says that it has 25 Gbit/s. Nothing is held but in `another held`, where onramp has "
            f"`{flows.HELD}`. After the first lap, which is not counted, hash tables have the time to grow. Times are of several measurements a round, "
            f"each with new qdiscs: {often}.")


def markdown(kernels, rounds, _laps, seed):
    """The part of bench.md, as lines."""
    made = (f"`selftests/bench/run_bench.py --part onramp`: {rounds} rounds, seed {seed}, qdiscs in turns as above." if "lab" in kernels
            else "`selftests/bench/run_bench.py --part onramp --only stock`; times were not measured.")
    lines = ["## On-Ramp", "",
             f"{made} TCP packets without a socket, of 60 bytes unless the table differs, so that flows are distinguished by the hash that each brings. "
             f"Columns: sch_fq and sch_onramp with `{flows.AMPLE}`, onramp with `mode off`, {held()}", ""]
    there = {name for kernel in kernels.values() for name in kernel.get("case", {})}
    lines += [f"- **{case.name}**: {case.means}." for case in flows.CASES if case.name in there]
    if "lab" in kernels:
        lab = kernels["lab"]
        lines += ["", "### On-Ramp: time, as a ratio to fq's", "",
                  "A packet's whole way, making and freeing it included, in User-Mode Linux as above.", "",
                  *table(list(ratio_rows(lab, "case"))),
                  "", "In ns, for orientation:", "", *table(list(case_rows(lab, None, "case"))),
                  "", *table([("case", "mode", "ratio, 95 % interval", "goal", ""),
                              *verdicts(lab)])]
    if "case" in kernels.get("cache", {}):
        lines += ["", "### On-Ramp: cache lines", "",
                  "Lines of 64 bytes of data that a cache of 1 MiB with 16 ways would not have had, by packet, from its making to its freeing, in Debian's stock "
                  "6.12 in QEMU: `selftests/bench/run_bench.py --part onramp --only cache`. The host does not matter; runs differ by about 1 %.", "",
                  *table(list(case_rows(kernels["cache"], None, "case", 1)))]
    if "stock" in kernels:
        lines += instructions(kernels)
        if "tcp" in kernels["stock"]:
            lines += tcp_text(kernels["stock"])
        if "profile" in kernels:
            lines += profile_text(kernels["profile"])
        lines += ["", "### On-Ramp: memory, acker and hooks", "",
                  f"In the same kernel. Memory: slabs after {flows.MEMORY_FLOWS} flows sent a packet each, by flow. The acker: packets of "
                  "1448 bytes come one at a time, the most expensive way, so that each OR-ACK is a datagram of its own."
                  + (f" OR-ACKs' bytes are those of Ethernet frames, data's those of payload; the acker is set to `{flows.USUAL}`, and rests lie "
                     "between bursts." if "acks" in kernels["stock"] else ""), "",
                  *table([("what", "number"), *others(kernels["stock"])])]
    return lines
