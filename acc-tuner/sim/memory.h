/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Space for the model's tables.  A model that ran out of memory half way has no result, so
 * there is nothing to be handled: the program ends.
 */
#ifndef ACC_SIM_MEMORY_H
#define ACC_SIM_MEMORY_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/**
 * memory_grow() - make space for one element more
 * @table: the table, NULL at first
 * @count: elements that it has
 * @capacity: elements that it has space for; changed
 * @size: of an element, bytes
 *
 * Return: the table, perhaps at another place; what is new in it is zero.  The program ends
 * with status 1 where there is no memory.
 */
static inline void *memory_grow(void *table, uint32_t count, uint32_t *capacity, size_t size)
{
	uint32_t more = *capacity ? 2 * *capacity : 64;
	char *grown;
	size_t i;

	if (count < *capacity)
		return table;
	grown = realloc(table, more * size);
	if (!grown) {
		fputs("acc-tuner: out of memory\n", stderr);
		exit(1);
	}
	for (i = *capacity * size; i < more * size; i++)
		grown[i] = 0;
	*capacity = more;
	return grown;
}

#endif /* ACC_SIM_MEMORY_H */
