# SPDX-License-Identifier: GPL-2.0
"""A number that a paper prints."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PaperValue:
    """One comparison that the paper prints."""

    row: str            # of the list of the papers' targets: S0-n, S3-n
    figure: str         # in the paper; empty if it is the text alone
    section: str        # where the text says it
    setup: str          # the paper's own set-up, short
    what: str           # the quantity
    value: float        # with the scheme in question
    base: float | None  # with what it is compared with; None if the value stands alone
    unit: str
    says: str           # in the paper's text

    @property
    def ratio(self):
        """Value over base: below 1 is less than the baseline."""
        return self.value / self.base


# Set-ups of the ECN# paper and of On-Ramp's, as the sections name them.
TESTBED = "7 senders, 1 receiver, 10G, RTT 70-210 us"
FABRIC = "128 hosts, 8 leaves, 8 spines, 10G, RTT 80-240 us"
MICRO = "16 senders, 1 receiver, 10G, RTT 80-240 us"
GCP = "50 VMs, 10G, T = 150 us"
CLOUDLAB = "100 hosts, 10G, T = 50 us"
# And ACC's.
CLOS = "96 hosts, 24 leaves, 8 spines, web search 90 %"
STORAGE = "24 hosts of a storage cluster, 25G"
SHARED = "8 hosts, 100G, DWRR of RDMA 70 % and TCP 30 %"
BASIC = f"{GCP}, CUBIC, web search 40 %, 2 KB incast 2 %"
