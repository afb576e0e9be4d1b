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
set -- "$@" "$here/../../../selftests/lib/run_programs.sh"
for test in messages_test.py output_test.py refusals_test.py man_page.py completion.sh doctor_test.py top_test.py metrics_test.py; do
	set -- "$@" "$here/$test"
done
exec "$@" "$O/findings-test"
