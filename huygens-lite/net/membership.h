/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hosts of the mesh, by index in the order of their ids, and which of them
 * are neighbours: the seeded graph of all configured hosts, the same everywhere.
 * It changes with the list of members only, so a host that restarts finds its
 * neighbours waiting.  While the list changes it is the union of both lists: their
 * hosts, and the edges of both graphs.
 */
#ifndef HUYGENS_MEMBERSHIP_H
#define HUYGENS_MEMBERSHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../algo/graph.h"
#include "member_list.h"

#define MEMBERSHIP_NONE	UINT32_MAX

/**
 * struct membership - hosts and edges
 * @hosts: how many
 * @host: they, by ascending id
 * @self: index of this host
 * @edges: how many
 * @edge: all of them, by index of their hosts
 * @neighbours: how many this host has
 * @neighbour: indices, ascending
 */
struct membership {
	uint32_t		hosts;
	struct conf_peer	*host;
	uint32_t		self;
	uint32_t		edges;
	struct graph_edge	*edge;
	uint32_t		neighbours;
	uint32_t		*neighbour;
};

/**
 * membership_make() - hosts and edges
 * @membership: filled; membership_free() it if this succeeds
 * @list: the list in force
 * @next: the list that is going to replace it, or none; a host in both has the same address
 * @self: id of this host, which is in one of them
 *
 * Return: 0, or -1 without memory.
 */
int membership_make(struct membership *membership, const struct member_list *list,
		    const struct member_list *next, uint32_t self);

/**
 * membership_index() - a host by id
 * @membership: the membership
 * @id: any
 *
 * Return: its index or MEMBERSHIP_NONE.
 */
uint32_t membership_index(const struct membership *membership, uint32_t id);

/**
 * membership_place() - a neighbour's place among the neighbours
 * @membership: the membership
 * @index: of a host
 *
 * Return: its place or MEMBERSHIP_NONE.
 */
uint32_t membership_place(const struct membership *membership, uint32_t index);

/**
 * membership_edge() - an edge by its hosts
 * @membership: the membership
 * @i: index of the host with the smaller id
 * @j: that of the other
 *
 * Return: its index or MEMBERSHIP_NONE.
 */
uint32_t membership_edge(const struct membership *membership, uint32_t i, uint32_t j);

/**
 * membership_free() - return its memory
 * @membership: the membership
 */
void membership_free(struct membership *membership);

#endif /* HUYGENS_MEMBERSHIP_H */
