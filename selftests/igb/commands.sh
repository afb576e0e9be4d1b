#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In each machine: carry out what comes in, a command a line, and say how it ended; see selftests/qemu/talk.py.
exec <>/dev/ttyS1 >&0 2>&1

echo "finished 0"
while read -r command && [ "$command" != poweroff ]; do
	sh -c "$command" </dev/null
	printf '\nfinished %d\n' $?
done
