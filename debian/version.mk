# SPDX-License-Identifier: GPL-2.0
# Which version this is, for programs that say it: debian/changelog knows, and the packages' build writes there of which commit it is.

CHANGELOG := $(dir $(lastword $(MAKEFILE_LIST)))changelog
VERSION   := $(shell sed -n '1s/^[^(]*(\([^)]*\)).*/\1/p' '$(CHANGELOG)')
