# SPDX-License-Identifier: GPL-2.0
"""The On-Ramp paper's own numbers: one entry for each that a study sets beside ours.

Every number is quoted from the paper's text (S. Liu et al., "Breaking the Transience-Equilibrium Nexus: A New Approach to
Datacenter Packet Transport", NSDI 2021) at the section named; what it prints as a figure only is not quoted.
"""

from quote import Quote

GCP = "50 VMs, 10G, T = 150 us"
CLOUDLAB = "100 hosts, 10G, T = 50 us"
BASIC = f"{GCP}, CUBIC, web search 40 %, 2 KB incast 2 %"
WITH_BBR = f"{GCP}, BBR, web search 40 %, 2 KB incast 2 %"
BARE = f"{CLOUDLAB}, CUBIC, web search 60 %, 2 KB incast 2 %"


def _rct(row, figure, section, setup, what, times, says):
    return Quote(row, figure, section, setup, f"request completion, {what}, On-Ramp to without", 1 / times, 1, "times", says)


def _fct(row, figure, section, setup, what, percent, says):
    return Quote(row, figure, section, setup, f"{what}, On-Ramp to without", 1 - percent / 100, 1, "ratio of means", says)


_9A = "the mean, 90th, 95th and 99th percentile RCTs of an incast request are reduced by 2.6x, 3.0x, 3.1x and 2.8x, respectively"
_9B = "On-Ramp improves the mean FCT of the WebSearch background traffic flows by 21%, 19%, and 7% [...] of small, medium and large sizes"
_10A = "the mean and tail RCTs of an incast request are reduced by On-Ramp by 4.2x - 5.6x"
_10B = ("reduces the mean FCT of the WebSearch background traffic flows by 28% and 25% for the small and medium sizes respectively, and tail FCT "
        "by 51% and 37%, while maintaining the same performance as the baseline for the large flows")
_13 = "the total number of timeouts is reduced by 21x and 13x in the cases of 20% and 2% incast load respectively"
_14 = "the mean and tail RCTs of an incast request improves by 2.3x - 4.1x"
_14B = "improved by 23%, 20%, 4% across flows of small, medium and large sizes respectively"

QUOTES = {
    "rct-cubic-mean": _rct("S3-7", "9a", "5.2.1", BASIC, "mean", 2.6, _9A),
    "rct-cubic-p90": _rct("S3-7", "9a", "5.2.1", BASIC, "90th percentile", 3.0, _9A),
    "rct-cubic-p95": _rct("S3-7", "9a", "5.2.1", BASIC, "95th percentile", 3.1, _9A),
    "rct-cubic-p99": _rct("S3-7", "9a", "5.2.1", BASIC, "99th percentile", 2.8, _9A),
    "fct-cubic-small": _fct("S3-8", "9b", "5.2.1", BASIC, "small flows, mean", 21, _9B),
    "fct-cubic-medium": _fct("S3-8", "9b", "5.2.1", BASIC, "medium flows, mean", 19, _9B),
    "fct-cubic-large": _fct("S3-8", "9b", "5.2.1", BASIC, "large flows, mean", 7, _9B),
    "again-cubic": Quote("S3-8", "9b", "5.2.1", BASIC, "packets retransmitted, On-Ramp to without", 0.0314, 0.0693, "%",
                         "the percentage of packets retransmitted reduces from 0.0693% to 0.0314%"),
    "rct-bbr-least": _rct("S3-9", "10a", "5.2.1", WITH_BBR, "the least gain", 4.2, _10A),
    "rct-bbr-most": _rct("S3-9", "10a", "5.2.1", WITH_BBR, "the greatest gain", 5.6, _10A),
    "fct-bbr-small": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "small flows, mean", 28, _10B),
    "fct-bbr-medium": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "medium flows, mean", 25, _10B),
    "fct-bbr-large": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "large flows, mean", 0, _10B),
    "fct-bbr-small-p95": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "small flows, 95th percentile", 51, _10B),
    "fct-bbr-medium-p95": _fct("S3-9", "10b", "5.2.1", WITH_BBR, "medium flows, 95th percentile", 37, _10B),
    "again-bbr": Quote("S3-9", "10", "5.2.1", WITH_BBR, "packets retransmitted, On-Ramp to without", 0.0005, 0.0105, "%",
                       "the fraction of packets retransmitted reduces by 21x, from 0.0105% to 0.0005%"),
    "timeouts-20": Quote("S3-12", "13", "5.2.1", f"{GCP}, CUBIC, web search 40 %, 500 KB incast 20 %", "TCP timeouts, On-Ramp to without",
                         1 / 21, 1, "times", _13),
    "timeouts-2": Quote("S3-12", "13", "5.2.1", f"{GCP}, CUBIC, web search 40 %, 500 KB incast 2 %", "TCP timeouts, On-Ramp to without",
                        1 / 13, 1, "times", _13),
    "rct-60-least": _rct("S3-13", "14a", "5.2.2", BARE, "the least gain", 2.3, _14),
    "rct-60-most": _rct("S3-13", "14a", "5.2.2", BARE, "the greatest gain", 4.1, _14),
    "fct-60-small": _fct("S3-13", "14b", "5.2.2", BARE, "small flows, mean", 23, _14B),
    "fct-60-medium": _fct("S3-13", "14b", "5.2.2", BARE, "medium flows, mean", 20, _14B),
    "fct-60-large": _fct("S3-13", "14b", "5.2.2", BARE, "large flows, mean", 4, _14B),
}
