#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# The guest: load the tests, hand out what KUnit kept of them, power off.
export PATH=/bin

say() {
	echo "$1" > /run/lab/result/status
	poweroff -f
}

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t debugfs debugfs /sys/kernel/debug
mount -t hostfs none /run/lab || poweroff -f

for algo in ecnsharp onramp qcn; do
	insmod "/run/lab/${algo}_kunit.ko" || say "error: ${algo}_kunit.ko does not load"
	cat "/sys/kernel/debug/kunit/$algo/results" >> /run/lab/result/ktap || say "error: KUnit kept no results of $algo"
	# A second run in the same kernel finds nothing left over from the first.
	rmmod "${algo}_kunit" || say "error: ${algo}_kunit does not unload"
	insmod "/run/lab/${algo}_kunit.ko" || say "error: ${algo}_kunit does not load again"
done
dmesg > /run/lab/result/dmesg
say ok
