# shellcheck shell=sh disable=SC2034 # used by the sourcing script
# SPDX-License-Identifier: GPL-2.0
# Sourced in a machine: the lines for output and for the verdict, as with selftests/qemu/init.sh.
output=/dev/console verdict=/dev/console
read -r args </proc/cmdline
for argument in $args; do
	case $argument in
	sharpramp.output=*) output=${argument#*=} ;;
	sharpramp.verdict=*) verdict=${argument#*=} ;;
	esac
done
stty -F "$output" raw -echo
stty -F "$verdict" raw -echo
