// SPDX-License-Identifier: GPL-2.0
/*
 * Straight pieces, one after the other.
 */
#include <math.h>

#include "track.h"

static int64_t track_later(int64_t now_ns, double ns)
{
	int64_t then;

	if (__builtin_add_overflow(now_ns, line_round(ns), &then))
		return INT64_MAX;
	return then;
}

static void track_bound(struct track *track, const struct track_aim *aim)
{
	track->line = aim->line;
	track->bound_ns = aim->bound_ns;
	track->bound_at_ns = aim->line.at_ns;
	track->growth = aim->growth;
	track->doubt_ns = 0;
}

void track_step(struct track *track, const struct track_aim *aim)
{
	track->known = true;
	track->epoch++;
	track->from = aim->line;
	track->meet_ns = aim->line.at_ns;
	track_bound(track, aim);
}

void track_slew(struct track *track, int64_t now_ns, const struct track_aim *aim)
{
	double missing, time;
	struct line from;

	if (!track->known) {
		track_step(track, aim);
		return;
	}
	from.at_ns = now_ns;
	from.offset_ns = track_at(track, now_ns).x_ns;
	missing = (double)(line_at(&aim->line, now_ns) - from.offset_ns);
	time = fmax((double)aim->meet_ns, fabs(missing) / aim->slew_most_ppb * 1e9);
	from.drift_ppb = aim->line.drift_ppb + missing / time * 1e9;
	track->from = from;
	track->meet_ns = track_later(now_ns, time);
	track_bound(track, aim);
}

void track_widen(struct track *track, double ns)
{
	if (track->known)
		track->bound_ns += ns;
}

void track_doubt(struct track *track, double doubt_ns)
{
	track->doubt_ns = fmax(track->doubt_ns, doubt_ns);
}

/* Of the line; a slew that is under way comes on top. */
static double track_line_bound(const struct track *track, int64_t now_ns)
{
	return track->bound_ns +
	       growth_ns(&track->growth, now_ns - track->bound_at_ns);
}

void track_grow(struct track *track, int64_t now_ns,
		const struct growth *growth)
{
	if (now_ns > track->bound_at_ns) {
		track->bound_ns = track_line_bound(track, now_ns);
		track->bound_at_ns = now_ns;
	}
	track->growth = *growth;
}

/* The piece that holds at a time. */
static const struct line *track_piece(const struct track *track, int64_t now_ns)
{
	return now_ns < track->meet_ns ? &track->from : &track->line;
}

/* Of a piece, wherever it leads. */
static double track_piece_bound(const struct track *track,
				const struct line *piece, int64_t now_ns)
{
	int64_t off_ns = line_at(piece, now_ns) - line_at(&track->line, now_ns);

	return track_line_bound(track, now_ns) + track->doubt_ns +
	       fabs((double)off_ns);
}

double track_stale_ns(const struct track *track, int64_t told_ns, int64_t now_ns)
{
	if (!track->known)
		return 0;
	return track_piece_bound(track, track_piece(track, told_ns), now_ns);
}

struct track_now track_at(const struct track *track, int64_t now_ns)
{
	const struct line *line = track_piece(track, now_ns);
	struct track_now now = { 0 };

	if (!track->known)
		return now;
	now.x_ns = line_at(line, now_ns);
	now.drift_ppb = line->drift_ppb;
	now.bound_ns = track_piece_bound(track, line, now_ns);
	now.until_ns = line == &track->from ? track->meet_ns : INT64_MAX;
	now.epoch = track->epoch;
	return now;
}
