/* SPDX-License-Identifier: GPL-2.0 */
/*
 * UTC from a clock device that a cloud's hypervisor offers, as AWS's ena, Google's gve,
 * Azure's ptp_hyperv and KVM's ptp_kvm do.  Its packets need not be stamped by it.
 *
 * The device is a sample of UTC with a bound: how it was read, and how far its readings
 * are off their line.  What the clock itself may be wrong is configured.  A clock that
 * was stepped, or is gone, shows nothing until its readings make a line again.
 */
#ifndef HUYGENS_UTC_CLOCK_H
#define HUYGENS_UTC_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock.h"
#include "phc.h"

/* Readings make a line when they span this, as those of CLOCK_REALTIME do. */
#define UTC_CLOCK_SPAN_NS	CLOCK_UTC_NS

/**
 * enum utc_clock_event - what a reading showed
 * @UTC_CLOCK_QUIET: nothing that was not known
 * @UTC_CLOCK_STEPPED: the clock was stepped
 * @UTC_CLOCK_LOST: the device cannot be read any more
 * @UTC_CLOCK_BACK: it can again
 */
enum utc_clock_event {
	UTC_CLOCK_QUIET,
	UTC_CLOCK_STEPPED,
	UTC_CLOCK_LOST,
	UTC_CLOCK_BACK,
};

/**
 * struct utc_clock - one
 * @phc: the device; closed: there is none, or it could not be opened
 * @line: what it shows
 * @lost: it could not be opened, or not be read the last time
 * @error: errno of that
 * @step_ns: by how much it was stepped the last time
 */
struct utc_clock {
	struct phc	phc;
	struct phc_line	line;
	bool		lost;
	int		error;
	int64_t		step_ns;
};

/**
 * utc_clock_open() - begin
 * @utc: zero, or lost; filled
 * @path: of the device
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0, or -1 with errno: then it is lost, and can be opened again.
 */
int utc_clock_open(struct utc_clock *utc, const char *path, char *why, size_t size);

/**
 * utc_clock_sample() - read the device
 * @utc: the clock
 * @clock: local time; its clocks of the system were sampled just before
 *
 * Return: what changed.
 */
enum utc_clock_event utc_clock_sample(struct utc_clock *utc, const struct local_clock *clock);

/**
 * utc_clock_forget() - readings before this are void, as the machine was suspended
 * @utc: the clock
 */
void utc_clock_forget(struct utc_clock *utc);

/**
 * utc_clock_read() - UTC over local time
 * @utc: the clock
 * @clock: local time
 * @line: filled: correction that makes UTC of local time
 * @error_ns: filled: bound of the error of reading the device, over the last seconds
 *
 * Return: false if it is not known.
 */
bool utc_clock_read(const struct utc_clock *utc, const struct local_clock *clock,
		    struct line *line, double *error_ns);

#endif /* HUYGENS_UTC_CLOCK_H */
