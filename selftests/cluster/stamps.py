# SPDX-License-Identifier: GPL-2.0
"""Where the stamps of the sender's samples were taken, by the kernel's trace of OR-ACKs."""

import os
import re

import onramp_genl

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PREFIX = "ONRAMP_STAMP_"
NAMES = {value: name.removeprefix(PREFIX).lower() for name, value in onramp_genl.numbers(ROOT)[0].items() if name.startswith(PREFIX)}
TRACING = "/sys/kernel/tracing"
EVENT = f"{TRACING}/events/onramp/onramp_ack/enable"


def watch(console):
    """From now on."""
    console.ask("sender", f"mountpoint -q {TRACING} || mount -t tracefs tracefs {TRACING}; : >{TRACING}/trace; echo 1 >{EVENT}")


def seen(console):
    """{(of what left, of what came): how many samples since}"""
    output = console.ask("sender", f"echo 0 >{EVENT}; grep -o 'stamp_tx=[0-9]* stamp_rx=[0-9]*' {TRACING}/trace | sort | uniq -c")
    found = re.findall(r"(\d+) stamp_tx=(\d+) stamp_rx=(\d+)", output)
    return {(NAMES[int(tx)], NAMES[int(rx)]): int(count) for count, tx, rx in found}
