// SPDX-License-Identifier: GPL-2.0
/*
 * The shared memory of ClockBound.
 */
#include <stdlib.h>
#include <string.h>

#include "clockbound.h"
#include "driver.h"
#include "system.h"

#define CLOCKBOUND_S_NS		1000000000LL
/* From so long before a leap second to so long after it the bound has another second. */
#define CLOCKBOUND_LEAP_NS	(2 * CLOCKBOUND_S_NS)
/* Clients regard a greater growth as a fault. */
#define CLOCKBOUND_DRIFT_MOST	999999999

_Static_assert(sizeof(struct clockbound_shm) == 80, "as the protocol has it");
_Static_assert(offsetof(struct clockbound_shm, as_of) == 16, "same");

static struct clockbound_time clockbound_time(int64_t ns)
{
	return (struct clockbound_time){ ns / CLOCKBOUND_S_NS, ns % CLOCKBOUND_S_NS };
}

/* Never 0 again, which is a file that was not written. */
static uint16_t clockbound_even(uint16_t odd)
{
	uint16_t even = odd + 1;

	return even ? even : 2;
}

static void clockbound_put(struct clockbound *clockbound, const struct clockbound_shm *next)
{
	size_t begin = offsetof(struct clockbound_shm, as_of);
	struct clockbound_shm *file = clockbound->segment.map;
	uint16_t odd = file->generation | 1;

	__atomic_store_n(&file->generation, odd, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy((char *)file + begin, (const char *)next + begin, sizeof(*file) - begin);
	__atomic_store_n(&file->generation, clockbound_even(odd), __ATOMIC_RELEASE);
}

int clockbound_open(struct clockbound *clockbound, const char *path, char *why, size_t size)
{
	struct clockbound_shm *file;

	*clockbound = (struct clockbound){ .segment = SEGMENT_CLOSED };
	if (segment_open(&clockbound->segment, path, sizeof(*file), why, size))
		return -1;
	file = clockbound->segment.map;
	file->magic[0] = CLOCKBOUND_MAGIC_0;
	file->magic[1] = CLOCKBOUND_MAGIC_1;
	file->size = sizeof(*file);
	file->version = CLOCKBOUND_VERSION;
	clockbound_write(clockbound, NULL, 0);
	return 0;
}

/*
 * Clients read CLOCK_MONOTONIC_COARSE, which may be a tick old, so the bound includes the
 * drift of one tick.
 */
static int64_t clockbound_bound_ns(const struct output_line *line, int64_t raw_ns,
				   int64_t real_ns, int64_t drift_ppb)
{
	int64_t off_ns = llabs(real_ns - driver_utc_ns(line, raw_ns));

	/* Each clock takes it at its own midnight, and this is read before and used after it. */
	if (leap_is_close(&line->leap, driver_common_ns(line, raw_ns), CLOCKBOUND_LEAP_NS))
		off_ns += CLOCKBOUND_S_NS;
	return off_ns + driver_max_error_ns(line, raw_ns) + driver_utc_error_ns(line, raw_ns) +
	       drift_ppb * system_tick_ns() / CLOCKBOUND_S_NS + 1;
}

void clockbound_write(struct clockbound *clockbound, const struct output_line *line,
		      int64_t rate_ppb)
{
	struct clockbound_shm next = {
		.marker = clockbound->marker,
		.has_marker = clockbound->has_marker,
	};
	int64_t raw_ns, real_ns, coarse_ns = system_coarse_ns(), drift_ppb;

	next.as_of = clockbound_time(coarse_ns);
	next.void_after = next.as_of;
	if (line && line->utc_error_ns >= 0) {
		system_pair(&raw_ns, &real_ns);
		drift_ppb = line->skew_ppb + line->utc_skew_ppb + rate_ppb;
		next.void_after = clockbound_time(coarse_ns + line->raw_ns + line->valid_ns -
						  raw_ns);
		next.bound_ns = clockbound_bound_ns(line, raw_ns, real_ns, drift_ppb);
		next.drift_ppb = drift_ppb < CLOCKBOUND_DRIFT_MOST ? drift_ppb :
				 CLOCKBOUND_DRIFT_MOST;
		next.status = line->holdover ? CLOCKBOUND_FREE_RUNNING : CLOCKBOUND_SYNCHRONIZED;
	}
	clockbound_put(clockbound, &next);
}
