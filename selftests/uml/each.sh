#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run suites one after the other; one that ends badly has failed, whatever it printed before.
#
#   each.sh SUITE...
#
# With LIMIT in the environment each has that many seconds.
set -u

# shellcheck source=selftests/lib/tap.sh
. "$(dirname -- "$0")/../lib/tap.sh"

for suite; do
	${LIMIT:+timeout "$LIMIT"} "$suite"
	status=$?
	case $status in
	0|4) ;;		# 4: it skipped
	*) tap_outcome 1 "${suite##*/} ended with status $status" ;;
	esac
done
