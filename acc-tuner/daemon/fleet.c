// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a namespace: which there are.
 */
#include <linux/pkt_sched.h>
#include <string.h>

#include "fleet_private.h"

#define FLEET_BITS_NS		8000000000ULL
#define FLEET_HOLDOFF_MOST_NS	GUARD_HOLDOFF_MOST_NS

void fleet_tell(const struct fleet *f, enum fleet_event event, const struct fleet_queue *q,
		int error)
{
	if (f->event)
		f->event(event, q, error, f->data);
}

void fleet_begin(struct fleet *f, const struct acc_conf *conf)
{
	f->conf = conf;
}

void fleet_configure(struct fleet *f, const struct model *model)
{
	const struct acc_conf *conf = f->conf;
	struct tuner_params *p = &f->params;

	memset(p, 0, sizeof(*p));
	p->tune = conf->mode == CONF_MODE_TUNE;
	p->policy = (enum tuner_policy)conf->policy;
	p->reward = conf->reward;
	p->guard.share_ppm = conf->share_ppm;
	p->guard.holdoff_ns = conf->holdoff_ns;
	p->guard.holdoff_most_ns = FLEET_HOLDOFF_MOST_NS;
	template_fill(TEMPLATE_RAMP20, p->template);
	if (!model)
		return;
	memcpy(p->template, model->template, sizeof(p->template));
	p->net = &model->net;
	if (conf->learn) {
		agent_params_online(&p->learn, conf->explore_ppm);
		p->agent = f->agent;
	}
}

bool fleet_is_own(const struct fleet *f, const struct fleet_queue *q)
{
	size_t i;

	for (i = 0; i < f->members; i++)
		if (&f->queue[f->member[i].queue] == q &&
		    (f->member[i].is_sent ||
		     !settings_is_same(&f->member[i].expected, &f->member[i].own)))
			return false;
	return true;
}

void fleet_forget(struct fleet *f, struct fleet_member *m)
{
	if (!m->is_saved)
		return;
	saved_remove(&f->saved, m->ifindex, m->handle);
	f->is_saved_changed = true;
	m->is_saved = false;
}

static void fleet_remove_member(struct fleet *f, struct fleet_member *m)
{
	size_t place = m - f->member;

	fleet_forget(f, m);
	f->queue[m->queue].members--;
	/* The others stay in the order of dumps. */
	memmove(m, m + 1, (--f->members - place) * sizeof(*m));
}

static void fleet_remove_queue(struct fleet *f, struct fleet_queue *q)
{
	uint32_t place = q - f->queue;
	size_t i;

	for (i = f->members; i--;)
		if (f->member[i].queue == place)
			fleet_remove_member(f, &f->member[i]);
	fleet_tell(f, FLEET_CLOSED, q, 0);
	*q = f->queue[--f->queues];
	for (i = 0; i < f->members; i++)
		if (f->member[i].queue == f->queues)
			f->member[i].queue = place;
}

void fleet_lose(struct fleet *f, struct fleet_member *m)
{
	struct fleet_queue *q = &f->queue[m->queue];

	fleet_remove_member(f, m);
	fleet_end(f, q, FLEET_END);
}

void fleet_end(struct fleet *f, struct fleet_queue *q, enum fleet_after after)
{
	if (q->after != FLEET_END)
		q->after = after;
	tuner_hold(&q->tuner);
	q->action = fleet_is_own(f, q) ? TUNER_KEEP : TUNER_RESTORE;
}

static const struct fleet_member *fleet_first(const struct fleet *f, const struct fleet_queue *q)
{
	size_t i;

	for (i = 0; i < f->members; i++)
		if (&f->queue[f->member[i].queue] == q)
			return &f->member[i];
	return NULL;
}

/* Limits of a queue: those of the configuration, and what it can hold. */
static struct tuner_limits fleet_limits(const struct fleet *f, const struct fleet_queue *q,
					const struct fleet_member *first)
{
	const struct acc_conf *conf = f->conf;
	uint64_t packets = first->own.value[ECNSHARP_LIMIT] * q->members;
	struct tuner_limits l = {
		.kmin_least_ns = conf->kmin_least_ns,
		.kmax_most_ns = conf->kmax_most_ns,
		.pmax_least_ppm = conf->pmax_least_ppm,
	};

	if (!l.kmax_most_ns)
		l.kmax_most_ns = tuner_kmax_most_ns(packets, q->rate_bps);
	if (l.kmax_most_ns < l.kmin_least_ns)
		l.kmax_most_ns = l.kmin_least_ns;
	return l;
}

static void fleet_begin_queue(struct fleet *f, struct fleet_queue *q)
{
	const struct fleet_member *first = fleet_first(f, q);
	struct tuner_limits limits = fleet_limits(f, q, first);
	struct template own = settings_template(&first->own);

	tuner_begin(&f->params, &q->tuner, &own, &limits);
	q->after = FLEET_STAY;
	q->action = TUNER_KEEP;
}

void fleet_settle(struct fleet *f)
{
	size_t i;

	for (i = f->queues; i--;) {
		struct fleet_queue *q = &f->queue[i];

		if (q->after == FLEET_STAY || (q->members && !fleet_is_own(f, q)))
			continue;
		if (q->after == FLEET_END || !q->members)
			fleet_remove_queue(f, q);
		else
			fleet_begin_queue(f, q);
	}
}

void fleet_restart(struct fleet *f)
{
	size_t i;

	for (i = 0; i < f->queues; i++) {
		struct fleet_queue *q = &f->queue[i];

		/* Queues that the user holds or another program changed stay so after a reload. */
		if (!tuner_is_waiting(&q->tuner))
			fleet_end(f, q, FLEET_BEGIN);
	}
	fleet_settle(f);
}

static struct fleet_queue *fleet_queue(struct fleet *f, uint32_t ifindex, uint32_t group)
{
	size_t i;

	for (i = 0; i < f->queues; i++)
		if (f->queue[i].ifindex == ifindex && f->queue[i].group == group)
			return &f->queue[i];
	return NULL;
}

static struct fleet_member *fleet_member(struct fleet *f, const struct record *r)
{
	size_t i;

	for (i = 0; i < f->members; i++)
		if (f->member[i].ifindex == r->ifindex && f->member[i].handle == r->handle)
			return &f->member[i];
	return NULL;
}

/* Time of the longest packet, if it is not segmented before it is judged. */
static uint64_t fleet_gso_ns(const struct tree_queue *t)
{
	if (t->record->settings.value[ECNSHARP_SPLIT_GSO])
		return 0;
	return t->device->gso_bytes * FLEET_BITS_NS / t->rate_bps;
}

/* Return: the queue that a qdisc belongs to, a new one if necessary; NULL if there is no space. */
static struct fleet_queue *fleet_open_queue(struct fleet *f, const struct tree_queue *t)
{
	struct fleet_queue *q = fleet_queue(f, t->record->ifindex, t->group);

	if (q || f->queues == FLEET_QUEUES)
		return q;
	q = &f->queue[f->queues++];
	memset(q, 0, sizeof(*q));
	memcpy(q->dev, t->device->name, sizeof(q->dev));
	q->ifindex = t->record->ifindex;
	q->group = t->group;
	q->rate_bps = t->rate_bps;
	q->gso_ns = fleet_gso_ns(t);
	return q;
}

/* A qdisc is found.  A leaf that joins an mq makes its queue begin anew. */
static void fleet_open(struct fleet *f, const struct tree_queue *t)
{
	struct fleet_queue *q = f->members < FLEET_MEMBERS ? fleet_open_queue(f, t) : NULL;
	struct fleet_member *m;

	if (!q || q->after == FLEET_END)
		return;
	m = &f->member[f->members++];
	*m = (struct fleet_member){
		.queue = q - f->queue,
		.ifindex = t->record->ifindex,
		.parent = t->record->parent,
		.handle = t->record->handle,
		.own = t->record->settings,
		.expected = t->record->settings,
	};
	q->is_found = true;
	if (!q->members++) {
		fleet_begin_queue(f, q);
		fleet_tell(f, FLEET_OPENED, q, 0);
	} else if (!tuner_is_waiting(&q->tuner)) {
		fleet_end(f, q, FLEET_BEGIN);
	}
}

static void fleet_refuse(struct fleet *f, const struct tree_queue *t)
{
	struct fleet_refused *r = &f->refused[f->n_refused];

	if (f->n_refused == FLEET_REFUSED_MAX)
		return;
	f->n_refused++;
	tree_name(t->device->name, t->record->handle, r->name);
	r->verdict = t->verdict;
	tree_explain(t, r->why);
}

/* Held by the user or changed by another program: only a resume or its end changes that. */
static bool fleet_is_waiting(const struct fleet_queue *q)
{
	return tuner_is_waiting(&q->tuner) && q->after == FLEET_STAY;
}

/* A queue that waits is not forgotten while its device is down. */
static bool fleet_outlasts(struct fleet *f, const struct tree_queue *t,
			   const struct fleet_member *m)
{
	struct fleet_queue *q = m ? &f->queue[m->queue] : NULL;

	if (!q || t->verdict != TREE_DOWN || t->group != q->group || !fleet_is_waiting(q))
		return false;
	memcpy(q->dev, t->device->name, sizeof(q->dev));
	q->is_found = true;
	return true;
}

/* A qdisc that was found before: is it still the same queue? */
static void fleet_review(struct fleet *f, const struct tree_queue *t, const struct fleet_member *m)
{
	struct fleet_queue *q = &f->queue[m->queue];

	if (fleet_is_waiting(q))
		memcpy(q->dev, t->device->name, sizeof(q->dev));
	q->is_found = t->group == q->group && !strcmp(q->dev, t->device->name);
	if (!q->is_found || t->rate_bps == q->rate_bps)
		return;
	q->rate_bps = t->rate_bps;
	q->gso_ns = fleet_gso_ns(t);
	fleet_tell(f, FLEET_RATE, q, 0);
	if (!tuner_is_waiting(&q->tuner))
		fleet_end(f, q, FLEET_BEGIN);
}

void fleet_look(struct fleet *f, const struct tree *tree)
{
	size_t i;

	f->n_refused = 0;
	for (i = 0; i < f->queues; i++)
		f->queue[i].is_found = false;
	for (i = 0; i < tree->records; i++) {
		const struct fleet_member *m;
		struct tree_queue t;

		if (!tree_queue(tree, f->conf, &tree->record[i], &t))
			continue;
		m = fleet_member(f, t.record);
		if (fleet_outlasts(f, &t, m))
			continue;
		if (t.verdict != TREE_GOOD)
			fleet_refuse(f, &t);
		else if (m)
			fleet_review(f, &t, m);
		else
			fleet_open(f, &t);
	}
	for (i = 0; i < f->queues; i++)
		if (!f->queue[i].is_found)
			fleet_end(f, &f->queue[i], FLEET_END);
	fleet_settle(f);
	f->others_were = f->others;
}

bool fleet_wants_scan(const struct fleet *f)
{
	return f->others != f->others_were;
}

struct fleet_queue *fleet_find(struct fleet *f, const char *name)
{
	struct fleet_queue *only = NULL;
	size_t i;

	for (i = 0; i < f->queues; i++) {
		struct fleet_queue *q = &f->queue[i];
		char own[TREE_NAME];

		if (!strcmp(tree_name(q->dev, q->group, own), name))
			return q;
		if (strcmp(q->dev, name))
			continue;
		if (only)
			return NULL;
		only = q;
	}
	return only;
}

void fleet_hold(struct fleet *f, struct fleet_queue *q)
{
	if (q->after == FLEET_END)
		return;
	/* It does not begin anew then. */
	q->after = FLEET_STAY;
	tuner_hold(&q->tuner);
	if (!fleet_is_own(f, q))
		q->action = TUNER_RESTORE;
}

void fleet_resume(struct fleet *f, struct fleet_queue *q)
{
	if (!tuner_is_waiting(&q->tuner) || q->after == FLEET_END)
		return;
	q->after = FLEET_BEGIN;
	fleet_settle(f);
}
