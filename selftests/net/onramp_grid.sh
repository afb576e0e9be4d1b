#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Which packets onramp_acker reports: the first of a burst, those on the grid, the last, and none just after one on the grid.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo onramp_acker >/dev/null 2>&1 || skip_all "no module onramp_acker"
exec python3 "$HERE/onramp_grid.py"
