# SPDX-License-Identifier: GPL-2.0
"""Base RTTs that spread more or less, and what each scheme's thresholds are then.

The paper gives them for RTTs that differ 3-fold (70 to 210 us): 100 KB for the average, 250 KB and 200 us for the 90th
percentile, ECN# 200/200/85 us. The others keep their proportion to the average and the longest RTT: the longest is 4/3
or 5/3 as long, the average of the same shape 1.22 or 1.45 times as long.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """RTTs whose longest is `fold` times the shortest."""

    fold: int
    rtt: str            # as lab/run takes it
    average_kb: int     # threshold for the average RTT
    tail_kb: int        # for the 90th percentile

    def ecnsharp(self):
        """ECN# by the same rules: its instantaneous target and interval follow the tail, pst_target the average."""
        tail_us = self.tail_kb * 8 // 10
        return f"ecnsharp ins_target {tail_us}us pst_interval {tail_us}us pst_target {self.average_kb * 85 // 100}us"


SPREADS = {spread.fold: spread for spread in (
    Spread(2, "70us-140us", 78, 167), Spread(3, "70us-210us", 100, 250), Spread(4, "70us-280us", 122, 333),
    Spread(5, "70us-350us", 145, 417))}
