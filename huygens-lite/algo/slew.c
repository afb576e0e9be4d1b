// SPDX-License-Identifier: GPL-2.0
/*
 * Straight pieces, one after the other.
 */
#include <math.h>

#include "slew.h"

static int64_t slew_later(int64_t now_ns, double ns)
{
	int64_t then;

	if (__builtin_add_overflow(now_ns, line_round(ns), &then))
		return INT64_MAX;
	return then;
}

static void slew_bound(struct slew *slew, const struct slew_target *aim)
{
	slew->line = aim->line;
	slew->bound_ns = aim->bound_ns;
	slew->bound_at_ns = aim->line.at_ns;
	slew->growth = aim->growth;
	slew->suspicion_ns = 0;
}

void slew_step(struct slew *slew, const struct slew_target *aim)
{
	slew->known = true;
	slew->epoch++;
	slew->from = aim->line;
	slew->meet_ns = aim->line.at_ns;
	slew_bound(slew, aim);
}

void slew_to(struct slew *slew, int64_t now_ns, const struct slew_target *aim)
{
	double missing, time;
	struct line from;

	if (!slew->known) {
		slew_step(slew, aim);
		return;
	}
	from.at_ns = now_ns;
	from.offset_ns = slew_at(slew, now_ns).x_ns;
	missing = (double)(line_at(&aim->line, now_ns) - from.offset_ns);
	time = fmax((double)aim->meet_ns, fabs(missing) / aim->slew_most_ppb * 1e9);
	from.drift_ppb = aim->line.drift_ppb + missing / time * 1e9;
	slew->from = from;
	slew->meet_ns = slew_later(now_ns, time);
	slew_bound(slew, aim);
}

void slew_widen(struct slew *slew, double ns)
{
	if (slew->known)
		slew->bound_ns += ns;
}

void slew_suspect(struct slew *slew, double suspicion_ns)
{
	slew->suspicion_ns = fmax(slew->suspicion_ns, suspicion_ns);
}

/* Bound of the line; a slew in progress is added to it. */
static double slew_line_bound(const struct slew *slew, int64_t now_ns)
{
	return slew->bound_ns +
	       error_growth_ns(&slew->growth, now_ns - slew->bound_at_ns);
}

void slew_grow(struct slew *slew, int64_t now_ns,
	       const struct error_growth *growth)
{
	if (now_ns > slew->bound_at_ns) {
		slew->bound_ns = slew_line_bound(slew, now_ns);
		slew->bound_at_ns = now_ns;
	}
	slew->growth = *growth;
}

/* The piece that holds at a time. */
static const struct line *slew_piece(const struct slew *slew, int64_t now_ns)
{
	return now_ns < slew->meet_ns ? &slew->from : &slew->line;
}

/* Bound of a piece. */
static double slew_piece_bound(const struct slew *slew,
			       const struct line *piece, int64_t now_ns)
{
	int64_t off_ns = line_at(piece, now_ns) - line_at(&slew->line, now_ns);

	return slew_line_bound(slew, now_ns) + slew->suspicion_ns +
	       fabs((double)off_ns);
}

double slew_stale_ns(const struct slew *slew, int64_t since_ns, int64_t now_ns)
{
	if (!slew->known)
		return 0;
	return slew_piece_bound(slew, slew_piece(slew, since_ns), now_ns);
}

struct slew_value slew_at(const struct slew *slew, int64_t now_ns)
{
	const struct line *line = slew_piece(slew, now_ns);
	struct slew_value now = { 0 };

	if (!slew->known)
		return now;
	now.x_ns = line_at(line, now_ns);
	now.drift_ppb = line->drift_ppb;
	now.bound_ns = slew_piece_bound(slew, line, now_ns);
	now.until_ns = line == &slew->from ? slew->meet_ns : INT64_MAX;
	now.epoch = slew->epoch;
	return now;
}
