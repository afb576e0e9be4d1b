#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In a mount namespace, as its root: build the packages in a Debian, install them there, and purge them. Results as lines of TAP.
#
#   build_and_purge.sh DEBIAN.tar SCRATCH HERE RELEASE
#
# SCRATCH has the tree (tree); RELEASE is a kernel whose headers that Debian has. No kernel of it runs: the modules are built and looked
# at, tc's plugins run commands that need no kernel.
# shellcheck disable=SC2317 # functions are called through ok
set -eu

debian=$1 scratch=$2 here=$3 release=$4
root=$scratch/root
# shellcheck source=selftests/packages/chroot.sh
. "$here/chroot.sh"
# shellcheck source=selftests/lib/tap.sh
. "$here/../lib/tap.sh"

# ok WHAT COMMAND...: a result; if it fails, the end of the output
ok() {
	what=$1
	shift
	if output=$("$@" 2>&1 </dev/null); then
		tap_ok 0 "$what"
	else
		tap_ok 1 "$what" "$(echo "$output" | tail -n 40)"
	fi
}

# quiet COMMAND...: which prints nothing
quiet() {
	text=$("$@" 2>&1) || :
	[ -z "$text" ] || { echo "$text"; return 1; }
}
prints_help() { inside "$@" 2>&1 | grep -q '^Usage: \.\.\. '; }
built_for() { inside dkms status | grep -q "^sharpramp/.*, $release, .*: installed" || { inside dkms status; return 1; }; }
modules() {
	for name in sch_cp sch_ecnsharp sch_onramp onramp_acker onramp onramp_hook; do
		magic=$(inside sh -c "modinfo -F vermagic /usr/lib/modules/$release/updates/dkms/$name.ko*") || { echo "no $name"; return 1; }
		[ "${magic%% *}" = "$release" ] || { echo "$name is of '$magic'"; return 1; }
	done
}
# Files that purge leaves behind, except records of the package manager and DKMS's key.
left() {
	chroot "$root" sh /sharpramp/snapshot.sh | comm -13 "$root/sharpramp/before" - | grep -vE \
		-e '\./var/(cache|log|lib/(dpkg|apt|systemd))(/|$)|\./var/lib/dkms/mok\.' \
		-e '/etc/(ld\.so\.cache|\.pwd\.lock|(passwd|group|shadow|gshadow|subuid|subgid)-)$' \
		-e '/usr/lib/modules/[^/]*/(modules\.|updates$)'
}

unpacked "$debian"
mv "$scratch/tree" "$root/sharpramp/"
snapshot before
ok "the packages are built" inside sh -c 'cd /sharpramp/tree && make deb O=/sharpramp/out DEPS=have'
[ "$tap_failed" -eq 0 ] || exit 1
# They are for Debian 12, too, whose policy is an older one.
ok "lintian has no remark" quiet inside sh -c 'lintian --allow-root --display-info --tag-display-limit 0 \
	--suppress-tags out-of-date-standards-version /sharpramp/out/deb/*.changes'
# Without their debug symbols.
ok "apt installs them" inside sh -c 'cd /sharpramp/out/deb && apt-get install -y ./sharpramp-dkms_*.deb ./sharpramp-tools_*.deb ./huygens-lite_*.deb \
	./acc-tuner_*.deb'
ok "DKMS builds the modules for $release" inside dkms autoinstall -k "$release"
ok "and says so" built_for
ok "they are that kernel's" modules
ok "tc finds the plugin of ecnsharp" prints_help tc qdisc add dev lo root ecnsharp help
ok "and that of onramp" prints_help tc qdisc add dev lo root onramp help
ok "onrampctl starts" inside onrampctl help
ok "so does huygens-lite" inside huygens-lite -h
ok "and acc-tuner" inside acc-tuner -h
ok "and acc-train" inside acc-train --help
ok "and flowgen" inside flowgen --help
ok "purge" inside dpkg --purge acc-tuner huygens-lite sharpramp-tools sharpramp-dkms
ok "leaves nothing" quiet left
umount "$root/proc"
umount -l "$root/dev"
tap_done
