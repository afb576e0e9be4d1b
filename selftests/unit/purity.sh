#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The gate that keeps the algorithms pure, as TAP: every header of kernel/algo compiles alone and twice, needs nothing
# of a run-time library in 64 and 32 bit, uses no floating point, and names nothing of the kernel.
#
#   purity.sh [DIR]     DIR instead of kernel/algo
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
algo=${1-$here/../../kernel/algo}
CC=${CC-gcc}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck source=selftests/lib/tap.sh
. "$here/../lib/tap.sh"

# compile BITS FLAGS HEADER...: headers, with every inline function emitted
compile() {
	bits_of=$1 flags=$2
	shift 2
	printf '#include "%s"\n' "$@" > "$out/tu.c"
	# shellcheck disable=SC2086 # several flags
	"$CC" "-m$bits_of" -std=gnu11 -ffreestanding -fkeep-inline-functions -fno-pie -O2 -Wall -Wextra -Werror -I "$algo" $flags "$out/tu.c"
}

# object HEADER BITS: of the header alone
object() {
	rm -f "$out/tu.o"
	compile "$2" "-c -o $out/tu.o" "$1"
}

# needs: symbols that another object would have to provide
needs() { nm -u "$out/tu.o"; }

# Without comments: what is in them does not compile, and explains.
code() { "$CC" -fpreprocessed -dD -E -P "$1"; }

floating() { code "$1" | grep -nwE 'float|double|_Float[0-9]+|__float128'; }
conditional() { code "$1" | grep -nE '^[[:space:]]*#[[:space:]]*(if|ifdef|elif|else)\b'; }
one_world() {
	code "$1" | grep -nE '\b(ktime|get_random|skb|sk_buff|jiffies|k[mz]alloc|kfree|spin_|mutex|rcu_|printk|pr_|net_device|Qdisc)'
	code "$1" | grep -nE '\b(malloc|free|printf|rand|random|time|memcpy|memset)[[:space:]]*\('
}
clock_reads() { code "$1" | grep -n 'ktime_get' | tail -n +2; }
includes() {
	grep -nE '^[[:space:]]*#[[:space:]]*include' "$1" | while IFS=: read -r line text; do
		file=$(echo "$text" | sed -n 's/.*"\([^"/]*\.h\)".*/\1/p')
		[ -n "$file" ] && [ -f "$algo/$file" ] || echo "$line: $text"
	done
}

# The gate itself must be able to fall: each rule, shown what it forbids.
trap_test() {
	rule=$1
	shift
	printf '%s\n' "$@" > "$out/trap.h"
	case $rule in
	needs*) output=$(algo=$out object trap.h "${rule#needs}" 2>&1 && needs 2>&1) ;;
	twice) output=$(algo=$out compile 64 -fsyntax-only trap.h trap.h 2>&1) ;;
	*) output=$(algo=$out "$rule" "$out/trap.h" 2>&1) ;;
	esac
	[ -n "$output" ] || echo "not noticed: $*"
}

headers=$(cd "$algo" && ls -- *.h) || exit 1
bits=64
if echo 'int x;' | "$CC" -m32 -x c -c -o /dev/null - 2> /dev/null; then
	bits="64 32"
fi

for header in $headers; do
	for b in $bits; do
		tap_silent "$header compiles alone, $b bit" object "$header" "$b"
		tap_silent "$header needs no other code, $b bit" needs
		tap_silent "$header compiles twice, $b bit" compile "$b" -fsyntax-only "$header" "$header"
	done
	tap_silent "$header has no floating point" floating "$algo/$header"
	tap_silent "$header names nothing of kernel or libc" one_world "$algo/$header"
	[ "$header" = port.h ] && continue
	tap_silent "$header has no #if" conditional "$algo/$header"
	tap_silent "$header includes only its siblings" includes "$algo/$header"
done

for module in "$here"/../../sch_*/sch_*.c; do
	tap_silent "$(basename "$module") reads the clock in one place" clock_reads "$module"
done

tap_silent "the gate notices a call" trap_test needs64 'int f(void); static inline int g(void) { return f(); }'
if [ "$bits" != 64 ]; then
	tap_silent "the gate notices a run-time library" trap_test needs32 \
		'static inline unsigned long long g(unsigned long long a, unsigned long long b) { return a / b; }'
fi
tap_silent "the gate notices a missing guard" trap_test twice 'static inline int g(void) { return 0; }'
tap_silent "the gate notices floating point" trap_test floating 'static inline int g(int x) { return x * (double)x; }'
tap_silent "the gate notices an #ifdef" trap_test conditional '#ifdef X' 'int x;' '#endif'
tap_silent "the gate notices a packet" trap_test one_world 'struct sk_buff; int f(struct sk_buff *skb);'
tap_silent "the gate notices another reading of the clock" trap_test clock_reads 'a = ktime_get_ns();' \
	'b = ktime_get_ns();'
tap_silent "the gate notices an include" trap_test includes '#include <linux/ktime.h>'

tap_done
