# SPDX-License-Identifier: GPL-2.0
"""The ECN# paper's own numbers (W. Bai et al., "ECN#", IEEE Transactions on Cloud Computing, 2022), of all experiments.

Each experiment quotes those that it compares, from the paper's text at the section named.
"""

from lab.experiments import fabric, fct, incast, pias, probabilistic, queue, rtt, scheduler, sensitivity, threshold

PAPER_VALUES = {name: value for experiment in (threshold, fct, rtt, queue, incast, fabric, sensitivity, scheduler, pias, probabilistic)
                for name, value in experiment.PAPER.items()}

# Rows that no run of the lab can answer.
NOT_ASKED = {
    "S0-1 (Table 1, Fig. 1)": "RTTs of the authors' own hosts, load balancer and hypervisor; the lab takes the distribution "
                              "that they measured as its input",
    "S0-4 (Fig. 6)": "an approximation of division for a switch chip without a divider; the kernel divides exactly "
                     "(selftests/unit compares the algorithm with an oracle on random input)",
    "S0-23 (section 4)": "tables, registers and lines of P4 on a Tofino chip; this is C on a processor",
    "S0-24 (abstract)": "the headline repeats S0-5 and S0-6; it calls data mining's 31.2 % a 99th percentile, which section "
                        "5.2 and Fig. 10b have as the mean",
}

# Every row of the list of the paper's targets: each is judged by a quotation, or has its reason above.
TARGETS = tuple(f"S0-{number}" for number in range(1, 25))
