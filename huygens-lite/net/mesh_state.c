// SPDX-License-Identifier: GPL-2.0
/*
 * State of a host of the mesh: coordinator, schedule of windows, invalid windows.
 */
#include <inttypes.h>

#include "budget.h"
#include "mesh_private.h"

/* Maximum reports to a coordinator per ms. */
#define MESH_REPORTS_PER_MS	20

/* Long enough for a poll each 10 ms, and for as many hosts as there are. */
int64_t mesh_hop(const struct mesh *mesh)
{
	int64_t hop = mesh->conf->window_ns / 50;
	int64_t least = 30 * MESH_MS +
			mesh->membership.hosts * MESH_MS / MESH_REPORTS_PER_MS;

	return hop > least ? hop : mesh_min(least, mesh->conf->window_ns / 8);
}

bool mesh_is_candidate(const struct mesh *mesh, uint32_t index)
{
	uint32_t i;

	for (i = 0; i < mesh->election.candidates; i++)
		if (mesh->election.candidate[i].id ==
		    mesh->membership.host[index].id)
			return true;
	return false;
}

/* The configuration tells whether there are keys: a file without keys is refused. */
static struct budget mesh_budget(const struct huygens_conf *conf, uint32_t hosts,
				 uint32_t neighbours, bool is_coordinator)
{
	size_t candidates = conf->n_candidates ?: conf->n_peers;

	return (struct budget){
		.hosts = hosts,
		.neighbours = neighbours,
		.candidates = candidates < ELECTION_CANDIDATES ? candidates :
								 ELECTION_CANDIDATES,
		.is_coordinator = is_coordinator,
		.is_signed = conf->key_file[0],
		.is_ipv6 = conf->peers[0].address.sa.sa_family != AF_INET,
		.coded = conf->coded,
		.window_ns = conf->window_ns,
		.hello_ns = conf->hello_ns,
	};
}

int mesh_check(const struct huygens_conf *conf, const char *path,
	       struct conf_error *error)
{
	const struct budget coordinator =
		mesh_budget(conf, conf->n_peers, graph_neighbours(conf->n_peers, conf->degree),
			    true);

	if (budget_fits(&coordinator))
		return 0;
	return conf_refuse(error, path, 0,
			   "[mesh] window, [coordinator] hello: with %" PRIu32
			   " hosts the coordinator cannot send %d pairs of probes per window within 3 Mbit/s, because its other messages take %.2f Mbit/s; "
			   "use a longer window or hello, or fewer peers", coordinator.hosts,
			   BUDGET_PAIRS, budget_other_bps(&coordinator) / 1e6);
}

void mesh_set_interval(struct mesh *mesh)
{
	const struct budget budget = mesh_budget(mesh->conf, mesh->membership.hosts,
						 mesh->membership.neighbours,
						 mesh->verdict.self);

	mesh->prober.interval_ns = budget_interval(&budget, mesh->conf->interval_ns);
	mesh->prober.burst_ns = budget_interval(&budget, conf_burst_ns(mesh->conf));
}

/* Windows are counted anew: from the one that it is now. */
void mesh_replan(struct mesh *mesh, const struct mesh_now *now)
{
	uint64_t window = schedule_window(&mesh->schedule, now->local_ns);

	/*
	 * Counted back, all that has a number seems to be of times to come; and
	 * from a window's end on, the one that is counted back to is reported.
	 */
	if (window <= mesh->window) {
		agent_renumber(&mesh->agent);
		if (mesh->invalid > window)
			mesh->invalid = window;
	}
	mesh->window = window;
	mesh->phase = MESH_CLOSE;
	mesh->host_clock.window = 0;
}

void mesh_elect(struct mesh *mesh, const struct mesh_now *now)
{
	bool was = mesh->verdict.self;

	mesh->verdict = election_tick(&mesh->election, now->raw_ns);
	if (!mesh->verdict.changed)
		return;
	mesh->count.coordinator_changes++;
	mesh->repeats = 0;
	if (mesh->verdict.self && !mesh->schedule.known) {
		schedule_set(&mesh->schedule, now->local_ns,
			     now->local_ns > 0 ? now->local_ns : 0, 0);
		mesh_replan(mesh, now);
	}
	if (mesh->verdict.self != was)
		mesh_set_interval(mesh);
}

/* Local time is another: the offsets of the others must be received anew. */
void mesh_forget_leads(struct mesh *mesh)
{
	uint32_t i;

	for (i = 0; i < mesh->membership.hosts; i++)
		mesh->transport.host[i].led = false;
}

void mesh_invalidate(struct mesh *mesh, const struct mesh_now *now, int64_t shift_ns)
{
	mesh->count.clock_steps += !!shift_ns;
	prober_forget(&mesh->prober);
	if (!mesh->schedule.known)
		return;
	if (shift_ns) {
		/* The schedule goes on, and so does this host, by another clock. */
		mesh_forget_leads(mesh);
		mesh->schedule.line.at_ns += shift_ns;
		mesh->schedule.line.offset_ns -= shift_ns;
		agent_forget(&mesh->agent);
		host_clock_shift(&mesh->host_clock, now->local_ns);
		mesh->ops->line(mesh->data);
	}
	mesh->has_invalid = true;
	mesh->invalid = schedule_window(&mesh->schedule, now->local_ns);
}

/* A host that has no line, and whose present window does not count. */
static void mesh_begin_anew(struct mesh *mesh, const struct mesh_now *now)
{
	agent_forget(&mesh->agent);
	host_clock_forget(&mesh->host_clock, now->local_ns);
	mesh->ops->line(mesh->data);
	mesh->has_invalid = true;
	mesh->invalid = schedule_window(&mesh->schedule, now->local_ns);
}

/*
 * By how much local time is off since then nobody knows to better than a second,
 * nor how fast it is: the oscillator was cold.  So there is no line at once, and
 * this host begins anew; in which window it is it knows well enough.
 */
void mesh_wake(struct mesh *mesh, const struct mesh_now *now, int64_t shift_ns)
{
	mesh->count.clock_steps++;
	prober_forget(&mesh->prober);
	if (!mesh->schedule.known)
		return;
	mesh_forget_leads(mesh);
	mesh->schedule.line.at_ns += shift_ns;
	mesh->schedule.line.offset_ns -= shift_ns;
	mesh_begin_anew(mesh, now);
}

void mesh_reset(struct mesh *mesh, const struct mesh_now *now)
{
	prober_forget(&mesh->prober);
	if (mesh->schedule.known)
		mesh_begin_anew(mesh, now);
}
