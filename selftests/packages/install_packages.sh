#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In a mount namespace, as its root: unpack a Debian, install and upgrade our packages in it, pack it for a machine.
#
#   install_packages.sh DEBIAN.tar SCRATCH OUT HERE TRIM
#
# SCRATCH has the packages (first, next) and kernels' modules (modules); TRIM are patterns of what is left out. The
# machine finds the output and the list of files in /sharpramp, and a daemon to upgrade to.
set -eu

debian=$1 scratch=$2 out=$3 here=$4 trim=$5
root=$scratch/root
# shellcheck source=selftests/packages/chroot.sh
. "$here/chroot.sh"

unpacked "$debian"
cp -R "$scratch/modules/." "$root/usr/lib/modules/"
clocks
# A kernel that we are not for: its headers are another's, its name is what counts.
old=5.10.0-1-amd64
set -- "$root"/usr/src/linux-headers-6.1.*-cloud-amd64
mkdir -p "$root/usr/lib/modules/$old"
ln -s "${1#"$root"}" "$root/usr/lib/modules/$old/build"

cp -R "$scratch/first" "$root/sharpramp/debs"
cp -R "$scratch/next" "$root/sharpramp/debs/"

snapshot before
# Compiling is what takes long: the first version meets no kernel that it is for, the next one Linux 6.1.
mkdir "$scratch/later"
mv "$root"/usr/lib/modules/6.* "$scratch/later/"
noted first sh -c 'apt-get install -y /sharpramp/debs/*.deb'
# autopkgtest of the package fails where it has built nothing, and passes where it has.
cp "$here/../../debian/tests/dkms" "$root/sharpramp/autopkgtest"
if inside /sharpramp/autopkgtest >"$root/sharpramp/autopkgtest.none" 2>&1; then
	echo "debian/tests/dkms passes without a kernel" >&2
	exit 1
fi
echo '# A line of the user'\''s.' >>"$root/etc/huygens-lite.conf"
snapshot installed
mv "$scratch"/later/6.1.* "$root/usr/lib/modules/"
noted next sh -c 'apt-get install -y /sharpramp/debs/next/*.deb'
# A kernel that comes afterwards, and what the package of its headers calls then.
for later in "$scratch"/later/*; do
	mv "$later" "$root/usr/lib/modules/"
	noted later run-parts --exit-on-error --arg="${later##*/}" /etc/kernel/header_postinst.d
done

noted autopkgtest.all /sharpramp/autopkgtest
for kernel in "$root"/usr/lib/modules/6.*; do
	grep -q "^${kernel##*/}: " "$root/sharpramp/autopkgtest.all" || { cat "$root/sharpramp/autopkgtest.all" >&2; exit 1; }
done

# The same daemon as a version after that, for the machine to upgrade to while it runs.
inside sh -e -c 'cd /sharpramp
	dpkg-deb -R debs/next/huygens-lite_*.deb tree
	sed -i "s/^Version: .*/&+more/" tree/DEBIAN/control
	dpkg-deb -b tree huygens-lite.deb
	rm -r tree' >/dev/null
rm -rf "$root/sharpramp/debs"
left_out "$trim"
packed "$out"
