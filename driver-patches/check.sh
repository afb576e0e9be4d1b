#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Does each patch apply, and does what it makes build without a warning, against Debian's stock headers?
#
#   check.sh [--out FOLDER]
#
# Prints the table that README.md has. With --out the built trees stay there, FOLDER/SERIES; 0 if all is well.
# shellcheck disable=SC2317 # functions are called through says
set -u
export LC_ALL=C

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
series='6.1 6.12'
out=''
case $#/${1:-} in
0/) ;;
2/--out) mkdir -p "$2" && out=$(CDPATH='' cd -- "$2" && pwd) || exit 1 ;;
*) echo "usage: check.sh [--out FOLDER]" >&2; exit 2 ;;
esac
if [ -z "$out" ]; then
	out=$(mktemp -d)
	trap 'rm -rf "$out"' EXIT
fi
drivers=$(cd "$here" && echo */ | tr -d /)

headers() { find /usr/src -maxdepth 1 -name "linux-headers-$1.*-cloud-amd64" | sort -V | tail -n 1; }

# unpack SERIES: the drivers' sources, as they are in the package
unpack() {
	mkdir -p "$out/$1.orig"
	tar -x -f "/usr/src/linux-source-$1.tar.xz" -C "$out/$1.orig" --strip-components=1 --wildcards \
		'*/drivers/net/virtio_net.c' '*/drivers/net/veth.c' '*/drivers/net/vmxnet3' '*/drivers/net/ethernet/intel/e1000e'
}

# applies DRIVER SERIES
applies() {
	for patch in "$here/$1/$2"/*.patch; do
		(cd "$out/$2.orig" && GIT_CEILING_DIRECTORIES=$out git apply --check "$patch") || return 1
	done
}

# builds DRIVER SERIES: it is there, and nothing was said about it
builds() {
	[ -n "$(find "$out/$2" -name "$1.ko")" ] && ! grep -E "warning|error" "$out/$2.log" | grep -q "$1"
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

for one in $series; do
	unpack "$one" || exit 1
	# shellcheck disable=SC2086 # one word per driver is wanted
	"$here/apply.sh" --kernel "$(headers "$one")" --out "$out/$one" $drivers >"$out/$one.log" 2>&1 || cat "$out/$one.log" >&2
	# Of a kernel package without BTF or without pahole; not of ours.
	sed -i -E '/pahole|BTF|vmlinux/d' "$out/$one.log"
done
echo '| driver | Linux | lines added | applies | builds |'
echo '| --- | --- | --- | --- | --- |'
for driver in $drivers; do
	for one in $series; do
		row "$driver" "$one"
	done
done
exit $bad
