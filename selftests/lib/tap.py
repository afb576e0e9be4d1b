# SPDX-License-Identifier: GPL-2.0
"""TAP in Python: ok("name", condition, "why not") prints a result, end() the plan.

A script that passes on what another program prints adds its own results by outcome(), without a number: the plan is that program's.
"""

import sys


def note(text):
    """Print a remark: any object, each of its lines after a '#'."""
    for line in str(text).splitlines():
        print(f"# {line}", flush=True)


def outcome(name, condition, why=""):
    """Print a result that has no number and is in no plan; of a failure also why, any object. Return the condition."""
    print(f"{'ok' if condition else 'not ok'} - {name}", flush=True)
    if not condition:
        note(why)
    return condition


def skip_all(reason):
    """Print the plan of a script that this machine cannot run."""
    print(f"1..0 # SKIP {reason}", flush=True)


class Tap:
    """Counts and prints the results of a script."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, name, condition, why=""):
        """Print one result; of a failure also why, any object. Return the condition."""
        self.count += 1
        self.failed += not condition
        print(f"{'ok' if condition else 'not ok'} {self.count} - {name}", flush=True)
        if not condition:
            note(why)
        return condition

    def skip(self, name, reason):
        """Print the result of a test that this machine cannot run."""
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {reason}", flush=True)

    note = staticmethod(note)

    def plan(self):
        """Print the plan; return the exit status, 1 if a test failed."""
        print(f"1..{self.count}", flush=True)
        return 1 if self.failed else 0

    def end(self):
        """Print the plan and exit."""
        sys.exit(self.plan())
