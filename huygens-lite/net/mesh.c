// SPDX-License-Identifier: GPL-2.0
/*
 * A host of the mesh: begin, end, and work that is due.
 */
#include <stdlib.h>
#include <string.h>

#include "mesh_private.h"

_Static_assert(CONF_CANDIDATES_MAX == ELECTION_CANDIDATES, "candidates");
_Static_assert(WIRE_WINDOW_MAX == ELECTION_TERM_MOST, "terms");

int mesh_make(struct mesh *mesh, const struct mesh_begin *begin,
	      const struct mesh_now *now)
{
	struct change_files files;
	uint32_t self;

	memset(mesh, 0, sizeof(*mesh));
	mesh->conf = begin->conf;
	mesh->keys = *begin->keys;
	mesh->ops = begin->ops;
	mesh->data = begin->data;
	mesh->stamps = begin->stamps;
	mesh->transport.stamp.session = begin->session;
	if (mesh_begin_parts(mesh))
		goto fail;
	self = mesh->membership.self;
	files = (struct change_files){ mesh->list.checksum,
				       member_list_digest(&mesh->list, &mesh->keys) };
	change_begin(&mesh->change, &files, now->raw_ns);
	if (election_begin(&mesh->election, mesh->membership.host[self].id,
			   mesh->list.candidate, mesh->list.candidates, now->raw_ns))
		goto fail;
	mesh->election.dead_ns = mesh->conf->dead_ns;
	mesh->is_candidate = mesh_is_candidate(mesh, self);
	mesh->transport.membership = &mesh->membership;
	mesh->transport.keys = *begin->keys;
	mesh->transport.dead_ns = mesh->conf->dead_ns;
	mesh->transport.count = &mesh->count;
	mesh->transport.ops = &begin->ops->transport;
	mesh->transport.data = begin->data;
	mesh->schedule.window_ns = mesh->conf->window_ns;
	host_clock_begin(&mesh->host_clock, mesh->conf, now->local_ns);
	mesh_set_interval(mesh);
	prober_begin(&mesh->prober, begin->seed, now->raw_ns);
	mesh_burst_begin(mesh, now);
	mesh->hello_ns = now->raw_ns;
	return 0;
fail:
	mesh_free(mesh);
	return -1;
}

int64_t mesh_run(struct mesh *mesh, const struct mesh_now *now)
{
	int64_t next_ns, due_ns;
	uint32_t place;

	if (mesh->hello_ns <= now->raw_ns)
		mesh_hello(mesh, now);
	next_ns = mesh->hello_ns;
	if (!mesh->schedule.known)
		return next_ns;
	mesh_catch_up(mesh, now);
	if (mesh->membership.neighbours) {
		/* One each time, so that nothing else waits for all of them. */
		place = prober_next(&mesh->prober);
		if (mesh->prober.neighbour[place].due_ns <= now->raw_ns)
			mesh_probe(mesh, place, now);
		place = prober_next(&mesh->prober);
		next_ns = mesh_min(next_ns,
				   mesh->prober.neighbour[place].due_ns);
	}
	if (mesh_work_due(mesh) <= now->local_ns)
		mesh_work(mesh, now);
	due_ns = now->raw_ns + (mesh_work_due(mesh) - now->local_ns);
	next_ns = mesh_min(next_ns, due_ns);
	if (mesh->repeats && mesh->distribute_ns <= now->raw_ns)
		mesh_distribute(mesh, now);
	if (mesh->repeats)
		next_ns = mesh_min(next_ns, mesh->distribute_ns);
	return next_ns;
}

void mesh_left(struct mesh *mesh)
{
	mesh->timestamps.left++;
}

void mesh_stamp(struct mesh *mesh, uint32_t key, int64_t tx_ns)
{
	prober_stamp(&mesh->prober, key, tx_ns);
}

void mesh_reload(struct mesh *mesh, const struct huygens_conf *conf)
{
	mesh->conf = conf;
	agent_reload(&mesh->agent, conf);
	mesh->coordinator.conf = conf;
	mesh->transport.dead_ns = conf->dead_ns;
	mesh->election.dead_ns = conf->dead_ns;
	host_clock_rules(&mesh->host_clock, conf);
	mesh_set_interval(mesh);
}

void mesh_count(struct mesh *mesh)
{
	uint32_t i;

	mesh->count.probes = mesh->prober.probes;
	mesh->count.stamps = mesh->prober.stamped;
	mesh->count.stamps_odd = mesh->prober.odd;
	mesh->count.stamps_lost = mesh->prober.lost_before;
	for (i = 0; i < mesh->prober.neighbours; i++)
		mesh->count.stamps_lost += mesh->prober.neighbour[i].lost;
}

void mesh_free(struct mesh *mesh)
{
	coordinator_free(&mesh->coordinator);
	if (mesh->agent.edge)
		agent_free(&mesh->agent);
	free(mesh->transport.host);
	free(mesh->prober.neighbour);
	membership_free(&mesh->membership);
	member_list_free(&mesh->list);
	member_list_free(&mesh->next);
	memset(mesh, 0, sizeof(*mesh));
}
