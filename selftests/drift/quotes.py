# SPDX-License-Identifier: GPL-2.0
"""Numbers of the pages that stand in a table of docs/results: each must be that table's, rounded as it is quoted."""

ECNSHARP = "docs/results/ecnsharp.md"
ONRAMP = "docs/results/onramp.md"
CLOCK = "docs/results/clock.md"
BENCH = "docs/results/bench.md"

# The table "Why not just ..." by its first column, and what is quoted of a row of it.
SCHEME = (ECNSHARP, "scheme")
SHORT, LARGE, STANDING, DROPS, QUERY = 1, 3, 7, 8, 9


def _row(row, *columns):
    return [(row, column) for column in columns]


# The table of On-Ramp's time: the first by this head that has such rows.
CASE, OFF, HOLD = (BENCH, "case"), 3, 4
LASTING = [("1 flow", HOLD), ("100,000 flows", HOLD)]

# What the acker and hooks cost.
COST = (BENCH, "what")

# page, pattern with a group for each number, table, (row, column) of each number.
QUOTES = (
    ("README.md", r"`preset testbed` has it: (\d+) us, (\d+) ms, (\d+) packets, no drop, ([\d.]+) ms", SCHEME,
     _row("ECN#", SHORT, LARGE, STANDING, QUERY)),
    ("README.md", r"With `pst_target 10us`: (\d+) us, (\d+) ms, (\d+) packets, no drop, ([\d.]+) ms", SCHEME,
     _row("ECN#, pst_target 10us", SHORT, LARGE, STANDING, QUERY)),
    ("README.md", r"At a target of 10us it has (\d+) us, (\d+) ms, (\d+) packets, ([\d.]+) ms", SCHEME,
     _row("codel ce_threshold 200us, target 10us", SHORT, LARGE, STANDING, QUERY)),
    ("README.md", r"TCN at 85us\?\*\* (\d+) us, (\d+) ms, (\d+) packets, no drop, ([\d.]+) ms", SCHEME,
     _row("TCN 85us", SHORT, LARGE, STANDING, QUERY)),
    ("README.md", r"nearest\. (\d+) us, (\d+) ms, (\d+) packets, no drop, ([\d.]+) ms", SCHEME,
     _row("codel ce_threshold 200us", SHORT, LARGE, STANDING, QUERY)),
    ("README.md", r"Without `ce_threshold` it drops (\d+) packets", SCHEME, _row("codel ecn", DROPS)),
    ("README.md", r"better for short flows: (\d+) us at 200us", SCHEME, _row("fq ce_threshold 200us", SHORT)),
    ("README.md", r"fq_codel (\d+) us", SCHEME, _row("fq_codel ecn", SHORT)),
    ("README.md", r"fq's standing queue is (\d+) packets", SCHEME, _row("fq ce_threshold 200us", STANDING)),
    ("README.md", r"At 85us its large flows take (\d+) ms", SCHEME, _row("fq ce_threshold 85us", LARGE)),
    ("README.md", r"step at 1 ms: (\d+) us, (\d+) packets, (\d+) drops", SCHEME,
     _row("dualpi2's step, 1ms, as TCN", SHORT, STANDING, DROPS)),
    ("README.md", r"At 250 KB (\d+) us and (\d+) packets", SCHEME, _row("red, 250 KB", SHORT, STANDING)),
    ("README.md", r"sooner, in (\d+) us, (\d+) packets stand, queries take ([\d.]+) ms", SCHEME,
     _row("red, 80 KB", SHORT, STANDING, QUERY)),
    *(("README.md", rf"\| {stamps} \| (\d+) \| (\d+) \| ([\d.]+) %", (CLOCK, "stamps"), _row(f"{stamps}, load 0.8", 5, 6, 9))
      for stamps in ("software", "hardware")),
    ("README.md", r"4 hosts miss the median: (\d+) ns and (\d+) ns", (CLOCK, "stamps"), _row("software, load 0.8, no packets, as in the other tables", 8, 9)),
    ("README.md", r"the same bursts of packets (\d+) ns and (\d+) ns", (CLOCK, "stamps"), _row("software, load 0.8, packets, each port's own", 8, 9)),
    ("README.md", r"are (\d+) ns apart in the median, (\d+) ns at the 99th percentile, and their bounds held ([\d.]+) %", (CLOCK, "hosts"),
     _row("8 hosts, TCP", 5, 6, 9)),
    ("README.md", r"are (\d+) and (\d+) ns apart at the 99th percentile, huygens-lite (\d+)", (CLOCK, "daemon"),
     [(f"{daemon}, load 0.8", 2) for daemon in ("chrony", "ptp4l", "huygens-lite")]),
    ("docs/tuning.md", r"p99 to fq's" + r" \| ([\d.]+)" * 6, (ONRAMP, "standard deviation"),
     [(f"{deviation} us", 5) for deviation in (0, 1, 10, 30, 100, 300)]),
    *(("docs/tuning.md", rf"\| {told} \| ([\d.]+) \| ([\d.]+) \| ", (ONRAMP, "flows and hosts"), _row(f"2 flows, {row}", 2, 3))
      for told, row in (("50us", "T = 50 us, On-Ramp"), ("150us", "T = 150 us, On-Ramp"),
                        *((name, f"threshold {name}") for name in ("auto", "auto, nic_comp on", "auto, margin 50us", "auto, margin 130us")))),
    *(("docs/tuning.md", rf"\| {told} \| [\d.]+ \| [\d.]+ \| ([\d.]+) \|", (ONRAMP, "On-Ramp"), _row(row, 5))
      for told, row in (("50us", "as elsewhere: T = 50 us, g = 1/16"), ("150us", "T = 150 us"), ("auto", "threshold auto"))),
    ("README.md", r"percentile is ([\d.]+) of fq's with CUBIC and ([\d.]+) with BBR", (ONRAMP, "hosts"),
     [(f"{cc}, On-Ramp, T = 50 us", 5) for cc in ("CUBIC", "BBR")]),
    ("README.md", r"CUBIC's requests have ([\d.]+) of its mean and ([\d.]+) of its 99th percentile at T = 150 us, ([\d.]+) and ([\d.]+) at 50 us, and of "
     r"fq's ([\d.]+) and ([\d.]+), ([\d.]+) and (\d\.\d+)\. Under", (ONRAMP, "number"),
     [(f"CUBIC: RCT, {row}", column) for column in (1, 3, 2, 4) for row in ("mean (S3-7, paper 0.385)", "p99 (S3-7, paper 0.357)")]),
    ("README.md", r"that gain is ([\d.]+) times as large at 80 % load as at 40 %. That of their 99th percentile is ([\d.]+) times", (ONRAMP, "number"),
     [(f"CUBIC, 80 % load / 40 %: RCT, {number} (S3-11, paper more)", 1) for number in ("mean", "p99")]),
    ("docs/tuning.md", r"mean of requests from (\d+) to (\d+) us at T = 50 us and large flows' from ([\d.]+) to ([\d.]+) of fq's, at 150 us from (\d+) to (\d+) "
     r"and from ([\d.]+) to ([\d.]+)", (ONRAMP, "hosts"),
     [(f"On-Ramp, T = {threshold_us} us, {size} KB", column) for threshold_us in (50, 150) for column in (2, 8) for size in (64, 16)]),
    ("README.md", r"with `mode off` takes ([\d.]+) to ([\d.]+) of fq's time", CASE, [("1,000 flows", OFF), ("100,000 flows", OFF)]),
    ("README.md", r"hold takes ([\d.]+) of fq's time, and `mode off` (\d+\.\d+)", CASE, [("64 KB", HOLD), ("64 KB", OFF)]),
    ("README.md", r"each packet that leaves, ([\d.]+) to ([\d.]+) where flows last, ([\d.]+) on an idle link and ([\d.]+) where each", CASE,
     [*LASTING, ("idle", HOLD), ("new flows", HOLD)]),
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
    ("README.md", r"two long flows use ([\d.]+) of what fq does", (ONRAMP, "flows and hosts"), [("2 flows, T = 50 us, On-Ramp", 2)]),
    ("README.md", r"99th percentile is ([\d.]+) of fq's at T = 150 us, and ([\d.]+) without", (ONRAMP, "On-Ramp"),
     [("T = 150 us", 5), ("threshold auto", 5)]),
    ("README.md", r"two long flows use ([\d.]+) of what they use under fq, and one alone ([\d.]+) of [\d.]+ Gbit/s", (ONRAMP, "flows and hosts"),
     _row("2 flows, threshold auto", 2, 3)),
    ("tc-plugins/onrampctl/onrampctl.8", r"two long flows used ([\d.]+) of what they use under fq, and one alone ([\d.]+) Gbit/s",
     (ONRAMP, "flows and hosts"), _row("2 flows, threshold auto", 2, 3)),
    ("README.md", r"one alone [\d.]+ of ([\d.]+) Gbit/s; with it ([\d.]+) and all", (ONRAMP, "flows and hosts"),
     [("2 flows, fq", 3), ("2 flows, threshold auto, margin 130us", 2)]),
    ("README.md", r"is left \((\d+) us, fq (\d+)\) and little of that in their mean \((\d+) us, fq (\d+)\)", (ONRAMP, "standard deviation"),
     _row("100 us", 4, 3, 2, 1)),
    ("README.md", r"the mean is worse than fq's \((\d+) and (\d+) us", (ONRAMP, "standard deviation"), _row("300 us", 4, 2)),
    *(("docs/tuning.md", rf"\| {told} \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|", (ONRAMP, "traffic and acker"),
       [(f"{row}, every={every}", 1) for every in (1, 10, 20)])
      for told, row in (("2 long flows", "2 long flows"), ("web search at 40 %", "web search at 40 %, 2 KB incast"),
                        ("search RPCs at 1 %", "search RPCs at 1 %"))),
)


def rounded(number, as_told):
    """A table's number, without the interval behind it, with as many decimals as another has."""
    return f"{float(number.split()[0]):.{len(as_told.partition('.')[2])}f}"
