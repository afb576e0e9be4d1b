#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In a mount namespace, as its root: build with make in a Debian that has what README.md says, put that into one for a machine.
#
#   make_install.sh BUILDS.tar RUNS.tar SCRATCH OUT HERE TRIM RELEASE
#
# SCRATCH has the tree (tree) and the kernel's modules (modules); TRIM are patterns of what is left out. The machine finds the
# tree in /sharpramp/tree, built for RELEASE as it stands in README.md.
set -eu

builds=$1 runs=$2 scratch=$3 out=$4 here=$5 trim=$6 release=$7
# shellcheck source=selftests/packages/chroot.sh
. "$here/chroot.sh"

# The kernel that runs here is another.
kdir=KDIR=/lib/modules/$release/build
root=$scratch/builds
unpacked "$builds"
mv "$scratch/tree" "$root/sharpramp/"
line=$(sed -n 's/^    \(make modules tools[^#]*\).*/\1/p' "$root/sharpramp/tree/README.md")
# Commands of the pages are typed as they stand.
[ "$line" ] || { echo "README.md has no line that builds modules and tools"; exit 1; }
noted built sh -c "cd /sharpramp/tree && $line $kdir"
noted put sh -c "cd /sharpramp/tree && make install DEPS=have $kdir DESTDIR=/sharpramp/below"
left_out ''

mv "$root/sharpramp/tree" "$scratch/tree"
root=$scratch/root
unpacked "$runs"
cp -R "$scratch/modules/." "$root/usr/lib/modules/"
rmdir "$root/usr/lib/modules/$release/updates"
clocks
mv "$scratch/tree" "$root/sharpramp/"
snapshot before
left_out "$trim"
packed "$out"
