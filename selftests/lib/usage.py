# SPDX-License-Identifier: GPL-2.0
"""The command line of a test's program, whose description says what it takes."""

import sys


def check(description, valid):
    """End with 0 after -h or --help, and with 2 unless the arguments are valid; in either case nothing was started."""
    asked = sys.argv[1:2] in (["-h"], ["--help"])
    if asked or not valid:
        print(description.strip(), file=sys.stdout if asked else sys.stderr)
        sys.exit(0 if asked else 2)
