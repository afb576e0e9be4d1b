# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced in a mount namespace, as its root: a Debian in the folder $root, and how to go into it. HERE is this folder.

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin HOME=/root LANG=C DEBIAN_FRONTEND=noninteractive "$@"; }

# noted FILE COMMAND...: in it; its output is in /sharpramp there, and is printed if it fails
noted() {
	noted=$root/sharpramp/$1
	shift
	inside "$@" >"$noted" 2>&1 </dev/null || {
		cat "$noted"
		exit 1
	}
}

# Every file, and what those of /etc say: what is removed must leave no other.
snapshot() { chroot "$root" sh /sharpramp/snapshot.sh >"$root/sharpramp/$1"; }

# unpacked DEBIAN.tar: what is below /sharpramp there is the test's, and in no list of files
unpacked() {
	mkdir "$root"
	tar -x -f "$1" -C "$root" --exclude='./dev/*'
	mkdir "$root/sharpramp"
	cp "$here/snapshot.sh" "$root/sharpramp/"
	mount --rbind /dev "$root/dev"
	mount -t proc proc "$root/proc"
}

# A clock for each kernel whose headers are there, as a NIC has one.
clocks() {
	for kdir in "$root"/usr/src/linux-headers-*-amd64; do
		cp -R "$here/clock" "$root/sharpramp/clock"
		noted clock.log make -s -C "${kdir#"$root"}" M=/sharpramp/clock modules
		mv "$root/sharpramp/clock/clock.ko" "$root/sharpramp/clock-${kdir##*/linux-headers-}.ko"
		rm -r "$root/sharpramp/clock"
	done
}

# left_out PATTERNS: nothing is mounted there any more, nor is what no machine has a use for
left_out() {
	umount "$root/proc"
	umount -l "$root/dev"
	for pattern in $1; do
		# shellcheck disable=SC2086 # patterns are wanted
		rm -rf "${root:?}"/$pattern
	done
}

# packed OUT: what a machine boots from. A test that is put there later starts in it, and nothing that waits for hardware.
packed() {
	cat >"$root/etc/systemd/system/sharpramp-test.service" <<'UNIT'
[Service]
ExecStart=/sharpramp/guest
UNIT
	mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
	ln -s ../sharpramp-test.service "$root/etc/systemd/system/multi-user.target.wants/"
	ln -sf /dev/null "$root/etc/systemd/system/serial-getty@ttyS0.service"
	ln -sf /dev/null "$root/etc/systemd/system/getty.target"
	ln -s usr/lib/systemd/systemd "$root/init"
	(cd "$root" && find . -print0 | cpio --quiet --null -o -H newc) >"$1"
}
