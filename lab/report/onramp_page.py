# SPDX-License-Identifier: GPL-2.0
"""Text of On-Ramp's report around its tables."""

from lab.experiments.shared import requests
from lab.experiments.shared.senders import TIGHT_US, WIDE_US
from lab.report import acceptance_output, judge, onramp_criteria, verdict
from lab.report.run_data import RunData, mean

TITLE = "The On-Ramp paper's evaluation on a Linux kernel"

INTRO = (
    "The laboratory has 41 hosts around one switch in virtual time, with the real qdisc sch_onramp, the real OR-ACKs of onramp_acker, and Linux's "
    "TCP. Links have 10 Gbit/s, the base RTT is 25 us, and each port has 1 MB of tail-drop buffer. Hosts without On-Ramp have fq, or the qdisc "
    "that the line names.",)

# Figures of the paper's that no run here answers, and why.
NOT_ASKED = (
    "Fig. 1, 2, 15, 16, 18, 22, 23, 26 have DCQCN, TIMELY or HPCC, which Linux hosts do not have without RDMA hardware (not-reproduced.md).",
    "Table 1 and the CPU times of section 4.1 are of real processors. Processors of the lab take no time; not-reproduced.md has the numbers that are measured instead.",
    "Where the paper has a direction and no number ('both groups do better'), the verdict is 'same direction' or 'not shown'.",
)


def notes():
    """Notes on the tables."""
    return (
        f"'same size' is an effect between 2/3 and 3/2 of the paper's (as logarithms of the ratio), 'similar' a difference of at most "
        f"{verdict.SIMILAR * 100:.0f} %; 'not shown' is the opposite, or a smaller effect than {verdict.NOISE * 100:.0f} %. Where the paper gives a range "
        "(4.2 to 5.6 times), its ends are compared with the mean and the 99th percentile here.",
        "A request asks 40 hosts at once and is complete when all have answered. Flows of the background are small up to 10 KB, medium up to 1 MB, "
        "large above. All hosts of a comparison see the same flows at the same times. A ratio is the mean over the seeds of On-Ramp's number divided by "
        "fq's (or fq_codel's) with the same seed. It is not the quotient of the two means in the same row, because a late SYN in one seed's fq changes that "
        "quotient much, and the mean of the quotients little. 1/2.7 is a mean quotient of 0.37.",
        "fq and onramp have limits that are never reached (limit 100000 flow_limit 10000), so all losses are those of the switch. With its default of 100 "
        "packets a flow, fq drops thousands of BBR's packets itself. These are sent again and would be counted in On-Ramp's favour. fq_codel has Linux's defaults.",
        "rto_min is 5 ms, except in the line with 200 ms, the value of Linux and of the paper. With 200 ms it depends on the seed whether the slowest hundredth of the "
        "requests waits for it. There are buffers of 250 KB and 4 MB in addition to the 1 MB.",
        f"T is {WIDE_US} us, the paper's in its cloud, in the criteria and in the rows S3-7 to S3-12. Elsewhere it is {TIGHT_US} us, the paper's on bare metal, unless "
        "a line has its own.",
        "`records_evicted` is near `records` in a healthy run, because a flow's ring of 256 records wraps over records that were reported long before. Reports that "
        "arrive too late for their record are `unmatched`.",
        "`law weighted` is the default of On-Ramp here, `law final` is the paper's equation, `law strawman` its equation 2 (docs/decisions/0017-onramp-weighted-by-default.md "
        "has the reason).",
        *NOT_ASKED)


def _judged(found):
    study, wanted = onramp_criteria.full()
    study.found = {run.name: found[run.name] for run in study.runs()}
    return judge.judge(study, wanted)


def harms(found):
    """Lines of Markdown: the settings beyond what is required in which a class of background flows pays more than the criteria allow."""
    data = RunData(found)
    lines = []
    for setting in (*requests.LOADS, *requests.BIG, *requests.BUFFERS):
        pair = requests.pair(setting)
        means, medians = ({size: data.ratios(*pair, path.replace("mean", number)) for size, path in requests.FCT} for number in ("mean", "p50"))
        if not all(map(onramp_criteria.UNHARMED.holds, means.values())):
            numbers = "; ".join(f"{size} {requests.between(means[size])}, median {mean(medians[size]):.3f}" for size in means)
            late = requests.late_syns(data, pair)
            lines.append(f"- {setting.title}: {numbers} of fq's; late SYNs {late[0]} under fq and {late[1]} here")
    return [f"Background flows must take {onramp_criteria.UNHARMED.text()}, of fq's mean in the setting above. At T = {TIGHT_US} us, which is not required, "
            f"this does not hold in the following cases. {requests.ENDS}", "", *(lines or ["- none of the settings below"]), ""]


def parts(found):
    """Lines before the paper's numbers."""
    return [*criteria(found), *harms(found), *baselines(found)]


def baselines(found):
    """Lines of Markdown: the baselines of the paper, and the gain over these and over fq."""
    data = RunData(found)

    def times(threshold_us, base):
        ratios = (data.ratio(*requests.Baseline(requests.CUBIC, threshold_us, base).pair, path) for _, path in (requests.RCT[0], requests.RCT[-1]))
        return " and ".join(f"{1 / ratio:.1f}" for ratio in ratios)

    wide, tight = ([times(threshold_us, base) for base in ("fq_codel", "fq")] for threshold_us in (WIDE_US, TIGHT_US))
    return ["Without On-Ramp the paper's hosts have Ubuntu's default, fq_codel for CUBIC and fq for BBR (its footnote 6), with T = "
            f"{WIDE_US} us in its cloud and {TIGHT_US} us on bare metal. Rows are judged by these. Numbers behind them in the same cell are relative to fq, or at another T. "
            "The table has by how many times CUBIC's requests are completed sooner with On-Ramp, mean and 99th percentile:", "",
            "| T | than with fq_codel | than with fq |", "|---|---|---|", f"| {WIDE_US} us | {wide[0]} | {wide[1]} |", f"| {TIGHT_US} us | {tight[0]} | {tight[1]} |", "",
            "All criteria above are compared with fq. 'Gain of On-Ramp with CUBIC, compared with fq_codel and fq' has each number.", ""]


def criteria(found):
    """Lines of Markdown: the criteria with their verdicts; found: name -> Result of all runs."""
    return ["## Criteria", "", f"All criteria but the last two hold for one setting: T = {WIDE_US} us, the paper's in its cloud, with `law weighted`, the default. "
            "The last but one is `law final`, the equation as the paper prints it. It misses its limit and is reported, not required: " + onramp_criteria.AS_PRINTED +
            ". The last one is about the automatic T.", "", "`off` has no T. 'Fails then' is judged by the whole limit, of the mean and of every seed. `off` need not fail the "
            "criteria of background flows: " + onramp_criteria.CHANCE + ". The strawman does not harm these flows at this T either ('Request completion, background flows "
            f"and losses'), but does at {TIGHT_US} us. Its cost here is the utilisation in ramp.", "", *acceptance_output.criterion_table(_judged(found)), "",
            "`lab/report/acceptance --onramp` runs what is missing and prints for each criterion whether it holds.", ""]
