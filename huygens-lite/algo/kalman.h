/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host's correction, predicted from the windows that were.
 *
 * A window tells the offset at its middle, which is one to four seconds old
 * when it is used, and a drift that is ten times worse than what several
 * windows tell together.  So offset and drift are followed by a Kalman filter
 * of two states whose drift walks at random: few windows if they are good,
 * many if they are noisy.
 */
#ifndef HUYGENS_KALMAN_H
#define HUYGENS_KALMAN_H

#include <stdbool.h>

#include "line.h"

/*
 * Change of a clock's drift in a second: ramps of 5 ppb/s.  A random walk of twice
 * that keeps up with them.
 */
#define KALMAN_WANDER_PPB	10.0

/* Standard deviations in a bound. */
#define KALMAN_SIGMAS		4.0

/*
 * Standard deviation of the drift where nothing is known, and of a drift file at
 * least: since it was written the temperature is another.
 */
#define KALMAN_DRIFT_UNKNOWN_PPB	100000.0
#define KALMAN_DRIFT_FILE_PPB		1000.0

/**
 * struct kalman - what is known of the correction; zero it to begin
 * @known: there was a window
 * @line: offset and drift at the last window's middle
 * @fraction_ns: part of the offset below 1 ns
 * @var_offset: variance of the offset, ns^2
 * @covar: covariance, ns ppb
 * @var_drift: variance of the drift, ppb^2; 0: nothing known yet
 */
struct kalman {
	bool known;
	struct line line;
	double fraction_ns;
	double var_offset;
	double covar;
	double var_drift;
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
 * @wander_ppb: KALMAN_WANDER_PPB, or what is known of the clock
 *
 * Return: false if the window was not taken: old, or numbers out of range.
 */
bool kalman_update(struct kalman *p, const struct kalman_measurement *m,
		   double wander_ppb);

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
 * kalman_std_ns() - standard deviation of the predicted offset
 * @p: the filter
 * @now_ns: local time, not before @p->line.at_ns
 * @wander_ppb: as in kalman_update()
 *
 * Return: ns; 0 if nothing is known.
 */
double kalman_std_ns(const struct kalman *p, int64_t now_ns,
		     double wander_ppb);

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
