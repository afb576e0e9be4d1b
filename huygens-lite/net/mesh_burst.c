// SPDX-License-Identifier: GPL-2.0
/*
 * Bursts: more probes while a clock is not known well.
 *
 * Under load few pairs of probes find no queue, and they come in groups.  A host that begins
 * needs one in each direction of an edge, and four times as many probes find it several times
 * sooner.  A host that is not known well requests a burst of its neighbours by its own probes,
 * since half of what it needs are theirs.  A request is not passed on.
 */
#include "mesh_private.h"

/* A clock whose error bound is above this is not known well. */
#define MESH_BURST_ERROR_NS	10000.0

/* After so many windows in a row it is the stamps that are inexact: more probes do not help. */
#define MESH_BURST_WINDOWS	60

static bool mesh_is_known_well(const struct mesh *mesh, const struct mesh_now *now)
{
	return host_clock_is_valid(&mesh->host_clock) &&
	       slew_at(&mesh->host_clock.slew, now->local_ns).bound_ns <= MESH_BURST_ERROR_NS;
}

static struct transport_host *mesh_neighbour(struct mesh *mesh, uint32_t place)
{
	return &mesh->transport.host[mesh->membership.neighbour[place]];
}

void mesh_burst_begin(struct mesh *mesh, const struct mesh_now *now)
{
	uint32_t place;

	mesh->burst = true;
	for (place = 0; place < mesh->membership.neighbours; place++)
		prober_burst(&mesh->prober, place, true, now->raw_ns);
}

void mesh_burst(struct mesh *mesh, const struct mesh_now *now)
{
	mesh->burst_more = MESH_BURST_MORE;
	mesh_burst_begin(mesh, now);
}

void mesh_burst_requested(struct mesh *mesh, uint32_t place, const struct mesh_now *now)
{
	mesh_neighbour(mesh, place)->burst = true;
	prober_burst(&mesh->prober, place, true, now->raw_ns);
}

void mesh_burst_window(struct mesh *mesh, const struct mesh_now *now)
{
	uint32_t place;

	if (mesh_is_known_well(mesh, now))
		mesh->burst_windows = 0;
	else if (mesh->burst_windows < MESH_BURST_WINDOWS)
		mesh->burst_windows++;
	mesh->burst = mesh->burst_more ||
		      (mesh->burst_windows && mesh->burst_windows < MESH_BURST_WINDOWS);
	if (mesh->burst_more)
		mesh->burst_more--;
	for (place = 0; place < mesh->membership.neighbours; place++) {
		struct transport_host *neighbour = mesh_neighbour(mesh, place);

		prober_burst(&mesh->prober, place, mesh->burst || neighbour->burst, now->raw_ns);
		neighbour->burst = false;
	}
}
