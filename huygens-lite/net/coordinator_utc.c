// SPDX-License-Identifier: GPL-2.0
/*
 * UTC of the coordinator: which hosts report it, what they agree on, and when a common
 * time begins at it.
 */
#include <math.h>

#include "coordinator_private.h"

#define COORDINATOR_NS		1000000000ULL
/* An edge through UTC that is less sure than this is of no use. */
#define COORDINATOR_VIEW_NS	1e9
/* Its drift is not known better than two readings half a second apart tell. */
#define COORDINATOR_VIEW_PPB	500.0
/* A reference stays while none is so much better. */
#define COORDINATOR_BETTER	2.0

static bool coordinator_reports_utc(const struct coordinator *c, uint32_t host, uint64_t window)
{
	const struct coordinator_report *report = &c->report[host];

	return report->known && report->window == window && report->has_utc &&
	       coordinator_tells_utc(c, host);
}

/* The best come first; of equals the first. */
static void coordinator_keep_utc(struct coordinator *c, const struct datum_utc *utc)
{
	uint32_t at = c->utcs;

	if (at == UTC_MOST && c->utc[--at].error_ns <= utc->error_ns)
		return;
	for (; at && c->utc[at - 1].error_ns > utc->error_ns; at--)
		c->utc[at] = c->utc[at - 1];
	c->utc[at] = *utc;
	if (c->utcs < UTC_MOST)
		c->utcs++;
}

/* How far a local clock is ahead of UTC, or of what counts its seconds, when that shows a time. */
static int64_t coordinator_ahead(const struct line *utc, int64_t utc_ns)
{
	double since_ns = (double)(utc_ns - utc->at_ns - utc->offset_ns) /
			  (1 + utc->drift_ppb / 1e9);

	return -line_at(utc, utc->at_ns + line_round(since_ns));
}

/* Clock j less clock i, as both show UTC. */
static struct network_edge coordinator_view(const struct coordinator *c, uint32_t i, uint32_t j)
{
	struct line a = coordinator_utc(c, i), b = coordinator_utc(c, j);
	double error_ns = c->report[i].utc_error_ns + c->report[j].utc_error_ns;
	double window_s = (double)c->conf->window_ns / COORDINATOR_NS;

	return (struct network_edge){
		.i = i,
		.j = j,
		.at_ns = a.at_ns,
		.theta_ns = a.offset_ns + coordinator_ahead(&b, a.at_ns + a.offset_ns),
		.drift_ppb = (a.drift_ppb - b.drift_ppb) / (1 + b.drift_ppb / 1e9),
		.sigma_ns = 1,
		.sigma_ppb = fmax(error_ns / window_s, COORDINATOR_VIEW_PPB),
		.bias_ns = error_ns,
		.asymmetry_ns = error_ns,
	};
}

uint32_t coordinator_find_utc(struct coordinator *c, uint64_t window, uint32_t measured)
{
	uint32_t hosts = c->membership->hosts, edges = measured, root, h;

	c->utcs = 0;
	if (c->conf->reference != CONF_REFERENCE_UTC)
		return edges;
	for (h = 0; h < hosts; h++)
		if (coordinator_reports_utc(c, h, window) && c->joined[h])
			coordinator_keep_utc(c, &(struct datum_utc){
				h, coordinator_utc(c, h), c->report[h].utc_error_ns });
	if (!c->utcs)
		return edges;
	coordinator_hear_leap(c);
	root = coordinator_reference(c);
	for (h = 0; h < hosts; h++) {
		double error_ns = c->report[root].utc_error_ns + c->report[h].utc_error_ns;

		if (h != root && coordinator_reports_utc(c, h, window) &&
		    error_ns <= COORDINATOR_VIEW_NS)
			c->measured[edges++] = h < root ? coordinator_view(c, h, root) :
							  coordinator_view(c, root, h);
	}
	return edges;
}

uint32_t coordinator_reference(const struct coordinator *c)
{
	const struct huygens_conf *conf = c->conf;
	uint32_t host, i;
	double enough_ns;

	if (conf->reference == CONF_REFERENCE_HOST)
		return membership_index(c->membership, conf->reference_id);
	if (!c->utcs)
		return conf->n_utc_hosts ?
			membership_index(c->membership, conf->utc_hosts[0]) : MEMBERSHIP_NONE;
	host = c->utc[0].host;
	enough_ns = COORDINATOR_BETTER * c->utc[0].error_ns;
	for (i = 1; i < c->utcs; i++)
		if (c->utc[i].host < host &&
		    c->utc[i].error_ns <= enough_ns)
			host = c->utc[i].host;
	return host;
}

uint32_t coordinator_reference_id(const struct coordinator *c)
{
	if (c->conf->reference == CONF_REFERENCE_HOST)
		return c->conf->reference_id;
	return c->has_utc ? c->membership->host[coordinator_reference(c)].id : 0;
}

bool coordinator_compare(struct coordinator *c)
{
	struct utc_view view[UTC_MOST], agreed;
	uint32_t views = 0, i;

	for (i = 0; i < c->utcs; i++) {
		const struct network_host *host = &c->host[c->utc[i].host];

		if (host->reached)
			view[views++] = datum_view(&c->utc[i], &host->line,
						   network_bound_ns(host));
	}
	c->has_utc = utc_agree(view, views, &agreed);
	if (!c->has_utc) {
		c->count->utc_disagreed += views > 0;
		return false;
	}
	c->utc_miss_ns = agreed.miss_ns;
	c->utc_error_ns = fabs((double)agreed.miss_ns) + agreed.error_ns;
	return true;
}

bool coordinator_begins_at_utc(const struct coordinator *c)
{
	int64_t step_ns = c->conf->step_ns;

	return c->timeline & WIRE_TIMELINE_NO_UTC && step_ns &&
	       (c->utc_miss_ns > step_ns || c->utc_miss_ns < -step_ns);
}
