// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a namespace: what a dump says of them.
 */
#include <string.h>

#include "fleet_private.h"

/* Far longer than an interval; algo/feature.h knows none above 2^40. */
#define FLEET_LENGTH_MOST_NS	(1ULL << 36)

/* From where the last one was found: dumps are in the order of members. */
static struct fleet_member *fleet_match(struct fleet *f, const struct record *r, size_t *from)
{
	size_t n;

	for (n = 0; n < f->members; n++) {
		size_t place = *from + n < f->members ? *from + n : *from + n - f->members;
		struct fleet_member *m = &f->member[place];

		if (m->ifindex != r->ifindex || m->handle != r->handle)
			continue;
		*from = place + 1 == f->members ? 0 : place + 1;
		return m;
	}
	return NULL;
}

/* Counters of a qdisc never fall: what has lower ones is another. */
static bool fleet_is_another(const struct fleet_member *m, const struct record *r)
{
	const struct tc_ecnsharp_xstats *was = &m->stats, *is = &r->stats;

	if (r->parent != m->parent || !r->is_whole)
		return true;
	return m->is_known &&
	       (is->tx_packets < was->tx_packets || is->tx_bytes < was->tx_bytes ||
		is->marked_bytes < was->marked_bytes || is->stamp_ns < was->stamp_ns ||
		is->backlog_byte_us < was->backlog_byte_us || is->ins_marks < was->ins_marks ||
		is->drop_limit < was->drop_limit);
}

/* Return: true if its settings are what they must be. */
static bool fleet_is_expected(struct fleet_member *m, const struct record *r)
{
	if (m->is_sent && settings_is_same(&r->settings, &m->sent))
		m->expected = m->sent;
	m->is_sent = false;
	return settings_is_same(&r->settings, &m->expected);
}

/* Another changed it: its settings are its own from now on. */
static void fleet_yield(struct fleet *f, struct fleet_queue *q, struct fleet_member *m,
			const struct record *r)
{
	fleet_forget(f, m);
	m->own = r->settings;
	m->expected = r->settings;
	q->is_foreign = true;
	q->foreign = r->settings;
}

static uint64_t fleet_marks(const struct tc_ecnsharp_xstats *s)
{
	return s->ins_marks + s->pst_marks + s->both_marks;
}

static uint64_t fleet_drops(const struct tc_ecnsharp_xstats *s)
{
	return s->drop_limit + s->drop_memory_limit;
}

static void fleet_grow(struct fleet_queue *q, struct fleet_member *m,
		       const struct tc_ecnsharp_xstats *is)
{
	const struct tc_ecnsharp_xstats *was = &m->stats;
	struct feature_interval *x = &q->sample.x;

	if (m->is_known) {
		x->length_ns += is->stamp_ns - was->stamp_ns;
		x->tx_packets += is->tx_packets - was->tx_packets;
		x->tx_bytes += is->tx_bytes - was->tx_bytes;
		x->marked_packets += fleet_marks(is) - fleet_marks(was);
		x->marked_bytes += is->marked_bytes - was->marked_bytes;
		x->backlog_byte_us += is->backlog_byte_us - was->backlog_byte_us;
		q->sample.drops += fleet_drops(is) - fleet_drops(was);
		q->grown++;
	}
	m->stats = *is;
	m->is_known = true;
}

static void fleet_see(struct fleet *f, struct fleet_member *m, const struct record *r)
{
	struct fleet_queue *q = &f->queue[m->queue];

	/* It is not counted as seen, and so is lost. */
	if (fleet_is_another(m, r))
		return;
	m->is_seen = true;
	if (!fleet_is_expected(m, r))
		fleet_yield(f, q, m, r);
	fleet_grow(q, m, &r->stats);
}

static void fleet_see_all(struct fleet *f, const struct tree *tree)
{
	size_t from = 0, i;

	f->others = 0;
	for (i = 0; i < f->members; i++)
		f->member[i].is_seen = false;
	for (i = 0; i < f->queues; i++) {
		memset(&f->queue[i].sample, 0, sizeof(f->queue[i].sample));
		f->queue[i].grown = 0;
		f->queue[i].is_foreign = false;
	}
	for (i = 0; i < tree->records; i++) {
		struct fleet_member *m;

		if (tree->record[i].kind != RECORD_ECNSHARP)
			continue;
		m = fleet_match(f, &tree->record[i], &from);
		if (m)
			fleet_see(f, m, &tree->record[i]);
		if (!m || !m->is_seen)
			f->others++;
	}
	for (i = f->members; i--;)
		if (!f->member[i].is_seen)
			fleet_lose(f, &f->member[i]);
}

static uint64_t fleet_fallbacks(const struct tuner *t)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < GUARD_NR; i++)
		sum += t->count.fallback[i];
	return sum;
}

/* All members have grown; of their intervals it is the mean. */
static void fleet_decide(struct fleet *f, struct fleet_queue *q, uint64_t now_ns, bool late,
			 struct prng *prng)
{
	uint64_t fallbacks = fleet_fallbacks(&q->tuner);
	struct tuner_sample *x = &q->sample;
	enum tuner_action action;

	x->x.length_ns /= q->members;
	if (!x->x.length_ns || x->x.length_ns > FLEET_LENGTH_MOST_NS)
		return;
	x->x.rate_bps = q->rate_bps;
	x->now_ns = now_ns;
	x->random = prng_next(prng);
	x->late = late;
	action = tuner_on_interval(&f->params, &q->tuner, x);
	/* A queue that waits for its own settings still does. */
	if (!tuner_is_waiting(&q->tuner))
		q->action = action;
	if (fleet_fallbacks(&q->tuner) != fallbacks)
		fleet_tell(f, FLEET_FALLBACK, q, 0);
}

static void fleet_notice(struct fleet *f, struct fleet_queue *q)
{
	struct template own = settings_template(&q->foreign);

	tuner_yield(&q->tuner, &own);
	q->action = fleet_is_own(f, q) ? TUNER_KEEP : TUNER_RESTORE;
	fleet_tell(f, FLEET_CHANGED, q, 0);
}

void fleet_on_dump(struct fleet *f, const struct tree *tree, uint64_t now_ns, bool late,
		   struct prng *prng)
{
	size_t i;

	fleet_see_all(f, tree);
	for (i = 0; i < f->queues; i++) {
		struct fleet_queue *q = &f->queue[i];

		if (q->is_foreign)
			fleet_notice(f, q);
		if (q->members && q->grown == q->members)
			fleet_decide(f, q, now_ns, late, prng);
	}
	fleet_settle(f);
}
