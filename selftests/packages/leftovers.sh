#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In a machine: files of a list on standard input that were not there before our packages were installed.
#
# Files that others wrote meanwhile do not count: systemd at its first boot, dpkg's and apt's own records, DKMS's key for
# Secure Boot, and what the test put there.
others() {
	cat <<'PATTERNS'
/etc/\(machine-id\|mtab\|hostname\|resolv.conf\|ld.so.cache\|\.updated\|\.pwd\.lock\)$
/etc/\(passwd\|group\|shadow\|gshadow\|subuid\|subgid\)-$
\./etc/systemd/system/\(sharpramp-test\.service\|getty\.target\|serial-getty@ttyS0\.service\|multi-user\.target\.wants\)
\./init$
\./var/\.updated$
\./var/\(cache\|tmp\|lib/\(dpkg\|apt\|dbus\|private\)\)\(/\|$\)
\./var/log/\(dpkg\.log\|apt\|journal\|private\|wtmp\|btmp\|lastlog\|README\)
\./var/lib/systemd/\([^d]\|$\)
\./var/lib/dkms/mok\.\(key\|pub\)$
PATTERNS
}
others >/run/others
comm -13 /sharpramp/before - | grep -v -f /run/others || [ $? -eq 1 ]
