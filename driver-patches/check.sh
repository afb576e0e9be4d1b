#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Does each patch apply, and does what it makes build without a warning, against Debian's stock headers?
#
#   check.sh [--objects] [--out FOLDER] [--kernel KDIR]... [DRIVER...]
#
# Prints the table that README.md has, but for its last column. KDIRs are the build folders of a 6.1 and a 6.12; by
# default those of the cloud kernels that are installed. With --objects only the files that patches change are compiled,
# those that the kernel's configuration does not have as if it had them; FOLDER/SERIES.log has which.
# With --out the built trees stay there, FOLDER/SERIES; 0 if all is well.
# shellcheck disable=SC2317 # functions are called through says
set -u
export LC_ALL=C

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=driver-patches/drivers.sh
. "$here/drivers.sh"
usage() { echo "usage: check.sh [--objects] [--out FOLDER] [--kernel KDIR]... [DRIVER...]" >&2; exit 2; }
installed() { find /usr/src -maxdepth 1 -name "linux-headers-$1.*-cloud-amd64" | sort -V | tail -n 1; }

out='' kernels='' objects=''
while [ $# -gt 0 ]; do
	case $1 in
	--out|--kernel)
		[ $# -ge 2 ] || usage
		case $1 in
		--out) mkdir -p "$2" && out=$(CDPATH='' cd -- "$2" && pwd) || exit 1 ;;
		--kernel) kernels="$kernels $2" ;;
		esac
		shift ;;
	--objects) objects=yes ;;
	-*) usage ;;
	*) break ;;
	esac
	shift
done
if [ -z "$out" ]; then
	out=$(mktemp -d)
	trap 'rm -rf "$out"' EXIT
fi
kernels=${kernels:-$(installed 6.1) $(installed 6.12)}
drivers=${*:-$(cd "$here" && echo */ | tr -d /)}

# applies DRIVER SERIES
applies() {
	for patch in "$here/$1/$2"/*.patch; do
		(cd "$out/$2.orig" && GIT_CEILING_DIRECTORIES=$out git apply --check "$patch") || return 1
	done
}

# changed SERIES DRIVER: objects of the files that its patches change
changed() {
	sed -n 's,^+++ b/\(.*\)\.c$,\1.o,p' "$here/$2/$1"/*.patch
}

# configured KDIR FOLDER: objects that the FOLDER's Makefile makes of this kernel's configuration
configured() {
	make -s -C "$2" -f - KDIR="$1" said <<-'END'
		include $(KDIR)/include/config/auto.conf
		include Makefile
		said: ; @printf '%s\n' $(foreach name,$(filter %-y %-m %-objs,$(.VARIABLES)),$($(name)))
	END
}

# compile KDIR SERIES DRIVER: the objects that its patches change
compile() {
	kernel=$1 series=$2 driver=$3 tree=$out/$2 folder=drivers/net/$(place_of "$3")
	objects_of=$(changed "$series" "$driver")
	case $folder in
	*.c) forced='' ;;
	*)
		there=$(configured "$kernel" "$tree.orig/$folder") || return
		forced=$(for object in $objects_of; do
			echo "$there" | grep -qFx "${object#"$folder"}" || echo "$object"
		done)
		objects_of=$(for object in $objects_of; do
			echo "$forced" | grep -qFx "$object" || echo "$object"
		done) ;;
	esac
	# shellcheck disable=SC2086 # one word per object is wanted
	make -s -k -C "$kernel" M="$tree" $objects_of || return
	[ "$forced" ] || return 0
	names=$(forced_of "$driver")
	echo "check.sh: $kernel has no $forced: compiled with ${names:-nothing more}"
	# shellcheck disable=SC2086,SC2046
	make -s -k -C "$kernel" M="$tree" KCFLAGS="$(printf ' -D%s=1' $names)" $(printf ' %s=y' $names) $forced
}

# build KDIR SERIES DRIVER...
build() {
	kernel=$1 series=$2 tree=$out/$2
	shift 2
	"$here/apply.sh" ${objects:+--no-build} --kernel "$kernel" --source "$tree.orig" --out "$tree" "$@" || return
	[ "$objects" ] || return 0
	status_of=0
	for driver; do
		compile "$kernel" "$series" "$driver" || status_of=1
	done
	return $status_of
}

# builds DRIVER SERIES: it is there, and nothing was said about it
builds() {
	if [ "$objects" ]; then
		for object in $(changed "$2" "$1"); do
			[ -e "$out/$2/$object" ] || return 1
		done
	else
		for module in $(modules_of "$1"); do
			[ -n "$(find "$out/$2" -name "$module.ko")" ] || return 1
		done
	fi
	! grep -E "warning:|error:" "$out/$2.log" | grep -q "$(place_of "$1")"
}

says() { if "$@" >&2; then echo yes; else echo no; fi; }

bad=0
row() {
	added=$(cat "$here/$1/$2"/*.patch | grep -c '^+[^+]')
	apply=$(says applies "$1" "$2")
	build=$(says builds "$1" "$2")
	echo "| $1 | $2 | $added | $apply | $build |"
	[ "$apply$build" = yesyes ] || bad=1
}

all=''
for kernel in $kernels; do
	series=$(sed 's/^\([0-9]*\.[0-9]*\).*/\1/' "$kernel/include/config/kernel.release") || exit 1
	all="$all $series"
	# shellcheck disable=SC2086 # one word per driver is wanted
	unpack "/usr/src/linux-source-$series.tar.xz" "$out/$series.orig" $drivers || exit 1
	# shellcheck disable=SC2086
	build "$kernel" "$series" $drivers >"$out/$series.log" 2>&1 || cat "$out/$series.log" >&2
	# Of a kernel package without BTF or without pahole; not of ours.
	sed -i -E '/pahole|BTF|vmlinux/d' "$out/$series.log"
done
[ "$objects" ] && last='what it changes compiles' || last=builds
echo "| driver | Linux | lines added | applies | $last |"
echo '| --- | --- | --- | --- | --- |'
for driver in $drivers; do
	for series in $all; do
		row "$driver" "$series"
	done
done
exit $bad
