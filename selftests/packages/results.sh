# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced in a machine: results as TAP, and helpers for queries.
export PATH=/usr/sbin:/usr/bin HOME=/root LANG=C

# shellcheck source=selftests/packages/serial_lines.sh
. /sharpramp/serial_lines.sh
# shellcheck source=selftests/lib/tap.sh
. /sharpramp/tap.sh
exec >"$output" 2>&1 </dev/null

# The end of it all.
finished() {
	status=0
	tap_done || status=1
	sync
	echo "finished with $status" >"$verdict"
	sleep 0.2
	systemctl poweroff -ff
}

# Whether a unit failed is not for this test to judge, but good to know.
booted() { systemctl is-system-running --wait >/dev/null || systemctl --no-legend --failed | sed 's/^/# /'; }

release=$(uname -r)
loaded() { grep -q "^$1 " /proc/modules; }
unloaded() { ! loaded "$1" || cat /proc/modules; }
modules() { awk '$1 ~ /onramp|ecnsharp/ { print $1 }' /proc/modules; }
equal() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; return 1; }; }
says() { grep -q -e "$1" "$2" || { cat "$2"; return 1; }; }
lacks() { ! grep -e "$1" "$2"; }
nothing() { printed=$("$@" 2>&1) || :; [ -z "$printed" ] || { echo "$printed"; return 1; }; }
as_user() { stat -c %U "/proc/$(systemctl show -P MainPID "$1")"; }
left() { sh /sharpramp/snapshot.sh | sh /sharpramp/leftovers.sh; }

# qdiscs WHERE: tc finds the plugins, the kernel the modules, which are in WHERE of updates
qdiscs() {
	for kind in ecnsharp onramp; do
		tap_run "sch_$kind is not loaded" unloaded "sch_$kind"
		tap_run "tc adds $kind" tc qdisc add dev lo root "$kind"
		tap_run "which loaded sch_$kind" loaded "sch_$kind"
		tap_run "of what was installed" sh -c "modinfo -n sch_$kind | grep -q '^/lib/modules/$release/updates/$1sch_$kind.ko'"
		tap_run "tc shows it" sh -c "tc -s qdisc show dev lo | grep -q '^qdisc $kind '"
		tap_run "tc deletes it" tc qdisc del dev lo root
		tap_run "sch_$kind goes" modprobe -r "sch_$kind"
	done
}

# NICs' clocks: their owners and permissions.
clock() {
	udevadm settle --timeout=20 || :
	stat -c '%U:%G %a' /dev/ptp[0-9]* | sort -u
}
