#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the machine, after its boot: what README.md and docs/operations.md say of make install and make uninstall, typed. TAP.
#
# Output and verdict go where the kernel's command line says, as with selftests/qemu/init.sh.

# shellcheck source=selftests/packages/results.sh
. /sharpramp/results.sh
booted
cd /sharpramp/tree || exit 1

# shown PAGE FROM TO: the lines that a page shows between two patterns, as root types them
shown() { sed -n "\\,$2,,\\,$3,"'{ s/^    //; t show; d; :show; s/  *#.*//; s/\<sudo //g; p }' "$1"; }

# typed WHAT LINES: each is typed as it stands
typed() {
	while read -r line; do
		tap_run "$1: $line" sh -c "$line" </dev/null
	done <<LINES
$2
LINES
}

# heads LINES: what each begins with
heads() { printf '%s\n' "$1" | awk '{ list = list (NR > 1 ? ", " : "") $1 ($2 ? " " $2 : "") } END { print list }'; }

tap_run "a NIC's clock comes" insmod "/sharpramp/clock-$release.ko"
tap_run "and is root's" equal "$(clock)" 'root:root 600'

elsewhere=$(shown README.md '^    make modules tools' '^$')
tap_run "README.md says how to install" equal "$(heads "$elsewhere")" 'make modules, make install, systemd-sysusers, udevadm control'
sum() { find /sharpramp/tree/build -type f \( -name '*.ko' -o -name '*.so' -o -name huygens-lite -o -name acc-tuner -o -name onrampctl \) -exec sha256sum '{}' +; }
sum >/run/built
typed README.md "$elsewhere"
tap_run "what was built in a Debian with no more than make install's set is what is installed" sha256sum --quiet -c /run/built
tap_run "which is all of it" test "$(wc -l </run/built)" -ge 10
tap_run "the NIC's clock is the daemon's group's" equal "$(clock)" 'root:huygens 660'
sh /sharpramp/snapshot.sh >/run/installed

qdiscs '[a-z_]*/'
tap_run "onramp_acker is loaded by its name" modprobe onramp_acker
tap_run "onrampctl talks to it" onrampctl clock

# The daemon, by the unit that make install put there.
tap_run "nobody has enabled the daemon" sh -c '! systemctl is-enabled --quiet huygens-lite'
fleet=$(shown README.md "^    printf '.mesh" 'enable --now huygens-lite$')
tap_run "README.md says how to start it" equal "$(heads "$fleet")" "printf '[mesh]\\npeers, systemd-sysusers &&"
tap_run "this host is one of its fleet" ip address add 10.0.0.1/32 dev lo
typed README.md "$fleet"
tap_run "it runs" systemctl is-active huygens-lite
tap_run "as its own user" equal "$(as_user huygens-lite)" huygens
tap_run "by that unit" sh -c 'systemctl show -P FragmentPath huygens-lite | grep -E "^(/usr)?/lib/systemd/system/huygens-lite.service$"'
tap_run "as the program that was installed" equal "$(readlink "/proc/$(systemctl show -P MainPID huygens-lite)/exe")" /usr/sbin/huygens-lite
tap_run "huygensctl talks to it" huygensctl tracking

# The selftests: README.md's line does all of them, and takes longer than this machine may.
# shellcheck disable=SC2016 # these are the page's backquotes
tests=$(sed -n 's/.*`sudo \(make -C selftests run_tests\)`.*/\1/p' README.md)
tap_run "README.md has a line that tests this machine" test "$tests"
tap_run "README.md: $tests, of one" sh -c "$tests TESTS=ecnsharp_module >/run/tests 2>&1 </dev/null || { cat /run/tests; exit 1; }"
tap_run "which tested something" says '^[1-9][0-9]* passed, 0 failed$' /run/tests

# And out again, where it is in use. The line of packages is none of make install's.
tap_run "there is an eth0" ip link add eth0 type dummy
tap_run "with onramp" tc qdisc add dev eth0 root onramp
tap_run "and an acker" onrampctl acker dev add eth0
page=docs/operations.md
away=$(shown $page '^## Removal' '^Your keys' | grep -v '^apt ')
yours=$(shown $page '^Your keys' '^## ')
tap_run "$page says how all that goes" equal "$(heads "$away")" \
	'onrampctl hold, tc qdisc, onrampctl acker, systemctl disable, systemctl disable, systemctl disable, modprobe -r, make uninstall'
typed $page "$away"
tap_run "of modules none is loaded" nothing modules
tap_run "nor does one stay for a boot" sh -c '! ls /lib/modules/*/updates'
tap_run "tc has forgotten them" sh -c '! tc qdisc add dev lo root ecnsharp && ! tc qdisc add dev lo root onramp'
tap_run "the daemon has ended" sh -c '! systemctl is-active --quiet huygens-lite'
tap_run "the NIC's clock is its group's still" equal "$(clock)" 'root:huygens 660'
tap_run "and what the page calls yours is left" sh -c 'test -s /etc/huygens-lite.conf && getent passwd huygens'
tap_run "$page says how that goes, too" equal "$(heads "$yours")" 'udevadm control, userdel huygens, userdel acc-tuner, rm -rf, systemctl daemon-reload'
typed $page "$yours"
tap_run "the NIC's clock is root's" equal "$(clock)" 'root:root 600'
tap_run "nothing is left" nothing left
installed() { sh /sharpramp/leftovers.sh </run/installed; }
tap_run "of the files that were installed" test "$(installed | wc -l)" -gt 30

finished
