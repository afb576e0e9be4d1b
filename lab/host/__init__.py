# SPDX-License-Identifier: GPL-2.0
"""Builds, boots and reads a lab; knows no experiment."""
