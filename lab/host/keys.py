# SPDX-License-Identifier: GPL-2.0
"""The key=value parameters of a scenario: declared once, checked, explained and printed from there."""

import os
import re
from dataclasses import dataclass
from typing import Callable

from lab.host.artifacts import digest
from lab.host.units import Refused, decimal, parts_ppb, rate_bps, show_rate, show_time, size_bytes, time_ns, times

# Arguments that tc may get. A topology script separates its fields by blanks alone, so a quote would reach tc as itself.
CHARACTERS = re.compile(r"[ !#-&(-\[\]-~]+")


@dataclass(frozen=True)
class Key:
    """One parameter: its name, its default as a user would type it, how to read it, what it is."""

    name: str
    default: str
    read: Callable
    help: str

    def parse(self, text):
        """The value of a text; a refusal names the key."""
        try:
            return self.read(text)
        except Refused as why:
            raise Refused(f"{self.name}: {why}") from None


def number(least, most):
    """A reader of whole numbers from least to most; signs and suffixes are refused."""
    def read(text):
        if not re.fullmatch("[0-9]{1,18}", text) or not least <= int(text) <= most:
            raise Refused(f"'{text}' must be a whole number from {least} to {most}")
        return int(text)
    return read


def fraction(least, below):
    """A decimal number of at most three places, kept in thousandths: traffic is made by integers."""
    def read(text):
        permille = decimal(text, 3)
        if not least * 1000 <= permille < below * 1000:
            raise Refused(f"'{text}' must be at least {least} and below {below}")
        return permille
    return read


def choice(*choices):
    """A reader of one of the choices, as it is."""
    def read(text):
        if text not in choices:
            raise Refused(f"'{text}' must be one of {', '.join(choices)}")
        return text
    return read


def bounded(read, least, most, show):
    """A reader of what read takes, from least to most, both in its unit; show spells them in the refusal."""
    def check(text):
        value = read(text)
        if not least <= value <= most:
            raise Refused(f"'{text}' must be from {show(least)} to {show(most)}")
        return value
    return check


def time(least, most):
    """A reader of times, kept in ns, from least to most, both texts such as "70us"."""
    return bounded(time_ns, time_ns(least), time_ns(most), show_time)


def rate(least, most):
    """A reader of rates, kept in bit/s, from least to most, both texts such as "10gbit"."""
    return bounded(rate_bps, rate_bps(least), rate_bps(most), show_rate)


def parts(least, most):
    """A reader of deviations of a rate, kept in ppb, from least to most, both texts such as "20ppm"."""
    return bounded(parts_ppb, parts_ppb(least), parts_ppb(most), lambda ppb: f"{ppb}ppb")


def size(least, most):
    """A reader of sizes, kept in bytes, from least to most, both texts such as "250k"."""
    return bounded(size_bytes, size_bytes(least), size_bytes(most), lambda n: f"{n} bytes")


def multiple(base, read):
    """A time that read accepts, or a multiple of the time base, such as "0.5x"."""
    def check(text):
        return read(f"{times(text, time_ns(base))}ns" if text.endswith("x") else text)
    return check


def rising(most, read):
    """A list of at most so many values that read takes, each above the one before."""
    def check(text):
        values = [read(item) for item in text.split(",")]
        if len(values) > most:
            raise Refused(f"'{text}' has more than {most} values")
        if any(a >= b for a, b in zip(values, values[1:])):
            raise Refused(f"'{text}' does not rise")
        return values
    return check


def tc_text(text):
    """Arguments for tc, separated by blanks; refuses an empty text and what tc or a topology script would not take as it stands."""
    if not text.strip():
        raise Refused("must not be empty")
    if not CHARACTERS.fullmatch(text):
        raise Refused(f"{text!a} must be printable ASCII without quotes and backslashes; blanks separate its words")
    return text.strip()


def tc_arguments(text):
    """A list of such arguments, which may be empty."""
    return tc_text(text).split() if text.strip() else []


def user_file(text):
    """Absolute path of a file of the user's, None if there is none."""
    if not os.path.isfile(text):
        return None
    if not os.access(text, os.R_OK):
        raise Refused(f"{text} cannot be read")
    return os.path.abspath(text)


def _described(value, text):
    """A value in results: as it was typed, or the content of a user's file whose path it is."""
    path = getattr(value, "path", None)
    return f"file:{digest(path)[:16]}" if path else text


def parse_all(keys, tc_arguments):
    """Turn ["load=0.9", ...] into values and what results say of them, every key present; refuse what is not declared."""
    given = {}
    known = {key.name: key for key in keys}
    for item in tc_arguments:
        name, equals, text = item.partition("=")
        if not equals:
            raise Refused(f"'{item}': parameters are written key=value")
        if name not in known:
            raise Refused(f"'{name}' is not a key of this scenario; its keys are {', '.join(known)}")
        if name in given:
            raise Refused(f"'{name}' is given twice")
        given[name] = text
    # The user's first argument: its mistakes are the ones to report.
    values = {name: known[name].parse(text) for name, text in given.items()}
    values.update((key.name, key.parse(key.default)) for key in keys if key.name not in given)
    return values, {key.name: _described(values[key.name], given.get(key.name, key.default)) for key in keys}
