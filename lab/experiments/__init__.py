# SPDX-License-Identifier: GPL-2.0
"""One file for each experiment: keys, topology and traffic, what is measured, the paper's values, rows and figures."""
