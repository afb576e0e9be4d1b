#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The gate that keeps the algorithms pure, as TAP: every file of algo/ includes its siblings and a few headers that compute,
# needs no symbol but those of its siblings and of arithmetic, keeps no state of its own, and uses nothing that comes after it.
#
#   purity.sh [DIR]     DIR instead of algo/; then with its ORDER, and what it needs as SYMBOLS
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
algo=${1-$here/../../algo}
CC=${CC-gcc}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck source=selftests/lib/tap.sh
. "$here/../../../selftests/lib/tap.sh"

# Functions that a computation needs: these are exact everywhere, exp() and log() are not.
SYMBOLS=${SYMBOLS-'sqrt fmin fmax ceil memcpy memset memmove __divti3 __multi3 _GLOBAL_OFFSET_TABLE_'}
HEADERS='<math.h> <stdbool.h> <stddef.h> <stdint.h> <string.h>'

# In which order files may use each other.
ORDER=${ORDER-'sort leap pair_filter envelope edge_history direction edge delay_sum kalman edge_filter fallback graph components estimate robust least_squares utc datum shortest network_lines network error_growth slew state servo election'}

object() { "$CC" -std=gnu11 -O2 -Wall -Wextra -Werror -ffp-contract=off -fno-pie -I "$algo" -c -o "$out/$(basename "$1" .c).o" "$1"; }

includes() {
	sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*//p' "$1" | while read -r what; do
		case " $HEADERS " in *" $what "*) continue ;; esac
		file=$(echo "$what" | tr -d '"')
		[ "$file" != "$what" ] && [ -f "$algo/$file" ] || echo "$what"
	done
}

# A header alone, twice.
header() {
	printf '#include "%s"\n#include "%s"\n' "$1" "$1" > "$out/twice.c"
	"$CC" -std=gnu11 -Wall -Wextra -Werror -I "$algo" -c -o "$out/twice.o" "$out/twice.c"
}

# Symbols that neither a file before this one nor arithmetic has.
needs() {
	nm -u "$out/$1.o" | awk '{ print $2 }' | while read -r symbol; do
		case " $SYMBOLS " in *" $symbol "*) continue ;; esac
		grep -qx "$symbol" "$out/defined" || echo "$symbol"
	done
}

# Anything that can be written to lies in data or bss.
state() { nm "$1" | awk '$2 ~ /^[bBdDcC]$/'; }

# The gate itself must be able to fall: each rule, shown what it forbids.
trap_test() {
	rule=$1
	shift
	printf '%s\n' "$@" > "$out/trap.c"
	case $rule in
	includes) output=$(includes "$out/trap.c") ;;
	needs) output=$(object "$out/trap.c" && needs trap) ;;
	state) output=$(object "$out/trap.c" && state "$out/trap.o") ;;
	esac
	[ -n "$output" ] || echo "not noticed: $*"
}

ordered() {
	for file in "$algo"/*.c; do
		case " $ORDER " in *" $(basename "$file" .c) "*) ;; *) echo "$(basename "$file") has no place in the order" ;; esac
	done
}

: > "$out/defined"
for file in "$algo"/*.h; do
	tap_silent "$(basename "$file") compiles alone and twice" header "$(basename "$file")"
	tap_silent "$(basename "$file") includes what computes" includes "$file"
done
tap_silent "every file has its place" ordered
for noun in $ORDER; do
	tap_silent "$noun.c compiles" object "$algo/$noun.c"
	tap_silent "$noun.c includes what computes" includes "$algo/$noun.c"
	tap_silent "$noun.c needs arithmetic and what is before it" needs "$noun"
	tap_silent "$noun.c keeps nothing" state "$out/$noun.o"
	nm --defined-only "$out/$noun.o" | awk '{ print $3 }' >> "$out/defined"
done
tap_silent "the gate notices a clock's header" trap_test includes '#include <time.h>'
tap_silent "the gate notices a socket's header" trap_test includes '#include <sys/socket.h>'
tap_silent "the gate notices a file's header" trap_test includes '#include <stdio.h>'
tap_silent "the gate notices an allocation" trap_test needs '#include <stdlib.h>' 'void *f(void);' 'void *f(void) { return malloc(1); }'
tap_silent "the gate notices a logarithm" trap_test needs '#include <math.h>' 'double f(double x);' 'double f(double x) { return log(x); }'
tap_silent "the gate notices a counter" trap_test state 'int f(void);' 'int f(void) { static int n; return n++; }'
tap_done
