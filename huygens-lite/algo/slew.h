/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The correction that a host uses: continuous, of straight pieces, and with a
 * bound of its error that grows.
 *
 * When a window brings a new line, the correction does not jump there.  It
 * leaves from where it is and meets the line a little later; from then on it
 * is the line.  So corrected time runs monotonously, at a rate within
 * SLEW_MOST_PPB of the line's, and jumps only on request.
 */
#ifndef HUYGENS_SLEW_H
#define HUYGENS_SLEW_H

#include <stdbool.h>

#include "error_growth.h"
#include "line.h"

/* In which time the new line is met, and by how much the rate may differ. */
#define SLEW_MEET_NS		500000000LL
#define SLEW_MOST_PPB	500000.0

/**
 * struct slew - correction over local time; zero it to begin
 * @known: it has a line
 * @epoch: counts jumps, from 1: times of two epochs do not compare
 * @from: the piece until @meet_ns
 * @meet_ns: local time from which on @line holds
 * @line: the piece from then on, for ever
 * @bound_ns: error bound at @bound_at_ns, of @line
 * @bound_at_ns: when it held
 * @growth: how fast it grows from then on
 * @suspicion_ns: added to the bound until the next line (state.h)
 */
struct slew {
	bool known;
	uint32_t epoch;
	struct line from;
	int64_t meet_ns;
	struct line line;
	double bound_ns;
	int64_t bound_at_ns;
	struct error_growth growth;
	double suspicion_ns;
};

/**
 * struct slew_target - a new line
 * @line: the line
 * @bound_ns: error bound at @line.at_ns, 0 or more
 * @growth: its growth from then on
 * @meet_ns: in which time to meet it, above 0: SLEW_MEET_NS
 * @slew_most_ppb: by how much the rate may differ from the line's meanwhile,
 *	above 0, at most SLEW_MOST_PPB; meeting takes longer if need be
 */
struct slew_target {
	struct line line;
	double bound_ns;
	struct error_growth growth;
	int64_t meet_ns;
	double slew_most_ppb;
};

/**
 * struct slew_value - what the slewed correction says at a time
 * @x_ns: correction: reference = local + x
 * @drift_ppb: its growth now
 * @bound_ns: the error is less
 * @until_ns: local time until which @drift_ppb holds; INT64_MAX: no change is
 *	planned.  A publisher of lines publishes a new one then.
 * @epoch: counts jumps
 */
struct slew_value {
	int64_t x_ns;
	double drift_ppb;
	double bound_ns;
	int64_t until_ns;
	uint32_t epoch;
};

/**
 * slew_step() - jump to a line
 * @slew: the slewed correction
 * @aim: the line; @meet_ns and @slew_most_ppb do not matter
 *
 * Only the first lines, and those after UNSYNC, may do that.
 */
void slew_step(struct slew *slew, const struct slew_target *aim);

/**
 * slew_to() - meet a line without a jump
 * @slew: the slewed correction; one that has no line yet jumps
 * @now_ns: local time
 * @aim: the line
 */
void slew_to(struct slew *slew, int64_t now_ns,
	     const struct slew_target *aim);

/**
 * slew_widen() - widen the bound for good
 * @slew: the slewed correction; without a line nothing happens
 * @ns: by so much, 0 or more
 */
void slew_widen(struct slew *slew, double ns);

/**
 * slew_suspect() - widen the bound until the next line
 * @slew: the slewed correction
 * @suspicion_ns: by what; the greatest since the last line counts
 */
void slew_suspect(struct slew *slew, double suspicion_ns);

/**
 * slew_grow() - let the bound grow at another rate from now on
 * @slew: the slewed correction
 * @now_ns: local time
 * @growth: from now on
 */
void slew_grow(struct slew *slew, int64_t now_ns,
	       const struct error_growth *growth);

/**
 * slew_at() - correction, rate and bound
 * @slew: the slewed correction, which has a line
 * @now_ns: local time
 *
 * Return: what it says; all 0 if it has no line.
 */
struct slew_value slew_at(const struct slew *slew, int64_t now_ns);

/**
 * slew_stale_ns() - the bound while a published piece stays in use
 * @slew: the slewed correction, which has a line
 * @since_ns: local time when that piece was published
 * @now_ns: local time, not before @since_ns
 *
 * A receiver of a slew that receives no later line slews beyond its end.
 *
 * Return: ns; 0 if it has no line.
 */
double slew_stale_ns(const struct slew *slew, int64_t since_ns,
		     int64_t now_ns);

#endif /* HUYGENS_SLEW_H */
