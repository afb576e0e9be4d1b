// SPDX-License-Identifier: GPL-2.0
/*
 * Queues get their own settings back.
 */
#include <string.h>

#include "change.h"
#include "restore.h"

const char *restore_text(enum restore_verdict verdict)
{
	static const char *const texts[] = {
		[RESTORE_CHANGE] = "has its own settings again",
		[RESTORE_SAME] = "has its own settings",
		[RESTORE_GONE] = "is gone",
		[RESTORE_FOREIGN] = "was changed by another and stays as it is",
		[RESTORE_FAILED] = "cannot be changed back",
	};

	return texts[verdict];
}

static const struct record *restore_find(const struct tree *tree, const struct saved_queue *q)
{
	size_t i;

	for (i = 0; i < tree->records; i++) {
		const struct record *r = &tree->record[i];

		if (r->ifindex == q->ifindex && r->handle == q->handle && r->parent == q->parent &&
		    r->kind == RECORD_ECNSHARP)
			return r;
	}
	return NULL;
}

enum restore_verdict restore_judge(const struct tree *tree, const struct saved_queue *q)
{
	const struct record *r = restore_find(tree, q);

	if (!r)
		return RESTORE_GONE;
	if (!r->is_whole)
		return RESTORE_FOREIGN;
	if (settings_is_same(&r->settings, &q->settings))
		return RESTORE_SAME;
	return settings_is_tuned(&r->settings, &q->settings) ? RESTORE_CHANGE : RESTORE_FOREIGN;
}

/* Those that differ, CHANGE_MAX at a time. */
static void restore_change(const struct scan *scan, const struct saved *saved)
{
	struct change change[CHANGE_MAX];
	size_t i, n = 0;

	for (i = 0; i < saved->count; i++) {
		const struct saved_queue *q = &saved->queue[i];

		if (restore_judge(&scan->tree, q) == RESTORE_CHANGE)
			change[n++] = (struct change){ q->ifindex, q->parent, q->handle,
						       q->settings, 0 };
		if (n == CHANGE_MAX) {
			change_send(change, n);
			n = 0;
		}
	}
	change_send(change, n);
}

static void restore_count(struct restore_count *count, enum restore_verdict verdict)
{
	count->changed += verdict == RESTORE_CHANGE;
	count->same += verdict == RESTORE_SAME;
	count->gone += verdict == RESTORE_GONE;
	count->foreign += verdict == RESTORE_FOREIGN;
	count->failed += verdict == RESTORE_FAILED;
}

/* By what there is now: a queue that still differs by a ramp was refused. */
static enum restore_verdict restore_result(const struct tree *tree, const struct saved_queue *q,
					   enum restore_verdict before)
{
	enum restore_verdict now = restore_judge(tree, q);

	if (before != RESTORE_CHANGE)
		return before;
	if (now == RESTORE_SAME)
		return RESTORE_CHANGE;
	return now == RESTORE_CHANGE ? RESTORE_FAILED : now;
}

int restore_all(struct scan *scan, struct saved *saved, restore_fn *tell, void *data,
		struct restore_count *count, char *why, size_t size)
{
	static enum restore_verdict before[SAVED_MAX];
	size_t i;

	memset(count, 0, sizeof(*count));
	if (scan_qdiscs(scan, why, size) < 0)
		return -1;
	for (i = 0; i < saved->count; i++)
		before[i] = restore_judge(&scan->tree, &saved->queue[i]);
	restore_change(scan, saved);
	if (scan_qdiscs(scan, why, size) < 0)
		return -1;
	/* From the last, since a queue that is removed gets the last one's place. */
	for (i = saved->count; i--;) {
		const struct saved_queue q = saved->queue[i];
		enum restore_verdict verdict = restore_result(&scan->tree, &q, before[i]);

		restore_count(count, verdict);
		if (tell)
			tell(&q, verdict, data);
		if (verdict != RESTORE_FAILED)
			saved_remove(saved, q.ifindex, q.handle);
	}
	return 0;
}
