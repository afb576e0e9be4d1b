#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A histogram of the one-way delays that OR-ACKs tell of in so many seconds, ns: the least, how many, which part of all.
set -eu

seconds=${1:-10}
here=$(dirname -- "$0")
data=$(mktemp)
trap 'rm -f "$data"' EXIT
perf record -q -a -o "$data" -e onramp:onramp_ack --filter 'validity == 0' sleep "$seconds"
perf script -i "$data" -F trace | sed -n 's/.* owd_ns=\([-0-9]*\) .*/\1/p' | awk -f "$here/histogram.awk"
