// SPDX-License-Identifier: GPL-2.0
/*
 * More than half lost.
 */
#include "fallback.h"

bool fallback_due(uint32_t sent, uint32_t stamped)
{
	return sent >= FALLBACK_LEAST && stamped < sent - sent / 2;
}
