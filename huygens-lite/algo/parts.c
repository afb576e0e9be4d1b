// SPDX-License-Identifier: GPL-2.0
/*
 * Union and find; the smallest index is the root.
 */
#include "parts.h"

void parts_begin(uint32_t *part, uint32_t hosts)
{
	uint32_t h;

	for (h = 0; h < hosts; h++)
		part[h] = h;
}

static uint32_t parts_root(uint32_t *part, uint32_t h)
{
	while (part[h] != h) {
		part[h] = part[part[h]];
		h = part[h];
	}
	return h;
}

void parts_join(uint32_t *part, uint32_t i, uint32_t j)
{
	i = parts_root(part, i);
	j = parts_root(part, j);
	if (i < j)
		part[j] = i;
	else
		part[i] = j;
}

uint32_t parts_settle(uint32_t *part, uint32_t hosts, uint32_t *size)
{
	uint32_t parts = 0;
	uint32_t h;

	for (h = 0; h < hosts; h++)
		size[h] = 0;
	for (h = 0; h < hosts; h++) {
		part[h] = parts_root(part, h);
		if (++size[part[h]] == 2)
			parts++;
	}
	return parts;
}
