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
    says: str           # the paper's words

    @property
    def ratio(self):
        """Value over base: below 1 is less than the baseline."""
        return self.value / self.base
