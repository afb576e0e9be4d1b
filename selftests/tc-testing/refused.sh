#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run a command that must be refused: it has to fail, say TEXT, and leave the qdiscs of DEV as they
# were. Prints "refused, nothing changed", or what went wrong.
#
#   refused.sh DEV TEXT COMMAND...
set -eu

[ $# -ge 3 ] || { echo "usage: refused.sh DEV TEXT COMMAND..." >&2; exit 2; }
dev=$1 text=$2
shift 2

before=$(tc -d -j qdisc show dev "$dev")
if output=$("$@" 2>&1); then
	echo "accepted: $*"
	exit 1
fi
after=$(tc -d -j qdisc show dev "$dev")
case $output in
*"$text"*) ;;
*)
	echo "refused, but it did not say '$text': $output"
	exit 1
	;;
esac
if [ "$before" != "$after" ]; then
	echo "refused, but changed: $before -> $after"
	exit 1
fi
echo "refused, nothing changed"
