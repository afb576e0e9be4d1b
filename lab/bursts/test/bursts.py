#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What bursts refuses, and that what it sends is of its law, as TAP: bursts.py BURSTS."""

import os
import re
import socket
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../selftests/lab"))
from tap import Tap  # pylint: disable=wrong-import-position

BURSTS = sys.argv[1]


def free():
    """A port that nobody has."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("", 0))
        return str(sock.getsockname()[1])


GOOD = {"PORT": free(), "FROM": "0", "UNTIL": "1", "RATE": "100000000", "PERMILLE": "500", "BURST": "30000", "SEED": "1"}
# Loopback's own: no host has them.
TO = ("127.0.0.2", "127.0.0.3")
FULL = 1538


def run(to=TO, **other):
    """Run it; its result."""
    words = [*(str(value) for value in {**GOOD, **other}.values()), *to]
    return subprocess.run([BURSTS, *words], capture_output=True, text=True, check=False, timeout=60)


def refusals(tap):
    """Each names what is wrong, and its range."""
    ran = subprocess.run([BURSTS], capture_output=True, text=True, check=False)
    tap.ok("refused: nothing", ran.returncode == 2 and ran.stderr.startswith("usage: bursts PORT"), ran.stderr)
    tap.ok("refused: no address", run(()).returncode == 2)
    ran = run(("127.0.0.2",) * 257)
    tap.ok("refused: more addresses than hosts", ran.returncode == 2 and ran.stderr == "bursts: 257 ADDRESSes, at most 256\n", ran.stderr)
    for name, words in {"PORT": ("0", "65536", "x", "-1", ""), "FROM": ("-1", "9223372036854775808"), "UNTIL": ("-1", "1s"), "RATE": ("999999", "400000000001"),
                        "PERMILLE": ("1000", "0.5", "-1"), "BURST": ("83", "1073741825"), "SEED": ("18446744073709551616", "one")}.items():
        for word in words:
            ran = run(**{name: word})
            tap.ok(f"refused: {name} '{word}'", ran.returncode == 2 and re.match(rf"bursts: {name}: '{re.escape(word)}' is not a number from \d+ to \d+$", ran.stderr), ran.stderr)
    ran = run(FROM="2")
    tap.ok("refused: an end before the begin", ran.returncode == 2 and "UNTIL: '1' is not a number from 2" in ran.stderr, ran.stderr)
    for address in ("127.0.0", "::1", "localhost", "127.0.0.1:5"):
        ran = run((address,))
        tap.ok(f"refused: {address}", ran.returncode == 2 and ran.stderr == f"bursts: '{address}' is no IPv4 address\n", ran.stderr)


def numbers(ran):
    """What it says at the end."""
    words = ran.stdout.split()
    return dict(zip(words[::2], map(int, words[1::2])))


def law(tap):
    """Bursts of the past come at once, so a second's cost nothing: how many there are and how long, and that they repeat."""
    whole = {"UNTIL": 10**9}
    first, again, other = run(**whole), run(**whole), run(**whole, SEED=2)
    found = numbers(first)
    # 208.3 bursts in the mean, and their root beside it; of sizes the sum's deviation is their root times 30 KB.
    tap.ok("as many bursts as load, rate and size say", first.returncode == 0 and abs(found["bursts"] - 208.3) < 5 * 14.4, first)
    tap.ok("of the size that was asked for, overhead included", abs(found["bytes"] / found["bursts"] - 30000) < 5 * 30000 / 14.4, found)
    tap.ok("in full frames but for the last", found["bytes"] / FULL <= found["datagrams"] <= found["bytes"] / FULL + found["bursts"], found)
    tap.ok("the same seed is the same bursts, another is not", again.stdout == first.stdout != other.stdout, (first, other))
    ran = run(**{**whole, "PERMILLE": 0})
    tap.ok("of no load nothing is sent", ran.stdout == "bursts 0 datagrams 0 bytes 0 lost 0\n", ran)


def main():
    tap = Tap()
    refusals(tap)
    law(tap)
    tap.end()


if __name__ == "__main__":
    main()
