// SPDX-License-Identifier: GPL-2.0
/*
 * Deficit round robin among bands by weights, and within a
 * band among queues by quanta.  Queues that were idle go first, but once only:
 * then they are old ones, even if they ran empty, or a flow that sends a packet
 * now and then would starve the others.
 */
#include "sch_onramp.h"

void onrampq_drr_init(struct onrampq_sched *q)
{
	int i;

	for (i = 0; i < ONRAMP_BANDS; i++) {
		q->band[i].new_flows.first = NULL;
		q->band[i].old_flows.first = NULL;
	}
}

void onrampq_drr_add(struct onrampq_sched *q, struct onrampq_queue *f, bool is_new)
{
	struct onrampq_band *band = &q->band[f->band];
	struct onrampq_list *list = is_new ? &band->new_flows : &band->old_flows;

	f->state = ONRAMPQ_LISTED;
	f->next = NULL;
	if (list->first)
		list->last->next = f;
	else
		list->first = f;
	list->last = f;
}

/* Its queues that were idle go first. */
static struct onrampq_list *onrampq_drr_list(struct onrampq_band *band)
{
	return band->new_flows.first ? &band->new_flows : &band->old_flows;
}

void onrampq_drr_remove(struct onrampq_band *band)
{
	struct onrampq_list *list = onrampq_drr_list(band);

	list->first = list->first->next;
}

void onrampq_drr_idle(struct onrampq_queue *f, u64 now)
{
	f->state = ONRAMPQ_IDLE;
	f->idle_ns = now;
}

static bool onrampq_band_is_idle(const struct onrampq_band *band)
{
	return !band->new_flows.first && !band->old_flows.first;
}

/* No weight is below 1: a band in debt has credit after some rounds. */
static struct onrampq_band *onrampq_band_next(struct onrampq_sched *q)
{
	struct onrampq_band *band = &q->band[q->band_now];
	int tried = 0;

	while (band->credit <= 0 || onrampq_band_is_idle(band)) {
		if (++tried > ONRAMP_BANDS)
			return NULL;
		if (++q->band_now == ONRAMP_BANDS)
			q->band_now = 0;
		band = &q->band[q->band_now];
		band->credit = min(band->credit, 0) + band->weight;
		if (band->credit <= 0)
			tried = 0;
	}
	return band;
}

/*
 * Credit for a round.  A GSO packet takes that of many: a lone flow has them
 * one after the other, so it gets them at once.
 */
static int onrampq_drr_credit(const struct onrampq_sched *q,
			      const struct onrampq_band *band,
			      const struct onrampq_queue *f)
{
	u32 debt = -f->credit, quantum = q->conf.quantum;

	if (debt < quantum || f->next || (band->new_flows.first && band->old_flows.first))
		return quantum;
	return quantum * (debt / quantum + 1);
}

/* A queue without a packet, or with no credit left, goes off the list. */
static bool onrampq_drr_is_done(struct onrampq_sched *q, struct onrampq_band *band,
				struct onrampq_queue *f, u64 now)
{
	bool done = f->credit > 0 && !band->new_flows.first;

	if (f->credit > 0 && f->qlen)
		return false;
	if (f->credit <= 0)
		f->credit += onrampq_drr_credit(q, band, f);
	onrampq_drr_remove(band);
	if (done)
		onrampq_drr_idle(f, now);
	else
		onrampq_drr_add(q, f, false);
	return true;
}

struct onrampq_queue *onrampq_drr_next(struct onrampq_sched *q, u64 now,
				       struct onrampq_band **band)
{
	struct onrampq_queue *f;

	while ((*band = onrampq_band_next(q))) {
		f = onrampq_drr_list(*band)->first;
		if (!onrampq_drr_is_done(q, *band, f, now))
			return f;
	}
	return NULL;
}
