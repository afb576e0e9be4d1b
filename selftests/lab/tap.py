# SPDX-License-Identifier: GPL-2.0
"""TAP in python: Tap prints it, ok("what", condition, "why not"); Tally counts what others printed."""

import re
import sys

RESULT = re.compile(r"^\s*(ok|not ok)\b(\s+\d+\b)?(.*)")
PLAN = re.compile(r"^\s*1\.\.(\d+)")


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


class Tally:
    """What the output of one or more TAP programs amounts to.

    Results that have a number must be as many as the plans say: one that is missing was never reached.
    """

    def __init__(self):
        self.passed = 0
        self.skipped = []
        self.failed = []

    def read(self, text):
        """Count a whole output."""
        numbered = planned = 0
        for line in text.splitlines():
            plan, match = PLAN.match(line), RESULT.match(line)
            if plan:
                planned += int(plan.group(1))
            if not match:
                continue
            numbered += bool(match.group(2))
            if match.group(1) == "not ok":
                self.failed.append(match.group(3).strip())
            elif "# SKIP" in match.group(3):
                self.skipped.append(match.group(3).strip())
            else:
                self.passed += 1
        if numbered != planned:
            self.failed.append(f"{planned} results were planned, {numbered} came")
