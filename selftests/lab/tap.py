# SPDX-License-Identifier: GPL-2.0
"""TAP in python: ok("what", condition, "why not") prints a result, end() the plan."""

import sys


class Tap:
    """Counts and prints; end() gives the exit status."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, what, condition, why=""):
        """Print one result; of a failure also why, any object. Returns the condition."""
        self.count += 1
        if not condition:
            self.failed += 1
        print(f"{'ok' if condition else 'not ok'} {self.count} - {what}", flush=True)
        if not condition:
            for line in str(why).splitlines():
                print(f"# {line}", flush=True)
        return condition

    def end(self):
        """Print the plan and exit, with 1 if anything failed."""
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)
