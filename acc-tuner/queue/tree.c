// SPDX-License-Identifier: GPL-2.0
/*
 * The qdiscs of a namespace as trees.
 */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <stdio.h>
#include <string.h>

#include "tree.h"

/* Qdiscs above each other; more than this are a loop. */
#define TREE_DEPTH	8

/*
 * The problem, and the command that mends it, with the device, where the qdisc is, and
 * its handle; a verdict without a command has a reason only.
 */
static const struct tree_reason {
	const char *name;
	const char *why;
	const char *verb;
	const char *options;
} tree_reasons[TREE_NR] = {
	[TREE_GOOD] = { "tuned", "", NULL, NULL },
	[TREE_RED] = { "red", "each change of red empties its queue", "replace", "ecnsharp" },
	[TREE_GRED] = { "gred", "each change of gred empties its queue", "replace", "ecnsharp" },
	[TREE_NOQUEUE] = { "noqueue", "the device has no queue", "replace", "ecnsharp" },
	[TREE_OTHER] = { "other", "it is not of kind ecnsharp", "replace", "ecnsharp" },
	[TREE_DOWN] = { "down", "the device is down or has no carrier", NULL, NULL },
	[TREE_GARBLED] = { "unreadable", "its settings cannot be read", NULL, NULL },
	[TREE_OLD] = { "old", "its kernel module is older than acc-tuner", NULL, NULL },
	[TREE_BYPASS] = { "bypass", "packets that pass it are not counted", "change",
			  "ecnsharp bypass off" },
	[TREE_OFF] = { "off", "its thresholds are off", "change", "ecnsharp instantaneous on" },
	[TREE_STAB] = { "stab", "each change would drop its size table", "change", "ecnsharp" },
	[TREE_NO_HANDLE] = { "no-handle", "what was made by default cannot be changed", "replace",
			     "ecnsharp" },
	[TREE_NO_RATE] = { "no-rate", "its rate is not known", NULL, NULL },
};

static const struct record_device *tree_device(const struct tree *tree, uint32_t ifindex)
{
	size_t i;

	for (i = 0; i < tree->devices; i++)
		if (tree->device[i].ifindex == ifindex)
			return &tree->device[i];
	return NULL;
}

/* The qdisc whose class @record is in; NULL for a root. */
static const struct record *tree_parent(const struct tree *tree, const struct record *record)
{
	size_t i;

	if (record->parent == TC_H_ROOT)
		return NULL;
	for (i = 0; i < tree->records; i++)
		if (tree->record[i].ifindex == record->ifindex &&
		    tree->record[i].handle == TC_H_MAJ(record->parent))
			return &tree->record[i];
	return NULL;
}

static uint64_t tree_class_rate(const struct tree *tree, const struct record *record)
{
	size_t i;

	for (i = 0; i < tree->classes; i++)
		if (tree->class[i].ifindex == record->ifindex &&
		    tree->class[i].handle == record->parent)
			return tree->class[i].rate_bps;
	return 0;
}

/* Up the tree to the first that limits the rate; at its root it is the link's. */
static uint64_t tree_rate(const struct tree *tree, const struct record *record,
			  const struct record_device *device)
{
	const struct record *above;
	int depth;

	for (depth = 0; depth < TREE_DEPTH; depth++, record = above) {
		if (record->parent == TC_H_ROOT)
			return device->rate_bps;
		above = tree_parent(tree, record);
		if (!above)
			return 0;
		if (above->kind == RECORD_TBF)
			return above->rate_bps;
		if (above->kind == RECORD_HTB)
			return tree_class_rate(tree, record);
		if (above->kind != RECORD_MQ && above->kind != RECORD_SHARE)
			return 0;
	}
	return 0;
}

static enum tree_verdict tree_judge_ecnsharp(const struct tree_queue *q)
{
	const struct record *record = q->record;

	if (!record->is_whole)
		return TREE_GARBLED;
	if (!record->stats.stamp_ns)
		return TREE_OLD;
	if (record->settings.value[ECNSHARP_BYPASS])
		return TREE_BYPASS;
	if (!record->settings.value[ECNSHARP_INSTANTANEOUS])
		return TREE_OFF;
	if (record->has_stab)
		return TREE_STAB;
	if (!record->handle)
		return TREE_NO_HANDLE;
	if (!q->device->is_running)
		return TREE_DOWN;
	if (q->rate_bps < CONF_RATE_LEAST || q->rate_bps > CONF_RATE_MOST)
		return TREE_NO_RATE;
	return TREE_GOOD;
}

static enum tree_verdict tree_judge(const struct tree_queue *q)
{
	switch (q->record->kind) {
	case RECORD_ECNSHARP:
		return tree_judge_ecnsharp(q);
	case RECORD_RED:
		return TREE_RED;
	case RECORD_GRED:
		return TREE_GRED;
	case RECORD_NOQUEUE:
		return TREE_NOQUEUE;
	default:
		return TREE_OTHER;
	}
}

/* Is it named by its device, or by more?  A "*" alone names no qdisc but ecnsharp. */
static bool tree_is_named(const struct acc_conf *conf, const struct record_device *device,
			  const struct record *record)
{
	size_t i;

	for (i = 0; i < conf->n_queues; i++) {
		const struct conf_queue *item = &conf->queues[i];

		if (!conf_is_named(item, device->name, device->alternatives))
			continue;
		if (item->handle != CONF_ANY_HANDLE) {
			if (item->handle == record->handle)
				return true;
		} else if (record->kind == RECORD_NOQUEUE || record->kind == RECORD_RED ||
			   record->kind == RECORD_GRED) {
			if (*item->dev)
				return true;
		} else if (record->kind == RECORD_ECNSHARP) {
			return true;
		}
	}
	return false;
}

bool tree_queue(const struct tree *tree, const struct acc_conf *conf, const struct record *record,
		struct tree_queue *q)
{
	const struct record *above = tree_parent(tree, record);

	memset(q, 0, sizeof(*q));
	q->record = record;
	q->device = tree_device(tree, record->ifindex);
	if (!q->device || !tree_is_named(conf, q->device, record))
		return false;
	q->group = above && above->kind == RECORD_MQ ? above->handle : record->handle;
	q->rate_bps = conf_rate_bps(conf, q->device->name, q->device->alternatives,
				    record->handle);
	if (!q->rate_bps)
		q->rate_bps = tree_rate(tree, record, q->device);
	q->verdict = tree_judge(q);
	return true;
}

const char *tree_name(const char *dev, uint32_t handle, char name[TREE_NAME])
{
	snprintf(name, TREE_NAME, "%.*s/%x:", IF_NAMESIZE - 1, dev, TC_H_MAJ(handle) >> 16);
	return name;
}

const char *tree_verdict_name(enum tree_verdict verdict)
{
	return tree_reasons[verdict].name;
}

static void tree_place(const struct record *record, char *text, size_t size)
{
	if (record->parent == TC_H_ROOT)
		snprintf(text, size, "root");
	else
		snprintf(text, size, "parent %x:%x", TC_H_MAJ(record->parent) >> 16,
			 TC_H_MIN(record->parent));
}

const char *tree_explain(const struct tree_queue *q, char text[TREE_TEXT])
{
	const struct tree_reason *reason = &tree_reasons[q->verdict];
	uint32_t major = TC_H_MAJ(q->record->handle) >> 16;
	char name[TREE_NAME], place[32];
	int n;

	n = snprintf(text, TREE_TEXT, "%s", reason->why);
	if (q->verdict == TREE_NO_RATE)
		snprintf(text + n, TREE_TEXT - n, ": [queues] rate = %s=RATE",
			 tree_name(q->device->name, q->record->handle, name));
	if (!reason->verb)
		return text;
	/* Classes of a qdisc without a handle cannot be named: it needs one first. */
	if (q->record->parent != TC_H_ROOT && !TC_H_MAJ(q->record->parent)) {
		snprintf(text + n, TREE_TEXT - n, ": tc qdisc replace dev %s root handle 1: mq",
			 q->device->name);
		return text;
	}
	tree_place(q->record, place, sizeof(place));
	n += snprintf(text + n, TREE_TEXT - n, ": tc qdisc %s dev %s %s", reason->verb,
		      q->device->name, place);
	/* Another kind under the same handle is refused: the kernel chooses one. */
	if (!strcmp(reason->verb, "change"))
		n += snprintf(text + n, TREE_TEXT - n, " handle %x:", major);
	snprintf(text + n, TREE_TEXT - n, " %s", reason->options);
	return text;
}

static bool tree_has(const struct tree *tree, const struct conf_queue *item, uint32_t ifindex)
{
	size_t i;

	for (i = 0; i < tree->records; i++) {
		const struct record *r = &tree->record[i];

		if (r->ifindex == ifindex && (item->handle ? r->handle == item->handle :
					      r->kind == RECORD_ECNSHARP))
			return true;
	}
	return false;
}

size_t tree_missing(const struct tree *tree, const struct acc_conf *conf, size_t from,
		    char text[TREE_TEXT])
{
	for (; from < conf->n_queues; from++) {
		const struct conf_queue *item = &conf->queues[from];
		const char *lacks = "is not there";
		size_t i;

		if (!*item->dev)
			continue;
		for (i = 0; i < tree->devices; i++) {
			if (!conf_is_named(item, tree->device[i].name,
					   tree->device[i].alternatives))
				continue;
			lacks = "has no queue of kind ecnsharp";
			if (tree_has(tree, item, tree->device[i].ifindex))
				break;
		}
		if (i < tree->devices)
			continue;
		if (item->handle)
			snprintf(text, TREE_TEXT, "%s has no qdisc %x:", item->dev,
				 item->handle >> 16);
		else
			snprintf(text, TREE_TEXT, "%s %s", item->dev, lacks);
		return from;
	}
	return from;
}
