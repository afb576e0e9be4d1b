# SPDX-License-Identifier: GPL-2.0
"""The scripts and units that docs/operations.md has for people to copy."""

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _blocks(kind):
    with open(os.path.join(ROOT, "docs/operations.md"), encoding="utf-8") as file:
        return re.findall(rf"^```{kind}\n(.*?)^```", file.read(), re.M | re.S)


def scripts():
    """{first token of a script's own description: its text}"""
    return {re.search(r"^# (?:\S*/)?(\S+)", block.partition("\n")[2], re.M)[1]: block for block in _blocks("sh")}


def units():
    """{name of a unit's file, which is its first line: its text}"""
    return {re.match(r"# /etc/systemd/system/(\S+)\n", block)[1]: block for block in _blocks("ini")}
