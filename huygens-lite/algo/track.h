/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The correction that a host uses: continuous, of straight pieces, and with a
 * bound of its error that grows.
 *
 * When a window brings a new line, the correction does not jump there.  It
 * leaves from where it is and meets the line a little later; from then on it
 * is the line.  So corrected time runs monotonously, at a rate within
 * TRACK_SLEW_MOST_PPB of the line's, and jumps only where it is told to.
 */
#ifndef HUYGENS_TRACK_H
#define HUYGENS_TRACK_H

#include <stdbool.h>

#include "growth.h"
#include "line.h"

/* In which time the new line is met, and by how much the rate may differ. */
#define TRACK_MEET_NS		500000000LL
#define TRACK_SLEW_MOST_PPB	500000.0

/**
 * struct track - correction over local time; zero it to begin
 * @known: it has a line
 * @epoch: counts jumps, from 1: times of two epochs do not compare
 * @from: the piece until @meet_ns
 * @meet_ns: local time from which on @line holds
 * @line: the piece from then on, for ever
 * @bound_ns: error bound at @bound_at_ns, of @line
 * @bound_at_ns: when it held
 * @growth: how fast it grows from then on
 * @doubt_ns: added to the bound until the next line (state.h)
 */
struct track {
	bool known;
	uint32_t epoch;
	struct line from;
	int64_t meet_ns;
	struct line line;
	double bound_ns;
	int64_t bound_at_ns;
	struct growth growth;
	double doubt_ns;
};

/**
 * struct track_aim - a new line
 * @line: the line
 * @bound_ns: error bound at @line.at_ns, 0 or more
 * @growth: its growth from then on
 * @meet_ns: in which time to meet it, above 0: TRACK_MEET_NS
 * @slew_most_ppb: by how much the rate may differ from the line's meanwhile,
 *	above 0, at most TRACK_SLEW_MOST_PPB; meeting takes longer if need be
 */
struct track_aim {
	struct line line;
	double bound_ns;
	struct growth growth;
	int64_t meet_ns;
	double slew_most_ppb;
};

/**
 * struct track_now - what the track says at a time
 * @x_ns: correction: reference = local + x
 * @drift_ppb: its growth now
 * @bound_ns: the error is less
 * @until_ns: local time until which @drift_ppb holds; INT64_MAX: no change is
 *	planned.  Who publishes lines publishes a new one then.
 * @epoch: counts jumps
 */
struct track_now {
	int64_t x_ns;
	double drift_ppb;
	double bound_ns;
	int64_t until_ns;
	uint32_t epoch;
};

/**
 * track_step() - jump to a line
 * @track: the track
 * @aim: the line; @meet_ns and @slew_most_ppb do not matter
 *
 * Only the first lines, and those after UNSYNC, may do that.
 */
void track_step(struct track *track, const struct track_aim *aim);

/**
 * track_slew() - meet a line without a jump
 * @track: the track; one that has no line yet jumps
 * @now_ns: local time
 * @aim: the line
 */
void track_slew(struct track *track, int64_t now_ns,
		const struct track_aim *aim);

/**
 * track_widen() - widen the bound for good
 * @track: the track; without a line nothing happens
 * @ns: by so much, 0 or more
 */
void track_widen(struct track *track, double ns);

/**
 * track_doubt() - widen the bound until the next line
 * @track: the track
 * @doubt_ns: by what; the greatest since the last line counts
 */
void track_doubt(struct track *track, double doubt_ns);

/**
 * track_grow() - let the bound grow at another rate from now on
 * @track: the track
 * @now_ns: local time
 * @growth: from now on
 */
void track_grow(struct track *track, int64_t now_ns,
		const struct growth *growth);

/**
 * track_at() - correction, rate and bound
 * @track: the track, which has a line
 * @now_ns: local time
 *
 * Return: what it says; all 0 if the track has no line.
 */
struct track_now track_at(const struct track *track, int64_t now_ns);

/**
 * track_stale_ns() - the bound for who goes on with a piece that was told
 * @track: the track, which has a line
 * @told_ns: local time when it was told what holds then
 * @now_ns: local time, not before @told_ns
 *
 * Whoever was told of a slew and hears nothing more slews beyond its end.
 *
 * Return: ns; 0 if the track has no line.
 */
double track_stale_ns(const struct track *track, int64_t told_ns,
		      int64_t now_ns);

#endif /* HUYGENS_TRACK_H */
