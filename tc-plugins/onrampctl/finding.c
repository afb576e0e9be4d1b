// SPDX-License-Identifier: GPL-2.0
/*
 * Findings: lists of them, and what their commands have in common.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <linux/onramp_wire.h>
#include <linux/pkt_sched.h>

#include "finding.h"

/* The kernel stacks no more devices. */
#define FINDING_NEST_MAX	8

static bool finding_is_same(const struct finding *x, const struct finding *y)
{
	return x->id == y->id && !strcmp(x->dev, y->dev) &&
	       !strcmp(x->host, y->host) && !strcmp(x->command, y->command);
}

/* The same finding at each queue of a device is reported once. */
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

static bool finding_applies(const struct finding_check *at)
{
	bool onramp = facts_qdisc_is(at->q, "onramp");

	if (!at->dev || !finding_in_scope(at->f, at->dev->ifindex))
		return false;
	switch (at->rule->scope) {
	case FINDING_ONRAMP:
		return onramp;
	case FINDING_SENDER:
		return onramp && at->q->onramp.mode != ONRAMP_MODE_OFF;
	case FINDING_MQ:
		return facts_qdisc_is(at->q, "mq");
	case FINDING_PORT:
		return facts_qdisc_is(at->q, "cp");
	default:
		return facts_qdisc_is(at->q, "ecnsharp");
	}
}

static void finding_qdiscs(struct finding_check *at)
{
	size_t i;

	for (i = 0; i < at->f->nr_qdiscs; i++) {
		at->q = &at->f->qdiscs[i];
		at->dev = facts_dev(at->f, at->q->ifindex);
		if (finding_applies(at))
			at->rule->check(at);
	}
}

static void finding_acked(struct finding_check *at)
{
	size_t i;

	for (i = 0; i < at->f->nr_devs; i++) {
		at->dev = &at->f->devs[i];
		if (at->dev->acked &&
		    finding_in_scope(at->f, at->dev->ifindex))
			at->rule->check(at);
	}
}

static void finding_apply(const struct facts *f,
			  const struct finding_rule *rule,
			  enum finding_severity severity, struct findings *out)
{
	for (; rule->id; rule++) {
		struct finding_check at = { .f = f, .rule = rule, .out = out };
		size_t from = out->n;

		if (rule->severity != severity)
			continue;
		if (rule->scope == FINDING_HOST)
			rule->check(&at);
		else if (rule->scope == FINDING_ACKED)
			finding_acked(&at);
		else
			finding_qdiscs(&at);
		finding_tell_once(out, from);
	}
}

void finding_all(const struct facts *f, struct findings *out)
{
	enum finding_severity severity;

	for (severity = FINDING_ERROR; severity <= FINDING_NOTE; severity++) {
		finding_apply(f, finding_sender, severity, out);
		finding_apply(f, finding_tables, severity, out);
		finding_apply(f, finding_receiver, severity, out);
		finding_apply(f, finding_marker, severity, out);
		finding_apply(f, finding_port, severity, out);
		finding_apply(f, finding_point, severity, out);
		finding_apply(f, finding_tuner, severity, out);
	}
}

bool finding_outweighs(const struct facts_core_counts *core, uint64_t datagrams)
{
	return datagrams >= FINDING_SEEN && datagrams > core->acks;
}

bool finding_is_refused(const struct facts *f)
{
	const struct facts_core_counts *core = &f->core;
	uint64_t refused = core->not_signed + core->unknown_key +
			   core->forged + core->stale;

	return f->still ? finding_outweighs(core, refused) : refused;
}

struct finding *finding_add(const struct finding_check *at, const char *host,
			    const char *what, ...)
{
	struct findings *out = at->out;
	struct finding *x;
	va_list args;

	out->list = facts_grow(out->list, &out->n, sizeof(*out->list));
	x = &out->list[out->n - 1];
	x->id = at->rule->id;
	x->severity = at->rule->severity;
	snprintf(x->dev, sizeof(x->dev), "%s", at->dev ? at->dev->name : "");
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

static bool finding_is_plain(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("._@:+=,/-", c));
}

void finding_argument(struct finding *to, const char *argument)
{
	const char *c = argument;

	while (finding_is_plain(*c))
		c++;
	if (*argument && !*c) {
		finding_command(to, "%s", argument);
		return;
	}
	finding_command(to, "'");
	for (; *argument; argument++) {
		if (*argument == '\'')
			finding_command(to, "'\\''");
		else
			finding_command(to, "%c", *argument);
	}
	finding_command(to, "'");
}

void finding_device(struct finding *to, const char *before,
		    const struct facts_dev *dev, const char *after)
{
	finding_command(to, "%s ", before);
	finding_argument(to, dev->name);
	finding_command(to, "%s%s", *after ? " " : "", after);
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

/* The program that puts a kind of qdisc at each queue of a device, or NULL. */
static const char *finding_mq(const char *kind)
{
	if (!strcmp(kind, "onramp"))
		return "onramp-mq";
	return strcmp(kind, "ecnsharp") ? NULL : "ecnsharp-mq";
}

void finding_change(struct finding *to, const struct finding_check *at,
		    const char *params)
{
	const struct facts_qdisc *q = at->q;
	const struct facts_qdisc *root = finding_at_root(at->f, q->ifindex);
	const char *mq = finding_mq(q->kind);

	if (mq && root && facts_qdisc_is(root, "mq")) {
		finding_device(to, mq, at->dev, params);
		return;
	}
	/* A default qdisc has no handle and cannot be changed. */
	finding_device(to, q->handle ? "tc qdisc change dev" :
				       "tc qdisc replace dev", at->dev, "");
	if (q->parent == TC_H_ROOT)
		finding_command(to, " root");
	else
		finding_command(to, " parent %x:%x", q->parent >> 16,
				q->parent & 0xffff);
	finding_command(to, " %s %s", q->kind, params);
}

void finding_root(struct finding *to, const struct facts_dev *dev,
		  const char *kind, const char *params)
{
	const char *mq = finding_mq(kind);

	if (mq && dev->queues > 1) {
		finding_device(to, mq, dev, "");
	} else {
		finding_device(to, "tc qdisc replace dev", dev, "root ");
		finding_command(to, "%s", kind);
	}
	if (params)
		finding_command(to, " %s", params);
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

bool finding_is_switch(const struct facts *f)
{
	return finding_has(f, f->scope, "ecnsharp") || finding_has(f, f->scope, "cp");
}

bool finding_publishes(const struct facts *f)
{
	size_t i;

	/* In mode off it is only the default. */
	for (i = 0; i < f->nr_qdiscs; i++)
		if (facts_qdisc_is(&f->qdiscs[i], "onramp") &&
		    f->qdiscs[i].onramp.mode != ONRAMP_MODE_OFF &&
		    f->qdiscs[i].onramp.clock == ONRAMP_CLOCK_PUBLISHED)
			return true;
	return f->clock.id == ONRAMP_CLOCK_PUBLISHED;
}

void finding_clock(struct finding *to, const struct facts *f)
{
	finding_command(to, finding_publishes(f) ?
			"systemctl restart huygens-lite" :
			"onrampctl clock set system error 2us");
}

bool finding_lacks_bql(const struct facts_dev *dev)
{
	return dev->hardware && !dev->bql && !dev->still && dev->n.tx_bytes;
}

bool finding_in_scope(const struct facts *f, uint32_t ifindex)
{
	return !f->scope || f->scope == ifindex;
}

const struct facts_dev *finding_candidate(const struct facts *f, uint32_t scope,
					  const char *kind)
{
	const struct facts_dev *found = NULL;
	size_t i;

	for (i = 0; i < f->nr_devs; i++) {
		const struct facts_dev *dev = &f->devs[i];

		if (!dev->up || dev->loopback ||
		    (scope && dev->ifindex != scope) ||
		    (kind && finding_has(f, dev->ifindex, kind)))
			continue;
		if (!found || dev->n.tx_bytes > found->n.tx_bytes)
			found = dev;
	}
	return found;
}

typedef void (*finding_each_fn)(const struct facts_dev *nic, void *data);

static void finding_descend(const struct facts *f, const struct facts_dev *dev,
			    finding_each_fn each, void *data, int nest)
{
	size_t i;

	if (!dev->passed) {
		each(dev, data);
		return;
	}
	for (i = 0; i < f->nr_devs && nest; i++)
		if (f->devs[i].ifindex == dev->below ||
		    f->devs[i].master == dev->ifindex)
			finding_descend(f, &f->devs[i], each, data, nest - 1);
}

void finding_nics(const struct facts *f, const struct facts_dev *dev,
		  void (*each)(const struct facts_dev *nic, void *data),
		   void *data)
{
	if (dev->passed)
		finding_descend(f, dev, each, data, FINDING_NEST_MAX);
}

struct unit_text finding_count(uint64_t number)
{
	struct unit_text decimal;

	snprintf(decimal.text, sizeof(decimal.text), "%" PRIu64, number);
	return decimal;
}

void finding_free(struct findings *out)
{
	free(out->list);
	memset(out, 0, sizeof(*out));
}
