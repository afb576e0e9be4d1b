#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In each machine, after its boot: carry out what comes in, a command a line, and say how it ended; see selftests/qemu/talk.py.
export PATH=/usr/sbin:/usr/bin HOME=/root LANG=C

# shellcheck source=selftests/packages/serial_lines.sh
. /sharpramp/serial_lines.sh
exec <>"$output" >&0 2>&1

systemctl is-system-running --wait >/dev/null
echo "finished 0"
while read -r command && [ "$command" != poweroff ]; do
	sh -c "$command" </dev/null
	printf '\nfinished %d\n' $?
done

sync
echo "finished with 0" >"$verdict"
sleep 0.2
systemctl poweroff -ff
