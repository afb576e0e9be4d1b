# SPDX-License-Identifier: GPL-2.0
"""ACC's own numbers (S. Yan et al., "ACC: Automatic ECN Tuning for High-Speed Datacenter Networks", SIGCOMM 2021), of all experiments.

Each experiment quotes those that it compares, from the paper's text at the section named.
"""

from lab.experiments import share, shift, tune

PAPER_VALUES = {name: value for experiment in (tune, shift, share) for name, value in experiment.PAPER.items()}

# Rows that no run compared with the paper's numbers answers.
NOT_ASKED = {
    "S1-1 (Fig. 1)": "which threshold is best for two kinds of incast at 25 Gbit/s: `acc-train gate` has the best of 20 templates in each of twelve conditions (docs/acc.md), "
                     "and the tables here have static ramps in four",
    "S1-2 (Fig. 2)": "24 servers and 4 switches: one port here; the tables have SECN0, 1 and 2 in each condition",
    "S1-4 (Fig. 7a, 7b)": "flows below 10 KB between 3 hosts: the short flows of the tables have up to 100 KB; "
                          "docs/acc.md has the p99 of those below 10 KB at 60 %, 1/1.20 of SECN2's",
    "S1-9 (Table 1)": "the list of storage workloads that S1-7 and S1-8 use",
    "S1-10 (Fig. 10)": "training of a network on 7 GPUs",
    "S1-14 (Fig. 13)": "128 hosts with loads that change; the acc-tuner of one switch is what the lab hosts",
    "S1-15 (Fig. 14)": "a controller of all switches, which acc-tuner is not",
    "S1-16 (Fig. 16)": "a network that learns from nothing within 10 s: docs/acc.md has three seeds of 3 s; "
                       "one of them is 1.60 of the static setting after the second switch",
    "S1-17 (section 4.2)": "shares of a processor's time, which the lab's take none of",
    "S1-18 (section 6)": "as S1-17; the network's size is the paper's (acc-tuner/algo/net.h)",
    "S1-19 (section 6)": "a company's production",
    "S1-20 (Fig. 17)": "the form of the reward: `acc-train gate` compares three (docs/acc.md), "
                       "and no network was trained with a delay that counts linearly",
    "S1-21 (section 3.2)": "an estimate of what a controller would collect",
}

# Every row of the list of the paper's targets: each is judged by a quotation, or has its reason above.
TARGETS = tuple(f"S1-{number}" for number in range(1, 22))
