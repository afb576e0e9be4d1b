#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Patch network drivers so that they show their packets to On-Ramp, and build them out of tree.
#
#   apply.sh [--kernel KDIR] [--source TARBALL|FOLDER] [--out FOLDER] [--no-build] DRIVER ...
#
# Takes the drivers' source from Debian's linux-source package of the kernel's series and leaves in FOLDER (default
# build/drivers/RELEASE) a tree that `make -C KDIR M=FOLDER modules` builds: drivers, onramp_hook, and a dkms.conf.
# Nothing is installed; the end of the output says how to. KDIR's default is the kernel that runs.
set -eu
export LC_ALL=C

case ${1-} in -h | --help) sed -n '3,/^[^#]/{/^# shellcheck/d;s/^# \{0,1\}//p}' "$0"; exit ;; esac
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname -- "$here")
die() { echo "apply.sh: $*" >&2; exit 1; }
usage() { echo "usage: apply.sh [--kernel KDIR] [--source TARBALL|FOLDER] [--out FOLDER] [--no-build] DRIVER ... (there are: $(known))" >&2; exit 2; }
known() { (cd "$here" && echo */) | tr -d /; }

# shellcheck source=driver-patches/drivers.sh
. "$here/drivers.sh"

kdir='' source='' out='' build=yes
while [ $# -gt 0 ]; do
	case $1 in
	--kernel|--source|--out)
		[ $# -ge 2 ] || usage
		case $1 in
		--kernel) kdir=$2 ;;
		--source) source=$2 ;;
		--out) out=$2 ;;
		esac
		shift ;;
	--no-build) build='' ;;
	-*) usage ;;
	*) break ;;
	esac
	shift
done
[ $# -ge 1 ] || usage

kdir=${kdir:-/lib/modules/$(uname -r)/build}
[ -f "$kdir/Makefile" ] || die "--kernel $kdir has no kernel build files; install the headers of your kernel"
release=$(release_of "$kdir") || die "--kernel $kdir is not configured"
series=$(series_of "$kdir")
for driver in "$@"; do
	[ -d "$here/$driver" ] || die "there is no patch of $driver; there are: $(known)"
	[ -d "$here/$driver/$series" ] || die "$driver: no patch for Linux $series, which $kdir is of"
done
source=${source:-/usr/src/linux-source-$series.tar.xz}
[ -r "$source" ] || die "--source $source cannot be read; install linux-source-$series"
out=${out:-$root/build/drivers/$release}
[ ! -e "$out/Kbuild" ] || [ -e "$out/dkms.conf" ] || die "--out $out is somebody else's"

# All of it is made anew: a patch applies to an unpatched source only.
mkdir -p "$out"
rm -rf "$out/drivers" "$out/kernel" "$out/Kbuild" "$out/dkms.conf"
mkdir -p "$out/kernel/include" "$out/drivers/net"
unpack "$source" "$out" "$@" || die "$source does not have all of: $*"
for driver in "$@"; do
	for patch in "$here/$driver/$series"/*.patch; do
		patch -s -p1 -d "$out" <"$patch" || die "$patch does not apply to $source"
	done
done
cp -R "$root/kernel/hook" "$out/kernel/"
cp "$root/kernel/include/onramp_hook.h" "$out/kernel/include/"

cat >"$out/Kbuild" <<'KBUILD'
# SPDX-License-Identifier: GPL-2.0
# Made by driver-patches/apply.sh.
here := $(if $(wildcard $(src)/dkms.conf),$(src),$(srctree)/$(src))
CONFIG_ONRAMP_HOOK := m
drivers := VMXNET3 E1000E IXGBE I40E ICE ENA_ETHERNET GVE MLX4_CORE MLX4_EN MLX5_CORE
$(foreach driver,$(drivers),$(eval export CONFIG_$(driver) := m))
export CONFIG_ONRAMP_HOOK
subdir-ccflags-y += -I$(here)/kernel/include
obj-m += kernel/hook/ drivers/net/
KBUILD
{
	echo '# SPDX-License-Identifier: GPL-2.0'
	for driver in "$@"; do
		echo "obj-m += $(place_of "$driver" | sed 's/\.c$/.o/')"
	done
} >"$out/drivers/net/Kbuild"

n=0
{
	echo 'PACKAGE_NAME="onramp-drivers"'
	echo 'PACKAGE_VERSION="1"'
	# dkms expands the variables.
	# shellcheck disable=SC2016
	echo 'MAKE[0]="make -C $kernel_source_dir M=$dkms_tree/$PACKAGE_NAME/$PACKAGE_VERSION/build modules"'
	echo "BUILD_EXCLUSIVE_KERNEL=\"^$series\\.\""
	echo 'AUTOINSTALL="yes"'
	for module in "kernel/hook/ onramp_hook" $(for driver in "$@"; do
		place=drivers/net/$(place_of "$driver")
		for made in $(modules_of "$driver"); do
			echo "${place%/*}/:$made"
		done
	done); do
		echo "BUILT_MODULE_NAME[$n]=\"${module##*[ :]}\""
		echo "BUILT_MODULE_LOCATION[$n]=\"${module%%[ :]*}\""
		echo "DEST_MODULE_LOCATION[$n]=\"/updates\""
		n=$((n + 1))
	done
} >"$out/dkms.conf"

if [ "$build" ]; then
	unset MAKEFLAGS MFLAGS MAKELEVEL O
	make -s -j "$(nproc)" -C "$kdir" M="$out" modules || die "the drivers do not build for $release"
fi

cat <<END
$* for $release: $out
To install and use them, as root:
    make -C $kdir M=$out INSTALL_MOD_DIR=updates modules_install && depmod -a $release
    modprobe -r DRIVER && modprobe DRIVER      # or boot anew; a driver that the initramfs has: update-initramfs -u
or have dkms build them for each new kernel of the series:
    cp -R $out /usr/src/onramp-drivers-1 && dkms install onramp-drivers/1
Then 'onrampctl stamps' says "driver" where a device's stamps come from.
END
