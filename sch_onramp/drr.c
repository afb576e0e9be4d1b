// SPDX-License-Identifier: GPL-2.0
/*
 * Whose turn it is: deficit round robin among bands by weights, and within a
 * band among queues by quanta.  Queues that were idle go first, but once only:
 * then they are old ones, even if they ran empty, or a flow that sends a packet
 * now and then would starve the others.
 */
#include "sch_onramp.h"

void orq_turn_init(struct orq_sched *q)
{
	int i;

	for (i = 0; i < ONRAMP_BANDS; i++) {
		q->band[i].fresh.first = NULL;
		q->band[i].old.first = NULL;
	}
}

void orq_turn_add(struct orq_sched *q, struct orq_queue *f, bool fresh)
{
	struct orq_band *band = &q->band[f->band];
	struct orq_turns *turns = fresh ? &band->fresh : &band->old;

	f->state = ORQ_TURN;
	f->turn = NULL;
	if (turns->first)
		turns->last->turn = f;
	else
		turns->first = f;
	turns->last = f;
}

/* Its queues that were idle go first. */
static struct orq_turns *orq_turns_of(struct orq_band *band)
{
	return band->fresh.first ? &band->fresh : &band->old;
}

void orq_turn_end(struct orq_band *band)
{
	struct orq_turns *turns = orq_turns_of(band);

	turns->first = turns->first->turn;
}

void orq_turn_idle(struct orq_queue *f, u64 now)
{
	f->state = ORQ_IDLE;
	f->idle_ns = now;
}

static bool orq_band_is_idle(const struct orq_band *band)
{
	return !band->fresh.first && !band->old.first;
}

/* No weight is below 1: a band in debt has credit after some rounds. */
static struct orq_band *orq_band_next(struct orq_sched *q)
{
	struct orq_band *band = &q->band[q->turn];
	int tried = 0;

	while (band->credit <= 0 || orq_band_is_idle(band)) {
		if (++tried > ONRAMP_BANDS)
			return NULL;
		if (++q->turn == ONRAMP_BANDS)
			q->turn = 0;
		band = &q->band[q->turn];
		band->credit = min(band->credit, 0) + band->weight;
		if (band->credit <= 0)
			tried = 0;
	}
	return band;
}

/*
 * Credit for a turn.  A GSO packet takes that of many: who is alone has them
 * one after the other, so it gets them at once.
 */
static int orq_turn_credit(const struct orq_sched *q,
			   const struct orq_band *band,
			   const struct orq_queue *f)
{
	u32 debt = -f->credit, quantum = q->conf.quantum;

	if (debt < quantum || f->turn || (band->fresh.first && band->old.first))
		return quantum;
	return quantum * (debt / quantum + 1);
}

/* A queue without a packet, or with no credit left, has had its turn. */
static bool orq_turn_is_over(struct orq_sched *q, struct orq_band *band,
			     struct orq_queue *f, u64 now)
{
	bool done = f->credit > 0 && !band->fresh.first;

	if (f->credit > 0 && f->qlen)
		return false;
	if (f->credit <= 0)
		f->credit += orq_turn_credit(q, band, f);
	orq_turn_end(band);
	if (done)
		orq_turn_idle(f, now);
	else
		orq_turn_add(q, f, false);
	return true;
}

struct orq_queue *orq_turn_next(struct orq_sched *q, u64 now,
				struct orq_band **band)
{
	struct orq_queue *f;

	while ((*band = orq_band_next(q))) {
		f = orq_turns_of(*band)->first;
		if (!orq_turn_is_over(q, *band, f, now))
			return f;
	}
	return NULL;
}
