# SPDX-License-Identifier: GPL-2.0
"""The report without the lab."""
