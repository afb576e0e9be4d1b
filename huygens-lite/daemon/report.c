// SPDX-License-Identifier: GPL-2.0
/*
 * A snapshot of a host of the mesh.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define REPORT_OUTPUT_COUNTERS	4
#define REPORT_COUNTERS		(COUNT_ENTRIES + REPORT_OUTPUT_COUNTERS)

int report_make(struct report *report, const struct mesh *mesh)
{
	uint32_t neighbours = mesh->membership.neighbours + 1, i;

	report->peers = calloc(neighbours, sizeof(*report->peers));
	report->edges = calloc(mesh->membership.edges + 1, sizeof(*report->edges));
	report->hosts = calloc(mesh->membership.hosts, sizeof(*report->hosts));
	report->counters = calloc(REPORT_COUNTERS, sizeof(*report->counters));
	report->sent = calloc(neighbours, sizeof(*report->sent));
	report->lost = calloc(neighbours, sizeof(*report->lost));
	report->sent_now = calloc(neighbours, sizeof(*report->sent_now));
	report->lost_now = calloc(neighbours, sizeof(*report->lost_now));
	if (report->peers && report->edges && report->hosts &&
	    report->counters && report->sent && report->lost &&
	    report->sent_now && report->lost_now) {
		for (i = 0; i < mesh->membership.neighbours; i++) {
			report->sent[i] = mesh->prober.neighbour[i].sent;
			report->lost[i] = mesh->prober.neighbour[i].lost;
		}
		return 0;
	}
	report_free(report);
	return -1;
}

void report_window(struct report *report, const struct mesh *mesh)
{
	uint32_t i;

	for (i = 0; report->sent && i < mesh->membership.neighbours; i++) {
		const struct prober_neighbour *n = &mesh->prober.neighbour[i];

		report->sent_now[i] = n->sent - report->sent[i];
		report->lost_now[i] = n->lost - report->lost[i];
		report->sent[i] = n->sent;
		report->lost[i] = n->lost;
	}
}

static void report_address(const union conf_address *address, char *text,
			   size_t size)
{
	char host[INET6_ADDRSTRLEN];

	if (address->sa.sa_family == AF_INET6)
		snprintf(text, size, "[%s]:%u",
			 inet_ntop(AF_INET6, &address->in6.sin6_addr, host,
				   sizeof(host)),
			 ntohs(address->in6.sin6_port));
	else
		snprintf(text, size, "%s:%u",
			 inet_ntop(AF_INET, &address->in.sin_addr, host,
				   sizeof(host)),
			 ntohs(address->in.sin_port));
}

const char *report_stamps(uint8_t stamps)
{
	static const char *const names[] = {
		[WIRE_SOFTWARE] = "software",
		[WIRE_HARDWARE] = "hardware",
		[WIRE_HARDWARE_RECEIVE] = "hardware-receive",
	};

	return stamps <= WIRE_HARDWARE_RECEIVE ? names[stamps] : NULL;
}

/* Stamps of a host as this one knows it; it receives nothing from itself. */
static const char *report_host_stamps(const struct mesh *mesh, uint32_t index)
{
	return report_stamps(index == mesh->membership.self ? mesh->stamps :
			     mesh->transport.host[index].stamps);
}

static const char *report_edge_stamps(const struct mesh *mesh, uint32_t i, uint32_t j)
{
	const char *one = report_host_stamps(mesh, i);
	const char *other = report_host_stamps(mesh, j);

	if (!one || !other)
		return NULL;
	return strcmp(one, other) ? "mixed" : one;
}

static int report_by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* The edges that this host owns. */
static int64_t report_delay_sum(const struct mesh *mesh)
{
	int64_t sum[2 * GRAPH_K_MOST];
	uint32_t count = 0, i;

	for (i = 0; i < mesh->membership.neighbours && count < 2 * GRAPH_K_MOST;
	     i++) {
		const struct agent_edge *edge = &mesh->agent.edge[i];

		if (edge->fitted && edge->fit.verdict == EDGE_VALID)
			sum[count++] = (int64_t)edge->fit.delay_sum_ns;
	}
	if (!count)
		return STATUS_UNKNOWN;
	qsort(sum, count, sizeof(*sum), report_by_size);
	return sum[count / 2];
}

/* The host is the reference's, or that whose UTC counts most in the last solution. */
static void report_reference(const struct mesh *mesh,
			     struct status_tracking *t)
{
	static const char *const names[] = { "mean", "host", "utc", "upper" };
	const char *name = names[mesh->conf->reference];

	if (mesh->reference && mesh->conf->reference != CONF_REFERENCE_MEAN)
		snprintf(t->reference, sizeof(t->reference), "%s %u", name,
			 (unsigned int)mesh->reference);
	else
		snprintf(t->reference, sizeof(t->reference), "%s", name);
}

static void report_leap(const struct host_clock *host_clock, const struct mesh_now *now,
			struct status_tracking *t)
{
	static const char *const names[] = { "delete", "none", "insert" };
	const struct leap *leap = &host_clock->leap;
	int64_t common_ns = now->local_ns + t->offset_ns;

	t->leap = names[leap_today(leap, common_ns - leap_ahead_ns(leap, common_ns)) + 1];
	t->tai_s = leap_utc_tai(leap, common_ns);
}

static void report_track(const struct mesh *mesh, const struct mesh_now *now,
			 struct status_tracking *t)
{
	const struct host_clock *host_clock = &mesh->host_clock;
	struct slew_value slew;

	t->age_ns = STATUS_UNKNOWN;
	t->offset_ns = STATUS_UNKNOWN;
	t->last_change_ns = STATUS_UNKNOWN;
	t->rms_change_ns = STATUS_UNKNOWN;
	t->error_ns = STATUS_UNKNOWN;
	t->asymmetry_ns = STATUS_UNKNOWN;
	t->utc_error_ns = STATUS_UNKNOWN;
	t->upper_error_ns = STATUS_UNKNOWN;
	t->drift_ppb = NAN;
	t->skew_ppb = NAN;
	if (!host_clock_is_valid(host_clock))
		return;
	slew = slew_at(&host_clock->slew, now->local_ns);
	t->window = host_clock->window;
	t->age_ns = now->local_ns - host_clock->at_ns;
	t->offset_ns = slew.x_ns;
	t->drift_ppb = host_clock->kalman.line.drift_ppb;
	t->skew_ppb = kalman_drift_std_ppb(&host_clock->kalman);
	t->error_ns = (int64_t)ceil(slew.bound_ns);
	t->asymmetry_ns = (int64_t)ceil(host_clock->asymmetry_ns);
	if (host_clock->has_utc) {
		report_leap(host_clock, now, t);
		t->utc_error_ns = (int64_t)ceil(host_clock_utc_error(host_clock, now->local_ns));
	}
	if (host_clock->upper) {
		t->upper_epoch = host_clock->upper;
		t->upper_error_ns = (int64_t)ceil(host_clock_upper_error(host_clock,
									 now->local_ns));
	}
	if (host_clock->changes) {
		t->last_change_ns = host_clock->change_ns;
		t->rms_change_ns = (int64_t)sqrt(host_clock->change_square);
	}
}

/* Does a host that lives have other files than this one, as far as its HELLOs come here? */
static bool report_differs(const struct mesh *mesh, const struct mesh_now *now, uint32_t index)
{
	const struct transport_host *host = &mesh->transport.host[index];

	return index != mesh->membership.self && host->greeted &&
	       host->has.files != mesh->change.own.files &&
	       transport_is_alive(&mesh->transport, index, now->raw_ns);
}

static uint32_t report_differing(const struct mesh *mesh, const struct mesh_now *now)
{
	uint32_t count = 0, i;

	for (i = 0; i < mesh->membership.hosts; i++)
		count += report_differs(mesh, now, i);
	return count;
}

static void report_tracking(const struct mesh *mesh, const struct mesh_now *now,
			    const struct report_output *output,
			    struct status_tracking *t)
{
	static const char *const modes[] = { "publish", "steer", "sock", "none" };
	const struct conf_peer *self = &mesh->membership.host[mesh->membership.self];

	t->id = self->id;
	snprintf(t->name, sizeof(t->name), "%s",
		 *mesh->conf->name ? mesh->conf->name : self->name);
	t->state = state_phase_name(mesh->host_clock.state.phase);
	t->mode = modes[mesh->conf->mode];
	t->coordinator = mesh->verdict.known ? mesh->verdict.id : 0;
	t->term = mesh->verdict.term;
	t->delay_sum_ns = report_delay_sum(mesh);
	t->remaining_ns = output->remaining_ns;
	t->stamps = report_host_stamps(mesh, mesh->membership.self);
	t->hosts = mesh->hosts;
	t->hosts_known = mesh->membership.hosts;
	snprintf(t->list, sizeof(t->list), "%08" PRIx32, mesh->list.checksum);
	t->next_list = mesh->change.pending ? t->next_text : NULL;
	snprintf(t->next_text, sizeof(t->next_text), "%08" PRIx32, mesh->change.next);
	t->hosts_differ = report_differing(mesh, now);
	report_reference(mesh, t);
	report_track(mesh, now, t);
}

static void report_peer(const struct report *report, const struct mesh *mesh,
			const struct mesh_now *now, uint32_t place,
			struct status_peer *p)
{
	uint32_t index = mesh->membership.neighbour[place];
	const struct conf_peer *host = &mesh->membership.host[index];
	const struct transport_host *transport = &mesh->transport.host[index];
	const struct agent_seen *seen = &mesh->agent.edge[place].seen;

	*p = (struct status_peer){
		.id = host->id,
		.out = 1,
		.in = seen->received > 0,
		.alive = transport_is_alive(&mesh->transport, index, now->raw_ns),
		.stamps = report_stamps(transport->stamps),
		.sent = report->sent_now[place],
		.received = seen->received,
		.accepted = seen->accepted,
		.lost_stamps = report->lost_now[place],
		.tolerance_ns = seen->received ? seen->tolerance_ns : STATUS_UNKNOWN,
		.age_ns = transport->received ? now->raw_ns - transport->received_ns :
					STATUS_UNKNOWN,
	};
	snprintf(p->name, sizeof(p->name), "%s", host->name);
	report_address(&host->address, p->address, sizeof(p->address));
}

static void report_own_edge(const struct mesh *mesh, uint32_t place,
			    struct status_edge *s)
{
	const struct agent_edge *edge = &mesh->agent.edge[place];
	bool valid = edge->fit.verdict == EDGE_VALID;

	*s = (struct status_edge){
		.i = mesh->membership.host[mesh->membership.self].id,
		.j = mesh->membership.host[mesh->membership.neighbour[place]].id,
		.valid = valid,
		.why = valid ? NULL : edge_verdict_name(edge->fit.verdict),
		.stamps = report_edge_stamps(mesh, mesh->membership.self,
					     mesh->membership.neighbour[place]),
		.window = edge->fit_window,
		.theta_ns = valid ? edge->fit.theta_ns : STATUS_UNKNOWN,
		.drift_ppb = valid ? edge->fit.drift_ppb : NAN,
		.delay_sum_ns = valid ? (int64_t)edge->fit.delay_sum_ns : STATUS_UNKNOWN,
		.weight = valid ? 1 / (edge->worth.sigma_ns *
				       edge->worth.sigma_ns +
				       edge->worth.bias_ns *
				       edge->worth.bias_ns) : NAN,
		.residual_ns = STATUS_UNKNOWN,
		.points_ij = edge->fit.forward,
		.points_ji = edge->fit.backward,
	};
}

static void report_known_edge(const struct mesh *mesh, uint32_t e,
			      struct status_edge *s)
{
	const struct coordinator_edge *edge = &mesh->coordinator.edge[e];
	const struct graph_edge *graph = &mesh->membership.edge[e];
	const struct wire_edge *reported = &edge->reported;
	bool valid = reported->why == EDGE_VALID;
	bool used = edge->solved && edge->fit.fate <= NETWORK_LOWERED;

	*s = (struct status_edge){
		.i = mesh->membership.host[graph->i].id,
		.j = mesh->membership.host[graph->j].id,
		.valid = used,
		.stamps = report_edge_stamps(mesh, graph->i, graph->j),
		.window = edge->window,
		.theta_ns = valid ? reported->theta_ns : STATUS_UNKNOWN,
		.drift_ppb = valid ? reported->drift_ppb : NAN,
		.delay_sum_ns = valid ? (int64_t)reported->delay_sum_ns : STATUS_UNKNOWN,
		.weight = valid && used ?
			1 / (reported->sigma_ns * reported->sigma_ns +
			     reported->bias_ns * reported->bias_ns) : NAN,
		.residual_ns = edge->solved ?
			line_round(edge->fit.residual_ns) : STATUS_UNKNOWN,
		.points_ij = reported->out,
		.points_ji = reported->in,
	};
	if (!valid)
		s->why = edge_verdict_name(reported->why);
	else if (!edge->solved)
		s->why = "old";
	else if (edge->fit.fate == NETWORK_OUTLIER)
		s->why = "outlier";
	else if (edge->fit.fate == NETWORK_ABSURD)
		s->why = "absurd";
}

static size_t report_edges(struct report *report, const struct mesh *mesh)
{
	size_t count = 0;
	uint32_t i;

	if (mesh->verdict.self) {
		for (i = 0; i < mesh->membership.edges; i++)
			if (mesh->coordinator.edge[i].known)
				report_known_edge(mesh, i,
						  &report->edges[count++]);
		return count;
	}
	for (i = 0; i < mesh->membership.neighbours; i++)
		if (mesh->agent.edge[i].fitted)
			report_own_edge(mesh, i, &report->edges[count++]);
	return count;
}

static uint32_t report_outliers(const struct mesh *mesh, uint32_t host)
{
	const struct graph_edge *graph = mesh->membership.edge;
	uint32_t count = 0, e;

	for (e = 0; e < mesh->membership.edges; e++)
		count += (graph[e].i == host || graph[e].j == host) &&
			 mesh->coordinator.edge[e].solved &&
			 mesh->coordinator.edge[e].fit.fate == NETWORK_OUTLIER;
	return count;
}

static void report_host(const struct mesh *mesh, const struct mesh_now *now,
			uint32_t index, struct status_host *s)
{
	const struct network_host *host = &mesh->coordinator.host[index];
	const struct conf_peer *peer = &mesh->membership.host[index];
	bool alive = index == mesh->membership.self ||
		     transport_is_alive(&mesh->transport, index, now->raw_ns);

	*s = (struct status_host){
		.id = peer->id,
		.state = host->reached ? "solved" : alive ? "cut off" : "dead",
		.differs = report_differs(mesh, now, index),
		.edges = host->edges,
		.outliers = report_outliers(mesh, index),
		.offset_ns = STATUS_UNKNOWN,
		.drift_ppb = NAN,
		.std_ns = STATUS_UNKNOWN,
		.error_ns = STATUS_UNKNOWN,
	};
	snprintf(s->name, sizeof(s->name), "%s", peer->name);
	if (!host->reached)
		return;
	s->offset_ns = host->line.offset_ns;
	s->drift_ppb = host->line.drift_ppb;
	s->std_ns = line_round(ceil(host->std_ns));
	s->error_ns = line_round(ceil(kalman_window_ns(host->std_ns,
						       host->bias_ns)));
}

static size_t report_counters(struct report *report, struct mesh *mesh,
			      const struct report_output *output)
{
	const struct status_counter more[REPORT_OUTPUT_COUNTERS] = {
		{ "lines", output->lines, "lines sent to the output" },
		{ "lines_failed", output->failed,
		  "lines that the output refused" },
		{ "steps", output->steps, "steps of CLOCK_REALTIME by the output" },
		{ "withdrawn", output->withdrawn,
		  "times that the line was withdrawn" },
	};
	size_t i;

	mesh_count(mesh);
	for (i = 0; i < COUNT_ENTRIES; i++)
		report->counters[i] = (struct status_counter){
			.name = count_entries[i].name,
			.value = *(const uint64_t *)
				 ((const char *)&mesh->count +
				  count_entries[i].offset),
			.what = count_entries[i].what,
		};
	memcpy(&report->counters[i], more, sizeof(more));
	return REPORT_COUNTERS;
}

void report_fill(struct report *report, struct mesh *mesh,
		 const struct mesh_now *now, const struct report_output *output,
		 struct status *status)
{
	uint32_t i;

	report_tracking(mesh, now, output, &status->tracking);
	if (!report->peers)
		return;
	for (i = 0; i < mesh->membership.neighbours; i++)
		report_peer(report, mesh, now, i, &report->peers[i]);
	status->peers = report->peers;
	status->n_peers = mesh->membership.neighbours;
	status->n_edges = report_edges(report, mesh);
	status->edges = report->edges;
	status->coordinating = mesh->verdict.self;
	if (mesh->verdict.self && mesh->coordinator.solved) {
		for (i = 0; i < mesh->membership.hosts; i++)
			report_host(mesh, now, i, &report->hosts[i]);
		status->hosts = report->hosts;
		status->n_hosts = mesh->membership.hosts;
	}
	status->n_counters = report_counters(report, mesh, output);
	status->counters = report->counters;
}

void report_free(struct report *report)
{
	free(report->peers);
	free(report->edges);
	free(report->hosts);
	free(report->counters);
	free(report->sent);
	free(report->lost);
	free(report->sent_now);
	free(report->lost_now);
	memset(report, 0, sizeof(*report));
}
