# SPDX-License-Identifier: GPL-2.0
"""What suites that take hours have done so far, in files beside a hash of all that decides it.

One that was stopped goes on where it was, on another machine too; of what other inputs made it begins anew.
"""

import json
import os


def recall(path, inputs):
    """What these inputs made, if that is what the file has; or None."""
    try:
        with open(path, encoding="ascii") as file:
            entry = json.load(file)
    except FileNotFoundError:
        return None
    return entry.get("made") if entry.get("inputs") == inputs else None


def keep(path, inputs, made):
    """In place of what the file has, all at once."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(f"{path}.new", "w", encoding="ascii") as file:
        json.dump({"inputs": inputs, "made": made}, file, indent=1)
        file.write("\n")
    os.replace(f"{path}.new", path)
