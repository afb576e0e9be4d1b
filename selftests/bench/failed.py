# SPDX-License-Identifier: GPL-2.0
"""How a bench fails."""


class BenchFailed(Exception):
    """A measurement that did not take place, or did not measure what its case says."""
