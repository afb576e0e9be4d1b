// SPDX-License-Identifier: GPL-2.0
/*
 * The hosts of the mesh, and which of them are neighbours.
 */
#include <stdlib.h>
#include <string.h>

#include "membership.h"

/* FNV-1a, of numbers. */
static uint32_t membership_hash(uint32_t hash, uint64_t value)
{
	int i;

	for (i = 0; i < 8; i++, value >>= 8)
		hash = (hash ^ (value & 0xff)) * 16777619u;
	return hash;
}

static uint32_t membership_checksum(const struct huygens_conf *conf)
{
	uint32_t hash = 2166136261u;
	size_t i;

	hash = membership_hash(hash, conf->degree);
	hash = membership_hash(hash, conf->seed);
	for (i = 0; i < conf->n_peers; i++)
		hash = membership_hash(hash, conf->peers[i].id);
	return hash;
}

/* Ascending, as the edges are sorted by i and then j. */
static void membership_find_neighbours(struct membership *membership)
{
	uint32_t e;

	for (e = 0; e < membership->edges; e++) {
		if (membership->edge[e].j == membership->self)
			membership->neighbour[membership->neighbours++] =
				    membership->edge[e].i;
		else if (membership->edge[e].i == membership->self)
			membership->neighbour[membership->neighbours++] =
				    membership->edge[e].j;
	}
}

int membership_make(struct membership *membership, const struct huygens_conf *conf)
{
	memset(membership, 0, sizeof(*membership));
	membership->hosts = conf->n_peers;
	membership->host = conf->peers;
	membership->self = conf->self;
	membership->checksum = membership_checksum(conf);
	membership->edges = graph_edges(membership->hosts, conf->degree);
	membership->edge = calloc(membership->edges + 1, sizeof(*membership->edge));
	membership->neighbour = calloc(membership->hosts, sizeof(*membership->neighbour));
	if (!membership->edge || !membership->neighbour) {
		membership_free(membership);
		return -1;
	}
	graph_make(membership->hosts, conf->degree, conf->seed, membership->edge);
	membership_find_neighbours(membership);
	return 0;
}

static int membership_by_number(const void *key, const void *element)
{
	const uint32_t *a = key, *b = element;

	return *a < *b ? -1 : *a > *b;
}

static int membership_by_id(const void *key, const void *element)
{
	const struct conf_peer *peer = element;

	return membership_by_number(key, &peer->id);
}

uint32_t membership_index(const struct membership *membership, uint32_t id)
{
	const struct conf_peer *peer = bsearch(&id, membership->host, membership->hosts,
					       sizeof(*membership->host),
					       membership_by_id);

	return peer ? peer - membership->host : MEMBERSHIP_NONE;
}

uint32_t membership_place(const struct membership *membership, uint32_t index)
{
	const uint32_t *place = bsearch(&index, membership->neighbour,
					membership->neighbours, sizeof(*place),
					membership_by_number);

	return place ? place - membership->neighbour : MEMBERSHIP_NONE;
}

void membership_free(struct membership *membership)
{
	free(membership->edge);
	free(membership->neighbour);
	memset(membership, 0, sizeof(*membership));
}
