#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# onramp_acker.ko and devices, between namespaces of its own.
exec "${0%/*}/onramp_acker.sh" onramp_acker_devices.py
