#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# List every file of this system, and with those of /etc a sum of what they say.
cd /
find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./run -o -path ./tmp -o -path ./sharpramp \) -prune -o \
	\( -path './etc/*' -type f -exec sha256sum '{}' + \) -o -print | sort
