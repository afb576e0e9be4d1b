#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The guest's process 1: run /sharpramp/command, say how it ended, switch off.
#
# The command's output goes to the device that the kernel command line names as
# sharpramp.output=, and how it ended to sharpramp.verdict=: both apart from the console, on which
# the kernel alone speaks.
export PATH=/usr/sbin:/usr/bin HOME=/root LANG=C

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
ln -s /proc/self/fd /dev/fd
mount -t tmpfs run /run
mount -t tmpfs tmp /tmp
mount -t tracefs tracefs /sys/kernel/tracing
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null

output=/dev/console verdict=/dev/console
read -r args </proc/cmdline
for argument in $args; do
	case $argument in
	sharpramp.output=*) output=${argument#*=} ;;
	sharpramp.verdict=*) verdict=${argument#*=} ;;
	esac
done
for tty in "$output" "$verdict"; do
	stty -F "$tty" raw -echo 2>/dev/null
done

ip link set lo up
/sharpramp/command </dev/null >"$output" 2>&1
status=$?
# Let the kernel print its last messages before the verdict is written.
sync
echo "finished with $status" >"$verdict"
sleep 0.2
# A reset ends the machine (-no-reboot), and needs no ACPI, of which the kernel of smp makes nothing.
reboot -f
