# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC3045 # used where it is sourced; dash and bash have these limits
# A limit of CPU time in shell; sourced, not run. A wall-clock limit would end a program that is slow because the machine is busy.

# Status of a program that had no CPU time left: it was ended by SIGXCPU.
cpu_exceeded=152

# cpu_limited SECONDS COMMAND...: its status, or $cpu_exceeded
cpu_limited() (
	ulimit -c 0
	ulimit -S -t "$1"
	shift
	exec "$@"
)
