#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# tc must accept the arguments that it shows: delete the root qdisc of DEV, add it again with
# the arguments that were shown, and compare. Prints "the same", or the difference.
#
#   pasted.sh DEV
set -eu

[ $# = 1 ] || { echo "usage: pasted.sh DEV" >&2; exit 2; }
before=$(tc qdisc show dev "$1" root)
kind=$(echo "$before" | sed -n 's/^qdisc \([a-z]*\) 1: root .*/\1/p')
args=$(echo "$before" | sed -n 's/^qdisc [a-z]* 1: root refcnt [0-9]* //p')
[ -n "$args" ] || { echo "nothing to paste at the root of $1: $before"; exit 1; }
tc qdisc del dev "$1" root
# shellcheck disable=SC2086 # several arguments
tc qdisc add dev "$1" root handle 1: "$kind" $args
after=$(tc qdisc show dev "$1" root)
if [ "$before" != "$after" ]; then
	echo "$before -> $after"
	exit 1
fi
echo "the same"
