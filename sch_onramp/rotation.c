// SPDX-License-Identifier: GPL-2.0
/*
 * Whose turn it is: deficit round robin among bands by weights, and within a
 * band among queues by quanta.  Queues that were idle go first, but once only:
 * then they are old ones, even if they ran empty, or a flow that sends a packet
 * now and then would starve the others.
 */
#include "orq.h"

void orq_turn_init(struct orq_sched *q)
{
	int i;

	for (i = 0; i < ONRAMP_BANDS; i++) {
		INIT_LIST_HEAD(&q->band[i].fresh);
		INIT_LIST_HEAD(&q->band[i].old);
	}
}

void orq_turn_add(struct orq_sched *q, struct orq_queue *f, bool fresh)
{
	struct orq_band *band = &q->band[f->band];

	f->state = ORQ_TURN;
	list_add_tail(&f->turn, fresh ? &band->fresh : &band->old);
}

void orq_turn_idle(struct orq_queue *f, u64 now)
{
	f->state = ORQ_IDLE;
	f->idle_ns = now;
}

static bool orq_band_is_idle(const struct orq_band *band)
{
	return list_empty(&band->fresh) && list_empty(&band->old);
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

/* A queue without a packet, or with no credit left, has had its turn. */
static bool orq_turn_is_over(struct orq_sched *q, struct orq_queue *f,
			     bool fresh, u64 now)
{
	bool done = f->credit > 0 && !f->qlen && !fresh;

	if (f->credit > 0 && f->qlen)
		return false;
	if (f->credit <= 0)
		f->credit += q->conf.quantum;
	list_del(&f->turn);
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
	bool fresh;

	while ((*band = orq_band_next(q))) {
		fresh = !list_empty(&(*band)->fresh);
		f = list_first_entry(fresh ? &(*band)->fresh : &(*band)->old,
				     struct orq_queue, turn);
		if (!orq_turn_is_over(q, f, fresh, now))
			return f;
	}
	return NULL;
}
