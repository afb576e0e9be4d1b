// SPDX-License-Identifier: GPL-2.0
/*
 * The hosts of the mesh, and which of them are neighbours.
 */
#include <stdlib.h>
#include <string.h>

#include "roster.h"

/* FNV-1a, of numbers. */
static uint32_t roster_hash(uint32_t hash, uint64_t value)
{
	int i;

	for (i = 0; i < 8; i++, value >>= 8)
		hash = (hash ^ (value & 0xff)) * 16777619u;
	return hash;
}

static uint32_t roster_checksum(const struct huygens_conf *conf)
{
	uint32_t hash = 2166136261u;
	size_t i;

	hash = roster_hash(hash, conf->degree);
	hash = roster_hash(hash, conf->seed);
	for (i = 0; i < conf->n_peers; i++)
		hash = roster_hash(hash, conf->peers[i].id);
	return hash;
}

/* Ascending, as the edges are sorted by i and then j. */
static void roster_find_neighbours(struct roster *roster)
{
	uint32_t e;

	for (e = 0; e < roster->edges; e++) {
		if (roster->edge[e].j == roster->self)
			roster->neighbour[roster->neighbours++] =
				roster->edge[e].i;
		else if (roster->edge[e].i == roster->self)
			roster->neighbour[roster->neighbours++] =
				roster->edge[e].j;
	}
}

int roster_make(struct roster *roster, const struct huygens_conf *conf)
{
	memset(roster, 0, sizeof(*roster));
	roster->hosts = conf->n_peers;
	roster->host = conf->peers;
	roster->self = conf->self;
	roster->checksum = roster_checksum(conf);
	roster->edges = graph_edges(roster->hosts, conf->degree);
	roster->edge = calloc(roster->edges + 1, sizeof(*roster->edge));
	roster->neighbour = calloc(roster->hosts, sizeof(*roster->neighbour));
	if (!roster->edge || !roster->neighbour) {
		roster_free(roster);
		return -1;
	}
	graph_make(roster->hosts, conf->degree, conf->seed, roster->edge);
	roster_find_neighbours(roster);
	return 0;
}

static int roster_by_number(const void *key, const void *element)
{
	const uint32_t *a = key, *b = element;

	return *a < *b ? -1 : *a > *b;
}

static int roster_by_id(const void *key, const void *element)
{
	const struct conf_peer *peer = element;

	return roster_by_number(key, &peer->id);
}

uint32_t roster_index(const struct roster *roster, uint32_t id)
{
	const struct conf_peer *peer = bsearch(&id, roster->host, roster->hosts,
					       sizeof(*roster->host),
					       roster_by_id);

	return peer ? peer - roster->host : ROSTER_NONE;
}

uint32_t roster_place(const struct roster *roster, uint32_t index)
{
	const uint32_t *place = bsearch(&index, roster->neighbour,
					roster->neighbours, sizeof(*place),
					roster_by_number);

	return place ? place - roster->neighbour : ROSTER_NONE;
}

void roster_free(struct roster *roster)
{
	free(roster->edge);
	free(roster->neighbour);
	memset(roster, 0, sizeof(*roster));
}
