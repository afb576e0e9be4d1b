#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make install and uninstall, into a folder. TAP. PLUGINS= is the folder with the plugins.
set -u

: "${PLUGINS:?folder with the plugins}"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/tap.sh
. "$here/../../selftests/lib/tap.sh"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
root=$out/root

# ok STATUS NAME: a result; of a failure the last output
ok() { tap_ok "$1" "$2" "$(cat "$out/output")"; }

run() { env -u MAKEFLAGS -u MAKELEVEL make -s -C "$here/.." O="$PLUGINS" DESTDIR="$root" "$@" >"$out/output" 2>&1; }
files() { (cd "$root" && find . -type f | sort) >"$out/files"; }

run PREFIX=/opt/x TC_LIB_DIR=/plugins/ SYSCONFDIR=/conf install
ok $? "install with all folders given"
files
cat >"$out/expected" <<'LIST'
./conf/bash_completion.d/tc-sharpramp
./opt/x/sbin/ecnsharp-mq
./opt/x/sbin/onramp-mq
./opt/x/share/man/man8/ecnsharp-mq.8
./opt/x/share/man/man8/onramp-mq.8
./opt/x/share/man/man8/tc-cp.8
./opt/x/share/man/man8/tc-ecnsharp.8
./opt/x/share/man/man8/tc-onramp.8
./plugins/q_cp.so
./plugins/q_ecnsharp.so
./plugins/q_onramp.so
LIST
diff "$out/expected" "$out/files" >"$out/output"
ok $? "every file is where it was configured to be"

version=$(sed -n '1s/^sharpramp (\(.*\)).*/\1/p' "$here/../../debian/changelog")
for name in onramp-mq ecnsharp-mq; do
	for word in -V --version; do
		"$root/opt/x/sbin/$name" "$word" >"$out/output" 2>&1 && [ -n "$version" ] &&
			[ "$(cat "$out/output")" = "$name (sharpramp) $version" ]
		ok $? "$name $word, installed: that of the packages"
	done
done
cp "$root/opt/x/sbin/onramp-mq" "$out/fq-mq"
! "$out/fq-mq" lo >"$out/output" 2>&1 && grep -q 'is called onramp-mq or ecnsharp-mq' "$out/output"
ok $? "by another name it is refused"
sed "s/^version=.*/version=/" "$root/opt/x/sbin/onramp-mq" >"$out/onramp-mq"
! sh "$out/onramp-mq" -V >"$out/output" 2>&1 && grep -q 'unknown version' "$out/output"
ok $? "onramp-mq: a copy that is neither says so"

run PREFIX=/opt/x TC_LIB_DIR=/plugins/ SYSCONFDIR=/conf uninstall
ok $? "uninstall"
files
cp "$out/files" "$out/output"
[ ! -s "$out/files" ]
ok $? "nothing is left"

run install
ok $? "install where the stock tc looks"
dir=$(strings -a "$(command -v tc)" | grep -E '^/.*/tc/$')
find "$root" -type f >"$out/output"
[ -n "$dir" ] && [ -f "$root${dir}q_ecnsharp.so" ]
ok $? "the plugin is in tc's own folder"

! run TC_LIB_DIR= install && grep -q 'no tc found' "$out/output"
ok $? "without a tc it says so"

tap_done
