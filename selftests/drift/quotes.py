# SPDX-License-Identifier: GPL-2.0
"""Numbers of the pages that stand in docs/results, or follow from what stands there: each must be that, rounded as it is quoted."""

from operator import sub

ECNSHARP = "docs/results/ecnsharp.md"
ONRAMP = "docs/results/onramp.md"
CLOCK = "docs/results/clock.md"
BENCH = "docs/results/bench.md"

# The table "Why not just ..." by its first column, and what is quoted of a row of it.
SCHEME = (ECNSHARP, "scheme")
SHORT, LARGE, STANDING, DROPS, QUERY = 1, 3, 7, 8, 9


def percent(ratio):
    """By how much it is more than 1, in percent."""
    return (ratio - 1) * 100


def more(number, base):
    """By how many percent it is more than another."""
    return percent(number / base)


def less(number, base):
    """By how many percent it is less than another."""
    return -percent(number / base)


def _row(row, *columns):
    return [(row, column) for column in columns]


# The table of On-Ramp's time: the first by this head that has such rows.
CASE, OFF, HOLD = (BENCH, "case"), 3, 4
FLOWS = ("1 flow", "1,000 flows", "100,000 flows")
LASTING = [("1 flow", HOLD), ("100,000 flows", HOLD)]
HOLD_GOAL = r"\| 64 KB \| hold \| [^|]+ \| ([\d.]+) \|"

# Of ECN#: time, and instructions.
BESIDE_CODEL = (f"{BENCH}#ECN# beside CoDel", "case")
INSTRUCTIONS, CODEL, FQ_CODEL, OURS = (f"{BENCH}#Instructions", "case"), 3, 4, 6

# What must hold: the goal, and what is measured.
CLAIMS, GOAL, ON = ("docs/results/claims.md", "claim"), 1, 2
DEMANDED = (CLOCK, "what")

# What the acker and hooks cost.
COST = (BENCH, "what")

# page, pattern with a group for each number, table, and each number's place: (row, column), (function, place ...), or a pattern for the table's page.
QUOTES = (
    ("README.md", r"short flows' mean is ([\d.]+) of RED-Tail's with web search and ([\d.]+) with data mining \(goal ([\d.]+)\)", CLAIMS,
     [(f"{workload}: short flows' mean, to RED-Tail", column) for workload, column in (("web search", ON), ("data mining", ON), ("web search", GOAL))]),
    ("README.md", r"the standing queue ([\d.]+) times shorter \(goal ([\d.]+)\)", CLAIMS, _row("standing queue, RED-Tail's to ECN#'s", ON, GOAL)),
    ("README.md", r"flows at (\d+) % load, and requests that (\d+) hosts answer with (\d+) KB each", (ONRAMP, "claim"),
     [r"80 % load / (\d+) %: RCT, mean", r"A request asks (\d+) hosts", r"p99 of (\d+) KB incast requests"]),
    ("README.md", r"99th percentile is ([\d.]+) times lower with CUBIC \(goal ([\d.]+)\) and ([\d.]+) times with BBR \(goal ([\d.]+)\)", (ONRAMP, "claim"),
     [(f"{cc}: p99 of 2 KB incast requests, times lower than fq's", column) for cc in ("CUBIC", "BBR") for column in (ON, GOAL)]),
    ("README.md", r"two long flows use ([\d.]+) of what they use under fq \(goal ([\d.]+)\).* `law final`, uses ([\d.]+) and misses", (ONRAMP, "claim"),
     [*_row("ramp, 2 CUBIC flows: utilisation, to fq's", ON, GOAL), ("ramp, 2 CUBIC flows, the paper's equation as printed: utilisation, to fq's", ON)]),
    ("README.md", r"at 50 us their 99th percentile is ([\d.]+) of fq's and not ([\d.]+),", (ONRAMP, "hosts"),
     [(f"CUBIC, On-Ramp, T = {threshold_us} us", 5) for threshold_us in (50, 150)]),
    ("README.md", r"and two long flows use ([\d.]+)\. \[All", (ONRAMP, "flows and hosts"), [("2 flows, T = 50 us, On-Ramp", 2)]),
    ("README.md", r"used, in ns: (\d+) hosts, links loaded to (\d+) %", (CLOCK, "stamps"),
     [r"(\d+) hosts, all of them neighbours", r"three seeds at (\d+) % both ways"]),
    *(("README.md", rf"\| {stamps}, bursts \| (\d+) \| \w+ \| (\d+) \| \d+ \| (\d+) %", (CLOCK, "stamps"), _row(f"{stamps}, load 0.8", 5, 6, 9))
      for stamps in ("hardware", "software")),
    ("README.md", r"\| software, TCP \| (\d+) \| \d+, missed \| (\d+) \| \d+, missed \| (\d+) %", (CLOCK, "hosts"), _row("8 hosts, TCP", 5, 6, 9)),
    ("README.md", r"\| hardware, bursts \| \d+ \| none \| \d+ \| (\d+) \|", DEMANDED, [("8 hosts, hardware's stamps, 80 % load: p99, live", 1)]),
    *(("README.md", rf"\| software, {load} \| \d+ \| (\d+){told} \| \d+ \| (\d+){told} \|", DEMANDED,
       [(f"8 hosts, {packets}software's stamps, 80 % load: {what}, live", 1) for what in ("median", "p99")])
      for load, told, packets in (("bursts", "", ""), ("TCP", ", missed", "TCP's packets, "))),
    ("README.md", r" (\d+) hosts under bursts miss the median, too \((\d+) ns\)", (CLOCK, "stamps"),
     [r"The same bursts, of packets\s+(\d+) hosts", ("software, load 0.8, no packets, as in the other tables", 8)]),
    ("README.md", r"stamps on (\d+) hosts, chronyd and ptp4l are (\d+) and (\d+) ns apart at the 99th percentile, huygens-lite (\d+)", (CLOCK, "daemon"),
     [r"(\d+) hosts, software's stamps, the same clocks", *((f"{daemon}, load 0.8", 2) for daemon in ("chrony", "ptp4l", "huygens-lite"))]),
    ("README.md", r"give On-Ramp (\d+) % of the gain", DEMANDED, [(min, *((f"of the gain with perfect clocks, RCT {what}", 2) for what in ("mean", "p99")))]),
    ("README.md", r"packets have (\d+) bytes but where the line says 64 KB", CASE, [r"pktgen's (\d+)-byte ECT\(0\) packets"]),
    ("README.md", r"below another qdisc \| CoDel \| ([\d.]+) to ([\d.]+) \|", BESIDE_CODEL,
     [(choose, *((case, 1) for case in ("leaf", "full", "marking", "drain"))) for choose in (min, max)]),
    ("README.md", r"bypassed there \| ([\d.]+); with `bypass on` ([\d.]+) \|", BESIDE_CODEL, [("empty", 1), ("empty, bypass on", 1)]),
    ("README.md", r"`mode off` \| fq \| ([\d.]+) \(64 KB\), ([\d.]+) to ([\d.]+) \| ([\d.]+) \|", CASE,
     [("64 KB", OFF), *((choose, *((case, OFF) for case in ("idle", *FLOWS, "new flows"))) for choose in (min, max)),
      r"\| idle \| off \| [^|]+ \| ([\d.]+) \|"]),
    ("README.md", r"`mode hold`, 64 KB \| fq \| ([\d.]+) \| ([\d.]+), missed", CASE, [("64 KB", HOLD), HOLD_GOAL]),
    ("README.md", r"flows that last \| fq \| ([\d.]+) to ([\d.]+) \| ([\d.]+), missed", CASE,
     [*((choose, *((case, HOLD) for case in FLOWS)) for choose in (min, max)), HOLD_GOAL]),
    ("README.md", r"each packet a new flow \| fq \| ([\d.]+); ([\d.]+) \| ([\d.]+), missed", CASE, [("idle", HOLD), ("new flows", HOLD), HOLD_GOAL]),
    ("README.md", r"`mode hold` \(at most ([\d.]+) of fq's\)", CASE, [HOLD_GOAL]),
    ("README.md", r"With clocks 100 us off, requests' 99th percentile is ([\d.]+) of fq's \(1 us: ([\d.]+)\)", (ONRAMP, "standard deviation"),
     [("100 us", 5), ("1 us", 5)]),
    ("README.md", r"at 300 us off their mean is worse than fq's, (\d+) and (\d+) us", (ONRAMP, "standard deviation"), _row("300 us", 2, 1)),
    ("README.md", r"web search's at (\d+) % load, .*? burst has (\d+) queries", SCHEME,
     [r"web search at (\d+) % load and data mining", r"\| drops in a burst of (\d+) \|"]),
    ("README.md", r"`preset testbed` has (\d+) us, (\d+) packets and (\d+) drops:", SCHEME, _row("ECN#", SHORT, STANDING, DROPS)),
    ("README.md", r"ECN♯'s short flows take (\d+) % less than its (\d+) us;", SCHEME,
     [(less, ("ECN#", SHORT), ("codel ce_threshold 200us", SHORT)), ("codel ce_threshold 200us", SHORT)]),
    ("README.md", r"with a target of 10us for both, (\d+) us and (\d+) us", SCHEME,
     [("ECN#, pst_target 10us", SHORT), ("codel ce_threshold 200us, target 10us", SHORT)]),
    ("README.md", r"Without `ce_threshold` it drops (\d+) packets of a burst", SCHEME, _row("codel ecn", DROPS)),
    ("README.md", r"TCN at 85us\?\*\* It is better than the preset, (\d+) us and (\d+) packets, .*? `ecnsharp ins_target 85us persistent off`", SCHEME,
     _row("TCN 85us", SHORT, STANDING)),
    ("README.md", r"With `pst_target 10us`: (\d+) us and (\d+) packets, but large flows take (\d+) % longer", SCHEME,
     [*_row("ECN#, pst_target 10us", SHORT, STANDING), (more, ("ECN#, pst_target 10us", LARGE), ("TCN 85us", LARGE))]),
    ("README.md", r"better for short flows: (\d+) us and (\d+) us", SCHEME, [("fq_codel ecn", SHORT), ("fq ce_threshold 200us", SHORT)]),
    ("README.md", r"a router pays (\d+) % more instructions", INSTRUCTIONS, [(more, ("full", FQ_CODEL), ("full", OURS))]),
    ("README.md", r"Its step at 1 ms, played by `ins_target 1ms persistent off`, has (\d+) us, (\d+) packets and (\d+) drops", SCHEME,
     _row("dualpi2's step, 1ms, as TCN", SHORT, STANDING, DROPS)),
    ("README.md", r"At 250 KB short flows take (\d+) us and (\d+) packets stand", SCHEME, _row("red, 250 KB", SHORT, STANDING)),
    ("README.md", r"At 80 KB it is (\d+) us and (\d+) packets", SCHEME, _row("red, 80 KB", SHORT, STANDING)),
    ("README.md", r"large flows lose ([\d.]+) % where ECN♯'s lose ([\d.]+) %", CLAIMS,
     [(percent, ("web search: large flows' mean under RED-AVG, to RED-Tail", ON)), (percent, ("web search: large flows' mean, to RED-Tail", ON))]),
    ("README.md", r"a packet costs (\d+) instructions more than in CoDel", INSTRUCTIONS, [(sub, ("full", OURS), ("full", CODEL))]),
    ("README.md", r"99th percentile from (\d+) to (\d+) us with CUBIC", (ONRAMP, "hosts"), _row("CUBIC, On-Ramp, T = 150 us", 3, 4)),
    ("docs/tuning.md", r"p99 to fq's" + r" \| ([\d.]+)" * 6, (ONRAMP, "standard deviation"),
     [(f"{deviation} us", 5) for deviation in (0, 1, 10, 30, 100, 300)]),
    *(("docs/tuning.md", rf"\| {told} \| ([\d.]+) \| ([\d.]+) \| ", (ONRAMP, "flows and hosts"), _row(f"2 flows, {row}", 2, 3))
      for told, row in (("50us", "T = 50 us, On-Ramp"), ("150us", "T = 150 us, On-Ramp"),
                        *((name, f"threshold {name}") for name in ("auto", "auto, nic_comp on", "auto, margin 50us", "auto, margin 130us")))),
    *(("docs/tuning.md", rf"\| {told} \| [\d.]+ \| [\d.]+ \| ([\d.]+) \|", (ONRAMP, "On-Ramp"), _row(row, 5))
      for told, row in (("50us", "as elsewhere: T = 50 us, g = 1/16"), ("150us", "T = 150 us"), ("auto", "threshold auto"))),
    ("docs/tuning.md", r"mean of requests from (\d+) to (\d+) us at T = 50 us and large flows' from ([\d.]+) to ([\d.]+) of fq's, at 150 us from (\d+) to (\d+) "
     r"and from ([\d.]+) to ([\d.]+)", (ONRAMP, "hosts"),
     [(f"On-Ramp, T = {threshold_us} us, {size} KB", column) for threshold_us in (50, 150) for column in (2, 8) for size in (64, 16)]),
    ("docs/decisions.md", r"where flows last and ([\d.]+) to ([\d.]+) of its time, against", CASE, LASTING),
    ("docs/decisions.md", r"of fq's instructions \(with a published clock [\d.]+\) and ([\d.]+) of its time", CASE, [("64 KB", HOLD)]),
    ("docs/decisions.md", r"of the instructions and ([\d.]+) of the time: the flow", CASE, [("new flows", HOLD)]),
    ("docs/decisions.md", r"of the instructions and ([\d.]+) of the time, since fq", CASE, [("idle", HOLD)]),
    ("docs/tuning.md", r"costs it (\d+) instructions more with an OR-ACK of its own, (\d+) without", COST,
     [(f"instructions more for a packet received, {acked}", 1) for acked in ("OR-ACK for each", "no OR-ACK")]),
    ("docs/results/not-reproduced.md", r"OR-ACKs ([\d.]+) of what fq has, ([\d.]+) if a card", (BENCH, "TCP"),
     [(f"{way}, medians' ratio to fq", 5) for way in ("whole", "segments")]),
    ("docs/results/not-reproduced.md", r"own CPU, ([\d.]+) per mille", (BENCH, "daemon"), [("others, mean", 3)]),
    ("docs/results/not-reproduced.md", r"([\d.]+) Mbit/s that a host of 50 sends", (CLOCK, "hosts"), [("50", 13)]),
    ("docs/security.md", r"nobody listens to, (\d+) instruction, and one that records a packet, (\d+)\.", COST,
     [(f"instructions of a driver's hook, {when}", 1) for when in ("nobody listens", "a packet is recorded")]),
    *(("docs/gain.md", rf"\| {transport}, {told} " + r"\| (\d+) " * 7 + r"\|", (ONRAMP, "transport and scheme"), _row(f"{transport}, {row}", *range(2, 9)))
      for transport in ("CUBIC", "DCTCP")
      for told, row in (("neither", "neither"), ("ECN♯ alone", "ECN# alone"), ("On-Ramp alone", "On-Ramp alone"), ("both", "both"))),
    ("README.md", r"99th percentile is ([\d.]+) of fq's at T = 150 us, and ([\d.]+) without", (ONRAMP, "On-Ramp"),
     [("T = 150 us", 5), ("threshold auto", 5)]),
    ("README.md", r"two long flows use ([\d.]+) of what they use under fq, and one alone ([\d.]+) of [\d.]+ Gbit/s", (ONRAMP, "flows and hosts"),
     _row("2 flows, threshold auto", 2, 3)),
    ("tc-plugins/onrampctl/onrampctl.8", r"two long flows used ([\d.]+) of what they use under fq, and one alone ([\d.]+) Gbit/s",
     (ONRAMP, "flows and hosts"), _row("2 flows, threshold auto", 2, 3)),
    ("README.md", r"one alone [\d.]+ of ([\d.]+) Gbit/s; with it ([\d.]+) and all", (ONRAMP, "flows and hosts"),
     [("2 flows, fq", 3), ("2 flows, threshold auto, margin 130us", 2)]),
    *(("docs/tuning.md", rf"\| {told} \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|", (ONRAMP, "traffic and acker"),
       [(f"{row}, every={every}", 1) for every in (1, 10, 20)])
      for told, row in (("2 long flows", "2 long flows"), ("web search at 40 %", "web search at 40 %, 2 KB incast"),
                        ("search RPCs at 1 %", "search RPCs at 1 %"))),
)


def rounded(number, as_told):
    """A number with as many decimals as another has."""
    return f"{number:.{len(as_told.partition('.')[2])}f}"
