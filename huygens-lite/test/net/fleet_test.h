/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common parts of tests of a mesh: results with the state of each host when
 * they are bad, and frequent queries of hosts and operations on them.
 */
#ifndef HUYGENS_FLEET_TEST_H
#define HUYGENS_FLEET_TEST_H

#include "../../../selftests/lib/tap.h"
#include "fleet.h"

/* So near are hosts with a noise of 3 us on delays of 10 us, and windows of 0.5 s. */
#define NEAR_NS	2000

static inline bool near(int64_t x, int64_t limit)
{
	return x >= 0 && x <= limit;
}

static inline void remark_state(const struct fleet *f)
{
	uint32_t i;

	for (i = 0; i < f->hosts; i++) {
		const struct mesh *m = &f->host[i].mesh;
		int64_t common = fleet_common(&f->host[i]);

		tap_remark("host %u: %s, common %lld, leader %u term %llu, window %llu",
			   i, state_phase_name(m->host_clock.state.phase),
			   common == INT64_MIN ? 0LL : (long long)(common - f->now_ns),
			   m->verdict.id, (unsigned long long)m->verdict.term,
			   (unsigned long long)m->window);
		tap_remark("taken %llu ignored %llu stale %llu bad_window %llu invalid %llu",
			   (unsigned long long)m->count.solutions,
			   (unsigned long long)m->count.solutions_ignored,
			   (unsigned long long)m->count.stale,
			   (unsigned long long)m->count.bad_window,
			   (unsigned long long)m->count.windows_invalid);
	}
}

static inline void check(bool good, const struct fleet *f, const char *what)
{
	if (!tap_ok(good, "%s", what)) {
		tap_remark("spread %lld", (long long)fleet_spread(f, 0, f->hosts));
		remark_state(f);
	}
}

/* All hosts that live regard host number @id as the coordinator. */
static inline bool all_follow(const struct fleet *f, uint32_t id)
{
	uint32_t i;

	for (i = 0; i < f->hosts; i++)
		if (!f->host[i].dead && f->host[i].mesh.verdict.id != id)
			return false;
	return true;
}

/* Host @h receives a message of host number @id at an address, less @cut bytes. */
static inline void deliver_from(struct fleet_host *h, uint32_t id,
				const union conf_address *address, struct wire_message *m,
				size_t cut)
{
	struct mesh_now now = fleet_now(h);
	uint8_t bytes[WIRE_MAX_BYTES];
	size_t len;

	m->from = id;
	len = wire_write(m, bytes);
	mesh_receive(&h->mesh, &now, address, bytes, len - cut, now.local_ns);
}

/* Host @h receives a message of host @from. */
static inline void deliver(struct fleet_host *h, uint32_t from, struct wire_message *m)
{
	deliver_from(h, h->mesh.membership.host[from].id, &h->mesh.membership.host[from].address,
		     m, 0);
}

/* A solution of the open window that moves the common time of @h by @off_ns. */
static inline struct wire_message solution_for(const struct fleet_host *h, uint32_t timeline,
					       int64_t off_ns)
{
	int64_t local_ns = fleet_local(h, h->fleet->now_ns);

	return (struct wire_message){ .type = WIRE_SOLUTION, .solution = {
		.count = 1, .parts = 1, .hosts = h->fleet->hosts,
		.term = h->mesh.verdict.term, .timeline = timeline,
		.window = schedule_window(&h->mesh.schedule, local_ns),
		.row = { { .id = h->conf.peers[h->index].id,
			   .flags = WIRE_ROW_SOLVED, .at_ns = local_ns,
			   .offset_ns = fleet_common(h) - local_ns + off_ns } } } };
}

/* Looks at which a host and one more are further apart than both their bounds. */
static inline uint32_t broken(struct fleet *f, uint32_t a, uint32_t b, uint32_t seconds)
{
	const struct fleet_host *one = &f->host[a], *other = &f->host[b];
	uint32_t bad = 0;

	while (seconds--) {
		double bound, off;

		fleet_pass(f, FLEET_S);
		off = (double)llabs(fleet_common(one) - fleet_common(other));
		bound = slew_at(&one->mesh.host_clock.slew, fleet_local(one, f->now_ns)).bound_ns +
			slew_at(&other->mesh.host_clock.slew,
				fleet_local(other, f->now_ns)).bound_ns;
		bad += off > bound;
	}
	return bad;
}

/* Hosts @first and later are on side @side, and hear each other only. */
static inline void set_side(struct fleet *f, uint32_t first, int side)
{
	for (; first < f->hosts; first++)
		f->host[first].side = side;
}

/* As the daemon has it: local time was stepped by @ns, which invalidates a window. */
static inline void invalidate(struct fleet_host *h, int64_t ns)
{
	struct mesh_now now = fleet_now(h);

	mesh_invalidate(&h->mesh, &now, ns);
}

/* Hosts @first to @end are locked and near each other. */
static inline bool agree(const struct fleet *f, uint32_t first, uint32_t end)
{
	return fleet_is_locked(f, first, end) && near(fleet_spread(f, first, end), NEAR_NS);
}

/* The daemon of a host is started again, with nothing that it knew. */
static inline void restart(struct fleet_host *h)
{
	enum wire_stamps stamps = h->mesh.stamps;

	mesh_free(&h->mesh);
	h->dead = false;
	fleet_start(h->fleet, h, stamps);
}

#endif /* HUYGENS_FLEET_TEST_H */
