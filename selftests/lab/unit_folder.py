# SPDX-License-Identifier: GPL-2.0
"""Common parts of the lab's unit tests: an empty current folder, files in it, and a run's parameters."""

import contextlib
import os
import tempfile

from lab.trials import Trial


@contextlib.contextmanager
def inside():
    """An empty folder as the current one."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def put(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def fct(*arguments):
    return Trial("fct", arguments, 1)
