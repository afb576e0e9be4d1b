# SPDX-License-Identifier: GPL-2.0
"""How much of the bottleneck is used, a seed each: of what all flows lose, how much the link loses with them."""


def sentence(data, over, under):
    """Utilisation without and with, as half a sentence."""
    without, with_ = (", ".join(f"{value * 100:.2f}" for value in data.values(case, "utilisation")) for case in (under, over))
    return f"the link is used {without} % without and {with_} % with it, a seed each"
