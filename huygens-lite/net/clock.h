/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The local time of this host, in which all stamps are expressed.
 *
 * With software stamps it is CLOCK_MONOTONIC_RAW and a constant, so that neither
 * another program nor our own steering turns it: stamps of CLOCK_REALTIME are
 * brought there by what both clocks showed before the stamp was taken and after it.
 * With hardware stamps it is the NIC's clock, in which the stamps are already.
 *
 * With hardware stamps of what comes alone it is the system's, as with software stamps, and
 * those stamps are brought there by readings of both clocks.  If these are wrong by e, all
 * that comes seems to come e late, on every edge alike: each edge is off by e / 2, and so is
 * this host's clock, but no other's.
 *
 * While the machine is suspended CLOCK_MONOTONIC_RAW stops; what it missed is added
 * to the constant (suspend.h).
 *
 * A clock that is not where the line of its last readings leads was stepped.
 */
#ifndef HUYGENS_CLOCK_H
#define HUYGENS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "../algo/line.h"
#include "nic.h"
#include "phc_line.h"
#include "reading.h"

/* The slope of REALTIME is of the last readings so far apart. */
#define CLOCK_SLOPE_NS		50000000
/* And for its followers: reading it is off by 100 ns, which is 0.2 ppm then. */
#define CLOCK_UTC_NS		500000000
/*
 * Samples of REALTIME that are kept for the stamps between them, and how far apart
 * they are at least: the socket is emptied every 10 ms, with several samples.
 */
#define CLOCK_KEPT		16
#define CLOCK_KEPT_NS		2000000

/**
 * struct clock_debug - a clock made worse, for tests; added to what is true
 * @offset_ns: to local time
 * @drift_ppb: same, growing from when the daemon began
 * @step_ns: to CLOCK_REALTIME, from @step_at_ns on
 * @step_at_ns: since the daemon began
 */
struct clock_debug {
	int64_t	offset_ns;
	double	drift_ppb;
	int64_t	step_ns;
	int64_t	step_at_ns;
};

/**
 * struct clock_real - CLOCK_REALTIME over CLOCK_MONOTONIC_RAW, by which its shots are
 * @known: there is a reading
 * @last: the latest
 * @anchor: one at least CLOCK_SLOPE_NS before it
 * @slope: of the line, a ratio
 * @kept: samples that were kept since the clock was stepped
 * @sample: the latest of them, by number modulo CLOCK_KEPT; @last may not be one
 */
struct clock_real {
	bool		known;
	struct reading	last;
	struct reading	anchor;
	double		slope;
	uint64_t	kept;
	struct reading	sample[CLOCK_KEPT];
};

/**
 * struct local_clock - local time
 * @nic: the NIC, if @hardware or @receive
 * @hardware: local time is the NIC's
 * @receive: local time is the system's, and what comes is stamped by the NIC
 * @base_ns: local time less raw, if not
 * @real: CLOCK_REALTIME
 * @phc: the NIC's clock
 * @utc: reading of REALTIME from which its next slope is taken
 * @utc_slope: of REALTIME as the line has it, a ratio; NaN: not known yet
 * @debug: what is added
 * @began_ns: raw
 * @steps: that were seen
 */
struct local_clock {
	struct nic		nic;
	bool			hardware;
	bool			receive;
	int64_t			base_ns;
	struct clock_real	real;
	struct phc_line		phc;
	struct reading		utc;
	double			utc_slope;
	struct clock_debug	debug;
	int64_t			began_ns;
	uint64_t		steps;
};

/**
 * struct clock_line - local time over CLOCK_MONOTONIC_RAW
 * @raw_ns: where
 * @local_ns: local time there
 * @drift: how much faster local time runs, a ratio
 * @error_ns: bound of the line's error, until the next sample
 * @skew: how fast that grows if the line is used for longer, a ratio, 0 or more
 */
struct clock_line {
	int64_t	raw_ns;
	int64_t	local_ns;
	double	drift;
	int64_t	error_ns;
	double	skew;
};

/**
 * clock_begin() - begin
 * @clock: filled
 * @nic: whose stamps are used, and of NIC_BOTH whose clock is local time; NULL: the system's
 * @debug: what is added to it
 */
void clock_begin(struct local_clock *clock, const struct nic *nic,
		 const struct clock_debug *debug);

/**
 * clock_sample() - read the clocks
 * @clock: local time
 *
 * To be called every 100 ms, and before stamps are brought to local time.
 *
 * Return: true if one was stepped: stamps since the last sample are void.
 */
bool clock_sample(struct local_clock *clock);

/**
 * clock_phc_reading() - a clock device over CLOCK_MONOTONIC_RAW
 * @clock: local time, sampled since the device was read
 * @phc_ns: what the device showed
 * @real_ns: CLOCK_REALTIME at that time
 * @half_ns: by how much that can be wrong
 *
 * Return: the reading.
 */
struct reading clock_phc_reading(const struct local_clock *clock, int64_t phc_ns,
				 int64_t real_ns, int64_t half_ns);

/**
 * clock_local_ns() - local time at a raw time
 * @clock: local time
 * @raw_ns: CLOCK_MONOTONIC_RAW, lately
 *
 * Return: ns.
 */
int64_t clock_local_ns(const struct local_clock *clock, int64_t raw_ns);

/**
 * clock_sample_nic() - the same of the NIC's clock, which is a system call
 * @clock: local time, with a NIC
 *
 * Return: 0; 1 if it was stepped; -1 if it cannot be read.
 */
int clock_sample_nic(struct local_clock *clock);

/**
 * clock_wake() - the machine was suspended
 * @clock: local time; the system's goes on as if it had not stopped
 * @asleep_ns: for how long
 * @shift_ns: filled: by how much local time was stepped besides, as a NIC's may be
 *	that was without power
 *
 * Stamps since the last sample are void.
 *
 * Return: 0, or -1 if the NIC's clock cannot be read.
 */
int clock_wake(struct local_clock *clock, int64_t asleep_ns, int64_t *shift_ns);

/**
 * clock_real_ns() - CLOCK_REALTIME
 * @clock: local time
 *
 * Return: ns, with what tests add to it.
 */
int64_t clock_real_ns(const struct local_clock *clock);

/**
 * clock_now() - local time
 * @clock: local time
 *
 * Return: ns.
 */
int64_t clock_now(const struct local_clock *clock);

/**
 * clock_of_soft() - local time of a software stamp
 * @clock: local time of the system's, looked at since the stamp was taken
 * @real_ns: the stamp
 *
 * REALTIME may be turned at any time, so a stamp is on the line between the samples
 * before it and after it.
 *
 * Return: ns.
 */
int64_t clock_of_soft(const struct local_clock *clock, int64_t real_ns);

/**
 * clock_of_hard() - local time of a hardware stamp
 * @clock: local time, with a NIC
 * @nic_ns: the stamp
 *
 * Return: ns.
 */
int64_t clock_of_hard(const struct local_clock *clock, int64_t nic_ns);

/**
 * clock_has_nic() - is there a NIC whose stamps count?
 * @clock: local time
 *
 * Return: true if there is, of what is sent or not.
 */
static inline bool clock_has_nic(const struct local_clock *clock)
{
	return clock->hardware || clock->receive;
}

/**
 * clock_knows_nic() - is the NIC's rate known, so that its stamps can be used?
 * @clock: local time, with a NIC
 *
 * Return: true once there are two readings.
 */
bool clock_knows_nic(const struct local_clock *clock);

/**
 * clock_line() - local time over CLOCK_MONOTONIC_RAW
 * @clock: local time
 *
 * Return: the line, from now on.
 */
struct clock_line clock_line(const struct local_clock *clock);

/**
 * clock_utc() - CLOCK_REALTIME over local time, if somebody disciplines it
 * @clock: local time, looked at just now: here no sample is taken, whose step nobody
 *	would hear of; the slope is of two samples at least CLOCK_UTC_NS apart:
 *	when it was last requested, or began or was stepped, and the last call since
 * @line: filled: correction that makes REALTIME of local time
 * @error_ns: filled: bound of its error, as the kernel has it
 *
 * Return: false if the kernel says that REALTIME is not synchronised, or since the
 * begin, or a step, CLOCK_UTC_NS have not passed.
 */
bool clock_utc(struct local_clock *clock, struct line *line, double *error_ns);

/**
 * clock_leap() - what the kernel was told of UTC
 * @step: filled: a leap second at the end of the day of UTC: 1: one is inserted, -1: deleted,
 *	0: none
 * @tai: filled: TAI less UTC, s; 0: it was not told, which a value below LEAP_TAI_LEAST means
 *
 * A program that disciplines CLOCK_REALTIME may tell the one and not the other.
 */
void clock_leap(int8_t *step, uint16_t *tai);

/**
 * clock_fall_back() - software stamps from now on
 * @clock: local time, with a NIC; goes on from where it is, at the rate of the
 *	system's
 */
void clock_fall_back(struct local_clock *clock);

#endif /* HUYGENS_CLOCK_H */
