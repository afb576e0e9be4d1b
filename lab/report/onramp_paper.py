# SPDX-License-Identifier: GPL-2.0
"""The On-Ramp paper's own numbers (S. Liu et al., "Breaking the Transience-Equilibrium Nexus: A New Approach to Datacenter Packet
Transport", NSDI 2021), of all experiments.

Each experiment quotes those that it compares, from the paper's text at the section named. Numbers that the paper only draws are not quoted.
"""

from lab.experiments import coexist, gso, overhead, papers, ramp, signal, storage, sweep

PAPER_VALUES = {name: value for experiment in (papers, ramp, signal, gso, storage, coexist, sweep, overhead) for name, value in experiment.PAPER.items()}

# Rows that no run compared with the paper's numbers answers.
NOT_ASKED = {
    "S3-1 (Fig. 1, 22)": "TIMELY sets the rate of a queue pair of an RDMA NIC by its RTTs; no Linux host does so without one, and the paper has it from ns-3. "
                         "What it shows of On-Ramp, transients that end quickly with the link full, `lab/run ramp` shows with CUBIC",
    "S3-2 (Fig. 2, 23)": "DCQCN as in S3-1: flowgen has its reaction point (S0-21), but over UDP, whose packets On-Ramp does not hold",
    "S3-6 (Table 1)": "shares of a processor's time, which the lab's take none of; docs/results/bench.md compares TCP's instructions with Table 1, and S3-5 "
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
        "processors take no time, and nothing here has a NIC at 10 Gbit/s, so there is no such share. What there is: instructions of all that a machine does for TCP, "
        "with holds and OR-ACKs 1.328 of what fq has, 1.310 if a NIC would segment (docs/results/bench.md, 'TCP and the paper's CPU'; `selftests/bench/run_bench.py --part "
        "onramp --only stock --case tcp`), where the paper's utilisation grows to 1.24 of itself, of hosts that do more than send; huygens-lite's own CPU, 7.39 per mille of "
        "one that does an instruction a ns, with 100 pairs of probes a second (docs/results/bench.md, 'the daemon's CPU'; `selftests/bench/run_bench.py --part clock`); and "
        "1.76 Mbit/s that a host of 50 sends (docs/results/clock.md, 'How many hosts'; `lab/report/report --study clock --only sizes`)",
}

# Every row of the list of the paper's targets: each is judged by a quotation, or has its reason above.
TARGETS = tuple(f"S3-{number}" for number in range(1, 23))
