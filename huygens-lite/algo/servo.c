// SPDX-License-Identifier: GPL-2.0
/*
 * Frequency from drift and what is missing.
 */
#include <math.h>

#include "line.h"
#include "servo.h"

struct servo_params servo_defaults(int64_t window_ns)
{
	return (struct servo_params){
		.step_ns = 1000000,
		.step_updates = 3,
		.max_slew_ppb = 500000,
		.window_ns = window_ns,
	};
}

static double servo_limited(double x, double most)
{
	return fmin(fmax(x, -most), most);
}

static bool servo_steps(const struct servo *servo, const struct servo_params *p,
			int64_t missing_ns)
{
	return p->step_ns > 0 && servo->updates < p->step_updates &&
	       (missing_ns >= p->step_ns || missing_ns <= -p->step_ns);
}

/* How long what is missing may take, ns: what is left of three windows. */
static double servo_time(struct servo *servo, const struct servo_params *p,
			 int64_t now_ns)
{
	if (!servo->slewing || now_ns >= servo->end_ns) {
		servo->slewing = true;
		servo->end_ns = now_ns + SERVO_WINDOWS * p->window_ns;
	}
	return fmax((double)(servo->end_ns - now_ns), (double)p->window_ns);
}

struct servo_command servo_update(struct servo *servo,
				  const struct servo_params *p, int64_t now_ns,
				  int64_t missing_ns, double drift_ppb)
{
	struct servo_command c = { 0 };
	double wanted;

	c.after_ppb = servo_limited(drift_ppb, SERVO_FREQUENCY_MOST_PPB);
	c.frequency_ppb = c.after_ppb;
	c.until_ns = INT64_MAX;
	if (servo_steps(servo, p, missing_ns)) {
		c.step = true;
		c.step_ns = missing_ns;
		servo->slewing = false;
	} else if (missing_ns) {
		wanted = missing_ns / servo_time(servo, p, now_ns) * 1e9;
		wanted = servo_limited(wanted, p->max_slew_ppb);
		c.frequency_ppb = servo_limited(c.after_ppb + wanted,
						SERVO_FREQUENCY_MOST_PPB);
		c.slew_ppb = c.frequency_ppb - c.after_ppb;
		if (c.slew_ppb != 0)
			c.until_ns = now_ns + line_round(missing_ns / c.slew_ppb * 1e9);
	}
	if (servo->updates < UINT32_MAX)
		servo->updates++;
	return c;
}
