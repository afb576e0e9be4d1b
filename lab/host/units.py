# SPDX-License-Identifier: GPL-2.0
"""Numbers with units, exactly: text to integers (ns, bit/s, bytes) and back."""

import re
from fractions import Fraction


class Refused(Exception):
    """An invalid argument; the text names it and what would be valid."""


TIMES = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
RATES = {"bit": 1, "kbit": 10**3, "mbit": 10**6, "gbit": 10**9, "g": 10**9, "m": 10**6}
PARTS = {"ppb": 1, "ppm": 10**3}
SIZES = {"": 1, "b": 1, "k": 10**3, "m": 10**6, "g": 10**9}

NUMBER = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)([a-z%]*)")


def _scaled(text, scales, what):
    match = NUMBER.fullmatch(text.strip().lower())
    if not match or match.group(2) not in scales:
        units = ", ".join(unit or "none" for unit in scales)
        raise Refused(f"'{text}' is not a {what} (a number with one of the units {units})")
    value = Fraction(match.group(1)) * scales[match.group(2)]
    if value.denominator != 1:
        raise Refused(f"'{text}' is finer than a {what} can be")
    return int(value)


def decimal(text, places):
    """"0.75" as a whole number of 10^-places: 750 of three places."""
    match = re.fullmatch(r"([0-9]{1,18})(?:\.([0-9]+))?", text)
    digits = match and match.group(2) or ""
    if not match or len(digits) > places:
        raise Refused(f"'{text}' is not a decimal number of at most {places} places")
    return int(match.group(1) + digits.ljust(places, "0"))


def time_ns(text):
    """"70us" is 70000."""
    return _scaled(text, TIMES, "time")


def rate_bps(text):
    """"10gbit" is 10**10."""
    return _scaled(text, RATES, "rate")


def size_bytes(text):
    """"250k" is 250000, as in the papers and in flowgen; tc's kb, which is 1024 bytes, is refused."""
    return _scaled(text, SIZES, "size")


def parts_ppb(text):
    """"20ppm" is 20000."""
    return _scaled(text, PARTS, "deviation of a rate")


def times(text, base):
    """"0.5x" is half of base."""
    return _scaled(text, {"x": base}, "multiple")


def show_time(ns):
    """The shortest exact spelling that time_ns() reads back."""
    for unit in ("s", "ms", "us"):
        if ns and ns % TIMES[unit] == 0:
            return f"{ns // TIMES[unit]}{unit}"
    return f"{ns}ns"


def show_rate(bps):
    """The shortest exact spelling of a rate in bit/s that rate_bps() reads back."""
    for unit in ("gbit", "mbit", "kbit"):
        if bps and bps % RATES[unit] == 0:
            return f"{bps // RATES[unit]}{unit}"
    return f"{bps}bit"


def wire_ns(frame_bytes, bps):
    """Time on the wire of a frame of frame_bytes (without preamble, FCS and gap), rounded up."""
    return -(-max(frame_bytes + 24, 84) * 8 * 10**9 // bps)
