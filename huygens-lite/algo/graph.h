/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hosts that each host probes: a seeded random mesh (On-Ramp 3.3, "each clock probing
 * typically 10 other clocks").
 *
 * Every host has k out-neighbours and is out-neighbour of k others, no two
 * hosts choose each other while there are others: a random 2k-regular graph,
 * which bounds what a host transmits, through a random Hamiltonian cycle,
 * which keeps it connected and, with the other neighbours, puts every host in
 * two loops at least if k >= 2.  It is the full mesh if 2k >= hosts - 1.
 *
 * The graph depends on (hosts, k, seed) only: make it of the configured
 * hosts, in the order of their ids, and not of those that are alive now.
 */
#ifndef HUYGENS_GRAPH_H
#define HUYGENS_GRAPH_H

#include <stddef.h>
#include <stdint.h>

/* More than a configuration takes: the simulated fleet has 10,000. */
#define GRAPH_HOSTS_MOST	16384
#define GRAPH_K			10
#define GRAPH_K_MOST		64

/**
 * struct graph_edge - two hosts that probe each other
 * @i: the smaller index; its host owns the edge
 * @j: the greater
 */
struct graph_edge {
	uint32_t i;
	uint32_t j;
};

/**
 * graph_neighbours() - how many neighbours each host has
 * @hosts: 1 to GRAPH_HOSTS_MOST
 * @k: out-neighbours of a host, 1 to GRAPH_K_MOST
 *
 * As many choose a host as it chooses, and all are probed.
 *
 * Return: the number.
 */
static inline uint32_t graph_neighbours(uint32_t hosts, uint32_t k)
{
	return 2 * k < hosts - 1 ? 2 * k : hosts - 1;
}

/**
 * graph_edges() - how many edges a graph has
 * @hosts: 0 to GRAPH_HOSTS_MOST
 * @k: out-neighbours of a host, 1 to GRAPH_K_MOST
 *
 * Return: the number; 0 if an argument is out of range.
 */
size_t graph_edges(uint32_t hosts, uint32_t k);

/**
 * graph_make() - make the graph
 * @hosts: 0 to GRAPH_HOSTS_MOST; hosts are 0 to @hosts - 1
 * @k: out-neighbours of a host, 1 to GRAPH_K_MOST
 * @seed: any; the same seed makes the same graph on every machine
 * @edge: space for graph_edges() edges; they are sorted by i, then j
 *
 * Return: graph_edges().
 */
size_t graph_make(uint32_t hosts, uint32_t k, uint64_t seed,
		  struct graph_edge *edge);

#endif /* HUYGENS_GRAPH_H */
