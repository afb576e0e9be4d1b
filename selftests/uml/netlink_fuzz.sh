#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Fuzz the netlink of qdiscs and family, as TAP: see netlink-fuzz --help.
#
# SEED, FROM and COUNT come from the environment (run --set). What the kernel was at when it died is in netlink.at of the
# run's folder.
set -u

command -v netlink-fuzz >/dev/null || { echo "1..0 # SKIP no netlink-fuzz here"; exit 4; }
modprobe -a sch_ecnsharp sch_onramp onramp_acker labnic || exit
exec netlink-fuzz --seed "${SEED:-1}" --from "${FROM:-0}" --count "${COUNT:-10000}" --at /run/lab/result/netlink.at
