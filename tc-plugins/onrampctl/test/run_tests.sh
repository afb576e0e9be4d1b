#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tests of onrampctl that need no kernel, as one TAP list. O= is the folder with the programs.
set -u

: "${O:?folder with onrampctl and onrampctl-test}"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# The address sanitizer of gcc 12 finds no space under 32 random bits; a container may forbid setarch.
if setarch -R true 2>/dev/null; then
	set -- setarch -R
fi
exec "$@" "$here/../../../selftests/lib/run_programs.sh" "$here/messages" "$here/output" "$here/refusals" "$here/page" "$here/completion" "$here/doctor" "$here/top" "$here/metrics" "$O/findings-test"
