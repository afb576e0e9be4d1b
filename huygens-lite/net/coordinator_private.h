/* SPDX-License-Identifier: GPL-2.0 */
/*
 * coordinator_private.h - UTC of the coordinator, for the files coordinator*.c
 */
#ifndef HUYGENS_COORDINATOR_PRIVATE_H
#define HUYGENS_COORDINATOR_PRIVATE_H

#include "coordinator.h"

/**
 * coordinator_find_utc() - hosts that report UTC for a window, and the edges between them
 * @c: the coordinator; @utc is written, and edges after the first @measured ones
 * @window: number
 * @measured: edges of the mesh in it
 *
 * Two hosts that read UTC at the same time measure the difference of their local clocks,
 * without a packet between them: common view.  Its error is the sum of both.
 *
 * Return: edges of both kinds.
 */
uint32_t coordinator_find_utc(struct coordinator *c, uint64_t window, uint32_t measured);

/**
 * coordinator_reference() - the host from which errors are counted
 * @c: the coordinator, after coordinator_find_utc()
 *
 * If several hosts report UTC, it is the first whose error is not much above the least.
 *
 * Return: index; MEMBERSHIP_NONE if there is none.
 */
uint32_t coordinator_reference(const struct coordinator *c);

/**
 * coordinator_reference_id() - the same, for hosts
 * @c: the coordinator, with a solution
 *
 * Return: id; 0 if there is none, or no UTC.
 */
uint32_t coordinator_reference_id(const struct coordinator *c);

/**
 * coordinator_compare() - how far the common time is from UTC, and what may be wrong with that
 * @c: the coordinator, with a solution; @has_utc and what it covers is written
 *
 * Return: @has_utc; false as well if the hosts that report UTC disagree.
 */
bool coordinator_compare(struct coordinator *c);

/**
 * coordinator_leaps() - is a common time to begin at UTC?
 * @c: the coordinator, after coordinator_compare() returned true
 * @window: number
 *
 * A common time that UTC was never known in may be anywhere (datum.h, chrony's makestep).
 * Later UTC steps at leap seconds.
 *
 * Return: true if it is.
 */
bool coordinator_leaps(struct coordinator *c, uint64_t window);

#endif /* HUYGENS_COORDINATOR_PRIVATE_H */
