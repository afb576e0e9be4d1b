// SPDX-License-Identifier: GPL-2.0
/*
 * Queues get their own settings back.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "change.h"
#include "restore.h"

/**
 * struct restore_step - a queue on the way back to its own settings
 * @before: what there was
 * @error: errno of its change
 */
struct restore_step {
	enum restore_verdict before;
	int error;
};

static const char *restore_text(enum restore_verdict verdict)
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

const char *restore_line(const struct saved_queue *q, enum restore_verdict verdict, int error,
			 char line[RESTORE_LINE])
{
	const char *reason = "the kernel took its settings, but it has others";
	bool failed = verdict == RESTORE_FAILED;
	char name[TREE_NAME];

	if (error)
		reason = strerror(error);
	snprintf(line, RESTORE_LINE, "%s %s%s%s", tree_name(q->dev, q->handle, name),
		 restore_text(verdict), failed ? ": " : "", failed ? reason : "");
	return line;
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

static void restore_send(struct change *change, const size_t *place, size_t n,
			 struct restore_step *step)
{
	int error = change_send(change, n) ? errno : 0;
	size_t i;

	for (i = 0; i < n; i++)
		step[place[i]].error = change[i].error < 0 ? error : change[i].error;
}

/* Queues that differ, CHANGE_MAX at a time. */
static void restore_change(const struct saved *saved, struct restore_step *step)
{
	struct change change[CHANGE_MAX];
	size_t place[CHANGE_MAX], i, n = 0;

	for (i = 0; i < saved->count; i++) {
		const struct saved_queue *q = &saved->queue[i];

		if (step[i].before != RESTORE_CHANGE)
			continue;
		place[n] = i;
		change[n++] = (struct change){ q->ifindex, q->parent, q->handle, q->settings, 0 };
		if (n == CHANGE_MAX) {
			restore_send(change, place, n, step);
			n = 0;
		}
	}
	restore_send(change, place, n, step);
}

static void restore_count(struct restore_count *count, enum restore_verdict verdict, int error)
{
	count->changed += verdict == RESTORE_CHANGE;
	count->same += verdict == RESTORE_SAME;
	count->gone += verdict == RESTORE_GONE;
	count->foreign += verdict == RESTORE_FOREIGN;
	count->failed += verdict == RESTORE_FAILED;
	count->forbidden += verdict == RESTORE_FAILED && error == EPERM;
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
	static struct restore_step step[SAVED_MAX];
	size_t i;

	memset(count, 0, sizeof(*count));
	if (scan_qdiscs(scan, why, size) < 0)
		return -1;
	for (i = 0; i < saved->count; i++)
		step[i] = (struct restore_step){ restore_judge(&scan->tree, &saved->queue[i]), 0 };
	restore_change(saved, step);
	if (scan_qdiscs(scan, why, size) < 0)
		return -1;
	/* From the last, since a queue that is removed gets the last one's place. */
	for (i = saved->count; i--;) {
		const struct saved_queue q = saved->queue[i];
		enum restore_verdict verdict = restore_result(&scan->tree, &q, step[i].before);

		restore_count(count, verdict, step[i].error);
		if (tell)
			tell(&q, verdict, step[i].error, data);
		if (verdict != RESTORE_FAILED)
			saved_remove(saved, q.ifindex, q.handle);
	}
	return 0;
}
