#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Nothing of what ran before has leaked memory, as TAP.
set -u

# shellcheck source=selftests/lib/tap.sh
. "${0%/*}/../lib/tap.sh"
leaks=/sys/kernel/debug/kmemleak
[ -e "$leaks" ] || { echo "1..0 # SKIP no kmemleak in this kernel"; exit 4; }
# Those that need others first.
unload() {
	for module in sch_cp sch_ecnsharp sch_onramp onramp_acker onramp labnic onramp_hook; do
		tries=120
		until [ ! -d "/sys/module/$module" ] || rmmod "$module"; do
			# Namespaces end some time after their last process did: one whose packets leave at a low
			# maxrate keeps its sockets until the last has left, one packet a second.
			tries=$((tries - 1))
			[ $tries -gt 0 ] || return 1
			sleep 0.5
		done
	done
}

tap_run "rmmod works once nothing uses it" unload
# kmemleak switches itself off for good when it cannot allocate its records, and then finds nothing, whatever there is.
off=
for _ in 1 2; do
	# Objects are reported when they are old enough and two scans agree; RCU may still hold some.
	sleep 6
	echo scan >"$leaks" || off=1
done
# A scan that is cut short looks like another; this is refused once it is off, and changes nothing.
echo stack=on >"$leaks" || off=1
if [ "$off" ]; then
	tap_ok 1 "kmemleak finds nothing" "it has switched itself off, the kernel's log may say why"
else
	tap_silent "kmemleak finds nothing" head -n 40 "$leaks"
fi
tap_done
