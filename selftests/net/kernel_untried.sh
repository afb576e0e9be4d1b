#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A kernel newer than those that were tried is not refused: each module reports it in the log and in a parameter, and doctor does.
#
# UNTRIED=Y is for modules that take this kernel for one: boot_vm.py --make KCFLAGS=-DSHARPRAMP_TRIED=0.

# shellcheck source=lib.sh disable=SC2119,SC2317 # optional arguments, indirect calls
. "$(dirname -- "$0")/lib.sh"

: "${UNTRIED:=N}"

# warnings MODULE: are there any in the log? Y or N
warnings()
{
	if dmesg | grep -q "$1: not tried on this kernel, Linux $(uname -r | cut -d. -f1-2): newer than any that was"; then
		echo Y
	else
		echo N
	fi
}

# findings: does doctor report the kernel? Y or N
findings()
{
	if onrampctl doctor watch 10ms 2>&1 | grep -q "kernel-untried"; then
		echo Y
	else
		echo N
	fi
}

module()
{
	modprobe "$1"
	expect "the parameter" "$(cat "/sys/module/$1/parameters/untried")" "$UNTRIED"
	expect "a warning" "$(warnings "$1")" "$UNTRIED"
	result "$1 loads, and reports whether its kernel was tried"
}

require
if ! modprobe -a sch_ecnsharp sch_cp onramp 2>/dev/null; then
	result_skip "modules" "modprobe does not find them"
	finish
fi
for name in sch_ecnsharp sch_cp onramp; do
	module "$name"
done
expect "a finding" "$(findings)" "$UNTRIED"
result "so does doctor"
finish
