/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queues get their own settings back.
 */
#ifndef ACC_RESTORE_H
#define ACC_RESTORE_H

#include "record.h"
#include "saved.h"
#include "scan.h"

/* Bytes of a queue's name and of what became of it. */
#define RESTORE_LINE	(TREE_NAME + 128)

/**
 * enum restore_verdict - what is to be done with a queue
 * @RESTORE_CHANGE: its settings differ from its own by a ramp: they are changed back
 * @RESTORE_SAME: it has its own settings
 * @RESTORE_GONE: there is no such queue
 * @RESTORE_FOREIGN: another program or user changed it: it stays as it is
 * @RESTORE_FAILED: the kernel refused, or the settings are still others
 */
enum restore_verdict {
	RESTORE_CHANGE,
	RESTORE_SAME,
	RESTORE_GONE,
	RESTORE_FOREIGN,
	RESTORE_FAILED,
};

/**
 * struct restore_count - what became of queues
 * @changed: of those that were changed back
 * @same: of those that had their own settings
 * @gone: of those that are gone
 * @foreign: of those that another changed
 * @failed: of those that could not be changed back
 * @forbidden: of these, those for which CAP_NET_ADMIN is missing
 */
struct restore_count {
	uint32_t changed;
	uint32_t same;
	uint32_t gone;
	uint32_t foreign;
	uint32_t failed;
	uint32_t forbidden;
};

/**
 * typedef restore_fn - called with the result for a queue
 * @q: the queue
 * @verdict: RESTORE_CHANGE: it was changed back
 * @error: of RESTORE_FAILED: errno of the kernel's refusal, 0: it refused nothing
 * @data: the caller's
 */
typedef void restore_fn(const struct saved_queue *q, enum restore_verdict verdict, int error,
			void *data);

/**
 * restore_line() - what became of a queue
 * @q: the queue
 * @verdict: the verdict; RESTORE_CHANGE: it was changed back
 * @error: as restore_fn() has it
 * @line: filled
 *
 * Return: @line, with the queue's name, what became of it, and the reason of a failure.
 */
const char *restore_line(const struct saved_queue *q, enum restore_verdict verdict, int error,
			 char line[RESTORE_LINE]);

/**
 * restore_judge() - look at a queue
 * @tree: the namespace
 * @q: the queue
 *
 * Return: anything but RESTORE_FAILED.
 */
enum restore_verdict restore_judge(const struct tree *tree, const struct saved_queue *q);

/**
 * restore_all() - change back all queues of a file, and look whether it succeeded
 * @scan: tables, which are read anew
 * @saved: the file; what is settled is removed, what failed stays
 * @tell: called for each queue, or NULL
 * @data: for @tell
 * @count: filled
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0, or -1 if the kernel's tables could not be read.
 */
int restore_all(struct scan *scan, struct saved *saved, restore_fn *tell, void *data,
		struct restore_count *count, char *why, size_t size);

#endif /* ACC_RESTORE_H */
