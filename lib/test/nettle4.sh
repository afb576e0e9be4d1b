#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lib/digest.h compiles with the interface of nettle 4, which took away an argument; stand-ins of its headers are here. TAP.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=selftests/lib/tap.sh
. "$here/../../selftests/lib/tap.sh"

# compiles LINE: a file with that line behind the header
compiles() { printf '#include "digest.h"\n%s\n' "$1" | "${CC:-gcc}" -x c -Wall -Wextra -Werror -fsyntax-only -I"$here/.." -I"$here/nettle4" - 2>&1; }

output=$(compiles '')
tap_ok $? "lib/digest.h compiles with nettle 4" "$output"
! output=$(compiles 'void f(struct sha256_ctx *c, uint8_t *d) { sha256_digest(c, 32, d); }')
tap_ok $? "nettle 3's call would not" "$output"
for user in $(cd "$here/../.." && git grep -lE '\<(hmac_)?sha256_digest\(' -- '*.c' '*.h'); do
	case $user in
	lib/digest.h | lib/test/*) ;;
	*) tap_ok 1 "$user calls nettle by lib/digest.h" ;;
	esac
done
tap_done
