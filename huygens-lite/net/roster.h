/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hosts of the mesh, by index in the order of their ids, and which of them
 * are neighbours: the seeded graph of all configured hosts, the same everywhere.
 * It changes with the configuration only, so a host that restarts finds its
 * neighbours waiting.
 */
#ifndef HUYGENS_ROSTER_H
#define HUYGENS_ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../conf/conf.h"
#include "../algo/graph.h"

#define ROSTER_NONE	UINT32_MAX

/**
 * struct roster - hosts and edges
 * @hosts: how many
 * @host: they, the configuration's, by ascending id
 * @self: index of this host
 * @edges: how many
 * @edge: all of them, by index of their hosts
 * @neighbours: how many this host has
 * @neighbour: indices, ascending
 * @checksum: of the hosts' ids, degree and seed: equal where the graph is
 */
struct roster {
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
 * roster_make() - hosts and edges of a configuration
 * @roster: filled; roster_free() it if this succeeds
 * @conf: a configuration that was identified; must live as long
 *
 * Return: 0, or -1 without memory.
 */
int roster_make(struct roster *roster, const struct huygens_conf *conf);

/**
 * roster_index() - a host by id
 * @roster: the roster
 * @id: any
 *
 * Return: its index or ROSTER_NONE.
 */
uint32_t roster_index(const struct roster *roster, uint32_t id);

/**
 * roster_place() - a neighbour's place among the neighbours
 * @roster: the roster
 * @index: of a host
 *
 * Return: its place or ROSTER_NONE.
 */
uint32_t roster_place(const struct roster *roster, uint32_t index);

/**
 * roster_free() - return its memory
 * @roster: the roster
 */
void roster_free(struct roster *roster);

#endif /* HUYGENS_ROSTER_H */
