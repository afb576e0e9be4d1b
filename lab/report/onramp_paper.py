# SPDX-License-Identifier: GPL-2.0
"""The On-Ramp paper's own numbers: one entry for each that a study compares with ours.

Every number is quoted from the paper's text (S. Liu et al., "Breaking the Transience-Equilibrium Nexus: A New Approach to
Datacenter Packet Transport", NSDI 2021) at the section named; what it prints as a figure only is not quoted.
"""

from paper_value import PaperValue

GCP = "50 VMs, 10G, T = 150 us"
CLOUDLAB = "100 hosts, 10G, T = 50 us"
BASIC = f"{GCP}, CUBIC, web search 40 %, 2 KB incast 2 %"
WITH_BBR = f"{GCP}, BBR, web search 40 %, 2 KB incast 2 %"
BARE = f"{CLOUDLAB}, CUBIC, web search 60 %, 2 KB incast 2 %"


def _rct(row, figure, section, setup, what, times, says):
    return PaperValue(row, figure, section, setup, f"request completion, {what}, On-Ramp to without", 1 / times, 1, "times", says)


def _fct(row, figure, section, setup, what, percent, says):
    return PaperValue(row, figure, section, setup, f"{what}, On-Ramp to without", 1 - percent / 100, 1, "ratio of means", says)


_9A = "the mean, 90th, 95th and 99th percentile RCTs of an incast request are reduced by 2.6x, 3.0x, 3.1x and 2.8x, respectively"
_9B = "On-Ramp improves the mean FCT of the WebSearch background traffic flows by 21%, 19%, and 7% [...] of small, medium and large sizes"
_10A = "the mean and tail RCTs of an incast request are reduced by On-Ramp by 4.2x - 5.6x"
_10B = ("reduces the mean FCT of the WebSearch background traffic flows by 28% and 25% for the small and medium sizes respectively, and tail FCT "
        "by 51% and 37%, while maintaining the same performance as the baseline for the large flows")
_13 = "the total number of timeouts is reduced by 21x and 13x in the cases of 20% and 2% incast load respectively"
_14 = "the mean and tail RCTs of an incast request improves by 2.3x - 4.1x"
_14B = "improved by 23%, 20%, 4% across flows of small, medium and large sizes respectively"

_11 = "In all three environments, On-Ramp also improves the flow completion time of non-incast background traffic"
_11A = "On the Google Cloud Platform, On-Ramp improves the 99th percentile request completion time (RCT) of incast traffic"
_12 = "The performance gains achieved by On-Ramp are larger under higher loads"

_17 = "On-Ramp with CUBIC reduces the latency of computing RPCs by 10x while maintaining the throughput of storage traffic"
_17D = "both achieve a similar performance in terms of compute application latency, but DCTCP achieves a slightly lower storage throughput"
_19 = "mean and 90th, 95th, 99th percentile of incast traffic RCT are further reduced by 36%, 37%, 41%, 54%, respectively"
_19B = "FCT of short and mid-sized flows in the WebSearch traffic are further reduced by 8-14% (mean) and 13-22% (95th percentile)"
_20 = "when Group 1 uses On-Ramp and Group 2 does not, both groups do better than when neither uses On-Ramp"
_41 = "1 OR-ACK is sent per about 10 MTU-sized packets. Therefore, at 40% load on a 10 Gbps network and 78 Bytes per OR-ACK [...] about 21 Mbps"
_SMALLER = f"{BASIC}, On-Ramp, max GSO size 16 KB"
_RACKS = "two racks, 12 storage clients, T = 30 us, CUBIC"
_TENANTS = f"{CLOUDLAB}, two groups of 50, CUBIC, web search 60 %, 2 KB incast 2 %"


def _gso(what, percent, says, number="RCT"):
    return PaperValue("S3-18", "19", "7.2", _SMALLER, f"{number}, {what}, 16 KB to 64 KB", 1 - percent / 100, 1, "change", says)


def _storage(figure, what, value, says, setup=_RACKS, section="6"):
    return PaperValue("S3-16", figure, section, setup, what, value, 1, "change", says)


def _ramp(figure, section, flows, what, value, says):
    return PaperValue("S3-3", figure, section, f"{CLOUDLAB}, {flows} CUBIC flows", what, value, 1, "change", says)


def _signal(what, says):
    return PaperValue("S3-4", "6", "3.3", "100 hosts, bare metal, web search 40 %", f"correlation with the next packet's OWD, {what}", 0.9, 1, "change", says)


def _hadoop(what, says):
    """Of Fig. 11 the text says nothing of its own."""
    return PaperValue("S3-10", "11", "abstract, 5.2.1", f"{GCP}, CUBIC, FB_Hadoop 40 %, 2 KB incast 2 %", f"{what}, On-Ramp to without", 0.9, 1, "change", says)


def _loads(what):
    return PaperValue("S3-11", "12, 25", "5.2.1", f"{GCP}, CUBIC, web search 40 to 80 %, 2 KB incast 2 %", f"{what}, the gain at 80 % load to that at 40 %", 1.1, 1,
                 "change", _12)


def _coexist(what, value, says):
    return PaperValue("S3-19", "20", "7.3", _TENANTS, what, value, 1, "change", says)


PAPER_VALUES = {
    "ramp-strawman": _ramp("5", "3.2", 2, "utilisation, the strawman to without", 0.9, "the strawman On-Ramp leads to significant queue undershoot under T and "
                           "causes under-utilization"),
    "ramp-final": _ramp("5", "3.2", 2, "utilisation, the final On-Ramp to without", 1, "the final On-Ramp fixes this problem"),
    "ramp-swing": _ramp("24", "3.2, 10.2", 12, "fluctuations of the queue, the final On-Ramp to the strawman", 0.9, "When using the final version of On-Ramp, "
                        "most fluctuations in queue lengths are removed"),
    "ramp-fair": _ramp("24", "3.2, 10.2", 12, "fairness, the final On-Ramp to others", 1.1, "achieves better fair sharing among all flows"),
    "signal-rtt": _signal("RTT's to OWD's", "the OWD of the green packet measured using Huygens is highly correlated [...] However, neither the RTT nor the OWD "
                          "measured using NTP correlates well"),
    "signal-ntp": _signal("OWD's by NTP's clocks to good ones'", "neither the RTT nor the OWD measured using NTP correlates well with the actual OWD"),
    "rct-cubic-mean": _rct("S3-7", "9a", "5.2.1", BASIC, "mean", 2.6, _9A),
    "rct-cubic-p90": _rct("S3-7", "9a", "5.2.1", BASIC, "90th percentile", 3.0, _9A),
    "rct-cubic-p95": _rct("S3-7", "9a", "5.2.1", BASIC, "95th percentile", 3.1, _9A),
    "rct-cubic-p99": _rct("S3-7", "9a", "5.2.1", BASIC, "99th percentile", 2.8, _9A),
    "fct-cubic-small": _fct("S3-8", "9b", "5.2.1", BASIC, "small flows, mean", 21, _9B),
    "fct-cubic-medium": _fct("S3-8", "9b", "5.2.1", BASIC, "medium flows, mean", 19, _9B),
    "fct-cubic-large": _fct("S3-8", "9b", "5.2.1", BASIC, "large flows, mean", 7, _9B),
    "again-cubic": PaperValue("S3-8", "9b", "5.2.1", BASIC, "packets retransmitted, On-Ramp to without", 0.0314, 0.0693, "%",
                         "the percentage of packets retransmitted reduces from 0.0693% to 0.0314%"),
    "rct-bbr-least": _rct("S3-9", "10a", "5.2.1", WITH_BBR, "the least gain", 4.2, _10A),
    "rct-bbr-most": _rct("S3-9", "10a", "5.2.1", WITH_BBR, "the greatest gain", 5.6, _10A),
    "fct-bbr-small": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "small flows, mean", 28, _10B),
    "fct-bbr-medium": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "medium flows, mean", 25, _10B),
    "fct-bbr-large": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "large flows, mean", 0, _10B),
    "fct-bbr-small-p95": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "small flows, 95th percentile", 51, _10B),
    "fct-bbr-medium-p95": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "medium flows, 95th percentile", 37, _10B),
    "again-bbr": PaperValue("S3-9", "10", "5.2.1", WITH_BBR, "packets retransmitted, On-Ramp to without", 0.0005, 0.0105, "%",
                       "the fraction of packets retransmitted reduces by 21x, from 0.0105% to 0.0005%"),
    "hadoop-rct-p99": _hadoop("request completion, 99th percentile", _11A),
    "hadoop-fct": _hadoop("all flows of the background, mean", _11),
    **{f"loads-rct-{name}": _loads(f"request completion, {name}") for name in ("mean", "p99")},
    **{f"loads-fct-{size}": _loads(f"{size} flows, mean") for size in ("small", "medium", "large")},
    "timeouts-20": PaperValue("S3-12", "13", "5.2.1", f"{GCP}, CUBIC, web search 40 %, 500 KB incast 20 %", "TCP timeouts, On-Ramp to without",
                         1 / 21, 1, "times", _13),
    "timeouts-2": PaperValue("S3-12", "13", "5.2.1", f"{GCP}, CUBIC, web search 40 %, 500 KB incast 2 %", "TCP timeouts, On-Ramp to without",
                        1 / 13, 1, "times", _13),
    "rct-60-least": _rct("S3-13", "14a", "5.2.2", BARE, "the least gain", 2.3, _14),
    "rct-60-most": _rct("S3-13", "14a", "5.2.2", BARE, "the greatest gain", 4.1, _14),
    "fct-60-small": _fct("S3-13", "14b", "5.2.2", BARE, "small flows, mean", 23, _14B),
    "fct-60-medium": _fct("S3-13", "14b", "5.2.2", BARE, "medium flows, mean", 20, _14B),
    "fct-60-large": _fct("S3-13", "14b", "5.2.2", BARE, "large flows, mean", 4, _14B),
    "or-ack-bytes": PaperValue("S3-5", "", "4.1", BASIC, "bytes of an OR-ACK", 78, None, "bytes", _41),
    "or-ack-share": PaperValue("S3-5", "", "4.1", BASIC, "OR-ACKs, 21 Mbit/s of data's 4 Gbit/s", 0.525, None, "%", _41),
    **{f"gso-rct-{name}": _gso(name, percent, _19) for name, percent in (("mean", 36), ("p90", 37), ("p95", 41), ("p99", 54))},
    **{f"gso-fct-{number}-{which}": _gso(f"{number}, the {which} gain of short and mid-sized flows", percent, _19B, "FCT")
       for number, which, percent in (("mean", "least", 8), ("mean", "most", 14), ("p95", "least", 13), ("p95", "most", 22))},
    "gso-fct-large": _gso("mean of long flows", 0, "The throughput of long flows is well-maintained", "FCT"),
    "storage-rpc": _storage("17", "RPC latency, On-Ramp to without", 1 / 10, _17),
    "storage-used": _storage("17", "storage throughput, On-Ramp to without", 1, _17),
    "storage-drops": _storage("17", "packets dropped, On-Ramp to without", 1 / 260, "The number of packets dropped is reduced by about 260x"),
    "storage-tight": _storage("17", "storage throughput, T = 15 us to 30 us", 1, "only marginally reducing the storage throughput"),
    "storage-dctcp-rpc": _storage("17", "RPC latency, DCTCP to CUBIC with On-Ramp", 1, _17D),
    "storage-dctcp-used": _storage("17", "storage throughput, DCTCP to CUBIC with On-Ramp", 1, _17D),
    "storage-calm": _storage("27", "RPC latency at 250 Gbit/s, On-Ramp to without", 1, "the network is not congested yet, CUBIC, CUBIC + On-Ramp and DCTCP "
                             "give similar performances", "two racks, 10 storage clients", "10.3"),
    "coexist-own": _coexist("the first group, it alone with On-Ramp to neither", 0.9, _20),
    "coexist-other": _coexist("the second group, the first alone with On-Ramp to neither", 0.9, _20),
    "coexist-again": _coexist("the first group, both with On-Ramp to it alone", 1, "When Group 2 also uses On-Ramp, the improvement in Group 1's performance "
                              "is only slight"),
    "sweep-T": PaperValue("S3-20", "21a", "7.4", BASIC, "RCT and FCT, T of 500 us to 300 us", 1.1, 1, "change",
                     "the performance of On-Ramp worsens noticeably as T increases beyond 300 us"),
    "sweep-g": PaperValue("S3-20", "21b", "7.4", BASIC, "RCT and FCT, g of 1/4 to 1/64", 1, 1, "change",
                     "On-Ramp's performance is relatively insensitive to the value of g in the range between 1/4 and 1/64"),
}

# Rows that no run set beside the paper's numbers answers.
NOT_ASKED = {
    "S3-1 (Fig. 1, 22)": "TIMELY sets the rate of a queue pair of an RDMA card by its RTTs; no Linux host does so without one, and the paper has it from ns-3. "
                         "What it shows of On-Ramp, transients that end quickly with the link full, `lab/run ramp` shows with CUBIC",
    "S3-2 (Fig. 2, 23)": "DCQCN as in S3-1: flowgen has its reaction point (S0-21), but over UDP, whose packets On-Ramp does not hold",
    "S3-6 (Table 1)": "shares of a processor's time, which the lab's take none of; docs/results/bench.md has TCP's instructions beside Table 1, and S3-5 "
                      "what OR-ACKs are in bytes",
    "S3-14 (Fig. 15, 26)": "DCQCN, TIMELY and HPCC at 100 Gbit/s with PFC, which is RDMA; HPCC wants telemetry of each switch in every packet too. DCTCP, the "
                           "fourth, is in the tables `Other buffers` and `ECN# at the switch`",
    "S3-15 (Fig. 16)": "as S3-14, with search RPCs",
    "S3-17 (Fig. 18)": "as S3-14; clocks that are off are in the table `How much clocks matter`, with CUBIC",
    "S3-21 (abstract)": "the headline repeats the greatest gain of S3-7, S3-9 and S3-13",
    "S3-22 (sections 3.3, 5.1.3)": "what Huygens keeps clocks to, which is not On-Ramp's: docs/results/clock.md has the paper's numbers as limits of huygens-lite's "
                                   "and says which hold; what such clocks cost requests is in the table `How much clocks matter`",
}

# Parts of rows that are judged by others: no run answers these.
PARTS_NOT_ASKED = {
    "S3-5, 4.1: what it costs of a CPU": "the paper has 15.1 % of 8 cores without On-Ramp and 18.7 % with it, and Huygens 0.5 % and 3 Mbit/s of probes. The lab's "
        "processors take no time, and nothing here has a card at 10 Gbit/s, so there is no such share. What there is: instructions of all that a machine does for TCP, "
        "with holds and OR-ACKs 1.328 of what fq has, 1.310 if a card would segment (docs/results/bench.md, 'TCP beside the paper's CPU'; `selftests/bench/run_bench.py --part "
        "onramp --only stock --case tcp`), where the paper's utilisation grows to 1.24 of itself, of hosts that do more than send; huygens-lite's own CPU, 7.39 per mille of "
        "one that does an instruction a ns, with 100 pairs of probes a second (docs/results/bench.md, 'the daemon's CPU'; `selftests/bench/run_bench.py --part clock`); and "
        "1.76 Mbit/s that a host of 50 sends (docs/results/clock.md, 'How many hosts'; `lab/report/report --study clock --only sizes`)",
}

# Every row of the list of the paper's targets: each is judged by a quotation, or has its reason above.
TARGETS = tuple(f"S3-{number}" for number in range(1, 23))
