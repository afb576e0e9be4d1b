// SPDX-License-Identifier: GPL-2.0
/*
 * UTC of the coordinator: which hosts report it, what they agree on, and when a common
 * time begins at it.
 */
#include <math.h>
#include <stdlib.h>

#include "../algo/sort.h"
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
	       report->upper == c->upper && coordinator_tells_utc(c, host);
}

/* Does a host report the common time of an upper mesh in this window? */
static bool coordinator_names_upper(const struct coordinator *c, uint32_t host, uint64_t window)
{
	const struct coordinator_report *report = &c->report[host];

	return report->known && report->window == window && report->has_utc && report->upper;
}

/*
 * The upper mesh whose time more than half of these hosts report (Boyer and Moore, then counted);
 * 0: there is none.  A host that was left behind by a change of that mesh has another.
 */
static uint32_t coordinator_find_upper(const struct coordinator *c, uint64_t window)
{
	uint32_t upper = 0, lead = 0, told = 0, same = 0, h;

	for (h = 0; h < c->membership->hosts; h++) {
		if (!coordinator_names_upper(c, h, window))
			continue;
		told++;
		if (!lead)
			upper = c->report[h].upper;
		lead += c->report[h].upper == upper ? 1 : -1;
	}
	for (h = 0; h < c->membership->hosts; h++)
		same += coordinator_names_upper(c, h, window) && c->report[h].upper == upper;
	return 2 * same > told ? upper : 0;
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
	c->upper = 0;
	if (!conf_takes_time(c->conf))
		return edges;
	if (c->conf->reference == CONF_REFERENCE_UPPER) {
		c->upper = coordinator_find_upper(c, window);
		if (!c->upper)
			return edges;
	}
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

double coordinator_upper_utc_ns(const struct coordinator *c)
{
	int64_t ns[UTC_MOST];
	uint32_t i;

	if (!c->upper)
		return 0;
	for (i = 0; i < c->utcs; i++) {
		const struct coordinator_report *report = &c->report[c->utc[i].host];

		ns[i] = report->has_upper_utc ? line_round(report->upper_utc_ns) : INT64_MAX;
	}
	sort_ns(ns, c->utcs);
	return c->utcs && ns[c->utcs / 2] < INT64_MAX ? (double)ns[c->utcs / 2] : INFINITY;
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

/* How much faster the upper mesh's time runs than the common time, as most links have it, ppb. */
static int64_t coordinator_upper_ppb(const struct coordinator *c)
{
	int64_t ppb[UTC_MOST];
	uint32_t n = 0, i;

	for (i = 0; i < c->utcs; i++) {
		const struct network_host *host = &c->host[c->utc[i].host];

		if (host->reached)
			ppb[n++] = line_round(c->utc[i].line.drift_ppb - host->line.drift_ppb);
	}
	sort_ns(ppb, n);
	return n ? ppb[n / 2] : 0;
}

/* Is the reference further away than what is slewed, or, an upper mesh, does it run away? */
static bool coordinator_is_far(const struct coordinator *c)
{
	return llabs(c->utc_miss_ns) > c->conf->step_ns ||
	       (c->upper && llabs(coordinator_upper_ppb(c)) > c->conf->utc_slew_ppb);
}

bool coordinator_begins_at_utc(const struct coordinator *c)
{
	bool is_another = c->upper && c->upper_was && c->upper != c->upper_was;

	return (c->timeline & WIRE_TIMELINE_NO_UTC || is_another) && c->conf->step_ns &&
	       coordinator_is_far(c);
}
