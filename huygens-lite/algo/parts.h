/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What hangs together: the connected parts of a graph some of whose edges
 * count.
 */
#ifndef HUYGENS_PARTS_H
#define HUYGENS_PARTS_H

#include <stdint.h>

/**
 * parts_begin() - every host is a part of its own
 * @part: room for @hosts: the part of each host, by its smallest index
 * @hosts: how many
 */
void parts_begin(uint32_t *part, uint32_t hosts);

/**
 * parts_join() - an edge joins two parts
 * @part: the parts
 * @i: a host
 * @j: another
 */
void parts_join(uint32_t *part, uint32_t i, uint32_t j);

/**
 * parts_settle() - name each host's part, after the last edge
 * @part: the parts; afterwards @part[h] is the smallest index of h's part
 * @hosts: how many
 * @size: room for @hosts: gets the size of the part that begins at an index, 0
 *	where none does
 *
 * Return: how many parts have two hosts or more.
 */
uint32_t parts_settle(uint32_t *part, uint32_t hosts, uint32_t *size);

#endif /* HUYGENS_PARTS_H */
