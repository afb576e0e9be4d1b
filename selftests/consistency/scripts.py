# SPDX-License-Identifier: GPL-2.0
"""The programs and units of operations/, as tests run them: with settings of their own in the place of this machine's."""

import glob
import os

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "operations")
SETTINGS = "/etc/default/sharpramp"


def program(name, settings):
    """The text of a program that reads another file of settings."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read().replace(SETTINGS, settings)


def units():
    """{name of a unit's file: its text}"""
    found = {}
    for path in glob.glob(os.path.join(FOLDER, "*.service")) + glob.glob(os.path.join(FOLDER, "*.timer")):
        with open(path, encoding="utf-8") as file:
            found[os.path.basename(path)] = file.read()
    return found
