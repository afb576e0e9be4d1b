/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Steering CLOCK_REALTIME towards the reference: by frequency alone, but for
 * the first steps, as chrony with makestep, maxslewrate and corrtimeratio.
 *
 * The slewed correction says how fast local time must run; what is missing is removed over
 * three windows, at most at the slew rate, and is gone at their end.
 */
#ifndef HUYGENS_SERVO_H
#define HUYGENS_SERVO_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum that clock_adjtime() accepts: 500 ppm, drift and slew together. */
#define SERVO_FREQUENCY_MOST_PPB	500000.0

#define SERVO_WINDOWS	3

/**
 * struct servo_params - the rules
 * @step_ns: step from this on, among the first @step_updates, 1 ms; 0: never
 * @step_updates: after so many updates never step, 3
 * @max_slew_ppb: of the slew, above 0, 500,000
 * @window_ns: time between updates, above 0
 */
struct servo_params {
	int64_t step_ns;
	uint32_t step_updates;
	double max_slew_ppb;
	int64_t window_ns;
};

/**
 * struct servo - what is under way; zero it to begin
 * @updates: how many there were, stops at the greatest number
 * @slewing: a slew is under way
 * @end_ns: local time when what is missing shall be gone
 */
struct servo {
	uint32_t updates;
	bool slewing;
	int64_t end_ns;
};

/**
 * struct servo_command - what to do to the clock
 * @step: set it, by @step_ns
 * @step_ns: to add to it
 * @frequency_ppb: set its frequency to this, against the undisciplined one:
 *	within +-SERVO_FREQUENCY_MOST_PPB
 * @slew_ppb: part of it that removes what is missing
 * @until_ns: local time when to set it to @after_ppb, if no update came
 * @after_ppb: frequency without slew
 */
struct servo_command {
	bool step;
	int64_t step_ns;
	double frequency_ppb;
	double slew_ppb;
	int64_t until_ns;
	double after_ppb;
};

/**
 * servo_defaults() - the rules' defaults
 * @window_ns: time between updates, above 0
 *
 * Return: the rules.
 */
struct servo_params servo_defaults(int64_t window_ns);

/**
 * servo_update() - compute the command for a new line of the slewed correction
 * @servo: what is under way
 * @p: the rules
 * @now_ns: local time, undisciplined (CLOCK_MONOTONIC_RAW-like)
 * @missing_ns: reference - the disciplined clock, now
 * @drift_ppb: drift of the slewed correction, now: so much faster must the clock run
 *
 * Return: the command.
 */
struct servo_command servo_update(struct servo *servo,
				  const struct servo_params *p, int64_t now_ns,
				  int64_t missing_ns, double drift_ppb);

#endif /* HUYGENS_SERVO_H */
