// SPDX-License-Identifier: GPL-2.0
/*
 * The coordinator.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../algo/kalman.h"
#include "../algo/prng.h"
#include "coordinator.h"
#include "leap.h"

#define COORDINATOR_NS	1000000000ULL

int coordinator_make(struct coordinator *c, const struct huygens_conf *conf,
		     const struct membership *membership, uint32_t session,
		     struct count *count)
{
	size_t edges = membership->edges + 1, hosts = membership->hosts;

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
	c->prior = calloc(hosts, sizeof(*c->prior));
	c->host = calloc(hosts, sizeof(*c->host));
	c->memory = malloc(network_bytes(hosts, edges, NETWORK_DENSE));
	if (c->report && c->edge && c->measured && c->which && c->fit &&
	    c->prior && c->host && c->memory)
		return 0;
	coordinator_free(c);
	return -1;
}

static int coordinator_by_hosts(const void *a, const void *b)
{
	const struct graph_edge *x = a, *y = b;

	if (x->i != y->i)
		return x->i < y->i ? -1 : 1;
	return x->j < y->j ? -1 : x->j > y->j;
}

static struct coordinator_edge *coordinator_find(struct coordinator *c,
						 uint32_t i, uint32_t j)
{
	struct graph_edge key = { .i = i, .j = j };
	const struct graph_edge *found =
		bsearch(&key, c->membership->edge, c->membership->edges, sizeof(key),
			coordinator_by_hosts);

	return found ? &c->edge[found - c->membership->edge] : NULL;
}

void coordinator_report(struct coordinator *c, uint32_t from,
			const struct wire_edges *edges)
{
	struct coordinator_edge *edge;
	int i;

	c->report[from] = (struct coordinator_report){
		.known = true,
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

	for (e = 0; e < c->membership->edges; e++) {
		struct coordinator_edge *edge = &c->edge[e];

		edge->solved = edge->known && edge->window == window &&
			       edge->reported.why == EDGE_VALID;
		if (!edge->solved)
			continue;
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
 * solved; 0: nobody has any.
 */
static uint32_t coordinator_vote(const struct coordinator *c, uint64_t window,
				 bool solved)
{
	uint32_t timeline = 0, lead = 0, i;

	for (i = 0; i < c->membership->hosts; i++) {
		if (!coordinator_has_line(c, i, window) ||
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

/* Earlier states of hosts in a common time, and whether one of them had UTC. */
static void coordinator_priors(struct coordinator *c, uint64_t window,
			       uint32_t timeline)
{
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
}

static struct datum coordinator_gauge(struct coordinator *c, uint64_t window)
{
	struct datum datum = { .kind = DATUM_MEAN,
			       .window_ns = c->conf->window_ns,
			       .slew_ppb = (double)c->conf->utc_slew_ppb,
			       .prior = c->prior };
	const struct coordinator_report *report;
	uint32_t host;

	if (c->conf->reference == CONF_REFERENCE_MEAN)
		return datum;
	host = membership_index(c->membership, c->conf->reference_id);
	if (host == MEMBERSHIP_NONE)
		return datum;
	report = &c->report[host];
	datum.host = host;
	datum.kind = c->conf->reference == CONF_REFERENCE_UTC ? DATUM_UTC :
								DATUM_HOST;
	datum.utc = report->utc;
	datum.utc_known = report->known && report->window == window &&
			  report->has_utc;
	return datum;
}

static void coordinator_keep_fates(struct coordinator *c, uint32_t measured)
{
	uint32_t e;

	for (e = 0; e < measured; e++)
		c->edge[c->which[e]].fit = c->fit[e];
	c->count->outliers += c->result.outliers;
}

static void coordinator_network(struct coordinator *c, uint32_t measured,
				const struct datum *datum)
{
	c->result = network_solve(c->membership->hosts, c->measured, measured, datum,
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

static bool coordinator_has_utc(const struct coordinator *c,
				const struct datum *datum)
{
	return datum->kind == DATUM_UTC && datum->utc_known && c->result.referenced;
}

/*
 * One a day: a host that lies about UTC is not to begin one common time after the
 * other.
 */
static bool coordinator_leap_second(struct coordinator *c, const struct datum *datum,
				    uint64_t window, int64_t off_ns)
{
	int64_t at_ns = c->host[datum->host].line.at_ns;
	uint64_t day = LEAP_LATE_S * COORDINATOR_NS / (uint64_t)c->conf->window_ns;

	if (!leap_is(at_ns + line_at(&datum->utc, at_ns), off_ns) ||
	    (c->has_leapt && window - c->leapt < day))
		return false;
	c->has_leapt = true;
	c->leapt = window;
	return true;
}

/* A common time that UTC was never known in may be anywhere (datum.h, chrony's makestep). */
static bool coordinator_leaps(struct coordinator *c, const struct datum *datum,
			      uint64_t window)
{
	const struct line *line = &c->host[datum->host].line;
	int64_t step_ns = c->conf->step_ns;
	int64_t off_ns = datum_miss_ns(&datum->utc, line);

	if (!step_ns || (off_ns <= step_ns && off_ns >= -step_ns))
		return false;
	return c->timeline & WIRE_TIMELINE_NO_UTC ||
	       coordinator_leap_second(c, datum, window, off_ns);
}

/* How far the common time is from UTC, and what may be wrong with UTC and with that. */
static void coordinator_compare(struct coordinator *c, const struct datum *datum)
{
	const struct network_host *host = &c->host[datum->host];

	c->has_utc = coordinator_has_utc(c, datum);
	if (!c->has_utc)
		return;
	c->utc_error_ns = fabs((double)datum_miss_ns(&datum->utc, &host->line)) +
			  c->report[datum->host].utc_error_ns +
			  kalman_window_ns(host->std_ns, host->bias_ns);
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

bool coordinator_solve(struct coordinator *c, uint64_t window,
		       const struct schedule *schedule, uint64_t term)
{
	uint32_t measured = coordinator_measure(c, window);
	uint32_t begins = coordinator_new_timeline(c, window, term);
	uint32_t timeline = coordinator_vote(c, window, false);
	struct datum datum;

	coordinator_priors(c, window, timeline ? timeline : begins);
	datum = coordinator_gauge(c, window);
	coordinator_network(c, measured, &datum);
	/* No solved host has that common time: another one, of the solved hosts. */
	if (timeline && !coordinator_goes_on(c)) {
		timeline = coordinator_vote(c, window, true);
		coordinator_priors(c, window, timeline ? timeline : begins);
		coordinator_network(c, measured, &datum);
	}
	if (coordinator_has_utc(c, &datum)) {
		if (coordinator_leaps(c, &datum, window)) {
			coordinator_priors(c, window, begins);
			coordinator_network(c, measured, &datum);
		}
		c->timeline &= ~WIRE_TIMELINE_NO_UTC;
	}
	c->window = window;
	c->solved = measured > 0 && c->result.reached > 1;
	coordinator_compare(c, &datum);
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
	s->flags = c->has_utc ? WIRE_SOLUTION_UTC : 0;
	s->utc_error_ns = c->has_utc ? coordinator_limit(c->utc_error_ns) : 0;
	if (c->conf->reference != CONF_REFERENCE_MEAN)
		s->reference = c->conf->reference_id;
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

void coordinator_free(struct coordinator *c)
{
	free(c->report);
	free(c->edge);
	free(c->measured);
	free(c->which);
	free(c->fit);
	free(c->prior);
	free(c->host);
	free(c->memory);
	memset(c, 0, sizeof(*c));
}
