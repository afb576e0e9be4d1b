// SPDX-License-Identifier: GPL-2.0
/*
 * Where core's part of a namespace is found.
 */
#include "core.h"

unsigned int onramp_net_id __read_mostly;
