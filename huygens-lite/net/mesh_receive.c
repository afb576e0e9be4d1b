// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that a host of the mesh receives.
 */
#include "mesh_private.h"

/* Lead of a sudden pause: more than clocks drift apart from one HELLO to the next. */
#define MESH_BEHIND_NS		10000000

static bool mesh_is_open(const struct mesh *mesh, uint64_t window,
			 const struct mesh_now *now)
{
	uint64_t current = schedule_window(&mesh->schedule, now->local_ns);

	return mesh->schedule.known && window <= current && window + 1 >= current;
}

static void mesh_on_probe(struct mesh *mesh, const struct mesh_now *now,
			  uint32_t from, const struct wire_probe *probe,
			  int64_t rx_ns)
{
	uint32_t place = membership_place(&mesh->membership, from);

	mesh->transport.host[from].stamps = probe->stamps;
	if (place == MEMBERSHIP_NONE) {
		mesh->count.bad_role++;
		return;
	}
	if (probe->burst)
		mesh_burst_requested(mesh, place, now);
	mesh->timestamps.received++;
	if (rx_ns == WIRE_NO_TIME) {
		mesh->timestamps.bare++;
		mesh->count.rx_unstamped++;
	}
	if (!mesh->schedule.known ||
	    !agent_probe(&mesh->agent, place, probe, rx_ns,
			 schedule_window(&mesh->schedule, now->local_ns)))
		mesh->count.bad_window++;
}

static void mesh_on_envelope(struct mesh *mesh, const struct mesh_now *now,
			     uint32_t from,
			     const struct wire_envelope *envelope)
{
	uint32_t place = membership_place(&mesh->membership, from);

	if (place == MEMBERSHIP_NONE)
		mesh->count.bad_role++;
	else if (!mesh_is_open(mesh, envelope->window, now))
		mesh->count.bad_window++;
	else if (!agent_envelope(&mesh->agent, place, envelope))
		mesh->count.bad_role++;
}

static enum change_relation mesh_relation(const struct mesh *mesh, uint32_t index)
{
	return change_relate(&mesh->change, &mesh->transport.host[index].has);
}

static void mesh_on_edges(struct mesh *mesh, const struct mesh_now *now,
			  uint32_t from, const struct wire_edges *edges)
{
	if (!mesh->verdict.self)
		mesh->count.bad_role++;
	else if (!mesh_is_open(mesh, edges->window, now))
		mesh->count.bad_window++;
	else
		coordinator_report(&mesh->coordinator, from,
				   mesh_relation(mesh, from) == CHANGE_AHEAD, edges);
}

/*
 * The coordinator's schedule counts; a host without one takes any, so that a
 * coordinator that was restarted goes on where it was.
 */
static bool mesh_may_schedule(const struct mesh *mesh, uint32_t id)
{
	return !mesh->schedule.known ||
	       (mesh->verdict.known && !mesh->verdict.self &&
		mesh->verdict.id == id);
}

static bool mesh_is_led(const struct mesh *mesh, const struct mesh_now *now,
			const struct transport_host *host)
{
	return host->led && now->raw_ns - host->led_ns <= mesh->conf->dead_ns;
}

/* Are most of the received ones so?  Then it is this host whose clock is another. */
static bool mesh_is_behind(const struct mesh *mesh, const struct mesh_now *now)
{
	uint32_t ahead = 0, led = 0, i;

	for (i = 0; i < mesh->membership.hosts; i++) {
		const struct transport_host *host = &mesh->transport.host[i];

		if (!mesh_is_led(mesh, now, host))
			continue;
		led++;
		ahead += host->ahead;
	}
	return 2 * ahead > led;
}

/*
 * A HELLO comes late at most, so a schedule that is suddenly further ahead of local time
 * is of a clock that was turned forward, or local time stood still: that of a
 * virtual machine does while it is paused or migrated, and nothing else shows it.
 */
static void mesh_compare(struct mesh *mesh, const struct mesh_now *now,
			 struct transport_host *host, int64_t rx_ns, int64_t schedule_ns)
{
	int64_t lead_ns = schedule_ns - rx_ns;
	int64_t turned_ns, more_ns = 0;

	if (rx_ns == WIRE_NO_TIME)
		return;
	host->ahead = false;
	if (mesh_is_led(mesh, now, host)) {
		turned_ns = line_round(mesh->conf->max_drift_ppb / 1e9 *
				       (double)(now->raw_ns - host->led_ns));
		more_ns = lead_ns - host->lead_ns;
		host->ahead = more_ns >= MESH_BEHIND_NS + turned_ns;
		if (lead_ns < host->lead_ns - turned_ns)
			lead_ns = host->lead_ns - turned_ns;
	}
	if (!host->ahead) {
		host->led = true;
		host->lead_ns = lead_ns;
		host->led_ns = now->raw_ns;
	} else if (host_clock_is_valid(&mesh->host_clock) && mesh_is_behind(mesh, now)) {
		mesh->ops->behind(mesh->data, more_ns);
		mesh_wake(mesh, now, 0);
	}
}

/* Hosts with the same list in force elect who coordinates; a host that joins is led by others. */
static bool mesh_is_elector(const struct mesh *mesh, uint32_t index)
{
	return mesh_relation(mesh, index) ==
	       (mesh->change.joins ? CHANGE_BEHIND : CHANGE_SAME);
}

static void mesh_on_hello(struct mesh *mesh, const struct mesh_now *now,
			  uint32_t from, const struct wire_hello *hello,
			  int64_t rx_ns)
{
	struct election_hello sent = {
		.id = mesh->membership.host[from].id,
		.leading = hello->flags & WIRE_HELLO_LEADER,
		.term = hello->term,
		.leader = hello->leader,
	};

	mesh->transport.host[from].stamps = hello->stamps;
	from = mesh_change_heard(mesh, now, from, hello);
	if (mesh->transport.host[from].mismatched) {
		mesh->count.bad_membership++;
		return;
	}
	if (!mesh_is_elector(mesh, from))
		return;
	election_hear(&mesh->election, &sent, now->raw_ns);
	mesh_elect(mesh, now);
	if (hello->flags & WIRE_HELLO_ALIGNED)
		mesh_compare(mesh, now, &mesh->transport.host[from], rx_ns,
			     hello->schedule_ns);
	if (mesh_may_schedule(mesh, sent.id) &&
	    hello->flags & WIRE_HELLO_ALIGNED &&
	    schedule_receive(&mesh->schedule, rx_ns == WIRE_NO_TIME ? now->local_ns : rx_ns,
			     hello->schedule_ns))
		mesh_replan(mesh, now);
}

static void mesh_on_solution(struct mesh *mesh, const struct mesh_now *now,
			     uint32_t from,
			     const struct wire_solution *solution)
{
	uint32_t id = mesh->membership.host[from].id;
	/* It says what a HELLO of the leader does, which in large meshes are rare. */
	struct election_hello sent = { .id = id, .leading = true,
				       .term = solution->term, .leader = id };

	if (!election_accepts(&mesh->election, id, solution->term) ||
	    mesh->verdict.self) {
		mesh->count.stale++;
		return;
	}
	election_hear(&mesh->election, &sent, now->raw_ns);
	if (!mesh->schedule.known)
		mesh->count.bad_window++;
	else
		mesh_solution(mesh, now, solution, false);
}

void mesh_receive(struct mesh *mesh, const struct mesh_now *now,
		  const union conf_address *from, const void *bytes, size_t len,
		  int64_t rx_ns)
{
	struct wire_message message;
	uint32_t index = transport_open(&mesh->transport, from, bytes, len, now->raw_ns,
					&message);

	if (index == MEMBERSHIP_NONE)
		return;
	/* Its edges have other numbers, and its terms are of another mesh. */
	if (mesh->transport.host[index].mismatched &&
	    (message.type == WIRE_EDGE || message.type == WIRE_SOLUTION)) {
		mesh->count.bad_membership++;
		return;
	}
	switch (message.type) {
	case WIRE_PROBE:
		mesh_on_probe(mesh, now, index, &message.probe, rx_ns);
		break;
	case WIRE_EDGE:
		mesh_on_edges(mesh, now, index, &message.edges);
		break;
	case WIRE_SOLUTION:
		mesh_on_solution(mesh, now, index, &message.solution);
		break;
	case WIRE_HELLO:
		mesh_on_hello(mesh, now, index, &message.hello, rx_ns);
		break;
	case WIRE_ENVELOPE:
		mesh_on_envelope(mesh, now, index, &message.envelope);
		break;
	}
}
