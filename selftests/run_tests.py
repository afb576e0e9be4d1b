#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Run tdc and the scripts of selftests/net on this machine, as root. Prints TAP, and a count at the end.

    run_tests.py [--list] [NAME ...]

NAME is tdc or the name of a script (ecnsharp_mark). A test whose requirements are missing is skipped (exit status 4). The tests only
use network namespaces that they create. huygens_steer adjusts the clock and huygens_suspend suspends the machine; both are
skipped outside of test machines.
"""

import glob
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RESULT = re.compile(r"^(ok|not ok)\b[ \d]*(?:- )?(.*)")
KSFT_SKIP = 4


class Report:
    """TAP of all suites under one count."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def line(self, verdict, text):
        """Print and count one result."""
        print(f"{verdict} {self.passed + self.failed + self.skipped + 1} - {text}", flush=True)
        if verdict == "not ok":
            self.failed += 1
        elif "# SKIP" in text:
            self.skipped += 1
        else:
            self.passed += 1


def suites():
    """Return {name: script}, tdc first."""
    paths = [os.path.join(HERE, "tc-testing/run_tdc.sh"), *sorted(glob.glob(os.path.join(HERE, "net/*_*.sh")))]
    return {os.path.basename(path).removeprefix("run_").removesuffix(".sh"): path for path in paths}


def run(name, script, report):
    """Run a suite, passing on its results as they come and, after a failure, its other output."""
    start = time.monotonic()
    before = report.failed, report.passed + report.skipped
    other = []
    with subprocess.Popen([script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace") as process:
        for line in process.stdout:
            match = RESULT.match(line)
            if match:
                report.line(match.group(1), f"{name}: {match.group(2)}")
            elif line.startswith(("#", "\t")):
                print(f"# {line.strip('#').strip()}", flush=True)
            elif line.strip():
                other.append(line.rstrip())
    if process.returncode == KSFT_SKIP:
        report.line("ok", f"{name} # SKIP {' '.join(other).partition('# SKIP ')[2] or 'no reason given'}")
    elif process.returncode and report.failed == before[0]:
        report.line("not ok", f"{name}: ended with status {process.returncode}")
    elif not process.returncode and (report.failed, report.passed + report.skipped) == before:
        report.line("not ok", f"{name}: tested nothing")
    if report.failed != before[0]:
        print("\n".join(f"# {line}" for line in other[-40:]), flush=True)
    print(f"# {name}: {time.monotonic() - start:.0f} s", flush=True)


def main(argv):
    """Run the named suites, or all; return the exit status."""
    known = suites()
    wanted = argv[1:]
    if wanted == ["--list"]:
        print("\n".join(known))
        return 0
    asked = wanted[:1] in (["-h"], ["--help"])
    if asked or set(wanted) - set(known):
        print(f"{__doc__}\nNAME: {' '.join(known)}", file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    report = Report()
    for name in wanted or known:
        run(name, known[name], report)
    print(f"1..{report.passed + report.failed + report.skipped}")
    skipped = f", {report.skipped} skipped" if report.skipped else ""
    print(f"{report.passed} passed, {report.failed} failed{skipped}", flush=True)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
