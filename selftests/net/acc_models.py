#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Damaged models of acc-tuner for acc_tuner_network.sh, made from a good one.

    acc_models.py MODEL FOLDER

Each is a file of FOLDER. A line of output has its name, and what acc-tuner must say of it. Those that are not short or long, nor
flipped, have a valid checksum, so that the number itself must be found wrong.
"""

import hashlib
import os
import struct
import sys

VERSION, REWARD, INTERVAL, WIDTHS, TEMPLATES, PROVENANCE, WEIGHTS = 8, 12, 16, 24, 44, 444, 960
SUM = 32
MAX = 0xFFFFFFFF


def sealed(good, at, form, value):
    """A number replaced, and the checksum made anew."""
    data = bytearray(good[:-SUM])
    struct.pack_into(form, data, at, value)
    return bytes(data) + hashlib.sha256(data).digest()


def flipped(good, at):
    """A bit of a byte is another."""
    data = bytearray(good)
    data[at] ^= 1
    return bytes(data)


def damaged(good):
    """(name, bytes, the message)."""
    return [
        ("empty", b"", "not a model of acc-tuner"),
        ("header", good[:12], "12 bytes, where a model has"),
        ("short", good[:-1], f"{len(good) - 1} bytes, where a model has"),
        ("half", good[:len(good) // 2], f"{len(good) // 2} bytes, where a model has"),
        ("long", good + b"\0", f"{len(good) + 1} bytes, where a model has"),
        ("magic", flipped(good, 0), "not a model of acc-tuner"),
        ("weight", flipped(good, WEIGHTS + 4321), "damaged: its SHA-256 is another"),
        ("sum", flipped(good, len(good) - 1), "damaged: its SHA-256 is another"),
        ("version", sealed(good, VERSION, "<I", 2), "a model of version 2, where 1 is known"),
        ("reward", sealed(good, REWARD, "<I", MAX), "reward 4294967295 is not known"),
        ("interval", sealed(good, INTERVAL, "<Q", 1 << 63), "an interval of 9223372036854775808 ns"),
        ("wide", sealed(good, WIDTHS + 4, "<I", MAX), "layer 1 of the network is 4294967295 wide and not 20"),
        ("narrow", sealed(good, WIDTHS + 16, "<I", 0), "layer 4 of the network is 0 wide and not 20"),
        ("kmax", sealed(good, TEMPLATES + 8, "<Q", (1 << 64) - 1), "template 0: kmax_ns 18446744073709551615 is not between"),
        ("provenance", sealed(good, PROVENANCE, "<B", 7), "byte 0 of the provenance is not printable text"),
        ("nan", sealed(good, WEIGHTS + 40, "<f", float("nan")), "parameter 10 of the network is not between"),
        ("huge", sealed(good, WEIGHTS, "<f", 1e30), "parameter 0 of the network is not between"),
    ]


def main(model, folder):
    """Write them."""
    with open(model, "rb") as file:
        good = file.read()
    for name, data, message in damaged(good):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        print(name, message)


main(*sys.argv[1:])
