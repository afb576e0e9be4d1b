#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Marks of ecnsharp each second, by cause, for so many seconds: perf counts, and nothing is recorded.
set -eu

seconds=${1:-10}
exec perf stat -a -I 1000 \
	-e ecnsharp:ecnsharp_mark --filter 'verdict == 1' \
	-e ecnsharp:ecnsharp_mark --filter 'verdict == 2' \
	-e ecnsharp:ecnsharp_mark --filter 'verdict == 3' \
	-e ecnsharp:ecnsharp_episode_begin \
	sleep "$seconds"
