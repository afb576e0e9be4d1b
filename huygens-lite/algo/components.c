// SPDX-License-Identifier: GPL-2.0
/*
 * Union and find; the smallest index is the root.
 */
#include "components.h"

void components_begin(uint32_t *component, uint32_t hosts)
{
	uint32_t h;

	for (h = 0; h < hosts; h++)
		component[h] = h;
}

static uint32_t components_root(uint32_t *component, uint32_t h)
{
	while (component[h] != h) {
		component[h] = component[component[h]];
		h = component[h];
	}
	return h;
}

void components_join(uint32_t *component, uint32_t i, uint32_t j)
{
	i = components_root(component, i);
	j = components_root(component, j);
	if (i < j)
		component[j] = i;
	else
		component[i] = j;
}

uint32_t components_settle(uint32_t *component, uint32_t hosts, uint32_t *size)
{
	uint32_t components = 0;
	uint32_t h;

	for (h = 0; h < hosts; h++)
		size[h] = 0;
	for (h = 0; h < hosts; h++) {
		component[h] = components_root(component, h);
		if (++size[component[h]] == 2)
			components++;
	}
	return components;
}
