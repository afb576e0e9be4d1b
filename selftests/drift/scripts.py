# SPDX-License-Identifier: GPL-2.0
"""The scripts that docs/operations.md has for people to copy."""

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def scripts():
    """{first word of what a script says of itself: its text}"""
    with open(os.path.join(ROOT, "docs/operations.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```", file.read(), re.M | re.S)
    return {re.search(r"^# (?:\S*/)?(\S+)", block.partition("\n")[2], re.M)[1]: block for block in blocks}
