// SPDX-License-Identifier: GPL-2.0
/*
 * The hosts of the mesh, and which of them are neighbours.
 */
#include <stdlib.h>
#include <string.h>

#include "membership.h"

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

/* Both lists are sorted; the newer one names a host. */
static void membership_merge_hosts(struct membership *membership, const struct member_list *list,
				   const struct member_list *next)
{
	uint32_t a = 0, b = 0;

	while (a < list->hosts || b < next->hosts) {
		bool older = b == next->hosts ||
			     (a < list->hosts && list->host[a].id < next->host[b].id);

		if (!older && a < list->hosts && list->host[a].id == next->host[b].id)
			a++;
		membership->host[membership->hosts++] = older ? list->host[a++] : next->host[b++];
	}
}

/* The graph of a list, by indices of the union: their order is the same. */
static void membership_add_edges(struct membership *membership, const struct member_list *list)
{
	struct graph_edge *edge = membership->edge + membership->edges;
	size_t count = list->hosts ? graph_make(list->hosts, list->degree, list->seed, edge) : 0;
	size_t e;

	for (e = 0; e < count; e++) {
		edge[e].i = membership_index(membership, list->host[edge[e].i].id);
		edge[e].j = membership_index(membership, list->host[edge[e].j].id);
	}
	membership->edges += count;
}

static int membership_by_hosts(const void *a, const void *b)
{
	const struct graph_edge *x = a, *y = b;

	if (x->i != y->i)
		return x->i < y->i ? -1 : 1;
	return x->j < y->j ? -1 : x->j > y->j;
}

static void membership_sort_edges(struct membership *membership)
{
	struct graph_edge *edge = membership->edge;
	uint32_t kept = 0, e;

	qsort(edge, membership->edges, sizeof(*edge), membership_by_hosts);
	for (e = 0; e < membership->edges; e++)
		if (!kept || membership_by_hosts(&edge[kept - 1], &edge[e]))
			edge[kept++] = edge[e];
	membership->edges = kept;
}

int membership_make(struct membership *membership, const struct member_list *list,
		    const struct member_list *next, uint32_t self)
{
	size_t hosts = list->hosts + next->hosts, edges;

	memset(membership, 0, sizeof(*membership));
	edges = graph_edges(list->hosts, list->degree) +
		(next->hosts ? graph_edges(next->hosts, next->degree) : 0);
	membership->host = calloc(hosts, sizeof(*membership->host));
	membership->edge = calloc(edges + 1, sizeof(*membership->edge));
	membership->neighbour = calloc(hosts, sizeof(*membership->neighbour));
	if (!membership->host || !membership->edge || !membership->neighbour) {
		membership_free(membership);
		return -1;
	}
	membership_merge_hosts(membership, list, next);
	membership->self = membership_index(membership, self);
	membership_add_edges(membership, list);
	membership_add_edges(membership, next);
	membership_sort_edges(membership);
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

uint32_t membership_edge(const struct membership *membership, uint32_t i, uint32_t j)
{
	struct graph_edge key = { .i = i, .j = j };
	const struct graph_edge *found = bsearch(&key, membership->edge, membership->edges,
						 sizeof(key), membership_by_hosts);

	return found ? found - membership->edge : MEMBERSHIP_NONE;
}

void membership_free(struct membership *membership)
{
	free(membership->host);
	free(membership->edge);
	free(membership->neighbour);
	memset(membership, 0, sizeof(*membership));
}
