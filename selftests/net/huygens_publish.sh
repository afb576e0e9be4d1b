#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# huygens-lite on three hosts: what it publishes is what onrampctl reads back, and it is true.
# shellcheck source=selftests/net/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

modinfo onramp >/dev/null 2>&1 || skip_all "no module onramp"
command -v huygens-lite >/dev/null || skip_all "no huygens-lite"
exec python3 "$HERE/huygens_publish.py"
