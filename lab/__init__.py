# SPDX-License-Identifier: GPL-2.0
"""The laboratory of virtual time: host programs, experiments and the report. Programs of the guest are in guest, traffic and labnic."""
