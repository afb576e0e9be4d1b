/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file of --flows, read again
 */
#ifndef FLOWGEN_RESULT_H
#define FLOWGEN_RESULT_H

#include "outcome.h"

/**
 * struct result - flows of a run that were to end by themselves
 * @list: flows in the order of the file; their ideal times are unknown
 * @id: number of each in its run
 * @n: how many
 */
struct result {
	struct outcome *list;
	u64 *id;
	u32 n;
};

/**
 * result_read() - read a file of --flows
 * @r: receives its flows
 * @path: file; "-" is standard input
 *
 * Columns are found by their names; others than size_bytes, fct_ns, end and id are not read.
 *
 * Return: 0 (release with result_free()), or -1 after a message with the line.
 */
int result_read(struct result *r, const char *path);

/**
 * result_is_paired() - whether two runs had the same flows
 * @a: a run
 * @b: another run
 *
 * Return: true if each flow of one has a flow of the same id and size in the other.
 */
bool result_is_paired(const struct result *a, const struct result *b);

/**
 * result_free() - release the flows
 * @r: flows
 */
void result_free(struct result *r);

#endif
