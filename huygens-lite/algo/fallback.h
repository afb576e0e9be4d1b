/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When to give up hardware stamps: a lost
 * Tx stamp drops its pair; if more than half of a window's are lost, software
 * stamps are used, for good.
 */
#ifndef HUYGENS_FALLBACK_H
#define HUYGENS_FALLBACK_H

#include <stdbool.h>
#include <stdint.h>

/* Fewer probes in a window say nothing. */
#define FALLBACK_LEAST	20

/**
 * fallback_due() - does a window say to give up hardware stamps
 * @sent: probes with a requested hardware stamp that left, by their software
 *	stamps: of what no driver took there is no stamp at all
 * @stamped: of those, how many stamps came
 *
 * Return: true if more than half are lost.
 */
bool fallback_due(uint32_t sent, uint32_t stamped);

#endif /* HUYGENS_FALLBACK_H */
