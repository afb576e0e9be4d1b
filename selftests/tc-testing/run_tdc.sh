#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run the tests of cp.cases, ecnsharp.cases and onramp.cases with the kernel's tdc. Options go to tdc (-e ID runs one test).
#
#   run_tdc.sh [TDC'S OPTIONS]
#
# Refusals by tc itself are tested in tc-plugins/test/test_refusals.c.
#
# tdc is looked for in $TDC, /usr/lib/tdc, or in Debian's linux-source package, from which it is
# extracted. It runs in a network namespace of its own, with an nsPlugin of this project (see there).
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
skip() { echo "1..0 # SKIP $*"; exit 4; }

if [ "${1-}" != --unshared ]; then
	[ "$(id -u)" = 0 ] || skip "tdc needs root"
	for module in sch_cp sch_ecnsharp sch_onramp; do
		modprobe -q "$module" || [ -d "/sys/module/$module" ] || skip "no module $module"
	done
	tdc=${TDC-/usr/lib/tdc}
	if [ ! -f "$tdc/tdc.py" ]; then
		source=$(find /usr/src -maxdepth 1 -name 'linux-source-6.*.tar.xz' 2>/dev/null | sort -V | tail -n 1)
		[ -n "$source" ] || skip "no tdc: set TDC=, or install linux-source-6.12"
		tdc=${XDG_CACHE_HOME:-$HOME/.cache}/sharpramp/tdc
		mkdir -p "$tdc"
		tar -xJf "$source" -C "$tdc" --strip-components=5 --wildcards \
			'*/tools/testing/selftests/tc-testing/*.py' '*/tools/testing/selftests/tc-testing/plugin*'
	fi
	exec unshare --net "$0" --unshared "$tdc" "$@"
fi

tdc=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$tdc"/. "$work/"
cp "$here/nsPlugin.py" "$work/plugin-lib/"
cp "$here/tdc_config_local.py" "$work/"
cd "$work"
for kind in cp ecnsharp onramp; do
	python3 "$here/cases.py" "$here/$kind.cases" >"$kind.json"
done
TDC_TESTS=$here python3 tdc.py -f cp.json ecnsharp.json onramp.json "$@"
