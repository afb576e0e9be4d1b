#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Static checks as TAP: checkpatch, W=1 and sparse builds, order of files, shellcheck, python, comments, clocks.
# shellcheck disable=SC2317 # functions are called through tap_silent
set -u

case ${1-} in -h | --help) sed -n '3,/^[^#]/{/^# shellcheck/d;s/^# \{0,1\}//p}' "$0"; exit ;; esac
[ $# -eq 0 ] || { echo "usage: style.sh" >&2; exit 2; }
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root" || exit 1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sharpramp
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck source=selftests/lib/tap.sh
. selftests/lib/tap.sh

# Tracked files in kernel style: for the kernel, and for user space.
kernel_files() { git ls-files 'kernel/*.[ch]' 'sch_*/*.[ch]' 'onramp_acker/*.[ch]' 'lab/labnic/*.[ch]' 'lab/kernel/files/*.[ch]' 'selftests/bench/*.[ch]' 'selftests/packages/clock/*.[ch]'; }
user_files() { git ls-files 'lib/*.[ch]' 'tc-plugins/*.[ch]' 'lab/traffic/*.[ch]' 'lab/guest/*.[ch]' 'huygens-lite/algo/*.[ch]' 'huygens-lite/conf/*.[ch]' 'huygens-lite/out/*.[ch]' 'huygens-lite/platform/*.[ch]' 'huygens-lite/ctl/*.[ch]' 'huygens-lite/net/*.[ch]' 'huygens-lite/daemon/*.[ch]' 'huygens-lite/test/net/*.[ch]' 'acc-tuner/algo/*.[ch]' 'acc-tuner/model/*.[ch]' 'acc-tuner/sim/*.[ch]' 'acc-tuner/train/*.[ch]' 'acc-tuner/conf/*.[ch]' 'acc-tuner/queue/*.[ch]' 'acc-tuner/ctl/*.[ch]' 'acc-tuner/daemon/*.[ch]'; }

# __printf(), BIT() and strscpy() are macros and functions of the kernel, which user space does not have.
user_ignore=PREFER_DEFINED_ATTRIBUTE_MACRO,BIT_MACRO,STRNCPY

how='-q --strict --no-summary --terse'

# ask FILE...: what checkpatch says of them, without types
ask() {
	# shellcheck disable=SC2086 # several arguments
	perl "$dir/scripts/checkpatch.pl" $how ${types:+--ignore "$types"} -f "$@" >"$out/output" 2>&1
	status=$?
	# 1: it has something to say; whatever else is an answer of no file.
	grep -vE '^(NOTE|$)' "$out/output" || [ "$status" -eq 0 ] || echo "checkpatch ended with status $status"
}

# praised FILE: where a file's being clean is kept, under its name, bytes and options
praised() { printf '%s\n' "$1" "$types" "$how" | cat - .checkpatch.conf "$1" | sha256sum | sed "s,^\(.\{32\}\).*,$dir/clean/\1,"; }

# Many files in one call are half the work of a call for each; the files are checked one by one only after a finding. A file that is saved
# meanwhile is praised for what it was.
ask_many() {
	praise=$(for file; do praised "$file"; done)
	output=$(ask "$@")
	if [ -z "$output" ]; then
		echo "$praise" | xargs touch
	elif [ $# -eq 1 ]; then
		echo "$output"
	else
		for file; do ask_many "$file"; done
	fi
}

# check_files TYPES: those that standard input names, without these types of complaint
check_files() {
	types=$1
	set --
	while read -r file; do
		[ -f "$(praised "$file")" ] || set -- "$@" "$file"
		[ $# -lt 20 ] || { ask_many "$@"; set --; }
	done
	[ $# -eq 0 ] || ask_many "$@"
}

# The kernel's scripts, in $dir.
scripts() {
	key=$(sha256sum /usr/src/linux-source-6.12.tar.xz | cut -c1-16)
	dir=$cache/checkpatch/$key
	mkdir -p "$dir/clean"
	find "$dir/clean" -type f -mtime +30 -delete
	[ -f "$dir/scripts/kernel-doc" ] || {
		tar -x -f /usr/src/linux-source-6.12.tar.xz -C "$dir" --strip-components=1 --wildcards '*/scripts/kernel-doc' \
			'*/scripts/checkpatch.pl' '*/scripts/spelling.txt' '*/scripts/const_structs.checkpatch'
	}
}

# TRACE_EVENT() is a form of its own, in the kernel too. types.h: where user space gets the kernel's types from, here with u128.
checkpatch() {
	scripts
	kernel_files | grep -v '_trace\.h$' | check_files ''
	kernel_files | grep '_trace\.h$' | check_files PARENTHESIS_ALIGNMENT,OPEN_ENDED_LINE
	user_files | grep -v '/types\.h$' | check_files "$user_ignore"
	user_files | grep '/types\.h$' | check_files "$user_ignore,NEW_TYPEDEFS"
}

module_files() { git ls-files 'kernel/*.[ch]' 'sch_*/*.[ch]' 'onramp_acker/*.[ch]'; }

# Definitions that other files use have a comment, and comments name existing parameters. __X_MAX is no value.
described() {
	scripts
	module_files | xargs scripts/check-descriptions
	git ls-files 'huygens-lite/algo/*.[ch]' 'acc-tuner/algo/*.[ch]' 'acc-tuner/sim/*.[ch]' 'acc-tuner/train/*.[ch]' ':!acc-tuner/train/main.c' | xargs scripts/check-descriptions
	module_files | xargs perl "$dir/scripts/kernel-doc" -none -Wall 2>&1 | grep -vE "Enum value '__|^[0-9]+ warnings" || :
}

# A laboratory gives each host a clock of its own, so what is read, and where, must be known.
clocks() {
	git grep -nwE '(ktime_get|get_jiffies|hrtimer_cb_get_time|local_clock|sched_clock)[a-z0-9_]*|jiffies' -- \
		kernel sch_cp sch_ecnsharp sch_onramp onramp_acker |
		grep -vE '^[^:]*:[0-9]+:([[:space:]]*\*|#include)' |
		grep -vE '^(onramp_acker/acker.h|sch_onramp/sch_onramp.h):[0-9]+:	return jiffies;$' |
		grep -vE '^(kernel/compat/clock.h:[0-9]+:	return ktime_get_(real|raw|clocktai)_ns|kernel/include/onramp_core.h:[0-9]+:	return ktime_get_ns|(sch_ecnsharp/sch_ecnsharp.c|sch_cp/cp.h):[0-9]+:	return ktime_get_ns)\(\);$' || :
}

# The newest headers of a stock kernel that this machine has.
headers() { find /usr/src -maxdepth 1 -name "linux-headers-$1.*-cloud-amd64" | sort -V | tail -n 1; }

build() {
	kdir=$(headers "$1")
	[ -n "$kdir" ] || { echo "no headers of Linux $1: make deps"; return; }
	scripts/build-modules "$kdir" "$out/$1" W=1 C=2 CF='-Wsparse-error' 2>&1 |
		grep -vE 'pahole|BTF|vmlinux' || :
	for module in sch_cp/sch_cp sch_ecnsharp/sch_ecnsharp kernel/core/onramp sch_onramp/sch_onramp onramp_acker/onramp_acker \
		kernel/hook/onramp_hook; do
		[ -f "$out/$1/$module.ko" ] || echo "$module was not built"
	done
}

# The laboratory's NIC, which uses what build 6.12 left.
labnic() {
	kdir=$(headers 6.12)
	mkdir -p "$out/6.12/lab/kernel"
	cp -R lab/labnic "$out/6.12/lab/"
	cp -R lab/kernel/files "$out/6.12/lab/kernel/"
	make -s -C "$kdir" M="$out/6.12/lab/labnic" KBUILD_EXTRA_SYMBOLS="$out/6.12/Module.symvers" \
		W=1 C=2 CF='-Wsparse-error' modules 2>&1 | grep -vE 'pahole|BTF|vmlinux' || :
	[ -f "$out/6.12/lab/labnic/labnic.ko" ] || echo "labnic was not built"
}

# Output of the build.
one_way() {
	scripts/check-file-order "$out/6.12/kernel/core" "$out/6.12/kernel/hook" "$out/6.12/onramp_acker" "$out/6.12/sch_onramp" \
		"$out/6.12/sch_cp" "$out/6.12/sch_ecnsharp" "$out/6.12/lab/labnic"
}

# Files that were built without a complaint are not built again: the same sources, headers, compiler and sparse.
built() {
	scripts
	sources=$(git ls-files -- kernel sch_cp sch_ecnsharp sch_onramp onramp_acker lab/labnic lab/kernel/files Kbuild Kconfig scripts selftests/style.sh)
	# shellcheck disable=SC2086 # several names
	clean=$dir/clean/$({ headers 6.12; gcc --version; sparse --version; sha256sum $sources; } 2>&1 | sha256sum | cut -c1-32)
	if [ -f "$clean" ]; then
		tap_ok 0 "W=1 and sparse, stock 6.12"
		tap_ok 0 "W=1 and sparse, labnic on stock 6.12"
		tap_ok 0 "no file of a module uses one that comes after it"
		return
	fi
	before=$tap_failed
	tap_silent "W=1 and sparse, stock 6.12" build 6.12
	tap_silent "W=1 and sparse, labnic on stock 6.12" labnic
	tap_silent "no file of a module uses one that comes after it" one_way
	[ "$tap_failed" -ne "$before" ] || touch "$clean"
}

# sourced: what any script includes, by its directive of shellcheck
sourced() { git grep -hoE 'shellcheck source=[^ ]+' | sed 's/.*=//' | sort -u | xargs cat -- 2>/dev/null; }

# checked FILE: where a script's being clean is kept, under its name and bytes and those of all that scripts include
checked() { { printf '%s\n' "$1" "$includes"; cat "$1"; } | sha256sum | sed "s,^\(.\{32\}\).*,$dir/clean/\1,"; }

shell_scripts() {
	scripts
	includes=$({ shellcheck --version; sourced; cat .shellcheckrc 2>/dev/null; } | sha256sum)
	git ls-files | while read -r file; do
		case $(head -n 1 -- "$file" 2>/dev/null | tr -d '\0' | head -c 64) in
		'#!/bin/sh'*|'#!/bin/bash'*|'#!/usr/bin/env bash'*|'#!/bin/dash'*) ;;
		*) continue ;;
		esac
		clean=$(checked "$file")
		[ -f "$clean" ] || { shellcheck -x "$file" </dev/null && touch "$clean"; }
	done
}

python() {
	git ls-files | while read -r file; do
		case $file/$(head -n 1 -- "$file" 2>/dev/null | tr -d '\0' | head -c 64) in
		*.py/*|*/'#!/usr/bin/python3'*) echo "$file" ;;
		esac
	done | xargs -r /usr/bin/python3 -c '
import ast, sys
for path in sys.argv[1:]:
    try:
        ast.parse(open(path, encoding="utf-8").read(), path)
    except SyntaxError as why:
        print(f"{path}: {why}")'
}

versions() { git grep -nE '(LINUX_VERSION_CODE|KERNEL_VERSION\()' -- '*.[ch]' ':!kernel/compat' || :; }

# Work goes to the queue that compat_system_wq() names: the kernel's shorthand for the old one goes with it.
queues() { module_files | xargs git grep -nE '\<(schedule_(delayed_)?work(_on)?|flush_scheduled_work|system_([a-z]+_)*wq)\>' -- | grep -v '^kernel/compat/compat.h:' || :; }

licences() {
	git ls-files | while read -r file; do
		case $file in
		*.[ch]|*.py|*/Makefile|*/Kbuild|Makefile|Kbuild|Kconfig)
			[ ! -s "$file" ] || head -n 2 -- "$file" | grep -q SPDX || echo "$file" ;;
		esac
	done
}

tap_silent "checkpatch --strict" checkpatch
built
tap_silent "shellcheck" shell_scripts
tap_silent "python parses" python
tap_silent "kernel versions are known in kernel/compat only" versions
tap_silent "what other files use is described" described
tap_silent "clocks are read in one place each" clocks
tap_silent "work is queued where kernel/compat says" queues
tap_silent "every source names its licence" licences
tap_done
