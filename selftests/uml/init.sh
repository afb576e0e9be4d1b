#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The guest's process 1: run the suites one after the other, say how it went, switch off.
export PATH=/usr/sbin:/usr/bin HOME=/root LANG=C

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
ln -s /proc/self/fd /dev/fd
mount -t tmpfs run /run
mkdir -p /run/lab
mount -t tmpfs tmp /tmp
mount -t tracefs tracefs /sys/kernel/tracing
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
mount -t hostfs none /run/lab || poweroff -f
ip link set lo up

{
	cd /sharpramp/selftests || exit
	# shellcheck disable=SC1091 # written by run
	. /run/lab/settings
	# shellcheck disable=SC2086 # several suites
	TDC=/usr/lib/tdc uml/each.sh $SUITES
} >/run/lab/result/output 2>&1 </dev/null

dmesg >/run/lab/result/dmesg
echo ok >/run/lab/result/status
poweroff -f
