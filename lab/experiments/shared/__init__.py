# SPDX-License-Identifier: GPL-2.0
"""What several experiments have in common."""
