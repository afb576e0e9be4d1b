/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hosts of the mesh, by index in the order of their ids, and which of them
 * are neighbours: the seeded graph of all configured hosts, the same everywhere.
 * It changes with the configuration only, so a host that restarts finds its
 * neighbours waiting.
 */
#ifndef HUYGENS_MEMBERSHIP_H
#define HUYGENS_MEMBERSHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../conf/conf.h"
#include "../algo/graph.h"

#define MEMBERSHIP_NONE	UINT32_MAX

/**
 * struct membership - hosts and edges
 * @hosts: how many
 * @host: they, the configuration's, by ascending id
 * @self: index of this host
 * @edges: how many
 * @edge: all of them, by index of their hosts
 * @neighbours: how many this host has
 * @neighbour: indices, ascending
 * @checksum: of the hosts' ids, degree and seed: equal where the graph is
 */
struct membership {
	uint32_t		hosts;
	const struct conf_peer	*host;
	uint32_t		self;
	uint32_t		edges;
	struct graph_edge	*edge;
	uint32_t		neighbours;
	uint32_t		*neighbour;
	uint32_t		checksum;
};

/**
 * membership_make() - hosts and edges of a configuration
 * @membership: filled; membership_free() it if this succeeds
 * @conf: a configuration that was identified; must live as long
 *
 * Return: 0, or -1 without memory.
 */
int membership_make(struct membership *membership, const struct huygens_conf *conf);

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
 * membership_free() - return its memory
 * @membership: the membership
 */
void membership_free(struct membership *membership);

#endif /* HUYGENS_MEMBERSHIP_H */
