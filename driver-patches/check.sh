#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Does each patch apply, does the whole driver build with it without a warning, and does the kernel take what was built?
#
#   check.sh [--out FOLDER] [--kernel KDIR]... [DRIVER...]
#
# Prints the table that README.md has, but for its last column. KDIRs are the build folders of a 6.1 and a 6.12 as Debian
# has them; by default those of the cloud kernels that are installed. A driver builds if apply.sh makes all its modules and,
# of each,
#   - the version string is that of KDIR's kernel;
#   - it depends on onramp_hook, if it is linked of a file that the patches change;
#   - each symbol that it needs has the version that KDIR or onramp_hook exports it with;
#   - it exports what the kernel's own exports, with the same versions: other modules were built for those.
# A file that the patches change and KDIR's configuration does not have is compiled as if it had it, and named.
# With --out the trees stay there, FOLDER/SERIES/DRIVER, and one that is there is not built again; 0 if all is well.
# shellcheck disable=SC2317 # functions are called through says
set -u
export LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin

case ${1-} in -h | --help) sed -n '3,/^[^#]/{/^# shellcheck/d;s/^# \{0,1\}//p}' "$0"; exit ;; esac
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=driver-patches/drivers.sh
. "$here/drivers.sh"
usage() { echo "usage: check.sh [--out FOLDER] [--kernel KDIR]... [DRIVER...]" >&2; exit 2; }
installed() { find /usr/src -maxdepth 1 -name "linux-headers-$1.*-cloud-amd64" | sort -V | tail -n 1; }

out='' kernels=''
while [ $# -gt 0 ]; do
	case $1 in
	--out|--kernel)
		[ $# -ge 2 ] || usage
		case $1 in
		--out) mkdir -p "$2" && out=$(CDPATH='' cd -- "$2" && pwd) || exit 1 ;;
		--kernel) kernels="$kernels $2" ;;
		esac
		shift ;;
	-*) usage ;;
	*) break ;;
	esac
	shift
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
out=${out:-$scratch}
kernels=${kernels:-$(installed 6.1) $(installed 6.12)}
drivers=${*:-$(cd "$here" && echo */ | tr -d /)}

# The driver of a row: its name, the series, the kernel's build folder, the tree that was built.
driver='' series='' kernel='' tree=''

wrong() {
	echo "check.sh: $driver, Linux $series: $*" >&2
	return 1
}

applies() {
	origin=$(CDPATH='' cd -P -- "$out/$series.orig" && pwd) || return 1
	for patch in "$here/$driver/$series"/*.patch; do
		(cd "$origin" && GIT_CEILING_DIRECTORIES=${origin%/*} git apply --check "$patch") || return 1
	done
}

# changed: objects of the files that the patches change
changed() {
	sed -n 's,^+++ b/\(.*\)\.c$,\1.o,p' "$here/$driver/$series"/*.patch
}

# linked MODULE OBJECT: is it in what the module was linked of?
linked() {
	find "$tree/" -name "$1.mod" -exec cat {} + | tr ' ' '\n' | grep -q "\(^\|/\)$2\$"
}

# absent: objects of files that the patches change, and no module is linked of
absent() {
	for object in $(changed); do
		found=''
		for module in $(modules_of "$driver"); do
			! linked "$module" "$object" || found=yes
		done
		[ "$found" ] || echo "$object"
	done
}

# hooked MODULE
hooked() {
	for object in $(changed); do
		! linked "$1" "$object" || return 0
	done
	return 1
}

# exports MODULE FILE: versions, names, how and to whom, of a Module.symvers
exports() {
	awk -F '\t' -v module="$1" '{ sub(".*/", "", $3) } $3 == module { print $1, $2, $4, $5 }' "$2" | sort
}

# left FILE FILE: what the first has and the second has not, in one line
left() {
	comm -23 "$1" "$2" | tr '\n' ' '
}

# taken MODULE: is it one that the kernel takes?
taken() {
	ko=$(find "$tree/" -name "$1.ko")
	[ "$ko" ] || wrong "there is no $1.ko" || return
	magic=$(modinfo -F vermagic "$ko")
	case $magic in
	"$(release_of "$kernel") "*\ modversions*) ;;
	*) wrong "$1.ko is of '$magic', not of $(release_of "$kernel") with versions of symbols" || return ;;
	esac
	depends=$(modinfo -F depends "$ko")
	case ,$depends, in
	*,onramp_hook,*) ;;
	*) ! hooked "$1" || wrong "$1.ko depends on '$depends' and not on onramp_hook" || return ;;
	esac
	modprobe --dump-modversions "$ko" | awk '{ print $1, $2 }' | sort >"$scratch/versions"
	cut -d ' ' -f 2 "$scratch/versions" | sort >"$scratch/versioned"
	nm -u "$ko" | awk '{ print $NF }' | sort >"$scratch/needed"
	more=$(left "$scratch/needed" "$scratch/versioned")
	[ -z "$more" ] || wrong "$1.ko has no version of $more" || return
	{
		cut -f 1,2 "$kernel/Module.symvers"
		grep -P '^\w+\t\w+\t\S*\bonramp_hook\t' "$tree/Module.symvers"
		# One of a driver's modules may need another.
		for module in $(modules_of "$driver"); do
			exports "$module" "$tree/Module.symvers"
		done
	} | awk '{ print $1, $2 }' | sort -u >"$scratch/known"
	more=$(left "$scratch/versions" "$scratch/known")
	[ -z "$more" ] || wrong "$1.ko needs what nobody exports: $more" || return
	exports "$1" "$kernel/Module.symvers" >"$scratch/theirs"
	exports "$1" "$tree/Module.symvers" >"$scratch/own"
	more=$(left "$scratch/theirs" "$scratch/own")
	[ -z "$more" ] || wrong "$1.ko does not export what the kernel's does: $more"
}

# compiles OBJECT...: as if the kernel's configuration had it
compiles() {
	forced=$out/$series.forced/$driver
	flags='' given=''
	for name in $(forced_of "$driver"); do
		flags="$flags -D$name=1" given="$given $name=y"
	done
	echo "check.sh: $driver, Linux $series: no module has $*, compiled with${given:- nothing more}" >&2
	"$here/apply.sh" --no-build --kernel "$kernel" --source "$out/$series.orig" --out "$forced" "$driver" >/dev/null || return
	# shellcheck disable=SC2086 # one argument per name is wanted
	make -s -C "$kernel" M="$forced" KCFLAGS="$flags" $given "$@" >"$forced/log" 2>&1 || { cat "$forced/log" >&2; return 1; }
	quiet "$forced/log"
}

# quiet LOG: was nothing complained of? A kernel package without BTF, or without pahole, is not a complaint of these patches.
quiet() {
	! grep -vE 'pahole|BTF' "$1" | grep -iE 'warning|error' >&2
}

# builds: what README.md says of it; on stderr why not
builds() {
	status_of=yes
	quiet "$tree/log" || status_of=no
	hooks=''
	for made in onramp_hook $(modules_of "$driver"); do
		taken "$made" || status_of=no
		! hooked "$made" || hooks=yes
	done
	[ "$hooks" ] || wrong "no module is linked of what the patches change" || status_of=no
	[ $status_of = yes ] || { echo no; return; }
	alone=''
	for object in $(absent); do
		compiles "$object" || status_of=no
		source=${object#drivers/net/"$(place_of "$driver")"}
		alone="$alone \`${source%.o}.c\`"
	done
	echo "$status_of${alone:+ but$alone, compiled alone}"
}

says() { if "$@" >&2; then echo yes; else echo no; fi; }

bad=0
row() {
	added=$(cat "$here/$driver/$series"/*.patch | grep -c '^+[^+]')
	apply=$(says applies)
	build=$(builds)
	echo "| $driver | $series | $added | $apply | $build |"
	case $apply$build in
	yesyes*) ;;
	*) bad=1 ;;
	esac
}

for kernel in $kernels; do
	series=$(series_of "$kernel")
	[ "$series" ] || exit 1
	# shellcheck disable=SC2086 # one argument per driver is wanted
	[ -d "$out/$series.orig" ] || unpack "/usr/src/linux-source-$series.tar.xz" "$out/$series.orig" $drivers || exit 1
	for driver in $drivers; do
		tree=$out/$series/$driver
		[ -e "$tree/log" ] && continue
		mkdir -p "$tree"
		"$here/apply.sh" --kernel "$kernel" --source "$out/$series.orig" --out "$tree" "$driver" >"$tree/log" 2>&1 ||
			cat "$tree/log" >&2
	done
done
echo '| driver | Linux | lines added | applies | builds |'
echo '| --- | --- | --- | --- | --- |'
for driver in $drivers; do
	for kernel in $kernels; do
		series=$(series_of "$kernel")
		tree=$out/$series/$driver
		row
	done
done
exit $bad
