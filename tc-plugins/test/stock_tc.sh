#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The plugins in the stock tc, as far as no kernel is needed: nothing here gets as far as a
# request, which tc would send. TAP. PLUGINS= is the folder with the plugins.
set -u

: "${PLUGINS:?folder with the plugins}"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/tap.sh
. "$here/../../selftests/lib/tap.sh"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# ok STATUS NAME: a result; of a failure the last output
ok() { tap_ok "$1" "$2" "$(cat "$out/output")"; }

# refuses KIND WORDS TEXT: tc ends with status 1 and says TEXT
refuses() {
	# shellcheck disable=SC2086 # several arguments
	TC_LIB_DIR=$PLUGINS tc qdisc add dev lo root "$1" $2 >"$out/output" 2>&1
	status=$?
	[ "$status" -eq 1 ] && grep -qF -- "$3" "$out/output"
	ok $? "tc ... $1 $2: $3"
}

TC_LIB_DIR=$out tc qdisc add dev lo root ecnsharp help >"$out/output" 2>&1
grep -q 'Unknown qdisc' "$out/output"
ok $? "without the plugin tc does not know ecnsharp"

refuses ecnsharp help 'Usage: ... ecnsharp'
refuses ecnsharp 'limit 0' 'limit "0": out of range: not between 1p and 1000000p'
refuses ecnsharp 'ins_target 200' 'ins_target "200": not a time'
refuses ecnsharp 'preset nowhere' 'preset "nowhere"'
refuses ecnsharp 'speed 3' '"speed" is not a parameter'
refuses ecnsharp 'limit 5 limit 6' 'given twice'
refuses ecnsharp 'lambda 1 transport reno' 'transport names a lambda'
refuses cp help 'Usage: ... cp { law none'
refuses cp 'law step k 0' 'k "0": out of range: not between 1b and 2147483647b'
refuses cp 'w -11' 'w "-11": out of range: not between -10 and 10'
refuses cp 'law red' 'law "red": not one of (none, qcn, step, fecn)'
refuses onramp help 'Usage: ... onramp'
refuses onramp 'g 16' 'g "16": not a fraction such as 1/16 between 1/1 and 1/1024'
refuses onramp 'weights 20000' 'weights needs 3 values'
refuses onramp 'pacing nopacing' 'given twice'

tc=$(command -v tc)
nm -D --defined-only "$tc" | awk '{ print $3 }' | sort >"$out/exported"
for plugin in "$PLUGINS"/q_*.so; do
	name=${plugin##*/}
	kind=${name#q_}
	kind=${kind%.so}

	# Symbols without a version come from tc, not from libc.
	nm -D --undefined-only "$plugin" | awk '$1 == "U" && $2 !~ /@/ { print $2 }' | sort >"$out/wanted"
	comm -23 "$out/wanted" "$out/exported" >"$out/output"
	[ -s "$out/wanted" ] && [ ! -s "$out/output" ]
	ok $? "tc exports all that $name wants"

	nm -D --defined-only "$plugin" | awk '{ print $3 }' | grep -v "^${kind}_qdisc_util$" >"$out/output"
	[ ! -s "$out/output" ]
	ok $? "$name exports its description alone"

	readelf -d "$plugin" | grep -E 'BIND_NOW|FLAGS.*NOW' >"$out/output"
	[ ! -s "$out/output" ]
	ok $? "$name is bound lazily"
done

tap_done
