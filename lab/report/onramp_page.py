# SPDX-License-Identifier: GPL-2.0
"""What On-Ramp's report says around its tables."""

from lab.experiments.shared import requests
from lab.experiments.shared.senders import TIGHT_US, WIDE_US
from lab.report import acceptance_output, judge, onramp_criteria, verdict
from lab.report.run_data import RunData, mean

TITLE = "The On-Ramp paper's evaluation on a Linux kernel"

INTRO = (
    "41 hosts around one switch in a laboratory of virtual time: the real qdisc sch_onramp, the real OR-ACKs of onramp_acker, Linux's TCP, "
    "10 Gbit/s links, a base RTT of 25 us, 1 MB of tail-drop buffer for each port. Unheld hosts have fq, or what the line says.",)

# Figures of the paper's that no run here answers, and why.
NOT_ASKED = (
    "Fig. 1, 2, 15, 16, 18, 22, 23, 26 have DCQCN, TIMELY or HPCC, which no Linux host speaks without RDMA hardware (not-reproduced.md).",
    "Table 1 and the CPU times of section 4.1 are of real processors: the lab's take no time (not-reproduced.md has what there is instead).",
    "Where the paper prints no number but a direction ('both groups do better'), the verdict is 'same direction' or 'not shown'.",
)


def notes():
    """What a reader must know of the tables."""
    return (
        f"'same size' is an effect between 2/3 and 3/2 of the paper's (as logarithms of the ratio), 'similar' a difference of at most "
        f"{verdict.SIMILAR * 100:.0f} %; 'not shown' is the opposite, or a smaller effect than {verdict.NOISE * 100:.0f} %. Where the paper gives a range "
        "(4.2 to 5.6 times), its ends are compared with our mean and 99th percentile.",
        "A request asks 40 hosts at once and is complete when all have answered. Flows of the background are small up to 10 KB, medium up to 1 MB, "
        "large above. All hosts of a comparison see the same flows at the same times. A ratio is the mean over the seeds of On-Ramp's number divided by "
        "fq's (or fq_codel's) with the same seed. It is not the quotient of the two means in the same row: a late SYN in one seed's fq moves that far, and the "
        "mean of the quotients little. 1/2.7 is a mean quotient of 0.37.",
        "fq and onramp have limits that nothing reaches (limit 100000 flow_limit 10000), so all that is lost is lost in the switch: with its own 100 "
        "packets a flow, fq drops thousands of BBR's packets itself, which are then sent again and would be counted in On-Ramp's favour. fq_codel is as Linux sets it up.",
        "rto_min is 5 ms, but in the line that says 200 ms, Linux's own and the paper's: then the slowest hundredth of the requests "
        "waits for it or not, as the seed has it. There are buffers of 250 KB and 4 MB in addition to the 1 MB.",
        f"T is {WIDE_US} us, the paper's in its cloud, in what is required and in the rows S3-7 to S3-12, and {TIGHT_US} us, the paper's on bare metal, elsewhere, but "
        "where a line says its own.",
        "`records_evicted` is near `records` in a healthy run: a flow's ring of 256 records wraps, and what is overwritten has been reported long since. Reports that "
        "come too late for their record are `unmatched`.",
        "`law weighted` is On-Ramp's here; `law final` is what the paper prints, `law strawman` its equation 2 (docs/decisions/0017-onramp-weighted-by-default.md has why).",
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
    return [f"That the background takes {onramp_criteria.UNHARMED.text()}, of fq's mean is required of the setting above. Beyond it, at "
            f"T = {TIGHT_US} us, it does not hold with the following. {requests.ENDS}", "", *(lines or ["- none of the settings below"]), ""]


def parts(found):
    """What stands before the paper's numbers."""
    return [*criteria(found), *harms(found), *baselines(found)]


def baselines(found):
    """Lines of Markdown: the baselines of the paper, and the gain over these and over fq."""
    data = RunData(found)

    def times(threshold_us, base):
        ratios = (data.ratio(*requests.Baseline(requests.CUBIC, threshold_us, base).pair, path) for _, path in (requests.RCT[0], requests.RCT[-1]))
        return " and ".join(f"{1 / ratio:.1f}" for ratio in ratios)

    wide, tight = ([times(threshold_us, base) for base in ("fq_codel", "fq")] for threshold_us in (WIDE_US, TIGHT_US))
    return ["Without On-Ramp the paper's hosts have Ubuntu's default, fq_codel for CUBIC and fq for BBR (its footnote 6), with T = "
            f"{WIDE_US} us in its cloud and {TIGHT_US} us on bare metal: rows are judged by these; what stands behind them in the same cell is by fq, or at another T. "
            f"CUBIC's requests are complete {wide[0]} times sooner (mean, 99th percentile) than with fq_codel at T = {WIDE_US} us, {wide[1]} times sooner than with fq; at "
            f"{TIGHT_US} us {tight[0]}, and {tight[1]}. All that is required above is compared with fq. 'What On-Ramp gains with CUBIC compared with fq_codel and with fq' has each number.", ""]


def criteria(found):
    """Lines of Markdown: the criteria with their verdicts; found: name -> Result of all runs."""
    return ["## What it must do", "", f"All of it at T = {WIDE_US} us, the paper's in its cloud, with `law weighted`, the default: one setting fulfils every line but "
            "the last two. One is `law final`, what the paper prints, which misses its limit: reported, not required, for " + onramp_criteria.AS_PRINTED +
            ". The other is of T itself, where the hosts find it. `off` has no T. 'Fails then' is by the "
            "whole limit, that of the mean and that of every seed. For the background's flows `off` need not fail: " + onramp_criteria.CHANCE + ". The strawman does not harm them at this T either (it is in 'Request completion, background flows and losses'), and "
            f"does at {TIGHT_US} us: what it costs here is ramp's utilisation.", "", *acceptance_output.criterion_table(_judged(found)), "",
            "`lab/report/acceptance --onramp` runs what is missing of these and says for each whether it holds.", ""]
