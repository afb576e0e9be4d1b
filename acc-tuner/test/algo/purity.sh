#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The gate that keeps the algorithms of acc-tuner pure: that of huygens-lite, with their order and the symbols that they need.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# The root is exact everywhere, as division is.
SYMBOLS='sqrtf memcpy memset memmove __divti3 __udivti3 __popcountdi2 _GLOBAL_OFFSET_TABLE_' \
	ORDER='feature template reward follow idle guard net adam agent' \
	exec "$here/../../../huygens-lite/test/algo/purity.sh" "$here/../../algo"
