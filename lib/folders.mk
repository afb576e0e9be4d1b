# SPDX-License-Identifier: GPL-2.0
# Where units and rules of udev are installed: in the folders that systemd and udev name, or else where all of them look.

folder       = $(shell pkg-config --variable=$(2) $(1) 2>/dev/null)
UNITDIR     ?= $(or $(call folder,systemd,systemdsystemunitdir),/lib/systemd/system)
UDEVDIR     ?= $(or $(call folder,udev,udevdir),/lib/udev)/rules.d
