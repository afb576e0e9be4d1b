#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run a scenario of the lab with a variant of the algorithm of ecnsharp: another schedule of persistent marks, or another target.
#
#   run_schedule.sh SCHEDULE SCENARIO [arguments of lab/run]
#
# SCHEDULE is one of the patches in this folder, without ".patch". The module is built in a copy of the sources, and loaded
# in the place of this project's. docs/gain.md ("Other schedules") has the results, and these commands.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../../.." && pwd)
if [ $# -lt 2 ] || [ ! -f "$here/$1.patch" ]; then
	echo "usage: run_schedule.sh SCHEDULE SCENARIO [key=value ...] [--seed N]; schedules:" >&2
	for each in "$here"/*.patch; do
		printf '  %s: %s\n' "$(basename "$each" .patch)" "$(head -1 "$each")" >&2
	done
	exit 2
fi
schedule=$1
shift

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
(cd "$root" && xargs cp -pr --parents -t "$copy" <kernel/sources)
patch -s -d "$copy" -p1 <"$here/$schedule.patch"
KERNEL=$("$root/lab/run" --build | sed -n 's/^kernel *//p')
make -s -C "$KERNEL" ARCH=um M="$copy" modules >&2
"$root/lab/run" "$@" --module "$copy/sch_ecnsharp/sch_ecnsharp.ko"
