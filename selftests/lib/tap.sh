# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# TAP in shell; sourced, not run. A script that uses it ends with tap_done.
#
#   tap_ok STATUS NAME [REMARK]     passes if STATUS is 0; a failure is followed by REMARK
#   tap_run NAME COMMAND...         passes if the command succeeds; a failure is followed by its output
#   tap_silent NAME COMMAND...      passes if the command prints nothing; a failure is followed by its output
#   tap_skip NAME REASON            a test that this machine cannot run
#   tap_outcome STATUS NAME         as tap_ok, without a number: for a script that passes on what others print, whose plans count theirs
#   tap_done                        print the plan; fails if a test failed or none ran
#
# Commands run in a subshell. Only the first 40 lines of a remark are printed.
tap_count=0 tap_failed=0

tap_ok() {
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
		return
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $2"
	[ -z "${3-}" ] || printf '%s\n' "$3" | head -n 40 | sed 's/^/# /'
}

tap_outcome() {
	if [ "$1" -eq 0 ]; then
		echo "ok - $2"
	else
		echo "not ok - $2"
	fi
}

tap_run() {
	tap_name=$1
	shift
	if tap_output=$("$@" 2>&1); then
		tap_ok 0 "$tap_name"
	else
		tap_ok 1 "$tap_name" "$tap_output"
	fi
}

tap_silent() {
	tap_name=$1
	shift
	tap_output=$("$@" 2>&1) || :
	if [ -z "$tap_output" ]; then
		tap_ok 0 "$tap_name"
	else
		tap_ok 1 "$tap_name" "$tap_output"
	fi
}

tap_skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

tap_done() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ] && [ "$tap_count" -gt 0 ]
}
