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
 * coordinator_upper_utc_ns() - how far the upper mesh's common time may be from UTC
 * @c: the coordinator, with a solution
 *
 * It is the middle of what hosts report, of an even number the greater of both, where one that
 * knows no UTC counts as INFINITY: a host that lies is one of them.
 *
 * Return: ns; 0: there is no upper mesh; INFINITY: it has no UTC.
 */
double coordinator_upper_utc_ns(const struct coordinator *c);

/**
 * coordinator_compare() - how far the common time is from UTC, and what may be wrong with that
 * @c: the coordinator, with a solution; @has_utc and what it covers is written
 *
 * Return: @has_utc; false as well if the hosts that report UTC disagree.
 */
bool coordinator_compare(struct coordinator *c);

/**
 * coordinator_begins_at_utc() - is a common time to begin at UTC?
 * @c: the coordinator, after coordinator_compare() returned true
 *
 * A common time that UTC was never known in may be anywhere (datum.h, chrony's makestep), as may
 * one of an upper mesh that began anew.  The rate of a mean of clocks may be wrong by more than
 * is slewed.
 *
 * Return: true if it is.
 */
bool coordinator_begins_at_utc(const struct coordinator *c);

/**
 * coordinator_keeps_leap() - does UTC in the last solution's common time still hold?
 * @c: the coordinator
 * @window: number
 * @timeline: of the common time
 *
 * Return: true if this host solved one of the last windows in that common time.
 */
bool coordinator_keeps_leap(const struct coordinator *c, uint64_t window, uint32_t timeline);

/**
 * coordinator_find_leap() - UTC in a common time
 * @c: the coordinator, with @prior; @leap is written
 * @goes_on: what @leap has still holds; else it is what most hosts report
 */
void coordinator_find_leap(struct coordinator *c, bool goes_on);

/**
 * coordinator_hear_leap() - what kernels of hosts that report UTC say of it, or the upper mesh
 * @c: the coordinator, with @utc; @leap is written
 *
 * A leap second counts if more than half of these hosts announce it, and TAI less UTC if
 * more than half of those that were told have the same.
 */
void coordinator_hear_leap(struct coordinator *c);

/**
 * coordinator_tells_utc() - is it known which second a host's UTC is?
 * @c: the coordinator
 * @host: index of a host that reports UTC
 *
 * Return: false while a leap second is close, if the host has no common time yet.
 */
bool coordinator_tells_utc(const struct coordinator *c, uint32_t host);

/**
 * coordinator_utc() - a host's report of UTC, as time that counts all seconds
 * @c: the coordinator
 * @host: index of a host that reports UTC
 *
 * While a leap second is close, a clock that has taken it and one that has not show the same.
 *
 * Return: correction that makes that of local time.
 */
struct line coordinator_utc(const struct coordinator *c, uint32_t host);

/**
 * coordinator_leap_second() - has UTC taken a leap second that nobody announced?
 * @c: the coordinator, after coordinator_compare() returned true; @leap is written
 * @reference: index of the host whose UTC it is
 * @window: number
 *
 * It has if it is a second from where it was, and a month has just ended.
 *
 * Return: true if it has.
 */
bool coordinator_leap_second(struct coordinator *c, uint32_t reference, uint64_t window);

#endif /* HUYGENS_COORDINATOR_PRIVATE_H */
