// SPDX-License-Identifier: GPL-2.0
/*
 * Findings: lists of them, and what their commands have in common.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <linux/pkt_sched.h>

#include "finding.h"

static bool finding_is_same(const struct finding *x, const struct finding *y)
{
	return x->id == y->id && !strcmp(x->dev, y->dev) &&
	       !strcmp(x->host, y->host) && !strcmp(x->command, y->command);
}

/* The same is to be said of each of a device's queues: once is enough. */
static void finding_tell_once(struct findings *out, size_t from)
{
	size_t i, j, kept = from;

	for (i = from; i < out->n; i++) {
		for (j = from; j < kept; j++)
			if (finding_is_same(&out->list[i], &out->list[j]))
				break;
		if (j == kept)
			out->list[kept++] = out->list[i];
	}
	out->n = kept;
}

static void finding_apply(const struct facts *f,
			  const struct finding_rule *rule,
			  enum finding_severity severity, struct findings *out)
{
	for (; rule->id; rule++) {
		size_t from = out->n;

		if (rule->severity != severity)
			continue;
		rule->look(f, rule, out);
		finding_tell_once(out, from);
	}
}

void finding_look(const struct facts *f, struct findings *out)
{
	enum finding_severity severity;

	for (severity = FINDING_ERROR; severity <= FINDING_NOTE; severity++) {
		finding_apply(f, finding_sender, severity, out);
		finding_apply(f, finding_receiver, severity, out);
		finding_apply(f, finding_marker, severity, out);
	}
}

struct finding *finding_add(struct findings *out,
			    const struct finding_rule *rule,
			    const struct facts_dev *dev, const char *host,
			    const char *what, ...)
{
	struct finding *x;
	va_list args;

	out->list = facts_grow(out->list, &out->n, sizeof(*out->list));
	x = &out->list[out->n - 1];
	x->id = rule->id;
	x->severity = rule->severity;
	snprintf(x->dev, sizeof(x->dev), "%s", dev ? dev->name : "");
	snprintf(x->host, sizeof(x->host), "%s", host ? host : "");
	va_start(args, what);
	vsnprintf(x->what, sizeof(x->what), what, args);
	va_end(args);
	return x;
}

void finding_command(struct finding *to, const char *format, ...)
{
	size_t len = strlen(to->command);
	va_list args;

	va_start(args, format);
	vsnprintf(to->command + len, sizeof(to->command) - len, format, args);
	va_end(args);
}

void finding_word(struct finding *to, const char *word)
{
	const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@:+=,/-";

	if (*word && !word[strspn(word, plain)]) {
		finding_command(to, "%s", word);
		return;
	}
	finding_command(to, "'");
	for (; *word; word++)
		finding_command(to, *word == '\'' ? "'\\''" : "%c", *word);
	finding_command(to, "'");
}

static const struct facts_qdisc *finding_at_root(const struct facts *f,
						 uint32_t ifindex)
{
	size_t i;

	for (i = 0; i < f->nr_qdiscs; i++)
		if (f->qdiscs[i].ifindex == ifindex &&
		    f->qdiscs[i].parent == TC_H_ROOT)
			return &f->qdiscs[i];
	return NULL;
}

void finding_qdisc(struct finding *to, const struct facts *f,
		   const struct facts_qdisc *q, const char *words)
{
	const struct facts_qdisc *root = finding_at_root(f, q->ifindex);
	const struct facts_dev *dev = facts_dev(f, q->ifindex);
	const char *name = dev ? dev->name : "";

	if (root && facts_qdisc_is(root, "mq") && facts_qdisc_is(q, "onramp")) {
		finding_command(to, "onramp-mq ");
		finding_word(to, name);
		finding_command(to, " %s", words);
		return;
	}
	/* What came by itself has no number, and cannot be changed. */
	finding_command(to, "tc qdisc %s dev ", q->handle ? "change" :
							    "replace");
	finding_word(to, name);
	if (q->parent == TC_H_ROOT)
		finding_command(to, " root");
	else
		finding_command(to, " parent %x:%x", q->parent >> 16,
				q->parent & 0xffff);
	finding_command(to, " %s %s", q->kind, words);
}

void finding_root(struct finding *to, const struct facts_dev *dev,
		  const char *kind, const char *words)
{
	if (dev->queues > 1 && !strcmp(kind, "onramp")) {
		finding_command(to, "onramp-mq ");
		finding_word(to, dev->name);
	} else {
		finding_command(to, "tc qdisc replace dev ");
		finding_word(to, dev->name);
		finding_command(to, " root %s", kind);
	}
	if (*words)
		finding_command(to, " %s", words);
}

bool finding_has(const struct facts *f, uint32_t ifindex, const char *kind)
{
	size_t i;

	for (i = 0; i < f->nr_qdiscs; i++)
		if ((!ifindex || f->qdiscs[i].ifindex == ifindex) &&
		    facts_qdisc_is(&f->qdiscs[i], kind))
			return true;
	return false;
}

bool finding_in_scope(const struct facts *f, uint32_t ifindex)
{
	return !f->scope || f->scope == ifindex;
}

const struct facts_dev *finding_candidate(const struct facts *f,
					  const char *kind)
{
	const struct facts_dev *found = NULL;
	size_t i;

	for (i = 0; i < f->nr_devs; i++) {
		const struct facts_dev *dev = &f->devs[i];

		if (!dev->up || dev->loopback ||
		    !finding_in_scope(f, dev->ifindex) ||
		    (kind && finding_has(f, dev->ifindex, kind)))
			continue;
		if (!found || dev->n.tx_bytes > found->n.tx_bytes)
			found = dev;
	}
	return found;
}

void finding_free(struct findings *out)
{
	free(out->list);
	memset(out, 0, sizeof(*out));
}
