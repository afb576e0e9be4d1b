# SPDX-License-Identifier: GPL-2.0
"""The ECN# paper's own numbers: one entry for each that a study compares with ours.

Every number is quoted from the paper's text (W. Bai et al., "ECN#", IEEE Transactions on Cloud
Computing, 2022) at the section named. `row` is the row of docs and tests that lists the paper's targets;
the scenarios of lab/scenarios name the same rows.
"""

import onramp_paper
from paper_value import PaperValue

TESTBED = "7 senders, 1 receiver, 10G, RTT 70-210 us"
FABRIC = "128 hosts, 8 leaves, 8 spines, 10G, RTT 80-240 us"
MICRO = "16 senders, 1 receiver, 10G, RTT 80-240 us"

PAPER_VALUES = {
    "threshold-short": PaperValue(
        "S0-2", "2", "2.3", f"{TESTBED}, web search, 50 % load", "short flows, 99th percentile, 250 KB to 50 KB",
        581, 265, "us", "short flows suffer from 119.2% longer 99th percentile FCT (581us to 265us)"),
    "threshold-all": PaperValue(
        "S0-2", "2", "2.3", f"{TESTBED}, web search, 50 % load", "FCT, 100 KB to 250 KB",
        3701, 3426, "us", "using average RTT (100KB) causes 8% throughput degradation (3701us to 3426us)"),
    "spread2-all": PaperValue(
        "S0-3", "3", "2.3", f"{TESTBED} to 140 us, web search, 50 % load", "FCT, average to tail threshold",
        3375, 3163, "us", "the average RTT leads to 6.7% throughput loss (3375us to 3163us)"),
    "spread2-short": PaperValue(
        "S0-3", "3", "2.3", f"{TESTBED} to 140 us, web search, 50 % load", "short flows, p99, tail to average threshold",
        404, 287, "us", "increased from 41.1% (404us to 287us)"),
    "spread5-all": PaperValue(
        "S0-3", "3", "2.3", f"{TESTBED} to 350 us, web search, 50 % load", "FCT, average to tail threshold",
        4464, 3439, "us", "The gap increases to 29.8% (4464us to 3439us) when the RTT variation reaches 5x"),
    "spread5-short": PaperValue(
        "S0-3", "3", "2.3", f"{TESTBED} to 350 us, web search, 50 % load", "short flows, p99, tail to average threshold",
        995, 334, "us", "to 198.0% (995us to 334us) when the RTT variations rise from 2x to 5x"),
    "ws-overall": PaperValue(
        "S0-8", "9a", "5.2", f"{TESTBED}, web search", "all flows, mean FCT, ECN# to RED-Tail, worst load",
        2240, 2148, "us", "its overall FCT degradation is within 4.2% (2240us to 2148us) compared to DCTCP-RED-Tail at 10% load"),
    "dm-overall": PaperValue(
        "S0-8", "10a", "5.2", f"{TESTBED}, data mining", "all flows, mean FCT, ECN# to RED-Tail, worst load",
        1, 1, "ratio", "In data mining workload, ECN# performs the best at all loads"),
    "rtt3-short": PaperValue(
        "S0-11", "11b", "5.2", f"{TESTBED}, web search, 90 % load", "short flows, p99, ECN# to RED-Tail, RTTs 3x",
        3287, 5242, "us", "up to 37.3% (5242us to 3287us at 90% load) lower FCT when the RTT variation is 3x"),
    "rtt4-short": PaperValue(
        "S0-11", "11b", "5.2", f"{TESTBED} to 280 us, web search", "short flows, p99, ECN# to RED-Tail, RTTs 4x",
        1 - 0.712, 1, "best", "The advantage is enlarged to 71.2% and 73.4% when the variation is 4x and 5x"),
    "rtt5-short": PaperValue(
        "S0-11", "11b", "5.2", f"{TESTBED} to 350 us, web search", "short flows, p99, ECN# to RED-Tail, RTTs 5x",
        1 - 0.734, 1, "best", "The advantage is enlarged to 71.2% and 73.4% when the variation is 4x and 5x"),
    "rtt5-overall": PaperValue(
        "S0-12", "11a", "5.2", f"{TESTBED} to 350 us, web search", "all flows, mean FCT, ECN# to RED-Tail, worst load",
        2854, 2650, "us", "the FCT degradation is within 7.6%(2854us to 2650us at 30% load)"),
    "ws-short-mean": PaperValue(
        "S0-5", "9b", "5.2", f"{TESTBED}, web search, 90 % load", "short flows, mean FCT, ECN# to RED-Tail",
        738, 964, "us", "up to 23.4% (964us to 738us at 90% load)"),
    "dm-short-mean": PaperValue(
        "S0-5", "10b", "5.2", f"{TESTBED}, data mining, 80 % load", "short flows, mean FCT, ECN# to RED-Tail",
        377, 548, "us", "31.2% (548us to 377us at 80% load)"),
    "ws-short-p99": PaperValue(
        "S0-6", "9c", "5.2", f"{TESTBED}, web search, 90 % load", "short flows, 99th percentile, ECN# to RED-Tail",
        3287, 5242, "us", "up to 37.2% (5242us to 3287us at 90% load)"),
    "dm-short-p99": PaperValue(
        "S0-6", "10c", "5.2", f"{TESTBED}, data mining, 80 % load", "short flows, 99th percentile, ECN# to RED-Tail",
        1347, 2161, "us", "37.6% (2161us to 1347us at 80% load)"),
    "ws-large-avg": PaperValue(
        "S0-7", "9d", "5.2", f"{TESTBED}, web search, 80 % load", "large flows, mean FCT, ECN# to RED-AVG",
        70192, 94411, "us", "up to 25.6% (94411us to 70192us at 80% load) lower FCT compared to DCTCP-RED-AVG"),
    "dm-large-avg": PaperValue(
        "S0-7", "10d", "5.2", f"{TESTBED}, data mining, 80 % load", "large flows, mean FCT, ECN# to RED-AVG",
        833396, 1049035, "us", "up to 20.5% (1049035us to 833396us at 80% load)"),
    "large-tail": PaperValue(
        "S0-15", "9d, 10d, 14d", "5.2, 5.3", TESTBED, "large flows, mean FCT, ECN# to RED-Tail",
        1, 1, "ratio", "ECN# achieves similar results as DCTCP-RED-Tail"),
    "ws-red-avg-large": PaperValue(
        "S0-10", "9d", "5.2", f"{TESTBED}, web search", "large flows, mean FCT, RED-AVG to RED-Tail",
        1.2, 1, "ratio", "it adversely hurts the FCT of large flows, e.g., over 20% for the web search workload"),
    "short-codel": PaperValue(
        "S0-9", "9b, 10b", "5.2", TESTBED, "short flows, mean FCT, ECN# to CoDel",
        0.5, 1, "ratio", "CoDel achieves very bad performance for short flows [...] frequent TCP timeouts"),
    "standing": PaperValue(
        "S0-16", "16", "5.4", f"{MICRO}, data mining and 100 query flows", "queue before the burst, ECN# to RED-Tail",
        8, 182, "packets", "much lower queue occupancy (8 packets) compared to DCTCP-RED-Tail (182 packets)"),
    "drops-ecnsharp": PaperValue(
        "S0-16", "16", "5.4", f"{MICRO}, data mining and 100 query flows", "drops in the burst, ECN#",
        0, None, "packets", "no packets drop"),
    "drops-red-tail": PaperValue(
        "S0-16", "16", "5.4", f"{MICRO}, data mining and 100 query flows", "drops in the burst, RED-Tail",
        0, None, "packets", "comparable results in handling bursty query traffic (no packet drops) with DCTCP-RED-Tail"),
    "drops-codel": PaperValue(
        "S0-16", "16", "5.4", f"{MICRO}, data mining and 100 query flows", "drops in the burst, CoDel",
        125, None, "packets", "outperforming CoDel (drop 125 packets)"),
    "sensitivity-ws": PaperValue(
        "S0-18", "18", "5.4", f"{FABRIC}, web search", "all flows, mean FCT, worst to best of the settings",
        1.01, 1, "us", "The difference is within 1% for web search workload"),
    "sensitivity-dm": PaperValue(
        "S0-18", "18", "5.4", f"{FABRIC}, data mining", "all flows, mean FCT, worst to best of the settings",
        1.002, 1, "us", "and 0.2% for data mining workload"),
    "interval-ws": PaperValue(
        "S0-18", "18", "5.4", f"{FABRIC}, web search", "all flows, mean FCT, a shorter pst_interval to the rule of thumb's",
        0.99, 1, "us", "for web search workload, ECN# performs 1% better"),
    "interval-dm": PaperValue(
        "S0-18", "18", "5.4", f"{FABRIC}, data mining", "all flows, mean FCT, a shorter pst_interval to the rule of thumb's",
        1.002, 1, "us", "For data mining workloads, ECN# performs slightly worse (0.2% longer FCT)"),
    "scheduler-short": PaperValue(
        "S0-20", "20b", "5.4", f"{MICRO}, DWRR 2:1:1", "short flows, mean FCT, ECN# to TCN",
        2341, 2913, "us", "ECN# achieves 19.6% better average FCT (2913us to 2341us) for short flows"),
    "pias-short": PaperValue(
        "S0-22", "22b", "5.4", f"{FABRIC}, web search", "short flows, mean FCT, PIAS with ECN# to PIAS",
        1 - 0.101, 1, "best", "ECN# can further optimize FCT for short flows by up to 10.1%"),
    "pias-overall": PaperValue(
        "S0-22", "22a", "5.4", f"{FABRIC}, web search", "all flows, mean FCT, PIAS with ECN# to PIAS",
        1, 1, "ratio", "ECN# does not impact the overall FCT of all flows"),
    "share-1-1": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 1 of 1, Gbit/s", 9.6, None, "Gbit/s",
        "flow 1 achieves around 9.6Gbps goodput"),
    "share-2-1": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 1 of 2, to flow 1 alone", 6.42, 9.6, "Gbit/s",
        "flow 1 achieves 6.42Gbps goodput while flow 2 achieves 3.18Gbps goodput"),
    "share-2-2": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 2 of 2, to flow 1 alone", 3.18, 9.6, "Gbit/s",
        "flow 1 achieves 6.42Gbps goodput while flow 2 achieves 3.18Gbps goodput"),
    "share-3-1": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 1 of 3, to flow 1 alone", 4.82, 9.6, "Gbit/s",
        "flow 1, flow 2 and flow 3 achieve around 4.82Gbps, 2.40Gbps and 2.40Gbps goodput"),
    "share-3-2": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 2 of 3, to flow 1 alone", 2.4, 9.6, "Gbit/s",
        "flow 1, flow 2 and flow 3 achieve around 4.82Gbps, 2.40Gbps and 2.40Gbps goodput"),
    "share-3-3": PaperValue(
        "S0-19", "20a", "5.4", f"{MICRO}, DWRR 2:1:1", "goodput of flow 3 of 3, to flow 1 alone", 2.4, 9.6, "Gbit/s",
        "flow 1, flow 2 and flow 3 achieve around 4.82Gbps, 2.40Gbps and 2.40Gbps goodput"),
    "fabric-ws-mean": PaperValue(
        "S0-13", "13b", "5.3", f"{FABRIC}, web search, 90 % load", "short flows, mean FCT, ECN# to RED-Tail",
        738, 964, "us", "23.4% (964us to 738us at 90% load)"),
    "fabric-dm-mean": PaperValue(
        "S0-13", "14b", "5.3", f"{FABRIC}, data mining, 80 % load", "short flows, mean FCT, ECN# to RED-Tail",
        377, 548, "us", "31.3% (548us to 377us at 80% load)"),
    "fabric-ws-p99": PaperValue(
        "S0-14", "13c", "5.3", f"{FABRIC}, web search, 90 % load", "short flows, 99th percentile, ECN# to RED-Tail",
        3287, 5242, "us", "37.3% (5242us to 3287us at 90% load)"),
    "fabric-dm-p99": PaperValue(
        "S0-14", "14c", "5.3", f"{FABRIC}, data mining, 80 % load", "short flows, 99th percentile, ECN# to RED-Tail",
        1347, 2161, "us", "37.6% (2161us to 1347us at 80% load)"),
    "fabric-overall": PaperValue(
        "S0-15", "13a, 14a", "5.3", FABRIC, "all flows, mean FCT, ECN# to RED-Tail",
        1, 1, "ratio", "With both workloads, ECN# achieves similar results as DCTCP-RED-Tail"),
    "fanin": PaperValue(
        "S0-17", "17", "5.4", f"{MICRO}, 25 to 200 query flows", "fan-in at which packets are lost, ECN# to CoDel",
        175, 100, "senders", "ECN# can support 1.75x more concurrent senders than CoDel"),
    "dcqcn-short": PaperValue(
        "S0-21", "21b", "5.5", f"{FABRIC}, DCQCN, web search", "short flows, mean FCT, DCQCN+ECN# to DCQCN",
        1 - 0.149, 1, "best", "DCQCN+ECN# can further improve the FCT of short flows by up to 14.9%"),
    "dcqcn-all": PaperValue(
        "S0-21", "21a", "5.5", f"{FABRIC}, DCQCN, web search", "all flows, mean FCT, DCQCN+ECN# to DCQCN",
        1, 1, "ratio", "DCQCN and DCQCN+ECN# does not impact the overall FCT of all flows"),
}

# Rows that no run of the lab can answer.
NOT_ASKED = {
    "S0-1 (Table 1, Fig. 1)": "RTTs of the authors' own hosts, load balancer and hypervisor; the lab takes the distribution "
                              "that they measured as its input",
    "S0-4 (Fig. 6)": "an approximation of division for a switch chip without a divider; the kernel divides exactly "
                     "(selftests/unit compares the law with an oracle on random input)",
    "S0-23 (section 4)": "tables, registers and lines of P4 on a Tofino chip; this is C on a processor",
    "S0-24 (abstract)": "the headline repeats S0-5 and S0-6; it calls data mining's 31.2 % a 99th percentile, which section "
                        "5.2 and Fig. 10b have as the mean",
}

# Every row of the list of the paper's targets: each is judged by a quotation, or has its reason above.
TARGETS = tuple(f"S0-{number}" for number in range(1, 25))


def paper_value(name):
    """One of ECN#'s or of On-Ramp's."""
    return PAPER_VALUES.get(name) or onramp_paper.PAPER_VALUES[name]
