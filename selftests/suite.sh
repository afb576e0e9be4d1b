#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run a suite of suites.mk and make one numbered TAP list of what its programs print, for prove.
#
#   suite.sh NAME
#
# Failed are also: a suite that ends badly and names no failed test, that tests nothing, or that has more or fewer results than its
# programs planned.
set -u

case ${1-} in -h | --help) sed -n '3,/^[^#]/{/^# shellcheck/d;s/^# \{0,1\}//p}' "$0"; exit ;; esac
case ${1--} in -*) set -- ;; esac
[ $# -eq 1 ] || { echo "usage: ${0##*/} NAME" >&2; exit 2; }
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

cd "$here/.." || exit 2
{
	make -s -f "$here/suites.mk" "$1" 2>&1
	echo "suite ended with status $?"
} | awk -v suite="$1" '
	function result(verdict, text) {
		print verdict " " ++count " - " text
		failed += verdict == "not ok"
		fflush()
	}
	/^suite ended with status [0-9]+$/ { status = $NF; next }
	/^[ \t]*1\.\.0[ \t]*# *SKIP/ { sub(/^[^#]*/, ""); result("ok", suite " " $0); next }
	/^[ \t]*1\.\.[0-9]+/ { sub(/^[ \t]*1\.\./, ""); planned += $0 + 0; next }
	/^[ \t]*(not )?ok([ \t]|$)/ {
		verdict = /^[ \t]*not/ ? "not ok" : "ok"
		sub(/^[ \t]*(not )?ok[ \t]*/, "")
		numbered += sub(/^[0-9]+[ \t]*/, "")
		sub(/^- /, "")
		result(verdict, $0)
		next
	}
	{ sub(/^# ?/, ""); print "# " $0 }
	END {
		if (numbered != planned)
			result("not ok", planned + 0 " results were planned, " numbered + 0 " came")
		if (!count)
			result("not ok", suite " tested nothing")
		if (status && !failed)
			result("not ok", suite " ended with status " status)
		print "1.." count
		exit failed > 0
	}'
