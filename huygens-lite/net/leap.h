/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Leap seconds: UTC is put back by one second at the end of a month, or, which has
 * never been, ahead.
 */
#ifndef HUYGENS_LEAP_H
#define HUYGENS_LEAP_H

#include <stdbool.h>
#include <stdint.h>

/* A clock that has taken a leap second is so near to a second from where it was. */
#define LEAP_NEAR_NS	10000000LL
/* Its window ends so long before the month at most. */
#define LEAP_EARLY_S	10
/* So long after a month's end it is taken for one, as it may arrive late. */
#define LEAP_LATE_S	86400

/**
 * leap_is() - is a step of UTC a leap second?
 * @utc_ns: UTC after it, ns since 1970, any
 * @off_ns: by how much UTC is further, any
 *
 * Return: true if it is a second, and a month has just ended.
 */
bool leap_is(int64_t utc_ns, int64_t off_ns);

#endif /* HUYGENS_LEAP_H */
