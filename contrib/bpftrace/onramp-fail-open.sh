#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# How many delays held nothing in so many seconds, by the reason.
# Reasons: 1 no_clock, 2 uncertain, 3 negative, 4 too_long, 5 below_base, 6 suspect, 7 unacked, 8 switched_off
set -eu

seconds=${1:-10}
data=$(mktemp)
trap 'rm -f "$data"' EXIT
perf record -q -a -o "$data" -e onramp:onramp_fail_open sleep "$seconds"
perf script -i "$data" -F trace | sed -n 's/.* validity=\([0-9]*\).*/\1/p' | sort -n | uniq -c
