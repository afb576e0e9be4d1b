// SPDX-License-Identifier: GPL-2.0
/*
 * A host of the mesh.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../algo/fallback.h"
#include "budget.h"
#include "mesh.h"

#define MESH_MS		1000000LL
#define MESH_NEVER	INT64_MAX
/* So many hosts are told in a go, and so long until the next. */
#define MESH_BATCH	32
#define MESH_BATCH_NS	MESH_MS
/* So many reports a ms a coordinator is told at most. */
#define MESH_REPORTS_PER_MS	20
/* No solution is older. */
#define MESH_OLD_WINDOWS	3
/* Suddenly ahead: more than clocks leave each other by, from one HELLO to the next. */
#define MESH_BEHIND_NS		10000000

static int64_t mesh_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * The echoes of a pair are in the next two, which are jittered; stamps and
 * datagrams may wait for 10 ms each until somebody looks.
 */
static int64_t mesh_settle(const struct mesh *mesh)
{
	return mesh_min(3 * mesh->prober.interval_ns + 30 * MESH_MS,
			mesh->conf->window_ns / 2);
}

/* Long enough for who looks each 10 ms, and for as many hosts as there are. */
static int64_t mesh_hop(const struct mesh *mesh)
{
	int64_t hop = mesh->conf->window_ns / 50;
	int64_t least = 30 * MESH_MS +
			mesh->membership.hosts * MESH_MS / MESH_REPORTS_PER_MS;

	return hop > least ? hop : mesh_min(least, mesh->conf->window_ns / 8);
}

/* Hosts report one after the other, so that the coordinator's socket holds it. */
static int64_t mesh_turn(const struct mesh *mesh)
{
	if (mesh->phase != MESH_REPORT && mesh->phase != MESH_REPORT_AGAIN)
		return 0;
	return mesh_hop(mesh) / 2 * mesh->membership.self / mesh->membership.hosts;
}

_Static_assert(CONF_CANDIDATES_MAX == ELECTION_CANDIDATES, "candidates");
_Static_assert(WIRE_WINDOW_MAX == ELECTION_TERM_MOST, "terms");

/* Candidates: as configured, or all; of more than the election takes the lowest. */
static uint32_t mesh_candidates(const struct mesh *mesh, uint32_t *id)
{
	const struct huygens_conf *conf = mesh->conf;
	size_t all = conf->n_candidates ? conf->n_candidates : conf->n_peers;
	uint32_t count = 0;
	size_t i;

	for (i = 0; i < all && count < ELECTION_CANDIDATES; i++)
		id[count++] = conf->n_candidates ? conf->candidates[i] :
						   conf->peers[i].id;
	return count;
}

static bool mesh_is_candidate(const struct mesh *mesh, uint32_t index)
{
	uint32_t i;

	for (i = 0; i < mesh->election.candidates; i++)
		if (mesh->election.candidate[i].id ==
		    mesh->membership.host[index].id)
			return true;
	return false;
}

/* The configuration tells whether there are keys: a file without keys is refused. */
static struct budget mesh_budget(const struct huygens_conf *conf, bool is_coordinator)
{
	size_t candidates = conf->n_candidates ?: conf->n_peers;

	return (struct budget){
		.hosts = conf->n_peers,
		.neighbours = graph_neighbours(conf->n_peers, conf->degree),
		.candidates = candidates < ELECTION_CANDIDATES ? candidates :
								 ELECTION_CANDIDATES,
		.is_coordinator = is_coordinator,
		.is_signed = conf->key_file[0],
		.is_ipv6 = conf->peers[0].address.sa.sa_family == AF_INET6,
		.coded = conf->coded,
		.window_ns = conf->window_ns,
		.hello_ns = conf->hello_ns,
	};
}

int mesh_check(const struct huygens_conf *conf, const char *path,
	       struct conf_error *error)
{
	const struct budget coordinator = mesh_budget(conf, true);

	if (budget_fits(&coordinator))
		return 0;
	return conf_refuse(error, path, 0,
			   "[mesh] window, [coordinator] hello: with %" PRIu32
			   " hosts the coordinator cannot send %d pairs of probes per window within 3 Mbit/s, because its other messages take %.2f Mbit/s; "
			   "use a longer window or hello, or fewer peers", coordinator.hosts,
			   BUDGET_PAIRS, budget_other_bps(&coordinator) / 1e6);
}

static void mesh_set_interval(struct mesh *mesh)
{
	const struct budget budget = mesh_budget(mesh->conf, mesh->verdict.self);

	mesh->prober.interval_ns = budget_interval(&budget,
						   mesh->conf->interval_ns);
}

static int mesh_make_parts(struct mesh *mesh)
{
	if (membership_make(&mesh->membership, mesh->conf))
		return -1;
	mesh->transport.host = calloc(mesh->membership.hosts, sizeof(*mesh->transport.host));
	mesh->prober.neighbours = mesh->membership.neighbours;
	mesh->prober.neighbour = calloc(mesh->membership.neighbours + 1,
					sizeof(*mesh->prober.neighbour));
	if (!mesh->transport.host || !mesh->prober.neighbour)
		return -1;
	return agent_make(&mesh->agent, mesh->conf, &mesh->membership,
			  &mesh->count);
}

int mesh_make(struct mesh *mesh, const struct mesh_begin *begin,
	      const struct mesh_now *now)
{
	uint32_t id[ELECTION_CANDIDATES], candidates;
	uint32_t self;

	memset(mesh, 0, sizeof(*mesh));
	mesh->conf = begin->conf;
	mesh->ops = begin->ops;
	mesh->data = begin->data;
	mesh->hardware = begin->hardware;
	if (mesh_make_parts(mesh))
		goto fail;
	self = mesh->membership.self;
	candidates = mesh_candidates(mesh, id);
	if (election_begin(&mesh->election, mesh->membership.host[self].id, id,
			   candidates, now->raw_ns))
		goto fail;
	mesh->election.dead_ns = mesh->conf->dead_ns;
	mesh->is_candidate = mesh_is_candidate(mesh, self);
	if (mesh->is_candidate &&
	    coordinator_make(&mesh->coordinator, mesh->conf, &mesh->membership,
			     begin->session, &mesh->count))
		goto fail;
	mesh->transport.membership = &mesh->membership;
	mesh->transport.keys = *begin->keys;
	mesh->transport.stamp.session = begin->session;
	mesh->transport.dead_ns = mesh->conf->dead_ns;
	mesh->transport.count = &mesh->count;
	mesh->transport.ops = &begin->ops->transport;
	mesh->transport.data = begin->data;
	mesh->plan.window_ns = mesh->conf->window_ns;
	host_clock_begin(&mesh->host_clock, mesh->conf, now->local_ns);
	mesh_set_interval(mesh);
	prober_begin(&mesh->prober, mesh->prober.interval_ns, begin->seed,
		     now->raw_ns);
	mesh->hello_ns = now->raw_ns;
	return 0;
fail:
	mesh_free(mesh);
	return -1;
}

static uint32_t mesh_leader(const struct mesh *mesh)
{
	return mesh->verdict.known ?
		membership_index(&mesh->membership, mesh->verdict.id) : MEMBERSHIP_NONE;
}

/* Windows are counted anew: from the one that it is now. */
static void mesh_replan(struct mesh *mesh, const struct mesh_now *now)
{
	uint64_t window = plan_window(&mesh->plan, now->local_ns);

	/*
	 * Counted back, all that has a number seems to be of times to come; and
	 * from a window's end on, the one that is counted back to is told of.
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

static void mesh_elect(struct mesh *mesh, const struct mesh_now *now)
{
	bool was = mesh->verdict.self;

	mesh->verdict = election_tick(&mesh->election, now->raw_ns);
	if (!mesh->verdict.changed)
		return;
	mesh->count.coordinator_changes++;
	mesh->repeats = 0;
	if (mesh->verdict.self && !mesh->plan.known) {
		plan_set(&mesh->plan, now->local_ns,
			 now->local_ns > 0 ? now->local_ns : 0, 0);
		mesh_replan(mesh, now);
	}
	if (mesh->verdict.self != was)
		mesh_set_interval(mesh);
}

/* --- what goes out --- */

static void mesh_greet(struct mesh *mesh, const struct mesh_now *now)
{
	struct election_hello sent = election_hello(&mesh->election);
	struct wire_message message = { .type = WIRE_HELLO };
	struct wire_hello *hello = &message.hello;
	uint32_t i;

	hello->stamps = mesh->hardware ? WIRE_HARDWARE : WIRE_SOFTWARE;
	hello->flags = (mesh->plan.known ? WIRE_HELLO_ALIGNED : 0) |
		       (sent.leading ? WIRE_HELLO_LEADER : 0) |
		       (mesh->is_candidate ? WIRE_HELLO_CANDIDATE : 0);
	hello->term = sent.term;
	hello->leader = sent.leader;
	hello->membership = mesh->membership.checksum;
	hello->window_ns = mesh->conf->window_ns;
	if (mesh->plan.known)
		hello->plan_ns = plan_now(&mesh->plan, now->local_ns);
	for (i = 0; i < mesh->membership.hosts; i++) {
		if (i == mesh->membership.self)
			continue;
		if (mesh_is_candidate(mesh, i) ||
		    (sent.leading && budget_greets(mesh->membership.hosts,
						   mesh->hellos, i)))
			transport_send(&mesh->transport, i, &message);
	}
	mesh->hellos++;
}

static void mesh_hello(struct mesh *mesh, const struct mesh_now *now)
{
	mesh->hello_ns += mesh->conf->hello_ns;
	if (mesh->hello_ns <= now->raw_ns)
		mesh->hello_ns = now->raw_ns + mesh->conf->hello_ns;
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

static void mesh_probe(struct mesh *mesh, uint32_t place,
		       const struct mesh_now *now)
{
	struct wire_message message = { .type = WIRE_PROBE };
	uint32_t to = mesh->membership.neighbour[place], key;
	uint8_t count = mesh->conf->coded ? 2 : 1, i;
	int64_t left_ns;

	prober_pair(&mesh->prober, place, now->raw_ns);
	message.probe.stamps = mesh->hardware ? WIRE_HARDWARE : WIRE_SOFTWARE;
	message.probe.window = plan_window(&mesh->plan, now->local_ns);
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

static void mesh_solution(struct mesh *mesh, const struct mesh_now *now,
			  const struct wire_solution *solution, bool own);

static void mesh_distribute(struct mesh *mesh, const struct mesh_now *now)
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
static void mesh_send(void *data, uint32_t to, struct wire_message *message)
{
	struct mesh *mesh = data;

	if (to != mesh->membership.self)
		transport_send(&mesh->transport, to, message);
	else if (message->type == WIRE_EDGE)
		coordinator_report(&mesh->coordinator, to, &message->edges);
}

/* --- windows --- */

static bool mesh_is_invalid(const struct mesh *mesh)
{
	return mesh->has_invalid && mesh->window <= mesh->invalid;
}

void mesh_fall_back(struct mesh *mesh, const struct mesh_now *now,
		    const char *why)
{
	mesh->count.fallbacks++;
	mesh->ops->fall_back(mesh->data, why);
	mesh->hardware = false;
	mesh_invalidate(mesh, now, 0);
	agent_forget(&mesh->agent);
	/* The system's clock runs tens of ppm faster than the NIC's, or slower. */
	host_clock_forget(&mesh->host_clock, now->local_ns);
	mesh->ops->line(mesh->data);
}

/* Counts of stamps in the window that is over. */
static struct mesh_timestamps mesh_take_timestamps(struct mesh *mesh)
{
	struct mesh_timestamps was = mesh->timestamps_before, now;

	mesh->timestamps.come = mesh->prober.stamped;
	now = mesh->timestamps;
	mesh->timestamps_before = now;
	return (struct mesh_timestamps){
		.sent = now.sent - was.sent,
		.left = now.left - was.left,
		.come = now.come - was.come,
		.heard = now.heard - was.heard,
		.bare = now.bare - was.bare,
	};
}

/* Stamps of another kind: what was measured by those before is another edge's. */
static void mesh_restamp(struct mesh *mesh, const struct mesh_now *now)
{
	mesh_invalidate(mesh, now, 0);
	agent_forget(&mesh->agent);
}

/*
 * A driver without Tx stamps is one that stamps nothing, while what comes tells
 * that the link is up.  It may stamp again: netvsc's does when the device below
 * it is taken away.
 */
static void mesh_judge_driver(struct mesh *mesh, const struct mesh_now *now,
			      const struct mesh_timestamps *timestamps)
{
	bool silent = timestamps->sent >= FALLBACK_LEAST &&
		      timestamps->heard >= FALLBACK_LEAST && !timestamps->left;
	bool speaks = timestamps->sent >= FALLBACK_LEAST &&
		      timestamps->left >= timestamps->sent / 2;

	if (mesh->handing ? !speaks : !silent)
		return;
	mesh->handing = silent;
	mesh->ops->driver(mesh->data, !mesh->handing);
	mesh_restamp(mesh, now);
}

/* Another program that sets the NIC loses the one kind of stamps, or the other. */
static void mesh_judge_nic(struct mesh *mesh, const struct mesh_now *now,
			   const struct mesh_timestamps *timestamps)
{
	if (fallback_due(timestamps->left, timestamps->come))
		mesh_fall_back(mesh, now, "loses timestamps of sent packets");
	else if (!mesh_is_invalid(mesh) &&
		 fallback_due(timestamps->heard, timestamps->heard - timestamps->bare))
		mesh_fall_back(mesh, now, "does not timestamp received packets");
}

static void mesh_close(struct mesh *mesh, const struct mesh_now *now)
{
	struct mesh_timestamps timestamps = mesh_take_timestamps(mesh);

	if (mesh->hardware)
		mesh_judge_nic(mesh, now, &timestamps);
	else
		mesh_judge_driver(mesh, now, &timestamps);
	if (mesh_is_invalid(mesh)) {
		mesh->count.windows_invalid++;
		return;
	}
	agent_close(&mesh->agent, mesh->window, mesh->hardware);
	agent_send(&mesh->agent, mesh->window, mesh_send, mesh);
}

static void mesh_report(struct mesh *mesh)
{
	const struct kalman *kalman = &mesh->host_clock.kalman;
	struct wire_edges head = { .window = mesh->window,
				   .term = mesh->verdict.term };
	uint32_t leader = mesh_leader(mesh);
	struct line utc;

	if (leader == MEMBERSHIP_NONE || (mesh->verdict.self && !mesh->is_candidate))
		return;
	head.middle_ns = plan_middle(&mesh->plan, mesh->window);
	if (host_clock_is_valid(&mesh->host_clock) && kalman->known) {
		head.flags |= WIRE_EDGES_TRACKED;
		head.correction_ns = line_at(&kalman->line, head.middle_ns);
		head.std_ns = kalman_std_ns(kalman, head.middle_ns,
					    KALMAN_WANDER_PPB);
		head.drift_ppb = kalman->line.drift_ppb;
		head.skew_ppb = sqrt(fmax(kalman->var_drift, 0));
		head.timeline = mesh->host_clock.timeline;
	}
	if (mesh->conf->reference == CONF_REFERENCE_UTC &&
	    mesh->conf->reference_id ==
		    mesh->membership.host[mesh->membership.self].id &&
	    mesh->ops->utc(mesh->data, &utc)) {
		head.flags |= WIRE_EDGES_UTC;
		head.utc_ns = line_at(&utc, head.middle_ns);
		head.utc_ppb = utc.drift_ppb;
	}
	agent_report(&mesh->agent, leader, &head, mesh_send, mesh);
}

static void mesh_solve(struct mesh *mesh, const struct mesh_now *now)
{
	struct wire_message message;

	if (!mesh->verdict.self ||
	    !coordinator_solve(&mesh->coordinator, mesh->window, &mesh->plan,
			       mesh->verdict.term))
		return;
	mesh->next_to_send = 0;
	mesh->repeats = budget_repeats(mesh->membership.hosts) ? 2 : 1;
	mesh_distribute(mesh, now);
	coordinator_message(&mesh->coordinator, mesh->membership.self,
			    mesh->verdict.term, &message);
	mesh_solution(mesh, now, &message.solution, true);
}

static void mesh_work(struct mesh *mesh, const struct mesh_now *now)
{
	bool invalid = mesh_is_invalid(mesh);

	switch (mesh->phase) {
	case MESH_CLOSE:
		mesh_close(mesh, now);
		break;
	case MESH_ENVELOPES:
		if (!invalid)
			agent_send(&mesh->agent, mesh->window, mesh_send, mesh);
		break;
	case MESH_REPORT:
	case MESH_REPORT_AGAIN:
		if (!invalid)
			agent_solve(&mesh->agent, mesh->window,
				    plan_middle(&mesh->plan, mesh->window),
				    mesh->hardware);
		mesh_report(mesh);
		break;
	default:
		agent_count(&mesh->agent, mesh->window);
		mesh_solve(mesh, now);
		break;
	}
	if (++mesh->phase == MESH_PHASES) {
		mesh->phase = MESH_CLOSE;
		mesh->window++;
	}
}

/* Local time of the next piece of work. */
static int64_t mesh_work_due(const struct mesh *mesh)
{
	return plan_end(&mesh->plan, mesh->window) + mesh_settle(mesh) +
	       mesh->phase * mesh_hop(mesh) / 2 + mesh_turn(mesh);
}

/* After a pause, or with another plan, what is over is over. */
static void mesh_catch_up(struct mesh *mesh, const struct mesh_now *now)
{
	uint64_t window = plan_window(&mesh->plan, now->local_ns);

	if (window > mesh->window + 2 || window + 2 < mesh->window)
		mesh_replan(mesh, now);
}

int64_t mesh_run(struct mesh *mesh, const struct mesh_now *now)
{
	int64_t next_ns, due_ns;
	uint32_t place;

	if (mesh->hello_ns <= now->raw_ns)
		mesh_hello(mesh, now);
	next_ns = mesh->hello_ns;
	if (!mesh->plan.known)
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

/* --- what comes in --- */

static bool mesh_is_open(const struct mesh *mesh, uint64_t window,
			 const struct mesh_now *now)
{
	uint64_t current = plan_window(&mesh->plan, now->local_ns);

	return mesh->plan.known && window <= current && window + 1 >= current;
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
	mesh->timestamps.heard++;
	if (rx_ns == WIRE_NO_TIME) {
		mesh->timestamps.bare++;
		mesh->count.rx_unstamped++;
	}
	if (!mesh->plan.known ||
	    !agent_probe(&mesh->agent, place, probe, rx_ns,
			 plan_window(&mesh->plan, now->local_ns)))
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

static void mesh_on_edges(struct mesh *mesh, const struct mesh_now *now,
			  uint32_t from, const struct wire_edges *edges)
{
	if (!mesh->verdict.self)
		mesh->count.bad_role++;
	else if (!mesh_is_open(mesh, edges->window, now))
		mesh->count.bad_window++;
	else
		coordinator_report(&mesh->coordinator, from, edges);
}

/*
 * The coordinator's plan counts; who has none takes anybody's, so that a
 * coordinator that was restarted goes on where it was.
 */
static bool mesh_may_plan(const struct mesh *mesh, uint32_t id)
{
	return !mesh->plan.known ||
	       (mesh->verdict.known && !mesh->verdict.self &&
		mesh->verdict.id == id);
}

static bool mesh_is_led(const struct mesh *mesh, const struct mesh_now *now,
			const struct transport_host *host)
{
	return host->led && now->raw_ns - host->led_ns <= mesh->conf->dead_ns;
}

/* Local time is another: by how much the others are ahead has to be heard anew. */
static void mesh_forget_leads(struct mesh *mesh)
{
	uint32_t i;

	for (i = 0; i < mesh->membership.hosts; i++)
		mesh->transport.host[i].led = false;
}

/* Are most of those that are heard?  Then it is this host whose clock is another. */
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
 * A HELLO comes late at most, so a plan that is suddenly further ahead of local time
 * is of a clock that was turned forward, or local time stood still: that of a
 * virtual machine does while it is paused or migrated, and nothing else shows it.
 */
static void mesh_compare(struct mesh *mesh, const struct mesh_now *now,
			 struct transport_host *host, int64_t rx_ns, int64_t plan_ns)
{
	int64_t lead_ns = plan_ns - rx_ns;
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
	mesh->transport.host[from].mismatched =
		hello->membership != mesh->membership.checksum ||
		hello->window_ns != mesh->conf->window_ns;
	if (mesh->transport.host[from].mismatched) {
		mesh->count.bad_membership++;
		return;
	}
	election_hear(&mesh->election, &sent, now->raw_ns);
	mesh_elect(mesh, now);
	if (hello->flags & WIRE_HELLO_ALIGNED)
		mesh_compare(mesh, now, &mesh->transport.host[from], rx_ns,
			     hello->plan_ns);
	if (mesh_may_plan(mesh, sent.id) &&
	    hello->flags & WIRE_HELLO_ALIGNED &&
	    plan_hear(&mesh->plan, rx_ns == WIRE_NO_TIME ? now->local_ns : rx_ns,
		      hello->plan_ns))
		mesh_replan(mesh, now);
}

static const struct wire_row *mesh_row(const struct mesh *mesh,
				       const struct wire_solution *solution)
{
	uint32_t id = mesh->membership.host[mesh->membership.self].id;
	int i;

	for (i = 0; i < solution->count; i++)
		if (solution->row[i].id == id)
			return &solution->row[i];
	return NULL;
}

/* A solution is of a window lately, and its instant as well. */
static bool mesh_is_fresh(const struct mesh *mesh, const struct mesh_now *now,
			  const struct wire_solution *solution,
			  const struct wire_row *row)
{
	uint64_t current = plan_window(&mesh->plan, now->local_ns);
	int64_t old_ns = MESH_OLD_WINDOWS * mesh->conf->window_ns;

	if (solution->window > current ||
	    solution->window + MESH_OLD_WINDOWS < current)
		return false;
	return !(row->flags & WIRE_ROW_SOLVED) ||
	       (row->at_ns <= now->local_ns &&
		row->at_ns >= now->local_ns - old_ns);
}

/* Solutions make the plan exact; another plan comes with a HELLO. */
static bool mesh_fits_plan(const struct mesh *mesh,
			   const struct wire_solution *solution,
			   const struct wire_row *row)
{
	int64_t off_ns;

	if (!(row->flags & WIRE_ROW_SOLVED) || solution->plan_ns <= 0)
		return false;
	off_ns = solution->plan_ns - plan_now(&mesh->plan, row->at_ns);
	return llabs(off_ns) <= mesh->conf->window_ns / 4;
}

static void mesh_solution(struct mesh *mesh, const struct mesh_now *now,
			  const struct wire_solution *solution, bool own)
{
	const struct wire_row *row = mesh_row(mesh, solution);

	if (!row || solution->window <= mesh->host_clock.window)
		return;
	if (!mesh_is_fresh(mesh, now, solution, row)) {
		mesh->count.bad_window++;
		return;
	}
	mesh->hosts = solution->hosts;
	if (host_clock_update(&mesh->host_clock, now->local_ns, solution, row))
		mesh->count.solutions++;
	else
		mesh->count.solutions_ignored++;
	if (!own && mesh_fits_plan(mesh, solution, row))
		plan_set(&mesh->plan, row->at_ns, solution->plan_ns,
			 solution->plan_ppb + row->drift_ppb);
	mesh->ops->line(mesh->data);
	mesh->ops->solved(mesh->data);
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
	if (!mesh->plan.known)
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

void mesh_left(struct mesh *mesh)
{
	mesh->timestamps.left++;
}

void mesh_stamp(struct mesh *mesh, uint32_t key, int64_t tx_ns)
{
	prober_stamp(&mesh->prober, key, tx_ns);
}

void mesh_invalidate(struct mesh *mesh, const struct mesh_now *now, int64_t shift_ns)
{
	mesh->count.clock_steps += !!shift_ns;
	prober_forget(&mesh->prober);
	if (!mesh->plan.known)
		return;
	if (shift_ns) {
		/* The plan goes on, and so does this host, by another clock. */
		mesh_forget_leads(mesh);
		mesh->plan.line.at_ns += shift_ns;
		mesh->plan.line.offset_ns -= shift_ns;
		agent_forget(&mesh->agent);
		host_clock_shift(&mesh->host_clock, now->local_ns);
		mesh->ops->line(mesh->data);
	}
	mesh->has_invalid = true;
	mesh->invalid = plan_window(&mesh->plan, now->local_ns);
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
	if (!mesh->plan.known)
		return;
	mesh_forget_leads(mesh);
	mesh->plan.line.at_ns += shift_ns;
	mesh->plan.line.offset_ns -= shift_ns;
	agent_forget(&mesh->agent);
	host_clock_forget(&mesh->host_clock, now->local_ns);
	mesh->ops->line(mesh->data);
	mesh->has_invalid = true;
	mesh->invalid = plan_window(&mesh->plan, now->local_ns);
}

void mesh_reload(struct mesh *mesh, const struct huygens_conf *conf)
{
	mesh->conf = conf;
	mesh->membership.host = conf->peers;
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
	mesh->count.stamps_lost = 0;
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
	memset(mesh, 0, sizeof(*mesh));
}
