// SPDX-License-Identifier: GPL-2.0
/*
 * Facts about a host, for doctor.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"

struct facts_dev *facts_dev(const struct facts *f, uint32_t ifindex)
{
	size_t i;

	for (i = 0; i < f->nr_devs; i++)
		if (f->devs[i].ifindex == ifindex)
			return &f->devs[i];
	return NULL;
}

bool facts_qdisc_is(const struct facts_qdisc *q, const char *kind)
{
	return !strcmp(q->kind, kind);
}

/*
 * Subtract earlier counters from later ones.
 * Return: false if they did not change, or were reset: they stay totals.
 */
static bool facts_subtract(void *now, const void *before, size_t size)
{
	const uint64_t *was = before;
	uint64_t *is = now;
	size_t i;

	if (is[0] < was[0] || !memcmp(now, before, size))
		return false;
	for (i = 0; i < size / sizeof(*is); i++)
		is[i] -= is[i] < was[i] ? is[i] : was[i];
	return true;
}

#define FACTS_SUBTRACT(now, before) \
	facts_subtract(&(now), &(before), sizeof(now))

static const struct facts_qdisc *facts_same(const struct facts *f,
					    const struct facts_qdisc *q)
{
	size_t i;

	for (i = 0; i < f->nr_qdiscs; i++)
		if (f->qdiscs[i].ifindex == q->ifindex &&
		    f->qdiscs[i].handle == q->handle &&
		    f->qdiscs[i].parent == q->parent &&
		    facts_qdisc_is(&f->qdiscs[i], q->kind))
			return &f->qdiscs[i];
	return NULL;
}

static int facts_compare_paths(const void *a, const void *b)
{
	const struct facts_path *x = a, *y = b;

	return memcmp(&x->key, &y->key, sizeof(x->key));
}

/* A path that was evicted and came back in between began at 0. */
static bool facts_path_moved(const struct facts_path *p,
			     const struct facts_paths *before)
{
	const struct facts_path *was;

	was = before->n ? bsearch(p, before->list, before->n, sizeof(*p),
				  facts_compare_paths) : NULL;
	return p->samples != (was ? was->samples : 0);
}

static void facts_end(struct facts_ends *ends, const struct facts_path *p)
{
	int family = p->key.address_len == 4 ? AF_INET : AF_INET6;

	if (ends->n++)
		return;
	inet_ntop(family, p->key.saddr, ends->saddr, sizeof(ends->saddr));
	inet_ntop(family, p->key.daddr, ends->daddr, sizeof(ends->daddr));
}

/*
 * A path outlives its flows, and so does the state of its latest delay: where
 * others are measured it is of the past.
 */
static void facts_classify_paths(struct facts_paths *paths,
				 const struct facts_paths *before)
{
	const struct facts_path *p, *end = paths->list + paths->n;
	bool still = true;

	if (before->n)
		qsort(before->list, before->n, sizeof(*before->list),
		      facts_compare_paths);
	for (p = paths->list; p < end && still; p++)
		still = !facts_path_moved(p, before);
	for (p = paths->list; p < end; p++) {
		bool unacked = p->state == ONRAMP_STATE_UNACKED;

		facts_end(&paths->all, p);
		if (!p->samples && (unacked || p->state < 0))
			facts_end(&paths->unacked, p);
		if (p->state >= 0 && p->state < FACTS_STATES &&
		    (still || unacked || facts_path_moved(p, before)))
			facts_end(&paths->in[p->state], p);
		if (p->error_ns > paths->error_ns)
			paths->error_ns = p->error_ns;
	}
}

void facts_since(struct facts *f, const struct facts *before)
{
	size_t i;

	facts_classify_paths(&f->paths, &before->paths);
	f->still = !FACTS_SUBTRACT(f->core, before->core);
	FACTS_SUBTRACT(f->ack, before->ack);
	FACTS_SUBTRACT(f->tuner.n, before->tuner.n);
	for (i = 0; i < f->nr_devs; i++) {
		struct facts_dev *dev = &f->devs[i];
		const struct facts_dev *was = facts_dev(before, dev->ifindex);

		if (was)
			dev->still = !FACTS_SUBTRACT(dev->n, was->n);
	}
	for (i = 0; i < f->nr_qdiscs; i++) {
		struct facts_qdisc *q = &f->qdiscs[i];
		const struct facts_qdisc *was = facts_same(before, q);

		if (!was)
			continue;
		FACTS_SUBTRACT(q->onramp.n, was->onramp.n);
		FACTS_SUBTRACT(q->ecnsharp.n, was->ecnsharp.n);
		FACTS_SUBTRACT(q->cp.n, was->cp.n);
	}
}

void *facts_grow(void *list, size_t *n, size_t size)
{
	/* Space for a power of 2, so that many do not take long. */
	if (!(*n & (*n - 1))) {
		list = realloc(list, (*n ? *n * 2 : 1) * size);
		if (!list) {
			fprintf(stderr, "onrampctl: no memory\n");
			exit(2);
		}
	}
	memset((char *)list + *n * size, 0, size);
	++*n;
	return list;
}

void facts_miss(struct facts *f, const char *what, int error)
{
	if (f->nr_unread == FACTS_UNREAD_MAX)
		return;
	f->unread[f->nr_unread].what = what;
	f->unread[f->nr_unread++].error = error;
}

void facts_free(struct facts *f)
{
	free(f->peers);
	free(f->groups);
	free(f->paths.list);
	free(f->devs);
	free(f->qdiscs);
	free(f->tuner.queues);
	memset(f, 0, sizeof(*f));
}
