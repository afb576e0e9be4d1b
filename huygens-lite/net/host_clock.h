/* SPDX-License-Identifier: GPL-2.0 */
/*
 * This host's correction: solutions in, what to accept of them by the algorithms of
 * state, Kalman filter and slew, the common time out.
 *
 * Pure.
 */
#ifndef HUYGENS_HOST_CLOCK_H
#define HUYGENS_HOST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "../conf/conf.h"
#include "../algo/kalman.h"
#include "../algo/state.h"
#include "../algo/slew.h"
#include "wire.h"

/**
 * struct host_clock - what is known
 * @params: rules of the machine
 * @window_ns: time between windows
 * @least_ppb: growth of the bound at least, once the drift is learned
 * @most_ppb: and at most
 * @slew_ppb: by how much the common time may be turned to its reference
 * @state: the machine
 * @kalman: filter of offsets and drifts
 * @slew: the correction in use
 * @timeline: of the common time, as last received; 0: none
 * @leap: UTC in it
 * @window: last one that came
 * @taken: it was taken; else what follows is of one before
 * @at_ns: its instant, local time
 * @offset_ns: the correction then, as that window alone has it
 * @change_ns: by how much it changed the correction
 * @changes: how many count in @change_square
 * @change_square: running mean of their squares
 * @std_ppb: of the last drift
 * @asymmetry_ns: what directions that differ may add to the error, which is in no bound of
 *	@slew; the greatest of the windows that count in the correction
 * @turned_ppb: by how much its rate may have changed since the last window but one, as that
 *	window was further from the line than both their bounds; 0: it was not
 * @has_utc: UTC was known in this common time, and the next two count
 * @utc_at_ns: local time when it was last
 * @utc_error_ns: how far the common time might be from UTC then
 * @upper: epoch of the upper mesh, as last received, and the next two count; 0: there is none
 * @upper_at_ns: local time then
 * @upper_error_ns: how far the common time might be from that of the upper mesh then
 */
struct host_clock {
	struct state_params	params;
	int64_t			window_ns;
	double			least_ppb;
	double			most_ppb;
	double			slew_ppb;
	struct state		state;
	struct kalman		kalman;
	struct slew		slew;
	uint32_t		timeline;
	struct leap		leap;
	uint64_t		window;
	bool			taken;
	int64_t			at_ns;
	int64_t			offset_ns;
	int64_t			change_ns;
	uint32_t		changes;
	double			change_square;
	double			std_ppb;
	double			asymmetry_ns;
	double			turned_ppb;
	bool			has_utc;
	int64_t			utc_at_ns;
	double			utc_error_ns;
	uint32_t		upper;
	int64_t			upper_at_ns;
	double			upper_error_ns;
};

/**
 * host_clock_begin() - nothing is known
 * @host_clock: filled
 * @conf: the rules
 * @now_ns: local time
 */
void host_clock_begin(struct host_clock *host_clock, const struct huygens_conf *conf,
		      int64_t now_ns);

/**
 * host_clock_rules() - rules of a new configuration
 * @host_clock: goes on
 * @conf: the rules
 */
void host_clock_rules(struct host_clock *host_clock, const struct huygens_conf *conf);

/**
 * host_clock_drift() - set the drift that the last run learned
 * @host_clock: just begun
 * @drift_ppb: how much too slow local time is
 * @skew_ppb: standard deviation of that when it was written, 0 or more; it is
 *	not accepted to be below KALMAN_DRIFT_FILE_PPB now
 */
void host_clock_drift(struct host_clock *host_clock, double drift_ppb, double skew_ppb);

/**
 * host_clock_update() - a solution came
 * @host_clock: goes on
 * @now_ns: local time
 * @solution: of a window after @host_clock->window
 * @row: this host's
 *
 * Return: true if it was taken.
 */
bool host_clock_update(struct host_clock *host_clock, int64_t now_ns,
		       const struct wire_solution *solution,
		       const struct wire_row *row);

/**
 * host_clock_tick() - time passed
 * @host_clock: goes on
 * @now_ns: local time
 *
 * Return: true if the phase is another now.
 */
bool host_clock_tick(struct host_clock *host_clock, int64_t now_ns);

/**
 * host_clock_shift() - local time itself was stepped
 * @host_clock: only its drift is still known
 * @now_ns: local time
 */
void host_clock_shift(struct host_clock *host_clock, int64_t now_ns);

/**
 * host_clock_forget() - local time, or the common time, is another, of another rate
 * @host_clock: nothing is known any more
 * @now_ns: local time
 */
void host_clock_forget(struct host_clock *host_clock, int64_t now_ns);

/**
 * host_clock_report() - what a host reports of its own correction
 * @host_clock: what is known
 * @head: beginning of the report, with its middle_ns; the rest is filled as far as it is known
 */
void host_clock_report(const struct host_clock *host_clock, struct wire_edges *head);

/**
 * host_clock_utc_growth() - how fast the distance of the common time from UTC may grow
 * @host_clock: what is known
 *
 * The common time's rate is as wrong as that of a clock whose drift was not learned, and it
 * may be turned to its reference.
 *
 * Return: ppb.
 */
double host_clock_utc_growth(const struct host_clock *host_clock);

/**
 * host_clock_utc_error() - how far the common time may be from UTC
 * @host_clock: what is known
 * @now_ns: local time
 *
 * Return: ns; INFINITY: UTC is not known in this common time.
 */
double host_clock_utc_error(const struct host_clock *host_clock, int64_t now_ns);

/**
 * host_clock_upper_error() - how far the common time may be from that of the upper mesh
 * @host_clock: what is known
 * @now_ns: local time
 *
 * It grows as the error of UTC does.
 *
 * Return: ns; INFINITY: there is no upper mesh, or it is not known.
 */
double host_clock_upper_error(const struct host_clock *host_clock, int64_t now_ns);

/**
 * host_clock_is_valid() - may the correction be used?
 * @host_clock: what is known
 *
 * Return: true in ACQUIRE, LOCKED and HOLDOVER.
 */
bool host_clock_is_valid(const struct host_clock *host_clock);

#endif /* HUYGENS_HOST_CLOCK_H */
