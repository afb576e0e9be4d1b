// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a namespace: what is to be changed, and what became of it.
 */
#include <string.h>

#include "fleet_private.h"

/**
 * struct fleet_target - what a qdisc is to have
 * @request: what to send
 * @settings: what a dump must then show
 */
struct fleet_target {
	struct ecnsharp_settings request;
	struct ecnsharp_settings settings;
};

/* Return: true if it has something else. */
static bool fleet_target(const struct fleet_queue *q, const struct fleet_member *m,
			 struct fleet_target *t)
{
	t->settings = m->expected;
	if (q->action == TUNER_RESTORE) {
		t->request = m->own;
		t->settings = m->own;
	} else {
		settings_ramp(&m->expected, &q->tuner.wanted, &t->request);
		if (settings_expect(&t->settings, &t->request))
			return false;
	}
	return m->is_sent || !settings_is_same(&t->settings, &m->expected);
}

/* Before its first change; if the file has no space it is not changed at all. */
static int fleet_save(struct fleet *f, const struct fleet_queue *q, struct fleet_member *m)
{
	struct saved_queue own = {
		.ifindex = m->ifindex,
		.parent = m->parent,
		.handle = m->handle,
		.settings = m->own,
	};

	if (m->is_saved || q->action == TUNER_RESTORE)
		return 0;
	memcpy(own.dev, q->dev, sizeof(own.dev));
	if (saved_add(&f->saved, &own))
		return -1;
	m->is_saved = true;
	f->is_saved_changed = true;
	return 0;
}

static size_t fleet_change_queue(struct fleet *f, const struct fleet_queue *q, struct change *c,
				 size_t most)
{
	uint32_t place = q - f->queue;
	struct fleet_target target;
	size_t i, n = 0;

	for (i = 0; i < f->members && n < most; i++) {
		struct fleet_member *m = &f->member[i];

		if (m->queue != place || !fleet_target(q, m, &target) || fleet_save(f, q, m))
			continue;
		m->sent = target.settings;
		m->is_sent = true;
		c[n++] = (struct change){ m->ifindex, m->parent, m->handle, target.request, 0 };
	}
	return n;
}

size_t fleet_changes(struct fleet *f, struct change *c, size_t most)
{
	size_t n = 0, i;

	for (i = 0; i < f->queues && n < most; i++) {
		size_t place = (f->next + i) % f->queues;

		if (f->queue[place].action == TUNER_KEEP)
			continue;
		n += fleet_change_queue(f, &f->queue[place], c + n, most - n);
		/* The next one is first the next time, or this one again if it did not fit. */
		if (n == most)
			f->next = place;
	}
	return n;
}

static struct fleet_member *fleet_sent(struct fleet *f, const struct change *c)
{
	size_t i;

	for (i = 0; i < f->members; i++)
		if (f->member[i].ifindex == c->ifindex && f->member[i].handle == c->handle)
			return &f->member[i];
	return NULL;
}

static void fleet_acknowledge(struct fleet *f, const struct change *c)
{
	struct fleet_member *m = fleet_sent(f, c);
	struct fleet_queue *q;

	/* Nobody answered: the next dump tells. */
	if (!m || c->error < 0)
		return;
	m->is_sent = false;
	q = &f->queue[m->queue];
	if (!c->error) {
		m->expected = m->sent;
		q->is_failing = false;
		return;
	}
	q->tuner.count.failed++;
	if (!q->is_failing)
		fleet_tell(f, FLEET_REFUSED, q, c->error);
	q->is_failing = true;
}

static bool fleet_is_done(const struct fleet *f, const struct fleet_queue *q)
{
	struct fleet_target target;
	size_t i;

	for (i = 0; i < f->members; i++)
		if (&f->queue[f->member[i].queue] == q && fleet_target(q, &f->member[i], &target))
			return false;
	return true;
}

void fleet_changed(struct fleet *f, const struct change *c, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		fleet_acknowledge(f, &c[i]);
	for (i = 0; i < f->queues; i++) {
		struct fleet_queue *q = &f->queue[i];

		if (q->action == TUNER_KEEP || !fleet_is_done(f, q))
			continue;
		tuner_applied(&q->tuner, q->action);
		q->action = TUNER_KEEP;
	}
	fleet_settle(f);
}
