# SPDX-License-Identifier: GPL-2.0
"""Results of ecnsharp, or of cp, as a table for a terminal, and as a part of docs/results/bench.md."""

import plan
import stats


def ratio(found, case, qdisc):
    """(median, low, high) of a qdisc's time by the reference's of the same round; None if it was not measured."""
    if qdisc not in found[case]:
        return None
    return stats.interval(stats.ratios(found[case][qdisc], found[case][plan.REFERENCE]))


def cell(found, case, qdisc):
    values = ratio(found, case, qdisc)
    if values is None:
        return "-"
    if qdisc == plan.REFERENCE:
        return "1"
    return "{:.3f} ({:.3f}-{:.3f})".format(*values)


def rows(found, names=(plan.BASELINE, *plan.PEERS, plan.BYPASS)):
    """The tables' rows: case, then a cell for each qdisc."""
    if "lab" in found:
        yield ("ns, ratio to codel", *names)
        for case in found["lab"]:
            yield (case, *(cell(found["lab"], case, qdisc) for qdisc in names))
        yield ("ns, median", *names)
        for case, values in found["lab"].items():
            yield (case, *(f"{stats.median(values[qdisc]):.0f}" if qdisc in values else "-" for qdisc in names))
    if "stock" in found:
        yield ("instructions", *names)
        for case, values in found["stock"].items():
            yield (case, *(f"{stats.median(values[qdisc]):.0f}" if qdisc in values else "-" for qdisc in names))


def aligned(made, first):
    """Rows as lines; a row whose second field is `first` begins a table."""
    widths = [max(len(row[column]) for row in made) for column in range(len(made[0]))]
    lines = []
    for row in made:
        if row[1] == first and lines:
            lines.append("")
        lines.append("  ".join([row[0].ljust(widths[0])] + [field.rjust(width) for field, width in zip(row[1:], widths[1:])]))
    return "\n".join(lines)


def text(found):
    """For a terminal."""
    return aligned(list(rows(found)), plan.BASELINE)


# An interval wider than this, of a ratio near 1, holds whatever one hopes for.
WIDE = 0.1


def placed(low, high, goal, below, above, across):
    """A verdict for an interval compared with a goal, unless it is too wide for one."""
    if high < goal:
        return below
    if low > goal:
        return above
    return across if high - low <= WIDE else "too noisy to tell"


def verdicts(found):
    """For each case, whether ecnsharp is as cheap as codel: its interval reaches 1, or lies below."""
    for case, values in found.get("lab", {}).items():
        for qdisc, what in (("ecnsharp", case), (plan.BYPASS, f"{case}, {plan.BYPASS}")):
            if qdisc not in values:
                continue
            middle, low, high = ratio(found["lab"], case, qdisc)
            yield what, f"{middle:.3f} ({low:.3f} to {high:.3f})", placed(low, high, 1, "below codel's", "above codel's", "reaches codel's")


def more_or_fewer(count):
    """So many instructions more or fewer."""
    return f"{abs(count):.0f} instructions {'fewer' if count < 0 else 'more'}"


def left(found):
    """Cost of ecnsharp beyond the reference, in numbers of both kernels; only of a whole run."""
    if not {"lab", "stock"} <= set(found) or any(len(cases) < len(plan.CASES) for cases in found.values()):
        return
    times, counts = found["lab"], found["stock"]

    def more(case):
        own, other = (stats.median(counts[case][qdisc]) for qdisc in ("ecnsharp", plan.REFERENCE))
        return own - other

    yield (f"At the root of an idle link a packet bypasses pfifo, codel and fq_codel: none of their code sees it. It goes "
           f"through ecnsharp, as through red, for {more('empty'):.0f} instructions, unless `bypass on` is set; docs/decisions/0007-ecnsharp-bypass.md "
           f"says why that is not the default. Where no qdisc can be bypassed (leaf) the ratio is "
           f"{ratio(times, 'leaf', 'ecnsharp')[0]:.3f}.")
    yield (f"Behind a full queue ecnsharp has {more_or_fewer(more('full'))} than codel; leaving alone has {more_or_fewer(more('drain'))}. When "
           "a packet comes, ecnsharp also accounts for its memory and for the integral of the backlog and reads its ECN field. "
           f"pfifo, which reads no clock, takes {ratio(times, 'full', 'pfifo')[0]:.3f} times as long as codel.")
    yield (f"Marking every packet has {more_or_fewer(more('marking'))} than codel's: the algorithm divides for each persistent mark that is "
           "due, the mark is counted by its cause and by bytes, and no header is written that another packet shares.")


def described(found, cases):
    """Description of each case, as lines."""
    return [f"- **{case.name}**: {case.means}." for case in cases if case.name in next(iter(found.values()))]


def tables(made, level):
    """Rows as tables in Markdown."""
    parts, names = [], made[0][1:]
    for row in made:
        if row[1:] == names:
            parts += ["", *heading(row[0], level), "| case | " + " | ".join(names) + " |", "|---" * len(row) + "|"]
        else:
            parts.append("| " + " | ".join(row) + " |")
    return parts


# Limits of cp's cost, in codel's time.
CP_GOALS = {"cp, none": 1.15, "cp, random": 1.35}


def cp_text(found):
    """For a terminal."""
    return aligned(list(rows(found, plan.CP_PEERS)), plan.REFERENCE)


def cp_verdicts(found):
    """Rows of goals: case, qdisc, ratio, goal, verdict."""
    for case in found.get("lab", {}):
        for qdisc, goal in CP_GOALS.items():
            if qdisc in found["lab"][case]:
                middle, low, high = ratio(found["lab"], case, qdisc)
                yield case, qdisc, f"{middle:.3f} ({low:.3f} to {high:.3f})", f"{goal}", placed(low, high, goal, "reached", "missed", "within the interval")


def cp_left(found):
    """Where the instructions beyond the reference's go; only of a whole run."""
    if not {"lab", "stock"} <= set(found) or any(len(cases) < len(plan.CP_CASES) for cases in found.values()):
        return
    counts = found["stock"]

    def more(case, qdisc):
        return more_or_fewer(stats.median(counts[case][qdisc]) - stats.median(counts[case][plan.REFERENCE]))

    yield (f"On an idle link no code of codel sees a packet: it is bypassed. cp is not, since it accounts for each packet; law none has "
           f"{more('cp, empty', 'cp, none')} there, and the goal would need a bypass, with which packets on an idle link are in no class's counters. Where one packet waits codel is not bypassed either, and law none has "
           f"{more('cp, short', 'cp, none')}, random {more('cp, short', 'cp, random')}.")
    yield (f"With the queue full law none has {more('cp, full', 'cp, none')}, random {more('cp, full', 'cp, random')} and largest "
           f"{more('cp, full', 'cp, largest')}: largest keeps a tournament of 1024 flows, of which a packet that comes or leaves plays ten matches "
           "at most. codel reads the clock for each packet that comes and for each that leaves; cp reads none without `rate` and PAUSE.")


def cp_markdown(found, rounds, laps, seed):
    """The part of bench.md, as lines."""
    parts = ["## The qdisc cp", "",
             f"`selftests/bench/run_bench.py --part cp`: {rounds} rounds, {laps} times 1024 packets, seed {seed}, packets and device as for ECN#, "
             "qdiscs in turns as above. cp must be the root of its device, and so is codel here. Each packet seems to have come by a second device "
             "that has a cp as well, so that it is accounted to that input; the congestion point of random and largest is that input's.", ""]
    parts += described(found, plan.CP_CASES)
    parts += tables(list(rows(found, plan.CP_PEERS)), "###")
    parts += ["", "| case | qdisc | ratio, 95 % interval | goal |  |", "|---|---|---|---|---|"]
    parts += ["| " + " | ".join(row) + " |" for row in cp_verdicts(found)]
    for paragraph in cp_left(found):
        parts += ["", paragraph]
    return parts


def markdown(found, rounds, laps, seed):
    """The part of bench.md, as lines."""
    parts = ["## ECN#", "",
             f"`selftests/bench/run_bench.py --part ecnsharp`: {rounds} rounds, {laps} times 1024 "
             f"packets, seed {seed}; within a round the qdiscs take turns in an order drawn anew. pktgen's 60-byte "
             "ECT(0) packets through `dev_queue_xmit()` into a device that throws them away; what making and freeing a "
             "packet costs is in all numbers.", ""]
    parts += described(found, plan.CASES)
    parts += tables(list(rows(found)), "###")
    parts += ["", "### ECN# compared with CoDel", "", "| case | ratio, 95 % interval | interval |", "|---|---|---|"]
    parts += [f"| {case} | {numbers} | {verdict} |" for case, numbers, verdict in verdicts(found)]
    for paragraph in left(found):
        parts += ["", paragraph]
    return parts


HEADINGS = {
    "ns, ratio to codel": ("Time, as a ratio to CoDel's", "User-Mode Linux 6.12 without virtual time: native code on the "
                           "host's CPU and clock. Median of the rounds' ratios, and the interval between the order statistics "
                           "that hold the median with 95 %. A round's value is the median of its laps."),
    "ns, median": ("The same in ns", "For orientation: they depend on the machine and on what else it does."),
    "instructions": ("Instructions", "Debian's stock 6.12 in QEMU, `-icount shift=0`: virtual ns are instructions. Median of "
                     "3 rounds of 5 times 1024 packets; making a packet, the device and freeing it are in it (noqueue)."),
}


def heading(name, level):
    title, means = HEADINGS[name]
    return f"{level} {title}", "", means, ""
