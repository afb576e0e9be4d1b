// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that a host of the mesh sends.
 */
#include "budget.h"
#include "mesh_private.h"

/* Hosts that get a solution at once, and the time until the next ones. */
#define MESH_BATCH	32
#define MESH_BATCH_NS	MESH_MS

static void mesh_greet(struct mesh *mesh, const struct mesh_now *now)
{
	struct election_hello sent = election_hello(&mesh->election);
	struct wire_message message = { .type = WIRE_HELLO };
	struct wire_hello *hello = &message.hello;
	uint32_t i;

	hello->stamps = mesh->stamps;
	hello->flags = (mesh->schedule.known ? WIRE_HELLO_ALIGNED : 0) |
		       (sent.leading ? WIRE_HELLO_LEADER : 0) |
		       (mesh->is_candidate ? WIRE_HELLO_CANDIDATE : 0) |
		       (mesh->change.announced ? WIRE_HELLO_CHANGED : 0);
	hello->term = sent.term;
	hello->leader = sent.leader;
	hello->membership = mesh->change.own.list;
	hello->files = mesh->change.own.files;
	hello->window_ns = mesh->conf->window_ns;
	if (mesh->schedule.known)
		hello->schedule_ns = schedule_now(&mesh->schedule, now->local_ns);
	for (i = 0; i < mesh->membership.hosts; i++) {
		if (i == mesh->membership.self)
			continue;
		if (mesh_is_candidate(mesh, i) ||
		    member_list_may_lead(&mesh->next, mesh->membership.host[i].id) ||
		    (sent.leading && budget_greets(mesh->membership.hosts,
						   mesh->hellos, i)))
			transport_send(&mesh->transport, i, &message);
	}
	mesh->hellos++;
}

void mesh_hello(struct mesh *mesh, const struct mesh_now *now)
{
	mesh->hello_ns += mesh->conf->hello_ns;
	if (mesh->hello_ns <= now->raw_ns)
		mesh->hello_ns = now->raw_ns + mesh->conf->hello_ns;
	mesh_change_tick(mesh, now);
	mesh_elect(mesh, now);
	mesh_greet(mesh, now);
	if (host_clock_tick(&mesh->host_clock, now->local_ns))
		mesh->ops->line(mesh->data);
}

/* The driver will not stamp this probe. */
static void mesh_hand(struct mesh *mesh, uint32_t key, int64_t left_ns)
{
	int64_t tx_ns = mesh->ops->handed(mesh->data, left_ns);

	/* Or else a clock was stepped meanwhile, and no probe flies any more. */
	if (tx_ns == WIRE_NO_TIME)
		return;
	prober_stamp(&mesh->prober, key, tx_ns);
	mesh->count.stamps_early++;
}

void mesh_probe(struct mesh *mesh, uint32_t place, const struct mesh_now *now)
{
	struct wire_message message = { .type = WIRE_PROBE };
	uint32_t to = mesh->membership.neighbour[place], key;
	uint8_t count = mesh->conf->coded ? 2 : 1, i;
	int64_t left_ns;

	prober_pair(&mesh->prober, place, now->raw_ns);
	message.probe.stamps = mesh->stamps;
	message.probe.burst = mesh->burst;
	message.probe.window = schedule_window(&mesh->schedule, now->local_ns);
	for (i = 0; i < count; i++) {
		if (i && mesh->conf->spacing_ns)
			mesh->ops->space(mesh->data, mesh->conf->spacing_ns);
		prober_fill(&mesh->prober, place, i, &message.probe);
		if (transport_probe(&mesh->transport, to, &message, &key, &left_ns)) {
			/* Numbers of stamps begin anew. */
			prober_forget(&mesh->prober);
			return;
		}
		prober_sent(&mesh->prober, place, i, key, left_ns);
		mesh->timestamps.sent++;
		if (mesh->handing)
			mesh_hand(mesh, key, left_ns);
	}
}

void mesh_distribute(struct mesh *mesh, const struct mesh_now *now)
{
	struct wire_message message;
	uint32_t count = 0;

	while (count < MESH_BATCH && mesh->next_to_send < mesh->membership.hosts) {
		uint32_t to = mesh->next_to_send++;

		if (to == mesh->membership.self)
			continue;
		coordinator_message(&mesh->coordinator, to, mesh->verdict.term,
				    &message);
		transport_send(&mesh->transport, to, &message);
		count++;
	}
	mesh->distribute_ns = now->raw_ns + MESH_BATCH_NS;
	if (mesh->next_to_send == mesh->membership.hosts) {
		mesh->next_to_send = 0;
		mesh->repeats--;
		mesh->distribute_ns = now->raw_ns + mesh_hop(mesh) / 2;
	}
}

/* A message of the agent's; one for this host does not leave it. */
void mesh_send(void *data, uint32_t to, struct wire_message *message)
{
	struct mesh *mesh = data;

	if (to != mesh->membership.self)
		transport_send(&mesh->transport, to, message);
	else if (message->type == WIRE_EDGE)
		coordinator_report(&mesh->coordinator, to, false, &message->edges);
}
