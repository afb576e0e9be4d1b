# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Gates as TAP; sourced, not run. A gate is a command that is silent about what is good; a script ends with verdicts.
n=0 failed=0

# verdict NAME COMMAND...: passes if the command prints nothing
verdict() {
	n=$((n + 1))
	name=$1
	shift
	said=$("$@" 2>&1)
	if [ -z "$said" ]; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		echo "$said" | head -n 40 | sed 's/^/# /'
		failed=$((failed + 1))
	fi
}

# skipped NAME WHY: a gate that this machine cannot ask
skipped() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# The plan; fails if a gate did.
verdicts() {
	echo "1..$n"
	[ "$failed" -eq 0 ]
}
