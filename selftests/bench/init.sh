#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The lab kernel's process 1: carry out the plan, switch off.
export PATH=/bin:/sbin:/usr/bin

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t hostfs none /run/lab || poweroff -f
load() {
	while read -r module; do
		insmod "/modules/$module.ko" || return
	done </modules/order
}

load && /bin/guest </run/lab/plan >/run/lab/result/output 2>&1
echo "$?" >/run/lab/result/status
dmesg >/run/lab/result/dmesg
poweroff -f
