/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line of a clock, predicted from the windows that were: of a host's correction, or of
 * the difference between the two clocks of an edge.
 *
 * A window tells the offset at its middle, which is one to four seconds old when it is used,
 * and a drift that is ten times worse than that which several windows tell together.  So a
 * Kalman filter follows three states: the offset, the drift, and the ramp, which is the change
 * of the drift in a second.  It averages few windows if they are good, and many if they are noisy.
 *
 * While a machine becomes warmer or colder the drift changes at a steady rate for some time.
 * Without the third state the drift has to be a random walk that keeps up with this, and the
 * filter lags and forgets early.
 */
#ifndef HUYGENS_KALMAN_H
#define HUYGENS_KALMAN_H

#include <stdbool.h>

#include "line.h"

/**
 * struct kalman_clock - how the drift of a clock changes
 * @walk_ppb: standard deviation of its random walk in a second, 0 or more
 * @ramp_ppb: standard deviation of its ramp, ppb a second, 0 or more; 0: it has none
 * @ramp_s: time in which a ramp becomes another, s, above 0
 */
struct kalman_clock {
	double walk_ppb;
	double ramp_ppb;
	double ramp_s;
};

/*
 * A host's clock: ramps of 5 ppb/s, as those of the error growth (error_growth.h), that last
 * for a minute or so.  Crystals walk by about 1 ppb in a second; three times as much costs nothing.
 */
#define KALMAN_HOST_CLOCK	((struct kalman_clock){ 3, 5, 50 })

/* Standard deviations in a bound. */
#define KALMAN_SIGMAS		4.0

/*
 * Standard deviation of the drift where nothing is known, and of a drift file at
 * least: since it was written the temperature is another.
 */
#define KALMAN_DRIFT_UNKNOWN_PPB	100000.0
#define KALMAN_DRIFT_FILE_PPB		1000.0

/**
 * enum kalman_state - what is followed
 * @KALMAN_OFFSET: the offset, ns
 * @KALMAN_DRIFT: its growth, ppb
 * @KALMAN_RAMP: the growth of the drift, ppb a second
 * @KALMAN_STATES: how many these are
 */
enum kalman_state {
	KALMAN_OFFSET,
	KALMAN_DRIFT,
	KALMAN_RAMP,
	KALMAN_STATES,
};

/**
 * struct kalman - what is known of the line; zero it to begin
 * @known: there was a window
 * @line: offset and drift at the last window's middle
 * @fraction_ns: part of the offset below 1 ns
 * @ramp_ppb: change of the drift in a second
 * @var: covariances of the states; that of the drift is 0 as long as nothing is known of it
 */
struct kalman {
	bool known;
	struct line line;
	double fraction_ns;
	double ramp_ppb;
	double var[KALMAN_STATES][KALMAN_STATES];
};

/**
 * struct kalman_measurement - a window's solution
 * @line: offset and drift, at the window's middle
 * @std_ns: standard deviation of the offset, 0 or more
 * @std_ppb: that of the drift, 0 or more
 * @keep_drift: leave the drift of the window alone (state.h)
 */
struct kalman_measurement {
	struct line line;
	double std_ns;
	double std_ppb;
	bool keep_drift;
};

/**
 * kalman_drift() - begin with a drift that is known from before
 * @p: the filter, zeroed
 * @drift_ppb: from the drift file, within +-EDGE_DRIFT_MOST_PPB
 * @std_ppb: its standard deviation, above 0
 */
void kalman_drift(struct kalman *p, double drift_ppb, double std_ppb);

/**
 * kalman_update() - take a window
 * @p: the filter
 * @m: its solution; a window not after the last one changes nothing
 * @clock: how the clock changes
 *
 * Return: false if the window was not taken: old, or numbers out of range.
 */
bool kalman_update(struct kalman *p, const struct kalman_measurement *m,
		   const struct kalman_clock *clock);

/**
 * kalman_widen() - widen the state: the reference moved by an unknown amount
 * @p: the filter; without a window nothing happens
 * @std_ns: standard deviation of that, 0 or more
 * @std_ppb: that of its rate, 0 or more
 */
void kalman_widen(struct kalman *p, double std_ns, double std_ppb);

/**
 * kalman_forget() - the clock was stepped: the offset is void, the drift not
 * @p: the filter
 */
void kalman_forget(struct kalman *p);

/**
 * kalman_at() - what is known at another time
 * @p: the filter; there was a window
 * @now_ns: local time
 * @clock: as in kalman_update()
 *
 * Return: the filter at @now_ns, whose line is the tangent there of the predicted offset; @p
 * itself if that is before the last window's middle.
 */
struct kalman kalman_at(const struct kalman *p, int64_t now_ns,
			const struct kalman_clock *clock);

/**
 * kalman_tangent() - the line to go by at a later time
 * @p: the filter; there was a window
 * @now_ns: local time
 * @clock: as in kalman_update()
 *
 * Return: the tangent of kalman_at(), from the last window's middle on, of which the bound is.
 */
struct line kalman_tangent(const struct kalman *p, int64_t now_ns,
			   const struct kalman_clock *clock);

/**
 * kalman_std_ns() - standard deviation of the offset
 * @p: the filter
 *
 * Return: ns, at @p->line.at_ns; 0 if nothing is known.
 */
double kalman_std_ns(const struct kalman *p);

/**
 * kalman_drift_std_ppb() - standard deviation of the drift
 * @p: the filter
 *
 * Return: ppb, at @p->line.at_ns; 0 if nothing is known.
 */
double kalman_drift_std_ppb(const struct kalman *p);

/**
 * kalman_window_ns() - the bound of a solution by itself
 * @std_ns: its standard deviation
 * @bias_ns: error that its edges allow for
 *
 * Return: ns.
 */
static inline double kalman_window_ns(double std_ns, double bias_ns)
{
	return KALMAN_SIGMAS * std_ns + bias_ns;
}

/**
 * kalman_bound_ns() - the bound that a new line begins with
 * @p: the filter, after the update
 * @std_ns: standard deviation of the window's solution
 * @bias_ns: error that its edges allow for
 * @known_ns: what is known of the line without this window: the bound of the
 *	line before, and how far the two are apart; INFINITY if there was none
 *
 * The filter averages windows, but what they have in common it does not
 * average away: the bound is not below that of one window.  A window that is
 * worth little, though, takes nothing away from what was known.
 *
 * Return: ns, at @p->line.at_ns.
 */
double kalman_bound_ns(const struct kalman *p, double std_ns, double bias_ns,
		       double known_ns);

#endif /* HUYGENS_KALMAN_H */
