/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Connected components of the graph of the edges that count.
 */
#ifndef HUYGENS_COMPONENTS_H
#define HUYGENS_COMPONENTS_H

#include <stdint.h>

/**
 * components_begin() - every host is a component of its own
 * @component: space for @hosts: the component of each host, by its smallest index
 * @hosts: how many
 */
void components_begin(uint32_t *component, uint32_t hosts);

/**
 * components_join() - an edge joins two components
 * @component: the components
 * @i: a host
 * @j: another
 */
void components_join(uint32_t *component, uint32_t i, uint32_t j);

/**
 * components_settle() - name each host's component, after the last edge
 * @component: the components; afterwards @component[h] is the smallest index of h's component
 * @hosts: how many
 * @size: space for @hosts: gets the size of the component that begins at an index, 0
 *	where none does
 *
 * Return: how many components have two hosts or more.
 */
uint32_t components_settle(uint32_t *component, uint32_t hosts, uint32_t *size);

#endif /* HUYGENS_COMPONENTS_H */
