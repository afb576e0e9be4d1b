/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host of the mesh, for the files mesh*.c only.
 */
#ifndef HUYGENS_MESH_PRIVATE_H
#define HUYGENS_MESH_PRIVATE_H

#include "mesh.h"

#define MESH_MS		1000000LL

static inline int64_t mesh_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/**
 * mesh_is_candidate() - check whether a host may become coordinator
 * @mesh: this host
 * @index: index of the host
 *
 * Return: true if it may.
 */
bool mesh_is_candidate(const struct mesh *mesh, uint32_t index);

/**
 * mesh_burst_begin() - a host begins, so its clock is not known
 * @mesh: with membership and prober
 * @now: the time
 */
void mesh_burst_begin(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_burst_requested() - a probe requested a burst
 * @mesh: the mesh
 * @place: of the neighbour
 * @now: the time
 */
void mesh_burst_requested(struct mesh *mesh, uint32_t place, const struct mesh_now *now);

/**
 * mesh_burst_window() - a window is over: begin bursts, or end them
 * @mesh: the mesh
 * @now: the time
 */
void mesh_burst_window(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_set_interval() - set the interval between pairs of probes
 * @mesh: this host
 */
void mesh_set_interval(struct mesh *mesh);

/**
 * mesh_begin_parts() - the list of the configuration, and what depends on its hosts and edges
 * @mesh: this host, with its configuration and session and nothing else
 *
 * Return: 0, or -1 without memory.
 */
int mesh_begin_parts(struct mesh *mesh);

/**
 * mesh_change_heard() - a HELLO tells which list and files a host has
 * @mesh: this host
 * @now: time
 * @from: index of the host
 * @hello: the HELLO
 *
 * It may tell this host to take up what is pending.
 *
 * Return: index of the host from now on.
 */
uint32_t mesh_change_heard(struct mesh *mesh, const struct mesh_now *now, uint32_t from,
			   const struct wire_hello *hello);

/**
 * mesh_change_tick() - go on with a change of files
 * @mesh: this host
 * @now: time
 */
void mesh_change_tick(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_elect() - find the coordinator
 * @mesh: this host
 * @now: time
 */
void mesh_elect(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_replan() - renumber the windows, from the present one on
 * @mesh: this host, with a new schedule
 * @now: time
 */
void mesh_replan(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_hello() - send HELLOs, which are due
 * @mesh: this host
 * @now: time
 */
void mesh_hello(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_probe() - send a pair of probes
 * @mesh: this host
 * @place: place of the neighbour
 * @now: time
 */
void mesh_probe(struct mesh *mesh, uint32_t place, const struct mesh_now *now);

/**
 * mesh_distribute() - send the solution to some of the hosts that lack it
 * @mesh: this host, the coordinator
 * @now: time
 */
void mesh_distribute(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_send() - send a message of the agent; a message to this host does not leave it
 * @data: this host
 * @to: index of the host
 * @message: message
 */
void mesh_send(void *data, uint32_t to, struct wire_message *message);

/**
 * mesh_hop() - time that a message takes to the host that uses it
 * @mesh: this host
 *
 * Return: ns.
 */
int64_t mesh_hop(const struct mesh *mesh);

/**
 * mesh_work() - do the next piece of work on a window that is over
 * @mesh: this host
 * @now: time
 */
void mesh_work(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_work_due() - time of the next piece of work
 * @mesh: this host
 *
 * Return: local time.
 */
int64_t mesh_work_due(const struct mesh *mesh);

/**
 * mesh_catch_up() - drop windows that were missed because of a pause or a new schedule
 * @mesh: this host
 * @now: time
 */
void mesh_catch_up(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_solution() - use a solution
 * @mesh: this host
 * @now: time
 * @solution: solution
 * @own: this host is the coordinator that solved
 */
void mesh_solution(struct mesh *mesh, const struct mesh_now *now,
		   const struct wire_solution *solution, bool own);

/**
 * mesh_forget_leads() - forget by how much the clocks of others are ahead
 * @mesh: this host, whose local time was stepped
 */
void mesh_forget_leads(struct mesh *mesh);

#endif /* HUYGENS_MESH_PRIVATE_H */
