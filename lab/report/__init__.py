# SPDX-License-Identifier: GPL-2.0
"""From experiments to tables and figures compared with the papers."""
