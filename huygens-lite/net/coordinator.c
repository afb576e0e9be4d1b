// SPDX-License-Identifier: GPL-2.0
/*
 * The coordinator.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../algo/prng.h"
#include "coordinator_private.h"

int coordinator_make(struct coordinator *c, const struct huygens_conf *conf,
		     const struct membership *membership, uint32_t session,
		     struct count *count)
{
	size_t hosts = membership->hosts;
	/* Each host may have one to another host through UTC. */
	size_t edges = membership->edges + hosts;

	memset(c, 0, sizeof(*c));
	c->conf = conf;
	c->membership = membership;
	c->session = session;
	c->count = count;
	c->report = calloc(hosts, sizeof(*c->report));
	c->edge = calloc(edges, sizeof(*c->edge));
	c->measured = calloc(edges, sizeof(*c->measured));
	c->which = calloc(edges, sizeof(*c->which));
	c->fit = calloc(edges, sizeof(*c->fit));
	c->joined = calloc(hosts, sizeof(*c->joined));
	c->prior = calloc(hosts, sizeof(*c->prior));
	c->host = calloc(hosts, sizeof(*c->host));
	c->memory = malloc(network_bytes(hosts, edges, NETWORK_DENSE));
	if (c->report && c->edge && c->measured && c->which && c->fit &&
	    c->joined && c->prior && c->host && c->memory)
		return 0;
	coordinator_free(c);
	return -1;
}

static struct coordinator_edge *coordinator_find(struct coordinator *c,
						 uint32_t i, uint32_t j)
{
	uint32_t found = membership_edge(c->membership, i, j);

	return found == MEMBERSHIP_NONE ? NULL : &c->edge[found];
}

void coordinator_report(struct coordinator *c, uint32_t from, bool joins,
			const struct wire_edges *edges)
{
	struct coordinator_edge *edge;
	int i;

	c->report[from] = (struct coordinator_report){
		.known = true,
		.joins = joins,
		.window = edges->window,
		.tracked = edges->flags & WIRE_EDGES_TRACKED,
		.has_utc = edges->flags & WIRE_EDGES_UTC,
		.timeline = edges->timeline,
		.std_ns = edges->std_ns,
		.skew_ppb = edges->skew_ppb,
		.line = { edges->middle_ns, edges->correction_ns,
			  edges->drift_ppb },
		.utc = { edges->middle_ns, edges->utc_ns, edges->utc_ppb },
		.utc_error_ns = edges->utc_error_ns,
		.leap = edges->leap,
		.utc_step = edges->utc_step,
		.utc_tai = edges->utc_tai,
		.upper = edges->upper,
		.has_upper_utc = edges->flags & WIRE_EDGES_UPPER_UTC,
		.upper_utc_ns = edges->upper_utc_ns,
	};
	for (i = 0; i < edges->count; i++) {
		edge = coordinator_find(c, from,
					membership_index(c->membership,
							 edges->edge[i].peer));
		if (!edge) {
			c->count->bad_role++;
			continue;
		}
		edge->known = true;
		edge->window = edges->window;
		edge->at_ns = edges->middle_ns;
		edge->reported = edges->edge[i];
	}
}

/* Each direction has at least no delay: the middle of both is wrong by half of what differs. */
static double coordinator_asymmetry_ns(const struct coordinator *c,
				       const struct wire_edge *reported)
{
	return fmax(reported->delay_sum_ns, 0) / 2 * (double)c->conf->max_asymmetry_ppm /
	       CONF_FRACTION_ONE;
}

static uint32_t coordinator_measure(struct coordinator *c, uint64_t window)
{
	uint32_t e, count = 0;

	memset(c->joined, 0, c->membership->hosts * sizeof(*c->joined));
	for (e = 0; e < c->membership->edges; e++) {
		struct coordinator_edge *edge = &c->edge[e];

		edge->solved = edge->known && edge->window == window &&
			       edge->reported.why == EDGE_VALID;
		if (!edge->solved)
			continue;
		c->joined[c->membership->edge[e].i] = true;
		c->joined[c->membership->edge[e].j] = true;
		c->which[count] = e;
		c->measured[count++] = (struct network_edge){
			.i = c->membership->edge[e].i,
			.j = c->membership->edge[e].j,
			.at_ns = edge->at_ns,
			.theta_ns = edge->reported.theta_ns,
			.drift_ppb = edge->reported.drift_ppb,
			.sigma_ns = edge->reported.sigma_ns,
			.sigma_ppb = edge->reported.sigma_ppb,
			.bias_ns = edge->reported.bias_ns,
			.asymmetry_ns = coordinator_asymmetry_ns(c, &edge->reported),
		};
	}
	return count;
}

static bool coordinator_has_line(const struct coordinator *c, uint32_t host,
				 uint64_t window)
{
	const struct coordinator_report *report = &c->report[host];

	return report->known && report->window == window && report->tracked &&
	       report->timeline > WIRE_TIMELINE_NO_UTC;
}

/*
 * The common time that most hosts have (Boyer and Moore's majority vote algorithm, which finds one
 * that more than half have, and else one of some), of all or of those that are
 * solved; 0: nobody has any.  A host that joins has the common time of no mesh, or of another.
 */
static uint32_t coordinator_vote(const struct coordinator *c, uint64_t window,
				 bool solved)
{
	uint32_t timeline = 0, lead = 0, i;

	for (i = 0; i < c->membership->hosts; i++) {
		if (!coordinator_has_line(c, i, window) || c->report[i].joins ||
		    (solved && !c->host[i].reached))
			continue;
		if (!lead)
			timeline = wire_timeline(c->report[i].timeline);
		if (wire_timeline(c->report[i].timeline) == timeline)
			lead++;
		else
			lead--;
	}
	return timeline;
}

/*
 * Hosts that never reached each other count the same windows and terms; so a host that
 * begins a common time, and since when it runs, is in its name, too.
 */
static uint32_t coordinator_new_timeline(const struct coordinator *c,
					 uint64_t window, uint64_t term)
{
	uint64_t chance = (uint64_t)c->membership->host[c->membership->self].id << 32 |
			  c->session;

	chance = prng_next(&chance) ^ term;
	chance = prng_next(&chance) ^ window;
	return wire_timeline((uint32_t)prng_next(&chance));
}

/* Earlier states of hosts in a common time, whether one of them had UTC, and UTC in it. */
static void coordinator_priors(struct coordinator *c, uint64_t window,
			       uint32_t timeline)
{
	bool goes_on = coordinator_keeps_leap(c, window, timeline);
	uint32_t i;

	c->timeline = timeline;
	for (i = 0; i < c->membership->hosts; i++) {
		c->prior[i].known = coordinator_has_line(c, i, window) &&
				    wire_timeline(c->report[i].timeline) == timeline;
		if (c->prior[i].known)
			c->timeline &= c->report[i].timeline;
		c->prior[i].line = c->report[i].line;
		c->prior[i].std_ns = c->report[i].std_ns;
		c->prior[i].std_ppb = c->report[i].skew_ppb;
	}
	coordinator_find_leap(c, goes_on);
}

static struct datum coordinator_gauge(const struct coordinator *c)
{
	const struct huygens_conf *conf = c->conf;
	struct datum datum = { .kind = DATUM_MEAN,
			       .window_ns = conf->window_ns,
			       .slew_ppb = (double)conf->utc_slew_ppb,
			       .prior = c->prior };

	if (conf->reference == CONF_REFERENCE_MEAN)
		return datum;
	datum.kind = conf_takes_time(conf) ? DATUM_UTC : DATUM_HOST;
	datum.host = coordinator_reference(c);
	datum.utcs = c->utcs;
	datum.utc = c->utc;
	return datum;
}

static void coordinator_keep_fates(struct coordinator *c, uint32_t measured)
{
	uint32_t e;

	for (e = 0; e < measured; e++)
		c->edge[c->which[e]].fit = c->fit[e];
	c->count->outliers += c->result.outliers;
}

/* Edges of the mesh, and after them those through UTC. */
static void coordinator_network(struct coordinator *c, uint32_t edges,
				const struct datum *datum)
{
	c->result = network_solve(c->membership->hosts, c->measured, edges, datum,
				  NETWORK_DENSE, c->memory, c->fit, c->host);
}

/* Does the solution lie where the common time in which it is sent leads? */
static bool coordinator_goes_on(const struct coordinator *c)
{
	uint32_t i;

	for (i = 0; i < c->membership->hosts; i++)
		if (c->host[i].reached && c->prior[i].known)
			return true;
	return false;
}

/* The solution's instant by the schedule, which is this host's. */
static void coordinator_place(struct coordinator *c, const struct schedule *schedule)
{
	const struct network_host *self = &c->host[c->membership->self];

	c->schedule_ns = 0;
	c->schedule_ppb = 0;
	if (!self->reached)
		return;
	c->schedule_ns = schedule_now(schedule, self->line.at_ns);
	c->schedule_ppb = schedule->line.drift_ppb - self->line.drift_ppb;
}

/* The solution, where UTC is seen as @c->leap has it. */
static void coordinator_solve_once(struct coordinator *c, uint64_t window, uint32_t measured)
{
	uint32_t edges = coordinator_find_utc(c, window, measured);
	struct datum datum = coordinator_gauge(c);

	coordinator_network(c, edges, &datum);
}

/*
 * Where UTC is known: a common time that begins at it, if one is to begin; or the same, with
 * a leap second that nobody announced.
 */
static void coordinator_follow_utc(struct coordinator *c, uint64_t window, uint32_t measured,
				   uint32_t begins)
{
	bool has_begun;

	if (!coordinator_compare(c))
		return;
	has_begun = coordinator_begins_at_utc(c);
	if (has_begun)
		coordinator_priors(c, window, begins);
	if (has_begun || coordinator_leap_second(c, coordinator_reference(c), window)) {
		coordinator_solve_once(c, window, measured);
		coordinator_compare(c);
	}
	c->timeline &= ~WIRE_TIMELINE_NO_UTC;
	c->upper_was = c->upper;
}

bool coordinator_solve(struct coordinator *c, uint64_t window,
		       const struct schedule *schedule, uint64_t term)
{
	uint32_t measured = coordinator_measure(c, window);
	uint32_t begins = coordinator_new_timeline(c, window, term);
	uint32_t timeline = coordinator_vote(c, window, false);

	coordinator_priors(c, window, timeline ? timeline : begins);
	coordinator_solve_once(c, window, measured);
	/* No solved host has that common time: another one, of the solved hosts. */
	if (timeline && !coordinator_goes_on(c)) {
		timeline = coordinator_vote(c, window, true);
		coordinator_priors(c, window, timeline ? timeline : begins);
		coordinator_solve_once(c, window, measured);
	}
	coordinator_follow_utc(c, window, measured, begins);
	c->window = window;
	c->solved = measured > 0 && c->result.reached > 1;
	coordinator_keep_fates(c, measured);
	coordinator_place(c, schedule);
	c->count->solved += c->solved;
	return c->solved;
}

static double coordinator_limit(double x)
{
	return x < WIRE_SPAN_MAX ? x : WIRE_SPAN_MAX;
}

static void coordinator_row(const struct coordinator *c, uint32_t index,
			    struct wire_row *row)
{
	const struct network_host *host = &c->host[index];

	*row = (struct wire_row){ .id = c->membership->host[index].id };
	if (!host->reached)
		return;
	row->flags = WIRE_ROW_SOLVED;
	row->at_ns = host->line.at_ns;
	row->offset_ns = host->line.offset_ns;
	row->drift_ppb = host->line.drift_ppb;
	row->std_ns = coordinator_limit(host->std_ns);
	row->std_ppb = coordinator_limit(host->std_ppb);
	row->bias_ns = coordinator_limit(host->bias_ns);
	row->asymmetry_ns = coordinator_limit(host->asymmetry_ns);
}

/* The upper mesh's UTC has an error of its own, to which that of its time is added. */
static void coordinator_tell_utc(const struct coordinator *c, struct wire_solution *s)
{
	double utc_ns = coordinator_upper_utc_ns(c);

	if (!c->has_utc)
		return;
	s->upper = c->upper;
	s->upper_error_ns = c->upper ? coordinator_limit(c->utc_error_ns) : 0;
	if (!isfinite(utc_ns))
		return;
	s->flags = WIRE_SOLUTION_UTC;
	s->utc_error_ns = coordinator_limit(c->utc_error_ns + utc_ns);
}

void coordinator_message(const struct coordinator *c, uint32_t to, uint64_t term,
			 struct wire_message *message)
{
	struct wire_solution *s = &message->solution;
	uint32_t hosts = c->membership->hosts, i;

	*message = (struct wire_message){ .type = WIRE_SOLUTION };
	s->term = term;
	s->window = c->window;
	s->schedule_ns = c->schedule_ns;
	s->schedule_ppb = c->schedule_ppb;
	s->timeline = c->timeline;
	s->hosts = c->result.reached;
	s->frame_ns = coordinator_limit(c->result.frame_ns);
	s->frame_ppb = coordinator_limit(c->result.frame_ppb);
	s->reference = coordinator_reference_id(c);
	s->leap = c->leap;
	coordinator_tell_utc(c, s);
	if (hosts > WIRE_ROWS_MAX) {
		s->part = to;
		s->parts = hosts;
		s->count = 1;
		coordinator_row(c, to, &s->row[0]);
		return;
	}
	s->parts = 1;
	s->count = hosts;
	for (i = 0; i < hosts; i++)
		coordinator_row(c, i, &s->row[i]);
}

/* What was reported, and the last solution, by the ids of hosts. */
static void coordinator_move(struct coordinator *c, const struct coordinator *from)
{
	uint32_t i, e, host, edge;

	for (i = 0; i < c->membership->hosts; i++) {
		host = membership_index(from->membership, c->membership->host[i].id);
		if (host == MEMBERSHIP_NONE)
			continue;
		c->report[i] = from->report[host];
		c->prior[i] = from->prior[host];
		c->host[i] = from->host[host];
	}
	for (e = 0; e < c->membership->edges; e++) {
		const struct graph_edge *graph = &c->membership->edge[e];

		i = membership_index(from->membership, c->membership->host[graph->i].id);
		host = membership_index(from->membership, c->membership->host[graph->j].id);
		edge = membership_edge(from->membership, i, host);
		if (edge != MEMBERSHIP_NONE)
			c->edge[e] = from->edge[edge];
	}
}

/* Hosts whose UTC the last solution has, by index. */
static void coordinator_move_utc(struct coordinator *c, const struct coordinator *from)
{
	uint32_t i;

	c->utcs = 0;
	for (i = 0; i < from->utcs; i++) {
		const struct conf_peer *host = &from->membership->host[from->utc[i].host];
		struct datum_utc utc = from->utc[i];

		utc.host = membership_index(c->membership, host->id);
		if (utc.host != MEMBERSHIP_NONE)
			c->utc[c->utcs++] = utc;
	}
	c->has_utc = from->has_utc && c->utcs;
}

int coordinator_follow(struct coordinator *c, const struct coordinator *from,
		       const struct membership *membership)
{
	struct coordinator next;

	if (coordinator_make(&next, from->conf, membership, from->session, from->count))
		return -1;
	*c = *from;
	c->membership = membership;
	c->report = next.report;
	c->edge = next.edge;
	c->measured = next.measured;
	c->which = next.which;
	c->fit = next.fit;
	c->joined = next.joined;
	c->prior = next.prior;
	c->host = next.host;
	c->memory = next.memory;
	coordinator_move(c, from);
	coordinator_move_utc(c, from);
	return 0;
}

void coordinator_free(struct coordinator *c)
{
	free(c->report);
	free(c->edge);
	free(c->measured);
	free(c->which);
	free(c->fit);
	free(c->joined);
	free(c->prior);
	free(c->host);
	free(c->memory);
	memset(c, 0, sizeof(*c));
}
