# SPDX-License-Identifier: GPL-2.0
"""Definitions that several experiments share."""
