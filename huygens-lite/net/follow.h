/* SPDX-License-Identifier: GPL-2.0 */
/*
 * This host's correction: solutions in, what to believe of them by the algorithms of
 * state, prediction and track, the common time out.
 *
 * Pure.
 */
#ifndef HUYGENS_FOLLOW_H
#define HUYGENS_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "../conf/conf.h"
#include "../algo/predict.h"
#include "../algo/state.h"
#include "../algo/track.h"
#include "wire.h"

/**
 * struct follow - what is known
 * @params: rules of the machine
 * @least_ppb: growth of the bound at least, once the drift is learned
 * @most_ppb: and at most
 * @slew_ppb: by how much the common time may be turned to its reference
 * @state: the machine
 * @predict: filter of offsets and drifts
 * @track: the correction in use
 * @timeline: of the common time, as it was told last; 0: none
 * @window: last one that came
 * @taken: it was taken; else what follows is of one before
 * @at_ns: its instant, local time
 * @offset_ns: the correction then, as that window alone has it
 * @change_ns: by how much it changed the correction
 * @changes: how many count in @change_square
 * @change_square: running mean of their squares
 * @std_ppb: of the last drift
 */
struct follow {
	struct state_params	params;
	double			least_ppb;
	double			most_ppb;
	double			slew_ppb;
	struct state		state;
	struct predict		predict;
	struct track		track;
	uint32_t		timeline;
	uint64_t		window;
	bool			taken;
	int64_t			at_ns;
	int64_t			offset_ns;
	int64_t			change_ns;
	uint32_t		changes;
	double			change_square;
	double			std_ppb;
};

/**
 * follow_begin() - nothing is known
 * @follow: filled
 * @conf: the rules
 * @now_ns: local time
 */
void follow_begin(struct follow *follow, const struct huygens_conf *conf,
		  int64_t now_ns);

/**
 * follow_rules() - rules of a new configuration
 * @follow: goes on
 * @conf: the rules
 */
void follow_rules(struct follow *follow, const struct huygens_conf *conf);

/**
 * follow_drift() - what the last run learned
 * @follow: just begun
 * @drift_ppb: how much too slow local time is
 * @skew_ppb: standard deviation of that when it was written, 0 or more; it is
 *	not believed to be below PREDICT_DRIFT_FILE_PPB now
 */
void follow_drift(struct follow *follow, double drift_ppb, double skew_ppb);

/**
 * follow_take() - a solution came
 * @follow: goes on
 * @now_ns: local time
 * @solution: of a window after @follow->window
 * @row: this host's
 *
 * Return: true if it was taken.
 */
bool follow_take(struct follow *follow, int64_t now_ns,
		 const struct wire_solution *solution,
		 const struct wire_row *row);

/**
 * follow_tick() - time passed
 * @follow: goes on
 * @now_ns: local time
 *
 * Return: true if the phase is another now.
 */
bool follow_tick(struct follow *follow, int64_t now_ns);

/**
 * follow_shift() - local time itself was stepped
 * @follow: only its drift is still known
 * @now_ns: local time
 */
void follow_shift(struct follow *follow, int64_t now_ns);

/**
 * follow_forget() - local time, or the common time, is another, of another rate
 * @follow: nothing is known any more
 * @now_ns: local time
 */
void follow_forget(struct follow *follow, int64_t now_ns);

/**
 * follow_is_good() - may the correction be used?
 * @follow: what is known
 *
 * Return: true in ACQUIRE, LOCKED and HOLDOVER.
 */
bool follow_is_good(const struct follow *follow);

#endif /* HUYGENS_FOLLOW_H */
